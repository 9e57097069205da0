"""Hands as integers against the same hands as lists of cards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.kernels.baccarat import banker_draws, is_natural, own_hand_first, player_draws
from croupier.kernels.dealer import HITS_SOFT_17, STANDS_ON_SOFT_17, dealer_draws
from croupier.kernels.hands import (
    EMPTY,
    SOFT,
    add_card,
    add_point,
    count_of,
    is_blackjack,
    is_soft,
    one_color,
    one_suit,
    ranks_in,
    size_of,
    suits_in,
    total_of,
    with_suits,
)
from tests.helpers import naive_card, naive_points, naive_total

card_lists = st.lists(st.integers(0, 51), min_size=1, max_size=15)


def playable(cards: list[int]) -> list[int]:
    """The cards up to the one that passes 21: nobody draws to a hand after that."""
    for length in range(1, len(cards) + 1):
        if naive_total([card >> 2 for card in cards[:length]])[0] > 21:
            return cards[:length]
    return cards


def blackjack_hand(cards: list[int]) -> int:
    hand = EMPTY
    for card in cards:
        hand = add_card(hand, card)
    return hand


def baccarat_hand(cards: list[int]) -> int:
    hand = EMPTY
    for card in cards:
        hand = add_point(hand, card)
    return hand


@given(card_lists.map(playable))
def test_total_and_softness_are_those_of_the_list(cards: list[int]) -> None:
    hand = blackjack_hand(cards)
    assert (total_of(hand), is_soft(hand)) == naive_total([card >> 2 for card in cards])


@given(card_lists.map(playable))
def test_size_suits_and_counts_are_those_of_the_list(cards: list[int]) -> None:
    hand = blackjack_hand(cards)
    pairs = [naive_card(card) for card in cards]
    ranks = [rank for rank, _ in pairs]
    suits = {suit for _, suit in pairs}
    assert size_of(hand) == len(cards)
    assert suits_in(hand) == sum(1 << suit for suit in suits)
    assert [count_of(hand, rank) for rank in range(13)] == [ranks.count(rank) for rank in range(13)]
    assert ranks_in(hand) == sum(ranks.count(rank) << 4 * rank for rank in range(13))
    assert one_suit(suits_in(hand)) == (len(suits) == 1)
    assert one_color(suits_in(hand)) == (suits <= {1, 2} or suits <= {0, 3})
    assert is_blackjack(hand) == (len(cards) == 2 and naive_total(ranks)[0] == 21)


@given(card_lists.map(playable), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_makes_no_difference(cards: list[int], random: object) -> None:
    shuffled = list(cards)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert blackjack_hand(shuffled) == blackjack_hand(cards)
    assert baccarat_hand(shuffled) == baccarat_hand(cards)


@given(st.lists(st.integers(0, 51), min_size=1, max_size=3))
def test_baccarat_points_are_those_of_the_list(cards: list[int]) -> None:
    hand = baccarat_hand(cards)
    points = naive_points([card >> 2 for card in cards])
    assert total_of(hand) == points
    assert is_natural(hand) == (len(cards) == 2 and points >= 8)


@given(card_lists.map(playable), st.integers(1, 15))
def test_painting_a_hand_changes_its_suits_and_nothing_else(cards: list[int], suits: int) -> None:
    hand = blackjack_hand(cards)
    painted = with_suits(hand, suits)
    assert suits_in(painted) == suits
    assert with_suits(painted, suits_in(hand)) == hand


@pytest.mark.parametrize("total", range(4, 27))
def test_the_dealer_draws_to_16_on_hard_totals(total: int) -> None:
    for rule in (HITS_SOFT_17, STANDS_ON_SOFT_17):
        assert dealer_draws(total, rule) == (total <= 16)


@pytest.mark.parametrize("total", range(12, 22))
def test_only_soft_17_depends_on_the_house(total: int) -> None:
    assert dealer_draws(total | SOFT, HITS_SOFT_17) == (total <= 17)
    assert dealer_draws(total | SOFT, STANDS_ON_SOFT_17) == (total <= 16)


# The banker's total down, the player's third card 0 to 9 across: D draws, S stands.
BANKER = {
    0: "DDDDDDDDDD",
    1: "DDDDDDDDDD",
    2: "DDDDDDDDDD",
    3: "DDDDDDDDSD",
    4: "SSDDDDDDSS",
    5: "SSSSDDDDSS",
    6: "SSSSSSDDSS",
    7: "SSSSSSSSSS",
}


@pytest.mark.parametrize("total", BANKER)
def test_the_banker_follows_the_third_card_table(total: int) -> None:
    assert "".join("D" if banker_draws(total, third) else "S" for third in range(10)) == BANKER[total]


def test_the_player_draws_on_0_to_5() -> None:
    assert [total for total in range(8) if player_draws(total)] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(("side", "own"), [(0, 3), (1, 7), (2, 7)])
def test_a_wager_sees_its_own_hand_first(side: int, own: int) -> None:
    assert total_of(own_hand_first(3, 7, side)[0]) == own
