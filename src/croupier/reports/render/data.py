"""Reports as CSV: one table with a head, in which nothing runs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

_FORMULA = re.compile(r"[=+\-@\t\r]")
_FORMULA_BUT_NO_AMOUNT = re.compile(r"[=@\t\r]|[+-](?![\d.$])")


def csv_text(heads: Iterable[str], lines: Iterable[Iterable[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(lines)
    return out.getvalue()


def safe_text(text: str, *, may_be_amount: bool = False) -> str:
    """A spreadsheet would run text that begins like a formula: people's notes and other people's files must not."""
    formula = _FORMULA_BUT_NO_AMOUNT if may_be_amount else _FORMULA
    return f"'{text}" if formula.match(text) else text
