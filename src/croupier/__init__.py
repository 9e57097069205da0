"""Croupier turns the approval letter of a casino table game into running software."""

__version__ = "0.1.0"
