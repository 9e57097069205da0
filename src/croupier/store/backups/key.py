"""Backups encrypted in the age format (age-encryption.org), so that its own tools open them too."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from croupier.errors import LedgerError, NotationError

SECRET = "AGE-SECRET-KEY-1"
PUBLIC = "age1"
MAGIC = b"age-encryption.org/v1\n"
"""What an encrypted file begins with."""
LONGEST_FILE = 64 * 1024


class BackupKey:
    """The key of a file: a secret one opens and writes, a public one only writes."""

    def __init__(self, file: str) -> None:
        x25519 = _age().x25519
        try:
            with Path(file).open(encoding="ascii") as opened:
                lines = [line.strip() for line in opened.read(LONGEST_FILE).splitlines()]
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise NotationError(f"The key file {file} cannot be read: {reason}.", code="unreadable_file") from None
        try:
            self._identities: list[Any] = [x25519.Identity.from_str(line) for line in lines if line.startswith(SECRET)]
            public = [x25519.Recipient.from_str(line) for line in lines if line.startswith(PUBLIC)]
        except (_age().IdentityError, _age().RecipientError):
            raise _bad_key(file) from None
        self._recipients: list[Any] = [*public, *(identity.to_public() for identity in self._identities)]
        if not self._recipients:
            raise _bad_key(file)

    @property
    def can_open(self) -> bool:
        return bool(self._identities)

    def encrypt(self, pieces: Iterable[bytes], file: BinaryIO) -> None:
        """Writes the pieces encrypted, as they come."""
        source = _Source(iter(pieces))
        try:
            _age().encrypt_io(io.BufferedReader(source), file, self._recipients)
        except (_age().EncryptError, OSError):
            if source.error is not None:
                raise source.error from None
            raise

    def decrypt(self, file: BinaryIO, into: BinaryIO) -> None:
        if not self.can_open:
            raise NotationError(
                f"The key given is a public one, which only writes: give the secret key, {SECRET}..., to open a "
                "backup.",
                code="key_missing",
            )
        try:
            _age().decrypt_io(file, into, self._identities)
        except (_age().DecryptError, OSError) as error:
            raise LedgerError(
                f"The backup cannot be decrypted: {error}. It is damaged, or was encrypted for another key. Nothing "
                "was restored.",
                code="bad_backup",
            ) from error


class _Source(io.RawIOBase):
    """Pieces as a file to read from; keeps an error, which age would turn into one of its own."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = b""
        self.error: Exception | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            while not self._rest:
                piece = next(self._pieces, None)
                if piece is None:
                    return 0
                self._rest = piece
        except Exception as error:
            self.error = error
            raise
        length = min(len(buffer), len(self._rest))
        buffer[:length], self._rest = self._rest[:length], self._rest[length:]
        return length


def is_encrypted(file: BinaryIO) -> bool:
    """By its first bytes; the file is then read from its beginning again."""
    begin = file.read(len(MAGIC))
    file.seek(0)
    return begin == MAGIC


def _age() -> ModuleType:
    try:
        import pyrage
    except ModuleNotFoundError:
        raise NotationError(
            "Encrypted backups need the package pyrage: pip install 'croupier[floor]'.", code="no_encryption"
        ) from None
    module: ModuleType = pyrage
    return module


def _bad_key(file: str) -> NotationError:
    return NotationError(
        f"The key file {file} has no key of age's: a line {SECRET}... or {PUBLIC}..., as age-keygen writes it.",
        code="bad_key",
    )
