"""The progressive part of an odds sheet: where the edge comes from, what the meter is worth, when it is hit or dry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import sqrt

from croupier.errors import RangeError
from croupier.exact.jackpot import chance_within
from croupier.exact.odds import OddsSheet
from croupier.money import MICROS_PER_DOLLAR, dollars, dollars_for_people
from croupier.reports.formatting import money, nearest_cent, one_in, percent, rounded
from croupier.reports.report import Fact
from croupier.reports.sheet.model import share_fact
from croupier.reports.simulation.meter import MeterPlan, MeterResult, MeterRunWish, prepare_meter
from croupier.simulate.meters import paths
from croupier.simulate.meters.run import CHUNK_YEARS, MeterSpec, run

DRY_CHUNKS = 4
DRY_SEED = 1
ALONE = "with one wager a round"
"""What the closed forms of a sheet are for. More wagers in a round share what the house puts up for it."""


def _money(name: str, label: str, amount: Fraction, how: str = "") -> Fact:
    return Fact(id=name, label=label, value=dollars(nearest_cent(amount)), text=money(amount), detail=how)


def edge_of_a_meter(odds: OddsSheet) -> tuple[Fact, ...]:
    """What remains of a wager once everything that leaves it is taken off."""
    jackpot, meter = odds.jackpot, odds.meter
    assert jackpot is not None
    assert meter is not None
    if jackpot.runs_dry:
        return (
            share_fact("all_fixed", "Fixed pays", jackpot.fixed_return, _sum_of_fixed_rows(odds)),
            share_fact(
                "edge_of_parts",
                "House edge",
                1 - jackpot.fixed_return,
                "about: 100% less that, as if the meter were always empty; see the notes",
            ),
        )
    seed = Fraction(meter.seed, meter.stake) * jackpot.top_probability
    tray = 1 - meter.contribution - meter.reserve - seed - jackpot.edge
    from_meter, fixed = jackpot.fixed_return - tray, _sum_of_fixed_rows(odds)
    parts = [
        share_fact("tray_return", "Fixed pays from the tray", tray, fixed if tray else "none"),
        share_fact("to_meter", "Contribution to the meter", meter.contribution, "all of it is won by players in time"),
        share_fact("to_reserve", "Contribution to the reserve", meter.reserve, "joins the next seed"),
        share_fact(
            "seed_cost",
            "Seed put up by the house",
            seed,
            f"{dollars_for_people(meter.seed)} for a wager of {dollars_for_people(meter.stake)}, once in "
            f"{one_in(jackpot.top_probability).removeprefix('1 in ')} wagers, {ALONE}",
        ),
        share_fact("edge_of_parts", "House edge", jackpot.edge, f"100% less all of these; {ALONE}"),
    ]
    if from_meter:
        parts.insert(
            1,
            share_fact("meter_return", "(Fixed pays off the meter", from_meter, f"part of the contribution: {fixed})"),
        )
    return tuple(parts)


def _sum_of_fixed_rows(odds: OddsSheet) -> str:
    """The sum behind what fixed pays return, the wager included where it comes back: `50 x 0.0033202 + ...`."""
    fixed = [(row.row.pays.returned, row.probability) for row in odds.rows if row.row and not row.row.pays.is_share]
    return " + ".join(f"{float(pays):g} x {rounded(chance, 7)}" for pays, chance in fixed)


def progressive_part(odds: OddsSheet) -> tuple[tuple[Fact, ...], tuple[str, ...]]:
    """The figures of the meter, and notes; nothing of a wager without one."""
    if odds.jackpot is None or odds.meter is None:
        return (), ()
    figures = list(meter_figures(odds))
    try:
        plan = meter_plan(odds)
    except RangeError as error:
        return tuple(figures), (f"times of awards and running dry are not computed: {error}",)
    figures += _back_to_back(plan.spec)
    figures.append(_dry(odds, plan))
    return tuple(figures), ()


def meter_figures(odds: OddsSheet) -> Iterator[Fact]:
    """Settings of the meter and what they come to; none of a wager without one."""
    jackpot, meter = odds.jackpot, odds.meter
    if jackpot is None or meter is None:
        return
    stake = Fraction(meter.stake, MICROS_PER_DOLLAR)
    yield _money("stake", "Wager", stake)
    yield _money(
        "seed",
        "Seed",
        Fraction(meter.seed, MICROS_PER_DOLLAR),
        f"put up by the house after a 100% award; {ALONE}, which bears all of it",
    )
    yield share_fact("contribution", "Contribution", meter.contribution, f"of each wager to the meter; {_basis(odds)}")
    yield share_fact("reserve", "Reserve", meter.reserve, "of each wager for the next seed")
    yield share_fact(
        "fixed_return", "Fixed part", jackpot.fixed_return, "what fixed pays return, whatever the meter shows"
    )
    yield Fact(
        id="slope_per_dollar",
        label="Slope per dollar of meter",
        value=float(jackpot.slope),
        text=f"{rounded(100 * jackpot.slope, 8)}%",
        detail=f"what each dollar more on the meter returns {ALONE}; edge at a meter = 100% - fixed part - slope x "
        "meter",
    )
    if jackpot.break_even is not None:
        how = f"the next wager has no edge there, {ALONE}"
        yield _money("break_even_meter", "Break-even meter", jackpot.break_even, how)
    if meter.now is not None and jackpot.edge_now is not None:
        yield share_fact(
            "edge_now", f"Edge at {dollars_for_people(meter.now)}", jackpot.edge_now, f"for the next wager, {ALONE}"
        )
    if jackpot.average_top is not None:
        yield _money("average_top", "Average top pay", jackpot.average_top, f"the 100% award, in the long run, {ALONE}")
    if odds.valued_at is not None:
        empty = ": it stays empty most of the time" if jackpot.runs_dry and meter.now is None else ""
        how = f"at which their returns value shares of it{empty}"
        yield _money("valued_at", "Meter of the rows", odds.valued_at, how)
    if jackpot.rounds_between is not None:
        yield Fact(
            id="rounds_between",
            label="Rounds between hits",
            value=float(jackpot.rounds_between),
            text=rounded(jackpot.rounds_between, 0),
            detail="from one 100% award to the next, on average",
        )


def _basis(odds: OddsSheet) -> str:
    """Where the settings of the meter come from."""
    setting, meter = odds.choice.pay_table.jackpot, odds.meter
    assert setting is not None
    assert meter is not None
    standard = (setting.seed * MICROS_PER_DOLLAR, setting.contribution, setting.reserve)
    if (meter.seed, meter.contribution, meter.reserve) != standard:
        return "seed and rates as asked for"
    if odds.choice.source.draft_of:
        return "seed and rates of the draft"
    printed = "seed and rates as the letter prints them"
    return printed if setting.basis == "letter" else f"{printed}, else inferred: see the notes"


def meter_plan(odds: OddsSheet) -> MeterPlan:
    """The usual participation of `croupier meter`, with this sheet's own meter."""
    choice, meter = odds.choice, odds.meter
    assert meter is not None
    plan = prepare_meter(
        choice.game,
        choice.wager.id,
        MeterRunWish(
            pay_table=choice.pay_table.id,
            decks=str(choice.decks) if choice.decks is not None else "inf",
            side=choice.side if choice.wager.hand == "seat" and choice.side != "winner" else None,
            settings=choice.switches,
        ),
    )
    spec = replace(plan.spec, seed=meter.seed, start=meter.seed, contribution=meter.contribution, reserve=meter.reserve)
    return replace(plan, spec=spec)


def _back_to_back(spec: MeterSpec) -> Iterator[Fact]:
    yield Fact(
        id="rounds_per_day",
        label="Rounds a day",
        value=spec.rounds_per_day,
        text=f"{spec.rounds_per_day:,}",
        detail=f"assumed below, not above: one table, {float(spec.rounds_per_hour):g} rounds an hour, "
        f"{float(spec.hours_per_day):g} hours a day",
    )
    for days in paths.WINDOWS:
        chance = chance_within(spec.top_probability, days * spec.rounds_per_day)
        yield Fact(
            id=f"back_to_back_{days}",
            label="Back-to-back hits, within " + ("a day" if days == 1 else f"{days} days"),
            value=chance,
            text=percent(Fraction(chance), 4),
            detail=f"a 100% award is followed by another within {days * spec.rounds_per_day:,} rounds, however many "
            "wager in each: they win or lose together",
        )


def _dry(odds: OddsSheet, plan: MeterPlan) -> Fact:
    """The chance that the meter cannot pay its fixed pays in a year."""
    assert odds.jackpot is not None
    name, label = "runs_dry", "Runs dry in a year"
    if plan.spec.fixed_from == "tray":
        return Fact(id=name, label=label, value=0.0, text="never", detail="fixed pays come from the tray")
    if odds.jackpot.runs_dry:
        how = "all pays come off the meter, and they take more than flows in"
        return Fact(id=name, label=label, value=1.0, text="always", detail=how)
    result = MeterResult(plan=plan, counts=run(plan.spec, DRY_SEED, DRY_CHUNKS))
    chance, years = result.yearly(paths.DRY_YEARS), DRY_CHUNKS * CHUNK_YEARS
    error = sqrt(chance * (1 - chance) / years)
    text = f"{percent(Fraction(chance), 2)} +- {percent(Fraction(error), 2)}" if chance else f"not in {years:,} years"
    how = (
        f"all pays come off the meter; simulated with {float(plan.spec.seats):g} wagers in each round, "
        f"{years:,} years, seed {DRY_SEED}"
    )
    return Fact(id=name, label=label, value=chance, text=text, detail=how)
