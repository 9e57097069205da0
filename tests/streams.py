"""Streams of server-sent events over real connections, as signs and pages read them."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from croupier.web.guard import COOKIE
from tests.web_client import Client


@contextmanager
def opened(port: int, path: str, client: Client | None = None, **headers: str) -> Iterator[http.client.HTTPResponse]:
    """The answer at a path, to somebody with a token or a session, or to anybody."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if client is not None and client.token:
        sent["Authorization"] = f"Bearer {client.token}"
    if client is not None and client.csrf:
        sent["Cookie"] = f"{COOKIE}={client.http.cookies[COOKIE]}"
    connection.request("GET", path, headers=sent)
    try:
        yield connection.getresponse()
    finally:
        connection.close()


def next_said(answer: http.client.HTTPResponse) -> tuple[str, str, Any]:
    """The next event that is no heartbeat: name, id, data."""
    lines: dict[str, str] = {}
    while True:
        read = answer.readline().decode()
        assert read, "the stream has ended"
        line = read.rstrip("\n")
        if line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            lines[name] = value
        elif lines:
            if lines["event"] != "alive":
                return lines["event"], lines.get("id", ""), json.loads(lines["data"])
            lines = {}
