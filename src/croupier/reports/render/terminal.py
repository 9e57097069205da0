"""A report in a terminal or a pipe, by rich: no number is cut and no word is broken."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.measure import measure_renderables
from rich.table import Table as Grid

from croupier.reports.plots.model import Plot
from croupier.reports.report import (
    Block,
    Cell,
    Column,
    Facts,
    Heading,
    Listing,
    Note,
    Paragraph,
    Report,
    Table,
    plot_table,
)

MEASURED_WIDTH = 100_000
"""Wider than any line: what a table would take if there were room."""
_GAP = 2
"""Blanks between columns."""
_MARKS = {"": "", "sum": "bold", "bad": "red"}
_TONES = {"": "dim", "good": "green", "bad": "red"}
_COLORS = {"S": "red", "H": "white", "D": "green", "Ds": "green", "P": "cyan", "R": "magenta", "Rs": "magenta"}
_VERDICTS = {"equal": "green", "within_simulation_error": "cyan", "differs": "red", "not_computed": "dim"}


def print_report(out: Console, report: Report) -> None:
    out.print(f"[bold]{escape(report.title)}[/bold]")
    if report.subtitle:
        out.print(escape(report.subtitle))
    print_blocks(out, report.blocks)


def print_blocks(out: Console, blocks: Iterable[Block]) -> None:
    for block in blocks:
        match block:
            case Note(text, "warn"):
                out.print(f"[yellow]note:[/yellow] {escape(text)}")
            case Note(text, tone):
                out.print(f"[{_TONES[tone]}]{escape(text)}[/]")
            case Facts(facts, title):
                _print_title(out, title)
                print_facts(out, ((fact.label, fact.text, fact.detail) for fact in facts))
            case Table():
                _print_title(out, block.title)
                _print_table(out, block)
            case Heading(_, text):
                _print_title(out, text)
            case Paragraph(text):
                out.print(escape(text))
            case Listing(items):
                for item in items:
                    out.print(escape(f"- {item}"))
            case Plot():
                print_blocks(out, [plot_table(block)])


def _print_title(out: Console, title: str) -> None:
    if title:
        out.print(f"\n[bold]{escape(title)}[/bold]")


def print_facts(out: Console, facts: Iterable[tuple[str, ...]]) -> None:
    """Names, what they are, and how that comes about."""
    grid = simple_table("", "")
    grid.show_header = False
    for label, text, *details in facts:
        how = "".join(f"; [dim]{escape(detail)}[/dim]" for detail in details if detail)
        grid.add_row(escape(label), f"{escape(text)}{how}")
    if grid.row_count:
        print_table(out, grid)


def _print_table(out: Console, table: Table) -> None:
    """Without the columns in which no row has anything."""
    if not table.rows:
        out.print(escape(table.empty))
        return
    texts = table.texts
    kept = [place for place in range(len(table.columns)) if any(line[place] for line in texts)]
    columns = [table.columns[place] for place in kept]
    grid = simple_table(*(column.label for column in columns))
    for column, shown in zip(columns, grid.columns, strict=True):
        shown.justify = "right" if column.is_number else "left"
    for row in table.rows:
        cells = (_cell(table.columns[place], row.cells[place]) for place in kept)
        grid.add_row(*cells, style=_MARKS[row.mark])
    print_table(out, grid)
    for note in table.notes:
        out.print(f"[dim]{escape(note)}[/dim]")


def _cell(column: Column, value: object) -> str:
    text = column.text(value)
    if column.kind == "letter":
        return f"[{_COLORS.get(text, 'white')}]{escape(text)}[/]"
    if not isinstance(value, Cell):
        return escape(text)
    text = escape(f"{text} [{value.note}]" if value.note else text)
    return f"[{_VERDICTS[value.style]}]{text}[/]" if value.style else text


def simple_table(*columns: str, numbers: tuple[str, ...] = ()) -> Grid:
    """A table without a box; the columns named in `numbers` are set flush right."""
    table = Grid(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return table


def print_table(out: Console, table: Grid) -> None:
    """Prints a table without cutting a number or breaking a word.

    A pipe gets the width that the table needs. In a window, text wraps between words; where that is not enough, each
    row is stacked, one value to a line.
    """
    free = out.options.update(width=MEASURED_WIDTH, max_width=MEASURED_WIDTH)
    widths = [measure_renderables(out, free, [column.header, *column.cells]) for column in table.columns]
    gaps = _GAP * len(widths)
    needed = gaps + sum(width.maximum for width in widths)
    if not out.is_terminal:
        usual, out.width = out.width, max(out.width, needed)
        out.print(table)
        out.width = usual
        return
    spare = out.width - gaps - sum(width.minimum for width in widths)
    if spare < 0 and len(widths) > 2:
        _print_stacked(out, table)
        return
    if spare < 0:  # names and values already, one of them longer than a line, such as a hash
        table.columns[0].no_wrap = True
        out.print(table)
        return
    for column, width in sorted(zip(table.columns, widths, strict=True), key=lambda one: one[1].span):
        more = min(spare, width.span)  # first to those that lack little, so that only long texts wrap
        column.width = width.minimum + more
        spare -= more
    out.print(table)


def _print_stacked(out: Console, table: Grid) -> None:
    """Each row as lines of a name and its value, with a blank line between rows."""
    cells = [list(column.cells) for column in table.columns]
    for number in range(table.row_count):
        if number:
            out.print()
        block = simple_table("", "")
        block.show_header = False
        block.columns[0].no_wrap = True
        for column, values in zip(table.columns, cells, strict=True):
            if values[number]:
                block.add_row(column.header, values[number])
        out.print(block)
