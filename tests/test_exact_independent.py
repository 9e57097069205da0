"""Exact odds against computations that use neither our walker nor our hands: the rules stated again, naively."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb, perm

import pytest

from croupier.exact.outcomes import Distribution, exact_distribution
from croupier.exact.shoe import Shoe
from croupier.kernels.bets import LOSE, Bet, find_bet
from tests.helpers import NaiveCard, naive_deck, naive_points, naive_total

Cards = Sequence[NaiveCard]
ACE, SIX, SEVEN, EIGHT, TEN, JACK, QUEEN, KING = 0, 5, 6, 7, 9, 10, 11, 12
SPADES = 3


def exact(name: str, decks: int | None, **rules: str) -> tuple[Bet, Distribution]:
    bet = find_bet(name)
    assert bet is not None
    return bet, exact_distribution(bet, name, Shoe(decks), **rules)  # type: ignore[arg-type]


def chance(name: str, outcome: str, decks: int | None, **rules: str) -> Fraction:
    bet, found = exact(name, decks, **rules)
    return Fraction(found.ways.get(bet.outcomes.index(outcome), 0), found.denominator)


def named(name: str, decks: int) -> dict[str, int]:
    bet, found = exact(name, decks)
    return {bet.outcomes[i] if i != LOSE else "lose": ways for i, ways in found.ways.items()}


# (a) Openings, counted hand by hand.


def same_suit(cards: Cards) -> bool:
    return len({suit for _, suit in cards}) == 1


def naive_lucky_lucky(cards: Cards) -> str:
    ranks = sorted(rank for rank, _ in cards)
    total, _ = naive_total(ranks)
    if ranks == [SEVEN] * 3:
        return "suited_777" if same_suit(cards) else "777"
    if ranks == [SIX, SEVEN, EIGHT]:
        return "suited_678" if same_suit(cards) else "678"
    if total == 21:
        return "suited_21" if same_suit(cards) else "total_21"
    return {20: "total_20", 19: "total_19"}.get(total, "lose")


def naive_bonus(cards: Cards) -> str:
    ranks = sorted(rank for rank, _ in cards)
    royal = ranks == [ACE, QUEEN, KING]
    straight = royal or (ranks[1] == ranks[0] + 1 and ranks[2] == ranks[1] + 1)
    if royal and same_suit(cards):
        return "mini_royal"
    if straight:
        return "straight_flush" if same_suit(cards) else "straight"
    if len(set(ranks)) == 1:
        return "three_of_a_kind"
    return "flush" if same_suit(cards) else "lose"


def naive_first_four(cards: Cards) -> str:
    groups = sorted(Counter(rank for rank, _ in cards).values())
    names = {(4,): "four_of_a_kind", (2, 2): "two_pair", (1, 3): "three_of_a_kind", (1, 1, 2): "pair"}
    return names.get(tuple(groups), "lose")


def naive_kings_bounty(two: Cards, dealer_has_blackjack: bool) -> str:
    ranks = [rank for rank, _ in two]
    if naive_total(ranks)[0] != 20:
        return "lose"
    if ranks == [KING, KING]:
        if same_suit(two):
            if two[0][1] != SPADES:
                return "suited_kings"
            return "kings_of_spades_dealer_blackjack" if dealer_has_blackjack else "kings_of_spades"
        return "kings"
    if same_suit(two):
        return "suited_queens_jacks_tens" if ranks[0] == ranks[1] and ranks[0] in (TEN, JACK, QUEEN) else "suited_20"
    return "unsuited_20"


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize(
    ("name", "rule"), [("lucky_lucky", naive_lucky_lucky), ("three_card_bonus", naive_bonus)], ids=["lucky", "bonus"]
)
def test_every_three_card_hand_counted_one_by_one(name: str, rule: Callable[[Cards], str], decks: int) -> None:
    assert named(name, decks) == Counter(rule(hand) for hand in combinations(naive_deck(decks), 3))


def test_every_four_card_hand_of_one_deck_counted_one_by_one() -> None:
    assert named("first_four", 1) == Counter(naive_first_four(hand) for hand in combinations(naive_deck(1), 4))


@pytest.mark.parametrize("decks", [1, 2])
def test_every_kings_bounty_hand_counted_with_every_dealers_hand(decks: int) -> None:
    deck = naive_deck(decks)
    counted: Counter[str] = Counter()
    for two in combinations(deck, 2):
        left = Counter(rank for rank, _ in deck)
        left.subtract(rank for rank, _ in two)
        blackjacks = left[ACE] * sum(left[rank] for rank in (TEN, JACK, QUEEN, KING))
        counted[naive_kings_bounty(two, True)] += blackjacks
        counted[naive_kings_bounty(two, False)] += comb(len(deck) - 2, 2) - blackjacks
    assert named("kings_bounty", decks) == +counted


# (b) Dealer's hands whose cards all lie in a few named suits: a recursion over what is left of those suits alone.


@cache
def dealer_within(suits: int, decks: int | None, soft17: str) -> dict[tuple[int, int], Fraction]:
    """Chance of each final total and number of cards, all cards of so many named suits; None is an endless shoe."""
    cards = 52 * (decks or 1)
    found: dict[tuple[int, int], Fraction] = {}
    # Hands not yet finished, by what is left of the suits, hard total, and whether there is an ace.
    each = suits * (decks or 1)
    start: tuple[int, ...] = (*(each,) * 9, 4 * each)
    level = {(start, 0, False): Fraction(1)}
    drawn = 0
    while level:
        after: dict[tuple[tuple[int, ...], int, bool], Fraction] = {}
        for (left, hard, ace), chance in level.items():
            soft = ace and hard + 10 <= 21
            total = hard + 10 if soft else hard
            if drawn >= 2 and (total > 17 or (total == 17 and not (soft and soft17 == "hit"))):
                found[total, drawn] = found.get((total, drawn), Fraction(0)) + chance
                continue
            for rank, count in enumerate(left):
                if count:
                    fewer = left if decks is None else (*left[:rank], count - 1, *left[rank + 1 :])
                    state = (fewer, hard + rank + 1, ace or rank == 0)
                    share = chance * Fraction(count, cards if decks is None else cards - drawn)
                    after[state] = after.get(state, Fraction(0)) + share
        level, drawn = after, drawn + 1
    return found


def total_within(suits: int, decks: int | None, soft17: str, total: int) -> Fraction:
    return sum((p for (t, _), p in dealer_within(suits, decks, soft17).items() if t == total), Fraction(0))


@pytest.mark.parametrize("soft17", ["hit", "stand"])
@pytest.mark.parametrize("decks", [1, 2, 6, 8, None])
def test_suited_and_same_colour_22_follow_from_parts_of_the_shoe(decks: int | None, soft17: str) -> None:
    one_suit, one_color, any_suits = (total_within(suits, decks, soft17, 22) for suits in (1, 2, 4))
    assert chance("push_22", "suited_22", decks, value=soft17) == 4 * one_suit
    assert chance("push_22", "same_colour_22", decks, value=soft17) == 2 * one_color - 4 * one_suit
    assert chance("push_22", "other_22", decks, value=soft17) == any_suits - 2 * one_color


@pytest.mark.parametrize("soft17", ["hit", "stand"])
@pytest.mark.parametrize("decks", [1, 6, None])
def test_lucky_break_follows_from_a_shoe_of_one_suit(decks: int | None, soft17: str) -> None:
    one_suit = dealer_within(1, decks, soft17)
    for total in range(22, 27):
        suited = {size: Fraction(0) for size in (3, 4, 5)}
        for (reached, size), p in one_suit.items():
            if reached == total:
                suited[min(size, 5)] += 4 * p
        for size, p in suited.items():
            assert chance("lucky_break", f"bust_{total}_suited_{size}", decks, value=soft17) == p
        unsuited = total_within(4, decks, soft17, total) - sum(suited.values())
        assert chance("lucky_break", f"bust_{total}_unsuited", decks, value=soft17) == unsuited


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_suited_4567_comes_in_twelve_orders(decks: int) -> None:
    # 5-6-7 and 4-6-7 stand on 18 and 17, so only a six or a seven can come last.
    orders = [order for order in permutations((4, 5, 6, 7)) if sum(order[:3]) < 17]
    one_suit = Fraction(len(orders) * decks**4, perm(52 * decks, 4))
    assert len(orders) == 12
    assert chance("push_22_progressive", "suited_4567_named", decks) == one_suit
    assert chance("push_22_progressive", "suited_4567_other", decks) == 3 * one_suit
    suited = chance("push_22", "suited_22", decks)
    assert chance("push_22_progressive", "suited_22", decks) == suited - 4 * one_suit


# (c) A naive baccarat, on a shoe of one suit or of all four.


def banker_takes(points: int, third: int | None) -> bool:
    if third is None:
        return points <= 5
    lowest, highest = {3: (0, 9), 4: (2, 7), 5: (4, 7), 6: (6, 7)}.get(points, (0, 9) if points <= 2 else (1, 0))
    return lowest <= third <= highest and not (points == 3 and third == 8)


def baccarat_rounds(suits: int, decks: int | None, see: Callable[[list[int], list[int], int], None]) -> None:
    """Shows every round whose cards are all of so many named suits: both hands as ranks, and its ordered ways."""

    def play(left: list[int], player: list[int], banker: list[int], ways: int) -> None:
        size = len(player) + len(banker)
        to = None
        if size < 4:
            to = player if size % 2 == 0 else banker
        elif max(naive_points(player[:2]), naive_points(banker[:2])) < 8:
            if size == 4 and naive_points(player) <= 5:
                to = player
            elif len(banker) == 2:
                third = naive_points(player[2:]) if len(player) == 3 else None
                to = banker if banker_takes(naive_points(banker), third) else None
        if to is None:
            see(player, banker, ways)
            return
        for rank, count in enumerate(left):
            if count:
                left[rank] -= decks is not None
                to.append(rank)
                play(left, player, banker, ways * count)
                to.pop()
                left[rank] = count

    each = suits * (decks or 1)
    play([each] * 9 + [4 * each], [], [], 1)


def sequences(decks: int | None, size: int) -> int:
    return perm(52 * decks, size) if decks else 52**size


@pytest.mark.parametrize("decks", [1, 8, None])
def test_suited_wins_by_nine_follow_from_a_shoe_of_one_suit(decks: int | None) -> None:
    ways: Counter[int] = Counter()

    def see(player: list[int], banker: list[int], number: int) -> None:
        if abs(naive_points(player) - naive_points(banker)) == 9:
            ways[len(player) + len(banker)] += number

    baccarat_rounds(1, decks, see)
    for size, outcome in ((6, "suited_six_cards"), (4, "suited_four_cards")):
        expected = Fraction(4 * ways[size], sequences(decks, size))
        assert chance("dragon_suited_nine", outcome, decks, side="winner") == expected


@pytest.mark.parametrize("side", ["player", "banker"])
def test_234_over_nothing_is_suited_once_in_sixteen(side: str) -> None:
    ways: Counter[str] = Counter()

    def see(player: list[int], banker: list[int], number: int) -> None:
        own, other = (player, banker) if side == "player" else (banker, player)
        size = len(own) + len(other)
        points, theirs = naive_points(own), naive_points(other)
        natural = len(own) == 2 and points >= 8
        name = "natural_win" if natural and points > theirs else ""
        if points > theirs == 0:
            if sorted(own) == [1, 2, 3]:
                name = "234"
            elif not natural:
                name = {9: "nine_zero", 8: "eight_zero"}.get(points, "")
        ways[name] += number * sequences(8, 6) // sequences(8, size)

    baccarat_rounds(4, 8, see)
    chances = {name: Fraction(number, sequences(8, 6)) for name, number in ways.items()}
    # Three different ranks: each card's suit is any of four, whatever the other cards are.
    expected = {
        "234_named": chances["234"] / 64,
        "234_suited": chances["234"] * 3 / 64,
        "234_unsuited": chances["234"] * 60 / 64,
        "nine_zero": chances["nine_zero"],
        "eight_zero": chances["eight_zero"],
        "natural_win": chances["natural_win"],
    }
    assert {name: chance("dragon_two_three_four", name, 8, side=side) for name in expected} == expected


# (d) An endless shoe: every card comes with the same chances, and many decks come close to it.


def test_an_endless_shoe_deals_three_cards_with_replacement() -> None:
    deck = naive_deck(1)
    counted = Counter(naive_lucky_lucky((a, b, c)) for a in deck for b in deck for c in deck)
    bet, found = exact("lucky_lucky", None)
    chances = {name: Fraction(found.ways[i], found.denominator) for i, name in enumerate(bet.outcomes)}
    assert chances == {name: Fraction(counted[name], 52**3) for name in bet.outcomes}


def test_more_decks_come_closer_to_the_endless_shoe() -> None:
    endless = chance("push_22", "suited_22", None)
    gaps = [abs(chance("push_22", "suited_22", decks) - endless) for decks in (1, 2, 4, 8)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] > 0
