"""`make bench-report`: the speed of simulation against others and over its settings, written to bench/REPORT.md.

python -m bench.report
"""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from bench import limit, peers, poker, sweeps

HERE = Path(__file__).parent
REPORT = HERE / "REPORT.md"
GPU = (HERE / "results" / "gpu.md", HERE / "results" / "gpu_second_stream.md")


def cpu_model() -> str:
    """What the processor calls itself."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def machine() -> list[str]:
    return [
        "| | |",
        "|---|---|",
        f"| processor | {cpu_model()}, {os.cpu_count()} cores |",
        f"| other work when the run began | a load of {os.getloadavg()[0]:.1f} |",
        f"| Python | {platform.python_version()}, NumPy {version('numpy')}, Numba {version('numba')} |",
        f"| C++ | {limit.compiler_version()}, `{' '.join(limit.FLAGS)}` |",
    ]


def against_cpp() -> list[str]:
    return [
        "## Against C++ written by hand",
        "",
        "Made by `python -m bench.limit`. `bench/limit.cpp` plays the same rounds from the same random numbers by the",
        "same strategy: one seat, a fresh shoe for each round, all wagers; every cell of the counts is compared. It",
        "is a scalar loop, one round after the other, as a programmer would write it for this machine alone; it does",
        "not play many chunks in step with vector instructions. Both sides look the strategy up in full: Croupier in",
        "the solver's tables, C++ in an automaton made of them, whose number of nodes is given. Play by totals is the",
        "main comparison.",
        "",
        f"One core, {limit.REPEATS} turns of {limit.CHUNKS * 4096:,} rounds, Croupier and C++ by turns in one process.",
        "Speeds are those of the best turn; the ratio is Croupier's time for one of C++, best turn to best turn, then",
        "the median over pairs of neighboring turns.",
        "",
        *limit.table(limit.measure()),
    ]


def against_peers() -> list[str]:
    measured = peers.measure()
    return [
        "## Against packages that can be installed",
        "",
        "Made by `python -m bench.peers`, one core each, Croupier measured right before and after each peer: blackjack",
        "with splits, doubles, both side wagers and 6 decks, fresh for each round. Peers play the chart of hitting and",
        "standing, the fastest way that they offer (`bench/peers_play.py`). Most of them are made for learning agents,",
        "not for estimates: the ratio says what a study of the odds would wait, not that they do their own job badly.",
        "None was found that plays baccarat or Double Down Madness.",
        "",
        *peers.table(measured),
        "",
        f"Sought as well, and not in the index used here: {', '.join(peers.not_there()) or 'nothing'}.",
    ]


def poker_hands() -> list[str]:
    return [
        "## Seven-card poker hands",
        "",
        f"Made by `python -m bench.poker`, one core: all {poker.SEVENS:,} hands, each ranked by the same function that",
        "rounds call, against `bench/poker.cpp`, the same evaluator and loop by hand, and against packages called as",
        "they are meant to be, from Python. The ratio is the census's speed to the row's.",
        "",
        *poker.lines(),
    ]


def over_settings() -> list[str]:
    found = sweeps.measure()
    sweeps.PLOT.parent.mkdir(exist_ok=True)
    sweeps.plot(found, sweeps.PLOT)
    return [
        "## Threads, chunks, shoes",
        "",
        "Made by `python -m bench.sweeps`, million rounds a second, all wagers, play by totals; the best of",
        f"{sweeps.TURNS} turns of {sweeps.ROUNDS_OF_TURN:,} rounds, all sizes by turns.",
        "",
        *sweeps.table(found.threads, "threads", ratio_to=sweeps.THREADS[0]),
        "",
        "One core, by rounds of a chunk (4,096 is what Croupier uses; another size gives other counts):",
        "",
        *sweeps.table(found.chunks, "rounds of a chunk"),
        "",
        "One core, by decks:",
        "",
        *sweeps.table(found.decks, "decks"),
        "",
        f"![speed by chunk and by shoe]({sweeps.PLOT.relative_to(HERE).as_posix()})",
    ]


def on_gpu() -> list[str]:
    """Measured apart, on a machine that has one: the files' own words, their headings one level down."""
    lines = "\n".join(path.read_text() for path in GPU).rstrip().splitlines()
    return [f"#{line}" if line.startswith("#") else line for line in lines]


def main() -> None:
    parts = [
        ["# Speed of simulation", "", "Made by `make bench-report`; every ratio is of one run on one machine.", ""],
        machine(),
        [""],
        against_cpp(),
        [""],
        against_peers(),
        [""],
        poker_hands(),
        [""],
        over_settings(),
        [""],
        on_gpu(),
    ]
    text = "\n".join(line for part in parts for line in part) + "\n"
    REPORT.write_text(text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
