"""What was achieved against what is expected exactly: hits of each pay-table row, and the house's edge.

A hand of the dealer or a result at baccarat decides for every seat at once, so there a round is one trial; elsewhere
each wager is. The house's result of a progressive is what it kept of the wagers, less fixed pays out of its tray, less
the seed it advanced. Its expectation is that of `exact.jackpot`, whatever the meter shows: all else is players' money.
Only awards that stand are counted, not those rejected or backed out since.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from math import exp, log1p, sqrt
from typing import Annotated, Literal

from msgspec import Meta, structs

from croupier.exact.odds import OddsSheet, bet_of, compute_odds
from croupier.floor.setup import Floor, JackpotSetup, jackpot_choice
from croupier.jackpot import (
    AwardBackedOut,
    AwardRejected,
    Entry,
    JackpotHit,
    JackpotOpened,
    ParametersChanged,
)
from croupier.jackpot.fields import JackpotId
from croupier.jackpot.sums import SumKey
from croupier.pay import Row
from croupier.reports.books.period import PeriodReport, read_period
from croupier.reports.formatting import list_text
from croupier.rules.choice import SEAT_SIDES
from croupier.rules.registry import find_game
from croupier.store.reading import Reader
from croupier.store.sums import PARAMETERS, notable_entries, sums_between, void_rounds

BAND = 0.95
NORMAL_95 = 1.959964
"""Standard errors on each side that hold 95% of a normal distribution."""
FEW = 200
"""Below so many expected hits the band is that of the binomial distribution itself."""

_RETURNS = (AwardRejected.__name__, AwardBackedOut.__name__)


@dataclass(frozen=True, kw_only=True)
class AchievedLine:
    """One figure of a jackpot beside its exact value and the band that holds 95% of such periods."""

    jackpot: JackpotId
    pay_table: Annotated[
        str,
        Meta(
            description="The pay table that was played by. Where that changed in the period, each has lines of its own."
        ),
    ]
    figure: Annotated[Literal["hit_rate", "edge"], Meta(description="Which figure is compared.")]
    row: Annotated[str, Meta(description="Row of the pay table; blank for the edge.")]
    trials: Annotated[int, Meta(description="Rounds or wagers that could have hit.")]
    hits: Annotated[int | None, Meta(description="None where the floor does not enter these pays, and for the edge.")]
    expected_hits: Annotated[float | None, Meta(description="How many hits the odds lead one to expect.")]
    achieved: Annotated[
        float | None, Meta(description="Hits for each trial, or the house's result for each dollar wagered.")
    ]
    exact: Annotated[float | None, Meta(description="The exact value, from the odds.")]
    low: Annotated[float | None, Meta(description="The lower end of the band.")]
    high: Annotated[float | None, Meta(description="The upper end of the band.")]
    z: Annotated[float | None, Meta(description="Standard errors above the exact value.")]
    wagered_micros: int
    result_micros: Annotated[int | None, Meta(description="What the house kept, for the edge.")]

    @property
    def is_inside(self) -> bool | None:
        """Whether what was achieved lies in the band; None where one of them is not known."""
        if self.low is None or self.high is None or self.achieved is None:
            return None
        return self.low <= self.achieved <= self.high


@dataclass(frozen=True, kw_only=True)
class Achieved(PeriodReport):
    """All figures of a period, with what limits them."""

    lines: Annotated[tuple[AchievedLine, ...], Meta(description="The lines of the report.")]
    notes: Annotated[tuple[str, ...], Meta(description="What is to be known about the figures.")]

    def line(self, jackpot: str, row: str = "", pay_table: str = "") -> AchievedLine:
        """The hit rate of a row, or the edge; with the pay table where there was more than one."""
        (line,) = [
            line
            for line in self.lines
            if (line.jackpot, line.row) == (jackpot, row) and pay_table in ("", line.pay_table)
        ]
        return line


def achieved(book: Reader, floor: Floor, start: datetime | None = None, end: datetime | None = None) -> Achieved:
    """Achieved against exact figures, for the jackpots of the floor as it is set up."""
    with read_period(book, start, end) as reader:
        returned = {
            sealed.entry.event.award
            for sealed in notable_entries(reader, kinds=_RETURNS)
            if isinstance(sealed.entry.event, AwardRejected | AwardBackedOut)
        }
        play = _Plays(floor)
        for sealed in notable_entries(reader, kinds=PARAMETERS):
            play.take_parameters(sealed.entry)
        rounds = sums_between(reader, start, end)
        rounds.subtract(void_rounds(reader, start, end))
        for key, times in rounds.items():
            play.add_rounds(key, times)
        for sealed in notable_entries(reader, start, end, kinds=[JackpotHit.__name__]):
            play.add_hit(sealed.entry, returned)
        last_entry, last_hash = reader.head()
        missing = [jackpot.id for jackpot in reader.jackpots() if jackpot.id not in play.current]
    notes = [*play.notes(), *(note for part in play.all() for note in part.notes())]
    notes += [f'"{name}" is in the ledger and not on the floor: its exact figures are not known.' for name in missing]
    return Achieved(
        start=start,
        end=end,
        last_entry=last_entry,
        last_hash=last_hash,
        lines=tuple(line for part in play.all() for line in part.lines()),
        notes=tuple(notes),
    )


class _Plays:
    """What was played for each jackpot by each of its pay tables."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self.current = {jackpot.id: jackpot for jackpot in floor.jackpots}
        self._seeds: dict[tuple[str, int], int] = {}
        """By jackpot and version of its parameters."""
        self._plays: dict[str, dict[str, _Play]] = {name: {} for name in self.current}
        self._unknown: dict[str, set[str]] = defaultdict(set)
        for jackpot in floor.jackpots:
            self._play(jackpot.id, jackpot.pay_table)

    def take_parameters(self, entry: Entry) -> None:
        """What each version of the parameters has as seed."""
        event = entry.event
        if isinstance(event, JackpotOpened | ParametersChanged) and event.jackpot in self.current:
            version = event.version if isinstance(event, ParametersChanged) else 1
            for level in event.parameters.levels:
                if level.id == self.current[event.jackpot].level:
                    self._seeds[event.jackpot, version] = level.seed_micros

    def add_rounds(self, key: SumKey, times: int) -> None:
        """Rounds with the same stakes, or what the house kept, by a key of `jackpot.sums`."""
        what, jackpot = key[0], str(key[1])
        if jackpot not in self.current or not times:
            return
        if what == "kept":
            self._play(jackpot, str(key[2])).receipts_micros += times
        elif what == "played":
            version, table, stakes = int(key[3]), str(key[4]), [int(stake) for stake in key[5:]]
            seed = self._seeds.get((jackpot, version), 0)
            self._play(jackpot, str(key[2])).add_rounds(table, stakes, seed, times)

    def add_hit(self, entry: Entry, returned: Collection[str]) -> None:
        event = entry.event
        if isinstance(event, JackpotHit) and event.jackpot in self.current and event.award not in returned:
            self._play(event.jackpot, event.pay_table).add_hit(event)

    def _play(self, jackpot: str, pay_table: str) -> _Play:
        """Of the pay table in force where a wager names none, or one that the game does not have."""
        setup, plays = self.current[jackpot], self._plays[jackpot]
        name = pay_table or setup.pay_table
        if name not in plays and name not in _pay_tables(setup):
            self._unknown[jackpot].add(name)
            name = setup.pay_table
        if name not in plays:
            plays[name] = _Play(self._floor, structs.replace(setup, pay_table=name))
        return plays[name]

    def all(self) -> Iterator[_Play]:
        for plays in self._plays.values():
            yield from (play for _, play in sorted(plays.items()))

    def notes(self) -> Iterator[str]:
        for jackpot, plays in self._plays.items():
            if len(plays) > 1:
                yield f'"{jackpot}" was played by the pay tables {list_text(sorted(plays))}: each has its own figures.'
            for name in sorted(self._unknown[jackpot]):
                yield (
                    f'Wagers on "{jackpot}" name a pay table "{name}", which its game does not have: taken as '
                    f'"{self.current[jackpot].pay_table}".'
                )


def _pay_tables(setup: JackpotSetup) -> list[str]:
    return [table.id for table in find_game(setup.game).wager(setup.wager).pay_tables]


@dataclass(frozen=True)
class _Trial:
    """What the chances and costs of one trial depend on."""

    table: str
    seed_micros: int
    stake_micros: int
    """All that the row's fixed pay is paid on."""
    winners: int


@dataclass
class _Play:
    """What was played for one jackpot by one pay table, added up."""

    floor: Floor
    setup: JackpotSetup
    """With the pay table that was played by."""
    wagered_micros: int = 0
    receipts_micros: int = 0
    house_paid_micros: int = 0
    """Fixed pays and prizes out of the tray, wagers given back with them, and seed advanced at hits."""
    trials: Counter[_Trial] = field(default_factory=Counter)
    rounds_hit: dict[str, set[tuple[str, int]]] = field(default_factory=lambda: defaultdict(set))
    seats_hit: Counter[str] = field(default_factory=Counter)
    sheets: dict[str, OddsSheet] = field(default_factory=dict)

    def add_rounds(self, table: str, stakes: list[int], seed_micros: int, times: int) -> None:
        self.wagered_micros += times * sum(stakes)
        if self.is_one_for_all:
            self.trials[_Trial(table, seed_micros, sum(stakes), len(stakes))] += times
        else:
            for stake in stakes:
                self.trials[_Trial(table, seed_micros, stake, 1)] += times

    def add_hit(self, event: JackpotHit) -> None:
        self.house_paid_micros += event.amount_micros if event.funding == "tray" else event.seed_micros
        self.house_paid_micros += event.chip_micros * len(event.seats)
        self.rounds_hit[event.row].add((event.table, event.round))
        self.seats_hit[event.row] += len(event.seats)

    def sheet(self, table: str) -> OddsSheet:
        """Exact odds at a table's decks and switches; at the letter's for a table that is gone."""
        if table not in self.sheets:
            setup = next((one for one in self.floor.tables if one.id == table), None)
            self.sheets[table] = compute_odds(jackpot_choice(self.setup, setup))
        return self.sheets[table]

    @cached_property
    def any_sheet(self) -> OddsSheet:
        tables = self.floor.tables_of(self.setup.id)
        return self.sheet(tables[0].id if tables else "")

    @cached_property
    def is_one_for_all(self) -> bool:
        """Whether one outcome decides for all seats of a round."""
        choice = self.any_sheet.choice
        return bet_of(choice).scene.is_shared and choice.side not in SEAT_SIDES

    def is_tracked(self, row: Row) -> bool:
        """Whether such an award is entered at the terminal."""
        return row.pays.is_share or self.setup.fixed_pays == "meter" or self.setup.track_fixed_pays

    def hits(self, row: str) -> int:
        return len(self.rounds_hit[row]) if self.is_one_for_all else self.seats_hit[row]

    def cost(self, row: Row, trial: _Trial) -> Fraction:
        """What the row takes from the house in one trial, in micros."""
        if not row.pays.is_share:
            from_house = self.setup.kind == "house" or self.setup.fixed_pays == "tray"
            return (row.pays.returned if from_house else Fraction(row.pays.chip)) * trial.stake_micros
        if self.setup.kind == "house":
            return row.pays.share * trial.seed_micros * trial.winners
        return Fraction(trial.seed_micros if row.pays.share == 1 else 0)

    def lines(self) -> Iterable[AchievedLine]:
        for row in self.any_sheet.rows:
            if row.row is not None:
                yield self._rate_line(row.row)
        yield self._edge_line()

    def _rate_line(self, row: Row) -> AchievedLine:
        count = self.trials.total()
        expected = variance = Fraction(0)
        for table, trials in self._trials_by_table().items():
            chance = _chances(self.sheet(table)).get(row.row, Fraction(0))
            expected += trials * chance
            variance += trials * chance * (1 - chance)
        hits = self.hits(row.row) if self.is_tracked(row) else None
        low, high = hits_band(count, float(expected / count)) if count else (0.0, 0.0)
        return AchievedLine(
            jackpot=self.setup.id,
            pay_table=self.setup.pay_table,
            figure="hit_rate",
            row=row.row,
            trials=count,
            hits=hits,
            expected_hits=float(expected),
            achieved=hits / count if hits is not None and count else None,
            exact=float(expected / count) if count else float(_chances(self.any_sheet)[row.row]),
            low=low / count if count else None,
            high=high / count if count else None,
            z=_z(hits, float(expected), sqrt(variance)),
            wagered_micros=self.wagered_micros,
            result_micros=None,
        )

    def _edge_line(self) -> AchievedLine:
        expected_cost = untracked_cost = variance = Fraction(0)
        for trial, times in self.trials.items():
            chances = _chances(self.sheet(trial.table))
            mean = square = Fraction(0)
            for row in self.any_sheet.rows:
                if row.row is None:
                    continue
                chance, cost = chances.get(row.row.row, Fraction(0)), self.cost(row.row, trial)
                if not self.is_tracked(row.row):
                    untracked_cost += times * chance * cost
                    continue
                mean += chance * cost
                square += chance * cost**2
            expected_cost += times * mean
            variance += times * (square - mean**2)
        # Pays that are not entered are taken at their expectation on both sides.
        kept = self.receipts_micros - untracked_cost
        result, expected = kept - self.house_paid_micros, kept - expected_cost
        wagered, error = self.wagered_micros, sqrt(variance)
        return AchievedLine(
            jackpot=self.setup.id,
            pay_table=self.setup.pay_table,
            figure="edge",
            row="",
            trials=self.trials.total(),
            hits=None,
            expected_hits=None,
            achieved=float(result / wagered) if wagered else None,
            exact=float(expected / wagered) if wagered else None,
            low=float((float(expected) - NORMAL_95 * error) / wagered) if wagered else None,
            high=float((float(expected) + NORMAL_95 * error) / wagered) if wagered else None,
            z=_z(float(result), float(expected), error),
            wagered_micros=wagered,
            result_micros=int(result),
        )

    def _trials_by_table(self) -> Counter[str]:
        counted: Counter[str] = Counter()
        for trial, times in self.trials.items():
            counted[trial.table] += times
        return counted

    def notes(self) -> Iterable[str]:
        name = self.setup.name or self.setup.id
        rows = {row.id for row in self.any_sheet.rows}
        for row in sorted(self.rounds_hit.keys() - rows):
            count = len(self.rounds_hit[row])
            said = "1 hit" if count == 1 else f"{count} hits"
            yield f'{said} of "{name}" on "{row}", which is not a row of its pay table.'
        if not all(self.is_tracked(row.row) for row in self.any_sheet.rows if row.row):
            yield f'Fixed pays of "{name}" are not entered at the terminal: the edge takes them at their expectation.'
        if self.any_sheet.choice.side in SEAT_SIDES:
            yield f'The side that a wager on "{name}" is on is not in the ledger; the exact figures are for one side.'
        gone = sorted({trial.table for trial in self.trials} - {table.id for table in self.floor.tables})
        if gone:
            yield f'"{name}" was played at {", ".join(gone)}, not on the floor now: taken at the letter\'s decks.'


def _chances(sheet: OddsSheet) -> dict[str, Fraction]:
    return {row.id: row.probability for row in sheet.rows}


def _z(found: float | None, expected: float, error: float) -> float | None:
    return None if found is None or error == 0 else (found - expected) / error


def hits_band(trials: int, chance: float) -> tuple[float, float]:
    """The hits between which 95% of such periods lie: at most 2.5% are below, at most 2.5% above.

    >>> hits_band(1000, 0.0001), hits_band(100, 0.05)
    ((0.0, 1.0), (1.0, 10.0))
    """
    expected = trials * chance
    if expected >= FEW or chance >= 0.5:
        half = NORMAL_95 * sqrt(expected * (1 - chance))
        return max(0.0, expected - half), min(float(trials), expected + half)
    tail = (1 - BAND) / 2
    probability = exp(trials * log1p(-chance))
    below, low, hits = probability, 0 if probability > tail else -1, 0
    while below < 1 - tail and hits < trials:
        probability *= (trials - hits) / (hits + 1) * chance / (1 - chance)
        below += probability
        hits += 1
        if low < 0 and below > tail:
            low = hits
    return float(max(0, low)), float(hits)
