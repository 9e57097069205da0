"""The lab: pay tables, meters, simulations."""
