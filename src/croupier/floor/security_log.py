"""What people and devices do and are refused, as facts in the ledger: who, what, where, why, and never a secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar
from uuid import uuid4

from croupier.errors import CroupierError, IllegalActionError, RangeError
from croupier.jackpot import Fact, FactRecorded, RecordFact, Request
from croupier.jackpot.pools import require_name
from croupier.store import Book

DENIED = "denied"
NOBODY = "unknown"
_LONGEST_WORD = 120
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")

Clock = Callable[[], datetime]
T = TypeVar("T")


class SecurityLog:
    """Facts of people, devices and sessions in one book."""

    def __init__(self, book: Book, clock: Clock) -> None:
        self._book = book
        self.now = clock

    def fact(self, subject: str) -> Fact | None:
        return self._book.fact(subject)

    def facts(self, prefix: str) -> tuple[Fact, ...]:
        return self._book.facts(prefix)

    def has(self, id: str) -> bool:
        """Whether something was recorded under an id."""
        return self._book.entry(id) is not None

    def recorded(self, id: str, actor: str, subject: str, kind: str) -> Mapping[str, Any] | None:
        """What the same request recorded before, if it comes again; refuses an id that was used for something else."""
        require_name("id", id)
        require_name("actor", actor)
        sealed = self._book.entry(id)
        if sealed is None:
            return None
        event = sealed.entry.event
        if isinstance(event, FactRecorded) and (event.subject, event.kind, sealed.entry.actor) == (
            subject,
            kind,
            actor,
        ):
            return event.body
        raise id_reused(id)

    def once(
        self,
        request: tuple[str, str, str, str],
        again: Callable[[Mapping[str, Any]], T],
        do: Callable[[], T],
    ) -> T:
        """Does what a request asks; or, if that was recorded before, answers by `again` from the record.

        `request` is what `recorded` takes: id, actor, subject and kind.
        """
        if (before := self.recorded(*request)) is not None:
            return again(before)
        try:
            return do()
        except CroupierError:
            # A copy of it may have been booked while this one was decided on what that left: then it was done.
            if (before := self.recorded(*request)) is None:
                raise
            return again(before)

    def put(self, id: str, actor: str, *commands: RecordFact) -> None:
        """Records facts, all or none; the first has the request's id."""
        self._book.post_all(
            [
                Request(id=id if number == 0 else f"{id}/{number}", actor=actor, at=self.now(), command=command)
                for number, command in enumerate(commands)
            ]
        )

    def backed_up(self, who: str, entries: int) -> None:
        """Puts on the record who took a backup, which has hashes of PINs and tokens."""
        taken = RecordFact(subject=f"backup:{who}", kind="backup", body={"entries": entries})
        self.put(new_id(), who, taken)

    def deny(self, *, who: str, what: str, where: str, why: str, id: str = "") -> None:
        """Puts a refused attempt on the record."""
        body = denial(who, what, where, why)
        self.put(id or new_id(), who, RecordFact(subject=f"denied:{who}", kind=DENIED, body=body))


def denial(who: str, what: str, where: str, why: str) -> dict[str, Any]:
    """The words of a refused attempt, cut to a length that a flood cannot fill a disk with."""
    return {"who": who, "what": _short(what), "where": _short(where), "why": why}


def is_plain(name: str) -> bool:
    """Whether a person or device may be called so: what reads the same on every screen and in every address."""
    return _NAME.fullmatch(name) is not None


def require_plain(what: str, name: str) -> None:
    if not is_plain(name) or name == NOBODY:
        raise RangeError(
            f"The name of a {what} is 1 to 64 letters, digits, dots, dashes or underscores.", code="bad_name"
        )


def new_id() -> str:
    """For what the server itself records."""
    return str(uuid4())


def id_reused(id: str) -> IllegalActionError:
    return IllegalActionError(
        f'The id "{id}" was used for another request. Make a new id for a new request.', code="id_reused"
    )


def shown_once(id: str) -> IllegalActionError:
    """The answer to a request for a token that comes again: what is stored cannot be turned back into it."""
    return IllegalActionError(
        f'The request "{id}" was done and its token shown once. If it did not arrive, renew it.', code="shown_once"
    )


def _short(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text[:_LONGEST_WORD])
