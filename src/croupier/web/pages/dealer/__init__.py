"""The dealer terminal and its training."""
