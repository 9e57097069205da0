"""Baccarat titles, counted again by points alone: no code of ours, every order of cards by its weight."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import pytest

from croupier.exact.odds import compute_odds
from croupier.reports.simulation.compare import Wish, counted_bets, prepare
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.simulate.run import run

Points = tuple[int, ...]


def banker_draws(banker: int, third: int) -> bool:
    """By the table that hangs in card rooms."""
    table = {3: "012345679", 4: "234567", 5: "4567", 6: "67"}
    return banker <= 2 or str(third) in table.get(banker, "")


@cache
def baccarat_ends(decks: int) -> dict[tuple[Points, Points], Fraction]:
    """The chance of each pair of hands, card by card from a fresh shoe of points 0 to 9."""
    ends: defaultdict[tuple[Points, Points], Fraction] = defaultdict(Fraction)
    shoe = [16 * decks] + [4 * decks] * 9
    size = 52 * decks

    def deal(player: Points, banker: Points, chance: Fraction, to_player: bool, then: str) -> None:
        left = size - len(player) - len(banker)
        for point in range(10):
            here = shoe[point] - player.count(point) - banker.count(point)
            more = chance * Fraction(here, left)
            if to_player:
                go_on((*player, point), banker, more, then)
            else:
                go_on(player, (*banker, point), more, then)

    def go_on(player: Points, banker: Points, chance: Fraction, then: str) -> None:
        if then == "four":
            if len(player) + len(banker) < 4:
                return deal(player, banker, chance, len(player) < 2, "four")
            mine, theirs = sum(player) % 10, sum(banker) % 10
            if max(mine, theirs) < 8:
                if mine <= 5:
                    return deal(player, banker, chance, True, "banker")
                if theirs <= 5:
                    return deal(player, banker, chance, False, "end")
        elif then == "banker" and banker_draws(sum(banker) % 10, player[2]):
            return deal(player, banker, chance, False, "end")
        ends[tuple(sorted(player)), tuple(sorted(banker))] += chance
        return None

    go_on((), (), Fraction(1), "four")
    return ends


def profit(wager: str, player: Points, banker: Points) -> int:
    """What a wager of one wins, by the layout."""
    mine, theirs = sum(player) % 10, sum(banker) % 10
    seven = theirs == 7 and len(banker) == 3 and mine < 7
    if wager == "banker":
        return 0 if mine == theirs or seven else 1 if theirs > mine else -1
    if wager == "player":
        return 0 if mine == theirs else 1 if mine > theirs else -1
    if wager == "tie":
        return 8 if mine == theirs else -1
    if wager == "dragon_7":
        return 40 if seven else -1
    return 25 if mine == 8 and len(player) == 3 and theirs < 8 else -1


@pytest.mark.parametrize("game", ["ez_baccarat", "fortune_7_baccarat"])
def test_baccarat_without_commission_is_what_counting_by_points_says(game: str) -> None:
    ends = baccarat_ends(8)
    assert sum(ends.values()) == 1
    for wager in ("player", "banker", "tie", "dragon_7", "panda_8"):
        edge = -sum(chance * profit(wager, *hands) for hands, chance in ends.items())
        assert compute_odds(choose(find_game(game), wager)).edge == edge, wager


KINDS = {"face": (0, 1, 12), "ten": (0, 0, 4), **{str(points): (points, 0, 4) for points in range(1, 10)}}
"""Points, faces and how many cards of the deck are so."""


def hands_of_three(taken: Counter[str]) -> dict[tuple[str, ...], int]:
    """Three cards by kind, with the ways to choose them from what is left of one deck."""
    left = {kind: KINDS[kind][2] - taken[kind] for kind in KINDS}
    return {
        kinds: prod(comb(left[kind], number) for kind, number in Counter(kinds).items())
        for kinds in combinations_with_replacement(KINDS, 3)
    }


def value(kinds: tuple[str, ...]) -> tuple[bool, int, int]:
    faces = sum(KINDS[kind][1] for kind in kinds)
    return faces == 3, sum(KINDS[kind][0] for kind in kinds) % 10, faces


def test_three_card_baccarat_is_what_counting_all_pairs_of_hands_says() -> None:
    ways: Counter[str] = Counter()
    for player, first in hands_of_three(Counter()).items():
        for dealer, second in hands_of_three(Counter(player)).items() if first else ():
            number = first * second
            ways["all"] += number
            ways["player"] += number * (value(player) > value(dealer))
            ways["tie"] += number * (value(player) == value(dealer))
            ways[f"dealer_{value(dealer)[1]}"] += number
            ways["three_faces"] += number * value(dealer)[0]
    assert (ways["all"], ways["player"], ways["tie"]) == (407_170_400, 195_898_240, 15_373_920)
    lost = ways["all"] - ways["player"] - ways["tie"]
    title = find_game("three_card_baccarat")
    expected = {"player": Fraction(lost) - Fraction(19, 20) * ways["player"]}
    pays = {"tie": 20, "three_faces": 16, **{f"dealer_{total}": 8 for total in range(10)}}
    expected |= {wager: Fraction(ways["all"] - (pay + 1) * ways[wager]) for wager, pay in pays.items()}
    assert {wager.id for wager in title.wagers} == set(expected)
    for wager, loss in expected.items():
        assert compute_odds(choose(title, wager)).edge == loss / ways["all"], wager


def test_wagers_on_one_bet_are_counted_once_and_each_has_its_own_estimate() -> None:
    title = find_game("three_card_baccarat")
    prepared = prepare(title, Wish(settings={}, pay_tables={}))
    assert [bet.bet_name for bet in prepared.spec.bets] == ["three_card_result", "three_card_dealer"]
    assert len(counted_bets({wager.id: choose(title, wager.id) for wager in title.wagers})) == 2
    results = {result.name: result for result in prepared.results(run(prepared.spec, 5, 40))}
    assert list(results) == [wager.id for wager in title.wagers]
    assert len({result.estimate.edge for result in results.values()}) == len(results)
    assert max(abs(result.z or 99) for result in results.values()) < 4
