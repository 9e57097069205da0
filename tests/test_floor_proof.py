"""Cards prove the row: the hand that the odds' own classifier names is claimed, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from croupier.errors import CroupierError
from croupier.floor import demo_floor
from croupier.floor.proof import prove
from croupier.floor.service import FloorService
from croupier.floor.setup import Floor, JackpotSetup, TableSetup
from croupier.floor.terminal import Pick
from croupier.store import open_store
from tests.desks import CARDS, EXECUTIVE, NOW, ask, lock, refused
from tests.floors import with_table

DDM = demo_floor().table("ddm_1")
PUSH = demo_floor().jackpot("push_22")
BACCARAT = demo_floor().table("baccarat_1")
SUITED_NINE = demo_floor().jackpot("dragon")
TWO_THREE_FOUR = structs.replace(SUITED_NINE, pay_table="1")
OWN_SIDE, EITHER_SIDE = {"counts": "own_side"}, {"counts": "either_side"}


def row(jackpot: JackpotSetup, table: TableSetup, cards: str, side: str = "", **settings: str) -> str:
    found = prove(jackpot, structs.replace(table, settings=settings), cards, side).row
    return found.row if found is not None else "lose"


@pytest.mark.parametrize(
    ("cards", "wanted"),
    [
        ("4s 5s 6s 7s", "suited_4567_named"),
        ("7s 6s 5s 4s", "suited_4567_named"),
        ("4h 5h 6h 7h", "suited_4567_other"),
        ("4s 5s 6s 7c", "same_colour_22"),
        ("Th 3h 9h", "suited_22"),
        ("Th 3d 9h", "same_colour_22"),
        ("Th 3d 9c", "other_22"),
        ("Th 3d 8c", "lose"),
        ("As Ks", "lose"),
        ("Dealer: 10\u2660, 3\u2660, 9\u2660", "suited_22"),
        ("4S5s6S7s", "suited_4567_named"),
    ],
)
def test_a_dealers_hand_gives_its_row(cards: str, wanted: str) -> None:
    assert row(PUSH, DDM, cards) == wanted


def test_the_suit_that_the_table_names_decides() -> None:
    assert row(PUSH, DDM, "4h 5h 6h 7h", jackpot_suit="hearts") == "suited_4567_named"
    assert row(PUSH, DDM, "4s 5s 6s 7s", jackpot_suit="hearts") == "suited_4567_other"


@pytest.mark.parametrize(
    ("jackpot", "cards", "side", "settings", "wanted"),
    [
        (SUITED_NINE, "Kd Qd Td, 2d Jd 7d", "", EITHER_SIDE, "suited_six_cards"),
        (SUITED_NINE, "Banker 2d Jd 7d, Player Kd Qd Td", "", EITHER_SIDE, "suited_six_cards"),
        (SUITED_NINE, "Kd Qd Td / 2d Jd 7d", "banker", OWN_SIDE, "suited_six_cards"),
        (SUITED_NINE, "Kd Qd Td; 2d Jd 7d", "player", OWN_SIDE, "lose"),
        (SUITED_NINE, "Kd Qd Td, 2d Jd 7s", "banker", OWN_SIDE, "win_by_9"),
        (SUITED_NINE, "Kd 9d, Qd Kd", "player", OWN_SIDE, "suited_four_cards"),
        (TWO_THREE_FOUR, "2d 3d 4d, Kc Qd Ts", "player", OWN_SIDE, "234_named"),
        (TWO_THREE_FOUR, "2c 3c 4c, Kc Qd Ts", "player", OWN_SIDE, "234_suited"),
        (TWO_THREE_FOUR, "2c 3d 4c, Kc Qd Ts", "player", OWN_SIDE, "234_unsuited"),
        (TWO_THREE_FOUR, "2c 3d 4c, Kc Qd Ts", "banker", OWN_SIDE, "lose"),
        (TWO_THREE_FOUR, "9c Kd, Qh Ks", "player", {**OWN_SIDE, "naturals_count": "no"}, "lose"),
        (TWO_THREE_FOUR, "9c Kd, Qh Ks", "player", {**OWN_SIDE, "naturals_count": "yes"}, "nine_zero"),
        (TWO_THREE_FOUR, "2c 3c 4c, Kc Qd Ts", "player", {**OWN_SIDE, "jackpot_suit": "clubs"}, "234_named"),
    ],
)
def test_baccarat_is_read_by_both_hands_the_side_and_the_tables_switches(
    jackpot: JackpotSetup, cards: str, side: str, settings: dict[str, str], wanted: str
) -> None:
    assert row(jackpot, BACCARAT, cards, side, **settings) == wanted


@pytest.mark.parametrize(
    ("cards", "code", "words"),
    [
        ("4s 5s 6s 7x", "bad_card", '"7x" is not a card'),
        ("4s", "bad_hand", "enter all its cards"),
        ("4s 4s 4s 4s 4s 4s 4s", "impossible_card", "the shoe holds it 6 times"),
        ("As " * 15, "bad_hand", "enter all its cards"),
    ],
)
def test_cards_that_cannot_be_are_refused(cards: str, code: str, words: str) -> None:
    with pytest.raises(CroupierError, match=words) as refusal:
        prove(PUSH, DDM, cards)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("cards", "code", "words"),
    [
        ("2d Jd 7d", "bad_hand", "both hands"),
        ("Kd Qd, 2d Jd 7d", "impossible_hand", "the player draws a third card"),
        ("Kd 8d Td, 2d Jd", "impossible_hand", "the player draws no third card"),
        ("2d 4d 3d, Kc Qd", "impossible_hand", "the banker draws a third card"),
        ("2d 4d 3d, Kc Qd Ts", "impossible_hand", "the player draws no third card"),
        ("Kd Qd Td, 2d Jd 7d Ac", "bad_hand", "both hands"),
    ],
)
def test_hands_against_the_drawing_rules_are_refused(cards: str, code: str, words: str) -> None:
    with pytest.raises(CroupierError, match=words) as refusal:
        prove(SUITED_NINE, BACCARAT, cards, "banker")
    assert refusal.value.code == code


def test_a_wager_that_follows_the_seat_needs_its_side() -> None:
    table = structs.replace(BACCARAT, settings=OWN_SIDE)
    with refused("side_needed"):
        prove(SUITED_NINE, table, "Kd Qd Td, 2d Jd 7d")
    said = prove(SUITED_NINE, table, "Kd Qd Td, 2d Jd 7d", "banker")
    assert said.text == "Player Kd Qd Td, Banker 2d Jd 7d, wagered on banker"
    assert prove(SUITED_NINE, table, said.text) == said, "what is on the claim proves it again"
    with refused("unknown_side"):
        prove(SUITED_NINE, table, "Kd Qd Td, 2d Jd 7d", "dealer")


@pytest.fixture
def floor() -> Floor:
    return demo_floor()


@pytest.fixture
def desk(tmp_path: Path, floor: Floor) -> Iterator[FloorService]:
    made = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    made.set_up(ask(EXECUTIVE), floor)
    yield made
    made.book.close()


def test_the_wrong_row_is_refused_with_the_one_that_the_cards_give(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1)
    desk.pick(ask(), "ddm_1", 0, 1, "suited_4567_named")
    with refused("cards_needed"):
        desk.hit(ask(), "ddm_1")
    before = desk.book.head()
    with pytest.raises(CroupierError) as refusal:
        desk.hit(ask(), "ddm_1", evidence="4h 5h 6h 7h")
    assert refusal.value.code == "cards_give_another" and desk.book.head() == before
    assert str(refusal.value) == (
        'The cards 4h 5h 6h 7h give "Suited 4-5-6-7 in any other suit", not "Suited 4-5-6-7 of spades".'
    )
    with pytest.raises(CroupierError, match='The cards 4s 5s 6s give no winning hand, not "Suited'):
        desk.hit(ask(), "ddm_1", evidence="4s 5s 6s")
    (award,) = desk.hit(ask(), "ddm_1", evidence="4\u2660 5\u2660 6\u2660 7\u2660").awards
    made = desk.book.entry(award)
    assert made is not None and '"evidence":"4s 5s 6s 7s"' in made.text


def test_a_fixed_pay_needs_no_cards_but_those_given_are_checked(desk: FloorService) -> None:
    lock(desk, "ddm_1", 1)
    with refused("cards_give_another"):
        desk.hit(ask(), "ddm_1", picks=[Pick(1, 1, "suited_22")], evidence="Th 3d 9h")
    with refused("bad_card"):
        desk.hit(ask(), "ddm_1", picks=[Pick(1, 1, "suited_22")], evidence="as dealt")
    assert desk.hit(ask(), "ddm_1", picks=[Pick(1, 1, "suited_22")]).awards


def test_a_repeat_of_a_hit_is_answered_by_the_first(desk: FloorService) -> None:
    lock(desk, "baccarat_1", 1)
    picks = [Pick(0, 1, "suited_six_cards")]
    asked: Any = {"picks": picks, "evidence": "Kd Qd Td, 2d Jd 7d", "side": "banker"}
    first = desk.hit(ask(id="hit"), "baccarat_1", **asked)
    assert desk.hit(ask(id="hit"), "baccarat_1", **asked) == first
    with refused("id_reused"):
        desk.hit(ask(id="hit"), "baccarat_1", picks=picks, evidence=CARDS["suited_six_cards"])


def test_a_suit_set_at_the_table_is_obeyed_at_the_desk(tmp_path: Path) -> None:
    floor = demo_floor()
    for table in ("ddm_1", "ddm_2"):
        floor = with_table(floor, table, settings={"jackpot_suit": "hearts"})
    desk = FloorService(open_store(str(tmp_path / "hearts.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), floor)
    lock(desk, "ddm_1", 1)
    desk.pick(ask(), "ddm_1", 0, 1, "suited_4567_named")
    with refused("cards_give_another"):
        desk.hit(ask(), "ddm_1", evidence="4s 5s 6s 7s")
    assert desk.hit(ask(), "ddm_1", evidence="4h 5h 6h 7h").awards
    desk.book.close()
