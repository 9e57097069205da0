"""One model, many papers: JSON, terminal tables and documentation pages are filled from the same results."""
