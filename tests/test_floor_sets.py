"""A progressive on a set of cards: the cards themselves prove it, at a dealer terminal and at tables dealt here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from croupier.cards import parse_cards
from croupier.floor import demo_floor
from croupier.floor.dealt import DealtTable
from croupier.floor.proof import asked_of, prove
from croupier.floor.service import FloorService
from croupier.floor.setup import Floor, Sensor, WagerSetup
from croupier.floor.terminal import Pick
from croupier.money import MICROS_PER_DOLLAR
from croupier.store import open_store, verify
from croupier.table.table import Answer, Automations, DealCard, MakeWagers, Sit, StartRound
from croupier.web.pages.base import templates
from tests.desks import DEALER, EXECUTIVE, NOW, ask, lock, meter, refused
from tests.floors import only, with_jackpot, with_table

GAME = """extends = "three_card_poker"
id = "three_card_progressive"
name = "Three Card Poker with a progressive"
version = "1"
summary = "A test."

[source]
letter = "rack card"
title = "A progressive on three cards"
agency = "nobody"
date = 2026-01-01

[[wagers]]
id = "three_card_meter"
name = "Three card meter"
kind = "progressive"
classifier = "pair_plus"
text = "The own three cards."

[[wagers.pay_tables]]
id = "100%-10%-60-6"
jackpot = { seed = 1000, contribution = "20%", basis = "inferred" }
rows = [
  { row = "mini_royal", label = "Mini royal", pays = "100%", funded = "meter" },
  { row = "straight_flush", label = "Straight flush", pays = "10%", funded = "meter" },
  { row = "three_of_a_kind", label = "Three of a kind", pays = "60 for 1" },
  { row = "straight", label = "Straight", pays = "6 for 1" },
]
"""
METER = 1000 * MICROS_PER_DOLLAR
_ids = count()


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Floor:
    """One table of the game in the folder, with its progressive on a sensor."""
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "game.toml").write_text(GAME, encoding="utf-8")
    monkeypatch.setenv("CROUPIER_GAMES", str(tmp_path / "game"))
    made = only(demo_floor(), "ddm_1")
    made = with_jackpot(
        structs.replace(made, links=()),
        "push_22",
        game="three_card_progressive",
        wager="three_card_meter",
        pay_table="100%-10%-60-6",
        wager_micros=MICROS_PER_DOLLAR,
        seed_micros=METER,
        cap_micros=None,
        settings={},
    )
    return with_table(
        made,
        "ddm_1",
        game="three_card_progressive",
        decks=1,
        shuffle="fresh",
        wagers=(WagerSetup(wager="ante", pay_table="1-4-5"), WagerSetup(wager="play")),
        sensors=(Sensor(number=1, jackpot="push_22"),),
        settings={},
    )


@pytest.fixture
def desk(tmp_path: Path, floor: Floor) -> Iterator[FloorService]:
    made = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    made.set_up(ask(EXECUTIVE), floor)
    yield made
    made.book.close()


@pytest.mark.parametrize(
    ("cards", "wanted"),
    [
        ("As Ks Qs", "mini_royal"),
        ("Qs, As, Ks", "mini_royal"),
        ("7h8h9h", "straight_flush"),
        ("7h 7d 7c", "three_of_a_kind"),
        ("Ah 2d 3c", "straight"),
        ("7h 7d 8c", ""),
    ],
)
def test_the_cards_of_a_set_give_its_row_in_any_order(floor: Floor, cards: str, wanted: str) -> None:
    found = prove(floor.jackpot("push_22"), floor.table("ddm_1"), cards).row
    assert (found.row if found else "") == wanted


@pytest.mark.parametrize(
    ("cards", "code", "words"),
    [
        ("As Ks", "bad_hand", "enter 3 cards, as As Ks Qs"),
        ("As Ks Qs Js", "bad_hand", "enter 3 cards"),
        ("As As Qs", "impossible_card", "the shoe holds it once"),
    ],
)
def test_a_set_that_cannot_be_is_refused(floor: Floor, cards: str, code: str, words: str) -> None:
    with pytest.raises(Exception, match=words) as refusal:
        prove(floor.jackpot("push_22"), floor.table("ddm_1"), cards)
    assert getattr(refusal.value, "code", "") == code


def test_a_terminal_asks_for_the_cards_and_takes_no_others(desk: FloorService, floor: Floor) -> None:
    asked = asked_of(floor.jackpot("push_22"), floor.table("ddm_1"))
    assert asked is not None and (asked.labels, asked.example) == (("All 3 cards that count",), "As Ks Qs")
    lock(desk, "ddm_1", 1, 2)
    desk.pick(ask(), "ddm_1", 2, 1, "mini_royal")
    with refused("cards_needed"):
        desk.hit(ask(), "ddm_1")
    with refused("cards_give_another"):
        desk.hit(ask(), "ddm_1", evidence="7h 8h 9h")
    (award,) = desk.hit(ask(), "ddm_1", evidence="As Ks Qs").awards
    made = desk.book.entry(award)
    assert made is not None and '"evidence":"As Ks Qs"' in made.text
    # Another seat may win by its own cards in the same round.
    assert desk.hit(ask(), "ddm_1", picks=[Pick(1, 1, "straight_flush")], evidence="7h 8h 9h").awards


def do(dealt: DealtTable, command: Any) -> None:
    dealt.do(command, id=f"d-{next(_ids)}", revision=dealt.table.revision)


def test_a_table_that_is_dealt_here_proves_each_seat_by_its_own_cards(desk: FloorService) -> None:
    dealt = DealtTable(desk, "ddm_1", DEALER, automations=Automations(deal=False, dealer=False))
    for spot in (1, 2, 3):
        do(dealt, Sit(spot=spot, player=f"player {spot}"))
        wagers = {"ante": 10 * MICROS_PER_DOLLAR, "three_card_meter": MICROS_PER_DOLLAR}
        do(dealt, MakeWagers(spot=spot, wagers=wagers))
    do(dealt, StartRound())
    for card in parse_cards("7h 8h 9h  2c 5d Jh  As Ks Qs  4c 6c 8d"):
        do(dealt, DealCard(card=card))
    for spot in (1, 2, 3):
        do(dealt, Answer(spot=spot, answer="play" if spot != 2 else "fold"))
    awards = desk.book.awards()
    assert sorted((one.row, one.seats) for one in awards) == [("mini_royal", (3,)), ("straight_flush", (1,))]
    texts = [desk.book.entry(one.id) for one in awards]
    assert sorted(text.text.split('"evidence":"')[1][:8] for text in texts if text) == ["7h 8h 9h", "Qs Ks As"]
    assert METER <= meter(desk) < METER + MICROS_PER_DOLLAR, "seeded again"
    assert verify(desk.book).is_good


def test_the_form_of_the_terminal_has_one_field_for_the_set(floor: Floor) -> None:
    asked = asked_of(floor.jackpot("push_22"), floor.table("ddm_1"))
    face = SimpleNamespace(base="/dealer/ddm_1", cards=SimpleNamespace(asked=asked, are_needed=True))
    form = templates().get_template("dealer/parts.html").make_module().card_fields(face, "proof")  # type: ignore[attr-defined]
    assert form.count("data-cards") == 1
    assert "All 3 cards that count" in form and 'placeholder="As Ks Qs"' in form
