"""People at tables that the software deals: seats, chips, turns, clocks, play money. A restart loses nothing."""
