"""Effects of removal of bets on the card that a seat draws, hands being played as from the fresh shoe."""

from __future__ import annotations

from fractions import Fraction

from croupier.cards import DECK_SIZE
from croupier.exact.played_bets import distribution_without, drawing_of
from croupier.exact.protection.removal import Removal
from croupier.rules.choice import Choice


def removal_of_played(choice: Choice, decks: int, profits: dict[str, Fraction]) -> Removal:
    """Of every card; `profits` by the names of its outcomes, all others losing the wager."""
    bet, drawing = choice.bet, drawing_of(choice)
    assert bet is not None
    names = bet.outcomes

    def profit(gone: tuple[int, ...]) -> Fraction:
        ways = distribution_without(drawing, gone)
        paid = sum((often * (profits.get(names[of], Fraction(-1)) + 1) for of, often in ways.ways.items() if of >= 0), Fraction(0))
        return paid / ways.denominator - 1

    value = profit(())
    return Removal(decks=decks, value=value, by_card=tuple(profit((card,)) - value for card in range(DECK_SIZE)))
