"""Tables and the steps of their jackpot terminals."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter

from croupier.floor.service import Ask, TableView
from croupier.floor.terminal import Pick, Spot
from croupier.web.api import answers
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


def table_data(view: TableView) -> dict[str, Any]:
    """A table as the API shows it."""
    return {**msgspec.to_builtins(view.terminal), "revision": view.revision, "awards": list(view.awards)}


@router.get("/tables", response_model=answers.Tables)
def all_tables(caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Every table as it stands; a device sees its own."""
    views = room.desk.tables()
    if caller.device is not None:
        views = tuple(view for view in views if view.terminal.table in caller.device.tables)
    return {"tables": [table_data(view) for view in views]}


@router.get("/tables/{table}", response_model=answers.Table)
def one_table(table: str, room: TheRoom) -> dict[str, Any]:
    """One table: phase, round, lit sensors, picked hands, open claims, and the revision for the next command."""
    return table_data(room.desk.table(table))


@router.post("/tables/{table}/sense", response_model=answers.Table)
def sense(table: str, body: SenseBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """A chip came to lie on a sensor, or was taken away. A sensor that knows no revision leaves it out."""
    ask = Ask(id=key, by=caller.signer, revision=body.revision)
    return table_data(room.desk.sense(ask, table, body.seat, body.sensor, lit=body.lit))


@router.post("/tables/{table}/start", response_model=answers.Table)
def start(table: str, body: StartBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """START GAME: every lit sensor is a wager from now on."""
    lit = None if body.lit is None else [Spot(one.seat, one.sensor) for one in body.lit]
    ask = Ask(key, caller.signer, body.revision)
    return table_data(room.desk.start(ask, table, chips=body.chips, lit=lit, playing=body.playing))


@router.post("/tables/{table}/pick", response_model=answers.Table)
def pick(table: str, body: PickBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """A hand button: picks a winning hand; pressed again it takes it off."""
    ask = Ask(key, caller.signer, body.revision)
    return table_data(room.desk.pick(ask, table, body.seat, body.sensor, body.row))


@router.post("/tables/{table}/hit", response_model=answers.Table)
def hit(table: str, body: HitBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """HIT JACKPOT: the picked hands become claims, named in `awards`; the meters are lowered and reseeded at once.

    The cards must give the picked rows: another one is refused with the row that they give.
    """
    picks = [Pick(one.seat, one.sensor, one.row) for one in body.picks]
    ask = Ask(key, caller.signer, body.revision)
    return table_data(room.desk.hit(ask, table, picks=picks, evidence=body.evidence, side=body.side))


@router.post("/tables/{table}/award-by-hand", response_model=answers.Table)
def award_by_hand(
    table: str, body: ByHandBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom
) -> dict[str, Any]:
    """The right award of a round, by two people: after another was backed out, or after the round is over."""
    room.desk.table(table)
    second = present(room, caller, body.second, what=f"award by hand at {table}", id=f"{key}/2")
    view = room.desk.award_by_hand(
        Ask(key, caller.signer, body.revision),
        table,
        body.round,
        picks=[Pick(one.seat, one.sensor, one.row) for one in body.picks],
        evidence=body.evidence,
        side=body.side,
        note=body.note,
        second=second,
    )
    return table_data(view)


@router.post("/tables/{table}/key", response_model=answers.Table)
def turn_key(table: str, body: KeyBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Aquarius: the supervisor's key, to JPH or back to Run."""
    return table_data(room.desk.turn_key(Ask(key, caller.signer, body.revision), table, body.position))


@router.post("/tables/{table}/end", response_model=answers.Table)
def end(table: str, body: StepBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """END GAME: ready for the next round."""
    return table_data(room.desk.end(Ask(key, caller.signer, body.revision), table))


@router.post("/tables/{table}/void", response_model=answers.Table)
def void(table: str, body: StopBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """A misdeal: the wagers of the locked round are given back. Meters keep what they got; the house puts it up."""
    return table_data(room.desk.void(Ask(key, caller.signer, body.revision), table, body.why))


@router.post("/tables/{table}/clear", response_model=answers.Table)
def clear(table: str, body: ClearBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Makes a table that is stuck ready for the next round, by two people. The wagers of its round are given back as
    by `void`, play money too; an open claim is paid or rejected first."""
    room.desk.floor().table(table)
    second = present(room, caller, body.second, what=f"clear {table}", id=f"{key}/2")
    return table_data(room.hall.clear(Ask(key, caller.signer, body.revision), table, body.why, second))


@router.post("/tables/{table}/stop", response_model=answers.Table)
def stop(table: str, body: StopBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Takes the table out of service; a round in progress stays as it is."""
    return table_data(room.desk.stop(Ask(key, caller.signer, body.revision), table, body.why))


@router.post("/tables/{table}/reopen", response_model=answers.Table)
def reopen(table: str, body: StepBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Puts the table back into service."""
    return table_data(room.desk.reopen(Ask(key, caller.signer, body.revision), table))
