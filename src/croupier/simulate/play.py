"""The interpreter that plays full rounds at random, by a strategy, and counts everything in integers.

All counts of a run lie in one vector of 64-bit integers, so results of chunks, threads, GPUs and machines are added up
element by element and come out the same in any order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.kernels.baccarat import own_hand_first
from croupier.kernels.blackjack import BlackjackRules, for_one_seat
from croupier.kernels.effects import DEALER, MAIN, RESULT
from croupier.kernels.strategy import StrategyTables, answer_by_tables
from croupier.simulate.generator import GOLDEN, S32, U64, chunk_counter, mix

DECK = 52

MOST_BETS = 6
MOST_OUTCOMES = 32
FIRST_WAGER_BITS = 1
FIRST_WAGER = 1 << FIRST_WAGER_BITS
"""Units of the first wager: half of it can be insured or given up."""
ONE_SEAT = 0
"""Put in as 1 when a sampler is linked for one seat: loops over seats then vanish."""

# The vector of counts.
ROUNDS, ROUND_SQUARE, SHOES, SHOE_SQUARE, SHOE_ROUNDS_SQUARE, SHOE_CROSS, FAR_PROFIT, FAR_SQUARE, FAR_STAKED = range(9)
"""Rounds; with several seats the square of a round's profit; with a cut card shoes, the squares of a shoe's profit and
of its rounds, and their product; profit, its square and money staked where they do not fit the cells below."""
MAIN_AT = 16
"""Hands by outcome of the main wager, losing first."""
INSURANCE_AT = 28
"""Insurance wagers lost and won."""
NET_AT = 32
NET_CELLS = 512
"""Net results of a seat's round, in the smallest unit, the middle cell being zero; the first cell takes all beyond."""
WAGER_AT = NET_AT + NET_CELLS
WAGER_CELLS = 64
"""Final main wagers of a seat, in first wagers of one hand; the first cell takes all beyond."""
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
    cards: int
    """Cards of the whole shoe."""
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


def count(counts: Any, cell: int, amount: int) -> None:
    """Adds to a count; a GPU has its own way."""
    counts[cell] += amount


def pay(world: Any, table: Any, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    """`pay`: profit and stake of the seat, and the outcome's count."""
    setting, scratch = table
    if wager == MAIN:
        scratch.net[2 * seat] += setting.pays[outcome + 1] * staked
        scratch.net[2 * seat + 1] += staked
        count(scratch.counts, MAIN_AT + 1 + outcome, 1)
    else:
        count(scratch.counts, INSURANCE_AT + 1 + outcome, 1)
    return world


def settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """`settle`: every side wager that this moment decides. Bets and their moments are put in when linked."""
    options, sides, counts = table[0].options, table[0].sides, table[1].counts
    if moment == MOMENT_0:
        first, second = as_wagered(moment, own, other, sides[0])
        count(counts, BETS_AT + 1 + bet_0(first, second, options[0]), 1)
    if moment == MOMENT_1:
        first, second = as_wagered(moment, own, other, sides[1])
        count(counts, BETS_AT + 1 * MOST_OUTCOMES + 1 + bet_1(first, second, options[1]), 1)
    if moment == MOMENT_2:
        first, second = as_wagered(moment, own, other, sides[2])
        count(counts, BETS_AT + 2 * MOST_OUTCOMES + 1 + bet_2(first, second, options[2]), 1)
    if moment == MOMENT_3:
        first, second = as_wagered(moment, own, other, sides[3])
        count(counts, BETS_AT + 3 * MOST_OUTCOMES + 1 + bet_3(first, second, options[3]), 1)
    if moment == MOMENT_4:
        first, second = as_wagered(moment, own, other, sides[4])
        count(counts, BETS_AT + 4 * MOST_OUTCOMES + 1 + bet_4(first, second, options[4]), 1)
    if moment == MOMENT_5:
        first, second = as_wagered(moment, own, other, sides[5])
        count(counts, BETS_AT + 5 * MOST_OUTCOMES + 1 + bet_5(first, second, options[5]), 1)
    return world


def as_wagered(moment: int, own: int, other: int, side: int) -> tuple[int, int]:
    """The two hands as a wager sees them."""
    return own_hand_first(own, other, side) if moment == RESULT else (own, other)


def no_bet(own: int, other: int, options: int) -> int:
    """In the place of a bet that a game does not have."""
    return -1


bet_0 = bet_1 = bet_2 = bet_3 = bet_4 = bet_5 = no_bet
MOMENT_0 = MOMENT_1 = MOMENT_2 = MOMENT_3 = MOMENT_4 = MOMENT_5 = -1


def tell(world: Any, table: Any, what: int, seat: int, hand: int) -> Any:
    """`tell`: nobody looks."""
    return world


def play(world: Any, table: Any, hands: Any, stakes: Any, rules: BlackjackRules) -> Any:
    """The round, put in when linked."""
    raise NotImplementedError("linked with a round before use")


def fold_round(setting: Setting, scratch: Scratch, seats: int) -> int:
    """Counts the seats' results of a round; returns the profit of all of them."""
    counts, net = scratch.counts, scratch.net
    total = 0
    for seat in range(seats):
        profit, staked = net[2 * seat], net[2 * seat + 1]
        net[2 * seat] = 0
        net[2 * seat + 1] = 0
        total += profit
        cell, wagers = profit + NET_CELLS // 2, staked >> FIRST_WAGER_BITS
        if 0 < cell < NET_CELLS and wagers < WAGER_CELLS:
            count(counts, NET_AT + cell, 1)
            count(counts, WAGER_AT + wagers, 1)
        else:
            count(counts, NET_AT, 1)
            count(counts, WAGER_AT, 1)
            count(counts, FAR_PROFIT, profit)
            count(counts, FAR_SQUARE, profit * profit)
            count(counts, FAR_STAKED, staked)
    if seats > 1:
        count(counts, ROUND_SQUARE, total * total)
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
    rules = for_one_seat(setting.rules) if ONE_SEAT else setting.rules
    return play(world, (setting, scratch), scratch.hands, setting.stakes, rules)


def seats_of(setting: Setting) -> int:
    return 1 if ONE_SEAT else setting.rules.seats


def play_fresh(counter: Any, rounds: int, setting: Setting, scratch: Scratch) -> None:
    """So many rounds, each from a freshly shuffled shoe."""
    for _ in range(rounds):
        counter, drawn, _up, _fixed = one_round((counter, 0, 0, 0), setting, scratch)
        put_back(scratch, drawn)
        fold_round(setting, scratch, seats_of(setting))
    count(scratch.counts, ROUNDS, rounds)


def play_shoes(counter: Any, shoes: int, setting: Setting, scratch: Scratch) -> None:
    """So many whole shoes: rounds begin until the cut card has come."""
    counts = scratch.counts
    for _ in range(shoes):
        drawn = 0
        profit = 0
        rounds = 0
        while drawn < setting.cut:
            counter, drawn, _up, _fixed = one_round((counter, drawn, 0, 0), setting, scratch)
            profit += fold_round(setting, scratch, seats_of(setting))
            rounds += 1
        count(counts, ROUNDS, rounds)
        count(counts, SHOES, 1)
        count(counts, SHOE_SQUARE, profit * profit)
        count(counts, SHOE_ROUNDS_SQUARE, rounds * rounds)
        count(counts, SHOE_CROSS, profit * rounds)


def play_continuous(counter: Any, rounds: int, setting: Setting, scratch: Scratch) -> None:
    """So many rounds from a continuous shuffler: what was dealt goes back among all cards but those in the chute."""
    fixed = 0
    for _ in range(rounds):
        counter, drawn, _up, _fixed = one_round((counter, 0, 0, fixed), setting, scratch)
        counter, fixed = refill_chute(counter, drawn, fixed, setting.cut, scratch)
        fold_round(setting, scratch, seats_of(setting))
    count(scratch.counts, ROUNDS, rounds)


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
