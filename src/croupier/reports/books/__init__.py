"""The books of a floor, computed from the ledger."""
