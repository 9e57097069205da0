"""The books of a floor in words: hits, accrual, reconciliation, deposit, achieved against theory, audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from croupier.floor.names import Names
from croupier.floor.setup import Floor
from croupier.money import dollars_and_cents
from croupier.reports.books.access import AccessReview
from croupier.reports.books.accrual import Accrual, AccrualLine
from croupier.reports.books.achieved import Achieved, AchievedLine
from croupier.reports.books.audit import SET_BACK, Audit, AuditLine, audit_note
from croupier.reports.books.awards import HitLine, Hits, WinPage
from croupier.reports.books.data import NAMES
from croupier.reports.books.deposit import Deposit, DepositLine
from croupier.reports.books.money import exact_for_people
from croupier.reports.books.period import PeriodReport, Report
from croupier.reports.books.reconciliation import Reconciliation, ReconciliationLine
from croupier.reports.formatting import share_text
from croupier.reports.paper.model import (
    Column,
    Paper,
    PaperFact,
    PaperRow,
    PaperTable,
    clock_text,
    columns,
    house_of,
    period_text,
)
from croupier.reports.paper.win_page import win_paper
from croupier.store.sums import DENIED

SIGNATURES = ("Prepared by, date", "Reviewed by, date")
ADDS_UP = "Every account closes at the ledger's own balance, and every jackpot adds up to zero."
BAND = "The band holds 95% of such periods: one figure in twenty lies outside by chance."


def paper_of(report: Report, floor: Floor) -> Paper:
    """Any report of the ledger."""
    if isinstance(report, WinPage):
        return win_paper(report, floor)
    return _BOOKS[type(report)](report, floor)


def _paper(report: Report, floor: Floor, title: str, tables: Iterable[PaperTable], **more: Any) -> Paper:
    period = period_text(report.start, report.end) if isinstance(report, PeriodReport) else ""
    return Paper(
        **{"period": period, "signatures": SIGNATURES}
        | more
        | {
            "name": NAMES[type(report)],
            "title": title,
            "house": house_of(floor),
            "is_demo": floor.demo,
            "tables": tuple(tables),
            "last_entry": report.last_entry,
            "last_hash": report.last_hash,
        }
    )


# Hits


_HIT_COLUMNS = (
    *columns("Award", words=1),
    *columns("Entry", words=0),
    *columns("Hit at", "Jackpot", "Table", "Seats", "Hand", words=5),
    *columns("Amount", "Each", "Meter before", "Meter after", words=0),
    *columns("Status", "Proposed", "Approved", words=3),
)


def hits_paper(report: Hits, floor: Floor) -> Paper:
    lines = report.lines
    stand = [line.hit.amount_micros for line in lines if line.status in ("pending", "paid")]
    total = [""] * len(_HIT_COLUMNS)
    total[0] = f"{len(lines):,} hit, {len(stand):,} of them stand"
    total[7] = dollars_and_cents(sum(stand))
    rows = [PaperRow(cells=_hit_cells(line, Names(floor))) for line in lines]
    table = PaperTable(
        id="hits",
        title="Awards",
        columns=_HIT_COLUMNS,
        rows=(*rows, PaperRow(cells=tuple(total), mark="sum")) if rows else (),
        empty="Nothing was hit yet.",
    )
    period = f"{len(lines):,} awards, the latest first" if lines else ""
    return _paper(report, floor, "Hits", [table], period=period)


def _hit_cells(line: HitLine, names: Names) -> tuple[str, ...]:
    hit = line.hit
    return (
        hit.award,
        str(line.entry),
        clock_text(line.hit_at),
        names.jackpot(hit.jackpot),
        f"{names.table(hit.table)}, round {hit.round}",
        " ".join(map(str, hit.seats)),
        names.hand(hit.jackpot, hit.row, hit.table),
        *map(
            dollars_and_cents,
            (hit.amount_micros, hit.each_micros, hit.meter_before_micros, hit.meter_after_micros),
        ),
        line.status.replace("_", " "),
        line.proposed_by,
        ", ".join(line.approved_by),
    )


# Shift and day


_ACCRUAL_COLUMNS = (
    *columns("Jackpot", "Table", words=2),
    *columns("Rounds", "Wagers", "Wagered", "Meter", "Reserve", "Overflow", "Receipts", "Void", words=0),
    *columns("Hits", "Hit", "Paid", "Seed", "Adjusted", words=0),
)


def accrual_paper(report: Accrual, floor: Floor) -> Paper:
    table = PaperTable(
        id="accrual",
        title="By jackpot and table",
        columns=_ACCRUAL_COLUMNS,
        rows=tuple(_accrual_row(line, Names(floor)) for line in report.lines),
        empty="Nothing happened in this time.",
    )
    return _paper(report, floor, "Shift and day", [table], facts=_accrual_facts(report.line()))


def _accrual_facts(all_of_it: AccrualLine) -> tuple[PaperFact, ...]:
    one = all_of_it
    void = f", {one.rounds_voided:,} void" if one.rounds_voided else ""
    shown = dollars_and_cents
    recorded = f"; {shown(one.recorded_receipts_micros)} recorded by hand" if one.recorded_receipts_micros else ""
    returned = f", returned {shown(one.seed_returned_micros)}" if one.seed_returned_micros else ""
    return (
        PaperFact(
            label="Wagered",
            text=shown(one.wagered_micros),
            detail=f"{one.wagers:,} wagers in {one.rounds:,} rounds{void}",
        ),
        PaperFact(
            label="To the meters",
            text=shown(one.meter_micros),
            detail=f"reserve {shown(one.reserve_micros)}, overflow {shown(one.overflow_micros)}",
        ),
        PaperFact(
            label="Paid",
            text=shown(one.paid_micros),
            detail=f"{one.hits:,} {'hit' if one.hits == 1 else 'hits'} of {shown(one.hit_micros)}; "
            f"{one.awards_rejected:,} rejected, {one.awards_backed_out:,} backed out",
        ),
        PaperFact(
            label="Gross receipts",
            text=shown(one.receipts_micros),
            detail=f"seed advanced {shown(one.seed_advanced_micros)}{returned}{recorded}",
        ),
    )


def _accrual_row(line: AccrualLine, names: Names) -> PaperRow:
    money = exact_for_people
    cells = (
        names.jackpot(line.jackpot) if line.jackpot else "all",
        names.table(line.table) if line.table else "all",
        f"{line.rounds:,}",
        f"{line.wagers:,}",
        money(line.wagered_micros),
        money(line.meter_micros),
        money(line.reserve_micros),
        money(line.overflow_micros),
        money(line.receipts_micros),
        money(line.voided_micros),
        f"{line.hits:,}",
        money(line.hit_micros),
        money(line.paid_micros),
        money(line.seed_advanced_micros - line.seed_returned_micros),
        money(line.adjusted_micros),
    )
    return PaperRow(cells=cells, mark="" if line.jackpot and line.table else "sum")


# Reconciliation


_FRAME = ("opening_micros", "closing_micros", "balance_micros")
_MOVED = tuple(
    name for name in ReconciliationLine.__dataclass_fields__ if name.endswith("_micros") and name not in _FRAME
)


def reconciliation_paper(report: Reconciliation, floor: Floor) -> Paper:
    moved = [name for name in _MOVED if any(getattr(line, name) for line in report.lines)]
    labels = [name.removesuffix("_micros").capitalize() for name in moved]
    shown = ("opening_micros", *moved, "closing_micros")
    rows: list[PaperRow] = []
    names = Names(floor)
    for jackpot in dict.fromkeys(line.jackpot for line in report.lines):
        lines = [line for line in report.lines if line.jackpot == jackpot]
        rows += [_account_row(line, shown, names) for line in lines]
        sums = (sum(getattr(line, name) for line in lines) for name in shown)
        is_bad = jackpot in report.not_zero
        cells = (names.jackpot(jackpot), "", "adds up to", *map(exact_for_people, sums), "no" if is_bad else "yes")
        rows.append(PaperRow(cells=cells, mark="bad" if is_bad else "sum"))
    table = PaperTable(
        id="reconciliation",
        title="Accounts",
        columns=(
            *columns("Jackpot", "Level", "Account", words=3),
            *columns("Opening", *labels, "Closing", words=0),
            Column(id="closes", label="Closes"),
        ),
        rows=tuple(rows),
        empty="The ledger is empty.",
    )
    finding = ADDS_UP if report.is_good else _not_good(report)
    return _paper(report, floor, "Reconciliation", [table], is_good=report.is_good, finding=finding)


def _account_row(line: ReconciliationLine, shown: Iterable[str], names: Names) -> PaperRow:
    amounts = (getattr(line, name) for name in shown)
    shown_amounts = (exact_for_people(one) if one else "" for one in amounts)
    cells = (names.jackpot(line.jackpot), line.level, line.account, *shown_amounts)
    return PaperRow(cells=(*cells, "yes" if line.closes else "no"), mark="" if line.closes else "bad")


def _not_good(report: Reconciliation) -> str:
    parts = ["It does not add up."]
    if report.not_closing:
        parts.append(f"Not closing: {', '.join(report.not_closing)}.")
    if report.not_zero:
        parts.append(f"Not zero: {', '.join(report.not_zero)}.")
    return " ".join([*parts, "Take the tables out of service and verify the ledger."])


# Deposit


_DEPOSIT_AMOUNTS = (
    "display_micros",
    "reserve_micros",
    "overflow_micros",
    "pending_micros",
    "held_micros",
    "held_at_deposit_micros",
    "accrued_micros",
)


def deposit_paper(report: Deposit, floor: Floor) -> Paper:
    lines = report.standings
    total = ("all", "", *(exact_for_people(sum(getattr(line, name) for line in lines)) for name in _DEPOSIT_AMOUNTS))
    rows = tuple(PaperRow(cells=_deposit_cells(line, Names(floor))) for line in lines)
    table = PaperTable(
        id="deposit",
        title="What the jackpots hold",
        columns=(
            *columns("Jackpot", "Kind", words=2),
            *columns("Display", "Reserve", "Overflow", "Pending", "Held", "Held at deposit", "Accrued", words=0),
        ),
        rows=(*rows, PaperRow(cells=total, mark="sum")) if rows else (),
        empty="There are no jackpots.",
    )
    return _paper(
        report,
        floor,
        "Deposit due",
        [table],
        period=f"{_day_text(report.day)}, all deposited up to {clock_text(report.last_deposit)}",
        facts=_deposit_facts(report),
        is_good=not report.findings,
        finding=" ".join(report.findings),
    )


def _deposit_cells(line: DepositLine, names: Names) -> tuple[str, ...]:
    amounts = (exact_for_people(getattr(line, name)) for name in _DEPOSIT_AMOUNTS)
    return (names.jackpot(line.jackpot), line.kind, *amounts)


def _day_text(day: date) -> str:
    return day.isoformat()


def _deposit_facts(report: Deposit) -> tuple[PaperFact, ...]:
    shown = dollars_and_cents
    odds = report.odds_reserve_micros
    overdue = ", overdue" if report.is_overdue else ""
    return (
        PaperFact(label="Deposit due", text=shown(report.due_micros), detail=f"by {_day_text(report.due_on)}{overdue}"),
        PaperFact(label="Accrued", text=shown(report.accrued_micros)),
        PaperFact(
            label="Account must hold",
            text=shown(report.required_micros),
            detail=f"of which {shown(odds)} for large odds-based prizes" if odds else "",
        ),
        PaperFact(label="Account holds", text=shown(report.account_micros)),
        PaperFact(label="Short by", text=shown(report.short_micros)),
        PaperFact(label="Rule", text=report.rule),
    )


# Achieved


_ACHIEVED_COLUMNS = (
    *columns("Figure", words=1),
    *columns("Trials", "Hits", "Expected", "Achieved", "Exact", "Low", "High", "z", words=0),
    Column(id="band", label="Band"),
)


def achieved_paper(report: Achieved, floor: Floor) -> Paper:
    tables = [
        PaperTable(
            id=name,
            title=title_of(name, Names(floor)),
            columns=_ACHIEVED_COLUMNS,
            rows=tuple(_achieved_row(line, Names(floor)) for line in lines),
        )
        for name, lines in tables_of(report).items()
    ]
    notes = (BAND, *_results(report, Names(floor)), *report.notes)
    return _paper(report, floor, "Achieved against theory", tables, notes=notes)


def title_of(table: str, names: Names) -> str:
    """The title of a table of `tables_of`, with the jackpot's name."""
    jackpot, comma, rest = table.partition(",")
    return f"{names.jackpot(jackpot)}{comma}{rest}"


def tables_of(report: Achieved) -> dict[str, list[AchievedLine]]:
    """Its lines as they are shown together, by jackpot and, where there are several, pay table."""
    found: dict[str, list[AchievedLine]] = {}
    for line in report.lines:
        is_split = len({one.pay_table for one in report.lines if one.jackpot == line.jackpot}) > 1
        title = f"{line.jackpot}, pay table {line.pay_table}" if is_split else line.jackpot
        found.setdefault(title, []).append(line)
    return found


def _achieved_row(line: AchievedLine, names: Names) -> PaperRow:
    entered = "not entered" if line.hits is None else f"{line.hits:,}"
    cells = (
        names.hand(line.jackpot, line.row) if line.row else "house edge",
        f"{line.trials:,}",
        "" if line.figure == "edge" else entered,
        "" if line.expected_hits is None else f"{line.expected_hits:.4g}",
        *map(share_text, (line.achieved, line.exact, line.low, line.high)),
        "" if line.z is None else f"{line.z:.2f}",
        "" if line.is_inside is None else "inside" if line.is_inside else "outside",
    )
    return PaperRow(cells=cells, mark="bad" if line.is_inside is False else "")


def _results(report: Achieved, names: Names) -> Iterable[str]:
    for line in report.lines:
        if line.result_micros is not None and line.wagered_micros:
            wagered, kept = dollars_and_cents(line.wagered_micros), dollars_and_cents(line.result_micros)
            jackpot = names.jackpot(line.jackpot)
            yield f"{jackpot}, pay table {line.pay_table}: {wagered} wagered, {kept} kept by the house."


# Audit


_AUDIT_COLUMNS = (
    Column(id="entry", label="Entry", is_number=True),
    *columns("At", "Who", "Second", "What", "Subject", words=5),
    Column(id="amount", label="Amount", is_number=True),
    Column(id="note", label="Note"),
)


def audit_paper(report: Audit, floor: Floor) -> Paper:
    rows = tuple(_audit_row(line) for line in report.lines)
    changes = PaperTable(
        id="audit", title="Who did what", columns=_AUDIT_COLUMNS, rows=rows, empty="Nothing in this time."
    )
    counted = tuple(PaperRow(cells=(one.actor, f"{one.entries:,}", f"{one.denied:,}")) for one in report.actors)
    people = PaperTable(
        id="people", title="By person", columns=columns("Who", "Entries", "Refused", words=1), rows=counted
    )
    return _paper(report, floor, "Audit", [changes, people] if counted else [changes])


def _audit_row(line: AuditLine) -> PaperRow:
    cells = (
        str(line.entry) if line.entry else f"R{line.refusal}",
        clock_text(line.at),
        line.actor,
        line.second,
        "refused" if line.what == DENIED else line.what.replace("_", " "),
        line.subject,
        "" if line.micros is None else exact_for_people(line.micros),
        audit_note(line),
    )
    return PaperRow(cells=cells, mark="bad" if line.what in (DENIED, SET_BACK) else "")


# Access review


def access_paper(report: AccessReview, floor: Floor) -> Paper:
    rows = tuple(
        PaperRow(
            cells=(
                line.id,
                line.role if line.kind == "person" else f"{line.role} (device)",
                "withdrawn" if line.is_withdrawn else "valid",
                f"{clock_text(line.given_at)}, {line.given_by}",
                f"{line.change.replace('_', ' ')}, {clock_text(line.changed_at)}, {line.changed_by}",
                clock_text(line.last_sign_in) if line.last_sign_in else "",
                ", ".join(name.replace("_", " ") for name in line.may),
            )
        )
        for line in report.lines
    )
    heads = columns("Who", "Role", "Card or token", "Given", "Last change", "Last sign-in", "May", words=7)
    table = PaperTable(id="access", title="Cards and tokens", columns=heads, rows=rows, empty="Nobody has a card.")
    return _paper(report, floor, "Access review", [table])


_BOOKS: dict[type[Report], Callable[[Any, Floor], Paper]] = {
    Hits: hits_paper,
    Accrual: accrual_paper,
    Reconciliation: reconciliation_paper,
    Deposit: deposit_paper,
    Achieved: achieved_paper,
    Audit: audit_paper,
    AccessReview: access_paper,
}
