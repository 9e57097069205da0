"""A progressive's meter: exact arithmetic and simulated years, as results."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from croupier.errors import RangeError
from croupier.library.frame import Frame
from croupier.library.game import Game
from croupier.library.game import game as game_of
from croupier.library.html import bands_svg, notes_html, table_html, title_html
from croupier.library.pay_tables import PayTable, by_wager, with_tables
from croupier.library.result import Result, shown_percent
from croupier.library.values import (
    Amount,
    Decks,
    Number,
    Rules,
    decks_text,
    keywords_of,
    number_text,
    optional_text,
    require_known,
    require_whole,
    switch_texts,
)
from croupier.money import MICROS_PER_DOLLAR, dollars, dollars_for_people
from croupier.reports.simulation.length import parse_years, require_seed
from croupier.reports.simulation.meter import (
    MeterPlan,
    MeterResult,
    MeterRunWish,
    only_progressive,
    prepare_meter,
)
from croupier.reports.simulation.meter_data import BANDS, meter_data, meter_settings
from croupier.simulate.meters.run import CHUNK_YEARS, run, run_chunks

YEARS = 100_000
YEARS_WHEN_DRY = 4_096
"""Where more is paid off the meter than flows in, every single pay is played, which takes a hundred times as long."""
MOST_THREADS = 1024


class Meter(Result):
    """A progressive: what it is set to, and what follows from that exactly.

    >>> import croupier
    >>> meter = croupier.Meter("double_down_madness", contribution="25%", tables=4)
    >>> meter
    <Meter: double_down_madness push_22_progressive: house edge 11.0778%>
    >>> years = meter.simulate(years=2000, seed=1)
    >>> years.years
    2048

    `game` is an id, a path, or what `croupier.game` gave. Settings left out are those of the pay table. Amounts are
    dollars: `5`, `0.25`, `"$10,000"`; rates are shares of one wager: `0.2`, `"20%"`. Pays and switches are as for
    `Game.odds`. `tables` share the meter; `seats` is how many wagers a round has on it on average, `rounds_per_hour`
    and `hours` a day how often there is such a round. Wagers of one round win together and share the award, so that
    the house puts up the next seed once for all of them: with `seats=1` the edge is that of `Game.odds`.
    """

    def __init__(
        self,
        game: Game | str | Path,
        wager: str | None = None,
        *,
        pay_table: PayTable = None,
        decks: Decks = None,
        side: str | None = None,
        stake: Amount | None = None,
        tables: int = 1,
        seats: Number | str = 3,
        rounds_per_hour: Number | str = 60,
        hours: Number | str = 16,
        contribution: Amount | None = None,
        reserve: Amount | None = None,
        seed: Amount | None = None,
        start: Amount | None = None,
        rules: Rules | None = None,
        **switches: object,
    ) -> None:
        require_whole(tables=tables)
        settings = switch_texts(rules, switches)
        known = game_of(game)
        require_known(switches, known.switches, keywords_of(Meter))
        spec = known.spec
        name = wager if wager is not None else only_progressive(spec)
        spec, ids = with_tables(spec, by_wager(None, name, pay_table), decks, settings)
        wish = MeterRunWish(
            pay_table=ids.get(name),
            decks=decks_text(decks),
            side=side,
            settings=settings,
            stake=optional_text(stake),
            tables=tables,
            seats=number_text(seats),
            rounds_per_hour=number_text(rounds_per_hour),
            hours=number_text(hours),
            contribution=optional_text(contribution),
            reserve=optional_text(reserve),
            seed_amount=optional_text(seed),
            start=optional_text(start),
        )
        self.plan: MeterPlan = prepare_meter(spec, name, wish)
        """What is simulated, as the engine has it. It is not part of the stable interface."""

    @property
    def game(self) -> str:
        return self.plan.choice.game.id

    @property
    def wager(self) -> str:
        return self.plan.choice.wager.id

    @property
    def edge(self) -> Fraction:
        """House edge over the life of the jackpot, exact but where it runs dry."""
        return self.plan.exact.edge

    @property
    def average_top(self) -> Fraction | None:
        """The average 100% award, dollars; None where it runs dry."""
        return self.plan.exact.average_top

    @property
    def break_even(self) -> Fraction | None:
        """The meter, in dollars, at which the next wager has no edge."""
        return self.plan.exact.break_even

    @property
    def days_between_top_awards(self) -> Fraction:
        """Mean days of play from one 100% award to the next."""
        return 1 / self.plan.spec.top_probability / self.plan.spec.rounds_per_day

    @property
    def runs_dry(self) -> bool:
        """Whether fixed pays take more from the meter than flows in."""
        return self.plan.exact.runs_dry

    @property
    def notes(self) -> tuple[str, ...]:
        return self.plan.notes

    def simulate(self, years: Number | str | None = None, *, seed: int = 1, threads: int | None = None) -> MeterYears:
        """Years of play, 52 weeks each: `croupier meter`. The same seed gives the same figures.

        At most as many years as one core plays in about ten minutes: 1e8 for a usual meter, less for a busy one.
        """
        require_whole(threads=threads)
        require_seed(seed)
        workers = threads if threads is not None else os.cpu_count() or 1
        if not 1 <= workers <= MOST_THREADS:
            raise RangeError(f"{workers} threads: 1 to {MOST_THREADS}.", code="bad_threads")
        most = self.plan.spec.most_years
        usual = min(YEARS_WHEN_DRY if self.runs_dry else YEARS, most)
        count = usual if years is None else parse_years(number_text(years), most)
        chunks = -(-count // CHUNK_YEARS)
        run_chunks(self.plan.spec, seed, 0, 0)
        start = time.perf_counter()
        counts = run(self.plan.spec, seed, chunks, threads=workers)
        seconds = time.perf_counter() - start
        return MeterYears(seed=seed, seconds=seconds, result=MeterResult(plan=self.plan, counts=counts))

    def to_dict(self) -> dict[str, Any]:
        """Its settings, and what follows from them."""
        return meter_settings(self.plan) | {
            "edge": float(self.edge),
            "edge_exact": str(self.edge),
            "average_top": _dollars(self.average_top),
            "break_even": _dollars(self.break_even),
            "days_between_top_awards": float(self.days_between_top_awards),
            "runs_dry": self.runs_dry,
        }

    @property
    def frame(self) -> Frame:
        """A row for each share of the meter: how often it is paid, and how much on average, dollars."""
        top, hundred = self.average_top, 100
        return Frame.of_rows(
            {
                "row": award.id,
                "label": award.label,
                "pays": f"{award.percent}%",
                "probability": award.probability,
                "average": None if top is None else top * award.percent / hundred,
            }
            for award in self.plan.spec.awards
        )

    @property
    def line(self) -> dict[str, Any]:
        choice, spec = self.plan.choice, self.plan.spec
        return {
            "game": self.game,
            "wager": self.wager,
            "pay_table": choice.pay_table.id,
            "decks": choice.decks,
            "tables": spec.tables,
            "seats": spec.seats,
            "seed": spec.seed / MICROS_PER_DOLLAR,
            "contribution": spec.contribution,
            "reserve": spec.reserve,
            "edge": self.edge,
            "average_top": self.average_top,
            "break_even": self.break_even,
            "days_between_top_awards": self.days_between_top_awards,
        }

    def __repr__(self) -> str:
        return f"<Meter: {self.game} {self.wager}: house edge {shown_percent(self.edge)}>"

    def _repr_html_(self) -> str:
        spec = self.plan.spec
        top = self.average_top
        rows = [
            ["seed", dollars_for_people(spec.seed)],
            ["contribution", shown_percent(spec.contribution, 2)],
            ["reserve", shown_percent(spec.reserve, 2)],
            ["house edge", shown_percent(self.edge)],
            ["average 100% award", f"${float(top):,.0f}" if top is not None else "runs dry"],
            ["days between 100% awards", f"{float(self.days_between_top_awards):,.1f}"],
        ]
        title = f"{self.plan.choice.game.name}: {self.plan.choice.wager.name}"
        return title_html(title) + table_html(["figure", "value"], rows) + notes_html(self.notes)


def _dollars(amount: Fraction | None) -> str | None:
    return None if amount is None else dollars(round(amount * MICROS_PER_DOLLAR))


def _with_commas(amount: str | None) -> str:
    return f"{Decimal(amount):,}" if amount else ""


@dataclass(frozen=True, kw_only=True, repr=False)
class MeterYears(Result):
    """Simulated years of a meter: `croupier meter`.

    >>> import croupier
    >>> years = croupier.Meter("double_down_madness").simulate(years=2000, seed=1)
    >>> abs(years.edge - float(croupier.Meter("double_down_madness").edge)) < 0.05
    True
    """

    seed: int
    seconds: float
    result: MeterResult = field(compare=False)
    """The counts, as the engine has them. It is not part of the stable interface."""

    @property
    def years(self) -> int:
        """Years played: whole chunks, so that it may be more than were asked for."""
        return self.result.counts.years

    @property
    def edge(self) -> float:
        """House edge achieved, over all years, top-ups taken off."""
        return self.result.edge

    @cached_property
    def data(self) -> dict[str, Any]:
        """Everything that was counted, as plain data."""
        return meter_data(self.result)

    def to_dict(self) -> dict[str, Any]:
        """What `croupier meter --json` prints."""
        speed = self.years / max(self.seconds, 1e-9)
        return self.data | {"random_seed": self.seed, "seconds": self.seconds, "years_per_second": speed}

    @property
    def frame(self) -> Frame:
        """Week by week: quantiles of the meter and of the house's position, dollars."""
        columns: dict[str, tuple[Any, ...]] = {}
        for name in ("meter_by_week", "house_by_week"):
            for share, amounts in self.data[name].items():
                columns[f"{name.partition('_')[0]}_{share}"] = tuple(map(float, amounts))
        weeks = tuple(range(1, len(next(iter(columns.values()))) + 1))
        return Frame({"week": weeks} | columns)

    @property
    def line(self) -> dict[str, Any]:
        choice = self.result.plan.choice
        return {
            "game": choice.game.id,
            "wager": choice.wager.id,
            "years": self.years,
            "edge": self.edge,
            "wagered_per_year": self.result.wagered,
            "house_per_year": self.result.result,
        }

    def __repr__(self) -> str:
        choice = self.result.plan.choice
        return (
            f"<MeterYears: {choice.game.id} {choice.wager.id}, {self.years:,} years: edge {shown_percent(self.edge)}>"
        )

    def _repr_html_(self) -> str:
        choice = self.result.plan.choice
        rows = [
            [
                award["label"],
                award["pays"],
                f"{award['paid']:,}",
                _with_commas(award["mean"]),
                _with_commas(award["exact_mean"]),
            ]
            for award in self.data["awards"]
        ]
        bands = {f"{100 * share:g}%": self.result.bands(0, share) for share in BANDS}
        advice = [f"{advice.text}; {advice.effect}" for advice in self.result.advice()]
        return (
            title_html(
                f"{choice.game.name}: {choice.wager.name}", f"{self.years:,} years, edge {shown_percent(self.edge)}"
            )
            + table_html(["award", "share", "paid", "mean $", "exact mean $"], rows)
            + bands_svg("the meter week by week", bands, "weeks; the meter's middle, 50% and 90% of years")
            + notes_html([*self.result.plan.notes, *advice])
        )
