"""Meters as they move, as server-sent events.

First comes `meters`, all values as of one entry; then `meter` for each meter that has moved, its id the number of the
last entry that is counted in. A reader that comes back with `Last-Event-ID` gets those that have moved since, if this
server has watched since then, and else all values anew. `meters` also names the jackpots that are stopped, and comes
again when that has changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from msgspec import structs
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from croupier.web.api.meters import shown
from croupier.web.api.rights import PREFIX
from croupier.web.board import Audience, BoardStanding, Level, MeterBoard, sees
from croupier.web.guard import COOKIE, Caller, GuardedRoute, TheCaller, TheRoom
from croupier.web.hub import ALIVE, METERS, StreamReader
from croupier.web.readers import reader_of
from croupier.web.services import Services
from croupier.web.streams import EVENT_STREAM, EventStream, event_text

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["meters"])

STREAM: dict[int | str, dict[str, Any]] = {
    200: {"description": "Events without end.", "content": {EVENT_STREAM: {"schema": {"type": "string"}}}}
}
HEARTBEAT = b": heartbeat\n\n"

LastEventId = Annotated[
    str | None, Header(alias="Last-Event-ID", description="The last id that was received; resumes after it.")
]


@router.get("/stream/meters", response_class=StreamingResponse, responses=STREAM)
async def stream_meters(
    request: Request, caller: TheCaller, room: TheRoom, last_event_id: LastEventId = None
) -> StreamingResponse:
    """The meters as server-sent events: all values first, then each change. A comment line is a heartbeat."""
    after = int(last_event_id) if last_event_id and re.fullmatch("[0-9]{1,18}", last_event_id) else None
    audience = frozenset(caller.device.jackpots) if caller.device is not None else None
    voice = _Voice(room.hub.board, await run_in_threadpool(room.hub.catch_up), audience)
    reader = _reader(request, caller, room)
    return EventStream(room.hub, room.streams, reader, frozenset({METERS}), voice.begin(after), voice.say)


def _reader(request: Request, caller: Caller, room: Services) -> StreamReader:
    token = request.headers["authorization"].partition(" ")[2] if caller.device is not None else ""
    session = request.cookies[COOKIE] if caller.person is not None else ""
    return reader_of(room, caller.address, token=token, session=session)


class _Voice:
    """What one reader has been told, and the words for what it has not. Others who heard as much get the same bytes."""

    def __init__(self, board: MeterBoard, standing: BoardStanding, audience: Audience) -> None:
        self._board, self._standing, self._audience = board, standing, audience

    def begin(self, after: int | None) -> bytes:
        moved = None if after is None else self._standing.moved_after(after, self._audience)
        return self._text(("api", "begin", self._audience, after if moved is not None else None), moved)

    def say(self, changed: set[str]) -> bytes:
        heard, self._standing = self._standing.version, self._board.standing
        moved = None if self._standing.whole > heard else self._standing.moved_since(heard, self._audience)
        text = b"" if moved == [] else self._text(("api", "since", self._audience, heard), moved)
        return text or (HEARTBEAT if ALIVE in changed else b"")

    def _text(self, key: tuple[Any, ...], moved: Iterable[Level] | None) -> bytes:
        def make(standing: BoardStanding) -> str:
            return all_meters(standing, self._audience) if moved is None else moved_meters(standing, moved)

        return self._standing.text(key, make)


def all_meters(standing: BoardStanding, audience: Audience) -> str:
    values = [shown(*level, micros) for level, micros in sorted(standing.meters.items()) if sees(audience, level[0])]
    stopped = [{"jackpot": name, "why": why} for name, why in standing.stopped.items() if sees(audience, name)]
    data = {"entry": standing.entry, "meters": values, "stopped": stopped}
    return event_text("meters", data, standing.entry)


def moved_meters(standing: BoardStanding, moved: Iterable[Level]) -> str:
    return "".join(
        event_text(
            "meter", structs.asdict(shown(*level, standing.meters[level])) | {"entry": standing.entry}, standing.entry
        )
        for level in moved
    )
