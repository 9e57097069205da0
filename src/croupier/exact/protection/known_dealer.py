"""Boards on which one of the dealer's two cards is known: the compiled part, put in the place of `compare.py`'s.

The known card is a club, and lies apart from the deck: the other three suits may be exchanged.
"""

from __future__ import annotations

from croupier.exact.showdown.compare import (
    EQUAL,
    HIGHER_CLOSED,
    HIGHER_OPEN,
    LOWER_CLOSED,
    LOWER_OPEN,
    Ranked,
    Strengths,
    slot_of,
    strength,
)
from croupier.exact.showdown.compare import rank_board as rank_own
from croupier.kernels.sets import RANK_COUNT, SUIT, set_size

ALL_CARDS = (1 << 4 * RANK_COUNT) - 1


def rank_knowing(ranked: Ranked, strengths: Strengths, deck: int, board: int) -> int:
    """`rank_board`; and by card, in `below_of`, the strength of the dealer's hand that it makes with the known one. In
    `closed_of` these strengths stand in rising order."""
    hands = rank_own(ranked, strengths, deck, board)
    known = ALL_CARDS & ~deck
    for at in range(set_size(deck & ~board)):
        place = ranked.cards[at]
        number = strengths.numbers[slot_of(strengths.keys, strength(board | known | 1 << place))]
        ranked.below_of[place] = number
        to = at
        while to > 0 and ranked.closed_of[to - 1] > number:
            ranked.closed_of[to] = ranked.closed_of[to - 1]
            to -= 1
        ranked.closed_of[to] = number
    return hands


def compare_knowing(ranked: Ranked, strengths: Strengths, hands: int, dealers: int) -> None:
    """`compare_board`: the dealer has one of the cards that are left beside the known one, and none of the seat's."""
    left, opens = dealers + 2, strengths.open_from
    closed = 0
    while closed < left and ranked.closed_of[closed] < opens:
        closed += 1
    below, up_to = 0, 0
    for at in range(hands):
        hand = ranked.order[at]
        mine = ranked.number[hand]
        while below < left and ranked.closed_of[below] < mine:
            below += 1
        while up_to < left and ranked.closed_of[up_to] <= mine:
            up_to += 1
        one, other = ranked.below_of[ranked.first[hand]], ranked.below_of[ranked.second[hand]]
        lower = below - (one < mine) - (other < mine)
        equal = up_to - (one <= mine) - (other <= mine) - lower
        shut = closed - (one < opens) - (other < opens)
        row = ranked.classes[hand]
        if mine >= opens:
            row[LOWER_CLOSED] = shut
            row[LOWER_OPEN] = lower - shut
            row[HIGHER_CLOSED] = 0
        else:
            row[LOWER_CLOSED] = lower
            row[LOWER_OPEN] = 0
            row[HIGHER_CLOSED] = shut - lower - equal
        row[EQUAL] = equal
        row[HIGHER_OPEN] = dealers - lower - equal - row[HIGHER_CLOSED]


def exchange_but_clubs(board: int) -> int:
    """`exchange_of`, clubs staying clubs."""
    exchange = 0
    for suit in range(1, 4):
        mine = board >> RANK_COUNT * suit & SUIT
        place = 1
        for other in range(1, 4):
            theirs = board >> RANK_COUNT * other & SUIT
            if theirs > mine or (theirs == mine and other < suit):
                place += 1
        exchange |= place << 2 * suit
    return exchange
