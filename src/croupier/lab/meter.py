"""What-ifs of a progressive: a draft of a meter's settings beside the approved ones, with all that is exact of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, log, log1p
from typing import Literal

from croupier.exact.jackpot import chance_within
from croupier.library.meter import Meter
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people
from croupier.reports.formatting import money, percent, rounded
from croupier.reports.simulation.meter import MeterPlan, MeterRunWish
from croupier.simulate.meters import paths

Form = Literal["share", "dollars", "rounds", "days", "number"]
Dryness = Literal["never", "always", "simulated"]
HALF = 0.5


@dataclass(frozen=True, kw_only=True)
class MeterAsk(MeterRunWish):
    """A meter to look at: plain values, for another process."""

    game: str
    wager: str
    settings: tuple[tuple[str, str], ...] = ()

    def approved(self, pay_table: str | None = None) -> MeterAsk:
        """The same room and the same standing meter under a pay table's own settings and the letter's rules."""
        table = pay_table or self.pay_table
        return replace(
            self,
            pay_table=table,
            stake=self.stake if table == self.pay_table else None,
            settings=(),
            contribution=None,
            reserve=None,
            seed_amount=None,
        )

    def meter(self) -> Meter:
        return Meter(
            self.game,
            self.wager,
            pay_table=self.pay_table,
            decks=self.decks,
            side=self.side,
            stake=self.stake,
            tables=self.tables,
            seats=self.seats,
            rounds_per_hour=self.rounds_per_hour,
            hours=self.hours,
            contribution=self.contribution,
            reserve=self.reserve,
            seed=self.seed_amount,
            start=self.start,
            rules=dict(self.settings),
        )


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """One figure of a meter, exact or estimated."""

    id: str
    label: str
    form: Form
    value: float | Fraction | None
    """A share of one, dollars, rounds or days; None where there is none, which `how` explains."""
    how: str = ""
    error: float | None = None
    """Standard error of an estimate."""
    said: str = ""
    """In place of the number, where that would mislead, as of something that was never seen."""

    @property
    def text(self) -> str:
        if self.said or self.value is None:
            return self.said or "none"
        shown = _text(self.value, self.form, exact=self.error is None)
        return f"{shown} ± {_text(self.error, self.form, exact=False)}" if self.error is not None else shown

    def change_from(self, base: Quantity | None) -> str:
        """How far this lies from another's figure; empty where that cannot be said or is nothing."""
        if base is None or self.value is None or base.value is None or self.value == base.value:
            return ""
        gap = Fraction(self.value) - Fraction(base.value)
        text = _text(abs(gap), self.form, exact=self.error is None)
        return f"-{text}" if gap < 0 else f"+{text}"


def _text(value: float | Fraction, form: Form, *, exact: bool) -> str:
    amount = Fraction(value)
    if form == "share":
        return percent(amount, 4 if exact else 3)
    if form == "dollars":
        return money(amount) if exact else dollars_for_people(round(amount) * MICROS_PER_DOLLAR)
    return rounded(amount, {"rounds": 0, "days": 1, "number": 3}[form])


@dataclass(frozen=True, kw_only=True)
class MeterExact:
    """What exact arithmetic knows of a meter."""

    settings: str
    """Pay table, seed, rates and wager in a line."""
    quantities: tuple[Quantity, ...]
    dryness: Dryness
    notes: tuple[str, ...]

    def get(self, quantity_id: str) -> Quantity | None:
        return next((quantity for quantity in self.quantities if quantity.id == quantity_id), None)


def exact_meter(ask: MeterAsk) -> MeterExact:
    """Everything that needs no simulation; at once where the odds of the pay table were walked before."""
    plan = ask.meter().plan
    return MeterExact(
        settings=settings_text(plan),
        quantities=tuple(_quantities(plan)),
        dryness=dryness(plan),
        notes=plan.notes,
    )


def settings_text(plan: MeterPlan) -> str:
    spec = plan.spec
    return (
        f"pay table {plan.choice.pay_table.id}, seed {dollars_for_people(spec.seed)}, contribution "
        f"{percent(spec.contribution, 2)}, reserve {percent(spec.reserve, 2)}, fixed pays from the {spec.fixed_from}, "
        f"wager {dollars_for_people(spec.stake)}"
    )


def dryness(plan: MeterPlan) -> Dryness:
    """Whether the meter can fail to pay its fixed pays, and if so, whether that is certain."""
    if plan.spec.fixed_from == "tray" or not plan.spec.fixed:
        return "never"
    return "always" if plan.exact.runs_dry else "simulated"


def exact_median(plan: MeterPlan) -> Fraction | None:
    """The median 100% award in dollars, where the meter only grows: no other shares, no reserve, pays from the tray.

    The award is then the seed and what came in over a number of rounds that is geometric.
    """
    spec = plan.spec
    only_whole = all(row.percent == paths.WHOLE_PERCENT for row in spec.awards)
    if not only_whole or spec.reserve or dryness(plan) != "never":
        return None
    rounds = median_rounds(spec.top_probability)
    return (spec.seed + rounds * spec.round_wagers * spec.contribution) / MICROS_PER_DOLLAR


def median_rounds(probability: Fraction) -> int:
    """In half of all cases an event of this chance comes within so many rounds."""
    return ceil(log(HALF) / log1p(-float(probability)))


def _quantities(plan: MeterPlan) -> Iterator[Quantity]:
    yield from _edges(plan)
    yield from _awards(plan)
    yield from _times(plan)
    yield from _year(plan)


def _edges(plan: MeterPlan) -> Iterator[Quantity]:
    spec, exact = plan.spec, plan.exact
    seats = _wagers(plan)
    if exact.runs_dry:
        how = (
            f"100% less fixed pays {percent(exact.fixed_return, 3)}: the house pays them, as if the meter were always "
            "empty; approximate, as the seed after each 100% award pays some shares before it is drained"
        )
    else:
        how = f"100% less {_leaves(plan)}"
        if spec.seats != 1:
            how += f"; {seats} bear the seed of a round together, and on the odds sheet one wager bears it alone"
    yield Quantity(
        id="edge", label=f"House edge over the life, {seats} a round", form="share", value=exact.edge, how=how
    )
    if spec.seats != 1:
        yield Quantity(
            id="edge_alone",
            label="House edge over the life, 1 wager a round",
            form="share",
            value=plan.exact_with(replace(spec, seats=Fraction(1))).edge,
            how="as on the odds sheet: each wager alone bears the seed of its round",
        )
    standing = Fraction(spec.start, MICROS_PER_DOLLAR)
    yield Quantity(
        id="edge_now",
        label=f"Edge of the next wager, meter at {dollars_for_people(spec.start)}",
        form="share",
        value=1 - exact.fixed_return - exact.slope * standing,
        how=f"shares of the meter are split by the {seats} of the round; negative = player advantage",
    )
    yield Quantity(
        id="break_even",
        label="Break-even meter",
        form="dollars",
        value=exact.break_even,
        how=f"the next wager has no edge there, with {seats} a round; the odds sheet has it for 1",
    )


def _wagers(plan: MeterPlan) -> str:
    return "1 wager" if plan.spec.seats == 1 else f"{float(plan.spec.seats):g} wagers"


def _leaves(plan: MeterPlan) -> str:
    """What leaves a wager, before the house's part."""
    spec, exact = plan.spec, plan.exact
    tray = exact.fixed_return if spec.fixed_from == "tray" else Fraction(0)
    seed = spec.seed * exact.top_probability / spec.round_wagers
    parts = (("fixed pays from the tray", tray), ("contribution", spec.contribution), ("reserve", spec.reserve))
    texts = [f"{name} {percent(share, 3)}" for name, share in (*parts, ("seed", seed)) if share]
    return ", ".join(texts) if texts else "nothing"


def _awards(plan: MeterPlan) -> Iterator[Quantity]:
    yield Quantity(
        id="average_top",
        label="Average 100% award",
        form="dollars",
        value=plan.exact.average_top,
        how="none: the meter is empty in the long run"
        if plan.exact.runs_dry
        else f"in the long run, with {_wagers(plan)} a round; the odds sheet has it for 1",
    )
    median = exact_median(plan)
    if median is not None:
        yield Quantity(
            id="median_top",
            label="Median 100% award",
            form="dollars",
            value=median,
            how="half of the awards are smaller; exact, as this meter only grows",
        )


def _times(plan: MeterPlan) -> Iterator[Quantity]:
    spec = plan.spec
    day, chance = spec.rounds_per_day, spec.top_probability
    yield Quantity(
        id="rounds_between",
        label="Rounds between 100% awards",
        form="rounds",
        value=1 / chance,
        how=f"on average, all tables together; {day:,} rounds a day",
    )
    yield Quantity(id="days_between", label="Days between, on average", form="days", value=1 / chance / day)
    yield Quantity(
        id="days_median", label="Days between, median", form="days", value=Fraction(median_rounds(chance), day)
    )
    for days in paths.WINDOWS:
        yield Quantity(
            id=f"back_to_back_{days}",
            label="Chance of a second jackpot within " + ("a day" if days == 1 else f"{days} days"),
            form="share",
            value=chance_within(chance, days * day),
            how=f"a 100% award is followed by another within {days * day:,} rounds",
        )


def _year(plan: MeterPlan) -> Iterator[Quantity]:
    spec, exact = plan.spec, plan.exact
    wagered = spec.year_wagers / MICROS_PER_DOLLAR
    tops = spec.rounds_per_year * spec.top_probability
    yield Quantity(id="tops", label="100% awards a year", form="number", value=tops, how="52 weeks of play")
    yield Quantity(
        id="quiet_year",
        label="A year without one",
        form="share",
        value=1 - chance_within(spec.top_probability, spec.rounds_per_year),
    )
    yield Quantity(id="wagered", label="Wagered a year", form="dollars", value=wagered)
    yield Quantity(
        id="to_players",
        label="To meter and reserve a year",
        form="dollars",
        value=wagered * (spec.contribution + spec.reserve),
        how="players' money: the house is only its custodian",
    )
    from_tray = spec.fixed_from == "tray"
    yield Quantity(
        id="tray",
        label="House's cost: fixed pays a year",
        form="dollars",
        value=wagered * exact.fixed_return if from_tray else Fraction(0),
        how="from the tray" if from_tray else "none: they come off the meter",
    )
    yield Quantity(
        id="seeds",
        label="House's cost: seeds a year",
        form="dollars",
        value=tops * spec.seed / MICROS_PER_DOLLAR,
        how="on average, the opening seed not counted",
    )
    yield Quantity(
        id="result",
        label="House's result a year",
        form="dollars",
        value=wagered * exact.edge,
        how="on average, edge times wagered" + ("" if dryness(plan) != "simulated" else ", before top-ups"),
    )
