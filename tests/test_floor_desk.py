"""The floor's desk: an evening worked out by hand, and every refusal of the terminal.

The demo floor: ddm_1 and ddm_2 are linked on "push_22": a $5 wager, 19% to the meter ($0.95), 1% to the reserve
($0.05), seed $50,000; 50, 15 and 5 for 1 from the tray; 100% and 10% of the meter shared by the table's participants.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from croupier.errors import CroupierError, SpecError
from croupier.floor import Role, Version, demo_floor, usd
from croupier.floor.service import FloorRefusedError, FloorService
from croupier.store import open_store, verify
from tests.desks import (
    ACCOUNTING,
    AUDITOR,
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
from tests.floors import with_jackpot, with_table


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "floor.db")


@pytest.fixture
def desk(file: str) -> Iterator[FloorService]:
    book = open_store(file)
    made = FloorService(book, clock=lambda: NOW)
    made.set_up(ask(EXECUTIVE), demo_floor())
    yield made
    book.close()


def test_an_evening_worked_out_by_hand(desk: FloorService, file: str) -> None:
    # Round 1 at table 1: three seats. Meter 50,000 + 3 x 0.95 = 50,002.85; reserve 0.15.
    lock(desk, "ddm_1", 1, 2, 5)
    assert meter(desk) == SEED + 2_850_000
    # A suited 22 pays 50 for 1 to each: 3 x 250 from the tray. The dealer may pay 250 without a card; 750 he may not.
    for seat in (1, 2, 5):
        desk.pick(ask(), "ddm_1", seat, 1, "suited_22")
    view = desk.hit(ask(id="hit-1"), "ddm_1")
    assert view.awards == ("hit-1/1",)
    assert desk.book.award("hit-1/1").amount_micros == 750_000_000
    with refused("low_card"):
        desk.pay(ask(), "hit-1/1")
    with refused("claim_open"):
        desk.end(ask(), "ddm_1")
    desk.pay(ask(SUPERVISOR), "hit-1/1")
    desk.end(ask(), "ddm_1")
    assert meter(desk) == SEED + 2_850_000

    # Round 1 at table 2: two seats: 50,004.75. 10% is 5,000.475, for two 2,500.2375: 2,500.23 each, 0.015 stays.
    lock(desk, "ddm_2", 3, 4)
    desk.pick(ask(), "ddm_2", 0, 1, "suited_4567_other")
    desk.hit(ask(id="hit-2"), "ddm_2", evidence="4h 5h 6h 7h")
    assert desk.book.award("hit-2/1").each_micros == 2_500_230_000
    assert meter(desk) == 50_004_750_000 - 5_000_460_000
    with pytest.raises(CroupierError, match=r"the card of an executive, not of a supervisor\."):  # $5,000.46 > $5,000
        desk.pay(ask(SUPERVISOR), "hit-2/1")
    desk.pay(ask(EXECUTIVE), "hit-2/1")
    desk.end(ask(), "ddm_2")

    # Round 2 at table 1, one seat: 45,004.29 + 0.95 = 45,005.24, all of it won. Seed 50,000 + reserve 6 x 0.05 = 0.30.
    lock(desk, "ddm_1", 2)
    desk.pick(ask(), "ddm_1", 2, 1, "suited_4567_named")  # the participants share it, and there is one
    desk.hit(ask(id="hit-3"), "ddm_1", evidence="4s 5s 6s 7s")
    assert desk.book.award("hit-3/1").amount_micros == 45_005_240_000
    assert meter(desk) == SEED + 300_000
    # Linked tables play on meanwhile. Round 2 at table 2: two seats.
    lock(desk, "ddm_2", 1, 2)
    assert meter(desk) == SEED + 300_000 + 1_900_000

    # The power goes. Another process opens the file and finds both rounds as they were.
    desk.book.close()
    again = FloorService(open_store(file), clock=lambda: NOW)
    assert again.table("ddm_1").terminal.claims == ("hit-3/1",)
    assert [spot.seat for spot in again.table("ddm_2").terminal.lit] == [1, 2]
    with refused("second_card_needed"):
        again.pay(ask(EXECUTIVE), "hit-3/1")
    again.pay(ask(EXECUTIVE), "hit-3/1", second=OTHER_EXECUTIVE)
    again.end(ask(), "ddm_1")

    # A claim that was not right is rejected: its money goes back by a new entry.
    again.pick(ask(), "ddm_2", 0, 1, "suited_4567_other")
    again.hit(ask(id="hit-4"), "ddm_2", evidence="7d 6d 5d 4d")
    before = meter(again)
    again.reject(ask(SUPERVISOR), "hit-4/1", "The cards were two suits.")
    assert meter(again) == SEED + 2_200_000 > before
    again.end(ask(), "ddm_2")

    # The first award is backed out by hand: the tray gets its 750 back, the meter is as it was.
    again.back_out(ask(EXECUTIVE), "hit-1/1", "Paid to the wrong table.", ACCOUNTING)
    assert again.book.award("hit-1/1").status == "backed_out"
    assert meter(again) == SEED + 2_200_000
    found = verify(again.book)
    assert found.is_good, found
    assert sum(again.book.balances().values()) == 0
    again.book.close()


def test_a_command_asked_twice_is_done_once(desk: FloorService) -> None:
    desk.sense(ask(), "ddm_1", 1, 1, lit=True)
    once = desk.start(ask(id="start"), "ddm_1", chips=1)
    twice = desk.start(ask(id="start"), "ddm_1", chips=1)
    assert once == twice
    assert meter(desk) == SEED + 950_000
    with refused("id_reused"):
        desk.start(ask(id="start"), "ddm_1", chips=2)
    with refused("id_reused"):
        desk.start(ask(SUPERVISOR, id="start"), "ddm_1", chips=1)
    desk.pick(ask(), "ddm_1", 1, 1, "other_22")
    assert desk.hit(ask(id="h"), "ddm_1") == desk.hit(ask(id="h"), "ddm_1")
    assert len(desk.book.awards()) == 1


def test_a_hand_button_pressed_again_takes_the_hand_off(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1, 2)
    desk.pick(ask(), "ddm_1", 1, 1, "suited_22")
    with refused("one_hand_per_seat"):
        desk.pick(ask(), "ddm_1", 1, 1, "other_22")
    with refused("one_hand_per_seat"):
        desk.pick(ask(), "ddm_1", 0, 1, "suited_4567_named")
    with refused("picks_not_hit"):
        desk.end(ask(), "ddm_1")
    assert desk.pick(ask(), "ddm_1", 1, 1, "suited_22").terminal.picks == ()
    desk.end(ask(), "ddm_1")


def test_what_the_terminal_refuses_writes_nothing(desk: FloorService) -> None:
    desk.sense(ask(), "ddm_1", 1, 1, lit=True)
    head = desk.book.head()
    with refused("chip_count_differs"):
        desk.start(ask(), "ddm_1", chips=2)
    with refused("unknown_seat"):
        desk.sense(ask(), "ddm_1", 7, 1, lit=True)
    with refused("unknown_sensor"):
        desk.sense(ask(), "ddm_1", 1, 2, lit=True)
    with refused("unknown_table"):
        desk.start(ask(), "ddm_9", chips=0)
    with refused("not_locked"):
        desk.pick(ask(), "ddm_1", 1, 1, "suited_22")
    with refused("not_locked"):
        desk.hit(ask(), "ddm_1")
    with refused("not_allowed"):
        desk.start(ask(AUDITOR), "ddm_1", chips=1)
    with refused("stale_revision"):
        desk.start(ask(revision=0), "ddm_1", chips=1)
    with refused("unknown_award"):
        desk.pay(ask(SUPERVISOR), "nothing")
    with refused("no_key"):
        desk.turn_key(ask(SUPERVISOR), "ddm_1", "jph")
    assert desk.book.head() == head
    desk.start(ask(), "ddm_1", chips=1)
    with refused("not_open"):
        desk.sense(ask(), "ddm_1", 2, 1, lit=True)
    with refused("no_locked_wager"):
        desk.pick(ask(), "ddm_1", 2, 1, "suited_22")
    with refused("unknown_hand"):
        desk.pick(ask(), "ddm_1", 1, 1, "royal_flush")
    with refused("nothing_picked"):
        desk.hit(ask(), "ddm_1")


def test_aquarius_pays_with_the_key_at_jph(desk: FloorService) -> None:
    lock(desk, "baccarat_1", 1, 2, 3)
    # 5,000 + 3 x 0.25 = 5,000.75, all of it to three: 1,666.91 each, 0.02 stays with the seed.
    desk.pick(ask(), "baccarat_1", 0, 1, "suited_six_cards")
    desk.hit(ask(id="dragon"), "baccarat_1", evidence=CARDS["suited_six_cards"])
    assert desk.book.award("dragon/1").each_micros == 1_666_910_000
    with refused("key_not_at_jph"):
        desk.pay(ask(EXECUTIVE), "dragon/1")
    with refused("not_allowed"):
        desk.turn_key(ask(DEALER), "baccarat_1", "jph")
    desk.turn_key(ask(SUPERVISOR), "baccarat_1", "jph")
    desk.pay(ask(EXECUTIVE), "dragon/1")
    with refused("key_not_at_run"):
        desk.end(ask(), "baccarat_1")
    desk.turn_key(ask(SUPERVISOR), "baccarat_1", "run")
    desk.end(ask(), "baccarat_1")


def test_a_table_out_of_service_plays_no_round(desk: FloorService) -> None:
    for note in ("", "x" * 3000):
        with refused("note_missing"):
            desk.stop(ask(SUPERVISOR), "ddm_1", note)
    desk.stop(ask(SUPERVISOR), "ddm_1", "A sensor is dark.")
    with refused("out_of_service"):
        desk.sense(ask(), "ddm_1", 1, 1, lit=True)
    desk.reopen(ask(SUPERVISOR), "ddm_1")
    assert lock(desk, "ddm_1", 1).terminal.phase == "locked"


def test_money_parameters_change_between_rounds_by_two_people(desk: FloorService) -> None:
    floor = desk.floor()
    jackpots = tuple(
        structs.replace(one, seed_micros=usd("60,000")) if one.id == "push_22" else one for one in floor.jackpots
    )
    version = Version(number=2, effective_from=NOW, made_by="eve", approved_by="max", reason="A larger seed.")
    new = structs.replace(floor, version=version, jackpots=jackpots)
    lock(desk, "ddm_1", 1)
    with pytest.raises(FloorRefusedError, match="round"):
        desk.change(ask(EXECUTIVE), new, approved_by=OTHER_EXECUTIVE)
    desk.end(ask(), "ddm_1")
    with pytest.raises(CroupierError):
        desk.change(ask(EXECUTIVE), new)
    once = desk.change(ask(EXECUTIVE, id="change"), new, approved_by=OTHER_EXECUTIVE)
    again = desk.change(ask(EXECUTIVE, id="change"), new, approved_by=OTHER_EXECUTIVE)
    assert once.fields == again.fields != ()
    with refused("id_reused"):
        desk.change(ask(EXECUTIVE, id="change"), floor, approved_by=OTHER_EXECUTIVE)
    assert desk.floor() == new
    assert meter(desk) == SEED + 950_000  # a new seed counts from the next reset


def test_a_version_says_who_signed_whatever_the_file_says(desk: FloorService) -> None:
    floor = desk.floor()
    version = structs.replace(floor.version, number=2, made_by="house", approved_by="nobody")
    written = structs.replace(with_jackpot(floor, "push_22", seed_micros=usd("60,000")), version=version)
    with refused("second_person_missing"):
        desk.change(ask(EXECUTIVE), written)
    with refused("same_person"):
        desk.change(ask(EXECUTIVE), written, approved_by=EXECUTIVE)
    by = Person("Ann.B", Role.ACCOUNTING)
    change = desk.change(ask(by), written, approved_by=OTHER_EXECUTIVE)
    assert desk.floor() == change.new
    assert (change.new.version.made_by, change.new.version.approved_by) == ("Ann.B", "max")
    # What is no money needs one signature: nobody is said to have approved it.
    version = structs.replace(version, number=3)
    desk.change(ask(SUPERVISOR), structs.replace(with_table(desk.floor(), "ddm_1", seats=6), version=version))
    assert (desk.floor().version.made_by, desk.floor().version.approved_by) == ("sue", "")


def test_a_role_is_named_with_its_article(desk: FloorService) -> None:
    version = structs.replace(desk.floor().version, number=2)
    new = structs.replace(with_table(desk.floor(), "ddm_1", seats=6), version=version)
    with pytest.raises(FloorRefusedError, match="not for somebody of accounting to make"):
        desk.change(ask(ACCOUNTING), new)
    with pytest.raises(FloorRefusedError, match="not for an auditor to make"):
        desk.change(ask(AUDITOR), new)


def test_a_floor_made_in_code_that_could_not_be_read_again_is_refused_before_it_is_written(tmp_path: Path) -> None:
    floor = demo_floor()
    alone = structs.replace(floor, links=(structs.replace(floor.links[0], tables=("ddm_1",)),))
    odd = structs.replace(floor, version=structs.replace(floor.version, made_by="two words"))
    book = open_store(str(tmp_path / "new.db"))
    for bad in (alone, odd):
        with pytest.raises(SpecError):
            FloorService(book, clock=lambda: NOW).set_up(ask(EXECUTIVE), bad)
    assert book.head()[0] == 0
    book.close()


def test_a_change_to_what_could_not_be_read_again_is_refused(desk: FloorService) -> None:
    floor, head = desk.floor(), desk.book.head()
    version = structs.replace(floor.version, number=2)
    alone = structs.replace(floor, version=version, links=(structs.replace(floor.links[0], tables=("ddm_1",)),))
    with pytest.raises(SpecError):
        desk.change(ask(EXECUTIVE), alone, approved_by=OTHER_EXECUTIVE)
    with pytest.raises(SpecError):
        desk.change(ask(Person("two words", Role.EXECUTIVE)), structs.replace(floor, version=version))
    assert desk.book.head() == head


def test_adjustments_need_two_people_and_a_lawful_reason(desk: FloorService) -> None:
    with refused("not_allowed"):
        desk.adjust(ask(DEALER), "push_22", reason="correct_display", micros=-1, note="x", second=EXECUTIVE)
    with refused("same_person"):
        desk.adjust(ask(EXECUTIVE), "push_22", reason="correct_display", micros=-1, note="x", second=EXECUTIVE)
    with pytest.raises(CroupierError, match=r"-\$1 for recover_seed is not possible"):
        desk.adjust(
            ask(EXECUTIVE), "push_22", reason="recover_seed", micros=-1_000_000, note="x", second=OTHER_EXECUTIVE
        )
    desk.adjust(
        ask(EXECUTIVE), "push_22", reason="correct_display", micros=-10_000, note="Shown too high.", second=ACCOUNTING
    )
    assert meter(desk) == SEED - 10_000


def test_a_demo_floor_may_approve_by_itself_and_says_so(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1)
    desk.pick(ask(), "ddm_1", 1, 1, "other_22")
    desk.hit(ask(id="auto"), "ddm_1")
    desk.pay_as_demo(ask(), "auto/1")
    assert desk.book.award("auto/1").approved_by == ("demo",)
