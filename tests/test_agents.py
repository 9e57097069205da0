"""Environments for agents: what they show, what they pay, and that they keep to the interfaces they offer."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from fractions import Fraction
from math import sqrt
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test, seed_test

import croupier
from croupier.agents import GameEnv, VectorGameEnv, env_id, env_ids
from croupier.agents.game import AgentGame
from croupier.agents.one_table import LOGGED_WAGER
from croupier.agents.seats import SeatsEnv
from croupier.errors import CroupierError, NotComputedError, RangeError, UnknownNameError
from croupier.exact.played import compute_strategy
from croupier.kernels.effects import HANDS_PER_SEAT
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.table.events import RoundEnded
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.testing import random_rules

GAMES = list(env_ids())


def rows_seen(game: AgentGame, observation: Any) -> dict[str, list[int]]:
    """The cards of an observation by the name of their place."""
    rows: dict[str, list[int]] = {}
    for card, place in zip(observation["cards"], observation["places"], strict=True):
        if card:
            rows.setdefault(game.places[place], []).append(int(card) - 1)
    return rows


def rows_of(state: RoundState, viewer: int) -> dict[str, list[int]]:
    """The same as the table shows them to a seat."""
    rows: dict[str, list[int]] = {}
    seats = len(state.stakes)
    for seat in range(seats):
        whose = f"+{(seat - viewer) % seats} " if seat != viewer else ""
        for hand in range(state.hands[seat]):
            rows[f"{whose}hand {hand + 1}"] = _open(state.seen_row(seat * HANDS_PER_SEAT + hand, viewer))
        for place, row in state.beside(seat, viewer):
            rows[f"{whose}{place.id}"] = _open(row)
    for place, row in state.table_rows:
        rows[place.id] = _open(row)
    return {name: row for name, row in rows.items() if row}


def _open(row: list[int | None]) -> list[int]:
    return [card for card in row if card is not None]


def check_sight(env: GameEnv, observation: Any, info: dict[str, Any]) -> None:
    """An observation and its mask beside the table's own account of the round."""
    state = env.table.state()
    assert rows_seen(env.game, observation) == rows_of(state, 0)
    stakes = [staked for staked in state.on_hands[0] if staked]
    assert [staked * LOGGED_WAGER for staked in observation["staked"] if staked] == stakes
    if isinstance(state.need, NeedsAnswer):
        assert env.game.questions[observation["question"]] == state.need.question
        assert observation["hand"] == state.need.hand - 1
        assert observation["sight"] == state.need.sight
        legal = [f"{state.need.question}.{word}" for word in state.need.legal]
    else:
        legal = [] if env.table.is_over else ["go_on"]
    assert [env.actions[number] for number in np.flatnonzero(info["action_mask"])] == legal


def check_rounds(env: GameEnv, rounds: int) -> None:
    """Random rounds, step by step beside the table that people play at."""
    chance = random.Random(7)
    env.reset(seed=3)
    for _ in range(rounds):
        observation, info = env.reset()
        terminated, reward = False, 0.0
        while not terminated:
            check_sight(env, observation, info)
            action = chance.choice(np.flatnonzero(info["action_mask"]).tolist())
            observation, reward, terminated, truncated, info = env.step(action)
            assert not truncated
        check_sight(env, observation, info)
        net = next(event.house_net for event in env.table.state().events if isinstance(event, RoundEnded))
        assert Fraction(info["profit"], env.unit) == Fraction(-net, LOGGED_WAGER)
        assert reward == info["profit"] / env.unit


@pytest.mark.parametrize("game", GAMES)
def test_rounds_are_those_of_the_table(game: str) -> None:
    check_rounds(GameEnv(game), 40)
    chance = random.Random(2)
    for _ in range(4):
        rules = random_rules(find_game(game), chance)
        switches: dict[str, Any] = dict(rules.settings)
        check_rounds(GameEnv(game, decks=rules.decks, **switches), 20)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_with_questions_passes_the_checker(game: str) -> None:
    env = gymnasium.make(env_id(game), render_mode="ansi").unwrapped
    check_env(env)
    assert str(env.render()).startswith("Seat 1 wagers $2 on ")


def test_environments_are_made_without_importing_croupier_first() -> None:
    code = (
        "import gymnasium; env = gymnasium.make('croupier.agents:croupier/Blackjack-v0', decks=2, soft17='stand');"
        "print(env.unwrapped.game.rules.decks, env.unwrapped.game.rules.settings)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "2 {'soft17': 'stand'}\n"


def test_a_game_without_questions_has_no_environment() -> None:
    assert "mini_baccarat" not in GAMES
    with pytest.raises(NotComputedError, match="nothing for an agent to do"):
        GameEnv("mini_baccarat")


def test_rules_that_do_not_exist_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="soft18"):
        GameEnv("blackjack", soft18="stand")
    with pytest.raises(RangeError, match="8 seats"):
        SeatsEnv("blackjack", seats=8)
    with pytest.raises(RangeError, match="1 decks"):
        SeatsEnv("blackjack", seats=7, decks=1)
    endless: dict[str, Any] = {"decks": "inf"}
    with pytest.raises(RangeError, match="not inf"):
        GameEnv("blackjack", **endless)


def test_a_keyword_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UnknownNameError, match=r'Did you mean "decks"\?'):
        GameEnv("blackjack", deck=6)
    with pytest.raises(UnknownNameError, match='switch "seats"'):
        GameEnv("blackjack", seats=3)


def test_seeds_of_many_tables_come_as_numbers_lists_or_arrays() -> None:
    envs = VectorGameEnv("blackjack", 3, compiled=False)
    first, _ = envs.reset(seed=4)
    for same in (np.int64(4), [4, 5, 6], np.array([4, 5, 6])):
        assert_alike(envs.reset(seed=same)[0], first)  # type: ignore[arg-type]
    for odd in ("x", [1, 2], [1, 2, "x"], 1.5):
        with pytest.raises(CroupierError, match="seed"):
            envs.reset(seed=odd)  # type: ignore[arg-type]


def test_the_joker_is_dealt_where_a_deck_has_one() -> None:
    envs = VectorGameEnv("dj_wild", 64, compiled=False)
    observations, _ = envs.reset(seed=1)
    assert observations["cards"].max() == 53
    assert observations in envs.observation_space
    with_joker = int(np.flatnonzero((observations["cards"] == 53).any(1))[0])
    env = GameEnv("dj_wild", render_mode="ansi")
    observation, _ = env.reset(seed=1 + with_joker)
    assert 53 in observation["cards"]
    assert "★ to seat 1." in (env.render() or "")


def test_a_step_before_the_first_round_is_refused() -> None:
    envs: tuple[Any, ...] = (
        GameEnv("blackjack"),
        VectorGameEnv("blackjack", 3, compiled=False),
        SeatsEnv("blackjack", seats=2),
    )
    for env, action in zip(envs, (0, [0, 0, 0], 0), strict=True):
        with pytest.raises(ResetNeeded, match="reset"):
            env.step(action)
        env.reset(seed=1)
        env.step(action)


def test_numbers_of_tables_and_seats_and_actions_are_whole() -> None:
    with pytest.raises(CroupierError, match="from 1 on"):
        VectorGameEnv("blackjack", 0, compiled=False)
    with pytest.raises(CroupierError, match="whole number"):
        SeatsEnv("blackjack", seats="x")  # type: ignore[arg-type]
    table = SeatsEnv("blackjack", seats=2)
    with pytest.raises(CroupierError, match="whole number"):
        table.reset(seed="x")  # type: ignore[arg-type]
    table.reset(seed=1)
    with pytest.raises(InvalidAction, match="is not an action"):
        table.step(None)


def test_agents_take_games_and_pays_as_the_library_has_them() -> None:
    blackjack = croupier.game("blackjack")
    pays = blackjack.pays("main") | {"blackjack": "6 to 5"}
    env = GameEnv(blackjack, decks=2.0, pay_tables={"main": pays})
    assert env.game.rules.decks == 2
    rewards = set()
    for seed in range(60):
        _, info = env.reset(seed=seed)
        if info["action_mask"][-1]:
            rewards.add(env.step(len(env.actions) - 1)[1])
    assert 1.2 in rewards
    assert 1.5 not in rewards


def test_an_illegal_action_counts_as_no_answer() -> None:
    one, other = GameEnv("blackjack"), GameEnv("blackjack")
    one.reset(seed=11)
    other.reset(seed=11)
    *_, info = one.step(one.actions.index("insurance.insure"))
    *_, usual = other.step(other.actions.index("action.stand"))
    assert info.pop("illegal_action")
    assert not usual.pop("illegal_action")
    assert info["profit"] == usual["profit"]
    with pytest.raises(gymnasium.error.InvalidAction):
        other.step(99)


def assert_alike(one: Any, other: Any) -> None:
    assert one.keys() == other.keys()
    for name in one:
        assert (np.asarray(one[name]) == np.asarray(other[name])).all(), name


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("game", ["blackjack_switch", "three_card_poker"])
def test_many_tables_are_as_many_environments(game: str, mode: AutoresetMode) -> None:
    """Three Card Poker compiled, the other in plain Python."""
    compiled = game == "three_card_poker"
    many = VectorGameEnv(game, 5, autoreset_mode=mode, compiled=compiled, advice=compiled)
    single = SyncVectorEnv([lambda: GameEnv(game, advice=compiled)] * 5, autoreset_mode=mode)
    observations, infos = many.reset(seed=20)
    expected, expected_infos = single.reset(seed=20)
    chance = np.random.default_rng(1)
    for _ in range(60):
        assert_alike(observations, expected)
        assert observations in many.observation_space
        assert (infos["action_mask"] == expected_infos["action_mask"]).all()
        actions = chance.integers(0, len(many.actions), 5)
        observations, rewards, terminated, _truncated, infos = many.step(actions)
        expected, expected_rewards, expected_terminated, _truncated, expected_infos = single.step(actions)
        assert (rewards == expected_rewards).all()
        assert (terminated == expected_terminated).all()
        for at in np.flatnonzero(terminated) if mode == AutoresetMode.SAME_STEP else ():
            final = {name: values[at] for name, values in infos["final_obs"].items()}
            assert_alike(final, expected_infos["final_obs"][at])


def play_by_advice(envs: VectorGameEnv, rounds: int) -> tuple[float, float]:
    """Mean reward of a round under the advice, and its standard error."""
    _, infos = envs.reset(seed=1)
    played, total, square = 0, 0, 0
    while played < rounds:
        _, _, terminated, _, infos = envs.step(infos["best_action"])
        profit = infos["profit"]
        played += int(terminated.sum())
        total += int(profit.sum())
        square += int((profit**2).sum())
    mean = total / played
    return mean / envs.unit, sqrt((square / played - mean**2) / played) / envs.unit


def exact_edge(game: str) -> float:
    known = find_game(game)
    sheet = compute_strategy(choose(known, known.first_wager.id))
    return -sheet.account.value * sheet.account.wagers


def test_optimal_play_scores_the_exact_edge() -> None:
    mean, error = play_by_advice(VectorGameEnv("three_card_poker", 2048, advice=True), 500_000)
    assert error < 0.003
    assert abs(mean + exact_edge("three_card_poker")) < 4 * error


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_optimal_play_scores_the_exact_edge_of_every_game(game: str) -> None:
    mean, error = play_by_advice(VectorGameEnv(game, 4096, advice=True), 20_000_000)
    assert error < 0.0025
    assert abs(mean + exact_edge(game)) < 4 * error


PLAIN_OBSERVATIONS = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""PettingZoo says so of every environment that shows a mask beside its observation."""


@pytest.mark.parametrize("game", GAMES)
def test_several_seats_pass_the_checker(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        for text in PLAIN_OBSERVATIONS:
            warnings.filterwarnings("ignore", text)
        api_test(SeatsEnv(game, render_mode="ansi"), num_cycles=10)
        seed_test(lambda: SeatsEnv(game, seats=2), num_cycles=10)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", ["three_card_poker", "double_barrel"])
def test_each_seat_sees_what_lies_open_and_its_own(game: str) -> None:
    env = SeatsEnv(game, seats=3)
    chance = random.Random(5)
    env.reset(seed=8)
    for _ in range(30):
        env.reset()
        while not env.table.is_over:
            state = env.table.state()
            for seat in range(3):
                seen = env.table.look(seat)
                assert rows_seen(env.game, {"cards": seen.cards[0], "places": seen.places[0]}) == rows_of(state, seat)
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(chance.choice(np.flatnonzero(mask).tolist()))
        events = env.table.state().events
        net = next(event.house_net for event in events if isinstance(event, RoundEnded))
        assert sum(env.table.profits) * LOGGED_WAGER == -net * env.unit
