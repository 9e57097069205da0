"""Meters: what signs show, and adjustments by two people."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from croupier.floor import meters as floor_meters
from croupier.floor.roles import Right, who_may
from croupier.floor.service import Ask
from croupier.jackpot.commands import Kind
from croupier.money import dollars
from croupier.web.api.bodies import AdjustBody, present
from croupier.web.api.rights import PREFIX
from croupier.web.guard import Caller, GuardedRoute, IdempotencyKey, TheCaller, TheRoom

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["meters"])


class ShownMeter(Struct, frozen=True, kw_only=True):
    """What a sign shows of a meter."""

    jackpot: Annotated[str, Meta(description="The jackpot's id.")]
    level: Annotated[str, Meta(description="The meter's level.")]
    meter_micros: Annotated[int, Meta(description="Millionths of a dollar.")]
    dollars: Annotated[str, Meta(description="What a sign shows: decimal text, to the cent, floored.")]


class Meter(ShownMeter, frozen=True, kw_only=True):
    """What one level of a jackpot shows; to those who may see reports, also what it holds."""

    kind: Annotated[Kind, Meta(description="Whether it grows with wagers.")]
    version: Annotated[int, Meta(description="Of the jackpot's parameters.")]
    reserve_micros: Annotated[int | UnsetType, Meta(description="Money of the reserve for the next seed.")] = UNSET
    overflow_micros: Annotated[int | UnsetType, Meta(description="What came in above the maximum.")] = UNSET
    pending_micros: Annotated[int | UnsetType, Meta(description="What waits for approval.")] = UNSET
    paid_micros: Annotated[int | UnsetType, Meta(description="What has been paid.")] = UNSET


class StoppedJackpot(Struct, frozen=True):
    """A jackpot whose figures do not add up: it is not shown and does not play on."""

    jackpot: Annotated[str, Meta(description="The jackpot's id.")]
    why: Annotated[str, Meta(description="Why, in words.")]


class Meters(Struct, frozen=True, kw_only=True):
    meters: Annotated[tuple[Meter, ...], Meta(description="The meters as they stand.")]
    stopped: Annotated[
        tuple[StoppedJackpot, ...], Meta(description="Jackpots whose figures do not add up, each with why.")
    ]
    entry: Annotated[int, Meta(description="The ledger's last entry.")]


def may_see(caller: Caller, jackpot: str) -> bool:
    """A device sees its own jackpots, a person all."""
    return caller.device is None or jackpot in caller.device.jackpots


def shown(jackpot: str, level: str, meter_micros: int) -> ShownMeter:
    """What a sign shows: to the cent, floored."""
    return ShownMeter(jackpot=jackpot, level=level, meter_micros=meter_micros, dollars=dollars(meter_micros))


def _meter_of(meter: floor_meters.Meter, caller: Caller) -> Meter:
    every = Meter(**structs.asdict(meter), dollars=dollars(meter.meter_micros))
    if caller.person is not None and who_may(caller.person.role, Right.SEE_REPORTS):
        return every
    hidden = dict.fromkeys(("reserve_micros", "overflow_micros", "pending_micros", "paid_micros"), UNSET)
    return structs.replace(every, **hidden)


@router.get("/meters")
def meters(caller: TheCaller, room: TheRoom) -> Meters:
    """Every meter; what is not on display, for those only who may see reports. Stopped jackpots are named apart."""
    figures = room.desk.figures()
    return Meters(
        meters=tuple(_meter_of(meter, caller) for meter in figures.shown if may_see(caller, meter.jackpot)),
        stopped=tuple(StoppedJackpot(*stop) for stop in figures.stopped.items() if may_see(caller, stop[0])),
        entry=figures.entry,
    )


@router.post("/meters/{jackpot}/adjust")
def adjust(jackpot: str, body: AdjustBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Meters:
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
