"""The recipe `showdown`: a hand against one that the dealer hides, and mostly a board. Settled by the round itself, at
one dealer's hand of each class, and weighted by counts."""
