"""Tables, meters and awards of a floor as JSON data and on the screen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.markup import escape

from croupier.cli.jackpot_session import Session
from croupier.cli.screen import console, print_json, print_table, simple_table
from croupier.floor.chips import Chips, chips_of
from croupier.floor.desk import TableView
from croupier.floor.findings import Finding
from croupier.floor.meters import Meter, Meters
from croupier.floor.roles import approval_needed, persons_needed
from croupier.floor.setup import Floor
from croupier.floor.terminal import EVERYONE, row_of
from croupier.jackpot import Award
from croupier.money import dollars_for_people
from croupier.reports.jackpot_money import exact_dollars

DEMO = "demo, play money"
AMOUNTS = ("meter", "reserve", "overflow", "pending", "paid")
SECRETS = ("card", "token")
_STYLE = {"refusal": "red", "warning": "yellow", "note": "dim"}


def table_data(view: TableView) -> dict[str, Any]:
    now = view.terminal
    return {
        "table": now.table,
        "phase": now.phase,
        "round": now.round,
        "revision": view.revision,
        "lit": [{"seat": spot.seat, "sensor": spot.sensor} for spot in now.lit],
        "picks": [{"seat": _seat(pick.seat), "sensor": pick.sensor, "hand": pick.row} for pick in now.picks],
        "claims": list(now.claims),
        "key": now.key,
        "out_of_service": now.stopped,
    }


def meter_data(meter: Meter) -> dict[str, Any]:
    return {
        "jackpot": meter.jackpot,
        "level": meter.level,
        "kind": meter.kind,
        "version": meter.version,
        **{name: exact_dollars(getattr(meter, f"{name}_micros")) for name in AMOUNTS},
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


def chips_data(chips: Chips) -> dict[str, Any]:
    return {
        "sensor": chips.sensor,
        "seats": list(chips.seats),
        "do": "leave" if chips.stay else "take_in",
        "sentence": chips.sentence,
    }


def claim_data(award: Award, floor: Floor) -> dict[str, Any]:
    """An award, and whose cards it waits for."""
    is_fixed = not row_of(floor.jackpot(award.jackpot), award.row).pays.is_share
    return award_data(award) | {
        "needs": approval_needed(award.amount_micros, floor.approvals, is_fixed_pay=is_fixed),
        "persons": persons_needed(award.amount_micros, floor.approvals),
    }


def meters_of(at: Session, jackpots: Collection[str]) -> Meters:
    """The figures of some jackpots, after something was done to them."""
    found = at.desk.figures()
    shown = tuple(meter for meter in found.shown if meter.jackpot in jackpots)
    return replace(found, shown=shown, stopped={name: why for name, why in found.stopped.items() if name in jackpots})


def meters_data(meters: Meters) -> dict[str, Any]:
    stopped = [{"jackpot": name, "why": why} for name, why in meters.stopped.items()]
    return {"meters": list(map(meter_data, meters.shown))} | ({"stopped": stopped} if stopped else {})


def _seat(seat: int) -> int | str:
    return "all" if seat == EVERYONE else seat


def answer(at: Session, data: dict[str, Any]) -> None:
    """The JSON of a verb: whether it is play money, the id of what was done, and the rest."""
    done = {"id": at.call.request_id, "by": at.actor.id} if at.actor is not None else {}
    print_json({"demo": at.demo, **done, **data})


def head(out: Console, at: Session) -> None:
    if at.demo:
        out.print(f"[yellow]{DEMO}[/yellow]")


def foot(out: Console, at: Session, *more: str) -> None:
    """Who did it and under which id, so that it can be asked again."""
    assert at.actor is not None
    parts = [f"by {at.actor.id}", *more, f"id {at.call.request_id}"]
    out.print(f"[dim]{escape(', '.join(parts))}[/dim]")


def show_row(at: Session, data: dict[str, Any]) -> None:
    """The few facts that a command answers with; a secret among them says that it is not shown again."""
    if at.call.json:
        answer(at, data)
        return
    out = console()
    head(out, at)
    table = simple_table(*(f"{name}, shown this once" if name in SECRETS else _words(name) for name in data))
    table.add_row(*(escape(_cell(value)) for value in data.values()))
    print_table(out, table)
    foot(out, at)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def show_start(at: Session, view: TableView) -> None:
    """A table after START GAME, and what becomes of its chips."""
    floor = at.floor()
    show_step(at, view, [one for one in chips_of(floor.table(view.terminal.table), floor, view.terminal) if one.seats])


def show_step(at: Session, view: TableView, chips: Sequence[Chips] | None = None) -> None:
    """A table after a step, with its meters, whatever awards the step made, and what to do with the chips."""
    floor = at.floor()
    jackpots = {jackpot.id for jackpot in floor.jackpots_at(floor.table(view.terminal.table))}
    meters = meters_of(at, jackpots)
    awards = [at.book.award(award) for award in view.awards]
    if at.call.json:
        answer(
            at,
            table_data(view)
            | meters_data(meters)
            | {"awards": [claim_data(award, floor) for award in awards]}
            | ({"chips": [chips_data(one) for one in chips]} if chips is not None else {}),
        )
        return
    out = console()
    head(out, at)
    print_tables(out, [view])
    print_meters(out, meters)
    if awards:
        print_claims(out, awards, floor)
    for one in chips or ():
        out.print(escape(one.sentence))
    foot(out, at, f"revision {view.revision}")


def show_award(at: Session, award_id: str) -> None:
    """An award after it was paid, rejected or backed out."""
    award = at.book.award(award_id)
    meters = meters_of(at, {award.jackpot})
    if at.call.json:
        answer(at, award_data(award) | meters_data(meters))
        return
    out = console()
    head(out, at)
    print_awards(out, [award])
    print_meters(out, meters)
    foot(out, at)


def print_tables(out: Console, views: Iterable[TableView]) -> None:
    table = simple_table("table", "state", "lit", "picked", "claims", "revision", numbers=("revision",))
    for view in views:
        now = view.terminal
        state = f"round {now.round}, locked" if now.phase == "locked" else f"open after round {now.round}"
        if now.round == 0:
            state = "open"
        if now.key != "run":
            state += ", key at JPH"
        if now.stopped:
            state += f", out of service: {now.stopped}"
        lit = [str(spot.seat) if spot.sensor == 1 else f"{spot.seat}/{spot.sensor}" for spot in now.lit]
        picks = [f"{_seat(pick.seat)}: {pick.row}" for pick in now.picks]
        cells = [now.table, state, " ".join(lit), ", ".join(picks), ", ".join(now.claims), str(view.revision)]
        table.add_row(*map(escape, cells))
    print_table(out, table)


def print_meters(out: Console, meters: Meters) -> None:
    """The meters as a table, and a line for each jackpot that is stopped."""
    table = simple_table("jackpot", "level", "kind", *AMOUNTS, "version", numbers=(*AMOUNTS, "version"))
    for meter in meters.shown:
        amounts = [dollars_for_people(getattr(meter, f"{name}_micros")) for name in AMOUNTS]
        table.add_row(escape(meter.jackpot), escape(meter.level), meter.kind, *amounts, str(meter.version))
    if table.row_count:
        print_table(out, table)
    for name, why in meters.stopped.items():
        out.print(f"[red]{escape(name)} is stopped:[/red] {escape(why)} Look with croupier jackpot verify.")


def _award_cells(award: Award) -> list[str]:
    return [
        escape(award.id),
        escape(award.jackpot),
        escape(f"{award.table}, round {award.round}"),
        " ".join(map(str, award.seats)),
        escape(award.row),
        dollars_for_people(award.each_micros)
        + (f", and the chip of {dollars_for_people(award.chip_micros)} back" if award.chip_micros else ""),
        dollars_for_people(award.amount_micros),
    ]


_AWARD = ("award", "jackpot", "table", "seats", "hand", "each", "amount")


def print_awards(out: Console, awards: Iterable[Award]) -> None:
    table = simple_table(*_AWARD, "status", "approved by", numbers=("each", "amount"))
    for award in awards:
        table.add_row(*_award_cells(award), award.status, escape(", ".join(award.approved_by)))
    print_table(out, table)


def print_claims(out: Console, awards: Iterable[Award], floor: Floor) -> None:
    table = simple_table(*_AWARD, "needs", numbers=("each", "amount"))
    for award in awards:
        claim = claim_data(award, floor)
        needs = f"{claim['needs']} or higher" if claim["needs"] != "executive" else "executive"
        table.add_row(*_award_cells(award), f"two: {needs}" if claim["persons"] > 1 else needs)
    print_table(out, table)


def print_findings(out: Console, findings: Iterable[Finding]) -> None:
    for one in findings:
        style = _STYLE[one.severity]
        out.print(f"[{style}]{one.severity}[/{style}] {one.code} at {escape(one.where)}: {escape(one.sentence)}")
        out.print(f"  [dim]{escape(one.rule)}: {escape(one.citation)}[/dim]")
