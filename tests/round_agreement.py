"""Runs full rounds with random cards and random legal answers in any target and returns a digest of all that happened.

Everything is plain integer arithmetic below 2**31, so plain Python and compiled code can be compared digest by digest.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from croupier.kernels.declaration import LEFT_OPEN
from croupier.kernels.effects import AMOUNT_AT
from croupier.kernels.link import WRITTEN, Kernel
from croupier.kernels.rounds import find_round

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


def ask(world: int, table: Any, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, int]:
    world = step(world)
    note(table, (((seat * 8 + hand) * 4 + question) * 64 + legal) % 65521 * 16381 + sight % 16369)
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


def stake(world: int, table: Any, seat: int, hand: int, wager: int, amount: int) -> int:
    note(table, ((seat * 8 + hand) * 8 + wager) * 1024 + amount)
    return world


def tell(world: int, table: Any, what: int, place: int, to: int) -> int:
    note(table, (what * 2048 + place) * 2048 + to)
    return world


def returned(world: int, table: Any, wager: int, outcome: int, staked: int) -> int:
    return (outcome + 2) * staked


EFFECTS: dict[str, Any] = {
    "draw": draw,
    "ask": ask,
    "stake": stake,
    "pay": pay,
    "returned": returned,
    "settle": settle,
    "tell": tell,
}


def play(world: int, table: Any, memory: Any, stakes: Any, rules: Any) -> int:
    """The round, put in when linked."""
    raise NotImplementedError


def random_rules(x: int) -> Any:
    """Any combination of rules, put in when linked."""
    raise NotImplementedError


FILLED_BY_TABLES = {"seats": range(1, 8), "dealer_bets": (0, 127), "cap": (0, 12), "unit": (1, 2, 3)}


@cache
def rules_at_random(name: str) -> Kernel:
    """A function from a number to rules of a round: every value of every field comes up."""
    declared = find_round(name)
    assert declared is not None
    values = []
    for number, field in enumerate(declared.rules._fields):
        filled = declared.filled.get(field)
        known = set(filled.numbers.values()) - {LEFT_OPEN} if filled else FILLED_BY_TABLES[field]
        listing = ", ".join(str(value) for value in sorted(known))
        values.append(f"({listing},)[(x >> {number * 7 % 24}) % {len(known)}]")
    text = f"def random_rules(x):\n    return Rules({', '.join(values)})\n"
    WRITTEN[file := f"<random rules of {name}>"] = text.encode()
    space: dict[str, Any] = {"Rules": type(declared.rules), "__name__": __name__}
    exec(compile(text, file, "exec"), space)
    made: Kernel = space["random_rules"]
    return made


def effects_of(name: str) -> dict[str, Any]:
    """What `run` is linked with for a round."""
    declared = find_round(name)
    assert declared is not None
    return {**EFFECTS, "play": declared.play, "random_rules": rules_at_random(name)}


def run(rounds: int, seed: int, table: Any, memory: Any, stakes: Any) -> int:
    """Digest of so many rounds, each with rules of its own."""
    world = seed
    for _ in range(rounds):
        world = step(step(world))
        world = play(world, table, memory, stakes, random_rules(world))
    digest: int = table[0]
    return digest
