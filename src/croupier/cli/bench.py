"""`croupier bench`: how fast this machine simulates."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from croupier.cli.screen import console, print_json, progress_console
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import find_game, game_ids
from croupier.simulate.play import ROUNDS
from croupier.simulate.run import run, run_chunks

SECONDS = 2.0
TITLE = "game, all wagers, fresh shoe"


def show_speeds(*, as_json: bool) -> int:
    """Every game with all its wagers, on one core and on all."""
    cores = os.cpu_count() or 1
    if as_json:
        print_json([_speed(game_id, cores) for game_id in game_ids()])
        return 0
    columns = ("one core, million rounds/s", f"{cores} cores", "ratio")
    widths = [len(column) for column in columns]
    width = max(len(TITLE), *map(len, game_ids()))
    _print_line(TITLE, width, columns, widths)
    for game_id in game_ids():
        speed = _speed(game_id, cores)
        one_core, all_cores = speed["one_core"], speed["all_cores"]
        figures = (f"{one_core / 1e6:.2f}", f"{all_cores / 1e6:.2f}", f"{all_cores / one_core:.2f}")
        _print_line(game_id, width, figures, widths)
    return 0


def _print_line(name: str, width: int, figures: Sequence[str], widths: Sequence[int]) -> None:
    """At once, into a pipe too: a game takes seconds, and whoever interrupts keeps what was measured."""
    cells = (figure.rjust(cell) for figure, cell in zip(figures, widths, strict=True))
    console().print("  ".join((name.ljust(width), *cells)), soft_wrap=True)


def _speed(game_id: str, cores: int) -> dict[str, Any]:
    with progress_console().status(f"measuring {game_id}"):
        spec = prepare(find_game(game_id), Wish(settings={}, pay_tables={})).spec
        run_chunks(spec, 0, 0, 1)
        speeds = {threads: _rounds_per_second(spec, threads) for threads in sorted({1, cores})}
    return {"game": game_id, "one_core": speeds[1], "all_cores": speeds[cores], "cores": cores}


def _rounds_per_second(spec: Any, threads: int) -> float:
    chunks, seconds, rounds = 64 * threads, 0.0, 0
    while seconds < SECONDS:
        start = time.perf_counter()
        rounds += int(run(spec, 1, chunks, threads=threads)[ROUNDS])
        seconds += time.perf_counter() - start
        chunks *= 2
    return rounds / seconds
