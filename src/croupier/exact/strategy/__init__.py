"""Optimal play and exact edges of the blackjack family's main wagers.

The trees of these games are too large to walk, so a dynamic program over the player's possible hands takes their place.
It calls the same atoms as the rounds (`add_card`, `dealer_draws`, `compare`, `may_double`, `counts_as_blackjack`).
"""
