"""What a purse is charged and given, against what the rounds settle."""

from __future__ import annotations

import random

import pytest

from croupier.hall.money import at_risk, position
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game, game_ids
from croupier.table.log import RoundLog
from croupier.table.replay import RoundState
from croupier.table.setup import Stakes, make_rules, wagered_on
from croupier.testing import DAY, play_out, random_rounds

STAKES: Stakes = {"main": 10 * MICROS_PER_DOLLAR, "kings_bounty": 5 * MICROS_PER_DOLLAR}


def assert_purses_get_what_is_settled(state: RoundState) -> None:
    for seat in range(1, len(state.stakes) + 1):
        settled = [event for event in state.settled if event.seat == seat]
        own = [event for event in settled if wagered_on(event.wager) == event.wager]
        staked, returned = position(state, seat)
        assert staked == sum(event.staked for event in settled)
        assert returned == sum(event.returned for event in own)


@pytest.mark.parametrize("name", game_ids())
def test_a_purse_changes_by_what_every_random_round_settles(name: str) -> None:
    for _, state in random_rounds(find_game(name), rounds=150, seed=5):
        assert_purses_get_what_is_settled(state)


@pytest.mark.parametrize(("on", "dollars"), [("first_hand", 25), ("each_hand", 30)])
def test_kings_bounty_costs_its_wager_for_each_hand_it_is_settled_on(on: str, dollars: int) -> None:
    rules = make_rules(find_game("blackjack_switch"), settings={"kings_bounty_on": on}, day=DAY)
    assert at_risk(STAKES, rules) == dollars * MICROS_PER_DOLLAR
    chance = random.Random(3)
    for _ in range(100):
        _, state = play_out(RoundLog(rules, [STAKES]), chance)
        assert_purses_get_what_is_settled(state)
