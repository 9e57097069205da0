"""Seven-card hands through one package: `python poker_peers.py PACKAGE SECONDS` prints hands and seconds as JSON.

It is run by the Python of `.venv-peers`, so it imports nothing of ours. Hands are made before the clock starts, in the
form that the package takes, and ranked one call each, which is all that both of them offer.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

HANDS = 20_000


def deals() -> list[list[int]]:
    chance = random.Random(1)
    return [chance.sample(range(52), 7) for _ in range(HANDS)]


def phevaluator() -> Callable[[], None]:
    evaluate: Any = importlib.import_module("phevaluator").evaluate_cards
    hands = deals()

    def batch() -> None:
        for hand in hands:
            evaluate(*hand)

    return batch


def eval7() -> Callable[[], None]:
    package: Any = importlib.import_module("eval7")
    evaluate = package.evaluate
    deck = [package.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    hands = [[deck[card] for card in hand] for hand in deals()]

    def batch() -> None:
        for hand in hands:
            evaluate(hand)

    return batch


PACKAGES: dict[str, Callable[[], Callable[[], None]]] = {
    function.__name__: function for function in (phevaluator, eval7)
}


def main(package: str, seconds: float) -> None:
    batch = PACKAGES[package]()
    batch()
    hands, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        batch()
        hands += HANDS
    print(json.dumps({"hands": hands, "seconds": time.perf_counter() - start}))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
