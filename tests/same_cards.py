"""Rounds played on given cards, for every target: `test_targets.py` and the CUDA simulator's process share this."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.kernels.baccarat import as_wagered
from croupier.kernels.bets import Bet, bet_names, find_bet
from croupier.kernels.link import Kernel
from croupier.kernels.scenes import SIDES
from croupier.rules import find_game
from tests.outside import MATCH

Array = NDArray[np.int64]

CARDS_OF_A_ROUND = 24
"""More than any dealer's hand from two decks takes."""
NOT_SETTLED = -99


@dataclass(frozen=True)
class Case:
    """A bet with one choice of what its round and its classifier take."""

    name: str
    options: int
    soft17: str
    side: str

    @property
    def bet(self) -> Bet:
        bet = find_bet(self.name)
        assert bet is not None
        return bet

    @property
    def parameters(self) -> tuple[int, int, int, int]:
        """Options, side, and the two parameters of the round."""
        return self.options, SIDES[self.side], *self.bet.scene.parameters({"soft17": self.soft17})

    @property
    def replace(self) -> dict[str, Kernel]:
        return {"play": self.bet.scene.play, "draw": read_card, "settle": write_outcome, "classify": self.bet.classify}


def cases_of(name: str) -> list[Case]:
    """Both rules for soft 17, all sides, and every value of every switch of the bet."""
    bet = find_bet(name)
    assert bet is not None
    packed = [0]
    for position, values in enumerate(bet.options.values()):
        packed = [options | value << 4 * position for options in packed for value in range(len(values))]
    rules = ["hit", "stand"] if bet.scene.completes_dealer else ["hit"]
    sides = ["player", "banker", "winner"] if bet.scene.has_sides else [""]
    return [Case(name, options, soft17, side) for options in packed for soft17 in rules for side in sides]


def names() -> list[str]:
    """All our bets, and one that is not ours and looks at cards one by one."""
    return [*bet_names(), find_game(str(MATCH)).wager("match_the_dealer").classifier]


def all_cases() -> list[Case]:
    return [case for name in names() for case in cases_of(name)]


def card_sequences(count: int, seed: int) -> Array:
    """Fresh shoes of two decks; every other one keeps a single suit, so that suited rows come up too."""
    random = np.random.default_rng(seed)
    shoe = np.arange(104) % 52
    rows = []
    for number in range(count):
        cards = random.permutation(shoe)
        if number % 2:
            cards = cards[cards % 4 == random.integers(4)]
        rows.append(cards[:CARDS_OF_A_ROUND])
    return np.array(rows, np.int64)


# The interpreter. `world` is the position in the row of cards.


def play(world: Any, table: Any, first: int, second: int) -> Any:
    """The round to play, replaced when linked."""
    raise NotImplementedError("linked with a round before use")


def classify(own: int, other: int, options: int) -> int:
    """The bet to settle, replaced when linked."""
    raise NotImplementedError("linked with a bet before use")


def read_card(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """`draw`: the next card of this round's row."""
    return int(table[0][table[2], world]), world + 1


def write_outcome(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """`settle`: the outcome goes where this round's row says."""
    own, other = as_wagered(moment, own, other, table[4])
    table[1][table[2]] = classify(own, other, table[3])
    return world


def one_round(cards: Any, out: Any, row: int, options: int, side: int, first: int, second: int) -> None:
    play(0, (cards, out, row, options, side), first, second)


def all_rounds(cards: Any, out: Any, options: int, side: int, first: int, second: int) -> None:
    for row in range(len(out)):
        one_round(cards, out, row, options, side, first, second)
