"""Croupier as a library: what `import croupier` offers, and the one way in for the command line and for pages.

Every name of the interface stands in `croupier.__all__` and is loaded when it is first used.
"""
