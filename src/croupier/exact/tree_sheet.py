"""Games that the tree decides, as a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any

from croupier.errors import NotComputedError, RangeError
from croupier.exact.decide import Decided, Decision, OneSeatGame, Progress, decide, full_deck, is_decided_already
from croupier.exact.strategy.account import Ending, StrategyAccount
from croupier.exact.strategy.charts import Grid
from croupier.exact.strategy.result import PlayedSheet
from croupier.kernels.sights import SightTables
from croupier.rules.choice import Choice, choose


@dataclass(frozen=True, kw_only=True)
class TreeSheet(PlayedSheet):
    """A main game decided."""

    decided: Decided

    @cached_property
    def account(self) -> StrategyAccount:
        """Endings of other wagers than the first are named with the wager: `play.win`."""
        account = StrategyAccount(wagers=1, square=float(self.decided.square))
        for (wager, outcome), (often, staked, profit) in self.decided.endings.items():
            name = outcome if self._is_of_first(wager) else f"{wager}.{outcome}"
            account.endings[name] = Ending(float(often), float(staked), float(profit))
        return account

    def _is_of_first(self, wager: str) -> bool:
        first = self.choice.game.declared.first_wager
        settled = self.choice.game.declared.wager(wager)
        return wager == first or (settled is not None and settled.pays_on == first)

    def is_own(self, ending: str) -> bool:
        return ending in ("lose", *self.choice.game.declared.wagers[0].outcomes)

    @property
    def edge(self) -> float:
        return float(self.decided.edge)

    @property
    def method(self) -> str:
        shoe = "one deck" if self.choice.decks == 1 else f"{self.choice.decks} decks"
        ties = f"; at {self.decided.ties} sights another answer is worth the same" if self.decided.ties else ""
        return (
            f"exact: every deal of {shoe} and every answer, {self.decided.deals:,} orders of cards, in integers; "
            f"edge for each unit of the first wager{ties}"
        )

    @cached_property
    def charts(self) -> dict[str, Grid]:
        """For each question the sights in rising order, those in a row that are answered alike as one."""
        declared = self.choice.game.declared
        grids: dict[str, Grid] = {}
        for number, decisions in groupby(self.decided.decisions, key=lambda decision: decision.question):
            question = declared.questions[number]
            grid: Grid = {}
            for answer, alike in groupby(decisions, key=lambda decision: decision.answer):
                row = _row_name(
                    list(alike), lambda decision: declared.describe_sight(decision.question, decision.sight)
                )
                grid[row] = {"answer": question.words[answer]}
            grids[question.id] = grid
        return grids

    @property
    def usual_edge(self) -> float | None:
        return None

    def tables(self, insurance: Any = None) -> SightTables:
        return self.decided.tables


def _row_name(decisions: list[Decision], words: Any) -> str:
    return range_words(str(words(decisions[0])), str(words(decisions[-1])))


def range_words(low: str, high: str) -> str:
    """A range as people say it: `a tie of twos through aces`, `A-K-Q to pair of twos`."""
    if low == high:
        return low
    first, last = low.split(), high.split()
    shared = next((at for at, both in enumerate(zip(first, last, strict=False)) if both[0] != both[1]), 0)
    return f"{low} through {' '.join(last[shared:])}" if shared else f"{low} to {high}"


def game_of(choice: Choice) -> OneSeatGame:
    """The round to decide."""
    declared = choice.game.declared
    if choice.decks is None:
        raise NotComputedError(f"{choice.game.name} is dealt from real decks: 1 or more, not inf.", code="bad_decks")
    rules = declared.decisive(choice.game.rules_under(choice.switches, seats=1), side_wagers=False)
    return OneSeatGame(declared, choice.game.round, rules, full_deck(declared, choice.decks), dict(_pays(choice)))


def _pays(choice: Choice) -> Iterator[tuple[tuple[str, str], Fraction]]:
    """Profit of each outcome of the round's wagers, from the pay tables of the wagers that they are paid by.

    The loader has seen to it that what has no row cannot come up.
    """
    game, declared = choice.game, choice.game.declared
    for settled in declared.wagers:
        wager = game.wager_of_round(settled.pays_on or settled.id)
        if wager is None:
            continue
        rows = choice.rows if wager == choice.wager else _rows_of(choice, wager.id)
        nets = {row.row: row.pays.net for row in rows}
        for outcome in settled.outcomes:
            if outcome in nets:
                yield (settled.id, outcome), nets[outcome]


def _rows_of(choice: Choice, wager: str) -> Any:
    paying = choose(choice.game, wager)
    return paying.pay_table.rows_in_force(choice.switches, choice.decks)


def solved_sheet(
    choice: Choice, *, cap: float, total_dependent: bool, progress: Progress | None, keep: bool
) -> TreeSheet:
    """Decides the main wager of a choice, or takes what was decided from disk."""
    if cap:
        raise RangeError("A limit for single wagers changes no answer of this game.", code="no_limit")
    decided = decide(game_of(choice), progress, keep=keep)
    return TreeSheet(choice=choice, decided=decided, total_dependent=total_dependent)


def account_of(choice: Choice, cap: float = 0.0) -> StrategyAccount:
    """What optimal play of the main wager comes to."""
    return solved_sheet(choice, cap=cap, total_dependent=False, progress=None, keep=True).account


def is_kept(choice: Choice) -> bool:
    return is_decided_already(game_of(choice))


def rules_compared(choice: Choice) -> tuple[object, ...]:
    """All that the worth of the main wager depends on besides the deck."""
    game = game_of(choice)
    return game.rules, tuple(sorted(game.pays.items()))
