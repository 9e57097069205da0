"""What the verbs share: printing JSON, and consoles that behave in pipes and narrow windows."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console
from rich.table import Table

NARROWEST_PIPE = 120


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
