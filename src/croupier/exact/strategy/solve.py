"""From a choice of rules to the whole solution: optimal play, the best chart, what a round comes to under each.

Solutions are kept on disk under a hash of the rules they are for.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.keep import is_kept, kept
from croupier.exact.strategy.account import StrategyAccount
from croupier.exact.strategy.barrel import BarrelGame, BarrelUpCard
from croupier.exact.strategy.base import BaseGame, BaseUpCard, Ending
from croupier.exact.strategy.graph import STARTS, hand_graph, hands_from
from croupier.exact.strategy.legal import endings_by_cards, exchangeable, natural_shares
from croupier.exact.strategy.madness import CHART_CELLS, MadnessGame, codes_of
from croupier.exact.strategy.position import IMPOSSIBLE, TEN
from croupier.exact.strategy.switch import SwitchGame, SwitchUpCard
from croupier.exact.strategy.tables import strategy_tables
from croupier.exact.strategy.total import best_chart
from croupier.exact.strategy.two_hands import TwoHandsUpCard
from croupier.exact.strategy.view import NEVER_PAID, ClassShoe, OptimalPlay, graph_arrays
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import SPLIT
from croupier.kernels.rounds import find_round
from croupier.kernels.strategy import (
    CLASSES,
    DOUBLES_MADE,
    NO_CONTEXT,
    OTHER_HAND,
    PLAYED_FOR,
    THROWN_AWAY,
    StrategyTables,
    pair_index,
)

Array = NDArray[Any]
Progress = Callable[[float], None]
"""Told the share of the work that is done."""

PlayedGame = BaseGame | SwitchGame | BarrelGame
Deals = BaseUpCard | SwitchUpCard | BarrelUpCard
AnyGame = PlayedGame | MadnessGame

_MODULES = (
    "account",
    "barrel",
    "base",
    "dealer",
    "graph",
    "legal",
    "madness",
    "position",
    "program",
    "switch",
    "tables",
    "tally",
    "total",
    "two_hands",
    "view",
)


@dataclass(frozen=True, kw_only=True)
class PlayPlan:
    """One way to play every hand, and what a round comes to under it."""

    account: StrategyAccount
    codes: Array
    """`codes[up, context, hand]`."""
    decisions: Array
    """The answer before the hands are played, for every up card and deal: switch or keep, where the flex card goes,
    throw a hand away or keep it."""


@dataclass(frozen=True, kw_only=True)
class Solution:
    """A main game solved."""

    game: AnyGame
    best: PlayPlan
    """Optimal by the cards of a hand (composition-dependent)."""
    by_total: PlayPlan
    """The best chart by totals (total-dependent)."""
    by_rating: PlayPlan
    """Games with two hands: optimal play after a decision by the ratings of the two hands alone."""
    values: Array
    """`values[up, context, start, action]` under optimal play, joint with no dealer's blackjack; contexts are those of
    `BaseUpCard.positions`, or the other hand; of Double Down Madness `values[up, hand, action]` for the first wager."""
    margins: Array
    """What hitting is worth more than standing, by up card and hand: base blackjack only, hands as dealt."""
    ratings: Array
    """Games with two hands: what a starting hand is worth on average, by up card, the dealer having no blackjack."""
    cells: Array
    """The chart as numbers, by up card; see `charts.py`."""
    levels: Array
    """Double Down Madness: how hands end, by plan (optimal, by totals), up card and number of doubles made."""

    def tables(self, plan: PlayPlan, insurance: Fraction | None = None) -> StrategyTables:
        """A plan as the tables that answer a round's questions; `insurance` is what that pays, None to leave it."""
        game, codes, context = self.game, plan.codes, NO_CONTEXT
        thrown = game.exchangeable if isinstance(game, BaseGame) else ()
        if thrown and codes.shape[1] > 1:
            context = THROWN_AWAY
            codes = np.zeros((CLASSES, 1 + STARTS, codes.shape[2]), np.int8)
            codes[:, [0, *(1 + start for start in thrown)]] = plan.codes
        elif codes.shape[1] > 1:
            context = {MadnessGame: DOUBLES_MADE, BaseGame: PLAYED_FOR}.get(type(game), OTHER_HAND)
        return strategy_tables(
            codes,
            context,
            game.shoe,
            insurance,
            any_cards=isinstance(game, MadnessGame) or is_late(game),
            switch=plan.decisions if isinstance(game, SwitchGame) else None,
            flex=plan.decisions if isinstance(game, BarrelGame) else None,
            before_play=plan.decisions if thrown else None,
        )


ROWS_NEEDED = {
    "hands": ("blackjack",),
    "switch": ("blackjack",),
    "flex": ("blackjack", "double_barrel_blackjack"),
    "doubles": ("suited_blackjack", "unsuited_blackjack"),
}
"""Rows of the main wager whose pays the solver must know, by program; where a hand may be given up, surrender too."""


def make_game(round_: str, shoe: ClassShoe, rules: BlackjackRules, pays: dict[str, float], cap: float = 0.0) -> AnyGame:
    """The game to solve; `pays` are the profits of the pay table's rows."""
    declared = find_round(round_)
    if declared is None or declared.program not in ROWS_NEEDED:
        raise NotComputedError(f'There is nothing to decide in the round "{round_}", so it has no strategy.')
    program = declared.program
    surrenders = rules.surrender == 1 and program != "doubles"
    for row in (*ROWS_NEEDED[program], *(["surrender"] if surrenders else [])):
        if row not in pays:
            raise NotComputedError(f'The solver needs a row "{row}" on the pay table of the main wager.')
    surrender = pays["surrender"] if surrenders else NEVER_PAID
    if program == "hands":
        return _base_game(round_, shoe, rules, pays, surrender)
    if program == "switch":
        return SwitchGame(shoe, rules, pays["blackjack"], surrender)
    if program == "flex":
        return BarrelGame(shoe, rules, pays["blackjack"], pays["double_barrel_blackjack"], surrender)
    return MadnessGame(shoe, rules, pays["suited_blackjack"], pays["unsuited_blackjack"], cap)


def _base_game(
    round_: str, shoe: ClassShoe, rules: BlackjackRules, pays: dict[str, float], surrender: float
) -> BaseGame:
    """Hands played one by one, by a round's own rules as far as it has any."""
    if exchangeable(round_, rules) and graph_arrays(rules, round_).states > 1:
        raise NotComputedError("Hands that are thrown away, and hands that are played for other money: not both.")
    by_cards = tuple(pays[outcome] for outcome in endings_by_cards(round_))
    shares = natural_shares(round_)
    if not shares:
        return BaseGame(shoe, rules, pays["blackjack"], surrender, round_, (), by_cards)
    naturals = tuple(Ending(outcome, share, pays[outcome]) for outcome, share in shares.items())
    mean = sum(ending.share * ending.pays for ending in naturals)
    return BaseGame(shoe, rules, mean, surrender, round_, naturals, by_cards)


def is_late(game: AnyGame) -> bool:
    """Whether hands of more than two cards may be doubled or given up."""
    return isinstance(game, BaseGame) and graph_arrays(game.rules, game.round_).late == 1


def solve(game: AnyGame, progress: Progress | None = None) -> Solution:
    """Solves a game, or takes the solution from disk."""

    def make() -> tuple[Array, ...]:
        return _to_arrays(solve_anew(game, progress))

    return _from_arrays(game, kept(_name("strategy", game), _sources(), make, ships=True))


def _name(what: str, game: AnyGame) -> str:
    return f"{what}-{hashlib.sha256(repr(_identity(game)).encode()).hexdigest()[:16]}"


def _sources() -> list[ModuleType]:
    """Every module that a solution comes from."""
    package = __name__.rpartition(".")[0]
    return [sys.modules[__name__], *(sys.modules[f"{package}.{name}"] for name in _MODULES)]


def _identity(game: AnyGame) -> tuple[object, ...]:
    """Everything a solution depends on."""
    fields = [value for name, value in sorted(vars(game).items()) if name not in ("shoe", "rules")]
    return type(game).__name__, game.shoe.cards.tolist(), game.shoe.endless, tuple(game.rules), fields


def solve_anew(game: AnyGame, progress: Progress | None = None) -> Solution:
    if isinstance(game, MadnessGame):
        return _solve_madness(game)
    return _solve_played(game, progress or (lambda share: None))


def up_cards(shoe: ClassShoe) -> list[tuple[int, float]]:
    """The up cards that the shoe can show, with their chances."""
    return [(up, float(shoe.cards[up] / shoe.total)) for up in range(CLASSES) if shoe.cards[up] > 0]


def _solve_madness(game: MadnessGame) -> Solution:
    best, by_total = game.new_account(), game.new_account()
    shape = (CLASSES, len(game.stakes), len(hand_graph().total))
    codes, chart_codes = np.zeros(shape, np.int8), np.zeros(shape, np.int8)
    cells, levels = np.zeros((CLASSES, CHART_CELLS), np.int8), np.zeros((2, CLASSES, shape[1], 4))
    values = np.zeros((CLASSES, shape[2], 3))
    for up, chance in up_cards(game.shoe):
        solved = game.solve_up_card(up)
        chart = game.best_chart(up, solved)
        charted = game.solve_up_card(up, chart)
        game.add_to(best, solved, up, chance)
        game.add_to(by_total, charted, up, chance)
        codes[up], chart_codes[up] = codes_of(solved.actions), codes_of(charted.actions)
        cells[up], values[up] = chart, solved.action_values
        levels[0, up], levels[1, up] = solved.tally, charted.tally
    if not game.cap and not game.rules.max_doubles:  # without a limit the money in play changes no decision
        codes, chart_codes = codes[:, :1].copy(), chart_codes[:, :1].copy()
    none = np.zeros((CLASSES, 0), np.int8)
    plan = PlayPlan(account=best, codes=codes, decisions=none)
    return Solution(
        game=game,
        best=plan,
        by_total=PlayPlan(account=by_total, codes=chart_codes, decisions=none),
        by_rating=plan,
        values=values,
        margins=np.zeros((CLASSES, 0)),
        ratings=np.zeros((CLASSES, 0)),
        cells=cells,
        levels=levels,
    )


def best_account(game: AnyGame) -> StrategyAccount:
    """What optimal play comes to, without charts: what changing a switch costs is read from it."""
    arrays = kept(_name("account", game), _sources(), lambda: _best_account_anew(game).to_arrays(), ships=True)
    names, endings, values = arrays
    return StrategyAccount.from_arrays(game.new_account().wagers, names, endings, values)


def has_solution(game: AnyGame) -> bool:
    """Whether `solve` can answer at once."""
    return is_kept(_name("strategy", game), _sources())


def is_solved(game: AnyGame) -> bool:
    """Whether `best_account` can answer at once."""
    return is_kept(_name("account", game), _sources())


def _best_account_anew(game: AnyGame) -> StrategyAccount:
    account = game.new_account()
    if isinstance(game, MadnessGame):
        for up, chance in up_cards(game.shoe):
            game.add_to(account, game.solve_up_card(up), up, chance)
        return account

    def one(shown: tuple[int, float]) -> StrategyAccount:
        up, chance = shown
        deals = game.up_card(up)
        return _optimal(deals, chance, game.new_account()).account

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for part in pool.map(one, up_cards(game.shoe)):
            account.merge(part)
    return account


def _solve_played(game: PlayedGame, progress: Progress) -> Solution:
    """All up cards, side by side: compiled code lets go of the interpreter."""
    shown = up_cards(game.shoe)
    share = _Share(progress, len(shown))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = dict(
            zip(
                dict(shown),
                pool.map(lambda up_card: _solve_up_card(game, up_card[0], up_card[1], share), shown),
                strict=True,
            )
        )
    accounts = [game.new_account() for _ in range(3)]
    for part in parts.values():
        for whole, counted in zip(accounts, part.accounts, strict=True):
            whole.merge(counted)
    like = next(iter(parts.values())).arrays
    rows = [
        parts[up].arrays if up in parts else {name: np.zeros_like(a) for name, a in like.items()} for up in range(10)
    ]
    stacked = {name: np.array([row[name] for row in rows]) for name in like}
    best, by_total, by_rating = accounts
    return Solution(
        game=game,
        best=PlayPlan(account=best, codes=stacked["codes"], decisions=stacked["decisions"]),
        by_total=PlayPlan(account=by_total, codes=stacked["chart_codes"], decisions=stacked["chart_decisions"]),
        by_rating=PlayPlan(account=by_rating, codes=stacked["codes"], decisions=stacked["rated_decisions"]),
        values=stacked["values"],
        margins=stacked["margins"],
        ratings=stacked["ratings"],
        cells=stacked["cells"],
        levels=np.zeros(0),
    )


class _Share:
    """Progress of several up cards at once: each says how far it has come."""

    def __init__(self, progress: Progress, parts: int) -> None:
        self.progress = progress
        self.parts = parts
        self.done: dict[int, float] = {}

    def tell(self, up: int, share: float) -> None:
        self.done[up] = share
        self.progress(sum(self.done.values()) / self.parts)


@dataclass(frozen=True)
class _Optimal:
    """Optimal play against one up card."""

    account: StrategyAccount
    plays: list[OptimalPlay]
    tallies: Array
    values: Array
    decisions: Array


@dataclass(frozen=True)
class _Part:
    """One up card: accounts of the three plans, and the arrays of a solution."""

    accounts: tuple[StrategyAccount, StrategyAccount, StrategyAccount]
    arrays: dict[str, Array]


def _optimal(deals: Deals, chance: float, account: StrategyAccount, tell: Progress | None = None) -> _Optimal:
    plays, tallies = [], []
    for number, position in enumerate(deals.positions, 1):
        plays.append(deals.view.solve(position))
        tallies.append(deals.view.tally(position, plays[-1].codes))
        if tell:
            tell(number / len(deals.positions))
    values = np.array([play.values for play in plays])
    check_tens(deals, values)
    decisions, _ = deals.weights(values.max(2))
    deals.add_to(account, decisions, np.array(tallies), chance)
    return _Optimal(account, plays, np.array(tallies), values, decisions)


def _solve_up_card(game: PlayedGame, up: int, chance: float, share: _Share) -> _Part:
    deals: Deals = game.up_card(up)
    optimal = _optimal(deals, chance, game.new_account(), lambda part: share.tell(up, part / 3))
    codes = [play.codes for play in optimal.plays]
    chart, chart_decisions = best_chart(deals, codes, optimal.values)
    share.tell(up, 0.9)
    played = chart.codes(deals.view.graph.states, any_cards=deals.view.graph.late == 1)
    by_total = game.new_account()
    charted = [deals.view.tally(position, played) for position in deals.positions]
    deals.add_to(by_total, chart_decisions, np.array(charted), chance)
    ratings, rated_decisions, by_rating = np.zeros(0), optimal.decisions, optimal.account
    if isinstance(deals, TwoHandsUpCard):
        by_rating = game.new_account()
        ratings, rated = deals.ratings(optimal.values.max(2), optimal.tallies)
        rated_decisions, _ = deals.weights(rated)
        deals.add_to(by_rating, rated_decisions, optimal.tallies, chance)
    share.tell(up, 1.0)
    return _Part(
        (optimal.account, by_total, by_rating),
        {
            "values": optimal.values,
            "codes": np.concatenate(codes),
            "decisions": optimal.decisions,
            "chart_codes": played,
            "chart_decisions": chart_decisions,
            "rated_decisions": rated_decisions,
            "cells": chart.cells(),
            "ratings": ratings,
            "margins": optimal.plays[0].margins if isinstance(deals, BaseUpCard) else np.zeros(0),
        },
    )


def check_tens(deals: Deals, values: Array) -> None:
    """Where only equal ranks may be split, ten-values are not told apart: make sure nobody would split them."""
    view = deals.view
    if view.rules.split_by_rank == 0 or view.rules.max_hands == 1:
        return
    freely = replace(view, rules=view.rules._replace(split_by_rank=0))
    tens, reachable = pair_index(TEN, TEN), hands_from(hand_graph().of(TEN))
    split = np.array([freely.solve(position, reachable).values[tens, SPLIT] for position in deals.positions])
    if (split > np.maximum(values[:, tens].max(1), IMPOSSIBLE)).any():
        raise NotComputedError(
            "Splitting ten-values would pay with this shoe, and with split_by = rank it would matter which of them "
            "are alike: that is not computed."
        )


_ARRAYS = ("values", "margins", "ratings", "cells", "levels")
_PLANS = ("best", "by_total", "by_rating")


def _to_arrays(solution: Solution) -> tuple[Array, ...]:
    arrays: list[Array] = [getattr(solution, name) for name in _ARRAYS]
    for name in _PLANS:
        plan = getattr(solution, name)
        arrays += [plan.codes, plan.decisions, *plan.account.to_arrays()]
    return tuple(arrays)


def _from_arrays(game: AnyGame, arrays: tuple[Array, ...]) -> Solution:
    plain: dict[str, Any] = dict(zip(_ARRAYS, arrays, strict=False))
    rest = arrays[len(_ARRAYS) :]
    size = len(rest) // len(_PLANS)
    wagers = game.new_account().wagers
    plans: dict[str, Any] = {}
    for number, name in enumerate(_PLANS):
        codes, decisions, *account = rest[number * size : (number + 1) * size]
        plans[name] = PlayPlan(codes=codes, decisions=decisions, account=StrategyAccount.from_arrays(wagers, *account))
    return Solution(game=game, **plain, **plans)
