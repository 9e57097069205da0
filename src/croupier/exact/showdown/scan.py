"""The scan: a seat's hands from the weakest to the strongest, each against all that the dealer can hide.

Hands of equal strength are settled alike, so the round itself is run once for each strength, answer and class of
dealer's hand: below the seat's, equal to it or above it, and of those that qualify or do not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from croupier.exact.showdown.settlement import (
    ASKED,
    ENDED,
    HIDDEN_HAND,
    LEGAL,
    LOWEST_LEGAL,
    OWN_HAND,
    SHOWN_HAND,
    SIGHT,
    run_showdown,
)
from croupier.exact.showdown.subset_counts import BELOW, UNQUALIFIED, UP_TO
from croupier.exact.tree import PLAIN_SUMS, PROFIT, SQUARE, STAKED, WEIGHT, add_to
from croupier.kernels.sets import EMPTY_SET, JOKER, RANK_COUNT, SUIT

CLASSES_OF_DEALER = 4
MOST_ANSWERS = 8
MOST_ENDINGS = 16
"""Wagers of one seat that a round settles."""
NOT_MET = -1
"""An up card that the seat has itself, or that another suit stands for."""
UP_RANKS = RANK_COUNT + 1
"""Ranks of an up card, and the joker; where there is none, the first."""
DONE, TIES, UNEXPECTED = range(3)
"""Cells of `flags`: own hands done, sights with equal answers, and whether the round asked not just one question."""


class Hands(NamedTuple):
    """What is scanned."""

    own: Any
    """The seat's hands, one of each class, the weakest first."""
    weights: Any
    strengths: Any
    groups: Any
    """Where each strength begins, and the end."""
    dealers: Any
    """The dealer's hands, likewise."""
    dealer_strengths: Any
    qualifies: int
    has_up: int
    deck: int
    total: int
    """In how many ways the dealer can hide cards from one sight."""
    follows: int
    """1: the answers are given, and not looked for."""


class StrengthSettlement(NamedTuple):
    """How hands of one strength are settled, by class of the dealer's hand and answer."""

    profit: Any
    put: Any
    endings: Any
    """How many wagers ended."""
    ended: Any
    """Cell and money of each."""
    cuts: Any
    """Where the classes of the dealer's hands begin, and the end."""
    counts: Any
    """How many hands of each class there are at one sight."""
    chosen: Any
    """With what weight each class was met by each answer."""


class ScanResult(NamedTuple):
    """What comes of it."""

    answers: Any
    """By own hand and up card as a place in a set; without up cards in the first column."""
    votes: Any
    """By strength, rank of the up card and answer: with what weight it is given."""
    worth: Any
    """By strength and answer: what it is worth to all hands of that strength, in the smallest unit."""
    legal: Any
    """By strength: the answers that are legal."""
    sums: Any
    """As a row of the tree's sums."""
    flags: Any


def add_below(counts: Any, column: int, bound: int) -> None:
    """Counts the dealer's hands below a bound, put in when linked."""
    raise NotImplementedError("linked with a way of counting before use")


def count_below(counts: Any, own: int, up: int, bound: int) -> tuple[int, int, int]:
    """The dealer's hands below, up to and not qualified, put in when linked."""
    raise NotImplementedError("linked with a way of counting before use")


def answer_by_rule(question: int, sight: int) -> int:
    """What a rule of thumb answers, put in when linked."""
    raise NotImplementedError("linked with a rule before use")


def first_at_least(strengths: Any, bound: int) -> int:
    """Where hands of a strength or better begin."""
    low, high = 0, len(strengths)
    while low < high:
        middle = (low + high) >> 1
        if strengths[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


def split_dealers(hands: Hands, settled: StrengthSettlement, strength: int) -> None:
    """Where each class of the dealer's hands begins, for a seat of this strength."""
    cuts, of = settled.cuts, hands.dealer_strengths
    cuts[0] = 0
    cuts[4] = len(of)
    equal, above, qualified = (
        first_at_least(of, strength),
        first_at_least(of, strength + 1),
        first_at_least(of, hands.qualifies),
    )
    cuts[1] = min(equal, qualified)
    cuts[2] = max(min(above, qualified), equal)
    cuts[3] = max(above, qualified)


def split_counts(settled: StrengthSettlement, below: int, up_to: int, unqualified: int, total: int) -> None:
    """The same of hands: how many there are of each class."""
    counts = settled.counts
    first, second, third = min(below, unqualified), max(min(up_to, unqualified), below), max(up_to, unqualified)
    counts[0] = first
    counts[1] = second - first
    counts[2] = third - second
    counts[3] = total - third


def show(showing: Any, hands: Hands, own: int, dealer: int) -> None:
    """Puts a seat's hand and one of the dealer's on the table."""
    up = dealer & -dealer if hands.has_up else EMPTY_SET
    showing.hands[OWN_HAND] = own
    showing.hands[SHOWN_HAND] = up
    showing.hands[HIDDEN_HAND] = dealer ^ up


def settle_all(showing: Any, hands: Hands, settled: StrengthSettlement, flags: Any, own: int) -> int:
    """Runs the round for a seat's hand by every answer against each class of the dealer's; returns what is legal."""
    showing.path[0] = LOWEST_LEGAL
    show(showing, hands, own, hands.dealers[0])
    run_showdown(showing)
    if showing.flags[ASKED] != 1:
        flags[UNEXPECTED] = 1
        return 0
    legal = showing.asked[0, LEGAL]
    for which in range(CLASSES_OF_DEALER):
        if settled.cuts[which] == settled.cuts[which + 1]:
            continue
        show(showing, hands, own, hands.dealers[settled.cuts[which]])
        for answer in range(MOST_ANSWERS):
            if legal >> answer & 1:
                showing.path[0] = answer
                profit, put = run_showdown(showing)
                settled.profit[which, answer] = profit
                settled.put[which, answer] = put
                number = showing.flags[ENDED]
                settled.endings[which, answer] = number
                for ended in range(number):
                    settled.ended[which, answer, ended, 0] = showing.ended[ended, 0]
                    settled.ended[which, answer, ended, 1] = showing.ended[ended, 1]
    return int(legal)


def best_answer(settled: StrengthSettlement, found: ScanResult, legal: int, group: int, weight: int) -> int:
    """The answer of the highest profit; of equal ones that with more money on the table."""
    best, best_profit, best_put, is_tie = NOT_MET, 0, 0, 0
    for answer in range(MOST_ANSWERS):
        if legal >> answer & 1:
            profit = 0
            put = 0
            for which in range(CLASSES_OF_DEALER):
                if settled.counts[which] != 0:
                    profit += settled.counts[which] * settled.profit[which, answer]
                    put += settled.counts[which] * settled.put[which, answer]
            found.worth[group, answer] += weight * profit
            if best == NOT_MET or profit > best_profit:
                best, best_profit, best_put, is_tie = answer, profit, put, 0
            elif profit == best_profit:
                is_tie = 1
                if put > best_put:
                    best, best_put = answer, put
    found.flags[TIES] += is_tie
    return best


def decide_sight(
    hands: Hands,
    counts: Any,
    settled: StrengthSettlement,
    found: ScanResult,
    legal: int,
    at: int,
    group: int,
    up: int,
    place: int,
    alike: int,
) -> None:
    """Decides one sight, and notes with what weight each class of the dealer's hands is met there."""
    own = hands.own[at]
    below, up_to, unqualified = count_below(counts, own, up, hands.strengths[at])
    split_counts(settled, below, up_to, unqualified, hands.total)
    weight = hands.weights[at] * alike
    answer = found.answers[at, place]
    if hands.follows == 0:
        answer = best_answer(settled, found, legal, group, weight)
        found.answers[at, place] = answer
    while legal >> answer & 1 == 0:  # a rule may want more than a limit allows
        answer -= 1
    rank = 0 if up == EMPTY_SET else RANK_COUNT if up == JOKER else place % RANK_COUNT
    found.votes[group, rank, answer] += weight * hands.total
    for which in range(CLASSES_OF_DEALER):
        settled.chosen[which, answer] += weight * settled.counts[which]


def decide_hand(
    hands: Hands, counts: Any, settled: StrengthSettlement, found: ScanResult, legal: int, at: int, group: int
) -> None:
    """Decides all sights of a hand. Of up cards in suits in which the seat holds the same, one stands for all."""
    own = hands.own[at]
    if not hands.has_up:
        decide_sight(hands, counts, settled, found, legal, at, group, EMPTY_SET, 0, 1)
        return
    for suit in range(4):
        held = own >> RANK_COUNT * suit & SUIT
        alike = 0
        for other in range(4):
            if own >> RANK_COUNT * other & SUIT == held:
                alike = 0 if other < suit else alike + 1
                if other < suit:
                    break
        if alike == 0:
            continue
        for rank in range(RANK_COUNT):
            place = suit * RANK_COUNT + rank
            up = 1 << place
            if hands.deck & up and not own & up:
                decide_sight(hands, counts, settled, found, legal, at, group, up, place, alike)
    if hands.deck & JOKER and not own & JOKER:
        decide_sight(hands, counts, settled, found, legal, at, group, JOKER, 4 * RANK_COUNT, 1)


def add_group(settled: StrengthSettlement, found: ScanResult) -> None:
    """Counts how the rounds of one strength ended."""
    sums = found.sums
    for which in range(CLASSES_OF_DEALER):
        for answer in range(MOST_ANSWERS):
            weight = settled.chosen[which, answer]
            if weight == 0:
                continue
            settled.chosen[which, answer] = 0
            profit = settled.profit[which, answer]
            add_to(sums, WEIGHT, weight, 1)
            add_to(sums, PROFIT, weight, profit)
            add_to(sums, SQUARE, weight, profit * profit)
            add_to(sums, STAKED, weight, settled.put[which, answer])
            for ended in range(settled.endings[which, answer]):
                cell = PLAIN_SUMS + 2 * settled.ended[which, answer, ended, 0]
                add_to(sums, cell, weight, 1)
                add_to(sums, cell + 1, weight, settled.ended[which, answer, ended, 1])


def scan(
    hands: Hands, counts: Any, showing: Any, settled: StrengthSettlement, found: ScanResult, first: int, last: int
) -> None:
    """Decides the hands of the strengths `first` to `last`, the last one not."""
    add_below(counts, UNQUALIFIED, hands.qualifies)
    for group in range(first, last):
        start, end = hands.groups[group], hands.groups[group + 1]
        strength = hands.strengths[start]
        add_below(counts, BELOW, strength)
        add_below(counts, UP_TO, strength + 1)
        split_dealers(hands, settled, strength)
        legal = settle_all(showing, hands, settled, found.flags, hands.own[start])
        if found.flags[UNEXPECTED]:
            return
        found.legal[group] = legal
        for at in range(start, end):
            decide_hand(hands, counts, settled, found, legal, at, group)
            found.flags[DONE] += 1
        add_group(settled, found)


def read_sights(hands: Hands, showing: Any, answers: Any, keys: Any, values: Any) -> int:
    """What a seat sees at each sight, as the round says it, and the answer; returns how many there are."""
    number = 0
    for at in range(len(hands.own)):
        for place in range(answers.shape[1]):
            if answers[at, place] != NOT_MET:
                keys[number] = sight_at(hands, showing, at, place)
                values[number] = answers[at, place]
                number += 1
    return number


def sight_at(hands: Hands, showing: Any, at: int, place: int) -> int:
    """What the round says that a seat sees."""
    showing.path[0] = LOWEST_LEGAL
    showing.hands[OWN_HAND] = hands.own[at]
    showing.hands[SHOWN_HAND] = 1 << place if hands.has_up else EMPTY_SET
    showing.hands[HIDDEN_HAND] = EMPTY_SET
    run_showdown(showing)
    return int(showing.asked[0, SIGHT])


def follow_rule(hands: Hands, showing: Any, answers: Any) -> None:
    """Puts what a rule of thumb answers in the place of every answer."""
    for at in range(len(hands.own)):
        for place in range(answers.shape[1]):
            if answers[at, place] != NOT_MET:
                answers[at, place] = answer_by_rule(0, sight_at(hands, showing, at, place))
