"""An odds sheet as a file: the same bytes from the command line and from the page.

The date of a PDF is that of the letter.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, time
from typing import Literal

from croupier import __version__
from croupier.reports.render.paper import paper
from croupier.reports.report import Report
from croupier.reports.sheet.data import booklet_data, odds_sheet_data, sheets_csv
from croupier.reports.sheet.model import Booklet, Sheet, spec_hash
from croupier.reports.sheet.report import booklet_front, sheet_report
from croupier.rules.choice import Choice
from croupier.rules.spec import Game, Source

Form = Literal["pdf", "csv", "json"]


def sheet_file(document: Sheet | Booklet, form: Form) -> bytes:
    """The whole sheet or booklet in one of its forms."""
    if form == "json":
        data = booklet_data(document) if isinstance(document, Booklet) else odds_sheet_data(document)
        return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()
    if form == "csv":
        return sheets_csv(document.sheets if isinstance(document, Booklet) else (document,)).encode()
    return booklet_pdf(document) if isinstance(document, Booklet) else sheet_pdf(document)


def sheet_pdf(sheet: Sheet) -> bytes:
    return _pdf([sheet_report(sheet, with_plots=True)], sheet.choice.game, sheet.choice.source)


def booklet_pdf(booklet: Booklet) -> bytes:
    sheets = (sheet_report(sheet, with_plots=True) for sheet in booklet.sheets)
    return _pdf([booklet_front(booklet), *sheets], booklet.game, booklet.game.source)


def protection_pdf(report: Report, choice: Choice) -> bytes:
    """What a card counter can take from a wager, on paper."""
    return _pdf([report], choice.game, choice.source, house="Game protection")


def _pdf(reports: list[Report], game: Game, source: Source, *, house: str = "Odds sheet") -> bytes:
    made_of = f"rules of {game.version}, {source.named}, spec {spec_hash(game)[:16]}, croupier {__version__}"
    return paper(reports, made_of=made_of, house=house, dated=datetime.combine(source.date, time(), UTC))
