"""What is said of titles without a letter, without splits or without cards of seats, and what others may read."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from croupier.cards import parse_cards
from croupier.exact.tree_sheet import range_words
from croupier.kernels.rounds import find_round
from croupier.reports.documentation.game import reading_blocks
from croupier.reports.rounds.text import event_text, plain_face
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.rules.loader import find_jurisdiction
from croupier.simulate.estimate import estimate_bet
from croupier.simulate.run import run
from croupier.table.replay import replay
from croupier.table.setup import make_rules
from croupier.web.pages.play.table import said
from croupier.web.pages.reading.plots_work import fitting_plots

pytestmark = pytest.mark.slow

DAY = date(2026, 1, 1)
UNIT = 1_000_000


def played(game: str, cards: str, *answers: str, seats: int = 1, **stakes: int) -> Any:
    rules = make_rules(find_game(game), day=DAY)
    wagers = {name: amount * UNIT for name, amount in stakes.items()}
    return replay(rules, [wagers] * seats, parse_cards(cards), list(answers))


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        ("a tie of twos", "a tie of aces", "a tie of twos through aces"),
        ("Q-6-4", "pair of aces", "Q-6-4 to pair of aces"),
        ("pair of twos", "pair of twos", "pair of twos"),
    ],
)
def test_a_range_is_written_as_people_say_it(low: str, high: str, words: str) -> None:
    assert range_words(low, high) == words


def test_the_log_is_for_those_who_saw_every_card_in_it() -> None:
    state = played("three_card_poker", "2h 5d 9c  As Ks Qs  4c 6c 8d", "fold", "play", seats=2, ante=10)
    assert state.is_complete
    assert state.kept_private([1]) and state.kept_private([2]) and state.kept_private()
    assert not state.kept_private([1, 2])
    open_cards = played("casino_war", "2h 5d 9c", seats=2, main=10)
    assert not open_cards.kept_private()


def test_first_wagers_are_what_the_edge_is_of() -> None:
    state = played("three_card_poker", "9h 9d 4c  Qs 8d 3h", "play", ante=10, pair_plus=5)
    assert state.first_wagers(1) == {"ante": 10 * UNIT, "pair_plus": 5 * UNIT}
    insured = played("blackjack", "9h As Td Kc", "insure", main=10)
    assert insured.first_wagers(1) == {"main": 10 * UNIT, "insurance": 5 * UNIT}


def test_a_seat_with_one_hand_has_no_number_of_it() -> None:
    state = played("three_card_poker", "9h 9d 4c  Qs 8d 3h", "play", ante=10)
    story = " ".join(event_text(event, state, plain_face) for event in state.events)
    assert "9♥ to seat 1." in story and "hand 1" not in story


def test_a_seat_without_cards_is_told_of_its_chips() -> None:
    spot = SimpleNamespace(number=1, hands=[], beside=[])
    question = SimpleNamespace(mine=True, spot=1, legal=["raise", "stand"])
    view: Any = SimpleNamespace(am_waited=False, question=question, spots=[spot], rows=[], at_risk=10 * UNIT)
    assert said(view) == "You have $10 on the table. You may raise, stand."


def test_a_public_title_has_no_condition_of_a_letter() -> None:
    law = find_jurisdiction("washington")
    assert law is not None
    enclosed = "The game is played by the rules enclosed with the letter; any change may affect the approval."
    assert enclosed in law.at_tables(find_game("blackjack").source)
    assert enclosed not in law.at_tables(find_game("casino_war").source)
    assert enclosed not in str(list(reading_blocks(find_game("casino_war"))))


def test_seats_that_share_cards_are_one_observation() -> None:
    """The tie wagers of seven seats hang on one card of the dealer: their error is that of rounds, not of wagers."""
    game = find_game("casino_war")
    asked = prepare(game, Wish(settings={}, pay_tables={}, seats=7))
    spec = replace(asked.spec)
    counts = np.asarray(run(spec, 3, 1))
    slot = next(at for at, bet in enumerate(spec.bets) if bet.name == "tie")
    found = estimate_bet(spec, counts, slot, {"tie": Fraction(10)})
    rounds = found.wagers / 7
    assert found.standard_error == pytest.approx(found.standard_deviation / rounds**0.5)


@pytest.mark.parametrize(("game", "has_it"), [("blackjack", True), ("casino_war", False), ("three_card_poker", False)])
def test_pages_offer_value_by_up_card_only_where_there_is_one(game: str, has_it: bool) -> None:
    choice = choose(find_game(game), find_game(game).first_wager.id)
    assert ("up-cards" in fitting_plots(choice)) == has_it


def test_a_round_says_what_a_seat_has_before_it() -> None:
    war = find_round("casino_war")
    baccarat = find_round("mini_baccarat")
    assert war is not None and baccarat is not None
    assert (war.seat_label, baccarat.seat_label) == ("Your card", "Your chips")
