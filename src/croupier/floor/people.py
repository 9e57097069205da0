"""The people of a floor: cards, PINs and roles, kept as facts in the ledger; a card and its PIN stand for a swipe.

people = People(open_store("floor.db"), clock=lambda: datetime.now(UTC))
card = people.add_person("add-1", "setup", "mia", Role.EXECUTIVE, pin)   # the token; shown once
person = people.present(card, pin, where="table-7", what="pay award 12")
people.require(person, Right.APPROVE_LARGE_AWARD, "award 12")

Nothing is kept in memory: every question reads the ledger, so a change counts at once on every server. Subjects:
`person:<id>`, `card:<digest>` (whose it is), `attempts:<id>` (wrong PINs and the lock), `denied:<who>`,
`people:roster` (who the executives are).
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

import msgspec

from croupier.errors import IllegalActionError, LedgerError, RangeError, StaleRevisionError, UnknownNameError
from croupier.floor.credentials import (
    DEMO_CARDS,
    DEMO_PEOPLE,
    PinCost,
    PinHasher,
    digest_of,
    new_token,
    require_good_pin,
)
from croupier.floor.roles import DEMO_APPROVER, SOFTWARE, Right, Role, no_right, who_may, with_role
from croupier.floor.security_log import (
    NOBODY,
    Clock,
    SecurityLog,
    denial,
    id_reused,
    is_plain,
    new_id,
    require_plain,
    shown_once,
)
from croupier.floor.stored import as_stored
from croupier.jackpot import RecordedFact, RecordFact
from croupier.jackpot.pools import require_name
from croupier.store import Book
from croupier.store.sums import DENIED

MOST_FAILURES = 5
FAILURES_WITHIN = timedelta(minutes=15)
LOCKED_FOR = timedelta(minutes=15)
MOST_RETRIES = 100
_TURNS = 64
_ROSTER = "people:roster"
RESERVED = frozenset({SOFTWARE, DEMO_APPROVER, NOBODY, "anonymous"})
"""Names under which the program itself stands in the log."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody with a card."""

    id: str
    role: Role


@dataclass(frozen=True, kw_only=True)
class PersonRecord:
    """What the ledger keeps of a person."""

    id: str
    role: Role
    card_sha256: str = field(repr=False)
    pin_hash: str = field(repr=False)
    is_withdrawn: bool = False
    epoch: int = 1
    """Counts up whenever all sessions of this person end."""

    @property
    def person(self) -> Person:
        return Person(id=self.id, role=self.role)


@dataclass(frozen=True, kw_only=True)
class _Attempts:
    """Wrong PINs of late, and until when the card is locked."""

    version: int = 0
    failed_at: tuple[datetime, ...] = ()
    locked_until: datetime | None = None

    def is_locked(self, now: datetime) -> bool:
        return self.locked_until is not None and now < self.locked_until

    def with_failure(self, now: datetime) -> _Attempts:
        failed_at = (*(at for at in self.failed_at if now - at < FAILURES_WITHIN), now)
        if len(failed_at) < MOST_FAILURES:
            return _Attempts(failed_at=failed_at)
        return _Attempts(locked_until=now + LOCKED_FOR)


@dataclass(frozen=True, kw_only=True)
class _Attempt:
    """One swipe: where, for what, and the id under which a refusal is recorded."""

    what: str
    where: str
    id: str


class People:
    """Who is known on a floor. Safe to use from many threads."""

    def __init__(self, book: Book, clock: Clock, *, cost: PinCost | None = None, demo: bool = False) -> None:
        self.log = SecurityLog(book, clock)
        self.session_uses = book.session_uses
        self.demo = demo
        self._pins = PinHasher(cost or PinCost())
        self._turns = tuple(Lock() for _ in range(_TURNS))

    # Looking people up

    def person(self, id: str) -> Person:
        """Somebody with a valid card, by name."""
        return self.record(id).person

    def everyone(self) -> tuple[Person, ...]:
        """All who have a valid card, by name."""
        records = (_record_of(fact.body) for fact in self.log.facts("person:"))
        return tuple(record.person for record in records if not record.is_withdrawn)

    def person_of(self, card_token: str, *, where: str = "") -> Person:
        """Whose card it is, without a PIN: enough to greet somebody, not to let them do anything."""
        attempt = _Attempt(what="show a card", where=where, id=new_id())
        return self._valid_holder(card_token, "", attempt).person

    def record(self, id: str) -> PersonRecord:
        """What is kept of somebody with a valid card."""
        record = self.find(id)
        if record is None or record.is_withdrawn:
            raise UnknownNameError(f'Nobody with a valid card is called "{id}".', code="unknown_person")
        return record

    def find(self, id: str) -> PersonRecord | None:
        """What is kept of somebody, also after a withdrawal."""
        record = self._find(id)
        return record[0] if record else None

    def locked_until(self, id: str) -> datetime | None:
        """Until when a card is locked after wrong PINs; None when it is not."""
        attempts = self._attempts(id)
        return attempts.locked_until if attempts.is_locked(self.log.now()) else None

    # The swipe

    def present(
        self, card_token: str, pin: str, *, where: str = "", what: str = "swipe", request_id: str | None = None
    ) -> Person:
        """The person whose card and PIN these are, or the refusal, which is recorded.

        A refused `request_id` stays refused, whatever PIN comes with it: a new try needs a new id.
        """
        return self.admit(card_token, pin, where=where, what=what, request_id=request_id).person

    def admit(self, card_token: str, pin: str, *, where: str, what: str, request_id: str | None = None) -> PersonRecord:
        """`present`, with all that is kept of the person as it was when the PIN was compared."""
        attempt = _Attempt(what=what, where=where, id=f"denied/{request_id}" if request_id else new_id())
        require_name("id", attempt.id)
        record = self._valid_holder(card_token, pin, attempt)
        with self._turns[hash(record.id) % _TURNS]:  # tries of one card one after another: none slips past the count
            if request_id and self.log.has(attempt.id):
                raise _not_recognized()
            self._require_unlocked(record, attempt)
            if not self._pins.is_right(record.pin_hash, card_token, pin):
                self._count_failure(record, attempt)
                raise _not_recognized()
            self._require_unlocked(record, attempt)  # another server may have locked it meanwhile
        return record

    def unlock(self, request_id: str, actor: str, id: str) -> None:
        """Ends a lock before its time; somebody else than its owner must do so."""
        subject = f"attempts:{id}"

        def unlock() -> None:
            self.require_by_id(actor, Right.MANAGE_PEOPLE, f"unlock {id}")
            if actor == id:
                self.log.deny(who=actor, what=f"unlock {id}", where="", why="own lock")
                raise IllegalActionError(
                    f'"{id}" cannot unlock their own card. Ask another executive, or wait.', code="own_lock"
                )
            self.record(id)
            self.log.put(request_id, actor, RecordFact(subject=subject, kind="unlocked", body={}))

        self.log.once((request_id, actor, subject, "unlocked"), _done, unlock)

    # Rights

    def require(self, person: Person, right: Right, what: str, *, where: str = "") -> None:
        """Refuses, and records, what this person's role of this moment has no right to."""
        self.require_by_id(person.id, right, what, where=where)

    def require_by_id(self, id: str, right: Right, what: str, *, where: str = "") -> None:
        """The same for somebody who is known by name, as the actor of a request is."""
        record = self.find(id)
        if record is None:
            who = f'"{id[:64]}" is nobody here'
        elif record.is_withdrawn:
            who = f'the card of "{id}" is withdrawn'
        elif who_may(record.role, right):
            return
        else:
            who = with_role(id, record.role)
        self.log.deny(who=id if record else NOBODY, what=what, where=where, why=f"no right {right}")
        raise no_right(right, who)

    # Managing people

    def add_person(self, request_id: str, actor: str, id: str, role: Role, pin: str) -> str:
        """Gives somebody new a card; returns its token, which is not kept and cannot be shown again.

        The first person of a floor is an executive, and anybody may add that one; then it takes the right to.
        """
        return self._add(request_id, actor, id, role, pin, new_token("card"))

    def add_demo_people(self) -> None:
        """Those of `DEMO_PEOPLE` and their secrets, one or more of each role; in demo mode only, may be repeated."""
        if not self.demo:
            raise IllegalActionError("Well-known cards are for demo mode only.", code="default_secret")
        boss = DEMO_PEOPLE[0].id
        for each in DEMO_PEOPLE:
            if self._find(each.id) is None:
                self._add(f"add/{each.id}", boss, each.id, each.role, each.pin, each.card)

    def change_pin(self, request_id: str, card_token: str, pin: str, new_pin: str, *, where: str = "") -> None:
        """Gives the card another PIN; its owner presents it with the old one. All sessions end."""

        def change() -> None:
            require_good_pin(new_pin, demo=self.demo)
            owner = self.present(card_token, pin, where=where, what="change PIN")
            if hmac.compare_digest(pin, new_pin):
                raise RangeError("The new PIN is the same as the old one. Choose another.", code="same_pin")
            self._change(request_id, owner.id, owner.id, "pin_changed", pin_hash=self._pins.hash(card_token, new_pin))

        def again(_: Mapping[str, Any]) -> None:
            self.present(card_token, new_pin, where=where, what="change PIN")  # counts as a try: ids are no secret

        record, _ = self._holder(card_token)
        if record is None:
            change()
        else:
            self.log.once((request_id, record.id, f"person:{record.id}", "pin_changed"), again, change)

    def set_role(self, request_id: str, actor: str, id: str, role: Role) -> None:
        """Gives somebody another role. All their sessions end."""

        def again(before: Mapping[str, Any]) -> None:
            if before["role"] != role:
                raise id_reused(request_id)

        def change() -> None:
            self.require_by_id(actor, Right.MANAGE_PEOPLE, f"make {id} {role}")
            self.record(id)
            self._change(request_id, actor, id, "role_set", role=role)

        self.log.once((request_id, actor, f"person:{id}", "role_set"), again, change)

    def withdraw(self, request_id: str, actor: str, id: str) -> None:
        """Makes somebody's card worthless, at once and everywhere, until it is renewed."""

        def change() -> None:
            self.require_by_id(actor, Right.MANAGE_PEOPLE, f"withdraw the card of {id}")
            self.record(id)
            self._change(request_id, actor, id, "card_withdrawn", is_withdrawn=True)

        self.log.once((request_id, actor, f"person:{id}", "card_withdrawn"), _done, change)

    def renew_card(self, request_id: str, actor: str, id: str, pin: str) -> str:
        """A new card with a new PIN for somebody known, also after a withdrawal; the old card is worthless."""

        def again(_: Mapping[str, Any]) -> str:
            raise shown_once(request_id)

        def renew() -> str:
            self.require_by_id(actor, Right.MANAGE_PEOPLE, f"renew the card of {id}")
            require_good_pin(pin, demo=self.demo)
            token = new_token("card")
            secrets = {"card_sha256": digest_of(token), "pin_hash": self._pins.hash(token, pin)}
            self._change(request_id, actor, id, "card_renewed", is_withdrawn=False, **secrets)
            return token

        return self.log.once((request_id, actor, f"person:{id}", "card_renewed"), again, renew)

    def end_sessions(self, request_id: str, actor: str, id: str) -> None:
        """Signs somebody out everywhere: themselves, or whoever may manage people."""

        def end() -> None:
            if actor != id:
                self.require_by_id(actor, Right.MANAGE_PEOPLE, f"end the sessions of {id}")
            self._change(request_id, actor, id, "sessions_ended")

        self.log.once((request_id, actor, f"person:{id}", "sessions_ended"), _done, end)

    def require_no_default_secrets(self) -> None:
        """Refuses a floor on which well-known cards are valid, unless it is a demonstration. For a server's start."""
        if self.demo:
            return
        known = [each.id for each in DEMO_PEOPLE if not self._holder(each.card)[1]]
        if known:
            raise IllegalActionError(
                f"Cards that are printed in the program are valid here: {', '.join(known)}. Withdraw them, or run in "
                "demo mode.",
                code="default_secret",
            )

    # Parts

    def _find(self, id: str) -> tuple[PersonRecord, int] | None:
        if not is_plain(id):
            return None
        fact = self.log.fact(f"person:{id}")
        return (_record_of(fact.body), fact.version) if fact else None

    def _holder(self, card_token: str) -> tuple[PersonRecord | None, str]:
        """Whose card it is or was, and why it is not valid; an empty reason: it is."""
        card = digest_of(card_token)
        fact = self.log.fact(f"card:{card}")
        with as_stored("the record of a card"):
            holder = str(fact.body["person"]) if fact else ""
        versioned = self._find(holder)
        if versioned is None:
            return None, "unknown card"
        record, _ = versioned
        if not hmac.compare_digest(record.card_sha256, card):
            return record, "replaced card"
        return record, "withdrawn card" if record.is_withdrawn else ""

    def _valid_holder(self, card_token: str, pin: str, attempt: _Attempt) -> PersonRecord:
        """Whose card it is, or the refusal of a card that is not valid."""
        record, why = self._holder(card_token)
        is_known_to_all = digest_of(card_token) in DEMO_CARDS and not self.demo
        if record is not None and not why and not is_known_to_all:
            return record
        self._pins.hash(card_token, pin)  # takes as long as a wrong PIN does
        why = "card of demo mode" if is_known_to_all else why
        who = record.id if record else NOBODY
        self.log.deny(who=who, what=attempt.what, where=attempt.where, why=why, id=attempt.id)
        if is_known_to_all:
            raise IllegalActionError("This card is for demonstrations and opens nothing here.", code="default_secret")
        raise _not_recognized()

    def _add(self, request_id: str, actor: str, id: str, role: Role, pin: str, token: str) -> str:
        require_plain("person", id)

        def again(before: Mapping[str, Any]) -> str:
            raise shown_once(request_id) if before["role"] == role else id_reused(request_id)

        request = (request_id, actor, f"person:{id}", "person_added")
        return self.log.once(request, again, lambda: self._new_person(request_id, actor, id, role, pin, token))

    def _new_person(self, request_id: str, actor: str, id: str, role: Role, pin: str, token: str) -> str:
        roster = self.log.fact(_ROSTER)
        if roster is not None:
            self.require_by_id(actor, Right.MANAGE_PEOPLE, f"add {id} as {role}")
        elif role is not Role.EXECUTIVE:
            raise IllegalActionError("The first person of a floor is an executive.", code="first_executive")
        if self._find(id) is not None:
            raise IllegalActionError(f'"{id}" is already registered. Renew their card.', code="person_exists")
        if id.lower() in RESERVED:
            raise RangeError(f'The log says "{id}" of the program itself. Choose another name.', code="reserved_name")
        require_good_pin(pin, demo=self.demo)
        card = digest_of(token)
        record = PersonRecord(id=id, role=role, card_sha256=card, pin_hash=self._pins.hash(token, pin))
        self.log.put(
            request_id,
            actor,
            RecordFact(subject=f"person:{id}", kind="person_added", body=msgspec.to_builtins(record), based_on=0),
            RecordFact(subject=f"card:{card}", kind="card_given", body={"person": id}, based_on=0),
            *self._roster_change(roster, record),
        )
        return token

    def _change(self, request_id: str, actor: str, id: str, kind: str, **changes: Any) -> None:
        """The person's next version; every change ends their sessions."""
        record = self._find(id)
        if record is None:
            raise UnknownNameError(f'Nobody is called "{id}".', code="unknown_person")
        before, version = record
        after = replace(before, epoch=before.epoch + 1, **changes)
        commands = [
            RecordFact(subject=f"person:{id}", kind=kind, body=msgspec.to_builtins(after), based_on=version),
            *self._roster_change(self.log.fact(_ROSTER), after),
        ]
        if after.card_sha256 != before.card_sha256:
            commands.append(
                RecordFact(subject=f"card:{after.card_sha256}", kind="card_given", body={"person": id}, based_on=0)
            )
        self.log.put(request_id, actor, *commands)

    def _roster_change(self, fact: RecordedFact | None, after: PersonRecord) -> tuple[RecordFact, ...]:
        """Who the executives are, kept under one version: two of them cannot withdraw each other at the same time, and
        nobody becomes the first while somebody else does. So `fact` is what the right was judged by."""
        with as_stored("the record of the executives"):
            before: set[str] = set(fact.body["executives"]) if fact else set()
        is_executive = after.role is Role.EXECUTIVE and not after.is_withdrawn
        executives = before | {after.id} if is_executive else before - {after.id}
        if executives == before:
            return ()
        if not executives:
            raise IllegalActionError(
                f'"{after.id}" is the last executive: nobody could issue cards any more. Add another first.',
                code="last_executive",
            )
        body = {"executives": sorted(executives)}
        based_on = fact.version if fact else 0
        return (RecordFact(subject=_ROSTER, kind="executives", body=body, based_on=based_on),)

    def _attempts(self, id: str) -> _Attempts:
        fact = self.log.fact(f"attempts:{id}")
        if fact is None:
            return _Attempts()
        if fact.kind != DENIED:
            return _Attempts(version=fact.version)
        with as_stored("the record of wrong PINs"):
            return _Attempts(
                version=fact.version,
                failed_at=tuple(datetime.fromisoformat(at) for at in fact.body["failed_at"]),
                locked_until=datetime.fromisoformat(until) if (until := fact.body["locked_until"]) else None,
            )

    def _require_unlocked(self, record: PersonRecord, attempt: _Attempt) -> None:
        until = self._attempts(record.id).locked_until
        if until is None or self.log.now() >= until:
            return
        self.log.deny(who=record.id, what=attempt.what, where=attempt.where, why="locked", id=attempt.id)
        raise IllegalActionError(
            f"This card is locked after {MOST_FAILURES} wrong PINs, until {until.isoformat(timespec='seconds')}. "
            "An executive can unlock it sooner.",
            code="locked_out",
        )

    def _count_failure(self, record: PersonRecord, attempt: _Attempt) -> None:
        """Records a wrong PIN; a lock when it was one too many. Other servers may count at the same time."""
        for _ in range(MOST_RETRIES):
            before = self._attempts(record.id)
            if before.is_locked(self.log.now()):
                self._require_unlocked(record, attempt)
            after = before.with_failure(self.log.now())
            body = denial(record.id, attempt.what, attempt.where, "wrong PIN") | {
                "failed_at": [at.isoformat() for at in after.failed_at],
                "locked_until": after.locked_until.isoformat() if after.locked_until else "",
            }
            command = RecordFact(subject=f"attempts:{record.id}", kind=DENIED, body=body, based_on=before.version)
            try:
                self.log.put(attempt.id, record.id, command)
                return
            except StaleRevisionError:
                continue
        raise LedgerError("Too many attempts with one card at the same time: try again shortly.", code="ledger_busy")


def _done(_: Mapping[str, Any]) -> None:
    """The answer to a request that comes again and has none to give."""


def _record_of(body: Mapping[str, Any]) -> PersonRecord:
    with as_stored("the record of a person"):
        return msgspec.convert(body, PersonRecord)


def _not_recognized() -> IllegalActionError:
    """One sentence for every reason, so that it tells a thief nothing."""
    return IllegalActionError("Card or PIN not recognized.", code="not_recognized")
