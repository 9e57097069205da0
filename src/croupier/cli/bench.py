"""`croupier bench`: how fast this machine simulates."""

from __future__ import annotations

import os
import time
from typing import Any

from croupier.cli.screen import console, print_json, progress_console, simple_table
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import find_game, game_ids
from croupier.simulate.play import ROUNDS
from croupier.simulate.run import run, run_chunks

SECONDS = 2.0


def show_speeds(*, as_json: bool) -> int:
    """Every game with all its wagers, on one core and on all."""
    cores = os.cpu_count() or 1
    rows: list[dict[str, Any]] = []
    for name in game_ids():
        with progress_console().status(f"measuring {name}"):
            spec = prepare(find_game(name), Wish(settings={}, pay_tables={})).spec
            run_chunks(spec, 0, 0, 1)
            speeds = {threads: _rounds_per_second(spec, threads) for threads in sorted({1, cores})}
        rows.append({"game": name, "one_core": speeds[1], "all_cores": speeds[cores], "cores": cores})
    if as_json:
        print_json(rows)
        return 0
    columns = ("one core, million rounds/s", f"{cores} cores", "ratio")
    table = simple_table("game, all wagers, fresh shoe", *columns, numbers=columns)
    for row in rows:
        ratio = row["all_cores"] / row["one_core"]
        table.add_row(row["game"], f"{row['one_core'] / 1e6:.2f}", f"{row['all_cores'] / 1e6:.2f}", f"{ratio:.2f}")
    console().print(table)
    return 0


def _rounds_per_second(spec: Any, threads: int) -> float:
    chunks, seconds, rounds = 64 * threads, 0.0, 0
    while seconds < SECONDS:
        start = time.perf_counter()
        rounds += int(run(spec, 1, chunks, threads=threads)[ROUNDS])
        seconds += time.perf_counter() - start
        chunks *= 2
    return rounds / seconds
