"""The access review: who has which card and role, which devices have a token, since when, by whom, and last used when.

A house looks through it now and then and withdraws what nobody needs any more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from croupier.floor.roles import RIGHTS, Role
from croupier.jackpot import Entry, FactRecorded
from croupier.reports.books.period import Report, read_period
from croupier.store.reading import Reader
from croupier.store.sums import notable_entries

PERSON, DEVICE = "person:", "device:"


@dataclass(frozen=True, kw_only=True)
class AccessLine:
    """One person with a card, or one device with a token."""

    kind: Literal["person", "device"]
    id: str
    role: str
    """Of a person; of a device its kind."""
    is_withdrawn: bool
    """Whether it opens nothing any more."""
    given_at: datetime
    """When it was first known here."""
    given_by: str
    """Who gave it."""
    changed_at: datetime
    """When its card, PIN, role, token, or tables last changed."""
    changed_by: str
    """Who changed it."""
    change: str
    """What that was."""
    last_sign_in: datetime | None
    """None where there is none on record. The use of a device's token is not recorded."""
    may: tuple[str, ...]
    """Rights of the role; of a device its tables and jackpots."""


@dataclass(frozen=True, kw_only=True)
class AccessReview(Report):
    """All who have, or had, access. Those who have it come first."""

    lines: tuple[AccessLine, ...]

    def line(self, id: str) -> AccessLine:
        (found,) = [line for line in self.lines if line.id == id]
        return found


def access_review(book: Reader) -> AccessReview:
    """As the ledger stands now."""
    with read_period(book, None, None) as reader:
        found: dict[str, AccessLine] = {}
        signed_in: dict[str, datetime] = {}
        for sealed in notable_entries(reader, kinds=[FactRecorded.__name__]):
            entry, event = sealed.entry, sealed.entry.event
            if not isinstance(event, FactRecorded):
                continue
            if event.kind == "signed_in":
                signed_in[event.body["person"]] = entry.at
            elif event.subject.startswith((PERSON, DEVICE)):
                found[event.subject] = _line(entry, event, found.get(event.subject))
        last_entry, last_hash = reader.head()
    lines = [
        replace(line, last_sign_in=signed_in.get(line.id)) if line.kind == "person" else line
        for _, line in sorted(found.items(), reverse=True)
    ]
    lines.sort(key=lambda line: (line.is_withdrawn, line.kind != "person", line.role, line.id))
    return AccessReview(last_entry=last_entry, last_hash=last_hash, lines=tuple(lines))


def _line(entry: Entry, event: FactRecorded, before: AccessLine | None) -> AccessLine:
    body = event.body
    is_person = event.subject.startswith(PERSON)
    role, may = _person(body) if is_person else _device(body["device"])
    return AccessLine(
        kind="person" if is_person else "device",
        id=event.subject.partition(":")[2],
        role=role,
        is_withdrawn=bool(body.get("is_withdrawn", False)),
        given_at=before.given_at if before else entry.at,
        given_by=before.given_by if before else entry.actor,
        changed_at=entry.at,
        changed_by=entry.actor,
        change=event.kind,
        last_sign_in=None,
        may=may,
    )


def _person(body: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    role = Role(body["role"])
    return str(role), tuple(sorted(str(right) for right, roles in RIGHTS.items() if role in roles))


def _device(device: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    return str(device["kind"]), (*device.get("tables", ()), *device.get("jackpots", ()))
