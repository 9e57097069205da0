"""`croupier strategy`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from croupier.cli.screen import console, print_json, progress_console, simple_table
from croupier.errors import NotationError, RangeError
from croupier.exact.played import check_is_played, compute_strategy, other_rules, switch_effects
from croupier.exact.strategy.charts import Grid, Ratings
from croupier.exact.strategy.result import Effect, PlayedSheet
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people, parse_dollars
from croupier.reports.formatting import ACTIONS, outcome_words, part_words, percent, shoe_text
from croupier.reports.strategy.data import strategy_data
from croupier.rules import find_game
from croupier.rules.choice import Choice, choose
from croupier.rules.loader import find_jurisdiction
from croupier.rules.spec import Game

COLORS = {"S": "red", "H": "white", "D": "green", "Ds": "green", "P": "cyan", "R": "magenta", "Rs": "magenta"}
MOST_SHOWN = 12


def show_strategy(
    game_id: str,
    *,
    pay_tables: list[str],
    decks: str | None,
    settings: Mapping[str, str],
    total_dependent: bool,
    with_effects: bool,
    wager: str | None,
    limit: str | None,
    as_json: bool,
) -> None:
    game = find_game(game_id)
    check_is_played(game)
    choice = choose(
        game, game.first_wager.id, pay_table=main_pay_table(game, pay_tables), decks=decks, settings=settings
    )
    cap = units_of_limit(choice, wager, limit)
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(f"solving {game.id}", total=1.0)
        sheet = compute_strategy(
            choice,
            cap=cap,
            total_dependent=total_dependent,
            progress=lambda share: progress.update(task, completed=share),
        )
        effects = _effects(progress, sheet) if with_effects else None
    if as_json:
        print_json(strategy_data(sheet, effects))
    else:
        _print_sheet(console(), sheet, effects)


def main_pay_table(game: Game, given: list[str]) -> str | None:
    """`main=2`, or just `2`."""
    first, chosen = game.first_wager.id, None
    for text in given:
        name, equals, table = text.partition("=")
        if not equals:
            name, table = first, text
        if name.strip() != first:
            raise NotationError(
                f'"{text}": a strategy is for the main wager; write --pay-table {first}=ID.', code="bad_pay_table"
            )
        chosen = table.strip()
    return chosen


def units_of_limit(choice: Choice, wager: str | None, limit: str | None) -> float:
    """How many first wagers a single wager may be; 0 for no limit."""
    if wager is None:
        if limit is not None:
            raise NotationError("--limit needs --wager: how much the first wager is.", code="bad_limit")
        return 0.0
    first = parse_dollars(wager)
    law = find_jurisdiction(choice.game.jurisdiction)
    in_force = law.single_wager_limit(date.today()) if law else None
    if limit is not None:
        most = parse_dollars(limit)
    elif in_force is not None:
        most = in_force.dollars * MICROS_PER_DOLLAR
    else:
        return 0.0
    if first <= 0:
        raise RangeError("A first wager of nothing cannot be made.", code="bad_amount")
    if first > most:
        raise RangeError(
            f"A first wager of {dollars_for_people(first)} cannot be made: {dollars_for_people(most)} at most.",
            code="over_legal_limit",
        )
    return most / first


def _effects(progress: Progress, sheet: PlayedSheet) -> list[Effect]:
    task = progress.add_task("other rules", total=len(other_rules(sheet.choice)))
    effects = []
    for effect in switch_effects(sheet.choice, sheet.best_edge, sheet.cap):
        effects.append(effect)
        progress.advance(task)
    return effects


def _print_sheet(out: Console, sheet: PlayedSheet, effects: list[Effect] | None) -> None:
    choice = sheet.choice
    out.print(f"[bold]{escape(choice.game.name)}: strategy[/bold]")
    changed = [f"{name} = {value}" for name, value in choice.switches.items() if value != _default(choice, name)]
    rules = f"; {', '.join(changed)}" if changed else ""
    out.print(f"pay table {choice.pay_table.id}, {shoe_text(choice.decks)}{escape(rules)}")
    out.print(f"[dim]{sheet.method}; rules of {choice.game.version}, {escape(choice.source.named)}[/dim]\n")
    _print_figures(out, sheet)
    for part, grid in sheet.charts.items():
        out.print(f"\n[bold]{escape(part_words(part))}[/bold]")
        _print_grid(out, grid)
    used = {cell for grid in sheet.charts.values() for cells in grid.values() for cell in cells.values()}
    legend = "  ".join(f"{letter} {words}" for letter, words in ACTIONS.items() if letter in used)
    out.print(f"[dim]{legend}[/dim]")
    for part, ratings in sheet.ratings.items():
        out.print(f"\n[bold]{escape(part_words(part))}[/bold]")
        _print_ratings(out, ratings)
    _print_exceptions(out, sheet)
    if effects is not None:
        _print_effects(out, effects)
    for note in choice.notes:
        out.print(f"[yellow]note:[/yellow] {escape(note)}")


def _default(choice: Choice, name: str) -> str:
    return choice.pay_table.settings.get(name, choice.game.switch(name).default)


def _print_figures(out: Console, sheet: PlayedSheet) -> None:
    account = sheet.account
    figures = simple_table("figure", "value", numbers=("value",))
    figures.show_header = False
    label = "house edge, chart by totals" if sheet.total_dependent else "house edge, optimal play"
    figures.add_row(label, f"[bold]{_percent(sheet.edge, 5)}[/bold]")
    if not sheet.total_dependent and sheet.edge_total_dependent != sheet.edge:
        figures.add_row("house edge, chart by totals", _percent(sheet.edge_total_dependent, 5))
    rated = sheet.edge_by_ratings
    if rated is not None:
        figures.add_row("house edge, first decision by ratings", _percent(rated, 5))
    usual = sheet.usual_edge
    if usual is not None:
        figures.add_row("under the usual rules", f"{_percent(usual, 5)}  ({100 * (sheet.edge - usual):+.5f}%)")
    figures.add_row("standard deviation", f"{account.standard_deviation:.5f}")
    figures.add_row("mean final wager", f"{account.mean_final_wager:.5f}")
    figures.add_row("element of risk", _percent(sheet.element_of_risk, 5))
    insurance = sheet.insurance
    if insurance is not None:
        figures.add_row("insurance, edge if always taken", _percent(insurance.edge, 3))
        figures.add_row("insurance, take it", insurance.take)
    out.print(figures)
    out.print()
    outcomes = simple_table("hands that end", "a round", "return", numbers=("a round", "return"))
    for name, ending in account.endings.items():
        outcomes.add_row(outcome_words(name), f"{ending.hands:.6f}", f"{ending.profit / account.wagers:+.6f}")
    out.print(outcomes)
    if sheet.final_wagers:
        out.print()
        wagers = simple_table("final wager", "chance", numbers=("final wager", "chance"))
        for stake, chance in sheet.final_wagers.items():
            wagers.add_row(f"{stake:g}", f"{chance:.3e}")
        out.print(wagers)
    if not sheet.by_up_card:
        return
    out.print()
    by_up = simple_table("up card", *sheet.by_up_card, numbers=tuple(sheet.by_up_card))
    by_up.add_row("edge, %", *(f"{100 * edge:.1f}" for edge in sheet.by_up_card.values()))
    out.print(by_up)


def _print_grid(out: Console, grid: Grid) -> None:
    columns = tuple(next(iter(grid.values())))
    table = simple_table("", *columns, numbers=("",))
    for row, cells in grid.items():
        letters = [_colored(cell) for cell in cells.values()]
        table.add_row(row, *letters)
    out.print(table)


def _colored(cell: str) -> str:
    color = COLORS.get(cell, "white")
    return f"[{color}]{cell}[/{color}]"


def _print_ratings(out: Console, ratings: Ratings) -> None:
    columns = tuple(next(iter(ratings.values())))
    table = simple_table("hand", *columns, numbers=columns)
    for row, cells in ratings.items():
        table.add_row(row, *(f"{cell:+.2f}" for cell in cells.values()))
    out.print(table)


def _print_exceptions(out: Console, sheet: PlayedSheet) -> None:
    if not sheet.exceptions:
        return
    two = " on average over the other hand" if sheet.ratings else ""
    hands = "1 hand" if len(sheet.exceptions) == 1 else f"{len(sheet.exceptions)} hands"
    out.print(f"\n[bold]{hands} where composition changes the play{two}[/bold]")
    table = simple_table("hand", "against", "chart", "best", "gain", numbers=("gain",))
    for one in sheet.exceptions[:MOST_SHOWN]:
        table.add_row(one.hand, one.up_card, one.chart, one.best, f"{one.gain:.6f}")
    out.print(table)
    if len(sheet.exceptions) > MOST_SHOWN:
        out.print(f"[dim]and {len(sheet.exceptions) - MOST_SHOWN} more: --json lists them all[/dim]")


def _print_effects(out: Console, effects: list[Effect]) -> None:
    out.print("\n[bold]What other rules cost the house[/bold]")
    table = simple_table("switch", "value", "edge", "change", numbers=("edge", "change"))
    for one in effects:
        table.add_row(one.switch.id, one.value, _percent(one.edge, 5), f"{100 * one.change:+.5f}%")
    out.print(table)


def _percent(value: float, decimals: int) -> str:
    return percent(Fraction(value), decimals)
