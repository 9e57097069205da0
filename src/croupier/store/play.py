"""Where tables stand that the software deals, and the purses of play money of those who play at them.

A table is one row, replaced under its revision in one transaction with the money that its command moved. Purses are
a log of entries; `players.micros` is their sum, kept for looking up.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    MetaData,
    Table,
    Text,
    and_,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from croupier.errors import IllegalActionError, LedgerError, StaleRevisionError
from croupier.store.base import StoreOfPlay
from croupier.store.direct import Run
from croupier.store.simulations import UNFINISHED, simulations

metadata = MetaData()
GUEST_DIGITS = 4
"""Of a player's id in a guest's name."""
TRIM_EVERY = 50
"""Rounds of a table between two looks at how many of them are kept."""
KEPT_ENTRIES = 500
"""Of a purse; older ones are added up in one."""
SPARE_ENTRIES = 50
"""More than these are over it before they are added up, so that it is not done at every round."""
MOST_TRIMMED = 1_000
"""Rounds or entries that go in one transaction, so that nobody waits for it."""
ROUND = "round"
EARLIER = "earlier entries"
"""Why of the entry that older ones are added up in."""
LEAST_ROOM = 256 * 1024 * 1024
"""Bytes on the disk of a SQLite store below which no new round begins: the ledger may be on the same disk."""
ROOM_KEPT_S = 3.0
"""For so long it is not looked again."""

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
    Column("active_micros", BigInteger, nullable=False, server_default="0"),
    Index("players_by_active", "active_micros"),
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
    Column("shoe_start", BigInteger),
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

play_training = Table(
    "play_training",
    metadata,
    Column("player", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("changed_micros", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
)


@dataclass(frozen=True)
class Player:
    """Somebody who plays, with play money."""

    id: str
    name: str
    micros: int
    active_micros: int = 0
    """When they last did something, to the hour."""


@dataclass(frozen=True, kw_only=True)
class PurseEntry:
    """Play money into a purse, or out of it."""

    id: str
    player: str
    micros: int
    why: str
    table: str = ""


@dataclass(frozen=True, kw_only=True)
class PlayerResult:
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
    shoe_start: int | None = None
    """Cards of the shoe that were gone when it began; None where cards come fresh, or it is not known."""


def guest_name(id: str) -> str:
    """What a guest is called who has not said otherwise."""
    return f"Guest {id[-GUEST_DIGITS:]}"


def owner_name(player: Player) -> str:
    """Under which name a player's simulations stand."""
    return f"player:{player.id}"


class PlayStore(StoreOfPlay):
    """The tables of play in a database that `open_store` has brought to its schema."""

    holds = "Play"

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._free: int | None = None
        self._look_again_s = 0.0

    def require_room(self) -> None:
        """Refuses a new round while the disk is nearly full."""
        if time.monotonic() >= self._look_again_s:
            self._free = self.free_bytes()
            self._look_again_s = time.monotonic() + ROOM_KEPT_S
        if self._free is not None and self._free < LEAST_ROOM:
            raise LedgerError(
                "No new round is dealt: the disk that holds play money is nearly full. Purses and tables are safe; "
                "play on when the staff have made room.",
                code="disk_low",
            )

    def problem(self) -> str:
        """Why play cannot be read; empty where it can."""
        try:
            self.has_players()
        except LedgerError as error:
            return str(error)
        return ""

    # Tables.

    def table(self, table: str) -> tuple[int, str] | None:
        """Revision and body."""
        with self._asking() as run:
            row = run("SELECT revision, body FROM play_tables WHERE id = :id", {"id": table}).fetchone()
        return (row[0], row[1]) if row is not None else None

    def tables_between(self, start: str, end: str) -> list[str]:
        """The ids of all tables that begin and end so."""
        id = play_tables.c.id
        with self._read() as connection:
            found = select(id).where(id.startswith(start, autoescape=True) & id.endswith(end, autoescape=True))
            return list(connection.execute(found).scalars())

    def revision(self, table: str) -> int:
        """0 for a table that was never used."""
        with self._asking() as run:
            row = run("SELECT revision FROM play_tables WHERE id = :id", {"id": table}).fetchone()
        return row[0] if row is not None else 0

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
            tables = connection.execute(select(play_tables.c.id).where(play_tables.c.due_micros <= micros))
            return [row.id for row in tables]

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
        results: Iterable[PlayerResult] = (),
        kept_rounds: int | None = None,
        may_overdraw: bool = False,
    ) -> int:
        """Replaces the table's body if it is still at this revision; returns the new one. All of it or nothing.

        Of the table's finished rounds the latest `kept_rounds` stay, and some more for a while. `may_overdraw` is for
        wagers that a ledger has booked already: the purse owes them then.
        """
        moves_money = bool(purse) or finished is not None
        with self._doing(is_one=not moves_money) as run:
            new = {"changed_micros": at_micros, "due_micros": due_micros, "body": body}
            _replace(run, table, revision, new)
            for entry in purse:
                _enter(run, entry, at_micros, may_overdraw=may_overdraw)
            if finished is not None:
                run(_insert(play_rounds), _round_row(finished))
            for result in results:
                run(_insert(play_results), _result_row(result))
            if finished is not None and kept_rounds is not None and finished.round % TRIM_EVERY == 0:
                _trim_rounds(run, table, finished.round - kept_rounds)
            for player in sorted({entry.player for entry in purse}):
                _trim_purse(run, player)
        return revision + 1

    def put_off(self, table: str, due_micros: int) -> None:
        """The clock looks at a table again at a later moment; nothing else of it changes."""
        with self._write() as connection:
            connection.execute(update(play_tables).where(play_tables.c.id == table).values(due_micros=due_micros))

    # Players.

    def has_players(self) -> bool:
        with self._read() as connection:
            return connection.execute(select(players.c.id).limit(1)).first() is not None

    def add_player(self, id: str, token: str, name: str, micros: int, at_micros: int) -> Player:
        """Somebody new, with a first purse; asked for again, the same."""
        if (known := self.player(id)) is not None:
            return known
        try:
            self._add_player(id, token, name, micros, at_micros)
        except LedgerError:
            if (known := self.player(id)) is None:
                raise
            return known
        return Player(id, name, micros, at_micros)

    def _add_player(self, id: str, token: str, name: str, micros: int, at_micros: int) -> None:
        with self._doing(is_one=False) as run:
            new = {"id": id, "token_sha256": _hash(token), "name": name, "micros": 0, "active_micros": at_micros}
            run(_insert(players), new)
            _enter(run, PurseEntry(id=f"{id}/first", player=id, micros=micros, why="first purse"), at_micros)

    def note_use(self, id: str, at_micros: int) -> bool:
        """That a player did something; False if they have been forgotten."""
        with self._write() as connection:
            here = update(players).where(players.c.id == id).values(active_micros=at_micros)
            return connection.execute(here).rowcount == 1

    def gone_players(
        self, *, unused_before: int, idle_before: int, named_before: int, but: Sequence[str], limit: int
    ) -> list[Player]:
        """Players who have done nothing since a moment, the longest idle first: guests who never finished a round,
        other guests, and those who have given themselves a name."""
        active = players.c.active_micros
        is_guest = players.c.name == literal("Guest ") + func.substr(
            players.c.id, func.length(players.c.id) - GUEST_DIGITS + 1
        )
        # A round that is not kept any more has left its entry in the purse, if it moved money.
        results = select(play_results.c.player).where(play_results.c.player == players.c.id)
        entries = select(purse_entries.c.player).where(
            purse_entries.c.player == players.c.id, purse_entries.c.why.in_((ROUND, EARLIER))
        )
        is_unused = ~results.exists() & ~entries.exists()
        gone = or_(
            and_(active < unused_before, is_guest, is_unused),
            and_(active < idle_before, is_guest),
            active < named_before,
        )
        # The newest moment of the three once more, plainly, for the index.
        idle = and_(active < max(unused_before, idle_before, named_before), gone, players.c.id.not_in(but))
        with self._read() as connection:
            rows = connection.execute(select(players).where(idle).order_by(active).limit(limit))
            return [Player(row.id, row.name, row.micros, row.active_micros) for row in rows]

    def forget(self, player: Player, tables: Sequence[str]) -> bool:
        """Removes a player with these tables of their own and the results of their simulations, unless they have done
        something since they were read."""
        with self._write() as connection:
            here = (players.c.id == player.id) & (players.c.active_micros == player.active_micros)
            if connection.execute(delete(players).where(here)).rowcount != 1:
                return False
            connection.execute(delete(purse_entries).where(purse_entries.c.player == player.id))
            connection.execute(delete(play_results).where(play_results.c.player == player.id))
            connection.execute(delete(play_training).where(play_training.c.player == player.id))
            connection.execute(delete(play_rounds).where(play_rounds.c.table_id.in_(tables)))
            connection.execute(delete(play_tables).where(play_tables.c.id.in_(tables)))
            own_runs = simulations.c.owner == owner_name(player)
            connection.execute(delete(simulations).where(own_runs & simulations.c.state.not_in(UNFINISHED)))
        return True

    def player_of(self, token: str) -> Player | None:
        """Whose token it is."""
        return self._player(f"{_PLAYER} WHERE token_sha256 = :of", _hash(token))

    def player(self, id: str) -> Player | None:
        return self._player(f"{_PLAYER} WHERE id = :of", id)

    def rename(self, id: str, name: str) -> None:
        with self._write() as connection:
            connection.execute(update(players).where(players.c.id == id).values(name=name))

    def enter(self, entry: PurseEntry, at_micros: int) -> None:
        """Play money from or to the house; the same id again does nothing."""
        with self._doing(is_one=False) as run:
            known = run("SELECT id FROM purse_entries WHERE id = :id", {"id": entry.id}).fetchone()
            if known is None:
                _enter(run, entry, at_micros)
                _trim_purse(run, entry.player)

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

    def _player(self, query: str, of: str) -> Player | None:
        with self._asking() as run:
            row = run(query, {"of": of}).fetchone()
        return Player(*row) if row is not None else None

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

    def results_of(self, player: str, limit: int = 100) -> list[PlayerResult]:
        """A player's latest rounds, the last one first."""
        table = play_results
        with self._read() as connection:
            rows = connection.execute(
                select(table).where(table.c.player == player).order_by(table.c.at_micros.desc()).limit(limit)
            )
            return [
                PlayerResult(
                    player=row.player,
                    table=row.table_id,
                    round=row.round,
                    at_micros=row.at_micros,
                    staked_micros=row.staked_micros,
                    returned_micros=row.returned_micros,
                )
                for row in rows
            ]

    # What players have learned.

    def training(self, player: str, game: str) -> str:
        """Body of what is kept of a player and a game; empty where there is nothing."""
        here = (play_training.c.player == player) & (play_training.c.game == game)
        with self._read() as connection:
            return str(connection.execute(select(play_training.c.body).where(here)).scalar() or "")

    def trainings(self, player: str) -> dict[str, str]:
        """All of a player, by game."""
        with self._read() as connection:
            rows = connection.execute(select(play_training).where(play_training.c.player == player))
            return {row.game: row.body for row in rows}

    def change_training(self, player: str, game: str, change: Callable[[str], str], at_micros: int) -> str:
        """Replaces what is kept by what `change` makes of it, while nobody else does; returns that."""
        here = (play_training.c.player == player) & (play_training.c.game == game)
        with self._write() as connection:
            now = connection.execute(select(play_training.c.body).where(here).with_for_update()).scalar()
            body = change(now or "")
            if now is None:
                connection.execute(
                    insert(play_training).values(player=player, game=game, changed_micros=at_micros, body=body)
                )
            elif body != now:
                connection.execute(update(play_training).where(here).values(changed_micros=at_micros, body=body))
        return body


_PLAYER = "SELECT id, name, micros, active_micros FROM players"
_MOVE_ON = (
    "UPDATE play_tables SET revision = :revision, changed_micros = :changed_micros, due_micros = :due_micros, "
    "body = :body WHERE id = :id AND revision = :before"
)
_PUT = "UPDATE players SET micros = micros + :micros WHERE id = :player"
_PUT_IF_THERE = f"{_PUT} AND micros + :micros >= 0"
_FROM_THERE_ON = (
    "SELECT at_micros FROM purse_entries WHERE player = :player ORDER BY at_micros DESC LIMIT 1 OFFSET :kept"
)
"""By the index alone, as it is asked at every round."""
_OLD_ENTRIES = (
    "SELECT id, micros, at_micros FROM purse_entries WHERE player = :player AND id <> :earlier "
    "ORDER BY at_micros DESC, id DESC LIMIT :most OFFSET :kept"
)
_MORE_EARLIER = "UPDATE purse_entries SET micros = micros + :micros, at_micros = :at_micros WHERE id = :id"


@cache
def _insert(table: Table) -> str:
    names = [column.name for column in table.columns]
    values = ", ".join(f":{name}" for name in names)
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({values})"


def _replace(run: Run, table: str, revision: int, new: Mapping[str, object]) -> None:
    """The table's row, if it is still at this revision."""
    values = {"id": table, "revision": revision + 1, **new}
    try:
        if revision == 0:
            run(_insert(play_tables), values)
            return
        is_current = run(_MOVE_ON, {**values, "before": revision}).rowcount == 1
    except IntegrityError:  # another server was the first to use the table
        is_current = False
    if not is_current:
        raise StaleRevisionError(f'Table "{table}" was changed by another server: look again.')


def _enter(run: Run, entry: PurseEntry, at_micros: int, *, may_overdraw: bool = False) -> None:
    row = {"id": entry.id, "player": entry.player, "at_micros": at_micros, "micros": entry.micros}
    run(_insert(purse_entries), {**row, "why": entry.why, "table_id": entry.table})
    put = run(_PUT if may_overdraw else _PUT_IF_THERE, {"player": entry.player, "micros": entry.micros})
    if put.rowcount != 1:
        raise IllegalActionError("There is not that much play money in the purse: take some more.", code="purse_short")


def _trim_rounds(run: Run, table: str, last: int) -> None:
    """Removes rounds of a table up to a number, with what they were to the players."""
    here = "FROM play_rounds WHERE table_id = :table AND round <= :last"
    which = {"table": table, "last": last, "most": MOST_TRIMMED}
    number = 0
    for number, seats in run(f"SELECT round, seats {here} ORDER BY round LIMIT :most", which).fetchall():
        for player in {seat["player"] for seat in json.loads(seats)}:
            result = {"player": player, "table": table, "round": number}
            run("DELETE FROM play_results WHERE player = :player AND table_id = :table AND round = :round", result)
    run(f"DELETE {here}", {"table": table, "last": number})


def _trim_purse(run: Run, player: str) -> None:
    """Adds the oldest entries of a purse up in one, which is not counted, so that the purse is still their sum."""
    earlier = f"{player}/earlier"
    if run(_FROM_THERE_ON, {"player": player, "kept": KEPT_ENTRIES + SPARE_ENTRIES}).fetchone() is None:
        return
    which = {"player": player, "earlier": earlier, "most": MOST_TRIMMED, "kept": KEPT_ENTRIES}
    old = run(_OLD_ENTRIES, which).fetchall()
    for id, _, _ in old:
        run("DELETE FROM purse_entries WHERE id = :id", {"id": id})
    sums = {"id": earlier, "micros": sum(micros for _, micros, _ in old), "at_micros": old[0][2]}
    if run(_MORE_EARLIER, sums).rowcount == 0:
        run(_insert(purse_entries), {**sums, "player": player, "why": EARLIER, "table_id": ""})


def _round_row(finished: FinishedRound) -> dict[str, object]:
    return {
        "table_id": finished.table,
        "round": finished.round,
        "at_micros": finished.at_micros,
        "log": finished.log,
        "seats": finished.seats,
        "shoe_start": finished.shoe_start,
    }


def _result_row(result: PlayerResult) -> dict[str, object]:
    return {
        "player": result.player,
        "table_id": result.table,
        "round": result.round,
        "at_micros": result.at_micros,
        "staked_micros": result.staked_micros,
        "returned_micros": result.returned_micros,
    }


def _finished(row: object) -> FinishedRound:
    return FinishedRound(
        table=row.table_id,  # type: ignore[attr-defined]
        round=row.round,  # type: ignore[attr-defined]
        at_micros=row.at_micros,  # type: ignore[attr-defined]
        log=row.log,  # type: ignore[attr-defined]
        seats=row.seats,  # type: ignore[attr-defined]
        shoe_start=row.shoe_start,  # type: ignore[attr-defined]
    )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
