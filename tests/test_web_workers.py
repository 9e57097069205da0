"""`croupier serve --workers`: several processes at one address, which answer as one, and are kept alive and ended."""

from __future__ import annotations

import http.client
import os
import re
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from croupier.web.api.rights import PREFIX
from croupier.web.counts import Counting, Counts
from croupier.web.guard import COOKIE
from tests.conftest import Croupier
from tests.kill_server import PATIENCE_S, Caller, ServerProcess, Tally, open_house
from tests.kill_tables import examine, seat_tables
from tests.postgres import Server
from tests.test_web_kill import NOTHING, every_command


def workers_of(server: ServerProcess) -> set[int]:
    """Those that answer; a server's other child only watches over what processes share."""
    found = set()
    for task in Path(f"/proc/{server.pid}/task").iterdir():
        for pid in map(int, (task / "children").read_text().split()):
            with suppress(OSError):
                if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text():
                    found.add(pid)
    return found


def is_alive(pid: int) -> bool:
    with suppress(OSError):
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    return False


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, "it does not come to that"
        time.sleep(0.05)


def presses_counted(caller: Caller) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", caller.port, timeout=60)
    connection.request("GET", f"{PREFIX}/metrics", headers={"Cookie": f"{COOKIE}={caller.cookie}"})
    text = connection.getresponse().read().decode()
    connection.close()
    return sum(map(int, re.findall(r'croupier_answers_total{kind="action".*} (\d+)', text)))


@pytest.mark.kill
def test_workers_answer_as_one_and_one_that_is_killed_is_replaced(postgres: Server) -> None:
    url = postgres.new_database()
    house = open_house(url, tables=2)
    server = ServerProcess(url, "--workers", "2")
    server.start()
    try:
        server.wait_ready()
        wait_until(lambda: len(workers_of(server)) == 2)
        tally = Tally()
        tables = seat_tables(house, server.port, 0, tally, keep_alive=False)
        with ThreadPoolExecutor(len(tables)) as pool:
            list(pool.map(every_command, tables))
        boss = tables[0].boss
        wait_until(lambda: presses_counted(boss) >= tally.acknowledged)  # of both, whichever is asked
        first = workers_of(server)
        os.kill(min(first), signal.SIGKILL)
        every_command(tables[0])
        wait_until(lambda: len(workers_of(server)) == 2 and workers_of(server) != first)
        every_command(tables[1])
        last = workers_of(server)
        server.end()
        assert not any(map(is_alive, last))
    finally:
        server.stop()
    assert examine(url, tables) == NOTHING
    postgres.drop_database(url)


@pytest.mark.kill
def test_workers_end_with_whoever_started_them_and_say_once_why_they_cannot_begin(postgres: Server) -> None:
    url = postgres.new_database()
    server = ServerProcess(url, "--workers", "2", "--demo")
    server.start()
    try:
        server.wait_ready()
        wait_until(lambda: len(workers_of(server)) == 2)
        workers = workers_of(server)
        server.kill()
        wait_until(lambda: not any(map(is_alive, workers)))
    finally:
        server.stop()
    refused = ServerProcess(url, "--workers", "2")  # with the well-known cards of a demonstration
    refused.start()
    assert refused.status() == 2
    assert refused.said().count("default_secret") == 1
    refused.stop()
    postgres.drop_database(url)


def test_several_workers_need_postgresql(croupier: Croupier, tmp_path: Path) -> None:
    said = croupier("serve", "--demo", "--workers", "2", "--store", str(tmp_path / "floor.db"))
    assert said.status == 2 and "workers_need_postgresql" in said.err
    assert not list(tmp_path.iterdir())


def test_each_worker_says_what_all_of_them_have_counted(tmp_path: Path) -> None:
    here, there = Counting(tmp_path), Counting(tmp_path)
    try:
        for counting, seconds in ((here, 0.001), (there, 0.3), (there, 99.0)):
            counting.count("action", "/tables", 200, seconds)
        there.count("read", "/ready", 503, 0.001)
        here.keep()
        there.keep()
        assert here.in_all() == there.in_all() == here.here() + there.here()
        assert here.in_all().answers == [("action", "/tables", 200, 3), ("read", "/ready", 503, 1)]
        assert here.in_all().seconds["action"] == [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]
        assert here.in_all().total_seconds["action"] == pytest.approx(99.301)
    finally:
        here.stop()
        there.stop()
    assert Counting().in_all() == Counts()
