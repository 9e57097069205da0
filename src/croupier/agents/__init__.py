"""Agents at our tables: Gymnasium environments and a PettingZoo table, made from the declaration of each game.

Importing this registers an environment for every game that asks its players something, as `croupier/Blackjack-v0`;
`gymnasium.make("croupier.agents:croupier/Blackjack-v0")` imports it by itself.
"""

from __future__ import annotations

from croupier.extras import needs

with needs("rl"):
    from gymnasium import register

    from croupier.agents.environment import GameEnv
    from croupier.agents.vector import VectorGameEnv

from croupier.rules import find_game, game_ids

NAMESPACE = "croupier"


def env_id(game_id: str) -> str:
    """`croupier/ThreeCardPoker-v0` for three_card_poker."""
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in game_id.split('_'))}-v0"


def env_ids() -> dict[str, str]:
    """The environments by game: one for each game that asks its players something."""
    return {id: env_id(id) for id in game_ids() if find_game(id).is_decided}


for _game, _id in env_ids().items():
    register(
        id=_id,
        entry_point="croupier.agents.environment:GameEnv",
        vector_entry_point="croupier.agents.vector:VectorGameEnv",
        kwargs={"game": _game},
    )

__all__ = ["GameEnv", "VectorGameEnv", "env_id", "env_ids"]
