"""Reports on the ledger as data for JSON and as CSV.

Money is decimal text in dollars to the last millionth, so that sums hold; a field `amount_micros` is `amount` here.
Probabilities are fractions of one, times are ISO 8601 with their zone.
"""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from datetime import date
from fractions import Fraction
from operator import attrgetter
from typing import Any, get_args, get_type_hints

from croupier.reports.books.access import AccessReview
from croupier.reports.books.accrual import Accrual
from croupier.reports.books.achieved import Achieved
from croupier.reports.books.audit import Audit
from croupier.reports.books.awards import Hits, WinPage
from croupier.reports.books.columns import columns_of, is_money
from croupier.reports.books.deposit import Deposit
from croupier.reports.books.period import LedgerReport
from croupier.reports.books.reconciliation import Reconciliation
from croupier.reports.formatting import exact_dollars
from croupier.reports.json_data import Plain
from croupier.reports.render.data import csv_text, safe_text

NAMES: dict[type[LedgerReport], str] = {
    WinPage: "win_page",
    Hits: "hits",
    Accrual: "accrual",
    Deposit: "deposit",
    Reconciliation: "reconciliation",
    Achieved: "achieved",
    Audit: "audit",
    AccessReview: "access",
}
LINES = "lines"


def report_data(report: LedgerReport) -> Plain:
    """A report as plain data. The keys are part of the stable interface."""
    return {"report": NAMES[type(report)], **_data(report)}


def report_csv(report: LedgerReport) -> str:
    """The lines of a report as one table with a head; a report without lines is one row.

    What does not fit a cell is JSON in it.
    """
    kind = get_args(get_type_hints(type(report))[LINES])[0] if hasattr(report, LINES) else type(report)
    rows = getattr(report, LINES, (report,))
    shown = columns_of(kind)
    return csv_text(shown, ([_cell(path, attrgetter(path)(row)) for path in shown.values()] for row in rows))


def _data(value: Any) -> Plain:
    return {key: _plain(path, attrgetter(path)(value)) for key, path in columns_of(type(value)).items()}


def _plain(name: str, value: Any) -> Any:
    if value is None:
        return None
    if is_money(name):
        return exact_dollars(value)
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        return [_plain("", part) for part in value]
    return _data(value) if is_dataclass(value) else value


def _cell(name: str, value: Any) -> str:
    plain = _plain(name, value)
    if plain is None:
        return ""
    if isinstance(value, str):
        return safe_text(value)
    if isinstance(plain, list) and not any(isinstance(part, dict | list) for part in plain):
        return safe_text("; ".join(map(str, plain)))
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
