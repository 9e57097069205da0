"""`croupier jackpot`: a floor run from the terminal."""
