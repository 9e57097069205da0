"""The access review: who has which card and role, which devices have a token, since when, by whom, and last used when.

A house looks through it now and then and withdraws what nobody needs any more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import Meta

from croupier.floor.roles import RIGHTS, Role
from croupier.jackpot import Entry, FactRecorded
from croupier.reports.books.period import LedgerReport, read_period
from croupier.store.reading import Reader
from croupier.store.sums import notable_entries

PERSON, DEVICE = "person:", "device:"


@dataclass(frozen=True, kw_only=True)
class AccessLine:
    """One person with a card, or one device with a token."""

    kind: Annotated[Literal["person", "device"], Meta(description="Of which kind it is.")]
    id: Annotated[str, Meta(description="Its id.")]
    role: Annotated[str, Meta(description="Of a person; of a device its kind.")]
    is_withdrawn: Annotated[bool, Meta(description="Whether it opens nothing any more.")]
    given_at: Annotated[datetime, Meta(description="When it was first known here.")]
    given_by: Annotated[str, Meta(description="Who gave it.")]
    changed_at: Annotated[datetime, Meta(description="When its card, PIN, role, token, or tables last changed.")]
    changed_by: Annotated[str, Meta(description="Who changed it.")]
    change: Annotated[str, Meta(description="What that was.")]
    last_sign_in: Annotated[
        datetime | None,
        Meta(description="None where there is none on record. The use of a device's token is not recorded."),
    ]
    may: Annotated[tuple[str, ...], Meta(description="Rights of the role; of a device its tables and jackpots.")]


@dataclass(frozen=True, kw_only=True)
class AccessReview(LedgerReport):
    """All who have, or had, access. Those who have it come first."""

    lines: Annotated[tuple[AccessLine, ...], Meta(description="The lines of the report.")]

    def line(self, id: str) -> AccessLine:
        (line,) = [line for line in self.lines if line.id == id]
        return line


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
