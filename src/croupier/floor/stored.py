"""Reading what the ledger keeps for the floor: an edited store is told in a sentence, and no mistake of the asker's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import msgspec

from croupier.errors import SpecError
from croupier.jackpot import Sealed
from croupier.jackpot.events import Happened
from croupier.store import Book
from croupier.store.rows import damaged

T = TypeVar("T", bound=Happened)


def entry_of(book: Book, id: str, kind: type[T]) -> tuple[Sealed, T]:
    """The entry that the ledger has under an id, as it answered it before, and its event of this kind."""
    sealed = book.entry(id)
    if sealed is None or not isinstance(sealed.entry.event, kind):
        raise damaged(f'the entry "{id}" is not what was booked under that id')
    return sealed, sealed.entry.event


@contextmanager
def as_stored(what: str) -> Iterator[None]:
    """Around nothing but the reading of what was stored; `what` names it where it does not read."""
    try:
        yield
    except (SpecError, msgspec.MsgspecError, LookupError, TypeError, ValueError) as error:
        raise damaged(f"{what} cannot be read") from error
