"""The page that says what a card counter can take from a wager."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.test_pages_lobby import settled
from tests.web_client import Web, demo_web


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("protection") / "protection.db")) as made:
        yield made


def test_a_wager_of_a_shuffled_deck_says_that_nothing_can_be_counted(web: Web) -> None:
    html = settled(web, "/protect/texas_holdem_bonus/bonus")
    assert "there is nothing to count" in html
    assert "add up to exactly zero" in html


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ("cut=410", "1 to 404"),
        ("cut=many", "is not a number of cards"),
        ("dealing=twice", "Accepted: strict, one_more, burn"),
        ("decks=inf", "Infinite decks are never used up"),
    ],
)
def test_a_field_that_cannot_be_is_marked(web: Web, fields: str, sentence: str) -> None:
    answer = TestClient(web.app).get(f"/protect/mini_baccarat/tie?{fields}")
    assert (answer.status_code, sentence in answer.text) == (422, True)


@pytest.mark.slow
def test_a_wager_from_a_shoe_shows_what_counters_take_and_a_plot_over_the_cut(web: Web) -> None:
    html = settled(web, "/protect/mini_baccarat/tie?decks=4")
    assert "Perfect play" in html
    assert "What a deeper cut gives away" in html


def test_an_odds_sheet_leads_to_it(web: Web) -> None:
    assert 'href="/protect/mini_baccarat/tie"' in settled(web, "/sheet/mini_baccarat/tie")
    assert 'href="/protect/three_card_poker/ante"' in settled(web, "/sheet/three_card_poker/ante")


def test_an_ante_shows_what_a_hidden_card_is_worth_to_who_has_seen_it(web: Web) -> None:
    html = settled(web, "/protect/three_card_poker/ante")
    assert "-3.4829%" in html
    assert "Q-9-2 or better" in html
    assert "When the cut card comes" not in html


def test_what_a_seat_knows_can_be_chosen(web: Web) -> None:
    assert "-1.8378%" in settled(web, "/protect/three_card_poker/ante?known=backs%3DQKA%2F1")
    answer = TestClient(web.app).get("/protect/mississippi_stud/ante?known=river")
    assert (answer.status_code, "nothing that a seat may know" in answer.text) == (422, True)


@pytest.mark.slow
def test_a_main_game_of_blackjack_is_shown_by_true_count(web: Web) -> None:
    html = settled(web, "/protect/blackjack/main?decks=2")
    assert "The most valuable plays that change" in html
    assert "1 to 8, every round" in html
    assert 'href="/protect/blackjack/main"' in settled(web, "/sheet/blackjack/main")
