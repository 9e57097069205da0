"""A table that cannot go on, cleared by two people: what that does, and how whoever deals there hears of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.errors import IllegalActionError, RangeError
from croupier.floor import terminal as steps
from croupier.floor.setup import Floor, TableSetup
from croupier.floor.terminal import Terminal
from croupier.jackpot import AnyCommand, RecordFact
from croupier.store import Book

CLEARED = "cleared:"
"""The subject under which a table's clearings are counted, for whoever deals there."""
SOFTWARE_IDS = "software:"
"""How the ids begin under which the software books, and nobody else's: they can be foretold."""

StuckCheck = Callable[[], None]
"""Refuses a table that goes on by itself."""


def clear(
    book: Book, now: Terminal, setup: TableSetup, floor: Floor, *, why: str, second: str, check: StuckCheck | None
) -> tuple[Terminal, Sequence[AnyCommand]]:
    """The table ready for the next round, and what is booked for it. Without `check`, whatever has a round is stuck."""
    if check is not None:
        check()
    elif now.phase == "open":
        raise not_stuck(setup)
    played = book.round(setup.id)
    has_paid = played is not None and played.round == now.round and bool(played.winners)
    claimed = sum(book.award(claim).amount_micros for claim in now.claims)
    then, voided = steps.clear(now, setup, floor, why, claimed_micros=claimed, has_paid=has_paid)
    noted = RecordFact(subject=CLEARED + setup.id, kind="clear", body={"table": setup.id, "why": why, "second": second})
    return then, [voided, noted] if voided else [noted]


def clearings(book: Book, table: str) -> int:
    """How often a table was cleared."""
    return book.fact_version(CLEARED + table)


def not_stuck(setup: TableSetup) -> IllegalActionError:
    return IllegalActionError(
        f"{setup.name or setup.id} is not stuck, so there is nothing to clear.",
        code="not_stuck",
    )


def require_own_id(what: str, id: str) -> None:
    """Refuses an id of those under which the software books."""
    if id.startswith(SOFTWARE_IDS):
        raise RangeError(
            f'The {what} begins with "{SOFTWARE_IDS}", which is kept for the software\'s own: make another.',
            code="reserved_id",
        )
