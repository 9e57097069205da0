"""What people and devices do, as facts in the ledger, and what they are refused, in a chain beside it.

Both say who, what, where and why, and never a secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

from croupier.errors import CroupierError, IllegalActionError, RangeError
from croupier.jackpot import FactRecorded, RecordedFact, RecordFact, Request
from croupier.jackpot.pools import require_name
from croupier.store import Book
from croupier.store.refusals import Refusal

NOBODY = "unknown"
MOST_REFUSALS = 30
BOUND_WITHIN = timedelta(minutes=10)
"""So many refusals of strangers at one address, or of somebody known who tries one thing, are recorded in this time."""
MOST_IN_ALL = 300
"""And so many of somebody known whatever they try, whose flood stands on the record then."""
ALL = "whatever they try"
MOST_NAMES = 10_000
_LONGEST_WORD = 120
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")

Clock = Callable[[], datetime]
T = TypeVar("T")


@dataclass
class Incoming:
    """The request that is being answered."""

    address: str
    is_recorded: bool = False
    """Whether its refusal is on the record: once is enough, however many parts of the program refuse it."""


REQUEST: ContextVar[Incoming | None] = ContextVar("request", default=None)
"""Set by a server for each request; at the command line there is none."""


class SecurityLog:
    """Facts of people, devices and sessions in one book."""

    def __init__(self, book: Book, clock: Clock) -> None:
        self._book = book
        self.now = clock
        self._bound = _Bound(MOST_REFUSALS)
        self._in_all = _Bound(MOST_IN_ALL)

    def fact(self, subject: str) -> RecordedFact | None:
        return self._book.fact(subject)

    def facts(self, prefix: str) -> tuple[RecordedFact, ...]:
        return self._book.facts(prefix)

    def has(self, id: str) -> bool:
        """Whether something was recorded under an id, done or refused."""
        return self._book.entry(id) is not None or self._book.refusals.has(id)

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
        """Puts a refused attempt on the record: once for a request, and only so many of a kind.

        Whoever is known is bounded by what they try, so that neither strangers at the same address nor their own
        harmless attempts can keep a grave one off the record; strangers are bounded by their address.
        """
        request = REQUEST.get()
        if request is not None:
            if request.is_recorded:
                return
            request.is_recorded = True
        address = request.address if request is not None else ""
        words = denial(who, what, where, why)
        name = (address or where, "") if who == NOBODY else (who, words["what"])
        left_out = self._bound.take(name, self.now())
        if left_out is None or (who != NOBODY and self._in_all.take((who, ALL), self.now()) is None):
            return
        self._record(words, address=address, left_out=left_out, id=id)

    def record_left_out(self) -> None:
        """Puts on the record how many attempts were only counted, once their time is over."""
        for (name, what), left_out in (*self._bound.over(self.now()), *self._in_all.over(self.now())):
            who, address = (name, "") if what else (NOBODY, name)
            words = denial(who, what, "", "more of the same")
            self._record(words, address=address, left_out=left_out)

    def _record(self, words: dict[str, str], *, address: str, left_out: int, id: str = "") -> None:
        refusal = Refusal(seq=0, id=id or new_id(), at=self.now(), address=address, left_out=left_out, **words)
        self._book.refusals.add(refusal)


_Name = tuple[str, str]
"""An address and nothing, or a person or device and what they tried."""


class _Bound:
    """How many refusals of one kind are recorded; the rest are counted."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._recorded: dict[_Name, list[datetime]] = {}
        self._left_out: dict[_Name, int] = {}
        self._guard = Lock()

    def take(self, name: _Name, now: datetime) -> int | None:
        """None when this one is only counted; else how many were only counted before it."""
        with self._guard:
            recent = [at for at in self._recorded.get(name, ()) if abs(now - at) < BOUND_WITHIN]
            if len(recent) >= self._most:
                self._left_out[name] = self._left_out.get(name, 0) + 1
                return None
            if len(self._recorded) >= MOST_NAMES:
                self._recorded.pop(next(iter(self._recorded)))
            self._recorded[name] = [*recent, now]
            return self._left_out.pop(name, 0)

    def over(self, now: datetime) -> list[tuple[_Name, int]]:
        """Takes out what was only counted and whose time is over."""
        with self._guard:
            ended = [
                name
                for name in self._left_out
                if all(abs(now - at) >= BOUND_WITHIN for at in self._recorded.get(name, ()))
            ]
            return [(name, self._left_out.pop(name)) for name in ended]


def denial(who: str, what: str, where: str, why: str) -> dict[str, str]:
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
