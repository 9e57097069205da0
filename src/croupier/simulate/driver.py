"""Runs chunk after chunk until enough has been played, with a checkpoint that can be taken up again."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from croupier.errors import CroupierError, NotationError
from croupier.simulate import play
from croupier.simulate.run import Backend, Spec, program_stamp, run_chunks

Array = NDArray[Any]


class CheckpointError(CroupierError):
    """A checkpoint that cannot be taken up."""

    code = "bad_checkpoint"


@dataclass
class Progress:
    """How far a run has come. Chunks are done from the first on, without gaps."""

    spec: Spec
    seed: int
    chunks: int = 0
    counts: Array = field(default_factory=lambda: np.zeros(play.COUNT_CELLS, np.int64))
    seconds: float = 0.0
    """Time spent playing, compilation not counted."""

    @property
    def rounds(self) -> int:
        return int(self.counts[play.ROUNDS])

    def add(self, chunks: int, counts: Array) -> None:
        self.chunks += chunks
        self.counts = self.counts + counts


class Machine(Protocol):
    """Something that plays chunks."""

    @property
    def name(self) -> str:
        """What it is called on the command line."""
        ...

    def warm_up(self, spec: Spec) -> None:
        """Compiles what has to be compiled."""
        ...

    def play(self, spec: Spec, seed: int, parts: list[tuple[int, int]]) -> Iterator[tuple[int, Array]]:
        """Plays ranges of chunks; gives the number of chunks and the counts of each, in order."""
        ...

    @property
    def width(self) -> int:
        """How many ranges it plays at once."""
        ...

    @property
    def grain(self) -> int:
        """The least chunks of a range that keep it busy."""
        ...

    @property
    def step_seconds(self) -> float:
        """How long one step takes, so that progress is seen and a key stops it soon."""
        ...

    def close(self) -> None:
        """Gives back what it holds."""
        ...


@dataclass
class LocalMachine:
    """This computer: all its cores, or plain Python for reference."""

    backend: Backend = "cpu"
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)

    @property
    def name(self) -> str:
        return self.backend

    @property
    def width(self) -> int:
        return self.threads if self.backend == "cpu" else 1

    grain = 1
    step_seconds = 0.4

    def close(self) -> None:
        """Nothing: threads end with each step."""

    def warm_up(self, spec: Spec) -> None:
        run_chunks(spec, 0, 0, 0, backend=self.backend)

    def play(self, spec: Spec, seed: int, parts: list[tuple[int, int]]) -> Iterator[tuple[int, Array]]:
        with ThreadPoolExecutor(self.width) as pool:
            yield from play_parts(pool, spec, seed, parts, self.backend)


def play_parts(
    pool: Executor, spec: Spec, seed: int, parts: list[tuple[int, int]], backend: Backend
) -> Iterator[tuple[int, Array]]:
    futures = [pool.submit(run_chunks, spec, seed, first, last, backend=backend) for first, last in parts]
    for (first, last), future in zip(parts, futures, strict=True):
        yield last - first, future.result()


@dataclass(frozen=True, kw_only=True)
class Goal:
    """When to stop: after so many chunks or seconds, or when a standard error is small enough."""

    chunks: int | None = None
    seconds: float | None = None
    standard_error: float | None = None


def run_until(
    progress: Progress,
    machine: Machine,
    goal: Goal,
    *,
    error_of: Callable[[Array], float],
    seen: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Plays on from where `progress` stands; it is whole after every step, so it may be left by an exception."""
    step = 1
    while not reached(progress, goal, error_of):
        width = machine.width  # asked once: a cluster may lose or gain workers at any moment
        chunks = step * width * machine.grain
        if goal.chunks is not None:
            chunks = min(chunks, goal.chunks - progress.chunks)
        edges = [progress.chunks + chunks * part // width for part in range(width + 1)]
        parts = [(first, last) for first, last in pairwise(edges) if last > first]
        start = time.perf_counter()
        counts = np.sum([part for _, part in machine.play(progress.spec, progress.seed, parts)], axis=0)
        took = time.perf_counter() - start
        progress.seconds += took
        progress.add(chunks, counts)
        seen(progress)
        step = max(1, min(int(step * machine.step_seconds / max(took, 1e-4)), 8 * step))


def reached(progress: Progress, goal: Goal, error_of: Callable[[Array], float]) -> bool:
    """Whether one of the goal's ends has come."""
    if goal.chunks is not None and progress.chunks >= goal.chunks:
        return True
    if goal.seconds is not None and progress.seconds >= goal.seconds:
        return True
    return goal.standard_error is not None and progress.rounds > 0 and error_of(progress.counts) <= goal.standard_error


def save_checkpoint(progress: Progress, path: Path) -> None:
    """Writes a file whole or not at all."""
    data = {
        "croupier_checkpoint": 1,
        "spec": progress.spec.hash,
        "program": program_stamp(),
        "seed": progress.seed,
        "chunks": progress.chunks,
        "seconds": progress.seconds,
        "counts": progress.counts.tolist(),
    }
    handle, temporary = tempfile.mkstemp(dir=path.resolve().parent, suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(data, file)
        file.flush()
        os.fsync(file.fileno())
    Path(temporary).replace(path)


def load_checkpoint(spec: Spec, seed: int, path: Path) -> Progress:
    """Takes up a checkpoint of the same run; a file that is not there yet is an empty one."""
    if not path.exists():
        if not path.resolve().parent.is_dir():
            raise NotationError(f"The checkpoint {path} cannot be written: there is no such folder.", code="bad_path")
        return Progress(spec, seed)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        counts = np.array(data["counts"], np.int64)
        same = data["croupier_checkpoint"] == 1 and len(counts) == play.COUNT_CELLS
        chunks, seconds = int(data["chunks"]), float(data["seconds"])
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise CheckpointError(f"{path} is not a checkpoint of a simulation; name another file.") from None
    if not same or data["spec"] != spec.hash:
        raise CheckpointError(
            f"{path} is a checkpoint of another run: other rules, decks, strategy, seats or shuffle. Name another file."
        )
    if data.get("program") != program_stamp():
        raise CheckpointError(
            f"{path} was written by another version of the program or its libraries, which may play other rounds. "
            "Go on with that version, or name another file."
        )
    if data["seed"] != seed:
        raise CheckpointError(
            f"{path} is a checkpoint with seed {data['seed']}, not {seed}. Give --seed {data['seed']}."
        )
    return Progress(spec, seed, chunks, counts, seconds)
