"""Recomputes everything from the log and compares: the chain of hashes, every posting, every balance, every purse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from sqlalchemy import Connection, Table, select, text
from sqlalchemy.exc import SQLAlchemyError

from croupier.errors import CroupierError, LedgerError
from croupier.jackpot import GENESIS, JackpotHit, Sealed, State, evolve
from croupier.jackpot.chain import unseal
from croupier.store import rows, schema
from croupier.store.book import Book
from croupier.store.integrity import TwiceError, check_engine, require_ids_once, require_unique_ids
from croupier.store.purses import require_right_purses
from croupier.store.refusals import require_whole_chain
from croupier.store.sums import SumsCheck
from croupier.store.writing import APPEND_ONLY

PAGE = 2000
_REFUSING = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%RAISE(ABORT%'",
    "postgresql": "SELECT tgname FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid "
    "WHERE tgenabled IN ('O', 'A') AND proname = 'ledger_is_append_only'",
}
"""Names of the triggers that refuse something, by database."""


class Verification(Struct, frozen=True, kw_only=True):
    """What a check of the whole ledger found."""

    entries: Annotated[int, Meta(description="Entries that were read and are good.")]
    head: Annotated[str, Meta(description="Hash of the last good entry.")]
    bad_entry: Annotated[int, Meta(description="Number of the first bad entry; 0 when none is bad.")] = 0
    problem: Annotated[str, Meta(description="What is wrong; empty when all is well.")] = ""
    code: Annotated[str, Meta(description="A stable code.")] = ""
    notes: Annotated[tuple[str, ...], Meta(description="What could not be checked here, in sentences.")] = ()

    @property
    def is_good(self) -> bool:
        return not self.problem


def verify(book: Book, *, anchors: Iterable[tuple[int, str]] = ()) -> Verification:
    """Reads the whole log once, at one moment, and has the database check its files. Stops at the first thing that is
    wrong and names it.

    `anchors` are numbers and hashes of entries noted elsewhere, say on a printed win page: they find a log that was cut
    off or rewritten as a whole, which no chain can tell by itself.
    """
    replay = Replay()
    noted = tuple(anchors)
    try:
        with book.snapshot() as connection:
            sums = SumsCheck(connection)
            _replay_all(connection, replay, noted, sums)
            _require_equal_tables(connection, replay)
            sums.require_equal()
            _require_append_only(connection)
            require_whole_chain(connection)
            require_unique_ids(connection)
            require_ids_once(connection)
        with book.snapshot() as connection:
            notes = check_engine(connection)
            require_right_purses(connection)
    except TwiceError as error:
        (before,) = book.entries(after=error.entry - 2, limit=1)
        return Verification(
            entries=before.entry.seq, head=before.hash, bad_entry=error.entry, problem=str(error), code=error.code
        )
    except CroupierError as error:
        bad = replay.seq + 1 if replay.is_reading else 0
        return Verification(entries=replay.seq, head=replay.hash, bad_entry=bad, problem=str(error), code=error.code)
    return Verification(entries=replay.seq, head=replay.hash, notes=notes)


def _replay_all(connection: Connection, replay: Replay, noted: Sequence[tuple[int, str]], sums: SumsCheck) -> None:
    """The whole log, which must have every noted entry."""
    hashes: dict[int, set[str]] = {}
    for seq, hash in noted:
        hashes.setdefault(seq, set()).add(hash)
    for sealed in replay.read(connection):
        if hashes.get(sealed.entry.seq, {sealed.hash}) != {sealed.hash}:
            raise LedgerError(
                f"Entry {sealed.entry.seq} is not the one that was noted elsewhere.", code="anchor_mismatch"
            )
        sums.take(sealed)
    _require_end(connection, replay, max(hashes, default=0))


class Replay:
    """The log read so far, and the state it makes."""

    def __init__(self) -> None:
        self.state = State()
        self.hit_seq: dict[str, int] = {}
        self.seq = 0
        self.hash = GENESIS
        self.is_reading = True

    def read(self, connection: Connection) -> Iterator[Sealed]:
        while page := self._readable_page(connection):
            posted = _postings(connection, self.seq, self.seq + PAGE)
            for row in page:
                yield self._take(row, posted.pop(row.seq, []))
            if posted:
                raise LedgerError(
                    f"There are postings of entry {min(posted)}, which does not exist.", code="bad_posting"
                )
        self.is_reading = False

    def tables(self) -> list[tuple[Table, list[rows.Row]]]:
        """Every table that is made from the log, as the log read so far makes it."""
        return rows.state_rows(self.state, self.hit_seq)

    def _readable_page(self, connection: Connection) -> list[Any]:
        """The next entries; where some cannot be read, the next one alone, so that the first bad one is named."""
        try:
            return _page(connection, schema.entries, self.seq, self.seq + PAGE)
        except SQLAlchemyError:
            try:
                return _page(connection, schema.entries, self.seq, self.seq + 1)
            except SQLAlchemyError as error:
                raise LedgerError(f"Entry {self.seq + 1} cannot be read.", code="unreadable_entry") from error

    def _take(self, row: Any, posted: list[tuple[str, str, str, int]]) -> Sealed:
        seq = self.seq + 1
        if row.seq != seq:
            raise LedgerError(f"Entry {seq} is missing; the next one is {row.seq}.", code="missing_entry")
        sealed = unseal(row.text, row.hash, seq, self.hash)
        if rows.entry_row(sealed) != dict(row._mapping):
            raise LedgerError(f"The columns of entry {seq} do not match its text.", code="bad_columns")
        event = sealed.entry.event
        if posted != sorted((*posting.key, posting.micros) for posting in event.postings):
            raise LedgerError(f"The postings of entry {seq} do not match its text.", code="bad_posting")
        try:
            self.state.update(evolve(self.state, event))
        except KeyError as error:
            raise LedgerError(
                f"Entry {seq} refers to {error}, which is not in the log before it.", code="bad_entry"
            ) from error
        if isinstance(event, JackpotHit):
            self.hit_seq[event.award] = seq
        self.seq, self.hash = seq, sealed.hash
        return sealed


def _page(connection: Connection, table: Table, after: int, until: int) -> list[Any]:
    return list(connection.execute(select(table).where(table.c.seq > after).order_by(table.c.seq).limit(until - after)))


def _postings(connection: Connection, after: int, until: int) -> dict[int, list[tuple[str, str, str, int]]]:
    table = schema.postings
    postings: dict[int, list[tuple[str, str, str, int]]] = {}
    for row in connection.execute(select(table).where(table.c.seq > after, table.c.seq <= until)):
        postings.setdefault(row.seq, []).append((row.jackpot, row.level, row.account, row.micros))
    return {seq: sorted(posted) for seq, posted in postings.items()}


def _require_end(connection: Connection, replay: Replay, last_noted: int) -> None:
    head = connection.execute(select(schema.head)).one_or_none()
    if head is None or (head.seq, head.hash) != (replay.seq, replay.hash):
        replay.is_reading = True  # the first bad entry is the one that should come next
        noted = "none" if head is None else str(head.seq)
        raise LedgerError(f"The log ends at entry {replay.seq}, but its end is noted as {noted}.", code="truncated")
    if last_noted > replay.seq:
        replay.is_reading = True
        raise LedgerError(
            f"The log ends at entry {replay.seq}; entry {last_noted} was noted elsewhere.", code="truncated"
        )


def _require_append_only(connection: Connection) -> None:
    """The triggers that refuse a change of the log must be there and do so."""
    triggers = set(connection.execute(text(_REFUSING[connection.dialect.name])).scalars())
    if connection.dialect.name == "sqlite":
        expected = {f"{table.name}_no_{change}" for table in APPEND_ONLY for change in ("update", "delete")}
    else:
        expected = {f"{table.name}_append_only" for table in APPEND_ONLY}
    if missing := sorted(expected - triggers):
        raise LedgerError(
            f"The log is whole, but nothing keeps it from being edited: {', '.join(missing)} is missing or switched "
            "off. A store restored from a backup has these triggers.",
            code="not_append_only",
        )


def _require_equal_tables(connection: Connection, replay: Replay) -> None:
    """Every table made from the log must be what the log makes."""
    for table, expected in replay.tables():
        keys = [column.name for column in table.primary_key]
        right = {tuple(row[key] for key in keys): row for row in expected}
        for row in connection.execute(select(table)):
            key = tuple(row._mapping[name] for name in keys)
            if right.pop(key, None) != dict(row._mapping):
                raise LedgerError(
                    f"{table.name} has a row {'/'.join(map(str, key))} that is not what the log makes of it.",
                    code="balance_mismatch" if table is schema.balances else "bad_row",
                )
        if right:
            raise LedgerError(
                f"{table.name} lacks the row {'/'.join(map(str, min(right)))}.",
                code="balance_mismatch" if table is schema.balances else "bad_row",
            )
