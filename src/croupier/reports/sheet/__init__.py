"""Odds sheets (PAR sheets) of wagers."""
