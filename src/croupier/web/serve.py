"""Runs the server."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from croupier.web.addresses import Proxies
    from croupier.web.ready import Keeping
    from croupier.web.services import Services


def run_server(
    host: str,
    port: int,
    store_url: str,
    *,
    demo: bool,
    proxies: Proxies,
    when_ready: Callable[[Services], None],
    play_database: str,
    keeping: Keeping,
    log_json: bool,
) -> None:
    """Serves one floor until it is stopped."""

    from croupier.hall.practice import get_ready
    from croupier.web.app import make_app
    from croupier.web.log_limit import log_to_stderr

    log_to_stderr(as_json=log_json)
    app = make_app(store_url, demo=demo, proxies=proxies, play_database=play_database, keeping=keeping)
    # What is there now stays: looked through for garbage again and again, it would hold up everybody for 0.1 s each.
    gc.collect()
    gc.freeze()
    server = make_server(app, host, port, proxies)
    when_ready(app.state.room)
    app.state.room.work.begin("asked", get_ready)
    get_ready()
    with suppress(KeyboardInterrupt):
        server.run()


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
