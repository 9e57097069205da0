"""An odds sheet for programs: JSON, whose keys are part of the stable interface, and CSV, one table with a head."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

import msgspec

from croupier.reports.formatting import difference_text
from croupier.reports.json_data import Plain, checked_data
from croupier.reports.sheet.model import Booklet, Figure, Sheet, SheetRow, SheetTable, Value

COLUMNS = ("wager", "section", "name", "column", "pays", "combinations", "probability", "return", "value", "text")
_LIKE_A_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d.$])")


def booklet_data(booklet: Booklet) -> Plain:
    return {"game": booklet.game.id, "sheets": [odds_sheet_data(sheet) for sheet in booklet.sheets]}


def odds_sheet_data(sheet: Sheet) -> Plain:
    return {
        "head": _values(sheet.head),
        "rules": dict(sheet.choice.switches),
        "denominator": sheet.denominator,
        "rows": [_row_data(row) for row in sheet.rows],
        "total": {"probability": 1.0, "return": float(sheet.returned)},
        "figures": _values(sheet.figures),
        "edge_parts": _values(sheet.edge_parts),
        "progressive": _values(sheet.progressive),
        "tables": {table.id: _table_data(table) for table in sheet.tables if table.id != "rules"},
        "method": sheet.method,
        "published": [checked_data(checked) | {"difference": difference_text(checked)} for checked in sheet.published],
        "simulated": [msgspec.to_builtins(run) for run in sheet.simulated],
        "notes": list(sheet.notes),
    }


def _values(figures: Iterable[Figure]) -> dict[str, Value]:
    return {figure.id: figure.value for figure in figures}


def _row_data(row: SheetRow) -> Plain:
    count = {"combinations": row.combinations} if row.combinations is not None else {"hands_per_round": row.hands}
    return {
        "row": row.id,
        "label": row.label,
        "pays": row.pays,
        **count,
        "probability": float(row.probability),
        "return": float(row.returned),
    }


def _table_data(table: SheetTable) -> Plain:
    return {
        "title": table.title,
        "columns": list(table.columns),
        "rows": {name: [cell.value for cell in cells] for name, cells in table.rows},
        "note": table.note,
    }


def sheets_csv(sheets: Iterable[Sheet]) -> str:
    """Every datum in a line of one table: sections and wagers are told apart by their columns."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for sheet in sheets:
        for line in _lines(sheet):
            safe = {key: _safe(value) for key, value in line.items() if value is not None}
            writer.writerow({"wager": sheet.choice.wager.id, **safe})
    return out.getvalue()


def _safe(value: Value) -> Value:
    """A spreadsheet would run text that begins like a formula; a game file of somebody else's must not do that."""
    return f"'{value}" if isinstance(value, str) and _LIKE_A_FORMULA.match(value) else value


def _lines(sheet: Sheet) -> Iterator[dict[str, Value]]:
    for section, figures in (
        ("head", sheet.head),
        ("figures", sheet.figures),
        ("edge_parts", sheet.edge_parts),
        ("progressive", sheet.progressive),
    ):
        for figure in figures:
            yield {"section": section, "name": figure.id, "value": figure.value, "text": figure.text}
    for row in sheet.rows:
        yield {
            "section": "rows",
            "name": row.id,
            "pays": row.pays,
            "combinations": row.combinations,
            "probability": float(row.probability),
            "return": float(row.returned),
            "value": row.hands,
            "text": row.label,
        }
    yield {
        "section": "total",
        "combinations": sheet.denominator,
        "probability": 1.0,
        "return": float(sheet.returned),
        "text": "Total",
    }
    for table in sheet.tables:
        for name, cells in table.rows:
            for column, cell in zip(table.columns, cells, strict=True):
                yield {"section": table.id, "name": name, "column": column, "value": cell.value, "text": cell.text}
    for checked in sheet.published:
        for column, value in (checked_data(checked) | {"difference": difference_text(checked)}).items():
            yield {"section": "published", "name": checked.fact.figure, "column": column, "value": value}
    for number, run in enumerate(sheet.simulated, 1):
        for column, value in msgspec.to_builtins(run).items():
            yield {"section": "simulated", "name": str(number), "column": column, "value": value}
    yield {"section": "method", "text": sheet.method}
    for note in sheet.notes:
        yield {"section": "note", "text": note}
