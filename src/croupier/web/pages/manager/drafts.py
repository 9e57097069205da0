"""A draft of the next setup: a form's fields become a part of the floor's data, and the rest stays as it is.

Nothing is decided here: the draft goes through the same reading and checks as a floor's file.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from copy import deepcopy
from datetime import datetime
from typing import Any, get_args

from starlette.datastructures import UploadFile

from croupier.errors import CroupierError, SpecError, unknown
from croupier.floor import Floor, floor_data, floor_from_data
from croupier.floor.explicit import explicit_floor
from croupier.floor.setup import MOST_SEATS, MOST_SENSORS, Dealing, JackpotKind, Protocol
from croupier.floor.sign_look import MOST_LOGO_BYTES
from croupier.pay.words import parse_rate
from croupier.rules.registry import find_game, game_ids
from croupier.rules.spec import Wager
from croupier.table.shoe import shuffle_for
from croupier.web.pages.manager.shared import SentForm
from croupier.web.pages.problems import FieldError

Data = dict[str, Any]
DRAFT_REASON = "Draft."
LONGEST_ID = 60
LONGEST_SETUP_NAME = 200
LEAST_LINKED = 2
LABELS = {
    "wager_amount": "Wager amount $",
    "seed": "Seed $",
    "contribution": "Contribution",
    "reserve": "Reserve",
    "cap": "Cap $",
    "unreasonable_contribution": "Unreasonable contribution $",
    "least": "Min bet $",
    "most": "Max bet $",
}
"""What the forms call the fields whose names in a file say it otherwise."""


def table_data(form: SentForm) -> Data:
    """A table as its form says."""
    table = form.id("table", "Id")
    game = find_game(form.one_of("game", "Game", game_ids()))
    offered = [wager for wager in game.wagers if wager.kind != "progressive" and form.is_ticked(f"offer.{wager.id}")]
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
    shuffle = form.one_of("shuffle", "Shuffled", game.shuffles) if form.text("shuffle") else ""
    return {
        "id": table,
        "name": form.words("name", "Name", most=LONGEST_SETUP_NAME, may_be_empty=True),
        "game": game.id,
        "decks": int(form.one_of("decks", "Decks", map(str, game.decks))),
        "seats": form.number("seats", "Seats", least=1, most=MOST_SEATS),
        "protocol": form.one_of("protocol", "Jackpot system", get_args(Protocol)),
        "dealing": form.one_of("dealing", "Dealt by", get_args(Dealing)),
        "wagers": [_wager_data(form, wager) for wager in offered],
        "sensors": sensors,
        "settings": settings,
        "posted": form.many("posted"),
    } | _given({"shuffle": "" if shuffle == shuffle_for(game.shuffles) else shuffle})


def _wager_data(form: SentForm, wager: Wager) -> Data:
    amounts = {
        "least": f"Min bet on {wager.name}",
        "most": f"Max bet on {wager.name}",
        "aggregate_limit": f"Max payout on {wager.name} per deal",
    }
    fields = {"pay_table": form.text(f"pay_table.{wager.id}")} | {
        name: form.amount_text(f"{name}.{wager.id}", label, may_be_empty=True) for name, label in amounts.items()
    }
    return {"wager": wager.id} | _given(fields)


def jackpot_data(form: SentForm) -> Data:
    """A jackpot as its form says."""
    jackpot = form.id("jackpot", "Id")
    game, _, wager = form.text("wager").partition("/")
    readings = find_game(game).reading_switches(wager) if game in game_ids() else ()
    amounts = {"cap": LABELS["cap"], "unreasonable_contribution": LABELS["unreasonable_contribution"]}
    fields = {name: form.amount_text(name, label, may_be_empty=True) for name, label in amounts.items()}
    for name in ("contribution", "reserve"):
        fields[name] = form.text(name)
        if fields[name]:
            with form.at(name, LABELS[name]):
                parse_rate(fields[name])
    return {
        "id": jackpot,
        "level": form.text("level") or "main",
        "name": form.words("name", "Name", most=LONGEST_SETUP_NAME, may_be_empty=True),
        "kind": form.one_of("kind", "Kind", get_args(JackpotKind)),
        "game": game,
        "wager": wager,
        "pay_table": form.text("pay_table"),
        "wager_amount": form.amount_text("wager_amount", LABELS["wager_amount"]),
        "seed": form.amount_text("seed", LABELS["seed"]),
        "fixed_pays": form.one_of("fixed_pays", "Fixed pays come from", ("tray", "meter")),
        "track_fixed_pays": form.is_ticked("track_fixed_pays"),
        "settings": _given({name: form.text(f"setting.{name}") for name in readings}),
        "confirmed": form.words("confirmed", "Confirmed", most=LONGEST_SETUP_NAME, may_be_empty=True),
    } | _given(fields)


def link_data(form: SentForm) -> Data:
    link, jackpots, tables = form.id("link", "Id"), form.many("jackpots"), form.many("tables")
    if not jackpots:
        raise FieldError("Jackpots: none is ticked. Tick one at least.", field="jackpots", code="bad_floor")
    if len(tables) < LEAST_LINKED:
        raise FieldError(
            f"Tables: {len(tables)} ticked. Tick {LEAST_LINKED} at least.", field="tables", code="bad_floor"
        )
    return {"id": link, "jackpots": jackpots, "tables": tables}


def house_data(form: SentForm, old: Floor) -> Data:
    """Name, kind of house, whose card an award needs, and how its signs look."""
    approvals = {
        name: form.amount_text(name, label, may_be_empty=name != "supervisor_up_to")
        for name, label in (
            ("supervisor_up_to", "A supervisor's card is enough up to $"),
            ("two_persons_over", "Two people sign above $"),
            ("fixed_by_dealer_up_to", "A dealer may pay fixed pays alone up to $"),
        )
    }
    return {
        "name": form.words("name", "Name", most=LONGEST_SETUP_NAME, may_be_empty=True),
        "establishment": form.one_of("establishment", "Kind", ("card_room", "tribal")),
        "approvals": _given(approvals),
        "sign": _sign_data(form, old),
    }


def _sign_data(form: SentForm, old: Floor) -> Data:
    """The house's colors and logo; a file replaces the logo, none leaves it."""
    logo = "" if form.is_ticked("no_logo") else old.sign.logo
    sent = form.data.get("logo")
    if isinstance(sent, UploadFile) and sent.filename:
        picture = sent.file.read(MOST_LOGO_BYTES + 1)
        if len(picture) > MOST_LOGO_BYTES:
            raise FieldError("Logo: the file is larger than 64 KiB.", field="logo", code="bad_floor")
        logo = f"data:{sent.content_type};base64,{b64encode(picture).decode()}"
    return {
        "ground": form.text("ground") or old.sign.ground,
        "light": form.text("light") or old.sign.light,
        "logo": logo,
    }


def _given(fields: dict[str, str]) -> Data:
    """Fields that were left empty are left out, and so have their defaults."""
    return {name: text for name, text in fields.items() if text}


def with_part(floor: Floor, kind: str, old_id: str, part: Data | None) -> Data:
    """The floor's data with one table, jackpot or link put in, replaced, or taken out for None."""
    data = floor_data(floor)
    known = [known_part["id"] for known_part in data[kind]]
    if old_id and old_id not in known:
        raise unknown(kind.removesuffix("s"), old_id, known)
    if part is None:
        data[kind] = [old_part for old_part in data[kind] if old_part["id"] != old_id]
    elif old_id:
        data[kind] = [
            _kept_in_order(old_part, part) if old_part["id"] == old_id else old_part for old_part in data[kind]
        ]
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
    played = {table["id"]: [sensor["jackpot"] for sensor in table["sensors"]] for table in data["tables"]}
    links = []
    for link in data["links"]:
        jackpots = [id for id in link["jackpots"] if id in {jackpot["id"] for jackpot in data["jackpots"]}]
        tables = _in_order(link["tables"], [name for name, on_it in played.items() if set(on_it) & set(jackpots)])
        if jackpots and len(tables) > 1:
            links.append(link | {"jackpots": jackpots, "tables": tables})
    linked = {jackpot for link in links for jackpot in link["jackpots"]}
    taken = {link["id"] for link in links}
    for jackpot in data["jackpots"]:
        tables = [name for name, on_it in played.items() if jackpot["id"] in on_it]
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
    try:
        return explicit_floor(floor_from_data(data | {"version": version}))
    except SpecError as error:
        raise _at_its_field(error, data) from None


def _at_its_field(error: SpecError, data: Data) -> CroupierError:
    """What is wrong with a draft, said with the labels of its form in place of the file's path."""
    place = re.fullmatch(r"floor: (.*) - at \$\.(tables|jackpots|links)(?:\[(\d+)\](.*))?", str(error), re.DOTALL)
    if place is None:
        return SpecError(re.sub(r"^floor: | - at \$\S*$", "", str(error)), code=error.code)
    sentence, kind, index, rest = place.groups()
    if index is None:
        return FieldError(f"{kind.capitalize()}: {sentence}", field=kind, code=error.code)
    part = data[kind][int(index)]
    wager = re.match(r"\.wagers\[(\d+)\]", rest)
    name = re.sub(r"\[\d+\]", "", rest).rpartition(".")[2] or "id"
    of = part["wagers"][int(wager[1])]["wager"] if wager else ""
    label = LABELS.get(name, name.replace("_", " ").capitalize()) + (f" of the wager {of}" if of else "")
    field = {"id": kind.removesuffix("s")}.get(name, f"{name}.{of}" if of else name)
    return FieldError(f"{label}, {kind.removesuffix('s')} {part['id']}: {sentence}", field=field, code=error.code)


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
