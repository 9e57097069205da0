"""Optimal play and exact edges of the blackjack family's main wagers.

The trees of these games are too large to walk, so a dynamic program over the player's possible hands takes their place.
It asks the rounds what is legal (`legal_actions`) and how blackjacks meet (`blackjack_outcome`), and calls the same
atoms (`add_card`, `dealer_draws`, `compare`, `is_blackjack`, `counts_as_blackjack`).
"""
