"""Seven-card poker hands a second on one core: the census, the same in C++, and packages that rank such hands.

python -m bench.poker
"""

from __future__ import annotations

import ctypes
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from bench.limit import FLAGS, compiler
from bench.peers import Peer, install, installed_version, say
from bench.poker_census import CLASSES, Array, Census, evaluate, sets_of_ranks
from bench.strategy import one_core
from croupier.kernels.link import compile_cpu
from croupier.kernels.poker_five import rank_five_of_seven
from croupier.kernels.sets import add_to_set

SOURCE = Path(__file__).with_name("poker.cpp")
PLAYER = Path(__file__).with_name("poker_peers.py")
SEVENS = comb(52, 7)
REPEATS = 7
RANDOM_HANDS = 1_000_000
PLAIN_HANDS = 20_000
SECONDS = 2.0
PACKAGES = ("phevaluator", "eval7")


class CppCensus:
    """`poker.cpp`, compiled into `folder`."""

    def __init__(self, folder: Path) -> None:
        path = folder / "poker.so"
        subprocess.run([compiler(), *FLAGS, str(SOURCE), "-o", str(path)], check=True)
        self._function = ctypes.CDLL(str(path)).count_sevens
        self._function.restype = ctypes.c_int64
        self._suits, self._numbers = sets_of_ranks()

    def count(self) -> tuple[list[int], int]:
        counts = np.zeros(CLASSES, np.int64)
        suits, numbers = (ctypes.c_void_p(array.ctypes.data) for array in (self._suits, self._numbers))
        row = ctypes.c_int64(self._suits.shape[1])
        total = self._function(suits, row, numbers, ctypes.c_void_p(counts.ctypes.data))
        return counts.tolist(), int(total)


@dataclass(frozen=True, kw_only=True)
class Row:
    """One way to rank seven cards."""

    name: str
    way: str
    speed: float
    """Hands a second."""
    croupier: float
    """Of the census, in the turns right before and after, hands a second."""
    note: str = ""


def _rank_all(hands: Array, ranks: Array) -> None:
    for index in range(len(hands)):
        ranks[index] = evaluate(hands[index])


def random_sets(count: int) -> Array:
    """Random hands of seven cards."""
    chance = np.random.default_rng(1)
    cards = chance.permuted(np.tile(np.arange(52), (count, 1)), axis=1)[:, :7]
    bits = np.array([add_to_set(0, card) for card in range(52)], np.int64)
    return np.asarray(np.bitwise_or.reduce(bits[cards], axis=1))


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def against_cpp(census: Census) -> list[Row]:
    """The census and C++ by turns."""
    with tempfile.TemporaryDirectory() as folder:
        cpp = CppCensus(Path(folder))
        equal = cpp.count() == census.count(7)
        ours, theirs = [], []
        for _ in range(REPEATS):
            ours.append(_seconds(lambda: census.count(7)))
            theirs.append(_seconds(cpp.count))
    median = statistics.median(mine / its for mine, its in zip(ours, theirs, strict=True))
    note = f"counts and sum of ranks {'equal' if equal else 'NOT EQUAL'}; median of turns {median:.2f}"
    speed = SEVENS / min(ours)
    return [
        Row(name="Croupier", way="census of all hands", speed=speed, croupier=speed),
        Row(name="C++", way="the same census by hand", speed=SEVENS / min(theirs), croupier=speed, note=note),
    ]


def on_random_hands(census: Census) -> list[Row]:
    """Hands in no order, which a processor cannot foresee, compiled and in plain Python."""
    hands = random_sets(RANDOM_HANDS)
    ranks = np.zeros(len(hands), np.int64)
    rank_all = compile_cpu(_rank_all, "poker-random", {"evaluate": rank_five_of_seven})
    rank_all(hands, ranks)
    compiled = RANDOM_HANDS / min(_seconds(lambda: rank_all(hands, ranks)) for _ in range(REPEATS))
    some = hands[:PLAIN_HANDS].tolist()
    plain = PLAIN_HANDS / min(_seconds(lambda: [rank_five_of_seven(hand) for hand in some]) for _ in range(3))
    croupier = SEVENS / _seconds(lambda: census.count(7))
    return [
        Row(name="Croupier", way="random hands of an array, compiled", speed=compiled, croupier=croupier),
        Row(name="Croupier", way="random hands, plain Python, one call each", speed=plain, croupier=croupier),
    ]


def against_package(census: Census, name: str) -> Row:
    peer = Peer(name=name, title=name, needs=(name,), way="random hands, one call each", leaves_out="")
    problem = install(peer)
    if problem:
        return Row(name=name, way=peer.way, speed=0.0, croupier=0.0, note=f"not measured: {problem}")
    before = _seconds(lambda: census.count(7))
    said, problem = say([str(PLAYER), name, str(SECONDS)])
    croupier = 2 * SEVENS / (before + _seconds(lambda: census.count(7)))
    result = json.loads(said.splitlines()[-1]) if not problem else {"hands": 0, "seconds": 1.0}
    title = f"{name} {installed_version(peer)}"
    return Row(name=title, way=peer.way, speed=result["hands"] / result["seconds"], croupier=croupier, note=problem)


def measure() -> list[Row]:
    census = Census(rank_five_of_seven)
    census.count(5)  # compiles
    with one_core():  # child processes stay on it
        rows = [*against_cpp(census), *on_random_hands(census)]
        return [*rows, *(against_package(census, name) for name in PACKAGES)]


def lines() -> list[str]:
    made = [
        "| ranked by | how | M hands/s | Croupier's census beside it | ratio | |",
        "|---|---|---|---|---|---|",
    ]
    for row in measure():
        ratio = f"{row.croupier / row.speed:,.2f}" if row.speed else ""
        speeds = f"{row.speed / 1e6:,.2f} | {row.croupier / 1e6:,.0f} | {ratio}"
        made.append(f"| {row.name} | {row.way} | {speeds} | {row.note} |")
    return made


if __name__ == "__main__":
    print("\n".join(lines()))
