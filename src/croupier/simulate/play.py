"""The interpreter that plays full rounds at random, by a strategy, and counts everything in integers.

All counts of a run lie in one vector of 64-bit integers, so results of chunks, threads, GPUs and machines are added up
element by element and come out the same in any order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.kernels.baccarat import as_wagered
from croupier.kernels.effects import MOST_SEATS
from croupier.kernels.proceeds import returned_by
from croupier.simulate.generator import GOLDEN, U64, chunk_counter, mix
from croupier.simulate.shuffle import (
    DECK_CARDS,
    DRAW_BITS,
    DRAWS,
    draw_of,
    drawn_again,
    has_spare,
    overlap,
    pick_card,
    repeats,
    slot_of,
    slots_of,
    spare_draws,
)

MOST_COUNTED_BETS = 6
OUTCOME_CELLS = 32
UNDECLARED_CELL = OUTCOME_CELLS - 2
"""Counted in the last cell of a bet: an outcome that it did not declare."""
FIRST_WAGER_BITS = 1
FIRST_WAGER = 1 << FIRST_WAGER_BITS
"""Units of the first wager: half of it can be insured or given up."""
ONE_SEAT = 0
"""Put in as 1 when a sampler is linked for one seat: loops over seats then vanish."""

NUMBERS = 256
"""Random numbers made at a time, each for four draws."""
MOST_ROUND_CARDS = 192
"""More than a round at a full table ever takes."""
SURE = 2
"""Numbers of a round whose draws are compared with each other before it begins: more cards than most rounds take."""
SURE_CARDS = SURE * DRAWS

# The vector of counts.
ROUNDS, ROUND_SQUARE, SHOES, SHOE_SQUARE, SHOE_ROUNDS_SQUARE, SHOE_CROSS, FAR_PROFIT, FAR_SQUARE, FAR_STAKED = range(9)
CONTROLLED, CONTROLLED_SQUARE, CONTROLLED_CROSS = range(9, 12)
"""Rounds; with several seats the square of a round's profit; with a cut card shoes, the squares of a shoe's profit and
of its rounds, and their product; profit, its square and money staked where they do not fit the cells below. With a
control variate a shoe's profit less that of its first `control` rounds, its square, and its product with rounds."""
ROUND_WAGERS_AT = 16
MOST_ROUND_WAGERS = 6
MOST_ROUND_OUTCOMES = 12
"""For each wager that the round settles: how often it came to each outcome, losing first."""
NET_AT = ROUND_WAGERS_AT + MOST_ROUND_WAGERS * MOST_ROUND_OUTCOMES
NET_CELLS = 512
"""Net results of a seat's round, in the smallest unit, the middle cell being zero; the first cell takes all beyond."""
WAGER_AT = NET_AT + NET_CELLS
WAGER_CELLS = 64
"""Final main wagers of a seat, in first wagers of one hand; the first cell takes all beyond."""
BETS_AT = WAGER_AT + WAGER_CELLS
COUNT_CELLS = BETS_AT + MOST_COUNTED_BETS * OUTCOME_CELLS


class Setting(NamedTuple):
    """What a run is played with: read only."""

    rules: Any
    stakes: Any
    """First wager of each seat, then wagers beside it."""
    pays: Any
    """Profit for each unit staked by wager and outcome, losing first, in the smallest unit."""
    tables: Any
    """What the strategy says, as the round's `answer` reads it."""
    cards: int
    """Cards of the whole shoe."""
    cut: int
    """Cards dealt before the cut card comes; of a continuous shuffler the cards in its chute."""
    control: int
    """With a cut card: rounds of each shoe whose mean is known; 0 for none."""


class Scratch(NamedTuple):
    """What a chunk is played in."""

    shoe: Any
    """One that is played down."""
    ordered: Any
    """The card of each slot of a fresh shoe."""
    numbers: Any
    """Random numbers made ahead."""
    slots: Any
    """The slots of their draws, four in one; the last are for a round in which some had to be drawn again."""
    unsure: Any
    """By number: not zero if among its draws and those of the next some are to be drawn again."""
    drawn: Any
    """By slot: the round that it was last drawn in, as far as anybody had to ask; last the number of this round."""
    memory: Any
    """What the round keeps while it runs."""
    net: Any
    """With several seats, for each of them profit and money staked in this round."""
    counts: Any
    past: Any
    """Counts of rounds behind the cut card, which nobody reads."""


# `world` begins with a counter and a position; then come cards whose order is fixed. From a fresh shoe the counter says
# which of `numbers` the round begins with, and the third part where the slots of its first cards are. The last part is
# profit and money staked of the only seat: there they stay in registers, while several seats need an array.
NO_NET = (0, 0)


def draw_fresh(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """`draw` from the whole shoe."""
    first, position, sure, net = world
    setting, scratch = table
    if position < SURE_CARDS:
        slot = draw_of(scratch.slots[sure + U64(position // DRAWS)], position)
    else:
        slot = later_slot(first, position, sure, setting, scratch)
    card: Any = np.int64(scratch.ordered[slot])
    return card, (first, position + 1, sure, net)


def later_slot(first: Any, position: int, sure: Any, setting: Setting, scratch: Scratch) -> Any:
    """The slot of a card beyond the first: only now somebody asks which slots were drawn."""
    if position == SURE_CARDS:
        if sure == first:
            begin_marks(setting, scratch)
        for earlier in range(SURE_CARDS):
            mark(draw_of(scratch.slots[sure + U64(earlier // DRAWS)], earlier), setting, scratch)
    return new_slot(first, position, setting, scratch)


def begin_marks(setting: Setting, scratch: Scratch) -> None:
    """Another round: no slot is marked."""
    scratch.drawn[U64(setting.cards)] += 1


def mark(slot: Any, setting: Setting, scratch: Scratch) -> None:
    scratch.drawn[slot] = scratch.drawn[U64(setting.cards)]


def new_slot(first: Any, position: int, setting: Setting, scratch: Scratch) -> Any:
    """Draws until a slot comes that is not marked, and marks it."""
    number = scratch.numbers[first + U64(position // DRAWS)]
    slot = slot_of(draw_of(number, position), setting.cards)
    while slot < 0 or scratch.drawn[U64(slot)] == scratch.drawn[U64(setting.cards)]:
        number = drawn_again(number)
        slot = slot_of(draw_of(number, position), setting.cards)
    mark(U64(slot), setting, scratch)
    return U64(slot)


def make_sure(first: Any, setting: Setting, scratch: Scratch) -> Any:
    """Where the slots of a round's first cards are: as they were made, or drawn one by one if some were to be drawn
    again, which is rare."""
    if scratch.unsure[first] == U64(0):
        return first
    begin_marks(setting, scratch)
    for ahead in range(SURE):
        slots = U64(0)
        for place in range(DRAWS):
            slot = new_slot(first, ahead * DRAWS + place, setting, scratch)
            slots |= slot << U64(place * DRAW_BITS)
        scratch.slots[U64(NUMBERS + ahead)] = slots
    return U64(NUMBERS)


def make_numbers(counter: Any, setting: Setting, scratch: Scratch) -> None:
    """Random numbers ahead, and what follows from them: in loops without branches a CPU does several at a time."""
    numbers, slots, unsure = scratch.numbers, scratch.slots, scratch.unsure
    cards, spare = U64(setting.cards), U64(spare_draws(setting.cards))
    for index in range(NUMBERS):
        numbers[U64(index)] = mix(counter + U64(index + 1) * GOLDEN)
    for index in range(NUMBERS):
        slots[U64(index)] = slots_of(numbers[U64(index)], cards)
    for index in range(NUMBERS - 1):
        here, there = slots[U64(index)], slots[U64(index + 1)]
        spares = has_spare(numbers[U64(index)], cards, spare) | has_spare(numbers[U64(index + 1)], cards, spare)
        unsure[U64(index)] = spares | repeats(here) | repeats(there) | overlap(here, there)


def draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """`draw` from a shoe that is played down, shuffled as far as it is needed.

    A shoe that runs out, which behind a cut card next to never happens, is shuffled whole.
    """
    counter = world[0] + GOLDEN
    position = world[1] if world[1] < len(table[1].shoe) else 0
    card = pick_card(counter, position, table[1].shoe)
    return card, (counter, position + 1, world[2], world[3])


def draw_continuous(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """`draw` with a continuous shuffler: the cards in its chute come first, in their order."""
    counter, position, fixed, net = world
    if position < fixed:
        card: Any = np.int64(table[1].shoe[position])
    else:
        counter += GOLDEN
        card = pick_card(counter, position, table[1].shoe)
    return card, (counter, position + 1, fixed, net)


def ask(world: Any, table: Any, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, Any]:
    """`ask`: what the strategy says."""
    setting, scratch = table
    chosen = answer(setting.tables, scratch.memory, setting.stakes, setting.rules, sight, seat, hand, question, legal)
    return chosen, world


def answer(
    tables: Any,
    memory: Any,
    stakes: Any,
    rules: Any,
    sight: int,
    seat: int,
    hand: int,
    question: int,
    legal: int,
) -> int:
    """How the round reads a strategy's tables, put in when linked."""
    raise NotImplementedError("linked with a round before use")


def stake(world: Any, table: Any, seat: int, hand: int, wager: int, amount: int) -> Any:
    """`stake`: money is counted when its wager ends."""
    return world


def count(counts: Any, cell: int) -> None:
    """One more; a GPU has its own way."""
    counts[U64(cell)] += 1  # unsigned indices spare the check for negative ones


def add_up(counts: Any, cell: int, amount: int) -> None:
    """Adds to a sum, which is one of the first cells; a GPU has its own way."""
    counts[U64(cell)] += amount


def pay(world: Any, table: Any, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    """`pay`: profit and stake of the seat, and the outcome's count."""
    setting, scratch = table
    cell = wager * MOST_ROUND_OUTCOMES + outcome + 1
    count(scratch.counts, ROUND_WAGERS_AT + cell)
    if APART >> wager & 1:
        return world
    profit = setting.pays[U64(cell)] * staked
    put = 0 if UNSTAKED >> wager & 1 else staked
    if ONE_SEAT:
        return (*world[:-1], (world[-1][0] + profit, world[-1][1] + put))
    scratch.net[U64(2 * seat)] += profit
    scratch.net[U64(2 * seat + 1)] += put
    return world


def returned(world: Any, table: Any, wager: int, outcome: int, staked: int) -> int:
    """`returned`: by the pays of the wager's cells."""
    cell = wager * MOST_ROUND_OUTCOMES
    return returned_by(table[0].pays[U64(cell + outcome + 1)], table[0].pays[U64(cell)], staked)


APART = UNSTAKED = 0
"""Put in when linked: wagers, one bit each, that have an account of their own; that are paid on another's stake."""


def settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """`settle`: every side wager that this moment decides. Bets with all about them are put in when linked."""
    counts = table[1].counts
    if moment == MOMENT_0:
        first, second = as_wagered(moment, own, other, SIDE_0)
        count(counts, BETS_AT + 1 + declared(bet_0(first, second, OPTIONS_0), ROWS_0))
    if moment == MOMENT_1:
        first, second = as_wagered(moment, own, other, SIDE_1)
        count(counts, BETS_AT + 1 * OUTCOME_CELLS + 1 + declared(bet_1(first, second, OPTIONS_1), ROWS_1))
    if moment == MOMENT_2:
        first, second = as_wagered(moment, own, other, SIDE_2)
        count(counts, BETS_AT + 2 * OUTCOME_CELLS + 1 + declared(bet_2(first, second, OPTIONS_2), ROWS_2))
    if moment == MOMENT_3:
        first, second = as_wagered(moment, own, other, SIDE_3)
        count(counts, BETS_AT + 3 * OUTCOME_CELLS + 1 + declared(bet_3(first, second, OPTIONS_3), ROWS_3))
    if moment == MOMENT_4:
        first, second = as_wagered(moment, own, other, SIDE_4)
        count(counts, BETS_AT + 4 * OUTCOME_CELLS + 1 + declared(bet_4(first, second, OPTIONS_4), ROWS_4))
    if moment == MOMENT_5:
        first, second = as_wagered(moment, own, other, SIDE_5)
        count(counts, BETS_AT + 5 * OUTCOME_CELLS + 1 + declared(bet_5(first, second, OPTIONS_5), ROWS_5))
    return world


def declared(outcome: int, rows: int) -> int:
    """The outcome, or UNDECLARED_CELL where somebody else's bet returns one that it does not have. Ours are tested
    instead, and have no `rows` here: a compiler then leaves the question out."""
    return outcome if rows == 0 or -1 <= outcome < rows else UNDECLARED_CELL


def no_bet(own: int, other: int, options: int) -> int:
    """In the place of a bet that a game does not have."""
    return -1


bet_0 = bet_1 = bet_2 = bet_3 = bet_4 = bet_5 = no_bet
MOMENT_0 = MOMENT_1 = MOMENT_2 = MOMENT_3 = MOMENT_4 = MOMENT_5 = -1
OPTIONS_0 = OPTIONS_1 = OPTIONS_2 = OPTIONS_3 = OPTIONS_4 = OPTIONS_5 = 0
"""Switches of each side bet, packed."""
ROWS_0 = ROWS_1 = ROWS_2 = ROWS_3 = ROWS_4 = ROWS_5 = 0
"""How many outcomes each side bet has, if it is not ours."""
SIDE_0 = SIDE_1 = SIDE_2 = SIDE_3 = SIDE_4 = SIDE_5 = 0
"""Baccarat: the side each side bet is on."""


def tell(world: Any, table: Any, what: int, place: int, to: int) -> Any:
    """`tell`: nobody looks."""
    return world


def play(world: Any, table: Any, memory: Any, stakes: Any, rules: Any) -> Any:
    """The round, put in when linked."""
    raise NotImplementedError("linked with a round before use")


def fold_seat(counts: Any, profit: int, staked: int) -> None:
    """Counts the result of a seat's round."""
    cell, wagers = profit + NET_CELLS // 2, staked >> FIRST_WAGER_BITS
    if 0 < cell < NET_CELLS and wagers < WAGER_CELLS:
        count(counts, NET_AT + cell)
        count(counts, WAGER_AT + wagers)
    else:
        count(counts, NET_AT)
        count(counts, WAGER_AT)
        add_up(counts, FAR_PROFIT, profit)
        add_up(counts, FAR_SQUARE, profit * profit)
        add_up(counts, FAR_STAKED, staked)


def fold_round(setting: Setting, scratch: Scratch, world: Any) -> int:
    """Counts the seats' results of a round; returns the profit of all of them."""
    counts, net = scratch.counts, scratch.net
    if ONE_SEAT:
        fold_seat(counts, world[-1][0], world[-1][1])
        return int(world[-1][0])
    total = 0
    for seat in range(setting.rules.seats):
        profit, staked = net[2 * seat], net[2 * seat + 1]
        net[2 * seat] = 0
        net[2 * seat + 1] = 0
        total += profit
        fold_seat(counts, profit, staked)
    add_up(counts, ROUND_SQUARE, total * total)
    return total


def one_round(world: Any, setting: Setting, scratch: Scratch) -> Any:
    return play(world, (setting, scratch), scratch.memory, setting.stakes, setting.rules)


def known(setting: Setting) -> Setting:
    """What is known when a sampler is linked, written out, so that a compiler can leave out what is not played."""
    rules, stakes, pays, tables, cards, cut, control = setting
    return Setting(for_one_seat(rules) if ONE_SEAT else rules, stakes, pays, tables, cards, cut, control)


def for_one_seat(rules: Any) -> Any:
    """The same rules with the number of seats written out, put in when linked."""
    raise NotImplementedError("linked with rules before use")


def known_all(setting: Setting) -> Setting:
    """As `known`, for a sampler of one set of rules, which are put in when linked."""
    _rules, _stakes, pays, tables, _cards, cut, control = setting
    return Setting(KNOWN_RULES, KNOWN_STAKES, pays, known_tables(tables), KNOWN_CARDS, cut, control)


def known_tables(tables: Any) -> Any:
    """A strategy's tables with what is known of them written out, put in when linked."""
    return tables


KNOWN_RULES: Any = 0
KNOWN_CARDS = 0
KNOWN_STAKES = (FIRST_WAGER,) * MOST_SEATS


def play_fresh(counter: Any, rounds: int, setting: Setting, scratch: Scratch) -> None:
    """So many rounds, each from a freshly shuffled shoe."""
    make_numbers(counter, setting, scratch)
    used = 0
    for _ in range(rounds):
        if used > NUMBERS - MOST_ROUND_CARDS // DRAWS:
            counter += U64(used) * GOLDEN
            make_numbers(counter, setting, scratch)
            used = 0
        sure = make_sure(U64(used), setting, scratch)
        world = one_round((U64(used), 0, sure, NO_NET), setting, scratch)
        used += (world[1] + DRAWS - 1) // DRAWS
        fold_round(setting, scratch, world)
    add_up(scratch.counts, ROUNDS, rounds)


def play_shoes(counter: Any, shoes: int, setting: Setting, scratch: Scratch) -> None:
    """So many whole shoes: rounds begin until the cut card has come.

    A control variate (docs/simulate.md) needs the first so many rounds of every shoe: those that would begin behind the
    cut card are played too, but count for nothing else.
    """
    shoe, ordered, numbers, slots, unsure, drawn_in, memory, net, counts, past = scratch
    for _ in range(shoes):
        drawn = 0
        profit = 0
        first_profit = 0
        rounds = 0
        played = 0
        while drawn < setting.cut or played < setting.control:
            counted = rounds == played and drawn < setting.cut
            seen = Scratch(
                shoe, ordered, numbers, slots, unsure, drawn_in, memory, net, counts if counted else past, past
            )
            world = one_round((counter, drawn, 0, NO_NET), setting, seen)
            counter, drawn = world[0], world[1]
            won = fold_round(setting, seen, world)
            if counted:
                profit += won
                rounds += 1
            if played < setting.control:
                first_profit += won
            played += 1
        add_up(counts, ROUNDS, rounds)
        add_up(counts, SHOES, 1)
        add_up(counts, SHOE_SQUARE, profit * profit)
        add_up(counts, SHOE_ROUNDS_SQUARE, rounds * rounds)
        add_up(counts, SHOE_CROSS, profit * rounds)
        if setting.control > 0:
            controlled = profit - first_profit
            add_up(counts, CONTROLLED, controlled)
            add_up(counts, CONTROLLED_SQUARE, controlled * controlled)
            add_up(counts, CONTROLLED_CROSS, controlled * rounds)


def play_continuous(counter: Any, rounds: int, setting: Setting, scratch: Scratch) -> None:
    """So many rounds from a continuous shuffler: what was dealt goes back among all cards but those in the chute."""
    fixed = 0
    for _ in range(rounds):
        world = one_round((counter, 0, fixed, NO_NET), setting, scratch)
        counter, fixed = refill_chute(world[0], world[1], fixed, setting.cut, scratch)
        fold_round(setting, scratch, world)
    add_up(scratch.counts, ROUNDS, rounds)


def refill_chute(counter: Any, drawn: int, fixed: int, chute: int, scratch: Scratch) -> tuple[Any, int]:
    """The next cards are fixed in their order and come to the front; all others lie behind them, to be shuffled."""
    shoe = scratch.shoe
    ready = min(drawn + chute, len(shoe))
    for position in range(max(drawn, fixed), ready):
        counter += GOLDEN
        pick_card(counter, position, shoe)
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
            scratch.shoe[position] = position % DECK_CARDS
        shuffle_style(chunk_counter(key, chunk), size, known(setting), scratch)
