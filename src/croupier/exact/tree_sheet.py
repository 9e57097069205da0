"""Games that the tree decides, as a sheet."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, ClassVar

from croupier.errors import NotComputedError, RangeError
from croupier.exact.decide import (
    TREE_WAGER,
    Decided,
    Decision,
    OneSeatGame,
    Played,
    Progress,
    decide,
    full_deck,
    is_decided_already,
)
from croupier.exact.decide import values_at_hand as read_values
from croupier.exact.plain_rules import (
    RuleLine,
    answers_by,
    chart_lines,
    edge_under,
    follow,
    grid_of,
    kept_edges,
    line_for,
)
from croupier.exact.strategy.account import Ending, StrategyAccount
from croupier.exact.strategy.charts import Grid
from croupier.exact.strategy.result import ChartValues, Followed, PlayedSheet, WagerAccount
from croupier.kernels.sights import SightTables
from croupier.rules.choice import Choice, choose


@dataclass(frozen=True, kw_only=True)
class CountedSheet(PlayedSheet):
    """A main game whose every deal was counted, one way or the other."""

    deals_unit: ClassVar[str] = "orders of cards"
    """What its deals are."""

    @property
    @abstractmethod
    def played(self) -> Played:
        """What it comes to."""

    @property
    @abstractmethod
    def ties(self) -> int:
        """Sights at which another answer is worth the same."""

    @cached_property
    def account(self) -> StrategyAccount:
        """Endings of other wagers than the first are named with the wager: `play.win`."""
        account = StrategyAccount(wagers=1, square=float(self.played.square))
        for (wager, outcome), (often, staked, profit) in self.played.endings.items():
            name = outcome if self._is_of_first(wager) else f"{wager}.{outcome}"
            account.endings[name] = Ending(float(often), float(staked), float(profit))
        return account

    @property
    def wagers(self) -> dict[str, WagerAccount]:
        accounts: dict[str, WagerAccount] = {}
        for (wager, _), (_, staked, profit) in self.played.endings.items():
            known = accounts.get(wager, WagerAccount(0.0, 0.0))
            accounts[wager] = WagerAccount(known.staked + float(staked), known.loss - float(profit))
        return accounts

    def _is_of_first(self, wager: str) -> bool:
        first = self.choice.game.declared.first_wager
        settled = self.choice.game.declared.wager(wager)
        return wager == first or (settled is not None and settled.pays_on == first)

    def is_own(self, ending: str) -> bool:
        return ending in ("lose", *self.choice.game.declared.wagers[0].outcomes)

    @property
    def edge(self) -> float:
        return float(self.played.edge)

    @property
    def method(self) -> str:
        shoe = "one deck" if self.choice.decks == 1 else f"{self.choice.decks} decks"
        ties = f"; at {self.ties:,} sights another answer is worth the same" if self.ties else ""
        return (
            f"exact: every deal of {shoe} and every answer, {self.played.deals:,} {self.deals_unit}, in integers; "
            f"edge for each unit of the first wager{ties}"
        )

    @property
    def usual_edge(self) -> float | None:
        return None


@dataclass(frozen=True, kw_only=True)
class TreeSheet(CountedSheet):
    """A main game decided by the tree."""

    decided: Decided
    limit: float = 0.0
    """The most a single wager may be, in units of the first; 0 for no limit."""

    @property
    def cap(self) -> float:
        return self.limit

    @property
    def played(self) -> Decided:
        return self.decided

    @property
    def ties(self) -> int:
        return self.decided.ties

    @cached_property
    def charts(self) -> dict[str, Grid]:
        """For each question the sights in rising order, those in a row that are answered alike as one."""
        declared = self.choice.game.declared
        if declared.kind_of_sight is not None:
            asked = ((declared.questions[number], lines) for number, lines in self._lines)
            return {question.id: grid_of(lines, question) for question, lines in asked}
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

    @cached_property
    def _lines(self) -> list[tuple[int, list[RuleLine]]]:
        """The chart by kinds of sights, question by question."""
        kind_of = self.choice.game.declared.kind_of_sight
        assert kind_of is not None
        by_question = groupby(self.decided.decisions, key=lambda decision: decision.question)
        return [(number, chart_lines(decisions, kind_of)) for number, decisions in by_question]

    @cached_property
    def edge_total_dependent(self) -> float:
        kind_of = self.choice.game.declared.kind_of_sight
        if kind_of is None:
            return self.edge
        [edge] = kept_edges(self.decided.game, "chart", [kind_of], lambda: [self._edge_by_lines(kind_of)])
        return float(edge)

    def _edge_by_lines(self, kind_of: Callable[[int, int], tuple[str, ...]]) -> Fraction:
        lines = dict(self._lines)
        by_question = groupby(self.decided.decisions, key=lambda decision: decision.question)
        answers: dict[int, int] = {}
        for number, decisions in by_question:
            answers |= answers_by(lines[number], decisions, kind_of)
        return edge_under(self.decided.game, answers)

    @cached_property
    def followed(self) -> tuple[Followed, ...]:
        return follow(self.decided)

    @cached_property
    def chart_values(self) -> ChartValues:
        """Means over the sights of a row, by how likely they are; of the answers that all of them have."""
        declared = self.choice.game.declared
        parts: ChartValues = {}
        for number, group in groupby(self.decided.decisions, key=lambda decision: decision.question):
            question, decisions = declared.questions[number], list(group)
            rows = parts.setdefault(question.id, {})
            for row, alike in self._rows_of(number, decisions).items():
                rows[row, "answer"] = {question.words[answer]: worth for answer, worth in mean_values(alike).items()}
        return parts

    def _rows_of(self, number: int, decisions: list[Decision]) -> dict[str, list[Decision]]:
        """The sights of each row of a chart."""
        declared = self.choice.game.declared
        rows: dict[str, list[Decision]] = {}
        if declared.kind_of_sight is None:
            for _, alike in groupby(decisions, key=lambda decision: decision.answer):
                here = list(alike)
                name = _row_name(here, lambda decision: declared.describe_sight(decision.question, decision.sight))
                rows.setdefault(name, []).extend(here)
            return rows
        lines = dict(self._lines)[number]
        names = dict(zip((line.words for line in lines), grid_of(lines, declared.questions[number]), strict=True))
        for decision in decisions:
            rows.setdefault(names[line_for(names, declared.kind_of_sight(number, decision.sight))], []).append(decision)
        return rows

    def tables(self, insurance: Any = None) -> SightTables:
        return self.decided.tables


def mean_values(decisions: Sequence[Decision]) -> dict[int, float]:
    """What each answer is worth to all of these together, where all have it; alike, where best play meets none."""
    legal = set.intersection(*(set(decision.values) for decision in decisions))
    weights = [float(decision.weight) for decision in decisions]
    if not any(weights):
        weights = [1.0] * len(decisions)
    whole = sum(weights)
    return {
        answer: sum(
            weight * float(decision.values[answer]) for weight, decision in zip(weights, decisions, strict=True)
        )
        / whole
        for answer in sorted(legal)
    }


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
    if choice.game.is_of_sets and choice.decks != 1:
        raise NotComputedError(f"{choice.game.name} is dealt from one deck: write --decks 1.", code="one_deck_only")
    rules = declared.decisive(choice.game.rules_under(choice.switches, seats=1), side_wagers=False)
    return OneSeatGame(declared, choice.game.round, rules, full_deck(declared, choice.decks), dict(_pays(choice)))


def capped_game(choice: Choice, cap: float) -> OneSeatGame:
    """The round to decide, with a limit for single wagers in units of the first; 0 for none."""
    game = game_of(choice)
    if not cap:
        return game
    if "cap" not in game.rules._fields:
        raise RangeError("A limit for single wagers changes no answer of this game.", code="no_limit")
    return replace(game, rules=game.rules._replace(cap=int(cap * TREE_WAGER)))


def _pays(choice: Choice) -> Iterator[tuple[tuple[str, str], Fraction]]:
    """Profit of each outcome of the round's wagers, from the pay tables of the wagers that they are paid by.

    The loader has seen to it that what has no row cannot come up.
    """
    game, declared = choice.game, choice.game.declared
    for settled in declared.wagers:
        wager = game.wager_of_round(settled.paid_by)
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
    decided = decide(capped_game(choice, cap), progress, keep=keep)
    return TreeSheet(choice=choice, decided=decided, limit=cap, total_dependent=total_dependent)


def account_of(choice: Choice, cap: float = 0.0) -> StrategyAccount:
    """What optimal play of the main wager comes to."""
    return solved_sheet(choice, cap=cap, total_dependent=False, progress=None, keep=True).account


def is_kept(choice: Choice) -> bool:
    return is_decided_already(game_of(choice))


def values_at(choice: Choice, question: int, sight: int, cap: int) -> Mapping[int, Fraction]:
    """What each legal answer is worth at a sight, in first wagers; the last games are at hand."""
    return _decided(MainGame.of(choice), cap).at(question, sight).values


def values_at_hand(choice: Choice, question: int, sight: int) -> Mapping[int, Fraction] | None:
    """The same, where it came with the package and is there at once."""
    return read_values(game_of(choice), question, sight)


def decisions_of(choice: Choice) -> tuple[Decision, ...]:
    """Every question with its sight, in order of both."""
    return _decided(MainGame.of(choice)).decisions


@dataclass(frozen=True)
class MainGame:
    """A choice that equals every other under which the main wager is worth the same."""

    key: tuple[object, ...]
    choice: Choice = field(compare=False)

    @classmethod
    def of(cls, choice: Choice) -> MainGame:
        return cls((choice.game.id, choice.decks, rules_compared(choice)), choice)


@lru_cache(maxsize=64)
def _decided(main: MainGame, cap: int = 0) -> Decided:
    return decide(capped_game(main.choice, cap))


def rules_compared(choice: Choice) -> tuple[object, ...]:
    """All that the worth of the main wager depends on besides the deck."""
    game = game_of(choice)
    return game.rules, tuple(sorted(game.pays.items()))
