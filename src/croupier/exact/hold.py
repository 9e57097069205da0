"""The band that the house's hold stays in over so many rounds.

The results of a wager are added up exactly: their sum over the rounds lies on a lattice, and a Fourier transform gives
its whole distribution at once. Rare, large pays make it far from normal, so a normal band would mislead there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, lcm, sqrt
from statistics import NormalDist
from typing import Literal

from croupier.exact.odds import FIXED_PAYS, OddsSheet

BAND = 0.95
_ENDS = ((1 - BAND) / 2, (1 + BAND) / 2)
ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
_REACH = 12
"""Standard deviations on each side of the mean that the lattice has room for."""
_LARGEST_PAYS = 4
"""So many of the largest pay fit beside them; more in one period leave the band alone."""
_MOST_POINTS = 1 << 22


@dataclass(frozen=True, kw_only=True)
class HoldBand:
    """Between which shares of the money wagered the house's win lies in 95% of periods of so many rounds."""

    rounds: int
    low: float
    high: float
    method: Literal["exact", "normal"]


Results = Sequence[tuple[Fraction, Fraction]]
"""What the house wins of each unit wagered, with its probability first."""


def house_results(sheet: OddsSheet) -> list[tuple[Fraction, Fraction]]:
    """The house's results of one wager. Of a progressive the meter is players' money: the house puts up the seed."""
    jackpot, meter = sheet.jackpot, sheet.meter
    if jackpot is None or meter is None:
        return [(row.probability, -row.net) for row in sheet.rows]
    kept_by_house = Fraction(1) if jackpot.runs_dry else 1 - meter.contribution - meter.reserve
    results = []
    for row in sheet.rows:
        paid = Fraction(0)
        if row.row is not None and row.row.pays.is_share:
            if row.row.pays.share == 1 and not jackpot.runs_dry:
                paid = Fraction(meter.seed, meter.stake)
        elif row.row is not None:
            source = sheet.choice.switches.get(FIXED_PAYS) or row.row.funded
            paid = row.row.pays.returned if source == "tray" or jackpot.runs_dry else Fraction(0)
        results.append((row.probability, kept_by_house - paid))
    return results


@dataclass(frozen=True)
class Quantiles:
    """What the house's win stays below, for each unit wagered, in given shares of periods."""

    values: tuple[float, ...]
    method: Literal["exact", "normal"]


def hold_of(sheet: OddsSheet, rounds: int) -> HoldBand:
    """The band of a wager; normal where what it wins depends on how a hand is played, too."""
    if sheet.choice.game.is_beside(sheet.choice.wager):
        return normal_band(float(sheet.edge), sheet.standard_deviation, rounds)
    return hold_band(house_results(sheet), rounds)


def hold_band(results: Results, rounds: int) -> HoldBand:
    """The band of a wager whose every result is known; normal only where the results share no common step."""
    quantiles = hold_quantiles(results, rounds, _ENDS)
    low, high = quantiles.values
    return HoldBand(rounds=rounds, low=low, high=high, method=quantiles.method)


def hold_quantiles(results: Results, rounds: int, shares: Sequence[float]) -> Quantiles:
    """Quantiles of the house's win of each unit over so many rounds, of a wager whose every result is known."""
    best = max(result for _, result in results)
    scale = lcm(*(result.denominator for _, result in results))
    losses = [int((best - result) * scale) for _, result in results]
    step = gcd(*losses) or 1
    mean = sum((chance * result for chance, result in results), Fraction(0))
    square = sum((chance * result**2 for chance, result in results), Fraction(0))
    deviation = sqrt(square - mean**2)
    in_steps = scale / step
    reach = _REACH * deviation * sqrt(rounds) * in_steps + _LARGEST_PAYS * max(losses) / step
    points = 1 << ceil(reach * 2).bit_length()
    if points > _MOST_POINTS:
        return normal_quantiles(float(mean), deviation, rounds, shares)
    steps = [(float(p), loss // step) for (p, _), loss in zip(results, losses, strict=True)]
    lost = _quantiles(steps, rounds, points, [1 - share for share in shares])
    return Quantiles(tuple(float(best) - count / (in_steps * rounds) for count in lost), "exact")


def _quantiles(steps: list[tuple[float, int]], rounds: int, points: int, shares: Sequence[float]) -> list[int]:
    """Quantiles of the number of steps lost in all the rounds."""
    import numpy as np

    one_round = np.zeros(points)
    for chance, count in steps:
        one_round[count] += chance
    all_rounds = np.fft.irfft(np.fft.rfft(one_round) ** rounds, points)
    # The transform wraps around: count from half a circle below the mean, or from nothing lost at all.
    first = max(0, round(rounds * sum(chance * count for chance, count in steps)) - points // 2)
    below = np.cumsum(np.roll(all_rounds, -(first % points)))
    return [first + int(np.searchsorted(below, share)) for share in shares]


def normal_band(edge: float, deviation: float, rounds: int) -> HoldBand:
    """The band of a wager of which only mean and deviation are known, as one that is played."""
    low, high = normal_quantiles(edge, deviation, rounds, _ENDS).values
    return HoldBand(rounds=rounds, low=low, high=high, method="normal")


def normal_quantiles(edge: float, deviation: float, rounds: int, shares: Sequence[float]) -> Quantiles:
    """As `hold_quantiles`, where only mean and deviation are known."""
    spread = deviation / sqrt(rounds)
    return Quantiles(tuple(edge + NormalDist().inv_cdf(share) * spread for share in shares), "normal")
