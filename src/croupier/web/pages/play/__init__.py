"""The lobby and the players' tables."""
