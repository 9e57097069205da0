"""Awards in two phases: a hit locks the amount, then it is paid, or rejected; after payment only backed out by hand.

What was backed out, or missed in a round that is over, is put right by an award by hand: by two people, with a note.
"""

from __future__ import annotations

from croupier.errors import IllegalActionError, RangeError
from croupier.jackpot.accounts import WHOLE, Account, Key, Moves
from croupier.jackpot.commands import (
    BackOutAward,
    Funding,
    HitJackpot,
    Level,
    PayAward,
    RejectAward,
)
from croupier.jackpot.events import AwardBackedOut, AwardPaid, AwardRejected, JackpotHit
from croupier.jackpot.pools import (
    LONGEST_NOTE,
    MOST_MICROS,
    WHOLE_PPM,
    pour,
    require_name,
    require_note,
    require_second,
)
from croupier.jackpot.state import Award, Jackpot, State, Status, TableRound
from croupier.money import MICROS_PER_CENT, dollars_for_people

_WAY_PAST: dict[Status, str] = {
    "pending": "Reject that award first.",
    "paid": "It is paid: only a manual adjustment by two people backs it out; after that they enter the right award by "
    "hand.",
}


def hit(state: State, command: HitJackpot, award: str, actor: str = "") -> JackpotHit:
    """Locks the award and sets the meter on for the next one, in one event."""
    jackpot = state.open_jackpot(command.jackpot)
    level = jackpot.level(command.level)
    if is_by_hand(command):
        require_note(command.note or "")
        require_second(actor, command.second or "")
    played = _played(state, command)
    seats = _winners(state, command, played)
    _require_one_pay(command)
    _require_chip(command, played, seats)
    meter: Key = (jackpot.id, level.id, "meter")
    moves = Moves(state.balances)
    meter_before = moves.balance(meter)
    funding, share = _each(jackpot, level, command, meter_before, len(seats))
    if share == 0:
        raise IllegalActionError(
            f"The meter shows {dollars_for_people(meter_before)}: its part is less than a cent for each of "
            f"{len(seats)} winners. Nothing can be paid.",
            code="nothing_to_pay",
        )
    amount = share * len(seats)
    reset_by = jackpot.tallies[level.id].reset_by
    whole_meter = funding == "meter" and command.share_ppm == WHOLE_PPM
    advanced = joined = rest = 0
    if funding == "meter":
        if amount > meter_before:  # only a fixed pay can be: a share is of what is there
            advanced = amount - meter_before
            moves.move(advanced, (jackpot.id, level.id, "seed"), meter)
        if command.share_ppm:
            rest = meter_before * command.share_ppm // WHOLE_PPM - amount
    moves.move(amount, (jackpot.id, level.id, funding), (jackpot.id, level.id, "pending"))
    if whole_meter:
        reset_by = award
        advanced, joined = _reset(moves, jackpot, level)
    return JackpotHit(
        award=award,
        jackpot=jackpot.id,
        level=level.id,
        table=command.table,
        round=command.round,
        seats=seats,
        community=command.community,
        share_ppm=command.share_ppm,
        each_micros=share,
        amount_micros=amount,
        rest_micros=rest,
        funding=funding,
        meter_before_micros=meter_before,
        meter_after_micros=moves.balance(meter),
        seed_micros=advanced,
        reserve_micros=joined,
        reset_by=reset_by,
        row=command.row,
        pay_table=command.pay_table,
        evidence=command.evidence,
        chip_micros=command.chip_micros or 0,
        note=command.note or "",
        second=command.second or "",
        postings=moves.postings(),
    )


def is_by_hand(command: HitJackpot) -> bool:
    """Whether two people enter the award: in place of one that was backed out, or for a round that is over."""
    return bool(command.note or command.second)


def _each(jackpot: Jackpot, level: Level, command: HitJackpot, meter: int, winners: int) -> tuple[Funding, int]:
    """Where the award comes from, and the whole cents that each winner gets."""
    if jackpot.parameters.kind == "house":  # a prize to each winner, of the house's money; the posted amount stays
        return "tray", command.each_micros or _whole_cents(level.seed_micros * command.share_ppm // WHOLE_PPM)
    if command.share_ppm:
        # The floor of the even share; what does not divide stays in the meter, so no seat is better than another.
        return "meter", _whole_cents(meter * command.share_ppm // WHOLE_PPM // winners)
    return jackpot.parameters.fixed_pays, command.each_micros


def _whole_cents(micros: int) -> int:
    return micros - micros % MICROS_PER_CENT


def _reset(moves: Moves, jackpot: Jackpot, level: Level) -> tuple[int, int]:
    """Seed from the house, then the reserve as far as the maximum lets it. Returns both."""
    meter: Key = (jackpot.id, level.id, "meter")
    reserve: Key = (jackpot.id, level.id, "reserve")
    pour(moves, jackpot, level, level.seed_micros, (jackpot.id, level.id, "seed"))
    joined = moves.balance(reserve)
    if level.cap_micros is not None:
        joined = min(joined, max(0, level.cap_micros - moves.balance(meter)))
    moves.move(joined, reserve, meter)
    return level.seed_micros, joined


def _played(state: State, command: HitJackpot) -> TableRound:
    """The round that is won in: the table's latest, or by hand also one before it that the log still tells of."""
    latest = state.rounds.get(command.table)
    played = state.round_of(command.table, command.round) if is_by_hand(command) else latest
    if played is None or played.round != command.round:
        raise IllegalActionError(
            f'Round {command.round} of table "{command.table}" has no locked wagers now'
            + (f"; its latest round is {latest.round}." if latest else "; START GAME comes first."),
            code="round_not_locked",
        )
    return played


def _winners(state: State, command: HitJackpot, played: TableRound) -> tuple[int, ...]:
    """The seats that win: each with a locked wager on this jackpot in the round, and no award yet."""
    participants = {bet.seat for bet in played.bets if bet.jackpot == command.jackpot}
    if command.community and command.seats:
        raise RangeError("A community award goes to every participant: name no seats.", code="bad_winners")
    seats = tuple(sorted(participants)) if command.community else command.seats
    if not seats or len(set(seats)) != len(seats):
        raise RangeError(
            "An award needs winning seats, each once." if command.seats or not command.community else
            f'No seat of table "{command.table}" has a wager on "{command.jackpot}" in round {command.round}.',
            code="bad_winners",
        )  # fmt: skip
    for seat in seats:
        if seat not in participants:
            raise IllegalActionError(
                f'Seat {seat} of table "{command.table}" has no locked wager on "{command.jackpot}" in round '
                f"{command.round}; seats with one: {', '.join(map(str, sorted(participants))) or 'none'}.",
                code="no_locked_wager",
            )
        _require_not_won(state, command, played, seat)
    return seats


def _require_not_won(state: State, command: HitJackpot, played: TableRound, seat: int) -> None:
    """A seat wins a jackpot once in a round. An award that was backed out makes way for the right one by hand only."""
    for winner in played.winners:
        if (winner.jackpot, winner.seat) != (command.jackpot, seat):
            continue
        award = state.awards.get(winner.award)
        status = award.status if award is not None else "paid"
        if is_by_hand(command) and status in ("rejected", "backed_out"):
            continue
        raise IllegalActionError(
            f'Seat {seat} won award "{winner.award}" on "{command.jackpot}" in round {played.round} already; only the '
            f"highest hand pays. {way_past(status)}",
            code="already_hit",
        )


def way_past(status: Status) -> str:
    """What makes way for another award where one stands, or has stood."""
    if status in _WAY_PAST:
        return _WAY_PAST[status]
    return "That award was backed out. The right one is entered by hand: by two people, with a note and the cards."


def _require_chip(command: HitJackpot, played: TableRound, seats: tuple[int, ...]) -> None:
    """What goes back to a winner is the wager that was locked, and only beside a fixed pay."""
    if not command.chip_micros:
        return
    staked = {bet.seat: bet.amount_micros for bet in played.bets if bet.jackpot == command.jackpot}
    if command.share_ppm or any(staked[seat] != command.chip_micros for seat in seats):
        raise RangeError(
            f"A wager of {dollars_for_people(command.chip_micros)} cannot go back to the winners: beside a fixed pay "
            "each gets the wager that was locked, and beside a share of the meter none.",
            code="bad_award",
        )


def _require_one_pay(command: HitJackpot) -> None:
    if max(len(command.row), len(command.pay_table), len(command.evidence)) > LONGEST_NOTE:
        raise RangeError(f"Row, pay table and evidence have at most {LONGEST_NOTE} characters.", code="bad_award")
    if (command.share_ppm != 0) == (command.each_micros != 0):
        raise RangeError(
            "An award is either a share of the meter (share_ppm) or a fixed pay (each_micros).", code="bad_award"
        )
    if not 0 <= command.share_ppm <= WHOLE_PPM:
        raise RangeError(
            f"A share of {command.share_ppm / 10_000:g}% is not possible; it is above 0 and at most 100%.",
            code="bad_award",
        )
    if not 0 <= command.each_micros <= MOST_MICROS or command.each_micros % MICROS_PER_CENT:
        raise RangeError(
            f"A fixed pay of {command.each_micros} micros is not possible; it is whole cents above $0.",
            code="bad_award",
        )


def pay(state: State, command: PayAward) -> AwardPaid:
    """Pending money is paid out. Who may approve how much is the floor's to decide; that somebody did is ours."""
    award = _require(state, command.award, "pending")
    if not command.approved_by or len(set(command.approved_by)) != len(command.approved_by):
        raise IllegalActionError(
            f'Award "{award.id}" is paid after approval: name who approved it, each once.', code="approval_missing"
        )
    for name in command.approved_by:
        require_name("approver", name)
    moves = Moves(state.balances)
    moves.move(award.amount_micros, (award.jackpot, award.level, "pending"), (award.jackpot, award.level, "paid"))
    moves.move(award.chips_micros, (award.jackpot, WHOLE, "chips"), (award.jackpot, WHOLE, "wagers"))
    return AwardPaid(
        award=award.id,
        approved_by=command.approved_by,
        amount_micros=award.amount_micros,
        postings=moves.postings(),
    )


def reject(state: State, command: RejectAward) -> AwardRejected:
    """Pending money goes back."""
    award = _require(state, command.award, "pending")
    require_note(command.note)
    moves = Moves(state.balances)
    seed, reserve, reset_by = _give_back(moves, state, award, "pending")
    return AwardRejected(
        award=award.id,
        amount_micros=award.amount_micros,
        seed_micros=seed,
        reserve_micros=reserve,
        reset_by=reset_by,
        note=command.note,
        postings=moves.postings(),
    )


def back_out(state: State, command: BackOutAward, actor: str) -> AwardBackedOut:
    """Paid money goes back, by hand and with two people."""
    award = _require(state, command.award, "paid")
    require_note(command.note)
    require_second(actor, command.second)
    moves = Moves(state.balances)
    seed, reserve, reset_by = _give_back(moves, state, award, "paid")
    moves.move(award.chips_micros, (award.jackpot, WHOLE, "wagers"), (award.jackpot, WHOLE, "chips"))
    return AwardBackedOut(
        award=award.id,
        amount_micros=award.amount_micros,
        seed_micros=seed,
        reserve_micros=reserve,
        reset_by=reset_by,
        note=command.note,
        second=command.second,
        postings=moves.postings(),
    )


def _give_back(moves: Moves, state: State, award: Award, lies_in: Account) -> tuple[int, int, str]:
    """The award's money back where it came from.

    What the house advanced at the hit, and what the reserve gave, is in the meter until the next 100% award takes it.
    Until then it goes back too, so the meter stands as if the hit had never been, with all contributions since. After
    that the next winner has it: the award goes to the meter whole, and the seed stays advanced.

    Returns what the house and the reserve got, and which 100% award the meter now counts as seeded after.
    """
    jackpot = state.open_jackpot(award.jackpot)
    level = jackpot.level(award.level)
    reset_by = jackpot.tallies[award.level].reset_by
    held: Key = (award.jackpot, award.level, lies_in)
    if award.funding == "tray":
        moves.move(award.amount_micros, held, (award.jackpot, award.level, "tray"))
        return 0, 0, reset_by
    meter: Key = (award.jackpot, award.level, "meter")
    seed = reserve = 0
    moves.move(award.amount_micros, held, meter)
    is_latest = reset_by == award.reset_by
    if is_latest:
        # Other awards may have emptied the meter since: never take more than it holds, players' reserve first.
        reserve = min(award.reserve_micros, moves.balance(meter))
        moves.move(reserve, meter, (award.jackpot, award.level, "reserve"))
        outstanding = -moves.balance((award.jackpot, award.level, "seed"))
        seed = min(award.seed_micros, outstanding, moves.balance(meter))
        moves.move(seed, meter, (award.jackpot, award.level, "seed"))
    if level.cap_micros is not None:
        above = max(0, moves.balance(meter) - level.cap_micros)
        moves.move(above, meter, (award.jackpot, award.level, "overflow"))
    return seed, reserve, award.reset_by_before if is_latest else reset_by


def _require(state: State, award_id: str, status: Status) -> Award:
    award = state.awards.get(award_id)
    if award is None:
        raise IllegalActionError(
            f'There is no award "{award_id}". An award has the id of the hit that made it.', code="unknown_award"
        )
    if award.status != status:
        if status == "paid":
            hint = "A pending one is rejected; others are settled already."
        elif award.status == "paid":
            hint = "Only a manual adjustment (back out) can undo it now."
        else:
            hint = "It is settled already."
        raise IllegalActionError(
            f'Award "{award_id}" is {award.status.replace("_", " ")}, not {status}. {hint}', code=f"award_not_{status}"
        )
    return award
