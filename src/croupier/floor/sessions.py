"""Sign-ins at web pages and terminals.

Sign-in and every way to end are in the ledger. When a session was last used is in this process's memory and, to the
minute, beside the log (`store.session_uses`), so that a restart or another server on the same ledger ends nobody's
session who is at work, and the log stays small.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from threading import Lock

import msgspec

from croupier.errors import IllegalActionError, StaleRevisionError
from croupier.floor.credentials import digest_of, new_token
from croupier.floor.people import People, Person, PersonRecord
from croupier.floor.security_log import NOBODY, new_id, require_plain
from croupier.floor.stored import as_stored
from croupier.jackpot import RecordFact

MOST_REMEMBERED = 10_000
NOTED_EVERY = timedelta(minutes=1)
"""How exact other servers know when a session was last used: it may end there by so much too early."""


@dataclass(frozen=True, kw_only=True)
class SessionLimits:
    """How long a sign-in is good for."""

    idle: timedelta = timedelta(minutes=15)
    """Since the last use."""
    absolute: timedelta = timedelta(hours=12)
    """Since the sign-in, however busy."""


@dataclass(frozen=True, kw_only=True)
class _Session:
    """What the ledger keeps of a sign-in."""

    person: str
    device: str
    epoch: int
    signed_in_at: datetime
    ended: str = ""
    """Why it is over; empty while it is not."""


class Sessions:
    """Who is signed in. Safe to use from many threads."""

    def __init__(self, people: People, limits: SessionLimits | None = None) -> None:
        self._people = people
        self._log = people.log
        self._limits = limits or SessionLimits()
        self._uses = people.session_uses
        self._used_at: dict[str, datetime] = {}
        self._noted_at: dict[str, datetime] = {}
        """What other servers know of it from this one."""
        self._guard = Lock()

    def sign_in(self, card_token: str, pin: str, device: str) -> str:
        """A session for this person at this device (its name, or "web"); the token is not kept."""
        require_plain("device", device)
        record = self._people.admit(card_token, pin, where=device, what="sign in")
        token = new_token("session")
        session = _Session(
            person=record.id,
            device=device,
            epoch=record.epoch,
            signed_in_at=self._log.now(),
        )
        self._put(digest_of(token), "signed_in", session, based_on=0)
        return token

    def session(
        self,
        token: str,
        *,
        device: str | None = None,
        is_use: bool = True,
        before_denial: Callable[[], None] = lambda: None,
    ) -> Person:
        """Who is signed in with this token, with the role of this moment. With `device`: only there.

        What a page asks by itself, without its reader, is no use of the session and does not prolong it.
        `before_denial` is called before a refusal is recorded, and may refuse in its own words instead.
        """
        key = digest_of(token)
        session, version, owner = self._open(key, device or "", before_denial)
        if device is not None and device != session.device:
            before_denial()
            self._log.deny(who=session.person, what="use a session", where=device, why="signed in elsewhere")
            raise IllegalActionError(
                "This session was opened at another device. Sign in here with your card.", code="wrong_device"
            )
        now = self._log.now()
        if why := self._expired(key, session, now):
            self._end(key, session, version, "session_expired", why)
            raise _ended(why)
        if is_use and self._remember(key, session, now):
            self._uses.note(key, now)
        return owner.person

    def is_open(self, token: str) -> bool:
        """Whether a session is still good. To look is not to use it: that prolongs nothing."""
        key = digest_of(token)
        try:
            session, _, _ = self._open(key, "", lambda: None)
        except IllegalActionError:
            return False
        return not self._expired(key, session, self._log.now())

    def sign_out(self, token: str) -> None:
        """Ends a session; harmless when it has ended."""
        key = digest_of(token)
        fact = self._log.fact(f"session:{key}")
        if fact is None:
            return
        with as_stored("the record of a session"):
            session = msgspec.convert(fact.body, _Session)
        if not session.ended:
            self._end(key, session, fact.version, "signed_out", "it was signed out")

    def revoke_all(self, request_id: str, actor: str, person: str) -> None:
        """Signs somebody out everywhere: themselves, or whoever may manage people."""
        self._people.end_sessions(request_id, actor, person)

    def _open(self, key: str, where: str, before_denial: Callable[[], None]) -> tuple[_Session, int, PersonRecord]:
        """The session, unless it has ended or never was; an end is on the record, so it is not recorded again."""
        fact = self._log.fact(f"session:{key}")
        if fact is None:
            before_denial()
            self._log.deny(who=NOBODY, what="use a session", where=where, why="unknown session")
            raise IllegalActionError("Nobody is signed in here. Sign in with your card.", code="not_signed_in")
        with as_stored("the record of a session"):
            session = msgspec.convert(fact.body, _Session)
        if session.ended:
            raise _ended(session.ended)
        owner = self._people.find(session.person)
        if owner is None or owner.is_withdrawn or owner.epoch != session.epoch:
            raise _ended("the card, its PIN or role has changed, or it was ended everywhere")
        return session, fact.version, owner

    def _expired(self, key: str, session: _Session, now: datetime) -> str:
        """Why its time is over; empty while it is not."""
        if now - session.signed_in_at >= self._limits.absolute:
            return "it was open too long"
        is_idle = now - self._last_use(key, session, now) >= self._limits.idle
        return "it was not used for a while" if is_idle else ""

    def _last_use(self, key: str, session: _Session, now: datetime) -> datetime:
        """As far as this server knows; where it has not seen it for long, as the others know it too."""
        with self._guard:
            here = self._used_at.get(key, session.signed_in_at)
        if now - here < self._limits.idle:
            return here
        elsewhere = self._uses.last(key)
        return max(here, elsewhere) if elsewhere is not None else here

    def _end(self, key: str, session: _Session, version: int, kind: str, why: str) -> None:
        with suppress(StaleRevisionError):  # somebody else ended it at this moment
            self._put(key, kind, replace(session, ended=why), based_on=version)
        with self._guard:
            self._used_at.pop(key, None)
            self._noted_at.pop(key, None)

    def _put(self, key: str, kind: str, session: _Session, *, based_on: int) -> None:
        body = msgspec.to_builtins(session)
        command = RecordFact(subject=f"session:{key}", kind=kind, body=body, based_on=based_on)
        self._log.put(new_id(), session.person, command)

    def _remember(self, key: str, session: _Session, now: datetime) -> bool:
        """Whether the other servers should hear of it."""
        with self._guard:
            if len(self._used_at) >= MOST_REMEMBERED:
                self._used_at = {each: at for each, at in self._used_at.items() if now - at < self._limits.idle}
                self._noted_at = {each: at for each, at in self._noted_at.items() if each in self._used_at}
            self._used_at[key] = now
            if now - self._noted_at.get(key, session.signed_in_at) < NOTED_EVERY:
                return False
            self._noted_at[key] = now
            return True


def _ended(why: str) -> IllegalActionError:
    return IllegalActionError(f"This session is over: {why}. Sign in again.", code="session_ended")
