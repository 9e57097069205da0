"""Training of dealers at a practice terminal."""
