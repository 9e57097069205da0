"""Rounds out of the ordinary, end to end on the desk: misdeals, alarms, races, two sensors, house jackpots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec import structs

from croupier.floor import Floor, Version, demo_floor, usd
from croupier.floor.service import FloorRefusedError, FloorService
from croupier.floor.terminal import Pick, Spot
from croupier.jackpot import LockedWager, LockWagers, Request
from croupier.reports.books.accrual import accrual
from croupier.reports.books.achieved import achieved
from croupier.reports.books.audit import audit
from croupier.reports.books.reconciliation import reconciliation
from croupier.store import open_store, verify
from tests.desks import ACCOUNTING, CARDS, DEALER, EXECUTIVE, NOW, SEED, SUPERVISOR, ask, lock, meter, refused
from tests.floors import and_jackpot, only, with_jackpot, with_sensors, with_table


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FloorService]:
    made = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    made.set_up(ask(EXECUTIVE), demo_floor())
    yield made
    assert verify(made.book).is_good
    made.book.close()


# A misdeal.


def test_a_supervisor_voids_a_misdeal_and_the_table_goes_on(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 2)
    with refused("not_allowed"):
        desk.void(ask(DEALER), "ddm_1", "A card was exposed.")
    with refused("note_missing"):
        desk.void(ask(SUPERVISOR), "ddm_1", " ")
    view = desk.void(ask(SUPERVISOR, id="void"), "ddm_1", "A card was exposed.")
    assert (view.terminal.phase, view.terminal.lit, view.terminal.round) == ("open", (), 1)
    assert desk.void(ask(SUPERVISOR, id="void"), "ddm_1", "A card was exposed.") == view
    # Two wagers of $5 are back; the meter keeps 2 x 0.95, the reserve 2 x 0.05, and the house put up those 2.00.
    balances = desk.book.balances("push_22")
    assert meter(desk) == SEED + 1_900_000
    assert balances["push_22", "main", "seed"] == -SEED - 2_000_000
    assert balances["push_22", "", "wagers"] == balances["push_22", "", "receipts"] == 0
    with refused("not_locked"):
        desk.void(ask(SUPERVISOR), "ddm_1", "Again.")
    assert lock(desk, "ddm_1", 1).terminal.round == 2


def test_a_round_with_winning_hands_is_not_void(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 2)
    desk.pick(ask(), "ddm_1", 1, 1, "suited_22")
    with refused("picks_not_hit"):
        desk.void(ask(SUPERVISOR), "ddm_1", "x")
    desk.hit(ask(id="hit"), "ddm_1")
    with refused("claim_open"):
        desk.void(ask(SUPERVISOR), "ddm_1", "x")
    desk.reject(ask(SUPERVISOR), "hit/1", "A misdeal.")
    desk.void(ask(SUPERVISOR), "ddm_1", "x")
    lock(desk, "ddm_1", 1)
    desk.hit(ask(id="again"), "ddm_1", picks=(Pick(1, 1, "suited_22"),))
    desk.pay(ask(SUPERVISOR), "again/1")
    with refused("round_has_awards"):
        desk.void(ask(SUPERVISOR), "ddm_1", "x")
    desk.end(ask(), "ddm_1")


def test_a_round_without_jackpot_wagers_is_void_too(desk: FloorService) -> None:
    desk.start(ask(), "ddm_1", chips=0)
    assert desk.void(ask(SUPERVISOR), "ddm_1", "x").terminal.phase == "open"


def test_the_books_show_a_void_round_apart(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 2)
    desk.void(ask(SUPERVISOR), "ddm_1", "A card was exposed.")
    lock(desk, "ddm_1", 1)
    line = accrual(desk.book).line("push_22", "ddm_1")
    assert (line.rounds, line.rounds_voided) == (2, 1)
    assert (line.wagered_micros, line.voided_micros) == (15_000_000, 10_000_000)
    assert (line.receipts_micros, line.voided_receipts_micros) == (12_000_000, 8_000_000)
    assert accrual(desk.book).line().rounds_voided == 1
    found = reconciliation(desk.book)
    assert found.is_good
    assert found.line("push_22", "wagers", "").voided_micros == 10_000_000
    assert found.line("push_22", "receipts", "").closing_micros == 4_000_000
    assert found.line("push_22", "seed").voided_micros == -2_000_000
    assert found.line("push_22", "meter").voided_micros == 0
    (void,) = [one for one in audit(desk.book).lines if one.what == "void" and one.micros is not None]
    assert (void.actor, void.subject, void.note, void.micros) == ("sue", "ddm_1/1", "A card was exposed.", 10_000_000)
    assert achieved(desk.book, desk.floor()).line("push_22", "suited_22").trials == 1


def test_what_the_house_put_up_for_a_misdeal_is_recovered_as_seed(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1)
    desk.void(ask(SUPERVISOR), "ddm_1", "x")
    desk.adjust(ask(EXECUTIVE), "push_22", reason="recover_seed", micros=950_000, note="Misdeal.", second=ACCOUNTING)
    assert meter(desk) == SEED


# An increase that cannot be right.


def test_an_unreasonable_contribution_is_refused_and_stops_the_table_on_record(tmp_path: Path) -> None:
    floor = with_jackpot(demo_floor(), "push_22", alarm_micros=usd("2"))
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    assert "alarm_too_low" in [one.code for one in desk.set_up(ask(EXECUTIVE), floor)]
    lock(desk, "ddm_1", 1, 2)  # $2.00 is as much as is believed
    desk.end(ask(), "ddm_1")
    before = desk.book.balances()
    with refused("unreasonable_contribution"):
        lock(desk, "ddm_1", 1, 2, 3)
    now = desk.table("ddm_1").terminal
    assert (now.phase, len(now.lit)) == ("open", 3) and "taken for a fault" in now.stopped
    assert desk.book.balances() == before
    (alert,) = [one for one in audit(desk.book).lines if one.what == "unreasonable_contribution"]
    assert (alert.actor, alert.subject) == ("ann", "alert:ddm_1")
    with refused("out_of_service"):
        desk.start(ask(), "ddm_1", chips=3)
    lock(desk, "ddm_2", 1)  # other tables play on
    desk.reopen(ask(SUPERVISOR), "ddm_1")
    desk.sense(ask(), "ddm_1", 3, 1, lit=False)
    desk.start(ask(), "ddm_1", chips=2)
    assert verify(desk.book).is_good
    desk.book.close()


def test_an_alarm_that_the_set_up_leaves_out_is_what_a_full_table_adds(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 2, 3, 4, 5, 6)
    (level,) = desk.book.jackpot("push_22").parameters.levels
    assert level.unreasonable_micros == usd("7.01")
    # Whoever posts past the desk is stopped too: eight wagers at one table are more than there are seats.
    bets = tuple(LockedWager(seat=seat, sensor=1, jackpot="push_22", amount_micros=5_000_000) for seat in range(1, 9))
    wrong = LockWagers(table="elsewhere", round=1, bets=bets)
    with refused("unreasonable_contribution"):
        desk.book.post(Request(id="elsewhere", actor="ann", at=NOW, command=wrong))


def test_a_seat_more_at_a_table_is_no_change_of_money(desk: FloorService) -> None:
    floor = with_table(desk.floor(), "ddm_1", seats=7)
    version = Version(number=2, effective_from=NOW, made_by="sue", reason="One seat more.")
    desk.change(ask(SUPERVISOR), structs.replace(floor, version=version))
    assert desk.book.jackpot("push_22").version == 1


# Two commands at one revision.


def test_whoever_comes_second_in_a_moment_is_answered_by_what_the_first_has_left(
    desk: FloorService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other command is booked after this one was decided, just before it is: the moment is made, not waited for."""
    post = desk.book.post_all

    def meanwhile(other: Callable[[], object]) -> None:
        def post_late(requests: Sequence[Request]) -> object:
            monkeypatch.undo()
            other()
            return post(requests)

        monkeypatch.setattr(desk.book, "post_all", post_late)

    desk.sense(ask(), "ddm_1", 1, 1, lit=True)
    meanwhile(lambda: desk.start(ask(), "ddm_1", chips=1))
    with refused("not_open"):
        desk.start(ask(), "ddm_1", chips=1)
    desk.hit(ask(id="hit"), "ddm_1", picks=(Pick(1, 1, "suited_22"),))
    meanwhile(lambda: desk.reject(ask(SUPERVISOR), "hit/1", "Not suited."))
    with refused("award_not_pending"):
        desk.pay(ask(SUPERVISOR), "hit/1")
    assert desk.book.award("hit/1").status == "rejected"
    desk.hit(ask(id="again"), "ddm_1", picks=(Pick(1, 1, "suited_22"),))
    meanwhile(lambda: desk.pay(ask(SUPERVISOR), "again/1"))
    with refused("award_not_pending"):
        desk.pay(ask(EXECUTIVE), "again/1")
    assert desk.book.award("again/1").approved_by == ("sue",)
    meanwhile(lambda: desk.stop(ask(SUPERVISOR), "ddm_1", "A card is torn."))
    with refused("stale_revision"):  # who says what they saw is told that it is gone
        desk.end(ask(revision=desk.table("ddm_1").revision), "ddm_1")
    desk.reopen(ask(SUPERVISOR), "ddm_1")


def test_who_names_no_revision_is_not_refused_for_what_happens_in_the_same_moment(
    desk: FloorService, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = desk.book.post_all

    def post_late(requests: Sequence[Request]) -> object:
        monkeypatch.undo()
        desk.sense(ask(), "ddm_1", 2, 1, lit=True)
        return post(requests)

    monkeypatch.setattr(desk.book, "post_all", post_late)
    view = desk.start(ask(), "ddm_1", chips=1, lit=(Spot(2, 1),))
    assert view.terminal.phase == "locked" and view.revision == 2


# Two sensors at each seat: two jackpots, two games.


def two_sensor_floor() -> Floor:
    """ddm_1 alone, with "push_22" for $5 on sensor 1 and "second" for $1 and a seed of $10,000 on sensor 2."""
    floor = and_jackpot(
        only(demo_floor(), "ddm_1"), "push_22", id="second", wager_micros=usd("1"), seed_micros=usd("10,000")
    )
    return with_sensors(floor, "ddm_1", "push_22", "second")


def test_a_seat_with_two_sensors_plays_two_jackpots_apart(tmp_path: Path) -> None:
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), two_sensor_floor())
    for seat, sensor in ((1, 1), (1, 2), (2, 2)):
        desk.sense(ask(), "ddm_1", seat, sensor, lit=True)
    with refused("chip_count_differs"):
        desk.start(ask(), "ddm_1", chips=2)
    desk.start(ask(), "ddm_1", chips=3)
    # 50,000 + 0.95, and 10,000 + 2 x 0.19.
    assert (meter(desk), meter(desk, "second")) == (SEED + 950_000, 10_000_380_000)
    with refused("no_locked_wager"):
        desk.pick(ask(), "ddm_1", 2, 1, "suited_22")
    desk.pick(ask(), "ddm_1", 0, 2, "suited_4567_other")  # Community Jackpot on sensor 2 alone
    with refused("one_hand_per_seat"):
        desk.pick(ask(), "ddm_1", 1, 2, "suited_22")
    with refused("one_row_per_round"):  # one dealer's hand cannot be both
        desk.pick(ask(), "ddm_1", 1, 1, "suited_22")
    desk.pick(ask(), "ddm_1", 0, 1, "suited_4567_other")
    hit = desk.hit(ask(id="hit"), "ddm_1", evidence="4h 5h 6h 7h")
    assert hit.awards == ("hit/1", "hit/2") == desk.table("ddm_1").awards
    first, second = desk.book.award("hit/1"), desk.book.award("hit/2")
    # 10% of 50,000.95 for the one participant of sensor 1.
    assert (first.jackpot, first.seats, first.amount_micros) == ("push_22", (1,), 5_000_090_000)
    # 10% of 10,000.38 is 1,000.038; each of the two participants of sensor 2 gets 500.01.
    assert (second.jackpot, second.seats, second.each_micros) == ("second", (1, 2), 500_010_000)
    assert (meter(desk), meter(desk, "second")) == (45_000_860_000, 9_000_360_000)
    with refused("one_row_per_round"):
        desk.hit(ask(), "ddm_1", picks=(Pick(1, 2, "suited_22"),))
    with refused("already_hit"):
        desk.hit(ask(), "ddm_1", picks=(Pick(0, 2, "suited_4567_other"),), evidence="4h 5h 6h 7h")
    desk.pay(ask(SUPERVISOR), "hit/2")
    with refused("claim_open"):
        desk.end(ask(), "ddm_1")
    assert desk.table("ddm_1").awards == ("hit/1",)
    desk.pay(ask(EXECUTIVE), "hit/1")
    desk.end(ask(), "ddm_1")
    paid = {one.jackpot: one.paid_micros for one in desk.meters()}
    assert paid == {"push_22": 5_000_090_000, "second": 1_000_020_000}
    assert reconciliation(desk.book).is_good and verify(desk.book).is_good
    desk.book.close()


def test_a_misdeal_gives_the_wagers_of_both_sensors_back(tmp_path: Path) -> None:
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), two_sensor_floor())
    desk.start(ask(), "ddm_1", chips=2, lit=(Spot(1, 1), Spot(1, 2)))
    desk.void(ask(SUPERVISOR), "ddm_1", "x")
    balances = desk.book.balances()
    for jackpot in ("push_22", "second"):
        assert balances[jackpot, "", "wagers"] == balances[jackpot, "", "receipts"] == 0
    assert accrual(desk.book).line().rounds_voided == 1
    assert verify(desk.book).is_good
    desk.book.close()


@pytest.mark.parametrize(
    ("floor", "code"),
    [
        (with_sensors(two_sensor_floor(), "ddm_1", "push_22", "push_22"), "sensors_share_jackpot"),
        (
            with_sensors(and_jackpot(two_sensor_floor(), "second", id="third"), "ddm_1", "push_22", "second", "third"),
            "too_many_sensors",
        ),
        (
            with_jackpot(
                two_sensor_floor(),
                "second",
                kind="house",
                contribution=Fraction(0),
                reserve=Fraction(0),
                cap_micros=None,
            ),
            "mixed_jackpot_kinds",
        ),
    ],
    ids=["one jackpot twice", "three sensors", "two kinds"],
)
def test_sensors_that_the_law_refuses_are_not_set_up(tmp_path: Path, floor: Floor, code: str) -> None:
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    with pytest.raises(FloorRefusedError) as refusal:
        desk.set_up(ask(EXECUTIVE), floor)
    assert code in [one.code for one in refusal.value.findings]
    assert desk.book.head()[0] == 0
    desk.book.close()


# A house jackpot: a fixed prize, in full to each winner.


def test_a_house_jackpot_pays_each_winner_in_full_and_does_not_move(tmp_path: Path) -> None:
    floor = with_jackpot(demo_floor(), "dragon", kind="house", contribution=Fraction(0), reserve=Fraction(0))
    posted = (*floor.table("baccarat_1").posted, "no_player_money", "may_be_removed")
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), with_table(floor, "baccarat_1", posted=posted))
    lock(desk, "baccarat_1", 1, 4)
    assert meter(desk, "dragon") == 5_000_000_000
    desk.pick(ask(), "baccarat_1", 0, 1, "suited_six_cards")
    desk.hit(ask(id="win"), "baccarat_1", evidence=CARDS["suited_six_cards"])
    award = desk.book.award("win/1")
    assert (award.seats, award.each_micros, award.amount_micros) == ((1, 4), 5_000_000_000, 10_000_000_000)
    assert meter(desk, "dragon") == 5_000_000_000
    desk.turn_key(ask(SUPERVISOR), "baccarat_1", "jph")
    with refused("low_card"):
        desk.pay(ask(SUPERVISOR), "win/1")
    desk.pay(ask(EXECUTIVE), "win/1")
    desk.turn_key(ask(SUPERVISOR), "baccarat_1", "run")
    desk.end(ask(), "baccarat_1")
    balances = desk.book.balances("dragon")
    assert balances["dragon", "main", "paid"] == -balances["dragon", "main", "tray"] == 10_000_000_000
    assert balances["dragon", "", "receipts"] == -balances["dragon", "", "wagers"] == 2_000_000
    assert meter(desk, "dragon") == -balances["dragon", "main", "seed"] == 5_000_000_000
    with refused("house_not_adjusted"):
        desk.adjust(ask(EXECUTIVE), "dragon", reason="house_addition", micros=1, note="x", second=ACCOUNTING)
    assert reconciliation(desk.book).is_good and verify(desk.book).is_good
    desk.book.close()
