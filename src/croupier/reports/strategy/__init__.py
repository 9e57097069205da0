"""Strategies as data, as files and as pages."""
