"""A floor's setup in the ledger's words: the parameters of a jackpot, and the commands that a change means."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.errors import IllegalActionError
from croupier.floor.checks.meters import alarm_of
from croupier.floor.setup import Floor, JackpotSetup
from croupier.jackpot import (
    AnyCommand,
    ChangeParameters,
    CloseJackpot,
    Jackpot,
    Level,
    OpenJackpot,
    Parameters,
)


def parameters_of(jackpot: JackpotSetup) -> Parameters:
    """How a jackpot works."""
    level = Level(
        id=jackpot.level,
        seed_micros=int(jackpot.seed_micros),
        contribution_ppm=jackpot.contribution_ppm,
        reserve_ppm=jackpot.reserve_ppm,
        cap_micros=int(jackpot.cap_micros) if jackpot.cap_micros is not None else None,
        unreasonable_micros=alarm_of(jackpot),
    )
    return Parameters(kind=jackpot.kind, fixed_pays=jackpot.fixed_pays, levels=(level,))


def opening_commands(floor: Floor) -> list[AnyCommand]:
    """Every jackpot of a new floor."""
    return [OpenJackpot(jackpot=jackpot.id, parameters=parameters_of(jackpot)) for jackpot in floor.jackpots]


def change_commands(old: Floor, new: Floor, jackpots: Iterable[Jackpot], second: str) -> list[AnyCommand]:
    """What a change of setup does to the ledger's jackpots.

    One that is left out is closed, which the ledger refuses while it holds players' money: such a one is closed by
    itself before, saying where that goes.
    """
    money: list[AnyCommand] = []
    known = {jackpot.id: jackpot for jackpot in jackpots}
    before = {setup.id: parameters_of(setup) for setup in old.jackpots}
    for setup in new.jackpots:
        parameters = parameters_of(setup)
        if setup.id not in known:
            money.append(OpenJackpot(jackpot=setup.id, parameters=parameters))
        elif known[setup.id].closed:
            raise IllegalActionError(
                f'The jackpot "{setup.id}" is closed and a name is used once: leave it out, or give a new one another '
                "name.",
                code="jackpot_closed",
            )
        elif before.get(setup.id) != parameters:
            version = known[setup.id].version
            money.append(ChangeParameters(jackpot=setup.id, parameters=parameters, based_on=version, second=second))
    kept = {setup.id for setup in new.jackpots}
    for gone in old.jackpots:
        if gone.id not in kept:
            money.append(CloseJackpot(jackpot=gone.id, note=new.version.reason, second=second))
    return money
