"""Double Down Madness: optimal play and its exact value.

The money in play is known from the number of doubles made, its *level*: each double adds all of it, within the limit
for a single wager. A hand at a level is worth the best of standing, one more card at this level, and one more card at
the next. Suits decide only what a blackjack pays; exactly a quarter of blackjacks is suited, and play does not look at
suits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.account import LOSE_ENDING, StrategyAccount
from croupier.exact.strategy.dealer import DEALER_ENDS, row_of
from croupier.exact.strategy.position import (
    ACE,
    IMPOSSIBLE,
    KEY,
    SIZE,
    TOTAL,
    Graph,
    Position,
    after,
    factor,
    fill_hands,
    left_of,
    unseen_after,
    value_of_standing,
)
from croupier.exact.strategy.program import CELLS, cell_of
from croupier.exact.strategy.view import ClassShoe, UpCard, compile_program
from croupier.kernels.blackjack import BlackjackRules, most_added
from croupier.kernels.effects import DOUBLE, HIT, STAND
from croupier.kernels.hands import add_card
from croupier.kernels.rounds.double_down_madness import counts_as_blackjack
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT

Array = NDArray[Any]

MOST_LEVELS = 21
"""No hand of 21 or less has more cards, so none can be doubled more often."""
FIRST_CELL = CELLS
CHART_CELLS = FIRST_CELL + CLASSES
"""Cells of a total-dependent chart: totals, SOFT_CELL more if soft; then first cards."""
WON, PUSHED, LOST, BLACKJACK = range(4)
"""How a hand can end, as columns of a tally."""


def cell_of_hand(graph: Graph, hand: int) -> int:
    """The cell of a total-dependent chart: the first card, or the total of more cards."""
    if graph.facts[hand, SIZE] == 1:
        return FIRST_CELL + first_card(graph, hand)
    return cell_of(graph, hand)


def first_card(graph: Graph, hand: int) -> int:
    """The card of a hand of one card, else -1."""
    if graph.facts[hand, SIZE] == 1:
        for card in range(CLASSES):
            if graph.facts[hand, card] == 1:
                return card
    return -1


def is_first_blackjack(first: int, card: int, ten_then_ace: int) -> bool:
    """Whether the second card makes a blackjack of the first."""
    return first >= 0 and counts_as_blackjack(add_card(add_card(0, first * 4), card * 4), first * 4, ten_then_ace)


def next_card_at(
    at: Position,
    graph: Graph,
    hand: int,
    level: int,
    stakes: Any,
    rules: BlackjackRules,
    safe: Any,
    stand: Any,
    value: Any,
) -> float:
    """Value of one more card for the money of this level; `value` holds that of the hands it may lead to."""
    unseen = unseen_after(at, graph, hand)
    first = first_card(graph, hand)
    won = 0.0
    alive = 0.0
    for card in range(CLASSES):
        following = after(graph, hand, card)
        left = left_of(at, graph, hand, card)
        if following < 0 or left <= 0:
            continue
        alive += left * safe[following]
        if is_first_blackjack(first, card, rules.ten_then_ace):
            won += left * stakes[level] * at.pays * safe[following]
        elif first == ACE:  # an ace takes one card and stands
            won += left * stakes[level] * stand[following]
        else:
            won += left * value[level, following]
    return float((won + stakes[level] * alive) / unseen - stakes[level] * safe[hand])


def action_values(
    at: Position,
    graph: Graph,
    hand: int,
    level: int,
    stakes: Any,
    rules: BlackjackRules,
    safe: Any,
    stand: Any,
    value: Any,
    out: Any,
) -> None:
    """Values of standing, hitting and doubling; where no double is open it is worth what a hit is."""
    out[STAND] = stakes[level] * stand[hand]
    out[HIT] = next_card_at(at, graph, hand, level, stakes, rules, safe, stand, value)
    out[DOUBLE] = out[HIT]
    if level + 1 < len(stakes):
        out[DOUBLE] = next_card_at(at, graph, hand, level + 1, stakes, rules, safe, stand, value)


def solve_madness(
    at: Position,
    graph: Graph,
    stakes: Any,
    rules: BlackjackRules,
    chart: Any,
    follow_chart: bool,
    reachable: Any,
    actions: Any,
    value: Any,
) -> None:
    """The action of every wanted hand at every level, optimal or by a chart, and its value, larger hands first."""
    size = len(graph.facts)
    safe, stand, out = np.zeros(size), np.zeros(size), np.zeros(3)
    fill_hands(at, graph, reachable, safe, stand)
    for hand in range(size - 1, 0, -1):
        for level in range(min(len(stakes), graph.facts[hand, SIZE])):
            actions[level, hand] = STAND
            value[level, hand] = stakes[level] * stand[hand]
            if safe[hand] <= 0 or graph.facts[hand, TOTAL] >= 21 + rules.asks_on_21:
                continue
            action_values(at, graph, hand, level, stakes, rules, safe, stand, value, out)
            best = STAND
            if follow_chart:
                best = chart[cell_of_hand(graph, hand)]
            else:
                for action in (HIT, DOUBLE):
                    if out[action] > out[best]:
                        best = action
            actions[level, hand] = best
            value[level, hand] = out[best]


def play_out_madness(
    at: Position,
    graph: Graph,
    stakes: Any,
    rules: BlackjackRules,
    actions: Any,
    value: Any,
    by_action: Any,
    tally: Any,
    weighed: Any,
) -> None:
    """How often hands end at each level, and what each action is worth in each cell, by how often it comes up.

    `tally[level]` is joint with no dealer's blackjack; `weighed[cell]` has the values of the three actions, and
    `by_action[hand]` the same for hands that come up with the first wager alone in play, or any money without a limit.
    """
    size, levels = len(graph.facts), len(stakes)
    safe, stand, out = np.zeros(size), np.zeros(size), np.zeros(3)
    fill_hands(at, graph, np.ones(size, np.bool_), safe, stand)
    reach = np.zeros((levels, size))
    no_limit = stakes[levels - 1] == 2.0 ** (MOST_LEVELS - 1)
    for card in range(CLASSES):
        reach[0, after(graph, 0, card)] = at.left[card] / at.unseen
    for hand in range(1, size):
        for level in range(min(levels, graph.facts[hand, SIZE])):
            chance = reach[level, hand]
            if chance == 0.0 or safe[hand] <= 0:
                continue
            is_asked = graph.facts[hand, TOTAL] < 21 + rules.asks_on_21
            if is_asked:
                action_values(at, graph, hand, level, stakes, rules, safe, stand, value, out)
                if level == 0 or no_limit:
                    by_action[hand] = out / stakes[level]
                for action in range(3):
                    weighed[cell_of_hand(graph, hand), action] += chance * out[action]
            if not is_asked or actions[level, hand] == STAND:
                count_standing(at, graph, hand, chance, tally[level])
            else:
                up_to = level + 1 if actions[level, hand] == DOUBLE and level + 1 < levels else level
                draw_on(at, graph, hand, chance, up_to, rules, reach, tally[up_to])


def draw_on(
    at: Position, graph: Graph, hand: int, chance: float, level: int, rules: BlackjackRules, reach: Any, tally: Any
) -> None:
    """One more card for a hand that has come up with this chance."""
    unseen = unseen_after(at, graph, hand)
    first = first_card(graph, hand)
    bust = factor(at, graph, hand)
    for card in range(CLASSES):
        following = after(graph, hand, card)
        left = left_of(at, graph, hand, card)
        if following < 0 or left <= 0:
            continue
        share = chance * left / unseen
        bust -= left / unseen * factor(at, graph, following)
        if is_first_blackjack(first, card, rules.ten_then_ace):
            tally[BLACKJACK] += share * factor(at, graph, following)
        elif first == ACE:
            count_standing(at, graph, following, share, tally)
        else:
            reach[level, following] += share
    tally[LOST] += chance * max(bust, 0.0)


def count_standing(at: Position, graph: Graph, hand: int, chance: float, tally: Any) -> None:
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    for end in range(DEALER_ENDS):
        versus = graph.versus[graph.facts[hand, TOTAL], end]
        column = WON if versus > 0 else (LOST if versus < 0 else PUSHED)
        tally[column] += chance * at.memo.ends[row, end]


def advise_madness(
    at: Position, graph: Graph, stakes: Any, rules: BlackjackRules, hand: int, reachable: Any, value: Any, out: Any
) -> None:
    """Values of standing, hitting and doubling for one hand with the money of the first level in play."""
    size = len(graph.facts)
    safe, stand = np.zeros(size), np.zeros(size)
    actions = np.zeros((len(stakes), size), np.int8)
    fill_hands(at, graph, reachable, safe, stand)
    solve_madness(at, graph, stakes, rules, np.zeros(CHART_CELLS, np.int64), False, reachable, actions, value)
    stand[hand] = value_of_standing(at, graph, hand)
    action_values(at, graph, hand, 0, stakes, rules, safe, stand, value, out)
    for action in range(3):
        out[action] /= safe[hand]


def run_madness(
    at: Position,
    graph: Graph,
    stakes: Any,
    rules: BlackjackRules,
    chart: Any,
    follow_chart: bool,
    actions: Any,
    value: Any,
    by_action: Any,
    tally: Any,
    weighed: Any,
) -> None:
    """Solves one up card, or follows a chart, and plays it out. The one way in, so that it is compiled once."""
    everything = np.ones(len(graph.facts), np.bool_)
    solve_madness(at, graph, stakes, rules, chart, follow_chart, everything, actions, value)
    play_out_madness(at, graph, stakes, rules, actions, value, by_action, tally, weighed)


def stakes_by_level(rules: BlackjackRules, cap: float) -> Array:
    """Money in play after each number of doubles, for one unit; `cap` is the most one wager may be, 0 for no limit."""
    levels = rules.max_doubles + 1 if rules.max_doubles else MOST_LEVELS
    stakes = [1.0]
    while len(stakes) < levels:
        stakes.append(stakes[-1] + most_added(stakes[-1], cap))  # type: ignore[arg-type]  # shares of a wager
    return np.array(stakes)


@dataclass(frozen=True)
class MadnessUpCard:
    """One up card solved."""

    actions: Array
    """The action of every hand at every level."""
    value: Array
    """The value of every hand at every level, joint with no dealer's blackjack."""
    tally: Array
    weighed: Array
    lost_to_blackjack: float
    action_values: Array
    """Values of standing, hitting and doubling for every hand with the first wager alone in play."""


@dataclass(frozen=True)
class MadnessGame:
    """One seat of Double Down Madness from one shoe."""

    shoe: ClassShoe
    rules: BlackjackRules
    suited_pays: float
    unsuited_pays: float
    cap: float = 0.0
    """The most one wager may be, in units of the first; 0 for no limit."""

    @property
    def blackjack_pays(self) -> float:
        """What a blackjack pays on average."""
        return (self.suited_pays + 3 * self.unsuited_pays) / 4

    @property
    def stakes(self) -> Array:
        return stakes_by_level(self.rules, self.cap)

    def new_account(self) -> StrategyAccount:
        return StrategyAccount(wagers=1)

    def solve_up_card(self, up: int, chart: Array | None = None) -> MadnessUpCard:
        """One up card under optimal play, or under a chart of cells."""
        view = UpCard(self.shoe, up, self.rules, self.blackjack_pays)
        at, stakes = view.position(), self.stakes
        size = len(view.graph.facts)
        actions, value = np.zeros((len(stakes), size), np.int8), np.full((len(stakes), size), IMPOSSIBLE)
        tally, weighed = np.zeros((len(stakes), 4)), np.zeros((CHART_CELLS, 3))
        cells = np.zeros(CHART_CELLS, np.int64) if chart is None else chart
        by_action = np.zeros((size, 3))
        args = (at, view.graph, stakes, self.rules, cells, chart is not None, actions, value, by_action, tally, weighed)
        compile_program(run_madness)(*args)
        return MadnessUpCard(actions, value, tally, weighed, 1.0 - float(tally.sum()), by_action)

    def best_chart(self, up: int, solved: MadnessUpCard) -> Array:
        """The best action by total: starts from optimal play and goes on until no cell changes."""
        chart = solved.weighed.argmax(1)
        for _ in range(30):
            improved = self.solve_up_card(up, chart).weighed
            reached = improved.any(1)
            better = np.where(reached, improved.argmax(1), chart)
            if np.array_equal(better, chart):
                break
            chart = better
        return np.asarray(chart)

    def add_to(self, account: StrategyAccount, solved: MadnessUpCard, up: int, chance: float) -> None:
        """Counts what the deals against this up card come to."""
        total = account.add(LOSE_ENDING, chance * solved.lost_to_blackjack, 1, -1)
        account.square += chance * solved.lost_to_blackjack
        for stake, tally in zip(self.stakes, solved.tally, strict=True):
            won, pushed, lost, blackjack = chance * tally
            total += account.add("win", won, stake, 1) + account.add(LOSE_ENDING, lost, stake, -1)
            account.add("push", pushed, stake, 0)
            total += account.add("suited_blackjack", blackjack / 4, stake, self.suited_pays)
            total += account.add("unsuited_blackjack", 3 * blackjack / 4, stake, self.unsuited_pays)
            squares = won + lost + blackjack / 4 * (self.suited_pays**2 + 3 * self.unsuited_pays**2)
            account.square += stake * stake * squares
        account.by_up_card[up] = total / chance


def codes_of(actions: Array) -> Array:
    """Actions as codes of hands: a double is open with any number of cards."""
    return np.where(actions == DOUBLE, HIT | DOUBLE_BIT, actions).astype(np.int8)
