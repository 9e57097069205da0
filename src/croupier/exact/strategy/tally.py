"""What hands come to when they are played by codes: wins, pushes and losses, splits among them. Compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from croupier.exact.strategy.dealer import DEALER_ENDS, row_of
from croupier.exact.strategy.graph import KEY_BITS, STARTS
from croupier.exact.strategy.legal import BLACKJACK_HAND, DEALT, SPLIT_FROM
from croupier.exact.strategy.position import (
    HAND,
    KEY,
    TOTAL,
    Graph,
    Position,
    after,
    chance_of_blackjack,
    factor,
    is_possible,
    left_of,
    may,
    pair_card,
    place,
    unseen_after,
)
from croupier.kernels.blackjack import WAITING, BlackjackRules, blackjack_outcome
from croupier.kernels.effects import DOUBLE, HIT, PUSH, SPLIT, STAND, SURRENDER
from croupier.kernels.hands import is_blackjack
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT, SPECIAL_AT

MOST_EXTRA = 9

# Columns of a tally: what a starting hand comes to, joint with no dealer's blackjack where the dealer looks for it.
WIN_1, PUSH_1, LOSE_1, WIN_2, PUSH_2, LOSE_2, SPLIT_BLACKJACK, SURRENDERED, SQUARE, BY_END = range(10)
"""Expected hands that win, push and lose with one and with two units; blackjacks on split hands; hands surrendered; the
square of the profit; from BY_END on the profit by the dealer's final total, a blackjack not looked for last."""
END_CHANCE = BY_END + DEALER_ENDS + 1
"""From here on the chance of each of these ends while the two cards are all the player has drawn."""
COLUMNS = END_CHANCE + DEALER_ENDS + 1


def profit(tally: Any, pays: float, given_up: float) -> Any:
    """Expected profit of what a tally counts, or of many tallies side by side."""
    won = tally[WIN_1] + 2 * tally[WIN_2] + pays * tally[SPLIT_BLACKJACK]
    return won - tally[LOSE_1] - 2 * tally[LOSE_2] + given_up * tally[SURRENDERED]


def tally_standing(at: Position, graph: Graph, hand: int, reach: float, units: int, tally: Any) -> None:
    """Counts a hand that stands with so many units, having come up with chance `reach`."""
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    column = WIN_1 if units == 1 else WIN_2
    for end in range(DEALER_ENDS):
        chance = reach * at.memo.ends[row, end]
        versus = graph.versus[graph.facts[hand, TOTAL], end]
        if versus > 0:
            tally[column] += chance
        elif versus < 0:
            tally[column + 2] += chance
        else:
            tally[column + 1] += chance
        tally[BY_END + end] += units * versus * chance
    if at.peek == 0:
        lost = reach * chance_of_blackjack(at, graph, hand)
        tally[column + 2] += lost
        tally[BY_END + DEALER_ENDS] -= units * lost


def tally_bust(at: Position, graph: Graph, hand: int, reach: float, units: int, began: Any, tally: Any) -> None:
    """Counts the next cards that take a hand past 21.

    `began` is the dealer's distribution where play began: what was drawn since is left out of it, as it is used for the
    deviation only.
    """
    unseen = unseen_after(at, graph, hand)
    bust = factor(at, graph, hand)
    for card in range(CLASSES):
        following = after(graph, hand, card)
        left = left_of(at, graph, hand, card)
        if following >= 0 and left > 0:
            bust -= left / unseen * factor(at, graph, following)
    if bust <= 0:
        return
    tally[LOSE_1 if units == 1 else LOSE_2] += reach * bust
    share = units * reach * bust / factor(at, graph, hand)
    for end in range(DEALER_ENDS):
        tally[BY_END + end] -= share * began[end]
    if at.peek == 0:
        tally[BY_END + DEALER_ENDS] -= share * chance_of_blackjack(at, graph, hand)


def tally_play(at: Position, graph: Graph, codes: Any, reach: Any, first: int, kind: int, tally: Any) -> None:
    """Plays on from hands of a kind that have come up with chance `reach` (used up on the way), by their codes."""
    size = len(graph.facts)
    began = np.empty(DEALER_ENDS)
    began[:] = at.memo.ends[row_of(at.memo, graph.facts[first, KEY] + at.gone)]
    for hand in range(first, size):
        chance = reach[hand]
        if chance == 0.0:
            continue
        reach[hand] = 0.0
        code = codes[hand]
        doubles = code & DOUBLE_BIT != 0 and may(graph, kind, hand, DOUBLE)
        if not doubles and (code & 3 == STAND or not may(graph, kind, hand, HIT)):
            tally_standing(at, graph, hand, chance, 1, tally)
            continue
        unseen = unseen_after(at, graph, hand)
        for card in range(CLASSES):
            following = after(graph, hand, card)
            left = left_of(at, graph, hand, card)
            if following >= 0 and left > 0:
                if doubles:
                    tally_standing(at, graph, following, chance * left / unseen, 2, tally)
                else:
                    reach[following] += chance * left / unseen
        tally_bust(at, graph, hand, chance, 2 if doubles else 1, began, tally)


def square_of(tally: Any, given_up: float) -> float:
    """Mean square of the profit of hands counted one by one."""
    played = tally[WIN_1] + tally[LOSE_1] + 4 * (tally[WIN_2] + tally[LOSE_2])
    return float(played + given_up**2 * tally[SURRENDERED])


def chance_all_of_rank(at: Position, of_rank: float, number: int) -> float:
    """Chance that so many given cards are all of one rank, of which `of_rank` are left once the pair is out."""
    chance = 1.0
    unseen = at.unseen if at.memo.endless else at.unseen - 2
    for drawn in range(number):
        left = of_rank if at.memo.endless else of_rank - drawn
        if left <= 0:
            return 0.0
        chance *= left / (unseen if at.memo.endless else unseen - drawn)
    return chance


def ways_to_choose(number: int, among: int) -> float:
    ways = 1.0
    for step in range(number):
        ways = ways * (among - step) / (step + 1)
    return ways


def split_shares(
    at: Position, patterns: Any, most: int, of_rank: float, any_card: Any, no_pair: Any
) -> tuple[float, float]:
    """How many hands of a split are met with `extra` more cards of the pair gone, by inclusion and exclusion.

    `patterns` lists the ways a split can go for each largest number of hands: cards of the pair drawn and split, hands
    whose second card is none of the pair, hands with any. Returns the mean number of hands and of pairs of them.
    """
    hands_mean = 0.0
    pairs_mean = 0.0
    for row in range(len(patterns)):
        if patterns[row, 0] != most:
            continue
        splits, clean, free = patterns[row, 1], patterns[row, 2], patterns[row, 3]
        chance = 0.0
        for also in range(clean + 1):
            sign = ways_to_choose(also, clean) * (-1.0 if also % 2 else 1.0)
            met = chance_all_of_rank(at, of_rank, splits + also)
            chance += sign * met
            any_card[1 + splits + also] += free * sign * met
            if also < clean:
                fewer = ways_to_choose(also, clean - 1) * (-1.0 if also % 2 else 1.0)
                no_pair[1 + splits + also] += clean * fewer * met
        hands = clean + free
        hands_mean += hands * chance
        pairs_mean += hands * (hands - 1) * chance
    return hands_mean, pairs_mean


def tally_split_blackjack(
    at: Position, graph: Graph, rules: BlackjackRules, hand: int, reach: float, tally: Any
) -> None:
    """Counts A-10 on a split hand where that is a blackjack; against another it ends as the round says."""
    lost = chance_of_blackjack(at, graph, hand)
    tally[SPLIT_BLACKJACK] += reach * (1.0 - lost)
    if at.peek == 0 and blackjack_outcome(rules, WAITING, BLACKJACK_HAND) == PUSH:
        tally[PUSH_1] += reach * lost
    elif at.peek == 0:
        tally[SPLIT_BLACKJACK] += reach * lost
        tally[BY_END + DEALER_ENDS] += at.pays * reach * lost
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    for end in range(DEALER_ENDS):
        tally[BY_END + end] += at.pays * reach * at.memo.ends[row, end]


def tally_split(
    at: Position, graph: Graph, rules: BlackjackRules, patterns: Any, card: int, of_rank: float, codes: Any, tally: Any
) -> None:
    """What splitting a pair comes to when every hand is played by the codes; `of_rank` counts the pair's own cards."""
    tally[:] = 0.0
    kind, single = SPLIT_FROM + card, after(graph, 0, card)
    most = rules.max_hands if may(graph, kind, after(graph, single, card), SPLIT) else 2
    any_card, no_pair = np.zeros(MOST_EXTRA), np.zeros(MOST_EXTRA)
    rank_left = of_rank if at.memo.endless else of_rank - 2
    hands, pairs = split_shares(at, patterns, most, rank_left, any_card, no_pair)
    reach = np.zeros(len(graph.facts))
    for extra in range(1, MOST_EXTRA):
        if any_card[extra] == 0.0 and no_pair[extra] == 0.0:
            continue
        there = place(at.memo, at.gone + (extra << KEY_BITS * card), at.peek, at.pays, at.given_up)
        unseen = unseen_after(there, graph, single)
        for second in range(CLASSES):
            left = left_of(there, graph, single, second)
            hand = after(graph, single, second)
            if left <= 0:
                continue
            of_pair = 0.0
            if second == card:
                of_pair = of_rank if at.memo.endless else of_rank - 1 - extra
            reach[hand] = (any_card[extra] * left + no_pair[extra] * (left - of_pair)) / unseen
            if rules.split_blackjack == 1 and is_blackjack(graph.facts[hand, HAND]):
                tally_split_blackjack(there, graph, rules, hand, reach[hand], tally)
                reach[hand] = 0.0
        tally_play(there, graph, codes, reach, single, kind, tally)
    tally[SQUARE] = square_of(tally, at.given_up) + at.pays**2 * tally[SPLIT_BLACKJACK]
    note_ends(at, graph, after(graph, single, card), tally)
    if hands > 0:
        tally[SQUARE] += pairs / hands**2 * shared_dealer(tally, tally)


def note_ends(at: Position, graph: Graph, hand: int, tally: Any) -> None:
    """Writes down what the dealer ends on."""
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    for end in range(DEALER_ENDS):
        tally[END_CHANCE + end] = at.memo.ends[row, end]
    tally[END_CHANCE + DEALER_ENDS] = chance_of_blackjack(at, graph, hand)


def shared_dealer(first: Any, second: Any) -> float:
    """Mean product of two hands' profits, taken as independent once the dealer's final total is known."""
    product = 0.0
    for end in range(DEALER_ENDS + 1):
        if first[END_CHANCE + end] > 0:
            product += first[BY_END + end] * second[BY_END + end] / first[END_CHANCE + end]
    return product


def tally_starts(at: Position, graph: Graph, rules: BlackjackRules, patterns: Any, codes: Any, tallies: Any) -> None:
    """What each starting hand comes to under a strategy."""
    reach = np.zeros(len(graph.facts))
    for start in range(STARTS):
        hand = graph.starts[start]
        tally = tallies[start]
        tally[:] = 0.0
        if not is_possible(at, graph, hand):
            continue
        special = codes[hand] >> SPECIAL_AT & 7
        if special == SPLIT:
            card = pair_card(graph, hand)
            tally_split(at, graph, rules, patterns, card, at.left[card], codes, tally)
            continue
        if special == SURRENDER:
            lost = chance_of_blackjack(at, graph, hand) if at.peek == 0 else 0.0
            tally[SURRENDERED] = factor(at, graph, hand) - lost
            tally[LOSE_1] = lost
        else:
            reach[hand] = 1.0
            tally_play(at, graph, codes, reach, hand, DEALT, tally)
        tally[SQUARE] = square_of(tally, at.given_up)
        note_ends(at, graph, hand, tally)
