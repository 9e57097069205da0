"""Meters as they move, as server-sent events.

First comes `meters`, all values as of one entry; then `meter` for each change, its id the number of the entry that made
it. A reader that comes back with `Last-Event-ID` gets each change since, as long as that is not too long ago, and
else all values anew.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from croupier.errors import CroupierError
from croupier.jackpot import Sealed
from croupier.web.api.meters import may_see, shown
from croupier.web.api.rights import PREFIX
from croupier.web.guard import COOKIE, Caller, GuardedRoute, TheCaller, TheRoom, recognise
from croupier.web.room import Room

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["meters"])

EVENT_STREAM = "text/event-stream"
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"description": "Events without end.", "content": {EVENT_STREAM: {"schema": {"type": "string"}}}}
}
MOST_REPEATED = 1000
"""Entries looked through for a reader that comes back; more than that and all values come anew."""

Level = tuple[str, str]
Meters = dict[Level, int]

LastEventId = Annotated[
    str | None, Header(alias="Last-Event-ID", description="The last id that was received; resumes after it.")
]


@router.get("/stream/meters", response_class=StreamingResponse, responses=STREAM)
async def stream_meters(
    request: Request, caller: TheCaller, room: TheRoom, last_event_id: LastEventId = None
) -> StreamingResponse:
    """The meters as server-sent events: all values first, then each change. A comment line is a heartbeat."""
    after = int(last_event_id) if last_event_id and re.fullmatch("[0-9]{1,18}", last_event_id) else None
    return StreamingResponse(_events(request, caller, room, after), media_type=EVENT_STREAM)


async def _events(request: Request, caller: Caller, room: Room, after: int | None) -> AsyncIterator[str]:
    with room.hub.listen() as listener:
        seq, meters, missed = await run_in_threadpool(_standing, room, after)
        if missed is None:
            values = [shown(*level, micros) for level, micros in sorted(meters.items()) if may_see(caller, level[0])]
            yield _event("meters", seq, {"entry": seq, "meters": values})
        else:
            for text in _changes(missed, meters, caller):
                yield text
        now = asyncio.get_running_loop().time
        look_at = now() + room.limits.heartbeat_s
        while True:
            try:
                batch = await asyncio.wait_for(listener.queue.get(), look_at - now())
            except TimeoutError:  # also on a busy floor: somebody whose session has ended must not read on
                if not await run_in_threadpool(_may_still, request, caller, room):
                    return
                yield ": heartbeat\n\n"
                look_at = now() + room.limits.heartbeat_s
                continue
            if batch is None:
                return
            for text in _changes((sealed for sealed in batch if sealed.entry.seq > seq), meters, caller):
                yield text


def _standing(room: Room, after: int | None) -> tuple[int, Meters, tuple[Sealed, ...] | None]:
    """The last entry and the meters; for a reader that comes back, what it missed and the meters before that."""
    with room.book.standing_still() as reader:
        seq, _ = reader.head()
        balances = reader.balances()
        meters = {
            (jackpot.id, level.id): balances.get((jackpot.id, level.id, "meter"), 0)
            for jackpot in reader.jackpots()
            if not jackpot.closed
            for level in jackpot.parameters.levels
        }
        if after is None or not 0 <= seq - after <= MOST_REPEATED:
            return seq, meters, None
        missed = reader.entries(after=after, limit=MOST_REPEATED)
    for sealed in missed:
        for level, micros in _moved(sealed):
            meters[level] = meters.get(level, 0) - micros
    return seq, meters, missed


def _changes(entries: Iterable[Sealed], meters: Meters, caller: Caller) -> Iterator[str]:
    """An event for each meter that each entry moved; `meters` moves along."""
    for sealed in entries:
        moved = dict.fromkeys(level for level, _ in _moved(sealed))
        for level, micros in _moved(sealed):
            meters[level] = meters.get(level, 0) + micros
        for level in moved:
            if may_see(caller, level[0]):
                yield _event("meter", sealed.entry.seq, shown(*level, meters[level]) | {"entry": sealed.entry.seq})


def _moved(sealed: Sealed) -> Iterator[tuple[Level, int]]:
    for posting in sealed.entry.event.postings:
        jackpot, level, account = posting.key
        if account == "meter":
            yield (jackpot, level), posting.micros


def _event(name: str, seq: int, data: dict[str, Any]) -> str:
    return f"event: {name}\nid: {seq}\ndata: {json.dumps(data)}\n\n"


def _may_still(request: Request, caller: Caller, room: Room) -> bool:
    """Whether token and session are still good; a page that is only left open does not prolong its session."""
    try:
        recognise(request, room, caller.address, with_session=False)
    except CroupierError:
        return False
    return caller.person is None or room.sessions.is_open(request.cookies[COOKIE])
