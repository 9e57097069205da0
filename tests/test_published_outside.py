"""Figures that others have published (`published/*.toml`), reproduced to all their digits."""

from __future__ import annotations

import tomllib
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from croupier.cards import RANKS
from croupier.exact.outcomes import Distribution, exact_distribution
from croupier.exact.shoe import Shoe
from croupier.kernels.bets import LOSE, Bet, find_bet
from croupier.kernels.dealer import HITS_SOFT_17, dealer_draws
from croupier.kernels.hands import EMPTY, add_card, count_of, is_blackjack, one_suit, size_of, suits_in, total_of
from croupier.kernels.scenes import DealerHand, Opening
from tests.helpers import ROOT

FOLDER = ROOT / "tests" / "published"


def data(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def prints_as(value: Fraction, printed: str) -> bool:
    """Whether the value, rounded half up to the printed digits, is the printed one."""
    exponent = Decimal(printed).as_tuple().exponent
    assert isinstance(exponent, int)
    unit = Fraction(10) ** exponent
    return (2 * value / unit + 1) // 2 * unit == Fraction(printed)


def known(name: str) -> Bet:
    bet = find_bet(name)
    assert bet is not None
    return bet


def ways(bet: Bet, found: Distribution) -> dict[str, int]:
    return {bet.outcomes[i] if i != LOSE else "lose": number for i, number in found.ways.items()}


# Two bets that nobody offers, to ask the exact engine what the sources printed.


def bust_by_cards(dealer: int, player: int, options: int) -> int:
    return size_of(dealer) - 3 if total_of(dealer) > 21 else LOSE


def flush_with_pair(three: int, dealer: int, options: int) -> int:
    if not one_suit(suits_in(three)):
        return LOSE
    for rank in range(13):
        if count_of(three, rank) == 2:
            return 0
    return LOSE


BUST_BY_CARDS = Bet(classify=bust_by_cards, outcomes=tuple(str(n) for n in range(3, 14)), scene=DealerHand())
FLUSH_WITH_PAIR = Bet(
    classify=flush_with_pair, outcomes=("flush_with_pair",), scene=Opening(own_cards=3), suits="own", faces=True
)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_every_data_file_names_its_source(path: Any) -> None:
    assert data(path.stem)["source"]


def test_baccarat_rounds_come_in_the_published_combinations() -> None:
    printed = data("baccarat")
    shoe = Shoe(printed["decks"])
    for side in ("player", "banker"):
        found = exact_distribution(known("baccarat_win"), "baccarat_win", shoe, side=side)
        counted = ways(known("baccarat_win"), found)
        assert found.denominator == printed["all"]
        assert counted["win"] == printed["combinations"][side]
        assert counted["tie"] == printed["combinations"]["tie"]


@pytest.mark.parametrize("name", ["dragon_bonus", "lucky_lucky"])
def test_outcomes_come_in_the_published_combinations(name: str) -> None:
    printed = data(name)
    found = exact_distribution(known(name), name, Shoe(printed["decks"]))
    counted = ways(known(name), found)
    counted.pop("lose")
    assert found.denominator == printed["all"]
    assert counted == printed["combinations"]


def test_three_card_hands_come_in_the_published_combinations() -> None:
    printed = data("three_cards")
    shoe = Shoe(printed["decks"])
    found = exact_distribution(known("three_card_bonus"), "three_card_bonus", shoe)
    counted = ways(known("three_card_bonus"), found)
    counted |= ways(FLUSH_WITH_PAIR, exact_distribution(FLUSH_WITH_PAIR, "test-flush_with_pair", shoe))
    counted["straight_flush"] += counted.pop("mini_royal")
    counted.pop("lose")
    assert found.denominator == printed["all"]
    assert counted == printed["combinations"]


@pytest.mark.parametrize("decks", data("dealer_22")["chance"])
def test_the_dealer_ends_on_22_as_often_as_published(decks: str) -> None:
    printed = data("dealer_22")
    found = exact_distribution(known("push_22"), "push_22", Shoe(int(decks)), value=printed["soft17"])
    assert prints_as(1 - Fraction(found.ways[LOSE], found.denominator), printed["chance"][decks])


@pytest.mark.parametrize("cards", data("dealer_bust_cards")["chance"])
def test_the_dealer_busts_with_so_many_cards_as_often_as_published(cards: str) -> None:
    printed = data("dealer_bust_cards")
    shoe = Shoe(printed["decks"])
    found = exact_distribution(BUST_BY_CARDS, "test-bust_by_cards", shoe, value=printed["soft17"])
    counted = ways(BUST_BY_CARDS, found)
    assert prints_as(Fraction(counted[cards], found.denominator), printed["chance"][cards])


def hands_after(up: int, decks: int, suits: int) -> Counter[int]:
    """Chance of each final hand (H17) that starts with a card of rank `up` and stays within so many named suits.

    Suits are left out of the hands: only how many cards there are to draw from depends on them.
    """
    left = [suits * decks] * 9 + [4 * suits * decks]
    found: Counter[int] = Counter()

    def play(hand: int, chance: Fraction, cards: int) -> None:
        if size_of(hand) >= 2 and not dealer_draws(hand, HITS_SOFT_17):
            found[hand] += chance  # type: ignore[assignment]
            return
        for rank, count in enumerate(left):
            if count:
                left[rank] -= 1
                play(add_card(hand, rank * 4), chance * Fraction(count, cards), cards - 1)
                left[rank] += 1

    left[up] -= 1
    play(add_card(EMPTY, up * 4), Fraction(1), 52 * decks - 1)
    return found


@pytest.mark.parametrize("up", data("dealer_bust_up_card")["suited"])
def test_the_dealer_busts_after_the_peek_as_often_as_published(up: str) -> None:
    printed = data("dealer_bust_up_card")
    any_suits = hands_after(RANKS.index(up), printed["decks"], 4)
    one_suit_only = hands_after(RANKS.index(up), printed["decks"], 1)
    no_blackjack = 1 - sum(chance for hand, chance in any_suits.items() if is_blackjack(hand))
    busts = sum(chance for hand, chance in any_suits.items() if total_of(hand) > 21)
    suited = sum(chance for hand, chance in one_suit_only.items() if total_of(hand) > 21)
    assert prints_as(Fraction(suited) / no_blackjack, printed["suited"][up])
    assert prints_as(Fraction(busts - suited) / no_blackjack, printed["offsuit"][up])
