"""A server and other programs on one SQLite file: none takes the log of writes away from under another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from croupier.cli.jackpot.session import require_there
from croupier.store import open_store
from croupier.store.play import PlayStore
from tests.ledger import Desk, locked, opened

LOOK = """
import sys
from croupier.store import open_store, verify
book = open_store(sys.argv[1])
found = verify(book)
print(found.is_good, book.head()[0])
book.close()
"""


def look(path: Path) -> str:
    """Another process opens the ledger, reads all of it and closes it again."""
    done = subprocess.run([sys.executable, "-c", LOOK, str(path)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_what_a_server_commits_is_seen_after_others_opened_and_closed_the_file(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    book, play = open_store(str(path)), PlayStore(str(path))  # as the server does
    desk = Desk(book)
    desk.do(opened())
    require_there(str(path))
    play.player("nobody")
    first = (tmp_path / "floor.db-wal").stat().st_ino
    entries = book.head()[0]
    assert look(path) == f"True {entries}"
    assert (tmp_path / "floor.db-wal").stat().st_ino == first, "the log of writes was taken away from under the server"
    desk.do(locked(1, 2, 3))
    assert look(path) == f"True {entries + 1}"
    play.close()
    book.close()
    assert look(path) == f"True {entries + 1}"
