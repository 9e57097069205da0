"""What the ledger's tests share: a ledger in memory, requests with little to say, amounts in dollars."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Protocol

from sqlalchemy import Connection, text

from croupier.jackpot import (
    GENESIS,
    AnyCommand,
    AnyEvent,
    HitJackpot,
    Level,
    LockedWager,
    LockWagers,
    OpenJackpot,
    Parameters,
    Request,
    Sealed,
    State,
    VoidRound,
    decide,
    evolve,
)
from croupier.jackpot.chain import digest, require_same, seal
from croupier.money import parse_dollars

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
WHOLE_METER = 1_000_000


class Poster(Protocol):
    """A book, or the ledger in memory."""

    def post(self, request: Request) -> Sealed: ...


class Memory:
    """The pure ledger with nothing around it."""

    def __init__(self) -> None:
        self.state = State()
        self.log: list[Sealed] = []
        self._by_id: dict[str, Sealed] = {}

    def post(self, request: Request) -> Sealed:
        before = self._by_id.get(request.id)
        if before is not None:
            require_same(before.entry, digest(request))
            return before
        event = decide(self.state, request)
        changes = evolve(self.state, event)
        previous = self.log[-1].hash if self.log else GENESIS
        sealed = seal(self.state, request, digest(request), event, len(self.log) + 1, previous)
        self.state.update(changes)
        self.log.append(sealed)
        self._by_id[request.id] = sealed
        return sealed


class Desk:
    """Somebody who posts, with fresh ids and a clock that ticks."""

    def __init__(self, book: Poster) -> None:
        self.book = book
        self._numbers = count(1)

    def request(self, command: AnyCommand, *, id: str = "", actor: str = "dealer") -> Request:
        number = next(self._numbers)
        at = NOON + timedelta(seconds=number)
        return Request(id=id or f"request-{number}", actor=actor, at=at, command=command)

    def do(self, command: AnyCommand, *, id: str = "", actor: str = "dealer") -> AnyEvent:
        return self.book.post(self.request(command, id=id, actor=actor)).entry.event


def usd(text: str) -> int:
    """Micros of dollars, with a sign."""
    return -parse_dollars(text[1:]) if text.startswith("-") else parse_dollars(text)


def opened(
    jackpot: str = "push",
    *,
    seed: str = "10000",
    contribution_ppm: int = 200_000,
    reserve_ppm: int = 0,
    cap: str | None = None,
    parameters: Parameters | None = None,
) -> OpenJackpot:
    level = Level(
        seed_micros=usd(seed),
        contribution_ppm=contribution_ppm,
        reserve_ppm=reserve_ppm,
        cap_micros=None if cap is None else usd(cap),
    )
    return OpenJackpot(jackpot=jackpot, parameters=parameters or Parameters(levels=(level,)))


def locked(round: int, *seats: int, table: str = "one", jackpot: str = "push", wager: str = "1") -> LockWagers:
    bets = tuple(LockedWager(seat=seat, sensor=1, jackpot=jackpot, amount_micros=usd(wager)) for seat in seats)
    return LockWagers(table=table, round=round, bets=bets)


def voided(round: int, *, table: str = "one", jackpot: str = "push") -> VoidRound:
    return VoidRound(table=table, round=round, jackpots=(jackpot,), note="A card was exposed.")


def community(round: int, share_ppm: int = WHOLE_METER, *, table: str = "one", jackpot: str = "push") -> HitJackpot:
    return HitJackpot(jackpot=jackpot, table=table, round=round, community=True, share_ppm=share_ppm)


def fixed(round: int, each: str, *seats: int, table: str = "one", jackpot: str = "push") -> HitJackpot:
    return HitJackpot(jackpot=jackpot, table=table, round=round, seats=seats, each_micros=usd(each))


MADE_LATER = {
    "0001": ("play_tables", "players", "purse_entries", "play_rounds", "play_results"),
    "0003": ("simulations",),
    "0005": ("probe", "report_sums", "report_marks", "report_position", "refusals"),
    "0010": ("play_training",),
    "0011": ("session_uses",),
}
"""Tables that a store of this version and the ones before did not have."""


def go_back(connection: Connection, version: str) -> None:
    """Gives a store the tables and columns of an earlier version of the schema."""
    dropped = [f"DROP TABLE {name}" for last, names in MADE_LATER.items() if version <= last for name in names]
    if "0002" <= version < "0006":
        dropped += ["DROP INDEX players_by_active", "ALTER TABLE players DROP COLUMN active_micros"]
    if "0002" <= version < "0011":
        dropped += ["ALTER TABLE play_rounds DROP COLUMN shoe_start"]
    for statement in (*dropped, f"UPDATE alembic_version SET version_num = '{version}'"):
        connection.execute(text(statement))
