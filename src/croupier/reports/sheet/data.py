"""An odds sheet for programs: JSON, whose keys are part of the stable interface, and CSV, one table with a head."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from typing import Any

import msgspec

from croupier.reports.formatting import difference_text
from croupier.reports.json_data import Plain, checked_data
from croupier.reports.render.data import csv_text, safe_text
from croupier.reports.report import Fact, Row, Table
from croupier.reports.sheet.model import Booklet, Sheet, SheetRow
from croupier.reports.sheet.tables import RULES

COLUMNS = ("wager", "section", "name", "column", "pays", "combinations", "probability", "return", "value", "text")


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
        "tables": {table.id: _table_data(table) for table in sheet.tables if table.id != RULES},
        "method": sheet.method,
        "published": [checked_data(checked) | {"difference": difference_text(checked)} for checked in sheet.published],
        "simulated": [msgspec.to_builtins(run) for run in sheet.simulated],
        "notes": list(sheet.notes),
    }


def _values(figures: Iterable[Fact]) -> dict[str, Any]:
    return {figure.id: _plain(figure.value) for figure in figures}


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


def _table_data(table: Table) -> Plain:
    return {
        "title": table.title,
        "columns": table.labels[1:],
        "rows": {_name(table, row): [_plain(value) for value in row.cells[1:]] for row in table.rows},
        "note": " ".join(table.notes),
    }


def _name(table: Table, row: Row) -> str:
    return table.columns[0].text(row.cells[0])


def _plain(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    return float(value) if isinstance(value, Fraction) else value


def sheets_csv(sheets: Iterable[Sheet]) -> str:
    """Every datum in a line of one table: sections and wagers are told apart by their columns."""
    lines = ({"wager": sheet.choice.wager.id, **line} for sheet in sheets for line in _lines(sheet))
    return csv_text(COLUMNS, ([_safe(line.get(name)) for name in COLUMNS] for line in lines))


def _safe(value: object) -> object:
    return safe_text(value, may_be_amount=True) if isinstance(value, str) else value


def _lines(sheet: Sheet) -> Iterator[dict[str, Any]]:
    for section, figures in (
        ("head", sheet.head),
        ("figures", sheet.figures),
        ("edge_parts", sheet.edge_parts),
        ("progressive", sheet.progressive),
    ):
        for figure in figures:
            value = _plain(figure.value)
            text = value if isinstance(figure.value, date) else figure.text  # in a file of data a day is ISO
            yield {"section": section, "name": figure.id, "value": value, "text": text}
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
        for line in table.rows:
            for head, value in list(zip(table.columns, line.cells, strict=True))[1:]:
                yield {
                    "section": table.id,
                    "name": _name(table, line),
                    "column": head.label,
                    "value": _plain(value),
                    "text": head.text(value),
                }
    for checked in sheet.published:
        for column, value in (checked_data(checked) | {"difference": difference_text(checked)}).items():
            yield {"section": "published", "name": checked.fact.figure, "column": column, "value": value}
    for number, run in enumerate(sheet.simulated, 1):
        for column, value in msgspec.to_builtins(run).items():
            yield {"section": "simulated", "name": str(number), "column": column, "value": value}
    yield {"section": "method", "text": sheet.method}
    for note in sheet.notes:
        yield {"section": "note", "text": note}
