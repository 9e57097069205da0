"""`croupier jackpot`: a floor run from the terminal. Everything heavy is imported inside the verb that needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from croupier.cli.jackpot_books import add_book_verbs
from croupier.cli.jackpot_call import READS, SEES, SIGNS, STEPS, Call, verb
from croupier.cli.jackpot_devices import device_verbs
from croupier.cli.jackpot_people import people_verbs

if TYPE_CHECKING:
    from croupier.cli.jackpot_session import Session
    from croupier.floor.desk import Ask, TableView

floor_verbs = typer.Typer(
    help="Run a floor with jackpots: tables, wagers, hits, awards, meters, books. See docs/floor.md.",
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
Cards = Annotated[
    str,
    typer.Option(
        metavar="CARDS",
        help="The cards that won: the dealer's hand, as '4s 5s 6s 7s', or player and banker, as 'Kd Qd Td, 2d Jd 7d'. "
        "They must give the hand; a share of the meter needs them.",
    ),
]
WinnersSide = Annotated[
    Literal["", "player", "banker"],
    typer.Option(metavar="player|banker", help="Baccarat: the side a winner wagered on, where the wager follows it."),
]
Note = Annotated[str, typer.Option(metavar="TEXT", help="Why; it stays on record.")]
Second = Annotated[str, typer.Option(metavar="CARD", help="Card of a second person.")]
OptionalSecond = Annotated[
    str | None, typer.Option("--second", metavar="CARD", help="Card of a second person, where two are needed.")
]
SecondPinFile = Annotated[
    str | None, typer.Option(metavar="FILE", help="Its PIN, if not in $CROUPIER_SECOND_PIN and not to be asked for.")
]


# Set-up.


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
    from croupier.cli.jackpot_setup import open_floor

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
    from croupier.cli.jackpot_setup import show_check

    raise typer.Exit(show_check(call, floor, day))


@verb(floor_verbs, "change", SIGNS)
def change(call: Call, floor: FloorFile, second: OptionalSecond = None, second_pin_file: SecondPinFile = None) -> None:
    """Put the next version of the floor into force, between rounds. Money parameters take two people."""
    from croupier.cli.jackpot_setup import change_floor

    change_floor(call, floor, second, second_pin_file)


# Looking.


@verb(floor_verbs, "tables", READS)
def tables(call: Call) -> None:
    """Every table: round, lit sensors, picked hands, open claims, revision."""
    from croupier.cli import jackpot_screen as screen
    from croupier.cli.screen import console

    with call.open() as at:
        views = at.desk.tables()
        if call.json:
            screen.answer(at, {"tables": [screen.table_data(view) for view in views]})
            return
        out = console()
        screen.head(out, at)
        screen.print_tables(out, views)


@verb(floor_verbs, "meters", READS)
def meters(call: Call) -> None:
    """Every meter: what it shows, and what is kept aside, pending and paid. Exit status 1 if a jackpot is stopped."""
    from croupier.cli import jackpot_screen as screen
    from croupier.cli.screen import console

    with call.open() as at:
        found = at.desk.figures()
        if call.json:
            screen.answer(at, screen.meters_data(found))
        else:
            out = console()
            screen.head(out, at)
            screen.print_meters(out, found)
    if found.stopped:
        raise typer.Exit(1)


@verb(floor_verbs, "claims", SEES)
def claims(call: Call) -> None:
    """Awards that wait for approval, and whose card each needs."""
    from croupier.cli import jackpot_screen as screen
    from croupier.cli.screen import console
    from croupier.floor.roles import Right

    with call.open() as at:
        at.sign_for(Right.SEE_CLAIMS, "see claims")
        floor = at.floor()
        found = at.book.awards(status="pending", limit=MOST_CLAIMS)
        if call.json:
            screen.answer(at, {"claims": [screen.claim_data(award, floor) for award in found]})
            return
        out = console()
        screen.head(out, at)
        screen.print_claims(out, found, floor)


# A round.


def _step(call: Call, what: str, do: Callable[[Session, Ask], TableView]) -> None:
    """One step at a table by whoever shows a card, and the table after it."""
    from croupier.cli.jackpot_screen import show_step

    with call.open() as at:
        show_step(at, do(at, at.ask(what)))


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
    from croupier.cli.jackpot_screen import show_start

    with call.open() as at:
        show_start(at, at.desk.start(at.ask("start a round"), table, chips=chips, playing=seats_playing))


@verb(floor_verbs, "pick", STEPS)
def pick(
    call: Call,
    table: TableId,
    seat: Annotated[str, typer.Argument(metavar="SEAT|all", help="The winning seat; all for Community Jackpot.")],
    hand: Annotated[str, typer.Argument(metavar="HAND", help="The winning hand: a row of the pay table.")],
    sensor: Sensor = 1,
) -> None:
    """Pick a seat's winning hand; picked again, it is taken off."""
    number = _seat(seat)
    _step(call, "pick a hand", lambda at, ask: at.desk.pick(ask, table, number, sensor, hand))


@verb(floor_verbs, "hit", STEPS)
def hit(
    call: Call,
    table: TableId,
    evidence: Cards = "",
    side: WinnersSide = "",
    seat: Annotated[str | None, typer.Option(metavar="SEAT|all", help="Pick this seat's hand and hit in one go.")] = (
        None
    ),
    hand: Annotated[
        str | None, typer.Option(metavar="HAND", help="With --seat: the winning hand, a row of the pay table.")
    ] = None,
    sensor: Sensor = 1,
) -> None:
    """HIT JACKPOT: the picked hands become awards that wait for approval; the meters are reseeded at once."""
    from croupier.errors import NotationError
    from croupier.floor.terminal import Pick

    if (seat is None) != (hand is None):
        raise NotationError("Give --seat and --hand together, or neither.", code="seat_and_hand")
    picks = [Pick(_seat(seat), sensor, hand)] if seat is not None and hand is not None else []
    _step(call, "propose a hit", lambda at, ask: at.desk.hit(ask, table, picks=picks, evidence=evidence, side=side))


@verb(floor_verbs, "award", SIGNS)
def award_by_hand(
    call: Call,
    table: TableId,
    round: Annotated[int, typer.Argument(metavar="ROUND", help="The round it was won in, at this table.")],
    seat: Annotated[str, typer.Argument(metavar="SEAT|all", help="The winning seats, as 2 or 1,3; all for everybody.")],
    hand: Annotated[str, typer.Argument(metavar="HAND", help="The winning hand: a row of the pay table.")],
    note: Note,
    second: Second,
    second_pin_file: SecondPinFile = None,
    evidence: Cards = "",
    side: WinnersSide = "",
    sensor: Sensor = 1,
) -> None:
    """The right award of a round, by two people: after another was backed out, or after the round is over."""
    from croupier.cli.jackpot_screen import show_step
    from croupier.floor.terminal import Pick

    picks = [Pick(_seat(one.strip()), sensor, hand) for one in seat.split(",")]
    with call.open() as at:
        ask = at.ask("enter an award by hand")
        countersigned = at.sign_second(second, second_pin_file)
        assert countersigned is not None
        view = at.desk.award_by_hand(
            ask, table, round, picks=picks, evidence=evidence, side=side, note=note, second=countersigned
        )
        show_step(at, view)


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


@verb(floor_verbs, "clear", STEPS)
def clear(call: Call, table: TableId, note: Note, second: Second, second_pin_file: SecondPinFile = None) -> None:
    """Make a table that is stuck ready for the next round, by two people: the wagers of its round go back."""
    from croupier.cli.jackpot_hall import clear_table

    clear_table(call, table, note=note, second=(second, second_pin_file))


@verb(floor_verbs, "stop", STEPS)
def stop(call: Call, table: TableId, note: Note) -> None:
    """Take a table out of service; a round in progress stays as it is."""
    _step(call, "stop a table", lambda at, ask: at.desk.stop(ask, table, note))


@verb(floor_verbs, "reopen", STEPS)
def reopen(call: Call, table: TableId) -> None:
    """Put a table back into service."""
    _step(call, "reopen a table", lambda at, ask: at.desk.reopen(ask, table))


def _seat(text: str) -> int:
    """A seat's number; `all` is everyone at the table."""
    from croupier.errors import RangeError
    from croupier.floor.terminal import EVERYONE

    if text.lower() == "all":
        return EVERYONE
    if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) != EVERYONE:
        return int(text)
    raise RangeError(f'"{text[:40]}" is no seat: write its number, from 1, or all.', code="unknown_seat")


# Awards and meters.


@verb(floor_verbs, "approve", STEPS)
def approve(call: Call, award: AwardId, second: OptionalSecond = None, second_pin_file: SecondPinFile = None) -> None:
    """Approve an award with your card, which pays it: the same step as `pay`."""
    _pay(call, award, second, second_pin_file)


@verb(floor_verbs, "pay", STEPS)
def pay(call: Call, award: AwardId, second: OptionalSecond = None, second_pin_file: SecondPinFile = None) -> None:
    """PAY JACKPOT: pay an award, approved by your card: the same step as `approve`."""
    _pay(call, award, second, second_pin_file)


def _pay(call: Call, award: str, second: str | None, second_pin_file: str | None) -> None:
    from croupier.cli.jackpot_screen import show_award

    with call.open() as at:
        ask = at.ask("pay an award")
        at.desk.pay(ask, award, second=at.sign_second(second, second_pin_file))
        show_award(at, award)


@verb(floor_verbs, "reject", STEPS)
def reject(call: Call, award: AwardId, note: Note) -> None:
    """Reject a claim: its money goes back by a new entry."""
    from croupier.cli.jackpot_screen import show_award

    with call.open() as at:
        at.desk.reject(at.ask("reject a claim"), award, note)
        show_award(at, award)


@verb(floor_verbs, "back-out", SIGNS)
def back_out(call: Call, award: AwardId, note: Note, second: Second, second_pin_file: SecondPinFile = None) -> None:
    """Undo an award after payment, by two people: its money goes back by a new entry."""
    from croupier.cli.jackpot_screen import show_award

    with call.open() as at:
        ask = at.ask("back out an award")
        countersigned = at.sign_second(second, second_pin_file)
        assert countersigned is not None
        at.desk.back_out(ask, award, note, countersigned)
        show_award(at, award)


@verb(floor_verbs, "adjust", SIGNS)
def adjust(
    call: Call,
    jackpot: Annotated[str, typer.Argument(metavar="JACKPOT", help="The jackpot's id.")],
    amount: Annotated[
        str, typer.Argument(metavar="AMOUNT", help="Dollars. With correct_display, below zero lowers the meter: -0.01.")
    ],
    reason: Annotated[
        str,
        typer.Option(
            metavar="REASON",
            help="correct_display, record_receipts, recover_seed, release_overflow, house_addition or carried_in; "
            "docs/jackpot.md says what each moves.",
        ),
    ],
    note: Note,
    second: Second,
    second_pin_file: SecondPinFile = None,
    pool: Annotated[
        Literal["meter", "reserve", "overflow"],
        typer.Option(metavar="meter|reserve|overflow", help="Which of its pots is touched."),
    ] = "meter",
) -> None:
    """Adjust a meter by hand, for a lawful reason and by two people."""
    from croupier.cli.jackpot_setup import adjust_meter

    adjust_meter(call, jackpot, amount, reason=reason, note=note, second=(second, second_pin_file), pool=pool)


@verb(floor_verbs, "close", SIGNS)
def close(
    call: Call,
    jackpot: Annotated[str, typer.Argument(metavar="JACKPOT", help="The jackpot's id; no table plays for it.")],
    note: Note,
    second: Second,
    second_pin_file: SecondPinFile = None,
    to: Annotated[
        str | None,
        typer.Option(metavar="JACKPOT", help="The progressive that gets the players' money, if there is any."),
    ] = None,
) -> None:
    """End a jackpot for good, by two people: the house takes back its seed, all else goes to another progressive."""
    from croupier.cli.jackpot_funds import close_jackpot

    close_jackpot(call, jackpot, note=note, second=(second, second_pin_file), to=to)


@verb(floor_verbs, "account", STEPS)
def account(
    call: Call,
    balance: Annotated[
        str | None, typer.Argument(metavar="BALANCE", help="Dollars in the bank, to record; left out, it is shown.")
    ] = None,
    note: Annotated[str | None, typer.Option(metavar="TEXT", help="With BALANCE: where it is from, as a slip.")] = None,
    day: Annotated[
        str | None, typer.Option(metavar="DATE", help="With BALANCE: the day it is of; today if left out.")
    ] = None,
    credit_line: Annotated[
        str | None, typer.Option(metavar="$", help="With BALANCE: a credit line for large prizes.")
    ] = None,
) -> None:
    """The jackpot account: what it must hold, the next deposit, whether tables may play; or record its balance."""
    from croupier.cli.jackpot_funds import record_account, show_account
    from croupier.errors import NotationError

    if balance is not None:
        record_account(call, balance, note=note or "", day=day, credit_line=credit_line)
    elif note is not None or day is not None or credit_line is not None:
        raise NotationError(
            "Say the balance too: croupier jackpot account BALANCE --note TEXT.", code="balance_missing"
        )
    else:
        show_account(call)


# The books, the people, and their devices.

add_book_verbs(floor_verbs)
floor_verbs.add_typer(people_verbs, name="people")
floor_verbs.add_typer(device_verbs, name="devices")
