"""Where tables stand that the software deals, and the purses of play money of those who play at them.

A table is one row, replaced under its revision in one transaction with the money that its command moved. Purses are
a log of entries; `players.micros` is their sum, kept for looking up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import BigInteger, Column, Connection, Index, MetaData, Table, Text, insert, select, update

from croupier.errors import IllegalActionError, StaleRevisionError
from croupier.store.beside import StoreBeside

metadata = MetaData()

play_tables = Table(
    "play_tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("revision", BigInteger, nullable=False),
    Column("changed_micros", BigInteger, nullable=False),
    Column("due_micros", BigInteger),
    Column("body", Text, nullable=False),
    Index("play_tables_by_due", "due_micros"),
)

players = Table(
    "players",
    metadata,
    Column("id", Text, primary_key=True),
    Column("token_sha256", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("micros", BigInteger, nullable=False),
)

purse_entries = Table(
    "purse_entries",
    metadata,
    Column("id", Text, primary_key=True),
    Column("player", Text, nullable=False),
    Column("at_micros", BigInteger, nullable=False),
    Column("micros", BigInteger, nullable=False),
    Column("why", Text, nullable=False),
    Column("table_id", Text, nullable=False),
    Index("purse_entries_by_player", "player", "at_micros"),
)

play_rounds = Table(
    "play_rounds",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("round", BigInteger, primary_key=True, autoincrement=False),
    Column("at_micros", BigInteger, nullable=False),
    Column("log", Text, nullable=False),
    Column("seats", Text, nullable=False),
)

play_results = Table(
    "play_results",
    metadata,
    Column("player", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
    Column("round", BigInteger, primary_key=True, autoincrement=False),
    Column("at_micros", BigInteger, nullable=False),
    Column("staked_micros", BigInteger, nullable=False),
    Column("returned_micros", BigInteger, nullable=False),
    Index("play_results_by_player", "player", "at_micros"),
)


@dataclass(frozen=True)
class Player:
    """Somebody who plays, with play money."""

    id: str
    name: str
    micros: int


@dataclass(frozen=True, kw_only=True)
class PurseEntry:
    """Play money into a purse, or out of it."""

    id: str
    player: str
    micros: int
    why: str
    table: str = ""


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a round was to one player."""

    player: str
    table: str
    round: int
    at_micros: int
    staked_micros: int
    returned_micros: int


@dataclass(frozen=True, kw_only=True)
class FinishedRound:
    """A round that is over: its log, and who sat where, as text."""

    table: str
    round: int
    at_micros: int
    log: str
    seats: str


class PlayStore(StoreBeside):
    """The tables of play in a database that `open_store` has brought to its schema."""

    holds = "Play"

    # Tables.

    def table(self, table: str) -> tuple[int, str] | None:
        """Revision and body."""
        with self._read() as connection:
            row = connection.execute(
                select(play_tables.c.revision, play_tables.c.body).where(play_tables.c.id == table)
            ).first()
        return (row.revision, row.body) if row is not None else None

    def revision(self, table: str) -> int:
        """0 for a table that was never used."""
        with self._read() as connection:
            found = connection.execute(select(play_tables.c.revision).where(play_tables.c.id == table)).scalar()
        return int(found or 0)

    def changed_since(self, micros: int) -> list[tuple[str, int]]:
        """Tables with their revision that changed at or after a moment."""
        with self._read() as connection:
            rows = connection.execute(
                select(play_tables.c.id, play_tables.c.revision).where(play_tables.c.changed_micros >= micros)
            )
            return [(row.id, row.revision) for row in rows]

    def due(self, micros: int) -> list[str]:
        """Tables whose clock has run out by a moment."""
        with self._read() as connection:
            found = connection.execute(select(play_tables.c.id).where(play_tables.c.due_micros <= micros))
            return [row.id for row in found]

    def save(
        self,
        table: str,
        *,
        revision: int,
        body: str,
        at_micros: int,
        due_micros: int | None = None,
        purse: Sequence[PurseEntry] = (),
        finished: FinishedRound | None = None,
        results: Iterable[Result] = (),
    ) -> int:
        """Replaces the table's body if it is still at this revision; returns the new one. All of it or nothing."""
        with self._write() as connection:
            new = {"revision": revision + 1, "changed_micros": at_micros, "due_micros": due_micros, "body": body}
            if revision == 0:
                connection.execute(insert(play_tables).values(id=table, **new))
            else:
                here = (play_tables.c.id == table) & (play_tables.c.revision == revision)
                if connection.execute(update(play_tables).where(here).values(**new)).rowcount != 1:
                    raise StaleRevisionError(f'Table "{table}" was changed by another server: look again.')
            for entry in purse:
                _enter(connection, entry, at_micros)
            if finished is not None:
                connection.execute(
                    insert(play_rounds).values(
                        table_id=finished.table,
                        round=finished.round,
                        at_micros=finished.at_micros,
                        log=finished.log,
                        seats=finished.seats,
                    )
                )
            for result in results:
                connection.execute(
                    insert(play_results).values(
                        player=result.player,
                        table_id=result.table,
                        round=result.round,
                        at_micros=result.at_micros,
                        staked_micros=result.staked_micros,
                        returned_micros=result.returned_micros,
                    )
                )
        return revision + 1

    # Players.

    def add_player(self, id: str, token: str, name: str, micros: int, at_micros: int) -> Player:
        """Somebody new, with a first purse."""
        with self._write() as connection:
            connection.execute(insert(players).values(id=id, token_sha256=_hash(token), name=name, micros=0))
            _enter(connection, PurseEntry(id=f"{id}/first", player=id, micros=micros, why="first purse"), at_micros)
        return Player(id, name, micros)

    def player_of(self, token: str) -> Player | None:
        """Whose token it is."""
        return self._player(players.c.token_sha256 == _hash(token))

    def player(self, id: str) -> Player | None:
        return self._player(players.c.id == id)

    def rename(self, id: str, name: str) -> None:
        with self._write() as connection:
            connection.execute(update(players).where(players.c.id == id).values(name=name))

    def enter(self, entry: PurseEntry, at_micros: int) -> None:
        """Play money from or to the house; the same id again does nothing."""
        with self._write() as connection:
            known = connection.execute(select(purse_entries.c.id).where(purse_entries.c.id == entry.id)).first()
            if known is None:
                _enter(connection, entry, at_micros)

    def purse_of(self, player: str, limit: int = 50) -> list[PurseEntry]:
        """The latest entries first."""
        table = purse_entries
        with self._read() as connection:
            rows = connection.execute(
                select(table)
                .where(table.c.player == player)
                .order_by(table.c.at_micros.desc(), table.c.id)
                .limit(limit)
            )
            return [
                PurseEntry(id=row.id, player=row.player, micros=row.micros, why=row.why, table=row.table_id)
                for row in rows
            ]

    def _player(self, which: object) -> Player | None:
        with self._read() as connection:
            row = connection.execute(select(players).where(which)).first()  # type: ignore[arg-type]
        return Player(row.id, row.name, row.micros) if row is not None else None

    # Finished rounds.

    def rounds(self, table: str, limit: int = 100) -> list[FinishedRound]:
        """The latest rounds of a table, the last one first."""
        with self._read() as connection:
            rows = connection.execute(
                select(play_rounds)
                .where(play_rounds.c.table_id == table)
                .order_by(play_rounds.c.round.desc())
                .limit(limit)
            ).all()
        return [_finished(row) for row in rows]

    def round(self, table: str, number: int) -> FinishedRound | None:
        with self._read() as connection:
            row = connection.execute(
                select(play_rounds).where((play_rounds.c.table_id == table) & (play_rounds.c.round == number))
            ).first()
        return _finished(row) if row is not None else None

    def results_of(self, player: str, limit: int = 100) -> list[Result]:
        """A player's latest rounds, the last one first."""
        table = play_results
        with self._read() as connection:
            rows = connection.execute(
                select(table).where(table.c.player == player).order_by(table.c.at_micros.desc()).limit(limit)
            )
            return [
                Result(
                    player=row.player,
                    table=row.table_id,
                    round=row.round,
                    at_micros=row.at_micros,
                    staked_micros=row.staked_micros,
                    returned_micros=row.returned_micros,
                )
                for row in rows
            ]


def _enter(connection: Connection, entry: PurseEntry, at_micros: int) -> None:
    connection.execute(
        insert(purse_entries).values(
            id=entry.id,
            player=entry.player,
            at_micros=at_micros,
            micros=entry.micros,
            why=entry.why,
            table_id=entry.table,
        )
    )
    here = (players.c.id == entry.player) & (players.c.micros + entry.micros >= 0)
    if connection.execute(update(players).where(here).values(micros=players.c.micros + entry.micros)).rowcount != 1:
        raise IllegalActionError("There is not that much play money in the purse: take some more.", code="purse_short")


def _finished(row: object) -> FinishedRound:
    return FinishedRound(
        table=row.table_id,  # type: ignore[attr-defined]
        round=row.round,  # type: ignore[attr-defined]
        at_micros=row.at_micros,  # type: ignore[attr-defined]
        log=row.log,  # type: ignore[attr-defined]
        seats=row.seats,  # type: ignore[attr-defined]
    )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
