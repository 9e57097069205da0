"""What every request passes before anything reads it: its size, how often, and the headers of every answer."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.web.errors import WebError, is_data

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
MOST_REMEMBERED = 10_000


def headers_of(path: str, status: int) -> dict[str, str]:
    """The headers of an answer, by where it is asked for."""
    is_kept = path.startswith("/static/") and status in (200, 206, 304)  # a file that is missing may be there tomorrow
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
    """Longest body of a request: enough for the set-up of a large floor."""
    by_address: Rate = field(default=Rate(burst=600, per_second=100))
    """All requests of one address, which may be a whole room behind one router."""
    by_token: Rate = field(default=Rate(burst=200, per_second=40))
    """All requests with one token."""
    swipes: Rate = field(default=Rate(burst=60, per_second=1))
    """Cards with PINs, from one address, which may be a whole room; a card that is guessed at locks by itself."""
    failures: Rate = field(default=Rate(burst=20, per_second=0.2))
    """Tokens and sessions that are not known, from one address."""
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
    """Refuses bodies that are too long and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, *, body_bytes: int, is_https_only: bool) -> None:
        self._app = app
        self._body_bytes = body_bytes
        self._is_https_only = is_https_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._body_bytes:
                raise HTTPException(413, f"A request has at most {self._body_bytes} bytes")
            return message

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in headers_of(scope["path"], message["status"]).items():
                    headers[name] = value
                if self._is_https_only:
                    headers["Strict-Transport-Security"] = "max-age=31536000"
            await send(message)

        await self._app(scope, counted, with_headers)
