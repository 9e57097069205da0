"""A progressive's meter over years."""
