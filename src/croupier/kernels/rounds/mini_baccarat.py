"""Mini-baccarat. All its wagers, the sides and the tie among them, are decided by the two finished hands."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from croupier.kernels.baccarat import baccarat_round
from croupier.kernels.declaration import Place, Round
from croupier.kernels.effects import DEALER, PLAYER_HAND, Memory, Stakes, Table, World
from croupier.kernels.hands import EMPTY, add_point, total_of
from croupier.kernels.scenes import BaccaratDeal, BaccaratResult


class BaccaratRules(NamedTuple):
    """Nobody decides anything."""

    seats: int = 1


def mini_baccarat_round(world: World, table: Table, memory: Memory, stakes: Stakes, rules: BaccaratRules) -> World:
    """One deal for all seats."""
    return baccarat_round(world, table)


def points_of(cards: Sequence[int]) -> int:
    hand = EMPTY
    for card in cards:
        hand = add_point(hand, card)
    return total_of(hand)


def counted(cards: Sequence[int]) -> dict[str, Any]:
    return {"total": points_of(cards)}


def describe(cards: Sequence[int]) -> str:
    """The points: `7`."""
    return str(points_of(cards))


ROUND = Round(
    play=mini_baccarat_round,
    family="baccarat",
    rules=BaccaratRules(),
    places=(
        Place(id="player", label="Player hand", number=PLAYER_HAND),
        Place(id="dealer", label="Banker hand", number=DEALER),
    ),
    scenes=(BaccaratResult(), BaccaratResult(cards=True), BaccaratDeal()),
    needs_first_wager=False,
    worth_of_side=points_of,
    describe=describe,
    counted=counted,
    most_cards=6,
    burns_by_first_card=True,
)
