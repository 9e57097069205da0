"""Several seats at one table, as a PettingZoo environment: each agent is asked in its turn."""

from __future__ import annotations

import secrets
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from numpy.typing import NDArray
from pettingzoo import AECEnv

from croupier.agents.environment import MOST_STAKED, NO_ROUND
from croupier.agents.game import prepare_game
from croupier.agents.one_table import OneTable
from croupier.library.game import Game
from croupier.library.pay_tables import PayTables
from croupier.library.values import Decks, require_whole
from croupier.table.log import RoundLog

Array = NDArray[Any]


class SeatsEnv(AECEnv):  # type: ignore[misc] # PettingZoo's types are not looked at
    """One round for several seats that share a dealer and a shoe. An agent is called when its seat is asked; it sees
    what lies open and its own cards, and when the round is over all are told what they won."""

    def __init__(
        self,
        game: str | Path | Game,
        *,
        seats: int = 3,
        decks: Decks = None,
        pay_tables: PayTables | None = None,
        render_mode: str | None = None,
        **switches: Any,
    ) -> None:
        super().__init__()
        self.game = prepare_game(game, decks=decks, pay_tables=pay_tables, seats=seats, switches=switches)
        self.table = OneTable(self.game)
        self.metadata = {
            "render_modes": ["ansi"],
            "name": f"croupier_{self.game.rules.game.id}_v0",
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat + 1}" for seat in range(seats)]
        self.agents: list[str] = []
        space = seat_space(self.game.most_shown, self.game.declared.most_hands, len(self.game.actions))
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(len(self.game.actions)) for agent in self.possible_agents}
        self._is_seeded = False

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions by name."""
        return self.game.actions

    @property
    def unit(self) -> int:
        """What one first wager is in `infos[agent]["profit"]`."""
        return self.game.unit

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        require_whole(seed=seed)
        if seed is not None or not self._is_seeded:
            self.table.use_seed(index(seed) if seed is not None else secrets.randbits(64))
            self._is_seeded = True
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"profit": 0, "illegal_action": False} for agent in self.agents}
        self.table.deal()
        self.agent_selection = self.possible_agents[self.table.seat]

    def observe(self, agent: str) -> dict[str, Array]:
        seen = self.table.look(self.possible_agents.index(agent))
        asked = np.array([seen.question[0], seen.hand[0]])
        return {
            "observation": np.concatenate([asked, seen.cards[0], seen.places[0], seen.staked[0]]).astype(np.float32),
            "action_mask": seen.action_mask[0],
        }

    def step(self, action: int | None) -> None:
        if not self._is_seeded:
            raise ResetNeeded(NO_ROUND)
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if not hasattr(action, "__index__"):
            raise InvalidAction(f"{action!r} is not an action: 0 to {len(self.actions) - 1}.")
        self._cumulative_rewards[agent] = 0.0
        self.table.answer(int(action))  # type: ignore[arg-type]
        self.infos[agent]["illegal_action"] = bool(self.table.seen.illegal_action[0])
        if self.table.is_over:
            for one, profit in zip(self.possible_agents, self.table.profits, strict=True):
                self.rewards[one] = profit / self.unit
                self.infos[one]["profit"] = profit
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.table.seat]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The round so far in words, as its first seat sees it."""
        return self.table.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def log(self) -> RoundLog:
        """The round so far, as `croupier replay` shows it."""
        return self.table.log()


def seat_space(most_shown: int, hands: int, actions: int) -> spaces.Dict:
    """Question and hand, cards, their places, what lies on each hand, in one row; and what is legal."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, MOST_STAKED, (2 + 2 * most_shown + hands,), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )
