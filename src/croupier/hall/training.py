"""What a player has learned of a game: the score at tables and in drills, cell by cell, and the costliest mistakes.

A cell that was answered wrong comes again after two answers; each time it is right it waits three times as long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from croupier.hall.drills import DrillRules, Posed, Wanted

KEPT_MISTAKES = 20
"""The costliest, of tables and of drills."""
KEPT_CELLS = 600
"""The ones met last."""
KEPT_TABLES = 40
FIRST_WAIT = 2
"""Answers until a cell comes again that was wrong."""
WAIT_GROWS = 3
LEARNED = 3
"""So often right in a row, a cell comes up less."""


class Tally(Struct, kw_only=True, omit_defaults=True):
    """Answers of one kind."""

    right: int = 0
    wrong: int = 0
    cost: int = 0
    """Micros that the wrong ones cost, by exact value."""
    staked: int = 0
    """Micros of first wagers that the answers were about."""

    @property
    def answers(self) -> int:
        return self.right + self.wrong

    @property
    def accuracy(self) -> float:
        return self.right / self.answers if self.answers else 0.0

    @property
    def share_lost(self) -> float:
        """What mistakes cost of the first wagers."""
        return self.cost / self.staked if self.staked else 0.0


class Score(Struct, kw_only=True, omit_defaults=True):
    """Answers in one place, tables or drills."""

    kinds: dict[str, Tally] = msgspec.field(default_factory=dict)
    streak: int = 0
    best_streak: int = 0

    @property
    def total(self) -> Tally:
        tallies = self.kinds.values()
        return Tally(
            right=sum(tally.right for tally in tallies),
            wrong=sum(tally.wrong for tally in tallies),
            cost=sum(tally.cost for tally in tallies),
            staked=sum(tally.staked for tally in tallies),
        )


class Cell(Struct, kw_only=True, omit_defaults=True):
    """One cell of a kind, as it is being learned."""

    right: int = 0
    wrong: int = 0
    in_a_row: int = 0
    due: int | None = None
    """The answer, counted over all drills of the game, from which on it comes again; None for no hurry."""
    log: str = ""
    """The hand that was missed in a drill, to be shown again."""


class Mistake(Struct, kw_only=True, omit_defaults=True):
    """A wrong answer, and the hand."""

    at_micros: int
    kind: str
    cell: str
    answer: str
    best: str
    cost: int
    stake: int = 0
    """Of the first wager, micros."""
    table: str = ""
    round: int = 0
    step: int = 0
    """Of the round's log, where it was at a table."""
    log: str = ""
    """The hand up to the question, where it was a drill."""


class Asked(Struct, kw_only=True, omit_defaults=True):
    """What somebody wants to practice, and under which rules."""

    kinds: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    decks: int | None = None
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def wanted(self) -> Wanted:
        return Wanted(kinds=self.kinds, cells=self.cells)

    def rules(self, game: str) -> DrillRules:
        return DrillRules(game=game, decks=self.decks, settings=self.settings)


class Last(Struct, kw_only=True):
    """The question before, which was answered right."""

    log: str
    kind: str
    cell: str
    answer: str


class Practiced(Struct, kw_only=True, omit_defaults=True):
    """The drill that is on, and its question."""

    number: int = 0
    wanted: Asked = msgspec.field(default_factory=Asked)
    log: str = ""
    kind: str = ""
    cell: str = ""
    answer: str = ""
    """As it was given; empty while it is not."""
    is_counted: bool = False
    last: Last | None = None


class Training(Struct, kw_only=True, omit_defaults=True):
    """All that is kept of a player and a game."""

    at_tables: Score = msgspec.field(default_factory=Score)
    in_drills: Score = msgspec.field(default_factory=Score)
    cells: dict[str, Cell] = msgspec.field(default_factory=dict)
    worst: list[Mistake] = msgspec.field(default_factory=list)
    counted: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    """By table: the round that was judged last, and how many of its answers."""
    drill: Practiced = msgspec.field(default_factory=Practiced)
    drilled: int = 0
    """Answers in drills."""


def read_training(body: str) -> Training:
    return msgspec.json.decode(body, type=Training) if body else Training()


def training_text(training: Training) -> str:
    return msgspec.json.encode(training).decode()


def _key(kind: str, cell: str) -> str:
    return f"{kind} {cell}"


def note_answer(score: Score, *, kind: str, cost: int, stake: int) -> None:
    """Counts one answer."""
    tally = score.kinds.setdefault(kind, Tally())
    tally.staked += stake
    tally.cost += cost
    if cost:
        tally.wrong += 1
        score.streak = 0
    else:
        tally.right += 1
        score.streak += 1
        score.best_streak = max(score.best_streak, score.streak)


def note_cell(training: Training, kind: str, cell: str, *, is_right: bool, log: str = "") -> None:
    """When a cell comes again; `log` is the hand, where it can be shown again."""
    here = training.cells.pop(_key(kind, cell), None) or Cell()
    training.cells[_key(kind, cell)] = here
    if is_right:
        here.right += 1
        here.in_a_row += 1
        if here.due is not None:  # a cell that was once wrong, until it is learned
            learned = here.in_a_row >= LEARNED
            here.due = None if learned else training.drilled + FIRST_WAIT * WAIT_GROWS**here.in_a_row
            here.log = "" if learned else here.log
    else:
        here.wrong += 1
        here.in_a_row = 0
        here.due = training.drilled + FIRST_WAIT
        here.log = log
    while len(training.cells) > KEPT_CELLS:
        del training.cells[next(iter(training.cells))]


def note_mistake(training: Training, mistake: Mistake) -> None:
    """Keeps it if it is among the costliest; of the same mistake made again, the last one."""
    same = (mistake.kind, mistake.cell, mistake.answer)
    training.worst = [one for one in training.worst if (one.kind, one.cell, one.answer) != same]
    training.worst.append(mistake)
    training.worst.sort(key=lambda one: (-one.cost, -one.at_micros))
    beside = [one for one in training.worst if bool(one.table) == bool(mistake.table)]
    for dropped in beside[KEPT_MISTAKES:]:
        training.worst.remove(dropped)


def weight_of(cells: Mapping[str, Cell], kind: str, cell: str) -> float:
    """How much a player needs a cell: what was wrong most, what is new, then what is not learned yet."""
    here = cells.get(_key(kind, cell))
    if here is None:
        return 2.0
    if here.in_a_row >= LEARNED:
        return 0.2
    return 1.0 + 4.0 * here.wrong / (here.right + here.wrong)


def due_hand(training: Training, wanted: Wanted) -> Posed | None:
    """The missed hand that has been due the longest; None where none is."""
    due = [
        (cell.due, name)
        for name, cell in training.cells.items()
        if cell.log and cell.due is not None and cell.due <= training.drilled and wanted.takes(*name.split(" ", 1))
    ]
    if not due:
        return None
    name = min(due)[1]
    kind, cell = name.split(" ", 1)
    return Posed(log=training.cells[name].log, kind=kind, cell=cell)


def begin_drill(training: Training, posed: Posed, *, keeps_last: bool) -> None:
    """Puts a question before the player; with the one before it, if that is still to be seen."""
    before = training.drill
    training.drill = Practiced(
        number=before.number + 1,
        wanted=before.wanted,
        log=posed.log,
        kind=posed.kind,
        cell=posed.cell,
        last=Last(log=before.log, cell=before.cell, kind=before.kind, answer=before.answer) if keeps_last else None,
    )


def forget_score(training: Training) -> Training:
    """The score begins anew; what has been counted at tables is not counted again."""
    return Training(counted=training.counted, drill=training.drill)


def count_drill(training: Training, *, best: str, cost: int, stake: int, at_micros: int) -> None:
    """Counts the answer to the drill that is on, once."""
    drill = training.drill
    if drill.is_counted or not drill.answer:
        return
    drill.is_counted = True
    training.drilled += 1
    note_answer(training.in_drills, kind=drill.kind, cost=cost, stake=stake)
    note_cell(training, drill.kind, drill.cell, is_right=cost == 0, log=drill.log)
    if cost:
        note_mistake(
            training,
            Mistake(
                at_micros=at_micros,
                kind=drill.kind,
                cell=drill.cell,
                answer=drill.answer,
                best=best,
                cost=cost,
                stake=stake,
                log=drill.log,
            ),
        )


class JudgedAtTable(Struct, kw_only=True):
    """An answer at a table, held against the best one."""

    kind: str
    cell: str
    answer: str
    best: str
    cost: int
    stake: int
    step: int


def count_at_table(
    training: Training, table: str, round: int, answers: Sequence[JudgedAtTable], at_micros: int
) -> None:
    """Counts those answers of a round that have not been counted."""
    last, counted = training.counted.pop(table, (0, 0))
    if round < last:
        training.counted[table] = (last, counted)
        return
    for answer in answers[counted if round == last else 0 :]:
        note_answer(training.at_tables, kind=answer.kind, cost=answer.cost, stake=answer.stake)
        note_cell(training, answer.kind, answer.cell, is_right=answer.cost == 0)
        if answer.cost:
            note_mistake(
                training,
                Mistake(
                    at_micros=at_micros,
                    kind=answer.kind,
                    cell=answer.cell,
                    answer=answer.answer,
                    best=answer.best,
                    cost=answer.cost,
                    stake=answer.stake,
                    table=table,
                    round=round,
                    step=answer.step,
                ),
            )
    training.counted[table] = (round, len(answers))
    while len(training.counted) > KEPT_TABLES:
        del training.counted[next(iter(training.counted))]
