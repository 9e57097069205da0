"""A pocket card: the charts of a strategy in color, on a page to print and fold, or as a picture to send."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from croupier.extras import needs
from croupier.reports.formatting import percent
from croupier.reports.strategy.shown import ShownChart, ShownStrategy

if TYPE_CHECKING:
    import typst

TEMPLATE = Path(__file__).parent / "pocket_card.typ"
DOTS_PER_INCH = 220
MOST_LINES = 40
"""Rows of a chart of words that a card has room for."""
_one_at_a_time = Lock()


def draw_pocket_card(name: str, shown: ShownStrategy, form: Literal["pdf", "png"]) -> bytes:
    """The card of a strategy; `name` is what players call the game. The same strategy gives the same bytes."""
    compiler = _compiler()
    document = {
        "name": name,
        "rules": shown.subtitle,
        "edge": f"House edge {percent(shown.edge, 3)}",
        "legend": [[letter, words] for letter, words in shown.legend.items()],
        "charts": [_chart(chart) for chart in shown.charts if chart.kind != "ratings"],
        "insurance": next((figure.text for figure in shown.figures if figure.label == "Insurance, take it"), ""),
    }
    options: dict[str, Any] = {"ppi": DOTS_PER_INCH} if form == "png" else {}
    with _one_at_a_time:
        content: Any = compiler.compile(
            format=form, sys_inputs={"document": json.dumps(document, ensure_ascii=False)}, **options
        )
    assert isinstance(content, bytes)
    return content


def _chart(chart: ShownChart) -> dict[str, Any]:
    rows = chart.rows[:MOST_LINES]
    return {
        "title": chart.title,
        "kind": chart.kind,
        "columns": chart.columns,
        "rows": [[row.name, *(cell.text for cell in row.cells)] for row in rows],
        "left_out": len(chart.rows) - len(rows),
    }


@cache
def _compiler() -> typst.Compiler:
    with needs("paper"):
        import typst
    return typst.Compiler(TEMPLATE, root=TEMPLATE.parent, ignore_system_fonts=True)
