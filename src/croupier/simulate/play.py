"""The interpreter that plays full rounds at random, by a strategy, and counts everything in integers.

All counts of a run lie in one vector of 64-bit integers, so results of chunks, threads, GPUs and machines are added up
element by element and come out the same in any order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.kernels.baccarat import own_hand_first
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import DEALER, MAIN, RESULT
from croupier.kernels.strategy import StrategyTables, answer_by_tables
from croupier.simulate.generator import GOLDEN, S32, U64, chunk_counter, mix

DECK = 52

MOST_BETS = 8
MOST_OUTCOMES = 32

# The vector of counts.
ROUNDS, SEAT_ROUNDS, PROFIT, SQUARE, ROUND_SQUARE, STAKED, SHOES = range(7)
"""Rounds; rounds times seats; profit of main wagers in the smallest unit, its square for each seat and for all seats of
a round together; money staked on them in the end; shoes shuffled."""
SHOE_SQUARE, SHOE_ROUNDS_SQUARE, SHOE_CROSS = 7, 8, 9
"""With a cut card: squares of a shoe's profit and of its seat rounds, and their product."""
MAIN_AT = 16
"""Hands by outcome of the main wager, losing first."""
INSURANCE_AT = 28
"""Insurance wagers lost and won."""
NET_AT = 32
NET_CELLS = 512
"""Net results of a seat's round, in the smallest unit, the middle cell being zero; the end cells take all beyond."""
WAGER_AT = NET_AT + NET_CELLS
WAGER_CELLS = 128
"""Final main wagers of a seat, in first wagers of one hand; the last cell takes all beyond."""
BETS_AT = WAGER_AT + WAGER_CELLS
COUNTS = BETS_AT + MOST_BETS * MOST_OUTCOMES


class Setting(NamedTuple):
    """What a run is played with: read only."""

    rules: BlackjackRules
    stakes: Any
    """First wager of each seat."""
    pays: Any
    """Profit for each unit staked by outcome, losing first, in the smallest unit."""
    tables: StrategyTables
    options: Any
    """Switches of each side bet, packed."""
    sides: Any
    """Baccarat: the side each side bet is on."""
    cut: int
    """Cards dealt before the cut card comes; of a continuous shuffler the cards in its chute."""


class Scratch(NamedTuple):
    """What a chunk is played in."""

    shoe: Any
    swaps: Any
    hands: Any
    net: Any
    """For each seat profit and money staked in this round."""
    counts: Any


# `world` is (counter, position, up card, cards whose order is fixed).


def pick_card(counter: Any, position: int, shoe: Any, swaps: Any) -> Any:
    """One step of a Fisher-Yates shuffle: a card of those left comes to `position`.

    The high 32 bits pick among them by multiplication; the bias is below 416 / 2**32, a ten-millionth.
    """
    left = U64(len(shoe) - position)
    pick = position + np.int64((mix(counter) >> S32) * left >> S32)
    card = shoe[pick]
    shoe[pick] = shoe[position]
    shoe[position] = card
    swaps[position] = pick
    return np.int64(card)


def draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """`draw`: the next card of a shuffle made as far as it is needed; each swap is noted, to be undone."""
    counter = world[0] + GOLDEN
    card = pick_card(counter, world[1], table[1].shoe, table[1].swaps)
    return card, (counter, world[1] + 1, card if place == DEALER else world[2], world[3])


def draw_continuous(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """`draw` with a continuous shuffler: the cards in its chute come first, in their order."""
    counter, position, up, fixed = world
    if position < fixed:
        card: Any = np.int64(table[1].shoe[position])
    else:
        counter += GOLDEN
        card = pick_card(counter, position, table[1].shoe, table[1].swaps)
    return card, (counter, position + 1, card if place == DEALER else up, fixed)


def ask(world: Any, table: Any, seat: int, hand: int, question: int, legal: int) -> tuple[int, Any]:
    """`ask`: what the strategy says."""
    setting, scratch = table
    answer = answer_by_tables(
        setting.tables, scratch.hands, setting.stakes, setting.rules, world[2], seat, hand, question, legal
    )
    return answer, world


def pay(world: Any, table: Any, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    """`pay`: profit and stake of the seat, and the outcome's count."""
    setting, scratch = table
    if wager == MAIN:
        scratch.net[seat, 0] += setting.pays[outcome + 1] * staked
        scratch.net[seat, 1] += staked
        scratch.counts[MAIN_AT + 1 + outcome] += 1
    else:
        scratch.counts[INSURANCE_AT + 1 + outcome] += 1
    return world


def settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """`settle`: every side wager that this moment decides. Bets and their moments are put in when linked."""
    if moment == MOMENT_0:
        count_bet(table, 0, moment, own, other, bet_0)
    if moment == MOMENT_1:
        count_bet(table, 1, moment, own, other, bet_1)
    if moment == MOMENT_2:
        count_bet(table, 2, moment, own, other, bet_2)
    if moment == MOMENT_3:
        count_bet(table, 3, moment, own, other, bet_3)
    if moment == MOMENT_4:
        count_bet(table, 4, moment, own, other, bet_4)
    if moment == MOMENT_5:
        count_bet(table, 5, moment, own, other, bet_5)
    if moment == MOMENT_6:
        count_bet(table, 6, moment, own, other, bet_6)
    if moment == MOMENT_7:
        count_bet(table, 7, moment, own, other, bet_7)
    return world


def count_bet(table: Any, bet: int, moment: int, own: int, other: int, classify: Any) -> None:
    setting = table[0]
    if moment == RESULT:
        own, other = own_hand_first(own, other, setting.sides[bet])
    outcome = classify(own, other, setting.options[bet])
    table[1].counts[BETS_AT + bet * MOST_OUTCOMES + 1 + outcome] += 1


def no_bet(own: int, other: int, options: int) -> int:
    """In the place of a bet that a game does not have."""
    return -1


bet_0 = bet_1 = bet_2 = bet_3 = bet_4 = bet_5 = bet_6 = bet_7 = no_bet
MOMENT_0 = MOMENT_1 = MOMENT_2 = MOMENT_3 = MOMENT_4 = MOMENT_5 = MOMENT_6 = MOMENT_7 = -1


def tell(world: Any, table: Any, what: int, seat: int, hand: int) -> Any:
    """`tell`: nobody looks."""
    return world


def play(world: Any, table: Any, hands: Any, stakes: Any, rules: BlackjackRules) -> Any:
    """The round, put in when linked."""
    raise NotImplementedError("linked with a round before use")


def fold_round(setting: Setting, scratch: Scratch) -> int:
    """Adds the seats' results of a round to the counts; returns the profit of all of them."""
    counts, net = scratch.counts, scratch.net
    total = 0
    for seat in range(setting.rules.seats):
        profit, staked = net[seat, 0], net[seat, 1]
        net[seat, 0] = 0
        net[seat, 1] = 0
        total += profit
        counts[PROFIT] += profit
        counts[SQUARE] += profit * profit
        counts[STAKED] += staked
        counts[NET_AT + min(max(profit + NET_CELLS // 2, 0), NET_CELLS - 1)] += 1
        counts[WAGER_AT + min(staked // setting.stakes[seat], WAGER_CELLS - 1)] += 1
    counts[ROUNDS] += 1
    counts[SEAT_ROUNDS] += setting.rules.seats
    counts[ROUND_SQUARE] += total * total
    return total


def put_back(scratch: Scratch, drawn: int) -> None:
    """Undoes the swaps of a round: the shoe is as it was before it."""
    shoe, swaps = scratch.shoe, scratch.swaps
    for position in range(drawn - 1, -1, -1):
        pick = swaps[position]
        card = shoe[position]
        shoe[position] = shoe[pick]
        shoe[pick] = card


def one_round(world: Any, setting: Setting, scratch: Scratch) -> Any:
    return play(world, (setting, scratch), scratch.hands, setting.stakes, setting.rules)


def play_fresh(counter: Any, rounds: int, setting: Setting, scratch: Scratch) -> None:
    """So many rounds, each from a freshly shuffled shoe."""
    for _ in range(rounds):
        counter, drawn, _up, _fixed = one_round((counter, 0, 0, 0), setting, scratch)
        put_back(scratch, drawn)
        fold_round(setting, scratch)


def play_shoes(counter: Any, shoes: int, setting: Setting, scratch: Scratch) -> None:
    """So many whole shoes: rounds begin until the cut card has come."""
    counts = scratch.counts
    for _ in range(shoes):
        drawn = 0
        profit = 0
        rounds = 0
        while drawn < setting.cut:
            counter, drawn, _up, _fixed = one_round((counter, drawn, 0, 0), setting, scratch)
            profit += fold_round(setting, scratch)
            rounds += setting.rules.seats
        counts[SHOES] += 1
        counts[SHOE_SQUARE] += profit * profit
        counts[SHOE_ROUNDS_SQUARE] += rounds * rounds
        counts[SHOE_CROSS] += profit * rounds


def play_continuous(counter: Any, rounds: int, setting: Setting, scratch: Scratch) -> None:
    """So many rounds from a continuous shuffler: what was dealt goes back among all cards but those in the chute."""
    fixed = 0
    for _ in range(rounds):
        counter, drawn, _up, _fixed = one_round((counter, 0, 0, fixed), setting, scratch)
        counter, fixed = refill_chute(counter, drawn, fixed, setting.cut, scratch)
        fold_round(setting, scratch)


def refill_chute(counter: Any, drawn: int, fixed: int, chute: int, scratch: Scratch) -> tuple[Any, int]:
    """The next cards are fixed in their order and come to the front; all others lie behind them, to be shuffled."""
    shoe = scratch.shoe
    ready = min(drawn + chute, len(shoe))
    for position in range(max(drawn, fixed), ready):
        counter += GOLDEN
        pick_card(counter, position, shoe, scratch.swaps)
    for position in range(drawn, ready):
        card = shoe[position]
        shoe[position] = shoe[position - drawn]
        shoe[position - drawn] = card
    return counter, ready - drawn


def shuffle_style(counter: Any, size: int, setting: Setting, scratch: Scratch) -> None:
    """How a chunk is played, put in when linked: one of the three above."""
    raise NotImplementedError("linked with a way of shuffling before use")


def play_chunks(key: Any, first: int, last: int, size: int, setting: Setting, scratch: Scratch) -> None:
    """Chunks `first` to `last`, the last one not: each with its own stream, each from an ordered shoe."""
    for chunk in range(first, last):
        for position in range(len(scratch.shoe)):
            scratch.shoe[position] = position % DECK
        shuffle_style(chunk_counter(key, chunk), size, setting, scratch)
