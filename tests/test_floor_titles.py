"""Titles from public descriptions on a real floor, and a progressive that several titles share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from croupier.errors import SpecError
from croupier.exact.odds import compute_odds
from croupier.floor import (
    Floor,
    Link,
    Sensor,
    WagerSetup,
    check_floor,
    floor_from_toml,
    floor_to_toml,
    odds_based_reserve,
    usd,
)
from croupier.floor.change import signed_by
from croupier.floor.dealt import DealtTable
from croupier.floor.funding import odds_based_prizes
from croupier.floor.service import FloorService
from croupier.floor.setup import RuleSheet, check_shape, jackpot_choice
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game
from croupier.store import open_store
from croupier.table.table import MakeWagers
from tests.desks import DEALER, EXECUTIVE, NOW, ask
from tests.floors import DAY, DEMO, codes, only, with_jackpot, with_table
from tests.test_floor_dealt import BY_HAND, deal, do, settled, sit

TITLES = {"ddm_1": "let_it_ride", "ddm_2": "mississippi_stud"}
WHO = ("u-17", "u-23")
TABLE = "100%-10%-300-50-40-30-9"


def pay_tables(game: str) -> dict[str, str]:
    """The first pay table of each wager."""
    return {wager.id: wager.pay_tables[0].id for wager in find_game(game).wagers}


def floor_of(*tables: str, demo: bool = False) -> Floor:
    """Tables of these titles that share one five-card progressive."""
    floor = only(DEMO, *tables)
    jackpot = floor.tables[0].sensors[0].jackpot
    floor = with_jackpot(
        floor,
        jackpot,
        game=TITLES[tables[0]],
        wager="five_card_progressive",
        pay_table=TABLE,
        wager_micros=MICROS_PER_DOLLAR,
        settings={},
    )
    floor = structs.replace(floor, demo=demo, jackpots=tuple(one for one in floor.jackpots if one.id == jackpot))
    for table in tables:
        own = (one for one in find_game(TITLES[table]).wagers if one.kind != "progressive")
        wagers = tuple(WagerSetup(wager=one.id, pay_table=one.pay_tables[0].id) for one in own)
        sensors = (Sensor(number=1, jackpot=jackpot),)
        fields = {"game": TITLES[table], "decks": 1, "wagers": wagers, "sensors": sensors, "settings": {}}
        floor = with_table(floor, table, **fields)
    links = (Link(id="five_card", jackpots=(jackpot,), tables=tables),) if len(tables) > 1 else ()
    return structs.replace(floor, links=links)


def with_sheet(floor: Floor, *confirmed_by: str, **other: str) -> Floor:
    sheet = RuleSheet(
        game="let_it_ride",
        approved="sheet 39, 2023-06-14",
        pay_tables=pay_tables("let_it_ride") | other,
        confirmed_by=confirmed_by,
    )
    return structs.replace(floor, rule_sheets=(sheet,))


def test_a_real_floor_refuses_a_described_title_without_its_rule_sheet() -> None:
    assert "rule_sheet_not_recorded" in codes(floor_of("ddm_1"))
    assert "rule_sheet_not_recorded" not in codes(floor_of("ddm_1", demo=True))


@pytest.mark.parametrize("confirmed_by", [(), ("u-17",), ("u-17", "u-17"), ("u-17", "")])
def test_one_person_does_not_confirm_pay_tables(confirmed_by: tuple[str, ...]) -> None:
    assert "pay_tables_not_confirmed" in codes(with_sheet(floor_of("ddm_1"), *confirmed_by))


def test_a_sheet_that_two_persons_compared_lets_a_title_stand() -> None:
    found = codes(with_sheet(floor_of("ddm_1"), *WHO))
    assert not {"rule_sheet_not_recorded", "pay_tables_not_confirmed"} & set(found)


@pytest.mark.parametrize("wager", ["bet", "three_card_bonus", "five_card_progressive"])
def test_a_pay_table_that_was_not_compared_is_refused(wager: str) -> None:
    floor = with_sheet(floor_of("ddm_1"), *WHO)
    (sheet,) = floor.rule_sheets
    others = {name: table for name, table in sheet.pay_tables.items() if name != wager}
    floor = structs.replace(floor, rule_sheets=(structs.replace(sheet, pay_tables=others),))
    assert "pay_tables_not_confirmed" in codes(floor)


def test_who_confirms_is_who_signs_whatever_was_written() -> None:
    written = with_sheet(floor_of("ddm_1"), "somebody", "nobody")
    signed = signed_by(written, made_by="u-17", approved_by="u-23")
    assert signed.rule_sheets[0].confirmed_by == WHO
    again = signed_by(signed, made_by="u-40", approved_by="u-41", before=signed)
    assert again.rule_sheets[0].confirmed_by == WHO, "an unchanged sheet stays with those who compared it"
    changed = signed_by(with_sheet(signed, *WHO, bet="500-200-50-11-8-5-3-2-1"), made_by="u-40", approved_by="u-41")
    assert changed.rule_sheets[0].confirmed_by == ("u-40", "u-41")


def test_a_rule_sheet_survives_the_floor_file() -> None:
    floor = with_sheet(floor_of("ddm_1"), *WHO)
    assert floor_from_toml(floor_to_toml(floor)).rule_sheets == floor.rule_sheets


def test_titles_with_the_same_five_cards_may_share_a_progressive() -> None:
    floor = floor_of("ddm_1", "ddm_2", demo=True)
    refused = {"wrong_base_game", "link_hands_differ", "link_chances_differ", "several_progressives_linked"}
    assert not refused & set(codes(floor))
    chances = {compute_odds(jackpot_choice(floor.jackpots[0], table)).rows[0].probability for table in floor.tables}
    assert len(chances) == 1


def test_a_title_without_the_wager_takes_no_part_in_it() -> None:
    floor = floor_of("ddm_1", "ddm_2", demo=True)
    poker = with_table(floor, "ddm_2", game="three_card_poker", wagers=(WagerSetup(wager="ante", pay_table="1-4-5"),))
    assert "wrong_base_game" in codes(poker)


def test_a_real_floor_asks_for_the_rule_sheet_of_each_title_at_one_table() -> None:
    together = find_game("blackjack.royal_match_21.trilux")
    wagers = tuple(WagerSetup(wager=one.id, pay_table=one.pay_tables[0].id) for one in together.wagers)
    floor = structs.replace(only(DEMO, "ddm_1"), demo=False, jackpots=(), links=())
    floor = with_table(floor, "ddm_1", game=together.id, decks=6, wagers=wagers, sensors=(), settings={})
    asked = " ".join(
        finding.sentence for finding in check_floor(floor, DAY) if finding.code == "rule_sheet_not_recorded"
    )
    assert 'game = "royal_match_21"' in asked and 'game = "trilux"' in asked and 'game = "blackjack"' not in asked
    sheets = tuple(
        RuleSheet(game=title, approved="sheets of 2023", pay_tables=pay_tables(title), confirmed_by=WHO)
        for title in ("royal_match_21", "trilux")
    )
    assert "rule_sheet_not_recorded" not in codes(structs.replace(floor, rule_sheets=sheets))


def test_a_wager_paid_by_anothers_pay_table_has_no_other() -> None:
    floor = floor_of("ddm_1", demo=True)
    wagers = tuple(
        structs.replace(one, pay_table="500-200-50-11-8-5-3-2-1") if one.wager == "bet_1" else one
        for one in floor.tables[0].wagers
    )
    with pytest.raises(SpecError, match=r'"bet_1" is paid by the pay table of "bet"'):
        check_shape(with_table(floor, "ddm_1", wagers=wagers))


@pytest.fixture
def dealt(tmp_path: Path) -> Iterator[DealtTable]:
    """A table of Let It Ride that the software deals, with the five-card progressive."""
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), floor_of("ddm_1", demo=True))
    yield DealtTable(desk, "ddm_1", DEALER, automations=BY_HAND)
    desk.book.close()


def taken_back(*spots: int) -> list[tuple[int, str]]:
    """Both wagers of each."""
    return [(spot, "take_back") for _ in range(2) for spot in spots]


def test_a_share_of_the_meter_is_the_seats_whose_cards_make_the_hand(dealt: DealtTable) -> None:
    sit(dealt, 1, 3, 4, bet=10, five_card_progressive=1)
    happened = deal(dealt, "5h 6h 9h  Qs 2d 9c  Th Js 6c  7h 8h", *taken_back(1, 3, 4))
    (award,) = dealt.desk.book.awards()
    won, *others = settled(happened, "five_card_progressive")
    assert (award.status, award.seats, award.amount_micros) == ("paid", (1,), won.returned)
    assert won.returned > 0
    assert [one.returned for one in others] == [0, 0], "seats without the hand have no part in it"


def test_of_two_winners_of_a_meter_the_second_is_paid_of_what_is_left(dealt: DealtTable) -> None:
    sit(dealt, 1, 3, bet=10, five_card_progressive=1)
    happened = deal(dealt, "4h 5h 6h  9h Th Jh  7h 8h", *taken_back(1, 3))
    second, first = dealt.desk.book.awards()
    assert [first.seats, second.seats] == [(1,), (3,)]
    assert second.amount_micros < first.amount_micros
    won = [one.returned for one in settled(happened, "five_card_progressive")]
    assert won == [first.amount_micros, second.amount_micros], "the table pays what the ledger booked"


def test_what_the_meter_showed_to_a_winner_is_forgotten_with_the_round(dealt: DealtTable) -> None:
    sit(dealt, 1, bet=10, five_card_progressive=1)
    won = [settled(deal(dealt, "4h 5h 6h  7h 8h", *taken_back(1)), "five_card_progressive")[0].returned]
    wagers = {name: each * MICROS_PER_DOLLAR for name, each in (("bet", 10), ("five_card_progressive", 1))}
    do(dealt, MakeWagers(spot=1, wagers=wagers))
    won += [settled(deal(dealt, "4h 5h 6h  7h 8h", *taken_back(1)), "five_card_progressive")[0].returned]
    assert won[::-1] == [award.amount_micros for award in dealt.desk.book.awards()]
    assert won[1] < won[0]


def crazy_4(ante_most: int, *, sheet: bool = True) -> Floor:
    """One table of Crazy 4 Poker, whose Super Bonus pays 200 to 1 beside an ante of at most so many dollars."""
    tables = pay_tables("crazy_4_poker")
    most = usd(str(ante_most))
    wagers = (
        WagerSetup(wager="ante", most_micros=most),
        WagerSetup(wager="super_bonus", pay_table=tables["super_bonus"]),
    )
    floor = only(DEMO, "ddm_1", "ddm_2")
    for table in ("ddm_1", "ddm_2"):
        floor = with_table(floor, table, game="crazy_4_poker", decks=1, wagers=wagers, sensors=(), settings={})
    recorded = RuleSheet(game="crazy_4_poker", approved="sheet 15", pay_tables=tables, confirmed_by=WHO)
    return structs.replace(floor, demo=False, jackpots=(), links=(), rule_sheets=(recorded,) if sheet else ())


def test_a_wager_equal_to_the_ante_is_no_greater_than_the_ante_may_be() -> None:
    assert odds_based_reserve(crazy_4(100), DAY) == 0, "200 x $100 is not over $25,000"
    assert odds_based_reserve(crazy_4(150), DAY) == 30_000 * MICROS_PER_DOLLAR


def test_a_raise_that_the_setup_does_not_name_is_an_odds_based_wager_all_the_same() -> None:
    floor = floor_of("ddm_1", demo=True)
    table = with_table(floor, "ddm_1", game="caribbean_stud", wagers=(WagerSetup(wager="ante"),), sensors=())
    table = structs.replace(table, jackpots=(), links=())
    assert [prize.wager for prize in odds_based_prizes(table, DAY)] == ["raise"], "100 times the law's $400"


def test_a_title_whose_sheet_is_recorded_does_not_leave_its_letter() -> None:
    assert "away_from_letter" not in codes(crazy_4(100))
    assert "away_from_letter" in codes(crazy_4(100, sheet=False))
