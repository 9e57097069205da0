"""Side bets, one file each: a function from hands to an outcome, and the facts the engines need about it.

A file `bets/<name>.py` holds `BET`, and a game file names it by `classifier = "<name>"`. Nothing else registers a bet.
Files beside a game file that is not ours are read by `rules/outside.py`, which hands their bets over to `add_outside`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from croupier.kernels.effects import LOSE
from croupier.kernels.scenes import Scene

__all__ = ["LOSE", "Bet", "add_outside", "bet_names", "find_bet", "option"]


@dataclass(frozen=True, kw_only=True)
class Bet:
    """A way to win: what it looks at and how hands become outcomes."""

    classify: Callable[[int, int, int], int]
    """`classify(own, other, options)`: index into `outcomes`, or LOSE. The best outcome only: it is what is paid."""
    outcomes: tuple[str, ...]
    """Names of the outcomes, best first. Pay-table rows point at them."""
    scene: Scene
    """The part of a round that decides it."""
    suits: Literal["none", "own", "all"] = "none"
    """Whose suits matter: nobody's, the own hand's, or those of all cards together."""
    faces: bool = False
    """Whether ten, jack, queen and king are told apart."""
    options: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Switches it obeys, in order, with their values in order; `option(options, i)` is the index of the i-th."""
    outside: tuple[str, str] | None = None
    """Of a bet that is not ours: its name and the text of its file, of which any process can make it again."""

    def __reduce__(self) -> Any:
        """An outside bet travels as its text: the other process may not have the file."""
        from croupier.kernels.outside import make_bet

        return (make_bet, self.outside) if self.outside is not None else super().__reduce__()

    def pack(self, switches: Mapping[str, str]) -> int:
        """The chosen values of its switches as `classify` reads them: four bits each."""
        return sum(values.index(switches[name]) << 4 * i for i, (name, values) in enumerate(self.options.items()))


def option(options: int, position: int) -> int:
    """The chosen value of the switch at `position`: four bits each."""
    return options >> 4 * position & 15


_outside: dict[str, Bet] = {}
"""Bets that are not ours, by names that none of ours can have: they end with a digest of the file."""


def add_outside(name: str, bet: Bet) -> None:
    _outside[name] = bet


def find_bet(name: str) -> Bet | None:
    """The bet of that name, or None."""
    if name in _outside:
        return _outside[name]
    return _our_bet(name)


@cache
def _our_bet(name: str) -> Bet | None:
    if name in _files():
        bet = import_module(f"croupier.kernels.bets.{name}").BET
        assert isinstance(bet, Bet)
        return bet
    return _bets_of_rounds().get(name)


@cache
def bet_names() -> tuple[str, ...]:
    """Every bet there is: the files of this folder, and bets that a round brings along."""
    return (*_files(), *_bets_of_rounds())


@cache
def _files() -> tuple[str, ...]:
    """Looked for once, as the lab asks hundreds of times a second."""
    return tuple(path.stem for path in sorted(Path(__file__).parent.glob("*.py")) if path.stem != "__init__")


@cache
def _bets_of_rounds() -> dict[str, Bet]:
    from croupier.kernels.rounds import find_round, round_names  # rounds import bets, too

    rounds = (find_round(name) for name in round_names())
    return {name: bet for declared in rounds if declared is not None for name, bet in declared.bets.items()}
