"""Game protection: what a counter can take from a wager."""
