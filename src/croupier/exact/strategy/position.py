"""A position: an up card, the cards gone, and what a hand of the player is worth in it at once. Compiled.

Arrays over hands follow `graph.py`. Values are expected profits for one unit wagered, *joint* with the dealer not
having blackjack: each is the conditional value times that chance. Joint values of one hand share the factor, so they
can be compared; and the chance of the next card is then simply its share of the unseen cards, the hole card among them.
Where the dealer does not look for blackjack, nothing is known about it: the factor is one, and a hand that stands loses
to it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.dealer import DEALER_ENDS, FINAL_TOTALS, DealerMemo, row_of
from croupier.exact.strategy.graph import KEY_BITS, NO_CLASS
from croupier.kernels.effects import STAND, SURRENDER
from croupier.kernels.strategy import CLASSES, DOUBLED, HOUSE, SPECIAL_AT

Array = NDArray[Any]

ACE, TEN = 0, 9
WON, STAKED = range(2)
"""Columns of `Graph.money`."""
IMPOSSIBLE = -1e9
"""Value of an action that is not open."""

TOTAL, SOFT, SIZE, KEY, HAND, AFTER = range(CLASSES, CLASSES + 6)
"""Columns of a graph's facts after the cards of each class."""


class Graph(NamedTuple):
    """The hands as the compiled program reads them."""

    facts: Array
    """For each hand: cards of each class, then TOTAL, SOFT, SIZE, KEY and HAND, then from AFTER on the hand that each
    class of card makes of it. One array instead of many: Numba compiles the program in half the time."""
    starts: Array
    versus: Array
    """What a hand of each total wins against each final total of the dealer: 1, 0 or -1."""
    legal: Array
    """The actions open to each kind of each hand, see `legal.py`."""
    money: Array
    """Ways in which money can lie on a hand: what it wins, and what of that is the seat's own. By OWN and HOUSE as a
    hand begins, see `first_money`; then what doubles make of it."""
    doubles: Array
    """By OWN and HOUSE and hand: the row of `money` after a double."""
    others: Array
    """By class of card: whether hands that a split adds are played for the seat's wager or the house's."""
    ends: Array
    """How a hand that is not doubled is settled at once by the number of its cards; 0 where it is not."""
    states: int
    """Rows of a strategy: OWN alone, or all."""
    late: int
    """1 if hands of more than two cards may be doubled, or given up."""
    rescue: int
    """1 if a doubled hand may be given up."""


class Position(NamedTuple):
    """Cards gone beside the up card and the hand itself, and what that leaves."""

    memo: DealerMemo
    gone: int
    """Key of the cards gone."""
    left: Array
    """Cards of each class left when the hand is still empty."""
    unseen: float
    peek: int
    pays: float
    """What a blackjack pays for one unit."""
    given_up: float
    """What surrender pays for one unit: the profit, which is negative."""
    by_cards: Array
    """What a hand that is settled by the number of its cards pays, by `Graph.ends`."""


def place(memo: DealerMemo, gone: int, peek: int, pays: float, given_up: float, by_cards: Array) -> Position:
    """The position in which the cards of `gone` have left the shoe."""
    left = np.empty(CLASSES)
    unseen = 0.0
    for card in range(CLASSES):
        left[card] = memo.shoe[card]
        if not memo.endless:
            left[card] -= gone >> KEY_BITS * card & 31
        unseen += left[card]
    return Position(memo, gone, left, unseen, peek, pays, given_up, by_cards)


def first_money(state: int) -> int:
    """The row of `money` of a hand that is not doubled."""
    return HOUSE_ALONE if state == HOUSE else 0


HOUSE_ALONE = 2
"""See `legal.MONEY`."""


def after(graph: Graph, hand: int, card: int) -> int:
    """The hand with one more card, or BUST."""
    return int(graph.facts[hand, AFTER + card])


def may(graph: Graph, kind: int, hand: int, action: int) -> bool:
    """Whether an action is open to a hand of this kind."""
    return bool(graph.legal[kind, hand] >> action & 1 == 1)


def left_of(at: Position, graph: Graph, hand: int, card: int) -> float:
    """Unseen cards of a class when the player holds this hand."""
    return float(at.left[card] if at.memo.endless else at.left[card] - graph.facts[hand, card])


def unseen_after(at: Position, graph: Graph, hand: int) -> float:
    return float(at.unseen if at.memo.endless else at.unseen - graph.facts[hand, SIZE])


def is_possible(at: Position, graph: Graph, hand: int) -> bool:
    """Whether its cards are there. Part of a card, in a shoe that is a mean of shoes, can be drawn like a whole one."""
    for card in range(CLASSES):
        if at.left[card] < 0 or (not at.memo.endless and at.left[card] <= graph.facts[hand, card] - 1):
            return False
    return True


def chance_of_blackjack(at: Position, graph: Graph, hand: int) -> float:
    """Chance that the hole card makes a dealer's blackjack."""
    if at.memo.hole == NO_CLASS:
        return 0.0
    return left_of(at, graph, hand, at.memo.hole) / unseen_after(at, graph, hand)


def factor(at: Position, graph: Graph, hand: int) -> float:
    """What joint values are conditional values times: the chance of no dealer's blackjack where it is known."""
    return 1.0 - chance_of_blackjack(at, graph, hand) if at.peek == 1 else 1.0


def value_of_standing(at: Position, graph: Graph, hand: int) -> float:
    """What a hand is worth against the dealer's, for one unit of the seat's."""
    return value_at_dealer(at, graph, hand, 1.0, 1.0)


def value_at_dealer(at: Position, graph: Graph, hand: int, won: float, lost: float) -> float:
    """The same for a hand that wins and loses so much."""
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    value = 0.0
    for end in range(DEALER_ENDS):
        versus = graph.versus[graph.facts[hand, TOTAL], end]
        value += (won if versus > 0 else lost) * versus * at.memo.ends[row, end]
    return value if at.peek == 1 else value - lost * chance_of_blackjack(at, graph, hand)


def hitting_is_never_worse(graph: Graph, hand: int) -> bool:
    """One more card cannot pass 21, and no total below the dealer's lowest is worth more than another."""
    return bool(graph.facts[hand, TOTAL] < (FINAL_TOTALS[0] if graph.facts[hand, SOFT] else 12))


def fill_hands(at: Position, graph: Graph, reachable: Any, safe: Any, stand: Any) -> None:
    """For the wanted hands the factor of joint values (0 if impossible) and the value of standing.

    Standing is left out where hitting is never worse and the hand is too long to have been doubled to.
    """
    for hand in range(1, len(graph.facts)):
        safe[hand] = 0.0
        stand[hand] = IMPOSSIBLE
        if reachable[hand] and is_possible(at, graph, hand):
            safe[hand] = factor(at, graph, hand)
            if graph.ends[hand] > 0:
                stand[hand] = at.by_cards[graph.ends[hand]] * safe[hand]
            elif graph.facts[hand, SIZE] <= 3 or graph.late == 1 or not hitting_is_never_worse(graph, hand):
                stand[hand] = value_of_standing(at, graph, hand)


def fill_house(at: Position, graph: Graph, safe: Any, stand: Any, house: Any) -> None:
    """The value of standing for hands on the house's money alone."""
    for hand in range(1, len(graph.facts)):
        house[hand] = IMPOSSIBLE
        if safe[hand] > 0 and stand[hand] > IMPOSSIBLE:
            house[hand] = value_at_dealer(at, graph, hand, 1.0, 0.0)


def fill_doubled(at: Position, graph: Graph, safe: Any, stand: Any, doubled: Any, codes: Any) -> None:
    """What hands are worth that stand doubled, by the money on them; where they may be given up, their codes too."""
    for money in range(1, len(graph.money)):
        won, lost = graph.money[money, WON], graph.money[money, STAKED]
        for hand in range(1, len(graph.facts)):
            if won == lost and graph.ends[hand] == 0:
                doubled[money, hand] = won * stand[hand]
            elif safe[hand] > 0:
                doubled[money, hand] = value_at_dealer(at, graph, hand, won, lost)
            if graph.rescue == 1 and safe[hand] > 0:
                rescued = lost * value_of_surrender(at, graph, hand)
                codes[DOUBLED, hand] = STAND
                if rescued > doubled[money, hand]:
                    doubled[money, hand] = rescued
                    codes[DOUBLED, hand] |= SURRENDER << SPECIAL_AT


def value_of_surrender(at: Position, graph: Graph, hand: int) -> float:
    """Part of the wager goes, or all of it to a blackjack that the dealer has not looked for yet."""
    if at.peek == 1:
        return at.given_up * factor(at, graph, hand)
    lost = chance_of_blackjack(at, graph, hand)
    return at.given_up * (1.0 - lost) - lost


def value_of_next_card(at: Position, graph: Graph, hand: int, safe: Any, after_card: Any, lost: float) -> float:
    """Value of taking a card; `after_card` holds the values of the hands it may lead to, passing 21 loses so much."""
    unseen = unseen_after(at, graph, hand)
    value = 0.0
    alive = 0.0
    for card in range(CLASSES):
        following = after(graph, hand, card)
        left = left_of(at, graph, hand, card)
        if following >= 0 and left > 0:
            value += left * after_card[following]
            alive += left * safe[following]
    return float((value + lost * alive) / unseen - lost * safe[hand])


def pair_card(graph: Graph, hand: int) -> int:
    for card in range(CLASSES):
        if graph.facts[hand, card] == 2:
            return card
    return -1
