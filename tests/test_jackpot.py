"""Progressives: two identities, the break-even meter, and a meter simulated without any formula."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.exact.jackpot import MeterSettings, jackpot_odds
from croupier.exact.odds import MeterWish, OddsSheet, compute_odds
from croupier.money import MICROS_PER_DOLLAR, floor_to_micros
from croupier.pay import Row, parse_pay
from croupier.rules import find_game, game_ids
from croupier.rules.choice import Choice, choose

SIGMAS = 4
DOLLAR = MICROS_PER_DOLLAR


def progressives() -> list[Choice]:
    """Every progressive pay table, on every side it can be had on."""
    return [
        choose(find_game(name), wager.id, pay_table=table.id, side=side)
        for name in game_ids()
        for wager in find_game(name).wagers
        for table in wager.pay_tables
        if wager.kind == "progressive"
        for side in (("player", "banker") if wager.hand == "seat" else (None,))
    ]


PROGRESSIVES = progressives()


def label(choice: Choice) -> str:
    return f"{choice.wager.id}-{choice.pay_table.id}-{choice.side}"


def parts(sheet: OddsSheet) -> tuple[Fraction, Fraction, Fraction]:
    """Fixed pays, chance of the 100% award, and the sum of share x odds ratio of the smaller ones, from the rows."""
    fixed = top = smaller = Fraction(0)
    for row in sheet.rows:
        words = row.pays.split()
        if row.pays == "100%":
            top += row.probability
        elif row.pays.endswith("%"):
            smaller += Fraction(int(row.pays[:-1]), 100) * row.probability
        elif row.row is not None:
            odds = Fraction(int(words[0]), int(words[2]))
            fixed += row.probability * (odds + 1 if words[1] == "to" else odds)
    return fixed, top, smaller / top


@pytest.mark.parametrize("choice", PROGRESSIVES, ids=label)
@given(
    seed=st.integers(0, 10**6),
    contribution=st.fractions(0, Fraction(1, 2), max_denominator=1000),
    reserve=st.fractions(0, Fraction(1, 2), max_denominator=1000),
)
@settings(max_examples=15, deadline=None)
def test_edge_and_average_award_follow_the_two_identities(
    choice: Choice, seed: int, contribution: Fraction, reserve: Fraction
) -> None:
    wish = MeterWish(seed=seed * DOLLAR, contribution=contribution, reserve=reserve)
    sheet = compute_odds(choice, wish)
    fixed, top, ratio = parts(sheet)
    stake = choice.pay_table.stake
    assert sheet.jackpot is not None
    assert sheet.edge == 1 - fixed - contribution - reserve - Fraction(seed, stake) * top
    # The reserve reaches the meter with the next seed, so over many awards it is paid out like the contribution.
    average = (seed + (contribution + reserve) * stake / top) / (1 + ratio)
    assert sheet.jackpot.average_top == average


@pytest.mark.parametrize("choice", PROGRESSIVES, ids=label)
def test_the_settings_of_the_game_file_follow_the_identities_as_printed(choice: Choice) -> None:
    sheet = compute_odds(choice)
    fixed, top, ratio = parts(sheet)
    jackpot = choice.pay_table.jackpot
    assert jackpot is not None
    assert sheet.jackpot is not None
    stake = choice.pay_table.stake
    assert sheet.edge == 1 - fixed - jackpot.contribution - jackpot.reserve - Fraction(jackpot.seed, stake) * top
    assert jackpot.reserve == 0
    assert sheet.jackpot.average_top == (jackpot.seed + jackpot.contribution * stake / top) / (1 + ratio)


@pytest.mark.parametrize("choice", PROGRESSIVES, ids=label)
def test_the_edge_changes_its_sign_at_the_break_even_meter(choice: Choice) -> None:
    jackpot = compute_odds(choice).jackpot
    assert jackpot is not None
    assert jackpot.break_even is not None
    below = floor_to_micros(jackpot.break_even)
    edges = []
    for meter in (below, below + 1):
        at_meter = compute_odds(choice, MeterWish(now=meter)).jackpot
        assert at_meter is not None
        assert at_meter.edge_now is not None
        edges.append(at_meter.edge_now)
    assert edges[0] >= 0 >= edges[1]
    assert edges[0] != edges[1]


# A toy meter with frequent awards, run round by round. Amounts in wagers of one dollar.

TOP, SHARE, FIXED = Fraction(1, 20), Fraction(1, 10), Fraction(1, 8)
BATCHES, ROUNDS = 100, 5_000


def toy_rows(funded: str) -> list[tuple[Row, Fraction]]:
    pays = [("top", "100%", TOP), ("share", "25%", SHARE), ("fixed", "2 for 1", FIXED)]
    return [
        (Row(row=name, label=name, pays=parse_pay(text), funded="meter" if funded == "meter" else "tray"), chance)
        for name, text, chance in pays
    ]


def simulated_awards(seed: float, contribution: float, reserve: float, fixed_from_meter: bool) -> list[float]:
    """Mean 100% award of each batch of rounds."""
    random = Random(7)
    top, share, fixed = float(TOP), float(TOP + SHARE), float(TOP + SHARE + FIXED)
    means = []
    meter, kept = seed, 0.0
    for _ in range(BATCHES):
        awards = []
        for _ in range(ROUNDS):
            meter += contribution
            kept += reserve
            drawn = random.random()
            if drawn < top:
                awards.append(meter)
                meter, kept = seed + kept, 0.0
            elif drawn < share:
                meter *= 0.75
            elif drawn < fixed and fixed_from_meter:
                meter -= 2
        means.append(mean(awards))
    return means


@pytest.mark.parametrize(
    ("seed", "contribution", "reserve", "funded"),
    [(10, "0.3", "0", "tray"), (10, "0.3", "0.1", "tray"), (50, "0.6", "0", "meter"), (50, "0.5", "0.2", "meter")],
)
def test_a_meter_run_round_by_round_comes_to_the_average_award(
    seed: int, contribution: str, reserve: str, funded: str
) -> None:
    meter = MeterSettings(
        stake=DOLLAR, seed=seed * DOLLAR, contribution=Fraction(contribution), reserve=Fraction(reserve)
    )
    odds = jackpot_odds(toy_rows(funded), meter)
    means = simulated_awards(seed, float(contribution), float(reserve), funded == "meter")
    error = stdev(means) / sqrt(BATCHES)
    assert odds.average_top is not None
    assert abs(mean(means) - float(odds.average_top)) <= SIGMAS * error
    assert error < float(odds.average_top) / 100
