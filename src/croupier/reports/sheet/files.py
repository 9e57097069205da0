"""An odds sheet as a file: the same bytes from the command line and from the page."""

from __future__ import annotations

import json
from typing import Literal

from croupier.reports.sheet.data import booklet_data, odds_sheet_data, sheets_csv
from croupier.reports.sheet.model import Booklet, Sheet

Form = Literal["pdf", "csv", "json"]


def sheet_file(made: Sheet | Booklet, form: Form) -> bytes:
    """The whole sheet or booklet in one of its forms."""
    if form == "json":
        data = booklet_data(made) if isinstance(made, Booklet) else odds_sheet_data(made)
        return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()
    if form == "csv":
        return sheets_csv(made.sheets if isinstance(made, Booklet) else (made,)).encode()
    from croupier.reports.sheet.pdf import booklet_pdf, sheet_pdf

    return booklet_pdf(made) if isinstance(made, Booklet) else sheet_pdf(made)
