"""Server-sent events on the wire: one answer without end, how many there may be, and whose they are."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from threading import Lock

import msgspec
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from croupier.web.errors import WebError
from croupier.web.hub import METERS, Hub, Listener, StreamReader
from croupier.web.limits import Limits

EVENT_STREAM = "text/event-stream"

Say = Callable[[set[str]], bytes]
"""What a stream says when these subjects have changed; nothing where that is nothing to its reader."""


class OpenStreams:
    """Counts open streams: in all, and of each reader or address. Safe to use from many threads."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._guard = Lock()
        self._open: Counter[str] = Counter()
        self._unknown = 0

    def take(self, reader: StreamReader) -> None:
        """Counts one more, or refuses with `too_many_streams`."""
        limits = self._limits
        with self._guard:
            most = limits.streams_by_reader if reader.is_known else limits.streams_by_address
            if self._open[reader.name] >= most:
                whose = "this token or session" if reader.is_known else "this address"
                raise _too_many(f"{most} streams of {whose} are open already, which is the most there may be")
            if self._open.total() >= limits.streams:
                raise _too_many(f"{limits.streams} streams are open on this server, which is the most there may be")
            if not reader.is_known and self._unknown >= limits.streams // 2:
                raise _too_many("the streams for visitors are all taken")
            self._open[reader.name] += 1
            self._unknown += not reader.is_known

    def release(self, reader: StreamReader) -> None:
        with self._guard:
            self._open[reader.name] -= 1
            if not self._open[reader.name]:
                del self._open[reader.name]
            self._unknown -= not reader.is_known


def _too_many(why: str) -> WebError:
    return WebError(f"No more streams: {why}. Close some and try again in a minute.", code="too_many_streams")


class EventStream(StreamingResponse):
    """Says something at first, then what `say` makes of each change, until its reader goes or may read no longer."""

    def __init__(
        self, hub: Hub, streams: OpenStreams, reader: StreamReader, wanted: frozenset[str], first: bytes, say: Say
    ) -> None:
        self._hub, self._streams, self._reader, self._wanted = hub, streams, reader, wanted
        self._first, self._say = first, say
        self.status_code = 200
        self.media_type = EVENT_STREAM
        self.background = None
        self.init_headers(None)
        streams.take(reader)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self._hub.listen(self._wanted, self._reader) as listener:
                await self._serve(listener, receive, send)
        finally:
            self._streams.release(self._reader)

    async def _serve(self, listener: Listener, receive: Receive, send: Send) -> None:
        writer = listener.writer = asyncio.create_task(self._write(listener, send))
        gone = asyncio.create_task(self.listen_for_disconnect(receive))
        try:
            await asyncio.wait((writer, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (writer, gone):
                task.cancel()
            ended, _ = await asyncio.gather(writer, gone, return_exceptions=True)
        if isinstance(ended, Exception):
            raise ended

    async def _write(self, listener: Listener, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        text = self._first
        if METERS in self._wanted:
            listener.wake({METERS})  # they may have moved since the first text was made
        while True:
            if text:
                listener.sending_since = time.monotonic()
                await send(_body(text, more_body=True))
                listener.sending_since, listener.said_at = None, time.monotonic()
            if (changed := await listener.changes()) is None:
                break
            text = self._say(changed)
        await send(_body(b"", more_body=False))


def _body(text: bytes, *, more_body: bool) -> Message:
    return {"type": "http.response.body", "body": text, "more_body": more_body}


def event_text(name: str, data: object, id: int | None = None) -> str:
    """One event."""
    number = "" if id is None else f"id: {id}\n"
    return f"event: {name}\n{number}data: {msgspec.json.encode(data).decode()}\n\n"
