"""A win page in words: the manager's page, the dealer's slip and the paper that is signed say the same."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.floor.names import Names
from croupier.floor.setup import Floor
from croupier.jackpot import JackpotHit
from croupier.jackpot.commands import MAIN
from croupier.money import MICROS_PER_CENT, dollars_and_cents, dollars_for_people
from croupier.reports.books.awards import WinPage
from croupier.reports.paper.amount_words import amount_in_words
from croupier.reports.paper.model import (
    Paper,
    PaperFact,
    PaperRow,
    PaperTable,
    clock_text,
    columns,
    house_of,
    list_text,
)


def win_paper(win: WinPage, floor: Floor) -> Paper:
    return Paper(
        name="win_page",
        title="Jackpot win page",
        house=house_of(floor),
        is_demo=floor.demo,
        period="",
        facts=tuple(_facts(win, floor)),
        tables=(_split(win.line.hit),),
        amount=dollars_and_cents(win.line.hit.amount_micros),
        amount_in_words=amount_in_words(win.line.hit.amount_micros),
        status=win.line.status.replace("_", " "),
        code=win.code,
        signatures=win.signatures,
        last_entry=win.last_entry,
        last_hash=win.last_hash,
    )


def seats_text(seats: tuple[int, ...]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {list_text(seats)}"


def _facts(win: WinPage, floor: Floor) -> Iterator[PaperFact]:
    names, line, hit = Names(floor), win.line, win.line.hit
    level = f", level {hit.level}" if hit.level != MAIN else ""
    yield PaperFact(label="Jackpot", text=f"{names.jackpot(hit.jackpot)}{level}", detail=hit.jackpot)
    hand = names.hand(hit.jackpot, hit.row, hit.table)
    yield PaperFact(label="Winning hand", text=hand, detail=f"{hit.row}, pay table {hit.pay_table}")
    yield PaperFact(label="Table", text=f"{names.table(hit.table)}, round {hit.round}", detail=hit.table)
    community = "Community Jackpot" if hit.community else ""
    yield PaperFact(label="Winners", text=seats_text(hit.seats), detail=community)
    each, amount = dollars_and_cents(hit.each_micros), dollars_and_cents(hit.amount_micros)
    yield PaperFact(label="Split", text=f"{len(hit.seats)} × {each} = {amount}", detail=_rest_text(hit.rest_micros))
    share = f", {float(win.share) * 100:.4g}% of it" if win.share else ""
    yield PaperFact(label="Paid from", text=f"the {hit.funding}{share}")
    if hit.chip_micros:
        chip = dollars_and_cents(hit.chip_micros)
        yield PaperFact(
            label="Chip on the spot",
            text=f"the wager of {chip} goes back to each winner",
            detail=f"it is not part of the {each} that the {hit.funding} pays",
        )
    before, after = dollars_and_cents(hit.meter_before_micros), dollars_and_cents(hit.meter_after_micros)
    yield PaperFact(label="Meter", text=f"{before} before, {after} after")
    if put_in := hit.seed_micros + hit.reserve_micros:
        parts = f"{dollars_and_cents(hit.seed_micros)} + {dollars_and_cents(hit.reserve_micros)}"
        yield PaperFact(label="Seed plus reserve", text=f"{parts} = {dollars_and_cents(put_in)} put into the meter")
    yield PaperFact(label="Cards", text=hit.evidence or "not entered")
    if hit.second:
        who = f"{line.proposed_by} and {hit.second}"
        yield PaperFact(label="Entered by hand", text=f"by {who}: {hit.note}")
    yield PaperFact(label="Hit", text=f"{clock_text(line.hit_at)}, proposed by {line.proposed_by}")
    if line.paid_at is not None:
        approved = list_text(line.approved_by)
        yield PaperFact(
            label="Paid", text=f"{clock_text(line.paid_at)}, approved by {approved}, entered by {line.paid_by}"
        )
    if line.returned_at is not None:
        how = line.status.replace("_", " ").capitalize()
        yield PaperFact(label=how, text=f"{clock_text(line.returned_at)} by {list_text(line.returned_by)}: {line.note}")
    yield PaperFact(label="Award", text=hit.award)
    yield PaperFact(label="Ledger", text=f"entry {line.latest.entry.seq}", detail=line.latest.hash)


def _rest_text(micros: int) -> str:
    if not micros:
        return ""
    rest = dollars_for_people(micros) if micros >= MICROS_PER_CENT else "less than a cent"
    return f"{rest} did not divide and stayed in the meter"


def _split(hit: JackpotHit) -> PaperTable:
    each = dollars_and_cents(hit.each_micros)
    rows = [PaperRow(cells=(str(seat), each)) for seat in hit.seats]
    total = PaperRow(cells=("all", dollars_and_cents(hit.amount_micros)), mark="sum")
    return PaperTable(id="split", title="To each seat", columns=columns("Seat", "Amount", words=1), rows=(*rows, total))
