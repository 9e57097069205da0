"""Games and side bets from outside: one folder, named by its path or installed, works everywhere a game does."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from starlette.testclient import TestClient

from croupier.errors import SpecError
from croupier.exact.check import check_fact
from croupier.exact.odds import compute_odds
from croupier.kernels.bets import find_bet
from croupier.kernels.link import cpu, fingerprint, link, plain
from croupier.kernels.rounds import find_round, round_names
from croupier.reports.sheet.model import spec_hash
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import Published, find_game, game_ids
from croupier.rules.choice import choose
from croupier.rules.loader import load_game
from croupier.rules.registry import offer_games
from croupier.simulate.run import _samplers, run_chunks
from croupier.testing import check_game
from croupier.web.app import make_app
from tests.conftest import Croupier
from tests.outside import BUSTER, MATCH, PAIR, TWENTY_ONE, TWO_CARDS, write_bet
from tests.same_cards import all_rounds, card_sequences, cases_of

pytestmark = pytest.mark.slow

FACTS = [
    (str(path), fact) for path in (BUSTER, TWENTY_ONE, TWO_CARDS, MATCH) for fact in find_game(str(path)).published
]


@pytest.mark.parametrize(
    ("path", "fact"), FACTS, ids=[f"{fact.wager}-{fact.pay_table}-{fact.decks}-{fact.figure}" for _, fact in FACTS]
)
def test_a_published_figure_of_an_example_comes_out_to_the_printed_digit(path: str, fact: Published) -> None:
    assert check_fact(find_game(path), fact).verdict == "equal"


def test_the_examples_have_the_figures_that_were_printed() -> None:
    printed = {(fact.wager, fact.pay_table, fact.decks): fact.printed for _, fact in FACTS if fact.figure == "edge"}
    assert printed["21_plus_3", "1", 6] == "3.2386%"
    assert printed["buster", "1", 6] == "6.21%"
    assert printed["royal_match", "1", 6] == "6.6658%"
    assert printed["perfect_pairs", "1", 6] == "6.11%"
    assert printed["match_the_dealer", "1", 6] == "4.06%"
    assert len(FACTS) == 33


def test_an_extension_has_all_of_its_game_and_its_own_wager() -> None:
    base, game = find_game("blackjack"), find_game(str(BUSTER))
    assert [wager.id for wager in game.wagers] == [*(wager.id for wager in base.wagers), "buster"]
    assert (game.id, game.round, game.switches) == ("buster", base.round, base.switches)
    assert {fact.wager for fact in game.published} == {"buster"}
    assert game.rules[: len(base.rules)] == base.rules
    main = [compute_odds(choose(one, "lucky_lucky")).edge for one in (base, game)]
    assert main[0] == main[1]


def test_an_extension_may_have_other_defaults_and_be_extended_itself(tmp_path: Path) -> None:
    write_bet(tmp_path / "first", id="first")
    path = tmp_path / "first" / "game.toml"
    path.write_text(path.read_text().replace("[source]", '[settings]\nsoft17 = "stand"\n\n[source]'), encoding="utf-8")
    second = write_bet(tmp_path / "second", PAIR.replace("== 2", "== 3"), id="second", classifier="my_trips")
    text = (second / "game.toml").read_text().replace('"blackjack"', '"../first"').replace('"my_bet"', '"my_other"')
    (second / "game.toml").write_text(text, encoding="utf-8")
    game = load_game(second / "game.toml")
    assert [wager.id for wager in game.wagers][-2:] == ["my_bet", "my_other"]
    assert game.switch("soft17").default == "stand"
    assert compute_odds(choose(game, "my_bet")).edge != compute_odds(choose(game, "my_other")).edge


def test_bets_of_one_name_from_two_folders_keep_apart(tmp_path: Path) -> None:
    one = load_game(write_bet(tmp_path / "one") / "game.toml")
    other = load_game(write_bet(tmp_path / "other", PAIR.replace("== 2", "== 3")) / "game.toml")
    edges = [compute_odds(choose(game, "my_bet", decks="6")).hit_frequency for game in (one, other)]
    assert [float(edge) for edge in edges] == pytest.approx([0.20612, 0.005248], abs=1e-6)
    assert spec_hash(one) != spec_hash(other)
    specs = [prepare(game, Wish(settings={}, pay_tables={}, wagers=("my_bet",))).spec for game in (one, other)]
    assert specs[0].program != specs[1].program
    assert specs[0].hash != specs[1].hash
    assert len({fingerprint([spec.bets[0].bet.classify]) for spec in specs}) == 2


def test_a_game_file_that_the_program_wrote_names_the_very_file_it_was_made_with(tmp_path: Path) -> None:
    folder = write_bet(tmp_path)
    whole = load_game(folder / "game.toml").wager("my_bet").classifier
    text = (folder / "game.toml").read_text().replace('classifier = "my_bet"', f'classifier = "{whole}"')
    (folder / "game.toml").write_text(text, encoding="utf-8")
    assert load_game(folder / "game.toml").wager("my_bet").classifier == whole
    (folder / "my_bet.py").write_text(PAIR.replace("== 2", "== 3"), encoding="utf-8")
    with pytest.raises(SpecError, match="has changed since"):
        load_game(folder / "game.toml")


NAMED_LIKE_OURS = PAIR.replace(
    "def my_bet(three: int, dealer: int, options: int) -> int:",
    "MOMENT_0 = 2\n\n\ndef draw(three: int, count: int) -> int:\n    return count_of(three, count)\n\n\n"
    "def classify(three: int, dealer: int, options: int) -> int:",
)
NAMED_LIKE_OURS = NAMED_LIKE_OURS.replace("count_of(three, rank) == 2", "draw(three, rank) == MOMENT_0").replace(
    "classify=my_bet", "classify=classify"
)


def test_names_in_a_file_are_not_taken_for_those_of_an_interpreter(tmp_path: Path) -> None:
    usual = load_game(write_bet(tmp_path / "usual") / "game.toml")
    like_ours = load_game(write_bet(tmp_path / "like_ours", NAMED_LIKE_OURS, classifier="like_ours") / "game.toml")
    assert "draw(three, rank) == MOMENT_0" in NAMED_LIKE_OURS
    edges = [compute_odds(choose(game, "my_bet")).edge for game in (usual, like_ours)]
    assert edges[0] == edges[1]
    specs = [prepare(game, Wish(settings={}, pay_tables={}, wagers=("my_bet",))).spec for game in (usual, like_ours)]
    counts = [run_chunks(spec, 7, 0, 1, backend="python") for spec in specs]
    assert np.array_equal(counts[0], counts[1])


@pytest.mark.parametrize("wager", ["buster", "21_plus_3", "royal_match", "perfect_pairs"])
def test_compiled_and_plain_classifiers_agree(wager: str) -> None:
    [game] = {path: find_game(path) for path, fact in FACTS if fact.wager == wager}.values()
    name = game.wager(wager).classifier
    bet = find_bet(name)
    assert bet is not None
    cards = card_sequences(2000, 5)
    cases = cases_of(name)
    compiled = numba.njit(link(all_rounds, cpu, cases[0].replace))
    for case in cases:
        slow, fast = np.full(len(cards), -99, np.int64), np.full(len(cards), -99, np.int64)
        link(all_rounds, plain, case.replace)(cards, slow, *case.parameters)
        compiled(cards, fast, *case.parameters)
        assert np.array_equal(slow, fast)
        assert len(set(slow.tolist())) >= min(5, len(bet.outcomes) + 1)


def test_a_simulation_agrees_with_the_exact_odds(croupier: Croupier) -> None:
    words = ("simulate", str(TWENTY_ONE), "--wagers", "21_plus_3", "--rounds", "4e6", "--seed", "11", "--json")
    first = json.loads(croupier(*words).out)["wagers"]["21_plus_3"]
    assert abs(first["z"]) < 4
    assert first["standard_error"] < 0.002
    _samplers.clear()  # what was compiled is read from disk now
    assert json.loads(croupier(*words).out)["wagers"]["21_plus_3"] == first


def test_two_cards_decide_a_simulated_round_as_they_do_exactly() -> None:
    wish = Wish(settings={}, pay_tables={}, wagers=("royal_match", "perfect_pairs", "lucky_lucky"))
    simulation = prepare(find_game(str(TWO_CARDS)), wish)
    results = simulation.results(run_chunks(simulation.spec, 3, 0, 5, backend="python"))
    assert len(results) == 3
    for result in results:
        assert result.z is not None
        assert abs(result.z) < 4
        assert result.standard_error < 0.03


def test_a_simulation_in_plain_python_agrees_too() -> None:
    simulation = prepare(find_game(str(BUSTER)), Wish(settings={}, pay_tables={}, wagers=("buster",)))
    [result] = simulation.results(run_chunks(simulation.spec, 3, 0, 5, backend="python"))
    assert result.z is not None
    assert abs(result.z) < 4
    assert result.standard_error < 0.02


def test_a_round_at_the_table_pays_the_bet(croupier: Croupier) -> None:
    cards = ("--seat", "main=10 buster=5", "--cards", "Ts 6h 8c 5d 2c 9h", "--answers", "stand")
    said = croupier("play", str(BUSTER), *cards, "--json")
    assert said.status == 0
    assert _settled(said.out)["buster"] == ("bust_3_or_4", "5.00", "15.00")
    straight = ("--seat", "main=10 21_plus_3=5", "--cards", "Ac 2d 3c Tc Td", "--answers", "hit stand")
    assert _settled(croupier("play", str(TWENTY_ONE), *straight, "--json").out)["21_plus_3"][0] == "straight"
    nothing = ("--seat", "main=10 21_plus_3=5", "--cards", "9c 2d 8c Tc", "--answers", "stand")
    assert _settled(croupier("play", str(TWENTY_ONE), *nothing, "--json").out)["21_plus_3"] == ("lose", "5.00", "0.00")


def test_two_cards_pay_before_the_hand_is_played_and_whatever_the_up_card(croupier: Croupier) -> None:
    wagers = ("--seat", "main=10 royal_match=4 perfect_pairs=5")
    royal = croupier("play", str(TWO_CARDS), *wagers, "--cards", "Kc 9d Qc Ts", "--answers", "stand", "--json")
    assert _settled(royal.out)["royal_match"] == ("royal_match", "4.00", "104.00")
    assert _settled(royal.out)["perfect_pairs"] == ("lose", "5.00", "0.00")
    # A pair of one color, and the up card of the same rank and of one of its suits changes nothing.
    pair = croupier("play", str(TWO_CARDS), *wagers, "--cards", "9h 9d 9d Ts", "--answers", "stand", "--json")
    assert _settled(pair.out)["perfect_pairs"] == ("colored_pair", "5.00", "65.00")
    assert _settled(pair.out)["royal_match"] == ("lose", "4.00", "0.00")


def _settled(out: str) -> dict[str, tuple[str, str, str]]:
    [seat] = json.loads(out)["seats"]
    return {one["wager"]: (one["row"], one["staked"], one["returned"]) for one in seat["wagers"]}


@pytest.mark.parametrize("path", [BUSTER, TWENTY_ONE, TWO_CARDS, MATCH], ids=lambda path: path.name)
def test_the_conformance_suite_takes_a_folder(path: Path) -> None:
    assert check_game(str(path), rounds=60) == 60


@pytest.mark.parametrize(
    "words",
    [
        ("odds", str(BUSTER), "buster"),
        ("sheet", str(BUSTER), "buster", "--no-effects"),
        ("strategy", str(BUSTER)),
        ("check", "--game", str(BUSTER)),
        ("games", "--game", str(BUSTER)),
    ],
    ids=lambda words: words[0],
)
def test_a_command_takes_a_folder(words: tuple[str, ...], croupier: Croupier) -> None:
    said = croupier(*words, "--json")
    assert (said.status, said.err) == (0, "")
    assert "uster" in said.out


# Other processes.


UNPICKLE = (
    "import pickle, sys; from croupier.simulate.run import run_chunks; from croupier.kernels.link import fingerprint\n"
    "spec = pickle.load(sys.stdin.buffer)\n"
    "counts = run_chunks(spec, 9, 0, 1, backend='python')\n"
    "print([int(count) for count in counts], fingerprint([spec.bets[0].bet.classify]))"
)


def test_a_bet_travels_to_a_process_that_does_not_have_its_file(tmp_path: Path) -> None:
    folder = write_bet(tmp_path)
    spec = prepare(load_game(folder / "game.toml"), Wish(settings={}, pay_tables={}, wagers=("my_bet",))).spec
    sent = pickle.dumps(spec)
    here = run_chunks(spec, 9, 0, 1, backend="python")
    (folder / "my_bet.py").unlink()
    said = subprocess.run([sys.executable, "-c", UNPICKLE], input=sent, capture_output=True, check=True)
    expected = f"{[int(count) for count in here]} {fingerprint([spec.bets[0].bet.classify])}"
    assert said.stdout.decode().strip() == expected
    assert pickle.loads(sent).bets[0].bet is spec.bets[0].bet


def test_our_own_bets_travel_by_name() -> None:
    bet = find_bet("lucky_lucky")
    assert pickle.loads(pickle.dumps(bet)) == bet


# Installed packages.


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed distribution whose package has a game, and code that must not be run for a list."""
    site = tmp_path / "site"
    write_bet(site / "my_games" / "paired", id="paired_blackjack")
    (site / "my_games" / "__init__.py").write_text("raise AssertionError('the package was imported')\n")
    _dist_info(site, "paired_blackjack = my_games.paired\nbroken_blackjack = my_games.nothing:here\n")
    monkeypatch.syspath_prepend(str(site))
    return site


def _dist_info(site: Path, points: str) -> None:
    info = site / "my_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[croupier.games]\n{points}")


def test_installed_games_are_listed_without_running_their_code(
    installed: Path, croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.rules.outside.make_bet", lambda *_: pytest.fail("code was run"))
    said = croupier("games", "--json")
    assert said.status == 0
    listed = {game["id"]: game for game in json.loads(said.out)}
    assert [wager["id"] for wager in listed["paired_blackjack"]["wagers"]][-1] == "my_bet"
    assert "broken_blackjack is left out" in said.err
    assert "my_games" not in sys.modules
    assert "paired_blackjack" not in game_ids()  # nor do pages and checks of all games run it


def test_an_installed_game_is_found_by_its_name(installed: Path, croupier: Croupier) -> None:
    said = croupier("odds", "paired_blackjack", "my_bet", "--json")
    assert said.status == 0
    assert json.loads(said.out)["hit_frequency"] == pytest.approx(0.20612, abs=1e-5)
    assert "my_games" not in sys.modules
    said = croupier("odds", "broken_blackjack", "my_bet")
    assert "bad_entry_point" in said.err
    assert 'says "my_games.nothing:here"' in said.err


def test_an_entry_point_and_its_game_have_one_name(tmp_path: Path, croupier: Croupier, monkeypatch: Any) -> None:
    site = tmp_path / "site"
    write_bet(site / "my_other_games", id="one_name")
    _dist_info(site, "another_name = my_other_games\nblackjack = my_other_games\n")
    monkeypatch.syspath_prepend(str(site))
    assert "both names must be the same" in croupier("odds", "another_name", "my_bet").err
    assert find_game("blackjack").wager("lucky_lucky")  # an outsider cannot take an id that exists


# Games that a server offers.


def test_a_server_offers_folders_that_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_GAMES", "")
    offer_games([str(BUSTER)])
    assert game_ids()[-1] == "buster"
    assert find_game("buster").wager("buster")
    with TestClient(make_app(str(tmp_path / "demo.db"), demo=True), base_url="http://localhost") as client:
        assert "Blackjack with Buster Blackjack" in client.get("/").text
        assert "3 or 4 cards" in client.get("/rules/buster").text
    # A process that the server starts sees them as well.
    code = "from croupier.rules import find_game, game_ids; print(game_ids()[-1], find_game('buster').name)"
    said = subprocess.run([sys.executable, "-c", code], env=dict(os.environ), capture_output=True, check=True)
    assert said.stdout.decode() == "buster Blackjack with Buster Blackjack\n"


@pytest.mark.parametrize(("id", "word"), [("blackjack_switch", "there is a game"), ("mine", "there is a game")])
def test_an_offered_game_has_an_id_of_its_own(
    id: str, word: str, tmp_path: Path, croupier: Croupier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_GAMES", str(write_bet(tmp_path / "mine")))
    said = croupier("serve", "--demo", "--games", str(write_bet(tmp_path / "other", id=id)))
    assert (said.status, said.out) == (2, "")
    assert word in said.err


# What rounds show.


@pytest.mark.parametrize("name", round_names())
def test_a_round_shows_the_scenes_that_it_is_said_to_show(name: str) -> None:
    seen: set[int] = set()
    chance = np.random.default_rng(1)

    def draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
        return int(chance.integers(52)), world

    def ask(world: Any, table: Any, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, Any]:
        return (legal & -legal).bit_length() - 1, world

    def settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
        seen.add(moment)
        return world

    def ignore(world: Any, *_: Any) -> Any:
        return world

    declared = find_round(name)
    assert declared is not None
    effects = {"draw": draw, "ask": ask, "settle": settle, "stake": ignore, "pay": ignore, "tell": ignore}
    effects["returned"] = lambda *_: 2
    round_: Any = link(declared.play, plain, {key: _Callable(value) for key, value in effects.items()})
    for _ in range(40):
        rules = declared.rules_by({}, seats=2, dealer_bets=3)
        round_(None, None, [0] * declared.memory, declared.stakes(2, 2), rules)
    assert seen == {scene.moment for scene in declared.scenes}


class _Callable:
    """A closure, which linking must leave as it is."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, *given: Any) -> Any:
        return self.function(*given)
