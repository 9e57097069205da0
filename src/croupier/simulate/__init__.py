"""Simulation of the very rounds that are played and walked."""
