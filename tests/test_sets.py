"""Hands as sets against the same hands as lists of cards, and the words for their ranks."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import parse_cards
from croupier.kernels.poker import longest_suit
from croupier.kernels.poker_five import rank_five
from croupier.kernels.poker_four import rank_four_of_five
from croupier.kernels.poker_three import rank_three
from croupier.kernels.poker_wild import SECOND_STRAIGHT, rank_five_joker, rank_five_wild
from croupier.kernels.poker_words import five_words, four_words, longest_suit_words, three_words
from croupier.kernels.sets import (
    JOKER_CARD,
    TWOS,
    bit_of,
    canonical,
    canonical_with,
    card_of,
    cards_of,
    count_bits,
    has_joker,
    ranks_of_set,
    ranks_of_suit,
    set_size,
    suits_of_set,
)
from tests.poker_hands import read, set_of

card_sets = st.sets(st.integers(0, JOKER_CARD), max_size=9).map(sorted)


def test_every_card_has_a_place_of_its_own() -> None:
    assert sorted(bit_of(card) for card in range(53)) == list(range(53))
    assert [card_of(bit_of(card)) for card in range(53)] == list(range(53))
    assert set_of(parse_cards("2c 2d 2h 2s")) == TWOS
    assert bit_of(parse_cards("As")[0]) == 51


@given(card_sets)
def test_a_set_says_what_the_list_says(cards: list[int]) -> None:
    hand = set_of(cards)
    table = [read(card) for card in cards if card != JOKER_CARD]
    assert set_size(hand) == len(cards)
    assert has_joker(hand) == (JOKER_CARD in cards)
    assert sorted(cards_of(hand)) == cards
    assert ranks_of_set(hand) == sum(1 << rank - 2 for rank in {rank for rank, _ in table})
    assert suits_of_set(hand) == sum(1 << suit for suit in {suit for _, suit in table})
    for suit in range(4):
        assert ranks_of_suit(hand, suit) == sum(1 << rank - 2 for rank, one in table if one == suit)


@given(st.integers(0, 2**53 - 1))
def test_bits_are_counted(bits: int) -> None:
    assert count_bits(bits) == bits.bit_count()


@given(card_sets, st.sets(st.integers(0, 51), max_size=5))
def test_an_exchange_of_suits_leaves_the_canonical_form(cards: list[int], others: set[int]) -> None:
    def exchanged(cards: list[int], suits: tuple[int, ...]) -> int:
        return set_of(card if card == JOKER_CARD else card & ~3 | suits[card & 3] for card in cards)

    both = list(permutations(range(4)))
    assert {canonical(exchanged(cards, suits)) for suits in both} == {canonical(set_of(cards))}
    assert canonical(set_of(cards)) in {exchanged(cards, suits) for suits in both}
    pairs = {(exchanged(cards, suits), exchanged(sorted(others), suits)) for suits in both}
    forms = {canonical_with(*pair) for pair in pairs}
    assert len(forms) == 1
    assert forms <= pairs


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("9c 9d Ks 4h 2c", "pair of nines"),
        ("Qc 9d 8s 4h 2c", "queen high"),
        ("9c 8d 7s 4h 2c", "9 high"),
        ("Ac 9c 8c 4c 2c", "ace-high flush"),
        ("9c 8d 7s 6h 5c", "9-high straight"),
        ("Ac 2d 3s 4h 5c", "5-high straight"),
        ("7c 7d 7s 6h 5c", "three sevens"),
        ("9c 9d 9s 2h 2c", "full house, nines over twos"),
        ("Kc Kd 4s 4h 2c", "two pair, kings and fours"),
        ("6c 6d 6s 6h 2c", "four sixes"),
        ("Tc 9c 8c 7c 6c 6d 6h", "10-high straight flush"),
        ("Tc Jc Qc Kc Ac 6d 6h", "royal flush"),
    ],
)
def test_ranks_of_five_in_words(cards: str, words: str) -> None:
    assert five_words(rank_five(set_of(parse_cards(cards)))) == words


def test_other_ranks_in_words() -> None:
    def hand(cards: str, *jokers: int) -> int:
        return set_of([*parse_cards(cards), *jokers])

    assert three_words(rank_three(hand("As Ks Qs"))) == "mini royal"
    assert three_words(rank_three(hand("Ts Ks Qs"))) == "king-high flush"
    assert three_words(rank_three(hand("As 2s 3d"))) == "3-high straight"
    assert four_words(rank_four_of_five(hand("As 2s 3s 4s Kd"))) == "4-high straight flush"
    assert four_words(rank_four_of_five(hand("As Ah Ks Kc Kd"))) == "three kings"
    assert five_words(rank_five_wild(hand("2c 2d 2h 2s", JOKER_CARD))) == "five wild cards"
    assert five_words(rank_five_wild(hand("2c 2d 2h 9s", JOKER_CARD))) == "five nines"
    assert five_words(rank_five_joker(hand("Ac Ad Ah As", JOKER_CARD), SECOND_STRAIGHT)) == "five aces"
    assert five_words(rank_five_joker(hand("2c 3d 4h 5s", JOKER_CARD), SECOND_STRAIGHT)) == "5-high straight"
    assert longest_suit_words(longest_suit(hand("Kc 9c 3c 2c Ad Ah As"))) == "four of a suit, king high"
