"""Rules about single jackpots: kind, cap, alarm, and the letters' advice with its effect on the edge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import ceil

from croupier.exact.jackpot import JackpotOdds, MeterSettings, jackpot_odds
from croupier.exact.odds import compute_odds
from croupier.floor.checks.findings import Finding, found
from croupier.floor.law import law_on, rows_of
from croupier.floor.setup import MOST_SEATS, Floor, JackpotSetup, jackpot_choice, pay_table_of
from croupier.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, dollars_for_people, floor_to_micros
from croupier.pay import Row
from croupier.rules.choice import Choice

Findings = Iterator[Finding]
PPM = 1_000_000
ONE_WAGER = "Edges are for one wager a round; with more, the seed weighs less."
MOST_CARRIED = 2
"""Micros that a round may add beyond its rates, as meter and reserve each carry parts of one."""
LOOSE_ALARM = 10
"""An alarm above this many times what a full table can add would let a whole shift's error through."""


@dataclass(frozen=True)
class MeterMath:
    """Exact odds of a jackpot's wager at its first table, and what settings of the meter make of them."""

    jackpot: JackpotSetup
    rows: list[tuple[Row, Fraction]]

    def with_settings(
        self,
        *,
        seed: int | None = None,
        contribution: Fraction | None = None,
        reserve: Fraction | None = None,
    ) -> JackpotOdds:
        """The closed forms for one wager a round; what is left out is as set up."""
        meter = MeterSettings(
            stake=self.jackpot.wager_micros,
            seed=self.jackpot.seed_micros if seed is None else seed,
            contribution=self.jackpot.contribution if contribution is None else contribution,
            reserve=self.jackpot.reserve if reserve is None else reserve,
        )
        return jackpot_odds(self.rows, meter, fixed_from=self.jackpot.fixed_pays)

    @property
    def edge(self) -> Fraction:
        """As set up, over the life of the jackpot; for one wager a round."""
        return self.edge_of_fixed_prize if self.jackpot.kind == "house" else self.with_settings().edge

    @property
    def edge_of_fixed_prize(self) -> Fraction:
        """Of a house jackpot, whose winners are all paid in full: the same however many wager."""
        prize = self.jackpot.seed_micros
        nothing = Fraction(0)
        meter = MeterSettings(stake=self.jackpot.wager_micros, seed=0, contribution=nothing, reserve=nothing, now=prize)
        edge = jackpot_odds(self.rows, meter).edge_now
        assert edge is not None
        return edge

    @property
    def largest_fixed_micros(self) -> int:
        """The largest fixed pay for the sensor's wager."""
        fixed = [row.pays.returned for row, _ in self.rows if not row.pays.is_share]
        return int(max(fixed, default=Fraction(0)) * self.jackpot.wager_micros)


def meter_math(floor: Floor, jackpot: JackpotSetup) -> MeterMath:
    tables = [table for table in floor.tables_of(jackpot.id) if table.game == jackpot.game]
    return meter_math_of(jackpot, jackpot_choice(jackpot, tables[0] if tables else None))


def meter_math_of(jackpot: JackpotSetup, choice: Choice) -> MeterMath:
    """The same by other rules than the floor's."""
    sheet = compute_odds(choice)
    return MeterMath(jackpot, [(row.row, row.probability) for row in sheet.rows if row.row is not None])


def preset_seed(jackpot: JackpotSetup) -> int:
    """The pay table's seed, scaled to the sensor's wager, in micros."""
    table = pay_table_of(jackpot)
    assert table.jackpot is not None
    return table.jackpot.seed * jackpot.wager_micros // table.stake


def preset_contribution(jackpot: JackpotSetup) -> Fraction:
    table = pay_table_of(jackpot)
    assert table.jackpot is not None
    return table.jackpot.contribution


def _ppm(share: Fraction) -> int:
    return round(share * PPM)


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.2f}%"


def house_jackpot(floor: Floor, day: date) -> Findings:
    """A house jackpot is fixed, funded by the house alone, and pays every winner in full."""
    fixed, each = law_on("house_jackpot_is_fixed", day), law_on("house_jackpot_pays_each", day)
    for jackpot in floor.jackpots:
        if jackpot.kind != "house":
            continue
        where = f"jackpots.{jackpot.id}"
        grows = [name for name in ("contribution", "reserve") if getattr(jackpot, name) > 0]
        if jackpot.cap_micros is not None:
            grows.append("cap")
        if fixed is not None and grows:
            sentence = (
                f'The house jackpot "{jackpot.id}" has a {" and a ".join(grows)}; it is a fixed amount funded by the '
                "house and does not grow. Remove that, or make it a progressive."
            )
            yield found(fixed, "house_jackpot_grows", f"{where}.{grows[0]}", sentence)
        seats = max((table.seats for table in floor.tables_of(jackpot.id)), default=1)
        if each is not None and any(row.paid == "shared" for row in pay_table_of(jackpot).rows):
            most = seats * jackpot.seed_micros
            edge = meter_math(floor, jackpot).edge_of_fixed_prize
            sentence = (
                f'The pay table of "{jackpot.id}" splits its highest awards among participants, but a house jackpot is '
                f"paid in full to each of them: up to {dollars_for_people(most)} with {seats} seats, and the edge is "
                f"{_percent(edge)}."
            )
            effect = {"most_from_one_deal_micros": most, "seats": seats, "edge_ppm": _ppm(edge)}
            yield found(each, "house_jackpot_pays_each", where, sentence, severity="note", effect=effect)


def accrues(floor: Floor, day: date) -> Findings:
    """The letters let a contribution be anything from nothing on, but the law wins: a progressive grows."""
    row = law_on("progressive_accrues", day)
    for jackpot in floor.jackpots:
        if row is not None and jackpot.kind == "progressive" and jackpot.contribution == 0:
            sentence = (
                f'The progressive "{jackpot.id}" has a contribution of 0%, so its meter does not grow with each '
                "wager. The letters let it be 0 to 100%, but the law's progressive grows with each wager: have it "
                "confirmed, set one above 0%, or make it a house jackpot."
            )
            yield found(row, "does_not_grow", f"jackpots.{jackpot.id}.contribution", sentence, severity="warning")


def cap(floor: Floor, day: date, standing: Mapping[str, int]) -> Findings:
    """`standing` is the amount on display of each jackpot, in micros, where it is known."""
    row = law_on("cap_not_below_standing", day)
    if row is None:
        return
    for jackpot in floor.jackpots:
        if jackpot.cap_micros is None:
            continue
        where = f"jackpots.{jackpot.id}.cap"
        shown = dollars_for_people(jackpot.cap_micros)
        now = standing.get(jackpot.id, 0)
        if jackpot.cap_micros < now:
            # Rounded up, since a maximum of the amount as shown could still be below what stands.
            whole_cents = -(-now // MICROS_PER_CENT) * MICROS_PER_CENT
            sentence = (
                f'The maximum of "{jackpot.id}" is {shown}, but {dollars_for_people(now)} stands on its meter. A '
                f"maximum is never below the standing amount: set {dollars_for_people(whole_cents)} or more."
            )
            effect = {"standing_micros": now, "set_micros": int(jackpot.cap_micros)}
            yield found(row, "cap_below_standing", where, sentence, effect=effect)
        elif jackpot.cap_micros < jackpot.seed_micros:
            seed = dollars_for_people(jackpot.seed_micros)
            sentence = (
                f'The maximum of "{jackpot.id}" is {shown}, below its seed of {seed}: after a reset the standing '
                f"amount would be above it. Set {seed} or more."
            )
            yield found(row, "cap_below_seed", where, sentence)


def most_believable(floor: Floor, jackpot: JackpotSetup) -> int:
    """The most that one round of one table adds to meter and reserve, all seats wagering, in micros."""
    seats = max((table.seats for table in floor.tables_of(jackpot.id)), default=1)
    return int(seats * (jackpot.contribution + jackpot.reserve) * jackpot.wager_micros)


def alarm_of(jackpot: JackpotSetup) -> int | None:
    """More than this, added to meter and reserve by one round of one table, is refused as a fault; None: no growth.

    Where the setup leaves it out it is what a table with all the seats there can be adds, whatever the floor's tables
    have: so a seat more or less at a table does not change a money parameter.
    """
    if jackpot.kind == "house":
        return None
    if jackpot.alarm_micros is not None:
        return int(jackpot.alarm_micros)
    full = MOST_SEATS * (jackpot.contribution + jackpot.reserve) * jackpot.wager_micros
    return ceil((full + MOST_CARRIED) / MICROS_PER_CENT) * MICROS_PER_CENT


def alarm(floor: Floor, day: date) -> Findings:
    """An alarm that rings in ordinary rounds is switched off by people; one too high never rings."""
    row = law_on("unreasonable_contribution", day)
    for jackpot in floor.jackpots:
        if row is None or jackpot.kind != "progressive" or jackpot.alarm_micros is None:
            continue
        most = most_believable(floor, jackpot)
        where = f"jackpots.{jackpot.id}.unreasonable_contribution"
        effect = {"full_table_micros": most, "set_micros": int(jackpot.alarm_micros)}
        told = f'The alarm of "{jackpot.id}" is at {dollars_for_people(jackpot.alarm_micros)}'
        if jackpot.alarm_micros < most:
            sentence = f"{told}, but a full table adds {dollars_for_people(most)}: it would stop ordinary rounds."
            yield found(row, "alarm_too_low", where, sentence, severity="warning", effect=effect)
        elif jackpot.alarm_micros > LOOSE_ALARM * most:
            sentence = f"{told}, more than {LOOSE_ALARM} times the {dollars_for_people(most)} that a full table adds."
            yield found(row, "alarm_too_high", where, sentence, severity="warning", effect=effect)


def advice(floor: Floor, day: date) -> Findings:
    """What the letters advise on meters, with the edge as set up and as advised."""
    if law_on("seed_size", day) is None:
        return
    for jackpot in floor.jackpots:
        if jackpot.kind == "progressive":
            math = meter_math(floor, jackpot)
            yield from _contribution_advice(math)
            yield from _seed_advice(math)
            yield from _reserve_advice(math)
            yield from _edge_left(math)


def _contribution_advice(math: MeterMath) -> Findings:
    jackpot = math.jackpot
    where = f"jackpots.{jackpot.id}.contribution"
    now = math.with_settings()
    if jackpot.fixed_pays == "meter":
        row = rows_of("share_contribution")[0]
        assert row.rate is not None
        if jackpot.contribution >= row.rate:
            return
        tried = math.with_settings(contribution=row.rate, reserve=min(jackpot.reserve, 1 - row.rate))
        dry = " and the meter runs dry" if now.runs_dry else ""
        sentence = (
            f'All pays of "{jackpot.id}" come off the meter and its contribution is {_percent(jackpot.contribution)}: '
            f"the edge is {_percent(now.edge)}{dry}. The letter advises {_percent(row.rate)} or more, for an edge of "
            f"{_percent(tried.edge)}{' and a meter that runs dry still' if tried.runs_dry else ''}. {ONE_WAGER}"
        )
        effect = {**_edges(now, tried), "runs_dry": int(now.runs_dry), "advised_runs_dry": int(tried.runs_dry)}
        yield found(row, "low_contribution", where, sentence, severity="warning", effect=effect)
    elif jackpot.contribution > preset_contribution(jackpot):
        preset = preset_contribution(jackpot)
        tried = math.with_settings(contribution=preset)
        sentence = (
            f'The contribution of "{jackpot.id}" is {_percent(jackpot.contribution)}, above the pre-set '
            f"{_percent(preset)}: the edge falls from {_percent(tried.edge)} to {_percent(now.edge)}. The letter "
            f"advises {_percent(preset)} or less. {ONE_WAGER}"
        )
        row = rows_of("preset_contribution")[0]
        yield found(row, "high_contribution", where, sentence, severity="warning", effect=_edges(now, tried))


def _seed_advice(math: MeterMath) -> Findings:
    jackpot, row = math.jackpot, rows_of("seed_size")[0]
    preset, largest = preset_seed(jackpot), math.largest_fixed_micros
    if jackpot.seed_micros == preset:
        return
    where = f"jackpots.{jackpot.id}.seed"
    now, tried = math.with_settings(), math.with_settings(seed=preset)
    edges = (
        f"The edge is {_percent(now.edge)}; with the pre-set seed of {dollars_for_people(preset)} it would be "
        f"{_percent(tried.edge)}{_averages(now, tried)}. {ONE_WAGER}"
    )
    effect = {**_edges(now, tried), "preset_seed_micros": preset, "largest_fixed_micros": largest}
    if jackpot.seed_micros == 0:
        only = ", with the reserve alone to restart it" if jackpot.reserve > 0 else ""
        sentence = (
            f'The seed of "{jackpot.id}" is $0{only}: after two awards in a row the meter restarts at next to nothing. '
            f"The letter advises against it, and for {dollars_for_people(largest)} at least. {edges}"
        )
        yield found(row, "no_seed", where, sentence, severity="warning", effect=effect)
    elif jackpot.seed_micros < largest:
        sentence = (
            f'The seed of "{jackpot.id}" is {dollars_for_people(jackpot.seed_micros)}, below its largest fixed pay of '
            f"{dollars_for_people(largest)}. The letter advises that much at least. {edges}"
        )
        yield found(row, "low_seed", where, sentence, severity="warning", effect=effect)
    else:
        sentence = (
            f'The seed of "{jackpot.id}" is {dollars_for_people(jackpot.seed_micros)}; the letter advises the pre-set '
            f"one. {edges}"
        )
        yield found(row, "seed_not_preset", where, sentence, severity="note", effect=effect)


def _reserve_advice(math: MeterMath) -> Findings:
    jackpot = math.jackpot
    if jackpot.reserve > 0 or jackpot.contribution == 1:
        return
    now, tried = math.with_settings(), math.with_settings(reserve=Fraction(1, 100))
    sentence = (
        f'"{jackpot.id}" has no reserve. The letter advises a small share of each wager: 1% would make the edge '
        f"{_percent(tried.edge)} instead of {_percent(now.edge)}. {ONE_WAGER}"
    )
    row = rows_of("some_reserve")[0]
    yield found(
        row, "no_reserve", f"jackpots.{jackpot.id}.reserve", sentence, severity="note", effect=_edges(now, tried)
    )


def _edge_left(math: MeterMath) -> Findings:
    """Settings that leave the house nothing."""
    jackpot, now = math.jackpot, math.with_settings()
    if now.edge > 0:
        return
    tried = math.with_settings(seed=preset_seed(jackpot), contribution=preset_contribution(jackpot))
    sentence = (
        f'With these settings "{jackpot.id}" loses money for the house: the edge is {_percent(now.edge)}. With the '
        f"pre-set seed and contribution it would be {_percent(tried.edge)}. {ONE_WAGER}"
    )
    row = rows_of("preset_contribution")[0]
    yield found(row, "no_edge", f"jackpots.{jackpot.id}", sentence, severity="warning", effect=_edges(now, tried))


def _edges(now: JackpotOdds, advised: JackpotOdds) -> dict[str, int]:
    return {"edge_ppm": _ppm(now.edge), "advised_edge_ppm": _ppm(advised.edge)}


def _averages(now: JackpotOdds, tried: JackpotOdds) -> str:
    if now.average_top is None or tried.average_top is None:
        return ""
    amounts = [dollars_for_people(_whole_dollars(odds.average_top)) for odds in (now, tried) if odds.average_top]
    return f", and the average 100% award {amounts[-1]} instead of {amounts[0]}" if len(amounts) > 1 else ""


def _whole_dollars(amount: Fraction) -> int:
    return floor_to_micros(amount) // MICROS_PER_DOLLAR * MICROS_PER_DOLLAR
