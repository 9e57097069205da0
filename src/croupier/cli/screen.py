"""What the verbs share: printing JSON, consoles that behave in pipes and narrow windows, and large numbers as typed."""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.table import Table

from croupier.errors import NotationError, RangeError

NARROWEST_PIPE = 120
_COUNT = re.compile(r"-?\d{1,20}(\.\d{1,20})?(e\+?\d{1,2})?", re.IGNORECASE | re.ASCII)


def print_json(data: Any) -> None:
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=not unicode) + "\n")


def console() -> Console:
    """The terminal as it is; in a pipe, wide enough not to break lines."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, width=NARROWEST_PIPE)


def progress_console() -> Console:
    """Progress goes to stderr, and only to a terminal."""
    return Console(stderr=True, quiet=not sys.stderr.isatty())


def simple_table(*columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """A table without a box; the columns named in `numbers` are set flush right."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return table


def parse_count(text: str, things: str, *, most: int) -> int:
    """A number of `things`: `1000000`, `1e9`, `2_000_000`."""
    plain = text.strip().replace("_", "")
    if not _COUNT.fullmatch(plain):
        raise NotationError(f'"{text}" is not a number of {things}: write 1000000 or 1e9.', code=f"bad_{things}")
    value = Fraction(plain)
    if value.denominator != 1 or not 1 <= value <= most:
        raise RangeError(f"{text} {things} cannot be had: a whole number from 1 to {most:.0e}.", code=f"bad_{things}")
    return int(value)
