"""A report: what a terminal, a page, paper, Markdown and data files show of a result, said once.

A table holds values, and its columns say what kind they are; `formatting` alone writes them as text. Paragraphs,
headings, listings and columns of the kind `marked` are in a small part of Markdown: `code`, **bold**, *emphasis*,
[links](address) and <br>. Every other text is shown as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from croupier.reports.formatting import Kind, Value, text_of
from croupier.reports.plots.model import Plot, plot_rows

Mark = Literal["", "sum", "bad"]
"""How a row stands out: it adds others up, or something in it is not as it should be."""
Tone = Literal["", "warn", "good", "bad"]
WORDS = ("text", "marked", "date", "time")
"""Kinds of columns that are set flush left."""


@dataclass(frozen=True)
class Column:
    """What the values of a column are."""

    label: str
    kind: Kind = "text"
    digits: int = 0
    """After the point."""
    id: str = ""

    @property
    def is_number(self) -> bool:
        return self.kind not in WORDS and self.kind != "letter"

    def text(self, value: Any) -> str:
        return value.text if isinstance(value, Cell) else text_of(value, self.kind, self.digits)


@dataclass(frozen=True)
class Cell:
    """A text that is colored, leads somewhere, or has a numbered note."""

    text: str
    style: str = ""
    """A verdict, by which it is colored."""
    address: str = ""
    note: int = 0


@dataclass(frozen=True)
class Row:
    cells: tuple[Value | Cell, ...]
    mark: Mark = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows under named columns; the first column names the rows."""

    id: str = ""
    title: str = ""
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    """How it is to be read."""
    empty: str = ""
    """What is said where there are no rows."""

    @property
    def is_chart(self) -> bool:
        """Whether it is a chart in the letters of actions."""
        return self.columns[-1].kind == "letter"

    @property
    def labels(self) -> list[str]:
        return [column.label for column in self.columns]

    @property
    def texts(self) -> list[list[str]]:
        """The rows as people read them."""
        return [[column.text(cell) for column, cell in zip(self.columns, row.cells, strict=True)] for row in self.rows]


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One thing that is said on its own."""

    id: str = ""
    label: str
    value: Value = None
    """As JSON has it: shares of one as numbers, money as decimal text in dollars."""
    text: str
    detail: str = ""
    """How it comes about, or what explains it, in a few words."""


@dataclass(frozen=True)
class Facts:
    facts: tuple[Fact, ...]
    title: str = ""


@dataclass(frozen=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Listing:
    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Note:
    """A sentence in small print."""

    text: str
    tone: Tone = ""


Block = Heading | Paragraph | Listing | Note | Facts | Table | Plot


@dataclass(frozen=True, kw_only=True)
class Report:
    """A title, and what follows it."""

    title: str
    subtitle: str = ""
    blocks: tuple[Block, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(fact for block in self.blocks if isinstance(block, Facts) for fact in block.facts)

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(block for block in self.blocks if isinstance(block, Table))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(block.text for block in self.blocks if isinstance(block, Note))

    def table(self, wanted: str) -> Table:
        (table,) = [table for table in self.tables if table.id == wanted]
        return table


def columns(*labels: str, kind: Kind = "text", digits: int = 0) -> tuple[Column, ...]:
    """Columns of one kind, whose ids are their labels.

    >>> [column.id for column in columns("Hit at", "Each", kind="money")]
    ['hit_at', 'each']
    """
    return tuple(Column(label, kind, digits, label.lower().replace(" ", "_")) for label in labels)


def rows(*lines: tuple[Any, ...]) -> tuple[Row, ...]:
    """Rows none of which stands out."""
    return tuple(map(Row, lines))


def plot_table(plot: Plot) -> Table:
    """The values of a plot, where it is not drawn."""
    heads, lines = plot_rows(plot)
    return Table(
        title=plot.title,
        columns=(Column(heads[0]), *columns(*heads[1:], kind="count")),
        rows=rows(*map(tuple, lines)),
        notes=tuple(filter(None, [plot.note])),
    )


def legend_of(tables: tuple[Table, ...], words: dict[str, str]) -> dict[str, str]:
    """The letters that charts use, with what they mean."""
    used = {text for table in tables if table.is_chart for line in table.texts for text in line[1:]}
    return {letter: meaning for letter, meaning in words.items() if letter in used}
