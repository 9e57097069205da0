"""Figures that only odds sheets need, each against an independent way."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest

from croupier.exact.dealer_table import BLACKJACK, END_NAMES, dealer_table
from croupier.exact.hold import hold_band, house_results, normal_band
from croupier.exact.jackpot import chance_within
from croupier.exact.odds import MeterWish, compute_odds
from croupier.exact.switch_effects import odds_effects
from croupier.rules import find_game
from croupier.rules.choice import choose
from tests.helpers import naive_total

ENDLESS = {rank: Fraction(1 if rank < 9 else 4, 13) for rank in range(10)}


@cache
def naive_endings(hand: tuple[int, ...], hits_soft17: bool) -> dict[str, Fraction]:
    """The dealer's endings from an endless shoe, drawn card by card from the rule as people say it."""
    total, soft = naive_total(list(hand))
    if len(hand) == 2 and total == 21:
        return {BLACKJACK: Fraction(1)}
    if len(hand) >= 2 and (total > 17 or (total == 17 and not (soft and hits_soft17))):
        return {str(total) if total <= 22 else "23-26": Fraction(1)}
    found: dict[str, Fraction] = {}
    for card, chance in ENDLESS.items():
        for end, part in naive_endings(tuple(sorted((*hand, card))), hits_soft17).items():
            found[end] = found.get(end, Fraction(0)) + chance * part
    return found


@pytest.mark.parametrize("hits", [True, False])
def test_the_dealers_outcomes_from_an_endless_shoe_are_those_drawn_card_by_card(hits: bool) -> None:
    found = dealer_table(None, int(hits))
    for up, line in found.by_up_card.items():
        expected = naive_endings((0 if up == "A" else int(up) - 1,), hits)
        assert dict(zip(END_NAMES, line, strict=True)) == {end: expected.get(end, Fraction(0)) for end in END_NAMES}


@pytest.mark.parametrize("decks", ["1", "6"])
@pytest.mark.parametrize("soft17", ["hit", "stand"])
def test_the_dealers_22_is_the_one_that_push_22_wins_with(decks: str, soft17: str) -> None:
    """Another walk, which looks at suits, counts the same hands."""
    choice = choose(find_game("double_down_madness"), "push_22", decks=decks, settings={"soft17": soft17})
    overall = dealer_table(int(decks), int(soft17 == "hit")).overall
    assert overall[END_NAMES.index("22")] == compute_odds(choice).hit_frequency
    assert sum(overall) == 1


def convolved(results: list[tuple[Fraction, int]], rounds: int) -> tuple[int, int]:
    """The band of the sum of rounds, by adding one round after another."""
    low = min(result for _, result in results)
    one = np.zeros(max(result for _, result in results) - low + 1)
    for chance, result in results:
        one[result - low] += float(chance)
    whole = np.ones(1)
    for _ in range(rounds):
        whole = np.convolve(whole, one)
    # The band is counted from the house's best result downwards.
    below = np.cumsum(whole[::-1])
    highest = rounds * low + len(whole) - 1
    first, last = (int(np.searchsorted(below, share)) for share in (0.025, 0.975))
    return highest - last, highest - first


def test_the_band_of_the_hold_is_that_of_rounds_added_one_by_one() -> None:
    sheet = compute_odds(choose(find_game("blackjack"), "lucky_lucky"))
    results = house_results(sheet)
    whole = [(chance, int(result)) for chance, result in results]
    low, high = convolved(whole, 300)
    found = hold_band(results, 300)
    assert found.method == "exact"
    assert [found.low * 300, found.high * 300] == pytest.approx([low, high])


def test_the_band_of_insurance_is_binomial() -> None:
    sheet = compute_odds(choose(find_game("blackjack"), "insurance"))
    win = next(row.probability for row in sheet.rows if row.row)
    below, lost, ends = Fraction(0), 0, []
    for share in (Fraction(25, 1000), Fraction(975, 1000)):
        while below < share:
            below += comb(1000, lost) * win**lost * (1 - win) ** (1000 - lost)
            lost += 1
        ends.append(lost - 1)
    found = hold_band(house_results(sheet), 1000)
    assert [found.high, found.low] == pytest.approx([1 - 3 * wins / 1000 for wins in ends])


def test_results_on_no_common_lattice_get_a_normal_band() -> None:
    odd = [(Fraction(1, 2), Fraction(1)), (Fraction(1, 4), Fraction(-1, 999_983)), (Fraction(1, 4), Fraction(-2))]
    assert hold_band(odd, 1_000_000).method == "normal"
    band = normal_band(0.01, 1.0, 10_000)
    assert [band.low, band.high] == pytest.approx([-0.0096, 0.0296], abs=1e-6)


@pytest.mark.parametrize(
    ("game", "wager", "settings", "wish"),
    [
        ("blackjack", "lucky_break", {}, MeterWish()),
        ("double_down_madness", "push_22_progressive", {}, MeterWish(reserve=Fraction(1, 20))),
        ("double_down_madness", "push_22_progressive", {"fixed_pays": "meter"}, MeterWish()),
        ("double_down_madness", "push_22_progressive", {"fixed_pays": "meter"}, MeterWish(contribution=Fraction(3, 4))),
    ],
)
def test_the_houses_results_average_to_the_edge(
    game: str, wager: str, settings: dict[str, str], wish: MeterWish
) -> None:
    sheet = compute_odds(choose(find_game(game), wager, settings=settings), wish)
    assert sum(chance * result for chance, result in house_results(sheet)) == sheet.edge


def test_the_slope_leads_from_the_fixed_part_to_the_break_even_meter() -> None:
    choice = choose(find_game("double_down_madness"), "push_22_progressive")
    jackpot = compute_odds(choice, MeterWish(now=50_000_000_000)).jackpot
    assert jackpot is not None
    assert jackpot.edge_now == 1 - jackpot.fixed_return - 50_000 * jackpot.slope
    assert jackpot.break_even is not None
    assert 1 - jackpot.fixed_return - jackpot.break_even * jackpot.slope == 0


def test_an_award_within_two_rounds_comes_in_the_first_or_in_the_second() -> None:
    assert chance_within(Fraction(1, 4), 2) == pytest.approx(1 / 4 + 3 / 4 * 1 / 4)


def test_effects_are_the_edges_under_the_other_values_and_none_is_left_out() -> None:
    game = find_game("mini_baccarat")
    base = compute_odds(choose(game, "dragon_bonus_progressive"))
    found = {(one.switch.id, one.value): one.edge for one in odds_effects(base)}
    expected = {}
    for switch in game.switches:
        for value in switch.values:
            edge = compute_odds(choose(game, "dragon_bonus_progressive", settings={switch.id: value})).edge
            if edge != base.edge:
                expected[switch.id, value] = float(edge)
    assert found == expected
    assert ("fixed_pays", "meter") in found
