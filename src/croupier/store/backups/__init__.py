"""Backups of the ledger: made, encrypted, tried and kept."""
