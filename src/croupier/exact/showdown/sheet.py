"""Games whose showdowns are counted, as a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import ModuleType
from typing import Any, ClassVar

from croupier.exact.decide import TREE_WAGER, Decision, OneSeatGame, Progress
from croupier.exact.showdown import board, hands
from croupier.exact.showdown.charts import chart_worth
from croupier.exact.showdown.hand_values import estimated_values, values_of
from croupier.exact.showdown.paths import declared_showdown
from croupier.exact.showdown.result import Counted
from croupier.exact.showdown.sample import sampled_decisions
from croupier.exact.strategy.account import StrategyAccount
from croupier.exact.strategy.charts import Grid
from croupier.exact.strategy.result import ChartValues, Followed
from croupier.exact.tree_sheet import CountedSheet, MainGame, capped_game, game_of, rules_compared
from croupier.kernels.holdem import pair_index
from croupier.kernels.poker_words import LETTERS
from croupier.kernels.sets import RANK_COUNT
from croupier.rules.choice import Choice

__all__ = ["account_of", "decisions_of", "is_kept", "rules_compared", "solved_sheet", "values_at"]


@dataclass(frozen=True, kw_only=True)
class ShowdownSheet(CountedSheet):
    """A main game decided by counting showdowns."""

    deals_unit: ClassVar[str] = "deals"
    counted: Counted
    most: float = 0.0

    @property
    def played(self) -> Counted:
        return self.counted

    @property
    def cap(self) -> float:
        return self.most

    @property
    def ties(self) -> int:
        return self.counted.ties

    @property
    def charts(self) -> dict[str, Grid]:
        return self.counted.charts

    @property
    def chart_values(self) -> ChartValues:
        """Of a board, of each holding; else means over the hands of a row and over what the dealer may show."""
        game, counted = self.counted.game, self.counted
        if isinstance(counted, board.BoardCounted):
            return board_values(counted)
        assert isinstance(counted, hands.CountedHands)
        unit = TREE_WAGER * game.scale
        worth = chart_worth(game, counted.hands, counted.votes, counted.worth, counted.legal, unit)
        return {game.declared.questions[0].id: dict(worth)}

    @property
    def followed(self) -> tuple[Followed, ...]:
        return self.counted.followed

    def tables(self, insurance: Any = None) -> Any:
        return self.counted.tables


def _way(game: OneSeatGame) -> ModuleType:
    """With a board, all hands on it are compared at once; without, the dealer's hands are counted for each own one."""
    assert game.declared.showdown is not None
    return board if game.declared.showdown.board else hands


def solved_sheet(
    choice: Choice, *, cap: float, total_dependent: bool, progress: Progress | None, keep: bool
) -> ShowdownSheet:
    """Decides the main wager of a choice, or takes what was decided from disk."""
    game = capped_game(choice, cap)
    counted = _way(game).count(game, progress, keep=keep)
    return ShowdownSheet(choice=choice, counted=counted, total_dependent=total_dependent, most=cap)


def account_of(choice: Choice, cap: float = 0.0) -> StrategyAccount:
    """What optimal play of the main wager comes to."""
    return solved_sheet(choice, cap=cap, total_dependent=False, progress=None, keep=True).account


def is_kept(choice: Choice) -> bool:
    game = game_of(choice)
    return bool(_way(game).is_counted_already(game))


def values_at(choice: Choice, question: int, sight: int, cap: int) -> Mapping[int, Fraction]:
    """What each legal answer is worth at a sight, in first wagers; the last games are at hand."""
    game = capped_game(choice, cap)
    if is_compared_alone(game):  # no need to count the whole game for one sight
        return values_of(game, sight)
    return _counted(MainGame.of(choice), cap).values_at(question, sight)


def estimates_at(choice: Choice, sight: int) -> Mapping[int, tuple[float, float]] | None:
    """An estimate of each answer with its standard error, at once; None where the values themselves are as quick."""
    game = game_of(choice)
    return estimated_values(game, sight) if declared_showdown(game).board == 0 else None


def board_values(counted: board.BoardCounted) -> ChartValues:
    """What the first question's answers are worth with each holding: suited above the diagonal."""
    values: ChartValues = {}
    for part, grid in counted.charts.items():
        words = next(question.words for question in counted.game.declared.questions if question.id == part)
        names = list(grid)
        ranks = {name: LETTERS.index(name) for name in names}
        cells = values.setdefault(part, {})
        for row in names:
            for column in names:
                suited = ranks[column] < ranks[row]
                low, high = sorted((ranks[row], ranks[column] + (0 if suited else RANK_COUNT)))
                worth = counted.first_values(pair_index(low, high))
                cells[row, column] = {words[answer]: float(value) for answer, value in worth.items()}
    return values


def is_compared_alone(game: OneSeatGame) -> bool:
    """Whether a sight is valued by comparing the hands that the dealer can have against it."""
    showdown = declared_showdown(game)
    return showdown.board == 0 and not showdown.by_suit


@lru_cache(maxsize=16)
def _counted(main: MainGame, cap: int = 0) -> Counted:
    game = capped_game(main.choice, cap)
    counted: Counted = _way(game).count(game, None)
    return counted


def decisions_of(choice: Choice) -> tuple[Decision, ...]:
    """Questions of a sample of deals, in order of question and sight: see `sample.py`."""
    return _sampled(MainGame.of(choice))


@lru_cache(maxsize=16)
def _sampled(main: MainGame) -> tuple[Decision, ...]:
    return sampled_decisions(game_of(main.choice), _counted(main))
