"""Side bets that poker titles share, held against published counts."""

from __future__ import annotations

import pytest

from croupier.exact.census import census
from croupier.kernels.bets import LOSE, find_bet
from croupier.kernels.sets import EMPTY_SET

COUNTS = {
    "pair_plus": [4, 44, 52, 720, 1096, 3744, 16440],
    "five_card_progressive": [4, 36, 624, 3744, 5108, 10200, 54912, 2524332],
}


@pytest.mark.parametrize("name", COUNTS)
def test_a_shared_bet_wins_in_the_published_number_of_ways(name: str) -> None:
    bet = find_bet(name)
    assert bet is not None
    ways, total = census(bet, name, 1, 0)
    assert [ways[outcome] for outcome in range(len(bet.outcomes))] + [ways[LOSE]] == COUNTS[name]
    assert total == sum(COUNTS[name])


@pytest.mark.parametrize("name", ["pair_plus", "six_card_bonus", "five_card_progressive"])
def test_a_dead_wager_loses(name: str) -> None:
    bet = find_bet(name)
    assert bet is not None
    assert bet.classify(EMPTY_SET, EMPTY_SET, 0) == LOSE
