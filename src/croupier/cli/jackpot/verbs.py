"""`croupier jackpot`: a floor at the terminal. Each verb calls what the HTTP API calls, and shows its answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import typer

from croupier.cli.jackpot.books import add_book_verbs
from croupier.cli.jackpot.options import READS, SEES, SIGNS, STEPS, TWO, Call, verb
from croupier.cli.jackpot.people import device_verbs, people_verbs
from croupier.cli.jackpot.screen import award_data, chips_data, claim_data, meters_data, show, table_data
from croupier.cli.jackpot.session import FloorSession
from croupier.cli.jackpot.setup import change_floor, open_floor, show_check
from croupier.errors import NotationError, RangeError
from croupier.floor.chips import chips_of
from croupier.floor.roles import Right
from croupier.floor.service import Ask, TableView
from croupier.floor.terminal import EVERYONE, Pick

floor_verbs = typer.Typer(
    help="A floor with jackpots: set it up, script its rounds, read and keep its books. See docs/floor.md.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

MOST_CLAIMS = 1000
MOST_DIGITS = 4

TableId = Annotated[str, typer.Argument(metavar="TABLE", help="The table's id, as `croupier jackpot tables` lists it.")]
AwardId = Annotated[str, typer.Argument(metavar="AWARD", help="The award's id, as `croupier jackpot claims` lists it.")]
FloorFile = Annotated[str, typer.Argument(metavar="FLOOR.toml", help="A floor as TOML or JSON.")]
Sensor = Annotated[int, typer.Option(metavar="N", help="Which of the seat's sensors.")]
Note = Annotated[str, typer.Option(metavar="TEXT", help="Why; it stays on record.")]


# Setup.


@verb(floor_verbs, "init", SIGNS)
def init(
    call: Call,
    floor: Annotated[str | None, typer.Argument(metavar="FLOOR.toml", help="A floor as TOML or JSON.")] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="The demonstration floor, with play money and known cards.")
    ] = False,
    executive: Annotated[
        str | None, typer.Option(metavar="NAME", help="The first person, who gets a card and may add others.")
    ] = None,
    new_pin_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="That person's PIN, if not in $CROUPIER_NEW_PIN.")
    ] = None,
) -> None:
    """Open a floor in a new store, with its first executive's card. Asked again, it finishes what is missing."""
    open_floor(call, floor, demo=demo, executive=executive, pin_file=new_pin_file)


@verb(floor_verbs, "check", READS)
def check(
    call: Call,
    floor: Annotated[
        str | None,
        typer.Argument(metavar="FLOOR.toml", help="A floor as TOML or JSON; the one of the store if left out."),
    ] = None,
    day: Annotated[str | None, typer.Option(metavar="DATE", help="By the law of that day; today's if left out.")] = (
        None
    ),
) -> None:
    """What the law and the letters say of a floor, each rule named. Exit status 1 if something is refused."""
    raise typer.Exit(show_check(call, floor, day))


@verb(floor_verbs, "change", (*SIGNS, *TWO))
def change(call: Call, floor: FloorFile) -> None:
    """Put the next version of the floor into force, between rounds. Money parameters take two people."""
    change_floor(call, floor)


# Looking.


@verb(floor_verbs, "tables", READS)
def tables(call: Call) -> None:
    """Every table: round, lit sensors, picked hands, open claims, revision."""
    with call.open() as at:
        show(at, {"tables": [table_data(view) for view in at.desk.tables()]})


@verb(floor_verbs, "meters", READS)
def meters(call: Call) -> None:
    """Every meter: what it shows, and what is kept aside, pending and paid. Exit status 1 if a jackpot is stopped."""
    with call.open() as at:
        figures = at.desk.figures()
        show(at, meters_data(figures))
    if figures.stopped:
        raise typer.Exit(1)


@verb(floor_verbs, "claims", SEES)
def claims(call: Call) -> None:
    """Awards that wait for approval, and whose card each needs."""
    with call.open() as at:
        at.sign_for(Right.SEE_CLAIMS, "see claims")
        floor = at.floor()
        pending = at.book.awards(status="pending", limit=MOST_CLAIMS)
        show(at, {"claims": [claim_data(award, floor) for award in pending]})


# A round.


def _step(call: Call, what: str, do: Callable[[FloorSession, Ask], TableView], *, with_chips: bool = False) -> None:
    """One step at a table: the table after it, its meters, the awards it made and what becomes of the chips."""
    with call.open() as at:
        view = do(at, at.ask(what))
        floor = at.floor()
        table = floor.table(view.terminal.table)
        jackpots = {jackpot.id for jackpot in floor.jackpots_at(table)}
        data = table_data(view) | meters_data(at.desk.figures(), jackpots)
        data["awards"] = [claim_data(at.book.award(award), floor) for award in view.awards]
        if with_chips:
            data["chips"] = [chips_data(chips) for chips in chips_of(table, floor, view.terminal) if chips.seats]
        show(at, data)


@verb(floor_verbs, "light", STEPS)
def light(
    call: Call,
    table: TableId,
    seat: Annotated[int, typer.Argument(metavar="SEAT", help="The seat, from 1.")],
    sensor: Sensor = 1,
    off: Annotated[bool, typer.Option("--off", help="The chip was taken away.")] = False,
) -> None:
    """A chip lies on a seat's sensor, or with --off does no more."""
    _step(call, "light a sensor", lambda at, ask: at.desk.sense(ask, table, seat, sensor, lit=not off))


@verb(floor_verbs, "start", STEPS)
def start(
    call: Call,
    table: TableId,
    chips: Annotated[int, typer.Option(metavar="N", help="Chips that the dealer counted: as many as sensors are lit.")],
    seats_playing: Annotated[
        int | None, typer.Option(metavar="N", help="How many seats play; needed where the jackpot wager is mandatory.")
    ] = None,
) -> None:
    """START GAME: the lit sensors become wagers, and the meters grow."""

    def lock(at: FloorSession, ask: Ask) -> TableView:
        return at.desk.start(ask, table, chips=chips, playing=seats_playing)

    _step(call, "start a round", lock, with_chips=True)


@verb(floor_verbs, "hit", STEPS)
def hit(
    call: Call,
    table: TableId,
    evidence: Annotated[
        str,
        typer.Option(
            metavar="CARDS",
            help="The cards that won: the dealer's hand, as '4s 5s 6s 7s', or player and banker, as "
            "'Kd Qd Td, 2d Jd 7d'. They must give the hand; a share of the meter needs them.",
        ),
    ] = "",
    side: Annotated[
        Literal["", "player", "banker"],
        typer.Option(
            metavar="player|banker", help="Baccarat: the side a winner wagered on, where the wager follows it."
        ),
    ] = "",
    seat: Annotated[
        str | None,
        typer.Option(metavar="SEATS|all", help="The winning seats, as 2 or 1,3; all for Community Jackpot."),
    ] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="HAND", help="With --seat: the winning hand, a row of the pay table.")
    ] = None,
    sensor: Sensor = 1,
) -> None:
    """HIT JACKPOT: winning hands, named here or picked at the table's terminal, become awards that wait for approval;
    the meters are reseeded at once."""
    if (seat is None) != (hand is None):
        raise NotationError("Give --seat and --hand together, or neither.", code="seat_and_hand")
    picks = [Pick(_seat(number.strip()), sensor, hand) for number in seat.split(",")] if seat and hand else []
    _step(call, "propose a hit", lambda at, ask: at.desk.hit(ask, table, picks=picks, evidence=evidence, side=side))


@verb(floor_verbs, "key", STEPS)
def key(
    call: Call,
    table: TableId,
    position: Annotated[Literal["jph", "run"], typer.Argument(metavar="jph|run", help="Where the key is turned.")],
) -> None:
    """Aquarius: the supervisor's key, to JPH before awards are paid and back to Run."""
    _step(call, "turn the key", lambda at, ask: at.desk.turn_key(ask, table, position))


@verb(floor_verbs, "end", STEPS)
def end(call: Call, table: TableId) -> None:
    """END GAME: ready for the next round."""
    _step(call, "end a round", lambda at, ask: at.desk.end(ask, table))


@verb(floor_verbs, "void", STEPS)
def void(call: Call, table: TableId, note: Note) -> None:
    """A misdeal: give the wagers of a locked round back. Meters keep what they got, and the house puts it up."""
    _step(call, "void a round", lambda at, ask: at.desk.void(ask, table, note))


def _seat(text: str) -> int:
    """A seat's number; `all` is everyone at the table."""
    if text.lower() == "all":
        return EVERYONE
    if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) != EVERYONE:
        return int(text)
    raise RangeError(f'"{text[:40]}" is not a seat: write its number, from 1, or all.', code="unknown_seat")


# Awards.


def _show_award(at: FloorSession, award_id: str) -> None:
    award = at.book.award(award_id)
    show(at, award_data(award) | meters_data(at.desk.figures(), {award.jackpot}))


@verb(floor_verbs, "pay", (*STEPS, *TWO))
def pay(call: Call, award: AwardId) -> None:
    """PAY JACKPOT: pay an award, approved by your card."""
    with call.open() as at:
        at.desk.pay(at.ask("pay an award"), award, second=at.sign_second())
        _show_award(at, award)


@verb(floor_verbs, "reject", STEPS)
def reject(call: Call, award: AwardId, note: Note) -> None:
    """Reject a claim: its money goes back by a new entry."""
    with call.open() as at:
        at.desk.reject(at.ask("reject a claim"), award, note)
        _show_award(at, award)


# The books, the people, and their devices.

add_book_verbs(floor_verbs)
floor_verbs.add_typer(people_verbs, name="people")
floor_verbs.add_typer(device_verbs, name="devices")
