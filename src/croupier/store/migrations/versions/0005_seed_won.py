"""Jackpots and awards keep how much of the house's seed was won, which it cannot recover: worked out from the log.

Tables and shapes are written out as they were with this version, whatever later ones make of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ENTRIES = sa.table("entries", *map(sa.column, ("seq", "kind", "text")))
POSTINGS = sa.table("postings", *map(sa.column, ("seq", "jackpot", "level", "account", "micros")))
JACKPOTS = sa.table("jackpots", *map(sa.column, ("id", "body")))
AWARDS = sa.table("awards", *map(sa.column, ("id", "body")))
Changed = tuple[sa.TableClause, str, dict[str, Any]]
KINDS = ("JackpotHit", "AwardRejected", "AwardBackedOut")


class SeedWon:
    """What went out of the seed with each award, and what of it came back, in the order of the log."""

    def __init__(self) -> None:
        self.by_level: dict[tuple[str, str], int] = defaultdict(int)
        self.by_award: dict[str, int] = {}
        self._seeds: dict[tuple[str, str], int] = defaultdict(int)
        """The balances of the seed accounts, never above zero."""
        self._levels: dict[str, tuple[str, str]] = {}

    def post(self, level: tuple[str, str], micros: int) -> None:
        self._seeds[level] += micros

    def take(self, kind: str, event: dict[str, Any]) -> None:
        """Takes in an event, before its own postings."""
        award = event["award"]
        if kind != "JackpotHit":  # it was rejected or backed out
            self.by_level[self._levels[award]] -= self.by_award[award]
            return
        level = (event["jackpot"], event["level"])
        won = event["seed_micros"]
        if event["reset_by"] == award:  # with a 100% award goes all seed money that lay in the meter
            won = max(0, -self._seeds[level] - self.by_level[level])
        self._levels[award], self.by_award[award] = level, won
        self.by_level[level] += won


def upgrade() -> None:
    """Where the log does not read nothing is done: the store opens, and `verify` names the first bad entry."""
    connection = op.get_bind()
    try:
        won = _read(connection)
        new = [*_jackpots(connection, won), *_awards(connection, won)]
    except (msgspec.MsgspecError, KeyError, TypeError):
        return
    for table, id, body in new:
        text = msgspec.json.encode(body, order="sorted").decode()
        connection.execute(sa.update(table).where(table.c.id == id).values(body=text))


def _read(connection: sa.Connection) -> SeedWon:
    won = SeedWon()
    seeds = connection.execute(sa.select(POSTINGS).where(POSTINGS.c.account == "seed").order_by(POSTINGS.c.seq)).all()
    events = connection.execute(sa.select(ENTRIES).where(ENTRIES.c.kind.in_(KINDS)).order_by(ENTRIES.c.seq)).all()
    posted = 0
    for row in events:
        while posted < len(seeds) and seeds[posted].seq < row.seq:
            won.post((seeds[posted].jackpot, seeds[posted].level), seeds[posted].micros)
            posted += 1
        won.take(row.kind, msgspec.json.decode(row.text)["event"])
    return won


def _jackpots(connection: sa.Connection, won: SeedWon) -> Iterator[Changed]:
    for row in connection.execute(sa.select(JACKPOTS)).all():
        body = msgspec.json.decode(row.body)
        for level, tally in body["tallies"].items():
            tally["seed_won_micros"] = won.by_level[row.id, level]
        yield JACKPOTS, row.id, body


def _awards(connection: sa.Connection, won: SeedWon) -> Iterator[Changed]:
    for row in connection.execute(sa.select(AWARDS)).all():
        yield AWARDS, row.id, msgspec.json.decode(row.body) | {"seed_won_micros": won.by_award[row.id]}
