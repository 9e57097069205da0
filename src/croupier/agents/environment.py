"""A game as a Gymnasium environment: one table, one seat, one decision a step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import Env, spaces
from gymnasium.error import InvalidAction, ResetNeeded
from numpy.typing import NDArray

from croupier.agents import steps
from croupier.agents.game import AgentGame, prepare_game
from croupier.agents.one_table import OneTable
from croupier.library.game import Game
from croupier.library.pay_tables import PayTables
from croupier.library.values import Decks
from croupier.table.log import RoundLog

Array = NDArray[Any]
Observation = dict[str, Any]
MOST_SIGHT = 2**62
MOST_STAKED = 2**20
"""First wagers that may lie on a hand which is doubled again and again."""
NO_ROUND = "No round has begun: call reset() first."
METADATA: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}
OBSERVED = ("question", "hand", "sight", "cards", "places", "staked")
"""The fields of `Seen` that make an observation."""


def observation_space(game: AgentGame) -> spaces.Dict:
    """What a seat is shown when it is asked."""
    most, hands = game.most_shown, game.declared.most_hands
    return spaces.Dict(
        {
            "question": spaces.Discrete(len(game.questions)),
            "hand": spaces.Discrete(hands),
            "sight": spaces.Box(0, MOST_SIGHT, (), np.int64),
            "cards": spaces.Box(0, game.declared.deck_size, (most,), np.uint8),
            "places": spaces.Box(0, len(game.places) - 1, (most,), np.uint8),
            "staked": spaces.Box(0, MOST_STAKED, (hands,), np.float32),
        }
    )


def action_space(game: AgentGame) -> spaces.Space[Any]:
    return spaces.Discrete(len(game.actions))


class GameEnv(Env[Observation, Any]):
    """One seat at one table. Each episode is a round from a fresh shoe, each step an answer to a question.

    `game` is an id, a path, or what `croupier.game` gave; decks, pay tables and switches are as for `Game.odds`. With
    `advice` every `info` has `best_action`, what optimal play does. `render_mode` is `"ansi"` or None.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str | Path | Game,
        *,
        decks: Decks = None,
        pay_tables: PayTables | None = None,
        advice: bool = False,
        render_mode: str | None = None,
        **switches: Any,
    ) -> None:
        self.game = prepare_game(game, decks=decks, pay_tables=pay_tables, advice=advice, switches=switches)
        self.table = OneTable(self.game)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions by name."""
        return self.game.actions

    @property
    def unit(self) -> int:
        """What one first wager is in `info["profit"]`."""
        return self.game.unit

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        fresh = self._np_random is None or seed is not None
        super().reset(seed=seed)
        if fresh:
            self.table.use_seed(self.np_random_seed)
        self.table.deal()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self.table.is_dealt:
            raise ResetNeeded(NO_ROUND)
        if not self.action_space.contains(action):
            raise InvalidAction(f"{action!r} is not an action: 0 to {len(self.actions) - 1}.")
        self.table.answer(action)
        seen = self.table.seen
        return self._observation(), float(seen.reward[0]), bool(seen.terminated[0]), False, self._info()

    def render(self) -> str | None:
        """The round so far in words."""
        return self.table.text() if self.render_mode == "ansi" else None

    def log(self) -> RoundLog:
        """The round so far, as `croupier replay` shows it."""
        return self.table.log()

    def _observation(self) -> Observation:
        seen = self.table.seen
        return {name: getattr(seen, name)[0].copy() if name in _ARRAYS else _scalar(seen, name) for name in OBSERVED}

    def _info(self) -> dict[str, Any]:
        seen = self.table.seen
        info = {
            "action_mask": seen.action_mask[0].copy(),
            "profit": int(seen.profit[0]),
            "illegal_action": bool(seen.illegal_action[0]),
        }
        return info | {"best_action": int(seen.best_action[0])} if self.game.tables is not None else info


_ARRAYS = ("cards", "places", "staked")


def _scalar(seen: steps.Seen, name: str) -> Any:
    value = getattr(seen, name)[0]
    return np.array(value) if name == "sight" else value
