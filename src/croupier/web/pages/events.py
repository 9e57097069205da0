"""One stream for a page: that a table or the ledger has changed, and what meters show.

A page says what it wants to hear of: `of=play:ID` a table that the software deals, `of=table:ID` the jackpot terminal
of a table, `of=run:ID` a simulation, `of=runs` their queue, `of=claims`, `of=floor`, `of=meters`. It gets `changed`
with the subject, and fetches what it shows; for meters it gets the amounts, which every guest may see on the signs.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from croupier.floor.desk import FLOOR, TABLE
from croupier.jackpot import FactRecorded, Sealed
from croupier.web.api.meters import shown
from croupier.web.errors import WebError
from croupier.web.guard import TheRoom
from croupier.web.pages.frame import PageRoute
from croupier.web.room import Room

router = APIRouter(route_class=PageRoute)

MOST_SUBJECTS = 20
SERVICE = ("stop", "reopen", "alarm")
"""Steps by which a table goes out of service or comes back: the floor is no longer what it was."""
LONGEST_S = 3600.0
"""A stream ends after this time; pages connect again by themselves."""


@router.get("/events")
async def events(
    request: Request, room: TheRoom, of: Annotated[list[str], Query(max_length=MOST_SUBJECTS)]
) -> Response:
    """Says `hello` at once, then what changes."""
    if not all(subject.isprintable() and len(subject) < 200 for subject in of):
        raise WebError("A subject of the stream does not read.")
    return StreamingResponse(_stream(room, frozenset(of)), media_type="text/event-stream")


async def _stream(room: Room, wanted: frozenset[str]) -> AsyncIterator[str]:
    now = asyncio.get_running_loop().time
    until, said_at, stopped = now() + LONGEST_S, now(), room.book.stopped().keys()
    with room.hub.listen() as ledger, room.halls.listen(wanted) as tables:
        yield _event("hello", {"subjects": sorted(wanted)})
        if "meters" in wanted:
            yield _event("meters", await run_in_threadpool(_meters, room))
        entries, table = asyncio.ensure_future(ledger.queue.get()), asyncio.ensure_future(tables.get())
        try:
            while now() < until:
                done, _ = await asyncio.wait(
                    (entries, table),
                    timeout=max(0.0, said_at + room.limits.heartbeat_s - now()),
                    return_when=asyncio.FIRST_COMPLETED,
                )
                texts: list[str] = []
                if table in done:
                    if (subject := table.result()) is None:
                        return
                    texts.append(_event("changed", {"subject": subject}))
                    table = asyncio.ensure_future(tables.get())
                if entries in done:
                    if (batch := entries.result()) is None:
                        return
                    texts += await run_in_threadpool(_told, room, batch, wanted)
                    entries = asyncio.ensure_future(ledger.queue.get())
                if (found := room.book.stopped().keys()) != stopped and "floor" in wanted:
                    stopped = found
                    texts.append(_event("changed", {"subject": "floor"}))
                if not texts and now() >= said_at + room.limits.heartbeat_s:
                    texts.append(_event("alive", {}))
                for text in texts:
                    yield text
                    said_at = now()
        finally:
            entries.cancel()
            table.cancel()


def _told(room: Room, entries: Iterable[Sealed], wanted: frozenset[str]) -> list[str]:
    entries = tuple(entries)
    subjects = sorted({subject for sealed in entries for subject in _subjects(sealed)} & wanted)
    texts = [_event("changed", {"subject": subject}) for subject in subjects]
    if "meters" in wanted and any(posting.key[2] == "meter" for one in entries for posting in one.entry.event.postings):
        texts.append(_event("meters", _meters(room)))
    return texts


def _subjects(sealed: Sealed) -> Iterator[str]:
    """What an entry of the ledger changes, in the words of pages."""
    event = sealed.entry.event
    if isinstance(event, FactRecorded):
        if event.subject.startswith(TABLE):
            yield event.subject
            if event.kind in SERVICE:
                yield "floor"
        if event.subject == FLOOR:
            yield "floor"
    elif sealed.entry.event.postings:
        yield "claims"
    yield "ledger"


def _meters(room: Room) -> dict[str, Any]:
    """With how many entries the ledger had at least: of two answers the higher is the newer."""
    entry = room.book.head()[0]
    return {
        "entry": entry,
        "meters": [shown(meter.jackpot, meter.level, meter.meter_micros) for meter in room.desk.meters()],
    }


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
