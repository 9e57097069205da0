"""Checks of a floor by the law of a day."""
