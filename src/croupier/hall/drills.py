"""Hands to practice on: random rounds of a game, dealt up to a question of the kind that somebody wants.

Nothing here knows which game it is: the round itself is dealt, and its declaration says of what kind a question is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random, SystemRandom

from croupier.errors import IllegalActionError
from croupier.hall.cells import cell_of
from croupier.hall.practice import Valued, advice_on
from croupier.kernels.declaration import Round
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game
from croupier.rules.spec import Game
from croupier.table.log import RoundLog, log_text
from croupier.table.numbers import NeedsCard
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import TableRules, make_rules

DRILL_STAKE = 10 * MICROS_PER_DOLLAR
"""What lies on the first wager of a drill's hand; on each hand, where there are two."""
MOST_DEALS = 12_000
"""Rounds that are dealt in search of a question: some seconds, for a cell that hardly ever comes."""
CANDIDATES = 8
"""Questions among which the one is taken that its player needs most."""


@dataclass(frozen=True, kw_only=True)
class DrillRules:
    """Under which rules somebody practices; what is left out is at its default."""

    game: str
    decks: int | None = None
    settings: tuple[tuple[str, str], ...] = ()

    def at_table(self, day: date) -> TableRules:
        return make_rules(find_game(self.game), decks=self.decks, settings=dict(self.settings), day=day)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which questions somebody wants; empty for any."""

    kinds: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()

    def takes(self, kind: str, cell: str) -> bool:
        return (not self.kinds or kind in self.kinds) and (not self.cells or cell in self.cells)


@dataclass(frozen=True, kw_only=True)
class Posed:
    """A question to practice on: the round's log up to it."""

    log: str
    kind: str
    cell: str


def has_drills(game: Game) -> bool:
    """Whether its players decide anything."""
    return bool(game.declared.questions)


def pose_cells(rules: DrillRules, cells: tuple[str, ...], kinds: tuple[str, ...], day: date) -> Posed:
    """In another process: a question of cells that may be rare."""
    return pose(rules.at_table(day), Wanted(kinds=kinds, cells=cells), lambda kind, cell: 1.0)


def pose(rules: TableRules, wanted: Wanted, weigh: Callable[[str, str], float], chance: Random | None = None) -> Posed:
    """A question of the wanted kinds and cells: of some that come up, one by its weight.

    Raises where no deal came to one.
    """
    chance = chance or SystemRandom()
    found: list[Posed] = []
    for _ in range(MOST_DEALS):
        posed = _dealt(rules, wanted, chance)
        if posed is not None:
            found.append(posed)
        if len(found) == (1 if wanted.cells else CANDIDATES):
            break
    if not found:
        raise IllegalActionError(
            "No hand of this kind came up in thousands of deals: choose other kinds or cells to practice.",
            code="no_such_drill",
        )
    return chance.choices(found, [weigh(posed.kind, posed.cell) for posed in found])[0]


def _dealt(rules: TableRules, wanted: Wanted, chance: Random) -> Posed | None:
    """A round from a fresh shoe up to its first question that is wanted; None if it comes to none."""
    declared = rules.game.declared
    log = RoundLog(rules, [dict.fromkeys(rules.staked_wagers, DRILL_STAKE)], [])
    total, gone = rules.decks * declared.deck_size, set[int]()

    def deal(_: NeedsCard, __: RoundState) -> int:
        at = chance.randrange(total)
        while at in gone:
            at = chance.randrange(total)
        gone.add(at)
        return at % declared.deck_size

    state = log.go_on(deal)
    while isinstance(state.need, NeedsAnswer):
        kind, cell = cell_of(state)
        if wanted.takes(kind, cell):
            return Posed(log=log_text(log), kind=kind, cell=cell)
        log.steps.append(_passed_by(declared, state.need, chance))
        state = log.go_on(deal)
    return None


def _passed_by(declared: Round, need: NeedsAnswer, chance: Random) -> str:
    """An answer to a question that is not wanted, by which the round goes on."""
    question = declared.question(need.question)
    staying = [word for word in need.legal if not question.gives_up(word) and word != "surrender"]
    if question.default in staying and chance.random() < 0.5:
        return question.default
    return chance.choice(staying or list(need.legal))


@dataclass(frozen=True, kw_only=True)
class Judged:
    """An answer held against the best."""

    answer: str
    best: str
    cost: int
    """Micros, 0 for the best."""
    values: list[Valued]

    @property
    def is_right(self) -> bool:
        return self.cost == 0


LEAST_COST = 0.005
"""Dollars for a wager of some: what costs less is as good as the best."""


def judged(values: Sequence[Valued], answer: str) -> Judged:
    """What an answer cost against the best one; `values` come best first."""
    word = answer.partition(":")[0]
    dollars: Mapping[str, float] = {value.answer: value.dollars for value in values}
    cost = values[0].dollars - dollars[word]
    micros = round(cost * MICROS_PER_DOLLAR) if cost >= LEAST_COST else 0
    return Judged(answer=word, best=values[0].answer, cost=micros, values=list(values))


def drill_values(log: str) -> list[Valued]:
    """In another process: the exact value of every answer, from a fresh shoe."""
    return advice_on(log, ())
