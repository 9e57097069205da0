"""Decides rounds whose sights tell all: forward to find every question, backward to answer them, forward to count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from os import cpu_count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact import stages, tree
from croupier.kernels.link import compile_cpu

Array = NDArray[np.int64]
Progress = Callable[[float], None]
Run = Callable[[tree.Tree, int, stages.StageSums, Array], bool]
PARTS = 8
"""Parts that the paths of a stage are looked at in, so that a bar can move."""
FIRST_ROOM = 1 << 12
EFFECTS = {name: getattr(tree, name) for name in ("draw", "deal", "settle", "tell")}
EFFECTS |= {name: getattr(stages, name) for name in ("ask", "stake", "pay")}
KNOWING = {"known": tree.by_sight, "note_card": tree.note_nothing, "note_answer": tree.note_nothing}


@dataclass
class Stage:
    """All that can be asked as the so-manyth question."""

    keys: Array
    """Sights with their questions, in rising order."""
    legal: Array
    paths: Array
    """One way to come to each: cards and answers, then nothing."""
    lengths: Array

    def answered(self, answers: Array) -> Array:
        """The paths with these answers to the questions that they lead to."""
        paths = np.column_stack([self.paths, np.full(len(self.paths), stages.NO_STEP)])
        paths[np.arange(len(paths)), self.lengths] = stages.UNANSWERED - answers
        return paths


@dataclass(frozen=True)
class Staged:
    """A round to run stage by stage."""

    run: Run
    new_tree: Callable[[int], tree.Tree]
    """A tree whose level is a stage."""
    check: Callable[[tree.Tree], None]
    """Raises if it refused a run."""
    starts: Array
    """The first cards, up to exchange of suits."""
    weights: Array
    """How many such there are of each."""
    answers: int
    """The most answers of a question."""
    cells: int
    """Cells of a row of sums."""
    steps: int
    """Cards and answers of a round, at most."""


@cache
def compiled(play: Any, name: str) -> Run:
    effects: dict[str, Any] = {**EFFECTS, **KNOWING, "play": play}
    run: Run = compile_cpu(stages.explore_stage, f"stages-{name}", effects)
    return run


def find_stages(staged: Staged, progress: Progress) -> list[Stage]:
    """Every question of each stage, until none comes any more."""
    found: list[Stage] = []
    paths, level = staged.starts, stages.NO_QUESTION
    while True:
        stage = _next_stage(staged, level, paths)
        if not len(stage.keys):
            return found
        found.append(stage)
        paths, level = stage.paths, level + 1
        progress(len(found))


def _next_stage(staged: Staged, level: int, paths: Array) -> Stage:
    keys, legal, ways, lengths = [], [], [], []
    for work in _each_part(staged, level, stages.FIND, [{"paths": part} for part in _pieces(paths)]):
        used = work.keys != tree.NO_KEY
        keys.append(work.keys[used])
        legal.append(work.legals[used])
        ways.append(work.found[used])
        lengths.append(work.lengths[used])
    all_keys, first = np.unique(np.concatenate(keys), return_index=True)
    steps = np.concatenate(lengths)[first]
    longest = int(steps.max(initial=0))
    return Stage(all_keys, np.concatenate(legal)[first], np.concatenate(ways)[first, :longest], steps)


def decide_stages(staged: Staged, found: list[Stage], best_of: Any, progress: Progress) -> list[Array]:
    """The plain sums of each question by answer, stage by stage, the last decided first. `best_of` says by legal
    answers and sums which answer is the best."""
    sums: list[Array] = []
    following = _no_questions()
    for level in range(len(found) - 1, -1, -1):
        stage = found[level]
        given = [{"paths": part, "keys": following[0], "known": following[1]} for part in _pieces(stage.paths)]
        tell = partial(_tell, progress, len(found) - 1 - level)
        works = _each_part(staged, level, stages.DECIDE, given, tell)
        rows = _joined([work.sums for work in works], len(stage.keys))
        best = best_of(stage.legal, rows)
        following = (stage.keys, rows[np.arange(len(rows)), best])
        sums.append(rows)
    return sums[::-1]


def _tell(progress: Progress, done: int, share: float) -> None:
    progress(done + share)


def account_stages(staged: Staged, found: list[Stage], answers: list[Array]) -> tuple[Array, list[Array]]:
    """One row of sums over all rounds under these answers, and in how many ways each question comes."""
    total = np.zeros((staged.cells, 2), np.int64)
    reached: list[Array] = []
    paths, ways = staged.starts, staged.weights
    for level in range(stages.NO_QUESTION, len(found)):
        keys = found[level + 1].keys if level + 1 < len(found) else _no_questions()[0]
        pieces = zip(_pieces(paths), _pieces(ways), strict=True)
        given = [{"paths": part, "ways": of_part, "keys": keys} for part, of_part in pieces]
        coming = np.zeros(len(keys), np.int64)
        for work in _each_part(staged, level, stages.ACCOUNT, given):
            total += work.total
            total[:, 0] += total[:, 1] >> tree.WORD
            total[:, 1] &= tree.LOW_WORD
            coming += work.reached
        if level + 1 < len(found):
            reached.append(coming)
            paths, ways = found[level + 1].answered(answers[level + 1]), coming
    return total, reached


def _no_questions() -> tuple[Array, Array]:
    return np.full(1, tree.NO_KEY, np.int64), np.zeros((1, tree.PLAIN_SUMS, 2), np.int64)


def _pieces(rows: Array) -> list[Array]:
    return [rows[part::PARTS] for part in range(PARTS) if len(rows[part::PARTS])]


def _joined(parts: list[Array], length: int) -> Array:
    """The opposite of `_pieces`."""
    whole = np.zeros((length, *parts[0].shape[1:]), np.int64)
    for part, rows in enumerate(parts):
        whole[part::PARTS] = rows
    return whole


def _each_part(
    staged: Staged, level: int, task: int, given: list[dict[str, Array]], progress: Progress | None = None
) -> Iterator[stages.StageSums]:
    """Runs each part in a thread of its own, as many at a time as there are processors."""
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        jobs = [pool.submit(_run_part, staged, level, task, **arrays) for arrays in given]
        for number, job in enumerate(jobs, 1):
            yield job.result()
            if progress is not None:
                progress(number / len(jobs))


def _run_part(
    staged: Staged,
    level: int,
    task: int,
    paths: Array,
    keys: Array | None = None,
    known: Array | None = None,
    ways: Array | None = None,
) -> stages.StageSums:
    room = FIRST_ROOM
    while True:
        finds = task == stages.FIND
        work = stages.StageSums(
            keys=keys if keys is not None else np.full(room, tree.NO_KEY, np.int64),
            legals=np.zeros(room if finds else 1, np.int64),
            found=np.full((room if finds else 1, staged.steps), stages.NO_STEP, np.int64),
            lengths=np.zeros(room if finds else 1, np.int64),
            known=known if known is not None else _no_questions()[1],
            sums=np.zeros((len(paths) if task == stages.DECIDE else 1, staged.answers, tree.PLAIN_SUMS, 2), np.int64),
            ways=ways if ways is not None else np.zeros(1, np.int64),
            reached=np.zeros(len(keys) if keys is not None else 1, np.int64),
            total=np.zeros((staged.cells, 2), np.int64),
        )
        walked = staged.new_tree(level)
        if staged.run(walked, task, work, np.ascontiguousarray(paths)):
            staged.check(walked)
            return work
        room *= 4
