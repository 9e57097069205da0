"""A main game of blackjack from shoes that are not fresh: effects of removal, and what play is worth by true count.

A count knows one number. The shoe that is expected with a true count t has, of cards with the tag g, the share p of the
fresh shoe times 1 - t * g / (52 * the mean square of the tags): what is solved is that shoe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError
from croupier.exact.protection.counts import Count
from croupier.exact.protection.removal import RANKS, SUITS, Removal
from croupier.exact.strategy.account import StrategyAccount
from croupier.exact.strategy.base import BaseGame
from croupier.exact.strategy.cells import cell_values
from croupier.exact.strategy.charts import CARD_NAMES, charts_of, hand_name, weights_of
from croupier.exact.strategy.graph import RANKS_IN_CLASS, START_CARDS, hand_graph
from croupier.exact.strategy.madness import MadnessGame
from croupier.exact.strategy.result import ChartValues
from croupier.exact.strategy.sheet import game_of, insurance_pays
from croupier.exact.strategy.solve import AnyGame, Solution, best_account, solve, up_cards
from croupier.exact.strategy.view import ClassShoe
from croupier.kernels.hands import ACE, TEN
from croupier.kernels.strategy import CLASSES
from croupier.rules.choice import Choice
from croupier.rules.spec import Game

Array = NDArray[np.float64]
Progress = Callable[[float], None]

DECK = 52
LETTERS = {"S": "stand", "H": "hit", "D": "double", "P": "split", "R": "surrender"}
"""What a chart's letter does with two cards; small letters say what is done where that is not allowed."""


@dataclass(frozen=True, kw_only=True)
class Worth:
    """A round from some shoe, for each unit of its first wagers."""

    value: float
    deviation: float

    @classmethod
    def of(cls, account: StrategyAccount) -> Worth:
        return cls(value=account.value, deviation=account.standard_deviation)


def is_main_game(game: Game, wager: str) -> bool:
    """Whether the wager is a main game of blackjack, which the solver can play from any shoe."""
    return game.declared.program != "" and wager == game.first_wager.id


def from_cards(game: AnyGame, cards: Array) -> AnyGame:
    """The same game from a shoe with so many cards of each class."""
    return replace(game, shoe=ClassShoe(cards))


def chart_worth(solution: Solution, game: AnyGame) -> Worth:
    """What the chart of one shoe comes to from another."""
    account = game.new_account()
    for up, chance in up_cards(game.shoe):
        if isinstance(game, MadnessGame):
            game.add_to(account, game.solve_up_card(up, solution.cells[up]), up, chance)
        else:
            deals, plan = game.up_card(up), solution.by_total
            tallies = [deals.view.tally(position, plan.codes[up]) for position in deals.positions]
            deals.add_to(account, plan.decisions[up], np.array(tallies), chance)
    return Worth.of(account)


@dataclass(frozen=True, kw_only=True)
class MainEffects:
    """What taking one card out of the fresh shoe does to a main game."""

    chart: Removal
    """Hands being played by the chart of the fresh shoe: over all cards the effects add up to zero."""
    best: Removal
    """Hands being played as is best from each shoe."""


def main_effects(choice: Choice, progress: Progress | None = None) -> MainEffects:
    """Of every rank. Suits are alike: where a suited blackjack pays more, ace and ten-value are of one suit with the
    chance they have in a fresh shoe."""
    solution, decks = fresh_solution(choice), choice.decks or 1
    game = solution.game
    chart, best = [solution.by_total.account.value], [solution.best.account.value]
    for card in range(CLASSES):
        cards = game.shoe.cards.astype(float)
        cards[card] -= 1
        without = from_cards(game, cards)
        chart.append(chart_worth(solution, without).value)
        best.append(best_account(without).value)
        if progress is not None:
            progress((card + 1) / CLASSES)
    return MainEffects(chart=_removal(decks, chart), best=_removal(decks, best))


def _removal(decks: int, values: Sequence[float]) -> Removal:
    """From the value of the fresh shoe and those without a card of each class."""
    fresh, *without = map(Fraction, values)
    by_rank = [without[min(rank, CLASSES - 1)] - fresh for rank in range(RANKS)]
    return Removal(decks=decks, value=fresh, by_card=tuple(effect for effect in by_rank for _ in range(SUITS)))


def fresh_solution(choice: Choice) -> Solution:
    """The game's strategy from the fresh shoe."""
    if choice.decks is None:
        raise NotComputedError(
            "Infinite decks are never used up: no card that is gone changes anything. Choose 1 to 8 decks.",
            code="nothing_to_count",
        )
    return solve(game_of(choice))


def shoe_at(count: Count, true_count: float, unseen: float) -> Array:
    """By class, the cards that are expected among so many unseen ones."""
    tags = np.array([count.tags[card] for card in range(CLASSES)])
    share = RANKS_IN_CLASS / RANKS
    cards = unseen * share * (1 - true_count * tags / (DECK * (share * tags**2).sum()))
    return np.asarray(np.maximum(cards, 0.0))


@dataclass(frozen=True, kw_only=True)
class AtTrueCount:
    """A main game at one true count."""

    true_count: float
    chart: Worth
    """By the chart of the fresh shoe."""
    indexed: Worth
    """By the best chart for this true count: what somebody plays who knows every index."""
    best: Worth
    """By the cards of each hand: nobody plays better who knows the true count alone."""
    insurance: float
    """Chance that the hole card under an ace has ten points."""
    solution: Solution


@dataclass(frozen=True, kw_only=True)
class IndexPlay:
    """A play that changes with the true count."""

    part: str
    hand: str
    up: str
    usual: str
    """What the chart of the fresh shoe says, in its letter."""
    changed: str
    index: float
    """Above this true count it changes; where it changes downwards, below."""
    rises: bool
    gains: Mapping[float, float]
    """By true count: what it gains in a round, with two cards, in first wagers."""


@dataclass(frozen=True, kw_only=True)
class ByTrueCount:
    """A main game under a count."""

    choice: Choice
    count: Count
    unseen: float
    fresh: Solution
    points: tuple[AtTrueCount, ...]

    @cached_property
    def insurance_index(self) -> float | None:
        """The true count from which on insurance pays; None where it does at none of those looked at."""
        pays = insurance_pays(self.choice)
        if pays is None:
            return None
        needed = 1 / (1 + float(pays))
        for below, above in pairwise(self.points):
            if below.insurance < needed <= above.insurance:
                share = (needed - below.insurance) / (above.insurance - below.insurance)
                return below.true_count + share * (above.true_count - below.true_count)
        return None

    def insurance_gain(self, point: AtTrueCount) -> float:
        """What insuring half the wager against every ace gains in a round; 0 where it loses."""
        pays = insurance_pays(self.choice)
        if pays is None:
            return 0.0
        shoe = point.solution.game.shoe
        return max(0.0, float(shoe.cards[ACE] / shoe.total) * (point.insurance * (1 + float(pays)) - 1) / 2)

    @cached_property
    def index_plays(self) -> tuple[IndexPlay, ...]:
        """Cells of the chart that another true count changes, at the nearest true count that does. For games in which
        hands are played one by one."""
        if not isinstance(self.fresh.game, BaseGame):
            return ()
        charts = [charts_of(point.solution) for point in self.points]
        plays: list[IndexPlay] = []
        for part, rows in charts_of(self.fresh).items():
            for hand, cells in rows.items():
                for up, usual in cells.items():
                    letters = [chart[part][hand][up] for chart in charts]
                    plays += self._changes(part, hand, up, usual, letters)
        return tuple(plays)

    def _changes(self, part: str, hand: str, up: str, usual: str, letters: list[str]) -> Iterator[IndexPlay]:
        """Upwards from a true count of 0, and downwards."""
        at = [point.true_count for point in self.points]
        middle = min(range(len(at)), key=lambda place: abs(at[place]))
        for rises, places in ((True, range(middle, len(at))), (False, range(middle, -1, -1))):
            changed = next((place for place in places if letters[place][0] != usual[0]), None)
            if changed is not None:
                alike = [place for place in places if letters[place][0] == letters[changed][0]]
                gains = {at[place]: self._gain(place, part, hand, up, usual, letters[changed]) for place in alike}
                before = places[max(places.index(changed) - 1, 0)]
                gain_before = self._gain(before, part, hand, up, usual, letters[changed])
                yield IndexPlay(
                    part=part,
                    hand=hand,
                    up=up,
                    usual=usual,
                    changed=letters[changed],
                    index=_crossing((at[before], gain_before), (at[changed], gains[at[changed]])),
                    rises=rises,
                    gains=gains,
                )

    def _gain(self, place: int, part: str, hand: str, up: str, usual: str, changed: str) -> float:
        """With two cards, of the hands of the cell, by how often they come."""
        values = self._values[place].get(part, {}).get((hand, up), {})
        before, after = (_value(values, letter) for letter in (usual, changed))
        if before is None or after is None:
            return 0.0
        return (after - before) * self._chances[place].get((part, hand, up), 0.0)

    @cached_property
    def _values(self) -> list[ChartValues]:
        return [cell_values(point.solution, self.choice.game.round) for point in self.points]

    @cached_property
    def _chances(self) -> list[dict[tuple[str, str, str], float]]:
        return [_chances_of_cells(point.solution) for point in self.points]


def _crossing(before: tuple[float, float], after: tuple[float, float]) -> float:
    """Where between two true counts a gain turns positive. The chart looks at hands of any number of cards, gains at
    those of two: where these disagree it is the true count at which the chart changes."""
    (low, loss), (high, gain) = before, after
    return low + (high - low) * -loss / (gain - loss) if loss < 0 < gain else high


def _value(values: Mapping[str, float], letter: str) -> float | None:
    """What a letter of a chart comes to with two cards: the small one where the large one is not allowed."""
    wanted = LETTERS[letter[0]]
    if wanted in values:
        return values[wanted]
    return values.get("stand" if letter.endswith("s") else "hit")


def _chances_of_cells(solution: Solution) -> dict[tuple[str, str, str], float]:
    """How often a round comes to two cards of a cell, against each up card, the dealer having no blackjack."""
    graph = hand_graph()
    chances: dict[tuple[str, str, str], float] = {}
    for up, chance in up_cards(solution.game.shoe):
        weights = weights_of(solution, up)[0].sum(0)
        for start, cards in enumerate(START_CARDS):
            hand = graph.starts[start]
            if cards[0] == cards[1]:
                cell = ("pair", hand_name(cards), CARD_NAMES[up])
            else:
                cell = ("soft" if graph.soft[hand] else "hard", str(int(graph.total[hand])), CARD_NAMES[up])
            chances[cell] = chances.get(cell, 0.0) + chance * float(weights[start])
    return chances


def true_counts_of(game: AnyGame, lowest: int, highest: int) -> list[int]:
    """The true counts that are solved: all of them where a shoe takes a second, every fifth where two hands are
    decided together."""
    step = 1 if isinstance(game, BaseGame | MadnessGame) else 5
    return list(range(lowest - lowest % step, highest + step, step))


def by_true_count(
    choice: Choice, count: Count, unseen: float, lowest: int, highest: int, progress: Progress | None = None
) -> ByTrueCount:
    """The game solved at every true count of a range, with so many unseen cards."""
    fresh = fresh_solution(choice)
    wanted = true_counts_of(fresh.game, lowest, highest)
    points = []
    for number, true_count in enumerate(wanted, 1):
        game = from_cards(fresh.game, shoe_at(count, true_count, unseen))
        solution = solve(game)
        points.append(
            AtTrueCount(
                true_count=true_count,
                chart=chart_worth(fresh, game),
                indexed=Worth.of(solution.by_total.account),
                best=Worth.of(solution.best.account),
                insurance=float(game.shoe.cards[TEN] / (game.shoe.total - 1)),
                solution=solution,
            )
        )
        if progress is not None:
            progress(number / len(wanted))
    return ByTrueCount(choice=choice, count=count, unseen=unseen, fresh=fresh, points=tuple(points))
