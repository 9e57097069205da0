"""Who changed what: facts, versions of parameters, changes by hand with both signatures, denied attempts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import merge
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from croupier.floor.security_log import NOBODY
from croupier.house_time import time_text
from croupier.jackpot import (
    AwardBackedOut,
    Entry,
    FactRecorded,
    JackpotClosed,
    JackpotOpened,
    MeterAdjusted,
    Parameters,
    ParametersChanged,
    RoundVoided,
)
from croupier.jackpot.fields import Actor, Note
from croupier.reports.books.period import PeriodReport, read_period
from croupier.reports.formatting import exact_dollars
from croupier.store import Book
from croupier.store.reading import Reader, SetBack
from croupier.store.refusals import Refusal
from croupier.store.sums import DENIED, PLAY, clock_set_back, notable_entries

PPM = 1_000_000
SET_BACK = "clock_set_back"
WITHHELD = "(withheld)"
SECRETS = frozenset({"pin", "token", "secret", "password", "hash", "sha256", "argon2", "salt"})
"""Words in the name of a fact's field whose value no report shows."""
_DIGEST = re.compile(r"([0-9a-f]{8})[0-9a-f]{24,}")
"""A card or session is told apart by the beginning of its digest."""

_PARAMETERS = (JackpotOpened.__name__, ParametersChanged.__name__)
_KINDS = (
    *_PARAMETERS,
    FactRecorded.__name__,
    MeterAdjusted.__name__,
    RoundVoided.__name__,
    AwardBackedOut.__name__,
    JackpotClosed.__name__,
)


@dataclass(frozen=True, kw_only=True)
class AuditLine:
    """One thing that somebody did or was refused."""

    entry: Annotated[int, Meta(description="Its number in the ledger; 0 of a refused attempt.")]
    refusal: Annotated[int, Meta(description="Its number in the chain of refused attempts; 0 of an entry.")] = 0
    at: Annotated[datetime, Meta(description="When it was written.")]
    actor: Actor
    second: Annotated[str, Meta(description="The second person, where one signed.")]
    what: Annotated[
        str,
        Meta(
            description="`opened`, `parameters`, `back_out`, `closed`, the reason of an adjustment, the kind of "
            "a fact, or `clock_set_back` of an entry that is earlier than the one before it."
        ),
    ]
    subject: Annotated[str, Meta(description="Jackpot and level, award, or subject of the fact.")]
    version: Annotated[int, Meta(description="Of parameters or fact; 0 where there is none.")]
    micros: Annotated[int | None, Meta(description="Amount of a change by hand.")]
    note: Note
    detail: Annotated[dict[str, Any], Meta(description="Changed parameters, old and new; the body of a fact.")]


@dataclass(frozen=True, kw_only=True)
class ActorLine:
    """How much of each one person did."""

    actor: Actor
    entries: Annotated[int, Meta(description="Entries of the log; in a sum, how many.")]
    denied: Annotated[int, Meta(description="How many attempts were refused for want of a right.")]
    by_what: Annotated[dict[str, int], Meta(description="How many entries of each kind.")]


@dataclass(frozen=True, kw_only=True)
class Audit(PeriodReport):
    """In the order of the log, and counted by person."""

    lines: Annotated[tuple[AuditLine, ...], Meta(description="The lines of the report.")]
    actors: Annotated[tuple[ActorLine, ...], Meta(description="Everybody who did something, with how much.")]


def audit(
    book: Reader,
    start: datetime | None = None,
    end: datetime | None = None,
    *,
    actor: str | None = None,
    leave_out: tuple[str, ...] = (),
) -> Audit:
    """Everything of a time, or what one person did or signed as the second.

    `leave_out` has beginnings of subjects whose facts are not wanted, such as the rounds of tables; a denied attempt is
    always in.
    """
    with read_period(book, start, end) as reader:
        parameters: dict[str, Parameters] = {}
        if start is not None:
            for sealed in notable_entries(reader, None, start, kinds=_PARAMETERS):
                _take_over(parameters, sealed.entry)
        lines = []
        read = notable_entries if PLAY in leave_out else Reader.entries_between
        for sealed in read(reader, start, end, kinds=_KINDS):
            line = _line(sealed.entry, parameters)
            _take_over(parameters, sealed.entry)
            is_fact = isinstance(sealed.entry.event, FactRecorded)
            if is_fact and line.what != DENIED and line.subject.startswith(leave_out):
                continue
            if actor is None or actor in (line.actor, line.second):
                lines.append(line)
        if actor is None:
            lines = sorted([*lines, *map(_set_back, clock_set_back(reader, start, end))], key=lambda line: line.entry)
        last_entry, last_hash = reader.head()
    if isinstance(book, Book):
        refused = [_refused(refusal) for refusal in book.refusals.between(start, end)]
        lines = list(merge(lines, (line for line in refused if actor in (None, line.actor)), key=lambda line: line.at))
    return Audit(
        start=start,
        end=end,
        last_entry=last_entry,
        last_hash=last_hash,
        lines=tuple(lines),
        actors=_by_actor(lines),
    )


def _refused(refusal: Refusal) -> AuditLine:
    """A refused attempt, which has no entry: it stands in a chain of its own."""
    detail = {"who": refusal.who, "what": refusal.what, "where": refusal.where, "why": refusal.why}
    if refusal.address:
        detail["address"] = refusal.address
    if refusal.left_out:
        detail["left_out"] = str(refusal.left_out)
    return AuditLine(
        entry=0,
        refusal=refusal.seq,
        at=refusal.at,
        actor=refusal.who,
        second="",
        what=DENIED,
        subject=f"denied:{refusal.who}",
        version=0,
        micros=None,
        note="",
        detail=detail,
    )


def _set_back(set_back: SetBack) -> AuditLine:
    """Nobody did that by name: it is seen in the times of two entries."""
    gap = timedelta(seconds=set_back.seconds)
    return AuditLine(
        entry=set_back.entry,
        at=set_back.at,
        actor=NOBODY,
        second="",
        what=SET_BACK,
        subject="clock",
        version=0,
        micros=None,
        note=f"The clock is {gap} behind the entry before, of {time_text(set_back.before)}.",
        detail={"before": set_back.before.isoformat(), "seconds": set_back.seconds},
    )


def audit_note(line: AuditLine) -> str:
    """The note; of a denied attempt what was tried and why not, which stand in its detail."""
    if line.what != DENIED:
        return line.note
    return f"{line.detail.get('what')}: {line.detail.get('why')}"


def _take_over(parameters: dict[str, Parameters], entry: Entry) -> None:
    if isinstance(entry.event, JackpotOpened | ParametersChanged):
        parameters[entry.event.jackpot] = entry.event.parameters


def _line(entry: Entry, parameters: dict[str, Parameters]) -> AuditLine:
    event = entry.event
    subject, version, micros, detail = "", 0, None, {}
    match event:
        case FactRecorded():
            subject = _DIGEST.sub(r"\1...", event.subject)
            version, detail = event.version, _without_secrets(event.body)
        case JackpotOpened():
            subject, version, detail = event.jackpot, 1, _changes(None, event.parameters)
        case ParametersChanged():
            before = parameters.get(event.jackpot)
            subject, version, detail = event.jackpot, event.version, _changes(before, event.parameters)
        case MeterAdjusted():
            subject, micros, detail = f"{event.jackpot}/{event.level}", event.micros, {"pool": event.pool}
        case RoundVoided():
            given_back = sum(bet.amount_micros for bet in event.bets)
            subject, micros, detail = (
                f"{event.table}/{event.round}",
                given_back,
                {"seed_advanced": exact_dollars(event.seed_micros)},
            )
        case AwardBackedOut():
            subject, micros = event.award, event.amount_micros
        case JackpotClosed():
            subject, micros, detail = event.jackpot, event.moved_micros, {"into": event.into}
    return AuditLine(
        entry=entry.seq,
        at=entry.at,
        actor=entry.actor,
        second=getattr(event, "second", ""),
        what=entry.reason,
        subject=subject,
        version=version,
        micros=micros,
        note=getattr(event, "note", ""),
        detail=detail,
    )


def _by_actor(lines: list[AuditLine]) -> tuple[ActorLine, ...]:
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for line in lines:
        counted[line.actor][line.what] += 1
    return tuple(
        ActorLine(actor=actor, entries=what.total(), denied=what[DENIED], by_what=dict(sorted(what.items())))
        for actor, what in sorted(counted.items())
    )


def _changes(before: Parameters | None, after: Parameters) -> dict[str, Any]:
    """Parameters that are not as before, each with its old and its new value."""
    old = dict(_flat(before)) if before else {}
    new = dict(_flat(after))
    names = [*new, *(name for name in old if name not in new)]
    return {name: [old.get(name), new.get(name)] for name in names if old.get(name) != new.get(name)}


def _flat(parameters: Parameters) -> Iterator[tuple[str, Any]]:
    yield "kind", parameters.kind
    yield "fixed_pays", parameters.fixed_pays
    for level in parameters.levels:
        for name, value in msgspec.structs.asdict(level).items():
            if name.endswith("_ppm"):
                yield f"{level.id}.{name.removesuffix('_ppm')}", value / PPM
            elif name.endswith("_micros"):
                yield f"{level.id}.{name.removesuffix('_micros')}", None if value is None else exact_dollars(value)


def _without_secrets(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: WITHHELD if SECRETS & set(str(name).lower().split("_")) else _without_secrets(part)
            for name, part in value.items()
        }
    return [_without_secrets(part) for part in value] if isinstance(value, list) else value
