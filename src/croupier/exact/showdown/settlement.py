"""The interpreter that settles: the real round, for cards and answers that are given.

What a showdown comes to is asked of the round itself: it is run for a seat's cards, a dealer's hand of each class, and
every path of answers. Nothing here knows a rule of a game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from croupier.kernels.effects import BOARD, DEALER, SEAT_PLACES
from croupier.kernels.sets import EMPTY_SET, card_of

MOST_QUESTIONS = 8
"""Questions that one seat is asked in a round."""
MOST_ENDED = 32
"""Wagers that one round settles."""
LOWEST_LEGAL = -1
"""On a path: the first answer that is legal."""
DECK_PLACES = 52
# What is known of a question that was asked: columns of `asked`.
QUESTION, LEGAL, SIGHT, ANSWER, BOARD_SEEN, STAKED_BEFORE = range(6)
ASKED_COLUMNS = 6
# Cells of `flags`.
ASKED, ENDED, DEALT, STAKED, ILLEGAL = range(5)
FLAGS = 5
# Whose cards: rows of `hands`.
OWN_HAND, SHOWN_HAND, HIDDEN_HAND = range(3)


class Showing(NamedTuple):
    """What a run reads and writes."""

    hands: Any
    """Sets: the seat's cards, the dealer's up cards, his hidden ones."""
    board: Any
    """The shared cards as places in a set, in the order in which they are dealt."""
    path: Any
    """An answer for each question in turn, or LOWEST_LEGAL."""
    asked: Any
    """A row for each question, by the columns above."""
    ended: Any
    """For each wager that ended: its cell, and the money on it."""
    flags: Any
    pays: Any
    """Profit for each unit, by cell, in the smallest unit."""
    cells: Any
    """Where the cells of each wager begin."""
    stakeless: Any
    """For each wager, 1 if it is paid on another's stake; 2 if it has an account of its own."""
    memory: Any
    stakes: Any
    rules: Any
    """What the round is run with."""


# The effects. `world` is profit and money staked.


def deal(world: Any, showing: Showing, place: int, count: int) -> tuple[int, Any]:
    """`deal`: the cards that are given for a place."""
    if place == BOARD:
        cards = EMPTY_SET
        for _ in range(count):
            cards |= 1 << showing.board[showing.flags[DEALT]]
            showing.flags[DEALT] += 1
        return cards, world
    if place == DEALER:
        return showing.hands[SHOWN_HAND], world
    return (showing.hands[HIDDEN_HAND] if DEALER < place < SEAT_PLACES else showing.hands[OWN_HAND]), world


def draw(world: Any, showing: Showing, place: int) -> tuple[int, Any]:
    """`draw`: a single card."""
    cards, world = deal(world, showing, place, 1)
    bit = 0
    while cards >> bit & 1 == 0:
        bit += 1
    return card_of(bit), world


def ask(world: Any, showing: Showing, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, Any]:
    """`ask`: as the path has it."""
    flags, at = showing.flags, showing.flags[ASKED]
    answer = showing.path[at]
    if answer == LOWEST_LEGAL:
        answer = 0
        while legal >> answer & 1 == 0:
            answer += 1
    if legal >> answer & 1 == 0:
        flags[ILLEGAL] = 1
    row = showing.asked[at]
    row[QUESTION] = question
    row[LEGAL] = legal
    row[SIGHT] = sight
    row[ANSWER] = answer
    row[BOARD_SEEN] = flags[DEALT]
    row[STAKED_BEFORE] = flags[STAKED]
    flags[ASKED] = at + 1
    return answer, world


def stake(world: Any, showing: Showing, seat: int, hand: int, wager: int, amount: int) -> Any:
    """`stake`: noted, so that of equal answers the one with more money is known."""
    showing.flags[STAKED] += amount
    return world


def pay(world: Any, showing: Showing, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    """`pay`: the wager's profit, and a note of how it ended."""
    profit, put = world
    cell = showing.cells[wager] + outcome + 1
    at = showing.flags[ENDED]
    showing.ended[at][0] = cell
    showing.ended[at][1] = staked
    showing.flags[ENDED] = at + 1
    if showing.stakeless[wager] == 2:
        return world
    more = 0 if showing.stakeless[wager] == 1 else staked
    return (profit + showing.pays[cell] * staked, put + more)


def settle(world: Any, showing: Showing, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """`settle`: side wagers are counted elsewhere."""
    return world


def tell(world: Any, showing: Showing, what: int, place: int, to: int) -> Any:
    """`tell`: nobody looks."""
    return world


def play(world: Any, showing: Showing, memory: Any, stakes: Any, rules: Any) -> Any:
    """The round, put in when linked."""
    raise NotImplementedError("linked with a round before use")


def run_showdown(showing: Showing) -> tuple[int, int]:
    """Profit and money staked of the round with the cards and answers that `showing` has."""
    for cell in range(len(showing.flags)):
        showing.flags[cell] = 0
    return play((0, 0), showing, showing.memory, showing.stakes, showing.rules)  # type: ignore[no-any-return]


def settle_examples(showing: Showing, examples: Any, paths: Any, profit: Any, staked: Any, money: Any) -> int:
    """Runs the round for every example and path, which is a number of questions and the answers. Returns how often it
    did not ask as a path says."""
    strange = 0
    for number in range(len(examples)):
        for kind in range(examples.shape[1]):
            if examples[number, kind, 0] != 0:
                showing.hands[OWN_HAND] = examples[number, kind, 0]
                showing.hands[HIDDEN_HAND] = examples[number, kind, 2]
                board, at = examples[number, kind, 1], 0
                for place in range(DECK_PLACES):
                    if board >> place & 1:
                        showing.board[at] = place
                        at += 1
                for path in range(len(paths)):
                    length = paths[path, 0]
                    for question in range(length):
                        showing.path[question] = paths[path, 1 + question]
                    won, put = run_showdown(showing)
                    strange += showing.flags[ILLEGAL]
                    strange += 1 if showing.flags[ASKED] != length else 0
                    profit[number, path, kind] = won
                    staked[number, path, kind] = put
                    for ended in range(showing.flags[ENDED]):
                        money[number, path, kind, showing.ended[ended, 0]] = showing.ended[ended, 1]
    return strange
