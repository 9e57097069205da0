"""The money of a floor beside its rounds: the end of a jackpot, and the account that covers what jackpots hold."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec import structs

from croupier.floor import Floor, Role, Version, demo_floor, odds_based_reserve, usd
from croupier.floor.roles import SOFTWARE
from croupier.floor.service import FloorService
from croupier.store import open_store, verify
from tests.desks import (
    ACCOUNTING,
    CARDS,
    DEALER,
    EXECUTIVE,
    NOW,
    OTHER_EXECUTIVE,
    SEED,
    SUPERVISOR,
    Person,
    ask,
    lock,
    meter,
    refused,
)
from tests.floors import as_real, with_jackpot, with_sensors, with_table, with_wager


class Clock:
    """Stands until it is moved."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def pass_days(self, days: int) -> None:
        self.now += timedelta(days=days)


def opened(folder: Path, floor: Floor, clock: Clock | None = None) -> FloorService:
    desk = FloorService(open_store(str(folder / "floor.db")), clock=clock or Clock())
    desk.set_up(ask(EXECUTIVE), floor)
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FloorService]:
    made = opened(tmp_path, demo_floor())
    yield made
    assert verify(made.book).is_good
    made.book.close()


def next_of(floor: Floor) -> Floor:
    number = floor.version.number + 1
    version = Version(number=number, effective_from=NOW, made_by="eve", approved_by="max", reason="Another floor.")
    return structs.replace(floor, version=version)


def take_off_the_tables(desk: FloorService) -> None:
    """Baccarat goes on without its jackpot."""
    without = next_of(with_sensors(desk.floor(), "baccarat_1"))
    desk.change(ask(EXECUTIVE), without, approved_by=OTHER_EXECUTIVE)


# The end of a jackpot.


def test_a_closed_jackpots_money_moves_to_the_progressive_that_is_named(desk: FloorService) -> None:
    # Four wagers of $1: 25% to the meter, 1% to the reserve: 5,001.00 and 0.04. The seed is the house's.
    lock(desk, "baccarat_1", 1, 2, 3, 4)
    desk.end(ask(), "baccarat_1")
    take_off_the_tables(desk)
    with refused("funds_remain"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "A new game.", ACCOUNTING)
    done = desk.close_jackpot(ask(EXECUTIVE, id="close"), "dragon", "A new game.", ACCOUNTING, to="push_22")
    assert (done.into, done.seed_micros, done.moved_micros) == ("push_22", 5_000_000_000, 1_040_000)
    assert desk.close_jackpot(ask(EXECUTIVE, id="close"), "dragon", "A new game.", ACCOUNTING, to="push_22") == done
    assert meter(desk) == SEED + 1_040_000
    assert [one.jackpot for one in desk.meters()] == ["push_22"]
    floor = desk.floor()
    assert [one.id for one in floor.jackpots] == ["push_22"]
    assert (floor.version.number, floor.version.made_by, floor.version.approved_by) == (3, "eve", "acc")
    with refused("unknown_jackpot"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "Again.", ACCOUNTING, to="push_22")


def test_a_jackpot_is_closed_by_two_people_when_nothing_of_it_is_open(desk: FloorService) -> None:
    with refused("not_allowed"):
        desk.close_jackpot(ask(SUPERVISOR), "dragon", "x", EXECUTIVE, to="push_22")
    with refused("not_allowed"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", DEALER, to="push_22")
    with refused("same_person"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", EXECUTIVE, to="push_22")
    with refused("jackpot_in_play"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING, to="push_22")
    take_off_the_tables(desk)
    with refused("note_missing"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", " ", ACCOUNTING, to="push_22")
    with refused("bad_heir"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING, to="dragon")
    with refused("unknown_jackpot"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING, to="drag")
    # Nobody played for it: all of it is the house's seed, and no heir is needed.
    assert desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING).seed_micros == 5_000_000_000


def test_a_pending_award_keeps_a_jackpot_open(desk: FloorService) -> None:
    lock(desk, "baccarat_1", 1)
    desk.pick(ask(), "baccarat_1", 0, 1, "suited_six_cards")
    desk.hit(ask(id="dragon"), "baccarat_1", evidence=CARDS["suited_six_cards"])
    with refused("round_in_progress"):
        take_off_the_tables(desk)
    desk.reject(ask(SUPERVISOR), "dragon/1", "Not suited.")
    desk.end(ask(), "baccarat_1")
    take_off_the_tables(desk)
    assert desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING, to="push_22").moved_micros == 260_000


def test_a_closed_jackpots_name_is_not_used_again(desk: FloorService) -> None:
    dragon = desk.floor().jackpot("dragon")
    take_off_the_tables(desk)
    desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING)
    back = next_of(structs.replace(desk.floor(), jackpots=(*desk.floor().jackpots, dragon)))
    with refused("jackpot_closed"):
        desk.change(ask(EXECUTIVE), back, approved_by=OTHER_EXECUTIVE)


def test_a_house_jackpot_left_out_of_the_set_up_is_closed_with_it(tmp_path: Path) -> None:
    house = house_floor()
    desk = opened(tmp_path, house)
    without = next_of(with_sensors(structs.replace(house, jackpots=house.jackpots[:1]), "baccarat_1"))
    desk.change(ask(EXECUTIVE), without, approved_by=OTHER_EXECUTIVE)
    assert desk.book.jackpot("dragon").closed
    assert sum(desk.book.balances("dragon").values()) == desk.book.balances()["dragon", "main", "seed"] == 0
    desk.book.close()


def house_floor() -> Floor:
    """The demo floor with a house jackpot of $5,000 at baccarat."""
    floor = with_jackpot(demo_floor(), "dragon", kind="house", contribution=Fraction(0), reserve=Fraction(0))
    posted = (*floor.table("baccarat_1").posted, "no_player_money", "may_be_removed")
    return with_table(floor, "baccarat_1", posted=posted)


# The jackpot account. The two seeds are $50,000 and $5,000; a wager on "push_22" adds $1.00 to meter and reserve.

HELD = 55_000_000_000
WAGER = 1_000_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def real(tmp_path: Path, clock: Clock) -> Iterator[FloorService]:
    """The demo floor with real money."""
    made = opened(tmp_path, as_real(demo_floor()), clock)
    yield made
    assert verify(made.book).is_good
    made.book.close()


def play(desk: FloorService, *seats: int) -> None:
    lock(desk, "ddm_1", *seats)
    desk.end(ask(), "ddm_1")


def test_a_new_floor_plays_a_week_before_its_account_is_recorded(real: FloorService, clock: Clock) -> None:
    play(real, 1)
    now = real.account()
    assert (now.day, now.required_micros, now.due_micros) == (None, 0, HELD + WAGER)
    assert now.due_on == (NOW + timedelta(days=7)).date()
    clock.pass_days(7)
    play(real, 1)
    clock.pass_days(1)
    with refused("deposit_overdue"):
        lock(real, "ddm_1", 1)
    real.record_account(ask(ACCOUNTING), balance_micros=HELD + 2 * WAGER, note="First deposit.")
    real.start(ask(), "ddm_1", chips=1)


def test_what_accrued_is_deposited_within_a_week_of_the_last_deposit(real: FloorService, clock: Clock) -> None:
    done = real.record_account(ask(ACCOUNTING), balance_micros=HELD, note="Opening.")
    assert (done.required_micros, done.short_micros, done.due_micros, done.findings) == (HELD, 0, 0, ())
    clock.pass_days(3)
    play(real, 1, 2, 3)
    now = real.account()
    assert (now.required_micros, now.due_micros, now.not_yet_due_micros) == (HELD, 3 * WAGER, 3 * WAGER)
    # A look at the bank without a deposit does not begin a new week, nor does a part of the deposit.
    assert real.record_account(ask(ACCOUNTING), balance_micros=HELD, note="As it was.").due_on == now.due_on
    part = real.record_account(ask(ACCOUNTING), balance_micros=HELD + WAGER, note="A part.")
    assert (part.due_on, part.due_micros, part.required_micros) == (now.due_on, 2 * WAGER, HELD + WAGER)
    clock.pass_days(4)
    play(real, 1)
    clock.pass_days(1)
    with refused("deposit_overdue"):
        lock(real, "ddm_1", 1)
    late = real.account()
    assert not late.may_play and late.short_micros == 3 * WAGER == late.due_micros
    full = real.record_account(ask(ACCOUNTING), balance_micros=HELD + 4 * WAGER, note="All of it.")
    assert full.may_play and full.due_on == clock.now.date() + timedelta(days=7)
    real.start(ask(), "ddm_1", chips=1)


def test_the_tables_stop_when_the_account_is_short(real: FloorService) -> None:
    real.record_account(ask(ACCOUNTING), balance_micros=HELD, note="Opening.")
    play(real, 1)
    short = real.record_account(ask(ACCOUNTING), balance_micros=HELD - 10_000, note="The bank took a fee.")
    assert (short.short_micros, short.may_play) == (10_000, False)
    for table in ("ddm_1", "ddm_2", "baccarat_1"):
        with refused("account_short"):
            real.start(ask(), table, chips=0)
    with refused("account_short"):  # also where the software deals and no jackpot is played
        real.start(ask(Person(SOFTWARE, Role.DEALER)), "blackjack_1", chips=0)
    real.record_account(ask(ACCOUNTING), balance_micros=HELD, note="The house made it up.")
    play(real, 1)


def test_an_account_covers_what_is_left_after_an_award(real: FloorService) -> None:
    # 10% of 50,000.95 for one seat: 5,000.09 is paid by the account; 50,000.91 of what was held is left.
    lock(real, "ddm_1", 1)
    real.record_account(ask(ACCOUNTING), balance_micros=HELD + WAGER, note="Deposit.")
    real.pick(ask(), "ddm_1", 0, 1, "suited_4567_other")
    real.hit(ask(id="hit"), "ddm_1", evidence="4h 5h 6h 7h")
    assert real.account().held_micros == HELD + WAGER  # won and not yet paid
    real.pay(ask(EXECUTIVE), "hit/1")
    real.end(ask(), "ddm_1")
    left = HELD + WAGER - 5_000_090_000
    done = real.record_account(ask(ACCOUNTING), balance_micros=left, note="After the award.")
    assert (done.required_micros, done.may_play) == (left, True)


def test_a_balance_of_an_earlier_day_is_compared_with_what_was_held_then(real: FloorService, clock: Clock) -> None:
    clock.pass_days(1)
    play(real, 1)
    yesterday = NOW.date()
    done = real.record_account(ask(ACCOUNTING), balance_micros=HELD, note="Bank statement.", day=yesterday)
    assert (done.day, done.due_micros, done.due_on) == (yesterday, WAGER, yesterday + timedelta(days=7))
    for day in (yesterday - timedelta(days=1), yesterday + timedelta(days=2)):
        with refused("bad_date"):
            real.record_account(ask(ACCOUNTING), balance_micros=HELD, note="x", day=day)


def test_large_odds_based_prizes_are_covered_too_by_the_bank_or_a_credit_line(tmp_path: Path) -> None:
    # King's Bounty pays 1,000 to 1 at two tables: $50,000 for $50 is over the law's $25,000, and owed twice.
    floor = with_wager(as_real(demo_floor()), "switch_1", "kings_bounty", most_micros=usd("50"))
    second = structs.replace(floor.table("switch_1"), id="switch_2")
    floor = structs.replace(floor, tables=(*floor.tables, second))
    desk = opened(tmp_path, floor)
    lock(desk, "ddm_1", 1)  # an account that is not recorded yet is not short
    desk.end(ask(), "ddm_1")
    reserve = odds_based_reserve(floor, NOW.date())
    assert reserve == 50_000_000_000
    short = desk.record_account(ask(ACCOUNTING), balance_micros=HELD + WAGER, note="Deposit.")
    assert (short.short_micros, short.odds_reserve_micros) == (reserve, reserve)
    with refused("account_short"):
        desk.start(ask(), "ddm_1", chips=0)
    line = desk.record_account(
        ask(ACCOUNTING), balance_micros=HELD + WAGER, note="Credit line.", credit_line_micros=reserve
    )
    assert line.may_play
    desk.start(ask(), "ddm_1", chips=0)
    desk.book.close()


def test_only_accounting_records_the_account_and_once_for_an_id(real: FloorService) -> None:
    for person in (DEALER, SUPERVISOR, EXECUTIVE):
        with refused("not_allowed"):
            real.record_account(ask(person), balance_micros=1, note="x")
    for note, balance, code in (("", 1, "note_missing"), ("x", -1, "negative_amount")):
        with refused(code):
            real.record_account(ask(ACCOUNTING), balance_micros=balance, note=note)
    once = real.record_account(ask(ACCOUNTING, id="a"), balance_micros=HELD, note="x")
    assert real.record_account(ask(ACCOUNTING, id="a"), balance_micros=HELD, note="x") == once
    assert once.version == 1
    with refused("id_reused"):
        real.record_account(ask(ACCOUNTING, id="a"), balance_micros=HELD + 1, note="x")
    with refused("stale_revision"):
        real.record_account(ask(ACCOUNTING, revision=0), balance_micros=HELD, note="x")


def test_a_demonstration_floor_has_play_money_and_is_not_asked(desk: FloorService) -> None:
    desk.record_account(ask(ACCOUNTING), balance_micros=HELD, note="Opening.")
    short = desk.record_account(ask(ACCOUNTING), balance_micros=0, note="All gone.")
    assert [one.code for one in short.findings] == ["account_short"] and short.may_play
    play(desk, 1)
