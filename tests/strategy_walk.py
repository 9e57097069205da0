"""Walks every way a real round can go from a small shoe, its questions answered by a strategy's tables.

Nothing of the solver is used here but the tables: the rounds of `kernels` themselves are run, card by card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from croupier.kernels.blackjack import HANDS_SIZE, BlackjackRules
from croupier.kernels.effects import DEALER_BLACKJACK, MAIN, MAIN_OUTCOMES
from croupier.kernels.link import compile_cpu, cpu_called
from croupier.kernels.rounds import find_round
from croupier.kernels.strategy import StrategyTables, answer_by_tables

MOST_CARDS = 40
INSURANCE_AT = len(MAIN_OUTCOMES) + 1
"""Where the pay of insurance stands among the pays."""
UNIT = 2.0
"""A wager of two units, so that half of it can be lost by surrender."""


def draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """`draw`: the class that the path says, among those left; the weight is multiplied by its chance."""
    position, weight = world
    path, branches, left = table[0], table[1], table[2]
    if branches[position] == 0:
        path[position] = 0
        for card in range(10):
            branches[position] += left[card] > 0
    seen = -1
    chosen = 0
    total = 0
    for card in range(10):
        total += left[card]
        if left[card] > 0:
            seen += 1
            if seen == path[position]:
                chosen = card
    weight *= left[chosen] / total
    left[chosen] -= 1
    return chosen * 4, (position + 1, weight)


def ask(world: Any, table: Any, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, Any]:
    tables, hands, stakes, rules = table[4], table[5], table[6], table[7]
    return answer_by_tables(tables, hands, stakes, rules, sight, seat, hand, question, legal), world


def pay(world: Any, table: Any, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    money, pays = table[3], table[8]
    if wager == MAIN:
        money[0] += pays[outcome + 1] * staked
        money[1] += staked
    else:
        money[2] += pays[INSURANCE_AT] * staked if outcome == DEALER_BLACKJACK else -staked
    return world


def settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    return world


def stake(world: Any, table: Any, seat: int, hand: int, wager: int, amount: int) -> Any:
    return world


def tell(world: Any, table: Any, what: int, place: int, to: int) -> Any:
    return world


def play(world: Any, table: Any, hands: Any, stakes: Any, rules: BlackjackRules) -> Any:
    """The round, put in when linked."""
    raise NotImplementedError("linked with a round before use")


def walk_all(table: Any, shoe: Any, sums: Any) -> int:
    """Adds up profit, square, final wager and insurance of every path by its chance; returns the number of paths."""
    path, branches, left, money = table[0], table[1], table[2], table[3]
    paths = 0
    while True:
        left[:] = shoe
        money[:] = 0.0
        depth, weight = play((0, 1.0), table, table[5], table[6], table[7])
        paths += 1
        sums[0] += weight * money[0]
        sums[1] += weight * money[0] * money[0]
        sums[2] += weight * money[1]
        sums[3] += weight
        sums[4] += weight * money[2]
        last = depth - 1
        while last >= 0 and path[last] == branches[last] - 1:
            branches[last] = 0
            last -= 1
        if last < 0:
            return paths
        path[last] += 1


EFFECTS: dict[str, Any] = {"draw": draw, "ask": ask, "stake": stake, "pay": pay, "settle": settle, "tell": tell}


@dataclass(frozen=True)
class Walked:
    """What a round comes to for one unit on each first wager."""

    profit: float
    square: float
    final_wager: float
    certainty: float
    """All chances together: 1."""
    insurance: float
    """Profit of all insurance that was taken."""
    paths: int


def walk_round(
    round_: str,
    shoe: Any,
    rules: BlackjackRules,
    tables: StrategyTables,
    pays: dict[str, float],
    cap: float = 0,
    insurance: float = 0.0,
) -> Walked:
    """Every path of a round for one seat; `insurance` is the profit of a unit of it that wins."""
    by_outcome = np.zeros(INSURANCE_AT + 1)
    by_outcome[0], by_outcome[INSURANCE_AT] = -1.0, insurance
    for name, profit in {"win": 1.0, "push": 0.0, **pays}.items():
        by_outcome[MAIN_OUTCOMES.index(name) + 1] = profit
    hands, stakes = np.zeros(HANDS_SIZE, np.int64), np.full(7, int(UNIT), np.int64)
    table = (
        np.zeros(MOST_CARDS, np.int64),
        np.zeros(MOST_CARDS, np.int64),
        np.zeros(10, np.int64),
        np.zeros(3),
        tables,
        hands,
        stakes,
        rules._replace(cap=int(cap * UNIT)),
        by_outcome,
    )
    sums = np.zeros(5)
    declared = find_round(round_)
    assert declared is not None
    walker = compile_cpu(walk_all, f"walk-strategy-{round_}", {**EFFECTS, "play": declared.play}, jit=cpu_called)
    paths = walker(table, np.asarray(shoe, np.int64), sums)
    return Walked(sums[0] / UNIT, sums[1] / UNIT**2, sums[2] / UNIT, sums[3], sums[4] / UNIT, paths)
