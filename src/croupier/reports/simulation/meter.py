"""A meter simulation put together: exact odds and settings to simulate, closed forms to compare with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, Literal

from numpy.typing import NDArray

from croupier.errors import NotationError, RangeError
from croupier.exact.jackpot import JackpotOdds, MeterSettings, chance_within, jackpot_odds
from croupier.exact.odds import FIXED_PAYS, OddsSheet, compute_odds
from croupier.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, dollars_for_people, parse_dollars
from croupier.pay import Row, parse_rate
from croupier.rules.choice import Choice, choose
from croupier.rules.spec import Game
from croupier.simulate import histogram
from croupier.simulate.meters import paths
from croupier.simulate.meters.run import MOST_SEATS, MeterCounts, MeterRow, MeterSpec

Array = NDArray[Any]

CENTS = MICROS_PER_DOLLAR // MICROS_PER_CENT
ADVISED_CONTRIBUTION = Fraction(7, 10)
"""What the letters advise at least where all pays come off the meter."""
ONE_BY_ONE = "each wager wins by its seat's own cards, so every wager of a round counts as a round"
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,3})?")


@dataclass(frozen=True, kw_only=True)
class MeterRunWish:
    """What a user asks for, as typed; None takes the pay table's setting."""

    pay_table: str | None = None
    decks: str | None = None
    side: str | None = None
    settings: Mapping[str, str] | tuple[tuple[str, str], ...] = ()
    stake: str | None = None
    tables: int = 1
    seats: str = "3"
    rounds_per_hour: str = "60"
    hours: str = "16"
    contribution: str | None = None
    reserve: str | None = None
    seed_amount: str | None = None
    start: str | None = None
    """What the meter shows now; the seed if left out."""


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """A simulated mean beside the exact one."""

    name: str
    simulated: float
    exact: float
    standard_error: float
    compared: bool
    """False where the closed form does not hold, as the meter ran dry."""

    @property
    def z(self) -> float | None:
        """Standard errors between the two."""
        if not self.compared or self.standard_error == 0:
            return None
        return (self.simulated - self.exact) / self.standard_error


@dataclass(frozen=True, kw_only=True)
class Advice:
    """What a letter advises against, and what it does here."""

    code: str
    text: str
    effect: str


@dataclass(frozen=True, kw_only=True)
class MeterPlan:
    """What is simulated, with what exact arithmetic knows of it."""

    choice: Choice
    sheet: OddsSheet
    spec: MeterSpec

    @cached_property
    def exact(self) -> JackpotOdds:
        return self.exact_with(self.spec)

    def exact_with(self, spec: MeterSpec) -> JackpotOdds:
        """Closed forms under these settings. A round's wagers are to the meter one wager of their sum."""
        meter = MeterSettings(
            stake=int(spec.round_wagers), seed=spec.seed, contribution=spec.contribution, reserve=spec.reserve
        )
        return jackpot_odds(_winning(self.sheet), meter, fixed_from=spec.fixed_from)

    @property
    def notes(self) -> tuple[str, ...]:
        jackpot = self.choice.pay_table.jackpot
        assert jackpot is not None
        own_side = (f"all participants wager on the {self.choice.side} side",) if self._one_side else ()
        one_by_one = (ONE_BY_ONE,) if is_won_one_by_one(self.choice) else ()
        return (*self.choice.notes, *((jackpot.unprinted,) if jackpot.unprinted else ()), *own_side, *one_by_one)

    @property
    def _one_side(self) -> bool:
        return self.choice.wager.hand == "seat" and self.choice.side in ("player", "banker")


def prepare_meter(game: Game, wager_id: str | None, wish: MeterRunWish) -> MeterPlan:
    """Resolves a request; raises with a sentence on anything that cannot be."""
    choice = choose(
        game,
        wager_id or only_progressive(game),
        pay_table=wish.pay_table,
        decks=wish.decks,
        side=wish.side,
        settings=dict(wish.settings),
    )
    table = choice.pay_table
    if table.jackpot is None:
        raise RangeError(
            f'"{choice.wager.id}" is not a progressive, so it has no meter.{_progressives_said(game)}',
            code="not_progressive",
        )
    stake = _stake(choice, wish.stake)
    seed = table.jackpot.seed * MICROS_PER_DOLLAR * stake // (table.stake * MICROS_PER_DOLLAR)
    if wish.seed_amount is not None:
        seed = parse_dollars(wish.seed_amount)
    seats = _number(wish.seats, "wagers a round", "bad_seats")
    rounds = _number(wish.rounds_per_hour, "rounds an hour", "bad_rounds")
    if is_won_one_by_one(choice) and 1 <= seats <= MOST_SEATS:
        seats, rounds = Fraction(1), seats * rounds
    sheet = compute_odds(choice)
    spec = MeterSpec(
        rows=tuple(_meter_row(row, chance, seats) for row, chance in _winning(sheet)),
        stake=stake,
        seed=seed,
        start=parse_dollars(wish.start) if wish.start is not None else seed,
        contribution=_rate(wish.contribution, table.jackpot.contribution),
        reserve=_rate(wish.reserve, table.jackpot.reserve),
        fixed_from=_fixed_from(choice),
        tables=wish.tables,
        seats=seats,
        rounds_per_hour=rounds,
        hours_per_day=_number(wish.hours, "hours a day", "bad_hours"),
    )
    return MeterPlan(choice=choice, sheet=sheet, spec=spec)


def is_won_one_by_one(choice: Choice) -> bool:
    """Whether each wager wins a share of the meter by its seat's own cards, so that it is a round to the meter."""
    return any(row.pays.is_share and row.paid == "each" for row in choice.rows)


def _winning(sheet: OddsSheet) -> list[tuple[Row, Fraction]]:
    return [(row.row, row.probability) for row in sheet.rows if row.row]


def _progressives(game: Game) -> list[str]:
    return [wager.id for wager in game.wagers if any(table.jackpot for table in wager.pay_tables)]


def _progressives_said(game: Game) -> str:
    names = _progressives(game)
    return f" Of {game.id} these are: {', '.join(names)}." if names else f" {game.id} has none."


def only_progressive(game: Game) -> str:
    """The wager meant where none is named."""
    names = _progressives(game)
    if len(names) != 1:
        raise RangeError(
            f"Say which wager: {game.id} has {len(names)} with a meter.{_progressives_said(game)}"
            if names
            else f"{game.id} has no wager with a meter.",
            code="not_progressive",
        )
    return names[0]


def _stake(choice: Choice, text: str | None) -> int:
    table = choice.pay_table
    if text is None:
        return table.stake * MICROS_PER_DOLLAR
    allowed = (table.stake, *table.scales_to)
    if parse_dollars(text) not in [dollars * MICROS_PER_DOLLAR for dollars in allowed]:
        listing = " or ".join(f"${dollars}" for dollars in allowed)
        raise RangeError(f"A wager of {text} is not approved for pay table {table.id}: {listing}.", code="bad_stake")
    return parse_dollars(text)


def _rate(text: str | None, standard: Fraction) -> Fraction:
    return parse_rate(text) if text is not None else standard


def _number(text: str, what: str, code: str) -> Fraction:
    if not _NUMBER.fullmatch(text.strip()):
        raise NotationError(f'"{text}" is not a number of {what}: write 0 to 999999, as 3 or 2.5.', code=code)
    return Fraction(text.strip())


def _fixed_from(choice: Choice) -> Literal["tray", "meter"]:
    """Where fixed pays come from: the operator's switch, or else what the rows say."""
    said = choice.switches.get(FIXED_PAYS)
    named = {said} if said else {row.funded for row in choice.rows if not row.pays.is_share}
    if len(named) > 1:
        raise RangeError(
            "Some fixed pays of this table come from the tray and some off the meter; a simulation needs them all from "
            "one.",
            code="mixed_funding",
        )
    return "meter" if named == {"meter"} else "tray"


def _meter_row(row: Row, probability: Fraction, seats: Fraction) -> MeterRow:
    if seats != 1 and (row.paid == "shared") != row.pays.is_share:
        raise RangeError(
            f'The row "{row.row}" is paid to {"each winner" if row.pays.is_share else "all participants together"}: '
            "with more than one wager a round, shares of the meter must be shared and fixed pays paid to each.",
            code="bad_split",
        )
    if row.pays.is_share:
        return MeterRow(id=row.row, label=row.label, probability=probability, percent=row.pays.numerator)
    return MeterRow(id=row.row, label=row.label, probability=probability, pays=row.pays.returned)


@dataclass(frozen=True, kw_only=True)
class MeterResult:
    """Counts of a simulation, read. Amounts in dollars, times in days."""

    plan: MeterPlan
    counts: MeterCounts

    def total(self, which: int) -> int:
        return int(self.counts.sums[which])

    def yearly(self, which: int) -> float:
        return self.total(which) / self.counts.years

    def yearly_dollars(self, which: int) -> float:
        return self.yearly(which) / (self.plan.spec.fineness * MICROS_PER_DOLLAR)

    def cells(self, which: int) -> Array:
        cells: Array = self.counts.cells[which]
        return cells

    def dollars_at(self, which: int, share: float) -> float:
        """A quantile of a histogram of cents."""
        return histogram.quantile(self.cells(which), share) / CENTS

    def dollars_error_at(self, which: int, share: float) -> float:
        """The standard error of that quantile."""
        return histogram.quantile_error(self.cells(which), share) / CENTS

    def days_at(self, which: int, share: float) -> float:
        """A quantile of a histogram of rounds."""
        return histogram.quantile(self.cells(which), share) / self.plan.spec.rounds_per_day

    def bands(self, first: int, share: float) -> list[float]:
        """A quantile at each week's end, in dollars."""
        return [self.dollars_at(first + week, share) for week in range(paths.WEEKS)]

    @property
    def top_row(self) -> int:
        """Which of the award rows pays the whole meter."""
        return [row.percent for row in self.plan.spec.awards].index(paths.WHOLE_PERCENT)

    def awards_paid(self, row: int) -> int:
        return self.total(paths.ROW_COUNT + row)

    def mean_award(self, row: int) -> float | None:
        paid = self.awards_paid(row)
        return self.total(paths.ROW_SUM + row) / paid / CENTS if paid else None

    @property
    def wagered(self) -> float:
        """In a year, dollars."""
        return float(self.plan.spec.year_wagers / MICROS_PER_DOLLAR)

    @property
    def house_share(self) -> float:
        """What is left of a year's wagers after contribution and reserve, dollars."""
        return self.wagered * float(1 - self.plan.spec.contribution - self.plan.spec.reserve)

    @property
    def result_before_top_ups(self) -> float:
        """The house's mean result of a year, the opening seed not counted, before it tops up the meter."""
        seeds = self.yearly(paths.TOPS) * self.plan.spec.seed / MICROS_PER_DOLLAR
        return self.house_share - self.yearly_dollars(paths.TRAY_PAID) - seeds

    @property
    def result(self) -> float:
        return self.result_before_top_ups - self.yearly_dollars(paths.TOPPED_UP)

    @property
    def edge(self) -> float:
        """Achieved, over all years."""
        return self.result / self.wagered

    def edge_at(self, share: float) -> float:
        """A quantile of the edge of single years."""
        opened = self.plan.spec.seed / MICROS_PER_DOLLAR
        return (self.dollars_at(paths.HOUSE_AT + paths.WEEKS - 1, share) + opened) / self.wagered

    def lowest_at(self, share: float) -> float:
        """A quantile of the house's lowest position in a year, the opening seed counted."""
        return self.dollars_at(paths.LOWEST_AT, share) - self.plan.spec.seed / MICROS_PER_DOLLAR

    def within(self, days: float) -> float:
        """The share of 100% awards that come so soon after the one before."""
        return histogram.share_below(self.cells(paths.CYCLES_AT), days * self.plan.spec.rounds_per_day + 1)

    def within_exact(self, days: int) -> float:
        return chance_within(self.plan.spec.top_probability, days * self.plan.spec.rounds_per_day)

    def top_awards_below(self, amount: float) -> float:
        return histogram.share_below(self.cells(paths.AWARDS_AT + self.top_row), amount * CENTS)

    def agreement(self) -> list[Agreement]:
        """Means that exact arithmetic knows too, two of them of each path as a whole."""
        spec, exact = self.plan.spec, self.plan.exact
        found = []
        cycles = self.awards_paid(self.top_row)
        average = self.mean_award(self.top_row)
        if exact.average_top is not None and average is not None:
            spread = histogram.deviation(self.cells(paths.AWARDS_AT + self.top_row)) / CENTS
            found.append(
                Agreement(
                    name="average_top_award",
                    simulated=average,
                    exact=float(exact.average_top),
                    standard_error=spread / sqrt(cycles),
                    compared=self.total(paths.CYCLE_DRY) == 0,
                )
            )
        found.append(
            Agreement(
                name="days_between_top_awards",
                simulated=self.total(paths.CYCLE_ROUNDS) / cycles / spec.rounds_per_day,
                exact=float(1 / spec.top_probability) / spec.rounds_per_day,
                standard_error=histogram.deviation(self.cells(paths.CYCLES_AT)) / sqrt(cycles) / spec.rounds_per_day,
                compared=True,
            )
        )
        if not exact.runs_dry:
            spread = histogram.deviation(self.cells(paths.RESULT_AT)) / CENTS
            found.append(
                Agreement(
                    name="edge_before_top_ups",
                    simulated=self.result_before_top_ups / self.wagered,
                    exact=float(exact.edge),
                    standard_error=spread / sqrt(self.counts.years) / self.wagered,
                    compared=True,
                )
            )
        return found

    def advice(self) -> list[Advice]:
        """The letters' recommendations that these settings leave, each with its effect."""
        spec, jackpot = self.plan.spec, self.plan.choice.pay_table.jackpot
        assert jackpot is not None
        found = []
        if spec.fixed_from == "meter" and spec.contribution < ADVISED_CONTRIBUTION:
            found.append(self._low_contribution())
        largest = max((row.pays * spec.stake / MICROS_PER_DOLLAR for row in spec.fixed), default=Fraction(0))
        smaller = self.top_awards_below(float(largest))
        effect = f"{100 * smaller:.2f}% of the 100% awards pay less than the largest fixed pay, ${float(largest):,.0f}"
        if spec.seed == 0:
            found.append(Advice(code="no_seed", text="the letter advises against a seed of $0", effect=effect))
        elif spec.seed < largest * MICROS_PER_DOLLAR:
            text = "the letter advises a seed at least as large as the largest fixed pay"
            found.append(Advice(code="low_seed", text=text, effect=effect))
        if spec.fixed_from == "tray" and spec.contribution > jackpot.contribution:
            usual = self.plan.exact_with(replace(spec, contribution=jackpot.contribution, reserve=spec.reserve))
            found.append(
                Advice(
                    code="high_contribution",
                    text="the letter advises against a contribution above the pre-set one: it lowers the edge",
                    effect=f"the exact edge falls from {100 * float(usual.edge):.2f}% to "
                    f"{100 * float(self.plan.exact.edge):.2f}%",
                )
            )
        return found

    def _dry_effect(self) -> str:
        dry_years, times = 100 * self.yearly(paths.DRY_YEARS), self.yearly(paths.DRY)
        topped = self.yearly_dollars(paths.TOPPED_UP)
        share = 100 * topped / self.wagered
        return (
            f"the meter runs dry in {dry_years:.2f}% of years, {times:,.2f} times a year, and the house tops it up by "
            f"${topped:,.0f} a year ({share:.2f}% of wagers)"
        )

    def _low_contribution(self) -> Advice:
        spec, effect = self.plan.spec, self._dry_effect()
        tried = self.plan.exact_with(
            replace(spec, contribution=ADVISED_CONTRIBUTION, reserve=min(spec.reserve, 1 - ADVISED_CONTRIBUTION))
        )
        if tried.average_top is None:
            effect += "; at 70% fixed pays would still take more than flows in"
        else:
            average = dollars_for_people(int(tried.average_top) * MICROS_PER_DOLLAR)
            effect += f"; at 70% the average 100% award would be {average} and the edge {100 * float(tried.edge):.2f}%"
        return Advice(
            code="low_contribution",
            text="the letter advises a contribution of 70% or more where all pays come off the meter",
            effect=effect,
        )
