"""What is noted of a request first: where it comes from, and what a monitor's short address stands for."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.floor.security_log import REQUEST, Incoming
from croupier.web.api.rights import PREFIX

MONITORED = frozenset({"/health", "/ready", "/metrics"})
"""Where monitors look by habit: answered as by the API."""


@dataclass
class NoteRequest:
    """Every request is answered in a context of its own, threads included, so the note is seen by it alone."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if scope["path"] in MONITORED:
                path = PREFIX + scope["path"]
                scope = {**scope, "path": path, "raw_path": path.encode()}
            client = scope.get("client")
            REQUEST.set(Incoming(address=client[0] if client else "unknown"))
        await self.app(scope, receive, send)
