"""Scenes: the parts of rounds that decide a bet.

A bet names its scene, and the exact engine walks the scene's round. Every round here is called as
`round(world, table, first, second)`, so that one interpreter serves them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from croupier.kernels.baccarat import BANKER_SIDE, PLAYER_SIDE, WINNING_SIDE, baccarat_round
from croupier.kernels.dealer import HITS_SOFT_17, STANDS_ON_SOFT_17, dealer_round
from croupier.kernels.effects import (
    DEALER_DONE,
    OPENING_FOUR,
    OPENING_THREE,
    OPENING_TWO,
    OPENING_TWO_AND_DEALER,
    RESULT,
)
from croupier.kernels.link import Kernel
from croupier.kernels.opening import opening_round

SIDES = {"": PLAYER_SIDE, "player": PLAYER_SIDE, "banker": BANKER_SIDE, "winner": WINNING_SIDE}
SOFT17 = {"hit": HITS_SOFT_17, "stand": STANDS_ON_SOFT_17}


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Decided by the opening deal: how many cards of the player's side and of the dealer the bet looks at."""

    own_cards: int
    dealer_cards: int = 0


@dataclass(frozen=True, kw_only=True)
class DealerHand:
    """Decided by the dealer's final hand."""


@dataclass(frozen=True, kw_only=True)
class BaccaratResult:
    """Decided by both hands of a finished baccarat round."""


OPENINGS = {
    (2, 0): OPENING_TWO,
    (3, 0): OPENING_THREE,
    (4, 0): OPENING_FOUR,
    (2, 2): OPENING_TWO_AND_DEALER,
}
"""The moment of an opening, by how many cards of the player's side and of the dealer it shows."""

Scene = Opening | DealerHand | BaccaratResult


def moment_of(scene: Scene) -> int:
    """The moment of a full round at which a bet on this scene is settled."""
    if isinstance(scene, DealerHand):
        return DEALER_DONE
    if isinstance(scene, BaccaratResult):
        return RESULT
    return OPENINGS[scene.own_cards, scene.dealer_cards]


@dataclass(frozen=True)
class SceneRound:
    """The round of a scene, ready to be linked, with its two parameters."""

    name: str
    round: Kernel
    first: int = 0
    second: int = 0


def scene_round(scene: Scene, soft17: str) -> SceneRound:
    if isinstance(scene, Opening):
        return SceneRound("opening", opening_round, scene.own_cards, scene.dealer_cards)
    if isinstance(scene, DealerHand):
        return SceneRound("dealer", _dealer, SOFT17[soft17])
    return SceneRound("baccarat", _baccarat)


def _dealer(world: Any, table: Any, soft17: int, _unused: int) -> Any:
    return dealer_round(world, table, soft17)


def _baccarat(world: Any, table: Any, _unused: int, _unused_too: int) -> Any:
    return baccarat_round(world, table)
