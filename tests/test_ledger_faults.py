"""Faults: simulated from seeds, and real ones. No entry that was acknowledged is lost, none is booked twice."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random

import pytest

from croupier.store import open_store, verify
from tests import ledger_simulator
from tests.helpers import ROOT
from tests.ledger import Desk, opened
from tests.postgres import Server

pytestmark = pytest.mark.kill

SEEDS_TOGETHER = 25


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.soak) for first in range(SEEDS_TOGETHER, 400, SEEDS_TOGETHER))]
)
def test_simulated_floors_keep_every_cent(first: int) -> None:
    count = ledger_simulator.simulate_many(range(first, first + SEEDS_TOGETHER))
    assert min(vars(count).values()) > 0, f"something did not come up: {count}"


def test_the_simulator_finds_a_disk_that_forgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulator that cannot fail proves nothing: here power cuts also take what was synced."""
    torn = ledger_simulator.World.restart
    monkeypatch.setattr(
        ledger_simulator.World, "restart", lambda world, synced: torn(world, None if synced is None else 0)
    )
    with pytest.raises(AssertionError, match=r"seed \d+: .* was acknowledged and is gone"):
        ledger_simulator.simulate_many(range(20))


class Worker:
    """A process under load, and what it was told."""

    def __init__(self, url: str, name: str, tables: int = 4) -> None:
        self.told: list[str] = []
        self._complaints = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed by kill
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.ledger_worker", url, name, str(tables)],
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            cwd=ROOT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.told.append(line.strip())

    def wait_for(self, lines: int) -> None:
        goal = len(self.told) + lines
        until = time.monotonic() + 60
        while len(self.told) < goal:
            if time.monotonic() > until or self._process.poll() is not None:
                self._complaints.seek(0)
                raise AssertionError(f"the worker does not work: {self._complaints.read()}")
            time.sleep(0.005)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._complaints.close()


def require_all_there(url: str, told: list[str]) -> None:
    book = open_store(url)
    ids: list[str] = []
    while page := book.entries(after=len(ids)):
        ids += [sealed.entry.id for sealed in page]
    assert len(set(ids)) == len(ids)
    assert len(set(told)) == len(told)
    gone = sorted(set(told) - set(ids))
    assert not gone, f"acknowledged and gone: {gone} of {len(told)} told, {len(ids)} found, head {book.head()[0]}"
    found = verify(book)
    assert found.is_good, found.problem
    book.close()


def test_servers_killed_under_load_lose_nothing(store_url: str) -> None:
    book = open_store(store_url)
    Desk(book).do(opened(reserve_ppm=12_345), id="open")
    book.close()
    chance = Random(1)
    told: list[str] = []
    for _ in range(4):
        workers = [Worker(store_url, "left"), Worker(store_url, "right")]
        for worker in workers:
            worker.wait_for(5)
        time.sleep(chance.random() * 0.2)
        for worker in workers:
            worker.kill()
            told += worker.told
        require_all_there(store_url, told)
    assert len(told) >= 40


def test_postgresql_cut_off_under_load_loses_nothing(postgres: Server) -> None:
    url = postgres.new_database()
    book = open_store(url)
    Desk(book).do(opened(), id="open")
    book.close()
    worker = Worker(url, "table")
    for how in ("immediate", "fast", "immediate"):
        worker.wait_for(20)
        postgres.stop(how)
        postgres.start()
    worker.wait_for(20)
    worker.kill()
    require_all_there(url, worker.told)
