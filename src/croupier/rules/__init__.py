"""Games as data: what a game file may say, where games are found, and what a request for odds may name."""

from croupier.rules.registry import find_game, game_ids
from croupier.rules.spec import Game, Published, Switch, Wager

__all__ = ["Game", "Published", "Switch", "Wager", "find_game", "game_ids"]
