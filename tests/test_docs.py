"""Documentation that is made from data is up to date, and nothing the program can do is left out."""

from __future__ import annotations

import re
import subprocess

import pytest

from croupier.manual.made import made_pages, played_games
from croupier.reports.strategy.page import strategy_costs, strategy_head
from croupier.rules import find_game, game_ids
from croupier.rules.spec import Game
from tests.helpers import ROOT

pytestmark = pytest.mark.slow

DOCS = ROOT / "docs"
# Written in parts, so that this file does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(?:" + "|".join(["home", "root", "Users", "work"]) + r")/[\w.]")


def test_made_pages_are_as_the_program_makes_them() -> None:
    made = made_pages()
    kept = {name: (DOCS / name).read_text(encoding="utf-8") for name in made}
    assert [name for name in made if made[name] != kept[name]] == []


@pytest.mark.parametrize("game", played_games(), ids=lambda game: str(game.id))
def test_strategy_pages_are_as_the_program_makes_them(game: Game) -> None:
    kept = (DOCS / "strategy" / f"{game.id}.md").read_text(encoding="utf-8")
    head = strategy_head(game)
    assert kept[: len(head)] == head


@pytest.mark.soak
@pytest.mark.parametrize("game", played_games(), ids=lambda game: str(game.id))
def test_strategy_pages_say_what_each_rule_costs_now(game: Game) -> None:
    """Every rule is a game to solve."""
    kept = (DOCS / "strategy" / f"{game.id}.md").read_text(encoding="utf-8")
    assert kept[len(strategy_head(game)) :] == strategy_costs(game)


def test_every_game_has_a_page_and_every_page_a_game() -> None:
    assert {path.stem for path in (DOCS / "games").glob("*.md")} == set(game_ids())


def test_the_readme_leads_to_pages_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([^)#]+)", text)
    assert len(linked) > 20
    assert [path for path in linked if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize("name", game_ids())
def test_every_switch_and_wager_is_on_the_games_page(name: str) -> None:
    page = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    game = find_game(name)
    names = [switch.id for switch in game.switches] + [wager.id for wager in game.wagers]
    assert [name for name in names if f"`{name}`" not in page] == []


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    files = [ROOT / name for name in listing.stdout.split("\0") if name]
    assert len(files) > 50
    found = []
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue  # a picture, or a file removed but not yet from the index
        found += [f"{path.name}: {match.group()}" for match in MACHINE_PATH.finditer(text)]
    assert found == []
