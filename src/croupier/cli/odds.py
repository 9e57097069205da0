"""`croupier odds`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from croupier.cli.screen import console, print_json, progress_console, simple_table
from croupier.exact.check import (
    CheckedFigure,
    Contradiction,
    contradiction_of,
    facts_of_choice,
    facts_of_sheet,
    is_played,
)
from croupier.exact.odds import OddsSheet, compute_odds, parse_meter_wish
from croupier.exact.played import compute_strategy
from croupier.money import dollars_for_people
from croupier.reports.formatting import FIGURES, figure_text, money, one_in, percent, shoe_text, verdict_text, z_text
from croupier.reports.json_data import beside_rows, main_odds_data, main_rows, sheet_data
from croupier.reports.sheet.progressive import ALONE
from croupier.reports.sheet.text import MOST_READABLE
from croupier.rules.choice import Choice, OddsRequest


def show_odds(request: OddsRequest, *, meter: Mapping[str, str | None], as_json: bool) -> None:
    choice = request.choice()
    wish = parse_meter_wish(meter)
    if is_played(choice) and not wish.says_anything:
        show_main_odds(choice, as_json=as_json)
        return
    with progress_console().status(f"walking {choice.game.id} {choice.wager.id}"):
        sheet = compute_odds(choice, wish)
        found = contradiction_of(choice, lambda other: compute_odds(other, wish).edge)
    if as_json:
        print_json(sheet_data(sheet) | ({"contradiction": found.sentence} if found is not None else {}))
    else:
        _print_sheet(console(), sheet, found)


def show_main_odds(choice: Choice, *, as_json: bool) -> None:
    """A wager whose odds depend on how it is played: under optimal play."""
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(f"solving {choice.game.id}", total=1.0)
        sheet = compute_strategy(choice, progress=lambda share: progress.update(task, completed=share))
    if as_json:
        print_json(main_odds_data(sheet))
        return
    out = console()
    _print_head(out, choice, sheet.method)
    table = simple_table("row", "pays", "hands a round", "return", numbers=("pays", "hands a round", "return"))
    for _name, label, pays, ending in (*main_rows(sheet), *beside_rows(sheet)):
        table.add_row(escape(label), pays, f"{ending.hands:.8f}", f"{ending.profit / sheet.account.wagers:+.6f}")
    out.print(table)
    out.print()
    figures = simple_table("figure", "value", numbers=("value",))
    figures.show_header = False
    figures.add_row("house edge", f"[bold]{percent(Fraction(sheet.edge), 5)}[/bold]")
    figures.add_row("standard deviation", f"{sheet.account.standard_deviation:.5f}")
    figures.add_row("mean final wager", f"{sheet.account.mean_final_wager:.5f}")
    figures.add_row("element of risk", percent(Fraction(sheet.element_of_risk), 5))
    out.print(figures)
    _print_published(out, list(facts_of_choice(choice)))
    for note in choice.notes:
        out.print(f"[yellow]note:[/yellow] {escape(note)}")


def _print_sheet(out: Console, sheet: OddsSheet, found: Contradiction | None) -> None:
    _print_head(out, sheet.choice, sheet.method)
    _print_rows(out, sheet)
    out.print()
    figures = simple_table("figure", "value", numbers=("value",))
    figures.show_header = False
    figures.add_row("house edge", f"[bold]{percent(sheet.edge, 5)}[/bold]")
    figures.add_row("hit frequency", f"{percent(sheet.hit_frequency, 5)}  ({one_in(sheet.hit_frequency)})")
    figures.add_row("standard deviation", f"{sheet.standard_deviation:.5f}")
    for name, value in _jackpot_lines(sheet):
        figures.add_row(name, value)
    out.print(figures)
    _print_published(out, list(facts_of_sheet(sheet)))
    if found is not None:
        out.print(f"\n{escape(found.sentence)}")
    for note in sheet.notes:
        out.print(f"[yellow]note:[/yellow] {escape(note)}")


def _print_head(out: Console, choice: Choice, method: str) -> None:
    label = f" ({choice.pay_table.label})" if choice.pay_table.label else ""
    decks = shoe_text(choice.decks)
    side = {"": "", "winner": ", either side's win"}.get(choice.side, f", {choice.side}")
    out.print(f"[bold]{escape(choice.game.name)}: {escape(choice.wager.name)}[/bold]")
    out.print(f"pay table {choice.pay_table.id}{escape(label)}, {decks}{side}")
    out.print(f"[dim]{method}; rules of {choice.game.version}, {escape(choice.source.named)}[/dim]\n")


def _print_rows(out: Console, sheet: OddsSheet) -> None:
    readable = sheet.denominator < MOST_READABLE
    columns = ["row", "pays", *(["combinations"] if readable else []), "probability", "odds", "return"]
    table = simple_table(*columns, numbers=tuple(columns[1:]))
    for row in sheet.rows:
        ways = [f"{row.combinations:,}"] if readable else []
        chance = f"{float(row.probability):.8f}"
        table.add_row(
            escape(row.label), row.pays, *ways, chance, one_in(row.probability), f"{float(row.returned):+.6f}"
        )
    if readable:
        table.add_row("[dim]all[/dim]", "", f"[dim]{sheet.denominator:,}[/dim]")
    out.print(table)


def _jackpot_lines(sheet: OddsSheet) -> list[tuple[str, str]]:
    jackpot, meter = sheet.jackpot, sheet.meter
    if jackpot is None or meter is None:
        return []
    lines = [
        ("wager", dollars_for_people(meter.stake)),
        ("seed", dollars_for_people(meter.seed)),
        ("contribution", percent(meter.contribution, 2)),
        ("reserve", percent(meter.reserve, 2)),
        ("fixed pays return", percent(jackpot.fixed_return, 5)),
    ]
    if jackpot.average_top is not None and jackpot.rounds_between is not None:
        lines.append(("100% award", one_in(jackpot.top_probability)))
        lines.append((f"average 100% award, {ALONE}", money(jackpot.average_top)))
    if jackpot.break_even is not None:
        lines.append((f"break-even meter, {ALONE}", money(jackpot.break_even)))
    if meter.now is not None and jackpot.edge_now is not None:
        lines.append((f"edge at {dollars_for_people(meter.now)}", percent(jackpot.edge_now, 5)))
    return lines


def _print_published(out: Console, checked: list[CheckedFigure]) -> None:
    if not checked:
        return
    table = simple_table("published", "printed", "computed", "verdict", numbers=("printed", "computed"))
    for item in checked:
        computed = figure_text(item.fact.figure, item.computed) if item.computed is not None else "-"
        table.add_row(FIGURES[item.fact.figure], item.fact.printed, computed, verdict_text(item))
    out.print()
    out.print(table)
    for item in checked:
        if item.z is not None:
            out.print(f"[dim]{escape(z_text(item))}[/dim]")
        if item.finding:
            out.print(f"[dim]{FIGURES[item.fact.figure]}: {escape(item.finding)}[/dim]")
