"""The accounts of a jackpot, and money moving between them.

The balance of an account is the sum of its postings. Money that is held is positive, a source it came from is
negative, so the balances of every jackpot add up to zero after every event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

from croupier.errors import LedgerError

Account = Literal[
    "wagers",
    "meter",
    "reserve",
    "overflow",
    "seed",
    "tray",
    "chips",
    "pending",
    "paid",
    "receipts",
    "adjustments",
]

SOURCES: tuple[Account, ...] = ("wagers", "seed", "tray", "chips")
"""Where money comes from: never above zero. `seed` is what the house advanced and has not taken back; `chips` are the
wagers it gave back with pays "to 1", which stayed on their spots."""
HELD: tuple[Account, ...] = ("meter", "reserve", "overflow", "pending", "paid", "receipts")
"""Where money lies: never below zero. `adjustments` alone may be either, as it explains what play does not."""

WHOLE = ""
"""The level of what belongs to a jackpot as a whole: its wagers in, chips given back, and its gross receipts."""

Key = tuple[str, str, str]
"""Jackpot, level, account."""


class Posting(Struct, frozen=True, array_like=True, gc=False):
    """One account's part of an event."""

    jackpot: str
    level: str
    account: str
    micros: int

    @property
    def key(self) -> Key:
        return (self.jackpot, self.level, self.account)


class Moves:
    """Collects the money movements of one event. Every movement has two ends, so nothing is made or lost."""

    def __init__(self, balances: Mapping[Key, int]) -> None:
        self._before = balances
        self._micros: dict[Key, int] = {}

    def balance(self, key: Key) -> int:
        """The balance with what was moved so far."""
        return self._before.get(key, 0) + self._micros.get(key, 0)

    def move(self, micros: int, source: Key, target: Key) -> None:
        """Money goes from one account to another of the same jackpot."""
        if type(micros) is not int or micros < 0:
            raise LedgerError(f"{micros!r} micros cannot be moved.", code="bad_move")
        if source[0] != target[0]:
            raise LedgerError(
                f'Money of jackpot "{source[0]}" cannot go to "{target[0]}": each balances alone.',
                code="bad_move",
            )
        self._micros[source] = self._micros.get(source, 0) - micros
        self._micros[target] = self._micros.get(target, 0) + micros

    def postings(self) -> tuple[Posting, ...]:
        """What was collected, one posting for each account, in one order for equal content."""
        return tuple(Posting(*key, micros) for key, micros in sorted(self._micros.items()) if micros)


def require_zero_sum(postings: Iterable[Posting]) -> None:
    """Refuses postings that would make or lose money of any jackpot."""
    sums: dict[str, int] = {}
    for posting in postings:
        sums[posting.jackpot] = sums.get(posting.jackpot, 0) + posting.micros
    for jackpot, micros in sums.items():
        if micros:
            raise LedgerError(
                f'The amounts on jackpot "{jackpot}" add up to {micros} micros and must add up to zero.',
                code="sum_not_zero",
            )
