"""Hypothesis plays: any legal answers, any shoe, any switches; what must hold, holds."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.cards import DECK_SIZE
from croupier.errors import CroupierError
from croupier.kernels.rounds import find_round, round_names
from croupier.rules import find_game, game_ids
from croupier.table.log import RoundLog
from croupier.table.numbers import NeedsCard
from croupier.table.replay import NeedsAnswer, RoundState, replay
from croupier.testing import check_round, level_sensors, random_rules, random_stakes

DECLARED = [declared for name in round_names() if (declared := find_round(name)) is not None]
WORDS = {word for declared in DECLARED for question in declared.questions for word in question.words}
EVERY_WORD = sorted(WORDS | {"", "jump", "double:0", "insure:-1"})


@pytest.mark.parametrize("name", game_ids())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_a_round_of_random_legal_answers_keeps_every_promise(name: str, data: st.DataObject) -> None:
    chance = random.Random(data.draw(st.integers(0, 2**32), label="table"))
    rules = random_rules(find_game(name), chance)
    seats = [random_stakes(rules, chance) for _ in range(data.draw(st.integers(1, 3), label="seats"))]
    level_sensors(rules, seats)
    shoe = list(range(DECK_SIZE)) * rules.decks
    random.Random(data.draw(st.integers(0, 2**32), label="shoe")).shuffle(shoe)
    log = RoundLog(rules, seats)

    def deal(need: NeedsCard, state: RoundState) -> int:
        return shoe.pop()

    def decide(need: NeedsAnswer, state: RoundState) -> str:
        return data.draw(st.sampled_from(need.legal), label=f"seat {need.seat}, {need.question}")

    state = log.go_on(deal, decide)
    check_round(log, state)


@pytest.mark.parametrize("name", [name for name in game_ids() if find_game(name).declared.questions])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), word=st.sampled_from(EVERY_WORD))
def test_only_the_legal_answers_are_accepted(name: str, seed: int, word: str) -> None:
    chance = random.Random(seed)
    rules = random_rules(find_game(name), chance)
    seats = [random_stakes(rules, chance)]
    shoe = list(range(DECK_SIZE)) * rules.decks
    chance.shuffle(shoe)
    log = RoundLog(rules, seats)
    state = log.go_on(lambda need, state: shoe.pop())
    if not isinstance(state.need, NeedsAnswer):
        return  # a dealer's blackjack or a natural left nothing to decide
    if word in state.need.legal:
        after = replay(rules, seats, log.cards, [word])
        assert after.answers_used == 1
    else:
        with pytest.raises(CroupierError):
            replay(rules, seats, log.cards, [word])
