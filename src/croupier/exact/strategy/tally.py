"""What hands come to when they are played by codes: wins, pushes and losses, splits among them. Compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from croupier.exact.strategy.dealer import DEALER_ENDS, row_of
from croupier.exact.strategy.graph import KEY_BITS, STARTS
from croupier.exact.strategy.legal import BLACKJACK_HAND, DEALT, MONEY, PLAIN_MONEY, SPLIT_FROM
from croupier.exact.strategy.position import (
    HAND,
    KEY,
    STAKED,
    TOTAL,
    WON,
    Graph,
    Position,
    after,
    chance_of_blackjack,
    factor,
    first_money,
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
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT, DOUBLED, HOUSE, OWN, SPECIAL_AT

MOST_EXTRA = 9

# Columns of a tally: what a starting hand comes to, joint with no dealer's blackjack where the dealer looks for it.
WIN, PUSHED, LOST = range(3)
MONEY_COLUMNS = 3 * len(MONEY)
"""Expected hands that win, push and lose, three columns for each row of MONEY."""
SPLIT_BLACKJACK, SURRENDERED, RESCUED, BY_CARDS = range(MONEY_COLUMNS, MONEY_COLUMNS + 4)
"""Blackjacks on split hands; hands surrendered, with one unit and doubled; from BY_CARDS on hands settled by the number
of their cards, by `Graph.ends` from 1."""
MOST_BY_CARDS = 2
SQUARE, BY_END = BY_CARDS + MOST_BY_CARDS, BY_CARDS + MOST_BY_CARDS + 1
"""The square of the profit; from BY_END on the profit by the dealer's final total, a blackjack not looked for last."""
END_CHANCE = BY_END + DEALER_ENDS + 1
"""From here on the chance of each of these ends while the two cards are all the player has drawn."""
COLUMNS = END_CHANCE + DEALER_ENDS + 1


def profit(tally: Any, pays: float, given_up: float) -> Any:
    """Expected profit of what a tally counts, or of many tallies side by side, without the house's money and hands that
    are settled by the number of cards."""
    won = tally[WIN] + 2 * tally[3 + WIN] + pays * tally[SPLIT_BLACKJACK]
    return won - tally[LOST] - 2 * tally[3 + LOST] + given_up * tally[SURRENDERED]


def whole_profit(at: Position, graph: Graph, tally: Any) -> float:
    """Expected profit of what a tally counts, all of it."""
    value = float(profit(tally, at.pays, at.given_up))
    for money in range(PLAIN_MONEY, len(graph.money)):
        value += graph.money[money, WON] * tally[3 * money + WIN] - graph.money[money, STAKED] * tally[3 * money + LOST]
    value += 2 * at.given_up * tally[RESCUED]
    for ending in range(1, len(at.by_cards)):
        value += at.by_cards[ending] * tally[BY_CARDS + ending - 1]
    return float(value)


def tally_standing(at: Position, graph: Graph, hand: int, reach: float, money: int, tally: Any) -> None:
    """Counts a hand that stands with such money on it, having come up with chance `reach`."""
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    column = 3 * money
    won, staked = graph.money[money, WON], graph.money[money, STAKED]
    for end in range(DEALER_ENDS):
        chance = reach * at.memo.ends[row, end]
        versus = graph.versus[graph.facts[hand, TOTAL], end]
        if versus > 0:
            tally[column + WIN] += chance
        elif versus < 0:
            tally[column + LOST] += chance
        else:
            tally[column + PUSHED] += chance
        tally[BY_END + end] += (won if versus > 0 else staked) * versus * chance
    if at.peek == 0:
        lost = reach * chance_of_blackjack(at, graph, hand)
        tally[column + LOST] += lost
        tally[BY_END + DEALER_ENDS] -= staked * lost


def tally_known(at: Position, graph: Graph, hand: int, reach: float, each: float, column: int, tally: Any) -> None:
    """Counts a hand that is settled without a look at the dealer's cards: given up, or by the number of its cards."""
    lost = reach * chance_of_blackjack(at, graph, hand)
    if column >= BY_CARDS:
        tally[column] += reach * factor(at, graph, hand)
    else:
        tally[column] += reach - lost
        if at.peek == 0:
            tally[LOST if column == SURRENDERED else 3 + LOST] += lost
            tally[BY_END + DEALER_ENDS] -= lost if column == SURRENDERED else 2 * lost
    row = row_of(at.memo, graph.facts[hand, KEY] + at.gone)
    for end in range(DEALER_ENDS):
        tally[BY_END + end] += each * reach * at.memo.ends[row, end]


def tally_bust(at: Position, graph: Graph, hand: int, reach: float, money: int, began: Any, tally: Any) -> None:
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
    tally[3 * money + LOST] += reach * bust
    share = graph.money[money, STAKED] * reach * bust / factor(at, graph, hand)
    for end in range(DEALER_ENDS):
        tally[BY_END + end] -= share * began[end]
    if at.peek == 0:
        tally[BY_END + DEALER_ENDS] -= share * chance_of_blackjack(at, graph, hand)


def tally_play(
    at: Position, graph: Graph, codes: Any, state: int, reach: Any, first: int, kind: int, tally: Any
) -> None:
    """Plays on from hands of a kind that have come up with chance `reach` (used up on the way), by their codes, for the
    seat's wager or the house's."""
    size = len(graph.facts)
    began = np.empty(DEALER_ENDS)
    began[:] = at.memo.ends[row_of(at.memo, graph.facts[first, KEY] + at.gone)]
    for hand in range(first, size):
        chance = reach[hand]
        if chance == 0.0:
            continue
        reach[hand] = 0.0
        code = codes[state, hand]
        money = first_money(state)
        if graph.ends[hand] > 0:
            ending = graph.ends[hand]
            tally_known(at, graph, hand, chance, at.by_cards[ending], BY_CARDS + ending - 1, tally)
            continue
        if code >> SPECIAL_AT & 7 == SURRENDER and may(graph, kind, hand, SURRENDER):
            tally_known(at, graph, hand, chance, at.given_up, SURRENDERED, tally)
            continue
        doubles = code & DOUBLE_BIT != 0 and may(graph, kind, hand, DOUBLE)
        if not doubles and (code & 3 == STAND or not may(graph, kind, hand, HIT)):
            tally_standing(at, graph, hand, chance, money, tally)
            continue
        money = graph.doubles[state, hand] if doubles else money
        unseen = unseen_after(at, graph, hand)
        for card in range(CLASSES):
            following = after(graph, hand, card)
            left = left_of(at, graph, hand, card)
            if following >= 0 and left > 0:
                if doubles and graph.rescue == 1 and codes[DOUBLED, following] >> SPECIAL_AT & 7 == SURRENDER:
                    given_up = 2 * at.given_up
                    tally_known(at, graph, following, chance * left / unseen, given_up, RESCUED, tally)
                elif doubles:
                    tally_standing(at, graph, following, chance * left / unseen, money, tally)
                else:
                    reach[following] += chance * left / unseen
        tally_bust(at, graph, hand, chance, money, began, tally)


def square_of(at: Position, graph: Graph, tally: Any) -> float:
    """Mean square of the profit of hands counted one by one."""
    played = tally[WIN] + tally[LOST] + 4 * (tally[3 + WIN] + tally[3 + LOST])
    square = float(played + at.given_up**2 * tally[SURRENDERED])
    for money in range(PLAIN_MONEY, len(graph.money)):
        won, staked = graph.money[money, WON], graph.money[money, STAKED]
        square += won**2 * tally[3 * money + WIN] + staked**2 * tally[3 * money + LOST]
    square += 4 * at.given_up**2 * tally[RESCUED]
    for ending in range(1, len(at.by_cards)):
        square += at.by_cards[ending] ** 2 * tally[BY_CARDS + ending - 1]
    return float(square)


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


def first_hand_shares(
    at: Position, patterns: Any, most: int, of_rank: float, any_card: Any, no_pair: Any
) -> tuple[float, float]:
    """The same for the first hand of a split alone, of which there is one: it is the first to be completed, so its
    second card is none of the pair wherever that is said of any hand. Returns the mean number of other hands and of
    pairs of them."""
    others = 0.0
    pairs = 0.0
    for row in range(len(patterns)):
        if patterns[row, 0] != most:
            continue
        splits, clean, free = patterns[row, 1], patterns[row, 2], patterns[row, 3]
        chance = 0.0
        for also in range(clean + 1):
            met = ways_to_choose(also, clean) * (-1.0 if also % 2 else 1.0)
            met *= chance_all_of_rank(at, of_rank, splits + also)
            chance += met
            if clean == 0:
                any_card[1 + splits] += met
            elif also < clean:
                fewer = ways_to_choose(also, clean - 1) * (-1.0 if also % 2 else 1.0)
                no_pair[1 + splits + also] += fewer * chance_all_of_rank(at, of_rank, splits + also)
        others += (clean + free - 1) * chance
        pairs += (clean + free - 1) * (clean + free - 2) * chance
    return others, pairs


def tally_split_blackjack(
    at: Position, graph: Graph, rules: BlackjackRules, hand: int, reach: float, tally: Any
) -> None:
    """Counts A-10 on a split hand where that is a blackjack; against another it ends as the round says."""
    lost = chance_of_blackjack(at, graph, hand)
    tally[SPLIT_BLACKJACK] += reach * (1.0 - lost)
    if at.peek == 0 and blackjack_outcome(rules, WAITING, BLACKJACK_HAND) == PUSH:
        tally[PUSHED] += reach * lost
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
    if graph.others[card] == OWN:
        tally_split_hands(at, graph, rules, card, of_rank, codes, OWN, any_card, no_pair, tally)
        finish_split(at, graph, card, tally)
        if hands > 0:
            tally[SQUARE] += pairs / hands**2 * shared_dealer(tally, tally)
        return
    first_any, first_no_pair = np.zeros(MOST_EXTRA), np.zeros(MOST_EXTRA)
    others, pairs = first_hand_shares(at, patterns, most, rank_left, first_any, first_no_pair)
    rest = np.zeros(COLUMNS)
    tally_split_hands(at, graph, rules, card, of_rank, codes, OWN, first_any, first_no_pair, tally)
    tally_split_hands(
        at, graph, rules, card, of_rank, codes, HOUSE, any_card - first_any, no_pair - first_no_pair, rest
    )
    finish_split(at, graph, card, tally)
    finish_split(at, graph, card, rest)
    shared = 2 * shared_dealer(tally, rest)
    if others > 0:
        shared += pairs / others**2 * shared_dealer(rest, rest)
    for column in range(END_CHANCE):
        tally[column] += rest[column]
    tally[SQUARE] += shared


def value_of_free_hands(
    at: Position, graph: Graph, rules: BlackjackRules, patterns: Any, card: int, of_rank: float, codes: Any
) -> float:
    """What splitting a pair is worth that is on the house's money already: every hand is played for that."""
    tally = np.zeros(COLUMNS)
    kind, single = SPLIT_FROM + card, after(graph, 0, card)
    most = rules.max_hands if may(graph, kind, after(graph, single, card), SPLIT) else 2
    any_card, no_pair = np.zeros(MOST_EXTRA), np.zeros(MOST_EXTRA)
    rank_left = of_rank if at.memo.endless else of_rank - 2
    split_shares(at, patterns, most, rank_left, any_card, no_pair)
    tally_split_hands(at, graph, rules, card, of_rank, codes, HOUSE, any_card, no_pair, tally)
    return float(whole_profit(at, graph, tally))


def finish_split(at: Position, graph: Graph, card: int, tally: Any) -> None:
    """The square of the profit of each hand by itself, and what the dealer ends on."""
    tally[SQUARE] = square_of(at, graph, tally) + at.pays**2 * tally[SPLIT_BLACKJACK]
    note_ends(at, graph, after(graph, after(graph, 0, card), card), tally)


def tally_split_hands(
    at: Position,
    graph: Graph,
    rules: BlackjackRules,
    card: int,
    of_rank: float,
    codes: Any,
    state: int,
    any_card: Any,
    no_pair: Any,
    tally: Any,
) -> None:
    """Counts hands of a split that are played for the same wager, by the cards of the pair that are gone besides."""
    kind, single = SPLIT_FROM + card, after(graph, 0, card)
    reach = np.zeros(len(graph.facts))
    for extra in range(1, MOST_EXTRA):
        if any_card[extra] == 0.0 and no_pair[extra] == 0.0:
            continue
        gone = at.gone + (extra << KEY_BITS * card)
        there = place(at.memo, gone, at.peek, at.pays, at.given_up, at.by_cards)
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
        tally_play(there, graph, codes, state, reach, single, kind, tally)


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
        special = codes[OWN, hand] >> SPECIAL_AT & 7
        if special == SPLIT:
            card = pair_card(graph, hand)
            tally_split(at, graph, rules, patterns, card, at.left[card], codes, tally)
            continue
        if special == SURRENDER:
            lost = chance_of_blackjack(at, graph, hand) if at.peek == 0 else 0.0
            tally[SURRENDERED] = factor(at, graph, hand) - lost
            tally[LOST] = lost
        else:
            reach[hand] = 1.0
            tally_play(at, graph, codes, OWN, reach, hand, DEALT, tally)
        tally[SQUARE] = square_of(at, graph, tally)
        note_ends(at, graph, hand, tally)
