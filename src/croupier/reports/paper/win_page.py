"""A win page in words: the manager's page, the dealer's slip and the paper that is signed say the same."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.floor.names import Names
from croupier.floor.setup import Floor
from croupier.house_time import time_text
from croupier.jackpot import JackpotHit
from croupier.jackpot.commands import MAIN
from croupier.money import MICROS_PER_CENT, dollars_and_cents, dollars_for_people
from croupier.reports.books.awards import WinPage
from croupier.reports.formatting import list_text, share_text
from croupier.reports.paper.amount_words import amount_in_words
from croupier.reports.paper.model import Paper, house_of
from croupier.reports.report import Column, Fact, Facts, Row, Table


def win_paper(win: WinPage, floor: Floor) -> Paper:
    status = win.line.status.replace("_", " ")
    return Paper(
        name="win_page",
        title="Jackpot win page",
        subtitle=f"{house_of(floor)}, {status.upper()}",
        house=house_of(floor),
        is_demo=floor.demo,
        blocks=(Facts(tuple(_facts(win, floor))), _split(win.line.hit)),
        amount=dollars_and_cents(win.line.hit.amount_micros),
        amount_in_words=amount_in_words(win.line.hit.amount_micros),
        status=status,
        code=win.code,
        signatures=win.signatures,
        last_entry=win.last_entry,
        last_hash=win.last_hash,
    )


def seats_text(seats: tuple[int, ...]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {list_text(seats)}"


def _facts(win: WinPage, floor: Floor) -> Iterator[Fact]:
    names, line, hit = Names(floor), win.line, win.line.hit
    level = f", level {hit.level}" if hit.level != MAIN else ""
    yield Fact(label="Jackpot", text=f"{names.jackpot(hit.jackpot)}{level}", detail=hit.jackpot)
    hand = names.hand(hit.jackpot, hit.row, hit.table)
    yield Fact(label="Winning hand", text=hand, detail=f"{hit.row}, pay table {hit.pay_table}")
    yield Fact(label="Table", text=f"{names.table(hit.table)}, round {hit.round}", detail=hit.table)
    community = "Community Jackpot" if hit.community else ""
    yield Fact(label="Winners", text=seats_text(hit.seats), detail=community)
    each, amount = dollars_and_cents(hit.each_micros), dollars_and_cents(hit.amount_micros)
    yield Fact(label="Split", text=f"{len(hit.seats)} × {each} = {amount}", detail=_rest_text(hit.rest_micros))
    share = f", {share_text(float(win.share))} of it" if win.share else ""
    yield Fact(label="Paid from", text=f"the {hit.funding}{share}")
    if hit.chip_micros:
        chip = dollars_and_cents(hit.chip_micros)
        yield Fact(
            label="Chip on the spot",
            text=f"the wager of {chip} goes back to each winner",
            detail=f"it is not part of the {each} that the {hit.funding} pays",
        )
    before, after = dollars_and_cents(hit.meter_before_micros), dollars_and_cents(hit.meter_after_micros)
    yield Fact(label="Meter", text=f"{before} before, {after} after")
    if put_in := hit.seed_micros + hit.reserve_micros:
        parts = f"{dollars_and_cents(hit.seed_micros)} + {dollars_and_cents(hit.reserve_micros)}"
        yield Fact(label="Seed plus reserve", text=f"{parts} = {dollars_and_cents(put_in)} put into the meter")
    yield Fact(label="Cards", text=hit.evidence or "not entered")
    if hit.second:
        who = f"{line.proposed_by} and {hit.second}"
        yield Fact(label="Entered by hand", text=f"by {who}: {hit.note}")
    yield Fact(label="Hit", text=f"{time_text(line.hit_at)}, proposed by {line.proposed_by}")
    if line.paid_at is not None:
        approved = list_text(line.approved_by)
        yield Fact(label="Paid", text=f"{time_text(line.paid_at)}, approved by {approved}, entered by {line.paid_by}")
    if line.returned_at is not None:
        how = line.status.replace("_", " ").capitalize()
        yield Fact(label=how, text=f"{time_text(line.returned_at)} by {list_text(line.returned_by)}: {line.note}")
    yield Fact(label="Award", text=hit.award)
    yield Fact(label="Ledger", text=f"entry {line.latest.entry.seq}", detail=line.latest.hash)


def _rest_text(micros: int) -> str:
    if not micros:
        return ""
    rest = dollars_for_people(micros) if micros >= MICROS_PER_CENT else "less than a cent"
    return f"{rest} did not divide and stayed in the meter"


def _split(hit: JackpotHit) -> Table:
    lines = [Row((str(seat), hit.each_micros)) for seat in hit.seats]
    return Table(
        id="split",
        title="To each seat",
        columns=(Column("Seat"), Column("Amount", "cents")),
        rows=(*lines, Row(("all", hit.amount_micros), "sum")),
    )
