"""The server: an HTTP API for terminals, signs and other systems."""
