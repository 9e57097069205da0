"""Floors as configuration: they round-trip, mistakes are named with their place, rights and approvals are one table."""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.errors import SpecError
from croupier.floor import (
    RIGHTS,
    ApprovalLevels,
    Floor,
    Micros,
    Right,
    Role,
    approval_needed,
    check_floor,
    demo_floor,
    floor_data,
    floor_from_data,
    floor_from_json,
    floor_from_toml,
    floor_to_json,
    floor_to_toml,
    load_floor,
    may_approve,
    persons_needed,
    usd,
    who_may,
)
from croupier.floor.amounts import amount_text, rate_text
from croupier.floor.roles import MEANING
from croupier.money import MICROS_PER_DOLLAR, MOST_DOLLARS
from croupier.pay import parse_rate

DAY = date(2025, 3, 1)
MONEY = st.integers(0, MOST_DOLLARS * MICROS_PER_DOLLAR)
LEVELS = ApprovalLevels(
    supervisor_up_to_micros=usd("5,000"),
    two_persons_over_micros=usd("25,000"),
    fixed_by_dealer_up_to_micros=usd("250"),
)


@pytest.fixture
def data() -> dict[str, Any]:
    return floor_data(demo_floor())


def test_the_demo_floor_goes_through_toml_and_json_unchanged() -> None:
    floor = demo_floor()
    assert floor_from_toml(floor_to_toml(floor)) == floor
    assert floor_from_json(floor_to_json(floor)) == floor


def test_a_floor_is_read_from_a_file_of_either_kind(tmp_path: Path) -> None:
    floor = demo_floor()
    for name, text in (("floor.toml", floor_to_toml(floor)), ("floor.json", floor_to_json(floor))):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert load_floor(path) == floor


@given(
    name=st.text(max_size=40).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)),
    seed=st.integers(0, 10**8),
    contribution=st.integers(0, 500_000),
    reserve=st.integers(0, 500_000),
    seats=st.integers(1, 7),
)
def test_any_floor_round_trips_without_loss(name: str, seed: int, contribution: int, reserve: int, seats: int) -> None:
    floor = demo_floor()
    jackpot = replace(
        floor.jackpots[0],
        seed_micros=Micros(seed * 10_000),
        contribution=Fraction(contribution, 1_000_000),
        reserve=Fraction(reserve, 1_000_000),
    )
    table = replace(floor.tables[0], name=name, seats=seats)
    changed = replace(floor, jackpots=(jackpot, *floor.jackpots[1:]), tables=(table, *floor.tables[1:]))
    assert floor_from_toml(floor_to_toml(changed)) == changed
    assert floor_from_json(floor_to_json(changed)) == changed


@given(MONEY)
def test_amounts_in_files_keep_every_millionth(micros: int) -> None:
    assert usd(amount_text(micros)) == micros


@given(st.integers(0, 1_000_000))
def test_rates_in_files_keep_every_millionth(ppm: int) -> None:
    assert parse_rate(rate_text(Fraction(ppm, 1_000_000))) == Fraction(ppm, 1_000_000)


def test_an_amount_set_as_a_plain_integer_is_still_written_in_dollars() -> None:
    floor = demo_floor()
    jackpot = replace(floor.jackpots[0], seed_micros=60_000 * MICROS_PER_DOLLAR)
    changed = replace(floor, jackpots=(jackpot, *floor.jackpots[1:]))
    assert floor_data(changed)["jackpots"][0]["seed"] == "60000"


# Mistakes: the place of the value in the demo floor, what is put there, and what the error must say.
MISTAKES: dict[str, tuple[tuple[str | int, ...], object, str, str]] = {
    "protocol": (
        ("tables", 0, "protocol"),
        "atlas",
        "$.tables[0].protocol",
        "Accepted: nexus_command, game_manager_2, gm_atlas, aquarius",
    ),
    "kind": (("jackpots", 0, "kind"), "bonus", "$.jackpots[0].kind", "Accepted: progressive, house"),
    "odd cents": (("jackpots", 1, "odd_cents"), "to_house", "$.jackpots[1].odd_cents", "Accepted: stay_in_meter"),
    "unknown field": (("tables", 1, "color"), "red", "$.tables[1]", "Accepted: id, name, game, decks"),
    "seats": (("tables", 0, "seats"), 8, "$.tables[0].seats", "<= 7"),
    "decks": (("tables", 0, "decks"), 0, "$.tables[0].decks", ">= 1"),
    "amount as number": (("jackpots", 0, "seed"), 50000, "$.jackpots[0].seed", "amount as text"),
    "negative amount": (("jackpots", 0, "seed"), "-5", "$.jackpots[0].seed", "negative"),
    "amount no amount": (("jackpots", 0, "cap"), "plenty", "$.jackpots[0].cap", "not an amount in dollars"),
    "rate over all": (
        ("jackpots", 0, "contribution"),
        "101%",
        "$.jackpots[0].contribution",
        "more than the whole wager",
    ),
    "negative rate": (("jackpots", 0, "contribution"), "-1%", "$.jackpots[0].contribution", "not a rate"),
    "rates together": (("jackpots", 0, "contribution"), "99.5%", "$.jackpots[0].reserve", "together 100% at most"),
    "rate too fine": (("jackpots", 0, "reserve"), "0.00001%", "$.jackpots[0].reserve", "four decimals"),
    "wager of nothing": (("jackpots", 0, "wager_amount"), "0", "$.jackpots[0].wager_amount", "above zero"),
    "parts of a cent": (("jackpots", 0, "cap"), "100000.001", "$.jackpots[0].cap", "whole number of cents"),
    "game": (("tables", 0, "game"), "blackjak", "$.tables[0].game", 'Did you mean "blackjack"?'),
    "jackpot's game": (("jackpots", 0, "game"), "poker", "$.jackpots[0].game", "Accepted: "),
    "jackpot's wager": (("jackpots", 0, "wager"), "push_23", "$.jackpots[0].wager", "push_22_progressive"),
    "no jackpot wager": (("jackpots", 0, "wager"), "main", "$.jackpots[0].wager", "Accepted: push_22_progressive"),
    "pay table": (("jackpots", 0, "pay_table"), "9", "$.jackpots[0].pay_table", "Accepted: 1, 2, 3, 4"),
    "table's pay table": (("tables", 0, "wagers", 0, "pay_table"), "9", "$.tables[0].wagers[0].pay_table", "1, 2, 3"),
    "least above most": (("tables", 0, "wagers", 0, "least"), "301", "$.tables[0].wagers[0].most", "below the least"),
    "sensor's wager": (
        ("tables", 0, "wagers", 2, "wager"),
        "push_22_progressive",
        "$.tables[0].wagers[2].wager",
        "on a sensor",
    ),
    "sensor's jackpot": (
        ("tables", 0, "sensors", 0, "jackpot"),
        "mega",
        "$.tables[0].sensors[0].jackpot",
        "push_22, dragon",
    ),
    "same id": (("tables", 1, "id"), "ddm_1", "$.tables[1]", "there twice"),
    "switch": (("tables", 0, "settings"), {"soft18": "hit"}, "$.tables[0].settings.soft18", "Accepted: "),
    "switch's value": (("tables", 0, "settings"), {"soft17": "ask"}, "$.tables[0].settings.soft17", "Accepted: "),
    "fixed pays at the table": (
        ("tables", 0, "settings"),
        {"fixed_pays": "meter"},
        "$.tables[0].settings.fixed_pays",
        "set with the jackpot",
    ),
    "notice": (("tables", 0, "posted"), ["welcome"], "$.tables[0].posted[0]", "Accepted: wager_limits"),
    "no link": (("links",), [], "$.links", "needs a link"),
    "link of a stranger": (("links", 0, "tables", 1), "baccarat_1", "$.links[0].tables[1]", "no sensor of push_22"),
    "link without a table": (("links", 0, "tables", 1), "ddm_9", "$.links[0].tables[1]", "Accepted: ddm_1, ddm_2"),
    "jurisdiction": (("jurisdiction",), "atlantis", "$.jurisdiction", "Accepted: washington"),
    "no zone": (("version", "effective_from"), "2025-03-01T06:00:00", "$.version.effective_from", "no zone"),
    "version 0": (("version", "number"), 0, "$.version.number", ">= 1"),
    "no reason": (("version", "reason"), "", "$.version.reason", "length >= 1"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_with_its_field_reason_and_what_is_accepted(name: str, data: dict[str, Any]) -> None:
    path, value, place, said = MISTAKES[name]
    inner: Any = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    with pytest.raises(SpecError) as caught:
        floor_from_data(data, "room.toml")
    assert str(caught.value).startswith("room.toml: ")
    assert re.search(re.escape(place) + r"(\W|$)", str(caught.value)), caught.value
    assert said in str(caught.value)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8) | st.just("0.5%"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Every place in nested data."""
    inner = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


ALL_PLACES = places(floor_data(demo_floor()))[1:]


@settings(max_examples=300, deadline=None)
@given(place=st.sampled_from(ALL_PLACES), junk=JUNK)
def test_whatever_stands_in_a_floor_it_is_read_and_checked_or_refused_by_name(
    place: tuple[str | int, ...], junk: object
) -> None:
    data = floor_data(demo_floor())
    inner: Any = data
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = junk
    try:
        floor = floor_from_data(data)
    except SpecError as error:
        place_named = str(error).partition(" - at ")[2]
        assert "$" in place_named
        return
    assert floor_from_toml(floor_to_toml(floor)) == floor
    assert check_floor(floor, DAY)


def test_a_missing_field_is_named_with_those_that_exist(data: dict[str, Any]) -> None:
    del data["tables"][0]["decks"]
    with pytest.raises(SpecError, match=r"missing required field decks - at \$\.tables\[0\]. Accepted: id, name, game"):
        floor_from_data(data)


def test_a_table_needs_a_main_wager(data: dict[str, Any]) -> None:
    del data["tables"][0]["wagers"][0]
    with pytest.raises(SpecError, match=r"A table offers a main wager. Accepted: main"):
        floor_from_data(data)


@pytest.mark.parametrize("text", ["", "[]", "{", "nothing", '"floor"', "null"])
def test_what_is_no_floor_at_all_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        floor_from_json(text)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for name in ("none.toml", "none.json"):
        with pytest.raises(SpecError) as caught:
            load_floor(tmp_path / name)
        assert caught.value.code == "unreadable_file"


def test_every_right_is_explained_and_somebodys() -> None:
    assert set(RIGHTS) == set(MEANING) == set(Right)
    assert all(RIGHTS.values())


def test_an_auditor_sees_everything_and_changes_nothing() -> None:
    assert {right for right in Right if who_may(Role.AUDITOR, right)} == {
        right for right in Right if right.startswith("see_")
    }


def test_a_technician_moves_no_money_and_a_dealer_approves_none() -> None:
    money = {
        Right.APPROVE_AWARD,
        Right.APPROVE_LARGE_AWARD,
        Right.ADJUST_METER,
        Right.CHANGE_MONEY,
        Right.APPROVE_CHANGE,
    }
    assert not any(who_may(Role.TECHNICIAN, right) or who_may(Role.DEALER, right) for right in money)


def test_the_card_needed_depends_on_the_amount_to_the_last_millionth() -> None:
    limit = usd("5,000")
    assert approval_needed(limit, LEVELS) is Role.SUPERVISOR
    assert approval_needed(limit + 1, LEVELS) is Role.EXECUTIVE
    assert approval_needed(usd("1"), LEVELS) is Role.SUPERVISOR
    assert approval_needed(usd("250"), LEVELS, is_fixed_pay=True) is Role.DEALER
    assert approval_needed(usd("250") + 1, LEVELS, is_fixed_pay=True) is Role.SUPERVISOR


@given(amount=MONEY, fixed=st.booleans())
def test_an_executive_may_approve_all_and_a_supervisor_no_more_than_that(amount: int, fixed: bool) -> None:
    assert may_approve(Role.EXECUTIVE, amount, LEVELS, is_fixed_pay=fixed)
    assert may_approve(Role.SUPERVISOR, amount, LEVELS) == (amount <= usd("5,000"))
    assert not may_approve(Role.AUDITOR, amount, LEVELS, is_fixed_pay=fixed)
    assert may_approve(Role.DEALER, amount, LEVELS, is_fixed_pay=fixed) == (fixed and amount <= usd("250"))


def test_two_people_sign_above_the_amount_set_for_that() -> None:
    assert persons_needed(usd("25,000"), LEVELS) == 1
    assert persons_needed(usd("25,000") + 1, LEVELS) == 2
    assert persons_needed(usd("1,000,000"), ApprovalLevels(supervisor_up_to_micros=usd("5"))) == 1


def test_tables_and_jackpots_find_each_other() -> None:
    floor: Floor = demo_floor()
    assert [table.id for table in floor.tables_of("push_22")] == ["ddm_1", "ddm_2"]
    assert [jackpot.id for jackpot in floor.jackpots_at(floor.table("baccarat_1"))] == ["dragon"]
    assert floor.jackpot("push_22").contribution_ppm == 190_000
