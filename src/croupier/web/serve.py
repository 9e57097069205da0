"""Runs the server."""

from __future__ import annotations

import gc
from collections.abc import Callable


def run_server(host: str, port: int, store_url: str, *, demo: bool, when_ready: Callable[[], None]) -> None:
    """Serves one floor until it is stopped."""
    import uvicorn

    from croupier.web.app import make_app

    app = make_app(store_url, demo=demo)
    # What is there now stays: looked through for garbage again and again, it would hold up everybody for 0.1 s each.
    gc.collect()
    gc.freeze()
    when_ready()
    # Access logs would hold ids of people and awards; the ledger is the log. Streams do not hold up a stop for long.
    uvicorn.run(
        app,
        host=host,
        port=port,
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
    )
