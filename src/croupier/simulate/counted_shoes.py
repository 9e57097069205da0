"""Shoes dealt round by round, with counters watching: when would each of them bet, and what is the bet worth then?

A bet is valued by its exact expected profit from the unseen cards and not by how it ends: that takes a few hundred
times fewer shoes for the same error. The cards come from the real rounds, so that a shoe is used up as at a table.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import fsum, inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.kernels.link import compile_cpu
from croupier.simulate.atoms import BY_TABLE
from croupier.simulate.generator import chunk_counter, seed_key
from croupier.simulate.play import NO_NET, Scratch, Setting, draw, known, one_round
from croupier.simulate.run import Spec
from croupier.simulate.shuffle import DECK_CARDS

Array = NDArray[Any]

CHUNK_SHOES = 16
TRUE_COUNTS = 81
"""Whole true counts that are told apart: from -40 to 40, all beyond in the first and last."""
MIDDLE = TRUE_COUNTS // 2
DEPTH_CARDS = 13
"""Cards of a step of the sweep over the cut: a quarter of a deck."""
MOST_DEPTHS = 40
SUITS = 4
HIGHEST_PIPS = 10

# What is added up of a chunk's shoes.
SHOES, ROUNDS, ROUNDS_SQUARE, RAN_OUT = range(4)
# What is added up for each counter.
BETS, GAIN, GAIN_SQUARE, GAIN_ROUNDS = range(4)


class Return(NamedTuple):
    """A wager's return as a polynomial (`exact/protection/terms.py`), laid out for speed: a tree of products, in which
    terms that begin alike share their beginnings."""

    class_of_card: Any
    """-1 for cards that the wager does not look at."""
    suit_sets: Any
    """Of each column."""
    factor_class: Any
    """The class of each factor, and how many painted and other cards it takes."""
    factor_painted: Any
    factor_free: Any
    depths: Any
    """Of each node of the tree, from 0."""
    factors: Any
    nexts: Any
    """The next node that does not begin with this one."""
    sizes: Any
    """Cards that the term which ends here takes; 0 for none."""
    coefficients: Any
    """For each column and node."""


class Watch(NamedTuple):
    """What the counters go by."""

    wager: Return
    tags: Any
    """For each count the tag of each rank."""
    by_suit: Any
    """For each count 1 where it counts suits instead."""
    triggers: Any
    effects: Any
    """Of removal, by card, times one less than the cards of the shoe: what a card that is gone adds to the linear
    estimate, over the cards that nobody has seen."""
    value: float
    """Expected profit from the fresh shoe."""
    cut: int
    extra_rounds: int
    """Rounds that begin after the cut card has come."""
    burns: bool
    """Whether the first card is shown, and as many as it counts are burned face down."""


class Room(NamedTuple):
    """What shoes are watched in."""

    left: Any
    """Of each card, how many nobody has seen."""
    within: Any
    every: Any
    table: Any
    values: Any
    by_size: Any
    running: Any
    """Running counts; behind them the linear estimate's sum of effects."""
    shoe_gain: Any
    """Of each counter in this shoe."""


class Watched(NamedTuple):
    """What came of it, for each chunk apart."""

    shoes: Any
    counters: Any
    """For each counter: the counts first, then the linear estimate, then who knows everything."""
    true_counts: Any
    """For each count and whole true count: rounds, and the exact worth of a bet in them."""
    depths: Any
    """For each counter and step of the sweep: the worth of its bets. The last row counts rounds."""


def worth(wager: Return, room: Room, unseen: int) -> float:
    """Expected profit of the wager, exactly but for rounding, from the cards that are left."""
    for size in range(len(room.by_size)):
        room.by_size[size] = 0.0
    for column in range(len(wager.suit_sets)):
        fill_table(wager, room, wager.suit_sets[column])
        coefficients = wager.coefficients[column]
        node = 0
        while node < len(wager.depths):
            depth = wager.depths[node]
            value = room.values[depth] * room.table[wager.factors[node]]
            if value == 0.0:
                node = wager.nexts[node]
                continue
            room.values[depth + 1] = value
            if wager.sizes[node] > 0:
                room.by_size[wager.sizes[node]] += coefficients[node] * value
            node += 1
    total, deals = -1.0, 1.0
    for size in range(1, len(room.by_size)):
        if unseen < size:
            break
        deals *= unseen - size + 1
        total += room.by_size[size] / deals
    return total


def fill_table(wager: Return, room: Room, suits: int) -> None:
    """In how many ways the cards that are left give each factor."""
    for number in range(len(room.every)):
        room.within[number] = 0
        room.every[number] = 0
    for card in range(len(wager.class_of_card)):
        number = wager.class_of_card[card]
        if number >= 0:
            room.every[number] += room.left[card]
            if suits >> card % SUITS & 1:
                room.within[number] += room.left[card]
    for factor in range(len(room.table)):
        number = wager.factor_class[factor]
        painted, free = wager.factor_painted[factor], wager.factor_free[factor]
        ways = 1.0
        for taken in range(painted):
            ways *= max(room.within[number] - taken, 0)
        for taken in range(free):
            ways *= max(room.every[number] - painted - taken, 0)
        room.table[factor] = ways


def see(watch: Watch, room: Room, card: int) -> None:
    """Everybody notes a card."""
    room.left[card] -= 1
    counts = len(watch.tags)
    for count in range(counts):
        room.running[count] += watch.tags[count, card // SUITS]
    room.running[counts] += watch.effects[card]


def suit_lead(room: Room) -> int:
    """By how many cards the most frequent suit of the unseen ones leads the least."""
    most, least = 0, DECK_CARDS * HIGHEST_PIPS
    for suit in range(SUITS):
        number = 0
        for card in range(suit, len(room.left), SUITS):
            number += room.left[card]
        most, least = max(most, number), min(least, number)
    return most - least


def consider(watch: Watch, room: Room, unseen: int, depth: int, chunk: int, watched: Watched) -> None:
    """Before a round: who bets, and what that is worth."""
    value = worth(watch.wager, room, unseen)
    counts = len(watch.tags)
    for count in range(counts):
        running = float(suit_lead(room)) if watch.by_suit[count] else room.running[count]
        true_count = running * DECK_CARDS / unseen
        cell = min(max(int(np.floor(true_count)) + MIDDLE, 0), TRUE_COUNTS - 1)
        watched.true_counts[chunk, count, cell, 0] += 1.0
        watched.true_counts[chunk, count, cell, 1] += value
        if true_count >= watch.triggers[count]:
            bet(room, count, value, depth, chunk, watched)
    if watch.value + room.running[counts] / unseen > 0.0:
        bet(room, counts, value, depth, chunk, watched)
    if value > 0.0:
        bet(room, counts + 1, value, depth, chunk, watched)


def conclude(watch: Watch, room: Room, result: Any, chunk: int, watched: Watched) -> None:
    """After a round, with the seat's profit and stake: bets were valued before it."""


def bet(room: Room, counter: int, value: float, depth: int, chunk: int, watched: Watched) -> None:
    watched.counters[chunk, counter, BETS] += 1.0
    watched.depths[chunk, counter, depth] += value
    room.shoe_gain[counter] += value


def watch_shoe(
    counter: Any, setting: Setting, scratch: Scratch, watch: Watch, room: Room, chunk: int, watched: Watched
) -> Any:
    """One shoe, from its shuffle to the end of its last round."""
    shoe = scratch.shoe
    cards = len(shoe)
    world = (counter, 0, 0, NO_NET)
    unseen, rounds, extra, before = cards, 0, watch.extra_rounds, 0
    if watch.burns:
        card, world = draw(world, (setting, scratch), 0)
        see(watch, room, card)
        unseen -= 1
        for _ in range(min(card // SUITS + 1, HIGHEST_PIPS)):
            _hidden, world = draw(world, (setting, scratch), 0)
    while True:
        drawn = world[1]
        if drawn >= watch.cut:
            if extra == 0:
                break
            extra -= 1
        # A round is dealt under every cut that lies behind it, or behind the round before where one more is dealt.
        depth = min((before if watch.extra_rounds > 0 else drawn) // DEPTH_CARDS, MOST_DEPTHS - 1)
        consider(watch, room, unseen, depth, chunk, watched)
        watched.depths[chunk, len(room.shoe_gain), depth] += 1.0
        rounds += 1
        before = drawn
        world = one_round((world[0], drawn, 0, NO_NET), setting, scratch)
        conclude(watch, room, world[-1], chunk, watched)
        if world[1] <= drawn:
            watched.shoes[chunk, RAN_OUT] += 1.0
            break
        for position in range(drawn, world[1]):
            see(watch, room, shoe[position])
        unseen -= world[1] - drawn
    watched.shoes[chunk, SHOES] += 1.0
    watched.shoes[chunk, ROUNDS] += rounds
    watched.shoes[chunk, ROUNDS_SQUARE] += rounds * rounds
    for player in range(len(room.shoe_gain)):
        gain = room.shoe_gain[player]
        watched.counters[chunk, player, GAIN] += gain
        watched.counters[chunk, player, GAIN_SQUARE] += gain * gain
        watched.counters[chunk, player, GAIN_ROUNDS] += gain * rounds
    return world[0]


def watch_chunks(
    key: Any, first: int, last: int, setting: Setting, scratch: Scratch, watch: Watch, room: Room, watched: Watched
) -> None:
    """Chunks from `first` up to, but not including, `last`; each has its own stream."""
    room.values[0] = 1.0
    decks = setting.cards // DECK_CARDS
    for chunk in range(first, last):
        counter = chunk_counter(key, chunk)
        for _ in range(CHUNK_SHOES):
            for position in range(len(scratch.shoe)):
                scratch.shoe[position] = position % DECK_CARDS
            for card in range(len(room.left)):
                room.left[card] = decks
            for cell in range(len(room.running)):
                room.running[cell] = 0.0
            for cell in range(len(room.shoe_gain)):
                room.shoe_gain[cell] = 0.0
            counter = watch_shoe(counter, known(setting), scratch, watch, room, chunk, watched)


def settle_nothing(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """`settle`: nobody has a side wager."""
    return world


def pay_nothing(world: Any, table: Any, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    """`pay`: the cards matter here, not the money."""
    return world


def dealing_effects(spec: Spec) -> dict[str, Any]:
    """What the program is linked with: the game's own round, dealt from one shoe, without side wagers."""
    return spec.effects() | {"draw": draw, "settle": settle_nothing} | BY_TABLE


def _room(watch: Watch) -> Room:
    wager = watch.wager
    counters = len(watch.tags) + 2
    classes = int(wager.class_of_card.max()) + 1
    return Room(
        left=np.zeros(DECK_CARDS, np.int64),
        within=np.zeros(classes, np.int64),
        every=np.zeros(classes, np.int64),
        table=np.zeros(len(wager.factor_class)),
        values=np.zeros(int(wager.depths.max(initial=0)) + 2),
        by_size=np.zeros(int(wager.sizes.max(initial=0)) + 1),
        running=np.zeros(len(watch.tags) + 1),
        shoe_gain=np.zeros(counters),
    )


def watch_shoes(
    spec: Spec,
    watch: Watch,
    seed: int,
    chunks: int,
    *,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> Watched:
    """So many chunks of shoes. Sums are made in the order of chunks, so the number of threads changes nothing."""
    run = compile_cpu(
        watch_chunks,
        f"watch-{spec.round}-{'one' if spec.rules.seats == 1 else 'many'}",
        dealing_effects(spec) | {"pay": pay_nothing},
    )
    counters = len(watch.tags) + 2
    watched = Watched(
        shoes=np.zeros((chunks, 4)),
        counters=np.zeros((chunks, counters, 4)),
        true_counts=np.zeros((chunks, len(watch.tags), TRUE_COUNTS, 2)),
        depths=np.zeros((chunks, counters + 1, MOST_DEPTHS)),
    )
    done = 0
    with np.errstate(over="ignore"):  # 64-bit numbers wrap on purpose
        key = seed_key(seed)

    def play(chunk: int) -> None:
        nonlocal done
        run(key, chunk, chunk + 1, spec.setting(), spec.scratch(), watch, _room(watch), watched)
        done += 1
        if progress is not None:
            progress(done / chunks)

    play(0)
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(play, range(1, chunks)):
            pass
    return watched


class Yield(NamedTuple):
    """What a counter takes from real shoes, a unit a bet."""

    shoes: int
    rounds: float
    """Of a shoe, on average."""
    frequency: float
    """Share of the observed rounds on which the bet is made."""
    average_edge: float
    """Of the bets made; 0 if there are none."""
    per_shoe: float
    per_shoe_error: float
    per_100: float
    """For 100 observed rounds."""
    per_100_error: float


def yield_of(watched: Watched, counter: int) -> Yield:
    """Of one counter, with standard errors over shoes."""
    shoes, rounds, rounds_square = (fsum(watched.shoes[:, cell]) for cell in (SHOES, ROUNDS, ROUNDS_SQUARE))
    bets, gain, square, cross = (
        fsum(watched.counters[:, counter, cell]) for cell in (BETS, GAIN, GAIN_SQUARE, GAIN_ROUNDS)
    )
    mean, length = gain / shoes, rounds / shoes
    ratio = gain / rounds
    spread = square / shoes - 2 * ratio * cross / shoes + ratio**2 * rounds_square / shoes
    return Yield(
        shoes=int(shoes),
        rounds=length,
        frequency=bets / rounds,
        average_edge=gain / bets if bets else 0.0,
        per_shoe=mean,
        per_shoe_error=sqrt(max(square / shoes - mean**2, 0.0) / shoes),
        per_100=100 * ratio,
        per_100_error=100 * sqrt(max(spread, 0.0) / shoes) / length,
    )


def best_trigger(watched: Watched, count: int) -> float:
    """The whole true count from which on bets gain most; infinity where they never gain."""
    worth_of_cell = [fsum(watched.true_counts[:, count, cell, 1]) for cell in range(TRUE_COUNTS)]
    totals = [fsum(worth_of_cell[cell:]) for cell in range(TRUE_COUNTS)]
    best = int(np.argmax(totals))
    return float(best - MIDDLE) if totals[best] > 0 else inf
