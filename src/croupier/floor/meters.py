"""What signs show: each jackpot's figures checked by themselves, so that one that does not add up hides no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec import Struct

from croupier.errors import LedgerError
from croupier.jackpot import Jackpot, State
from croupier.jackpot.accounts import Key, Posting, require_zero_sum
from croupier.jackpot.evolve import require_invariants
from croupier.store import Book
from croupier.store.book import jackpot_stopped
from croupier.store.reading import Reader

SHOWN = ("meter", "reserve", "overflow", "pending", "paid")


class Meter(Struct, frozen=True, kw_only=True):
    """What one level of a jackpot shows and holds."""

    jackpot: str
    level: str
    kind: str
    meter_micros: int
    reserve_micros: int
    overflow_micros: int
    pending_micros: int
    paid_micros: int
    version: int


@dataclass(frozen=True)
class Meters:
    """Every open jackpot of a ledger at one moment: the meters of those that add up, and why others are stopped."""

    entry: int
    """The ledger's last entry then."""
    shown: tuple[Meter, ...]
    stopped: Mapping[str, str]
    """Jackpots whose figures are not shown, each with the reason."""

    def require(self, *jackpots: str) -> None:
        """Refuses to go on with figures that are not shown."""
        for name in jackpots:
            if name in self.stopped:
                raise jackpot_stopped(name, self.stopped[name])


def read_meters(book: Book) -> Meters:
    """The figures as they are stored now."""
    with book.standing_still() as reader:
        return meters_of(reader, book.stopped())


def meters_of(reader: Reader, found_wrong: Mapping[str, str]) -> Meters:
    """The figures that a reader sees; `found_wrong` is what the process has found when it wrote."""
    entry, _ = reader.head()
    jackpots, balances = reader.jackpots(), reader.balances()
    parts: dict[str, dict[Key, int]] = {jackpot.id: {} for jackpot in jackpots}
    for key, micros in balances.items():
        parts.setdefault(key[0], {})[key] = micros
    known = {jackpot.id: jackpot for jackpot in jackpots}
    problems = {name: _problem(known.get(name), part) for name, part in parts.items()}
    stopped = {name: why for name, why in problems.items() if why} | dict(found_wrong)
    shown = tuple(
        Meter(
            jackpot=jackpot.id,
            level=level.id,
            kind=jackpot.parameters.kind,
            version=jackpot.version,
            **{f"{account}_micros": balances.get((jackpot.id, level.id, account), 0) for account in SHOWN},
        )
        for jackpot in jackpots
        if not jackpot.closed and jackpot.id not in stopped
        for level in jackpot.parameters.levels
    )
    return Meters(entry, shown, dict(sorted(stopped.items())))


def _problem(jackpot: Jackpot | None, balances: Mapping[Key, int]) -> str:
    """Why a jackpot's figures cannot be right; empty when they add up."""
    if jackpot is None:
        return "It has balances and is not among the jackpots."
    levels = {"", *jackpot.tallies}
    try:
        require_zero_sum(Posting(*key, micros) for key, micros in balances.items())
        if unknown := sorted({level for _, level, _ in balances} - levels):
            return f'It has balances of a level "{unknown[0]}", which it does not have.'
        require_invariants(State(), State(jackpots={jackpot.id: jackpot}, balances=dict(balances)))
    except LedgerError as error:
        return str(error)
    return ""
