"""The real server under load, killed: `python -m tests.kill_run --seeds N --kills M --database sqlite|postgresql`.

With `--stop-database M` PostgreSQL is stopped, or its first process killed, while the server lives. Clients ask again
until they are answered. In the end the log has each acknowledged command once, and the money is what they make of it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event, Thread

from tests.kill_server import PATIENCE_S, ServerProcess, Tally, open_house
from tests.kill_tables import Found, Table, ask_again, examine, seat_tables
from tests.postgres import Server

TABLES = 4
STOPS = ("immediate", "killed", "fast")
"""As if the power went; its first process killed; asked to stop, which ends connections."""


class Crowd:
    """Clients that play until they are told to stop, and what went wrong in them."""

    def __init__(self, tables: Sequence[Table], tally: Tally) -> None:
        self._tally = tally
        self._enough = Event()
        self.failures: list[str] = []
        self._threads = [Thread(target=self._play, args=(table,)) for table in tables]
        for thread in self._threads:
            thread.start()

    def _play(self, table: Table) -> None:
        try:
            while not self._enough.is_set():
                table.play()
        except Exception as error:
            self.failures.append(f"{table.name}: {error!r}")

    def wait_for(self, what: str, more: int) -> None:
        """Waits until so many more of that were counted."""
        goal = getattr(self._tally, what) + more
        until = time.monotonic() + PATIENCE_S
        while getattr(self._tally, what) < goal and not self.failures:
            assert time.monotonic() < until, f"the clients have come to a stop at {self._tally}"
            time.sleep(0.005)

    def stop(self) -> None:
        self._enough.set()
        for thread in self._threads:
            thread.join()


@dataclass
class Outcome:
    """A run's numbers."""

    seed: int
    kills: int
    database_stops: int
    tally: Tally
    asked_again: int
    found: Found

    def line(self) -> str:
        met = self.tally
        return (
            f"seed {self.seed}: {self.kills} kills, {self.database_stops} stops of the database, "
            f"{met.acknowledged} acknowledged, {met.refused} refused, {met.lost} answers lost, "
            f"{met.unavailable} times 503, {self.asked_again} asked again, {len(self.found.losses)} losses, "
            f"{len(self.found.doubles)} doubles, {len(self.found.problems)} other problems"
        )


def run(
    url: str, seed: int, kills: int, *, postgres: Server | None = None, stops: Sequence[str] = (), most_again: int = 200
) -> Outcome:
    """Kills the server so many times under load, then stops the database in these ways, and looks at what is left."""
    chance = Random(seed)
    house = open_house(url, TABLES)
    server = ServerProcess(url)
    tally = Tally()
    try:
        server.start()
        server.wait_ready()
        tables = seat_tables(house, server.port, seed, tally)
        crowd = Crowd(tables, tally)
        try:
            for _ in range(kills):
                crowd.wait_for("acknowledged", 10)
                time.sleep(chance.random() * 0.3)
                server.kill_and_start()
                if chance.random() < 0.2:  # again, while it starts
                    time.sleep(chance.random() * 1.5)
                    server.kill_and_start()
                server.wait_ready()
            for how in stops:
                assert postgres is not None
                crowd.wait_for("acknowledged", 10)
                time.sleep(chance.random() * 0.2)
                if how == "killed":
                    postgres.kill()
                else:
                    postgres.stop(how)
                crowd.wait_for("unavailable", TABLES)
                postgres.start_after_kill()
            crowd.wait_for("acknowledged", 20)
        finally:
            crowd.stop()
        again, wrong = ask_again(tables, most_again, chance) if not crowd.failures else (0, [])
        if crowd.failures:
            crowd.failures.append(f"the server said: {server.said()}")
    finally:
        server.stop()
    found = examine(url, tables)
    found.problems += crowd.failures + wrong
    return Outcome(seed, server.kills, len(stops), tally, again, found)


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seeds", type=int, default=1, help="how many runs")
    words.add_argument("--first", type=int, default=0, help="the first seed")
    words.add_argument("--kills", type=int, default=10, help="kills of the server in each run")
    words.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    words.add_argument("--stop-database", type=int, default=0, help="stops of PostgreSQL in each run")
    said = words.parse_args()
    if said.stop_database and said.database == "sqlite":
        words.error("--stop-database is for PostgreSQL: SQLite has no server to stop")
    postgres = Server() if said.database == "postgresql" else None
    is_good = True
    try:
        for seed in range(said.first, said.first + said.seeds):
            with tempfile.TemporaryDirectory() as folder:
                url = postgres.new_database() if postgres else str(Path(folder) / "ledger.db")
                stops = [STOPS[number % len(STOPS)] for number in range(said.stop_database)]
                outcome = run(url, seed, said.kills, postgres=postgres, stops=stops, most_again=1_000)
            found = outcome.found
            sys.stdout.write("\n  ".join([outcome.line(), *found.losses, *found.doubles, *found.problems]) + "\n")
            sys.stdout.flush()
            is_good = is_good and outcome.found.is_good
    finally:
        if postgres:
            postgres.remove()
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
