"""`croupier meter`."""

from __future__ import annotations

import os
import time
from typing import Any

from rich.console import Console
from rich.markup import escape

from croupier.cli.screen import console, files_to_write, print_json, progress_console, simple_table, write_whole
from croupier.errors import RangeError
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people
from croupier.reports.formatting import one_in, percent, shoe_text
from croupier.reports.simulation.length import parse_count
from croupier.reports.simulation.meter import Agreement, MeterPlan, MeterResult, MeterRunWish, prepare_meter
from croupier.reports.simulation.meter_data import BANDS, QUANTILES, meter_data
from croupier.rules import find_game
from croupier.simulate.meters import paths
from croupier.simulate.meters.run import CHUNK_YEARS, run, run_chunks

MOST_YEARS = 10**9
YEARS = 100_000
YEARS_WHEN_DRY = 4_096
"""Where more is paid off the meter than flows in, every single pay is played, which takes a hundred times as long."""
MOST_THREADS = 1024
AGREEMENT = {
    "average_top_award": "average 100% award",
    "days_between_top_awards": "days between 100% awards",
    "edge_before_top_ups": "house edge before top-ups",
}


def show_meter(
    game_id: str,
    wager_id: str | None,
    wish: MeterRunWish,
    *,
    years: str | None,
    seed: int,
    threads: int | None,
    pictures: dict[str, str | None],
    as_json: bool,
) -> None:
    files = files_to_write(pictures, "picture")
    if not 0 <= seed < 2**63:
        raise RangeError(f"Seed {seed}: 0 to 2**63 - 1.", code="bad_seed")
    workers = threads if threads is not None else os.cpu_count() or 1
    if not 1 <= workers <= MOST_THREADS:
        raise RangeError(f"{workers} threads: 1 to {MOST_THREADS}.", code="bad_threads")
    game = find_game(game_id)
    with progress_console().status(f"exact odds of {game.id}"):
        plan = prepare_meter(game, wager_id, wish)
    chunks = -(-_years(years, plan) // CHUNK_YEARS)
    with progress_console().status("compiling"):
        run_chunks(plan.spec, seed, 0, 0)
    start = time.perf_counter()
    with progress_console().status(f"simulating {chunks * CHUNK_YEARS:,} years"):
        result = MeterResult(plan=plan, counts=run(plan.spec, seed, chunks, threads=workers))
    seconds = time.perf_counter() - start
    for path in files:
        from croupier.reports.plots.draw import picture, picture_kind
        from croupier.reports.plots.simulated import meter_plots, meter_title

        drawn = picture(meter_plots(result, seed), picture_kind(path), title=meter_title(result, seed), columns=2)
        write_whole(path, drawn)
    run_data = {"random_seed": seed, "seconds": seconds, "years_per_second": result.counts.years / max(seconds, 1e-9)}
    if as_json:
        print_json(meter_data(result) | run_data)
    else:
        _print(console(), result, run_data)


def _years(text: str | None, plan: MeterPlan) -> int:
    if text is None:
        return YEARS_WHEN_DRY if plan.exact.runs_dry else YEARS
    return parse_count(text, "years", most=MOST_YEARS)


def _amount(value: float) -> str:
    return f"-${-value:,.0f}" if value <= -0.5 else f"${value:,.0f}"


def _print(out: Console, result: MeterResult, run_data: dict[str, Any]) -> None:
    _print_head(out, result, run_data)
    _print_awards(out, result)
    _print_times(out, result)
    _print_house(out, result)
    _print_agreement(out, result.agreement())
    for note in result.plan.notes:
        out.print(f"[yellow]note:[/yellow] {escape(note)}")
    for advice in result.advice():
        out.print(f"[yellow]warning:[/yellow] {escape(advice.text)}; {escape(advice.effect)}")


def _print_head(out: Console, result: MeterResult, run_data: dict[str, Any]) -> None:
    choice, spec = result.plan.choice, result.plan.spec
    out.print(f"[bold]{escape(choice.game.name)}: {escape(choice.wager.name)}[/bold]")
    start = "" if spec.start == spec.seed else f", opened at {dollars_for_people(spec.start)}"
    out.print(
        f"pay table {choice.pay_table.id}, {shoe_text(choice.decks)}, {dollars_for_people(spec.stake)} wager; seed "
        f"{dollars_for_people(spec.seed)}{start}, contribution {percent(spec.contribution, 2)}, reserve "
        f"{percent(spec.reserve, 2)}, fixed pays from the {spec.fixed_from}"
    )
    tables = "1 table" if spec.tables == 1 else f"{spec.tables} tables"
    out.print(
        f"{tables}, {float(spec.seats):g} wagers a round, {float(spec.rounds_per_hour):g} rounds an hour, "
        f"{float(spec.hours_per_day):g} hours a day: {spec.rounds_per_day:,} rounds a day, {_amount(result.wagered)} "
        "wagered a year"
    )
    out.print(
        f"[dim]{result.counts.years:,} years of 52 weeks and as many cycles between 100% awards in "
        f"{run_data['seconds']:.2f} s, {run_data['years_per_second']:,.0f} a second; "
        f"random seed {run_data['random_seed']}[/dim]"
    )


def _print_awards(out: Console, result: MeterResult) -> None:
    heads = [f"{100 * share:g}%" for share in QUANTILES]
    table = simple_table("award", "share", "odds", "mean", *heads, numbers=("share", "odds", "mean", *heads))
    for row, award in enumerate(result.plan.spec.awards):
        mean = result.mean_award(row)
        amounts = [_amount(result.dollars_at(paths.AWARDS_AT + row, share)) for share in QUANTILES] if mean else []
        table.add_row(
            escape(award.label),
            f"{award.percent}%",
            one_in(award.probability),
            _amount(mean) if mean is not None else "-",
            *amounts,
        )
    out.print()
    out.print(table)


def _print_times(out: Console, result: MeterResult) -> None:
    heads = [f"{100 * share:g}%" for share in QUANTILES]
    table = simple_table("days of play between", "mean", *heads, numbers=("mean", *heads))
    rounds, day = result.total(paths.CYCLE_ROUNDS), result.plan.spec.rounds_per_day
    for name, which in (("awards of any share", paths.GAPS_AT), ("100% awards", paths.CYCLES_AT)):
        mean = rounds / int(result.cells(which).sum()) / day
        table.add_row(name, f"{mean:,.1f}", *(f"{result.days_at(which, share):,.1f}" for share in QUANTILES))
    out.print()
    out.print(table)
    soon = simple_table(
        "back to back",
        "of 100% awards",
        "exact",
        "years with it",
        numbers=("of 100% awards", "exact", "years with it"),
    )
    for at, days in enumerate(paths.WINDOWS):
        soon.add_row(
            f"within {days} day{'' if days == 1 else 's'}",
            f"{100 * result.within(days):.3f}%",
            f"{100 * result.within_exact(days):.3f}%",
            f"{100 * result.yearly(paths.PAIRS + at):.3f}%",
        )
    out.print()
    out.print(soon)


def _print_house(out: Console, result: MeterResult) -> None:
    heads = [f"{100 * share:g}%" for share in BANDS]
    table = simple_table("in a year", "mean", *heads, numbers=("mean", *heads))
    end = paths.WEEKS - 1
    opened = result.plan.spec.seed / MICROS_PER_DOLLAR
    table.add_row("meter at the end", _amount(result.yearly_dollars(paths.END_METER)), *_row(result, end))
    table.add_row(
        "house's result, opening seed not counted",
        _amount(result.result),
        *(_amount(result.dollars_at(paths.HOUSE_AT + end, share) + opened) for share in BANDS),
    )
    table.add_row(
        "house edge achieved",
        f"{100 * result.edge:.3f}%",
        *(f"{100 * result.edge_at(share):.3f}%" for share in BANDS),
    )
    table.add_row(
        "house's lowest position, opening seed counted", "", *(_amount(result.lowest_at(share)) for share in BANDS)
    )
    table.add_row("top-ups", _amount(result.yearly_dollars(paths.TOPPED_UP)), *_row(result, paths.TOP_UPS_AT))
    out.print()
    out.print(table)
    out.print(
        f"runs dry in {100 * result.yearly(paths.DRY_YEARS):.3f}% of years, {result.yearly(paths.DRY):,.3f} times a "
        f"year; {result.yearly(paths.TOPS):.3f} awards of 100% a year; in 1% of years the house's "
        f"position falls to {_amount(result.lowest_at(0.01))} or lower"
    )


def _row(result: MeterResult, which: int) -> list[str]:
    return [_amount(result.dollars_at(which, share)) for share in BANDS]


def _print_agreement(out: Console, found: list[Agreement]) -> None:
    columns = ("simulated", "+-", "exact", "z")
    table = simple_table("agreement", *columns, numbers=columns)
    for one in found:
        scale, form = (100, "{:.4f}%") if one.name.startswith("edge") else (1, "{:,.2f}")
        shown = [form.format(scale * value) for value in (one.simulated, one.standard_error, one.exact)]
        z = "meter ran dry" if not one.compared else "-" if one.z is None else f"{one.z:+.2f}"
        table.add_row(AGREEMENT[one.name], *shown, z)
    out.print()
    out.print(table)
