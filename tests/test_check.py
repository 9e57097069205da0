"""Every figure the letters print has the verdict it should have."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.errors import SpecError
from croupier.exact.check import MOST_SIGMAS, CheckedFigure, check_fact, check_game, rounds_to
from croupier.exact.odds import compute_odds
from croupier.reports.json_data import checked_data
from croupier.reports.published import figures_table
from croupier.rules import Game, Published, find_game, game_ids
from croupier.rules.choice import choose, parse_settings
from croupier.rules.loader import game_from_data
from tests.conftest import Croupier
from tests.helpers import ROOT

GAMES = ROOT / "src" / "croupier" / "games"
FACTS = [(find_game(name), fact) for name in game_ids() for fact in find_game(name).published]

COUNTS = {
    ("double_down_madness", "main"): 12,
    ("double_down_madness", "push_22"): 6,
    ("double_down_madness", "push_22_progressive"): 8,
    ("double_barrel", "bonus"): 3,
    ("mini_baccarat", "dragon_bonus"): 18,
    ("mini_baccarat", "dragon_bonus_progressive"): 20,
    ("blackjack", "lucky_lucky"): 15,
}


def family_of(wager: str) -> str:
    """Dragon Bonus on player and on banker is one wager of the letter."""
    return "dragon_bonus" if wager in ("dragon_bonus_player", "dragon_bonus_banker") else wager


def label(value: object) -> str:
    if isinstance(value, Game):
        return value.id
    assert isinstance(value, Published)
    return f"{value.wager}-{value.pay_table}-{value.decks}-{value.side or value.shuffle}-{value.figure}"


def equal_facts(wager: str, *, pay_table: str = "", figure: str = "") -> list[CheckedFigure]:
    """Those of the letters."""
    checked = [
        check_fact(game, fact)
        for game, fact in FACTS
        if not game.source.kind
        and family_of(fact.wager) == wager
        and pay_table in ("", fact.pay_table)
        and figure in ("", fact.figure)
    ]
    return [item for item in checked if item.verdict == "equal"]


def test_all_82_figures_of_the_letters_are_here() -> None:
    printed = [(game, fact) for game, fact in FACTS if not game.source.kind]
    assert Counter((game.id, family_of(fact.wager)) for game, fact in printed) == COUNTS
    assert len(printed) == 82


@pytest.mark.parametrize(("game", "fact"), FACTS, ids=label)
def test_a_figure_reproduces_or_a_finding_says_why_not(game: Game, fact: Published) -> None:
    checked = check_fact(game, fact)
    if checked.verdict == "within_simulation_error":
        assert checked.z is not None
        assert abs(checked.z) <= MOST_SIGMAS == 3
    elif checked.verdict != "equal":
        assert checked.finding
    assert not checked.fails


@pytest.mark.parametrize(
    ("wager", "narrowed", "number"),
    [
        ("lucky_lucky", {}, 15),
        ("bonus", {}, 3),
        ("dragon_bonus", {}, 18),
        ("push_22", {}, 4),
        ("push_22_progressive", {"figure": "hit_frequency"}, 4),
        ("dragon_bonus_progressive", {"pay_table": "3"}, 4),
    ],
    ids=str,
)
def test_so_many_figures_reproduce_to_all_printed_digits(wager: str, narrowed: dict[str, str], number: int) -> None:
    assert len(equal_facts(wager, **narrowed)) == number


@pytest.mark.parametrize(
    ("computed", "same"), [("0.05845", True), ("0.05854999", True), ("0.05855", False), ("0.05844999", False)]
)
def test_a_figure_is_equal_when_it_rounds_half_up_to_the_printed_digits(computed: str, same: bool) -> None:
    assert rounds_to(Fraction(computed), Fraction("0.0585"), 4) == same


def test_a_false_figure_is_found(croupier: Croupier, tmp_path: Path) -> None:
    text = (GAMES / "blackjack" / "game.toml").read_text(encoding="utf-8")
    assert text.count('printed = "5.31%"') == 1
    path = tmp_path / "game.toml"
    path.write_text(text.replace('printed = "5.31%"', 'printed = "5.13%"'), encoding="utf-8")
    plain, as_json = croupier("check", "--game", str(path)), croupier("check", "--game", str(path), "--json")
    assert (plain.status, as_json.status) == (1, 1)
    assert "differs" in plain.out
    false = [item for item in json.loads(as_json.out) if item["verdict"] == "differs"]
    assert [(item["printed"], item["decks"]) for item in false] == [("5.13%", 6)]


def test_the_check_of_all_games_passes(croupier: Croupier) -> None:
    said = croupier("check", "--json")
    assert said.status == 0
    assert len(json.loads(said.out)) == len(FACTS)


def facts(wager: str, pay_table: str) -> list[CheckedFigure]:
    game = find_game("mini_baccarat")
    return [check_fact(game, fact) for fact in game.facts(wager, pay_table)]


def test_figures_that_contradict_the_text_reproduce_under_the_settings_they_name() -> None:
    edge, hits, _, _ = facts("dragon_bonus_progressive", "1")
    assert (hits.decks, hits.verdict) == (6, "equal")
    assert "68.12% for wagers on player and 73.30% for wagers on banker" in edge.finding
    assert "counts = either_side and naturals_count = yes, against the letter's text" in edge.finding
    third = facts("dragon_bonus_progressive", "3")
    assert [one.verdict for one in third] == ["equal"] * 4 and all(
        "against the letter's text" in one.finding for one in third
    )


def test_by_default_the_progressive_pays_by_its_text() -> None:
    game = find_game("mini_baccarat")
    for table in game.wager("dragon_bonus_progressive").pay_tables:
        choice = choose(game, "dragon_bonus_progressive", pay_table=table.id)
        assert (choice.switches["counts"], choice.switches["naturals_count"]) == ("own_side", "no")
        assert not choice.notes and choice.side == "player"


def test_the_letter_gives_no_deck_count_for_the_progressive_nor_for_switch() -> None:
    for decks in ("1", "4", "6", "8"):
        assert not choose(find_game("mini_baccarat"), "dragon_bonus_progressive", decks=decks).notes
        assert not choose(find_game("blackjack_switch"), "main", decks=decks).notes
    assert choose(find_game("mini_baccarat"), "dragon_bonus_player", decks="5").notes
    assert choose(find_game("blackjack_switch"), "first_four", pay_table="1", decks="8").notes


def test_the_row_says_whether_a_natural_counts() -> None:
    game = find_game("mini_baccarat")
    labels = {}
    for value in ("no", "yes"):
        settings = {"naturals_count": value}
        sheet = compute_odds(choose(game, "dragon_bonus_progressive", pay_table="1", settings=settings))
        labels[value] = next(row.label for row in sheet.rows if row.id == "nine_zero")
    assert labels == {"no": "9 over 0, not a natural", "yes": "9 over 0, a natural or not"}


def test_a_figure_is_computed_again_from_its_line_of_the_page() -> None:
    game = find_game("mini_baccarat")
    results = list(check_game(game))
    lines = figures_table(results).texts
    tried = 0
    for item, (wager, table, rules, *_) in zip(results, lines, strict=True):
        if rules and item.fact.figure == "edge":
            settings = parse_settings(rules.split(", "))
            again = choose(game, wager.strip("`"), pay_table=table, decks=str(item.decks), settings=settings)
            assert compute_odds(again).edge == item.computed
            tried += 1
    assert tried >= 2


def test_a_figure_of_a_rule_of_thumb_is_computed_by_that_rule() -> None:
    found = [item for item in check_game(find_game("casino_war")) if item.fact.rule]
    assert [(item.fact.rule, item.verdict) for item in found] == [("always_surrender", "equal")]
    ties = Fraction(6 * 4 - 1, 6 * 52 - 1)
    assert float(found[0].computed or 0) == pytest.approx(float(ties / 2), abs=1e-12)
    assert checked_data(found[0])["rule"] == "always_surrender"
    assert figures_table(found).texts[0][2] == "played by always_surrender"


@pytest.mark.parametrize(
    ("figure", "rule", "said"),
    [
        ("edge", "always_surender", "rules of thumb: always_war, always_surrender"),
        ("element_of_risk", "always_surrender", "no other figure"),
    ],
)
def test_a_figure_is_printed_for_a_rule_that_the_round_declares(figure: str, rule: str, said: str) -> None:
    data = tomllib.loads((GAMES / "casino_war" / "game.toml").read_text("utf-8"))
    fact = next(fact for fact in data["published"] if "rule" in fact)
    fact |= {"figure": figure, "rule": rule}
    with pytest.raises(SpecError, match=said):
        game_from_data(data, "a file")
