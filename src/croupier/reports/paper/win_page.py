"""A win page in words: the manager's page, the dealer's slip and the paper that is signed say the same."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.floor.names import Names
from croupier.floor.setup import Floor
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
        tables=(_split(win),),
        amount=dollars_and_cents(win.amount_micros),
        amount_in_words=amount_in_words(win.amount_micros),
        status=win.status.replace("_", " "),
        code=win.code,
        signatures=win.signatures,
        last_entry=win.last_entry,
        last_hash=win.last_hash,
    )


def seats_text(seats: tuple[int, ...]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {list_text(seats)}"


def _facts(win: WinPage, floor: Floor) -> Iterator[PaperFact]:
    names = Names(floor)
    level = f", level {win.level}" if win.level != MAIN else ""
    yield PaperFact(label="Jackpot", text=f"{names.jackpot(win.jackpot)}{level}", detail=win.jackpot)
    hand = names.hand(win.jackpot, win.row, win.table)
    yield PaperFact(label="Winning hand", text=hand, detail=f"{win.row}, pay table {win.pay_table}")
    yield PaperFact(label="Table", text=f"{names.table(win.table)}, round {win.round}", detail=win.table)
    community = "Community Jackpot" if win.community else ""
    yield PaperFact(label="Winners", text=seats_text(win.seats), detail=community)
    each, amount = dollars_and_cents(win.each_micros), dollars_and_cents(win.amount_micros)
    yield PaperFact(label="Split", text=f"{len(win.seats)} × {each} = {amount}", detail=_rest_text(win.rest_micros))
    share = f", {float(win.share) * 100:.4g}% of it" if win.share else ""
    yield PaperFact(label="Paid from", text=f"the {win.funding}{share}")
    if win.chip_micros:
        chip = dollars_and_cents(win.chip_micros)
        yield PaperFact(
            label="Chip on the spot",
            text=f"the wager of {chip} goes back to each winner",
            detail=f"it is not part of the {each} that the {win.funding} pays",
        )
    before, after = dollars_and_cents(win.meter_before_micros), dollars_and_cents(win.meter_after_micros)
    yield PaperFact(label="Meter", text=f"{before} before, {after} after")
    if put_in := win.seed_micros + win.reserve_micros:
        parts = f"{dollars_and_cents(win.seed_micros)} + {dollars_and_cents(win.reserve_micros)}"
        yield PaperFact(label="Seed plus reserve", text=f"{parts} = {dollars_and_cents(put_in)} put into the meter")
    yield PaperFact(label="Cards", text=win.evidence or "not entered")
    if win.by_hand_second:
        who = f"{win.proposed_by} and {win.by_hand_second}"
        yield PaperFact(label="Entered by hand", text=f"by {who}: {win.by_hand_note}")
    yield PaperFact(label="Hit", text=f"{clock_text(win.hit_at)}, proposed by {win.proposed_by}")
    if win.paid_at is not None:
        approved = list_text(win.approved_by)
        yield PaperFact(
            label="Paid", text=f"{clock_text(win.paid_at)}, approved by {approved}, entered by {win.paid_by}"
        )
    if win.returned_at is not None:
        how = win.status.replace("_", " ").capitalize()
        yield PaperFact(label=how, text=f"{clock_text(win.returned_at)} by {list_text(win.returned_by)}: {win.note}")
    yield PaperFact(label="Award", text=win.award)
    yield PaperFact(label="Ledger", text=f"entry {win.entry}", detail=win.entry_hash)


def _rest_text(micros: int) -> str:
    if not micros:
        return ""
    rest = dollars_for_people(micros) if micros >= MICROS_PER_CENT else "less than a cent"
    return f"{rest} did not divide and stayed in the meter"


def _split(win: WinPage) -> PaperTable:
    each = dollars_and_cents(win.each_micros)
    rows = [PaperRow(cells=(str(seat), each)) for seat in win.seats]
    total = PaperRow(cells=("all", dollars_and_cents(win.amount_micros)), mark="sum")
    return PaperTable(id="split", title="To each seat", columns=columns("Seat", "Amount", words=1), rows=(*rows, total))
