"""The real server killed under load, its database stopped, answers lost: nothing acknowledged is lost or done twice.

`python -m tests.kill_run --help` runs the same for any number of seeds and kills.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.kill_proxy import Line
from tests.kill_run import run
from tests.kill_server import ServerProcess, Tally, open_house
from tests.kill_tables import CENT, Found, Table, ask_again, examine, seat_tables
from tests.postgres import Server

pytestmark = pytest.mark.kill

COMMANDS = {"sense", "start", "pick", "hit", "pay", "reject", "back-out", "adjust", "end"}
NOTHING = Found()


def test_a_server_killed_under_load_loses_and_doubles_nothing(store_url: str) -> None:
    outcome = run(store_url, seed=1, kills=3, most_again=60)
    assert outcome.found == NOTHING, outcome.line()
    assert outcome.kills >= 3
    assert outcome.tally.acknowledged > 50
    assert outcome.tally.lost > 0


def test_postgresql_stopped_and_killed_under_a_living_server(postgres: Server) -> None:
    url = postgres.new_database()
    outcome = run(url, seed=2, kills=0, postgres=postgres, stops=("immediate", "killed"), most_again=60)
    assert outcome.found == NOTHING, outcome.line()
    assert outcome.kills == 0
    assert outcome.tally.unavailable > 0
    postgres.drop_database(url)


def every_command(table: Table) -> None:
    """Two rounds in which each command comes up."""
    for seat in (1, 4):
        table.light(seat)
    table.start()
    table.pick(1, "suited_22")
    table.back_out(table.pay(table.hit()))
    table.end()
    table.adjust(-CENT)
    table.light(2)
    table.start()
    table.pick(0, "suited_4567_other")
    table.reject(table.hit())
    table.end()


def test_a_command_whose_request_or_answer_is_lost_or_that_comes_twice_is_done_once(store_url: str) -> None:
    house = open_house(store_url, tables=2)
    server = ServerProcess(store_url)
    server.start()
    server.wait_ready()
    line = Line(server.port, ("request lost", "answer lost", "comes twice", "comes twice"), server.kill_and_start)
    try:
        table = seat_tables(house, line.port, 0, Tally(), keep_alive=False)[0]
        for _ in range(2):  # the second time what came twice is followed by the same kind of command anew
            every_command(table)
        assert all(line.fated[fate] == COMMANDS for fate in ("request lost", "answer lost", "comes twice"))
        assert line.unlike == []
        asked, wrong = ask_again([table], 100, Random(0))
        assert asked and not wrong
    finally:
        line.stop()
        server.stop()
    assert examine(store_url, [table]) == NOTHING


def test_the_server_dies_after_each_kind_of_command_was_booked_and_before_its_answer(tmp_path: Path) -> None:
    url = f"{tmp_path}/ledger.db"
    house = open_house(url, tables=2)
    server = ServerProcess(url)
    server.start()
    server.wait_ready()
    line = Line(server.port, ("server dies",), server.kill_and_start)
    try:
        table = seat_tables(house, line.port, 0, Tally(), keep_alive=False)[0]
        every_command(table)
        assert line.fated["server dies"] == COMMANDS
        assert server.kills == len(COMMANDS)
        asked, wrong = ask_again([table], 100, Random(0))
        assert asked and not wrong
    finally:
        line.stop()
        server.stop()
    assert examine(url, [table]) == NOTHING
    # An examination that cannot fail proves nothing: a payment that was never sent, and one that nobody was told of.
    paid = next(deed for deed in table.deeds if deed.kind == "pay")
    table.deeds.append(replace(paid, key="kill-never-sent"))
    assert examine(url, [table]).losses == ["kill-never-sent", "kill-never-sent/1"]
    table.deeds = [deed for deed in table.deeds if deed.kind != "start"]
    assert any(problem.startswith("meter is") for problem in examine(url, [table]).problems)
