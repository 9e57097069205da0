"""Odds of the cards left in a shoe, and counting them."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import permutations

import pytest

from croupier.cards import DECK_SIZE, parse_cards
from croupier.errors import NotComputedError
from croupier.exact.left_cards import edge_left, full_left
from croupier.exact.odds import compute_odds, distribution
from croupier.hall.counting import SYSTEMS, cards_seen, countable_wagers, rounds_of_shoe, shoe_count
from croupier.kernels.bets import LOSE
from croupier.rules import find_game
from croupier.rules.choice import Choice, choose
from croupier.table.log import RoundLog
from croupier.table.setup import TableRules, make_rules

HI_LO, KO = SYSTEMS[0], SYSTEMS[1]


def rules_of(game: str) -> TableRules:
    return make_rules(find_game(game), day=date(2026, 11, 16))


@pytest.mark.parametrize(
    ("game", "count"), [("blackjack", 3), ("double_barrel", 2), ("mini_baccarat", 5), ("casino_war", 1)]
)
def test_a_shoe_of_which_nothing_has_gone_is_a_fresh_one(game: str, count: int) -> None:
    rules = rules_of(game)
    wagers = countable_wagers(rules)
    assert len(wagers) == count
    for wager in wagers:
        choice = rules.placed[wager]
        assert edge_left(choice, full_left(rules.decks)) == compute_odds(choice).edge, wager


def by_hand(choice: Choice, cards: list[int], size: int) -> dict[int, Fraction]:
    """Every order in which so many of these cards can come, classified one by one."""
    assert choice.bet is not None
    ways: dict[int, int] = {}
    orders = list(permutations(cards, size))
    for order in orders:
        outcome = choice.bet.classify(choice.bet.scene.hand_of(order), 0, choice.bet.pack(choice.switches))
        ways[outcome] = ways.get(outcome, 0) + 1
    return {outcome: Fraction(number, len(orders)) for outcome, number in ways.items()}


def test_odds_of_a_few_cards_are_those_of_every_order_they_can_come_in() -> None:
    choice = choose(find_game("blackjack"), "lucky_lucky", decks="6")
    cards = parse_cards("7s 7s 7h 6s 8s 8d Kd Ac 9c 5h Tc")
    left = [0] * DECK_SIZE
    for card in cards:
        left[card] += 1
    assert choice.bet is not None
    nets = {outcome: row.pays.net for row in choice.rows for outcome in row.paid_outcomes}
    profit = sum(
        chance * (nets.get(choice.bet.outcomes[outcome], Fraction(-1)) if outcome >= 0 else -1)
        for outcome, chance in by_hand(choice, cards, 3).items()
    )
    assert edge_left(choice, tuple(left)) == -profit
    assert LOSE in by_hand(choice, cards, 3)


def test_insurance_turns_good_when_more_than_a_third_of_the_others_are_tens() -> None:
    rules = rules_of("blackjack")
    insurance = rules.placed["insurance"]
    lows = [card for rank in range(1, 6) for card in range(4 * rank, 4 * rank + 4)]
    assert edge_left(insurance, full_left(6, lows * 2)) < 0 < edge_left(insurance, full_left(6))
    even = [0] * DECK_SIZE
    even[0], even[4], even[8], even[40] = 1, 1, 1, 1  # an ace, two small cards and a ten
    assert edge_left(insurance, tuple(even)) == 0
    assert distribution(insurance).denominator == 6 * 52 - 1


def test_too_few_cards_have_no_odds() -> None:
    choice = choose(find_game("blackjack"), "lucky_lucky", decks="6")
    with pytest.raises(NotComputedError, match="Too few cards"):
        edge_left(choice, (1, 1, *[0] * 50))


def test_a_count_is_of_the_cards_seen_and_a_hole_card_is_not_one_of_them() -> None:
    rules = rules_of("blackjack")
    log = RoundLog(rules, [{"main": 10_000_000}], list[int | str](parse_cards("Td 5h 6s Kc")))
    assert sorted(cards_seen(log.state(), 1)) == sorted(parse_cards("Td 5h 6s"))
    count = shoe_count(HI_LO, rules, cards_seen(log.state(), 1), 312 - 4)
    assert (count.running, count.seen, count.unseen, count.left) == (1, 3, 309, 308)
    log.steps.append("stand")
    turned = log.state()
    assert len(cards_seen(turned, 1)) == 4 and HI_LO.count(cards_seen(turned, 1)) == 0


def test_a_balanced_count_ends_at_nothing_and_others_have_no_true_count() -> None:
    deck = range(DECK_SIZE)
    assert {system.id for system in SYSTEMS if system.count(deck) == 0} == {
        system.id for system in SYSTEMS if system.is_balanced
    }
    assert KO.count(deck) == 4 and shoe_count(KO, rules_of("blackjack"), [0], 311).true is None


def test_the_rounds_of_a_shoe_are_those_whose_cards_have_gone() -> None:
    rules = rules_of("blackjack")
    logs = [
        RoundLog(rules, [{"main": 10_000_000}], list[int | str](parse_cards(cards)))
        for cards in ("2c 3c 4c 5c", "6c 7c 8c 9c Tc", "2d 3d 4d 5d")
    ]
    assert rounds_of_shoe(logs, 9) == logs[:2]
    assert rounds_of_shoe(logs, 0) == []
    assert rounds_of_shoe(logs, 7) == [], "cards of a round that does not fit are not guessed"
