"""Free Bet Blackjack, Super Fun 21 and Zappit from an endless shoe, computed a second time by a recursion that shares
nothing with the solver: hands are totals, the dealer's ends are found by drawing, splits are followed hand by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import cache

import pytest

from croupier.cards import parse_cards
from croupier.exact.strategy.sheet import game_of
from croupier.exact.strategy.solve import best_account, solve
from croupier.reports.rounds.advice import advise
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.table.replay import replay
from croupier.table.setup import make_rules, parse_stakes

pytestmark = pytest.mark.slow

CARDS = range(1, 11)
MOST_HANDS = 4
Hand = tuple[int, bool, int]
"""Total, whether an ace counts eleven in it, number of cards."""


def chance(card: int) -> float:
    return 4 / 13 if card == 10 else 1 / 13


def with_card(hand: Hand, card: int) -> Hand:
    total, soft, size = hand
    total += card
    if card == 1 and total + 10 <= 21:
        total, soft = total + 10, True
    if total > 21 and soft:
        total, soft = total - 10, False
    return total, soft, size + 1


def dealer_ends(up: int, hits_soft_17: bool) -> dict[int, float]:
    """Chance of each final total, the dealer having no blackjack."""
    ends: dict[int, float] = {}

    def draw(hand: Hand, probability: float) -> None:
        total, soft, size = hand
        if total > 17 or (total == 17 and not (soft and hits_soft_17)):
            ends[total] = ends.get(total, 0) + probability
            return
        for card in CARDS:
            if not (size == 1 and {up, card} == {1, 10}):
                draw(with_card(hand, card), probability * chance(card))

    draw(with_card((0, False, 0), up), 1.0)
    whole = sum(ends.values())
    return {total: probability / whole for total, probability in ends.items()}


@dataclass
class AgainstUpCard:
    """Best play against one up card, the dealer having no blackjack."""

    ends: dict[int, float]
    resplits_aces: bool = True
    known: dict[object, float] = field(default_factory=dict)

    def compare(self, total: int, won: float, lost: float, push_22: bool) -> float:
        value = 0.0
        for end, probability in self.ends.items():
            if end == 22 and push_22:
                continue
            value += probability * (won if end > 21 or total > end else -lost if total < end else 0.0)
        return value

    def after_card(self, hand: Hand, worth: Callable[[Hand], float]) -> float:
        return sum(chance(card) * worth(with_card(hand, card)) for card in CARDS)

    def remember(self, key: object, make: Callable[[], float]) -> float:
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]


class FreeBet(AgainstUpCard):
    """`own` is 1 for a hand on the player's wager, 0 for one on the house's."""

    def stand(self, hand: Hand, won: float, lost: float) -> float:
        return -lost if hand[0] > 21 else self.compare(hand[0], won, lost, push_22=True)

    def play_on(self, hand: Hand, own: int) -> float:
        def make() -> float:
            if hand[0] >= 21:
                return self.stand(hand, 1, own)
            return max(self.stand(hand, 1, own), self.after_card(hand, lambda more: self.play_on(more, own)))

        return self.remember((hand[:2], own), make)

    def two_cards(self, hand: Hand, own: int) -> float:
        total, soft, _ = hand
        if total == 21:
            return self.stand(hand, 1, own)
        staked = own if not soft and 9 <= total <= 11 else own + 1
        return max(self.play_on(hand, own), self.after_card(hand, lambda more: self.stand(more, 2, staked)))

    def split_hand(self, card: int, second: int, own: int) -> float:
        hand = with_card(with_card((0, False, 0), card), second)
        return self.stand(hand, 1, own) if card == 1 else self.two_cards(hand, own)

    def split(self, card: int, hands: int, waiting: tuple[int, ...]) -> float:
        """Hands that wait for their second cards, by whose money they are on."""
        if not waiting:
            return 0.0

        def make() -> float:
            value = 0.0
            for second in CARDS:
                best = self.split_hand(card, second, waiting[0]) + self.split(card, hands, waiting[1:])
                if second == card and hands < MOST_HANDS and (card != 1 or self.resplits_aces):
                    new = 1 if card == 10 else 0
                    best = max(best, self.split(card, hands + 1, (waiting[0], new, *waiting[1:])))
                value += chance(second) * best
            return value

        return self.remember((card, hands, waiting), make)

    def start(self, first: int, second: int) -> float:
        best = self.two_cards(with_card(with_card((0, False, 0), first), second), 1)
        return max(best, self.split(first, 2, (1, 1 if first == 10 else 0))) if first == second else best


class SuperFun(AgainstUpCard):
    """Pairs are split again as often as they come up, and are not given up instead once there are four hands."""

    def doubled(self, hand: Hand) -> float:
        if hand[0] > 21:
            return -2.0
        standing = 2 * self.compare(hand[0], 1, 1, push_22=False)
        return standing if hand[0] == 21 else max(standing, -1.0)

    def play(self, hand: Hand, may_give_up: bool = True) -> float:
        total, _, size = hand
        if total > 21:
            return -1.0
        if total == 21:
            return 2.0 if size >= 5 else self.compare(21, 1, 1, push_22=False)
        if size >= 6:
            return 1.0

        def make() -> float:
            options = [
                self.compare(total, 1, 1, push_22=False),
                self.after_card(hand, self.play),
                self.after_card(hand, self.doubled),
            ]
            return max(options + [-0.5] * may_give_up)

        return self.remember((hand, may_give_up), make)

    def split(self, card: int, hands: int, waiting: int) -> float:
        if not waiting:
            return 0.0

        def make() -> float:
            value = 0.0
            for second in CARDS:
                if second == card and hands < MOST_HANDS:
                    value += chance(second) * self.split(card, hands + 1, waiting + 1)
                    continue
                hand = with_card(with_card((0, False, 0), card), second)
                played = self.play(hand, second != card) + self.split(card, hands, waiting - 1)
                value += chance(second) * played
            return value

        return self.remember((card, hands, waiting), make)

    def start(self, first: int, second: int) -> float:
        best = self.play(with_card(with_card((0, False, 0), first), second))
        return max(best, self.split(first, 2, 2)) if first == second else best


@dataclass
class Zappit(AgainstUpCard):
    """`ace_ten` is what A-10 on new cards is worth where it is paid at once; otherwise it is 21."""

    most_zapped: int = 17
    ace_ten: float | None = None

    def stand(self, total: int, money: float) -> float:
        return -money if total > 21 else self.compare(total, money, money, push_22=True)

    def play_on(self, hand: Hand) -> float:
        def make() -> float:
            standing = self.stand(hand[0], 1)
            return standing if hand[0] >= 21 else max(standing, self.after_card(hand, self.play_on))

        return self.remember(hand[:2], make)

    def two_cards(self, hand: Hand) -> float:
        if hand[0] == 21:
            return self.stand(21, 1)
        return max(self.play_on(hand), self.after_card(hand, lambda more: self.stand(more[0], 2)))

    def split(self, card: int, hands: int, waiting: int) -> float:
        """Pairs but aces are split again as often as they come up."""
        if not waiting:
            return 0.0

        def make() -> float:
            value = 0.0
            for second in CARDS:
                hand = with_card(with_card((0, False, 0), card), second)
                if second == card != 1 and hands < MOST_HANDS:
                    value += chance(second) * self.split(card, hands + 1, waiting + 1)
                else:
                    played = self.stand(hand[0], 1) if card == 1 else self.two_cards(hand)
                    value += chance(second) * (played + self.split(card, hands, waiting - 1))
            return value

        return self.remember((card, hands, waiting), make)

    def keep(self, first: int, second: int) -> float:
        best = self.two_cards(with_card(with_card((0, False, 0), first), second))
        return max(best, self.split(first, 2, 2)) if first == second else best

    def new_cards(self) -> float:
        def worth(first: int, second: int) -> float:
            at_once = self.ace_ten is not None and {first, second} == {1, 10}
            return self.ace_ten if at_once and self.ace_ten is not None else self.keep(first, second)

        return sum(chance(first) * chance(second) * worth(first, second) for first in CARDS for second in CARDS)

    def start(self, first: int, second: int) -> float:
        total, soft, _ = with_card(with_card((0, False, 0), first), second)
        kept = self.keep(first, second)
        return kept if soft or not 15 <= total <= self.most_zapped else max(kept, self.remember("new", self.new_cards))


def chance_of_blackjack(up: int) -> float:
    """That the dealer's hole card makes one."""
    return {1: 4 / 13, 10: 1 / 13}.get(up, 0.0)


def value_of_game(
    make: Callable[[int, dict[int, float]], FreeBet | SuperFun | Zappit],
    hits_soft_17: bool,
    natural: float,
    meets: float,
) -> float:
    """Mean profit, `make` being given the up card and the dealer's ends; `meets` is what a blackjack wins against the
    dealer's."""
    value = 0.0
    for up in CARDS:
        dealt = make(up, dealer_ends(up, hits_soft_17))
        lost = chance_of_blackjack(up)
        for first in CARDS:
            for second in range(first, 11):
                share = chance(up) * chance(first) * chance(second) * (1 if first == second else 2)
                if (first, second) == (1, 10):
                    value += share * ((1 - lost) * natural + lost * meets)
                else:
                    value += share * ((1 - lost) * dealt.start(first, second) - lost)
    return value


@cache
def endless(game: str, **settings: str) -> float:
    return best_account(game_of(choose(find_game(game), "main", decks="inf", settings=settings))).value


@pytest.mark.parametrize("soft17", ["hit", "stand"])
@pytest.mark.parametrize("resplit", ["yes", "no"])
def test_free_bet_from_an_endless_shoe_is_worth_what_a_recursion_says(soft17: str, resplit: str) -> None:
    value = value_of_game(lambda _, ends: FreeBet(ends, resplit == "yes"), soft17 == "hit", 1.5, 0.0)
    assert endless("free_bet_blackjack", soft17=soft17, resplit_aces=resplit) == pytest.approx(value, abs=1e-11)


@pytest.mark.parametrize("soft17", ["hit", "stand"])
def test_super_fun_from_an_endless_shoe_is_worth_what_a_recursion_says(soft17: str) -> None:
    natural = (15 * 1 + 1 * 2) / 16
    value = value_of_game(lambda _, ends: SuperFun(ends), soft17 == "hit", natural, natural)
    assert endless("super_fun_21", soft17=soft17) == pytest.approx(value, abs=1e-11)


@pytest.mark.parametrize("soft17", ["hit", "stand"])
@pytest.mark.parametrize("most", [17, 18])
@pytest.mark.parametrize("ace_ten", ["21", "wins_at_once"])
def test_zappit_from_an_endless_shoe_is_worth_what_a_recursion_says(soft17: str, most: int, ace_ten: str) -> None:
    paid = 1.0 if ace_ten == "wins_at_once" else None
    value = value_of_game(lambda _, ends: Zappit(ends, most_zapped=most, ace_ten=paid), soft17 == "hit", 1.5, 0.0)
    settings = {"soft17": soft17, "zap": f"15-{most}", "zapped_ace_ten": ace_ten}
    assert endless("zappit_blackjack", **settings) == pytest.approx(value, abs=1e-11)


def test_ace_and_ten_that_win_before_the_check_win_also_against_a_blackjack() -> None:
    def make(up: int, ends: dict[int, float]) -> Zappit:
        met = chance_of_blackjack(up)
        return Zappit(ends, ace_ten=1 + 2 * met / (1 - met))  # 1 instead of -1, for those without a dealer's blackjack

    value = value_of_game(make, True, 1.5, 0.0)
    settings = {"zapping": "before_check", "zapped_ace_ten": "wins_at_once"}
    assert endless("zappit_blackjack", **settings) == pytest.approx(value, abs=1e-11)


def test_when_hands_are_thrown_away_changes_nothing_where_ace_and_ten_are_21() -> None:
    assert endless("zappit_blackjack", zapping="before_check") == pytest.approx(endless("zappit_blackjack"), abs=1e-14)


def test_one_deck_of_super_fun_costs_what_is_published() -> None:
    assert round(-best_account(game_of(choose(find_game("super_fun_21"), "main"))).value, 4) == 0.0094


def test_the_house_money_is_paid_and_never_lost() -> None:
    account = solve(game_of(choose(find_game("free_bet_blackjack"), "main"))).best.account
    won, lost = account.endings["free_bet.win"], account.endings["free_bet.free_bet_lost"]
    assert won.profit > won.hands > 0  # some of it is doubled
    assert (won.staked, lost.staked, lost.profit) == (0, 0, 0)


def best_answer(game: str, cards: str, answers: str) -> str:
    rules = make_rules(find_game(game), day=date(2026, 11, 16))
    return advise(replay(rules, [parse_stakes("main=10", rules.game)], parse_cards(cards), answers.split()))[0].answer


def test_a_free_hand_of_17_is_hit_against_8_and_one_on_the_own_wager_is_not() -> None:
    assert best_answer("free_bet_blackjack", "Th 8d 7c Tc", "") == "stand"
    assert best_answer("free_bet_blackjack", "8h 8d 8c Tc Ts 9c", "split stand") == "hit"


def test_a_bad_double_is_given_up_and_a_good_one_stood_on() -> None:
    assert best_answer("super_fun_21", "5h Td 6c 9c 2s", "double") == "surrender"
    assert best_answer("super_fun_21", "5h Td 6c 9c 9s", "double") == "stand"


def test_four_cards_of_a_low_total_are_hit_for_the_six_card_rule() -> None:
    assert best_answer("super_fun_21", "2h Td 2c 9c 3s 2d 5h", "hit hit hit") == "hit"  # 14 of five cards
