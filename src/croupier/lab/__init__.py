"""What-ifs: pay tables, meters and rules changed for a look, runs started from a page."""
