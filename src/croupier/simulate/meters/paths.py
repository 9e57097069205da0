"""The sampler of meters: from award to award, from day to day, in integers.

Between awards of a share of the meter nothing happens but wagers and fixed pays. The rounds to the next award are one
geometric draw, and the fixed pays of the rounds between are drawn as one sum (`meter_tables.py`). Only where fixed pays
come off a meter so low that it could run dry are they played one by one.
"""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np

from croupier.simulate.generator import GOLDEN, U64, chunk_counter, mix
from croupier.simulate.histogram import cell_of
from croupier.simulate.meters.tables import BlockTables

DAYS = 364
WEEK = 7
WEEKS = DAYS // WEEK
WINDOWS = (1, 7, 30)
"""Days within which a second 100% award counts as back to back."""
WHOLE_PERCENT = 100

S1, S11 = U64(1), U64(11)
UNIT_53 = 2.0**-53

# The histograms, a row each.
HOUSE_AT = WEEKS
LOWEST_AT, RESULT_AT, TOP_UPS_AT, YEAR_TOPS_AT, GAPS_AT, CYCLES_AT, AWARDS_AT = range(2 * WEEKS, 2 * WEEKS + 7)
"""The meter at each week's end, then the house's position at each week's end; of each year how far below its opening
position the house came, its result before top-ups, its top-ups and the number of 100% awards; of cycles the rounds
between awards and between 100% awards, and the awards by row from there on. Money in cents."""

# Sums of a chunk.
(
    TOPS,
    TRAY_PAID,
    METER_PAID,
    TOPPED_UP,
    DRY,
    DRY_YEARS,
    AWARDED,
    END_METER,
    END_RESERVE,
    CYCLE_ROUNDS,
    CYCLE_DRY,
    PAIRS,
) = range(12)
"""Of years: 100% awards, fixed pays from tray and meter, top-ups, pays that the meter could not cover, years with such
pays, shares of the meter paid, meter and reserve at the end. Of cycles: their rounds and uncovered pays. Then years
with back-to-back awards, for each window."""
ROW_COUNT = PAIRS + len(WINDOWS)
MOST_ROWS = 8
ROW_SUM = ROW_COUNT + MOST_ROWS
"""Awards of each row in all cycles: number, and cents."""
PATH_SUMS = ROW_SUM + MOST_ROWS


class PathSetting(NamedTuple):
    """What meters are simulated with: read only. Money in the spec's unit, one round's wagers taken together."""

    to_meter: int
    to_reserve: int
    to_house: int
    seed: int
    start: int
    cent: int
    day: int
    """Rounds of a day on all tables."""
    award_log: float
    """Logarithm of the chance that a round wins no share of the meter."""
    award_limits: Any
    """Cumulative chances of the rows with a share, given that one is won, times 2**63."""
    percents: Any
    """Those rows' shares."""
    top_log: float
    """Logarithm of the chance that a round wins no 100% award."""
    seats: int
    """Participants of a round, the fraction left off."""
    one_more: int
    """Chance of one participant more in the round of an award, times 2**63."""
    off_meter: int
    """1 if fixed pays come off the meter."""
    step: int
    """What the sums of fixed pays are counted in."""
    tables: BlockTables
    hit_log: float
    """Logarithm of the chance that a round without an award wins no fixed pay either."""
    hit_limits: Any
    hit_pays: Any
    """Fixed pays of a round, all participants together."""
    hop: int
    """Index of the smallest block that is worth a jump; shorter stretches are played hit by hit."""


class PathScratch(NamedTuple):
    """What chunks are counted in."""

    sums: Any
    """A row for each chunk."""
    cells: Any
    """A row for each histogram."""
    trace: Any
    """Of the first paths round, meter and house at each day's end and around each award."""
    traced: Any
    """How many points of each are noted."""


class Stretch(NamedTuple):
    """A meter after some rounds without an award."""

    counter: Any
    meter: int
    paid: int
    topped: int
    dry: int


def draw_63(counter: Any) -> Any:
    return np.int64(mix(counter) >> S1)


def rounds_until(counter: Any, miss_log: float) -> Any:
    """A geometric draw: the round in which something comes whose chance to stay away is `exp(miss_log)`."""
    share = (np.float64(mix(counter) >> S11) + 1.0) * UNIT_53
    return 1 + np.int64(log(share) / miss_log)


def pick(counter: Any, limits: Any) -> int:
    """A row by its cumulative chances."""
    drawn = draw_63(counter)
    row = 0
    while limits[row] < drawn:
        row += 1
    return row


def block_sum(counter: Any, tables: BlockTables, block: int) -> int:
    """The sum of fixed pays over a block of rounds, in steps."""
    drawn = draw_63(counter)
    first = tables.limits_at[block]
    at = first + tables.guide[tables.guide_at[block] + (drawn >> tables.shifts[block])]
    while tables.limits[at] < drawn:
        at += 1
    return tables.lows[block] + at - first  # type: ignore[no-any-return]


def pass_tray(counter: Any, rounds: int, meter: int, setting: PathSetting) -> Stretch:
    """Rounds without an award, fixed pays from the tray."""
    steps = 0
    left = rounds
    block = 0
    while left > 0:
        while setting.tables.sizes[block] > left:
            block += 1
        counter += GOLDEN
        steps += block_sum(counter, setting.tables, block)
        left -= setting.tables.sizes[block]
    return Stretch(counter, meter + rounds * setting.to_meter, steps * setting.step, 0, 0)


def safe_block(left: int, meter: int, setting: PathSetting) -> int:
    """The largest block that fits and whose pays cannot exceed the meter; one past `hop` if there is none.

    What is paid at any moment of a block is at most the block's sum, and contributions only add: a meter that covers
    the largest sum cannot run dry on the way.
    """
    tables = setting.tables
    block = 0
    while block <= setting.hop and (tables.sizes[block] > left or tables.tops[block] * setting.step > meter):
        block += 1
    return block


def pass_meter(counter: Any, rounds: int, meter: int, setting: PathSetting) -> Stretch:
    """Rounds without an award, fixed pays off the meter; what it cannot cover the house pays."""
    tables, hop = setting.tables, setting.hop
    least_size, least_top = tables.sizes[hop], tables.tops[hop] * setting.step
    left = rounds
    paid = topped = dry = 0
    while left > 0:
        counter += GOLDEN
        if left >= least_size and meter >= least_top:
            block = safe_block(left, meter, setting)
            pays = block_sum(counter, tables, block) * setting.step
            meter += tables.sizes[block] * setting.to_meter - pays
            paid += pays
            left -= tables.sizes[block]
            continue
        until = rounds_until(counter, setting.hit_log)
        if until > left:
            meter += left * setting.to_meter
            left = 0
        else:
            counter += GOLDEN
            pays = setting.hit_pays[pick(counter, setting.hit_limits)]
            meter += until * setting.to_meter - pays
            paid += pays
            left -= until
            if meter < 0:
                topped -= meter
                dry += 1
                meter = 0
    return Stretch(counter, meter, paid, topped, dry)


def pass_rounds(counter: Any, rounds: int, meter: int, setting: PathSetting) -> Stretch:
    if setting.off_meter:
        return pass_meter(counter, rounds, meter, setting)
    return pass_tray(counter, rounds, meter, setting)


def award_of(counter: Any, meter: int, percent: int, setting: PathSetting) -> Any:
    """A share of the meter, split among the participants: whole cents each, the remainder stays in the meter."""
    participants = setting.seats + (draw_63(counter) < setting.one_more)
    portion = participants * setting.cent
    return meter * percent // WHOLE_PERCENT // portion * portion


def play_year(counter: Any, setting: PathSetting, scratch: PathScratch, sums: Any, path: int) -> Any:
    """A year of one meter, from its opening."""
    meter, house = setting.start, -setting.seed
    lowest = house
    now = emptied = 0
    last_top = -DAYS * setting.day
    nearest = DAYS * setting.day
    tops = year_dry = 0
    year_paid = year_topped = 0
    counter += GOLDEN
    event = rounds_until(counter, setting.award_log)
    for day in range(1, DAYS + 1):
        stop = day * setting.day
        while now < stop:
            hit = event <= stop
            rounds = (event if hit else stop) - now
            counter, meter, paid, topped, dry = pass_rounds(counter, rounds - hit, meter, setting)
            now += rounds
            year_paid += paid
            year_topped += topped
            year_dry += dry
            house += rounds * setting.to_house - topped - (0 if setting.off_meter else paid)
            lowest = min(lowest, house)
            if hit:
                meter += setting.to_meter
                note(scratch, path, now, meter, house)
                percent = setting.percents[pick(counter + GOLDEN, setting.award_limits)]
                amount = award_of(counter + GOLDEN + GOLDEN, meter, percent, setting)
                meter -= amount
                sums[AWARDED] += amount
                if percent == WHOLE_PERCENT:
                    meter += setting.seed + (now - emptied) * setting.to_reserve
                    house -= setting.seed
                    lowest = min(lowest, house)
                    nearest = min(nearest, now - last_top)
                    emptied = last_top = now
                    tops += 1
                counter += GOLDEN + GOLDEN + GOLDEN
                event = now + rounds_until(counter, setting.award_log)
                note(scratch, path, now, meter, house)
        note(scratch, path, now, meter, house)
        if day % WEEK == 0:
            scratch.cells[day // WEEK - 1, cell_of(meter // setting.cent)] += 1
            scratch.cells[HOUSE_AT + day // WEEK - 1, cell_of(house // setting.cent)] += 1
    sums[TRAY_PAID] += 0 if setting.off_meter else year_paid
    sums[METER_PAID] += year_paid - year_topped if setting.off_meter else 0
    sums[TOPPED_UP] += year_topped
    sums[DRY] += year_dry
    sums[DRY_YEARS] += year_dry > 0
    sums[TOPS] += tops
    sums[END_METER] += meter
    sums[END_RESERVE] += (now - emptied) * setting.to_reserve
    for window in range(len(WINDOWS)):
        sums[PAIRS + window] += nearest <= WINDOWS[window] * setting.day
    cells, cent = scratch.cells, setting.cent
    cells[LOWEST_AT, cell_of((lowest + setting.seed) // cent)] += 1
    cells[RESULT_AT, cell_of((house + setting.seed + year_topped) // cent)] += 1
    cells[TOP_UPS_AT, cell_of(year_topped // cent)] += 1
    cells[YEAR_TOPS_AT, cell_of(tops)] += 1
    return counter


def note(scratch: PathScratch, path: int, now: int, meter: int, house: int) -> None:
    """A point of one of the first paths, for a picture."""
    if path < len(scratch.traced) and scratch.traced[path] < scratch.trace.shape[1]:
        at = scratch.traced[path]
        scratch.trace[path, at, 0] = now
        scratch.trace[path, at, 1] = meter
        scratch.trace[path, at, 2] = house
        scratch.traced[path] = at + 1


def play_cycle(counter: Any, setting: PathSetting, scratch: PathScratch, sums: Any) -> Any:
    """From one 100% award to the next, however long it takes, as in the long run: the reserve that is added to the
    seed is that of a cycle before, which is a geometric number of rounds too."""
    counter += GOLDEN
    meter = setting.seed + rounds_until(counter, setting.top_log) * setting.to_reserve
    length = 0
    percent = 0
    while percent != WHOLE_PERCENT:
        counter += GOLDEN
        rounds = rounds_until(counter, setting.award_log)
        length += rounds
        if setting.off_meter:
            counter, meter, _paid, _topped, dry = pass_meter(counter, rounds - 1, meter, setting)
            meter += setting.to_meter
            sums[CYCLE_DRY] += dry
        else:
            meter += rounds * setting.to_meter
        row = pick(counter + GOLDEN, setting.award_limits)
        percent = setting.percents[row]
        counter += GOLDEN + GOLDEN
        amount = award_of(counter, meter, percent, setting)
        meter -= amount
        sums[ROW_COUNT + row] += 1
        sums[ROW_SUM + row] += amount // setting.cent
        scratch.cells[AWARDS_AT + row, cell_of(amount // setting.cent)] += 1
        scratch.cells[GAPS_AT, cell_of(rounds)] += 1
    sums[CYCLE_ROUNDS] += length
    scratch.cells[CYCLES_AT, cell_of(length)] += 1
    return counter


def play_chunks(key: Any, first: int, last: int, size: int, setting: PathSetting, scratch: PathScratch) -> None:
    """Chunks `first` to `last`, the last one not: so many years and as many cycles each, from a stream of its own."""
    for chunk in range(first, last):
        counter = chunk_counter(key, chunk)
        sums = scratch.sums[chunk - first]
        for path in range(chunk * size, (chunk + 1) * size):
            counter = play_year(counter, setting, scratch, sums, path)
            counter = play_cycle(counter, setting, scratch, sums)
