"""Thousands of tables at once: a Gymnasium vector environment over the compiled rounds."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from croupier.agents import steps
from croupier.agents.environment import NO_ROUND, OBSERVED, Observation, action_space, observation_space
from croupier.agents.game import prepare_game
from croupier.agents.one_table import SEEDS
from croupier.errors import NotationError, RangeError
from croupier.library.game import Game
from croupier.library.pay_tables import PayTables
from croupier.library.values import Decks, require_whole
from croupier.simulate.generator import seed_key

Array = NDArray[Any]
MODES = {AutoresetMode.NEXT_STEP: steps.NEXT_STEP, AutoresetMode.SAME_STEP: steps.SAME_STEP}
INFORMED = ("action_mask", "profit", "illegal_action")


class VectorGameEnv(VectorEnv[Observation, Array, Array]):
    """Tables of one game, each as a `GameEnv` of its own: with seed s table i plays the rounds of a `GameEnv` with seed
    s + i.

    `autoreset_mode` is `NextStep` or `SameStep`. Without `copy` the arrays returned are those that the next step writes
    into; without `compiled` the rounds are played in plain Python, slowly and at once.
    """

    def __init__(
        self,
        game: str | Path | Game,
        num_envs: int = 1,
        *,
        decks: Decks = None,
        pay_tables: PayTables | None = None,
        advice: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        compiled: bool = True,
        **switches: Any,
    ) -> None:
        self.game = prepare_game(game, decks=decks, pay_tables=pay_tables, advice=advice, switches=switches)
        require_whole(num_envs=num_envs)
        if num_envs < 1:
            raise RangeError(f"{num_envs} tables: a whole number from 1 on.", code="bad_num_envs")
        self.num_envs = num_envs
        self.copy = copy
        mode = AutoresetMode(autoreset_mode)
        if mode not in MODES:
            raise ValueError(f"{mode} is not offered: {', '.join(known.value for known in MODES)}.")
        self.metadata = {"autoreset_mode": mode}
        self._mode = MODES[mode]
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._setting = self.game.setting()
        self._scratch = self.game.scratch()
        self._tables = self.game.new_tables(num_envs)
        self._seen, self._final = self.game.new_seen(num_envs), self.game.new_seen(num_envs)
        self._is_seeded = False
        self._advance = (self.game.compiled if compiled else self.game.linked)(steps.advance)

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions by name."""
        return self.game.actions

    @property
    def unit(self) -> int:
        """What one first wager is in `infos["profit"]`."""
        return self.game.unit

    def reset(
        self, *, seed: int | Sequence[int | None] | Array | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        if seed is not None or not self._is_seeded:
            self._use_seeds(seed)
        self._run(np.zeros(self.num_envs, np.int64), steps.ANEW)
        return _observations(self._seen), self._infos()

    def step(self, actions: Any) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        if not self._is_seeded:
            raise ResetNeeded(NO_ROUND)
        chosen = np.ascontiguousarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise InvalidAction(f"One whole number for each of {self.num_envs} tables is needed.")
        self._run(chosen.astype(np.int64, copy=False), self._mode)
        seen = self._seen
        infos = self._infos()
        if self._mode == steps.SAME_STEP:
            infos |= {"final_obs": _observations(self._final), "_final_obs": seen.terminated}
        truncated = np.zeros(self.num_envs, np.bool_)
        return _observations(seen), seen.reward, seen.terminated, truncated, infos

    def _run(self, actions: Array, mode: int) -> None:
        if self.copy:  # what was returned stays as it is: this step writes elsewhere, which is faster than a copy
            self._seen = self.game.new_seen(self.num_envs, np.empty)
            if mode == steps.SAME_STEP:
                self._final = self.game.new_seen(self.num_envs)
        with np.errstate(over="ignore"):  # 64-bit numbers wrap on purpose
            self._advance(self._setting, self._scratch, self._tables, self._seen, self._final, actions, mode)

    def _use_seeds(self, seed: int | Sequence[int | None] | Array | None) -> None:
        """Table i gets seed + i, or the i-th of a list; where there is none, one that nobody knows."""
        if isinstance(seed, np.ndarray):
            seed = list(seed)
        if isinstance(seed, Sequence) and not isinstance(seed, str):
            if len(seed) != self.num_envs:
                raise NotationError(f"{len(seed)} seeds for {self.num_envs} tables.", code="bad_seed")
            seeds = [_whole_seed(one) for one in seed]
        else:
            first = _whole_seed(seed)
            seeds = [first + number for number in range(self.num_envs)]
        with np.errstate(over="ignore"):
            for at, number in enumerate(seeds):
                self._tables.keys[at] = seed_key(number % SEEDS)
        self._tables.rounds[:] = 0
        self._is_seeded = True

    def _infos(self) -> dict[str, Any]:
        names = (*INFORMED, "best_action") if self.game.tables is not None else INFORMED
        return {name: getattr(self._seen, name) for name in names}


def _observations(seen: steps.Seen) -> Observation:
    return {name: getattr(seen, name) for name in OBSERVED}


def _whole_seed(seed: int | None) -> int:
    """A seed, or one that nobody knows."""
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    require_whole(seed=seed)
    return index(seed)
