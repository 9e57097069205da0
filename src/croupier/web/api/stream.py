"""Meters as they move, as server-sent events.

First comes `meters`, all values as of one entry; then `meter` for each change, its id the number of the entry that made
it. A reader that comes back with `Last-Event-ID` gets each change since, as long as that is not too long ago, and
else all values anew. `meters` also names the jackpots that are stopped, and comes again when that has changed.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from croupier.errors import CroupierError
from croupier.floor.meters import meters_of
from croupier.jackpot import Sealed
from croupier.web.api.meters import may_see, shown, stopped_data
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


@dataclass
class _Standing:
    """What a reader of the stream has been told."""

    seq: int
    meters: Meters
    stopped: Mapping[str, str]

    def told(self, caller: Caller) -> str:
        """All of it as one event."""
        values = [shown(*level, micros) for level, micros in sorted(self.meters.items()) if may_see(caller, level[0])]
        data = {"entry": self.seq, "meters": values, "stopped": stopped_data(self.stopped, caller)}
        return _event("meters", self.seq, data)

    def changes(self, entries: Iterable[Sealed], caller: Caller) -> Iterator[str]:
        """An event for each meter that each entry after this moved; the meters move along."""
        for sealed in entries:
            if sealed.entry.seq <= self.seq:
                continue
            self.seq = sealed.entry.seq
            moved = dict.fromkeys(level for level, _ in _moved(sealed))
            for level, micros in _moved(sealed):
                self.meters[level] = self.meters.get(level, 0) + micros
            for level in moved:
                if may_see(caller, level[0]) and level[0] not in self.stopped:
                    yield _event("meter", self.seq, shown(*level, self.meters[level]) | {"entry": self.seq})


async def _events(request: Request, caller: Caller, room: Room, after: int | None) -> AsyncIterator[str]:
    with room.hub.listen() as listener:
        standing, missed = await run_in_threadpool(_look, room, after)
        if missed is None:
            yield standing.told(caller)
        else:
            for text in standing.changes(missed, caller):
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
                newer, _ = await run_in_threadpool(_look, room, None)
                if newer.stopped != standing.stopped:
                    standing = newer
                    yield standing.told(caller)
                look_at = now() + room.limits.heartbeat_s
                continue
            if batch is None:
                return
            for text in standing.changes(batch, caller):
                yield text


def _look(room: Room, after: int | None) -> tuple[_Standing, tuple[Sealed, ...] | None]:
    """How the meters stand; for a reader that comes back, how they stood then, and what it has missed.

    None says that all values must be told: it was too long ago, or there is a stopped jackpot to name.
    """
    with room.book.standing_still() as reader:
        figures = meters_of(reader, room.book.stopped())
        meters = {(one.jackpot, one.level): one.meter_micros for one in figures.shown}
        standing = _Standing(figures.entry, meters, figures.stopped)
        if after is None or figures.stopped or not 0 <= figures.entry - after <= MOST_REPEATED:
            return standing, None
        missed = reader.entries(after=after, limit=MOST_REPEATED)
    for sealed in missed:
        for level, micros in _moved(sealed):
            meters[level] = meters.get(level, 0) - micros
    standing.seq = after
    return standing, missed


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
