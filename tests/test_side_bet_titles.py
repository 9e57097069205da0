"""Side bets beside blackjack, counted again card by card: ranks and suits as plain numbers, no code of ours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, perm, prod

import pytest

from croupier.errors import CroupierError
from croupier.exact.odds import compute_odds
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.rules.spec import Game
from croupier.testing import check_game
from tests.helpers import NaiveCard

Cards = Sequence[NaiveCard]
ACE, JACK, QUEEN, KING = 0, 10, 11, 12


def of_one_suit(cards: Cards) -> bool:
    return len({suit for _, suit in cards}) == 1


def royal_match(cards: Cards) -> str:
    if not of_one_suit(cards):
        return ""
    return "royal_match" if {rank for rank, _ in cards} == {QUEEN, KING} else "easy_match"


def bet_the_set(cards: Cards) -> str:
    if cards[0][0] != cards[1][0]:
        return ""
    return "suited_pair" if of_one_suit(cards) else "pair"


def trilux(cards: Cards) -> str:
    ranks = sorted(rank for rank, _ in cards)
    if len(set(ranks)) == 1:
        return "three_of_a_kind"
    if ranks == [ACE, QUEEN, KING] or ranks == list(range(ranks[0], ranks[0] + 3)):
        return "straight_flush" if of_one_suit(cards) else "straight"
    return "flush" if of_one_suit(cards) else ""


TEN, SEVEN, HEARTS_OR_DIAMONDS, DIAMONDS, SPADES = 9, 6, (1, 2), 1, 3


def blazing_7s(cards: Cards) -> str:
    """The last card is the dealer's."""
    sevens = [suit for rank, suit in cards if rank == SEVEN]
    own = sum(rank == SEVEN for rank, _ in cards[:2])
    if len(sevens) < 3:
        return ("", "one_seven", "two_sevens")[own]
    if len(set(sevens)) == 1:
        return "three_diamonds" if sevens[0] == DIAMONDS else "three_suited"
    return "three_of_a_color" if len({suit in HEARTS_OR_DIAMONDS for suit in sevens}) == 1 else "three_sevens"


def kings_bounty(cards: Cards) -> str:
    """The last two cards are the dealer's."""
    ranks, dealers = sorted(rank for rank, _ in cards[:2]), sorted(rank for rank, _ in cards[2:])
    suited = of_one_suit(cards[:2])
    if ranks == [KING, KING]:
        if suited and cards[0][1] == SPADES:
            natural = dealers[0] == ACE and dealers[1] >= TEN
            return "kings_of_spades_dealer_blackjack" if natural else "kings_of_spades"
        return "suited_kings" if suited else "kings"
    if ranks[0] >= TEN and ranks[0] == ranks[1]:
        return "suited_queens_jacks_tens" if suited else "unsuited_20"
    if ranks[0] >= TEN or ranks == [ACE, 8]:
        return "suited_20" if suited else "unsuited_20"
    return ""


def chances(decks: int, size: int, classify: Callable[[Cards], str]) -> dict[str, Fraction]:
    """The chance of each row, from every choice of so many cards: alike ones once, with the number of their ways."""
    kinds = [(rank, suit) for rank in range(13) for suit in range(4)]
    ways: Counter[str] = Counter()
    for cards in combinations_with_replacement(kinds, size):
        ways[classify(cards)] += prod(comb(decks, number) for number in Counter(cards).values())
    assert ways.total() == comb(52 * decks, size)
    return {row: Fraction(count, ways.total()) for row, count in ways.items() if row and count}


def edge(game: Game, wager: str, table: str, paid: dict[str, Fraction]) -> Fraction:
    """The loss of a wager of one, by the pays as the file has them."""
    pays = {row.row: row.pays.net for row in game.wager(wager).pay_table(table).rows}
    return 1 - sum((chance * (1 + pays[row]) for row, chance in paid.items()), Fraction(0))


@pytest.mark.parametrize(
    ("game", "classify", "own", "dealers"), [("blazing_7s", blazing_7s, 2, 1), ("kings_bounty", kings_bounty, 2, 2)]
)
def test_a_bet_on_the_first_cards_and_the_dealers_is_what_counting_both_says(
    game: str, classify: Callable[[Cards], str], own: int, dealers: int
) -> None:
    title, decks = find_game(game), 3
    kinds = [(rank, suit) for rank in range(13) for suit in range(4)]
    ways: Counter[str] = Counter()
    for mine in combinations_with_replacement(kinds, own):
        taken = Counter(mine)
        first = prod(comb(decks, number) for number in taken.values())
        if not classify((*mine, *[(SEVEN, suit) for suit in (DIAMONDS, SPADES)][:dealers])):
            continue  # nothing of the dealer's helps a hand that does not win beside a seven
        for theirs in combinations_with_replacement(kinds, dealers):
            number = prod(comb(decks - taken[kind], count) for kind, count in Counter(theirs).items())
            ways[classify((*mine, *theirs))] += first * number
    every = comb(52 * decks, own) * comb(52 * decks - own, dealers)
    odds = compute_odds(choose(title, game, decks=str(decks)))
    paid = {row.row.row: row.probability for row in odds.rows if row.row is not None}
    outcomes = {row.row: row.paid_outcomes for row in title.wager(game).pay_tables[0].rows}
    assert paid == {row: Fraction(sum(ways[name] for name in outcomes[row]), every) for row in paid}
    assert len(paid) == len(outcomes)


@pytest.mark.parametrize(
    ("game", "wager", "size", "classify"),
    [
        ("royal_match_21", "royal_match", 2, royal_match),
        ("bet_the_set_21", "bet_the_set", 2, bet_the_set),
        ("trilux", "trilux", 3, trilux),
    ],
)
def test_a_bet_on_the_first_cards_is_what_counting_them_says(
    game: str, wager: str, size: int, classify: Callable[[Cards], str]
) -> None:
    title = find_game(game)
    for decks in (1, 2, 6, 8):
        paid = chances(decks, size, classify)
        for table in title.wager(wager).pay_tables:
            odds = compute_odds(choose(title, wager, decks=str(decks), pay_table=table.id))
            assert odds.edge == edge(title, wager, table.id, paid), (table.id, decks)


TOGETHER = "blackjack.royal_match_21.trilux.blazing_7s"


def test_several_titles_lie_beside_one_game_and_each_wager_is_worth_what_it_is_alone() -> None:
    together = find_game(TOGETHER)
    ids = [wager.id for wager in together.wagers]
    assert ids == ["main", "insurance", "lucky_lucky", "lucky_break", "royal_match", "trilux", "blazing_7s"]
    for game, wager in (("royal_match_21", "royal_match"), ("trilux", "trilux"), ("blackjack", "lucky_lucky")):
        alone = choose(find_game(game), wager, decks="6")
        assert compute_odds(choose(together, wager, decks="6")).edge == compute_odds(alone).edge
    assert together.source_of(together.wager("trilux")).kind == "public"
    assert together.source_of(together.wager("lucky_lucky")).letter == "003"
    assert together.decks == (3, 4, 5, 6, 7, 8)  # those of Blazing 7's


def test_a_table_of_several_titles_is_played_by_the_rules() -> None:
    assert check_game(find_game(TOGETHER), rounds=60, seed=11) == 60


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ("blackjack.casino_war", "casino_war is a game of its own"),
        ("blackjack.trilux.trilux", 'both have a wager "trilux"'),
        ("mini_baccarat.trilux", "which never shows the cards that TriLux® is about"),
        ("zappit_blackjack.blazing_7s_players_cards", "are each dealt in a way of their own"),
        ("house_money.bet_the_bust", "are each dealt in a way of their own"),
        ("blackjack.nothing", 'There is no game "blackjack.nothing"'),
    ],
)
def test_what_cannot_lie_beside_a_game_is_refused_with_a_sentence(wanted: str, says: str) -> None:
    with pytest.raises(CroupierError, match=re.escape(says)):
        find_game(wanted)


@pytest.mark.parametrize("decks", [3, 6, 8])
def test_three_sevens_of_the_players_cards_come_unless_the_dealer_has_blackjack(decks: int) -> None:
    """Sevens are split or hit under every up card, as every chart has it; so nothing else keeps the third card away."""
    cards, sevens = 52 * decks, 4 * decks
    naturals = Fraction(2 * sevens * 16 * decks, (cards - 3) * (cards - 4))
    some = (1 - naturals) / perm(cards, 3)
    suited = Fraction(4 * perm(decks, 3))
    colored = Fraction(2 * perm(2 * decks, 3)) - suited
    odds = compute_odds(choose(find_game("blazing_7s_players_cards"), "blazing_7s", decks=str(decks)))
    chance = {row.row.row: row.probability for row in odds.rows if row.row is not None}
    assert chance["three_suited"] == suited * some and chance["three_of_a_color"] == colored * some
    assert chance["three_sevens"] == (perm(sevens, 3) - suited - colored) * some
    assert chance["one_seven"] == Fraction(2 * sevens * (cards - sevens), perm(cards, 2))
    two = Fraction(perm(sevens, 2), perm(cards, 2))
    assert chance["two_sevens"] == two - perm(sevens, 3) * some


def test_a_table_that_pays_out_more_than_it_takes_in_says_so() -> None:
    title = find_game("royal_match_21")
    one, six = (compute_odds(choose(title, "royal_match", pay_table="10-3", decks=decks)) for decks in ("1", "6"))
    assert one.edge > 0 > six.edge
    assert [any("player has the edge" in note for note in sheet.notes) for sheet in (one, six)] == [False, True]
