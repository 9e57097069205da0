"""How the speed of simulation changes with threads, with the size of a chunk and with the size of the shoe.

python -m bench.sweeps
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.limit import GAMES, spec_of
from bench.strategy import one_core
from croupier.simulate import run as runs
from croupier.simulate.play import ROUNDS
from croupier.simulate.run import Spec, run, run_chunks

PLOT = Path(__file__).parent / "results" / "sweeps.svg"
THREADS = (1, 2)
CHUNK_SIZES = (256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
DECKS = range(1, 9)
BACCARAT_DECKS = (6, 8)
TURNS = 7
ROUNDS_OF_TURN = 1 << 20

Sweep = dict[str, dict[int, float]]
"""For each game rounds a second at each size."""


@dataclass(frozen=True)
class Sweeps:
    """All three."""

    threads: Sweep
    chunks: Sweep
    decks: Sweep


@contextmanager
def chunks_of(rounds: int) -> Iterator[None]:
    """Runs have chunks of another size, and so other counts, for a while."""
    before = runs.CHUNK_ROUNDS
    runs.CHUNK_ROUNDS = rounds
    try:
        yield
    finally:
        runs.CHUNK_ROUNDS = before


def by_turns(played: dict[int, Callable[[], int]]) -> dict[int, float]:
    """Rounds a second of the best turn at each size; all sizes take turns, so that a busy moment hits them alike."""
    best = dict.fromkeys(played, 0.0)
    for _ in range(TURNS):
        for size, one_turn in played.items():
            start = time.perf_counter()
            rounds = one_turn()
            best[size] = max(best[size], rounds / (time.perf_counter() - start))
    return best


def threads() -> Sweep:
    def turn(spec: Spec, count: int) -> Callable[[], int]:
        chunks = count * ROUNDS_OF_TURN // spec.chunk_size
        return lambda: int(run(spec, 1, chunks, threads=count)[ROUNDS])

    found = {}
    for game in GAMES:
        spec = spec_of(game)
        run_chunks(spec, 0, 0, 1)  # compiles
        found[game] = by_turns({count: turn(spec, count) for count in THREADS})
    return found


def chunk_sizes() -> Sweep:
    def turn(spec: Spec, size: int) -> Callable[[], int]:
        def one() -> int:
            with chunks_of(size):
                return int(run_chunks(spec, 1, 0, ROUNDS_OF_TURN // size)[ROUNDS])

        return one

    with one_core():
        return {game: by_turns({size: turn(spec_of(game), size) for size in CHUNK_SIZES}) for game in GAMES}


def shoe_sizes() -> Sweep:
    def turn(spec: Spec) -> Callable[[], int]:
        return lambda: int(run_chunks(spec, 1, 0, ROUNDS_OF_TURN // spec.chunk_size)[ROUNDS])

    with one_core():
        return {
            game: by_turns(
                {
                    decks: turn(spec_of(game, decks=decks))
                    for decks in (BACCARAT_DECKS if game == "mini_baccarat" else DECKS)
                }
            )
            for game in GAMES
        }


def measure() -> Sweeps:
    return Sweeps(threads=threads(), chunks=chunk_sizes(), decks=shoe_sizes())


def plot(sweeps: Sweeps, path: Path) -> None:
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    mpl.rcParams["svg.hashsalt"] = "croupier"
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.5), sharey=True)
    for axes, sweep, label in ((left, sweeps.chunks, "rounds of a chunk"), (right, sweeps.decks, "decks in the shoe")):
        for game, speeds in sweep.items():
            axes.plot(list(speeds), [speed / 1e6 for speed in speeds.values()], marker="o", label=game)
        axes.set_xlabel(label)
    left.set_xscale("log", base=2)
    left.set_ylabel("million rounds a second, one core")
    left.set_ylim(bottom=0)
    right.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def table(sweep: Sweep, label: str, *, ratio_to: int | None = None) -> list[str]:
    """A row for each game, in million rounds a second; `ratio_to` adds how the last column compares with that one."""
    sizes = sorted({size for speeds in sweep.values() for size in speeds})
    heads = [f"{size:,}" for size in sizes] + (["ratio"] if ratio_to is not None else [])
    lines = [f"| {label} | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for game, speeds in sweep.items():
        cells = [f"{speeds[size] / 1e6:.1f}" if size in speeds else "" for size in sizes]
        if ratio_to is not None:
            cells.append(f"{speeds[sizes[-1]] / speeds[ratio_to]:.2f}")
        lines.append(f"| {game} | {' | '.join(cells)} |")
    return lines


def tables(sweeps: Sweeps) -> list[str]:
    return [
        *table(sweeps.threads, "threads", ratio_to=THREADS[0]),
        "",
        *table(sweeps.chunks, "rounds of a chunk"),
        "",
        *table(sweeps.decks, "decks"),
    ]


if __name__ == "__main__":
    sys.stdout.write("\n".join(tables(measure())) + "\n")
