"""Croupier's sampler against `limit.cpp`, the same rounds written by hand in C++: equal counts, and the ratio of times.

python -m bench.limit
"""

from __future__ import annotations

import ctypes
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.strategy import one_core
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import HIT, SPLIT
from croupier.kernels.rounds.mini_baccarat import BaccaratRules
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT, SPECIAL_AT, StrategyTables
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import find_game
from croupier.simulate import play
from croupier.simulate.generator import seed_key
from croupier.simulate.run import Spec, run_chunks

Array = NDArray[Any]

SOURCE = Path(__file__).with_name("limit.cpp")
FLAGS = ("-std=c++20", "-O3", "-march=native", "-shared", "-fPIC")
GAMES = ("blackjack", "double_down_madness", "mini_baccarat")
REPEATS = 9
CHUNKS = 256
"""Of each turn: a million rounds."""

# What limit.cpp is written for; anything else is refused.
RULES = {
    "blackjack": BlackjackRules(dealer_bets=1),
    "double_down_madness": BlackjackRules(dealer_bets=1, pushes_22=1),
    "mini_baccarat": BaccaratRules(),
}
BETS = {
    "blackjack": ("lucky_lucky", "lucky_break"),
    "double_down_madness": ("push_22", "push_22_progressive"),
    "mini_baccarat": (
        "baccarat_win player",
        "baccarat_win banker",
        "baccarat_tie player",
        "dragon_bonus player",
        "dragon_bonus banker",
        "dragon_two_three_four winner",
    ),
}
NATURALS_COUNT = 1
JACKPOT_SUIT_AT = {"double_down_madness": 0, "mini_baccarat": 4}

ROW = 16
"""Cells of a node: by the value of a card, 0 for no card."""
HIT_BIT, DOUBLE_TOO, SPLIT_TOO = 1, 2, 4
"""What limit.cpp calls HIT, DOUBLE and SPLIT."""
END = 21
"""Nobody is asked any more."""


class NoCompilerError(RuntimeError):
    """There is no C++ compiler."""


def compiler() -> str:
    """The C++ compiler: `$CXX`, else g++."""
    name = os.environ.get("CXX", "g++")
    found = shutil.which(name)
    if found is None:
        raise NoCompilerError(
            f"bench/limit.cpp needs a C++20 compiler and there is no `{name}` here: install g++ (Debian and Ubuntu: "
            "`apt install g++`) or name another one in CXX."
        )
    return found


def compiler_version() -> str:
    said = subprocess.run([compiler(), "--version"], check=True, capture_output=True, text=True).stdout
    return said.splitlines()[0]


class _Plan(ctypes.Structure):
    _fields_ = (
        ("decks", ctypes.c_int64),
        ("tens", ctypes.c_int64),
        ("jackpot_suit", ctypes.c_int64),
        ("pays", ctypes.c_void_p),
        ("step", ctypes.c_void_p),
        ("code", ctypes.c_void_p),
    )


_CELLS = {
    "main": play.ROUND_WAGERS_AT,
    "insurance": play.ROUND_WAGERS_AT + play.MOST_ROUND_OUTCOMES,
    "net": play.NET_AT,
    "wager": play.WAGER_AT,
    "bets": play.BETS_AT,
    "far_profit": play.FAR_PROFIT,
    "far_square": play.FAR_SQUARE,
    "far_staked": play.FAR_STAKED,
}


class _Counts(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_void_p) for name in _CELLS)


class Limit:
    """`limit.cpp`, compiled into `folder`."""

    def __init__(self, folder: Path) -> None:
        path = folder / "limit.so"
        subprocess.run([compiler(), *FLAGS, str(SOURCE), "-o", str(path)], check=True)
        self._library = ctypes.CDLL(str(path))

    def player(self, spec: Spec) -> Player:
        return Player(self._library[f"play_{spec.round}"], spec)


class Player:
    """A spec's rounds as `limit.cpp` plays them."""

    def __init__(self, function: Any, spec: Spec) -> None:
        _check(spec)
        function.restype = None
        self._function, self._chunk_size = function, spec.chunk_size
        # Kept, as the plan holds addresses only.
        self._step, self._code = automaton(spec.tables, doubles_late=spec.round == "double_down_madness")
        self._pays = spec.setting().pays
        suit_at = JACKPOT_SUIT_AT.get(spec.round)
        self._plan = _Plan(
            decks=spec.decks,
            tens=spec.tables.tens if spec.tables else 0,
            jackpot_suit=spec.bets[-1].options >> suit_at & 15 if suit_at is not None else 0,
            pays=self._pays.ctypes.data,
            step=self._step.ctypes.data,
            code=self._code.ctypes.data,
        )
        self.nodes = len(self._step)

    def run_chunks(self, seed: int, first: int, last: int) -> Array:
        """The counts of chunks `first` to `last`, the last one not."""
        counts = np.zeros(play.COUNT_CELLS, np.int64)
        counts[play.ROUNDS] = (last - first) * self._chunk_size
        cells = _Counts(**{name: counts[at:].ctypes.data for name, at in _CELLS.items()})
        with np.errstate(over="ignore"):  # 64-bit numbers wrap on purpose
            key = ctypes.c_uint64(int(seed_key(seed)))
        numbers = (ctypes.c_int64(number) for number in (first, last, self._chunk_size))
        self._function(ctypes.byref(self._plan), key, *numbers, ctypes.byref(cells))
        return counts


def _check(spec: Spec) -> None:
    bets = tuple(f"{bet.bet_name} {bet.side}".strip() for bet in spec.bets)
    plain = spec.shuffle == "fresh" and spec.rules == RULES[spec.round] and bets == BETS[spec.round]
    if not plain or (spec.round == "mini_baccarat" and spec.bets[-1].options & 15 != NATURALS_COUNT):
        raise ValueError(f"limit.cpp plays {spec.round} by its default rules with all wagers, from a fresh shoe.")


def automaton(tables: StrategyTables | None, *, doubles_late: bool) -> tuple[Array, Array]:
    """A strategy as the fewest nodes that tell it all: `step[node, value]` and `code[node, value of the up card]`.

    Nodes are first the hands below 21, then one for all others; nodes are parted as long as some card leads two of one
    part to different ones. Node 0 is the empty hand.
    """
    if tables is None:
        return np.zeros((1, ROW), np.uint16), np.zeros((1, ROW), np.uint8)
    hands, step = _hands()
    code = np.zeros((len(hands) + 1, CLASSES), np.uint8)
    index = {int(cards): int(at) for cards, at in tables.hands if at >= 0}
    for node, cards in enumerate(hands):
        if cards in index:
            says = tables.codes[:, 0, index[cards]].view(np.uint8)
            may_double = doubles_late or _size(cards) == 2
            code[node] = np.where(says & 3 == HIT, HIT_BIT, 0)
            code[node] |= np.where((says & DOUBLE_BIT != 0) & may_double, DOUBLE_TOO, 0).astype(np.uint8)
            code[node] |= np.where(says >> SPECIAL_AT == SPLIT, SPLIT_TOO, 0).astype(np.uint8)
    part = _classes(code)
    while True:
        finer = _classes(np.column_stack([part, part[step]]))
        if finer.max() == part.max():
            break
        part = finer
    nodes = int(part.max()) + 1
    merged_step = np.full((nodes, ROW), ROW * part[-1], np.uint16)
    merged_code = np.zeros((nodes, ROW), np.uint8)
    merged_step[part, 1 : CLASSES + 1] = ROW * part[step]
    merged_code[part, 1 : CLASSES + 1] = code
    return merged_step, merged_code


def _hands() -> tuple[list[int], Array]:
    """Every hand below 21, four bits a class, the empty one first, and where each card leads; past the end to none."""
    hands, number, steps = [0], {0: 0}, []
    for cards in hands:
        after = [cards + (1 << 4 * card) for card in range(CLASSES)]
        for one in after:
            if one not in number and _total(one) < END:
                number[one] = len(hands)
                hands.append(one)
        steps.append(after)
    step = [[number.get(one, len(hands)) for one in after] for after in steps]
    return hands, np.array([*step, [len(hands)] * CLASSES])


def _total(cards: int) -> int:
    hard = sum((card + 1) * (cards >> 4 * card & 15) for card in range(CLASSES))
    return hard + 10 if cards & 15 and hard <= 11 else hard


def _size(cards: int) -> int:
    return sum(cards >> 4 * card & 15 for card in range(CLASSES))


def _classes(rows: Array) -> Array:
    """The number of each row's class of equal rows, in the order in which they appear."""
    _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return np.asarray(rank[inverse.ravel()])


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One game and strategy on both sides."""

    game: str
    strategy: str
    nodes: int
    """Of the strategy's automaton."""
    equal: bool
    croupier: float
    """Rounds a second of the best turn."""
    limit: float
    ratio: float
    """Croupier's time for one of C++: best turn to best turn."""
    median_ratio: float
    """The same of neighboring turns, the one in the middle."""


PLAYED_BY = {"mini_baccarat": {"counts": "either_side", "naturals_count": "yes"}}
"""How limit.cpp plays a game where that is not its default: the progressive by the letter's figures."""


def spec_of(game: str, strategy: str = "total-dependent", decks: int | None = None) -> Spec:
    wish = Wish(settings=PLAYED_BY.get(game, {}), pay_tables={}, strategy=strategy, decks=str(decks) if decks else None)
    return prepare(find_game(game), wish).spec


def compare(limit: Limit, game: str, strategy: str) -> Compared:
    """Both sides by turns on one core."""
    spec = spec_of(game, strategy)
    player = limit.player(spec)
    run_chunks(spec, 0, 0, 1)  # compiles
    ours, theirs, equal = [], [], True
    with one_core():
        for turn in range(REPEATS):
            start = time.perf_counter()
            here = run_chunks(spec, turn, 0, CHUNKS)
            between = time.perf_counter()
            there = player.run_chunks(turn, 0, CHUNKS)
            theirs.append(time.perf_counter() - between)
            ours.append(between - start)
            equal = equal and np.array_equal(here, there)
    rounds = CHUNKS * spec.chunk_size
    return Compared(
        game=game,
        strategy=strategy if spec.tables else "none",
        nodes=player.nodes,
        equal=equal,
        croupier=rounds / min(ours),
        limit=rounds / min(theirs),
        ratio=min(ours) / min(theirs),
        median_ratio=statistics.median(mine / its for mine, its in zip(ours, theirs, strict=True)),
    )


def measure() -> list[Compared]:
    """By the chart of totals, which is the main comparison, and by optimal play, which looks at every card."""
    with tempfile.TemporaryDirectory() as folder:
        limit = Limit(Path(folder))
        played = [(game, strategy) for strategy in ("total-dependent", "optimal") for game in GAMES[:2]]
        return [compare(limit, *one) for one in [*played, (GAMES[2], "optimal")]]


def table(rows: list[Compared]) -> list[str]:
    heads = (
        "game",
        "strategy",
        "nodes",
        "Croupier, M rounds/s",
        "C++, M rounds/s",
        "ratio of times",
        "median of turns",
    )
    lines = [f"| {' | '.join(heads)} | counts equal |", "|---" * (len(heads) + 1) + "|"]
    for row in rows:
        speeds = f"{row.croupier / 1e6:.1f} | {row.limit / 1e6:.1f} | {row.ratio:.2f} | {row.median_ratio:.2f}"
        nodes = row.nodes if row.nodes > 1 else ""
        lines.append(f"| {row.game} | {row.strategy} | {nodes} | {speeds} | {'yes' if row.equal else 'NO'} |")
    return lines


if __name__ == "__main__":
    print("\n".join(table(measure())))
