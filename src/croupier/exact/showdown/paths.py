"""Paths of answers: every way in which a seat can answer a round's questions, as the round itself asks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.decide import TREE_WAGER, OneSeatGame
from croupier.exact.showdown import settlement
from croupier.kernels.declaration import Showdown
from croupier.kernels.link import link, plain

Array = NDArray[np.int64]
EFFECTS = {name: getattr(settlement, name) for name in ("draw", "deal", "ask", "stake", "pay", "settle", "tell")}


@dataclass(frozen=True)
class PathStep:
    """A question on a path, and how it is answered there."""

    question: int
    legal: int
    sight: int
    answer: int
    board_seen: int
    """Shared cards that lie open."""
    staked_before: int
    """Money on the table when it is asked, in the unit of the tree."""


@dataclass(frozen=True)
class Path:
    """The questions of a round, with the answers that a seat gives."""

    asked: tuple[PathStep, ...]
    staked: int
    """All the money that lies on the table at its end."""

    @property
    def answers(self) -> tuple[int, ...]:
        return tuple(step.answer for step in self.asked)


def declared_showdown(game: OneSeatGame) -> Showdown:
    showdown = game.declared.showdown
    assert showdown is not None
    return showdown


def new_showing(game: OneSeatGame, hands: Sequence[int] = (0, 0, 0), board: Sequence[int] = ()) -> settlement.Showing:
    """What a run reads and writes; sets and board can be changed in place."""
    pays = [game.pays.get((wager.id, outcome), Fraction(-1)) * game.scale for wager, outcome in game.endings]
    kinds = [2 if wager.is_apart else 1 if wager.pays_on else 0 for wager in game.declared.wagers]

    def numbers(values: Any) -> Array:
        return np.array(list(values), np.int64)

    return settlement.Showing(
        hands=numbers(hands),
        board=numbers(board),
        path=np.full(settlement.MOST_QUESTIONS, settlement.LOWEST_LEGAL, np.int64),
        asked=np.zeros((settlement.MOST_QUESTIONS, settlement.ASKED_COLUMNS), np.int64),
        ended=np.zeros((settlement.MOST_ENDED, 2), np.int64),
        flags=np.zeros(settlement.FLAGS, np.int64),
        pays=numbers(int(pay) for pay in pays),
        cells=numbers(game.cells),
        stakeless=numbers(kinds),
        memory=np.zeros(game.declared.memory, np.int64),
        stakes=numbers([TREE_WAGER]),
        rules=game.rules,
    )


@cache
def linked_plain(play: Any) -> Callable[[settlement.Showing], tuple[int, int]]:
    """`run_showdown` in plain Python, for a few runs."""
    run: Callable[[settlement.Showing], tuple[int, int]] = link(
        settlement.run_showdown, plain, {**EFFECTS, "play": play}
    )
    return run


def in_plain_numbers(showing: settlement.Showing) -> settlement.Showing:
    """The same with lists, which plain Python reads faster, and whose numbers have no last bit."""
    return showing._replace(**{name: value.tolist() for name, value in showing._asdict().items() if name != "rules"})


def paths_of(game: OneSeatGame, hands: Sequence[int], board: Sequence[int] = ()) -> list[Path]:
    """Every path of answers for these cards: sets of the seat, of what the dealer shows and of what he hides."""
    run = linked_plain(game.declared.play)
    paths: list[Path] = []
    ahead: list[tuple[int, ...]] = [()]
    while ahead:
        given = ahead.pop()
        showing = new_showing(game, hands, board)
        showing.path[: len(given)] = given
        showing = in_plain_numbers(showing)
        run(showing)
        asked = tuple(PathStep(*map(int, row)) for row in showing.asked[: showing.flags[settlement.ASKED]])
        path = Path(asked, int(showing.flags[settlement.STAKED]))
        paths.append(path)
        for at in range(len(given), len(asked)):
            legal = asked[at].legal
            others = (answer for answer in range(16) if legal >> answer & 1 and answer != asked[at].answer)
            ahead += [(*path.answers[:at], answer) for answer in others]
    return sorted(paths, key=lambda path: path.answers)
