"""The notices that must hang at a table, and the conditions of approval that an operator ticks off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from croupier.floor.checks.findings import Finding, found
from croupier.floor.law import LawRow, all_on, rows_of
from croupier.floor.setup import Floor, TableSetup
from croupier.rules.loader import find_jurisdiction
from croupier.rules.registry import find_game


def required_notices(floor: Floor, table: TableSetup, day: date) -> tuple[LawRow, ...]:
    """The notices that the law asks for at this table; `item` is what `posted` must name."""
    jackpots = floor.jackpots_at(table)
    needed = {
        "always": True,
        "jackpot": bool(jackpots),
        "house": any(jackpot.kind == "house" for jackpot in jackpots),
        "capped": any(jackpot.cap_micros is not None for jackpot in jackpots),
        "aggregate": any(wager.aggregate_limit_micros is not None for wager in table.wagers),
    }
    return tuple(row for row in all_on("notice", day) if needed[row.when])


def notices(floor: Floor, day: date) -> Iterator[Finding]:
    """Every table shows what it must."""
    for table in floor.tables:
        for row in required_notices(floor, table, day):
            if row.item not in table.posted:
                sentence = (
                    f'The table "{table.id}" does not post {row.item}: {row.text} Post it and add it to `posted`.'
                )
                yield found(row, "notice_missing", f"tables.{table.id}.posted", sentence)


def checklist(floor: Floor, table: TableSetup) -> tuple[str, ...]:
    """What the letters ask of the operator of this table that a program cannot see, to be ticked off by people."""
    game = find_game(table.game)
    law = find_jurisdiction(floor.jurisdiction)
    by_establishment = () if law is None else (law.tribal if floor.establishment == "tribal" else law.card_room)
    everywhere = () if law is None else law.at_tables(game.source)
    return (*by_establishment, *everywhere, *game.conditions, *equipment(floor, table))


def equipment(floor: Floor, table: TableSetup) -> tuple[str, ...]:
    """Models and versions that the letters list for the jackpot system of this table, for each of its jackpots."""
    wagers = {jackpot.wager for jackpot in floor.jackpots_at(table)}
    return tuple(
        f"{row.name} ({row.section}): {row.text}"
        for row in rows_of("equipment")
        if row.wager in wagers and table.protocol in row.protocols
    )
