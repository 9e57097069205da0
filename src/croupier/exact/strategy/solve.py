"""From a choice of rules to the whole solution: optimal play, the best chart, what a round comes to under each.

Solutions are kept on disk under a hash of the rules they are for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.keep import kept
from croupier.exact.strategy import total
from croupier.exact.strategy.account import Account
from croupier.exact.strategy.barrel import BarrelGame, BarrelUpCard
from croupier.exact.strategy.base import BaseGame, BaseUpCard
from croupier.exact.strategy.madness import CHART_CELLS, MadnessGame, codes_of
from croupier.exact.strategy.program import IMPOSSIBLE, TEN, run_position
from croupier.exact.strategy.switch import SwitchGame, SwitchUpCard
from croupier.exact.strategy.tables import strategy_tables
from croupier.exact.strategy.two_hands import TwoHandsUpCard
from croupier.exact.strategy.view import Shoe, UpCard
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import SPLIT
from croupier.kernels.link import Kernel
from croupier.kernels.strategy import CLASSES, DOUBLES_MADE, NO_CONTEXT, OTHER_HAND, StrategyTables, pair_index

Array = NDArray[Any]
Progress = Callable[[float], None]
"""Told the share of the work that is done."""

PlayedGame = BaseGame | SwitchGame | BarrelGame
AnyGame = PlayedGame | MadnessGame

_SOURCES: list[Kernel] = [
    run_position,
    strategy_tables,
    total.best_chart,
    Account.add,
    BaseGame.up_card,
    SwitchGame.up_card,
    BarrelGame.up_card,
    MadnessGame.add_to,
    TwoHandsUpCard.add_arranged,
    UpCard.solve,
]
"""One function of each file that a solution comes from."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """One way to play every hand, and what a round comes to under it."""

    account: Account
    codes: Array
    """`codes[up, context, hand]`."""
    decisions: Array
    """The answer before the hands are played, for every up card and deal: switch or keep, where the flex card goes."""


@dataclass(frozen=True, kw_only=True)
class Solution:
    """A main game solved."""

    game: AnyGame
    best: Plan
    """Optimal by the cards of a hand (composition-dependent)."""
    by_total: Plan
    """The best chart by totals (total-dependent)."""
    values: Array
    """`values[up, context, start, action]` under optimal play, joint with no dealer's blackjack; of Double Down Madness
    the values of first cards."""
    margins: Array
    """What hitting is worth more than standing, by up card and hand: base blackjack only."""
    cells: Array
    """The chart as numbers, by up card; see `charts.py`."""
    levels: Array
    """Double Down Madness: how hands end, by up card and number of doubles made."""

    def tables(self, plan: Plan) -> StrategyTables:
        """A plan as the tables that answer a round's questions."""
        context = NO_CONTEXT
        if plan.codes.shape[1] > 1:
            context = DOUBLES_MADE if isinstance(self.game, MadnessGame) else OTHER_HAND
        return strategy_tables(
            plan.codes,
            context,
            self.game.shoe,
            switch=plan.decisions if isinstance(self.game, SwitchGame) else None,
            flex=plan.decisions if isinstance(self.game, BarrelGame) else None,
        )


def make_game(round_: str, shoe: Shoe, rules: BlackjackRules, pays: dict[str, float], cap: float = 0.0) -> AnyGame:
    """The game to solve; `pays` are the profits of the pay table's rows."""
    if round_ == "blackjack":
        return BaseGame(shoe, rules, pays["blackjack"])
    if round_ == "blackjack_switch":
        return SwitchGame(shoe, rules, pays["blackjack"])
    if round_ == "double_barrel":
        return BarrelGame(shoe, rules, pays["blackjack"], pays["double_barrel_blackjack"])
    if round_ == "double_down_madness":
        return MadnessGame(shoe, rules, pays["suited_blackjack"], pays["unsuited_blackjack"], cap)
    raise NotComputedError(f'There is nothing to decide in the round "{round_}", so it has no strategy.')


def solve(game: AnyGame, progress: Progress | None = None) -> Solution:
    """Solves a game, or takes the solution from disk."""
    name = f"strategy-{hashlib.sha256(repr(_identity(game)).encode()).hexdigest()[:16]}"

    def make() -> tuple[Array, ...]:
        return _to_arrays(solve_anew(game, progress))

    return _from_arrays(game, kept(name, _SOURCES, make))


def _identity(game: AnyGame) -> tuple[object, ...]:
    """Everything a solution depends on."""
    fields = [value for name, value in sorted(vars(game).items()) if name not in ("shoe", "rules")]
    return type(game).__name__, game.shoe.cards.tolist(), game.shoe.endless, tuple(game.rules), fields


def solve_anew(game: AnyGame, progress: Progress | None = None) -> Solution:
    if isinstance(game, MadnessGame):
        return _solve_madness(game)
    return _solve_played(game, progress or (lambda share: None))


def up_cards(shoe: Shoe) -> list[tuple[int, float]]:
    """The up cards that the shoe can show, with their chances."""
    return [(up, float(shoe.cards[up] / shoe.total)) for up in range(CLASSES) if shoe.cards[up] > 0]


def _solve_madness(game: MadnessGame) -> Solution:
    best, by_total = game.new_account(), game.new_account()
    shape = (CLASSES, *game.solve_up_card(up_cards(game.shoe)[0][0]).actions.shape)
    codes, chart_codes = np.zeros(shape, np.int8), np.zeros(shape, np.int8)
    cells, firsts = np.zeros((CLASSES, CHART_CELLS), np.int8), np.zeros((CLASSES, CLASSES))
    levels = np.zeros((CLASSES, shape[1], 4))
    for up, chance in up_cards(game.shoe):
        solved = game.solve_up_card(up)
        chart = game.best_chart(up, solved)
        charted = game.solve_up_card(up, chart)
        game.add_to(best, solved, up, chance)
        game.add_to(by_total, charted, up, chance)
        codes[up], chart_codes[up] = codes_of(solved.actions), codes_of(charted.actions)
        cells[up], levels[up], firsts[up] = chart, solved.tally, solved.first_values
    if not game.cap and not game.rules.max_doubles:  # without a limit the money in play changes no decision
        codes, chart_codes = _any_level(codes), _any_level(chart_codes)
    none = np.zeros((CLASSES, 0), np.int8)
    return Solution(
        game=game,
        best=Plan(account=best, codes=codes, decisions=none),
        by_total=Plan(account=by_total, codes=chart_codes, decisions=none),
        values=firsts,
        margins=np.zeros((CLASSES, 0)),
        cells=cells,
        levels=levels,
    )


def _any_level(codes: Array) -> Array:
    """Codes of hands when the number of doubles does not matter: each hand as at the first wager."""
    return np.ascontiguousarray(codes[:, :1])


def _solve_played(game: PlayedGame, progress: Progress) -> Solution:
    best, by_total = game.new_account(), game.new_account()
    parts: list[dict[str, Array]] = []
    shown = dict(up_cards(game.shoe))
    for up in range(CLASSES):
        if up in shown:
            deals = game.up_card(up)
            step = _Steps(progress, up, len(deals.positions))
            parts.append(_solve_deals(deals, best, by_total, shown[up], step))
            check_tens(deals.view, parts[-1]["values"])
        progress((up + 1) / CLASSES)
    whole = next(iter(parts))
    every = iter(parts)
    rows = [
        next(every) if up in shown else {name: np.zeros_like(part) for name, part in whole.items()} for up in range(10)
    ]
    stacked = {name: np.array([row[name] for row in rows]) for name in whole}
    return Solution(
        game=game,
        best=Plan(account=best, codes=stacked["codes"], decisions=stacked["decisions"]),
        by_total=Plan(account=by_total, codes=stacked["chart_codes"], decisions=stacked["chart_decisions"]),
        values=stacked["values"],
        margins=stacked["margins"],
        cells=stacked["cells"],
        levels=np.zeros(0),
    )


@dataclass
class _Steps:
    """Progress within one up card: half for optimal play, half for the chart."""

    progress: Progress
    up: int
    positions: int

    def solved(self, number: int) -> None:
        self.progress((self.up + number / self.positions / 2) / CLASSES)


def _solve_deals(
    deals: BaseUpCard | SwitchUpCard | BarrelUpCard, best: Account, by_total: Account, chance: float, step: _Steps
) -> dict[str, Array]:
    """One up card: both plans, counted into their accounts."""
    plays, tallies = [], []
    for number, position in enumerate(deals.positions, 1):
        plays.append(deals.view.solve(position))
        tallies.append(deals.view.tally(position, plays[-1].codes))
        step.solved(number)
    values, codes = np.array([play.values for play in plays]), np.array([play.codes for play in plays])
    decisions, _ = deals.weights(values.max(2))
    deals.add_to(best, decisions, np.array(tallies), chance)
    chart, chart_decisions = total.best_chart(deals, list(codes), values)
    played = chart.codes()
    charted = [deals.view.tally(position, played) for position in deals.positions]
    deals.add_to(by_total, chart_decisions, np.array(charted), chance)
    one_hand = len(plays) == 1
    return {
        "values": values,
        "codes": codes,
        "decisions": decisions,
        "chart_codes": played[None],
        "chart_decisions": chart_decisions,
        "cells": chart.cells(),
        "margins": plays[0].margins if one_hand else np.zeros(0),
    }


def check_tens(view: UpCard, values: Array) -> None:
    """Where only equal ranks may be split, ten-values are not told apart: make sure nobody would split them."""
    if view.rules.split_by_rank == 0 or view.rules.max_hands == 1:
        return
    freely = UpCard(view.shoe, view.up, view.rules._replace(split_by_rank=0), view.blackjack_pays)
    tens = pair_index(TEN, TEN)
    split = freely.solve(freely.position()).values[tens, SPLIT]
    if split > values[0, tens].max() > IMPOSSIBLE:
        raise NotComputedError(
            "Splitting ten-values would pay with this shoe, and with split_by = rank it would matter which of them "
            "are alike: that is not computed."
        )


def _to_arrays(solution: Solution) -> tuple[Array, ...]:
    plans = (solution.best, solution.by_total)
    arrays: list[Array] = [solution.values, solution.margins, solution.cells, solution.levels]
    for plan in plans:
        arrays += [plan.codes, plan.decisions, *plan.account.to_arrays()]
    return tuple(arrays)


def _from_arrays(game: AnyGame, arrays: tuple[Array, ...]) -> Solution:
    values, margins, cells, levels = arrays[:4]
    plans = [
        Plan(codes=part[0], decisions=part[1], account=Account.from_arrays(game.new_account().wagers, *part[2:]))
        for part in (arrays[4:9], arrays[9:14])
    ]
    return Solution(
        game=game, best=plans[0], by_total=plans[1], values=values, margins=margins, cells=cells, levels=levels
    )
