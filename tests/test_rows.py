"""Cards one by one: rows, what rounds show of them, their exact odds, and bets of game folders on them."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb
from pathlib import Path
from typing import Any

import numba
import pytest

from croupier.errors import CroupierError
from croupier.exact.outcomes import exact_distribution
from croupier.exact.shoe import Shoe
from croupier.kernels.baccarat import banker_draws, player_draws
from croupier.kernels.bets import LOSE, Bet, find_bet
from croupier.kernels.blackjack_drills import hand_of
from croupier.kernels.effects import DEALER, DEALER_DOWN, FLEX, HANDS_PER_SEAT, HOLE, PLAYER_HAND, row_moment
from croupier.kernels.link import cpu, link, plain
from croupier.kernels.rounds import find_round, round_names
from croupier.kernels.rows import (
    EMPTY_ROW,
    MOST_IN_ROW,
    add_to_row,
    card_at,
    count_of_card,
    hand_of_row,
    points_of_row,
    rank_at,
    row_of,
    row_size,
    suit_at,
)
from croupier.kernels.scenes import BaccaratDeal, BaccaratResult, Opening, Scene
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import find_game
from croupier.simulate.run import run_chunks
from tests.conftest import Croupier
from tests.outside import HEAD, MATCH, write_bet

pytestmark = pytest.mark.slow

DECK = range(52)
Hand = Sequence[int]


def sampled(count: int) -> list[list[int]]:
    chance = random.Random(5)
    return [[chance.randrange(52) for _ in range(chance.randint(0, MOST_IN_ROW))] for _ in range(count)]


# The atoms.


def test_a_row_has_its_cards_in_order_whatever_the_order_of_the_deal() -> None:
    for cards in sampled(3000):
        row = row_of(cards)
        assert 0 <= row < 2**63
        assert row_of(sorted(cards, reverse=True)) == row
        assert [card_at(row, place) for place in range(row_size(row))] == sorted(cards)
        assert card_at(row, len(cards)) == rank_at(row, len(cards)) == -1 or len(cards) == MOST_IN_ROW
        for place, card in enumerate(sorted(cards)):
            assert (rank_at(row, place), suit_at(row, place)) == divmod(card, 4)
            assert count_of_card(row, card) == cards.count(card)


def test_a_row_is_read_as_the_hand_it_is() -> None:
    for cards in sampled(500):
        assert hand_of_row(row_of(cards)) == hand_of(cards)
        assert points_of_row(row_of(cards)) == sum(min(card // 4 + 1, 10) for card in cards) % 10


def test_compiled_rows_are_those_of_plain_python() -> None:
    add = numba.njit(link(add_to_row, cpu))
    size = numba.njit(link(row_size, cpu))
    for cards in sampled(500):
        row = EMPTY_ROW
        for card in cards:
            row = add(row, card)
        assert (row, size(row)) == (row_of(cards), len(cards))


# Exact odds, against counts that use neither rows nor our walk.


def matches(own: Hand, up: int) -> tuple[int, int]:
    """Cards that are the up card, and others of its rank."""
    return sum(card == up for card in own), sum(card != up and card // 4 == up // 4 for card in own)


OUTCOMES = {(2, 0): 0, (1, 1): 1, (1, 0): 2, (0, 2): 3, (0, 1): 4, (0, 0): LOSE}


def match_bet() -> tuple[Bet, str]:
    name = find_game(str(MATCH)).wager("match_the_dealer").classifier
    bet = find_bet(name)
    assert bet is not None
    return bet, name


def chances(bet: Bet, name: str, decks: int | None, side: str = "player") -> dict[int, Fraction]:
    found = exact_distribution(bet, name, Shoe(decks), side=side)
    return {outcome: Fraction(ways, found.denominator) for outcome, ways in found.ways.items()}


def test_a_small_shoe_is_counted_as_by_dealing_every_order() -> None:
    dealt = Counter(OUTCOMES[matches(deal[:2], deal[2])] for deal in permutations(DECK, 3))
    wanted = {outcome: Fraction(number, dealt.total()) for outcome, number in dealt.items()}
    assert chances(*match_bet(), 1) == wanted


@pytest.mark.parametrize("decks", [2, 6, 8, None])
def test_a_large_shoe_is_counted_as_by_dealing_every_card_in_turn(decks: int | None) -> None:
    wanted: Counter[int] = Counter()
    for deal in product(DECK, repeat=3):
        ways = 1
        for place, card in enumerate(deal):
            ways *= decks - deal[:place].count(card) if decks else 1
        wanted[OUTCOMES[matches(deal[:2], deal[2])]] += ways
    everything = wanted.total()
    assert chances(*match_bet(), decks) == {key: Fraction(ways, everything) for key, ways in wanted.items() if ways}


def test_six_decks_have_the_published_edge() -> None:
    pays = {0: 22, 1: 15, 2: 11, 3: 8, 4: 4, LOSE: -1}
    edge = -sum(pays[outcome] * chance for outcome, chance in chances(*match_bet(), 6).items())
    assert f"{float(edge):.4%}" == "4.0618%"


def same_cards(own: int, other: int, options: int) -> int:
    """The dealer has the very two cards of the player."""
    return 0 if own == other else LOSE


@pytest.mark.parametrize("decks", [2, 6])
def test_two_hands_of_two_cards_are_compared(decks: int) -> None:
    bet = Bet(classify=same_cards, outcomes=("same",), scene=Opening(own_cards=2, dealer_cards=2, cards=True))
    ways = sum(
        comb(decks, 2) * comb(decks - 2, 2) if one == two else (decks * (decks - 1)) ** 2
        for one, two in combinations_with_replacement(DECK, 2)
    )
    everything = comb(52 * decks, 2) * comb(52 * decks - 2, 2)
    assert chances(bet, "test_same_cards", decks)[0] == Fraction(ways, everything)


def seven_is_of_hearts(own: int, other: int, options: int) -> int:
    """A heart and a seven among five cards are one card, which no set of suits tells."""
    return 0 if count_of_card(own, 26) > 0 else LOSE


def test_five_cards_of_a_seat_are_counted() -> None:
    bet = Bet(classify=seven_is_of_hearts, outcomes=("seven",), scene=Opening(own_cards=5, cards=True))
    found = chances(bet, "test_seven_of_hearts", 6)
    assert found[0] == 1 - Fraction(comb(312 - 6, 5), comb(312, 5))


def third_of_first(own: int, other: int, options: int) -> int:
    """Three cards of one suit and rank."""
    return 0 if row_size(own) == 3 and card_at(own, 0) == card_at(own, 2) else LOSE


def test_finished_baccarat_hands_are_counted_card_by_card() -> None:
    """Three equal cards: of a banker who draws a third one, whatever the player has."""
    bet = Bet(classify=third_of_first, outcomes=("three",), scene=BaccaratResult(cards=True))
    decks, wanted = 8, Fraction(0)
    for rank, pair in product(range(13), product(range(13), repeat=2)):
        value, points = min(rank + 1, 10), [min(one + 1, 10) for one in pair]
        total = 2 * value % 10
        players = sum(points) % 10
        if max(total, players) >= 8:
            continue
        # The player's two cards, any suits; the banker's three are one card of this rank, in four suits.
        for third in range(13) if player_draws(players) else (None,):
            draws = banker_draws(total, min(third + 1, 10) % 10) if third is not None else player_draws(total)
            if draws:
                drawn = [*pair, *([third] if third is not None else [])]
                wanted += 4 * _chance(decks, rank, drawn)
    assert chances(bet, "test_third_of_first", decks, side="banker")[0] == wanted


def _chance(decks: int, rank: int, others: Sequence[int]) -> Fraction:
    """Of three cards alike, of one suit of this rank, and of others by rank, in this order."""
    left, cards = Fraction(1), 52 * decks
    for gone in range(3):
        left *= Fraction(decks - gone, cards)
        cards -= 1
    for place, other in enumerate(others):
        gone = others[:place].count(other) + (3 if other == rank else 0)
        left *= Fraction(4 * decks - gone, cards)
        cards -= 1
    return left


# What rounds show.


class _Callable:
    """A closure, which linking must leave as it is."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *given: Any) -> Any:
        return self.function(*given)


LIKE_BLACKJACK = [name for name in round_names() if (found := find_round(name)) and found.program == "hands"]
"""Rounds of one hand a seat, whose three-card scene ends with the dealer's up card."""


def first_cards(name: str, dealt: dict[int, list[int]], seat: int) -> list[int]:
    """The cards that a seat gets before anybody is asked, the first hand's first."""
    place = seat * HANDS_PER_SEAT
    if name == "double_barrel":
        return [dealt[place][0], dealt[place + 1][0], dealt[FLEX + seat][0]]
    count = 2 if name in LIKE_BLACKJACK or name == "blackjack_switch" else 1
    hands = (place, place + 1) if name == "blackjack_switch" else (place,)
    return [card for hand in hands for card in dealt[hand][:count]]


@pytest.mark.parametrize("name", [name for name in round_names() if name not in ("mini_baccarat", "three_card_poker")])
def test_rounds_show_the_cards_that_were_dealt(name: str) -> None:
    declared = find_round(name)
    assert declared is not None
    chance = random.Random(7)
    dealt: dict[int, list[int]] = {}
    shown: dict[tuple[int, int], tuple[int, int]] = {}

    def draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
        dealt.setdefault(DEALER if place == DEALER_DOWN else place, []).append(chance.randrange(52))
        return dealt[DEALER if place == DEALER_DOWN else place][-1], world

    def ask(world: Any, table: Any, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, Any]:
        return chance.choice([choice for choice in range(8) if legal >> choice & 1]), world

    def settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
        shown[seat, moment] = own, other
        return world

    def ignore(world: Any, *_: Any) -> Any:
        return world

    effects: dict[str, Any] = {
        "draw": draw,
        "ask": ask,
        "settle": settle,
        "stake": ignore,
        "pay": ignore,
        "tell": ignore,
    }
    round_: Any = link(declared.play, plain, {key: _Callable(value) for key, value in effects.items()})
    for _ in range(300):
        dealt.clear()
        shown.clear()
        round_(None, None, [0] * declared.memory, declared.stakes(2), declared.rules_by({}, seats=2))
        dealers = [dealt[DEALER][0], *dealt.get(HOLE, [])]
        rows = (scene for scene in declared.scenes if scene.is_row and not scene.follows_play)
        for seat, scene in product(range(2), rows):
            own = first_cards(name, dealt, seat)
            if name in LIKE_BLACKJACK and scene.own_cards == 3:
                own.append(dealers[0])
            wanted = row_of(own[: scene.own_cards]), row_of(dealers[: scene.dealer_cards])
            assert shown[seat, scene.moment] == wanted


def test_baccarat_shows_the_cards_that_were_dealt() -> None:
    declared = find_round("mini_baccarat")
    assert declared is not None
    chance = random.Random(7)
    dealt: dict[int, list[int]] = {}
    shown: dict[int, tuple[int, int]] = {}

    def draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
        dealt.setdefault(place, []).append(chance.randrange(52))
        return dealt[place][-1], world

    def settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
        shown[moment] = own, other
        return world

    round_: Any = link(declared.play, plain, {"draw": _Callable(draw), "settle": _Callable(settle)})
    for _ in range(500):
        dealt.clear()
        round_(None, None, [0], [0] * 7, declared.rules)
        player, banker = dealt[PLAYER_HAND], dealt[DEALER]
        assert shown[BaccaratDeal().moment] == (row_of(player[:2]), row_of(banker[:2]))
        assert shown[BaccaratResult(cards=True).moment] == (row_of(player), row_of(banker))


# Bets of game folders.

BODY = '''"""A test."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import one_suit, suits_in
from croupier.kernels.rows import card_at, suit_at
from croupier.kernels.scenes import BaccaratDeal, BaccaratResult, Opening


def my_bet(own: int, other: int, options: int) -> int:
    return 0 if {wins} else LOSE


BET = Bet(classify=my_bet, outcomes=("best",), scene={scene})
'''
BACCARAT = """
[[wagers]]
id = "{id}"
name = "{id}"
kind = "side"
classifier = "my_bet"
hand = "{hand}"
text = "It wins sometimes."

[[wagers.pay_tables]]
id = "1"
rows = [{{ row = "best", label = "Best", pays = "25 to 1" }}]
"""
PAIR_WINS = BODY.format(wins="card_at(own, 0) == card_at(own, 1)", scene="BaccaratDeal()")


def baccarat(folder: Path, source: str, *hands: str) -> str:
    folder.mkdir()
    wagers = "".join(BACCARAT.format(id=f"on_{hand}", hand=hand) for hand in hands)
    head = HEAD.format(id="mine").replace('"blackjack"', '"mini_baccarat"')
    (folder / "game.toml").write_text(head + wagers, encoding="utf-8")
    (folder / "my_bet.py").write_text(source, encoding="utf-8")
    return str(folder)


def test_a_simulation_of_matches_agrees_with_the_exact_odds() -> None:
    simulation = prepare(find_game(str(MATCH)), Wish(settings={}, pay_tables={}, wagers=("match_the_dealer",)))
    [result] = simulation.results(run_chunks(simulation.spec, 3, 0, 100))
    assert result.z is not None
    assert abs(result.z) < 4
    assert result.standard_error < 0.005
    few = run_chunks(simulation.spec, 3, 0, 1, backend="python")
    assert (few == run_chunks(simulation.spec, 3, 0, 1)).all()


def test_a_suited_pair_of_baccarat_is_proved_simulated_and_played(tmp_path: Path, croupier: Croupier) -> None:
    path = baccarat(tmp_path / "mine", PAIR_WINS, "player", "banker")
    game = find_game(path)
    for wager in ("on_player", "on_banker"):
        said = json.loads(croupier("odds", path, wager, "--json").out)
        assert said["rows"][0]["probability"] == pytest.approx(7 / 415)
    simulation = prepare(game, Wish(settings={}, pay_tables={}, wagers=("on_player", "on_banker")))
    for result in simulation.results(run_chunks(simulation.spec, 3, 0, 8, backend="python")):
        assert result.z is not None
        assert abs(result.z) < 4
    wagers = ("--seat", "player=10 on_player=5 on_banker=5", "--cards", "4c 7d 4c Td")
    [seat] = json.loads(croupier("play", path, *wagers, "--json").out)["seats"]
    assert {one["wager"]: one["row"] for one in seat["wagers"]} == {
        "player": "win",
        "on_player": "best",
        "on_banker": "lose",
    }


def test_first_cards_have_no_winning_side(tmp_path: Path) -> None:
    with pytest.raises(CroupierError, match=r'no side has won when BaccaratDeal\(\) is shown: hand = "player" or "b'):
        find_game(baccarat(tmp_path / "mine", PAIR_WINS, "seat"))


def test_a_bet_on_both_dealer_cards_is_settled_when_they_are_seen(tmp_path: Path, croupier: Croupier) -> None:
    wins = "suit_at(other, 0) == suit_at(other, 1) == suit_at(own, 0)"
    source = BODY.format(wins=wins, scene="Opening(own_cards=2, dealer_cards=2, cards=True)")
    path = str(write_bet(tmp_path / "mine", source))
    said = croupier("play", path, "--seat", "main=10 my_bet=5", "--cards", "8c 9c 8d Tc", "--answers", "stand").out
    lines = said.splitlines()
    assert lines.index("The dealer turns 10♣.") < lines.index("Seat 1, My bet of $5: Best, $30 back.")


def test_a_bet_that_tells_suits_of_two_hands_apart_is_told_what_to_say(tmp_path: Path) -> None:
    source = BODY.format(wins="suits_in(own) == suits_in(other)", scene='BaccaratResult(), suits="all"')
    with pytest.raises(CroupierError, match=r"say scene=BaccaratResult\(cards=True\), and read its rows"):
        find_game(baccarat(tmp_path / "mine", source, "player"))


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        ("Opening(own_cards=2, cards=1)", "this is not a scene"),
        ("Opening(own_cards=True)", "this is not a scene"),
        ("BaccaratDeal(cards=True)", "this is not a scene"),
        ("Opening(own_cards=10, cards=True)", "no scene shows 10 cards"),
        ("Opening(own_cards=9, cards=True)", "never shows Opening"),
    ],
)
def test_a_scene_that_is_none_is_refused(scene: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(CroupierError, match=said):
        find_game(str(write_bet(tmp_path / "mine", BODY.format(wins="own == other", scene=scene))))


def test_a_row_that_was_not_declared_is_refused_with_the_cards(tmp_path: Path) -> None:
    source = BODY.format(wins="own < 0", scene="Opening(own_cards=2, dealer_cards=1, cards=True)")
    source = source.replace("else LOSE", "else card_at(own, 1) // 52 + 3")
    with pytest.raises(CroupierError, match=r"returned 3 for the hand \w\w \w\w beside \w\w, which is no row"):
        find_game(str(write_bet(tmp_path / "mine", source)))


def test_moments_of_scenes_are_their_own() -> None:
    for name in round_names():
        assert len({scene.moment for scene in _round(name)}) == len(_round(name))
    scenes = {scene.id: scene for name in round_names() for scene in _round(name)}
    of_decks = {(scene.moment, scene.has_joker) for scene in scenes.values()}
    assert len(of_decks) == len(scenes)  # no round deals from both decks
    assert row_moment(2, 1) == Opening(own_cards=2, dealer_cards=1, cards=True).moment


def _round(name: str) -> tuple[Scene, ...]:
    declared = find_round(name)
    assert declared is not None
    return declared.scenes
