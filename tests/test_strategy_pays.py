"""Pays of an own game file: the solver, advice and simulation read them from its rows, as play does."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from importlib import resources

import pytest

from croupier.cards import parse_cards
from croupier.errors import SpecError
from croupier.exact.played import compute_strategy, main_account
from croupier.exact.strategy.sheet import insurance_pays
from croupier.lab.draft import Draft, open_draft, try_draft
from croupier.reports.json_data import main_rows
from croupier.reports.rounds.advice import advise
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules.choice import choose
from croupier.rules.loader import game_from_data
from croupier.rules.parse import parse_toml
from croupier.rules.spec import Game
from croupier.simulate import play
from croupier.simulate.run import run_chunks
from croupier.table.replay import replay
from croupier.table.setup import make_rules

pytestmark = pytest.mark.slow

DAY = date(2026, 11, 16)


def own_blackjack(*changes: tuple[str, str]) -> Game:
    """Blackjack with some text of its file changed."""
    text = (resources.files("croupier") / "games/blackjack/game.toml").read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return game_from_data(parse_toml(text, "own"), "own")


def with_insurance(pays: str) -> Game:
    return own_blackjack(('label = "Dealer\'s blackjack", pays = "2 to 1"', f'label = "Any", pays = "{pays}"'))


@pytest.mark.parametrize(
    ("pays", "decks", "take"),
    [
        ("3 to 1", "6", "always"),
        ("9 to 4", "6", "with no ten-value among your 2 cards"),
        ("12 to 5", "1", "with 1 ten-value or fewer among your 2 cards"),
        ("2 to 1", "6", "never"),
        ("3 to 1", "infinite", "always"),
    ],
)
def test_the_sheet_says_when_insurance_pays(pays: str, decks: str, take: str) -> None:
    sheet = compute_strategy(choose(with_insurance(pays), "main", decks=decks))
    assert sheet.insurance is not None
    assert sheet.insurance.take == take
    returned = insurance_pays(sheet.choice)
    assert returned is not None
    tens, others = {"6": (96, 311), "1": (16, 51), "infinite": (16, 52)}[decks]
    assert sheet.insurance.edge == pytest.approx(float(1 - (returned + 1) * Fraction(tens, others)), abs=1e-15)


def test_advice_on_insurance_is_by_what_it_pays() -> None:
    rules = make_rules(with_insurance("3 to 1"), day=DAY)
    state = replay(rules, [{"main": 10_000_000}], parse_cards("8s Ad 8h 9c"), [])
    best = advise(state)[0]
    assert best.answer == "insure"
    assert best.value == pytest.approx(4 * 96 / 309 - 1, abs=1e-15)


def test_simulated_insurance_is_taken_and_paid_by_its_row() -> None:
    usual = prepare(with_insurance("2 to 1"), Wish(settings={}, pay_tables={}, wagers=("main",)))
    better = prepare(with_insurance("3 to 1"), Wish(settings={}, pay_tables={}, wagers=("main",)))
    at = play.ROUND_WAGERS_AT + play.MOST_ROUND_OUTCOMES
    taken = [int(run_chunks(one.spec, 7, 0, 1)[at : at + 2].sum()) for one in (usual, better)]
    assert taken[0] == 0 < taken[1]
    counts = run_chunks(better.spec, 7, 0, 1)
    lost, won = (int(number) for number in counts[at : at + 2])
    found = {one.name: one.estimate for one in better.results(counts)}["insurance"]
    assert found.edge == pytest.approx((lost - 3 * won) / (lost + won), abs=1e-15)


def test_what_surrender_pays_is_in_the_edge_and_on_the_sheet() -> None:
    settings = {"surrender": "late"}
    quarter = own_blackjack(('label = "Surrender", pays = "1 for 2"', 'label = "Surrender", pays = "3 for 4"'))
    better, usual, never = (
        main_account(choose(game, "main", settings=chosen)).value
        for game, chosen in ((quarter, settings), (own_blackjack(), settings), (own_blackjack(), {}))
    )
    assert never < usual < better
    rows = {row: pays for row, _, pays, _ in main_rows(compute_strategy(choose(quarter, "main", settings=settings)))}
    assert rows["surrender"] == "3 for 4"
    draft = open_draft(
        Draft(game="blackjack", wager="main", settings=(("surrender", "late"),), pays=(("5", "3 for 4"),))
    )
    assert [row.outcomes for row in draft.solvable] == [("blackjack",), ("surrender",)]
    assert main_account(try_draft(draft).choice).value == better


@pytest.mark.parametrize("row", ["blackjack", "surrender"])
def test_a_table_without_a_row_that_hands_can_end_on_is_refused_in_a_sentence(row: str) -> None:
    with pytest.raises(SpecError, match=f'the round never comes to "other_{row}"'):
        own_blackjack((f'row = "{row}", label', f'row = "other_{row}", label'))
