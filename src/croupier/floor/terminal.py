"""A table's jackpot terminal as a machine of steps: pure functions from one state of the table to the next.

Chips light sensors; START GAME locks the lit ones; winning hands are picked, and taken off again; HIT JACKPOT proposes
awards, which stay claims until they are paid or rejected; END GAME makes ready for the next round. The Aquarius system
has the same steps under other names, and a supervisor's key that stands at JPH while awards are paid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, NamedTuple

from msgspec import UNSET, Meta, Struct, structs

from croupier.errors import CroupierError, IllegalActionError, RangeError, unknown
from croupier.floor.proof import (
    can_be_one_hand,
    is_one_result,
    is_same_hand,
    is_won_by_all,
)
from croupier.floor.roles import SOFTWARE
from croupier.floor.setup import Floor, JackpotSetup, TableSetup, each_micros, hand_label, jackpot_choice, pay_table_of
from croupier.jackpot.awards import way_past
from croupier.jackpot.commands import HitJackpot, LockedWager, LockWagers, VoidRound
from croupier.jackpot.events import JackpotHit
from croupier.jackpot.fields import RowId, SeatNumber, SensorNumber, TableId
from croupier.jackpot.pools import require_note
from croupier.jackpot.state import Award, Status, TableRound
from croupier.money import dollars_for_people
from croupier.pay.tables import Row

EVERYONE = 0
"""In the place of a seat: every participant at the table."""
PPM = 1_000_000

ROUND_STEPS = frozenset({"sense", "start", "pick", "hit", "end", "void"})

Key = Literal["run", "jph"]
Phase = Literal["open", "locked"]


class Won(NamedTuple):
    """An award that stands."""

    award: str
    status: Status
    row: str
    evidence: str
    """The cards it was claimed with; empty where none were given."""


Entered = Mapping[str, Mapping[int, Won]]
"""What a round has won so far, by jackpot and seat."""
NOTHING: Entered = {}

WORDS: dict[str, dict[str, str]] = {
    "gm_atlas": {"start": "START GAME", "hit": "HIT JACKPOT", "pay": "PAY JACKPOT", "end": "END GAME"},
    "aquarius": {"start": "START GAME", "hit": "hand button", "pay": "J-POT", "end": "GAME OVER"},
}
"""What the steps are called on each system; `nexus_command` has the words of `gm_atlas`."""


class Spot(Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """One sensor of one seat."""

    seat: SeatNumber
    sensor: SensorNumber


class Pick(Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A winning hand that the dealer has picked."""

    seat: Annotated[int, Meta(description="EVERYONE for Community Jackpot.")]
    sensor: SensorNumber
    row: RowId


class Terminal(Struct, frozen=True, kw_only=True):
    """Where a table stands."""

    table: TableId
    phase: Annotated[Phase, Meta(description="Where the round stands.")] = "open"
    round: Annotated[int, Meta(description="The round in progress, or the last one.")] = 0
    lit: Annotated[
        tuple[Spot, ...], Meta(description="Sensors that see a chip, before START GAME; the locked wagers after it.")
    ] = ()
    picks: Annotated[tuple[Pick, ...], Meta(description="The hands that are picked.")] = ()
    claims: Annotated[
        tuple[str, ...], Meta(description="Awards of this round that are neither paid nor rejected.")
    ] = ()
    key: Annotated[Key, Meta(description="Where the supervisor's key stands, at tables that have one.")] = "run"
    stopped: Annotated[str, Meta(description="Why the table is out of service, if it is.")] = ""


def word(setup: TableSetup, step: str) -> str:
    """The step as the table's system calls it."""
    return WORDS["aquarius" if setup.protocol == "aquarius" else "gm_atlas"][step]


def refuse(code: str, sentence: str) -> CroupierError:
    return IllegalActionError(sentence, code=code)


def require_phase(terminal: Terminal, setup: TableSetup, phase: Phase) -> None:
    if terminal.stopped:
        raise refuse(
            "out_of_service", f'Table "{setup.id}" is out of service: {terminal.stopped} A supervisor reopens it.'
        )
    if terminal.phase != phase:
        now = "no round is in progress" if phase == "locked" else f"round {terminal.round} is in progress"
        then = f"press {word(setup, 'start')} first" if phase == "locked" else f"press {word(setup, 'end')} first"
        raise refuse(f"not_{phase}", f'At table "{setup.id}" {now}: {then}.')


def require_dealer_of(setup: TableSetup, by: str, step: str) -> None:
    """Two dealers at one table would not agree on its round."""
    if setup.dealing == "software" and by != SOFTWARE and step in ROUND_STEPS:
        raise refuse(
            "software_deals",
            f'The software deals at table "{setup.id}" and runs its rounds; people only settle its claims.',
        )


def spot_of(setup: TableSetup, seat: int, sensor: int) -> Spot:
    """The sensor, or the refusal: there is no such seat or sensor at the table."""
    if not 1 <= seat <= setup.seats:
        raise RangeError(f'Table "{setup.id}" has the seats 1 to {setup.seats}, not {seat}.', code="unknown_seat")
    numbers = [sensor.number for sensor in setup.sensors]
    if sensor not in numbers:
        raise unknown("sensor", str(sensor), map(str, numbers), f' at table "{setup.id}"')
    return Spot(seat, sensor)


def sense(terminal: Terminal, setup: TableSetup, seat: int, sensor: int, *, lit: bool) -> Terminal:
    """A chip came to lie on a sensor, or was taken away."""
    require_phase(terminal, setup, "open")
    spots = set(terminal.lit) - {spot_of(setup, seat, sensor)}
    if lit:
        spots.add(Spot(seat, sensor))
    return structs.replace(terminal, lit=tuple(sorted(spots)))


def start(
    terminal: Terminal, setup: TableSetup, floor: Floor, *, chips: int, playing: int | None = None
) -> tuple[Terminal, LockWagers | None]:
    """START GAME: every lit sensor is a wager from now on. The dealer has counted the chips on them.

    `playing` is how many seats play, which no sensor sees: asked for where the jackpot wager is mandatory.
    """
    require_phase(terminal, setup, "open")
    if chips != len(terminal.lit):
        raise refuse(
            "chip_count_differs",
            f"{chips} chips were counted and {len(terminal.lit)} sensors are lit at table "
            f'"{setup.id}". They must be equal before the wagers are locked: look at the sensors again.',
        )
    _require_mandatory(terminal, setup, floor, playing)
    bets = []
    for spot in terminal.lit:
        jackpot = jackpot_of(setup, floor, spot.sensor)
        bets.append(
            LockedWager(
                seat=spot.seat,
                sensor=spot.sensor,
                jackpot=jackpot.id,
                amount_micros=int(jackpot.wager_micros),
                pay_table=jackpot.pay_table,
            )
        )
    now = structs.replace(terminal, phase="locked", round=terminal.round + 1, picks=(), claims=())
    locked = LockWagers(table=setup.id, round=now.round, bets=tuple(bets)) if bets else None
    return now, locked


def mandatory_sensors(setup: TableSetup, floor: Floor) -> tuple[int, ...]:
    """The sensors on which everybody who plays must wager, by the house's rule (`jackpot_wager = mandatory`)."""
    return tuple(
        sensor.number
        for sensor in setup.sensors
        if jackpot_choice(floor.jackpot(sensor.jackpot), setup).switches.get("jackpot_wager") == "mandatory"
    )


def _require_mandatory(terminal: Terminal, setup: TableSetup, floor: Floor, playing: int | None) -> None:
    """Who has a chip on one sensor plays, and must have one on each mandatory sensor. Who has none is not seen: there
    the dealer's count of the seats that play tells."""
    lacking = [
        spot
        for seat in sorted({spot.seat for spot in terminal.lit})
        for sensor in mandatory_sensors(setup, floor)
        if (spot := Spot(seat, sensor)) not in terminal.lit
    ]
    if lacking:
        listing = "; ".join(
            f"seat {spot.seat} on sensor {spot.sensor} ({name_of(jackpot_of(setup, floor, spot.sensor))})"
            for spot in lacking
        )
        raise refuse(
            "no_jackpot_wager",
            f'The jackpot wager is mandatory at table "{setup.id}": every seat that plays makes it. A chip is missing: '
            f"{listing}.",
        )
    _require_all_wager(terminal, setup, floor, playing)


def _require_all_wager(terminal: Terminal, setup: TableSetup, floor: Floor, playing: int | None) -> None:
    mandatory = mandatory_sensors(setup, floor)
    if playing is None:
        if mandatory and setup.dealing == "hand":
            raise refuse(
                "seats_playing_needed",
                f'The jackpot wager is mandatory at table "{setup.id}", and a sensor does not see who plays without a '
                f"chip: say with {word(setup, 'start')} how many seats play.",
            )
        return
    seats = {spot.seat for spot in terminal.lit}
    if not len(seats) <= playing <= setup.seats:
        raise RangeError(
            f'{playing} seats cannot be playing at table "{setup.id}": {len(seats)} have a chip on a sensor, and there '
            f"are {setup.seats}.",
            code="bad_seats_playing",
        )
    if mandatory and len(seats) < playing:
        raise refuse(
            "no_jackpot_wager",
            f'The jackpot wager is mandatory at table "{setup.id}": {playing} seats play, and '
            f"{len(seats)} of them {'has' if len(seats) == 1 else 'have'} a chip on a sensor. Every seat that plays "
            "makes it.",
        )


def name_of(jackpot: JackpotSetup) -> str:
    return jackpot.name or jackpot.id


def jackpot_of(setup: TableSetup, floor: Floor, sensor: int) -> JackpotSetup:
    for known in setup.sensors:
        if known.number == sensor:
            return floor.jackpot(known.jackpot)
    raise unknown("sensor", str(sensor), (str(known.number) for known in setup.sensors), f' at table "{setup.id}"')


def row_of(jackpot: JackpotSetup, row: str) -> Row:
    rows = pay_table_of(jackpot).rows
    for candidate in rows:
        if candidate.row == row:
            return candidate
    raise unknown(
        "hand", row, (candidate.row for candidate in rows), f' on pay table {jackpot.pay_table} of "{jackpot.id}"'
    )


def pick(
    terminal: Terminal, setup: TableSetup, floor: Floor, seat: int, sensor: int, row: str, entered: Entered = NOTHING
) -> Terminal:
    """A hand button: picks the winning hand of a seat; pressed again it takes it off.

    For seat EVERYONE it is Community Jackpot. A hand whose prize all participants share is always theirs together.
    `entered` is what the round has won so far.
    """
    require_phase(terminal, setup, "locked")
    jackpot = jackpot_of(setup, floor, sensor)
    pay_row = row_of(jackpot, row)
    if not pay_row.pays.is_share and jackpot.fixed_pays == "tray" and not jackpot.track_fixed_pays:
        raise refuse(
            "not_tracked",
            f'"{row}" of "{jackpot.id}" is paid from the tray and not entered here (track_fixed_pays is off).',
        )
    if pay_row.paid == "shared":
        others = [spot.seat for spot in terminal.lit if spot.sensor == sensor and spot.seat != seat]
        if seat != EVERYONE and others:
            raise refuse(
                "shared_by_all",
                f'"{row}" is shared by everybody with a wager on sensor {sensor}, not won by seat {seat} alone: pick '
                "it for all: seat 0 in a request, `all` at the command line.",
            )
        seat = EVERYONE
    wanted = Pick(seat, sensor, row)
    if wanted in terminal.picks:
        return structs.replace(terminal, picks=tuple(pick for pick in terminal.picks if pick != wanted))
    if seat == EVERYONE:
        if not any(spot.sensor == sensor for spot in terminal.lit):
            raise refuse("no_locked_wager", f'Nobody at table "{setup.id}" has a locked wager on sensor {sensor}.')
    elif spot_of(setup, seat, sensor) not in terminal.lit:
        raise refuse(
            "no_locked_wager",
            f"Seat {seat} has no locked wager on sensor {sensor} in round {terminal.round} "
            f'of table "{setup.id}": only a locked wager wins.',
        )
    for other in terminal.picks:
        if other.sensor == sensor and (other.seat == seat or EVERYONE in (other.seat, seat)):
            whose = "everyone" if other.seat == EVERYONE else f"seat {other.seat}"
            raise refuse(
                "one_hand_per_seat",
                f'"{other.row}" is picked for {whose} already; a seat wins with one hand. Press it again to take it '
                "off.",
            )
    _require_one_row(terminal, setup, floor, jackpot, wanted, entered)
    return structs.replace(terminal, picks=tuple(sorted((*terminal.picks, wanted))))


def _require_one_row(
    terminal: Terminal, setup: TableSetup, floor: Floor, jackpot: JackpotSetup, wanted: Pick, entered: Entered
) -> None:
    """The same cards have one row: those that all seats and sensors look at, or those of a seat that both of its
    sensors look at."""
    for pick in terminal.picks:
        other = jackpot_of(setup, floor, pick.sensor)
        if is_same_hand(setup, jackpot, wanted.seat, other, pick.seat) and not can_be_one_hand(
            setup, jackpot, wanted.row, other, pick.row
        ):
            raise _two_rows(terminal, setup, other, pick.row, "Press that hand again to take it off first.")
    if (award := award_against(setup, floor, jackpot, wanted, entered)) is not None:
        other, won = award
        raise _two_rows(terminal, setup, other, won.row, f'It is award "{won.award}". {way_past(won.status)}')


def award_against(
    setup: TableSetup, floor: Floor, jackpot: JackpotSetup, wanted: Pick, entered: Entered
) -> tuple[JackpotSetup, Won] | None:
    """An award of the round whose cards cannot be those of this hand too, with its jackpot."""
    for other, won in by_same_cards(setup, floor, jackpot, wanted.seat, entered):
        if not can_be_one_hand(setup, jackpot, wanted.row, other, won.row):
            return other, won
    return None


def by_same_cards(
    setup: TableSetup, floor: Floor, jackpot: JackpotSetup, seat: int, entered: Entered
) -> list[tuple[JackpotSetup, Won]]:
    """What a round has won by the cards that this seat's wager looks at too, with its jackpots. A prize that all share
    may have been made by another seat's cards, if each has its own."""
    found = []
    for id, seats in entered.items():
        other = floor.jackpot(id)
        for winner, won in seats.items():
            is_anyones = row_of(other, won.row).paid == "shared" and not is_one_result(other, setup)
            if not is_anyones and is_same_hand(setup, jackpot, seat, other, winner):
                found.append((other, won))
    return found


def _two_rows(terminal: Terminal, setup: TableSetup, other: JackpotSetup, row: str, way: str) -> CroupierError:
    label, whose = hand_label(other, row_of(other, row), setup), "everybody wins by the same cards: one row for all"
    if not is_one_result(other, setup):
        whose = "both sensors of a seat look at the same cards: one row for both"
    return refuse(
        "one_row_per_round",
        f'Round {terminal.round} has "{label}" for "{name_of(other)}" already, and {whose}. {way}',
    )


def entered_in(
    played: TableRound | None, round: int, award_of: Callable[[str], Award], hit_of: Callable[[str], JackpotHit]
) -> Entered:
    """What a round has won so far, by the awards that stand."""
    entered: dict[str, dict[int, Won]] = {}
    for winner in played.winners if played is not None and played.round == round else ():
        if (award := award_of(winner.award)).is_live:
            won = Won(award.id, award.status, award.row, hit_of(award.id).evidence)
            entered.setdefault(winner.jackpot, {})[winner.seat] = won
    return entered


def hits(terminal: Terminal, setup: TableSetup, floor: Floor, evidence: str) -> tuple[HitJackpot, ...]:
    """HIT JACKPOT: what is claimed for the picked hands, one award for each hand and jackpot."""
    require_phase(terminal, setup, "locked")
    if not terminal.picks:
        raise refuse("nothing_picked", f'No winning hand is picked at table "{setup.id}": pick seat and hand first.')
    hits = []
    for sensor, row in sorted({(pick.sensor, pick.row) for pick in terminal.picks}):
        jackpot = jackpot_of(setup, floor, sensor)
        pay_row = row_of(jackpot, row)
        pays = pay_row.pays
        seats = tuple(pick.seat for pick in terminal.picks if (pick.sensor, pick.row) == (sensor, row))
        community = seats == (EVERYONE,)
        hits.append(
            HitJackpot(
                jackpot=jackpot.id,
                level=jackpot.level,
                table=setup.id,
                round=terminal.round,
                seats=() if community else seats,
                community=community,
                share_ppm=int(pays.share * PPM) if pays.is_share else 0,
                each_micros=each_micros(jackpot, pay_row) or 0,
                chip_micros=int(jackpot.wager_micros) if not pays.is_share and pays.chip else UNSET,
                row=row,
                pay_table=jackpot.pay_table,
                evidence=evidence,
            )
        )
    return tuple(hits)


def claimed(terminal: Terminal, awards: tuple[str, ...]) -> Terminal:
    """The picked hands have become claims."""
    return structs.replace(terminal, picks=(), claims=(*terminal.claims, *awards))


def settled(terminal: Terminal, award: str) -> Terminal:
    """A claim was paid or rejected."""
    return structs.replace(terminal, claims=tuple(claim for claim in terminal.claims if claim != award))


def require_may_pay(terminal: Terminal, setup: TableSetup) -> None:
    """Aquarius pays only while the supervisor's key stands at JPH; where the software deals there is none to turn."""
    if setup.protocol == "aquarius" and setup.dealing == "hand" and terminal.key != "jph":
        raise refuse("key_not_at_jph", f'At table "{setup.id}" a supervisor turns the key to JPH before J-POT.')


def turn_key(terminal: Terminal, setup: TableSetup, position: Key) -> Terminal:
    if setup.protocol != "aquarius":
        raise refuse("no_key", f'Table "{setup.id}" has no key: its system asks for cards.')
    require_phase(terminal, setup, "locked")
    return structs.replace(terminal, key=position)


def void(
    terminal: Terminal, setup: TableSetup, floor: Floor, why: str, *, claimed_micros: int
) -> tuple[Terminal, VoidRound | None]:
    """A misdeal: the locked wagers go back to the players, and the table is ready for the next round."""
    require_note(why)
    jackpots = tuple(sorted({jackpot_of(setup, floor, spot.sensor).id for spot in terminal.lit}))
    now = end(terminal, setup, claimed_micros=claimed_micros)
    if not jackpots:
        return now, None
    return now, VoidRound(table=setup.id, round=terminal.round, jackpots=jackpots, note=why)


def require_all_entered(terminal: Terminal, setup: TableSetup, floor: Floor, entered: Entered) -> None:
    """A hand that wins for every participant is paid to every participant before the round ends."""
    for sensor in setup.sensors:
        jackpot = floor.jackpot(sensor.jackpot)
        won = entered.get(jackpot.id, {})
        unpaid = [spot.seat for spot in terminal.lit if spot.sensor == sensor.number and spot.seat not in won]
        if won and unpaid and is_won_by_all(jackpot, setup):
            label = hand_label(jackpot, row_of(jackpot, next(iter(won.values())).row), setup)
            seats = f"seat {unpaid[0]} has" if len(unpaid) == 1 else f"seats {', '.join(map(str, unpaid))} have"
            raise refuse(
                "participants_unpaid",
                f'"{label}" wins for everybody with a wager on "{name_of(jackpot)}", and {seats} no award yet: '
                "pick and hit it there too, or take it back: a claim is rejected, a paid award backed out.",
            )


def end(terminal: Terminal, setup: TableSetup, *, claimed_micros: int) -> Terminal:
    """END GAME: ready for the next round. Refused while a winning hand of this one is open.

    `claimed_micros` is what the open claims come to.
    """
    require_phase(terminal, setup, "locked")
    if terminal.picks:
        how = f"press {word(setup, 'hit')}"
        if setup.protocol == "aquarius":  # which has no such button: J-POT proposes and pays
            how = f"a supervisor turns the key to JPH, then {word(setup, 'pay')}"
        raise refuse(
            "picks_not_hit", f"Winning hands are picked and not hit: {how}; or press the hand again to clear it."
        )
    if terminal.claims:
        claims = "claim" if len(terminal.claims) == 1 else f"{len(terminal.claims)} claims"
        amount = dollars_for_people(claimed_micros)
        raise refuse("claim_open", f"Pay or reject the {claims} of {amount} at {setup.name or setup.id} first.")
    if terminal.key != "run":
        raise refuse(
            "key_not_at_run", f"The supervisor's key stands at JPH: turn it to Run before {word(setup, 'end')}."
        )
    return structs.replace(terminal, phase="open", lit=())


def clear(
    terminal: Terminal, setup: TableSetup, floor: Floor, why: str, *, claimed_micros: int, has_paid: bool
) -> tuple[Terminal, VoidRound | None]:
    """A table that cannot go on is made ready for the next round, whatever was pressed; locked wagers go back.

    A round that has paid an award is ended, as it is not voided any more. An open claim is settled first.
    """
    require_note(why)
    if terminal.phase == "open":
        return structs.replace(terminal, lit=()), None
    ready = structs.replace(terminal, picks=(), key="run", stopped="")
    if has_paid:
        then, voided = end(ready, setup, claimed_micros=claimed_micros), None
    else:
        then, voided = void(ready, setup, floor, why, claimed_micros=claimed_micros)
    return structs.replace(then, stopped=terminal.stopped), voided


def stop(terminal: Terminal, why: str) -> Terminal:
    """Out of service. A round in progress stays as it is."""
    require_note(why)
    return structs.replace(terminal, stopped=why.strip())


def reopen(terminal: Terminal) -> Terminal:
    return structs.replace(terminal, stopped="")
