"""Side bets on the card that a seat draws first: their odds are those of a strategy, the best one of the main game.

Which cards a seat draws depends on its first two and the up card alone, so every two cards are asked once under each up
card; then cards are counted one by one, from the first two to the third.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np

from croupier.errors import NotComputedError
from croupier.exact.outcomes import Distribution
from croupier.exact.played import compute_strategy
from croupier.exact.shoe import Shoe
from croupier.exact.strategy.sheet import StrategySheet
from croupier.kernels.blackjack import COUNT_AT, HAND, legal_actions, set_hand, slot
from croupier.kernels.effects import CHOICE_MASK, MOST_SEATS, STAND, SURRENDER
from croupier.kernels.hands import EMPTY, add_card, is_blackjack, total_of
from croupier.kernels.rows import EMPTY_ROW, row_of
from croupier.kernels.strategy import play_answer
from croupier.rules.choice import Choice, first_choice
from croupier.rules.trial import classified

RANKS = 13
CARDS = 52
Draws = Callable[[int, int, int], bool]
"""By the ranks of the first two cards and of the up card, while the dealer has no blackjack."""


def played_distribution(choice: Choice) -> Distribution:
    """Exact outcomes of a bet on the third card, hands being played by the best strategy under this choice."""
    bet = choice.bet
    assert bet is not None and bet.scene.follows_play
    draws, peeks = _draws(choice)
    shoe = Shoe(choice.decks)
    options = bet.pack(choice.switches)
    ways: Counter[int] = Counter()
    by_ranks = {(a, b): _drawing(shoe, a, b, draws, peeks) for a, b in product(range(RANKS), repeat=2)}
    for first, second in product(range(CARDS), repeat=2):
        two, pair = row_of((first, second)), _ways(shoe, (first, second))
        with_third, without = by_ranks[first >> 2, second >> 2]
        ways[classified(bet, two, EMPTY_ROW, options)] += pair * without
        for third in range(CARDS):
            number = pair * _left(shoe, third, (first, second)) * with_third[third >> 2]
            if number:
                ways[classified(bet, two, row_of((third,)), options)] += number
    whole = shoe.sequences(5)
    if sum(ways.values()) != whole:
        raise NotComputedError(f'The ways of "{choice.wager.id}" do not add up.', code="ways_mismatch")
    return Distribution(dict(sorted(ways.items())), whole)


def _left(shoe: Shoe, card: int, taken: tuple[int, ...]) -> int:
    """Cards like this one that are left."""
    return 1 if shoe.decks is None else shoe.decks - taken.count(card)


def _ways(shoe: Shoe, cards: tuple[int, ...]) -> int:
    number = 1
    for place, card in enumerate(cards):
        number *= _left(shoe, card, cards[:place])
    return number


def _drawing(shoe: Shoe, first: int, second: int, draws: Draws, peeks: bool) -> tuple[list[int], int]:
    """With these first cards, by their ranks: for each rank of a third card the ways of up and hole card with which it
    is drawn; and the ways of up card, hole card and any card after them with which none is."""
    with_third, without = [0] * RANKS, 0
    for up, hole in product(range(RANKS), repeat=2):
        natural = is_blackjack(add_card(add_card(EMPTY, up << 2), hole << 2))
        if draws(first, second, up) and not (peeks and natural):
            for third in range(RANKS):
                with_third[third] += _of_ranks(shoe, (up, hole), (first, second, third))
        else:
            after = CARDS if shoe.decks is None else CARDS * shoe.decks - 4
            without += _of_ranks(shoe, (up, hole), (first, second)) * after
    return with_third, without


def _of_ranks(shoe: Shoe, ranks: tuple[int, ...], taken: tuple[int, ...]) -> int:
    """In how many ways cards of these ranks come after others were taken."""
    number = 1
    for place, rank in enumerate(ranks):
        gone = 0 if shoe.decks is None else (*taken, *ranks[:place]).count(rank)
        number *= 4 * (shoe.decks or 1) - gone
    return number


def _draws(choice: Choice) -> tuple[Draws, bool]:
    """Whether the best strategy draws to two cards, and whether the dealer looks for blackjack before."""
    game = choice.game
    sheet = compute_strategy(first_choice(choice))
    if not isinstance(sheet, StrategySheet):
        raise NotComputedError(f'The odds of "{choice.wager.id}" need a strategy of blackjack.', code="not_computed")
    tables = sheet.tables()
    rules = game.rules_under(choice.switches, seats=1)
    stakes = [2] * MOST_SEATS
    known: dict[tuple[int, int, int], bool] = {}

    def answer(first: int, second: int, up: int) -> bool:
        hands = np.zeros(game.declared.memory, np.int64).tolist()
        set_hand(hands, slot(0, 0), first << 2, second << 2, 2, 0, 0)
        hands[COUNT_AT] = 1
        if total_of(hands[slot(0, 0) + HAND]) == 21:
            return False
        legal = legal_actions(hands, rules, 0, 0, True)
        action = play_answer(tables, hands, stakes, rules, up << 2, 0, 0, legal) & CHOICE_MASK
        return action not in (STAND, SURRENDER)

    def draws(first: int, second: int, up: int) -> bool:
        key = (first, second, up)
        if key not in known:
            known[key] = answer(*key)
        return known[key]

    return draws, rules.peek == 1
