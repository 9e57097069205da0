"""Two progressives beside one title: two sensors at each seat, two meters, and one hand of cards that both look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from starlette.testclient import TestClient

from croupier.cards import parse_cards
from croupier.floor import Floor, floor_to_toml
from croupier.floor.dealt import DealtTable
from croupier.floor.service import FloorService
from croupier.floor.setup import RuleSheet
from croupier.floor.terminal import Pick, Spot
from croupier.money import MICROS_PER_DOLLAR
from croupier.reports.books.accrual import accrual
from croupier.reports.books.achieved import achieved
from croupier.reports.books.reconciliation import reconciliation
from croupier.rules import find_game
from croupier.store import open_store, verify
from croupier.table.table import Answer, Automations, DealCard, MakeWagers, Sit, StartRound
from tests.cli_floor import Terminal as CommandLine
from tests.desks import DEALER, EXECUTIVE, NOW, SUPERVISOR, ask, meter, refused
from tests.floors import and_jackpot, as_real, caribbean_floor, codes, only, with_sensors, with_table
from tests.test_pages_dealer import Terminal
from tests.web_client import demo_web

FLUSH, FULL, ROYAL = "2h 4h 6h 8h Th", "2h 2d 2s 8h 8c", "As Ks Qs Js Ts"
BOTH = (Spot(1, 1), Spot(1, 2), Spot(2, 2), Spot(3, 1))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FloorService]:
    made = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    made.set_up(ask(EXECUTIVE), caribbean_floor())
    yield made
    assert reconciliation(made.book).is_good and verify(made.book).is_good
    made.book.close()


def locked(desk: FloorService) -> None:
    """Seat 1 on both sensors, seat 2 on the second, seat 3 on the first."""
    desk.start(ask(), "ddm_1", chips=len(BOTH), lit=BOTH)


def test_a_hand_wins_on_one_sensor_or_on_both_and_each_meter_pays_its_own(desk: FloorService) -> None:
    locked(desk)
    # 19% of each dollar: two on each sensor.
    assert meter(desk, "caribbean") == meter(desk, "five_card") == 10_000_380_000
    desk.pick(ask(), "ddm_1", 1, 1, "flush")
    desk.pick(ask(), "ddm_1", 1, 2, "flush")
    desk.hit(ask(id="flush"), "ddm_1", evidence=FLUSH)
    desk.hit(ask(id="full"), "ddm_1", picks=[Pick(2, 2, "full_house")], evidence=FULL)
    awards = {id: desk.book.award(id) for id in ("flush/1", "flush/2", "full/1")}
    assert [(one.jackpot, one.seats, one.each_micros // MICROS_PER_DOLLAR) for one in awards.values()] == [
        ("caribbean", (1,), 50),
        ("five_card", (1,), 40),
        ("five_card", (2,), 50),
    ]
    for award in awards:
        desk.pay(ask(SUPERVISOR), award)
    desk.end(ask(), "ddm_1")
    assert {one.jackpot: one.paid_micros // MICROS_PER_DOLLAR for one in desk.meters()} == {
        "caribbean": 50,
        "five_card": 90,
    }
    lines = accrual(desk.book)
    assert [lines.line(name, "ddm_1").wagered_micros // MICROS_PER_DOLLAR for name in ("caribbean", "five_card")] == [
        2,
        2,
    ]
    found = achieved(desk.book, desk.floor())
    assert (found.line("five_card", "full_house").trials, found.line("caribbean", "flush").trials) == (2, 2)


def test_a_royal_flush_empties_both_meters_with_two_cards_and_linked_tables_play_on(desk: FloorService) -> None:
    locked(desk)
    desk.start(ask(), "ddm_2", chips=1, lit=[Spot(4, 2)])
    desk.pick(ask(), "ddm_1", 0, 1, "royal_flush")
    desk.pick(ask(), "ddm_1", 0, 2, "royal_flush")
    with refused("cards_needed"):
        desk.hit(ask(), "ddm_1")
    desk.hit(ask(id="royal"), "ddm_1", evidence=ROYAL)
    first, second = desk.book.award("royal/1"), desk.book.award("royal/2")
    assert (first.jackpot, first.seats, first.amount_micros) == ("caribbean", (1, 3), 10_000_380_000)
    # 10,000.57 in two even parts: a cent is left over and stays.
    assert (second.jackpot, second.seats, second.each_micros) == ("five_card", (1, 2), 5_000_280_000)
    with refused("low_card"):
        desk.pay(ask(SUPERVISOR), "royal/1")
    desk.pay(ask(EXECUTIVE), "royal/1")
    desk.reject(ask(SUPERVISOR), "royal/2", "The sensor was empty.")
    desk.end(ask(), "ddm_1")
    assert meter(desk, "caribbean") == 10_000_020_000, "seeded again, with the reserve of two wagers"
    assert meter(desk, "five_card") > 10_000_560_000, "given back"


def test_both_sensors_of_a_seat_are_claimed_by_the_same_cards(desk: FloorService) -> None:
    locked(desk)
    desk.pick(ask(), "ddm_1", 1, 1, "flush")
    desk.pick(ask(), "ddm_1", 1, 2, "full_house")
    with refused("cards_needed"):  # both from the tray; only the cards tell which it is
        desk.hit(ask(), "ddm_1")
    for cards in (FLUSH, FULL):
        with refused("cards_give_another"):
            desk.hit(ask(), "ddm_1", evidence=cards)
    desk.pick(ask(), "ddm_1", 1, 2, "full_house")
    desk.hit(ask(), "ddm_1", evidence=FLUSH)
    with refused("cards_give_another"):
        desk.hit(ask(), "ddm_1", picks=[Pick(1, 2, "full_house")])
    with refused("other_cards"):
        desk.hit(ask(), "ddm_1", picks=[Pick(1, 2, "flush")], evidence="3h 5h 6h 8h Th")
    desk.hit(ask(), "ddm_1", picks=[Pick(1, 2, "flush")], evidence="Th 8h 6h 4h 2h")
    desk.hit(ask(), "ddm_1", picks=[Pick(2, 2, "full_house")])  # another seat's own cards


def test_cards_that_come_later_must_give_what_was_claimed_without(desk: FloorService) -> None:
    locked(desk)
    desk.hit(ask(id="tray"), "ddm_1", picks=[Pick(1, 1, "flush")])
    with refused("other_cards"):
        desk.hit(ask(), "ddm_1", picks=[Pick(1, 2, "full_house")], evidence=FULL)
    desk.hit(ask(), "ddm_1", picks=[Pick(1, 2, "flush")], evidence=FLUSH)


def test_two_jackpots_on_one_wager_have_one_row_for_a_seat(tmp_path: Path) -> None:
    floor = only(caribbean_floor(), "ddm_1")
    floor = with_sensors(and_jackpot(floor, "caribbean", id="second"), "ddm_1", "caribbean", "second")
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), structs.replace(floor, jackpots=(floor.jackpot("caribbean"), floor.jackpot("second"))))
    locked(desk)
    desk.pick(ask(), "ddm_1", 1, 1, "flush")
    with refused("one_row_per_round"):
        desk.pick(ask(), "ddm_1", 1, 2, "full_house")
    desk.pick(ask(), "ddm_1", 2, 2, "full_house")
    with refused("one_seat_at_a_time"):
        desk.hit(ask(), "ddm_1", evidence=FLUSH)
    desk.book.close()


def test_a_table_that_is_dealt_here_plays_for_both(tmp_path: Path) -> None:
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), only(caribbean_floor(), "ddm_1"))
    dealt = DealtTable(desk, "ddm_1", DEALER, automations=Automations(deal=False, dealer=False))

    def do(command: Any, id: str) -> None:
        dealt.do(command, id=id, revision=dealt.table.revision)

    for spot, names in ((1, ("caribbean", "five_card")), (2, ("five_card",))):
        do(Sit(spot=spot, player=f"player {spot}"), f"sit {spot}")
        wagers = {"ante": 10 * MICROS_PER_DOLLAR} | {f"{name}_progressive": MICROS_PER_DOLLAR for name in names}
        do(MakeWagers(spot=spot, wagers=wagers), f"wager {spot}")
    do(StartRound(), "start")
    assert desk.table("ddm_1").terminal.lit == (Spot(1, 1), Spot(1, 2), Spot(2, 2))
    for number, card in enumerate(parse_cards("2h 4h 6h 8h Th  3c 3d 3s 9c Jd  Qc 5s 7d 8c Kd")):
        do(DealCard(card=card), f"card {number}")
    for spot in (1, 2):
        do(Answer(spot=spot, answer="raise"), f"answer {spot}")
    found = sorted((one.jackpot, one.row, one.seats) for one in desk.book.awards())
    assert found == [("caribbean", "flush", (1,)), ("five_card", "flush", (1,)), ("five_card", "three_of_a_kind", (2,))]
    assert reconciliation(desk.book).is_good and verify(desk.book).is_good
    desk.book.close()


def test_where_the_software_deals_two_sensors_have_two_wagers() -> None:
    floor = only(caribbean_floor(), "ddm_1")
    floor = with_sensors(and_jackpot(floor, "caribbean", id="second"), "ddm_1", "caribbean", "second")
    assert "sensors_share_wager" not in codes(floor, NOW.date())
    assert "sensors_share_wager" in codes(with_table(floor, "ddm_1", dealing="software"), NOW.date())
    assert "sensors_share_wager" not in codes(with_table(caribbean_floor(), "ddm_1", dealing="software"), NOW.date())


def test_a_real_floor_compares_both_progressives_with_the_rule_sheet() -> None:
    def with_sheet(*left_out: str) -> Floor:
        tables = {one.id: one.pay_tables[0].id for one in find_game("caribbean_stud").wagers if one.id not in left_out}
        sheet = RuleSheet(game="caribbean_stud", approved="sheet 12", pay_tables=tables, confirmed_by=("u-1", "u-2"))
        return structs.replace(as_real(caribbean_floor()), rule_sheets=(sheet,))

    wanted = {"rule_sheet_not_recorded", "pay_tables_not_confirmed", "too_many_sensors", "sensors_share_jackpot"}
    assert not wanted & set(codes(with_sheet(), NOW.date()))
    assert "pay_tables_not_confirmed" in codes(with_sheet("five_card_progressive"), NOW.date())


def test_two_progressives_on_the_pages_from_the_lights_to_the_signs(tmp_path: Path) -> None:
    store = str(tmp_path / "two.db")
    book = open_store(store)
    FloorService(book).set_up(ask(EXECUTIVE), caribbean_floor())
    book.close()
    with demo_web(store) as web:
        terminal = Terminal(web)
        for seat, sensor in (("1", "1"), ("1", "2"), ("2", "2")):
            terminal.send("sense", terminal.fields("sense", seat=seat, sensor=sensor))
        terminal.send("start", terminal.fields("start") | {"chips": "3"})
        assert "$10,000.19" in terminal.page and "$10,000.38" in terminal.page, "two meters"
        terminal.look("?seat=1")
        for sensor in ("1", "2"):
            terminal.send("pick", terminal.fields("pick", row="flush", sensor=sensor) | {"chosen": "1"})
        for words in ("Flush for Progressive", "Flush for Five-Card Progressive", "All 5 cards that count", "$50"):
            assert words in terminal.page
        terminal.send("hit", terminal.fields("hit") | {"evidence": FLUSH})
        awards = web.room.desk.table("ddm_1").terminal.claims
        assert len(awards) == 2
        for award in awards:
            terminal.swipe("pay", "supervisor", award=award)
        look = TestClient(web.app).get
        for jackpot, words in (("caribbean", "$10,000.19"), ("five_card", "$10,000.38")):
            sign = look(f"/sign/{jackpot}")
            assert sign.status_code == 200 and words.split(".")[0] in sign.text and "$1 wager" in sign.text
        manager = web.role("executive").http
        for page in ("/manager", "/manager/meters/caribbean", "/manager/meters/five_card", "/manager/tables/ddm_1"):
            answer = manager.get(page)
            assert answer.status_code == 200, (page, answer.status_code)
        figures = {one.jackpot: one.paid_micros for one in web.room.desk.meters()}
        assert figures == {"caribbean": 50 * MICROS_PER_DOLLAR, "five_card": 40 * MICROS_PER_DOLLAR}
        terminal.look()
        terminal.send("end", terminal.fields("end"))


def test_two_progressives_at_the_command_line(new_terminal: Callable[[], CommandLine], tmp_path: Path) -> None:
    at = new_terminal()
    file = tmp_path / "caribbean.toml"
    file.write_text(floor_to_toml(caribbean_floor()), encoding="utf-8")
    at.do("init", str(file))
    at.do("light", "ddm_1", "1")
    at.do("light", "ddm_1", "1", "--sensor", "2")
    at.do("start", "ddm_1", "--chips", "2")
    assert (at.meter("caribbean"), at.meter("five_card")) == ("10000.19", "10000.19")
    at.do("hit", "ddm_1", "--seat", "1", "--hand", "flush", "--evidence", FLUSH)
    second = ("hit", "ddm_1", "--seat", "1", "--hand", "flush", "--sensor", "2", "--evidence")
    at.refused("other_cards", *second, "3h 4h 6h 8h Th")
    (award,) = [one for one in at.do(*second, FLUSH)["awards"] if one["jackpot"] == "five_card"]
    assert (award["each"], award["needs"]) == ("40.00", "dealer")
