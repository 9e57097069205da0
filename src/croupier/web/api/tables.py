"""Tables and the steps of their jackpot terminals."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from msgspec import Meta, Struct, structs

from croupier.floor.service import Ask, TableView
from croupier.floor.terminal import Terminal
from croupier.web.api.bodies import (
    ByHandBody,
    ClearBody,
    HitBody,
    KeyBody,
    PickBody,
    SenseBody,
    StartBody,
    StepBody,
    StopBody,
    present,
)
from croupier.web.api.rights import PREFIX
from croupier.web.guard import GuardedRoute, IdempotencyKey, TheCaller, TheRoom

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["tables"])


class Table(Terminal, frozen=True, kw_only=True):
    """Where a table stands."""

    revision: Annotated[int, Meta(description="What the next command must be made for.")]
    awards: Annotated[tuple[str, ...], Meta(description="What the command claimed; of a look, the open claims.")]


class Tables(Struct, frozen=True):
    tables: Annotated[tuple[Table, ...], Meta(description="The tables.")]


def table_of(view: TableView) -> Table:
    """A table as the API shows it."""
    return Table(**structs.asdict(view.terminal), revision=view.revision, awards=view.awards)


@router.get("/tables")
def all_tables(caller: TheCaller, room: TheRoom) -> Tables:
    """Every table as it stands; a device sees its own."""
    views = room.desk.tables()
    if caller.device is not None:
        views = tuple(view for view in views if view.terminal.table in caller.device.tables)
    return Tables(tuple(map(table_of, views)))


@router.get("/tables/{table}")
def one_table(table: str, room: TheRoom) -> Table:
    """One table: phase, round, lit sensors, picked hands, open claims, and the revision for the next command."""
    return table_of(room.desk.table(table))


@router.post("/tables/{table}/sense")
def sense(table: str, body: SenseBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """A chip came to lie on a sensor, or was taken away. A sensor that knows no revision leaves it out."""
    ask = Ask(id=key, by=caller.signer, revision=body.revision)
    return table_of(room.desk.sense(ask, table, body.seat, body.sensor, lit=body.lit))


@router.post("/tables/{table}/start")
def start(table: str, body: StartBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """START GAME: every lit sensor is a wager from now on."""
    ask = Ask(key, caller.signer, body.revision)
    return table_of(room.desk.start(ask, table, chips=body.chips, lit=body.lit, playing=body.playing))


@router.post("/tables/{table}/pick")
def pick(table: str, body: PickBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """A hand button: picks a winning hand; pressed again it takes it off."""
    ask = Ask(key, caller.signer, body.revision)
    return table_of(room.desk.pick(ask, table, body.seat, body.sensor, body.row))


@router.post("/tables/{table}/hit")
def hit(table: str, body: HitBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """HIT JACKPOT: the picked hands become claims, named in `awards`; the meters are lowered and reseeded at once.

    The cards must give the picked rows: another one is refused with the row that they give.
    """
    ask = Ask(key, caller.signer, body.revision)
    return table_of(room.desk.hit(ask, table, picks=body.picks, evidence=body.evidence, side=body.side))


@router.post("/tables/{table}/award-by-hand")
def award_by_hand(table: str, body: ByHandBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """The right award of a round, by two people: after another was backed out, or after the round is over."""
    room.desk.table(table)
    second = present(room, caller, body.second, what=f"award by hand at {table}", id=f"{key}/2")
    view = room.desk.award_by_hand(
        Ask(key, caller.signer, body.revision),
        table,
        body.round,
        picks=body.picks,
        evidence=body.evidence,
        side=body.side,
        note=body.note,
        second=second,
    )
    return table_of(view)


@router.post("/tables/{table}/key")
def turn_key(table: str, body: KeyBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """Aquarius: the supervisor's key, to JPH or back to Run."""
    return table_of(room.desk.turn_key(Ask(key, caller.signer, body.revision), table, body.position))


@router.post("/tables/{table}/end")
def end(table: str, body: StepBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """END GAME: ready for the next round."""
    return table_of(room.desk.end(Ask(key, caller.signer, body.revision), table))


@router.post("/tables/{table}/void")
def void(table: str, body: StopBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """A misdeal: the wagers of the locked round are given back. Meters keep what they got; the house puts it up."""
    return table_of(room.desk.void(Ask(key, caller.signer, body.revision), table, body.why))


@router.post("/tables/{table}/clear")
def clear(table: str, body: ClearBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """Makes a table that is stuck ready for the next round, by two people. The wagers of its round are given back as
    by `void`, play money too; an open claim is paid or rejected first."""
    room.desk.floor().table(table)
    second = present(room, caller, body.second, what=f"clear {table}", id=f"{key}/2")
    return table_of(room.hall.clear(Ask(key, caller.signer, body.revision), table, body.why, second))


@router.post("/tables/{table}/stop")
def stop(table: str, body: StopBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """Takes the table out of service; a round in progress stays as it is."""
    return table_of(room.desk.stop(Ask(key, caller.signer, body.revision), table, body.why))


@router.post("/tables/{table}/reopen")
def reopen(table: str, body: StepBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Table:
    """Puts the table back into service."""
    return table_of(room.desk.reopen(Ask(key, caller.signer, body.revision), table))
