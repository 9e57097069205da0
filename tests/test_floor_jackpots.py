"""Rules about jackpots, the letters' advice with its effect on the edge, and the money behind it all."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.errors import RangeError, SpecError
from croupier.exact.odds import MeterWish, compute_odds
from croupier.floor import (
    Floor,
    JackpotSetup,
    Micros,
    Standing,
    alarm_of,
    check_floor,
    deposit_due,
    funding_gate,
    most_believable,
    refusals,
    usd,
)
from croupier.floor.checks.meters import cap as check_cap
from croupier.floor.law import step_text
from croupier.floor.service import FloorService
from croupier.floor.setup import jackpot_choice
from croupier.floor.terminal import Pick
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.store import open_store, verify
from tests.desks import CARDS, EXECUTIVE, NOW, SEED, ask, lock, meter
from tests.floors import CONFIRMED, DAY, DEMO, codes, only, the, with_jackpot, with_table

ONE_DAY = timedelta(days=1)
MONEY = st.integers(0, 10**13)
FOUND = "letter_contradicts_itself"


# Jackpots.


def test_a_house_jackpot_does_not_grow() -> None:
    house = only(DEMO, "ddm_1")
    fixed: dict[str, Any] = {"kind": "house", "contribution": Fraction(0), "reserve": Fraction(0), "cap_micros": None}
    house = with_jackpot(house, "push_22", **fixed)
    posted = (*house.tables[0].posted, "no_player_money", "may_be_removed")
    house = with_table(house, "ddm_1", posted=posted)
    assert refusals(check_floor(house, DAY)) == ()
    for name, value in (("contribution", Fraction(1, 100)), ("reserve", Fraction(1, 100)), ("cap", usd("60,000"))):
        field = "cap_micros" if name == "cap" else name
        finding = the(with_jackpot(house, "push_22", **{field: value}), "house_jackpot_grows")
        assert finding.where == f"jackpots.push_22.{name}" and "does not grow" in finding.sentence


def test_a_house_jackpot_pays_each_winner_in_full_and_has_an_edge_of_its_own() -> None:
    house = with_jackpot(only(DEMO, "ddm_1"), "push_22", kind="house")
    finding = the(house, "house_jackpot_pays_each")
    assert finding.severity == "note" and finding.effect["most_from_one_deal_micros"] == 6 * usd("50,000")
    choice = choose(find_game("double_down_madness"), "push_22_progressive", decks="6")
    at_prize = compute_odds(choice, MeterWish(now=usd("10,000"))).jackpot
    assert at_prize is not None and at_prize.edge_now is not None
    assert finding.effect["edge_ppm"] == round(at_prize.edge_now * 1_000_000)


def test_a_progressive_that_does_not_grow_is_a_warning_as_the_letters_let_it_stand() -> None:
    assert "does_not_grow" not in codes(with_jackpot(DEMO, "push_22", contribution=Fraction(1, 1000)))
    finding = the(with_jackpot(DEMO, "push_22", contribution=Fraction(0)), "does_not_grow")
    assert (
        finding.decided_by == step_text(1) and finding.severity == "warning" and "set one above 0%" in finding.sentence
    )
    assert "230-15-671" in finding.citation


@given(standing=MONEY, cap=st.integers(5_000_000, 10**9))
def test_a_maximum_is_never_below_the_standing_amount(standing: int, cap: int) -> None:
    floor = with_jackpot(DEMO, "push_22", cap_micros=Micros(cap * 10_000))
    found = [finding.code for finding in check_cap(floor, DAY, {"push_22": standing})]
    assert found == (["cap_below_standing"] if standing > cap * 10_000 else [])
    assert not list(check_cap(floor, date(2014, 12, 31), {"push_22": standing}))


def test_the_advised_maximum_is_one_that_is_accepted() -> None:
    standing = {"push_22": usd("70,000.001")}
    finding = the(with_jackpot(DEMO, "push_22", cap_micros=usd("70,000")), "cap_below_standing", DAY, standing)
    assert "set $70,000.01 or more" in finding.sentence
    assert codes(with_jackpot(DEMO, "push_22", cap_micros=usd("70,000.01")), DAY, standing) == [
        "letter_contradicts_itself",
        "law_last_seen",
    ]


def test_a_maximum_below_the_seed_would_be_broken_by_the_next_reset() -> None:
    assert "cap_below_seed" not in codes(with_jackpot(DEMO, "push_22", cap_micros=usd("50,000")))
    assert "cap_below_seed" in codes(with_jackpot(DEMO, "push_22", cap_micros=usd("49,999")))


def test_an_increase_beyond_a_full_table_is_not_believed() -> None:
    jackpot = DEMO.jackpot("push_22")
    assert most_believable(DEMO, jackpot) == 6 * usd("1"), "six seats, $5, 19% and 1%"
    assert alarm_of(jackpot) == usd("7.01"), "seven seats, and a cent for what was carried"
    assert alarm_of(replace(jackpot, alarm_micros=usd("2"))) == usd("2")
    assert alarm_of(replace(jackpot, kind="house")) is None


@pytest.mark.parametrize(
    ("alarm", "code"), [("5.99", "alarm_too_low"), ("6", ""), ("60", ""), ("60.01", "alarm_too_high")]
)
def test_an_alarm_rings_for_faults_and_not_for_full_tables(alarm: str, code: str) -> None:
    found = codes(with_jackpot(DEMO, "push_22", alarm_micros=usd(alarm)))
    assert [name for name in found if name.startswith("alarm")] == ([code] if code else [])


# The letters' advice, with the edge.


def edge(jackpot: JackpotSetup, decks: int = 6, **wish: Any) -> int:
    """Millionths, computed from the pay table's own stake, apart from the floor's arithmetic."""
    choice = choose(
        find_game(jackpot.game),
        jackpot.wager,
        pay_table=jackpot.pay_table,
        decks=str(decks),
        settings={"fixed_pays": jackpot.fixed_pays},
    )
    stake = choice.pay_table.stake * 1_000_000
    seed = wish.pop("seed", jackpot.seed_micros) * stake // jackpot.wager_micros
    rates = {"contribution": jackpot.contribution, "reserve": jackpot.reserve} | wish
    return round(compute_odds(choice, MeterWish(seed=seed, **rates)).edge * 1_000_000)


def advised(**fields: Any) -> tuple[Floor, JackpotSetup]:
    floor = with_jackpot(DEMO, "push_22", **fields)
    return floor, floor.jackpot("push_22")


def test_seventy_percent_are_advised_where_all_pays_come_off_the_meter() -> None:
    floor, jackpot = advised(fixed_pays="meter", contribution=Fraction(69, 100))
    finding = the(floor, "low_contribution")
    assert finding.severity == "warning" and "The letter advises 70.00% or more" in finding.sentence
    assert finding.effect["edge_ppm"] == edge(jackpot)
    assert finding.effect["advised_edge_ppm"] == edge(jackpot, contribution=Fraction(7, 10))
    assert finding.effect["runs_dry"] == 0
    assert the(advised(fixed_pays="meter")[0], "low_contribution").effect["runs_dry"] == 1
    assert "low_contribution" not in codes(advised(fixed_pays="meter", contribution=Fraction(7, 10))[0])
    assert "low_contribution" not in codes(DEMO), "its fixed pays come from the tray"


def test_a_contribution_above_the_preset_one_lowers_the_edge() -> None:
    floor, jackpot = advised(contribution=Fraction(25, 100))
    finding = the(floor, "high_contribution")
    assert finding.effect["edge_ppm"] == edge(jackpot)
    assert (
        finding.effect["advised_edge_ppm"]
        == edge(jackpot, contribution=Fraction(1, 5))
        == finding.effect["edge_ppm"] + 50_000
    )
    assert "the edge falls from 13.96% to 8.96%" in finding.sentence
    assert "high_contribution" not in codes(advised(contribution=Fraction(1, 5))[0])
    assert "no_edge" in codes(advised(contribution=Fraction(1, 2))[0])


def test_a_seed_is_not_nothing_and_not_below_the_largest_fixed_pay() -> None:
    for seed, code in (("0", "no_seed"), ("249.99", "low_seed"), ("250", "seed_not_preset")):
        floor, jackpot = advised(seed_micros=usd(seed))
        finding = the(floor, code)
        assert finding.severity == ("note" if code == "seed_not_preset" else "warning")
        assert finding.effect["edge_ppm"] == edge(jackpot)
        assert finding.effect["advised_edge_ppm"] == edge(jackpot, seed=usd("50,000"))
        assert finding.effect["largest_fixed_micros"] == usd("250"), "50 for 1 on $5"
    assert not {"no_seed", "low_seed", "seed_not_preset"} & set(codes(DEMO))


def test_no_reserve_is_noted_with_what_one_percent_would_cost() -> None:
    finding = the(advised(reserve=Fraction(0))[0], "no_reserve")
    assert finding.effect["edge_ppm"] - finding.effect["advised_edge_ppm"] == 10_000


def test_advice_is_given_from_the_letters_day_on() -> None:
    floor = with_jackpot(only(DEMO, "baccarat_1"), "dragon", seed_micros=usd("0"))
    assert "no_seed" in codes(floor, date(2023, 6, 14))
    assert "no_seed" not in codes(floor, date(2023, 6, 13))


# The account.


def standing(display: int, **fields: Any) -> Standing:
    return Standing(jackpot="push_22", kind=fields.pop("kind", "progressive"), display_micros=display, **fields)


def test_the_tables_stop_when_the_account_is_short_by_a_millionth() -> None:
    held = standing(usd("50,000"), reserve_micros=usd("100"), overflow_micros=usd("7"), pending_micros=usd("1,000"))
    required = usd("51,107")
    assert funding_gate([held], required, day=DAY).is_open
    gate = funding_gate([held], required - 1, day=DAY)
    assert not gate.is_open and gate.short_micros == 1
    assert gate.finding is not None and gate.finding.code == "account_short"
    assert "The tables stop until they are deposited" in gate.finding.sentence
    assert gate.finding.citation == "WAC 230-15-455 [S]"


def test_a_house_jackpot_needs_no_account_until_it_is_won() -> None:
    assert funding_gate([standing(usd("50,000"), kind="house")], 0, day=DAY).is_open
    assert not funding_gate([standing(usd("50,000"), kind="house", pending_micros=1)], 0, day=DAY).is_open


def test_a_credit_line_covers_large_prizes_and_nothing_else() -> None:
    held, prize = standing(usd("1,000")), usd("40,000")
    assert funding_gate([held], usd("41,000"), odds_reserve_micros=prize, day=DAY).is_open
    assert not funding_gate([held], usd("40,999"), odds_reserve_micros=prize, day=DAY).is_open
    covered = {"odds_reserve_micros": prize, "credit_line_micros": usd("90,000")}
    assert funding_gate([held], usd("1,000"), day=DAY, **covered).is_open
    assert not funding_gate([held], usd("999"), day=DAY, **covered).is_open


@given(amounts=st.lists(MONEY, max_size=5), account=MONEY, waiting=MONEY)
def test_the_gate_is_open_exactly_when_nothing_is_missing(amounts: list[int], account: int, waiting: int) -> None:
    gate = funding_gate([standing(amount) for amount in amounts], account, not_yet_due_micros=waiting, day=DAY)
    assert gate.is_open == (gate.short_micros == 0) == (account >= max(0, sum(amounts) - waiting))


def test_accrued_money_is_deposited_within_a_week() -> None:
    last = date(2025, 3, 3)
    for days in (0, 7):
        due = deposit_due(usd("500"), last, last + timedelta(days=days))
        assert not due.is_overdue and due.due_on == date(2025, 3, 10) and due.not_yet_due_micros == usd("500")
    late = deposit_due(usd("500"), last, date(2025, 3, 11))
    assert late.is_overdue and late.not_yet_due_micros == 0
    assert late.finding is not None and "were due by 2025-03-10" in late.finding.sentence
    assert not deposit_due(0, last, date(2026, 1, 1)).is_overdue
    assert deposit_due(-5, last, last).amount_micros == 0, "more was won than accrued"
    with pytest.raises(RangeError):
        deposit_due(0, last, last - ONE_DAY)


def test_negative_balances_are_refused() -> None:
    with pytest.raises(RangeError):
        funding_gate([], -1, day=DAY)


def test_a_real_floor_says_which_reading_the_regulator_has_confirmed() -> None:
    real = replace(DEMO, demo=False)
    finding = the(real, "reading_not_confirmed")
    assert finding.severity == "refusal" and finding.where == "jackpots.dragon"
    assert "48.67% for wagers on player and 49.54% for wagers on banker" in finding.sentence
    assert "give 24.22%" in finding.sentence and 'settings = { counts = "own_side" }' in finding.sentence
    assert finding.effect == {
        "text_player_edge_ppm": 486_749,
        "text_banker_edge_ppm": 495_433,
        "figures_edge_ppm": 242_182,
    }
    said = with_jackpot(real, "dragon", settings={"counts": "either_side"})
    assert "reading_not_confirmed" in codes(said), "a value that nobody has confirmed"
    assert "reading_not_confirmed" in codes(with_jackpot(real, "dragon", confirmed=CONFIRMED)), "which one?"
    confirmed = with_jackpot(said, "dragon", confirmed=CONFIRMED)
    assert "reading_not_confirmed" not in codes(confirmed) and CONFIRMED in the(confirmed, FOUND).sentence
    assert "counts = either_side" in the(confirmed, FOUND).sentence and the(confirmed, FOUND).severity == "note"


def test_table_1_needs_two_readings_and_table_2_none() -> None:
    real = replace(DEMO, demo=False)
    first = with_jackpot(real, "dragon", pay_table="1", seed_micros=usd("10,000"), contribution=Fraction(19, 100))
    assert "68.14%" in the(first, "reading_not_confirmed").sentence
    assert "73.30%" in the(first, "reading_not_confirmed").sentence
    half = with_jackpot(first, "dragon", settings={"counts": "own_side"}, confirmed=CONFIRMED)
    assert "reading_not_confirmed" in codes(half)
    second = with_jackpot(real, "dragon", pay_table="2", seed_micros=usd("10,000"))
    assert not {"reading_not_confirmed", FOUND} & set(codes(second))


def test_a_demonstration_follows_the_text() -> None:
    assert jackpot_choice(DEMO.jackpot("dragon"), DEMO.table("baccarat_1")).side == "player"
    assert "demonstration" in the(DEMO, FOUND).sentence


def test_a_reading_is_of_the_jackpots_wager() -> None:
    with pytest.raises(SpecError, match="There is no reading"):
        check_floor(with_jackpot(DEMO, "dragon", settings={"commission": "none"}), DAY)
    with pytest.raises(SpecError, match="Accepted: own_side, either_side"):
        check_floor(with_jackpot(DEMO, "dragon", settings={"counts": "both"}), DAY)


def test_a_jackpot_without_contribution_takes_wagers_and_pays(tmp_path: Path) -> None:
    nothing = Fraction(0)
    floor = with_jackpot(DEMO, "push_22", contribution=nothing, reserve=nothing)
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), floor)
    lock(desk, "ddm_1", 1, 2)
    assert meter(desk) == SEED, "all of it is the house's"
    view = desk.hit(ask(), "ddm_1", picks=[Pick(0, 1, "suited_4567_other")], evidence=CARDS["suited_4567_other"])
    assert desk.book.award(view.awards[0]).amount_micros == SEED // 10 and meter(desk) == SEED - SEED // 10
    assert verify(desk.book).is_good
    desk.book.close()
