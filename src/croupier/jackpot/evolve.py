"""What an event changes. Pure: given the state before, returns the values that are new."""

from __future__ import annotations

from msgspec import UNSET, structs

from croupier.errors import LedgerError
from croupier.jackpot.accounts import HELD, SOURCES, require_zero_sum
from croupier.jackpot.decide import new_tallies
from croupier.jackpot.events import (
    AnyEvent,
    AwardBackedOut,
    AwardPaid,
    AwardRejected,
    FactRecorded,
    JackpotClosed,
    JackpotHit,
    JackpotOpened,
    MeterAdjusted,
    ParametersChanged,
    Prize,
    RoundVoided,
    WagersLocked,
)
from croupier.jackpot.state import Award, Jackpot, RecordedFact, State, TableRound, Tally, Winner


def evolve(state: State, event: AnyEvent) -> State:
    """The part of the state that the event changed, checked: money that does not add up is never returned."""
    require_zero_sum(event.postings)
    changes = State()
    for posting in event.postings:
        before = changes.balances.get(posting.key, state.balances.get(posting.key, 0))
        changes.balances[posting.key] = before + posting.micros
    match event:
        case WagersLocked():
            _locked(state, changes, event)
        case RoundVoided():
            changes.rounds[event.table] = TableRound(table=event.table, round=event.round, bets=())
        case JackpotHit():
            _hit(state, changes, event)
        case AwardPaid():
            award = state.awards[event.award]
            changes.awards[award.id] = structs.replace(award, status="paid", approved_by=event.approved_by)
        case AwardRejected() | AwardBackedOut():
            _returned(state, changes, event)
        case JackpotOpened():
            tallies = new_tallies(event.parameters, {})
            changes.jackpots[event.jackpot] = Jackpot(
                id=event.jackpot, parameters=event.parameters, version=1, tallies=tallies
            )
        case ParametersChanged():
            jackpot = state.jackpots[event.jackpot]
            changes.jackpots[jackpot.id] = structs.replace(
                jackpot,
                parameters=event.parameters,
                version=event.version,
                tallies=new_tallies(event.parameters, jackpot.tallies),
            )
        case JackpotClosed():
            changes.jackpots[event.jackpot] = structs.replace(state.jackpots[event.jackpot], closed=True)
        case FactRecorded():
            changes.facts[event.subject] = RecordedFact(
                subject=event.subject, version=event.version, kind=event.kind, body=event.body
            )
        case MeterAdjusted():
            pass  # its postings say it all
    require_invariants(state, changes)
    return changes


def _tally_changed(state: State, changes: State, jackpot: str, level: str, tally: Tally) -> None:
    before = changes.jackpots.get(jackpot) or state.jackpots[jackpot]
    changes.jackpots[jackpot] = structs.replace(before, tallies={**before.tallies, level: tally})


def _locked(state: State, changes: State, event: WagersLocked) -> None:
    changes.rounds[event.table] = TableRound(
        table=event.table, round=event.round, bets=event.bets, accruals=event.accruals
    )
    for accrual in event.accruals:
        tally = state.jackpots[accrual.jackpot].tallies[accrual.level]
        carries = (accrual.meter_carry, accrual.reserve_carry)
        if carries != (tally.meter_carry, tally.reserve_carry):
            carried = structs.replace(tally, meter_carry=carries[0], reserve_carry=carries[1])
            _tally_changed(state, changes, accrual.jackpot, accrual.level, carried)


def _hit(state: State, changes: State, event: JackpotHit) -> None:
    tally = state.jackpots[event.jackpot].tallies[event.level]
    seed_won = _seed_won(state, event, tally)
    changes.awards[event.award] = Award(
        id=event.award,
        **{name: getattr(event, name) for name in Prize.__struct_fields__},
        reset_by_before=tally.reset_by,
        seed_won_micros=seed_won,
        chip_micros=event.chip_micros or UNSET,
    )
    won = tuple(Winner(jackpot=event.jackpot, seat=seat, award=event.award) for seat in event.seats)
    latest, past = state.rounds[event.table], state.past.get((event.table, event.round))
    if latest.round == event.round:
        changes.rounds[event.table] = structs.replace(latest, winners=latest.winners + won)
    elif past is not None:  # entered by hand after its round; what is stored of a table is its latest round alone
        changes.past[event.table, event.round] = structs.replace(past, winners=past.winners + won)
    more = structs.replace(
        tally,
        hit_micros=tally.hit_micros + event.amount_micros,
        reset_by=event.reset_by,
        seed_won_micros=tally.seed_won_micros + seed_won,
    )
    _tally_changed(state, changes, event.jackpot, event.level, more)


def _seed_won(state: State, event: JackpotHit, tally: Tally) -> int:
    """With a 100% award goes all seed money that lay in the meter; with a fixed pay, what the meter lacked for it."""
    if event.reset_by != event.award:
        return event.seed_micros
    return max(0, -state.balance(event.jackpot, event.level, "seed") - tally.seed_won_micros)


def _returned(state: State, changes: State, event: AwardRejected | AwardBackedOut) -> None:
    award = state.awards[event.award]
    status = "rejected" if isinstance(event, AwardRejected) else "backed_out"
    changes.awards[award.id] = structs.replace(award, status=status)
    tally = state.jackpots[award.jackpot].tallies[award.level]
    less = structs.replace(
        tally,
        returned_micros=tally.returned_micros + event.amount_micros,
        reset_by=event.reset_by,
        seed_won_micros=tally.seed_won_micros - award.seed_won_micros,
    )
    _tally_changed(state, changes, award.jackpot, award.level, less)
    played = state.rounds.get(award.table)
    if isinstance(event, AwardRejected) and played is not None and played.round == award.round:
        # The seat may still have another hand of this round, which the wrong award stood in the way of.
        others = tuple(winner for winner in played.winners if winner.award != award.id)
        changes.rounds[award.table] = structs.replace(played, winners=others)


def require_invariants(state: State, changes: State) -> None:
    """What holds after every event of every jackpot. A breach is a fault of this program or of its storage."""
    for (jackpot, level, account), micros in changes.balances.items():
        if (account in HELD and micros < 0) or (account in SOURCES and micros > 0):
            raise LedgerError(
                f'The {account} of jackpot "{jackpot}" level "{level}" would be {micros} micros, which cannot be.',
                code="balance_impossible",
            )
    levels = {
        (jackpot, level) for jackpot, level, account in changes.balances if account in ("pending", "paid", "meter")
    }
    for name, level in sorted(levels):
        _require_level(name, level, state, changes)


def _require_level(name: str, level: str, state: State, changes: State) -> None:
    jackpot = changes.jackpots.get(name) or state.jackpots[name]
    tally = jackpot.tallies[level]

    def balance(account: str) -> int:
        key = (name, level, account)
        return changes.balances.get(key, state.balances.get(key, 0))

    awarded = tally.hit_micros - tally.returned_micros
    if balance("pending") + balance("paid") != awarded:
        raise LedgerError(
            f'Jackpot "{name}" level "{level}": {balance("pending")} micros pending and {balance("paid")} paid, but '
            f"the awards add up to {awarded}.",
            code="awards_mismatch",
        )
    cap = jackpot.level(level).cap_micros
    if cap is not None and balance("meter") > cap:
        raise LedgerError(
            f'The meter of jackpot "{name}" level "{level}" would be {balance("meter")} micros, above its cap {cap}.',
            code="meter_over_cap",
        )
