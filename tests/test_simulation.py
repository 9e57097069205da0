"""Exact odds against rounds played at random, and the theorem that players at the table change no dealer's bet."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import sqrt
from typing import Any

import numba
import numpy as np
import pytest

from croupier.exact.odds import bet_of, distribution
from croupier.exact.outcomes import Distribution, exact_distribution
from croupier.exact.shoe import Shoe
from croupier.kernels.bets import find_bet
from croupier.kernels.dealer import HITS_SOFT_17, complete_dealer_hand
from croupier.kernels.effects import DEALER, DEALER_DONE, HANDS_PER_SEAT, HOLE, draw, settle
from croupier.kernels.hands import EMPTY, add_card, is_blackjack, is_soft, size_of, total_of
from croupier.kernels.link import Kernel, cpu, link
from croupier.rules import find_game, game_ids
from croupier.rules.choice import SOFT17, choose
from croupier.simulate.generator import U64, draw_from_shoe, put_back, stream_key
from croupier.simulate.sampler import CHUNK_ROUNDS, MOST_CARDS, Array, count_outcome, run_chunk, sample

CHUNKS = 20
SIGMAS = 4.5
"""Bonferroni: about a hundred outcomes are compared, and 4.5 standard errors are passed by chance with 7 in a million
each, so all of them hold with a chance of more than 99.9 % over the choice of seeds. The seeds are fixed."""
FEW = 25
"""Outcomes expected more rarely than this are counted together, as a normal law does not fit them one by one."""

WAGERS = [(name, wager.id) for name in game_ids() for wager in find_game(name).wagers if wager.classifiers]


def worst_deviation(counted: Array, found: Distribution) -> float:
    """Largest distance between counted and exact, in standard errors. `counted` starts with the losing outcome."""
    rounds = int(counted.sum())
    rare_count, rare_chance, worst = 0, Fraction(0), 0.0
    cells = []
    for outcome in range(-1, len(counted) - 1):
        chance = Fraction(found.ways.get(outcome, 0), found.denominator)
        count = int(counted[outcome + 1])
        assert chance or not count, f"outcome {outcome} came although it cannot"
        if chance * rounds < FEW:
            rare_count, rare_chance = rare_count + count, rare_chance + chance
        else:
            cells.append((count, chance))
    if rare_chance:
        cells.append((rare_count, rare_chance))
    for count, chance in cells:
        p = float(chance)
        worst = max(worst, abs(count - rounds * p) / sqrt(rounds * p * (1 - p)))
    return worst


@pytest.mark.parametrize(("game", "wager"), WAGERS)
def test_sampled_outcomes_come_as_often_as_the_exact_odds_say(game: str, wager: str) -> None:
    choice = choose(find_game(game), wager)
    bet = bet_of(choice)
    assert choice.decks is not None
    counts = sample(
        bet,
        choice.bet_name,
        decks=choice.decks,
        chunks=CHUNKS,
        options=bet.pack(choice.switches),
        soft17=choice.switches.get(SOFT17, "hit"),
        side=choice.side,
        threads=2,
    )
    assert counts.rounds == int(counts.outcomes.sum()) == CHUNKS * CHUNK_ROUNDS
    assert worst_deviation(counts.outcomes, distribution(choice)) <= SIGMAS


def test_the_number_of_threads_changes_nothing_and_the_seed_does() -> None:
    bet = find_bet("push_22")
    assert bet is not None
    one, three = (sample(bet, "push_22", decks=6, chunks=3, threads=threads).outcomes for threads in (1, 3))
    other = sample(bet, "push_22", decks=6, chunks=3, seed=2).outcomes
    assert one.tolist() == three.tolist()
    assert one.tolist() != other.tolist()


@pytest.mark.parametrize("drawn", [0, 1, 7, 52])
def test_a_shoe_is_put_back_as_it_was_and_gave_different_cards(drawn: int) -> None:
    shoe = np.arange(52, dtype=np.int64)
    table = (shoe, np.zeros(MOST_CARDS, np.int64))
    with np.errstate(over="ignore"):
        world, cards = (U64(stream_key(5, 0)), 0), []
        for _ in range(drawn):
            card, world = draw_from_shoe(world, table, 0)
            cards.append(int(card))
    assert len(set(cards)) == drawn
    put_back(table, drawn)
    assert shoe.tolist() == list(range(52))


# The theorem of `kernels/dealer.py`. Three players draw before the dealer does, each by a rule of their own.

FIRST_SEAT, SECOND_SEAT, THIRD_SEAT = 0, HANDS_PER_SEAT, 2 * HANDS_PER_SEAT


def first_player_draws(hand: int, up: int) -> bool:
    """To 15, whatever the dealer shows."""
    return total_of(hand) < 15


def second_player_draws(hand: int, up: int) -> bool:
    """To hard 18 against a seven or better, else to 12."""
    return total_of(hand) < (18 if up >> 2 >= 6 or up >> 2 == 0 else 12) and not is_soft(hand)


def third_player_draws(hand: int, up: int) -> bool:
    """Wildly: small hands always, long hands never, and against low cards until there are four cards."""
    return total_of(hand) < 12 or (size_of(hand) < 4 and total_of(hand) < 20 and up >> 2 < 6)


def crowded_round(world: Any, table: Any, soft17: int, _unused: int) -> Any:
    """Three seats and the dealer in the order of blackjack, with the peek."""
    a, world = draw(world, table, FIRST_SEAT)
    b, world = draw(world, table, SECOND_SEAT)
    c, world = draw(world, table, THIRD_SEAT)
    up, world = draw(world, table, DEALER)
    first, second, third = add_card(EMPTY, a), add_card(EMPTY, b), add_card(EMPTY, c)
    a, world = draw(world, table, FIRST_SEAT)
    b, world = draw(world, table, SECOND_SEAT)
    c, world = draw(world, table, THIRD_SEAT)
    hole, world = draw(world, table, HOLE)
    first, second, third = add_card(first, a), add_card(second, b), add_card(third, c)
    dealer = add_card(add_card(EMPTY, up), hole)
    if not is_blackjack(dealer):
        while first_player_draws(first, up):
            card, world = draw(world, table, FIRST_SEAT)
            first = add_card(first, card)
        while second_player_draws(second, up):
            card, world = draw(world, table, SECOND_SEAT)
            second = add_card(second, card)
        while third_player_draws(third, up):
            card, world = draw(world, table, THIRD_SEAT)
            third = add_card(third, card)
    dealer, world = complete_dealer_hand(world, table, dealer, soft17)
    return settle(world, table, 0, 0, DEALER_DONE, dealer, EMPTY)


@pytest.mark.parametrize("name", ["push_22", "lucky_break"])
@pytest.mark.parametrize("decks", [1, 6])
def test_players_who_draw_first_change_no_odds_of_a_bet_on_the_dealer(name: str, decks: int) -> None:
    bet = find_bet(name)
    assert bet is not None
    replace: dict[str, Kernel] = {
        "play": crowded_round,
        "draw": draw_from_shoe,
        "settle": count_outcome,
        "classify": bet.classify,
    }
    run = numba.njit(nogil=True)(link(run_chunk, cpu, replace))

    def one(chunk: int) -> Array:
        counts = np.zeros(len(bet.outcomes) + 1, np.int64)
        shoe = np.arange(52 * decks, dtype=np.int64) % 52
        table = (shoe, np.zeros(MOST_CARDS, np.int64), counts, 0, 0)
        with np.errstate(over="ignore"):
            run(CHUNK_ROUNDS, U64(stream_key(3, chunk)), table, HITS_SOFT_17, 0)
        return counts

    with ThreadPoolExecutor(2) as pool:
        counted = sum(pool.map(one, range(CHUNKS)), np.zeros(len(bet.outcomes) + 1, np.int64))
    assert worst_deviation(counted, exact_distribution(bet, name, Shoe(decks), soft17="hit")) <= SIGMAS
