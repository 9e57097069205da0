"""Optimal play is optimal: against brute force in fractions, against every small change, and from rule to rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from croupier.exact.decide import evaluate
from croupier.exact.strategy.account import StrategyAccount
from croupier.exact.strategy.base import BaseUpCard
from croupier.exact.strategy.dealer import DEALER_ENDS, FINAL_TOTALS
from croupier.exact.strategy.graph import START_CARDS, hand_graph, key_of
from croupier.exact.strategy.madness import MadnessGame
from croupier.exact.strategy.solve import PlayPlan, Solution, make_game, solve_anew, up_cards
from croupier.exact.strategy.tally import END_CHANCE, profit
from croupier.exact.strategy.total import Chart
from croupier.exact.strategy.view import ClassShoe, UpCard, full_shoe
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.effects import HIT, STAND
from tests.short_shoes import Counts, by_class, short_game

pytestmark = pytest.mark.slow

PAYS = {
    "blackjack": {"blackjack": 1.5, "surrender": -0.5},
    "double_down_madness": {"suited_blackjack": 1.7, "unsuited_blackjack": 1.7},
    "blackjack_switch": {"blackjack": 1.0, "surrender": -0.5},
    "double_barrel": {"blackjack": 1.0, "double_barrel_blackjack": 1.5, "surrender": -0.5},
}
SMALL_SHOE = (2, 2, 0, 1, 1, 1, 0, 1, 0, 5)
"""Cards of each class, ace to nine and ten-values."""
LOW_SHOE = (1, 2, 2, 1, 2, 1, 0, 1, 0, 4)
TENS = (2, 0, 0, 0, 0, 1, 0, 4, 0, 10)
FOURS = (3, 0, 0, 3, 0, 0, 0, 0, 0, 14)


def small(counts: Counts) -> ClassShoe:
    return ClassShoe(np.array(counts, float))


def solved(round_: str, shoe: ClassShoe, rules: BlackjackRules, cap: float = 0.0) -> Solution:
    return solve_anew(make_game(round_, shoe, rules, PAYS[round_], cap))


# (a) Brute force: the rules stated again, naively, over lists of card values.


def total_of(cards: tuple[int, ...]) -> tuple[int, bool]:
    """The best total of card values (ace 1), and whether an ace counts 11 in it."""
    hard = sum(cards)
    soft = 1 in cards and hard + 10 <= 21
    return (hard + 10 if soft else hard), soft


def draws(left: Counts) -> Iterator[tuple[int, Counts, Fraction]]:
    """Every card value that may come next, what is left after it, and its chance."""
    for index, number in enumerate(left):
        if number:
            yield index + 1, (*left[:index], number - 1, *left[index + 1 :]), Fraction(number, sum(left))


def without(left: Counts, card: int) -> Counts:
    return tuple(number - (index == card - 1) for index, number in enumerate(left))


def is_natural(*cards: int) -> bool:
    return sorted(cards) == [1, 10]


@dataclass(frozen=True)
class Table:
    """The rules as the brute force reads them."""

    counts: Counts
    hits_soft_17: bool = True
    peeks: bool = True
    double_from: int = 0
    surrender: bool = False
    pushes_22: bool = False
    pays: Fraction = Fraction(3, 2)
    max_doubles: int = 0
    cap: Fraction = Fraction(0)


class BruteForce:
    """Best play against one up card; the player knows the own cards, the up card, and what a look at the hole tells."""

    def __init__(self, table: Table, up: int) -> None:
        self.table = table
        self.up = up
        self.against = cache(self._against)
        self.best_later = cache(self._best_later)
        self.best_madness = cache(self._best_madness)
        self.stand = cache(self._stand)
        self.next_cards = cache(self._next_cards)

    def _against(self, dealer: tuple[int, ...], left: Counts, own: int) -> Fraction:
        """Profit of a unit standing on a total when the dealer holds these cards and draws on."""
        total, soft = total_of(dealer)
        if total < 17 or (total == 17 and soft and self.table.hits_soft_17):
            return sum(
                (
                    chance * self.against(tuple(sorted((*dealer, card))), rest, own)
                    for card, rest, chance in draws(left)
                ),
                Fraction(0),
            )
        if total == 22 and self.table.pushes_22:
            return Fraction(0)
        if total > 21 or own > total:
            return Fraction(1)
        return Fraction(0 if own == total else -1)

    def holes(self, left: Counts) -> list[tuple[int, Counts, Fraction]]:
        """Hole cards that the player must reckon with, and their chances."""
        found = list(draws(left))
        if self.table.peeks:
            found = [one for one in found if not is_natural(self.up, one[0])]
            alive = sum(chance for _, _, chance in found)
            found = [(card, rest, chance / alive) for card, rest, chance in found]
        return found

    def unseen(self, own: tuple[int, ...]) -> Counts:
        left = without(self.table.counts, self.up)
        for card in own:
            left = without(left, card)
        return left

    def _stand(self, own: tuple[int, ...]) -> Fraction:
        value = Fraction(0)
        for hole, rest, chance in self.holes(self.unseen(own)):
            lost = is_natural(self.up, hole)
            result = Fraction(-1) if lost else self.against(tuple(sorted((self.up, hole))), rest, total_of(own)[0])
            value += chance * result
        return value

    def _next_cards(self, own: tuple[int, ...]) -> dict[int, Fraction]:
        """Chances of the next card, whatever the hole card is."""
        chances: dict[int, Fraction] = {}
        for _, rest, chance in self.holes(self.unseen(own)):
            for card, _, then in draws(rest):
                chances[card] = chances.get(card, Fraction(0)) + chance * then
        return chances

    def draw(self, own: tuple[int, ...], play_on: Callable[[tuple[int, ...]], Fraction]) -> Fraction:
        """Profit of a unit when one card is taken and the hand then played so."""
        value = Fraction(0)
        for card, chance in self.next_cards(own).items():
            hand = tuple(sorted((*own, card)))
            value += chance * (Fraction(-1) if total_of(hand)[0] > 21 else play_on(hand))
        return value

    def _best_later(self, own: tuple[int, ...]) -> Fraction:
        """Best of standing and hitting."""
        if total_of(own)[0] == 21:
            return self.stand(own)
        return max(self.stand(own), self.draw(own, self.best_later))

    def best_first(self, own: tuple[int, ...]) -> Fraction:
        """Best play of two cards, splitting apart."""
        total, soft = total_of(own)
        values = [self.best_later(own)]
        if total < 21:
            if self.table.double_from == 0 or (not soft and self.table.double_from <= total <= 11):
                values.append(2 * self.draw(own, self.stand))
            if self.table.surrender:
                holes = self.holes(self.unseen(own))
                lost = sum((chance for hole, _, chance in holes if is_natural(self.up, hole)), Fraction(0))
                values.append(-Fraction(1, 2) - lost / 2)
        return max(values)

    def _best_madness(self, own: tuple[int, ...], stake: Fraction, doubles: int) -> Fraction:
        """Best play of Double Down Madness with this money in play, after so many doubles."""
        if total_of(own)[0] == 21:
            return stake * self.stand(own)
        values = [stake * self.stand(own), self._draw_madness(own, stake, doubles)]
        if not self.table.max_doubles or doubles < self.table.max_doubles:
            added = min(stake, self.table.cap) if self.table.cap else stake
            values.append(self._draw_madness(own, stake + added, doubles + 1))
        return max(values)

    def _draw_madness(self, own: tuple[int, ...], stake: Fraction, doubles: int) -> Fraction:
        value = Fraction(0)
        for card, chance in self.next_cards(own).items():
            hand = tuple(sorted((*own, card)))
            if total_of(hand)[0] > 21:
                result = -stake
            elif is_natural(*hand):
                result = stake * self.table.pays
            elif own == (1,):
                result = stake * self.stand(hand)
            else:
                result = self.best_madness(hand, stake, doubles)
            value += chance * result
        return value


def brute_blackjack(table: Table) -> Fraction:
    """The value of a round without splitting."""
    value = Fraction(0)
    for up, after_up, chance_up in draws(table.counts):
        force = BruteForce(table, up)
        for one, after_one, chance_one in draws(after_up):
            for other, left, chance_other in draws(after_one):
                dealer = sum((chance for hole, _, chance in draws(left) if is_natural(up, hole)), Fraction(0))
                own = (min(one, other), max(one, other))
                if is_natural(*own):
                    result = (1 - dealer) * table.pays
                elif table.peeks:
                    result = -dealer if dealer == 1 else (1 - dealer) * force.best_first(own) - dealer
                else:
                    result = force.best_first(own)
                value += chance_up * chance_one * chance_other * result
    return value


def brute_madness(table: Table) -> Fraction:
    """The value of a round of Double Down Madness."""
    value = Fraction(0)
    for up, after_up, chance_up in draws(table.counts):
        force = BruteForce(table, up)
        for first, left, chance_first in draws(after_up):
            dealer = sum((chance for hole, _, chance in draws(left) if is_natural(up, hole)), Fraction(0))
            best = force.best_madness((first,), Fraction(1), 0)
            value += chance_up * chance_first * ((1 - dealer) * best - dealer)
    return value


BLACKJACK_TABLES = {
    "usual rules": (Table(SMALL_SHOE), {}),
    "stand on soft 17, double 9 to 11": (
        Table(SMALL_SHOE, hits_soft_17=False, double_from=9),
        {"soft17": 0, "double_from": 9},
    ),
    "surrender, double 10 to 11": (
        Table(SMALL_SHOE, surrender=True, double_from=10),
        {"surrender": 1, "double_from": 10},
    ),
    "no peek": (Table(SMALL_SHOE, peeks=False), {"peek": 0}),
    "no peek, surrender": (Table(SMALL_SHOE, peeks=False, surrender=True), {"peek": 0, "surrender": 1}),
    "22 pushes": (Table(SMALL_SHOE, pushes_22=True), {"pushes_22": 1}),
    "more low cards": (Table(LOW_SHOE), {}),
}


@pytest.mark.parametrize("name", BLACKJACK_TABLES)
def test_blackjack_without_splitting_is_worth_what_brute_force_finds(name: str) -> None:
    table, switches = BLACKJACK_TABLES[name]
    solution = solved("blackjack", small(table.counts), BlackjackRules(max_hands=1, **switches))
    assert solution.best.account.value == pytest.approx(float(brute_blackjack(table)), abs=1e-12)


@pytest.mark.parametrize("cap", [Fraction(0), Fraction(1), Fraction(3, 2)])
@pytest.mark.parametrize("max_doubles", [0, 2])
@pytest.mark.parametrize("hits", [0, 1])
def test_double_down_madness_is_worth_what_brute_force_finds(cap: Fraction, max_doubles: int, hits: int) -> None:
    pays = Fraction(17, 10)
    table = Table(SMALL_SHOE, bool(hits), pushes_22=True, pays=pays, max_doubles=max_doubles, cap=cap)
    rules = BlackjackRules(soft17=hits, pushes_22=1, max_doubles=max_doubles)
    solution = solved("double_down_madness", small(SMALL_SHOE), rules, float(cap))
    assert solution.best.account.value == pytest.approx(float(brute_madness(table)), abs=1e-12)


# (b) No single change helps.


def value_by_tally(view: UpCard, codes: Any) -> Any:
    """The value of each starting hand when these codes are followed."""
    return profit(view.tally(view.position(), codes).T, view.blackjack_pays, view.surrender_pays)


def playable(shoe: ClassShoe, up: int) -> list[int]:
    """Hands of two cards or more that the player can hold and need not stand on."""
    graph = hand_graph()
    left = shoe.cards.copy()
    left[up] -= 1
    possible = (graph.counts <= left).all(1) & (graph.size >= 2) & (graph.total < 21)
    return [int(hand) for hand in np.flatnonzero(possible)]


@pytest.mark.parametrize("shoe", [small(SMALL_SHOE), full_shoe(1)], ids=["small shoe", "one deck"])
def test_no_starting_hand_gains_when_one_hand_is_hit_instead_of_standing_or_the_other_way_round(
    shoe: ClassShoe,
) -> None:
    random = Random(5)
    harmed = 0
    for up, _ in up_cards(shoe):
        view = UpCard(shoe, up, BlackjackRules(max_hands=1), 1.5)
        codes = view.solve(view.position()).codes
        best = value_by_tally(view, codes)
        for hand in random.sample(playable(shoe, up), 12):
            changed = codes.copy()
            changed[0, hand] = HIT if codes[0, hand] & 3 == STAND else STAND
            difference = value_by_tally(view, changed) - best
            assert difference.max() < 1e-14
            harmed += bool(difference.min() < -1e-9)
    assert harmed > 20


@pytest.mark.parametrize("shoe", [small(SMALL_SHOE), full_shoe(1)], ids=["small shoe", "one deck"])
def test_no_cell_of_a_chart_is_better_the_other_way_round(shoe: ClassShoe) -> None:
    rules = BlackjackRules(max_hands=1)
    solution = solved("blackjack", shoe, rules)
    random = Random(6)
    harmed = 0
    for up, _ in up_cards(shoe):
        deals = make_game("blackjack", shoe, rules, PAYS["blackjack"]).up_card(up)  # type: ignore[union-attr]
        assert isinstance(deals, BaseUpCard)
        _, weights = deals.weights(np.zeros(deals.chances.shape))  # nothing may be thrown away
        chart = Chart.from_cells(solution.cells[up])
        best = weights[0] @ value_by_tally(deals.view, chart.codes())
        cells = [(kind, cell) for kind in ("hit", "double") for cell in (*range(5, 20), *range(45, 53))]
        for kind, cell in random.sample(cells, 14):
            changed = Chart.from_cells(solution.cells[up].copy())
            flags = getattr(changed, kind)
            flags[cell] = not flags[cell]
            difference = weights[0] @ value_by_tally(deals.view, changed.codes()) - best
            assert difference < 1e-14
            harmed += bool(difference < -1e-9)
    assert harmed > 20


def madness_value(game: MadnessGame, up: int, chart: Any) -> float:
    account = game.new_account()
    game.add_to(account, game.solve_up_card(up, chart), up, 1.0)
    return account.value


def test_no_cell_of_a_chart_for_madness_is_better_with_another_action() -> None:
    rules = BlackjackRules(pushes_22=1)
    game = MadnessGame(full_shoe(1), rules, 2.0, 1.5)
    cells = solve_anew(game).cells
    random = Random(7)
    for up in range(10):
        best = madness_value(game, up, cells[up].astype(np.int64))
        for cell in random.sample([*range(4, 21), *range(45, 53), *range(64, 74)], 8):
            for action in range(3):
                changed = cells[up].astype(np.int64)
                changed[cell] = action
                assert madness_value(game, up, changed) < best + 1e-13


def possible_deals(shoe: ClassShoe, up: int, deals: int) -> list[int]:
    """Numbers of the deals of three or four cards, in order, that the shoe allows."""
    size = len(str(deals - 1))
    left = shoe.cards.copy()
    left[up] -= 1
    cards = np.array(np.unravel_index(np.arange(deals), (10,) * size))
    counts = np.array([(cards == card).sum(0) for card in range(10)])
    return [int(deal) for deal in np.flatnonzero((counts <= left[:, None]).all(0))]


def changed_plan(random: Random, plan: PlayPlan, shoe: ClassShoe) -> PlayPlan:
    """The plan with one hand, or one decision before the hands, changed."""
    up = random.choice([up for up, _ in up_cards(shoe)])
    if plan.decisions.shape[1] and random.random() < 0.5:
        decisions = plan.decisions.copy()
        deal = random.choice(possible_deals(shoe, up, decisions.shape[1]))
        decisions[up, deal] = 1 if decisions[up, deal] == 0 else 0
        return replace(plan, decisions=decisions)
    codes = plan.codes.copy()
    contexts = list(range(codes.shape[1]))
    if len(contexts) == len(START_CARDS):
        contexts = [pair for pair in contexts if hand_graph().starts[pair] in playable(shoe, up)]
    context = random.choice(contexts)
    hand = random.choice(playable(shoe, up))
    codes[up, context, hand] = HIT if codes[up, context, hand] & 3 == STAND else STAND
    return replace(plan, codes=codes)


WALKED = {
    "double_down_madness": (SMALL_SHOE, BlackjackRules(pushes_22=1, max_doubles=2)),
    "blackjack_switch": (TENS, BlackjackRules(pushes_22=1, max_hands=1, natural_may_be_broken=1)),
    "double_barrel": (TENS, BlackjackRules(pushes_22=1, max_hands=1)),
}


@pytest.mark.parametrize("number", [15, pytest.param(100, marks=pytest.mark.soak)])
@pytest.mark.parametrize("round_", WALKED)
def test_no_round_walked_with_one_answer_changed_comes_to_more(round_: str, number: int) -> None:
    counts, rules = WALKED[round_]
    solution = solved(round_, small(counts), rules)
    random = Random(8)
    harmed = 0
    game = short_game(round_, by_class(counts), rules, PAYS[round_])
    best = evaluate(game, solution.tables(solution.best)).edge
    for _ in range(number):
        changed = changed_plan(random, solution.best, solution.game.shoe)
        edge_then = evaluate(game, solution.tables(changed)).edge
        assert edge_then >= best
        harmed += edge_then > best
    assert harmed > number // 8


# (c) From rule to rule.

MORE_OPTIONS: dict[str, tuple[dict[str, int], ...]] = {
    "double after split": ({"double_after_split": 0}, {"double_after_split": 1}),
    "up to four hands": tuple({"max_hands": hands} for hands in (1, 2, 3, 4)),
    "aces split again": ({"resplit_aces": 0}, {"resplit_aces": 1}),
    "split aces played on": ({"play_split_aces": 0}, {"play_split_aces": 1}),
    "A-10 on a split hand a blackjack": ({"split_blackjack": 0}, {"split_blackjack": 1}),
    "surrender": ({"surrender": 0}, {"surrender": 1}),
    "double on more totals": ({"double_from": 10}, {"double_from": 9}, {"double_from": 0}),
    "the dealer looks for blackjack": ({"peek": 0}, {"peek": 1}),
}
MORE_FOR_TWO_HANDS: dict[str, dict[str, tuple[dict[str, int], ...]]] = {
    "blackjack_switch": {
        "naturals may be broken": ({"natural_may_be_broken": 0}, {"natural_may_be_broken": 1}),
        "blackjack beats blackjack": ({"blackjack_beats_blackjack": 0}, {"blackjack_beats_blackjack": 1}),
        "a switched A-10 is a blackjack": ({"switched_blackjack": 0}, {"switched_blackjack": 1}),
    },
    "double_barrel": {
        "A-10 by the next card is a blackjack": ({"next_card_blackjack": 0}, {"next_card_blackjack": 1}),
        "blackjack beats blackjack": ({"blackjack_beats_blackjack": 0}, {"blackjack_beats_blackjack": 1}),
    },
}


def assert_never_falls(accounts: list[tuple[StrategyAccount, StrategyAccount]]) -> None:
    """The values rise from one rule to the next, and looking at totals alone never gains."""
    values = [best.value for best, _ in accounts]
    assert all(later > earlier - 1e-13 for earlier, later in pairwise(values))
    assert values[-1] > values[0]
    assert all(by_total.value < best.value + 1e-13 for best, by_total in accounts)


def accounts_of(
    round_: str, shoe: ClassShoe, steps: tuple[dict[str, int], ...], **always: int
) -> list[tuple[StrategyAccount, StrategyAccount]]:
    solutions = [solved(round_, shoe, BlackjackRules(**(always | step))) for step in steps]
    return [(solution.best.account, solution.by_total.account) for solution in solutions]


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("name", MORE_OPTIONS)
def test_one_more_option_never_raises_the_edge_of_blackjack(name: str, decks: int) -> None:
    assert_never_falls(accounts_of("blackjack", full_shoe(decks), MORE_OPTIONS[name]))


@pytest.mark.parametrize(
    ("round_", "name"), [(round_, name) for round_, group in MORE_FOR_TWO_HANDS.items() for name in group]
)
def test_one_more_option_never_raises_the_edge_of_a_game_with_two_hands(round_: str, name: str) -> None:
    assert_never_falls(accounts_of(round_, small(TENS), MORE_FOR_TWO_HANDS[round_][name], pushes_22=1, max_hands=2))


@pytest.mark.parametrize(
    "name", [name for name in MORE_OPTIONS if name not in ("up to four hands", "the dealer looks for blackjack")]
)
@pytest.mark.parametrize("round_", MORE_FOR_TWO_HANDS)
def test_one_more_option_for_each_hand_never_raises_the_edge_of_a_game_with_two_hands(round_: str, name: str) -> None:
    steps = tuple({"max_hands": 3, "pushes_22": 1} | step for step in MORE_OPTIONS[name])
    assert_never_falls(accounts_of(round_, small(FOURS), steps))


def test_more_doubles_never_raise_the_edge_of_madness() -> None:
    steps = tuple({"max_doubles": doubles} for doubles in (1, 2, 3, 4, 5, 0))
    assert_never_falls(accounts_of("double_down_madness", full_shoe(1), steps, pushes_22=1))


def test_a_higher_limit_for_one_wager_never_raises_the_edge_of_madness() -> None:
    rules = BlackjackRules(pushes_22=1)
    solutions = [solved("double_down_madness", full_shoe(1), rules, cap) for cap in (1.0, 1.5, 2.0, 4.0, 8.0, 0.0)]
    assert_never_falls([(solution.best.account, solution.by_total.account) for solution in solutions])


# (d) The dealer.


def dealer_exactly(left: list[int], up: int, hits: int) -> dict[int, Fraction]:
    """The chance of each final total (23 for every higher bust; 0 for blackjack) from the classes left."""
    ends: dict[int, Fraction] = {}
    hands: dict[tuple[Counts, tuple[int, ...]], Fraction] = {(tuple(left), (up + 1,)): Fraction(1)}
    while hands:
        following: dict[tuple[Counts, tuple[int, ...]], Fraction] = {}
        for (rest, cards), chance in hands.items():
            for card, after, share in draws(rest):
                hand = tuple(sorted((*cards, card)))
                total, soft = total_of(hand)
                if total < 17 or (total == 17 and soft and hits):
                    following[after, hand] = following.get((after, hand), Fraction(0)) + chance * share
                else:
                    end = 0 if is_natural(*hand) else min(total, 23)
                    ends[end] = ends.get(end, Fraction(0)) + chance * share
        hands = following
    return ends


@pytest.mark.parametrize("hits", [0, 1])
@pytest.mark.parametrize("up", [0, 1, 5, 9])
def test_the_dealers_distribution_is_exact_but_for_rounding(up: int, hits: int) -> None:
    """Every chance is a sum of products of positive numbers, so rounding errors only add up and never grow.

    A product takes a few dozen roundings of one part in 2^53 at most, and a chance is below one.
    """
    random = Random(100 * up + hits)
    view = UpCard(full_shoe(1), up, BlackjackRules(soft17=hits), 1.5)
    stand = np.zeros((view.graph.states, len(view.graph.facts)), np.int8)
    for _ in range(8):
        gone = random.sample([card for card in range(10) for _ in range(3)], random.randint(0, 8))
        start = random.randrange(len(START_CARDS))
        found = view.tally(view.position(key_of(gone)), stand)[start, END_CHANCE : END_CHANCE + DEALER_ENDS + 1]
        left = full_shoe(1).cards.astype(int).tolist()
        for card in (up, *gone, *START_CARDS[start]):
            left[card] -= 1
        if min(left) < 0:
            continue
        exact = dealer_exactly(left, up, hits)
        expected = [exact.get(total, Fraction(0)) for total in (*FINAL_TOTALS, 0)]
        assert max(abs(Fraction(float(one)) - other) for one, other in zip(found, expected, strict=True)) < 1e-15
        assert sum(expected) == 1
        assert sum(found) == pytest.approx(1, abs=1e-14)


# (e) An endless shoe.


ENDLESS = {
    "blackjack": full_shoe(None),
    "double_down_madness": full_shoe(None),
    "blackjack_switch": ClassShoe(np.array(FOURS, float), endless=True),
    "double_barrel": ClassShoe(np.array(FOURS, float), endless=True),
}


@pytest.mark.parametrize("round_", ENDLESS)
def test_from_an_endless_shoe_the_cards_of_a_hand_say_no_more_than_its_total(round_: str) -> None:
    rules = BlackjackRules(pushes_22=int(round_ != "blackjack"), surrender=1)
    solution = solved(round_, ENDLESS[round_], rules)
    assert solution.by_total.account.value == pytest.approx(solution.best.account.value, abs=1e-13)
