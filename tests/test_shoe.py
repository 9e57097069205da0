"""Shoes: unbiased, sealed, cut and continuous."""

from __future__ import annotations

from collections import Counter

import pytest

from croupier.errors import IllegalActionError
from croupier.table.shoe import LiveShoe, below_from, commitment_of, sealed_order, seed_blocks, shuffle


def test_a_shoe_holds_every_card_once_for_each_deck() -> None:
    assert Counter(LiveShoe(6).order) == dict.fromkeys(range(52), 6)


def test_a_sealed_shoe_can_be_verified_from_its_revealed_seed() -> None:
    shoe = LiveShoe(2, sealed=True)
    before, cards = shoe.commitment, [shoe.draw() for _ in range(104)]
    assert shoe.revealed == []
    shoe.shuffle()
    commitment, seed = shoe.revealed[0]
    assert commitment == before == commitment_of(bytes.fromhex(seed))
    assert sealed_order(2, bytes.fromhex(seed)) == cards
    assert shoe.commitment != before


def test_a_continuous_shuffler_cannot_be_sealed() -> None:
    with pytest.raises(IllegalActionError, match="cannot be sealed"):
        LiveShoe(6, "continuous", sealed=True)


def test_the_round_of_the_cut_card_is_finished_and_then_the_shoe_is_shuffled() -> None:
    shoe = LiveShoe(1, cut=10)
    for _ in range(9):
        shoe.draw()
    assert not shoe.wants_shuffle
    for _ in range(5):
        shoe.draw()
    assert shoe.wants_shuffle


def test_a_shoe_that_runs_out_goes_on_with_the_discards_only() -> None:
    shoe = LiveShoe(1)
    discards = {shoe.draw() for _ in range(40)}
    shoe.start_round()
    on_table = {shoe.draw() for _ in range(12)}
    more = [shoe.draw() for _ in range(40)]
    assert set(more) == discards and not on_table & set(more)
    with pytest.raises(IllegalActionError) as caught:
        shoe.draw()
    assert caught.value.code == "empty_shoe"


def test_a_continuous_shuffler_keeps_the_cards_in_its_chute() -> None:
    shoe = LiveShoe(1, "continuous", buffer=5)
    for _ in range(10):
        shoe.draw()
    chute = shoe.order[10:15]
    assert shoe.wants_shuffle
    shoe.shuffle()
    assert shoe.order[:5] == chute
    assert sorted(shoe.order) == list(range(52))


def test_every_order_of_four_cards_is_equally_likely() -> None:
    """Chi-square over the 24 orders, seeded so that the test cannot fail by chance; 23 degrees, 1 in 1000 at 49.7."""
    below = below_from(seed_blocks(b"a fixed seed"))
    rounds = 24_000
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(rounds):
        cards = [0, 1, 2, 3]
        shuffle(cards, below)
        seen[tuple(cards)] += 1
    expected = rounds / 24
    assert len(seen) == 24
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 49.7


def test_values_that_would_favor_small_numbers_are_thrown_away() -> None:
    largest = (2**64 - 1).to_bytes(8, "big")
    below = below_from(iter([largest + (5).to_bytes(8, "big")]))
    assert below(3) == 2
    below = below_from(iter([largest]))
    with pytest.raises((StopIteration, RuntimeError)):
        below(3)


def test_the_cut_card_is_not_forgotten_when_a_shoe_runs_out_within_a_round() -> None:
    shoe = LiveShoe(1)
    for _ in range(2):
        shoe.start_round()
        for _ in range(19):
            shoe.draw()
    assert not shoe.wants_shuffle
    shoe.start_round()
    for _ in range(19):
        shoe.draw()
    assert shoe.used < 39
    assert shoe.wants_shuffle
