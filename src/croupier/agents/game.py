"""A game as agents play it: its actions, what its cards' places are called, and what they are dealt from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cached_property
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.agents import steps
from croupier.errors import NotComputedError, RangeError
from croupier.exact.played import compute_strategy
from croupier.kernels.declaration import Place, Round
from croupier.kernels.effects import HANDS_PER_SEAT, MOST_SEATS, SEAT_PLACES
from croupier.kernels.link import Kernel, compile_cpu, link, plain
from croupier.library.game import Game
from croupier.library.game import game as game_of
from croupier.library.pay_tables import PayTables, by_wager, with_others_first, with_tables
from croupier.library.values import Decks, Rules, decks_text, require_known, require_whole, switch_texts
from croupier.reports.simulation.compare import Wish, chosen_strategy
from croupier.rules.choice import choose
from croupier.simulate.atoms import BY_TABLE
from croupier.simulate.play import FIRST_WAGER, MOST_ROUND_CARDS, MOST_ROUND_OUTCOMES, MOST_ROUND_WAGERS
from croupier.simulate.run import MOST_CARDS_OF_SEAT, one_seat
from croupier.table.setup import TableRules, make_rules

Array = NDArray[Any]

GO_ON = "go_on"
"""The action where a round asks nothing."""
FACES = {"up": steps.UP, "down": steps.DOWN, "owner": steps.OWNER}
PLACES = SEAT_PLACES + 8 * HANDS_PER_SEAT
"""Numbers of places lie below it."""


@dataclass(frozen=True, kw_only=True)
class AgentGame:
    """One game under some rules."""

    rules: TableRules
    seats: int = 1
    tables: Any = None
    """The strategy that says what it would answer, as the round's `answer` reads it; None where none is asked for."""
    _samplers: dict[Kernel, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def declared(self) -> Round:
        return self.rules.game.declared

    @cached_property
    def answers(self) -> tuple[tuple[int, int], ...]:
        """What each action answers, but the last, which goes on: question and choice, by their numbers."""
        questions = [(self.declared.questions.index(question), question) for question in self.declared.asked]
        return tuple((number, choice) for number, question in questions for choice in range(len(question.choices)))

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The actions by name, `question.answer`."""
        answerable = [(self.declared.questions[number], choice) for number, choice in self.answers]
        return (*(f"{question.id}.{question.words[choice]}" for question, choice in answerable), GO_ON)

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """What an observation calls by number: the questions, and none."""
        return (*(question.id for question in self.declared.questions), "")

    @cached_property
    def pays(self) -> dict[tuple[int, int], Fraction]:
        """Profit for each unit staked, by wager and outcome of the round."""
        return {
            (wager, outcome): self.rules.round_rows[wager][name].pays.net
            for wager, settled in enumerate(self.declared.wagers)
            for outcome, name in enumerate(settled.outcomes)
            if name in self.rules.round_rows[wager]
        }

    @property
    def unit(self) -> int:
        """How many of the smallest unit, in which profit is counted, make one first wager."""
        return FIRST_WAGER * self._scale

    @property
    def _scale(self) -> int:
        return lcm(2, *(pay.denominator for pay in self.pays.values()))

    @property
    def most_shown(self) -> int:
        """The most cards that an observation has room for: more than any seat ever sees in a round."""
        if self.declared.most_cards and self.seats == 1:
            return self.declared.most_cards - self.declared.most_burned
        return MOST_CARDS_OF_SEAT * (self.declared.hands + self.seats - 1)

    @cached_property
    def places(self) -> tuple[str, ...]:
        """What a seat calls the places where it may see cards, by code: its own first, those of each other seat in turn
        from its left, what belongs to nobody."""
        names = {code: name for _, code, name in self._coded(0)}
        return ("", *(names[code] for code in sorted(names)))

    def _coded(self, viewer: int) -> Iterator[tuple[int, int, str]]:
        """The number of every place, with the code and name that a seat has for it."""
        own = [place for place in self.declared.seat_places if not place.is_burned]
        for seat in range(self.seats):
            turn = (seat - viewer) % self.seats
            whose = f"+{turn} " if turn else ""
            first = 1 + turn * self._own_places(own)
            for hand in range(self.declared.most_hands if self.declared.has_hands else 0):
                yield seat * HANDS_PER_SEAT + hand, first + hand, f"{whose}hand {hand + 1}"
            for number, place in enumerate(own, self._own_places(own) - len(own)):
                yield place.number + seat, first + number, f"{whose}{place.id}"
        first = 1 + self.seats * self._own_places(own)
        rows = {place.number: first + number for number, place in enumerate(self.declared.table_places)}
        for place in self.declared.places:
            row = place.number if place.row is None else place.row
            if row in rows:
                yield place.number, rows[row], self.declared.place(row).id

    def _own_places(self, beside: list[Place]) -> int:
        return (self.declared.most_hands if self.declared.has_hands else 0) + len(beside)

    def setting(self) -> steps.Setting:
        pays = np.full(MOST_ROUND_WAGERS * MOST_ROUND_OUTCOMES, -self._scale, np.int64)
        for (wager, outcome), pay in self.pays.items():
            pays[wager * MOST_ROUND_OUTCOMES + outcome + 1] = pay * self._scale
        codes = np.zeros((self.seats, PLACES), np.uint8)
        for seat in range(self.seats):
            for place, code, _name in self._coded(seat):
                codes[seat, place] = code
        faces = np.zeros(PLACES, np.uint8)
        for number in range(PLACES):
            face = next((place.face for place in self.declared.places if place.holds(number)), "down")
            faces[number] = FACES[face]
        none = (len(self.declared.questions), 0)
        by_action = np.array([*self.answers, none], np.int64)
        first = [next((at for at, question in enumerate(by_action) if question[0] == n), 0) for n in range(none[0] + 1)]
        return steps.Setting(
            rules=self.rules.game.rules_under(self.rules.switches, seats=self.seats),
            stakes=np.array(self.declared.stakes(FIRST_WAGER, FIRST_WAGER), np.int64),
            pays=pays,
            tables=self.tables if self.tables is not None else (0,),
            cards=self.rules.decks * self.declared.deck_size,
            faces=faces,
            codes=codes,
            own=self._own_places(list(self.declared.seat_places)),
            first_actions=np.array(first, np.int64),
            usual=np.array([question.words.index(question.default) for question in self.declared.questions], np.int64),
            questions=by_action[:, 0].copy(),
            choices=by_action[:, 1].copy(),
        )

    def scratch(self) -> steps.Scratch:
        cards = self.rules.decks * self.declared.deck_size
        ordered = (np.arange(cards) % self.declared.deck_size).astype(np.uint8)
        return steps.Scratch(
            shoe=ordered.copy(),
            ordered=ordered,
            picks=np.zeros(cards, np.int32),
            memory=np.zeros(self.declared.memory, np.int64),
            cards=np.zeros(cards + MOST_ROUND_CARDS, np.uint8),
            places=np.zeros(cards + MOST_ROUND_CARDS, np.int64),
            lying=np.zeros(cards + MOST_ROUND_CARDS, np.uint8),
            staked=np.zeros(self.seats * HANDS_PER_SEAT, np.int64),
            profit=np.zeros(self.seats, np.int64),
            notes=np.zeros(steps.NOTES, np.int64),
        )

    def new_tables(self, number: int) -> steps.TableStates:
        return steps.TableStates(
            keys=np.zeros(number, np.uint64),
            rounds=np.zeros(number, np.int64),
            given=np.zeros(number, np.int64),
            answers=np.zeros((number, self.seats * steps.MOST_ANSWERS), np.int8),
            question=np.zeros(number, np.int64),
            legal=np.zeros(number, np.int64),
            is_over=np.zeros(number, np.bool_),
        )

    def new_seen(self, number: int, array: Callable[..., Any] = np.zeros) -> steps.Seen:
        return steps.Seen(
            question=array(number, np.int64),
            hand=array(number, np.int64),
            sight=array(number, np.int64),
            cards=array((number, self.most_shown), np.uint8),
            places=array((number, self.most_shown), np.uint8),
            staked=array((number, self.declared.most_hands), np.float32),
            action_mask=array((number, len(self.actions)), np.int8),
            best_action=array(number, np.int64),
            reward=array(number, np.float64),
            profit=array(number, np.int64),
            terminated=array(number, np.bool_),
            illegal_action=array(number, np.bool_),
        )

    @property
    def _effects(self) -> dict[str, Any]:
        """What the steps are linked with for this game."""
        wagers = enumerate(self.declared.wagers)
        effects: dict[str, Any] = {
            **{name: getattr(steps, name) for name in ("draw", "ask", "stake", "pay", "returned", "settle", "tell")},
            "play": self.declared.play,
            "answer": self.declared.answer,
            "ADVISED": int(self.tables is not None),
            "APART": sum(1 << number for number, wager in wagers if wager.is_apart),
            "UNIT": float(self.unit),
            "MOST_SHOWN": self.most_shown,
            "MOST_HANDS": self.declared.most_hands,
            "ACTIONS": len(self.actions),
        }
        if self.seats == 1:
            effects["for_one_seat"] = one_seat(self.declared.rules.__class__)
        return effects

    def linked(self, function: Kernel) -> Kernel:
        """A function of `steps` for this game, in plain Python."""
        if function not in self._samplers:
            self._samplers[function] = link(function, plain, self._effects)
        return self._samplers[function]  # type: ignore[no-any-return]

    def compiled(self, function: Kernel) -> Kernel:
        """The same compiled for the CPU."""
        advised = "advised" if self.tables is not None else "alone"
        shape = hashlib.sha256(repr((self.seats, self.unit, self.most_shown)).encode()).hexdigest()[:8]
        name = f"agents-{function.__name__}-{self.rules.game.round}-{advised}-{shape}"
        return compile_cpu(function, name, self._effects | BY_TABLE)  # type: ignore[no-any-return]


OF_ENVIRONMENTS = ("decks", "pay_tables", "advice", "render_mode")
"""What is not a switch, but may have been meant by a name that does not exist."""


def prepare_game(
    game: str | Path | Game,
    *,
    decks: Decks = None,
    pay_tables: PayTables | None = None,
    seats: int = 1,
    advice: bool = False,
    switches: Rules,
) -> AgentGame:
    """A game by id, path or as `croupier.game` gave it, under these rules; says in a sentence what does not exist."""
    known = game_of(game).spec
    require_known(switches, [switch.id for switch in known.switches], OF_ENVIRONMENTS)
    if not known.is_decided:
        raise NotComputedError(f"{known.name} gives its players no decisions, so there is nothing for an agent to do.")
    require_whole(seats=seats)
    settings = switch_texts(None, switches)
    known, pays = with_tables(known, by_wager(pay_tables), decks, settings)
    first = known.first_wager.id
    main = choose(
        with_others_first(known, first, pays),
        first,
        pay_table=pays.get(first),
        decks=decks_text(decks),
        settings=settings,
    )
    if main.decks is None:
        raise RangeError("Agents are dealt from real decks: 1 to 8, not inf.", code="bad_decks")
    rules = make_rules(known, decks=main.decks, settings=settings, pay_tables=pays, day=date.today())
    most = known.declared.hands_per_deck * main.decks
    if not 1 <= seats <= MOST_SEATS or (most and seats * known.declared.hands > most):
        raise RangeError(
            f"{seats} seats: 1 to {MOST_SEATS}, and not too many for {main.decks} decks.", code="bad_seats"
        )
    tables = None
    if advice:
        _account, tables = chosen_strategy(compute_strategy(main), Wish(settings=settings, pay_tables=pays))
    return AgentGame(rules=rules, seats=seats, tables=tables)
