"""Rounds: START GAME locks the wagers and books their parts; a misdeal gives them back."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.errors import IllegalActionError, RangeError
from croupier.jackpot.accounts import WHOLE, Moves
from croupier.jackpot.commands import LockedWager, LockWagers, VoidRound
from croupier.jackpot.events import Accrual, RoundVoided, WagersLocked
from croupier.jackpot.pools import MOST_MICROS, WHOLE_PPM, pour, require_name, require_note
from croupier.jackpot.state import Jackpot, State, TableRound
from croupier.money import MICROS_PER_CENT, dollars_for_people

MOST_BETS = 64
"""Of one round at one table: more seats and sensors than a table has."""


def lock(state: State, command: LockWagers) -> WagersLocked:
    """Books every wager of a round: the parts of meters and reserves, and the house's."""
    require_name("table", command.table)
    last = state.rounds.get(command.table)
    if command.round < 1 or (last is not None and command.round <= last.round):
        raise IllegalActionError(
            f'Round {command.round} of table "{command.table}" cannot be locked'
            + (
                f": round {last.round} is locked already. The next is {last.round + 1}."
                if last
                else "; rounds start at 1."
            ),
            code="round_order",
        )
    _require_sound_bets(command.bets)
    moves = Moves(state.balances)
    accruals: list[Accrual] = []
    for name in _jackpots_of(command.bets):
        jackpot = state.open_jackpot(name)
        wagered = sum(bet.amount_micros for bet in command.bets if bet.jackpot == name)
        accruals += _accrue(moves, jackpot, wagered)
    return WagersLocked(
        table=command.table,
        round=command.round,
        bets=command.bets,
        accruals=tuple(accruals),
        postings=moves.postings(),
    )


def _require_sound_bets(bets: Sequence[LockedWager]) -> None:
    if len(bets) > MOST_BETS:
        raise RangeError(f"{len(bets)} wagers in one round; a table has at most {MOST_BETS}.", code="too_many_bets")
    for bet in bets:
        if bet.seat < 1 or bet.sensor < 1:
            raise RangeError(f"Seat {bet.seat}, sensor {bet.sensor}: both are counted from 1.", code="bad_seat")
        if not 0 < bet.amount_micros <= MOST_MICROS or bet.amount_micros % MICROS_PER_CENT:
            raise RangeError(
                f"The wager of seat {bet.seat} is {bet.amount_micros} micros; it must be whole cents above $0.",
                code="bad_wager",
            )
    for what, spots in (
        ("sensor", {(bet.seat, bet.sensor) for bet in bets}),
        ("jackpot", {(bet.seat, bet.jackpot) for bet in bets}),
    ):
        if len(spots) != len(bets):
            raise IllegalActionError(
                f"A seat has two wagers on one {what}; each seat has at most one.", code="two_bets_one_seat"
            )


def _accrue(moves: Moves, jackpot: Jackpot, wagered: int) -> list[Accrual]:
    """Splits the wagers of one jackpot over its levels; what no level takes is the house's."""
    accruals = []
    left = wagered
    wagers = (jackpot.id, WHOLE, "wagers")
    for level in jackpot.parameters.levels:
        tally = jackpot.tallies[level.id]
        to_meter, meter_carry = divmod(wagered * level.contribution_ppm + tally.meter_carry, WHOLE_PPM)
        to_reserve, reserve_carry = divmod(wagered * level.reserve_ppm + tally.reserve_carry, WHOLE_PPM)
        if level.unreasonable_micros is not None and to_meter + to_reserve > level.unreasonable_micros:
            raise IllegalActionError(
                f'Level "{level.id}" of "{jackpot.id}" would grow by {dollars_for_people(to_meter + to_reserve)} in '
                f"one round; above {dollars_for_people(level.unreasonable_micros)} that is taken for a fault.",
                code="unreasonable_contribution",
            )
        pour(moves, jackpot, level, to_meter, wagers)
        moves.move(to_reserve, wagers, (jackpot.id, level.id, "reserve"))
        left -= to_meter + to_reserve
        accruals.append(
            Accrual(
                jackpot=jackpot.id,
                level=level.id,
                meter_micros=to_meter,
                reserve_micros=to_reserve,
                meter_carry=meter_carry,
                reserve_carry=reserve_carry,
            )
        )
    # Carried parts can take at most a micro per level more than the rates; the house's part may lend it, even when
    # that part is nothing, because the micro was booked as the house's when it was carried.
    receipts = (jackpot.id, WHOLE, "receipts")
    moves.move(abs(left), *((wagers, receipts) if left >= 0 else (receipts, wagers)))
    return accruals


def void(state: State, command: VoidRound) -> RoundVoided:
    """The wagers go back, the house's part of them too. Meters and reserves keep theirs, at the house's expense."""
    require_note(command.note)
    played = state.rounds.get(command.table)
    if played is None or played.round != command.round or not played.bets:
        raise IllegalActionError(
            f'Round {command.round} of table "{command.table}" has no locked wagers now, so there is nothing to void'
            + (f"; its latest round is {played.round}." if played else "."),
            code="round_not_locked",
        )
    names = _jackpots_of(played.bets)
    if sorted(command.jackpots) != names:
        raise IllegalActionError(
            f'Round {command.round} of table "{command.table}" has wagers on {", ".join(names)}; name these jackpots, '
            "each once.",
            code="other_jackpots",
        )
    if played.winners:
        awards = ", ".join(sorted({winner.award for winner in played.winners}))
        raise IllegalActionError(
            f'Round {command.round} of table "{command.table}" has the award {awards}: reject it before the round is '
            "void. A round with a paid award is not voided.",
            code="round_has_awards",
        )
    moves = Moves(state.balances)
    advanced = sum(_take_back(moves, state.open_jackpot(name), played) for name in names)
    return RoundVoided(
        table=played.table,
        round=played.round,
        bets=played.bets,
        seed_micros=advanced,
        note=command.note,
        postings=moves.postings(),
    )


def _take_back(moves: Moves, jackpot: Jackpot, played: TableRound) -> int:
    """One jackpot's wagers to the players. Returns what the house put up for what the meters keep."""
    wagers, receipts = (jackpot.id, WHOLE, "wagers"), (jackpot.id, WHOLE, "receipts")
    wagered = sum(bet.amount_micros for bet in played.bets if bet.jackpot == jackpot.id)
    accruals = [accrual for accrual in played.accruals if accrual.jackpot == jackpot.id]
    for accrual in accruals:
        moves.move(accrual.meter_micros + accrual.reserve_micros, (jackpot.id, accrual.level, "seed"), wagers)
    contributed = sum(accrual.meter_micros + accrual.reserve_micros for accrual in accruals)
    left = wagered - contributed
    # Micros that were carried may have been lent to other rounds since; what receipts lack of them, the house puts up.
    lent = max(0, left - moves.balance(receipts))
    moves.move(lent, (jackpot.id, accruals[0].level, "seed"), wagers)
    moves.move(abs(left - lent), *((receipts, wagers) if left >= lent else (wagers, receipts)))
    return contributed + lent


def _jackpots_of(bets: Sequence[LockedWager]) -> list[str]:
    return sorted({bet.jackpot for bet in bets})
