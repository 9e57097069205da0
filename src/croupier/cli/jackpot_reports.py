"""What the verbs that read and keep the books do."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from croupier.cli import jackpot_screen as screen
from croupier.cli.jackpot_call import Call
from croupier.cli.jackpot_session import Session, now
from croupier.cli.screen import console, files_to_write, print_table, simple_table, write_whole
from croupier.errors import NotationError, unknown
from croupier.floor.roles import Right
from croupier.money import parse_dollars
from croupier.reports.jackpot_access import access_review
from croupier.reports.jackpot_accrual import accrual
from croupier.reports.jackpot_audit import audit, audit_note
from croupier.reports.jackpot_awards import LAST_HITS, hits, win_page
from croupier.reports.jackpot_data import report_csv, report_data
from croupier.reports.jackpot_deposit import deposit
from croupier.reports.jackpot_period import Report
from croupier.reports.jackpot_reconciliation import reconciliation

MINOR = ("table:", "card:", "people:")
"""Subjects of facts that are steps of rounds, or only find a person by card or role."""
NOT_ON_SCREEN = {
    "hits": ("entry", "level", "round", "each", "meter_before", "meter_after", "proposed_by", "settled_at"),
    "audit": ("detail", "version", "refusal"),
    "access": ("may", "given_by", "changed_by"),
    "reconciliation": ("balance", "closes"),
    "achieved": ("expected_hits", "wagered"),
}
"""Columns that are only in JSON and CSV, because a terminal is too narrow for them."""
_ANCHOR = re.compile(r"(\d{1,18}):([0-9a-f]{64})", re.ASCII)
_NOTHING = ("", "0.00", "0")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+00:00", re.ASCII)
Period = tuple[str | None, str | None]
_TIMES = ("--from", "--until")
TAKES: dict[str, tuple[str, ...]] = {
    "win-page": ("AWARD",),
    "accrual": _TIMES,
    "reconciliation": _TIMES,
    "deposit": ("--last-deposit", "--account"),
    "achieved": _TIMES,
    "access": (),
}
"""What each report may be told."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What of a report is wanted; which of it counts depends on the kind."""

    award: str | None
    period: Period
    last_deposit: str | None
    account: str | None

    def require_fit(self, kind: str) -> None:
        """Refuses what has no meaning for this kind, so that nobody takes it for having counted."""
        given = {
            "AWARD": self.award,
            "--from": self.period[0],
            "--until": self.period[1],
            "--last-deposit": self.last_deposit,
            "--account": self.account,
        }
        for name, value in given.items():
            if value is not None and name not in TAKES[kind]:
                accepted = f"only {' and '.join(TAKES[kind])}" if TAKES[kind] else "nor anything else"
                raise NotationError(f"The report {kind} does not take {name}, {accepted}.", code="not_taken")

    def times(self) -> tuple[datetime | None, datetime | None]:
        return _time(self.period[0]), _time(self.period[1])


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise NotationError(f'"{text}" is no time: write it as 2026-11-16T06:00:00-08:00.', code="bad_date") from None


@dataclass(frozen=True, kw_only=True)
class Shape:
    """In which form a report is wanted; as tables on the screen, or as JSON, where it is neither of these."""

    csv: bool = False
    pdf: str | None = None

    def file(self, call: Call) -> Path | None:
        """The PDF to write, if any. Refused before anything is read: more than one form, or no file to write to."""
        if self.csv + call.json + (self.pdf is not None) > 1:
            raise NotationError("Say one of --csv, --json and --pdf: a report is made in one form.", code="csv_or_json")
        return next(iter(files_to_write({"pdf": self.pdf}, "report")), None)


def show_hits(call: Call, shape: Shape, *, all_of_them: bool) -> None:
    file = shape.file(call)
    with call.open() as at:
        at.sign_for(Right.SEE_REPORTS, "see hits")
        _show(at, hits(at.book, limit=None if all_of_them else LAST_HITS), shape, file)


def show_audit(call: Call, shape: Shape, actor: str | None, *, with_minor: bool, period: Period) -> None:
    file = shape.file(call)
    with call.open() as at:
        at.sign_for(Right.SEE_AUDIT, "see the audit log")
        leave_out = () if with_minor else MINOR
        found = audit(at.book, _time(period[0]), _time(period[1]), actor=actor, leave_out=leave_out)
        if not call.json and not shape.csv and file is None:
            found = replace(found, lines=tuple(replace(line, note=audit_note(line)) for line in found.lines))
        _show(at, found, shape, file)


def show_report(call: Call, shape: Shape, kind: str, wanted: Wanted) -> None:
    if kind not in REPORTS:
        raise unknown("report", kind, REPORTS)
    file = shape.file(call)
    wanted.require_fit(kind)
    with call.open() as at:
        at.sign_for(Right.SEE_REPORTS, "see reports")
        _show(at, REPORTS[kind](at, wanted), shape, file)


def _win_page(at: Session, wanted: Wanted) -> Report:
    if wanted.award is None:
        raise NotationError("Which award? croupier jackpot report win-page AWARD.", code="award_missing")
    return win_page(at.book, wanted.award, at.floor())


def _deposit(at: Session, wanted: Wanted) -> Report:
    last = _time(wanted.last_deposit)
    if last is None:
        raise NotationError("Since when? A deposit takes --last-deposit TIME.", code="deposit_missing")
    account = at.desk.account()
    if wanted.account is None and account.day is None:
        raise NotationError(
            "What does the jackpot account hold? Give --account AMOUNT, or record it: croupier jackpot account.",
            code="deposit_missing",
        )
    account_micros = account.balance_micros if wanted.account is None else parse_dollars(wanted.account)
    return deposit(at.book, at.floor(), last_deposit=last, day=now().date(), account_micros=account_micros)


def _achieved(at: Session, wanted: Wanted) -> Report:
    from croupier.reports.jackpot_achieved import achieved  # exact odds: takes its time to load

    return achieved(at.book, at.floor(), *wanted.times())


REPORTS: dict[str, Callable[[Session, Wanted], Report]] = {
    "win-page": _win_page,
    "accrual": lambda at, wanted: accrual(at.book, *wanted.times()),
    "reconciliation": lambda at, wanted: reconciliation(at.book, *wanted.times()),
    "deposit": _deposit,
    "achieved": _achieved,
    "access": lambda at, wanted: access_review(at.book),
}


def _show(at: Session, report: Report, shape: Shape, file: Path | None) -> None:
    if shape.csv:
        sys.stdout.write(report_csv(report))
        return
    if file is not None:
        _write_pdf(at, report, file)
        return
    data = report_data(report)  # before the first line is out, as a damaged store may not be shown
    if at.call.json:
        screen.answer(at, data)
        return
    out = console()
    screen.head(out, at)
    print_report(out, data)


def _write_pdf(at: Session, report: Report, file: Path) -> None:
    from croupier.reports.paper_books import paper_of  # exact odds and typst: take their time to load
    from croupier.reports.paper_pdf import paper_pdf

    write_whole(file, paper_pdf(paper_of(report, at.floor())))
    console().print(f"wrote {escape(str(file))}", soft_wrap=True)


def print_report(out: Console, data: dict[str, Any]) -> None:
    """Plain values first, then each list of lines as a table."""
    table = simple_table("report", data["report"])
    for name, value in data.items():
        if name != "report" and not _is_lines(value) and _text(value) not in _NOTHING:
            table.add_row(escape(_words(name)), escape(_text(value)))
    print_table(out, table)
    for value in data.values():
        if _is_lines(value):
            out.print()
            _print_lines(out, value, NOT_ON_SCREEN.get(data["report"], ()))


def _print_lines(out: Console, lines: list[dict[str, Any]], left_out: tuple[str, ...]) -> None:
    """Lines without the columns in which none of them has anything."""
    names = [name for name in lines[0] if any(_text(line[name]) not in _NOTHING for line in lines)]
    names = [name for name in names if name not in left_out]
    numbers = [name for name in names if all(_is_number(line[name]) for line in lines)]
    table = simple_table(*map(_words, names), numbers=tuple(map(_words, numbers)))
    for line in lines:
        table.add_row(*(escape(_text(line[name])) for name in names))
    print_table(out, table)


def _is_lines(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and re.fullmatch(r"-?\d+\.\d+", value) is not None)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str) and _TIME.fullmatch(value):
        return f"{value[:19].replace('T', ' ')}Z"
    if isinstance(value, list):
        words = list(map(str, value))
        return ("; " if any("," in word for word in words) else ", ").join(words)
    if isinstance(value, dict):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _words(name: str) -> str:
    return name.replace("_", " ")
