"""The interpreter by which agents play: a round is run again from its first card for every answer.

A round is a straight procedure that cannot be left in the middle and gone on with. But it is short, and its cards come
from a counter-based generator, which gives the same ones again. So what a table keeps between two steps is its seed and
the answers given. `ask` answers from these; when they are used up it notes the question, and all that the round still
does then has no effect. The same source is run in plain Python, one table at a time, and compiled for thousands.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.kernels.effects import CHOICE_MASK, COPIED, HANDS_PER_SEAT, MOVED, OPENED, SWAPPED, TURNED
from croupier.kernels.proceeds import returned_by
from croupier.simulate.generator import GOLDEN, S32, U64, chunk_counter, mix
from croupier.simulate.play import FIRST_WAGER, MOST_ROUND_OUTCOMES
from croupier.simulate.shuffle import DECK_CARDS, pick_below

MOST_ANSWERS = 96
"""Answers of a round that are kept for each seat; a round that asks for more gets the usual ones."""
UP, DOWN, OWNER = range(3)
"""Who sees a card, as `Place.face` has it."""
NOT_SHOWN = 0
"""The code of a place whose cards no agent sees, and of no card."""

POSITION, LAID, QUESTION, HAND, SEAT, LEGAL, SIGHT, BEST = range(8)
NOTES = 8
"""What is noted when a round stops: cards drawn and lying, the question with all about it, the strategy's answer."""

ADVISED = 0
"""Put in as 1 where a strategy says what it would answer."""
APART = 0
"""Put in when linked: wagers, one bit each, that do not lie on a hand."""


class Setting(NamedTuple):
    """What tables are played with: read only."""

    rules: Any
    stakes: Any
    """First wager of each seat."""
    pays: Any
    """Profit for each unit staked by wager and outcome, losing first, in the smallest unit."""
    tables: Any
    """What the strategy says, as the round's `answer` reads it."""
    cards: int
    """Cards of the whole shoe."""
    faces: Any
    """By place: who sees a card dealt there."""
    codes: Any
    """By seat and place: what the seat calls the place."""
    own: int
    """Places of its own that a seat has: the first codes."""
    first_actions: Any
    """By question: the action that stands for its first choice; last the action that goes on where nothing is asked."""
    usual: Any
    """By question: the choice of a seat that does not answer."""
    questions: Any
    """By action: its question."""
    choices: Any
    """By action: the number of the choice."""


class Scratch(NamedTuple):
    """What one round is run in."""

    shoe: Any
    ordered: Any
    """A shoe that nobody touches."""
    picks: Any
    """The slots that the cards of the round came from."""
    memory: Any
    """What the round keeps."""
    cards: Any
    """The cards that are out, in the order in which they came to their places."""
    places: Any
    lying: Any
    """For each of these cards who sees it."""
    staked: Any
    """By seat and hand: what lies there."""
    profit: Any
    """By seat, once the round is over."""
    notes: Any


class TableStates(NamedTuple):
    """What is known of each table between steps."""

    keys: Any
    """Where its stream of random numbers comes from."""
    rounds: Any
    """Which round of its stream is on."""
    given: Any
    """How many answers were given in it."""
    answers: Any
    question: Any
    """The question that its agent is asked; one more than there are where there is none."""
    legal: Any
    is_over: Any
    """Whether the round is over, and the next step begins another."""


class Seen(NamedTuple):
    """What agents are shown, by table."""

    question: Any
    hand: Any
    sight: Any
    cards: Any
    """Those that the seat has seen, counted from 1, in the order in which they came to their places; 0 for none."""
    places: Any
    """The code of each of their places."""
    staked: Any
    """What lies on each of the seat's hands, in first wagers."""
    action_mask: Any
    best_action: Any
    reward: Any
    profit: Any
    terminated: Any
    illegal_action: Any


# `world` is: cards drawn, cards lying, answers used, and whether the round has stopped at a question.


def draw(world: Any, table: Any, place: int) -> tuple[Any, Any]:
    """The next card; after the question that stops the round any will do, for nobody sees it: high ones end it soon."""
    position, laid, used, is_stopped = world
    setting, scratch, _tables, _at, counter = table
    if is_stopped == 1 or position >= setting.cards:
        return np.int64(DECK_CARDS - 1 - position % DECK_CARDS), (position + 1, laid, used, is_stopped)
    at = U64(position)
    pick = pick_below(mix(counter + (at + U64(1)) * GOLDEN) >> S32, position, setting.cards)
    card = np.int64(scratch.shoe[pick])
    scratch.shoe[pick] = scratch.shoe[at]
    scratch.picks[at] = np.int32(pick)
    lay(scratch, laid, card, place, setting.faces[U64(place)])
    return card, (position + 1, laid + 1, used, is_stopped)


def lay(scratch: Scratch, at: int, card: Any, place: Any, face: Any) -> None:
    scratch.cards[U64(at)] = card  # unsigned indices spare the check for negative ones
    scratch.places[U64(at)] = place
    scratch.lying[U64(at)] = face


def ask(world: Any, table: Any, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[Any, Any]:
    """The next answer given; where there is none the question is noted, and the round has stopped."""
    position, laid, used, is_stopped = world
    setting, scratch, tables, at, _counter = table
    usual = usual_choice(setting.usual[question], legal)
    if is_stopped == 1 or used >= tables.answers.shape[1]:
        return usual, world
    if used < tables.given[at]:
        return np.int64(tables.answers[at, used]), (position, laid, used + 1, is_stopped)
    notes = scratch.notes
    notes[POSITION], notes[LAID], notes[QUESTION], notes[HAND] = position, laid, question, hand
    notes[SEAT], notes[LEGAL], notes[SIGHT] = seat, legal, sight
    if ADVISED == 1:
        notes[BEST] = answer(
            setting.tables, scratch.memory, setting.stakes, setting.rules, sight, seat, hand, question, legal
        )
    return usual, (position, laid, used, 1)


def usual_choice(usual: Any, legal: Any) -> Any:
    """The choice of a seat that does not answer; where it is not legal, the first that is."""
    choice = np.int64(usual)
    if legal >> choice & 1 == 0:
        choice = np.int64(0)
        while legal >> choice & 1 == 0:
            choice += 1
    return choice


def answer(
    tables: Any, memory: Any, stakes: Any, rules: Any, sight: int, seat: int, hand: int, question: int, legal: int
) -> int:
    """How the round reads a strategy's tables, put in when linked."""
    raise NotImplementedError("linked with a round before use")


def stake(world: Any, table: Any, seat: int, hand: int, wager: int, amount: int) -> Any:
    """`stake`: what lies on a hand is seen."""
    if world[3] == 0 and APART >> wager & 1 == 0:
        table[1].staked[U64(seat * HANDS_PER_SEAT + hand)] += amount
    return world


def pay(world: Any, table: Any, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    """`pay`: the seat's profit."""
    if world[3] == 0:
        table[1].profit[U64(seat)] += table[0].pays[U64(wager * MOST_ROUND_OUTCOMES + outcome + 1)] * staked
    return world


def returned(world: Any, table: Any, wager: int, outcome: int, staked: int) -> Any:
    """`returned`: by the pays of the wager's cells."""
    pays, cell = table[0].pays, wager * MOST_ROUND_OUTCOMES
    return returned_by(pays[U64(cell + outcome + 1)], pays[U64(cell)], staked)


def settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """`settle`: agents make no side wagers."""
    return world


def tell(world: Any, table: Any, what: int, place: int, to: int) -> Any:
    """`tell`: cards are turned or change places."""
    position, laid, used, is_stopped = world
    scratch = table[1]
    if is_stopped == 1:
        return world
    if what == TURNED:
        for at in range(laid):
            if scratch.places[at] == place:
                scratch.lying[at] = UP
    elif what == OPENED:
        open_hand(scratch, laid, place)
    elif what == SWAPPED:
        one, other = last_at(scratch, laid, place), last_at(scratch, laid, to)
        card = scratch.cards[one]
        scratch.cards[one] = scratch.cards[other]
        scratch.cards[other] = card
    elif what == COPIED:
        at = last_at(scratch, laid, place)
        lay(scratch, laid, scratch.cards[at], to, scratch.lying[at])
        return position, laid + 1, used, is_stopped
    elif what == MOVED:
        move_last(scratch, laid, place, to)
    return world


def open_hand(scratch: Scratch, laid: int, place: int) -> None:
    """The seat's hands from `place` on move up by one."""
    beyond = place - place % HANDS_PER_SEAT + HANDS_PER_SEAT
    for at in range(laid):
        if place <= scratch.places[at] < beyond:
            scratch.places[at] += 1
    for hand in range(beyond - 1, place, -1):
        scratch.staked[hand] = scratch.staked[hand - 1]
    scratch.staked[place] = 0


def last_at(scratch: Scratch, laid: int, place: int) -> int:
    """Where the last card at a place stands among those that are out."""
    at = laid - 1
    while at > 0 and scratch.places[at] != place:
        at -= 1
    return at


def move_last(scratch: Scratch, laid: int, place: int, to: int) -> None:
    """The last card at a place becomes the last at another."""
    at = last_at(scratch, laid, place)
    card, face = scratch.cards[at], scratch.lying[at]
    for later in range(at, laid - 1):
        lay(scratch, later, scratch.cards[later + 1], scratch.places[later + 1], scratch.lying[later + 1])
    lay(scratch, laid - 1, card, to, face)


def play(world: Any, table: Any, memory: Any, stakes: Any, rules: Any) -> Any:
    """The round, put in when linked."""
    raise NotImplementedError("linked with a round before use")


def for_one_seat(rules: Any) -> Any:
    """The same rules with the number of seats written out where there is one, put in when linked."""
    return rules


def run_round(setting: Setting, scratch: Scratch, tables: TableStates, at: int) -> bool:
    """Runs a table's round as far as its answers go; whether it has stopped at a question."""
    for index in range(len(scratch.staked)):
        scratch.staked[index] = 0
    for seat in range(len(scratch.profit)):
        scratch.profit[seat] = 0
    counter = chunk_counter(tables.keys[at], tables.rounds[at])
    table = (setting, scratch, tables, at, counter)
    world = play((0, 0, 0, 0), table, scratch.memory, setting.stakes, for_one_seat(setting.rules))
    if world[3] == 0:
        scratch.notes[POSITION] = min(world[0], setting.cards)
        scratch.notes[LAID] = world[1]
    for position in range(scratch.notes[POSITION]):
        pick = U64(scratch.picks[U64(position)])
        scratch.shoe[pick] = scratch.ordered[pick]
    return bool(world[3] == 1)


def show(setting: Setting, scratch: Scratch, seen: Seen, at: int, seat: int, is_asked: bool) -> None:
    """What a seat sees of the round that was run last, and its question if it is asked."""
    row, notes = U64(at), scratch.notes
    cards, places, staked, mask = seen.cards[row], seen.places[row], seen.staked[row], seen.action_mask[row]
    cards[:] = 0
    places[:] = NOT_SHOWN
    shown = 0
    for index in range(notes[LAID]):
        code = setting.codes[U64(seat), U64(scratch.places[U64(index)])]
        face = scratch.lying[U64(index)]
        is_seen = face == UP or (face == OWNER and code <= setting.own)
        if code != NOT_SHOWN and is_seen and shown < MOST_SHOWN:
            cards[U64(shown)] = scratch.cards[U64(index)] + 1
            places[U64(shown)] = code
            shown += 1
    for hand in range(MOST_HANDS):
        staked[U64(hand)] = scratch.staked[U64(seat * HANDS_PER_SEAT + hand)] / FIRST_WAGER
    question, legal = (notes[QUESTION], notes[LEGAL]) if is_asked else (np.int64(len(setting.usual)), np.int64(0))
    seen.question[row] = question
    seen.hand[row] = notes[HAND] if is_asked else 0
    seen.sight[row] = notes[SIGHT] if is_asked else 0
    for action in range(ACTIONS):
        is_legal = setting.questions[U64(action)] == question and legal >> setting.choices[U64(action)] & 1 == 1
        mask[U64(action)] = is_legal


MOST_SHOWN = MOST_HANDS = ACTIONS = 0
"""Put in when linked: sizes of what is shown."""


def go_on(setting: Setting, scratch: Scratch, tables: TableStates, seen: Seen, at: int) -> bool:
    """Runs a table's round as far as its answers go, and shows it to the seat that is asked; whether one is."""
    is_asked = run_round(setting, scratch, tables, at)
    notes = scratch.notes
    show(setting, scratch, seen, at, notes[SEAT] if is_asked else 0, is_asked)
    tables.question[at] = notes[QUESTION] if is_asked else len(setting.usual)
    tables.legal[at] = notes[LEGAL] if is_asked else 0
    tables.is_over[at] = not is_asked
    if ADVISED == 1:
        action = len(setting.questions) - 1
        if is_asked:
            action = setting.first_actions[notes[QUESTION]] + (notes[BEST] & CHOICE_MASK)
        seen.best_action[at] = action
    return is_asked


def take_answer(setting: Setting, tables: TableStates, at: int, action: Any) -> bool:
    """Writes an action down as the answer to the question; whether it is legal. One that is not counts as none."""
    question, legal = tables.question[at], tables.legal[at]
    is_of_question = 0 <= action < len(setting.questions) and setting.questions[action] == question
    if question == len(setting.usual):
        return bool(is_of_question)
    is_legal = is_of_question and legal >> setting.choices[action] & 1 == 1
    choice = np.int64(setting.choices[action]) if is_legal else usual_choice(setting.usual[question], legal)
    tables.answers[at, tables.given[at]] = choice
    tables.given[at] += 1
    return bool(is_legal)


def next_round(tables: TableStates, at: int) -> None:
    tables.rounds[at] += 1
    tables.given[at] = 0


def advance(
    setting: Setting, scratch: Scratch, tables: TableStates, seen: Seen, final: Seen, actions: Any, mode: int
) -> None:
    """One step at every table: an answer, and the round goes on to its next question or to its end.

    A table whose round is over begins another instead. ANEW begins one everywhere, and SAME_STEP as soon as a round is
    over, whose end is then shown in `final`. A round that asks nothing is shown whole, and its agent can only go on.
    """
    for at in range(len(tables.rounds)):
        begins = mode == ANEW or tables.is_over[at]
        seen.profit[at] = 0
        seen.reward[at] = 0.0
        seen.terminated[at] = False
        seen.illegal_action[at] = False
        if begins:
            next_round(tables, at)
        else:
            seen.illegal_action[at] = not take_answer(setting, tables, at, actions[at])
        while True:  # the one place where a round is run, so that it is compiled once
            is_asked = go_on(setting, scratch, tables, seen, at)
            if begins and not is_asked:
                tables.is_over[at] = False
                seen.action_mask[at, len(setting.questions) - 1] = 1
            if begins or is_asked:
                break
            seen.profit[at] = scratch.profit[0]
            seen.reward[at] = scratch.profit[0] / UNIT
            seen.terminated[at] = True
            if mode != SAME_STEP:
                break
            show(setting, scratch, final, at, 0, False)
            next_round(tables, at)
            begins = True


NEXT_STEP, SAME_STEP, ANEW = range(3)
UNIT = 1.0
"""The first wager in the smallest unit, put in when linked."""
