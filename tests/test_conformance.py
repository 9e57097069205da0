"""The shipped conformance suite over every registered game, and that it notices what it should."""

from __future__ import annotations

import msgspec
import pytest

from croupier.rules import find_game, game_ids
from croupier.table.events import CardDealt, CardsTurned, Event
from croupier.testing import check_game, check_round, random_rounds

pytestmark = pytest.mark.slow

ROUNDS = 150
IN_A_SOAK = 1200


@pytest.mark.parametrize("rounds", [ROUNDS, pytest.param(IN_A_SOAK, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", game_ids())
def test_every_game_keeps_the_promises_of_the_conformance_suite(name: str, rounds: int) -> None:
    assert check_game(find_game(name), rounds=rounds, seed=1) == rounds


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


@pytest.mark.parametrize("name", [name for name in game_ids() if find_game(name).declared.is_bust([36, 37, 38])])
def test_a_hand_of_21_is_given_no_card_unless_the_house_asks_it(name: str) -> None:
    for log, state in random_rounds(find_game(name), rounds=200, seed=3):
        stands = 22 if log.rules.switches.get("on_21") == "asked" else 21
        for cards in (cards for hands in state.seats for cards in hands):
            totals = [log.rules.game.declared.counted(cards[:size])["total"] for size in range(1, len(cards))]
            assert all(total < stands for total in totals)


def test_the_suite_notices_money_that_is_left_on_the_table() -> None:
    log, state = next(random_rounds(find_game("blackjack"), rounds=1, seed=5))
    ended = state.settled.pop()
    with pytest.raises(AssertionError, match=r"win or lose nothing|was settled"):
        check_round(log, state)
    state.settled.append(msgspec.structs.replace(ended, staked=ended.staked + 1, returned=ended.returned + 1))
    with pytest.raises(AssertionError, match="was settled"):
        check_round(log, state)


def test_the_suite_notices_a_card_that_is_seen_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    log, state = next(random_rounds(find_game("blackjack"), rounds=1, seed=5))
    check_round(log, state)
    monkeypatch.setattr("croupier.table.replay.as_seen", lambda event, seat: event)
    with pytest.raises(AssertionError, match="may not see"):
        check_round(log, state)


def test_a_hole_card_is_dealt_before_it_is_turned_in_every_blackjack_round() -> None:
    for _, state in random_rounds(find_game("double_barrel"), rounds=50, seed=9):
        order = [_kind(event) for event in state.events if _kind(event)]
        assert order == ["dealt", "turned"]


def _kind(event: Event) -> str:
    if not isinstance(event, CardDealt | CardsTurned) or event.to != "hole":
        return ""
    return "dealt" if isinstance(event, CardDealt) else "turned"
