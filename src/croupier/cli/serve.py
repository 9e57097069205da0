"""`croupier serve`: the floor's HTTP API, once its store is there and its address is free."""

from __future__ import annotations

import errno
import socket

from croupier.cli.jackpot_session import require_there
from croupier.errors import RangeError
from croupier.web.serve import run_server


def serve_floor(host: str, port: int, store: str | None, *, demo: bool) -> None:
    address = store or ("demo.db" if demo else "floor.db")
    if not demo:
        require_there(address)
    require_free(host, port)
    run_server(host, port, address, demo=demo)


def require_free(host: str, port: int) -> None:
    """Refuses an address that cannot be listened on, before a store is opened or made for it."""
    try:
        for family, _, _, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
            socket.create_server(place[:2], family=family).close()
    except (OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise RangeError(
                f"Port {port} of {host} is in use, perhaps by another croupier serve. Stop that one, or give another "
                "--port.",
                code="port_in_use",
            ) from error
        reason = (getattr(error, "strerror", None) or "it is no address").split(" (")[0]
        raise RangeError(
            f'"{host}", port {port}, cannot be listened on: {reason}. Give another --host or --port.',
            code="cannot_listen",
        ) from error
