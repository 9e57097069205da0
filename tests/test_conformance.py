"""The shipped conformance suite over every registered game, and that it notices what it should."""

from __future__ import annotations

import msgspec
import pytest

from croupier.rules import find_game, game_ids
from croupier.table.events import CardDealt, Event, HoleCardTurned
from croupier.testing import check_game, check_round, random_rounds

ROUNDS = 600


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", game_ids())
def test_every_game_keeps_the_promises_of_the_conformance_suite(name: str, seed: int) -> None:
    assert check_game(find_game(name), rounds=ROUNDS, seed=seed) == ROUNDS


def test_the_suite_notices_money_that_is_made_up() -> None:
    log, state = next(random_rounds(find_game("blackjack"), rounds=1, seed=5))
    state.settled[0] = msgspec.structs.replace(state.settled[0], returned=state.settled[0].returned + 1)
    with pytest.raises(AssertionError, match="win or lose nothing"):
        check_round(log, state)


def test_the_suite_notices_a_wager_settled_twice() -> None:
    log, state = next(random_rounds(find_game("double_down_madness"), rounds=1, seed=5))
    state.settled.append(msgspec.structs.replace(state.settled[0], staked=0, returned=0))
    with pytest.raises(AssertionError):
        check_round(log, state)


def test_a_hole_card_is_dealt_before_it_is_turned_in_every_blackjack_round() -> None:
    for _, state in random_rounds(find_game("double_barrel"), rounds=50, seed=9):
        order = [_kind(event) for event in state.events if _kind(event)]
        assert order == ["dealt", "turned"]


def _kind(event: Event) -> str:
    if isinstance(event, HoleCardTurned):
        return "turned"
    return "dealt" if isinstance(event, CardDealt) and event.to == "hole" else ""
