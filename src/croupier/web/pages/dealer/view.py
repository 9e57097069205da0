"""What a dealer terminal shows, as plain values for its template: the same for a table of the floor and in training."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from croupier.floor.approval import approval_for
from croupier.floor.chips import Chips, chips_of
from croupier.floor.names import SYSTEMS
from croupier.floor.proof import ProofForm, asked_of
from croupier.floor.proving import needs_cards
from croupier.floor.roles import Role, persons_needed
from croupier.floor.setup import Floor, JackpotSetup, TableSetup, each_micros, hand_label, pay_table_of
from croupier.floor.terminal import (
    EVERYONE,
    NOTHING,
    Entered,
    Pick,
    Spot,
    Terminal,
    award_against,
    mandatory_sensors,
    name_of,
    row_of,
    word,
)
from croupier.jackpot import Award, JackpotHit
from croupier.money import dollars_and_cents, dollars_for_people
from croupier.pay.tables import Row
from croupier.rules import find_game


@dataclass(frozen=True, kw_only=True)
class Words:
    """The letters' names of the buttons on one system."""

    start: str
    end: str
    hit: str
    pay: str
    community: str
    is_keypad: bool
    """Aquarius: a keypad with a key, where START GAME and GAME OVER are pressed and not slid."""


@dataclass(frozen=True, kw_only=True)
class Light:
    """One sensor of a seat."""

    number: int
    jackpot: str
    is_lit: bool


@dataclass(frozen=True, kw_only=True)
class Seat:
    number: int
    rise: int
    """How far the seat lies from the dealer, for the arc of the layout: 0 to 3."""
    lights: tuple[Light, ...]
    picked: tuple[str, ...]
    """Labels of the hands that are picked for this seat alone."""

    @property
    def has_wager(self) -> bool:
        return any(light.is_lit for light in self.lights)


@dataclass(frozen=True, kw_only=True)
class Hand:
    """A hand button."""

    row: str
    label: str
    pays: str
    dollars: str
    """What a fixed pay is in money; empty for a share of the meter and for a push."""
    is_shared: bool
    seat: int
    """The seat that a press is for; EVERYONE for Community Jackpot."""
    is_picked: bool
    why_not: str
    """Why it cannot be pressed now; empty when it can."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """The hand buttons of one sensor."""

    sensor: int
    jackpot: str
    pay_table: str
    hands: tuple[Hand, ...]


@dataclass(frozen=True, kw_only=True)
class CardsAsked:
    """The cards that HIT JACKPOT takes for the hands that are picked."""

    asked: ProofForm
    are_needed: bool
    """A pay off the meter is among them; for pays from the tray the cards may be left out."""


@dataclass(frozen=True, kw_only=True)
class MeterLine:
    """What is known of a jackpot at the table."""

    jackpot: str
    level: str
    name: str
    shown: str
    wager: str
    pay_table: str
    fixed_pays: str
    is_house: bool


@dataclass(frozen=True, kw_only=True)
class AwardLine:
    """An award as it would be, as it is claimed, or as it was paid."""

    hit: JackpotHit
    name: str
    label: str
    pays: str
    is_shared: bool
    status: str
    approved_by: tuple[str, ...]
    needs: Role
    persons: int

    @property
    def is_by_dealer(self) -> bool:
        """Whether the dealer pays it without a card."""
        return self.needs is Role.DEALER


@dataclass(frozen=True, kw_only=True)
class Face:
    """All of it."""

    base: str
    setup: TableSetup
    game: str
    protocol: str
    words: Words
    terminal: Terminal
    revision: int
    chosen: int | None
    seats: tuple[Seat, ...]
    groups: tuple[Group, ...]
    meters: tuple[MeterLine, ...]
    limits: tuple[str, ...]
    chips: tuple[Chips, ...]
    mandatory: tuple[str, ...]
    """Jackpots on which everybody who plays must wager."""
    cards: CardsAsked | None
    preview: tuple[AwardLine, ...]
    claims: tuple[AwardLine, ...]
    paid: tuple[AwardLine, ...]
    is_training: bool

    @property
    def chip_counts(self) -> range:
        return range(len(self.seats) * max(1, len(self.setup.sensors)) + 1)

    @property
    def is_open(self) -> bool:
        return self.terminal.phase == "open"

    @property
    def is_ours(self) -> bool:
        """Whether a dealer runs rounds here; else the software does."""
        return self.setup.dealing == "hand"

    @property
    def state_word(self) -> str:
        if self.terminal.stopped:
            return "out of service"
        if self.is_open:
            return "open for wagers"
        return "claim open" if self.claims else "wagers locked"


def face_of(
    setup: TableSetup,
    floor: Floor,
    terminal: Terminal,
    *,
    base: str,
    revision: int,
    meters: Mapping[str, int],
    preview: Iterable[JackpotHit],
    awards: Iterable[tuple[Award, JackpotHit]],
    chosen: int | None,
    entered: Entered = NOTHING,
    is_training: bool = False,
) -> Face:
    """The face of a terminal; `chosen` is the seat whose hands are picked, EVERYONE for Community Jackpot."""
    words = words_of(setup)
    if chosen is not None and not 0 <= chosen <= setup.seats:
        chosen = None
    lines = [_award_line(event, setup, floor, award) for award, event in awards]
    return Face(
        base=base,
        setup=setup,
        game=find_game(setup.game).name,
        protocol=SYSTEMS[setup.protocol],
        words=words,
        terminal=terminal,
        revision=revision,
        chosen=chosen,
        seats=tuple(_seat(setup, floor, terminal, number) for number in range(1, setup.seats + 1)),
        groups=tuple(
            _group(setup, floor, terminal, sensor.number, chosen, words.is_keypad, entered) for sensor in setup.sensors
        ),
        meters=tuple(_meter(jackpot, meters) for jackpot in floor.jackpots_at(setup)),
        limits=tuple(_limits(setup)),
        chips=chips_of(setup, floor, terminal),
        mandatory=tuple(name_of(_jackpot(setup, floor, number)) for number in mandatory_sensors(setup, floor)),
        cards=_cards(setup, floor, terminal),
        preview=tuple(_award_line(event, setup, floor) for event in preview),
        claims=tuple(line for line in lines if line.status == "pending"),
        paid=tuple(line for line in lines if line.status == "paid"),
        is_training=is_training,
    )


def words_of(setup: TableSetup) -> Words:
    is_keypad = setup.protocol == "aquarius"
    pay = word(setup, "pay")
    if find_game(setup.game).declared.has_sides and not is_keypad:
        pay = f"{pay} (confirm)"  # what the letter of Dragon Bonus calls this button
    return Words(
        start=word(setup, "start"),
        end=word(setup, "end"),
        hit=word(setup, "hit"),
        pay=pay,
        community="COMMUNITY JACKPOT",
        is_keypad=is_keypad,
    )


def _seat(setup: TableSetup, floor: Floor, terminal: Terminal, number: int) -> Seat:
    middle = (setup.seats + 1) / 2
    lights = tuple(
        Light(
            number=sensor.number,
            jackpot=name_of(floor.jackpot(sensor.jackpot)),
            is_lit=Spot(number, sensor.number) in terminal.lit,
        )
        for sensor in setup.sensors
    )
    picked = tuple(
        hand_label(jackpot, row_of(jackpot, pick.row), setup)
        + (f" for {name_of(jackpot)}" if len(setup.sensors) > 1 else "")
        for pick in terminal.picks
        if pick.seat == number
        for jackpot in [_jackpot(setup, floor, pick.sensor)]
    )
    rise = max(0, 3 - int(abs(number - middle) + 0.5))
    return Seat(number=number, rise=rise, lights=lights, picked=picked)


def _jackpot(setup: TableSetup, floor: Floor, sensor: int) -> JackpotSetup:
    return next(floor.jackpot(known.jackpot) for known in setup.sensors if known.number == sensor)


def _cards(setup: TableSetup, floor: Floor, terminal: Terminal) -> CardsAsked | None:
    """Those of the first picked hand that cards decide; all picks of a round are proved by the same cards."""
    for pick in terminal.picks:
        jackpot = _jackpot(setup, floor, pick.sensor)
        if (proof := asked_of(jackpot, setup)) is not None:
            won = [(_jackpot(setup, floor, pick.sensor), pick.row) for pick in terminal.picks]
            are_needed = any(needs_cards(jackpot, row_of(jackpot, row)) for jackpot, row in won)
            return CardsAsked(asked=proof, are_needed=are_needed)
    return None


def _group(
    setup: TableSetup,
    floor: Floor,
    terminal: Terminal,
    sensor: int,
    chosen: int | None,
    is_keypad: bool,
    entered: Entered,
) -> Group:
    jackpot = _jackpot(setup, floor, sensor)
    table = pay_table_of(jackpot)
    hands = []
    for row in table.rows:
        # On a keypad a shared hand has one button for all; elsewhere Community Jackpot is pressed before it.
        seat = EVERYONE if is_keypad and row.paid == "shared" else chosen
        pick = Pick(EVERYONE if seat is None else seat, sensor, row.row)
        hands.append(
            Hand(
                row=row.row,
                label=hand_label(jackpot, row, setup),
                pays=row.pays.text,
                dollars=dollars_for_people(each) if (each := each_micros(jackpot, row)) else "",
                is_shared=row.paid == "shared",
                seat=pick.seat,
                is_picked=seat is not None and pick in terminal.picks,
                why_not="another hand is entered"
                if award_against(setup, floor, jackpot, pick, entered) is not None
                else _why_not(terminal, jackpot, row, sensor, seat),
            )
        )
    return Group(sensor=sensor, jackpot=name_of(jackpot), pay_table=table.id, hands=tuple(hands))


def _why_not(terminal: Terminal, jackpot: JackpotSetup, row: Row, sensor: int, seat: int | None) -> str:
    """A hint for the button; whether a press is right is the terminal's to decide."""
    if not row.pays.is_share and jackpot.fixed_pays == "tray" and not jackpot.track_fixed_pays:
        return "from the tray, not entered"
    if row.paid == "shared" and seat != EVERYONE:
        return "shared: Community Jackpot"
    if seat is None:
        return "choose a seat"
    has_wager = any(spot.sensor == sensor and seat in (EVERYONE, spot.seat) for spot in terminal.lit)
    return "" if has_wager else "no locked wager"


def _meter(jackpot: JackpotSetup, meters: Mapping[str, int]) -> MeterLine:
    if jackpot.fixed_pays == "meter":
        fixed = "Fixed pays come off the meter and are entered here."
    elif jackpot.track_fixed_pays:
        fixed = "Fixed pays are paid from the tray and tracked here."
    else:
        fixed = "Fixed pays are left to the tray: pay them and enter nothing."
    return MeterLine(
        jackpot=jackpot.id,
        level=jackpot.level,
        name=name_of(jackpot),
        shown=dollars_and_cents(meters.get(jackpot.id, 0)),
        wager=dollars_for_people(int(jackpot.wager_micros)),
        pay_table=jackpot.pay_table,
        fixed_pays=fixed,
        is_house=jackpot.kind == "house",
    )


def _limits(setup: TableSetup) -> Iterable[str]:
    game = find_game(setup.game)
    for wager in setup.wagers:
        name = game.wager(wager.wager).name
        table = f", pay table {wager.pay_table}" if game.wager(wager.wager).pay_tables else ""
        if wager.most_micros is None:
            yield f"{name}{table}"
        else:
            low, high = (dollars_for_people(int(micros)) for micros in (wager.least_micros, wager.most_micros))
            yield f"{name} {low} to {high}{table}"


def _award_line(hit: JackpotHit, setup: TableSetup, floor: Floor, award: Award | None = None) -> AwardLine:
    jackpot = floor.jackpot(hit.jackpot)
    row = row_of(jackpot, hit.row)
    return AwardLine(
        hit=hit,
        name=name_of(jackpot),
        label=hand_label(jackpot, row, setup),
        pays=row.pays.text,
        is_shared=row.paid == "shared",
        status=award.status if award is not None else "",
        approved_by=award.approved_by if award is not None else (),
        needs=approval_for(hit, floor),
        persons=persons_needed(hit.amount_micros, floor.approvals),
    )
