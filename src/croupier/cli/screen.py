"""What the verbs share: printing JSON, and consoles that behave in pipes and narrow windows."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.measure import measure_renderables
from rich.table import Table

from croupier.errors import NotationError

NARROWEST_PIPE = 120
MEASURED_WIDTH = 100_000
"""Wider than any line: what a table would take if there were room."""
_GAP = 2
"""Blanks between columns."""


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
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return table


def print_table(out: Console, table: Table) -> None:
    """Prints a table without cutting a number or breaking a word.

    A pipe gets the width that the table needs. In a window, text wraps between words; where that is not enough, each
    row is stacked, one value to a line.
    """
    free = out.options.update(width=MEASURED_WIDTH, max_width=MEASURED_WIDTH)
    widths = [measure_renderables(out, free, [column.header, *column.cells]) for column in table.columns]
    gaps = _GAP * len(widths)
    needed = gaps + sum(width.maximum for width in widths)
    if not out.is_terminal:
        usual, out.width = out.width, max(out.width, needed)
        out.print(table)
        out.width = usual
        return
    spare = out.width - gaps - sum(width.minimum for width in widths)
    if spare < 0 and len(widths) > 2:
        _print_stacked(out, table)
        return
    if spare < 0:  # names and values already, one of them longer than a line, such as a hash
        table.columns[0].no_wrap = True
        out.print(table)
        return
    for column, width in sorted(zip(table.columns, widths, strict=True), key=lambda one: one[1].span):
        more = min(spare, width.span)  # first to those that lack little, so that only long texts wrap
        column.width = width.minimum + more
        spare -= more
    out.print(table)


def _print_stacked(out: Console, table: Table) -> None:
    """Each row as lines of a name and its value, with a blank line between rows."""
    cells = [list(column.cells) for column in table.columns]
    for number in range(table.row_count):
        if number:
            out.print()
        block = simple_table("", "")
        block.show_header = False
        block.columns[0].no_wrap = True
        for column, values in zip(table.columns, cells, strict=True):
            if values[number]:
                block.add_row(column.header, values[number])
        out.print(block)


def files_to_write(names: Mapping[str, str | None], what: str) -> list[Path]:
    """The files named with options, by the endings they must have. Checked before anything is computed: a long run is
    not lost to a wrong name. A file that is there is written over."""
    files = []
    for kind, name in names.items():
        if name is None:
            continue
        path = Path(name)
        if path.suffix.lower() != f".{kind}":
            raise NotationError(f'"{name}" is not the name of a {what}: --{kind} takes a file.{kind}.', code="bad_path")
        if not path.parent.is_dir():
            raise NotationError(f'"{path.parent}" is not a folder to write a {what} to.', code="bad_path")
        if path.is_dir():
            raise NotationError(f'"{name}" is a folder, not a file to write a {what} to.', code="bad_path")
        files.append(path)
    return files


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
            unfinished = Path(file.name)
            try:
                file.write(content)
                file.flush()
                unfinished.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
                unfinished.replace(path)
            except OSError:
                unfinished.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise NotationError(f'"{path}" cannot be written: {error.strerror}.', code="bad_path") from None


def _umask() -> int:
    """What new files are kept from; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
