"""Simulations of games and meters, put together and compared with exact values."""
