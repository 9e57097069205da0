"""Pages to read: rules, odds sheets, plots, strategies, published figures."""
