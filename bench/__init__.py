"""Benchmarks: `make bench` measures and prints; nothing here is a test."""
