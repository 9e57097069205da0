"""A round told: as data, in words, with advice."""
