"""What a purse is charged and given, against what the rounds settle."""

from __future__ import annotations

import random

import pytest

from croupier.hall.money import at_risk, position
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game, game_ids
from croupier.table.log import RoundLog
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import Stakes, make_rules, wagered_on
from croupier.testing import DAY, level_sensors, play_out, random_rounds, random_rules, random_stakes

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


@pytest.mark.parametrize("name", [name for name in game_ids() if find_game(name).declared.questions])
def test_an_answer_costs_what_it_was_said_to_cost(name: str) -> None:
    """Every legal answer, in full and for less, at every question of random rounds."""
    chance, moved = random.Random(11), 0
    for _ in range(120):
        rules = random_rules(find_game(name), chance)
        seats = [random_stakes(rules, chance) for _ in range(chance.randint(1, 3))]
        level_sensors(rules, seats)
        log = RoundLog(rules, seats)
        shoe = list(range(rules.game.declared.deck_size)) * rules.decks
        chance.shuffle(shoe)
        state = log.go_on(lambda need, state, shoe=shoe: shoe.pop())  # type: ignore[misc]
        assert all(state.staked[seat] >= at_risk(stakes, rules) for seat, stakes in enumerate(seats))
        while isinstance(need := state.need, NeedsAnswer):
            word = chance.choice(need.legal)
            if word == need.takes_amount and need.cost_of(word) and chance.random() < 0.5:
                word = f"{word}:0.01"
            before, _ = position(state, need.seat)
            others = [one for number, one in enumerate(state.staked, 1) if number != need.seat]
            cost = need.cost_of(word)
            log.steps.append(word)
            after = log.state()
            assert position(after, need.seat)[0] == before + cost
            assert [one for number, one in enumerate(after.staked, 1) if number != need.seat] == others
            moved += cost != 0  # below it where a wager is taken back
            state = log.go_on(lambda need, state, shoe=shoe: shoe.pop())  # type: ignore[misc]
        assert_purses_get_what_is_settled(state)
    assert moved > 10
