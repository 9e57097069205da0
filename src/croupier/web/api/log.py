"""The log: its entries, and the check of the whole ledger."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Query
from msgspec import Meta, Struct, structs
from starlette.responses import StreamingResponse

from croupier.errors import LedgerError, NotationError
from croupier.jackpot import FactRecorded, Sealed, chain
from croupier.store import backup, verify
from croupier.store.verify import Verification
from croupier.web.api.rights import PREFIX
from croupier.web.api.typed import answer_as
from croupier.web.guard import GuardedRoute, TheCaller, TheRoom

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["log and reports"])

PIECE = 256 * 1024
GZIP: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A backup.",
        "content": {"application/gzip": {"schema": {"type": "string", "format": "binary"}}},
    }
}
SECRET_FIELDS = frozenset({"card_sha256", "pin_hash", "token_sha256"})
SECRET_SUBJECTS = ("card:", "device_token:", "session:")


class Head(Struct, frozen=True):
    """The last entry of the log."""

    entry: Annotated[int, Meta(description="Its number.")]
    hash: Annotated[str, Meta(description="Its hash.")]


class Entry(chain.Entry, frozen=True, kw_only=True):
    """One line of the log, with its hash."""

    hash: Annotated[str, Meta(description="The hash of this entry, over it and the one before.")]


class Entries(Struct, frozen=True, kw_only=True):
    entries: Annotated[tuple[Entry, ...], Meta(description="Entries of the log.")]
    head: Annotated[Head, Meta(description="The last entry of the log.")]


class Verified(Verification, frozen=True, kw_only=True):
    is_good: Annotated[bool, Meta(description="Whether all of it adds up.")]


def shown_entry(sealed: Sealed) -> Entry:
    """An entry without what could help to try PINs or tokens."""
    entry, event = sealed.entry, sealed.entry.event
    if isinstance(event, FactRecorded):
        body = {name: value for name, value in event.body.items() if name not in SECRET_FIELDS}
        kind = next(filter(event.subject.startswith, SECRET_SUBJECTS), None)
        subject = event.subject if kind is None else event.subject[: len(kind) + 8]
        entry = structs.replace(entry, event=structs.replace(event, body=body, subject=subject))
    return Entry(**structs.asdict(entry), hash=sealed.hash)


@router.get("/entries")
def entries(
    room: TheRoom,
    after: Annotated[int, Query(ge=0, le=2**53, description="Entries after this number.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="How many at most.")] = 100,
) -> Entries:
    """The log in its order: money, setup, people, refused attempts. Ask on after the last number."""
    head = Head(*room.book.head())
    return Entries(entries=tuple(map(shown_entry, room.book.entries(after=after, limit=limit))), head=head)


@router.get("/backup", response_class=StreamingResponse, responses=GZIP)
def back_up(caller: TheCaller, room: TheRoom) -> StreamingResponse:
    """The whole log at one moment, for `croupier jackpot restore`. Who took it is on record: it has hashes of PINs."""
    room.swipes.take(f"backup/{caller.name}")  # reads the whole log, so it is asked for rarely
    with TemporaryDirectory(prefix="croupier-") as folder:
        path = Path(folder) / "backup.gz"
        try:
            entries = backup(room.book, path)
            file = path.open("rb")  # stays readable once its name is gone, and leaves nothing behind
        except OSError as error:
            raise LedgerError(f"The backup could not be written: {error.strerror}.", code="storage_failed") from error
    size = os.fstat(file.fileno()).st_size
    room.people.log.backed_up(caller.name, entries)
    headers = {
        "Content-Length": str(size),
        "Content-Disposition": f'attachment; filename="croupier-{entries}.gz"',
    }
    return StreamingResponse(_pieces(file), media_type="application/gzip", headers=headers)


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece


@router.get("/verify")
def verify_ledger(
    caller: TheCaller,
    room: TheRoom,
    entry: Annotated[int | None, Query(ge=1, le=2**53, description="Number of an entry noted elsewhere.")] = None,
    hash: Annotated[str | None, Query(pattern="^[0-9a-f]{64}$", description="Its hash.")] = None,
) -> Verified:
    """Recomputes every balance and the chain of hashes from the log; names the first bad entry."""
    room.swipes.take(f"verify/{caller.name}")  # reads the whole log, so it is asked for rarely
    if (entry is None) != (hash is None):
        raise NotationError("An anchor is an entry's number and its hash: give both.", code="bad_anchor")
    anchors = [(entry, hash)] if entry is not None and hash is not None else []
    return answer_as(Verified, verify(room.book, anchors=anchors))
