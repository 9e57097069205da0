"""A report in words: what a page, a PDF and a terminal show of it, written once.

Every text is ready to be set: amounts, times by the clock of the house, names. The report itself stays the source of
JSON and CSV.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from croupier.floor.setup import Floor

Mark = Literal["", "sum", "bad"]
"""How a row stands out: it adds others up, or something in it is not as it should be."""


@dataclass(frozen=True, kw_only=True)
class Column:
    id: str
    label: str
    is_number: bool = False


@dataclass(frozen=True, kw_only=True)
class PaperRow:
    cells: tuple[str, ...]
    mark: Mark = ""


@dataclass(frozen=True, kw_only=True)
class PaperTable:
    """Rows under named columns."""

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[PaperRow, ...]
    empty: str = ""
    """What is said where there are no rows."""


@dataclass(frozen=True, kw_only=True)
class PaperFact:
    """One thing that is said on its own, and what explains it."""

    label: str
    text: str
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """One report, ready for a page or for paper."""

    name: str
    """Stable, as in the report's data; good for a file name."""
    title: str
    house: str
    is_demo: bool
    period: str
    """What time it covers; blank where that means nothing."""
    is_good: bool = True
    """Whether nothing in it asks for somebody to act."""
    finding: str = ""
    """The sentence that says so, or what is wrong."""
    facts: tuple[PaperFact, ...] = ()
    tables: tuple[PaperTable, ...] = ()
    notes: tuple[str, ...] = ()
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

    def table(self, wanted: str) -> PaperTable:
        (found,) = [table for table in self.tables if table.id == wanted]
        return found


def columns(*labels: str, words: int) -> tuple[Column, ...]:
    """Columns whose ids are their labels; the first `words` of them are words, the others numbers.

    >>> [(one.id, one.is_number) for one in columns("Hit at", "Each", words=1)]
    [('hit_at', False), ('each', True)]
    """
    return tuple(
        Column(id=label.lower().replace(" ", "_"), label=label, is_number=number >= words)
        for number, label in enumerate(labels)
    )


def house_of(floor: Floor) -> str:
    return floor.name or floor.id


def clock_text(at: datetime) -> str:
    """A time by the clock of the house, with its zone, as paper travels."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")


def period_text(start: datetime | None, end: datetime | None) -> str:
    """The time that a report covers, in words."""
    if start is None and end is None:
        return "from the first entry of the ledger to the last"
    begin = f"from {clock_text(start)}" if start is not None else "from the first entry"
    return f"{begin} to {f'before {clock_text(end)}' if end is not None else 'the last entry'}"


def list_text(words: Sequence[object]) -> str:
    """
    >>> list_text([1]), list_text([1, 2]), list_text(["a", "b", "c"])
    ('1', '1 and 2', 'a, b and c')
    """
    *first, last = map(str, words)
    return f"{', '.join(first)} and {last}" if first else last
