"""One table in plain Python, for environments that play a round at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from croupier.agents import steps
from croupier.agents.game import AgentGame
from croupier.money import MICROS_PER_DOLLAR
from croupier.reports.rounds.text import event_text, need_text, plain_face
from croupier.simulate.generator import seed_key
from croupier.table.log import RoundLog
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import Stakes

LOGGED_WAGER = 2 * MICROS_PER_DOLLAR
"""The first wager of a round's log, in which money is dollars."""
SEEDS = 1 << 64


class OneTable:
    """A table whose agents are asked one after another."""

    def __init__(self, game: AgentGame) -> None:
        self.game = game
        self.setting = game.setting()
        self.scratch = game.scratch()
        self.tables = game.new_tables(1)
        self.seen = game.new_seen(1)
        self.is_dealt = False
        """Whether there was a first round."""
        self._advance = game.linked(steps.advance)
        self._show = game.linked(steps.show)

    def use_seed(self, seed: int) -> None:
        """The next round is the first of the stream of this seed."""
        with np.errstate(over="ignore"):  # 64-bit numbers wrap on purpose
            self.tables.keys[0] = seed_key(seed % SEEDS)
        self.tables.rounds[0] = 0

    def deal(self) -> None:
        """Begins the next round."""
        self.is_dealt = True
        self._run(0, steps.ANEW)

    def answer(self, action: int) -> None:
        """The seat that is asked answers."""
        self._run(action, steps.NEXT_STEP)

    def _run(self, action: int, mode: int) -> None:
        with np.errstate(over="ignore"):
            self._advance(self.setting, self.scratch, self.tables, self.seen, self.seen, [action], mode)

    @property
    def is_over(self) -> bool:
        return bool(self.seen.terminated[0])

    @property
    def is_asked(self) -> bool:
        """Whether a seat has a question to answer."""
        return bool(self.tables.question[0] < len(self.setting.usual))

    @property
    def seat(self) -> int:
        """The seat that is asked; the first where none is."""
        return int(self.scratch.notes[steps.SEAT]) if self.is_asked else 0

    @property
    def profits(self) -> list[int]:
        """What each seat won or lost, once the round is over, in the smallest unit."""
        return [int(profit) for profit in self.scratch.profit]

    def look(self, seat: int) -> steps.Seen:
        """What a seat sees, also one that is not asked."""
        seen = self.game.new_seen(1)
        is_asked = self.is_asked and seat == self.seat
        self._show(self.setting, self.scratch, seen, 0, seat, is_asked)
        if not self.is_asked and not self.is_over and seat == 0:
            seen.action_mask[0, -1] = 1
        return seen

    def log(self) -> RoundLog:
        """The round so far, as `croupier replay` shows it."""
        return self._replayed()[0]

    def state(self) -> RoundState:
        """The same as the table that people play at has it."""
        return self._replayed()[1]

    def _replayed(self) -> tuple[RoundLog, RoundState]:
        game, cards = self.game, self._drawn()
        given = iter(int(choice) for choice in self.tables.answers[0, : self.tables.given[0]])

        def decide(need: NeedsAnswer, _state: RoundState) -> str | None:
            choice = next(given, None)
            return None if choice is None else game.declared.question(need.question).words[choice]

        stakes: Stakes = dict.fromkeys(game.rules.staked_wagers, LOGGED_WAGER)
        log = RoundLog(game.rules, [stakes] * game.seats)
        return log, log.go_on(lambda need, state: next(cards, None), decide)

    def _drawn(self) -> Iterator[int]:
        """The cards of the round so far, by the slots that they were picked from."""
        shoe = self.scratch.ordered.tolist()
        for position in range(self.scratch.notes[steps.POSITION]):
            pick = int(self.scratch.picks[position])
            yield shoe[pick]
            shoe[pick] = shoe[position]

    def text(self) -> str:
        """The round so far in words, as its first seat sees it."""
        state = self.state()
        lines = [event_text(event, state, plain_face) for event in state.seen_events(1)]
        if state.need is not None:
            lines.append(need_text(state))
        return "\n".join(line for line in lines if line) + "\n"
