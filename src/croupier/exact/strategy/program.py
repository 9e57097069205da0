"""The dynamic program over a player's hands for one up card. Compiled; all arrays are over the hands of `graph.py`.

Values are expected profits for one unit wagered, joint with the dealer not having blackjack: each is the conditional
value times that chance. Joint values of one hand share the factor, so they can be compared; and the chance of the next
card is then simply its share of the unseen cards, the hole card among them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from croupier.exact.strategy.dealer import FINAL_TOTALS, add_distribution
from croupier.kernels.blackjack import compare
from croupier.kernels.double_down_madness import counts_as_blackjack
from croupier.kernels.effects import PUSH, WIN

STAND, HIT, DOUBLE = range(3)


def cards_left(shoe: Any, endless: bool, up: int, counts: Any, left: Any) -> float:
    """Fills `left` with the unseen cards of each class and returns how many there are; -1 if the hand is impossible."""
    total = 0.0
    for card in range(10):
        taken = 0.0 if endless else counts[card] + (1.0 if card == up else 0.0)
        left[card] = shoe[card] - taken
        if left[card] < 0:
            return -1.0
        total += left[card]
    return total


def stand_value(total: int, ends: Any, pushes_22: int) -> tuple[float, float]:
    """Value of standing on a total against a distribution of the dealer's ends, and the chance of a push."""
    value = 0.0
    push = 0.0
    for column in range(7):
        outcome = compare(total, FINAL_TOTALS[column], pushes_22)
        if outcome == WIN:
            value += ends[column]
        elif outcome == PUSH:
            push += ends[column]
        else:
            value -= ends[column]
    return value, push


def fill_stand(
    shoe: Any,
    endless: bool,
    up: int,
    graph: Any,
    leaves: Any,
    pushes_22: int,
    wanted: Any,
    standing: Any,
    no_blackjack: Any,
    stand: Any,
    push: Any,
) -> None:
    """For every wanted hand the chance of no dealer's blackjack; where it may stand, the value and chance of a push."""
    counts, total = graph[0], graph[1]
    left = np.empty(10)
    ends = np.empty(7)
    for hand in range(len(total)):
        no_blackjack[hand] = 0.0
        stand[hand] = 0.0
        push[hand] = 0.0
        unseen = cards_left(shoe, endless, up, counts[hand], left) if wanted[hand] else -1.0
        if unseen < 0:
            continue
        no_blackjack[hand] = 1.0
        if up == 0 or up == 9:  # the hole card is not the ten that an ace needs, or the ace that a ten needs
            no_blackjack[hand] -= left[9 - up] / unseen
        if standing[hand]:
            ends[:] = 0.0
            add_distribution(left, endless, leaves, ends)
            stand[hand], push[hand] = stand_value(total[hand], ends, pushes_22)


def next_card_value(
    shoe: Any, endless: bool, up: int, graph: Any, hand: int, no_blackjack: Any, after_card: Any
) -> float:
    """Value of taking a card; `after_card` holds the values of the hands it may lead to, passing 21 loses the unit."""
    counts, after = graph[0], graph[2]
    left = np.empty(10)
    total = cards_left(shoe, endless, up, counts[hand], left)
    value = 0.0
    safe = 0.0
    for card in range(10):
        following = after[hand, card]
        if following >= 0 and left[card] > 0:
            chance = left[card] / total
            value += chance * after_card[following]
            safe += chance * no_blackjack[following]
    return float(value - (no_blackjack[hand] - safe))


def hit_or_stand(
    shoe: Any, endless: bool, up: int, graph: Any, no_blackjack: Any, stand: Any, best: Any, action: Any
) -> None:
    """The best of hitting and standing for every hand, larger hands first; 21 stands."""
    total = graph[1]
    for hand in range(len(total) - 1, 0, -1):
        best[hand] = stand[hand]
        action[hand] = STAND
        if no_blackjack[hand] > 0 and total[hand] < 21:
            hit = next_card_value(shoe, endless, up, graph, hand, no_blackjack, best)
            if hit > stand[hand]:
                best[hand] = hit
                action[hand] = HIT


def follow_strategy(
    shoe: Any, endless: bool, up: int, graph: Any, no_blackjack: Any, stand: Any, wanted: Any, action: Any, value: Any
) -> None:
    """Values of the wanted hands under given actions; DOUBLE takes one card for two units."""
    for hand in range(len(wanted) - 1, 0, -1):
        value[hand] = stand[hand]
        if wanted[hand] and no_blackjack[hand] > 0:
            if action[hand] == HIT:
                value[hand] = next_card_value(shoe, endless, up, graph, hand, no_blackjack, value)
            elif action[hand] == DOUBLE:
                value[hand] = 2 * next_card_value(shoe, endless, up, graph, hand, no_blackjack, stand)


def madness(
    shoe: Any,
    endless: bool,
    up: int,
    graph: Any,
    no_blackjack: Any,
    stand: Any,
    push: Any,
    odds: Any,
    ten_then_ace: int,
    out: Any,
) -> None:
    """Double Down Madness: value, action, mean final wager and mean square of every hand, larger hands first.

    `odds` is the mean pay of a blackjack and the mean of its square. `out` has a row each for value, action, final
    wager and square, all for one unit in play, joint with no dealer's blackjack; a double makes two units of one.
    """
    counts, total, after, hands = graph
    left = np.empty(10)
    for hand in range(len(total) - 1, 0, -1):
        out[0, hand], out[1, hand] = stand[hand], STAND
        out[2, hand], out[3, hand] = no_blackjack[hand], no_blackjack[hand] - push[hand]
        unseen = cards_left(shoe, endless, up, counts[hand], left)
        if no_blackjack[hand] <= 0 or total[hand] >= 21:
            continue
        first = -1
        if counts[hand].sum() == 1:
            for card in range(10):
                if counts[hand, card] == 1:
                    first = card
        value = safe = wager = square = 0.0
        for card in range(10):
            following = after[hand, card]
            if following < 0 or left[card] <= 0:
                continue
            chance = left[card] / unseen
            here = no_blackjack[following]
            safe += chance * here
            if first >= 0 and counts_as_blackjack(hands[following], first * 4, ten_then_ace):
                value += chance * odds[0] * here
                wager += chance * here
                square += chance * odds[1] * here
            elif first == 0:  # an ace takes one card and stands
                value += chance * stand[following]
                wager += chance * here
                square += chance * (here - push[following])
            else:
                value += chance * out[0, following]
                wager += chance * out[2, following]
                square += chance * out[3, following]
        bust = no_blackjack[hand] - safe
        value, wager, square = value - bust, wager + bust, square + bust
        units = 2.0 if value > 0 else 1.0
        if units * value > stand[hand]:
            out[0, hand], out[1, hand] = units * value, DOUBLE if units == 2.0 else HIT
            out[2, hand], out[3, hand] = units * wager, units * units * square
