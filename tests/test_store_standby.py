"""A hot standby of PostgreSQL, as docs/operating.md sets it up: what was acknowledged outlives the first server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from croupier.errors import LedgerError
from croupier.store import open_store, verify
from croupier.store.anchors import AnchorKeeper, open_anchors, require_anchored
from croupier.store.probe import Probe
from tests.ledger import NOON, Desk, locked, opened, usd
from tests.postgres import Server, Standby

pytestmark = pytest.mark.kill

ROUNDS = 40


@pytest.fixture
def servers() -> Iterator[tuple[Server, Standby]]:
    with ExitStack() as made:
        first = Server()
        made.callback(first.remove)
        standby = Standby(first, "standby_1")
        made.callback(standby.remove)
        yield first, standby


def test_a_standby_takes_over_with_every_acknowledged_entry(servers: tuple[Server, Standby], tmp_path: Path) -> None:
    first, standby = servers
    url = first.new_database()
    anchors = str(tmp_path / "anchors.txt")
    first.set("synchronous_standby_names", "standby_1")
    standby.wait_until_streaming()
    book = open_store(url)
    desk = Desk(book)
    desk.do(opened(), id="open")
    told = [desk.book.post(desk.request(locked(number, 1), id=f"start-{number}")) for number in range(1, ROUNDS + 1)]
    keeper = AnchorKeeper(book, [anchors], lambda: NOON)
    keeper.start()
    keeper.stop()

    there = standby.url_of(url)
    reading = open_store(there)
    assert reading.head() == book.head(), "a standby is read while it follows"
    assert verify(reading).is_good
    probe = Probe(there)
    with pytest.raises(LedgerError, match="promoted") as refusal:
        probe.require_writable(NOON)
    assert refusal.value.code == "read_only"
    with pytest.raises(LedgerError):
        Desk(reading).do(locked(ROUNDS + 1, 1), id="too-early")

    first.kill()
    book.close()
    standby.promote()
    probe.require_writable(NOON)
    probe.close()
    reading.close()
    again = open_store(there)
    require_anchored(again, [open_anchors(anchors)])
    assert all(again.entry(sealed.entry.id) == sealed for sealed in told)
    repeated = Desk(again).request(locked(ROUNDS, 1), id=f"start-{ROUNDS}")
    assert again.post(repeated) == told[-1], "an answer that was lost is given again"
    Desk(again).do(locked(ROUNDS + 1, 1), id="on-the-standby")
    assert again.meter_micros("push") == usd("10000") + (ROUNDS + 1) * usd("0.2")
    assert verify(again).is_good
    again.close()


def test_without_its_standby_nothing_is_acknowledged_until_it_is_back(servers: tuple[Server, Standby]) -> None:
    """Nobody is told of an entry that is in one place only."""
    first, standby = servers
    url = first.new_database()
    first.set("synchronous_standby_names", "standby_1")
    standby.wait_until_streaming()
    book = open_store(url)
    desk = Desk(book)
    desk.do(opened(), id="open")
    standby.stop("fast")
    answered: list[str] = []

    def play() -> None:
        answered.append(desk.book.post(desk.request(locked(1, 1), id="start")).entry.id)

    thread = Thread(target=play)
    thread.start()
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    until = time.monotonic() + 60
    with psycopg.connect(url, autocommit=True) as connection:
        while (connection.execute(waiting).fetchone() or (0,))[0] == 0:
            assert time.monotonic() < until
            time.sleep(0.05)
    assert not answered
    standby.start()
    thread.join(60)
    assert answered == ["start"]
    book.close()
