"""What the cards that are gone do to a wager: effects of removal, counts, the exact worth of any shoe."""
