"""Double Down Madness: optimal play and its exact value.

For one unit in play a hand is worth the best of standing, one more card, and twice one more card. Suits decide only
what a blackjack pays; exactly a quarter of blackjacks is suited, and play does not look at suits.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from croupier.exact.strategy.graph import CLASSES, hand_graph
from croupier.exact.strategy.view import Array, UpCard, arrays, compiled, full_shoe


@dataclass(frozen=True)
class MadnessSolution:
    """The game solved, for each unit of the first wager."""

    value: float
    """Expected profit of a round."""
    standard_deviation: float
    mean_final_wager: float
    by_up_card: dict[int, float]
    actions: dict[int, Array]
    """For each up card the action of every hand of the graph: 0 stand, 1 hit, 2 double."""


def solve_madness(
    decks: int | None, *, soft17: int, suited_pays: float, unsuited_pays: float, ten_then_ace: bool
) -> MadnessSolution:
    shoe, endless = full_shoe(decks), decks is None
    odds = np.array([(suited_pays + 3 * unsuited_pays) / 4, (suited_pays**2 + 3 * unsuited_pays**2) / 4])
    everything = np.ones(len(hand_graph().total), bool)
    value = wager = square = 0.0
    by_up, actions = {}, {}
    for up in range(CLASSES):
        view = UpCard(shoe, endless, up, soft17, 1, everything, everything)
        out = np.zeros((4, len(everything)))
        compiled("madness")(
            shoe, endless, up, arrays(), view.no_blackjack, view.stand, view.push, odds, int(ten_then_ace), out
        )
        here = np.zeros(3)
        for first, chance in enumerate(view.chances()):
            hand = hand_graph().of(first)
            lost = 1 - view.no_blackjack[hand]  # a dealer's blackjack takes the single wager
            here += chance * (out[[0, 2, 3], hand] + lost * np.array([-1, 1, 1]))
        by_up[up] = float(here[0])
        actions[up] = out[1].astype(np.int8)
        share = shoe[up] / shoe.sum()
        value, wager, square = value + share * here[0], wager + share * here[1], square + share * here[2]
    return MadnessSolution(float(value), sqrt(square - value**2), float(wager), by_up, actions)
