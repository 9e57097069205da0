"""A progressive's meter over years of play: what it is set to, and the counts of many simulated years.

How play is read:

* A **round** at one table is one trial. All participants of the round win or lose together, as they do where the
  dealer's hand or a baccarat result decides, so a row comes with its probability once a round, however many wager.
  Rounds in which nobody wagers on the meter do nothing and are not counted. In a wager tied to the seat's own side all
  participants are on the same side.
* A round brings `seats` wagers: a mean, which may have a fraction. Every round brings that mean; how participation
  varies around it is not modeled, but the round of an award has the whole number below or above it, at random.
* Linked tables only add rounds: so many rounds an hour at each, one after the other.
* Contributions of a round are in the meter before its award, as START GAME books them. A **share** of the meter is one
  award, split among the participants at that table: whole cents each, the remainder stays in the meter. After the
  100% award the house puts up the seed, and the reserve joins it. Any other share leaves the rest.
* A **fixed pay** goes to each participant, from the tray or off the meter. One that the meter cannot cover empties it
  and the house pays what is missing (a top-up); the reserve waits for the next seed and is not touched.
* The **house** gets what is left of each wager after contribution and reserve. It pays the seed, at the opening too,
  what comes from the tray, and top-ups. Its position is looked at after every award and at the end of every day.
* A year is 52 weeks. Every year begins at `start` with an empty reserve. Awards and the time between them are taken
  from as many **cycles**, from one 100% award to the next, so that no year's end cuts the long ones off; a cycle
  begins at the seed with the reserve of a cycle before (without the few cents a split may have left).

Money is counted in integers: millionths of a dollar, or a whole fraction of them where a rate needs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, reduce
from math import gcd, lcm, log1p
from operator import add
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from croupier.errors import RangeError
from croupier.kernels.link import compile_cpu, link, plain
from croupier.money import MICROS_PER_CENT
from croupier.simulate.generator import seed_key
from croupier.simulate.histogram import HALF
from croupier.simulate.meters import paths
from croupier.simulate.meters.tables import DRAW_BITS, block_tables, one_round
from croupier.simulate.run import Backend

Array = NDArray[Any]

CHUNK_YEARS = 256
"""Years of a chunk, and cycles."""
TRACED = 6
TRACE_POINTS = 1024
"""Paths noted for pictures, and the most points of each."""
LONGEST_JUMP = 1 << 20
HITS_WORTH_A_JUMP = 4
LONGEST_CYCLE = 45
"""Mean cycles that no cycle outlasts: exp(-45) is less than the generator's smallest draw."""
ROOM = 1 << 62
MOST_STEPS = 1 << 17
MOST_TABLES = 1000
MOST_SEATS = 7
MOST_ROUNDS_PER_HOUR = 1000
LONGEST_RUN = 600
"""Seconds that one core may take for a run."""
LEAST_LIMIT = 200
YEAR_SECONDS = 4e-6
AWARD_SECONDS = 1.6e-7
HIT_SECONDS = 3e-8
"""What a year costs on one core of 2024: its days, each award, and each fixed pay where they come off the meter."""


@dataclass(frozen=True, kw_only=True)
class MeterRow:
    """A winning row of the wager."""

    id: str
    label: str
    probability: Fraction
    """Chance in one round."""
    percent: int = 0
    """Share of the meter, shared by the participants; 0 for a fixed pay."""
    pays: Fraction = Fraction(0)
    """Fixed pay to each participant for each unit wagered, the wager included where it comes back."""


@dataclass(frozen=True, kw_only=True)
class MeterSpec:
    """Everything that the counts depend on, but seed and chunks. Amounts in micros of a dollar."""

    rows: tuple[MeterRow, ...]
    stake: int
    """One wager."""
    seed: int
    """Put up by the house at the opening and after each 100% award."""
    start: int
    """What the meter shows at the opening."""
    contribution: Fraction
    """Share of a wager that goes to the meter."""
    reserve: Fraction = Fraction(0)
    """Share of a wager that is kept for the next seed."""
    fixed_from: Literal["tray", "meter"] = "tray"
    """Who pays fixed pays: the tray (percentage-only) or the meter (all from the meter)."""
    tables: int = 1
    """Linked tables."""
    seats: Fraction = Fraction(1)
    """Mean wagers of a round at one table, 1 or more."""
    rounds_per_hour: Fraction = Fraction(60)
    """Rounds of one table in which somebody wagers on the meter."""
    hours_per_day: Fraction = Fraction(24)

    def __post_init__(self) -> None:
        _check(1 <= self.tables <= MOST_TABLES, f"{self.tables} tables: 1 to {MOST_TABLES}.", "bad_tables")
        _check(
            1 <= self.seats <= MOST_SEATS,
            f"{float(self.seats):g} wagers a round: 1 to {MOST_SEATS} on the mean, as rounds without any do not count.",
            "bad_seats",
        )
        _check(
            0 < self.rounds_per_hour <= MOST_ROUNDS_PER_HOUR,
            f"{float(self.rounds_per_hour):g} rounds an hour: more than 0, at most {MOST_ROUNDS_PER_HOUR}.",
            "bad_rounds",
        )
        _check(
            0 < self.hours_per_day <= 24,
            f"{float(self.hours_per_day):g} hours a day: more than 0, at most 24.",
            "bad_hours",
        )
        _check(self.rounds_per_day >= 1, "Less than one round a day: nothing to simulate.", "bad_rounds")
        _check(
            min(self.contribution, self.reserve) >= 0 and self.contribution + self.reserve <= 1,
            f"Contribution {float(self.contribution):g} and reserve {float(self.reserve):g}: each is 0 or more, and "
            "together they are 1 at most.",
            "bad_rate",
        )
        _check(
            min(self.seed, self.start) >= 0, "Seed and opening meter are amounts of zero or more.", "negative_amount"
        )
        _check(
            any(row.percent == paths.WHOLE_PERCENT for row in self.awards),
            "No row pays 100% of the meter, so it is never seeded again: there are no cycles to simulate.",
            "no_top_award",
        )
        _check(
            len(self.awards) <= paths.MOST_ROWS,
            f"{len(self.awards)} rows pay shares of the meter: {paths.MOST_ROWS} can be counted.",
            "too_many_rows",
        )
        of_chunk = (self.year_wagers + self.start + self.seed) * CHUNK_YEARS
        # An award is computed as a percentage, so a hundred times the meter has to fit as well.
        of_cycle = (
            self.round_wagers * LONGEST_CYCLE / self.top_probability + self.start + self.seed
        ) * paths.WHOLE_PERCENT
        _check(
            max(of_chunk, of_cycle) * self.fineness < ROOM,
            "A meter of this size and fineness does not fit 64-bit integers: take rates with fewer decimals, fewer "
            "tables or a smaller wager.",
            "too_large",
        )

    @property
    def awards(self) -> tuple[MeterRow, ...]:
        """Rows with a share of the meter."""
        return tuple(row for row in self.rows if row.percent)

    @property
    def fixed(self) -> tuple[MeterRow, ...]:
        return tuple(row for row in self.rows if not row.percent and row.pays)

    @property
    def award_probability(self) -> Fraction:
        return sum((row.probability for row in self.awards), Fraction(0))

    @property
    def top_probability(self) -> Fraction:
        return sum((row.probability for row in self.awards if row.percent == paths.WHOLE_PERCENT), Fraction(0))

    @property
    def rounds_per_day(self) -> int:
        """Of all tables together, to the nearest whole one."""
        return round(self.tables * self.rounds_per_hour * self.hours_per_day)

    @property
    def rounds_per_year(self) -> int:
        return self.rounds_per_day * paths.DAYS

    @property
    def round_wagers(self) -> Fraction:
        """Wagers of one round, in micros."""
        return self.seats * self.stake

    @property
    def year_wagers(self) -> Fraction:
        return self.round_wagers * self.rounds_per_year

    @property
    def fineness(self) -> int:
        """Parts of a micro that money is counted in, so that a round's every flow is whole."""
        flows = [self.round_wagers * rate for rate in (1, self.contribution, self.reserve)]
        return lcm(*(flow.denominator for flow in [*flows, *(self.round_wagers * row.pays for row in self.fixed)]))

    @property
    def most_years(self) -> int:
        """Years that one core plays in about ten minutes: one significant digit, and at least most of a chunk."""
        hits = sum((row.probability for row in self.fixed), Fraction(0)) if self.fixed_from == "meter" else Fraction(0)
        seconds = AWARD_SECONDS * float(self.award_probability) + HIT_SECONDS * float(hits)
        years = int(LONGEST_RUN / (YEAR_SECONDS + seconds * self.rounds_per_year))
        digit = int(10 ** (len(str(years)) - 1))
        return max(years // digit * digit, LEAST_LIMIT)

    def in_units(self, micros: Fraction | int) -> int:
        amount = Fraction(micros) * self.fineness
        assert amount.denominator == 1
        return int(amount)


def _check(holds: bool, sentence: str, code: str) -> None:
    if not holds:
        raise RangeError(sentence, code=code)


@lru_cache(maxsize=16)
def setting_of(spec: MeterSpec) -> paths.PathSetting:
    """A spec as the sampler reads it."""
    wagers = spec.round_wagers
    missed = 1 - spec.award_probability
    chances = [row.probability / missed for row in spec.fixed]
    pays = [spec.in_units(wagers * row.pays) for row in spec.fixed]
    step = gcd(*pays) or 1
    _check(
        max(pays, default=0) // step < MOST_STEPS,
        f"Fixed pays from {min(pays, default=0) // step} to {max(pays, default=0) // step} times their common part are "
        f"too far apart to be added up: the largest may be {MOST_STEPS} times it.",
        "too_large",
    )
    off_meter = spec.fixed_from == "meter" and bool(pays)
    day = spec.rounds_per_day
    tables = block_tables(
        one_round([pay // step for pay in pays], chances), day=day, longest=LONGEST_JUMP if off_meter else day
    )
    hit = sum(chances, Fraction(0))
    worth = [at for at, size in enumerate(tables.sizes) if size * hit >= HITS_WORTH_A_JUMP]
    return paths.PathSetting(
        to_meter=spec.in_units(wagers * spec.contribution),
        to_reserve=spec.in_units(wagers * spec.reserve),
        to_house=spec.in_units(wagers * (1 - spec.contribution - spec.reserve)),
        seed=spec.in_units(spec.seed),
        start=spec.in_units(spec.start),
        cent=spec.in_units(MICROS_PER_CENT),
        day=day,
        award_log=log1p(-float(spec.award_probability)),
        award_limits=_limits([row.probability for row in spec.awards]),
        percents=np.array([row.percent for row in spec.awards], np.int64),
        top_log=log1p(-float(spec.top_probability)),
        seats=int(spec.seats),
        one_more=min(int((spec.seats % 1) * 2**DRAW_BITS), 2**DRAW_BITS - 1),
        off_meter=int(off_meter),
        step=step,
        tables=tables,
        hit_log=log1p(-float(hit)) if hit else -1.0,
        hit_limits=_limits(chances),
        hit_pays=np.array([*pays, 0], np.int64),
        hop=worth[-1] if worth else 0,
    )


def _limits(chances: Sequence[Fraction]) -> Array:
    """Cumulative shares of their sum, times 2**63."""
    whole = sum(chances, Fraction(0))
    so_far = Fraction(0)
    limits = []
    for chance in chances:
        so_far += chance
        limits.append(int(so_far / whole * 2**DRAW_BITS) - 1)
    return np.array(limits or [2**DRAW_BITS - 1], np.int64)


@dataclass(frozen=True)
class MeterCounts:
    """Counts of whole chunks. They add up in any order."""

    chunks: int
    sums: Array
    """Python's integers, by the names in `meter_paths`."""
    cells: Array
    """A histogram in each row."""
    trace: tuple[Array, ...]
    """Round, meter and house of the first paths."""

    @property
    def years(self) -> int:
        return self.chunks * CHUNK_YEARS

    def __add__(self, other: MeterCounts) -> MeterCounts:
        return MeterCounts(
            self.chunks + other.chunks, self.sums + other.sums, self.cells + other.cells, self.trace or other.trace
        )


@cache
def sampler(backend: Backend) -> Any:
    """The sampler, compiled or in plain Python."""
    return link(paths.play_chunks, plain) if backend == "python" else compile_cpu(paths.play_chunks, "meters")


def run_chunks(spec: MeterSpec, seed: int, first: int, last: int, *, backend: Backend = "cpu") -> MeterCounts:
    """The counts of chunks `first` to `last`, the last one not."""
    scratch = paths.PathScratch(
        sums=np.zeros((last - first, paths.PATH_SUMS), np.int64),
        cells=np.zeros((paths.AWARDS_AT + paths.MOST_ROWS, 2 * HALF), np.int64),
        trace=np.zeros((TRACED, TRACE_POINTS, 3), np.int64),
        traced=np.zeros(TRACED, np.int64),
    )
    with np.errstate(over="ignore"):  # 64-bit numbers wrap on purpose
        sampler(backend)(seed_key(seed), first, last, CHUNK_YEARS, setting_of(spec), scratch)
    trace = tuple(points[:length] for points, length in zip(scratch.trace, scratch.traced, strict=True) if length)
    return MeterCounts(last - first, scratch.sums.astype(object).sum(axis=0), scratch.cells, trace)


def run(spec: MeterSpec, seed: int, chunks: int, *, threads: int = 1) -> MeterCounts:
    """The counts of so many chunks. The number of threads changes nothing."""
    parts = [(chunks * part // threads, chunks * (part + 1) // threads) for part in range(threads)]
    setting_of(spec)
    sampler("cpu")
    with ThreadPoolExecutor(threads) as pool:
        counted = pool.map(lambda part: run_chunks(spec, seed, *part), parts)
        return reduce(add, counted)
