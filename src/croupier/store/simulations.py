"""Simulations that pages have asked for, from their place in the queue to the kept result. No money, no ledger.

A run that is played is leased to one server for a while; a server that is gone lets its lease run out, and the run is
taken up from where it was last saved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Index,
    MetaData,
    Table,
    Text,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from croupier.errors import IllegalActionError
from croupier.store.base import StoreOfPlay

metadata = MetaData()

simulations = Table(
    "simulations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("asked_micros", BigInteger, nullable=False),
    Column("changed_micros", BigInteger, nullable=False),
    Column("lease_micros", BigInteger, nullable=False),
    Column("stop_asked", Boolean, nullable=False),
    Column("name", Text, nullable=False),
    Column("program", Text, nullable=False),
    Column("rounds", BigInteger, nullable=False),
    Column("note", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("standing", Text, nullable=False),
    Index("simulations_by_state", "state", "asked_micros"),
)

WAITING, RUNNING, DONE, STOPPED, FAILED = "waiting", "running", "done", "stopped", "failed"
UNFINISHED = (WAITING, RUNNING)


@dataclass(frozen=True, kw_only=True)
class StoredRun:
    """One row."""

    id: str
    owner: str
    """Who asked for it."""
    state: str
    asked_micros: int
    """When it was asked for, which is its place in the queue."""
    changed_micros: int
    lease_micros: int
    """Until when a server has it, by the clock of that server."""
    stop_asked: bool
    name: str
    """Given to a result that is to be kept; empty for others."""
    program: str
    """The version of the program that played it last."""
    rounds: int
    note: str
    """How it ended, where that needs words."""
    run: str
    """What is played, as JSON."""
    summary: str
    """The first wager's figures as JSON, for lists; empty before the first round."""
    standing: str
    """Results, convergence and counts as JSON; empty before the first round, and in lists."""


@dataclass(frozen=True, kw_only=True)
class SavedProgress:
    """What is written of a run as it goes on."""

    rounds: int
    summary: str
    standing: str
    program: str
    changed_micros: int

    @property
    def values(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True, kw_only=True)
class RunBounds:
    """How much the queue and the shelf hold."""

    waiting_each: int = 3
    """Unfinished runs of one owner."""
    waiting_visitor: int = 6
    """Unfinished runs of one visitor under several names, as of a room behind one address."""
    waiting: int = 20
    recent: int = 200
    """Finished runs that nobody has named; the oldest go first."""
    kept_each: int = 50
    kept: int = 1000


class SimulationStore(StoreOfPlay):
    """The table of simulations in a database that `open_store` has brought to its schema."""

    holds = "The simulation"

    def add(self, id: str, *, owner: str, run: str, at_micros: int, bounds: RunBounds) -> None:
        """Puts a run at the end of the queue; the same id again does nothing."""
        table = simulations
        with self._write() as connection:
            if connection.execute(select(table.c.id).where(table.c.id == id)).first() is not None:
                return
            unfinished = table.c.state.in_(UNFINISHED)
            if _count(connection, unfinished & (table.c.owner == owner)) >= bounds.waiting_each:
                raise IllegalActionError(
                    f"{bounds.waiting_each} of your simulations are still running: wait for one to finish, or stop it.",
                    code="queue_full",
                )
            if _count(connection, unfinished) >= bounds.waiting:
                raise IllegalActionError(
                    f"{bounds.waiting} simulations are already waiting: ask again when some have finished.",
                    code="queue_full",
                )
            last = connection.execute(select(func.max(table.c.asked_micros))).scalar() or 0
            connection.execute(
                insert(table).values(
                    id=id,
                    owner=owner,
                    state=WAITING,
                    asked_micros=max(at_micros, last + 1),  # no two at the same place, whatever the clock says
                    changed_micros=at_micros,
                    lease_micros=0,
                    stop_asked=False,
                    name="",
                    program="",
                    rounds=0,
                    note="",
                    run=run,
                    summary="",
                    standing="",
                )
            )
            self._trim(connection, bounds.recent)

    def simulation(self, id: str) -> StoredRun | None:
        with self._read() as connection:
            row = connection.execute(select(simulations).where(simulations.c.id == id)).mappings().first()
        return StoredRun(**row) if row is not None else None

    def unfinished(self) -> list[StoredRun]:
        """The queue, the next one first."""
        return self._list(simulations.c.state.in_(UNFINISHED), simulations.c.asked_micros.asc(), 1000)

    def finished(self, *, kept: bool, limit: int) -> list[StoredRun]:
        """Results with a name or without, the newest first."""
        named = simulations.c.name != "" if kept else simulations.c.name == ""
        over = simulations.c.state.not_in(UNFINISHED)
        return self._list(over & named, simulations.c.changed_micros.desc(), limit)

    def claim(self, id: str, *, now_micros: int, lease_micros: int) -> bool:
        """Takes a run that waits, or one whose server let its lease run out; False if another server was faster."""
        table = simulations
        free = or_(table.c.state == WAITING, table.c.lease_micros < now_micros)
        here = (table.c.id == id) & table.c.state.in_(UNFINISHED) & free
        with self._write() as connection:
            changed = update(table).where(here).values(state=RUNNING, lease_micros=lease_micros)
            return connection.execute(changed).rowcount == 1

    def save(self, id: str, saved: SavedProgress, *, lease_micros: int) -> bool:
        """What a run has come to; returns whether somebody wants it stopped."""
        here = simulations.c.id == id
        with self._write() as connection:
            connection.execute(update(simulations).where(here).values(lease_micros=lease_micros, **saved.values))
            return bool(connection.execute(select(simulations.c.stop_asked).where(here)).scalar())

    def finish(self, id: str, saved: SavedProgress, *, state: str, note: str = "") -> None:
        self._update(id, state=state, note=note, lease_micros=0, **saved.values)

    def give_back(self, id: str, saved: SavedProgress) -> None:
        """To the queue, at its place, with what it has."""
        self._update(id, state=WAITING, lease_micros=0, **saved.values)

    def ask_to_stop(self, id: str, *, at_micros: int, note: str) -> None:
        """A run that waits is over at once; one that is played ends when its server sees this."""
        here = simulations.c.id == id
        with self._write() as connection:
            waits = here & (simulations.c.state == WAITING)
            over = update(simulations).where(waits).values(state=STOPPED, note=note, changed_micros=at_micros)
            if connection.execute(over).rowcount != 1:
                played = here & (simulations.c.state == RUNNING)
                connection.execute(update(simulations).where(played).values(stop_asked=True))

    def keep(self, id: str, *, owner: str, name: str, bounds: RunBounds) -> None:
        """Gives a result a name, by which it is kept."""
        table = simulations
        with self._write() as connection:
            others = (table.c.name != "") & (table.c.id != id)
            if (
                _count(connection, others & (table.c.owner == owner)) >= bounds.kept_each
                or _count(connection, others) >= bounds.kept
            ):
                raise IllegalActionError("No more results can be kept: remove one first.", code="shelf_full")
            connection.execute(update(table).where(table.c.id == id).values(name=name))

    def remove(self, id: str) -> None:
        """A result that is over; one that is not stays."""
        over = simulations.c.state.not_in(UNFINISHED)
        with self._write() as connection:
            connection.execute(delete(simulations).where((simulations.c.id == id) & over))

    def _update(self, id: str, **values: Any) -> None:
        with self._write() as connection:
            connection.execute(update(simulations).where(simulations.c.id == id).values(**values))

    def _list(self, which: Any, order: Any, limit: int) -> list[StoredRun]:
        columns = [column for column in simulations.c if column.name != "standing"]
        with self._read() as connection:
            rows = connection.execute(
                select(*columns).where(which).order_by(order, simulations.c.id).limit(limit)
            ).mappings()
            return [StoredRun(**row, standing="") for row in rows]

    def _trim(self, connection: Connection, most: int) -> None:
        table = simulations
        unnamed = table.c.state.not_in(UNFINISHED) & (table.c.name == "")
        ids = select(table.c.id).where(unnamed).order_by(table.c.changed_micros.desc(), table.c.id)
        old = [row.id for row in connection.execute(ids.offset(most).limit(1000))]
        if old:
            connection.execute(delete(table).where(table.c.id.in_(old)))


def _count(connection: Connection, which: Any) -> int:
    return int(connection.execute(select(func.count()).select_from(simulations).where(which)).scalar_one())
