"""What the verbs share: printing JSON, consoles that behave in pipes and narrow windows, and large numbers as typed."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
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


def parse_count(text: str, things: str, *, most: int) -> int:
    """A number of `things`: `1000000`, `1e9`, `2_000_000`."""
    plain = text.strip().replace("_", "")
    if not _COUNT.fullmatch(plain):
        raise NotationError(f'"{text}" is not a number of {things}: write 1000000 or 1e9.', code=f"bad_{things}")
    value = Fraction(plain)
    if value.denominator != 1 or not 1 <= value <= most:
        raise RangeError(f"{text} {things} cannot be had: a whole number from 1 to {most:.0e}.", code=f"bad_{things}")
    return int(value)
