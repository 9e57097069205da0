"""Sums of the log by the hour and by the day, so that a report on a year does not read a year of entries.

They are made from the log behind the writers' backs, some thousand entries at a time, and `verify` makes them anew. How
far they go is noted with them; what came since is read from the log, and so are the parts of an hour at both ends of a
period. Entries that are no play (changes, awards, facts about people) are marked, so that they are found without
reading the play between them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, delete, insert, select, tuple_, update
from sqlalchemy.exc import DBAPIError

from croupier.errors import LedgerError
from croupier.house_time import CLOCKS_AGREE
from croupier.jackpot import FactRecorded, JackpotOpened, ParametersChanged, RoundVoided, Sealed, WagersLocked
from croupier.jackpot.accounts import Key
from croupier.jackpot.sums import SumKey, Sums, Versions, add_entry, add_round
from croupier.store import rows, schema
from croupier.store.balances import are_right_marks, move_marks
from croupier.store.reading import Reader, SetBack

HOUR = 3_600_000_000
DAY = 24 * HOUR
SLICE = 2_000
"""Entries added at a time: a short transaction, so that nobody waits for it."""
PLAY = "table:"
"""Facts about these subjects are steps of a table's rounds: play, which is not marked."""
DENIED = "denied"
"""The kind of fact that says what somebody was refused."""
PARAMETERS = (JackpotOpened.__name__, ParametersChanged.__name__)

_Bucket = tuple[str, int]


@dataclass
class Slice:
    """Sums and marks of some entries that follow each other."""

    versions: Versions
    last_micros: int | None
    """The clock of the entry before."""
    by_hour: dict[int, Sums] = field(default_factory=lambda: defaultdict(Sums))
    marks: list[dict[str, Any]] = field(default_factory=list)

    def take(self, sealed: Sealed) -> None:
        entry = sealed.entry
        at = rows.micros_since_epoch(entry.at)
        add_entry(self.by_hour[at - at % HOUR], entry, self.versions)
        self.versions.take(entry)
        is_behind = self.last_micros is not None and self.last_micros - at > CLOCKS_AGREE // timedelta(microseconds=1)
        if is_behind or not is_play(sealed):
            self.marks.append(
                {
                    "seq": entry.seq,
                    "at_micros": at,
                    "kind": type(entry.event).__name__,
                    "is_play": is_play(sealed),
                    "before_micros": self.last_micros if is_behind else None,
                }
            )
        self.last_micros = at

    def buckets(self) -> dict[_Bucket, Sums]:
        """The sums of every hour and day that has any."""
        buckets: dict[_Bucket, Sums] = defaultdict(Sums)
        for start, sums in self.by_hour.items():
            buckets["hour", start].update(sums)
            buckets["day", start - start % DAY].update(sums)
        return {bucket: sums for bucket, sums in buckets.items() if any(sums.values())}


def is_play(sealed: Sealed) -> bool:
    """Whether an entry is a step of a round, as nearly all are."""
    event = sealed.entry.event
    if isinstance(event, FactRecorded):
        return event.subject.startswith(PLAY) and event.kind != DENIED
    return isinstance(event, WagersLocked)


def add_up(reader: Reader, engine: Engine, *, at_least: int = SLICE) -> None:
    """Brings the sums up to date, when at least so many entries are not in them. A failed write is tried next time."""
    while True:
        position = _position(reader)
        entries = reader.entries(after=position, limit=SLICE)
        if len(entries) < at_least or not entries:
            return
        piece = _next_slice(reader, position)
        for sealed in entries:
            piece.take(sealed)
        try:
            with engine.begin() as connection:
                if not _store(connection, piece, position, entries[-1].entry.seq):
                    return  # another server has done it
        except DBAPIError:
            return
        at_least = min(at_least, SLICE)


def sums_between(reader: Reader, start: datetime | None, end: datetime | None) -> Sums:
    """What was added up over the entries from `start` on and before `end`, by their own clocks."""
    position = _position(reader)
    low = None if start is None else rows.micros_since_epoch(start)
    high = None if end is None else rows.micros_since_epoch(end)
    total: Sums = Sums()
    for body in _bodies(reader, low, high):
        for key, value in _decoded(body):
            total[key] += value
    versions = None
    for begin, stop in _edges(low, high):
        # Their numbers by the index of times alone: asked for in order, a database may read the whole log instead.
        entry = schema.entries.c
        records = reader._all(select(entry.seq).where(entry.at_micros >= begin, entry.at_micros < stop))
        for sealed in reader.entries_numbered(sorted(row.seq for row in records if row.seq <= position)):
            versions = versions or _VersionsAt(reader)
            add_entry(total, sealed.entry, versions.at(sealed.entry.seq))
    piece = _next_slice(reader, position)
    for sealed in reader.entries_between(None, None, after=position):
        if (start is None or sealed.entry.at >= start) and (end is None or sealed.entry.at < end):
            add_entry(total, sealed.entry, piece.versions)
        piece.versions.take(sealed.entry)
    return total


def sums_by_hour(reader: Reader, start: datetime) -> dict[datetime, Sums]:
    """What was added up in each hour that has anything, from the one that begins at `start` on."""
    first = rows.micros_since_epoch(start)
    position = _position(reader)
    piece = _next_slice(reader, position)
    hour = schema.report_sums.c
    query = select(hour.start_micros, hour.body).where(hour.span == "hour", hour.start_micros >= first)
    for row in reader._all(query):
        for key, value in _decoded(row.body):
            piece.by_hour[row.start_micros][key] += value
    for sealed in reader.entries_between(None, None, after=position):
        piece.take(sealed)
    return {rows.time_of(at): sums for at, sums in piece.by_hour.items() if at >= first}


def balances_before(reader: Reader, end: datetime | None) -> dict[Key, int]:
    """Balances as the movements of all entries before a time make them; of all entries for None."""
    return balances_of(sums_between(reader, None, end))


def balances_of(sums: Sums) -> dict[Key, int]:
    """What all movements come to, by account."""
    balances: dict[Key, int] = defaultdict(int)
    for key, micros in sums.items():
        if key[0] == "moved":
            balances[str(key[1]), str(key[2]), str(key[3])] += micros
    return dict(balances)


def notable_entries(
    reader: Reader,
    start: datetime | None = None,
    end: datetime | None = None,
    *,
    kinds: Collection[str] = (),
    after: int = 0,
) -> Iterator[Sealed]:
    """Entries of a time that are not play, of these kinds or of all, in the order of the log."""
    position = _position(reader)
    mark = schema.report_marks
    query = select(mark.c.seq).where(mark.c.seq > after, mark.c.is_play.is_(False), *_within(mark, start, end))
    if kinds:
        query = query.where(mark.c.kind.in_(sorted(kinds)))
    numbers = [row.seq for row in reader._all(query.order_by(mark.c.seq))]
    yield from reader.entries_numbered(numbers)
    for sealed in reader.entries_between(start, end, kinds=kinds, after=max(after, position)):
        if not is_play(sealed):
            yield sealed


def clock_set_back(reader: Reader, start: datetime | None = None, end: datetime | None = None) -> tuple[SetBack, ...]:
    """Entries of a time that are earlier than the one before them: there a clock was set back."""
    position, mark = _position(reader), schema.report_marks
    query = select(mark).where(mark.c.before_micros.is_not(None), *_within(mark, start, end)).order_by(mark.c.seq)
    marked = [
        SetBack(row.seq, rows.time_of(row.at_micros), rows.time_of(row.before_micros)) for row in reader._all(query)
    ]
    return (*marked, *reader.set_back(start, end, after=position))


def void_rounds(reader: Reader, start: datetime | None, end: datetime | None) -> Sums:
    """Sums of the rounds locked in a time that were declared void, whenever that was."""
    total: Sums = Sums()
    versions = _VersionsAt(reader)
    for sealed in notable_entries(reader, kinds=[RoundVoided.__name__]):
        locked = reader.latest_lock(sealed)
        if locked is None or not isinstance(locked.entry.event, WagersLocked):
            continue
        if (start is None or locked.entry.at >= start) and (end is None or locked.entry.at < end):
            add_round(total, locked.entry.event, versions.at(locked.entry.seq))
    return total


class SumsCheck:
    """The sums and marks as the whole log makes them, to be compared with those that are stored."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        row = connection.execute(select(schema.report_position)).one_or_none()
        self._position = row.seq if row is not None else 0
        self._right = Slice(Versions(), None)

    def take(self, sealed: Sealed) -> None:
        if sealed.entry.seq <= self._position:
            self._right.take(sealed)

    def require_equal(self) -> None:
        """Refuses stored sums that are not what the log makes of them."""
        table = schema.report_sums
        stored = {(row.span, row.start_micros): row.body for row in self._connection.execute(select(table))}
        right = {bucket: _encoded(sums) for bucket, sums in self._right.buckets().items()}
        marks = [dict(row._mapping) for row in self._connection.execute(_all_marks())]
        if stored != right or marks != self._right.marks or not are_right_marks(self._connection):
            raise LedgerError("The sums for reports are not what the log makes of them.", code="bad_sums")


class _VersionsAt:
    """Which versions of parameters were in force at an entry."""

    def __init__(self, reader: Reader) -> None:
        self._changes = [sealed.entry for sealed in notable_entries(reader, kinds=PARAMETERS)]

    def at(self, seq: int) -> Versions:
        versions = Versions()
        for entry in self._changes:
            if entry.seq < seq:
                versions.take(entry)
        return versions


def _next_slice(reader: Reader, position: int) -> Slice:
    last = reader.entries(after=position - 1, limit=1) if position else ()
    return Slice(_VersionsAt(reader).at(position + 1), rows.micros_since_epoch(last[0].entry.at) if last else None)


def _position(reader: Reader) -> int:
    records = reader._all(select(schema.report_position))
    return int(records[0].seq) if records else 0


def _store(connection: Connection, piece: Slice, position: int, last: int) -> bool:
    """Adds a slice to what is stored, unless somebody has added it already."""
    table = schema.report_position
    if position == 0:
        if connection.execute(select(table)).one_or_none() is not None:
            return False
        connection.execute(insert(table).values(one=1, seq=last))
    elif connection.execute(update(table).where(table.c.seq == position).values(seq=last)).rowcount != 1:
        return False
    stored = schema.report_sums
    for bucket, sums in piece.buckets().items():
        where = tuple_(stored.c.span, stored.c.start_micros) == bucket
        body = connection.execute(select(stored.c.body).where(where)).scalar()
        for key, value in _decoded(body) if body else ():
            sums[key] += value
        connection.execute(delete(stored).where(where))
        if any(sums.values()):
            connection.execute(insert(stored).values(span=bucket[0], start_micros=bucket[1], body=_encoded(sums)))
    if piece.marks:
        connection.execute(insert(schema.report_marks), piece.marks)
    move_marks(connection, position, last)
    return True


def _bodies(reader: Reader, low: int | None, high: int | None) -> Iterator[str]:
    """Whole days of the period, and the whole hours before and after them."""
    table = schema.report_sums
    first = None if low is None else -(-low // DAY) * DAY
    last = None if high is None else high // DAY * DAY
    parts: list[tuple[str, int | None, int | None]]
    if first is not None and last is not None and first >= last:
        parts = [("hour", _ceil_hour(low), _floor_hour(high))]
    else:
        parts = [("day", first, last)]
        if low is not None:
            parts.append(("hour", _ceil_hour(low), first))
        if high is not None:
            parts.append(("hour", last, _floor_hour(high)))
    for span, begin, stop in parts:
        query = select(table.c.body).where(table.c.span == span)
        if begin is not None:
            query = query.where(table.c.start_micros >= begin)
        if stop is not None:
            query = query.where(table.c.start_micros < stop)
        yield from (row.body for row in reader._all(query))


def _edges(low: int | None, high: int | None) -> list[tuple[int, int]]:
    """The parts of an hour at both ends that no whole hour covers."""
    if low is not None and high is not None and _ceil_hour(low) >= _floor_hour(high):
        whole_begins, whole_ends = _ceil_hour(low), _floor_hour(high)
        if whole_begins > whole_ends:  # within one hour
            return [(low, high)] if low < high else []
        return [(begin, stop) for begin, stop in ((low, whole_begins), (whole_ends, high)) if begin < stop]
    edges = []
    if low is not None and low % HOUR:
        edges.append((low, _ceil_hour(low)))
    if high is not None and high % HOUR:
        edges.append((_floor_hour(high), high))
    return edges


def _ceil_hour(micros: int | None) -> int:
    return -(-(micros or 0) // HOUR) * HOUR


def _floor_hour(micros: int | None) -> int:
    return (micros or 0) // HOUR * HOUR


def _within(table: Any, start: datetime | None, end: datetime | None) -> Iterator[Any]:
    if start is not None:
        yield table.c.at_micros >= rows.micros_since_epoch(start)
    if end is not None:
        yield table.c.at_micros < rows.micros_since_epoch(end)


def _all_marks() -> Any:
    return select(schema.report_marks).order_by(schema.report_marks.c.seq)


def _encoded(sums: Sums) -> str:
    return msgspec.json.encode(sorted(([*key, value] for key, value in sums.items() if value), key=str)).decode()


def _decoded(body: str) -> Iterator[tuple[SumKey, int]]:
    for *key, value in msgspec.json.decode(body):
        yield tuple(key), value
