"""What a wager is worth from the cards that are left: a shoe that has been played from, card by card."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from croupier.cards import DECK_SIZE
from croupier.errors import NotComputedError
from croupier.exact.apart import Left, apart_edge_left
from croupier.exact.odds import bet_of
from croupier.exact.protection.removal import expected_profit
from croupier.exact.protection.terms import terms_of
from croupier.rules.choice import Choice


def edge_left(choice: Choice, left: Left) -> Fraction:
    """Expected loss for each unit wagered on the next round, from these cards."""
    if choice.pay_table.jackpot is not None:
        raise NotComputedError(f'What "{choice.wager.id}" is worth depends on its meter, and not on the shoe alone.')
    if choice.game.is_apart(choice.wager):
        return apart_edge_left(choice, left)
    if choice.game.is_beside(choice.wager):
        raise NotComputedError(
            f'What "{choice.wager.id}" wins may be moved, and what that is worth is known for a fresh shoe.'
        )
    profits = {outcome: row.pays.net for row in choice.rows for outcome in row.paid_outcomes}
    bet = bet_of(choice)
    if bet.scene.is_set:
        raise NotComputedError(f'The odds of "{choice.wager.id}" are those of a fresh deck.')
    terms = terms_of(choice, bet, profits)
    if sum(left) < terms.sizes.max(initial=0):
        raise NotComputedError("Too few cards are left for another round.")
    return -expected_profit(terms, list(left))


def full_left(decks: int, gone: Sequence[int] = ()) -> Left:
    """What is left of so many decks once these cards have gone."""
    left = [decks] * DECK_SIZE
    for card in gone:
        left[card] -= 1
    return tuple(left)
