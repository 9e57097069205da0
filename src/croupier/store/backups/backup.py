"""Backups: the whole log as text, one entry a line, from any database into any other.

A backup is gzip over JSON lines: a head line, every entry with its hash, and an end line with number and hash of the
last. It is the truth itself, so restoring replays it, checks it, and makes all other tables anew. With a key the file
is encrypted as a whole.
"""

from __future__ import annotations

import fcntl
import gzip
import os
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile, mkstemp
from typing import Any, BinaryIO

import msgspec
from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from croupier.errors import LedgerError, NotationError
from croupier.jackpot import GENESIS, State, evolve
from croupier.jackpot.chain import unseal
from croupier.store import schema
from croupier.store.backups.key import BackupKey, is_encrypted
from croupier.store.book import Book
from croupier.store.writing import Batch

FORMAT = "croupier-ledger-1"
PAGE = 2000
PAGE_CHARACTERS = 32 * 1024 * 1024
"""What one statement is given when restoring, of entries with long facts."""
LONGEST_LINE = 64 * 1024 * 1024
"""A few bytes may unpack to any length: no entry is as long as this."""
PART = ".croupier-backup-"
"""How a file that is being written is called; it ends in `.part`."""
LEFT_S = 60.0
"""A part that nobody holds and has not grown for so long was left behind."""
_GZIP = 31
"""zlib's number for the form of gzip."""


class _End(msgspec.Struct, forbid_unknown_fields=True):
    """The last line."""

    entries: int
    hash: str


_line_decoder: msgspec.json.Decoder[tuple[str, str] | _End] = msgspec.json.Decoder(tuple[str, str] | _End)


def backup(book: Book, path: Path, key: BackupKey | None = None) -> int:
    """Writes the log as it is at one moment to a new file, and returns the number of entries. The book stays in use."""
    if path.exists():
        raise _exists(path)
    remove_leftovers(path.parent)
    unfinished, name = mkstemp(dir=path.parent, prefix=PART, suffix=".part")  # its owner's alone
    part = Path(name)
    try:
        log = _Log(book)
        with os.fdopen(unfinished, "wb") as raw:
            fcntl.flock(raw, fcntl.LOCK_EX)  # gone when this process is, however it goes
            if key is None:
                raw.writelines(log.pieces())
            else:
                key.encrypt(log.pieces(), raw)
            raw.flush()
            os.fsync(raw.fileno())
        _claim(path)
        part.replace(path)
        _sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)
    return log.entries


def remove_leftovers(folder: Path) -> None:
    """Parts of backups that were killed: they have the hashes of PINs, and nobody would take them away."""
    for part in folder.glob(f"{PART}*.part"):
        try:
            with part.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if time.time() - os.fstat(file.fileno()).st_mtime > LEFT_S:
                    part.unlink(missing_ok=True)
        except OSError:
            continue  # somebody writes it, or it is gone


class _Log:
    """The log, packed, piece by piece; `entries` are those packed so far."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self.entries = 0

    def pieces(self) -> Iterator[bytes]:
        packer = zlib.compressobj(wbits=_GZIP)
        table, last = schema.entries, GENESIS
        with self._book.snapshot() as connection:
            yield packer.compress(_line({"format": FORMAT}))
            query = select(table.c.seq, table.c.text, table.c.hash).order_by(table.c.seq).limit(PAGE)
            while page := connection.execute(query.where(table.c.seq > self.entries)).all():
                for row in page:
                    unseal(row.text, row.hash, self.entries + 1, last)
                    yield packer.compress(_line([row.hash, row.text]))
                    self.entries, last = row.seq, row.hash
        yield packer.compress(_line({"entries": self.entries, "hash": last}))
        yield packer.flush()


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


def restore(book: Book, path: Path, key: BackupKey | None = None) -> int:
    """Fills an empty ledger from a backup, in one transaction, and returns the number of entries."""
    try:
        with path.open("rb") as file:
            if not is_encrypted(file):
                return _restore(book, file)
            if key is None:
                raise NotationError(
                    f'The backup "{path}" is encrypted: give the file with its secret key.', code="key_missing"
                )
            with TemporaryFile() as opened:  # has no name, so nothing is left of it
                key.decrypt(file, opened)
                opened.seek(0)
                return _restore(book, opened)
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError, UnicodeError) as error:
        raise LedgerError(
            f'The backup "{path}" cannot be read: {error}. Nothing was restored.', code="bad_backup"
        ) from error
    except SQLAlchemyError as error:
        cause = str(getattr(error, "orig", error)).strip()
        raise LedgerError(
            f'The backup "{path}" could not be written into the store: {cause}. Nothing was restored.',
            code="storage_failed",
        ) from error


def _restore(book: Book, file: BinaryIO) -> int:
    with gzip.open(file, "rb") as lines, book.exclusive() as connection:
        if connection.execute(select(schema.entries.c.seq).limit(1)).first() is not None:
            raise LedgerError("A backup is restored into an empty ledger, and this one has entries.", code="not_empty")
        return _replay(connection, iter(lambda: _read_line(lines), b""))


def _read_line(lines: Any) -> bytes:
    line: bytes = lines.readline(LONGEST_LINE + 1)
    if len(line) > LONGEST_LINE:
        raise LedgerError(
            "The backup has a line that is longer than any entry. Nothing was restored.", code="bad_backup"
        )
    return line


def _replay(connection: Connection, lines: Iterator[bytes]) -> int:
    if msgspec.json.decode(next(lines, b"{}")) != {"format": FORMAT}:
        raise LedgerError(f"This is not a backup of the form {FORMAT}.", code="bad_backup")
    state, batch = State(), Batch()
    seq, last, length = 0, GENESIS, 0
    for line in lines:
        value = _line_decoder.decode(line)
        if isinstance(value, _End):
            if value != _End(seq, last) or next(lines, None) is not None:
                break
            batch.write(connection)
            return seq
        sealed = unseal(value[1], value[0], seq + 1, last)
        try:
            changes = evolve(state, sealed.entry.event)
        except KeyError as error:
            raise LedgerError(
                f"Entry {seq + 1} of the backup refers to {error}, which is not before it. Nothing was restored.",
                code="bad_backup",
            ) from error
        state.update(changes)
        batch.add(sealed, changes)
        seq, last, length = seq + 1, sealed.hash, length + len(sealed.text)
        if len(batch.sealed) == PAGE or length > PAGE_CHARACTERS:
            batch.write(connection)
            batch, length = Batch(), 0
    raise LedgerError(f"The backup is cut off after entry {seq}. Nothing was restored.", code="bad_backup")
