"""Practice for dealers: lessons at a terminal of their own, in memory, which say what comes next and check each press.

The terminal's steps are those of `floor.terminal` and the money is decided as the ledger decides it; nothing is booked.
The cards come from the rounds of the games themselves.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from croupier.errors import CroupierError, IllegalActionError, unknown
from croupier.floor import terminal as steps
from croupier.floor.files import load_floor
from croupier.floor.ledger_commands import opening_commands
from croupier.floor.proving import prove_picks
from croupier.floor.roles import Role, approval_needed, may_approve
from croupier.floor.setup import Floor, TableSetup
from croupier.floor.terminal import EVERYONE, Entered, Key, Terminal
from croupier.floor.training.lesson_cards import PracticeCards, deal
from croupier.jackpot import AnyCommand, Award, JackpotHit, PayAward, Request, State, decide, evolve

Press = Literal["sense", "start", "pick", "hit", "pay", "key", "end", "void"]
OPENED_AT = datetime(2025, 3, 1, tzinfo=UTC)
MADNESS, BACCARAT = "practice_madness", "practice_baccarat"


class Act(Struct, frozen=True):
    """One press of a button."""

    press: Press
    seat: int = 0
    sensor: int = 0
    row: str = ""
    lit: bool = True
    chips: int = 0
    position: str = ""
    card: str = ""
    """The role of the card that was shown, where one is."""
    evidence: str = ""
    """The playing cards, where a hand is proposed."""
    side: str = ""


@dataclass(frozen=True)
class LessonStage:
    """What is done next, in any order."""

    prompt: str
    acts: tuple[Act, ...]


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One situation at a table."""

    id: str
    title: str
    about: str
    table: str
    row: str
    """The hand that the cards make; "lose" for none."""
    is_misdeal: bool = False
    stages: Callable[[tuple[int, ...]], tuple[LessonStage, ...]]
    """What the letter asks for, with chips on these seats."""


def _listed(seats: tuple[int, ...]) -> str:
    return f"{', '.join(map(str, seats[:-1]))} and {seats[-1]}"


def _begin(seats: tuple[int, ...], start: str, chips: str = "here they are taken in.") -> tuple[LessonStage, ...]:
    lights = tuple(Act("sense", seat=seat, sensor=1) for seat in seats)
    return (
        LessonStage(
            f"Players put a chip on the sensors of seats {_listed(seats)}. A sensor lights when a chip lies on it: "
            "here, press those lights.",
            lights,
        ),
        LessonStage(
            "No more bets. A sensor does not know a chip's value: check the chips and count them, tap the number, then "
            f"{start} START GAME. After it the terminal says what to do with the chips: {chips}",
            (Act("start", chips=len(seats)),),
        ),
    )


def _atlas(seats: tuple[int, ...], *stages: LessonStage) -> tuple[LessonStage, ...]:
    end = LessonStage("Everything is settled. Slide END GAME to start a new round.", (Act("end"),))
    return (*_begin(seats, "slide"), *stages, end)


def _fixed(seats: tuple[int, ...], row: str, what: str, pay: LessonStage) -> tuple[LessonStage, ...]:
    return _atlas(
        seats,
        LessonStage(
            f"The dealer's hand is {what}, and it is everybody's: one hand for all who take part. This house tracks "
            f"fixed pays: choose each of their seats ({_listed(seats)}) and press the winning hand. Pressed again, a "
            "hand goes off.",
            tuple(Act("pick", seat=seat, sensor=1, row=row) for seat in seats),
        ),
        LessonStage("Every seat has its hand: press HIT JACKPOT.", (Act("hit"),)),
        pay,
    )


def _plain(seats: tuple[int, ...]) -> tuple[LessonStage, ...]:
    begun = _begin(seats, "slide")
    end = "The dealer's hand is no 22: the jackpot wagers have lost and nothing is picked. Slide END GAME."
    return (*begun, LessonStage(end, (Act("end"),)))


def _small(seats: tuple[int, ...]) -> tuple[LessonStage, ...]:
    pay = "A fixed pay of this size needs no card: pay it from the tray and press PAY JACKPOT."
    return _fixed(seats, "other_22", "a 22 of mixed colors", LessonStage(pay, (Act("pay"),)))


def _suited(seats: tuple[int, ...]) -> tuple[LessonStage, ...]:
    pay = "The largest fixed pay: this house lets the dealer pay it, too. Pay it from the tray and press PAY JACKPOT."
    return _fixed(seats, "suited_22", "a 22 of one suit", LessonStage(pay, (Act("pay"),)))


def _community(seats: tuple[int, ...]) -> tuple[LessonStage, ...]:
    return _atlas(
        seats,
        LessonStage(
            "The dealer's hand is a suited 4-5-6-7, not of spades: 10% of the meter, split evenly. Press "
            "COMMUNITY JACKPOT, then the hand, and look at the split.",
            (Act("pick", seat=EVERYONE, sensor=1, row="suited_4567_other"),),
        ),
        LessonStage(
            "Enter the dealer's cards, by keys or typed: they must make the hand that is picked. Then press HIT "
            "JACKPOT. The amount is locked and the meter lowered now, not when the card is shown.",
            (Act("hit"),),
        ),
        LessonStage(
            "Contact a supervisor. Once the win is verified the supervisor presses PAY JACKPOT and shows a card: by "
            "this amount a supervisor's is enough.",
            (Act("pay"),),
        ),
    )


def _key(seats: tuple[int, ...]) -> tuple[LessonStage, ...]:
    return (
        *_begin(seats, "press"),
        LessonStage(
            "A win by 9 with all six cards of one suit: the whole meter, split among all who take part. Press its hand "
            "button on the keypad.",
            (Act("pick", seat=EVERYONE, sensor=1, row="suited_six_cards"),),
        ),
        LessonStage(
            "Contact a supervisor, who verifies the win, inserts the key and turns it to JPH (here: shows a card).",
            (Act("key", position="jph"),),
        ),
        LessonStage(
            "Now J-POT: enter both hands, in the order they were dealt. The amount is above a supervisor's level: an "
            "executive's card is needed. The meter is lowered with J-POT, not when the key goes back.",
            (Act("pay"),),
        ),
        LessonStage(
            "The supervisor turns the key back to Run, which restores the table.", (Act("key", position="run"),)
        ),
        LessonStage("All action is reconciled: press GAME OVER.", (Act("end"),)),
    )


def _misdeal(seats: tuple[int, ...]) -> tuple[LessonStage, ...]:
    return (
        *_begin(seats, "slide"),
        LessonStage(
            "A card lies face up in the shoe: a misdeal. No hand counts. Contact a supervisor, who voids the round "
            "with a card and a note; the wagers go back to the players.",
            (Act("void"),),
        ),
    )


LESSONS: tuple[Lesson, ...] = (
    Lesson(
        id="plain",
        title="A round without a win",
        about="Lights, START GAME, END GAME.",
        table=MADNESS,
        row="lose",
        stages=_plain,
    ),
    Lesson(
        id="fixed",
        title="A fixed pay",
        about="A 22 of mixed colors at a house that tracks fixed pays.",
        table=MADNESS,
        row="other_22",
        stages=_small,
    ),
    Lesson(
        id="suited",
        title="A suited 22",
        about="The largest fixed pay, which needs no card on this floor either.",
        table=MADNESS,
        row="suited_22",
        stages=_suited,
    ),
    Lesson(
        id="community",
        title="Community Jackpot, 10%",
        about="A suited 4-5-6-7: one hand for all, split evenly.",
        table=MADNESS,
        row="suited_4567_other",
        stages=_community,
    ),
    Lesson(
        id="key",
        title="The key of Aquarius",
        about="Hand button, key to JPH, J-POT, key to Run, GAME OVER.",
        table=BACCARAT,
        row="suited_six_cards",
        stages=_key,
    ),
    Lesson(
        id="misdeal",
        title="A misdeal",
        about="A locked round that does not count.",
        table=MADNESS,
        row="lose",
        is_misdeal=True,
        stages=_misdeal,
    ),
)


def find_lesson(wanted: str) -> Lesson:
    for lesson in LESSONS:
        if lesson.id == wanted:
            return lesson
    raise unknown("lesson", wanted, [lesson.id for lesson in LESSONS])


@cache
def training_floor() -> Floor:
    return load_floor(Path(__file__).parent / "training.toml")


@dataclass
class Practice:
    """One visitor's lesson as far as it has come."""

    lesson: Lesson
    setup: TableSetup
    cards: PracticeCards
    stages: tuple[LessonStage, ...]
    terminal: Terminal
    ledger: State = field(default_factory=State)
    hits: dict[str, JackpotHit] = field(default_factory=dict)
    done: list[Act] = field(default_factory=list)
    at: int = 0
    """The stage that is on."""
    presses: int = 0
    mistakes: list[str] = field(default_factory=list)
    said: str = ""
    """What came of the last press."""
    _ids: set[str] = field(default_factory=set)

    @property
    def is_over(self) -> bool:
        return self.at == len(self.stages)

    @property
    def prompt(self) -> str:
        return "" if self.is_over else self.stages[self.at].prompt

    @property
    def is_dealt(self) -> bool:
        """Whether the cards lie on the table: they come after START GAME."""
        return self.terminal.round > 0

    @property
    def entered(self) -> Entered:
        """What the round has won so far."""
        played = self.ledger.rounds.get(self.setup.id)
        return steps.entered_in(played, self.terminal.round, self.ledger.awards.__getitem__, self.hits.__getitem__)

    @property
    def awards(self) -> list[tuple[Award, JackpotHit]]:
        return [(self.ledger.awards[id], event) for id, event in self.hits.items()]

    def press(self, id: str, act: Act) -> None:
        """Does what the lesson asks for; anything else is told, counted and not done. An id counts once."""
        if id in self._ids or self.is_over:
            return
        self._ids.add(id)
        self.presses += 1
        try:
            terminal, ledger, hits = _applied(self, act)
        except CroupierError as error:
            self._wrong(str(error))
            return
        wanted = [act for act in self.stages[self.at].acts if act not in self.done]
        bare = structs.replace(act, card="", evidence="", side="")  # what was right about them is checked already
        if bare not in wanted:
            self._wrong(_what_else(act))
            return
        self.terminal, self.ledger, self.hits = terminal, ledger, hits
        self.done.append(bare)
        self.said = "Right."
        if len(wanted) == 1:
            self.at += 1
            self.done = []

    def _wrong(self, why: str) -> None:
        self.said = why
        self.mistakes.append(why)


def begin(lesson_id: str, chance: random.Random | None = None) -> Practice:
    """A lesson from its start, with other seats and cards each time."""
    lesson = find_lesson(lesson_id)
    chance = chance or random.SystemRandom()
    setup = training_floor().table(lesson.table)
    seats = tuple(sorted(chance.sample(range(1, setup.seats + 1), 3)))
    practice = Practice(
        lesson=lesson,
        setup=setup,
        cards=deal(lesson.row, setup, training_floor(), seats, chance, is_misdeal=lesson.is_misdeal),
        stages=lesson.stages(seats),
        terminal=Terminal(table=setup.id),
    )
    practice.ledger = _booked(practice.ledger, opening_commands(training_floor()), "open")[0]
    return practice


def _booked(ledger: State, commands: list[AnyCommand], id: str) -> tuple[State, dict[str, JackpotHit]]:
    """The ledger after these commands, as the real one would decide them; and the hits among them."""
    now = ledger.copy()
    hits = {}
    for number, command in enumerate(commands, 1):
        event = decide(now, Request(id=f"{id}/{number}", actor="training", at=OPENED_AT, command=command))
        now.update(evolve(now, event))
        if isinstance(event, JackpotHit):
            hits[event.award] = event
    return now, hits


def _applied(practice: Practice, act: Act) -> tuple[Terminal, State, dict[str, JackpotHit]]:
    """Terminal and ledger after a press, or the refusal that the real terminal gives."""
    now, setup, floor = practice.terminal, practice.setup, training_floor()
    money: list[AnyCommand] = []
    match act.press:
        case "sense":
            now = steps.sense(now, setup, act.seat, act.sensor, lit=act.lit)
        case "start":
            now, locked = steps.start(now, setup, floor, chips=act.chips)
            money = [locked] if locked else []
        case "pick":
            now = steps.pick(now, setup, floor, act.seat, act.sensor, act.row, practice.entered)
        case "hit":
            return _hit(practice, now, act)
        case "pay":
            return _paid(practice, act)
        case "key":
            _require_card(act.card, Role.SUPERVISOR)
            position: Key = "jph" if act.position == "jph" else "run"
            now = steps.turn_key(now, setup, position)
        case "end":
            steps.require_all_entered(now, setup, floor, practice.entered)
            now = steps.end(now, setup, claimed_micros=_claimed(practice, now))
        case "void":
            _require_card(act.card, Role.SUPERVISOR)
            why = "Training: a card was exposed."
            now, voided = steps.void(now, setup, floor, why, claimed_micros=_claimed(practice, now))
            money = [voided] if voided else []
    ledger, _ = _booked(practice.ledger, money, f"{act.press}-{practice.presses}")
    return now, ledger, practice.hits


def _claimed(practice: Practice, now: Terminal) -> int:
    return sum(practice.ledger.awards[claim].amount_micros for claim in now.claims)


def _hit(practice: Practice, now: Terminal, act: Act) -> tuple[Terminal, State, dict[str, JackpotHit]]:
    cards = prove_picks(now, practice.setup, training_floor(), act.evidence, act.side, practice.entered)
    commands = steps.hits(now, practice.setup, training_floor(), cards)
    ledger, hits = _booked(practice.ledger, list(commands), f"hit-{practice.presses}")
    return steps.claimed(now, tuple(hits)), ledger, practice.hits | hits


def _paid(practice: Practice, act: Act) -> tuple[Terminal, State, dict[str, JackpotHit]]:
    """PAY JACKPOT; J-POT also proposes what is picked, as the keypad has no other button for it."""
    now, ledger, hits = practice.terminal, practice.ledger, practice.hits
    steps.require_phase(now, practice.setup, "locked")
    steps.require_may_pay(now, practice.setup)
    if practice.setup.protocol == "aquarius" and now.picks:
        now, ledger, hits = _hit(practice, now, act)
    if not now.claims:
        raise IllegalActionError(
            "There is no claim to pay: pick the winning hand"
            + (" first." if practice.setup.protocol == "aquarius" else " and press HIT JACKPOT first."),
            code="nothing_to_pay",
        )
    award = ledger.awards[now.claims[0]]
    is_fixed = hits[award.id].share_ppm == 0
    levels = training_floor().approvals
    needed = approval_needed(award.amount_micros, levels, is_fixed_pay=is_fixed)
    if not may_approve(Role(act.card or Role.DEALER), award.amount_micros, levels, is_fixed_pay=is_fixed):
        raise IllegalActionError(f"This award needs the card of the role {needed}, or a higher one.", code="low_card")
    paid = PayAward(award=award.id, approved_by=("training",))
    ledger, _ = _booked(ledger, [paid], f"pay-{practice.presses}")
    return steps.settled(now, award.id), ledger, hits


def _require_card(card: str, role: Role) -> None:
    if card not in (role, Role.EXECUTIVE):
        raise IllegalActionError(f"That takes the card of a {role}.", code="low_card")


def _what_else(act: Act) -> str:
    """Why something that the terminal would take is not what comes now."""
    match act.press:
        case "sense" if not act.lit:
            return "That chip belongs there: leave its light on."
        case "sense":
            return f"Nobody put a chip on seat {act.seat}."
        case "pick" if act.seat == EVERYONE:
            return "These cards do not make that hand for everybody."
        case "pick":
            return (
                "These cards do not make that hand, or it is picked already. Look at the cards and the pay table again."
            )
        case "void":
            return "There was no misdeal: this round counts."
        case "end":
            return "The round is not settled: the cards make a winning hand, or do not count at all."
        case "key":
            return "The key is turned when a win is verified, and back when it is paid."
        case _:
            return "That is not what comes now."
