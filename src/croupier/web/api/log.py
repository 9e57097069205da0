"""The log: its entries, and the check of the whole ledger."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, BinaryIO

import msgspec
from fastapi import APIRouter, Query
from starlette.responses import StreamingResponse

from croupier.errors import LedgerError, NotationError
from croupier.jackpot import Sealed
from croupier.store import backup, verify
from croupier.web.api import answers
from croupier.web.api.rights import PREFIX
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


def entry_data(sealed: Sealed) -> dict[str, Any]:
    """An entry without what could help to try PINs or tokens."""
    data: dict[str, Any] = msgspec.to_builtins(sealed.entry)
    event = data["event"]
    if event["event"] == "FactRecorded":
        event["body"] = {name: value for name, value in event["body"].items() if name not in SECRET_FIELDS}
        kind = next((prefix for prefix in SECRET_SUBJECTS if event["subject"].startswith(prefix)), None)
        if kind is not None:
            event["subject"] = f"{kind}{event['subject'].removeprefix(kind)[:8]}"
    return data | {"hash": sealed.hash}


@router.get("/entries", response_model=answers.Entries)
def entries(
    room: TheRoom,
    after: Annotated[int, Query(ge=0, le=2**53, description="Entries after this number.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="How many at most.")] = 100,
) -> dict[str, Any]:
    """The log in its order: money, set-up, people, refused attempts. Ask on after the last number."""
    number, hash = room.book.head()
    found = room.book.entries(after=after, limit=limit)
    return {"entries": [entry_data(sealed) for sealed in found], "head": {"entry": number, "hash": hash}}


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


@router.get("/verify", response_model=answers.Verified)
def verify_ledger(
    caller: TheCaller,
    room: TheRoom,
    entry: Annotated[int | None, Query(ge=1, le=2**53, description="Number of an entry noted elsewhere.")] = None,
    hash: Annotated[str | None, Query(pattern="^[0-9a-f]{64}$", description="Its hash.")] = None,
) -> dict[str, Any]:
    """Recomputes every balance and the chain of hashes from the log; names the first bad entry."""
    room.swipes.take(f"verify/{caller.name}")  # reads the whole log, so it is asked for rarely
    if (entry is None) != (hash is None):
        raise NotationError("An anchor is an entry's number and its hash: give both.", code="bad_anchor")
    anchors = [(entry, hash)] if entry is not None and hash is not None else []
    found = verify(room.book, anchors=anchors)
    return {"is_good": found.is_good, **msgspec.to_builtins(found)}
