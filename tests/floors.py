"""Floors made from the demo floor by changing one thing, for tests of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from msgspec.structs import replace

from croupier.floor import (
    Finding,
    Floor,
    Link,
    Sensor,
    WagerSetup,
    check_floor,
    demo_floor,
    usd,
)
from croupier.rules.registry import find_game

DAY = date(2025, 3, 1)
DEMO = demo_floor()


def with_table(floor: Floor, wanted: str, **fields: Any) -> Floor:
    tables = tuple(replace(table, **fields) if table.id == wanted else table for table in floor.tables)
    return replace(floor, tables=tables)


def with_jackpot(floor: Floor, wanted: str, **fields: Any) -> Floor:
    jackpots = tuple(replace(one, **fields) if one.id == wanted else one for one in floor.jackpots)
    return replace(floor, jackpots=jackpots)


def with_wager(floor: Floor, table_id: str, wanted: str, **fields: Any) -> Floor:
    table = floor.table(table_id)
    wagers = tuple(replace(one, **fields) if one.wager == wanted else one for one in table.wagers)
    return with_table(floor, table_id, wagers=wagers)


def and_jackpot(floor: Floor, like: str, **fields: Any) -> Floor:
    return replace(floor, jackpots=(*floor.jackpots, replace(floor.jackpot(like), **fields)))


def with_sensors(floor: Floor, table_id: str, *jackpots: str) -> Floor:
    return with_table(floor, table_id, sensors=tuple(Sensor(number=i, jackpot=j) for i, j in enumerate(jackpots, 1)))


def only(floor: Floor, *table_ids: str) -> Floor:
    """The floor with these tables alone, and the jackpots that they have."""
    tables = tuple(floor.table(name) for name in table_ids)
    used = {sensor.jackpot for table in tables for sensor in table.sensors}
    links = tuple(link for link in floor.links if set(link.tables) <= set(table_ids))
    return replace(floor, tables=tables, jackpots=tuple(j for j in floor.jackpots if j.id in used), links=links)


def caribbean_floor() -> Floor:
    """Caribbean Stud at two linked tables, each seat with two sensors: "caribbean" on the first, "five_card" on the
    second, for $1 each."""
    floor = replace(only(DEMO, "ddm_1", "ddm_2"), links=())
    own = tuple(one for one in find_game("caribbean_stud").wagers if one.kind != "progressive")
    wagers = tuple(WagerSetup(wager=one.id, pay_table=one.pay_tables[0].id, most_micros=usd("100")) for one in own)
    for table in ("ddm_1", "ddm_2"):
        floor = with_table(floor, table, game="caribbean_stud", decks=1, shuffle="fresh", wagers=wagers, settings={})
        floor = with_sensors(floor, table, "caribbean", "five_card")
    terms = {"game": "caribbean_stud", "wager_micros": usd("1"), "seed_micros": usd("10,000"), "settings": {}}
    jackpots = tuple(
        replace(DEMO.jackpot("push_22"), id=id, name=name, wager=wager, pay_table=pay_table, **terms)
        for id, name, wager, pay_table in (
            ("caribbean", "Progressive", "caribbean_progressive", "100%-10%-500-100-50"),
            ("five_card", "Five-Card Progressive", "five_card_progressive", "100%-10%-300-50-40-30-9"),
        )
    )
    links = tuple(Link(id=jackpot.id, jackpots=(jackpot.id,), tables=("ddm_1", "ddm_2")) for jackpot in jackpots)
    return replace(floor, jackpots=jackpots, links=links)


CONFIRMED = "Regulator's answer of 2025-02-20, by letter"


def as_real(floor: Floor) -> Floor:
    """No demonstration: its jackpots say the reading that the regulator has confirmed, which is that of the text."""
    jackpots = []
    for one in floor.jackpots:
        game = find_game(one.game)
        settings = {name: game.switch(name).default for name in game.by_figures(one.wager, one.pay_table)}
        jackpots.append(replace(one, settings=settings, confirmed=CONFIRMED) if settings else one)
    return replace(floor, demo=False, jackpots=tuple(jackpots))


def codes(floor: Floor, day: date = DAY, standing: Mapping[str, int] | None = None) -> list[str]:
    return [finding.code for finding in check_floor(floor, day, standing)]


def the(floor: Floor, code: str, day: date = DAY, standing: Mapping[str, int] | None = None) -> Finding:
    """The first finding of that code."""
    return next(finding for finding in check_floor(floor, day, standing) if finding.code == code)
