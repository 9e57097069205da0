"""The law as dated data: each rule with a floor that keeps it and one that breaks it, before, on and after its day."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from importlib import import_module
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from croupier.exact.odds import compute_odds
from croupier.floor import (
    Floor,
    Link,
    Sensor,
    TableSetup,
    WagerSetup,
    check_floor,
    check_reduction,
    checklist,
    floor_from_data,
    floor_to_toml,
    law_on,
    law_rows,
    odds_based_prizes,
    odds_based_reserve,
    order_of_enforcement,
    reduction_reasons,
    refusals,
    required_notices,
    usd,
)
from croupier.floor.checks.notices import equipment
from croupier.floor.law import FILES, HERE, LAST_SEEN, not_known_on, rows_of, step_text
from croupier.floor.reasons import REDUCTION
from croupier.jackpot.commands import Reason
from croupier.reports.documentation.law import law_page
from croupier.rules import find_game, game_ids
from croupier.rules.choice import choose
from tests.floors import DAY, DEMO, and_jackpot, codes, only, the, with_jackpot, with_sensors, with_table, with_wager
from tests.helpers import ROOT

ONE_DAY = timedelta(days=1)


# The data itself.


def test_the_law_page_is_as_the_program_makes_it() -> None:
    assert (ROOT / "docs" / "law.md").read_text(encoding="utf-8") == law_page()


def test_every_law_file_is_read() -> None:
    assert {path.name for path in HERE.glob("*.toml")} == set(FILES)


def test_every_rule_is_kept_by_code_that_exists_or_says_why_none_keeps_it() -> None:
    for row in law_rows():
        assert bool(row.kept_by) != bool(row.left_out), row.rule
        for name in row.kept_by:
            module, _, function = name.partition(":")
            assert hasattr(import_module(f"croupier.{module}"), function), f"{row.rule}: {name}"


def test_every_rule_that_code_asks_for_is_in_the_data_and_every_kept_rule_is_asked_for() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in HERE.parent.rglob("*.py"))
    asked = set(re.findall(r'(?:law_on|rows_of|all_on)\("(\w+)"', source)) | {"single_wager", "reduction"}
    by_shape = {"order_of_enforcement", "sensor_is_a_game", "approval_by_amount", "other_jackpot_sections"}
    by_shape |= {f"linked_{find_game(name).family}" for name in game_ids()} & {row.rule for row in law_rows()}
    kept = {row.rule for row in law_rows() if row.kept_by}
    assert asked - {row.rule for row in law_rows()} == set()
    assert kept - asked == by_shape


def test_rows_of_washingtons_code_have_an_address() -> None:
    bare = [row.rule for row in law_rows() if row.section.startswith(("WAC 230-15", "RCW")) and not row.address]
    assert set(bare) <= {"high_limit_rooms", "one_wager_per_decision"}


def test_rows_of_one_rule_do_not_overlap() -> None:
    for row in law_rows():
        if row.rule == "order_of_enforcement" or row.kind in ("history",):
            continue
        others = [o for o in rows_of(row.rule) if o is not row and (o.item, o.wager) == (row.item, row.wager)]
        assert not any(other.holds_on(row.since) for other in others), row.rule


def test_the_order_of_enforcement_has_four_steps_that_findings_cite() -> None:
    assert [step.number for step in order_of_enforcement()] == [1, 2, 3, 4]
    over = the(with_wager(DEMO, "ddm_1", "main", most_micros=usd("500")), "over_single_wager_limit")
    assert over.decided_by == "Title 230 WAC"
    beside = with_sensors(with_table(DEMO, "ddm_2"), "blackjack_1", "push_22")
    beside = replace(beside, links=(Link(id="l", jackpots=("push_22",), tables=("ddm_1", "ddm_2", "blackjack_1")),))
    assert the(beside, "wrong_base_game").decided_by.startswith("rules of a licensed manufacturer")
    assert "binds nobody" in the(with_jackpot(DEMO, "push_22", seed_micros=usd("0")), "no_seed").decided_by


# Whole floors.


def test_the_demo_floor_keeps_every_rule() -> None:
    assert codes(DEMO) == ["letter_contradicts_itself", "law_last_seen"]


def test_every_refusal_names_its_rule_with_a_citation_a_place_and_a_remedy() -> None:
    broken = with_wager(DEMO, "ddm_1", "main", most_micros=usd("500"))
    broken = with_table(broken, "baccarat_1", posted=())
    broken = with_jackpot(broken, "push_22", cap_micros=usd("60,000"), kind="house")
    found = refusals(check_floor(broken, DAY))
    assert len(found) > 5
    for finding in found:
        assert finding.rule and finding.where
        assert re.search(r"(WAC|RCW|letter).*\[(S|S-part|letter)\]", finding.citation)
        assert finding.sentence.endswith(".") and len(finding.sentence.split(". ")) >= 1
        assert finding.decided_by


def test_refusals_come_first_and_notes_last() -> None:
    floor = with_jackpot(with_wager(DEMO, "ddm_1", "main", most_micros=usd("500")), "push_22", seed_micros=usd("0"))
    severities = [finding.severity for finding in check_floor(floor, DAY)]
    assert severities == sorted(severities, key=["refusal", "warning", "note"].index)


def test_what_is_not_known_of_the_law_is_said_and_not_guessed() -> None:
    assert "law_last_seen" not in codes(DEMO, LAST_SEEN)
    assert "law_last_seen" in codes(DEMO, LAST_SEEN + ONE_DAY)
    assert not_known_on(DAY) == ()
    note = the(DEMO, "law_not_known", date(2014, 12, 31))
    assert note.severity == "note"
    assert "A maximum is never below the standing amount (WAC 230-15-685, from 2015-01-01)" in note.sentence
    assert "WAC 230-15-685" not in the(DEMO, "law_not_known", date(2015, 1, 1)).sentence


# Wager limits.

LIMITS = [
    (date(1997, 1, 1), 25),
    (date(2003, 12, 31), 25),
    (date(2004, 1, 1), 100),
    (date(2008, 12, 31), 100),
    (date(2009, 1, 1), 300),
    (date(2023, 8, 18), 300),
    (date(2023, 8, 19), 400),
    (date(2023, 8, 20), 400),
    (date(2030, 1, 1), 400),
]


def plain_floor(most: str, tables: int = 1) -> Floor:
    one = replace(DEMO.table("blackjack_1"), wagers=(WagerSetup(wager="main", most_micros=usd(most)),))
    named = tuple(replace(one, id=f"t{number}") for number in range(tables))
    return replace(DEMO, tables=named, jackpots=(), links=())


@pytest.mark.parametrize(("day", "dollars"), LIMITS)
def test_a_single_wager_is_limited_by_its_own_day(day: date, dollars: int) -> None:
    code = "over_single_wager_limit"
    assert code not in codes(plain_floor(str(dollars)), day)
    # Fifteen tables with a raised limit are more than 2004 to 2008 allow.
    over = plain_floor(str(dollars + 1), tables=15)
    finding = the(over, code, day)
    assert f"on {day} a single wager is ${dollars} at most. Set it to ${dollars} or less." in finding.sentence
    assert finding.effect["limit_micros"] == dollars * 1_000_000
    assert finding.citation.startswith("WAC 230-15-140")


@pytest.mark.parametrize(("tables", "allowed"), [(1, 1), (5, 1), (6, 2), (10, 2), (11, 3), (15, 3)])
def test_from_2004_to_2008_a_few_tables_may_take_two_hundred(tables: int, allowed: int) -> None:
    for day in (date(2004, 7, 1), date(2008, 12, 31)):
        over = [code for code in codes(plain_floor("200", tables), day) if code == "over_single_wager_limit"]
        assert len(over) == tables - allowed
    assert codes(plain_floor("200"), date(2004, 6, 30)).count("over_single_wager_limit") == 1
    assert codes(plain_floor("201"), date(2004, 7, 1)).count("over_single_wager_limit") == 1


def test_a_wager_on_a_sensor_has_the_limit_too() -> None:
    floor = with_table(only(DEMO, "ddm_1"), "ddm_1", wagers=(WagerSetup(wager="main", most_micros=usd("5")),))
    floor = with_jackpot(floor, "push_22", wager_micros=usd("25"))
    assert "over_single_wager_limit" not in codes(floor, date(2000, 1, 1))
    floor = with_jackpot(floor, "push_22", wager_micros=usd("26"))
    finding = the(floor, "over_single_wager_limit", date(2000, 1, 1))
    assert finding.where == "jackpots.push_22.wager_amount"


def test_a_tribal_casinos_limits_are_its_compacts() -> None:
    tribal = replace(with_wager(DEMO, "ddm_1", "main", most_micros=usd("500")), establishment="tribal")
    assert "over_single_wager_limit" not in codes(tribal)
    assert "compact" in the(tribal, "compact_limits").sentence


def test_a_commercial_card_room_has_fifteen_tables_at_most() -> None:
    sixteen = plain_floor("5", tables=16)
    assert "too_many_tables" not in codes(plain_floor("5", tables=15))
    assert "16 tables; a commercial card room has 15 at most" in the(sixteen, "too_many_tables").sentence
    assert "too_many_tables" not in codes(replace(sixteen, establishment="tribal"))


# Games on one hand.


def hand_floor(games: int, most: str = "5") -> Floor:
    """One table with so many games on a hand: the main game, Push 22, and sensors."""
    floor = only(DEMO, "ddm_1")
    for number in range(2, games):
        floor = and_jackpot(floor, "push_22", id=f"p{number}", wager_micros=usd("5"))
    floor = with_sensors(floor, "ddm_1", *["push_22", *(f"p{number}" for number in range(2, games))][: games - 2])
    return with_wager(floor, "ddm_1", "push_22", most_micros=usd(most), aggregate_limit_micros=None)


@pytest.mark.parametrize(
    ("day", "most"),
    [
        (date(2006, 12, 31), 2),
        (date(2007, 1, 1), 3),
        (date(2009, 9, 13), 3),
        (date(2009, 9, 14), 6),
        (date(2025, 3, 1), 6),
    ],
)
def test_so_many_games_may_be_on_one_hand(day: date, most: int) -> None:
    assert "too_many_games" not in codes(hand_floor(most), day)
    finding = the(hand_floor(most + 1), "too_many_games", day)
    assert f"has {most + 1} games on one hand" in finding.sentence
    assert f"it may have {most}. Take 1 off" in finding.sentence
    assert finding.effect == {"games": most + 1, "limit": most}


def test_three_games_at_most_take_more_than_five_dollars() -> None:
    three = with_jackpot(hand_floor(3, "100"), "push_22", wager_micros=usd("25"))
    assert "too_many_large_games" not in codes(three)
    four = with_jackpot(hand_floor(4, "100"), "push_22", wager_micros=usd("25"))
    assert "too_many_large_games" not in codes(four), "the fourth takes $5"
    four = with_jackpot(four, "p2", wager_micros=usd("25"))
    finding = the(four, "too_many_large_games")
    assert "4 games that take more than $5 (main, push_22, sensor 1, sensor 2); 3 may. Limit 1" in finding.sentence
    assert "too_many_large_games" not in codes(four, date(2009, 9, 13))
    assert "too_many_large_games" in codes(four, date(2009, 9, 14))


def test_a_wager_without_a_limit_of_the_house_counts_with_the_laws() -> None:
    four = with_jackpot(hand_floor(4, "5"), "push_22", wager_micros=usd("25"))
    four = with_wager(with_jackpot(four, "p2", wager_micros=usd("25")), "ddm_1", "push_22", most_micros=None)
    assert "too_many_large_games" in codes(four)


def test_more_than_four_games_are_a_warning_as_a_later_sheet_has_four() -> None:
    assert "more_than_four_games" not in codes(hand_floor(4))
    finding = the(hand_floor(5), "more_than_four_games")
    assert finding.severity == "warning" and "ask before opening" in finding.sentence


def test_dragon_bonus_on_either_hand_is_one_game() -> None:
    assert "too_many_games" not in codes(only(DEMO, "baccarat_1"), date(2008, 1, 1))


# Sensors and kinds.


def test_a_seat_has_two_sensors_at_most() -> None:
    assert "too_many_sensors" not in codes(hand_floor(4))
    finding = the(hand_floor(5), "too_many_sensors")
    assert "3 sensors at each seat; 2 are allowed. Remove 1." in finding.sentence
    assert "too_many_sensors" not in codes(hand_floor(5), date(2025, 2, 10))
    assert "too_many_sensors" in codes(hand_floor(5), date(2025, 2, 11))


def test_two_sensors_have_two_jackpots() -> None:
    floor = only(DEMO, "ddm_1")
    assert "sensors_share_jackpot" not in codes(floor)
    assert (
        'the same jackpot "push_22"'
        in the(with_sensors(floor, "ddm_1", "push_22", "push_22"), "sensors_share_jackpot").sentence
    )


def test_all_jackpots_of_a_table_are_of_one_kind() -> None:
    two = with_sensors(and_jackpot(only(DEMO, "ddm_1"), "push_22", id="second"), "ddm_1", "push_22", "second")
    assert "mixed_jackpot_kinds" not in codes(two)
    mixed = with_jackpot(two, "second", kind="house")
    finding = the(mixed, "mixed_jackpot_kinds")
    assert "All jackpots of a table are of one kind" in finding.sentence and finding.severity == "refusal"
    assert "mixed_jackpot_kinds" not in codes(mixed, date(2025, 2, 10))


def test_push_22_progressive_stands_beside_double_down_madness_only() -> None:
    assert "wrong_base_game" not in codes(DEMO)
    floor = with_sensors(only(DEMO, "ddm_1", "blackjack_1"), "ddm_1")
    finding = the(with_sensors(floor, "blackjack_1", "push_22"), "wrong_base_game")
    assert "approved beside Double Down Madness™ Blackjack only" in finding.sentence
    assert finding.citation == "letter 000, Push 22 Progressive [letter]"


def test_dragon_bonus_progressive_stands_beside_mini_baccarat_only() -> None:
    floor = with_sensors(only(DEMO, "baccarat_1", "blackjack_1"), "baccarat_1")
    assert "beside Mini-Baccarat" in the(with_sensors(floor, "blackjack_1", "dragon"), "wrong_base_game").sentence


def test_a_jackpot_system_is_one_that_the_letter_approves() -> None:
    assert "system_not_approved" not in codes(with_table(DEMO, "baccarat_1", protocol="gm_atlas"))
    finding = the(with_table(DEMO, "ddm_1", protocol="aquarius"), "system_not_approved")
    assert "Accepted: game_manager_2 (Nexus Command Game Manager 2), gm_atlas" in finding.sentence


def test_push_22_progressive_needs_game_manager_2_or_gm_atlas() -> None:
    for system, is_approved in (("nexus_command", False), ("game_manager_2", True), ("gm_atlas", True)):
        assert ("system_not_approved" not in codes(with_table(DEMO, "ddm_1", protocol=system))) == is_approved
        assert "system_not_approved" not in codes(with_table(DEMO, "baccarat_1", protocol=system))


@pytest.mark.parametrize(
    ("table", "system", "listed"),
    [
        (
            "baccarat_1",
            "aquarius",
            ("v6.6 build 520", "Aquarius Controller v6.5.6SP", "Coin Spot v6.0", "CHAM2+ v1.66P$"),
        ),
        ("baccarat_1", "nexus_command", ("Game Manager v1.3.0", "Table Controller software v2.0.0")),
        ("baccarat_1", "game_manager_2", ("Game Manager 2 v2.5.4", "Table Controller 2 v2.6.0")),
        ("baccarat_1", "gm_atlas", ("GM Atlas v5.4.0 / Nexus Command II v5.4",)),
        ("ddm_1", "game_manager_2", ("Game Manager 2 v2.5.4",)),
        ("ddm_1", "gm_atlas", ("GM Atlas v5.4.0 / Nexus Command II v5.4",)),
    ],
)
def test_the_checklist_names_the_models_and_versions_of_a_tables_system(
    table: str, system: str, listed: tuple[str, ...]
) -> None:
    floor = with_table(DEMO, table, protocol=system)
    (line,) = equipment(floor, floor.table(table))
    assert all(one in line for one in listed) and line in checklist(floor, floor.table(table))


def test_the_checklist_of_baccarat_names_shoe_readers_and_score_displays() -> None:
    asked = " ".join(checklist(DEMO, DEMO.table("baccarat_1")))
    for one in (
        "Mico32 v2.0.141",
        "Safe-Shoe DMC v1.2.0.0",
        "CardRec v4.0.014",
        "i-Score with software v1.5.19",
        "ViPS",
    ):
        assert one in asked


@pytest.mark.parametrize(("amount", "fits"), [("1", True), ("5", True), ("25", True), ("2", False), ("100", False)])
def test_a_sensor_takes_what_its_letter_scales_to(amount: str, fits: bool) -> None:
    floor = with_jackpot(only(DEMO, "ddm_1"), "push_22", wager_micros=usd(amount))
    assert ("bad_sensor_wager" not in codes(floor)) == fits
    if not fits:
        assert "Accepted: $1, $5, $25." in the(floor, "bad_sensor_wager").sentence


def test_leaving_the_letter_is_a_warning() -> None:
    assert "away_from_letter" not in codes(DEMO)
    finding = the(with_table(only(DEMO, "ddm_1"), "ddm_1", decks=4), "away_from_letter")
    assert "4 decks: not in the letter" in finding.sentence and finding.severity == "warning"
    soft = with_table(only(DEMO, "ddm_1"), "ddm_1", settings={"soft17": "stand"})
    assert "soft17 = stand" in the(soft, "away_from_letter").sentence


def test_a_game_before_its_letter_is_a_warning() -> None:
    assert "before_letter" not in codes(only(DEMO, "ddm_1"), date(2025, 2, 11))
    assert "Feb 11, 2025" in the(only(DEMO, "ddm_1"), "before_letter", date(2025, 2, 10)).sentence


# Links.


def linked(floor: Floor, jackpots: tuple[str, ...], tables: tuple[str, ...]) -> Floor:
    return replace(floor, links=(Link(id="madness", jackpots=jackpots, tables=tables),))


def two_jackpots(**second: Any) -> Floor:
    """Two tables of a link, each with a jackpot of its own."""
    floor = and_jackpot(only(DEMO, "ddm_1", "ddm_2"), "push_22", id="other", **second)
    return linked(with_sensors(floor, "ddm_2", "other"), ("push_22", "other"), ("ddm_1", "ddm_2"))


def test_a_progressive_is_not_linked_with_a_house_jackpot() -> None:
    assert "mixed_link" not in codes(two_jackpots())
    finding = the(two_jackpots(kind="house"), "mixed_link")
    assert "joins a progressive with a house jackpot" in finding.sentence and finding.severity == "refusal"


def test_linked_blackjack_tables_share_their_decks() -> None:
    assert "linked_decks_differ" not in codes(DEMO)
    floor = with_table(DEMO, "ddm_2", decks=8)
    finding = the(floor, "linked_decks_differ")
    assert "use 6 and 8 decks" in finding.sentence
    chances = {
        f"ddm_{n}_top_one_in": round(1 / _top("double_down_madness", "push_22_progressive", decks))
        for n, decks in ((1, 6), (2, 8))
    }
    assert dict(finding.effect) == chances
    assert "linked_decks_differ" not in codes(floor, date(2025, 2, 10))


def _top(game: str, wager: str, decks: int) -> Fraction:
    sheet = compute_odds(choose(find_game(game), wager, decks=str(decks)))
    return next(row.probability for row in sheet.rows if row.pays == "100%")


def test_linked_blackjack_tables_share_their_pay_table() -> None:
    assert "linked_pay_tables_differ" not in codes(two_jackpots())
    assert (
        "push_22_progressive 1 and push_22_progressive 2"
        in the(two_jackpots(pay_table="2"), "linked_pay_tables_differ").sentence
    )


def test_linked_tables_win_with_the_same_chances() -> None:
    assert "link_chances_differ" not in codes(DEMO)
    floor = with_table(DEMO, "ddm_2", decks=8)
    finding = the(floor, "link_chances_differ", date(2015, 1, 1))
    assert "with different chances (1 in 597,653 and 1 in 600,552)" in finding.sentence
    assert finding.citation == "WAC 230-15-685 [S]" and finding.severity == "warning", "one game may be linked"
    assert "link_chances_differ" not in codes(floor, date(2014, 12, 31))
    no_ace = with_table(DEMO, "ddm_2", settings={"soft17": "stand"})
    assert "link_chances_differ" not in codes(no_ace), "4-5-6-7 is never soft, so its chances are the same"


def test_linked_tables_win_with_the_same_hand() -> None:
    """The chances of another suit are the same, but it is another hand."""
    floor = with_table(DEMO, "ddm_2", settings={"jackpot_suit": "hearts"})
    assert "link_hands_differ" in codes(floor)
    finding = the(floor, "link_hands_differ")
    assert finding.severity == "refusal" and finding.citation.startswith("letter 000")
    both = with_table(floor, "ddm_1", settings={"jackpot_suit": "hearts"})
    assert "link_hands_differ" not in codes(both)


def test_different_games_are_linked_only_by_the_same_hand() -> None:
    floor = linked(only(DEMO, "ddm_1", "baccarat_1"), ("push_22", "dragon"), ("ddm_1", "baccarat_1"))
    assert the(floor, "link_hands_differ").severity == "refusal"
    assert the(floor, "link_hands_differ", date(2015, 1, 1)).decided_by == step_text(1)
    assert "link_hands_differ" not in codes(floor, date(2014, 12, 31))


def dragon_floor(*tables: TableSetup, **fields: Any) -> Floor:
    names = ("baccarat_1", *(table.id for table in tables))
    floor = replace(DEMO, tables=(DEMO.table("baccarat_1"), *tables), jackpots=(DEMO.jackpot("dragon"),), links=())
    return linked(floor, fields.get("jackpots", ("dragon",)), names)


def test_dragon_bonus_progressive_is_linked_to_nothing_else() -> None:
    second = replace(DEMO.table("baccarat_1"), id="baccarat_2")
    assert refusals(check_floor(dragon_floor(second), DAY)) == ()
    other_game = replace(DEMO.table("blackjack_1"), sensors=(Sensor(number=1, jackpot="dragon"),))
    assert "Give it a meter of its own" in the(dragon_floor(other_game), "link_not_allowed").sentence
    two = and_jackpot(dragon_floor(second), "dragon", id="dragon_2")
    two = linked(with_sensors(two, "baccarat_2", "dragon_2"), ("dragon", "dragon_2"), ("baccarat_1", "baccarat_2"))
    assert "link_not_allowed" in codes(two)
    assert "link_not_allowed" in codes(two, date(2023, 6, 14))
    assert "link_not_allowed" not in codes(two, date(2023, 6, 13))


def test_one_progressive_is_linked() -> None:
    assert "several_progressives_linked" not in codes(DEMO)
    assert "joins 2 progressives (push_22, other)" in the(two_jackpots(), "several_progressives_linked").sentence


def test_two_systems_on_a_link_are_a_matter_of_testing() -> None:
    second = replace(DEMO.table("baccarat_1"), id="baccarat_2", protocol="gm_atlas")
    assert the(dragon_floor(second), "link_of_systems").severity == "warning"
    assert "link_of_systems" not in codes(DEMO), "Nexus Command and GM Atlas are one system"


# Aggregate limits and large prizes.


def bounty(most: str | None, aggregate: str | None) -> Floor:
    floor = only(DEMO, "switch_1")
    limit = usd(aggregate) if aggregate else None
    posted = (*floor.tables[0].posted, "aggregate_limit")
    floor = with_table(floor, "switch_1", posted=posted)
    return with_wager(
        floor, "switch_1", "kings_bounty", most_micros=usd(most) if most else None, aggregate_limit_micros=limit
    )


def test_an_aggregate_limit_is_fifty_greatest_wagers_at_least() -> None:
    for most, least in (("400", "20,000"), (None, "20,000"), ("300", "15,000")):
        assert refusals(check_floor(bounty(most, least), DAY)) == ()
        low = str(int(least.replace(",", "")) - 1)
        assert f"it is ${least} at least" in the(bounty(most, low), "aggregate_limit_too_low").sentence
    assert "aggregate_limit_too_low" not in codes(bounty(None, "15,000"), date(2023, 8, 18)), "$300 x 50 then"
    assert "aggregate_limit_too_low" in codes(bounty(None, "15,000"), date(2023, 8, 19))
    assert "aggregate_limit_too_low" not in codes(bounty("400", "5"), date(2020, 12, 31)), "not known before 2021"


def test_an_aggregate_limit_needs_odds_of_fifty_to_one() -> None:
    floor = with_wager(
        only(DEMO, "baccarat_1"), "baccarat_1", "dragon_bonus_player", aggregate_limit_micros=usd("9,000")
    )
    assert "pays 30 to 1 at most" in the(floor, "aggregate_limit_not_allowed").sentence


def test_the_second_highest_large_prize_is_kept_in_reserve() -> None:
    floor = bounty("400", None)
    prizes = odds_based_prizes(floor, DAY)
    assert [prize.prize_micros for prize in prizes] == [usd("400,000"), usd("40,000")]
    assert odds_based_reserve(floor, DAY) == usd("40,000")
    assert "Keep $40,000 for them" in the(floor, "odds_reserve_needed").sentence
    assert odds_based_reserve(bounty("250", None), DAY) == 0, "100 x $250 is not over $25,000, so one prize is"
    assert odds_based_reserve(bounty("400", "20,000"), DAY) == 0, "an aggregate limit bounds both"
    assert odds_based_reserve(floor, date(2009, 12, 31)) == 0, "not known before 2010"
    assert odds_based_reserve(DEMO, DAY) == 0


# Reasons and notices.


def test_a_meter_is_reduced_for_five_reasons_only() -> None:
    accepted = ["won", "correct_display", "over_maximum", "record_receipts", "recover_seed"]
    assert [reason.code for reason in reduction_reasons(DAY)] == accepted
    by_hand = [reason for reason in accepted if reason not in ("won", "over_maximum")]
    assert all(check_reduction(reason, -1, DAY, "jackpots.push_22") is None for reason in by_hand)
    assert check_reduction("house_addition", 1, DAY, "jackpots.push_22") is None
    for reason in ("slow_week", "won", "over_maximum"):
        refusal = check_reduction(reason, -1, DAY, "jackpots.push_22")
        assert refusal is not None and refusal.code == "unlawful_reduction"
        assert all(reason in refusal.sentence for reason in by_hand) and "230-15-695" in refusal.citation
    assert reduction_reasons(date(2000, 1, 1)) == reduction_reasons(DAY)


@pytest.mark.parametrize("reason", ["recover_seed", "record_receipts"])
def test_a_reason_that_the_law_of_a_day_lacks_reduces_nothing_by_an_amount_above_zero(
    reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = tuple(row for row in rows_of(REDUCTION) if row.item != reason)
    monkeypatch.setattr("croupier.floor.reasons.all_on", lambda item, day: rows)
    refusal = check_reduction(reason, 1, DAY, "jackpots.push_22")
    assert refusal is not None and refusal.code == "unlawful_reduction"
    assert f"{reason} with" not in refusal.sentence
    assert check_reduction("correct_display", -1, DAY, "jackpots.push_22") is None


def test_the_ledgers_reasons_to_take_from_a_meter_are_the_laws() -> None:
    """Its other reasons only raise what players can win; what is won or above the maximum needs no adjustment there."""
    lawful = {reason.code for reason in reduction_reasons(DAY)}
    assert set(get_args(Reason)) & lawful == lawful - {"won", "over_maximum"}


NEEDED: dict[str, Callable[[Floor], Floor]] = {
    "maximum": lambda floor: with_jackpot(floor, "push_22", cap_micros=None),
    "aggregate_limit": lambda floor: with_wager(floor, "ddm_1", "push_22", aggregate_limit_micros=None),
    "jackpot_amount": lambda floor: with_sensors(floor, "ddm_1"),
}


@pytest.mark.parametrize("notice", [*DEMO.table("ddm_1").posted])
def test_each_notice_that_a_table_needs_is_missed(notice: str) -> None:
    floor = only(DEMO, "ddm_1")
    kept = tuple(name for name in floor.tables[0].posted if name != notice)
    finding = the(with_table(floor, "ddm_1", posted=kept), "notice_missing")
    assert f"does not post {notice}:" in finding.sentence and finding.severity == "refusal"
    if notice in NEEDED:
        assert "notice_missing" not in codes(with_table(NEEDED[notice](floor), "ddm_1", posted=(*kept, "maximum")))


def test_a_house_jackpot_says_that_it_is_the_houses() -> None:
    floor = with_jackpot(only(DEMO, "ddm_1"), "push_22", kind="house")
    items = {row.item for row in required_notices(floor, floor.tables[0], DAY)}
    assert items - {row.item for row in required_notices(DEMO, DEMO.tables[0], DAY)} == {
        "no_player_money",
        "may_be_removed",
    }


def test_the_checklist_has_the_conditions_of_law_and_letter() -> None:
    card_room, tribal = (
        checklist(DEMO, DEMO.tables[0]),
        checklist(replace(DEMO, establishment="tribal"), DEMO.tables[0]),
    )
    assert any("internal controls" in line for line in card_room)
    assert any("Tribal gaming agency" in line for line in tribal)
    assert set(find_game("double_down_madness").conditions) <= set(card_room)


def test_the_limit_rows_are_those_that_play_uses() -> None:
    row = law_on("single_wager", DAY)
    assert row is not None and row.dollars == 400
    source = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("*.toml"))
    assert 'rule = "single_wager"' not in source


def test_a_checked_floor_is_the_same_after_a_round_trip() -> None:
    floor = floor_from_data(tomllib.loads(floor_to_toml(DEMO)))
    assert codes(floor) == codes(DEMO)
