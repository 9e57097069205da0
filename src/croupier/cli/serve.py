"""`croupier serve`: the floor's pages and HTTP API, once its store is there and its address is free."""

from __future__ import annotations

import errno
import os
import socket
from functools import partial

import msgspec
from rich.markup import escape
from sqlalchemy import make_url

from croupier.cli.jackpot.screen import print_findings
from croupier.cli.jackpot.session import require_there
from croupier.cli.screen import console
from croupier.errors import RangeError
from croupier.floor.credentials import DEMO_PEOPLE
from croupier.hall.place import VARIABLE
from croupier.reports.render.terminal import simple_table
from croupier.store.backups.process import BackupPlan
from croupier.web.addresses import read_proxies
from croupier.web.ready import Keeping
from croupier.web.serve import Serving, run_server
from croupier.web.services import Services
from croupier.web.workers import require_shareable, run_workers

PROXY_VARIABLE = "CROUPIER_PROXY"
"""Trusted proxies, separated by commas or spaces."""


def serve_floor(
    host: str,
    port: int,
    database: str | None,
    *,
    demo: bool,
    games: list[str],
    proxies: list[str],
    play_database: str | None,
    keeping: Keeping,
    log_json: bool = False,
    workers: int = 1,
) -> None:
    trusted = read_proxies(proxies or os.environ.get(PROXY_VARIABLE, "").replace(",", " ").split())
    address = database or ("demo.db" if demo else "floor.db")
    serving = Serving(
        host=host,
        port=port,
        store_url=address,
        demo=demo,
        games=tuple(games),
        proxies=trusted,
        play_database=play_database or os.environ.get(VARIABLE, ""),
        keeping=keeping,
        log_json=log_json,
    )
    require_shareable(serving, workers)
    if not demo:
        require_there(address)
    require_free(host, port)
    if workers == 1:
        run_server(serving, partial(show_start, serving))
    else:
        run_workers(serving, workers, partial(show_start, serving))


def show_start(serving: Serving, room: Services) -> None:
    """What is said once it serves; by a worker, of the first of them."""
    show_address(serving.host, serving.port, serving.store_url, demo=serving.demo)
    show_closed(room)


def kept_by(anchors: list[str], folder: str | None, every: float, keep: int, key: str | None) -> Keeping:
    """What the options say of anchors and backups."""
    if folder is None and key is not None:
        raise RangeError("--backup-key says how backups are encrypted: give --backup-folder too.", code="no_folder")
    plan = None
    if folder is not None:
        plan = BackupPlan(folder=folder, every_hours=every, keep=keep, key_file=key)
    return Keeping(anchors=tuple(anchors), backups=plan)


def show_address(host: str, port: int, address: str, *, demo: bool) -> None:
    """Where to look, and in demo mode with which cards."""
    out = console()
    name = f"[{host}]" if ":" in host else host
    kept = "" if "://" in address else f", kept in {address}"
    what = f"A demonstration floor with play money{kept}" if demo else f"The floor of {hide_password(address)}"
    out.print(f"{escape(what)}, at [bold]http://{name}:{port}/[/bold]")
    if demo:
        out.print("Demo cards's staff, for Dealer and Manager:")
        table = simple_table("  role", "card", "PIN")
        for person in DEMO_PEOPLE:
            table.add_row(f"  {person.role}", person.card, person.pin)
        out.print(table)
    out.print("Ctrl+C stops it.")


def show_closed(room: Services) -> None:
    """The tables that this floor may not play at, set up before there was a rule against them."""
    findings = room.closed_tables()
    if findings:
        print_findings(console(), msgspec.to_builtins(findings))


def hide_password(address: str) -> str:
    """A database's address as it may be shown."""
    return make_url(address).render_as_string(hide_password=True) if "://" in address else address


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
        reason = (getattr(error, "strerror", None) or "it is not an address").split(" (")[0]
        raise RangeError(
            f'"{host}", port {port}, is not available: {reason}. Give another --host or --port.',
            code="cannot_listen",
        ) from error
