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

from croupier.errors import NotationError
from croupier.extras import require

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


def files_to_write(names: Mapping[str, str | None], what: str) -> list[Path]:
    """The files named with options, by the endings they must have. Checked before anything is computed: a long run is
    not lost to a wrong name, or to a package that is missing. A file that is there is written over."""
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
        if kind != "csv":
            require("plots" if what == "picture" else "paper")
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
