"""Backups: the whole log as text, one entry a line, from any database into any other.

A backup is gzip over JSON lines: a head line, every entry with its hash, and an end line with number and hash of the
last. It is the truth itself, so restoring replays it, checks it, and makes all other tables anew.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from tempfile import mkstemp
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from croupier.errors import LedgerError
from croupier.jackpot import GENESIS, State, evolve
from croupier.jackpot.chain import unseal
from croupier.store import schema
from croupier.store.book import Book
from croupier.store.writing import Batch

FORMAT = "croupier-ledger-1"
PAGE = 2000
PAGE_CHARACTERS = 32 * 1024 * 1024
"""What one statement is given when restoring, of entries with long facts."""


def backup(book: Book, path: Path) -> int:
    """Writes the log as it is at one moment to a new file, and returns the number of entries. The book stays in use."""
    if path.exists():
        raise _exists(path)
    unfinished, name = mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=".part")
    part = Path(name)
    try:
        entries = _write(book, unfinished)
        _claim(path)
        part.replace(path)
        _sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)
    return entries


def _write(book: Book, unfinished: int) -> int:
    seq, last = 0, GENESIS
    with (
        os.fdopen(unfinished, "wb") as raw,
        gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed,
        book.snapshot() as connection,
    ):
        packed.write(_line({"format": FORMAT}))
        table = schema.entries
        while page := connection.execute(
            select(table.c.seq, table.c.text, table.c.hash).where(table.c.seq > seq).order_by(table.c.seq).limit(PAGE)
        ).all():
            for row in page:
                unseal(row.text, row.hash, seq + 1, last)
                packed.write(_line([row.hash, row.text]))
                seq, last = row.seq, row.hash
        packed.write(_line({"entries": seq, "hash": last}))
        packed.close()
        raw.flush()
        os.fsync(raw.fileno())
    return seq


def _claim(path: Path) -> None:
    """Takes the name, unless somebody has it by now: what is renamed next replaces only this empty file."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise _exists(path) from None


def _exists(path: Path) -> LedgerError:
    return LedgerError(f'"{path}" exists; a backup never overwrites. Give another name.', code="file_exists")


def _sync_folder(folder: Path) -> None:
    """The name of a new file is on the disk only when its folder is."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _line(value: Any) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def restore(book: Book, path: Path) -> int:
    """Fills an empty ledger from a backup, in one transaction, and returns the number of entries."""
    try:
        with gzip.open(path, "rb") as lines, book.exclusive() as connection:
            if connection.execute(select(schema.entries.c.seq).limit(1)).first() is not None:
                raise LedgerError(
                    "A backup is restored into an empty ledger, and this one has entries.", code="not_empty"
                )
            return _replay(connection, iter(lines))
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise LedgerError(
            f'The backup "{path}" does not read: {error}. Nothing was restored.', code="bad_backup"
        ) from error


def _replay(connection: Connection, lines: Any) -> int:
    if msgspec.json.decode(next(lines, b"{}")) != {"format": FORMAT}:
        raise LedgerError(f"This is not a backup of the form {FORMAT}.", code="bad_backup")
    state, batch = State(), Batch()
    seq, last, length = 0, GENESIS, 0
    for line in lines:
        value = msgspec.json.decode(line)
        if isinstance(value, dict):
            if value != {"entries": seq, "hash": last} or next(lines, None) is not None:
                break
            batch.write(connection)
            return seq
        sealed = unseal(value[1], value[0], seq + 1, last)
        changes = evolve(state, sealed.entry.event)
        state.update(changes)
        batch.add(sealed, changes)
        seq, last, length = seq + 1, sealed.hash, length + len(sealed.text)
        if len(batch.sealed) == PAGE or length > PAGE_CHARACTERS:
            batch.write(connection)
            batch, length = Batch(), 0
    raise LedgerError(f"The backup is cut off after entry {seq}. Nothing was restored.", code="bad_backup")
