"""Runs the server."""

from __future__ import annotations


def run_server(host: str, port: int, store_url: str, *, demo: bool) -> None:
    """Serves one floor until it is stopped."""
    import uvicorn

    from croupier.web.app import make_app

    app = make_app(store_url, demo=demo)
    # Access logs would hold ids of people and awards; the ledger is the log. Streams do not hold up a stop for long.
    uvicorn.run(app, host=host, port=port, access_log=False, server_header=False, timeout_graceful_shutdown=3)
