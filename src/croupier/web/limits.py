"""What every request passes before anything reads it: its size, how often, and the headers of every answer."""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.web.errors import WebError, is_data, refusal
from croupier.web.handbook import handbook_policy, is_handbook

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""On every answer."""
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""What a browser may do with an answer of the API, should it show one: nothing."""
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""What a page may do: use what this server sends, and nothing that is written into the page itself."""
FOR_EVER = "public, max-age=31536000, immutable"
"""For files whose names change with their content."""
_HOST_IN_FRONT = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*", re.IGNORECASE)
MOST_REMEMBERED = 10_000
SMALL_BODY_BYTES = 16 * 1024
"""Every command of a table is shorter, and is never refused for the sake of others' long bodies."""
MOST_HELD_BYTES = 64 * 1024 * 1024


def headers_of(path: str, status: int) -> dict[str, str]:
    """The headers of an answer, by where it is asked for."""
    is_kept = path.startswith("/static/") and status in (200, 206, 304)  # a file that is missing may be there tomorrow
    if is_handbook(path):
        return HEADERS | {"Content-Security-Policy": handbook_policy(), "Cache-Control": "no-cache"}
    return HEADERS | {
        "Content-Security-Policy": DATA_POLICY if is_data(path) else PAGE_POLICY,
        "Cache-Control": FOR_EVER if is_kept else "no-store",
    }


@dataclass(frozen=True, kw_only=True)
class Rate:
    """So many at once, and then so many a second."""

    burst: int
    per_second: float


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much of a server one client may have."""

    body_bytes: int = 256 * 1024
    """Longest body of a request: enough for the setup of a large floor."""
    by_address: Rate = field(default=Rate(burst=600, per_second=100))
    """All requests of one address, which may be a whole room behind one router, but those of known callers."""
    by_token: Rate = field(default=Rate(burst=200, per_second=40))
    """All requests of a known caller: of one device, of one session, or of a session at a device."""
    swipes: Rate = field(default=Rate(burst=60, per_second=1))
    """Cards with PINs, of one known caller or else from one address; a card that is guessed at locks by itself."""
    failures: Rate = field(default=Rate(burst=20, per_second=0.2))
    """Tokens and sessions that are not known, from one address."""
    connections: int = 10_000
    """Open at once, streams among them; fewer where the system allows fewer open files."""
    connections_by_address: int = 5_000
    """Of these, from one address, which may be a whole room behind one router. A trusted proxy has no such bound."""
    head_s: float = 10.0
    """For the whole head of a request, from the connection or the request's first byte on."""
    body_s: float = 30.0
    """For the whole body of a request."""
    taking_s: float = 60.0
    """For a client to take what was sent to it, piece by piece, and to let go of a connection that was closed."""
    streams: int = 5000
    """Streams open at once in all. Half of them at most are of visitors without a token or a session."""
    streams_by_reader: int = 50
    """Streams of one device's token, or of one session."""
    streams_by_address: int = 200
    """Streams of all visitors of one address who have neither: a room of guests behind one router."""
    guests: Rate = field(default=Rate(burst=30, per_second=0.1))
    """New players from one address: each is a purse that is kept for a while."""
    presses: Rate = field(default=Rate(burst=120, per_second=20))
    """What players do at tables, from one address, but those who are signed in: each press is written to the disk."""
    heartbeat_s: float = 15.0
    """How often a stream says that it is alive, and looks whether its reader may still read."""


class Buckets:
    """Counts in memory, per name; the longest unused are forgotten first."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._now = now
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._guard = Lock()

    def take(self, name: str, count: int = 1) -> None:
        """Counts, or refuses with `too_many_requests`. A count of 0 only asks."""
        with self._guard:
            now = self._now()
            left, at = self._left.pop(name, (float(self._rate.burst), now))
            left = min(float(self._rate.burst), left + (now - at) * self._rate.per_second)
            enough = left >= max(count, 1)
            self._left[name] = (left - count if enough else left, now)
            if len(self._left) > MOST_REMEMBERED:
                self._left.popitem(last=False)
        if not enough:
            raise WebError("Too many requests: wait a little.", code="too_many_requests")


class Gate:
    """Waits for a request's whole body before anything else is done for it, refuses one that is too long or has two
    lengths, keeps redirects here, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, *, body_bytes: int, is_https_only: bool) -> None:
        self._app = app
        self._body_bytes = body_bytes
        self._is_https_only = is_https_only
        self._held_bytes = 0
        """Of bodies that are still coming in, but small ones."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if "location" in headers:
                    headers["location"] = path_only(headers["location"])
                for name, value in headers_of(scope["path"], message["status"]).items():
                    headers[name] = value
                if self._is_https_only:
                    headers["Strict-Transport-Security"] = "max-age=31536000"
            await send(message)

        try:
            body = await self._body_of(Headers(scope=scope), receive)
        except WebError as error:
            refused = refusal(error)
            refused.headers["Connection"] = "close"  # the rest of its body is not waited for
            await refused(scope, receive, with_headers)
        except ClientDisconnect:
            return  # there is nobody to answer
        else:
            await self._app(scope, self._again(body, receive), with_headers)

    async def _body_of(self, headers: Headers, receive: Receive) -> bytes:
        """The whole body, or the beginning of one that is too long."""
        if "content-length" not in headers and "transfer-encoding" not in headers:
            return b""
        if "content-length" in headers and "transfer-encoding" in headers:
            # A proxy in front might believe the one, we the other, and the rest would pass for a request of its own.
            raise WebError("Send Content-Length or Transfer-Encoding, not both.")
        body, held_bytes, is_more = bytearray(), 0, True
        try:
            while is_more and len(body) <= self._body_bytes:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                body += message.get("body", b"")
                is_more = message.get("more_body", False)
                if len(body) > SMALL_BODY_BYTES:
                    self._held_bytes += len(body) - held_bytes
                    held_bytes = len(body)
                    if is_more and self._held_bytes > MOST_HELD_BYTES:
                        raise WebError("Too many long requests are coming in: wait a little.", code="too_busy")
        finally:
            self._held_bytes -= held_bytes
        return bytes(body)

    def _again(self, body: bytes, receive: Receive) -> Receive:
        """Says the body once more, or that it is too long, and then what the connection says."""
        is_said = False

        async def say() -> Message:
            nonlocal is_said
            if is_said:
                return await receive()
            if len(body) > self._body_bytes:
                raise HTTPException(413, f"A request has at most {self._body_bytes} bytes")
            is_said = True
            return {"type": "http.request", "body": body, "more_body": False}

        return say


def path_only(location: str) -> str:
    """Where a redirect leads, without a host: that would be the one which the client has sent, whatever it is."""
    return "/" + _HOST_IN_FRONT.sub("", location, count=1).lstrip("/\\")
