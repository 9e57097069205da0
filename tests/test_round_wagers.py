"""A round's wagers have a row for all that the round can come to: the loader says so, and play never finds out."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from croupier.errors import SpecError
from croupier.rules import find_game, game_ids
from croupier.rules.choice import choose
from croupier.rules.loader import game_from_data
from croupier.rules.spec import Game
from croupier.testing import check_game
from tests.helpers import ROOT

pytestmark = pytest.mark.slow

Change = Callable[[dict[str, Any]], None]


def changed(name: str, change: Change) -> Game:
    """A game of ours, changed."""
    data = tomllib.loads((ROOT / "src/croupier/games" / name / "game.toml").read_text(encoding="utf-8"))
    change(data)
    return game_from_data(data | {"published": [], "recorded": []}, "changed")


def wager(data: dict[str, Any], id: str) -> dict[str, Any]:
    return next(one for one in data["wagers"] if one["id"] == id)


def without(id: str, *rows: str) -> Change:
    """Takes rows from every pay table of a wager."""

    def change(data: dict[str, Any]) -> None:
        for table in wager(data, id)["pay_tables"]:
            table["rows"] = [row for row in table["rows"] if row["row"] not in rows]

    return change


def fewer_wagers(*ids: str) -> Change:
    return lambda data: data.update(wagers=[one for one in data["wagers"] if one["id"] not in ids])


def never_at_6_to_5(data: dict[str, Any]) -> None:
    del wager(data, "main")["pay_tables"][0]["rows"][1]


def rows_from_four_decks(data: dict[str, Any]) -> None:
    wager(data, "main")["pay_tables"][0]["rows"][0]["min_decks"] = 4


def a_row_too_many(data: dict[str, Any]) -> None:
    wager(data, "main")["pay_tables"][0]["rows"].append({"row": "suited_blackjack", "label": "?", "pays": "9 to 1"})


def a_row_of_two_outcomes(data: dict[str, Any]) -> None:
    wager(data, "play")["pay_tables"][0]["rows"][0]["outcomes"] = ["win", "more"]


def no_pay_table(data: dict[str, Any]) -> None:
    del wager(data, "insurance")["pay_tables"]


WRONG: dict[str, tuple[str, Change, str, str]] = {
    "no row for a blackjack": ("blackjack_switch", without("main", "blackjack"), "$.wagers[0].pay_tables[0].rows", ""),
    "no row for a win": ("three_card_poker", without("play", "win"), "$.wagers[1].pay_tables[0].rows", '"win"'),
    "no row for a bonus": (
        "three_card_poker",
        without("ante", "straight"),
        "$.wagers[0].pay_tables[0].rows",
        'no row pays "straight", which the round can come to: add { row = "straight", label',
    ),
    "under one switch": (
        "blackjack",
        never_at_6_to_5,
        "$.wagers[0].pay_tables[0].rows",
        'no row pays "blackjack", which the round can come to with blackjack_pays = 6:5',
    ),
    "offered surrender": (
        "blackjack",
        without("main", "surrender"),
        "$.wagers[0].pay_tables[0].rows",
        "with surrender = late",
    ),
    "with few decks": (
        "casino_war",
        rows_from_four_decks,
        "$.wagers[0].pay_tables[0].rows",
        "with decks = 1",
    ),
    "bonus by a switch": ("casino_war", without("war", "tie_after_tie"), "$.wagers[1].pay_tables[0].rows", "one_unit"),
    "a wager is missing": ("three_card_poker", fewer_wagers("play"), "$.wagers", 'settles a wager "play"'),
    "a pay table is missing": ("blackjack", no_pay_table, "$.wagers[1].pay_tables", "needs a pay table"),
    "a row that never comes": (
        "blackjack",
        a_row_too_many,
        "$.wagers[0].pay_tables[0].rows[6].row",
        'never comes to "suited_blackjack"; outcomes: blackjack, win, push, surrender',
    ),
    "a row of two outcomes": (
        "three_card_poker",
        a_row_of_two_outcomes,
        "$.wagers[1].pay_tables[0].rows[0].outcomes",
        "leave this out",
    ),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_gap_in_a_pay_table_of_a_rounds_wager_is_refused(mistake: str) -> None:
    name, change, place, word = WRONG[mistake]
    with pytest.raises(SpecError) as caught:
        changed(name, change)
    assert caught.value.code == "bad_spec"
    assert f"- at {place}" in str(caught.value)
    assert word in str(caught.value)


def one_rule(switch: str, value: str) -> Change:
    """A rule that the house cannot choose."""

    def change(data: dict[str, Any]) -> None:
        data["inherits"].pop(switch, None)
        data["fixed"] = data.get("fixed", {}) | {switch: value}

    return change


def no_insurance(data: dict[str, Any]) -> None:
    one_rule("insurance", "no")(data)
    fewer_wagers("insurance")(data)


def no_surrender(data: dict[str, Any]) -> None:
    without("main", "surrender")(data)
    one_rule("surrender", "none")(data)


def no_bonus(data: dict[str, Any]) -> None:
    without("war", "tie_after_tie")(data)
    data["switches"] = []


@pytest.mark.parametrize(
    ("name", "change"), [("blackjack", no_insurance), ("blackjack", no_surrender), ("casino_war", no_bonus)]
)
def test_what_cannot_come_up_needs_no_row(name: str, change: Change) -> None:
    assert check_game(changed(name, change), rounds=150, seed=4) == 150


def test_rows_that_hang_on_too_many_switches_are_refused_at_once() -> None:
    def change(data: dict[str, Any]) -> None:
        names = [f"many_{number}" for number in range(40)]
        for name in names:
            data["switches"].append(
                {"id": name, "text": "Many.", "values": ["a", "b"], "default": "a", "basis": "house"}
            )
        rows = wager(data, "main")["pay_tables"][0]["rows"]
        rows[0]["when"] = dict.fromkeys(names, "a")

    with pytest.raises(SpecError, match="too many switches together"):
        changed("casino_war", change)


@pytest.mark.parametrize("name", game_ids())
def test_every_outcome_that_our_games_can_come_to_is_paid(name: str) -> None:
    game = find_game(name)
    for settled in game.declared.wagers:
        found = game.wager_of_round(settled.pays_on or settled.id)
        assert found is not None
        rows = {row.row for row in choose(game, found.id).pay_table.rows}
        assert set(settled.outcomes) - set(settled.never) - set(settled.only_under) <= rows
