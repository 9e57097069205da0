"""Reports on paper, by typst: fonts of the program only, no network.

The same reports give the same bytes: nothing of the machine and of the moment is in them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from croupier.extras import needs
from croupier.reports.json_data import Plain
from croupier.reports.plots.model import Plot
from croupier.reports.report import Block, Facts, Heading, Listing, Note, Paragraph, Report, Table

if TYPE_CHECKING:
    import typst

TEMPLATE = Path(__file__).parent / "report.typ"
FRAME: Plain = {
    "is_wide": False,
    "is_demo": False,
    "house": "",
    "anchor": "",
    "amount": "",
    "amount_in_words": "",
    "code": "",
    "code_note": "",
    "signatures": [],
}
"""What stands around reports on paper, where nothing is to be said of it."""
SHORT = 32
"""Letters of values beside which there is room for a column of explanations."""
_one_at_a_time = Lock()
"""A compiler is used by one thread at a time, and refuses others."""


def paper(reports: Sequence[Report], *, made_of: str, dated: datetime | None = None, **frame: Any) -> bytes:
    """A PDF of reports, each on pages of its own; `dated` is what the file says of its own date."""
    compiler = _compiler()  # first: without it, nothing needs to be drawn
    texts = [
        {"title": report.title, "subtitle": report.subtitle, "blocks": list(_parts(report.blocks))}
        for report in reports
    ]
    document = (
        FRAME | {"title": reports[0].title, "made_of": made_of, "is_dated": dated is not None, "reports": texts} | frame
    )
    with _one_at_a_time:
        content: Any = compiler.compile(
            format="pdf",
            sys_inputs={"document": json.dumps(document, ensure_ascii=False)},
            timestamp=dated,
        )
    assert isinstance(content, bytes)
    return content


@cache
def _compiler() -> typst.Compiler:
    """Kept, as it reads its fonts only once."""
    with needs("paper"):
        import typst
    return typst.Compiler(TEMPLATE, root=TEMPLATE.parent, ignore_system_fonts=True)


def _parts(blocks: Iterable[Block]) -> Iterable[Plain]:
    """Plots that follow one another stand side by side."""
    for is_plot, group in groupby(blocks, lambda block: isinstance(block, Plot)):
        if is_plot:
            yield {"type": "plots", "plots": [_plot(block) for block in group if isinstance(block, Plot)]}
        else:
            yield from map(_part, group)


def _plot(plot: Plot) -> Plain:
    from croupier.reports.plots.draw import plot_svg  # matplotlib takes its time to load

    return {"title": plot.title, "note": plot.note, "svg": plot_svg(plot).decode()}


def _part(block: Block) -> Plain:
    match block:
        case Heading(level, text):
            return {"type": "heading", "level": level, "text": text}
        case Paragraph(text):
            return {"type": "paragraph", "text": text}
        case Listing(items):
            return {"type": "list", "items": items}
        case Note(text, tone):
            return {"type": "finding" if tone in ("good", "bad") else "note", "text": text, "tone": tone}
        case Facts(facts, title):
            lines = [[fact.label, fact.text, fact.detail] for fact in facts]
            is_short = any(line[2] for line in lines) and all(len(line[1]) <= SHORT for line in lines)
            return {"type": "facts", "title": title, "facts": lines, "is_short": is_short}
        case Table():
            return {
                "type": "table",
                "title": block.title,
                "heads": block.labels,
                "words": [not column.is_number for column in block.columns],
                "rows": block.texts,
                "marks": [row.mark != "" for row in block.rows],
                "notes": block.notes,
                "empty": block.empty,
                "is_chart": block.is_chart,
            }
        case Plot():
            return _plot(block)
