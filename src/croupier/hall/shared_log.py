"""A round's log as a word in an address, so that a hand can be sent to somebody who has never been at the table."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from croupier.errors import NotationError

LONGEST_WORD = 3_000
LONGEST_LOG = 20_000
"""Characters: a round of seven seats has far fewer."""


def word_of(log: str) -> str:
    """The opposite of `log_of`."""
    return urlsafe_b64encode(zlib.compress(log.encode(), 9)).decode().rstrip("=")


def log_of(word: str) -> str:
    """The log in an address; what is no log's word, or a very long one, is refused."""
    if len(word) > LONGEST_WORD:
        raise _refused()
    try:
        packed = urlsafe_b64decode(word + "=" * (-len(word) % 4))
        stream = zlib.decompressobj()
        text = stream.decompress(packed, LONGEST_LOG)
        if not stream.eof or stream.unused_data:
            raise _refused()
        return text.decode()
    except (ValueError, zlib.error):
        raise _refused() from None


def _refused() -> NotationError:
    return NotationError(
        "This address holds no round: it was perhaps cut off when it was copied. Ask for the whole link.",
        code="bad_log",
    )
