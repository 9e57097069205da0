"""`croupier check`."""

from __future__ import annotations

from collections import Counter

from rich.markup import escape
from rich.progress import Progress

from croupier.cli.screen import console, print_json, progress_console, simple_table
from croupier.exact.check import CheckedFigure, check_fact
from croupier.reports.formatting import (
    FIGURES,
    VERDICTS,
    Z_TEXT,
    decks_text,
    figure_text,
    verdict_count,
    verdict_text,
    z_text,
)
from croupier.reports.json_data import checked_data
from croupier.rules import find_game, game_ids

COLORS = {"equal": "green", "within_simulation_error": "cyan", "differs": "red", "not_computed": "dim"}


def show_check(game_id: str | None, *, as_json: bool) -> int:
    """Prints all verdicts; the exit status is 1 when a difference has no finding."""
    games = [find_game(name) for name in ([game_id] if game_id is not None else game_ids())]
    facts = [(game, fact) for game in games for fact in game.published]
    results: list[CheckedFigure] = []
    with Progress(console=progress_console(), transient=True) as progress:
        for game, fact in progress.track(facts, description="checking published figures"):
            results.append(check_fact(game, fact))
    if as_json:
        print_json([checked_data(item) for item in results])
    else:
        _print_table(results)
        for game in games:
            if game.source.draft_text:
                console().print(f"[yellow]note:[/yellow] {game.id} is {escape(game.source.draft_text)}")
    return 1 if any(item.fails for item in results) else 0


def _print_table(results: list[CheckedFigure]) -> None:
    out = console()
    findings = list(dict.fromkeys(item.finding for item in results if item.finding))
    groups: dict[tuple[str, str], list[CheckedFigure]] = {}
    for item in results:
        groups.setdefault((item.game.id, item.fact.wager), []).append(item)
    for (game, wager), group in groups.items():
        out.print(f"[bold]{game}[/bold] {wager}")
        table = simple_table(
            "  table", "decks", "figure", "printed", "computed", "verdict", numbers=("printed", "computed")
        )
        for item in group:
            table.add_row(*_cells(item, findings))
        out.print(table)
        out.print()
    for number, finding in enumerate(findings, 1):
        out.print(f"\\[{number}] {escape(finding)}")
    how = [z_text(item) for item in results if item.z is not None]
    for line in [Z_TEXT, *how] if how else []:
        out.print(f"[dim]{escape(line)}[/dim]")
    counts: Counter[str] = Counter(item.verdict for item in results)
    summary = ", ".join(verdict_count(verdict, counts[verdict]) for verdict in VERDICTS if counts[verdict]) or "none"
    out.print(f"\n[bold]{len(results)} published figures: {summary}.[/bold]")


def _cells(item: CheckedFigure, findings: list[str]) -> list[str]:
    mark = f" [{findings.index(item.finding) + 1}]" if item.finding else ""
    color = COLORS[item.verdict]
    return [
        f"  {item.fact.pay_table}",
        decks_text(item),
        FIGURES[item.fact.figure],
        item.fact.printed,
        figure_text(item.fact.figure, item.computed) if item.computed is not None else "-",
        f"[{color}]{escape(verdict_text(item) + mark)}[/{color}]",
    ]
