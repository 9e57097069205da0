"""Runs a server, alone or as one of several workers (`workers.py`)."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.rules.registry import offer_games

if TYPE_CHECKING:
    import socket

    import uvicorn
    from fastapi import FastAPI

    from croupier.web.addresses import Proxies
    from croupier.web.ready import Keeping
    from croupier.web.services import Services

WhenReady = Callable[["Services"], None]


@dataclass(frozen=True, kw_only=True)
class Serving:
    """Which floor is served where. As plain data, since it is sent to workers."""

    host: str
    port: int
    store_url: str
    demo: bool
    games: tuple[str, ...]
    """Folders of games that are offered too."""
    proxies: Proxies
    play_database: str
    keeping: Keeping
    log_json: bool


def run_server(serving: Serving, when_ready: WhenReady) -> None:
    """Serves one floor until it is stopped."""
    app, server = prepare(serving)
    serve_until_stopped(app, server, lambda: when_ready(app.state.room))


def prepare(serving: Serving, *, counts: str | None = None) -> tuple[FastAPI, uvicorn.Server]:
    """The application on its store and its server, which does not listen yet. `counts` is the folder of the workers'
    counts, where there are several."""
    from croupier.web.app import make_app
    from croupier.web.log_limit import log_to_stderr

    log_to_stderr(as_json=serving.log_json)
    offer_games(list(serving.games))
    app = make_app(
        serving.store_url,
        demo=serving.demo,
        proxies=serving.proxies,
        play_database=serving.play_database,
        keeping=serving.keeping,
        counts=Path(counts) if counts is not None else None,
    )
    # What is there now stays: looked through for garbage again and again, it would hold up everybody for 0.1 s each.
    gc.collect()
    gc.freeze()
    return app, make_server(app, serving.host, serving.port, serving.proxies)


def serve_until_stopped(
    app: FastAPI, server: uvicorn.Server, when_ready: Callable[[], None], listeners: list[socket.socket] | None = None
) -> None:
    from croupier.hall.practice import get_ready

    when_ready()
    app.state.room.work.begin("asked", get_ready)
    get_ready()
    with suppress(KeyboardInterrupt):
        server.run(sockets=listeners)


def make_server(app: FastAPI, host: str, port: int, proxies: Proxies) -> uvicorn.Server:
    """A server of an application of `make_app`, not yet running."""
    import uvicorn

    from croupier.web.connections import TAKEN_TOGETHER, BoundedServer, Connections, connections_for, protocol_for

    limits = app.state.room.limits
    connections = Connections(limits, connections_for(limits), proxies)
    # Access logs would hold ids of people and awards; the ledger is the log. Streams do not hold up a stop for long.
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=protocol_for(connections),
        ws="none",
        backlog=TAKEN_TOGETHER,
        access_log=False,
        log_config=None,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    return BoundedServer(config)
