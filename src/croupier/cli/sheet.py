"""`croupier sheet`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from croupier.cli.screen import console, files_to_write, print_json, progress_console, simple_table, write_whole
from croupier.errors import NotationError
from croupier.exact.odds import MeterWish, parse_meter_wish
from croupier.exact.strategy.solve import Progress as Tell
from croupier.reports.sheet.data import booklet_data, odds_sheet_data
from croupier.reports.sheet.files import Form, sheet_file
from croupier.reports.sheet.fill import make_booklet, make_sheet
from croupier.reports.sheet.model import Booklet, Figure, Sheet, SheetTable
from croupier.reports.sheet.text import (
    PUBLISHED_HEADS,
    PUBLISHED_WORDS,
    SIMULATED_HEADS,
    combination_lines,
    findings,
    published_lines,
    row_heads,
    row_lines,
    row_notes,
    simulated_lines,
)
from croupier.rules import find_game
from croupier.rules.choice import OddsRequest, parse_settings
from croupier.rules.spec import Game


def show_sheet(
    request: OddsRequest,
    *,
    pay_tables: list[str],
    meter: Mapping[str, str | None],
    effects: bool,
    files: Mapping[str, str | None],
    as_json: bool,
) -> None:
    if sum(name is not None for name in files.values()) + as_json > 1:
        raise NotationError("Say one of --pdf, --csv and --json: a sheet is made in one form.", code="one_form")
    paths = files_to_write(files, "sheet")
    game, settings = find_game(request.game), parse_meter_wish(meter)
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(f"sheet of {game.id}", total=1.0)

        def tell(share: float) -> None:
            progress.update(task, completed=share)

        made: Sheet | Booklet
        if request.wager is not None:
            table = _one_pay_table(request.wager, pay_tables)
            choice = replace(request, pay_table=table).choice(game)
            made = make_sheet(choice, settings, effects=effects, progress=tell)
        else:
            made = _make_booklet(game, request, settings, pay_tables, effects=effects, progress=tell)
    for path in paths:
        form: Form = "csv" if path.suffix.lower() == ".csv" else "pdf"
        write_whole(path, sheet_file(made, form))
        console().print(f"wrote {escape(str(path))}", soft_wrap=True)
    if as_json:
        print_json(booklet_data(made) if isinstance(made, Booklet) else odds_sheet_data(made))
    elif not paths:
        for number, sheet in enumerate(_sheets(made)):
            _print_sheet(console(), sheet, first=number == 0)


def _make_booklet(
    game: Game, request: OddsRequest, meter: MeterWish, pay_tables: list[str], *, effects: bool, progress: Tell
) -> Booklet:
    if meter.says_anything:
        raise NotationError(
            "A seed, contribution, reserve or meter is of one wager: name the wager after the game.", code="which_wager"
        )
    by_wager = _pay_tables_by_wager(pay_tables)
    return make_booklet(game, request, pay_tables=by_wager, effects=effects, progress=progress)


def _one_pay_table(wager_id: str, given: list[str]) -> str | None:
    """`1`, or `push_22=1`."""
    chosen = {text.removeprefix(f"{wager_id}=").strip() for text in given}
    if len(chosen) > 1:
        raise NotationError("A sheet is of one pay table: give --pay-table once.", code="bad_pay_table")
    return next(iter(chosen), None)


def _pay_tables_by_wager(given: list[str]) -> dict[str, str]:
    if any("=" not in text for text in given):
        raise NotationError(
            "A booklet has many wagers: write --pay-table WAGER=ID, or name the wager after the game.",
            code="bad_pay_table",
        )
    return parse_settings(given)


def _sheets(made: Sheet | Booklet) -> tuple[Sheet, ...]:
    return made.sheets if isinstance(made, Booklet) else (made,)


def _print_sheet(out: Console, sheet: Sheet, *, first: bool) -> None:
    if not first:
        out.print("\n")
    out.print(f"[bold]{escape(sheet.title)}[/bold]")
    _print_figures(out, sheet.head)
    _print_lines(out, "Rows", row_heads(sheet), row_lines(sheet), row_notes(sheet))
    _print_titled(out, "Figures", sheet.figures)
    _print_titled(out, "Where the edge comes from", sheet.edge_parts)
    _print_lines(
        out, "Published figures", PUBLISHED_HEADS, published_lines(sheet), findings(sheet), words=PUBLISHED_WORDS
    )
    _print_titled(out, "Progressive", sheet.progressive)
    out.print(f"\n[bold]Method[/bold]\n{escape(sheet.method)}")
    _print_lines(out, "Simulations kept with the game", SIMULATED_HEADS, simulated_lines(sheet))
    _print_lines(out, "Combinations", ["event", "combinations"], combination_lines(sheet))
    for table in sheet.tables:
        _print_table(out, table)
    for note in sheet.notes:
        out.print(f"[yellow]note:[/yellow] {escape(note)}")


def _print_titled(out: Console, title: str, figures: tuple[Figure, ...]) -> None:
    if figures:
        out.print(f"\n[bold]{title}[/bold]")
        _print_figures(out, figures)


def _print_figures(out: Console, figures: Iterable[Figure]) -> None:
    table = simple_table("figure", "value", "how")
    table.show_header = False
    for figure in figures:
        table.add_row(escape(figure.label), escape(figure.text), f"[dim]{escape(figure.how)}[/dim]")
    out.print(table)


def _print_lines(
    out: Console,
    title: str,
    heads: list[str],
    lines: list[list[str]],
    notes: Iterable[str] = (),
    *,
    words: tuple[int, ...] = (0,),
) -> None:
    if not lines:
        return
    out.print(f"\n[bold]{escape(title)}[/bold]")
    table = simple_table(*heads, numbers=tuple(head for number, head in enumerate(heads) if number not in words))
    for line in lines:
        table.add_row(*map(escape, line))
    out.print(table)
    for note in notes:
        out.print(f"[dim]{escape(note)}[/dim]")


def _print_table(out: Console, table: SheetTable) -> None:
    lines = [[name, *(cell.text for cell in cells)] for name, cells in table.rows]
    words = (0, 1, 2) if table.id == "rules" else (0,)
    notes = [table.note] if table.note else []
    _print_lines(out, table.title, [table.corner, *table.columns], lines, notes, words=words)
