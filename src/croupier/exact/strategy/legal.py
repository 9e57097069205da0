"""What hands may do, and how blackjacks meet, asked of the rounds' own rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.graph import START_CARDS, hand_graph
from croupier.exact.strategy.position import HOUSE_ALONE
from croupier.kernels import blackjack
from croupier.kernels.blackjack import (
    COUNT_AT,
    HAND,
    HANDS_SIZE,
    HOUSE_AT,
    STAKE,
    WAITING,
    BlackjackRules,
    blackjack_outcome,
    set_hand,
    slot,
)
from croupier.kernels.declaration import Round
from croupier.kernels.effects import DOUBLE, MAIN_OUTCOMES, PUSH, STAND
from croupier.kernels.hands import EMPTY, TEN, add_card
from croupier.kernels.link import Kernel, link, plain
from croupier.kernels.rounds import find_round
from croupier.kernels.strategy import CLASSES, HOUSE, OWN

Array = NDArray[Any]

DEALT = 0
"""The kind of a hand as it was dealt; that of a split hand is SPLIT_FROM and the class of the card it began with."""
SPLIT_FROM = 1
KINDS = SPLIT_FROM + CLASSES
BLACKJACK_HAND = add_card(add_card(EMPTY, 0), 4 * TEN)


MONEY = ((1.0, 1.0), (2.0, 2.0), (1.0, 0.0), (2.0, 1.0), (2.0, 0.0))
"""Ways in which money can lie on a hand, for first wagers of one unit: what it wins, and what of that is the seat's
own; the rest is the house's. The first two are all there is where the house puts up none."""
assert MONEY[HOUSE_ALONE] == (1.0, 0.0)
PLAIN_MONEY = 2


def declared_round(round_: str) -> Round:
    declared = find_round(round_)
    assert declared is not None
    return declared


def rule_of(round_: str, name: str) -> Kernel:
    """A rule as a round has it: its own, or that of the family."""
    declared = declared_round(round_)
    rule: Kernel = declared.instead.get(name) or getattr(blackjack, name)
    return rule


def has_house_money(round_: str) -> bool:
    return declared_round(round_).memory > HOUSE_AT


def doubles_table(round_: str, rules: BlackjackRules) -> Array:
    """`doubles[state, hand]`: the row of MONEY once a hand is doubled, by asking the round to double it."""
    graph = hand_graph()
    doubles = np.ones((2, len(graph.hands)), np.int64)
    if not has_house_money(round_):
        return doubles
    double = link(rule_of(round_, "double_wager"), plain, {"stake": lambda world, *_: world})
    for state in (OWN, HOUSE):
        for index, hand in enumerate(graph.hands.tolist()):
            hands = _scratch(declared_round(round_), 0, 0, split=False)
            hands[slot(0, 0) + HAND] = hand
            _put(hands, state)
            double(None, None, hands, rules, 0, 0, DOUBLE)
            doubles[state, index] = MONEY.index(_money(hands, 0))
    return doubles


def others_table(round_: str) -> Array:
    """By class of card, for whose wager the hands that a split adds are played, by asking the round to split."""
    others = np.full(CLASSES, OWN, np.int64)
    if has_house_money(round_):
        for card in range(CLASSES):
            hands = _scratch(declared_round(round_), 4 * card, 4 * card, split=False)
            _put(hands, OWN)
            rule_of(round_, "split_pair")(hands, 0, 0)
            assert _money(hands, 0) == MONEY[0], "the seat's own wager stays on the first hand"
            others[card] = HOUSE if _money(hands, 1) == MONEY[HOUSE_ALONE] else OWN
    return others


_UNIT = 2


def _put(hands: list[int], state: int) -> None:
    """A first wager, the seat's or the house's."""
    hands[slot(0, 0) + STAKE] = _UNIT * (state == OWN)
    hands[HOUSE_AT] = _UNIT * (state == HOUSE)


def _money(hands: list[int], hand: int) -> tuple[float, float]:
    own, house = hands[slot(0, hand) + STAKE], hands[HOUSE_AT + hand]
    return (own + house) / _UNIT, own / _UNIT


def ends_table(round_: str) -> Array:
    """`ends[hand]`: which of the round's endings by the number of cards a hand that is not doubled comes to, from 1."""
    graph = hand_graph()
    ended = declared_round(round_).instead.get("ended_by_cards")
    if ended is None:
        return np.zeros(len(graph.hands), np.int64)
    endings = endings_by_cards(round_)
    names = declared_round(round_).wagers[0].outcomes
    outcomes = [ended(hand) for hand in graph.hands.tolist()]
    return np.array([endings.index(names[outcome]) + 1 if outcome >= 0 else 0 for outcome in outcomes])


def endings_by_cards(round_: str) -> tuple[str, ...]:
    """Outcomes of the main wager that a round comes to by the number of cards."""
    ended, names = declared_round(round_).instead.get("ended_by_cards"), declared_round(round_).wagers[0].outcomes
    if ended is None:
        return ()
    return tuple(sorted({names[outcome] for hand in hand_graph().hands.tolist() if (outcome := ended(hand)) >= 0}))


@lru_cache(maxsize=512)
def exchangeable(round_: str, rules: BlackjackRules) -> tuple[int, ...]:
    """The starting hands that may be thrown away for two new cards, by asking the round."""
    may_exchange = declared_round(round_).instead.get("may_exchange")
    if may_exchange is None:
        return ()
    graph = hand_graph()
    return tuple(n for n, hand in enumerate(graph.hands[graph.starts].tolist()) if may_exchange(hand, rules))


@lru_cache(maxsize=512)
def legal_table(rules: BlackjackRules, round_: str = "blackjack") -> Array:
    """`legal[kind, hand]`: the actions open, one bit each. A hand on 21 is not asked, so it stands.

    A second ten-value is of another rank than the first: where only equal ranks may be split, the solver leaves them
    alone (see `check_tens`).
    """
    graph = hand_graph()
    declared, legal_actions = declared_round(round_), rule_of(round_, "legal_actions")
    legal = np.full((KINDS, len(graph.hands)), 1 << STAND, np.int8)
    for kind in range(KINDS):
        split = kind >= SPLIT_FROM
        pairs = [(kind - SPLIT_FROM, card) for card in range(CLASSES)] if split else START_CARDS
        for first, second in pairs:
            hands = _scratch(declared, 4 * first, 4 * second + 4 * (second == TEN), split)
            legal[kind, graph.of(first, second)] = legal_actions(hands, rules, 0, 0, True)
        legal[kind, graph.size != 2] = legal_actions(hands, rules, 0, 0, False)
    legal[:, graph.total == 21] = 1 << STAND
    legal[:, ends_table(round_) > 0] = 1 << STAND
    return legal


def is_late(legal: Array) -> bool:
    """Whether hands of more than two cards may be doubled or given up."""
    return bool((legal[:, hand_graph().size != 2] >> DOUBLE).any())


def _scratch(declared: Round, first: int, second: int, split: bool) -> list[int]:
    """The hands of a round in which the first seat holds these two cards, as dealt or on the first hand of a split."""
    hands = [0] * max(declared.memory, HANDS_SIZE)
    set_hand(hands, slot(0, 0), first, first if split else second, 1, 0, 0)
    hands[COUNT_AT] = 1
    if split:
        blackjack.split_pair(hands, 0, 0)
        set_hand(hands, slot(0, 0), first, second, 1, 0, 1)
    return hands


def against_blackjack(rules: BlackjackRules, pays: float, status: int = WAITING, named: str = "") -> tuple[str, float]:
    """How a player's blackjack that pays so much ends against the dealer's, and what it wins then. `named` is its
    outcome, where its suits decide that."""
    outcome = blackjack_outcome(rules, status, BLACKJACK_HAND)
    return (MAIN_OUTCOMES[outcome], 0.0) if outcome == PUSH else (named or MAIN_OUTCOMES[outcome], pays)


def may_rescue(rules: BlackjackRules, round_: str) -> bool:
    """Whether a doubled hand may be given up."""
    after_double = declared_round(round_).instead.get("may_rescue")
    return after_double is not None and bool(after_double(rules))


def natural_shares(round_: str) -> dict[str, float]:
    """How blackjacks end by their suits, as shares of all of them; empty where suits do not matter.

    Ace and ten-value are each of any suit with the same chance, whatever other cards have gone: nobody looks at suits.
    """
    declared = declared_round(round_)
    outcome_of = declared.instead.get("natural_outcome")
    if outcome_of is None:
        return {}
    suits = [(ace, ten) for ace in range(4) for ten in range(4)]
    names = declared.wagers[0].outcomes
    ended = [names[outcome_of(add_card(add_card(EMPTY, ace), 4 * TEN + ten))] for ace, ten in suits]
    return {name: ended.count(name) / len(suits) for name in dict.fromkeys(ended)}
