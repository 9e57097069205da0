"""Cards and their notation."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import cards
from croupier.cards import card_text, cards_text, parse_card, parse_cards
from croupier.errors import NotationError


def test_the_examples_in_the_module_are_true() -> None:
    result = doctest.testmod(cards)
    assert result.attempted > 0
    assert result.failed == 0


def test_there_are_52_texts_and_each_reads_back_as_its_card() -> None:
    texts = [card_text(card) for card in range(52)]
    assert len(set(texts)) == 52
    assert [parse_card(text) for text in texts] == list(range(52))


@given(st.lists(st.integers(0, 51)))
def test_a_list_of_cards_reads_back_in_order(hand: list[int]) -> None:
    assert parse_cards(cards_text(hand)) == hand


@pytest.mark.parametrize(("text", "same"), [("10s", "Ts"), ("as", "As"), ("KH", "Kh"), ("7♦", "7d"), (" 2c ", "2c")])
def test_other_spellings_are_the_same_card(text: str, same: str) -> None:
    assert card_text(parse_card(text)) == same


@pytest.mark.parametrize("text", ["", "A", "s", "1s", "Ax", "11s", "Asd", "As Kd"])
def test_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_card(text)
    assert caught.value.code == "bad_card"


def test_the_joker_has_a_text_of_its_own() -> None:
    assert (card_text(52), parse_card("jk"), parse_card("Jk")) == ("Jk", 52, 52)


@pytest.mark.parametrize("card", [-1, 53])
def test_a_number_outside_the_deck_has_no_text(card: int) -> None:
    with pytest.raises(NotationError) as caught:
        card_text(card)
    assert caught.value.code == "bad_card"
