"""Changes of a floor: what is money, who signs, when it takes effect, and what it may never do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.floor import (
    Change,
    Floor,
    Role,
    plan_change,
    requires_two_persons,
    take_effect_blockers,
    usd,
)
from tests.floors import DAY, DEMO, as_real, with_jackpot, with_sensors, with_table, with_wager

# Changes.


def next_version(floor: Floor, **fields: Any) -> Floor:
    standard = {
        "number": DEMO.version.number + 1,
        "effective_from": datetime(2025, 4, 1, tzinfo=UTC),
        "made_by": "clerk",
        "approved_by": "chief",
        "reason": "Quarterly review.",
    }
    return replace(floor, version=replace(DEMO.version, **(standard | fields)))


def planned(floor: Floor, amounts: Mapping[str, int] | None = None) -> Change:
    change = plan_change(DEMO, floor, amounts or {}, DAY)
    assert isinstance(change, Change), change
    return change


def refused(floor: Floor, amounts: Mapping[str, int] | None = None) -> list[str]:
    change = plan_change(DEMO, floor, amounts or {}, DAY)
    assert not isinstance(change, Change)
    return [finding.code for finding in change]


def test_a_change_of_a_seed_needs_two_persons_and_waits_for_the_jackpots_tables() -> None:
    change = planned(next_version(with_jackpot(DEMO, "push_22", seed_micros=usd("60,000"))))
    (field,) = change.fields
    assert (field.where, field.old, field.new, field.is_money) == ("jackpots.push_22.seed", "50000", "60000", True)
    assert requires_two_persons(change) and change.tables == ("ddm_1", "ddm_2")
    assert [finding.code for finding in change.findings] == [
        "letter_contradicts_itself",
        "seed_not_preset",
        "law_last_seen",
    ]


MONEY_CHANGES: dict[str, Callable[[Floor], Floor]] = {
    "contribution": lambda f: with_jackpot(f, "push_22", contribution=Fraction(18, 100)),
    "reserve": lambda f: with_jackpot(f, "push_22", reserve=Fraction(2, 100)),
    "cap": lambda f: with_jackpot(f, "push_22", cap_micros=usd("2,000,000")),
    "no cap": lambda f: with_jackpot(f, "push_22", cap_micros=None),
    "pay table": lambda f: with_jackpot(f, "push_22", pay_table="2"),
    "alarm": lambda f: with_jackpot(f, "push_22", alarm_micros=usd("10")),
    "limits": lambda f: with_wager(f, "ddm_1", "main", most_micros=usd("200")),
    "aggregate": lambda f: with_wager(f, "ddm_1", "push_22", aggregate_limit_micros=usd("6,000")),
    "approvals": lambda f: replace(f, approvals=replace(f.approvals, supervisor_up_to_micros=usd("6,000"))),
    "sensors": lambda f: with_sensors(f, "baccarat_1"),
    "level": lambda f: with_jackpot(f, "push_22", level="top"),
    "decks": lambda f: with_table(f, "blackjack_1", decks=8),
    "a table less": lambda f: replace(f, tables=f.tables[:-1]),
}
OTHER_CHANGES: dict[str, Callable[[Floor], Floor]] = {
    "name": lambda f: with_table(f, "ddm_1", name="Madness"),
    "seats": lambda f: with_table(f, "ddm_1", seats=5),
    "protocol": lambda f: with_table(f, "ddm_1", protocol="game_manager_2"),
    "notices": lambda f: with_table(f, "ddm_2", posted=(*f.table("ddm_2").posted, "aggregate_limit")),
}


@pytest.mark.parametrize("name", MONEY_CHANGES)
def test_money_parameters_need_two_persons(name: str) -> None:
    assert requires_two_persons(planned(next_version(MONEY_CHANGES[name](DEMO))))


@pytest.mark.parametrize("name", OTHER_CHANGES)
def test_other_parameters_need_one_person(name: str) -> None:
    change = planned(next_version(OTHER_CHANGES[name](DEMO), approved_by=""))
    assert change.fields and not requires_two_persons(change)
    assert take_effect_blockers(change, rounds_in_progress=(), made_by_role=Role.TECHNICIAN) == ()


def test_nothing_changes_while_a_round_is_in_progress() -> None:
    change = planned(next_version(with_jackpot(DEMO, "push_22", seed_micros=usd("60,000"))))
    roles = {"made_by_role": Role.ACCOUNTING, "approved_by_role": Role.EXECUTIVE}
    assert take_effect_blockers(change, rounds_in_progress={"baccarat_1"}, **roles) == ()
    (blocker,) = take_effect_blockers(change, rounds_in_progress={"ddm_2"}, **roles)
    assert blocker.code == "round_in_progress" and "takes effect when it ends" in blocker.sentence
    levels = planned(next_version(MONEY_CHANGES["approvals"](DEMO)))
    assert set(levels.tables) == {table.id for table in DEMO.tables}


@pytest.mark.parametrize(
    ("made", "approved", "made_by", "approved_by", "code"),
    [
        (Role.ACCOUNTING, None, "clerk", "", "second_person_missing"),
        (Role.ACCOUNTING, Role.EXECUTIVE, "chief", "chief", "same_person_twice"),
        (Role.ACCOUNTING, Role.SUPERVISOR, "clerk", "chief", "no_right"),
        (Role.TECHNICIAN, Role.EXECUTIVE, "clerk", "chief", "no_right"),
        (Role.AUDITOR, Role.EXECUTIVE, "clerk", "chief", "no_right"),
    ],
)
def test_a_change_of_money_is_made_and_approved_by_two_who_may(
    made: Role, approved: Role | None, made_by: str, approved_by: str, code: str
) -> None:
    floor = next_version(
        with_jackpot(DEMO, "push_22", seed_micros=usd("60,000")), made_by=made_by, approved_by=approved_by
    )
    blockers = take_effect_blockers(planned(floor), rounds_in_progress=(), made_by_role=made, approved_by_role=approved)
    assert [blocker.code for blocker in blockers] == [code]


def test_a_version_follows_the_one_before() -> None:
    assert refused(next_version(DEMO, number=3)) == ["stale_version"]
    assert refused(next_version(DEMO, number=1)) == ["stale_version"]
    assert refused(next_version(DEMO, effective_from=datetime(2024, 1, 1, tzinfo=UTC))) == ["version_goes_back"]
    assert refused(next_version(replace(DEMO, id="other"))) == ["other_floor"]


def test_a_demonstration_and_a_real_floor_never_become_each_other() -> None:
    real = as_real(DEMO)
    assert refused(next_version(real)) == ["demo_stays"]
    change = plan_change(real, next_version(replace(real, demo=True)), {}, DAY)
    assert not isinstance(change, Change) and [finding.code for finding in change] == ["demo_stays"]


def test_a_change_cannot_lower_the_cap_below_what_stands() -> None:
    amounts = {"push_22": usd("70,000")}
    assert refused(next_version(with_jackpot(DEMO, "push_22", cap_micros=usd("60,000"))), amounts) == [
        "cap_below_standing"
    ]
    assert planned(next_version(with_jackpot(DEMO, "push_22", cap_micros=usd("70,000"))), amounts).fields


def test_players_money_is_not_removed_by_a_change_of_set_up() -> None:
    without = with_sensors(replace(DEMO, jackpots=DEMO.jackpots[:1]), "baccarat_1")
    assert refused(next_version(without), {"dragon": 1}) == ["jackpot_not_empty"]
    assert planned(next_version(without), {"dragon": 0}).fields
    fixed: dict[str, Any] = {"kind": "house", "contribution": Fraction(0), "reserve": Fraction(0)}
    house = with_jackpot(DEMO, "dragon", **fixed)
    house = with_table(
        house, "baccarat_1", posted=(*DEMO.table("baccarat_1").posted, "no_player_money", "may_be_removed")
    )
    assert refused(next_version(house), {"dragon": 1}) == ["kind_of_held_money"]


def test_a_change_that_breaks_a_rule_is_refused_with_the_rule() -> None:
    assert refused(next_version(with_wager(DEMO, "ddm_1", "main", most_micros=usd("500")))) == [
        "over_single_wager_limit"
    ]
