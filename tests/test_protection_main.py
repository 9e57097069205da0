"""What a counter takes from a main game of blackjack."""

from __future__ import annotations

import json
from math import sqrt

import numpy as np
import pytest

from croupier.exact.protection.counts import correlation
from croupier.exact.protection.main_game import chart_worth, fresh_solution, from_cards, main_effects, shoe_at
from croupier.exact.strategy.solve import best_account
from croupier.kernels.strategy import CLASSES
from croupier.library.counting import Counting
from croupier.library.game import game
from croupier.reports.protection.main_study import MainStudy, count_named
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.simulate.counted_rounds import count_rounds
from tests.conftest import Croupier

pytestmark = pytest.mark.slow

GRIFFIN = {
    "A": -0.61,
    "2": 0.38,
    "3": 0.44,
    "4": 0.55,
    "5": 0.69,
    "6": 0.46,
    "7": 0.28,
    "8": 0.0,
    "9": -0.18,
    "T": -0.51,
}
"""Effects of removal from one deck, in percent, dealer stands on soft 17, no doubling after a split."""
PUBLISHED_INDICES = {
    ("hard", "16", "10"): 0,
    ("hard", "15", "10"): 4,
    ("hard", "12", "3"): 2,
    ("hard", "12", "2"): 3,
    ("hard", "9", "2"): 1,
    ("hard", "9", "7"): 3,
    ("hard", "16", "9"): 5,
    ("hard", "13", "2"): -1,
    ("hard", "12", "4"): 0,
    ("hard", "12", "5"): -2,
    ("hard", "13", "3"): -2,
    ("pair", "10,10", "5"): 5,
    ("pair", "10,10", "6"): 4,
}
"""For Hi-Lo and several decks, rounded: of the eighteen plays that Schlesinger called the most valuable those that do
not hang on the dealer's soft 17."""


@pytest.fixture(scope="module")
def counting() -> Counting:
    return game("blackjack").counting(shoes=20_000)


@pytest.fixture(scope="module")
def study(counting: Counting) -> MainStudy:
    return counting.study


def test_effects_by_a_fixed_chart_add_up_to_zero(study: MainStudy) -> None:
    """Removing a card that nobody sees changes nothing, as long as play does not change."""
    effects = study.effects
    assert float(effects.chart.total) == pytest.approx(0, abs=1e-12)
    assert effects.best.total > 1e-5, "whoever adapts gains from any change"


@pytest.mark.parametrize("name", ["double_down_madness", pytest.param("free_bet_blackjack", marks=pytest.mark.soak)])
def test_so_they_do_in_other_games(name: str) -> None:
    solution = fresh_solution(choose(find_game(name), "main"))
    fresh = chart_worth(solution, solution.game).value
    assert fresh == pytest.approx(solution.by_total.account.value, abs=1e-12)
    cards, total = solution.game.shoe.cards.astype(float), 0.0
    for card in range(CLASSES):
        without = cards.copy()
        without[card] -= 1
        total += cards[card] * (chart_worth(solution, from_cards(solution.game, without)).value - fresh)
    assert total == pytest.approx(0, abs=1e-10)


def test_effects_from_one_deck_are_what_griffin_printed() -> None:
    rules = {"soft17": "stand", "double_after_split": "no"}
    effects = main_effects(choose(find_game("blackjack"), "main", decks="1", settings=rules)).best
    for rank, printed in GRIFFIN.items():
        assert 100 * float(effects.named[rank]) == pytest.approx(printed, abs=0.08), rank
    assert correlation(count_named("hi_lo").tags, effects) == pytest.approx(0.97, abs=0.01)


def test_part_of_a_card_can_be_drawn() -> None:
    """A shoe whose cards are no whole numbers lies between those whose are."""
    game_ = fresh_solution(choose(find_game("blackjack"), "main", decks="2")).game
    values = [best_account(from_cards(game_, shoe_at(count_named("hi_lo"), 0, cards))).value for cards in (65, 69, 78)]
    assert values == sorted(values, reverse=True)


def test_index_plays_are_those_that_are_published(study: MainStudy) -> None:
    found = {(play.part, play.hand, play.up): play.index for play, _ in study.plays}
    for cell, printed in PUBLISHED_INDICES.items():
        assert found[cell] == pytest.approx(printed, abs=1.35), cell
    assert study.worth.insurance_index == pytest.approx(3.0, abs=0.15)
    gains = [gain for _, gain in study.plays]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] > 0


def test_rounds_that_are_played_agree_with_the_exact_worth(study: MainStudy) -> None:
    """By the chart, at every true count that comes often."""
    often = [cell for cell in study.rounds.cells if cell.share > 0.01]
    assert len(often) > 10
    for cell in often:
        assert abs(cell.mean - study.at(cell, "chart").value) < 4 * cell.error, cell.true_count
    assert sum(cell.share for cell in study.rounds.cells) == pytest.approx(1)


def test_play_by_indices_is_worth_more_and_a_wider_spread_takes_more(study: MainStudy) -> None:
    for point in study.worth.points:
        assert point.chart.value <= point.indexed.value + 1e-9 <= point.best.value + 2e-9
    indexed, charted = study.spreads("indexed"), study.spreads("chart")
    assert [result.score for result in indexed[:3]] == sorted(result.score for result in indexed[:3])
    assert all(a.score > b.score for a, b in zip(indexed, charted, strict=True))
    for result in indexed:
        assert min(bet for bet in result.bets) >= (0 if result.spread.watches else 1)
        assert max(result.bets) <= result.spread.most
        assert result.rounds_to_one_deviation == pytest.approx(1e6 / result.score, rel=0.01)


def test_a_bank_for_one_in_twenty_is_lost_by_one_in_twenty(study: MainStudy) -> None:
    """Players who bet the spread with that bank and never stop, as sums of normal results."""
    result = study.spreads("indexed")[4]
    assert result.bank is not None
    drawn = np.random.default_rng(1).normal(2000 * result.mean, result.deviation * sqrt(2000), (4000, 150))
    lost = (drawn.cumsum(1) < -result.bank).any(1).mean()
    assert 0.03 < lost < 0.06, "steps of 2,000 rounds miss a few"


def test_threads_change_nothing() -> None:
    spec = prepare(find_game("blackjack"), Wish(settings={}, pay_tables={}, wagers=("main",))).spec
    tags = count_named("zen").tags
    assert count_rounds(spec, tags, 200, 0, 3, 5) == count_rounds(spec, tags, 200, 0, 3, 5, threads=2)


def test_the_report_has_every_table(counting: Counting) -> None:
    titles = [getattr(block, "title", "") for block in counting.report.blocks]
    assert {"The most valuable plays that change", "Effects of removal", "Counts"} <= set(titles)
    assert "SCORE" in repr(counting)
    assert "1 to 8, every round" in counting._repr_html_()
    assert counting.line["count"] == "hi_lo"


def test_the_command_line_says_it(croupier: Croupier, counting: Counting) -> None:
    said = croupier("protect", "blackjack", "main", "--shoes", "20000", "--json")
    assert said.status == 0, said.err
    data = json.loads(said.out)
    assert data == json.loads(json.dumps(counting.to_dict()))
    assert data["betting_correlation"]["hi_lo"] > 0.96
    assert len(counting.frame) == len(data["by_true_count"])


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("blackjack", "main", "--count", "ko"), "unknown_count", "hi_lo"),
        (("blackjack", "main", "--decks", "inf"), "nothing_to_count", "1 to 8 decks"),
        (("blackjack", "main", "--cut", "999"), "bad_cut", "999"),
        (("blackjack", "main", "--shoes", "0"), "bad_shoes", "from 1"),
        (("blackjack", "main", "--known", "dealer=1"), "not_for_wager", "without known"),
        (("blackjack", "main", "--with", "lucky_lucky"), "not_for_wager", "without with"),
    ],
)
def test_bad_input_gets_a_sentence(croupier: Croupier, arguments: tuple[str, ...], code: str, words: str) -> None:
    said = croupier("protect", *arguments)
    assert said.status == 2
    assert code in said.err
    assert words in said.err
