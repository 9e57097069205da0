"""The books of a floor in words: hits, accrual, reconciliation, deposit, achieved against theory, audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import Any

from croupier.floor.names import Names
from croupier.floor.setup import Floor
from croupier.house_time import date_text, time_text
from croupier.money import dollars_and_cents
from croupier.reports.books.access import AccessReview
from croupier.reports.books.accrual import Accrual, AccrualLine
from croupier.reports.books.achieved import Achieved, AchievedLine
from croupier.reports.books.audit import SET_BACK, Audit, AuditLine, audit_note
from croupier.reports.books.awards import HitLine, Hits, WinPage
from croupier.reports.books.data import NAMES
from croupier.reports.books.deposit import Deposit
from croupier.reports.books.period import LedgerReport, PeriodReport
from croupier.reports.books.reconciliation import Reconciliation, ReconciliationLine
from croupier.reports.formatting import Value
from croupier.reports.paper.model import Paper, house_of, period_text
from croupier.reports.paper.win_page import win_paper
from croupier.reports.report import Block, Cell, Column, Fact, Facts, Note, Row, Table, columns
from croupier.store.sums import DENIED

SIGNATURES = ("Prepared by, date", "Reviewed by, date")
ADDS_UP = "Every account closes at the ledger's own balance, and every jackpot adds up to zero."
BAND = "The band holds 95% of such periods: one figure in twenty lies outside by chance."
Cells = tuple[Value | Cell, ...]


def paper_of(report: LedgerReport, floor: Floor) -> Paper:
    """Any report of the ledger."""
    if isinstance(report, WinPage):
        return win_paper(report, floor)
    title, blocks_of = _BOOKS[type(report)]
    blocks: tuple[Block, ...] = tuple(blocks_of(report, Names(floor)))
    return Paper(
        name=NAMES[type(report)],
        title=title,
        subtitle=_subtitle(report),
        house=house_of(floor),
        is_demo=floor.demo,
        blocks=blocks,
        signatures=SIGNATURES,
        last_entry=report.last_entry,
        last_hash=report.last_hash,
    )


def _subtitle(report: LedgerReport) -> str:
    """What time it covers; blank where that means nothing."""
    if isinstance(report, PeriodReport):
        return period_text(report.start, report.end)
    if isinstance(report, Hits) and report.lines:
        return f"{len(report.lines):,} awards, the latest first"
    if isinstance(report, Deposit):
        return f"{date_text(report.day)}, all deposited up to {time_text(report.last_deposit)}"
    return ""


def _amounts(line: object, names: Iterable[str]) -> Cells:
    return tuple(getattr(line, f"{name}_micros") for name in names)


def _sums(lines: Iterable[object], names: Iterable[str]) -> Cells:
    lines = list(lines)
    return tuple(sum(getattr(line, f"{name}_micros") for line in lines) for name in names)


# Hits


_HIT_COLUMNS = (
    Column("Award", id="award"),
    Column("Entry", "number"),
    Column("Hit at", "time"),
    *columns("Jackpot", "Table", "Seats", "Hand"),
    *columns("Amount", "Each", "Meter before", "Meter after", kind="cents"),
    *columns("Status", "Proposed", "Approved"),
)


def _hits(report: Hits, names: Names) -> Iterator[Block]:
    lines = report.lines
    stand = [line.hit.amount_micros for line in lines if line.status in ("pending", "paid")]
    blank = (None,) * 6
    total = Row((f"{len(lines):,} hit, {len(stand):,} of them stand", *blank, sum(stand), *blank), "sum")
    rows = [Row(_hit_cells(line, names)) for line in lines]
    yield Table(
        id="hits",
        title="Awards",
        columns=_HIT_COLUMNS,
        rows=(*rows, total) if rows else (),
        empty="Nothing was hit yet.",
    )


def _hit_cells(line: HitLine, names: Names) -> Cells:
    hit = line.hit
    return (
        hit.award,
        str(line.entry),
        line.hit_at,
        names.jackpot(hit.jackpot),
        f"{names.table(hit.table)}, round {hit.round}",
        " ".join(map(str, hit.seats)),
        names.hand(hit.jackpot, hit.row, hit.table),
        *_amounts(hit, ("amount", "each", "meter_before", "meter_after")),
        line.status.replace("_", " "),
        line.proposed_by,
        ", ".join(line.approved_by),
    )


# Shift and day


_ACCRUAL_COLUMNS = (
    *columns("Jackpot", "Table"),
    *columns("Rounds", "Wagers", kind="count"),
    *columns("Wagered", "Meter", "Reserve", "Overflow", "Receipts", "Void", kind="money"),
    Column("Hits", "count"),
    *columns("Hit", "Paid", "Seed", "Adjusted", kind="money"),
)


def _accrual(report: Accrual, names: Names) -> Iterator[Block]:
    yield Facts(_accrual_facts(report.line()))
    yield Table(
        id="accrual",
        title="By jackpot and table",
        columns=_ACCRUAL_COLUMNS,
        rows=tuple(_accrual_row(line, names) for line in report.lines),
        empty="Nothing happened in this time.",
    )


def _number(many: int, what: str) -> str:
    return f"{many:,} {what}" if many == 1 else f"{many:,} {what}s"


def _accrual_facts(all_of_it: AccrualLine) -> tuple[Fact, ...]:
    one = all_of_it
    void = f", {one.rounds_voided:,} void" if one.rounds_voided else ""
    shown = dollars_and_cents
    recorded = f"; {shown(one.recorded_receipts_micros)} recorded by hand" if one.recorded_receipts_micros else ""
    returned = f", returned {shown(one.seed_returned_micros)}" if one.seed_returned_micros else ""
    hits = f"{_number(one.hits, 'hit')} of {shown(one.hit_micros)}"
    return tuple(
        Fact(label=label, text=shown(micros), detail=detail)
        for label, micros, detail in (
            ("Wagered", one.wagered_micros, f"{_number(one.wagers, 'wager')} in {_number(one.rounds, 'round')}{void}"),
            (
                "To the meters",
                one.meter_micros,
                f"reserve {shown(one.reserve_micros)}, overflow {shown(one.overflow_micros)}",
            ),
            (
                "Paid",
                one.paid_micros,
                f"{hits}; {one.awards_rejected:,} rejected, {one.awards_backed_out:,} backed out",
            ),
            (
                "Gross receipts",
                one.receipts_micros,
                f"seed advanced {shown(one.seed_advanced_micros)}{returned}{recorded}",
            ),
        )
    )


def _accrual_row(line: AccrualLine, names: Names) -> Row:
    cells = (
        names.jackpot(line.jackpot) if line.jackpot else "all",
        names.table(line.table) if line.table else "all",
        line.rounds,
        line.wagers,
        *_amounts(line, ("wagered", "meter", "reserve", "overflow", "receipts", "voided")),
        line.hits,
        *_amounts(line, ("hit", "paid")),
        line.seed_advanced_micros - line.seed_returned_micros,
        line.adjusted_micros,
    )
    return Row(cells, "" if line.jackpot and line.table else "sum")


# Reconciliation


_MOVED = tuple(
    field.name.removesuffix("_micros")
    for field in fields(ReconciliationLine)
    if field.name.endswith("_micros") and field.name not in ("opening_micros", "closing_micros", "balance_micros")
)


def _reconciliation(report: Reconciliation, names: Names) -> Iterator[Block]:
    yield Note(ADDS_UP, "good") if report.is_good else Note(_not_good(report), "bad")
    moved = [name for name in _MOVED if any(getattr(line, f"{name}_micros") for line in report.lines)]
    shown = ("opening", *moved, "closing")
    rows: list[Row] = []
    for jackpot in dict.fromkeys(line.jackpot for line in report.lines):
        lines = [line for line in report.lines if line.jackpot == jackpot]
        for line in lines:
            amounts = (amount or None for amount in _amounts(line, shown))
            cells = (names.jackpot(jackpot), line.level, line.account, *amounts, "yes" if line.closes else "no")
            rows.append(Row(cells, "" if line.closes else "bad"))
        is_bad = jackpot in report.not_zero
        cells = (names.jackpot(jackpot), "", "adds up to", *_sums(lines, shown), "no" if is_bad else "yes")
        rows.append(Row(cells, "bad" if is_bad else "sum"))
    yield Table(
        id="reconciliation",
        title="Accounts",
        columns=(
            *columns("Jackpot", "Level", "Account"),
            *columns("Opening", *map(str.capitalize, moved), "Closing", kind="money"),
            Column("Closes"),
        ),
        rows=tuple(rows),
        empty="The ledger is empty.",
    )


def _not_good(report: Reconciliation) -> str:
    parts = ["It does not add up."]
    if report.not_closing:
        parts.append(f"Not closing: {', '.join(report.not_closing)}.")
    if report.not_zero:
        parts.append(f"Not zero: {', '.join(report.not_zero)}.")
    return " ".join([*parts, "Take the tables out of service and verify the ledger."])


# Deposit


_HELD = ("display", "reserve", "overflow", "pending", "held", "held_at_deposit", "accrued")


def _deposit(report: Deposit, names: Names) -> Iterator[Block]:
    if report.findings:
        yield Note(" ".join(report.findings), "bad")
    yield Facts(tuple(_deposit_facts(report)))
    lines = report.standings
    rows = tuple(Row((names.jackpot(line.jackpot), line.kind, *_amounts(line, _HELD))) for line in lines)
    heads = (name.capitalize().replace("_", " ") for name in _HELD)
    yield Table(
        id="deposit",
        title="What the jackpots hold",
        columns=(*columns("Jackpot", "Kind"), *columns(*heads, kind="money")),
        rows=(*rows, Row(("all", "", *_sums(lines, _HELD)), "sum")) if rows else (),
        empty="There are no jackpots.",
    )


def _deposit_facts(report: Deposit) -> Iterator[Fact]:
    shown, odds = dollars_and_cents, report.odds_reserve_micros
    overdue = ", overdue" if report.is_overdue else ""
    yield Fact(label="Deposit due", text=shown(report.due_micros), detail=f"by {date_text(report.due_on)}{overdue}")
    yield Fact(label="Accrued", text=shown(report.accrued_micros))
    large = f"of which {shown(odds)} for large odds-based prizes" if odds else ""
    yield Fact(label="Account must hold", text=shown(report.required_micros), detail=large)
    yield Fact(label="Account holds", text=shown(report.account_micros))
    yield Fact(label="Short by", text=shown(report.short_micros))
    yield Fact(label="Rule", text=report.rule)


# Achieved


_ACHIEVED_COLUMNS = (
    Column("Figure"),
    *columns("Trials", "Hits", kind="count"),
    Column("Expected", "count"),
    *columns("Achieved", "Exact", "Low", "High", kind="share"),
    Column("z", "number", 2),
    Column("Band", id="band"),
)


def _achieved(report: Achieved, names: Names) -> Iterator[Block]:
    for name, lines in tables_of(report).items():
        jackpot, comma, rest = name.partition(",")
        yield Table(
            id=name,
            title=f"{names.jackpot(jackpot)}{comma}{rest}",
            columns=_ACHIEVED_COLUMNS,
            rows=tuple(_achieved_row(line, names) for line in lines),
        )
    yield Note(BAND)
    for line in report.lines:
        if line.result_micros is not None and line.wagered_micros:
            wagered, kept = dollars_and_cents(line.wagered_micros), dollars_and_cents(line.result_micros)
            jackpot = names.jackpot(line.jackpot)
            yield Note(f"{jackpot}, pay table {line.pay_table}: {wagered} wagered, {kept} kept by the house.")
    yield from map(Note, report.notes)


def tables_of(report: Achieved) -> dict[str, list[AchievedLine]]:
    """Its lines as they are shown together, by jackpot and, where there are several, pay table."""
    totals: dict[str, list[AchievedLine]] = {}
    for line in report.lines:
        is_split = len({one.pay_table for one in report.lines if one.jackpot == line.jackpot}) > 1
        title = f"{line.jackpot}, pay table {line.pay_table}" if is_split else line.jackpot
        totals.setdefault(title, []).append(line)
    return totals


def _achieved_row(line: AchievedLine, names: Names) -> Row:
    entered = "not entered" if line.hits is None else line.hits
    cells = (
        names.hand(line.jackpot, line.row) if line.row else "house edge",
        line.trials,
        None if line.figure == "edge" else entered,
        None if line.expected_hits is None else f"{line.expected_hits:.4g}",
        line.achieved,
        line.exact,
        line.low,
        line.high,
        line.z,
        {None: "", True: "inside", False: "outside"}[line.is_inside],
    )
    return Row(cells, "bad" if line.is_inside is False else "")


# Audit


_AUDIT_COLUMNS = (
    Column("Entry", "number"),
    Column("At", "time"),
    *columns("Who", "Second", "What", "Subject"),
    Column("Amount", "money"),
    Column("Note"),
)


def _audit(report: Audit, _names: Names) -> Iterator[Block]:
    rows = tuple(map(_audit_row, report.lines))
    yield Table(id="audit", title="Who did what", columns=_AUDIT_COLUMNS, rows=rows, empty="Nothing in this time.")
    if report.actors:
        yield Table(
            id="people",
            title="By person",
            columns=(Column("Who"), *columns("Entries", "Refused", kind="count")),
            rows=tuple(Row((actor.actor, actor.entries, actor.denied)) for actor in report.actors),
        )


def _audit_row(line: AuditLine) -> Row:
    what = "refused" if line.what == DENIED else line.what.replace("_", " ")
    number = str(line.entry) if line.entry else f"R{line.refusal}"
    cells = (number, line.at, line.actor, line.second, what, line.subject, line.micros, audit_note(line))
    return Row(cells, "bad" if line.what in (DENIED, SET_BACK) else "")


# Access review


def _access(report: AccessReview, _names: Names) -> Iterator[Block]:
    rows = (
        (
            line.id,
            line.role if line.kind == "person" else f"{line.role} (device)",
            "withdrawn" if line.is_withdrawn else "valid",
            f"{time_text(line.given_at)}, {line.given_by}",
            f"{line.change.replace('_', ' ')}, {time_text(line.changed_at)}, {line.changed_by}",
            time_text(line.last_sign_in) if line.last_sign_in else "",
            ", ".join(name.replace("_", " ") for name in line.may),
        )
        for line in report.lines
    )
    heads = columns("Who", "Role", "Card or token", "Given", "Last change", "Last sign-in", "May")
    lines = tuple(map(Row, rows))
    yield Table(id="access", title="Cards and tokens", columns=heads, rows=lines, empty="Nobody has a card.")


_BOOKS: dict[type[LedgerReport], tuple[str, Callable[[Any, Names], Iterator[Block]]]] = {
    Hits: ("Hits", _hits),
    Accrual: ("Shift and day", _accrual),
    Reconciliation: ("Reconciliation", _reconciliation),
    Deposit: ("Deposit due", _deposit),
    Achieved: ("Achieved against theory", _achieved),
    Audit: ("Audit", _audit),
    AccessReview: ("Access review", _access),
}
