"""Nothing above the kernels knows a title: ids are renamed, pays are changed, and everything still works."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path
from typing import Any

import pytest

from croupier.exact.check import is_played
from croupier.exact.odds import compute_odds
from croupier.exact.played import compute_strategy, main_account
from croupier.reports.json_data import beside_rows, main_rows
from croupier.reports.sheet.fill import make_booklet
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import find_game, game_ids
from croupier.rules.choice import OddsRequest, choose
from croupier.rules.loader import game_from_data
from croupier.rules.spec import Game
from croupier.simulate.run import run
from croupier.testing import check_game
from tests.conftest import Croupier
from tests.helpers import ROOT

pytestmark = pytest.mark.slow

NEW = "other_"
GAMES = ROOT / "src/croupier/games"


def data_of(game: str) -> dict[str, Any]:
    return tomllib.loads((GAMES / game / "game.toml").read_text(encoding="utf-8"))


WHOLE = [name for name in game_ids() if "extends" not in data_of(name)]
"""Games whose files hold all of their wagers."""


def renamed(game: str) -> Game:
    """The same game with other ids of game, wagers and pay tables."""
    data = data_of(game)
    data["id"] = NEW + data["id"]
    declared = find_game(game).declared
    for wager in data["wagers"]:
        if declared.wager(wager["id"]) is not None and "classifier" not in wager:
            wager["role"] = wager["id"]
        wager["takes_side"] = wager.get("takes_side", False)
        wager["id"] = NEW + wager["id"]
        for name in ("needs", "pay_tables_of"):
            if name in wager:
                old = wager[name]
                wager[name] = NEW + old if isinstance(old, str) else [NEW + one for one in old]
        for table in wager.get("pay_tables", ()):
            table["id"] = "t" + table["id"]
    for fact in (*data.get("published", ()), *data.get("recorded", ())):
        fact["wager"] = NEW + fact["wager"]
        fact["pay_table"] = "t" + fact["pay_table"]
    return game_from_data(data, "renamed")


@pytest.mark.parametrize("name", WHOLE)
def test_a_game_with_other_ids_is_worth_the_same(name: str) -> None:
    game, other = find_game(name), renamed(name)
    for wager in game.wagers:
        choice, same = choose(game, wager.id), choose(other, NEW + wager.id)
        if is_played(choice) and game.declared.hands == 1:
            assert is_played(same)
            assert main_account(same).value == main_account(choice).value
        elif choice.bet is not None:
            assert compute_odds(same).edge == compute_odds(choice).edge


@pytest.mark.parametrize("name", WHOLE)
def test_a_game_with_other_ids_is_played_by_the_rules(name: str) -> None:
    assert check_game(renamed(name), rounds=40, seed=7) == 40


@pytest.mark.parametrize("name", ["casino_war", "mini_baccarat", "double_down_madness"])
def test_a_game_with_other_ids_gives_the_same_counts(name: str) -> None:
    wish = Wish(settings={}, pay_tables={})
    counts = [run(prepare(game, wish).spec, 3, 2).tolist() for game in (find_game(name), renamed(name))]
    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", ["casino_war", "three_card_poker"])
def test_sheets_of_a_title_with_an_asked_wager_add_up(name: str) -> None:
    game = find_game(name)
    booklet = make_booklet(game, OddsRequest(game=name), pay_tables={}, effects=False)
    assert [sheet.choice.wager.id for sheet in booklet.sheets] == [wager.id for wager in game.proved_wagers]
    main = compute_strategy(choose(game, game.first_wager.id))
    rows = (*main_rows(main), *beside_rows(main))
    assert sum(ending.profit for *_, ending in rows) == pytest.approx(-main.edge, abs=1e-12)
    assert all(words.strip() for _, words, _, _ in rows)


def test_odds_and_advice_at_a_terminal_of_a_title(croupier: Croupier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("ante=5\no\na\nf\nq\n"))
    said = croupier("play", "three_card_poker")
    assert said.status == 0
    assert "ante: house edge 3.373%" in said.out
    assert "best" in said.out


def test_a_title_that_only_renames_and_pays_otherwise_is_one_file(tmp_path: Path) -> None:
    data = data_of("three_card_poker")
    data |= {"id": "three_cards_and_more", "name": "Three Cards and More"}
    ante = next(wager for wager in data["wagers"] if wager["id"] == "ante")
    ante["pay_tables"] = [
        {
            "id": "2-5-9",
            "rows": [
                {"row": "straight_flush", "label": "Straight flush", "pays": "9 to 1"},
                {"row": "three_of_a_kind", "label": "Three of a kind", "pays": "5 to 1"},
                {"row": "straight", "label": "Straight", "pays": "2 to 1"},
                {"row": "win", "label": "Higher hand", "pays": "1 to 1"},
                {"row": "push", "label": "Equal hands", "pays": "push"},
            ],
        }
    ]
    data["published"] = []
    game = game_from_data(data, "three_cards_and_more")
    assert check_game(game, rounds=40, seed=3) == 40
    usual = main_account(choose(find_game("three_card_poker"), "ante")).value
    chances = {"straight": 720, "three_of_a_kind": 52, "straight_flush": 48}
    more = (chances["straight"] * 1 + chances["three_of_a_kind"] * 1 + chances["straight_flush"] * 4) / 22100
    assert main_account(choose(game, "ante")).value == pytest.approx(usual + more, abs=1e-12)
