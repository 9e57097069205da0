"""The end of a jackpot: when it may be closed, and the floor without it.

The section of the law on removing a progressive for good is known by its title only, so the rules that are known
decide: the players' money in it stays theirs, and it moves to where they can win it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

from msgspec import structs

from croupier.floor.checks.findings import Finding, found
from croupier.floor.law import law_on, rows_of
from croupier.floor.setup import Floor, Version

LONGEST_REASON = 500


def closing_refusals(floor: Floor, jackpot_id: str, to: str, day: date) -> tuple[Finding, ...]:
    """What keeps a jackpot of the floor from being closed with its money going to another one, or to none."""
    return tuple(_refusals(floor, jackpot_id, to, day))


def _refusals(floor: Floor, jackpot_id: str, to: str, day: date) -> Iterator[Finding]:
    row = law_on("custody", day) or rows_of("custody")[0]
    where = f"jackpots.{jackpot_id}"
    tables = [table.id for table in floor.tables_of(jackpot_id)]
    if tables:
        sentence = (
            f'"{jackpot_id}" is still played at {", ".join(tables)}. Take its sensors off them by a change of setup '
            "first; then close it."
        )
        yield found(row, "jackpot_in_play", where, sentence)
    if not to:
        return
    heir = floor.jackpot(to)
    if to == jackpot_id or heir.kind != "progressive":
        sentence = f'The money of "{jackpot_id}" cannot go to "{to}": name another progressive, where it can be won.'
        yield found(row, "bad_heir", where, sentence)
    elif not floor.tables_of(to):
        sentence = f'"{to}" is played at no table, so nobody could win what "{jackpot_id}" holds. Name one that is.'
        yield found(row, "bad_heir", where, sentence)


def floor_without(floor: Floor, jackpot_id: str, *, by: str, second: str, at: datetime, why: str) -> Floor:
    """The next version of the floor, without a jackpot that no table plays for."""
    links = (
        structs.replace(link, jackpots=tuple(id for id in link.jackpots if id != jackpot_id)) for link in floor.links
    )
    version = Version(
        number=floor.version.number + 1,
        effective_from=max(at, floor.version.effective_from),
        made_by=by,
        approved_by=second,
        reason=why[:LONGEST_REASON],
    )
    return structs.replace(
        floor,
        version=version,
        jackpots=tuple(jackpot for jackpot in floor.jackpots if jackpot.id != jackpot_id),
        links=tuple(link for link in links if link.jackpots),
    )
