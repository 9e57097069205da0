"""Runs full rounds with random cards and random legal answers in any target and returns a digest of all that happened.

Everything is plain integer arithmetic below 2**31, so plain Python and compiled code can be compared digest by digest.
"""

from __future__ import annotations

from typing import Any

from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import AMOUNT_AT

MASK = 0x7FFFFFFF


def step(x: int) -> int:
    """A small congruential generator: good enough to visit every branch."""
    return (x * 1103515245 + 12345) & MASK


def note(digest: Any, value: int) -> None:
    digest[0] = (digest[0] * 31 + value + 7) & MASK


def draw(world: int, table: Any, place: int) -> tuple[int, int]:
    world = step(world)
    card = (world >> 8) % 52
    note(table, place * 64 + card)
    return card, world


def ask(world: int, table: Any, seat: int, hand: int, question: int, legal: int) -> tuple[int, int]:
    world = step(world)
    note(table, ((seat * 8 + hand) * 4 + question) * 64 + legal)
    wanted = (world >> 8) % 5
    while legal >> wanted & 1 == 0:
        wanted = (wanted + 1) % 5
    amount = 1 + (world >> 12) % 9 if (world >> 16) % 4 == 0 else 0
    return wanted | amount << AMOUNT_AT, world


def pay(world: int, table: Any, seat: int, hand: int, wager: int, outcome: int, staked: int) -> int:
    note(table, (((seat * 8 + hand) * 2 + wager) * 16 + outcome) * 1024 + staked)
    return world


def settle(world: int, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> int:
    note(table, ((seat * 8 + hand) * 8 + moment) * 4096 + own % 1021 + other % 1019)
    return world


def tell(world: int, table: Any, what: int, seat: int, hand: int) -> int:
    note(table, (what * 8 + seat) * 8 + hand)
    return world


EFFECTS: dict[str, Any] = {"draw": draw, "ask": ask, "pay": pay, "settle": settle, "tell": tell}


def play(world: int, table: Any, hands: Any, stakes: Any, rules: BlackjackRules) -> int:
    """The round, put in when linked."""
    raise NotImplementedError


def random_rules(x: int) -> BlackjackRules:
    """Any combination of switches."""
    return BlackjackRules(
        1 + (x >> 3) % 7,
        x >> 6 & 1,
        x >> 7 & 1,
        (x >> 8 & 1) * 9,
        x >> 9 & 1,
        1 + (x >> 10) % 4,
        x >> 12 & 1,
        x >> 25 & 1,
        x >> 26 & 1,
        x >> 27 & 1,
        x >> 28 & 1,
        x >> 13 & 1,
        x >> 14 & 1,
        (x >> 15 & 1) * 127,
        (x >> 16 & 1) * 12,
        1 + (x >> 5) % 3,
        x >> 17 & 1,
        x >> 18 & 1,
        x >> 19 & 1,
        x >> 20 & 1,
        x >> 21 & 1,
        x >> 22 & 1,
        x >> 23 & 1,
        x >> 24 & 1,
        (x >> 4) % 4,
        x >> 2 & 1,
        (x >> 11) % 3,
        x >> 1 & 1,
        x & 1,
        x >> 29 & 1,
    )


def run(rounds: int, seed: int, table: Any, hands: Any, stakes: Any) -> int:
    """Digest of so many rounds, each with rules of its own."""
    world = seed
    for _ in range(rounds):
        world = step(step(world))
        world = play(world, table, hands, stakes, random_rules(world))
    digest: int = table[0]
    return digest
