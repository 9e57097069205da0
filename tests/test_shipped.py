"""Results that come with the package: they are those of the rules as they are, and nothing is compiled to read them."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest

from croupier.exact import shipped as shipped_module
from croupier.exact.keep import is_kept, kept
from croupier.exact.odds import compute_odds
from croupier.exact.played import compute_strategy
from croupier.exact.played import is_kept as is_solved
from croupier.exact.shipped import paths_of, shipped_for, sources_of, stamp_of
from croupier.kernels.rounds import round_names
from croupier.reports.strategy.shown import ShownStrategy, shipped_strategy, shown_strategy
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.rules.folders import our_folders

GAMES = list(our_folders())
TOO_LARGE = ("i_luv_suits", "ultimate_texas_holdem")
"""Games whose every answer takes more room than the package has for it."""
WHOLE = ("strategy-", "tree-", "board-", "showdown-")
RULES = tuple(rule.id for game in GAMES for rule in find_game(game).declared.rules_of_thumb)
PLAYED = [game for game in GAMES if find_game(game).is_decided]


@pytest.mark.parametrize("game", GAMES)
def test_what_ships_came_from_the_rules_as_they_are(game: str) -> None:
    """After a change of rules: python -m croupier.manual shipped."""
    shipped = shipped_for(game)
    assert shipped is not None, f"{paths_of(game)[0].name} is out of date: run python -m croupier.manual shipped"
    assert list(shipped.edges) == [wager.id for wager in find_game(game).proved_wagers]


@pytest.mark.parametrize("game", PLAYED)
def test_the_strategy_of_every_title_ships(game: str) -> None:
    spec = find_game(game)
    shipped, strategy = shipped_for(game), shipped_strategy(game)
    assert shipped is not None and strategy is not None
    assert strategy.charts
    assert strategy.edge == pytest.approx(float(Fraction(shipped.edges[spec.first_wager.id])))
    whole = [name for name in shipped.kept if name.startswith(WHOLE) and not name.endswith(RULES)]
    assert (game in TOO_LARGE) == (not whole)
    assert game in TOO_LARGE or is_solved(choose(spec, spec.first_wager.id))


def test_what_ships_is_small() -> None:
    assert sum(path.stat().st_size for game in GAMES for path in paths_of(game) if path.exists()) < 6_500_000


@pytest.mark.parametrize("game", GAMES)
def test_a_stamp_is_of_no_other_games_kernels(game: str) -> None:
    """So a change of one title leaves the results of all others as they are."""
    files = {str(path.relative_to(path.parents[1])) for path in sources_of(find_game(game))}
    rounds = {f"rounds/{name}.py" for name in round_names()}
    # A variant of a round runs that round with rules of its own.
    own = {f"rounds/{find_game(game).round}.py"}
    assert own <= files & rounds <= own | {"rounds/blackjack.py"}


def test_a_stamp_is_of_the_kernels_that_the_game_runs() -> None:
    files = {path.name for path in sources_of(find_game("blackjack"))}
    assert {"blackjack.py", "hands.py", "lucky_lucky.py", "lucky_break.py"} <= files
    assert not files & {"baccarat.py", "poker.py", "kings_bounty.py"}


def test_a_changed_rule_makes_the_results_of_its_game_stale(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changed = tmp_path / "lucky_lucky.py"
    real = sources_of(find_game("blackjack"))
    changed.write_text(next(path for path in real if path.name == changed.name).read_text() + "\nMORE = 1\n")
    monkeypatch.setattr(
        shipped_module, "sources_of", lambda game: [changed if path.name == changed.name else path for path in real]
    )
    assert stamp_of.__wrapped__("blackjack") != stamp_of("blackjack")


@pytest.mark.parametrize(("game", "wager"), [("blackjack", "lucky_lucky"), ("mini_baccarat", "tie")])
def test_an_edge_that_ships_is_the_one_computed(game: str, wager: str) -> None:
    shipped = shipped_for(game)
    assert shipped is not None
    assert Fraction(shipped.edges[wager]) == compute_odds(choose(find_game(game), wager)).edge


def test_a_strategy_that_ships_is_the_one_a_page_would_make() -> None:
    spec = find_game("blackjack")
    made = shown_strategy(compute_strategy(choose(spec, spec.first_wager.id)))
    again = msgspec.json.decode(msgspec.json.encode(made), type=ShownStrategy)
    assert shipped_strategy("blackjack") == again


def test_what_ships_is_never_written_to_and_comes_before_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "kept"))
    shipped = shipped_for("blackjack")
    assert shipped is not None
    name = next(name for name in shipped.kept if name.startswith("strategy-"))

    def make() -> tuple[np.ndarray, ...]:
        raise AssertionError("made anew")

    assert is_kept(name, [stamp_of])
    assert len(kept(name, [stamp_of], make, ships=True)) == shipped.kept[name]
    assert not list(tmp_path.glob("kept/*"))


def test_a_default_strategy_is_read_without_a_compiler(tmp_path: Path) -> None:
    code = (
        "import sys; from croupier.rules import find_game; from croupier.rules.choice import choose; "
        "from croupier.exact.played import compute_strategy; "
        "sheet = compute_strategy(choose(find_game('blackjack'), 'main')); sheet.charts, sheet.exceptions; "
        "print(sheet.edge, 'numba' in sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"CROUPIER_CACHE": str(tmp_path / "empty")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.stderr == ""
    edge, compiled = said.stdout.split()
    assert float(edge) == pytest.approx(0.006153891229248407)
    assert compiled == "False"
