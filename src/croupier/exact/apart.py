"""Wagers made during a round that have odds of their own, however hands are played.

Insurance is decided by the hole card. What decides a wager on the dealer's hand is the round's own rule, asked for
every total that the dealer can end on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from croupier.cards import DECK_SIZE
from croupier.errors import NotComputedError
from croupier.exact.dealer_table import dealer_line, ends_known, full_classes, without
from croupier.exact.outcomes import Distribution
from croupier.exact.strategy.charts import CARD_NAMES, UP_CARDS
from croupier.kernels.effects import DEALER_BLACKJACK, LOSE
from croupier.kernels.hands import ACE, EMPTY, add_card, is_blackjack
from croupier.kernels.link import Kernel
from croupier.kernels.strategy import class_of
from croupier.pay import Row
from croupier.rules.choice import Choice

Left = tuple[int, ...]
"""How many of each card are left, by its number."""
LEAST_CARDS = 13
"""Cards that no hand of the dealer needs more of."""


@dataclass(frozen=True, kw_only=True)
class UnderUpCard:
    """A wager on the dealer's hand under one up card."""

    up_card: str
    offered: Fraction
    """How often a round shows this up card and comes to the question."""
    row: Row | None
    """What may be won under it; None for nothing."""
    wins: Fraction
    """How often that is won of the times it is wagered on."""

    @property
    def edge(self) -> Fraction:
        return 1 - (self.wins * (self.row.pays.net + 1) if self.row is not None else Fraction(0))


def rule_of_dealer(choice: Choice) -> Kernel | None:
    """The round's rule for a wager on the dealer's hand; None for any other wager."""
    settled = choice.game.settled_by_round(choice.wager)
    return settled.by_dealer if settled is not None else None


def outcomes_of_apart(choice: Choice) -> tuple[str, ...]:
    """How the wager can win, by the numbers of its distribution."""
    settled = choice.game.settled_by_round(choice.wager)
    assert settled is not None
    return settled.outcomes


def apart_distribution(choice: Choice) -> Distribution:
    """Exact outcomes of the wager where it is always made, from a fresh shoe."""
    if rule_of_dealer(choice) is None:
        decks = choice.decks or 1
        return _insurance([decks] * DECK_SIZE, endless=choice.decks is None)
    under = under_up_cards(choice)
    offered = sum((one.offered for one in under), Fraction(0))
    outcomes = outcomes_of_apart(choice)
    chances = {outcomes.index(one.row.row): one.offered * one.wins / offered for one in under if one.row is not None}
    denominator = lcm(*(chance.denominator for chance in chances.values()))
    ways = {outcome: int(chance * denominator) for outcome, chance in sorted(chances.items())}
    return Distribution({LOSE: denominator - sum(ways.values())} | ways, denominator)


def apart_text(choice: Choice) -> str:
    """All the cases that were counted, in words."""
    if rule_of_dealer(choice) is None:
        return "every hole card under an ace"
    looked = ", the dealer having looked for blackjack," if _rules(choice).peek == 1 else ""
    return f"every dealer's hand under every up card{looked}"


def apart_edge_left(choice: Choice, left: Left) -> Fraction:
    """The edge on the next round, if it is always made, from the cards that are left."""
    profits = {row.row: row.pays.net for row in choice.rows}
    if rule_of_dealer(choice) is None:
        if not any(left[ACE >> 2 << 2 : (ACE >> 2 << 2) + 4]) or sum(left) < 2:
            raise NotComputedError("No ace is left that the dealer could show.")
        counted = _insurance(left, endless=False)
        won = Fraction(counted.ways[DEALER_BLACKJACK], counted.denominator)
        return 1 - won * (profits[outcomes_of_apart(choice)[DEALER_BLACKJACK]] + 1)
    classes = [0] * len(CARD_NAMES)
    for card, number in enumerate(left):
        classes[class_of(card)] += number
    under = under_up_cards(choice, classes)
    offered = sum((one.offered for one in under), Fraction(0))
    return sum((one.offered * one.edge for one in under), Fraction(0)) / offered


def _insurance(left: Sequence[int], *, endless: bool) -> Distribution:
    """With an ace up, the ways the hole card can be a ten-value among all other cards."""
    ace = add_card(EMPTY, ACE)
    others = sum(left) - (0 if endless else 1)
    tens = sum(number for card, number in enumerate(left) if is_blackjack(add_card(ace, card)))
    return Distribution({LOSE: others - tens, DEALER_BLACKJACK: tens}, others)


def under_up_cards(choice: Choice, left: Sequence[int] | None = None) -> list[UnderUpCard]:
    """The wager under each up card that can show, ace last; `left` are the cards of each class, else a fresh shoe."""
    cards = full_classes(choice.decks) if left is None else list(left)
    if sum(cards) < LEAST_CARDS:
        raise NotComputedError("Too few cards are left for another round.")
    return [_under(choice, up, cards, choice.decks) for up in UP_CARDS if cards[up]]


def _under(choice: Choice, up: int, cards: list[int], decks: int | None) -> UnderUpCard:
    rules, rule = _rules(choice), rule_of_dealer(choice)
    assert rule is not None
    line = dealer_line(without(cards, up, decks), decks is None, up, rules.soft17)
    wins: dict[int, Fraction] = {}
    for total, chance in ends_known(line, rules.peek == 1):
        wins[rule(total, up + 1)] = wins.get(rule(total, up + 1), Fraction(0)) + chance
    names, rows = outcomes_of_apart(choice), {row.row: row for row in choice.rows}
    (outcome,) = [outcome for outcome in wins if outcome != LOSE]
    return UnderUpCard(
        up_card=CARD_NAMES[up],
        offered=(1 - line[-1] if rules.peek == 1 else 1) * Fraction(cards[up], sum(cards)),
        row=rows[names[outcome]],
        wins=wins[outcome],
    )


def _rules(choice: Choice) -> Any:
    return choice.game.rules_under(choice.switches)
