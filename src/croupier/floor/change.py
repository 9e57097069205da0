"""Changes of a floor: what differs, whether it is money, who must sign, and when it may take effect."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from msgspec import structs

from croupier.floor.checks.findings import Finding, found, refusals
from croupier.floor.checks.floor import check_floor
from croupier.floor.files import floor_data
from croupier.floor.law import law_on, rows_of
from croupier.floor.roles import Right, Role, one_of, who_may
from croupier.floor.setup import Floor, JackpotSetup
from croupier.money import dollars_for_people

# Everything else is a money parameter, so that a field added later needs two persons until somebody decides otherwise.
NOT_MONEY = frozenset({"name", "posted", "seats", "protocol", "ground", "light", "logo"})
_KEYS = {"rule_sheets": "game", "tables": "id", "jackpots": "id", "links": "id", "wagers": "wager", "sensors": "number"}


@dataclass(frozen=True, kw_only=True)
class FieldChange:
    """One value that differs; None where it is not there."""

    where: str
    old: str | None
    new: str | None
    is_money: bool


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change that keeps every rule, ready to be signed and to take effect between rounds."""

    old: Floor
    new: Floor
    fields: tuple[FieldChange, ...]
    tables: tuple[str, ...]
    """Tables that must be between rounds when it takes effect."""
    findings: tuple[Finding, ...]
    """Warnings and notes on the new floor."""


def plan_change(old: Floor, new: Floor, standing_micros: Mapping[str, int], day: date) -> Change | tuple[Finding, ...]:
    """The change from one version to the next, or the refusals that forbid it."""
    findings = check_floor(new, day, standing_micros)
    refused = (*_version_refusals(old, new), *_custody_refusals(old, new, standing_micros, day), *refusals(findings))
    if refused:
        return refused
    fields = tuple(_differences(old, new))
    return Change(old=old, new=new, fields=fields, tables=_tables_touched(old, new, fields), findings=tuple(findings))


def signed_by(floor: Floor, *, made_by: str, approved_by: str, before: Floor | None = None) -> Floor:
    """The same setup by those who have signed it; who wrote the file may have put other names there. They confirm the
    rule sheets, too, that are not as they were before."""
    version = structs.replace(floor.version, made_by=made_by, approved_by=approved_by)
    signers = (made_by, approved_by) if approved_by else (made_by,)
    return structs.replace(sheets_signed_by(floor, signers, before), version=version)


def sheets_signed_by(floor: Floor, signers: tuple[str, ...], before: Floor | None = None) -> Floor:
    """The same setup with its new rule sheets confirmed by these and nobody else."""
    kept = before.rule_sheets if before is not None else ()
    sheets = tuple(
        sheet if sheet in kept else structs.replace(sheet, confirmed_by=signers) for sheet in floor.rule_sheets
    )
    return structs.replace(floor, rule_sheets=sheets)


def requires_two_persons(change: Change) -> bool:
    """Whether a money parameter changes."""
    return any(field.is_money for field in change.fields)


def take_effect_blockers(
    change: Change,
    *,
    rounds_in_progress: Collection[str],
    made_by_role: Role,
    approved_by_role: Role | None = None,
) -> tuple[Finding, ...]:
    """What keeps a planned change from taking effect now: a round in progress, a missing or unfit signature.

    `rounds_in_progress` are the ids of tables; who made and approved it stands in the new floor's version.
    """
    blockers = [
        *_round_blockers(change, rounds_in_progress),
        *_signature_blockers(change, made_by_role, approved_by_role),
    ]
    return tuple(blockers)


def _round_blockers(change: Change, rounds_in_progress: Collection[str]) -> Iterator[Finding]:
    busy = [table for table in change.tables if table in rounds_in_progress]
    if busy:
        row = rows_of("no_change_in_operation")[0]
        sentence = f"A round is in progress at {', '.join(busy)}. The change takes effect when it ends."
        yield found(row, "round_in_progress", f"tables.{busy[0]}", sentence)


def _signature_blockers(change: Change, made_by: Role, approved_by: Role | None) -> Iterator[Finding]:
    row, version = rows_of("two_persons")[0], change.new.version
    needs_two = requires_two_persons(change)
    right = Right.CHANGE_MONEY if needs_two else Right.CHANGE_SETUP
    if not who_may(made_by, right):
        sentence = f'This change is not for {one_of(made_by)} to make: it needs the right "{right}".'
        yield found(row, "no_right", "version.made_by", sentence)
    if not needs_two:
        return
    if not version.approved_by or approved_by is None:
        sentence = "A change of money parameters needs a second person, who approves it."
        yield found(row, "second_person_missing", "version.approved_by", sentence)
    elif version.approved_by == version.made_by:
        sentence = "The same person made and approved this change. A second person approves it."
        yield found(row, "same_person_twice", "version.approved_by", sentence)
    elif not who_may(approved_by, Right.APPROVE_CHANGE):
        sentence = (
            f'This change is not for {one_of(approved_by)} to approve: it needs the right "{Right.APPROVE_CHANGE}".'
        )
        yield found(row, "no_right", "version.approved_by", sentence)


def _version_refusals(old: Floor, new: Floor) -> Iterator[Finding]:
    row = rows_of("two_persons")[0]
    if new.id != old.id:
        sentence = f'The floor "{new.id}" is not a version of "{old.id}".'
        yield found(row, "other_floor", "id", sentence)
    if new.version.number != old.version.number + 1:
        sentence = (
            f"Version {new.version.number} does not follow version {old.version.number}. Number it "
            f"{old.version.number + 1}, after looking at what changed in between."
        )
        yield found(row, "stale_version", "version.number", sentence)
    if new.version.effective_from < old.version.effective_from:
        sentence = "The new version would take effect before the old one did. Give it a later time."
        yield found(row, "version_goes_back", "version.effective_from", sentence)
    if new.demo != old.demo:
        sentence = (
            "A demonstration's ledger holds play money and a real floor's does not: neither becomes the other. Open "
            "the new floor in a store of its own."
        )
        yield found(row, "demo_stays", "demo", sentence)


def _custody_refusals(old: Floor, new: Floor, standing: Mapping[str, int], day: date) -> Iterator[Finding]:
    """Players' money in a meter does not vanish or turn into the house's by a change of setup."""
    row = law_on("custody", day) or rows_of("custody")[0]
    kept: dict[str, JackpotSetup] = {jackpot.id: jackpot for jackpot in new.jackpots}
    for jackpot in old.jackpots:
        amount = standing.get(jackpot.id, 0)
        if jackpot.kind != "progressive" or amount <= 0:
            continue
        where = f"jackpots.{jackpot.id}"
        if jackpot.id not in kept:
            sentence = (
                f'"{jackpot.id}" holds {dollars_for_people(amount)} of the players. It is not removed by a change of '
                "setup: take it off the tables, then close it, saying which progressive gets the money."
            )
            yield found(row, "jackpot_not_empty", where, sentence, effect={"standing_micros": amount})
        elif kept[jackpot.id].kind != jackpot.kind:
            sentence = f'"{jackpot.id}" holds {dollars_for_people(amount)} of the players and stays a progressive.'
            yield found(row, "kind_of_held_money", f"{where}.kind", sentence, effect={"standing_micros": amount})


def _differences(old: Floor, new: Floor) -> Iterator[FieldChange]:
    before, after = dict(_leaves(floor_data(old), "")), dict(_leaves(floor_data(new), ""))
    for where in dict.fromkeys([*before, *after]):
        if before.get(where) != after.get(where) and not where.startswith("version."):
            is_money = not NOT_MONEY & set(where.split(".")[-1:])
            yield FieldChange(where=where, old=before.get(where), new=after.get(where), is_money=is_money)


def _leaves(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Every value with its place; tables, jackpots and the like by their ids and not by their order."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, f"{where}.{name}" if where else name)
    elif isinstance(value, list) and where.rpartition(".")[2] in _KEYS and value and isinstance(value[0], dict):
        key = _KEYS[where.rpartition(".")[2]]
        for item in value:
            yield from _leaves(item, f"{where}.{item[key]}")
    else:
        yield where, ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _tables_touched(old: Floor, new: Floor, fields: tuple[FieldChange, ...]) -> tuple[str, ...]:
    """The tables named in a change, and those of the jackpots and links named; all where the whole floor is."""
    touched: dict[str, None] = {}
    for field in fields:
        kind, _, rest = field.where.partition(".")
        for floor in (old, new):
            ids = [table.id for table in floor.tables]
            if kind == "tables":
                names = [name for name in ids if rest.startswith(f"{name}.")]
            elif kind == "jackpots":
                named = [jackpot.id for jackpot in floor.jackpots if rest.startswith(f"{jackpot.id}.")]
                names = [table.id for name in named for table in floor.tables_of(name)]
            elif kind == "links":
                names = [name for link in floor.links if rest.startswith(f"{link.id}.") for name in link.tables]
            else:
                names = ids
            touched |= dict.fromkeys(names)
    return tuple(touched)
