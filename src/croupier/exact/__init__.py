"""Exact odds: every way the cards can fall, counted in integers."""
