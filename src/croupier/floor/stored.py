"""Reading what the ledger keeps for the floor: an edited store is told in a sentence, and no mistake of the asker's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from croupier.errors import SpecError
from croupier.store.rows import damaged


@contextmanager
def as_stored(what: str) -> Iterator[None]:
    """Around nothing but the reading of what was stored; `what` names it where it does not read."""
    try:
        yield
    except (SpecError, msgspec.MsgspecError, LookupError, TypeError, ValueError) as error:
        raise damaged(f"{what} does not read") from error
