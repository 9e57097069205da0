"""Checks a floor against the law of a day and the letters, and explains every finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date

from croupier.floor.checks import links as check_links
from croupier.floor.checks import meters as check_meters
from croupier.floor.checks import play as check_play
from croupier.floor.checks import readings as check_readings
from croupier.floor.checks import tables as check_tables
from croupier.floor.checks.findings import Finding, in_order
from croupier.floor.checks.notices import notices
from croupier.floor.funding import odds_reserve_note
from croupier.floor.law import LAST_SEEN, LAST_SEEN_ADDRESS, not_known_on, step_text
from croupier.floor.setup import Floor, check_shape
from croupier.house_time import date_text

Check = Callable[[Floor, date], Iterable[Finding]]

CHECKS: tuple[Check, ...] = (
    check_play.play_money,
    check_play.one_sensor_for_a_wager,
    check_tables.number_of_tables,
    check_tables.single_wager,
    check_tables.games_on_a_hand,
    check_tables.sensors,
    check_tables.one_kind,
    check_tables.beside_its_game,
    check_tables.rule_sheets,
    check_tables.envy,
    check_tables.approved_system,
    check_tables.sensor_wager,
    check_tables.as_approved,
    check_tables.aggregate_limits,
    check_links.mixed_kinds,
    check_links.nothing_else,
    check_links.blackjack,
    check_links.same_chances,
    check_links.one_progressive,
    check_links.same_system,
    check_readings.confirmed_readings,
    check_meters.house_jackpot,
    check_meters.accrues,
    check_meters.alarm,
    check_meters.advice,
    notices,
    odds_reserve_note,
)


def check_floor(floor: Floor, day: date, standing_micros: Mapping[str, int] | None = None) -> list[Finding]:
    """Every finding, refusals first. Raises `SpecError` on a floor that cannot be at all.

    `standing_micros` is what stands on the meters, by jackpot id, where a ledger knows it.
    """
    check_shape(floor)
    findings = [finding for check in CHECKS for finding in check(floor, day)]
    findings += check_meters.cap(floor, day, standing_micros or {})
    findings += _limits_of_knowledge(day)
    return in_order(findings)


def _limits_of_knowledge(day: date) -> Iterator[Finding]:
    """What could not be checked for that day, said once."""
    unknown = not_known_on(day)
    if unknown:
        listing = "; ".join(f"{row.name} ({row.section}, from {row.since})" for row in unknown)
        yield _note(
            "law_not_known", f"On {day} the law is not known here in these points, which are not checked: {listing}."
        )
    if day > LAST_SEEN:
        yield _note(
            "law_last_seen",
            f"Chapter 230-15 WAC was last seen as of {date_text(LAST_SEEN)}; changes made since are not known here.",
            LAST_SEEN_ADDRESS,
        )


def _note(code: str, sentence: str, address: str = "") -> Finding:
    return Finding(
        code=code,
        severity="note",
        rule="What is known of the law",
        citation="chapter 230-15 WAC",
        address=address,
        decided_by=step_text(1),
        where="floor",
        sentence=sentence,
    )
