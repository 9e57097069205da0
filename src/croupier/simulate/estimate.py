"""From counts to estimates, each with its standard error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.kernels.declaration import RoundWager
from croupier.simulate import play
from croupier.simulate.run import CountedBet, Spec

Array = NDArray[Any]

Z_95 = 1.959963984540054
"""Half the width of a 95% interval, in standard errors."""


@dataclass(frozen=True)
class Reduced:
    """An edge found with a control variate, and its smaller error."""

    edge: float
    standard_error: float


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """One wager of a run."""

    wagers: int
    """How many were made."""
    edge: float
    standard_error: float
    standard_deviation: float
    hit_frequency: float
    rows: dict[str, int]
    """How often each outcome came, losing first."""

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence."""
        return self.edge - Z_95 * self.standard_error, self.edge + Z_95 * self.standard_error


def main_sums(spec: Spec, counts: Array) -> tuple[int, int, int]:
    """Profit of all main wagers in the smallest unit, its square for each seat's round, and money staked."""
    cells = counts[play.NET_AT : play.NET_AT + play.NET_CELLS]
    values = np.arange(play.NET_CELLS, dtype=object) - play.NET_CELLS // 2
    inside = cells.astype(object)[1:], values[1:]
    profit = int((inside[0] * inside[1]).sum()) + int(counts[play.FAR_PROFIT])
    square = int((inside[0] * inside[1] ** 2).sum()) + int(counts[play.FAR_SQUARE])
    wagers = counts[play.WAGER_AT : play.WAGER_AT + play.WAGER_CELLS]
    staked = int((wagers * np.arange(play.WAGER_CELLS)).sum()) * play.FIRST_WAGER + int(counts[play.FAR_STAKED])
    return profit, square, staked


def _rows(spec: Spec, counts: Array, number: int) -> dict[str, int]:
    """How often a wager that the round settles came to each outcome, losing first."""
    start = play.ROUND_WAGERS_AT + number * play.MOST_ROUND_OUTCOMES
    names = ("lose", *spec.declared.wagers[number].outcomes)
    return {name: int(count) for name, count in zip(names, counts[start : start + len(names)], strict=True)}


def estimate_main(spec: Spec, counts: Array, first_wagers: int) -> Estimate:
    """The main wager; `first_wagers` is how many each seat makes."""
    profit, square, _ = main_sums(spec, counts)
    rounds, seats = int(counts[play.ROUNDS]), int(spec.rules.seats)
    unit = spec.unit * first_wagers
    mean = profit / unit / (rounds * seats)
    deviation = sqrt(max(square / unit**2 / (rounds * seats) - mean**2, 0.0))
    rows = {name: number for name, number in _rows(spec, counts, 0).items() if number}
    pays = dict(spec.pays)
    won = sum(number for name, number in rows.items() if pays.get(name, Fraction(-1)) > 0)
    return Estimate(
        wagers=rounds * seats,
        edge=-mean,
        standard_error=_main_error(spec, counts, profit, deviation, unit),
        standard_deviation=deviation,
        hit_frequency=won / max(sum(rows.values()), 1),
        rows=rows,
    )


def _main_error(spec: Spec, counts: Array, profit: int, deviation: float, unit: int) -> float:
    """Rounds are independent; rounds of one shoe are not, nor are the seats of a round."""
    rounds, seats = int(counts[play.ROUNDS]), int(spec.rules.seats)
    shoes = int(counts[play.SHOES])
    if spec.shuffle == "cut-card" and shoes > 1:  # the variance of a ratio of sums over shoes
        ratio = profit / rounds
        squares = int(counts[play.SHOE_SQUARE]) - 2 * ratio * int(counts[play.SHOE_CROSS])
        squares += ratio**2 * int(counts[play.SHOE_ROUNDS_SQUARE])
        return sqrt(max(squares, 0.0)) / rounds / unit / seats
    if seats > 1:
        total = profit / unit / rounds
        variance = max(int(counts[play.ROUND_SQUARE]) / unit**2 / rounds - total**2, 0.0)
        return sqrt(variance / rounds) / seats
    return deviation / sqrt(rounds)


def with_control_variate(spec: Spec, counts: Array, first_wagers: int, known_edge: float) -> Reduced | None:
    """The main wager behind a cut card, by what is known of a fresh shoe.

    Each of the first rounds of a shoe, taken by itself, is like a round from a fresh shoe, as nobody looks ahead. So
    their profit has a known mean, and only what a shoe's profit differs from theirs has to be estimated.
    """
    shoes, rounds = int(counts[play.SHOES]), int(counts[play.ROUNDS])
    if spec.control == 0 or shoes < 2:
        return None
    unit = spec.unit * first_wagers * spec.rules.seats
    known = -known_edge * spec.control * unit
    ratio = (known * shoes + int(counts[play.CONTROLLED])) / rounds
    squares = int(counts[play.CONTROLLED_SQUARE]) - 2 * ratio * int(counts[play.CONTROLLED_CROSS])
    squares += ratio**2 * int(counts[play.SHOE_ROUNDS_SQUARE])
    variance = max(squares / shoes - known**2, 0.0)
    return Reduced(edge=-ratio / unit, standard_error=sqrt(variance * shoes) / rounds / unit)


def net_results(spec: Spec, counts: Array) -> dict[Fraction, int]:
    """How often a seat's round came to so many first wagers of one hand; those beyond the cells are not told apart."""
    cells = counts[play.NET_AT : play.NET_AT + play.NET_CELLS]
    by_profit = {cell - play.NET_CELLS // 2: int(cells[cell]) for cell in range(1, play.NET_CELLS) if cells[cell]}
    return {Fraction(profit, spec.unit): number for profit, number in by_profit.items()}


def final_wagers(counts: Array) -> dict[int, int]:
    """How often a seat's final main wager was so many first wagers; 0 stands for more than can be told."""
    cells = counts[play.WAGER_AT : play.WAGER_AT + play.WAGER_CELLS]
    return {wagers: int(number) for wagers, number in enumerate(cells) if number}


def estimate_bet(spec: Spec, counts: Array, slot: int, nets: Mapping[str, Fraction]) -> Estimate:
    """A side wager; `nets` is the profit of each outcome that does not lose.

    Seats of a round share cards: the dealer's, or at least the deck's. So a round counts as one observation, however
    many seats wagered; that is exact where all look at the same cards, and else the error is rather too large.
    """
    bet: CountedBet = spec.bets[slot]
    names = ("lose", *bet.bet.outcomes)
    start = play.BETS_AT + slot * play.OUTCOME_CELLS
    rows = {name: int(number) for name, number in zip(names, counts[start : start + len(names)], strict=True)}
    wagers = sum(rows.values())
    profits = {name: nets.get(name, Fraction(-1)) for name in names}
    mean = sum((profits[name] * number for name, number in rows.items()), Fraction(0)) / wagers
    square = sum((profits[name] ** 2 * number for name, number in rows.items()), Fraction(0)) / wagers
    deviation = sqrt(square - mean**2)
    independent = min(wagers, int(counts[play.ROUNDS]))
    return Estimate(
        wagers=wagers,
        edge=-float(mean),
        standard_error=deviation / sqrt(independent),
        standard_deviation=deviation,
        hit_frequency=sum(number for name, number in rows.items() if profits[name] > 0) / wagers,
        rows=rows,
    )


def estimate_asked(spec: Spec, counts: Array, wager: RoundWager, nets: Mapping[str, Fraction]) -> Estimate | None:
    """A wager with an account of its own, where the strategy made it; `nets` is the profit of each outcome.

    The seats of a round that make it win or lose it together, so they count as one observation.
    """
    rows = _rows(spec, counts, spec.declared.wagers.index(wager))
    wagers = sum(rows.values())
    if wagers == 0:
        return None
    profits = {name: nets.get(name, Fraction(-1)) for name in rows}
    mean = float(sum((profits[name] * number for name, number in rows.items()), Fraction(0)) / wagers)
    square = float(sum((profits[name] ** 2 * number for name, number in rows.items()), Fraction(0)) / wagers)
    deviation = sqrt(square - mean**2)
    return Estimate(
        wagers=wagers,
        edge=-mean,
        standard_error=deviation / sqrt(wagers / int(spec.rules.seats)),
        standard_deviation=deviation,
        hit_frequency=sum(number for name, number in rows.items() if profits[name] > 0) / wagers,
        rows=rows,
    )
