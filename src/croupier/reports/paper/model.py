"""A report of the floor in words: what a page, a PDF and a terminal show of it.

Its own data stay the source of JSON and CSV.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from croupier import __version__
from croupier.floor.setup import Floor
from croupier.house_time import time_text
from croupier.reports.render.paper import paper
from croupier.reports.report import Report

CODE_NOTE = (
    "This code finds the award again and shows a page that was altered: croupier jackpot verify --code, or Reports, "
    "Find a win page, in the game manager."
)


@dataclass(frozen=True, kw_only=True)
class Paper(Report):
    """One report, to be signed and filed."""

    name: str
    """Stable, as in the report's data; good for a file name."""
    house: str
    is_demo: bool
    amount: str = ""
    """Of a win page, in figures."""
    amount_in_words: str = ""
    status: str = ""
    code: str = ""
    """By which a printed page is found again in the ledger."""
    signatures: tuple[str, ...]
    """Labels of the lines to sign on."""
    last_entry: int
    last_hash: str
    """The end of the ledger that it was made from: an anchor for `verify`."""


def house_of(floor: Floor) -> str:
    return floor.name or floor.id


def period_text(start: datetime | None, end: datetime | None) -> str:
    """The time that a report covers, in words."""
    if start is None and end is None:
        return "from the first entry of the ledger to the last"
    begin = f"from {time_text(start)}" if start is not None else "from the first entry"
    return f"{begin} to {f'before {time_text(end)}' if end is not None else 'the last entry'}"


def paper_pdf(report: Paper) -> bytes:
    """The report with head, totals, the end of the ledger it was made from on every page, and lines to sign on."""
    return paper(
        [report],
        made_of=f"croupier {__version__}, ledger to entry {report.last_entry}",
        is_wide=not report.code,
        is_demo=report.is_demo,
        house=report.house,
        anchor=report.last_hash,
        amount=report.amount,
        amount_in_words=report.amount_in_words,
        code=report.code,
        code_note=CODE_NOTE,
        signatures=report.signatures,
    )
