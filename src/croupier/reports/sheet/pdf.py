"""An odds sheet on paper. The same sheet gives the same bytes: the file's date is that of the letter."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time

from croupier import __version__
from croupier.reports.json_data import Plain
from croupier.reports.paper.typeset import typeset
from croupier.reports.sheet.model import Booklet, Figure, Sheet, SheetTable, spec_hash
from croupier.reports.sheet.text import (
    PUBLISHED_HEADS,
    SIMULATED_HEADS,
    combination_lines,
    findings,
    published_lines,
    row_heads,
    row_lines,
    row_notes,
    simulated_lines,
)
from croupier.rules.spec import Game, Source


def sheet_pdf(sheet: Sheet) -> bytes:
    document = {"title": sheet.title, "booklet": None, "sheets": [_on_paper(sheet)]}
    return _compile(document, sheet.choice.game, sheet.choice.source)


def booklet_pdf(booklet: Booklet) -> bytes:
    game = booklet.game
    contents = [
        [sheet.choice.wager.name, sheet.choice.pay_table.id, sheet.figure("edge").text] for sheet in booklet.sheets
    ]
    front = {"name": game.name, "summary": game.summary, "rules": list(game.rules), "contents": contents}
    sheets = [_on_paper(sheet) for sheet in booklet.sheets]
    return _compile({"title": game.name, "booklet": front, "sheets": sheets}, game, game.source)


def _on_paper(sheet: Sheet) -> Plain:
    """The content with its plots, which take a moment to draw."""
    from croupier.reports.plots.draw import plot_svg

    plots = [{"title": plot.title, "note": plot.note, "svg": plot_svg(plot).decode()} for plot in sheet.plots]
    return sheet_content(sheet) | {"plots": plots}


def sheet_content(sheet: Sheet) -> Plain:
    """What the template sets: texts only, in the order of the page."""
    return {
        "title": sheet.title,
        "subtitle": f"Odds sheet, pay table {sheet.choice.pay_table.id}, {sheet.figure('decks').text}",
        "head": [[figure.label, figure.text] for figure in sheet.head],
        "row_heads": row_heads(sheet),
        "rows": row_lines(sheet),
        "row_notes": row_notes(sheet),
        "combinations": combination_lines(sheet),
        "figures": _figures(sheet.figures),
        "edge_parts": _figures(sheet.edge_parts),
        "progressive": _figures(sheet.progressive),
        "tables": [_table(table) for table in sheet.tables],
        "method": sheet.method,
        "published_heads": PUBLISHED_HEADS,
        "published": published_lines(sheet),
        "findings": findings(sheet),
        "simulated_heads": SIMULATED_HEADS,
        "simulated": simulated_lines(sheet),
        "notes": list(sheet.notes),
    }


def _figures(figures: Iterable[Figure]) -> list[list[str]]:
    return [[figure.label, figure.text, figure.how] for figure in figures]


def _table(table: SheetTable) -> Plain:
    return {
        "id": table.id,
        "title": table.title,
        "corner": table.corner,
        "columns": list(table.columns),
        "rows": [[name, *(cell.text for cell in cells)] for name, cells in table.rows],
        "kind": table.kind,
        "note": table.note,
    }


def _compile(document: Plain, game: Game, source: Source) -> bytes:
    made_of = f"rules of {game.version}, {source.named}, spec {spec_hash(game)[:16]}, croupier {__version__}"
    return typeset("sheet.typ", document | {"made_of": made_of}, dated=datetime.combine(source.date, time(), UTC))
