"""A meter simulation as a report: awards, the time between them, and the house's year."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.money import MICROS_PER_DOLLAR, dollars_for_people
from croupier.reports.formatting import Value, percent, shoe_text, value_text
from croupier.reports.report import Block, Column, Note, Report, Table, columns, rows
from croupier.reports.simulation.meter import Agreement, MeterResult
from croupier.reports.simulation.meter_data import BANDS, QUANTILES
from croupier.simulate.meters import paths

AGREEMENT = {
    "average_top_award": "average 100% award",
    "days_between_top_awards": "days between 100% awards",
    "edge_before_top_ups": "house edge before top-ups",
}


def meter_report(result: MeterResult, run: str) -> Report:
    """`run` says how it was simulated."""
    choice, spec = result.plan.choice, result.plan.spec
    start = "" if spec.start == spec.seed else f", opened at {dollars_for_people(spec.start)}"
    tables = "1 table" if spec.tables == 1 else f"{spec.tables} tables"
    wagered = value_text(result.wagered, "dollars")
    blocks: tuple[Block, ...] = (
        Note(
            f"{tables}, {float(spec.seats):g} wagers a round, {float(spec.rounds_per_hour):g} rounds an hour, "
            f"{float(spec.hours_per_day):g} hours a day: {spec.rounds_per_day:,} rounds a day, {wagered} wagered a year"
        ),
        Note(run),
        _awards(result),
        _times(result),
        _back_to_back(result),
        _house(result),
        agreement_table(result.agreement()),
        *(Note(note, "warn") for note in result.plan.notes),
        *(Note(f"{advice.text}; {advice.effect}", "warn") for advice in result.advice()),
    )
    return Report(
        title=f"{choice.game.name}: {choice.wager.name}",
        subtitle=f"pay table {choice.pay_table.id}, {shoe_text(choice.decks)}, {dollars_for_people(spec.stake)} wager; "
        f"seed {dollars_for_people(spec.seed)}{start}, contribution {percent(spec.contribution, 2)}, reserve "
        f"{percent(spec.reserve, 2)}, fixed pays from the {spec.fixed_from}",
        blocks=blocks,
    )


def _heads(shares: Sequence[float]) -> list[str]:
    return [f"{100 * share:g}%" for share in shares]


def _awards(result: MeterResult) -> Table:
    lines: list[tuple[Value, ...]] = []
    for row, award in enumerate(result.plan.spec.awards):
        mean = result.mean_award(row)
        shares = (result.dollars_at(paths.AWARDS_AT + row, share) if mean else None for share in QUANTILES)
        lines.append((award.label, f"{award.percent}%", award.probability, "-" if mean is None else mean, *shares))
    return Table(
        title="Awards",
        columns=(
            Column("award"),
            Column("share", "count"),
            Column("odds", "odds"),
            *columns("mean", *_heads(QUANTILES), kind="dollars"),
        ),
        rows=rows(*lines),
    )


def _times(result: MeterResult) -> Table:
    rounds, day = result.total(paths.CYCLE_ROUNDS), result.plan.spec.rounds_per_day
    lines = (
        (
            name,
            rounds / int(result.cells(which).sum()) / day,
            *(result.days_at(which, share) for share in QUANTILES),
        )
        for name, which in (("awards of any share", paths.GAPS_AT), ("100% awards", paths.CYCLES_AT))
    )
    heads = columns("mean", *_heads(QUANTILES), kind="number", digits=1)
    return Table(title="Days of play between awards", columns=(Column("between"), *heads), rows=rows(*lines))


def _back_to_back(result: MeterResult) -> Table:
    lines = (
        (
            f"within {days} day{'' if days == 1 else 's'}",
            result.within(days),
            result.within_exact(days),
            result.yearly(paths.PAIRS + at),
        )
        for at, days in enumerate(paths.WINDOWS)
    )
    heads = columns("of 100% awards", "exact", "years with it", kind="percent", digits=3)
    return Table(title="Back to back", columns=(Column("100% awards"), *heads), rows=rows(*lines))


def _house(result: MeterResult) -> Table:
    return Table(
        title="In a year",
        columns=(Column("figure"), *columns("mean", *_heads(BANDS), kind="dollars")),
        rows=rows(*_house_lines(result)),
        notes=(
            f"runs dry in {percent(result.yearly(paths.DRY_YEARS), 3)} of years, {result.yearly(paths.DRY):,.3f} times "
            f"a year; {result.yearly(paths.TOPS):.3f} awards of 100% a year; in 1% of years the house's position falls "
            f"to {value_text(result.lowest_at(0.01), 'dollars')} or lower",
        ),
    )


def _house_lines(result: MeterResult) -> Iterator[tuple[Value, ...]]:
    end = paths.WEEKS - 1
    opened = result.plan.spec.seed / MICROS_PER_DOLLAR

    def at(which: int, more: float = 0.0) -> Iterator[float]:
        return (result.dollars_at(which, share) + more for share in BANDS)

    yield "meter at the end", result.yearly_dollars(paths.END_METER), *at(end)
    yield "house's result, opening seed not counted", result.result, *at(paths.HOUSE_AT + end, opened)
    edges = (percent(edge, 3) for edge in (result.edge, *(result.edge_at(share) for share in BANDS)))
    yield "house edge achieved", *edges
    lowest = (result.lowest_at(share) for share in BANDS)
    yield "house's lowest position, opening seed counted", None, *lowest
    yield "top-ups", result.yearly_dollars(paths.TOPPED_UP), *at(paths.TOP_UPS_AT)


def agreement_table(agreements: Sequence[Agreement]) -> Table:
    """Simulated means beside the exact ones."""
    lines = []
    for agreement in agreements:
        values = (agreement.simulated, agreement.standard_error, agreement.exact)
        shown = (percent(value, 4) if agreement.name.startswith("edge") else f"{value:,.2f}" for value in values)
        z = "meter ran dry" if not agreement.compared else "-" if agreement.z is None else agreement.z
        lines.append((AGREEMENT[agreement.name], *shown, z))
    heads = (*columns("simulated", "standard error", "exact", kind="count"), Column("z", "signed", 2))
    return Table(title="Simulated beside exact", columns=(Column("figure"), *heads), rows=rows(*lines))
