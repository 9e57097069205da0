"""Meters: what signs show, and adjustments by two people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter

from croupier.floor.meters import Meter
from croupier.floor.roles import Right, who_may
from croupier.floor.service import Ask
from croupier.money import dollars
from croupier.web.api import answers
from croupier.web.api.bodies import AdjustBody, present
from croupier.web.api.rights import PREFIX
from croupier.web.guard import Caller, GuardedRoute, IdempotencyKey, TheCaller, TheRoom

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["meters"])


def may_see(caller: Caller, jackpot: str) -> bool:
    """A device sees its own jackpots, a person all."""
    return caller.device is None or jackpot in caller.device.jackpots


def shown(jackpot: str, level: str, meter_micros: int) -> dict[str, Any]:
    """What a sign shows: to the cent, floored."""
    return {
        "jackpot": jackpot,
        "level": level,
        "meter_micros": meter_micros,
        "dollars": dollars(meter_micros),
    }


def stopped_data(stopped: Mapping[str, str], caller: Caller) -> list[dict[str, str]]:
    """The jackpots whose figures do not add up and are not shown."""
    return [{"jackpot": name, "why": why} for name, why in stopped.items() if may_see(caller, name)]


def _meter_data(meter: Meter, caller: Caller) -> dict[str, Any]:
    data = shown(meter.jackpot, meter.level, meter.meter_micros) | {"kind": meter.kind, "version": meter.version}
    if caller.person is not None and who_may(caller.person.role, Right.SEE_REPORTS):
        data |= {
            "reserve_micros": meter.reserve_micros,
            "overflow_micros": meter.overflow_micros,
            "pending_micros": meter.pending_micros,
            "paid_micros": meter.paid_micros,
        }
    return data


@router.get("/meters", response_model=answers.Meters, response_model_exclude_unset=True)
def meters(caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Every meter; what is not on display, for those only who may see reports. Stopped jackpots are named apart."""
    figures = room.desk.figures()
    return {
        "meters": [_meter_data(meter, caller) for meter in figures.shown if may_see(caller, meter.jackpot)],
        "stopped": stopped_data(figures.stopped, caller),
        "entry": figures.entry,
    }


@router.post("/meters/{jackpot}/adjust", response_model=answers.Meters, response_model_exclude_unset=True)
def adjust(jackpot: str, body: AdjustBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """A manual adjustment for a lawful reason, by two people."""
    room.desk.floor().jackpot(jackpot)
    second = present(room, caller, body.second, what=f"adjust {jackpot}", id=f"{key}/2")
    room.desk.adjust(
        Ask(id=key, by=caller.signer),
        jackpot,
        reason=body.reason,
        micros=body.micros,
        note=body.note,
        second=second,
        pool=body.pool,
    )
    return meters(caller, room)
