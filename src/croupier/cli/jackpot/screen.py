"""Answers of `croupier jackpot`: JSON, or the same data as tables. Reports are shown as they stand on paper."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from croupier.cli.jackpot.options import Call
from croupier.cli.jackpot.session import FloorSession
from croupier.cli.screen import console, print_json
from croupier.floor.approval import approval_for
from croupier.floor.chips import Chips
from croupier.floor.meters import Meter, Meters
from croupier.floor.roles import persons_needed
from croupier.floor.service import TableView
from croupier.floor.setup import Floor
from croupier.floor.terminal import EVERYONE
from croupier.jackpot import Award
from croupier.reports.formatting import exact_dollars, exact_for_people, micros_of
from croupier.reports.paper.model import Paper
from croupier.reports.render.terminal import print_blocks, print_facts, print_table, simple_table

DEMO = "demo, play money"
AMOUNTS = ("meter", "reserve", "overflow", "pending", "paid")
SECRETS = ("card", "token")
IN_A_LINE = ("lit", "picks")
"""Lists so short that they stand in a line: `seat/sensor`, `seat/sensor/hand`."""
_SEVERITIES = {"refusal": "red", "warning": "yellow", "note": "dim"}
_MONEY = re.compile(r"-?\d+\.\d{2,6}", re.ASCII)
_NOTHING = ("", "$0.00", "0")


# Data: the keys are part of the stable interface.


def table_data(view: TableView) -> dict[str, Any]:
    now = view.terminal
    return {
        "table": now.table,
        "phase": now.phase,
        "round": now.round,
        "revision": view.revision,
        "lit": [{"seat": spot.seat, "sensor": spot.sensor} for spot in now.lit],
        "picks": [
            {"seat": "all" if pick.seat == EVERYONE else pick.seat, "sensor": pick.sensor, "hand": pick.row}
            for pick in now.picks
        ],
        "claims": list(now.claims),
        "key": now.key,
        "out_of_service": now.stopped,
    }


def award_data(award: Award) -> dict[str, Any]:
    return {
        "award": award.id,
        "status": award.status,
        "jackpot": award.jackpot,
        "table": award.table,
        "round": award.round,
        "seats": list(award.seats),
        "hand": award.row,
        "each": exact_dollars(award.each_micros),
        "chip": exact_dollars(award.chip_micros or 0),
        "amount": exact_dollars(award.amount_micros),
        "from": award.funding,
        "seed": exact_dollars(award.seed_micros),
        "reserve": exact_dollars(award.reserve_micros),
        "approved_by": list(award.approved_by),
    }


def claim_data(award: Award, floor: Floor) -> dict[str, Any]:
    """An award, and whose cards it waits for."""
    return award_data(award) | {
        "needs": approval_for(award, floor),
        "persons": persons_needed(award.amount_micros, floor.approvals),
    }


def chips_data(chips: Chips) -> dict[str, Any]:
    return {
        "sensor": chips.sensor,
        "seats": list(chips.seats),
        "do": "leave" if chips.stay else "take_in",
        "sentence": chips.sentence,
    }


def meters_data(meters: Meters, jackpots: Collection[str] | None = None) -> dict[str, Any]:
    """The meters of these jackpots, or of all; those that are stopped apart."""
    is_wanted = (lambda name: True) if jackpots is None else jackpots.__contains__
    stopped = [{"jackpot": name, "why": why} for name, why in meters.stopped.items() if is_wanted(name)]
    shown = [_meter_data(meter) for meter in meters.shown if is_wanted(meter.jackpot)]
    return {"meters": shown} | ({"stopped": stopped} if stopped else {})


def _meter_data(meter: Meter) -> dict[str, Any]:
    return {
        "jackpot": meter.jackpot,
        "level": meter.level,
        "kind": meter.kind,
        "version": meter.version,
        **{name: exact_dollars(getattr(meter, f"{name}_micros")) for name in AMOUNTS},
    }


# Showing.


def show(at: FloorSession, data: Mapping[str, Any]) -> None:
    """What a verb answers: whether it is play money, who did it under which id, and the rest."""
    if at.call.json:
        done = {"id": at.call.request_id, "by": at.actor.id} if at.actor is not None else {}
        print_json({"demo": at.demo, **done, **data})
        return
    out = console()
    print_head(out, at)
    print_data(out, data)
    if at.actor is not None and not at.only_looks:
        second = [f"countersigned by {at.second.id}"] if at.second is not None else []
        out.print(f"[dim]{escape(', '.join([f'by {at.actor.id}', *second, f'id {at.call.request_id}']))}[/dim]")


def show_data(call: Call, data: Mapping[str, Any]) -> None:
    """The answer of a verb that asks for no card and no floor."""
    if call.json:
        print_json(data)
    else:
        print_data(console(), data)


def print_head(out: Console, at: FloorSession) -> None:
    if at.demo:
        out.print(f"[yellow]{DEMO}[/yellow]")


def print_data(out: Console, data: Mapping[str, Any]) -> None:
    """Plain values first, then each list of rows as a table under its name."""
    rows = {name: value for name, value in data.items() if _is_rows(name, value)}
    facts = [(name, _text(value)) for name, value in data.items() if name not in rows]
    facts = [(name, text) for name, text in facts if text not in _NOTHING] or [(name, "none") for name, _ in facts]
    print_facts(
        out, ((f"{_words(name)}, shown this once" if name in SECRETS else _words(name), text) for name, text in facts)
    )
    for name, value in rows.items():
        if name == "findings":
            print_findings(out, value)
            continue
        out.print(f"\n[bold]{escape(_words(name))}[/bold]")
        if isinstance(value, dict):
            print_facts(out, ((_words(part), _text(inner)) for part, inner in value.items()))
        else:
            _print_rows(out, value)


def _is_rows(name: str, value: Any) -> bool:
    if name in IN_A_LINE or not value:
        return False
    return isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], dict))


def _print_rows(out: Console, rows: Sequence[Mapping[str, Any]]) -> None:
    """Rows without the columns in which none of them has anything."""
    cells = [{name: _text(value) for name, value in row.items()} for row in rows]
    names = [name for name in rows[0] if any(row[name] not in _NOTHING for row in cells)]
    numbers = tuple(_words(name) for name in names if all(_is_number(row[name]) for row in rows))
    table = simple_table(*map(_words, names), numbers=numbers)
    for row in cells:
        table.add_row(*(escape(row[name]) for name in names))
    print_table(out, table)


def print_findings(out: Console, findings: Iterable[Mapping[str, Any]]) -> None:
    for finding in findings:
        style = _SEVERITIES[finding["severity"]]
        sentence = escape(f"{finding['code']} at {finding['where']}: {finding['sentence']}")
        out.print(f"[{style}]{finding['severity']}[/{style}] {sentence}")
        out.print(f"  [dim]{escape(finding['rule'])}: {escape(finding['citation'])}[/dim]")


def print_paper(out: Console, paper: Paper) -> None:
    """A report in the words of its page and its PDF, without what is blank."""
    amount = f": {paper.amount}, {paper.status}" if paper.amount else ""
    out.print(f"[bold]{escape(paper.title)}[/bold]{escape(amount)}")
    for line in (paper.subtitle, paper.amount_in_words, f"code {paper.code}" if paper.code else ""):
        if line:
            out.print(escape(line))
    print_blocks(out, paper.blocks)
    out.print(f"[dim]last entry {paper.last_entry}: {paper.last_hash}[/dim]", soft_wrap=True)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and _MONEY.fullmatch(value) is not None)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and _MONEY.fullmatch(value):
        return exact_for_people(micros_of(value))
    if isinstance(value, list | tuple):
        return " ".join(map(_text, value))
    if isinstance(value, dict):
        return "/".join(map(str, value.values()))
    return "" if value is None else str(value)


def _words(name: str) -> str:
    return name.replace("_", " ")
