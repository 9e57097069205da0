"""An award that two people enter by hand: the right one after another was backed out, or one that its round has missed.

It is decided by the wagers that were locked in that round, and by the setup in force now, which must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from croupier.errors import IllegalActionError
from croupier.floor import terminal as steps
from croupier.floor.proving import prove_picks
from croupier.floor.setup import Floor, TableSetup
from croupier.floor.terminal import Entered, Pick, Spot, Terminal
from croupier.jackpot import HitJackpot, TableRound
from croupier.money import dollars_for_people


def plan_by_hand(
    played: TableRound | None,
    setup: TableSetup,
    floor: Floor,
    picks: Sequence[Pick],
    *,
    entered: Entered,
    evidence: str,
    side: str,
) -> tuple[HitJackpot, ...]:
    """The awards of a round that is known, without who signs for them; or the refusal that the terminal would give."""
    if played is None or not played.bets:
        raise IllegalActionError(
            f'Of that round of table "{setup.id}" no wagers are on record within reach, so nothing is won in it.',
            code="round_not_locked",
        )
    _require_same_set_up(played, setup, floor)
    lit = tuple(sorted(Spot(bet.seat, bet.sensor) for bet in played.bets))
    then = Terminal(table=setup.id, phase="locked", round=played.round, lit=lit)
    for pick in picks:
        then = steps.pick(then, setup, floor, pick.seat, pick.sensor, pick.row, entered)
    return steps.hits(then, setup, floor, prove_picks(then, setup, floor, evidence, side, entered))


def _require_same_set_up(played: TableRound, setup: TableSetup, floor: Floor) -> None:
    now = {sensor.number: floor.jackpot(sensor.jackpot) for sensor in setup.sensors}
    for bet in played.bets:
        jackpot = now.get(bet.sensor)
        if jackpot is None or (jackpot.id, jackpot.pay_table, int(jackpot.wager_micros)) != (
            bet.jackpot,
            bet.pay_table,
            bet.amount_micros,
        ):
            raise IllegalActionError(
                f"Round {played.round} was played for {dollars_for_people(bet.amount_micros)} by pay table "
                f'{bet.pay_table} of "{bet.jackpot}" on sensor {bet.sensor}, which is not the setup in force now. Put '
                "that one into force again to enter an award by it.",
                code="set_up_changed",
            )


def signed(commands: Sequence[HitJackpot], *, note: str, second: str) -> tuple[HitJackpot, ...]:
    return tuple(structs.replace(command, note=note, second=second) for command in commands)
