"""A table's jackpot terminal as a machine of steps: pure functions from one state of the table to the next.

Chips light sensors; START GAME locks the lit ones; winning hands are picked, and taken off again; HIT JACKPOT proposes
awards, which stay claims until they are paid or rejected; END GAME makes ready for the next round. The Aquarius system
has the same steps under other names, and a supervisor's key that stands at JPH while awards are paid.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, structs

from croupier.errors import CroupierError, IllegalActionError, RangeError, unknown
from croupier.floor.setup import Floor, JackpotSetup, TableSetup, pay_table_of
from croupier.jackpot.commands import Bet, HitJackpot, LockWagers, VoidRound
from croupier.jackpot.pools import require_note
from croupier.money import dollars_for_people
from croupier.pay.tables import Row

EVERYONE = 0
"""In the place of a seat: every participant at the table."""
PPM = 1_000_000

Key = Literal["run", "jph"]
Phase = Literal["open", "locked"]

WORDS: dict[str, dict[str, str]] = {
    "gm_atlas": {"start": "START GAME", "hit": "HIT JACKPOT", "pay": "PAY JACKPOT", "end": "END GAME"},
    "aquarius": {"start": "START GAME", "hit": "hand button", "pay": "J-POT", "end": "GAME OVER"},
}
"""What the steps are called on each system; `nexus_command` has the words of `gm_atlas`."""


class Spot(Struct, frozen=True, order=True):
    """One sensor of one seat."""

    seat: int
    sensor: int


class Pick(Struct, frozen=True, order=True):
    """A winning hand that the dealer has picked."""

    seat: int
    """EVERYONE for Community Jackpot."""
    sensor: int
    row: str


class Terminal(Struct, frozen=True, kw_only=True):
    """Where a table stands."""

    table: str
    phase: Phase = "open"
    round: int = 0
    """The round in progress, or the last one."""
    lit: tuple[Spot, ...] = ()
    """Sensors that see a chip, before START GAME; the locked wagers after it."""
    picks: tuple[Pick, ...] = ()
    claims: tuple[str, ...] = ()
    """Awards of this round that are neither paid nor rejected."""
    key: Key = "run"
    stopped: str = ""
    """Why the table is out of service, if it is."""


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


def spot_of(setup: TableSetup, seat: int, sensor: int) -> Spot:
    """The sensor, or the refusal: there is no such seat or sensor at the table."""
    if not 1 <= seat <= setup.seats:
        raise RangeError(f'Table "{setup.id}" has the seats 1 to {setup.seats}, not {seat}.', code="unknown_seat")
    numbers = [one.number for one in setup.sensors]
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


def start(terminal: Terminal, setup: TableSetup, floor: Floor, *, chips: int) -> tuple[Terminal, LockWagers | None]:
    """START GAME: every lit sensor is a wager from now on. The dealer has counted the chips that he took in."""
    require_phase(terminal, setup, "open")
    if chips != len(terminal.lit):
        raise refuse(
            "chip_count_differs",
            f"{chips} chips were counted and {len(terminal.lit)} sensors are lit at table "
            f'"{setup.id}". They must be equal before the wagers are locked: look at the sensors again.',
        )
    bets = []
    for spot in terminal.lit:
        jackpot = jackpot_of(setup, floor, spot.sensor)
        bets.append(
            Bet(
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


def jackpot_of(setup: TableSetup, floor: Floor, sensor: int) -> JackpotSetup:
    for one in setup.sensors:
        if one.number == sensor:
            return floor.jackpot(one.jackpot)
    raise unknown("sensor", str(sensor), (str(one.number) for one in setup.sensors), f' at table "{setup.id}"')


def row_of(jackpot: JackpotSetup, row: str) -> Row:
    rows = pay_table_of(jackpot).rows
    for one in rows:
        if one.row == row:
            return one
    raise unknown("hand", row, (one.row for one in rows), f' on pay table {jackpot.pay_table} of "{jackpot.id}"')


def pick(terminal: Terminal, setup: TableSetup, floor: Floor, seat: int, sensor: int, row: str) -> Terminal:
    """A hand button: picks the winning hand of a seat; pressed again it takes it off.

    For seat EVERYONE it is Community Jackpot. A hand whose prize all participants share is always theirs together.
    """
    require_phase(terminal, setup, "locked")
    jackpot = jackpot_of(setup, floor, sensor)
    found = row_of(jackpot, row)
    if not found.pays.is_share and jackpot.fixed_pays == "tray" and not jackpot.track_fixed_pays:
        raise refuse(
            "not_tracked",
            f'"{row}" of "{jackpot.id}" is paid from the tray and not entered here (track_fixed_pays is off).',
        )
    if found.paid == "shared":
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
        return structs.replace(terminal, picks=tuple(one for one in terminal.picks if one != wanted))
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
    return structs.replace(terminal, picks=tuple(sorted((*terminal.picks, wanted))))


def hits(terminal: Terminal, setup: TableSetup, floor: Floor, evidence: str) -> tuple[HitJackpot, ...]:
    """HIT JACKPOT: what is claimed for the picked hands, one award for each hand and jackpot."""
    require_phase(terminal, setup, "locked")
    if not terminal.picks:
        raise refuse("nothing_picked", f'No winning hand is picked at table "{setup.id}": pick seat and hand first.')
    found = []
    for sensor, row in sorted({(one.sensor, one.row) for one in terminal.picks}):
        jackpot = jackpot_of(setup, floor, sensor)
        pays = row_of(jackpot, row).pays
        seats = tuple(one.seat for one in terminal.picks if (one.sensor, one.row) == (sensor, row))
        community = seats == (EVERYONE,)
        found.append(
            HitJackpot(
                jackpot=jackpot.id,
                level=jackpot.level,
                table=setup.id,
                round=terminal.round,
                seats=() if community else seats,
                community=community,
                share_ppm=int(pays.share * PPM) if pays.is_share else 0,
                each_micros=0 if pays.is_share else int(pays.returned * jackpot.wager_micros),
                row=row,
                pay_table=jackpot.pay_table,
                evidence=evidence,
            )
        )
    return tuple(found)


def claimed(terminal: Terminal, awards: tuple[str, ...]) -> Terminal:
    """The picked hands have become claims."""
    return structs.replace(terminal, picks=(), claims=(*terminal.claims, *awards))


def settled(terminal: Terminal, award: str) -> Terminal:
    """A claim was paid or rejected."""
    return structs.replace(terminal, claims=tuple(one for one in terminal.claims if one != award))


def require_may_pay(terminal: Terminal, setup: TableSetup) -> None:
    """Aquarius pays only while the supervisor's key stands at JPH."""
    if setup.protocol == "aquarius" and terminal.key != "jph":
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
            "picks_not_hit", f"Winning hands are picked and not hit: {how}; or press the hand again to take it off."
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


def stop(terminal: Terminal, why: str) -> Terminal:
    """Out of service. A round in progress stays as it is."""
    require_note(why)
    return structs.replace(terminal, stopped=why.strip())


def reopen(terminal: Terminal) -> Terminal:
    return structs.replace(terminal, stopped="")
