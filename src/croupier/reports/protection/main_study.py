"""What a counter takes from a main game of blackjack: worth by true count, plays that change, and spreads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log, sqrt

import numpy as np
from numpy.typing import NDArray

from croupier.errors import NotComputedError, unknown
from croupier.exact.protection.counts import Count
from croupier.exact.protection.main_game import (
    ByTrueCount,
    IndexPlay,
    MainEffects,
    Worth,
    by_true_count,
    is_main_game,
    main_effects,
)
from croupier.reports.protection.study import SHUFFLED_EACH_ROUND, STRICT, cut_of, dealing_of
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules.choice import Choice
from croupier.rules.counts import general_counts
from croupier.simulate.counted_rounds import Cell, CountedRounds, count_rounds
from croupier.simulate.counted_shoes import CHUNK_SHOES

Array = NDArray[np.float64]
Tell = Callable[[float], None]

USUAL_COUNT = "hi_lo"
LOWEST, HIGHEST = -10, 12
"""True counts that are solved; beyond, a round is taken to be worth what it is at the last of them."""
SHARE_OF_SHOES, SHARE_OF_EFFECTS = 0.2, 0.3
"""Of the work, for the bar."""
RUIN = 0.05
MOST_OF_KELLY = 60.0


def count_named(name: str) -> Count:
    """A balanced count of general use."""
    known = {count.id: count for count in general_counts() if count.is_balanced}
    if name not in known:
        raise unknown("count", name, known)
    return Count(id=name, name=known[name].name, tags=known[name].tags_of_ranks, source=known[name].source)


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Bets by true count, from one unit to the most, as large as pays best for their risk."""

    name: str
    most: int
    watches: bool
    """Whether rounds that the house is ahead in are watched and not played."""


SPREADS = (
    Spread(name="1 to 4, every round", most=4, watches=False),
    Spread(name="1 to 8, every round", most=8, watches=False),
    Spread(name="1 to 12, every round", most=12, watches=False),
    Spread(name="1 unit, watching else", most=1, watches=True),
    Spread(name="1 to 8, watching else", most=8, watches=True),
)


@dataclass(frozen=True, kw_only=True)
class SpreadYield:
    """What a spread comes to, in units, for each round that is seen."""

    spread: Spread
    bets: tuple[float, ...]
    """By cell of the true count."""
    mean: float
    deviation: float
    mean_bet: float

    @property
    def score(self) -> float:
        """Won in 100 rounds with a bank of $10,000 at full Kelly bets: the square of the desirability index."""
        return (1000 * self.mean / self.deviation) ** 2 if self.mean > 0 else 0.0

    @property
    def rounds_to_one_deviation(self) -> int | None:
        """N0: after so many rounds the expected win is one standard deviation; None where nothing is won."""
        return ceil(self.deviation**2 / self.mean**2) if self.mean > 0 else None

    @property
    def bank(self) -> float | None:
        """Units of which one in twenty such players loses all; None where every one does."""
        return self.deviation**2 / (2 * self.mean) * log(1 / RUIN) if self.mean > 0 else None


@dataclass(frozen=True, kw_only=True)
class MainStudy:
    """A main game under one count."""

    choice: Choice
    cut: int
    dealing: str
    seed: int
    effects: MainEffects
    worth: ByTrueCount
    rounds: CountedRounds

    @property
    def count(self) -> Count:
        return self.worth.count

    def at(self, cell: Cell, of: str) -> Worth:
        """The worth of a round in a cell, between the true counts that were solved: `chart`, `indexed` or `best`."""
        points = self.worth.points
        counts = [point.true_count for point in points]
        values = [getattr(point, of) for point in points]
        insured = [0.0 if of == "chart" else self.worth.insurance_gain(point) for point in points]
        where = cell.mean_true_count
        return Worth(
            value=float(np.interp(where, counts, [v.value + gain for v, gain in zip(values, insured, strict=True)])),
            deviation=float(np.interp(where, counts, [v.deviation for v in values])),
        )

    def mean_of(self, of: str) -> float:
        """Profit of a round at flat bets."""
        return sum(cell.share * self.at(cell, of).value for cell in self.rounds.cells)

    @cached_property
    def plays(self) -> tuple[tuple[IndexPlay, float], ...]:
        """Plays that change, with what each gains in a round at flat bets; the most valuable first."""
        gained = [(play, self._gain_of(play)) for play in self.worth.index_plays]
        return tuple(sorted((pair for pair in gained if pair[1] > 0), key=lambda pair: -pair[1]))

    def _gain_of(self, play: IndexPlay) -> float:
        by_count = {point.true_count: 0.0 for point in self.worth.points} | dict(play.gains)
        counts = sorted(by_count)
        gains = [max(by_count[count], 0.0) for count in counts]
        return float(sum(cell.share * np.interp(cell.mean_true_count, counts, gains) for cell in self.rounds.cells))

    def spreads(self, of: str) -> tuple[SpreadYield, ...]:
        """Every spread, hands being played by the chart or by indices."""
        cells = self.rounds.cells
        share = np.array([cell.share for cell in cells])
        worth = [self.at(cell, of) for cell in cells]
        value = np.array([one.value for one in worth])
        square = np.array([one.deviation**2 + one.value**2 for one in worth])
        return tuple(_best_ramp(spread, share, value, square) for spread in SPREADS)


def _best_ramp(spread: Spread, share: Array, value: Array, square: Array) -> SpreadYield:
    """Bets that grow with edge over variance, kept within the spread; of all slopes the one with the highest score."""
    tried = []
    for slope in np.geomspace(1.0, MOST_OF_KELLY * spread.most, 200):
        bets = np.clip(slope * value / square, 1.0, spread.most)
        if spread.watches:
            bets = np.where(value > 0, bets, 0.0)
        mean = float((share * bets * value).sum())
        deviation = sqrt(float((share * bets**2 * square).sum()) - mean**2)
        result = SpreadYield(
            spread=spread,
            bets=tuple(bets.tolist()),
            mean=mean,
            deviation=deviation,
            mean_bet=float((share * bets).sum()),
        )
        tried.append((mean / deviation if deviation else 0.0, result))
    return max(tried, key=lambda pair: pair[0])[1]


def main_study(
    choice: Choice,
    settings: Mapping[str, str],
    *,
    count: str = USUAL_COUNT,
    cut: int | None,
    dealing: str | None,
    shoes: int,
    seed: int,
    threads: int,
    progress: Tell | None = None,
) -> MainStudy:
    """Shoes are dealt to see how often each true count comes; rounds are worth what exact play of the shoe expected
    with that count comes to."""
    if not is_main_game(choice.game, choice.wager.id):
        raise NotComputedError(
            f'"{choice.wager.id}" of {choice.game.id} is not a main wager of blackjack.', code="not_computed"
        )
    if "cut_card" not in choice.game.shuffles:
        raise NotComputedError(f"{choice.game.name}: {SHUFFLED_EACH_ROUND}", code="nothing_to_count")
    tell = progress or (lambda share: None)
    how, counted = dealing_of(choice, dealing), count_named(count)
    depth = cut_of(choice, cut, how)
    wish = Wish(
        decks=str(choice.decks),
        settings=settings,
        pay_tables={choice.wager.id: choice.pay_table.id},
        wagers=(choice.wager.id,),
        strategy="total-dependent",
    )
    effects = main_effects(choice, lambda share: tell(SHARE_OF_EFFECTS * share))
    rounds = count_rounds(
        prepare(choice.game, wish).spec,
        counted.tags,
        depth,
        0 if how == STRICT else 1,
        seed,
        -(-shoes // CHUNK_SHOES),
        threads=threads,
        progress=lambda share: tell(SHARE_OF_EFFECTS + SHARE_OF_SHOES * share),
    )
    done = SHARE_OF_EFFECTS + SHARE_OF_SHOES
    worth = by_true_count(
        choice, counted, rounds.unseen, LOWEST, HIGHEST, lambda share: tell(done + (1 - done) * share)
    )
    return MainStudy(choice=choice, cut=depth, dealing=how, seed=seed, effects=effects, worth=worth, rounds=rounds)
