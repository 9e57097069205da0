"""Exact odds against rounds played at random, and the theorem that players at the table change no dealer's bet."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.exact.odds import distribution
from croupier.exact.outcomes import Distribution, exact_distribution
from croupier.exact.shoe import Shoe
from croupier.kernels.bets import find_bet
from croupier.kernels.blackjack import BlackjackRules, compare
from croupier.kernels.dealer import HITS_SOFT_17, complete_dealer_hand
from croupier.kernels.effects import DEALER, DEALER_DONE, HANDS_PER_SEAT, HOLE, draw, settle
from croupier.kernels.hands import EMPTY, add_card, add_point, is_blackjack, is_soft, size_of, total_of
from croupier.kernels.link import compile_cpu
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import find_game, game_ids
from croupier.rules.registry import BESIDE
from croupier.simulate import play
from croupier.simulate.atoms import BY_TABLE
from croupier.simulate.generator import GOLDEN, chunk_counter, mix, seed_key
from croupier.simulate.run import CountedBet, Spec, run
from tests.helpers import ROOT

pytestmark = pytest.mark.slow

Array = NDArray[Any]

CHUNKS = 500
SIGMAS = 4.5
"""Bonferroni: about a hundred outcomes are compared, and 4.5 standard errors are passed by chance with 7 in a million
each, so all of them hold with a chance of more than 99.9% over the choice of seeds. The seeds are fixed."""
FEW = 25
"""Outcomes expected more rarely than this are counted together, as a normal law does not fit them one by one."""


def outcomes_of_bet(spec: Spec, counts: Array, slot: int) -> Array:
    """How often each outcome of a side wager came, losing first."""
    start = play.BETS_AT + slot * play.OUTCOME_CELLS
    return np.asarray(counts[start : start + len(spec.bets[slot].bet.outcomes) + 1])


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


SAMPLED_EACH_TIME = ("blackjack", "double_down_madness", "mini_baccarat", "three_card_poker", "let_it_ride")
"""One game of each kind of hands; a sampler takes five to twenty seconds to compile, so others wait for a soak."""


def games_to_sample() -> list[Any]:
    """Every game; titles that are side bets beside blackjack lie at one table, whose rounds are compiled once."""
    beside = [game for game in game_ids() if game != "blackjack" and find_game(game).round == "blackjack"]
    games = [*(game for game in game_ids() if game not in beside), BESIDE.join(beside)]
    return [pytest.param(game, marks=() if game in SAMPLED_EACH_TIME else pytest.mark.soak) for game in games]


@pytest.mark.parametrize("game", games_to_sample())
def test_sampled_outcomes_come_as_often_as_the_exact_odds_say(game: str) -> None:
    """All side wagers of full rounds, the main game being played by its best strategy."""
    simulation = prepare(find_game(game), Wish(settings={}, pay_tables={}))
    counts = run(simulation.spec, 1, CHUNKS, threads=2)
    for slot, bet in enumerate(simulation.spec.bets):  # wagers on one bet are counted once, by the name of the first
        choice = simulation.choices[bet.name]
        assert worst_deviation(outcomes_of_bet(simulation.spec, counts, slot), distribution(choice)) <= SIGMAS


@pytest.mark.parametrize("decks", [1, 8])
@pytest.mark.parametrize("cards", [0, 1, 4, 8, 9, 31, 52])
def test_a_fresh_shoe_deals_different_cards_of_which_the_numbers_decide(decks: int, cards: int) -> None:
    """Beside a plain reading of the rule: 16 bits a card, drawn again where a slot has come or bits are to spare."""
    spec = Spec(round="mini_baccarat", decks=decks)
    table = (setting, scratch) = (spec.setting(), spec.scratch())
    size = decks * 52
    with np.errstate(over="ignore"):
        for seed in range(40):
            counter = chunk_counter(seed_key(seed), 0)
            play.make_numbers(counter, setting, scratch)
            first = seed % 5
            dealt, world = [], (np.uint64(first), 0, play.make_sure(np.uint64(first), setting, scratch), play.NO_NET)
            for _ in range(cards):
                card, world = play.draw_fresh(world, table, 0)
                dealt.append(int(card))
            slots: list[int] = []
            for position in range(cards):
                number = int(mix(counter + np.uint64(first + position // 4 + 1) * GOLDEN))
                while True:
                    product = (number >> 16 * (position % 4) & 0xFFFF) * size
                    if product % 65536 >= 65536 % size and product // 65536 not in slots:
                        break
                    number = int(mix(np.uint64(number) + GOLDEN))
                slots.append(product // 65536)
            assert dealt == [slot % 52 for slot in slots]


def test_numbers_that_need_no_second_look_have_eight_different_slots() -> None:
    spec = Spec(round="mini_baccarat", decks=8)
    setting, scratch = spec.setting(), spec.scratch()
    sure = 0
    for seed in range(20):
        with np.errstate(over="ignore"):
            play.make_numbers(chunk_counter(seed_key(seed), 0), setting, scratch)
        numbers, packed = scratch.numbers.view(np.uint16), scratch.slots.view(np.uint16)
        for index in range(play.NUMBERS - 1):
            slots = packed[4 * index : 4 * index + 8].tolist()
            draws = [int(draw) for draw in numbers[4 * index : 4 * index + 8]]
            assert slots == [draw * 416 >> 16 for draw in draws]
            spared = any(draw * 416 % 65536 < 65536 % 416 for draw in draws)
            assert (scratch.unsure[index] == 0) == (len(set(slots)) == 8 and not spared)
            sure += int(scratch.unsure[index] == 0)
    assert sure > 19 * play.NUMBERS // 20 * 17, "most rounds need none"


@pytest.mark.parametrize("name", BY_TABLE)
def test_a_table_says_what_the_rule_says(name: str) -> None:
    rules: dict[str, Any] = {"add_card": add_card, "add_point": add_point, "compare": compare}
    if name == "compare":
        cases: Any = product(range(4, 32), range(17, 32), range(2))
    else:
        hands = [
            add_card(add_card(0, one), two) if name == "add_card" else one % 10 for one in range(52) for two in (0, 9)
        ]
        cases = product(hands, range(52))
    for case in cases:
        by_table: Any = BY_TABLE[name]
        assert by_table(*map(np.int64, case)) == rules[name](*case), case


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


def crowded_round(world: Any, table: Any, hands: Any, stakes: Any, rules: BlackjackRules) -> Any:
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
    dealer, world = complete_dealer_hand(world, table, dealer, HITS_SOFT_17)
    return settle(world, table, 0, 0, DEALER_DONE, dealer, EMPTY)


@pytest.mark.parametrize("name", ["push_22", "lucky_break"])
@pytest.mark.parametrize("decks", [1, 6])
def test_players_who_draw_first_change_no_odds_of_a_bet_on_the_dealer(name: str, decks: int) -> None:
    bet = find_bet(name)
    assert bet is not None
    spec = Spec(round="blackjack", decks=decks, bets=(CountedBet(name=name, bet=bet, bet_name=name),))
    crowded = compile_cpu(play.play_chunks, f"crowded-{name}", spec.effects() | {"play": crowded_round})

    def one(first: int) -> Array:
        scratch = spec.scratch()
        with np.errstate(over="ignore"):
            crowded(seed_key(3), first, first + CHUNKS // 2, spec.chunk_size, spec.setting(), scratch)
        return outcomes_of_bet(spec, scratch.counts, 0)

    with ThreadPoolExecutor(2) as pool:
        counted = np.sum(list(pool.map(one, (0, CHUNKS // 2))), axis=0)
    assert worst_deviation(counted, exact_distribution(bet, name, Shoe(decks), value="hit")) <= SIGMAS


ABSENT = ("msgspec", "typer", "rich", "sqlalchemy", "fastapi", "jinja2", "matplotlib", "typst")


def test_a_machine_that_only_plays_needs_numba_and_numpy_alone() -> None:
    """`bench/gpu.py` takes specs to a machine with a GPU, where nothing else is installed."""
    blocked = "; ".join(f"sys.modules[{name!r}] = None" for name in ABSENT)
    code = f"import sys; {blocked}; import bench.gpu, croupier.simulate.gpu"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
