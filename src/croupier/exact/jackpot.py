"""Arithmetic of a progressive: what the meter is worth, and to whom.

Two identities tie everything together (both are tests). Over many rounds all money that enters the meter leaves it, so

    edge = 1 - fixed pays from the tray - contribution - reserve - seed * P(100% award)

and, since the meter at an award does not depend on which award it is,

    average 100% award = (seed + (contribution + reserve - fixed pays from the meter) / P)
                          / (1 + sum of share * P(share award) / P)

with seed and pays counted in wagers. They hold while the meter does not run dry.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import expm1, log1p

from croupier.money import MICROS_PER_DOLLAR
from croupier.pay import Row

LONGEST_DRAIN = Fraction(1, 5)
"""Share of the time between two 100% awards by which a seed is drained so early that the next does not interrupt."""


@dataclass(frozen=True, kw_only=True)
class MeterSettings:
    """Settings of a meter. Amounts in micros of a dollar, rates as shares of a wager."""

    stake: int
    seed: int
    contribution: Fraction
    reserve: Fraction
    now: int | None = None
    """What the meter shows, if the odds at that amount are wanted."""


@dataclass(frozen=True, kw_only=True)
class JackpotOdds:
    """What follows from a pay table's exact probabilities and a meter's settings."""

    fixed_return: Fraction
    """Expected fixed pays for each unit wagered, from tray and meter."""
    top_probability: Fraction
    """Chance of a 100% award in one round."""
    edge: Fraction
    """House edge over the life of the jackpot."""
    edge_now: Fraction | None
    """Edge for the next wager at the meter shown."""
    average_top: Fraction | None
    """Average 100% award, dollars; None if the table has none."""
    break_even: Fraction | None
    """Meter, in dollars, at which the next wager has no edge."""
    slope: Fraction
    """What the edge for the next wager falls by for each dollar more on the meter."""
    rounds_between: Fraction | None
    """Expected rounds from one 100% award to the next, with one wager in each."""
    runs_dry: bool
    """The meter pays out more fixed pays than flows in. It is then empty most of the time, the house pays them itself,
    and the edge is what they leave: an approximation, as the house still puts up the seed after each 100% award."""
    seed_worth: Fraction | None = None
    """Of a meter that runs dry: about what those seeds return to players in shares of the meter before they are
    drained, which `edge` leaves out; None where it runs dry too slowly to say."""


def jackpot_odds(rows: list[tuple[Row, Fraction]], meter: MeterSettings, *, fixed_from: str = "") -> JackpotOdds:
    """`rows` with their probabilities. `fixed_from` is "tray" or "meter" where the operator overrules the rows."""
    tray = meter_fixed = shares = top = Fraction(0)
    for row, probability in rows:
        if row.pays.is_share:
            shares += row.pays.share * probability
            if row.pays.share == 1:
                top += probability
        elif (fixed_from or row.funded) == "meter":
            meter_fixed += row.pays.returned * probability
        else:
            tray += row.pays.returned * probability
    seed = Fraction(meter.seed, meter.stake)
    stake_dollars = Fraction(meter.stake, MICROS_PER_DOLLAR)
    inflow = meter.contribution + meter.reserve - meter_fixed
    fixed = tray + meter_fixed
    edge_now = None
    if meter.now is not None:
        edge_now = 1 - fixed - shares * Fraction(meter.now, meter.stake)
    runs_dry = meter_fixed > 0 and inflow <= 0
    edge = 1 - tray - meter.contribution - meter.reserve - seed * top
    return JackpotOdds(
        fixed_return=fixed,
        top_probability=top,
        edge=1 - fixed if runs_dry else edge,
        edge_now=edge_now,
        average_top=(seed * top + inflow) / shares * stake_dollars if top and not runs_dry else None,
        break_even=(1 - fixed) / shares * stake_dollars if shares else None,
        slope=shares / stake_dollars,
        rounds_between=1 / top if top else None,
        runs_dry=runs_dry,
        seed_worth=_seed_worth(seed, top, shares, -inflow) if runs_dry and inflow < 0 else None,
    )


def _seed_worth(seed: Fraction, top: Fraction, shares: Fraction, drain: Fraction) -> Fraction | None:
    """A seed that drains evenly is on average half there, for `seed / drain` of the `1 / top` rounds between two."""
    time_full = top * seed / drain
    return shares * time_full * seed / 2 if time_full <= LONGEST_DRAIN else None


def chance_within(probability: Fraction, rounds: int) -> float:
    """The chance that an award comes within so many rounds, as after another one."""
    return -expm1(rounds * log1p(-float(probability)))
