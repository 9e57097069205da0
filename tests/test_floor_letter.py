"""The terminal by the letters: chips taken or left, one dealer's hand one row, the mandatory wager, and the right award
after a back-out. Money is worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import CroupierError
from croupier.floor import Floor, demo_floor, usd
from croupier.floor.chips import chip_stays
from croupier.floor.service import FloorService
from croupier.floor.terminal import Pick, Spot
from croupier.reports.books.accrual import accrual
from croupier.reports.books.awards import win_page
from croupier.reports.books.reconciliation import reconciliation
from croupier.reports.paper.win_page import win_paper
from croupier.store import open_store, verify
from croupier.web.pages.dealer.view import face_of
from tests.desks import (
    ACCOUNTING,
    CARDS,
    DEALER,
    EXECUTIVE,
    NOW,
    OTHER_EXECUTIVE,
    SEED,
    SUPERVISOR,
    ask,
    lock,
    meter,
    refused,
)
from tests.floors import and_jackpot, only, with_jackpot, with_sensors, with_table


def opened(tmp_path: Path, floor: Floor) -> FloorService:
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), floor)
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FloorService]:
    made = opened(tmp_path, demo_floor())
    yield made
    made.book.close()


# $1 taken, $5 left on the coin spot.


def five_dollar_floor(**more: Any) -> Floor:
    """Dragon Bonus Progressive, table 1 at $5: 1000 and 10 to 1, tracked; 20% to the meter."""
    seed = usd("50000")
    return with_jackpot(
        demo_floor(), "dragon", pay_table="1-5", wager_micros=usd("5"), seed_micros=seed, track_fixed_pays=True, **more
    )


NINE: Any = {"evidence": "5c Kd 4h, Kc Qd Ts", "side": "player"}


def test_the_chip_stays_where_the_pay_is_to_one(desk: FloorService) -> None:
    floor = desk.floor()
    assert not chip_stays(floor.jackpot("push_22")), "$5 at pays for 1: all progressive wagers are taken in"
    assert not chip_stays(floor.jackpot("dragon"))
    assert chip_stays(five_dollar_floor().jackpot("dragon"))


def test_the_tray_pays_fifty_where_ten_to_one_is_due_on_five(tmp_path: Path) -> None:
    desk = opened(tmp_path, five_dollar_floor())
    lock(desk, "baccarat_1", 1)
    (award,) = desk.hit(ask(), "baccarat_1", picks=[Pick(1, 1, "nine_zero")], **NINE).awards
    found = desk.book.award(award)
    assert (found.each_micros, found.amount_micros, found.chip_micros) == (50_000_000, 50_000_000, 5_000_000)
    desk.turn_key(ask(SUPERVISOR), "baccarat_1", "jph")
    desk.pay(ask(SUPERVISOR), award)
    desk.turn_key(ask(SUPERVISOR), "baccarat_1", "run")
    desk.end(ask(), "baccarat_1")
    # In: 5, of which 25% to the meter, 1% to the reserve. Out: 50 of the tray, and the chip.
    balances = {(level, account): micros for (_, level, account), micros in desk.book.balances("dragon").items()}
    assert balances["main", "tray"] == -50_000_000 and balances["main", "paid"] == 50_000_000
    assert balances["", "chips"] == -5_000_000 and balances["", "wagers"] == 0
    assert balances["", "receipts"] == 3_700_000 and meter(desk, "dragon") == 50_001_250_000
    line = accrual(desk.book).line("dragon")
    assert (line.wagered_micros, line.chips_returned_micros, line.paid_micros) == (5_000_000, 5_000_000, 50_000_000)
    assert reconciliation(desk.book).is_good and verify(desk.book).is_good
    paper = win_paper(win_page(desk.book, award, desk.floor()), desk.floor())
    assert paper.amount == "$50.00" and "$55" not in str(paper)
    facts = {fact.label: fact.text for fact in paper.facts}
    assert facts["Chip on the spot"] == "the wager of $5.00 goes back to each winner"
    assert facts["Cards"].startswith("Player 5c Kd 4h, Banker Kc Qd Ts")
    desk.book.close()


def test_a_share_of_the_meter_takes_the_chip_in(tmp_path: Path) -> None:
    desk = opened(tmp_path, five_dollar_floor())
    lock(desk, "baccarat_1", 1)
    cards: Any = {"evidence": "2d 3d 4d, Kc Qd Ts", "side": "player"}
    (award,) = desk.hit(ask(), "baccarat_1", picks=[Pick(0, 1, "234_named")], **cards).awards
    assert not desk.book.award(award).chip_micros
    desk.book.close()


def test_a_pay_for_one_takes_the_chip_in(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1)
    (award,) = desk.hit(ask(), "ddm_1", picks=[Pick(1, 1, "suited_22")]).awards
    found = desk.book.award(award)
    assert (found.each_micros, found.chip_micros or 0) == (250_000_000, 0)


# One dealer's hand, one row.


def test_one_round_has_one_row_for_all_participants(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 3)
    desk.pick(ask(), "ddm_1", 1, 1, "suited_22")
    with pytest.raises(CroupierError, match=r'has "Dealer 22, one suit" .* one row for all') as refusal:
        desk.pick(ask(), "ddm_1", 3, 1, "other_22")
    assert refusal.value.code == "one_row_per_round"
    desk.hit(ask(id="first"), "ddm_1")
    for status, way in (("pending", "Reject that award first"), ("paid", "It is paid: only a manual adjustment")):
        assert desk.book.award("first/1").status == status
        with pytest.raises(CroupierError, match=rf'It is award "first/1"\. {way}') as refusal:
            desk.pick(ask(), "ddm_1", 3, 1, "other_22")
        assert refusal.value.code == "one_row_per_round"
        if status == "pending":
            desk.pay(ask(), "first/1")
    desk.hit(ask(), "ddm_1", picks=[Pick(3, 1, "suited_22")])


def test_a_rejected_row_makes_way_for_another(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 3)
    desk.hit(ask(id="wrong"), "ddm_1", picks=[Pick(1, 1, "suited_22")])
    desk.reject(ask(SUPERVISOR), "wrong/1", "Two suits.")
    desk.hit(ask(), "ddm_1", picks=[Pick(1, 1, "other_22"), Pick(3, 1, "other_22")])


def test_the_seats_of_a_round_win_by_the_same_cards(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 2, 3)
    desk.hit(ask(id="first"), "ddm_1", picks=[Pick(1, 1, "suited_22")], evidence="Kh 5h 7h")
    with pytest.raises(CroupierError, match=r"with the cards Kh 5h 7h, .* they are Ks 5s 7s.*Reject") as refusal:
        desk.hit(ask(), "ddm_1", picks=[Pick(2, 1, "suited_22")], evidence="Ks 5s 7s")
    assert refusal.value.code == "other_cards"
    desk.hit(ask(), "ddm_1", picks=[Pick(2, 1, "suited_22")], evidence="7h Kh 5h")  # in any order
    desk.hit(ask(), "ddm_1", picks=[Pick(3, 1, "suited_22")])


def test_cards_that_were_rejected_make_way_for_others(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1)
    desk.hit(ask(id="wrong"), "ddm_1", picks=[Pick(1, 1, "suited_22")], evidence="Kh 5h 7h")
    desk.reject(ask(SUPERVISOR), "wrong/1", "They were spades.")
    desk.hit(ask(), "ddm_1", picks=[Pick(1, 1, "suited_22")], evidence="Ks 5s 7s")


def test_both_sides_of_baccarat_do_not_win_one_round(tmp_path: Path) -> None:
    desk = opened(tmp_path, five_dollar_floor())
    lock(desk, "baccarat_1", 1, 2)
    desk.hit(ask(), "baccarat_1", picks=[Pick(1, 1, "nine_zero")], evidence="Kh Qd Jd, Ah 2c 6s", side="banker")
    with refused("other_cards"):
        desk.hit(ask(), "baccarat_1", picks=[Pick(2, 1, "nine_zero")], evidence="Ah 2c 6s, Kh Qd Jd", side="player")
    desk.hit(ask(), "baccarat_1", picks=[Pick(2, 1, "nine_zero")], evidence="Kh Qd Jd, Ah 2c 6s", side="banker")
    desk.book.close()


def on_two_sensors(tmp_path: Path) -> FloorService:
    """Seat 1 has a wager for each of two jackpots, by different pay tables of Push 22."""
    desk = opened(tmp_path, two_sensors())
    desk.start(ask(), "ddm_1", chips=2, lit=(Spot(1, 1), Spot(1, 2)))
    return desk


def test_the_sensors_of_a_round_win_by_the_same_cards(tmp_path: Path) -> None:
    desk = on_two_sensors(tmp_path)
    desk.hit(ask(id="first"), "ddm_1", picks=[Pick(1, 1, "suited_22")], evidence="Kh 5h 7h")
    with refused("one_row_per_round"):
        desk.hit(ask(), "ddm_1", picks=[Pick(1, 2, "other_22")], evidence="Kh 5c 7d")
    with refused("other_cards"):
        desk.hit(ask(), "ddm_1", picks=[Pick(1, 2, "suited_22")], evidence="Ks 5s 7s")
    desk.hit(ask(), "ddm_1", picks=[Pick(1, 2, "suited_22")], evidence="Kh 5h 7h")
    desk.book.close()


def test_cards_contradict_no_claim_that_was_made_without_them(tmp_path: Path) -> None:
    """Two jackpots of one baccarat table whose pay tables look at different things, so that only cards tell."""
    floor = and_jackpot(only(five_dollar_floor(), "baccarat_1"), "dragon", id="second", pay_table="3", name="Second")
    floor = with_jackpot(floor, "second", wager_micros=usd("1"), seed_micros=usd("5000"))
    desk = opened(tmp_path, with_sensors(floor, "baccarat_1", "dragon", "second"))
    natural, drawn = "5d 4d, Kd Qd", "Kh Qd Jd, Ah 2c 6s"
    desk.start(ask(), "baccarat_1", chips=2, lit=(Spot(1, 1), Spot(1, 2)))
    desk.hit(ask(id="first"), "baccarat_1", picks=[Pick(1, 1, "nine_zero")])
    with pytest.raises(CroupierError, match=r'Award "first/1" of round 1 is for .*, which the cards') as refusal:
        suited = [Pick(1, 2, "suited_four_cards")]
        desk.hit(ask(), "baccarat_1", picks=suited, evidence=natural, side="player")
    assert refusal.value.code == "other_cards"
    desk.hit(ask(), "baccarat_1", picks=[Pick(1, 2, "win_by_9")], evidence=drawn, side="banker")
    desk.reject(ask(SUPERVISOR), "first/1", "Once more.")
    with refused("cards_give_another"):
        desk.hit(ask(), "baccarat_1", picks=[Pick(1, 1, "234_unsuited")])
    desk.book.close()


def test_an_award_by_hand_is_by_the_cards_of_its_round(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 2)
    desk.hit(ask(id="first"), "ddm_1", picks=[Pick(1, 1, "suited_22"), Pick(2, 1, "suited_22")], evidence="Kh 5h 7h")
    desk.pay(ask(SUPERVISOR), "first/1")
    desk.end(ask(), "ddm_1")
    lock(desk, "ddm_1", 1, 2)
    desk.hit(ask(id="one"), "ddm_1", picks=[Pick(1, 1, "suited_22")], evidence="Kh 5h 7h")
    late: Any = {"picks": [Pick(2, 1, "suited_22")], "note": "Missed.", "second": ACCOUNTING}
    with refused("other_cards"):
        desk.award_by_hand(ask(EXECUTIVE), "ddm_1", 2, evidence="Ks 5s 7s", **late)
    with pytest.raises(CroupierError, match=r"claimed with the cards Kh 5h 7h.*It is paid"):
        desk.award_by_hand(ask(EXECUTIVE), "ddm_1", 1, evidence="Ks 5s 7s", **late)


# No money leaves the meter without cards.


def test_a_fixed_pay_off_the_meter_is_claimed_with_its_cards(tmp_path: Path) -> None:
    desk = opened(tmp_path, with_jackpot(demo_floor(), "push_22", fixed_pays="meter"))
    lock(desk, "ddm_1", 1)
    with pytest.raises(CroupierError, match="pays from the meter: enter the cards") as refusal:
        desk.hit(ask(), "ddm_1", picks=[Pick(1, 1, "suited_22")])
    assert refusal.value.code == "cards_needed"
    by_hand: Any = {"picks": [Pick(1, 1, "suited_22")], "evidence": "", "note": "x", "second": ACCOUNTING}
    with refused("cards_needed"):
        desk.award_by_hand(ask(EXECUTIVE), "ddm_1", 1, **by_hand)
    desk.pick(ask(), "ddm_1", 1, 1, "suited_22")
    view, floor = desk.table("ddm_1"), desk.floor()
    face = face_of(
        floor.table("ddm_1"),
        floor,
        view.terminal,
        base="",
        revision=view.revision,
        meters={},
        preview=(),
        awards=(),
        chosen=1,
    )
    assert face.cards is not None and face.cards.are_needed
    desk.hit(ask(), "ddm_1", evidence="Kh 5h 7h")
    desk.book.close()


def test_end_game_names_who_is_unpaid(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 3, 4)
    desk.hit(ask(id="one"), "ddm_1", picks=[Pick(1, 1, "other_22")])
    desk.pay(ask(), "one/1")
    with pytest.raises(CroupierError, match=r"and seats 3, 4 have no award yet") as refusal:
        desk.end(ask(), "ddm_1")
    assert refusal.value.code == "participants_unpaid"
    desk.hit(ask(id="three"), "ddm_1", picks=[Pick(3, 1, "other_22")])
    desk.pay(ask(), "three/1")
    with pytest.raises(CroupierError, match=r"and seat 4 has no award yet"):
        desk.end(ask(), "ddm_1")
    desk.hit(ask(id="four"), "ddm_1", picks=[Pick(4, 1, "other_22")])
    desk.pay(ask(), "four/1")
    desk.end(ask(), "ddm_1")


def test_a_row_that_is_taken_back_leaves_nobody_unpaid(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 3)
    desk.hit(ask(id="one"), "ddm_1", picks=[Pick(1, 1, "other_22")])
    desk.pay(ask(), "one/1")
    desk.back_out(ask(EXECUTIVE), "one/1", "It was 21.", ACCOUNTING)
    desk.end(ask(), "ddm_1")


def test_a_side_of_baccarat_that_did_not_win_is_not_unpaid(tmp_path: Path) -> None:
    floor = with_table(five_dollar_floor(), "baccarat_1", settings={"counts": "own_side"})
    desk = opened(tmp_path, floor)
    lock(desk, "baccarat_1", 1, 2)
    (award,) = desk.hit(ask(), "baccarat_1", picks=[Pick(1, 1, "nine_zero")], **NINE).awards
    desk.turn_key(ask(SUPERVISOR), "baccarat_1", "jph")
    desk.pay(ask(SUPERVISOR), award)
    desk.turn_key(ask(SUPERVISOR), "baccarat_1", "run")
    desk.end(ask(), "baccarat_1")
    desk.book.close()


# The mandatory jackpot wager.


def two_sensors(**settings: str) -> Floor:
    floor = and_jackpot(only(demo_floor(), "ddm_1"), "push_22", id="second", name="Second", pay_table="2")
    return with_table(with_sensors(floor, "ddm_1", "push_22", "second"), "ddm_1", settings=settings)


def test_a_seat_that_plays_has_a_chip_on_every_mandatory_sensor(tmp_path: Path) -> None:
    desk = opened(tmp_path, two_sensors(jackpot_wager="mandatory"))
    for seat, sensor in ((1, 1), (1, 2), (2, 1), (4, 2)):
        desk.sense(ask(), "ddm_1", seat, sensor, lit=True)
    before = desk.book.head()
    with pytest.raises(CroupierError) as refusal:
        desk.start(ask(), "ddm_1", chips=4)
    assert refusal.value.code == "no_jackpot_wager" and desk.book.head() == before
    assert "seat 2 on sensor 2 (Second); seat 4 on sensor 1 (Push 22™ Progressive)" in str(refusal.value)
    for seat, sensor in ((2, 2), (4, 1)):
        desk.sense(ask(), "ddm_1", seat, sensor, lit=True)
    assert desk.start(ask(), "ddm_1", chips=6, playing=3).terminal.phase == "locked"
    desk.book.close()


def test_a_seat_that_plays_without_any_chip_holds_start_game(tmp_path: Path) -> None:
    desk = opened(tmp_path, with_table(demo_floor(), "ddm_1", settings={"jackpot_wager": "mandatory"}))
    for seat in (1, 2):
        desk.sense(ask(), "ddm_1", seat, 1, lit=True)
    before = desk.book.head()
    with refused("seats_playing_needed"):
        desk.start(ask(), "ddm_1", chips=2)
    with pytest.raises(CroupierError, match="3 seats play, and 2 of them have a chip") as refusal:
        desk.start(ask(), "ddm_1", chips=2, playing=3)
    assert refusal.value.code == "no_jackpot_wager"
    for wrong in (1, 7, -1):
        with refused("bad_seats_playing"):
            desk.start(ask(), "ddm_1", chips=2, playing=wrong)
    assert desk.book.head() == before
    one = ask(id="once")
    assert desk.start(one, "ddm_1", chips=2, playing=2) == desk.start(one, "ddm_1", chips=2, playing=2)
    desk.book.close()


def test_an_optional_wager_is_left_to_the_seat(tmp_path: Path) -> None:
    desk = opened(tmp_path, two_sensors())
    desk.sense(ask(), "ddm_1", 2, 1, lit=True)
    assert desk.start(ask(), "ddm_1", chips=1).terminal.phase == "locked"
    desk.book.close()


# The right award after a back-out.

PROTOCOLS = ["gm_atlas", "nexus_command", "aquarius"]


def wrongly_paid(desk: FloorService, protocol: str) -> None:
    """Round 1 of ddm_1, seats 1 and 2: 10% of 50,001.90 was paid as "wrong/1", and is backed out again."""
    lock(desk, "ddm_1", 1, 2)
    desk.hit(ask(id="wrong"), "ddm_1", picks=[Pick(0, 1, "suited_4567_other")], evidence="4h 5h 6h 7h")
    if protocol == "aquarius":
        desk.turn_key(ask(SUPERVISOR), "ddm_1", "jph")
    desk.pay(ask(EXECUTIVE), "wrong/1")
    if protocol == "aquarius":
        desk.turn_key(ask(SUPERVISOR), "ddm_1", "run")
    with refused("award_not_pending"):
        desk.reject(ask(SUPERVISOR), "wrong/1", "Too late.")
    desk.back_out(ask(EXECUTIVE), "wrong/1", "They were spades.", ACCOUNTING)
    assert meter(desk) == SEED + 1_900_000


@pytest.fixture(params=PROTOCOLS)
def on(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[FloorService, str]]:
    """The floor on each system. The letter has no Aquarius for this game, which is no matter of the steps."""
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    floor = with_table(demo_floor(), "ddm_1", protocol=request.param)
    desk.set_up(ask(EXECUTIVE), demo_floor())
    desk._read = (desk.book.fact_version("floor"), floor)
    yield desk, request.param
    desk.book.close()


RIGHT: Any = {"picks": [Pick(0, 1, "suited_4567_named")], "evidence": "4s 5s 6s 7s", "note": "They were spades."}


def test_the_right_award_is_entered_by_two_people_in_the_same_round(on: tuple[FloorService, str]) -> None:
    desk, protocol = on
    wrongly_paid(desk, protocol)
    with pytest.raises(CroupierError, match=r"was backed out\. The right one is entered by hand"):
        desk.hit(ask(), "ddm_1", picks=RIGHT["picks"], evidence="4s 5s 6s 7s")
    with refused("not_allowed"):
        desk.award_by_hand(ask(DEALER), "ddm_1", 1, second=ACCOUNTING, **RIGHT)
    with refused("same_person"):
        desk.award_by_hand(ask(EXECUTIVE), "ddm_1", 1, second=EXECUTIVE, **RIGHT)
    with refused("cards_give_another"):
        desk.award_by_hand(ask(EXECUTIVE), "ddm_1", 1, second=ACCOUNTING, **RIGHT | {"evidence": "4h 5h 6h 7h"})
    with refused("cards_needed"):
        desk.award_by_hand(ask(EXECUTIVE), "ddm_1", 1, second=ACCOUNTING, **RIGHT | {"evidence": ""})
    view = desk.award_by_hand(ask(EXECUTIVE, id="right"), "ddm_1", 1, second=ACCOUNTING, **RIGHT)
    assert view.awards == view.terminal.claims == ("right/1",)
    assert desk.award_by_hand(ask(EXECUTIVE, id="right"), "ddm_1", 1, second=ACCOUNTING, **RIGHT) == view
    # All of 50,001.90; then the seed and 2 x 0.05 of reserve.
    assert desk.book.award("right/1").amount_micros == 50_001_900_000 and meter(desk) == SEED + 100_000
    with refused("claim_open"):
        desk.end(ask(), "ddm_1")
    if protocol == "aquarius":
        with refused("key_not_at_jph"):
            desk.pay(ask(EXECUTIVE), "right/1", second=OTHER_EXECUTIVE)
        desk.turn_key(ask(SUPERVISOR), "ddm_1", "jph")
    desk.pay(ask(EXECUTIVE), "right/1", second=OTHER_EXECUTIVE)
    if protocol == "aquarius":
        desk.turn_key(ask(SUPERVISOR), "ddm_1", "run")
    desk.end(ask(), "ddm_1")
    paid = next(one for one in desk.meters() if one.jackpot == "push_22")
    assert (paid.paid_micros, paid.pending_micros) == (50_001_900_000, 0)
    assert reconciliation(desk.book).is_good and verify(desk.book).is_good


def test_the_right_award_is_entered_after_later_rounds(on: tuple[FloorService, str]) -> None:
    desk, protocol = on
    lock(desk, "ddm_1", 1, 2)
    desk.hit(ask(id="wrong"), "ddm_1", picks=[Pick(1, 1, "other_22"), Pick(2, 1, "other_22")])
    if protocol == "aquarius":
        desk.turn_key(ask(SUPERVISOR), "ddm_1", "jph")
    desk.pay(ask(), "wrong/1")
    if protocol == "aquarius":
        desk.turn_key(ask(SUPERVISOR), "ddm_1", "run")
    desk.end(ask(), "ddm_1")
    lock(desk, "ddm_1", 4)
    desk.back_out(ask(EXECUTIVE), "wrong/1", "One suit.", ACCOUNTING)
    right: Any = {"evidence": "Th 3h 9h", "note": "One suit."}
    with refused("no_locked_wager"):  # seat 4 plays now, and did not then
        desk.award_by_hand(ask(EXECUTIVE), "ddm_1", 1, picks=[Pick(4, 1, "suited_22")], second=ACCOUNTING, **right)
    picks = [Pick(1, 1, "suited_22"), Pick(2, 1, "suited_22")]
    view = desk.award_by_hand(ask(EXECUTIVE, id="late"), "ddm_1", 1, picks=picks, second=ACCOUNTING, **right)
    assert view.awards == ("late/1",) and view.terminal.claims == (), "the round at the table goes on"
    assert desk.award_by_hand(ask(EXECUTIVE, id="late"), "ddm_1", 1, picks=picks, second=ACCOUNTING, **right) == view
    with refused("one_row_per_round"):
        desk.award_by_hand(
            ask(EXECUTIVE), "ddm_1", 1, picks=[Pick(1, 1, "other_22")], second=ACCOUNTING, evidence="", note="x"
        )
    with refused("already_hit"):
        desk.award_by_hand(ask(EXECUTIVE), "ddm_1", 1, picks=picks[:1], second=ACCOUNTING, **right)
    desk.end(ask(), "ddm_1")
    desk.pay(ask(SUPERVISOR), "late/1")  # also on Aquarius: this is no matter of the table's key any more
    tray = desk.book.balances()["push_22", "main", "tray"]
    assert tray == -500_000_000 and meter(desk) == SEED + 3 * 950_000
    win = win_page(desk.book, "late/1", desk.floor())
    assert (win.line.hit.round, win.line.hit.second, win.line.hit.note) == (1, "acc", "One suit.")
    facts = {fact.label: fact.text for fact in win_paper(win, desk.floor()).facts}
    assert facts["Entered by hand"] == "by eve and acc: One suit."
    assert reconciliation(desk.book).is_good and verify(desk.book).is_good


def test_a_win_that_its_round_has_missed_is_entered_late(desk: FloorService) -> None:
    lock(desk, "baccarat_1", 1, 2)
    desk.end(ask(), "baccarat_1")
    late: Any = {
        "picks": [Pick(0, 1, "suited_six_cards")],
        "evidence": CARDS["suited_six_cards"],
        "note": "Not pressed.",
    }
    desk.award_by_hand(ask(ACCOUNTING, id="late"), "baccarat_1", 1, second=EXECUTIVE, **late)
    # 5,000 + 2 x 0.25.
    assert desk.book.award("late/1").amount_micros == 5_000_500_000
    desk.pay(ask(EXECUTIVE), "late/1")
    with refused("round_not_locked"):
        desk.award_by_hand(ask(ACCOUNTING), "baccarat_1", 7, second=EXECUTIVE, **late)


def test_a_late_award_is_by_the_set_up_that_was_played(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1)
    desk.end(ask(), "ddm_1")
    changed = with_jackpot(desk.floor(), "push_22", pay_table="2")
    desk._read = (desk.book.fact_version("floor"), changed)
    with pytest.raises(CroupierError, match='for \\$5 by pay table 1 of "push_22" on sensor 1') as refusal:
        desk.award_by_hand(ask(EXECUTIVE), "ddm_1", 1, second=ACCOUNTING, **RIGHT)
    assert refusal.value.code == "set_up_changed"
