"""Columns of results, for polars, pandas, pyarrow, DuckDB and whatever else reads Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.errors import NotationError, unknown
from croupier.library.html import table_html

MOST_SHOWN = 12


def plain_cell(value: Any) -> Any:
    """A cell as a frame holds it: an exact fraction as a float, yes and no as words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return float(value)
    return value if value is None or isinstance(value, int | float) else str(value)


@dataclass(frozen=True, repr=False)
class Frame:
    """A table of columns, which data frame libraries take as it is.

    >>> import croupier
    >>> frame = croupier.game("blackjack").odds("lucky_lucky").frame
    >>> frame.names[:3], len(frame)
    (('row', 'label', 'pays'), 9)

    `polars.DataFrame(frame)`, `pandas.DataFrame.from_arrow(frame)`, `pyarrow.table(frame)` read it through
    `__arrow_c_stream__`; fractions become floats there.
    """

    columns: Mapping[str, tuple[Any, ...]]

    @classmethod
    def of_rows(cls, rows: Iterable[Mapping[str, Any]]) -> Frame:
        """A frame of rows; a column that a row lacks is empty there."""
        lines = list(rows) if isinstance(rows, Iterable) else [rows]
        for line in lines:
            if not isinstance(line, Mapping):
                raise NotationError(f"{line!r} is not a row: write {{COLUMN: CELL}}, and put rows into a list.")
        names = dict.fromkeys(name for line in lines for name in line)
        return cls({name: tuple(plain_cell(line.get(name)) for line in lines) for name in names})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.columns)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Its rows."""
        for cells in zip(*self.columns.values(), strict=True):
            yield dict(zip(self.columns, cells, strict=True))

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        """The cells of a column."""
        if not isinstance(name, str) or name not in self.columns:
            raise unknown("column", str(name), self.columns)
        return self.columns[name]

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists."""
        return {name: list(cells) for name, cells in self.columns.items()}

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        from croupier.library.arrow import stream_of

        return stream_of(dict(self.columns))

    def __repr__(self) -> str:
        return f"<Frame: {len(self):,} rows of {', '.join(self.names)}>"

    def _repr_html_(self) -> str:
        rows = [
            [_text(cell) for cell in cells] for cells in list(zip(*self.columns.values(), strict=True))[:MOST_SHOWN]
        ]
        more = f"{len(self) - MOST_SHOWN:,} more rows" if len(self) > MOST_SHOWN else ""
        return table_html(self.names, rows, note=more)


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.6g}" if isinstance(cell, float) else str(cell)
