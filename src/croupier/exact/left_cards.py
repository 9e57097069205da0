"""What a wager is worth from the cards that are left: a shoe that has been played from, card by card."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from croupier.cards import DECK_SIZE
from croupier.errors import NotComputedError
from croupier.exact.odds import bet_of
from croupier.exact.protection.removal import expected_profit
from croupier.exact.protection.terms import terms_of
from croupier.kernels.hands import ACE, EMPTY, add_card, is_blackjack
from croupier.rules.choice import Choice

Left = tuple[int, ...]
"""How many of each card are left, by its number."""


def edge_left(choice: Choice, left: Left) -> Fraction:
    """Expected loss for each unit wagered on the next round, from these cards."""
    if choice.pay_table.jackpot is not None:
        raise NotComputedError(f'What "{choice.wager.id}" is worth depends on its meter, and not on the shoe alone.')
    profits = {outcome: row.pays.net for row in choice.rows for outcome in row.paid_outcomes}
    if choice.game.is_apart(choice.wager):
        return -_insurance(left, next(iter(profits.values())))
    bet = bet_of(choice)
    if bet.scene.is_set:
        raise NotComputedError(f'The odds of "{choice.wager.id}" are those of a fresh deck.')
    terms = terms_of(choice, bet, profits)
    if sum(left) < terms.sizes.max(initial=0):
        raise NotComputedError("Too few cards are left for another round.")
    return -expected_profit(terms, list(left))


def _insurance(left: Left, pays: Fraction) -> Fraction:
    """The expected profit with an ace up that is one of these cards: the hole card is a ten-value or not."""
    ace = add_card(EMPTY, ACE)
    tens = sum(count for card, count in enumerate(left) if is_blackjack(add_card(ace, card)))
    others = sum(left) - 1
    if others < 1 or not any(left[ACE >> 2 << 2 : (ACE >> 2 << 2) + 4]):
        raise NotComputedError("No ace is left that the dealer could show.")
    return Fraction(tens, others) * (pays + 1) - 1


def full_left(decks: int, gone: Sequence[int] = ()) -> Left:
    """What is left of so many decks once these cards have gone."""
    left = [decks] * DECK_SIZE
    for card in gone:
        left[card] -= 1
    return tuple(left)
