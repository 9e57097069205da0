"""A draft of the next set-up: a form's fields become a part of the floor's data, and the rest stays as it is.

Nothing is decided here: the draft goes through the same reading and checks as a floor's file.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from datetime import datetime
from typing import Any

from croupier.errors import unknown
from croupier.floor import Floor, floor_data, floor_from_data
from croupier.floor.setup import MOST_SENSORS
from croupier.rules.registry import find_game
from croupier.web.pages.manager_parts import Sent

Data = dict[str, Any]
DRAFT_REASON = "Draft."
LONGEST_ID = 60


def table_data(form: Sent) -> Data:
    """A table as its form says."""
    game = find_game(form.text("game"))
    wagers = []
    for wager in game.wagers:
        if wager.kind == "progressive" or not form.is_ticked(f"offer.{wager.id}"):
            continue
        fields = {
            "pay_table": form.text(f"pay_table.{wager.id}"),
            "least": form.text(f"least.{wager.id}"),
            "most": form.text(f"most.{wager.id}"),
            "aggregate_limit": form.text(f"aggregate_limit.{wager.id}"),
        }
        wagers.append({"wager": wager.id} | _given(fields))
    sensors = [
        {"number": number, "jackpot": jackpot}
        for number in range(1, MOST_SENSORS + 1)
        if (jackpot := form.text(f"sensor.{number}"))
    ]
    settings = {
        switch.id: value
        for switch in game.switches
        if (value := form.text(f"setting.{switch.id}")) and value != switch.default
    }
    return {
        "id": form.text("table"),
        "name": form.text("name"),
        "game": game.id,
        "decks": form.number("decks", "Decks"),
        "seats": form.number("seats", "Seats"),
        "protocol": form.text("protocol"),
        "dealing": form.text("dealing"),
        "wagers": wagers,
        "sensors": sensors,
        "settings": settings,
        "posted": form.many("posted"),
    }


def jackpot_data(form: Sent) -> Data:
    """A jackpot as its form says."""
    game, _, wager = form.text("wager").partition("/")
    fields = {name: form.text(name) for name in ("contribution", "reserve", "cap", "unreasonable_contribution")}
    return {
        "id": form.text("jackpot"),
        "level": form.text("level") or "main",
        "name": form.text("name"),
        "kind": form.text("kind"),
        "game": game,
        "wager": wager,
        "pay_table": form.text("pay_table"),
        "wager_amount": form.text("wager_amount"),
        "seed": form.text("seed"),
        "fixed_pays": form.text("fixed_pays"),
        "track_fixed_pays": form.is_ticked("track_fixed_pays"),
    } | _given(fields)


def link_data(form: Sent) -> Data:
    return {"id": form.text("link"), "jackpots": form.many("jackpots"), "tables": form.many("tables")}


def house_data(form: Sent) -> Data:
    """Name, kind of house, and whose card an award needs."""
    approvals = {
        "supervisor_up_to": form.text("supervisor_up_to"),
        "two_persons_over": form.text("two_persons_over"),
        "fixed_by_dealer_up_to": form.text("fixed_by_dealer_up_to"),
    }
    return {"name": form.text("name"), "establishment": form.text("establishment"), "approvals": _given(approvals)}


def _given(fields: dict[str, str]) -> Data:
    """Fields that were left empty are left out, and so have their defaults."""
    return {name: text for name, text in fields.items() if text}


def with_part(floor: Floor, kind: str, old_id: str, part: Data | None) -> Data:
    """The floor's data with one table, jackpot or link put in, replaced, or taken out for None."""
    data = floor_data(floor)
    known = [one["id"] for one in data[kind]]
    if old_id and old_id not in known:
        raise unknown(kind.removesuffix("s"), old_id, known)
    if part is None:
        data[kind] = [one for one in data[kind] if one["id"] != old_id]
    elif old_id:
        data[kind] = [_kept_in_order(one, part) if one["id"] == old_id else one for one in data[kind]]
    else:
        data[kind] = [*data[kind], part]
    return data


def _kept_in_order(old: Data, new: Data) -> Data:
    """Boxes are ticked in no order: lists of names keep the one they had."""
    lists = ("posted", "jackpots", "tables")
    return new | {name: _in_order(old[name], new[name]) for name in lists if name in old and name in new}


def with_links(data: Data) -> Data:
    """Links follow from the sensors: a table that plays for a linked jackpot is in its link, one that no longer does
    is not; a jackpot at several tables without a link gets one."""
    data = deepcopy(data)
    played = {one["id"]: [sensor["jackpot"] for sensor in one["sensors"]] for one in data["tables"]}
    links = []
    for link in data["links"]:
        jackpots = [one for one in link["jackpots"] if one in {jackpot["id"] for jackpot in data["jackpots"]}]
        tables = _in_order(link["tables"], [name for name, found in played.items() if set(found) & set(jackpots)])
        if jackpots and len(tables) > 1:
            links.append(link | {"jackpots": jackpots, "tables": tables})
    linked = {jackpot for link in links for jackpot in link["jackpots"]}
    taken = {link["id"] for link in links}
    for jackpot in data["jackpots"]:
        tables = [name for name, found in played.items() if jackpot["id"] in found]
        if len(tables) > 1 and jackpot["id"] not in linked:
            name = jackpot["id"] if jackpot["id"] not in taken else f"{jackpot['id']}_link"
            links.append({"id": name, "jackpots": [jackpot["id"]], "tables": tables})
    return data | {"links": links}


def _in_order(before: Iterable[str], now: list[str]) -> list[str]:
    """Those of now, the old ones in their old order first, so that a change shows only what changed."""
    kept = [name for name in before if name in now]
    return [*kept, *(name for name in now if name not in kept)]


def draft_of(data: Data, old: Floor, *, at: datetime, by: str) -> Floor:
    """The data as the next version of the floor. What was made from the version in force is the next one; any other
    number stays, so that what was made for an older version is refused as stale."""
    number = _version(data).get("number")
    version = {
        "number": number + 1 if number == old.version.number else number,
        "effective_from": max(at, old.version.effective_from).isoformat(),
        "made_by": id_of(by),
        "reason": DRAFT_REASON,
    }
    return floor_from_data(data | {"version": version})


def signed(data: Data, *, by: str, second: str, reason: str) -> Floor:
    """A draft with its signatures; number and time are the draft's, so a form that is sent twice asks for the same."""
    signatures = {"made_by": id_of(by), "approved_by": id_of(second), "reason": reason}
    return floor_from_data(data | {"version": _version(data) | signatures})


def _version(data: Data) -> Data:
    version = data.get("version")
    return version if isinstance(version, dict) else {}


def id_of(person: str) -> str:
    """Ids of a floor's file are lower case; who exactly signed stands in the ledger's entry."""
    return person.lower()[:LONGEST_ID]
