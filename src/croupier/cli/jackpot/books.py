"""`croupier jackpot hits`, `audit`, `report`, `verify`, `backup`, `restore` and `software`: reading and keeping the
books."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.markup import escape

from croupier import store
from croupier.cli.jackpot.options import READS, SEES, Call, verb
from croupier.cli.jackpot.screen import award_data, print_head, print_paper, show, show_data
from croupier.cli.jackpot.session import FloorSession, now, open_session
from croupier.cli.screen import console, files_to_write, print_json, write_whole
from croupier.errors import LedgerError, NotationError, RangeError, UnknownNameError, unknown
from croupier.floor.roles import Right
from croupier.floor.software import installed_software
from croupier.jackpot import Award
from croupier.money import parse_dollars
from croupier.reports.books.access import access_review
from croupier.reports.books.accrual import accrual
from croupier.reports.books.achieved import achieved
from croupier.reports.books.audit import audit
from croupier.reports.books.awards import LAST_HITS, hits, verify_code, win_page
from croupier.reports.books.data import report_csv, report_data
from croupier.reports.books.deposit import deposit
from croupier.reports.books.period import LedgerReport
from croupier.reports.books.reconciliation import reconciliation
from croupier.reports.paper.books import paper_of
from croupier.store.anchors import Anchor, open_anchors
from croupier.store.backups.key import BackupKey
from croupier.store.backups.process import BackupPlan, back_up_into

MINOR = ("table:", "card:", "people:")
"""Subjects of facts that are steps of rounds, or only find a person by card or role."""
_ANCHOR = re.compile(r"(\d{1,18}):([0-9a-f]{64})", re.ASCII)
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

Begin = Annotated[
    str | None, typer.Option("--from", metavar="TIME", help="From then on, as 2026-11-16T06:00:00-08:00.")
]
Until = Annotated[str | None, typer.Option("--until", metavar="TIME", help="Before then.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
Pdf = Annotated[str | None, typer.Option("--pdf", metavar="FILE", help="Write it as paper to be signed and filed.")]

KeyFile = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="A key of age-keygen: public to encrypt, secret to decrypt or for both."),
]


def add_book_verbs(group: typer.Typer) -> None:
    """The verbs of this module."""
    for name, options, function in (
        ("hits", SEES, show_hits),
        ("audit", SEES, show_audit),
        ("report", SEES, show_report),
        ("verify", READS, verify),
        ("backup", SEES, backup),
        ("restore", READS, restore),
        ("software", ("json",), software),
    ):
        verb(group, name, options)(function)


# Reports.


def show_hits(
    call: Call,
    all_of_them: Annotated[bool, typer.Option("--all", help="All hits, not the last 25.")] = False,
    csv: Csv = False,
    pdf: Pdf = None,
) -> None:
    """The last 25 hits, or all of them, the latest first."""
    limit = None if all_of_them else LAST_HITS
    _show(call, csv, pdf, Right.SEE_REPORTS, "see hits", lambda at: hits(at.book, limit=limit))


def show_audit(
    call: Call,
    actor: Annotated[str | None, typer.Option(metavar="NAME", help="Only what this person did or signed.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also every step at the tables.")] = False,
    begin: Begin = None,
    until: Until = None,
    csv: Csv = False,
    pdf: Pdf = None,
) -> None:
    """Who changed what: setup, people, adjustments with both signatures, denied attempts."""

    def read(at: FloorSession) -> LedgerReport:
        return audit(at.book, _time(begin), _time(until), actor=actor, leave_out=() if everything else MINOR)

    _show(call, csv, pdf, Right.SEE_AUDIT, "see the audit log", read)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What of a report is wanted; which of it counts depends on the kind."""

    award: str | None
    begin: str | None
    until: str | None
    last_deposit: str | None
    account: str | None

    def require_fit(self, kind: str) -> None:
        """Refuses what has no meaning for this kind, so that nobody takes it for having counted."""
        options = ("AWARD", "--from", "--until", "--last-deposit", "--account")
        for name, value in zip(options, asdict(self).values(), strict=True):
            if value is not None and name not in TAKES[kind]:
                accepted = f"only {' and '.join(TAKES[kind])}" if TAKES[kind] else "nor anything else"
                raise NotationError(f"The report {kind} does not take {name}, {accepted}.", code="not_taken")

    def times(self) -> tuple[datetime | None, datetime | None]:
        return _time(self.begin), _time(self.until)


def show_report(
    call: Call,
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="win-page, accrual, reconciliation, deposit, achieved or access.")
    ],
    award: Annotated[str | None, typer.Argument(metavar="AWARD", help="For win-page: which award.")] = None,
    begin: Begin = None,
    until: Until = None,
    last_deposit: Annotated[
        str | None, typer.Option(metavar="TIME", help="For deposit: all that accrued before it was deposited.")
    ] = None,
    account: Annotated[
        str | None, typer.Option(metavar="$", help="For deposit: what is in the jackpot account, if not as recorded.")
    ] = None,
    csv: Csv = False,
    pdf: Pdf = None,
) -> None:
    """A report: an award's win page, accrual, reconciliation, the deposit due, hits against odds, who has access."""
    if kind not in REPORTS:
        raise unknown("report", kind, REPORTS)
    wanted = Wanted(award=award, begin=begin, until=until, last_deposit=last_deposit, account=account)
    wanted.require_fit(kind)
    _show(call, csv, pdf, Right.SEE_REPORTS, "see reports", lambda at: REPORTS[kind](at, wanted))


def _win_page(at: FloorSession, wanted: Wanted) -> LedgerReport:
    if wanted.award is None:
        raise NotationError("Which award? croupier jackpot report win-page AWARD.", code="award_missing")
    return win_page(at.book, wanted.award, at.floor())


def _deposit(at: FloorSession, wanted: Wanted) -> LedgerReport:
    last = _time(wanted.last_deposit)
    if last is None:
        raise NotationError("Since when? A deposit takes --last-deposit TIME.", code="deposit_missing")
    account = at.desk.account()
    if wanted.account is None and account.day is None:
        raise NotationError(
            "What does the jackpot account hold? Give --account AMOUNT, or record it in the manager.",
            code="deposit_missing",
        )
    account_micros = account.balance_micros if wanted.account is None else parse_dollars(wanted.account)
    return deposit(at.book, at.floor(), last_deposit=last, day=now().date(), account_micros=account_micros)


REPORTS: dict[str, Callable[[FloorSession, Wanted], LedgerReport]] = {
    "win-page": _win_page,
    "accrual": lambda at, wanted: accrual(at.book, *wanted.times()),
    "reconciliation": lambda at, wanted: reconciliation(at.book, *wanted.times()),
    "deposit": _deposit,
    "achieved": lambda at, wanted: achieved(at.book, at.floor(), *wanted.times()),
    "access": lambda at, wanted: access_review(at.book),
}


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise NotationError(
            f'"{text}" is not a time: write it as 2026-11-16T06:00:00-08:00.', code="bad_date"
        ) from None


def _show(
    call: Call, csv: bool, pdf: str | None, right: Right, what: str, read: Callable[[FloorSession], LedgerReport]
) -> None:
    """A report in one form: as tables, JSON, CSV or a PDF. Refused before anything is read: more than one form, or no
    file to write to."""
    if csv + call.json + (pdf is not None) > 1:
        raise NotationError("Give only one of --csv, --json and --pdf: a report comes in one form.", code="csv_or_json")
    files = files_to_write({"pdf": pdf}, "report")
    with call.open() as at:
        at.sign_for(right, what)
        report = read(at)
        if csv:
            sys.stdout.write(report_csv(report))
            return
        if call.json:
            show(at, report_data(report))
            return
        paper = paper_of(report, at.floor())
        out = console()
        for file in files:
            from croupier.reports.paper.model import paper_pdf  # typst takes its time to load

            write_whole(file, paper_pdf(paper))
            out.print(f"wrote {escape(str(file))}", soft_wrap=True)
        if not files:
            print_head(out, at)
            print_paper(out, paper)


# Keeping.


def verify(
    call: Call,
    anchor: Annotated[
        str | None, typer.Option(metavar="N:HASH", help="An entry noted elsewhere, as on a printed win page.")
    ] = None,
    anchors: Annotated[
        list[str] | None,
        typer.Option(
            "--anchors",
            metavar="FILE|URL",
            envvar="CROUPIER_ANCHORS",
            help="Where croupier serve --anchors has noted ends of the log; may be repeated.",
        ),
    ] = None,
    code: Annotated[
        str | None, typer.Option(metavar="CODE", help="Of a printed win page: exit status 1 unless an award has it.")
    ] = None,
) -> None:
    """Recompute the chain, every balance and purse, and check the files. Exit status 2 names the first bad entry."""
    noted = _noted(anchor, anchors or [])
    with open_session(call, demo=False) as at:  # nobody's card is asked for, as a damaged store may not know it
        checked = store.verify(at.book, anchors=noted)
        if not checked.is_good:
            place = f"Entry {checked.bad_entry} is the first bad one. " if checked.bad_entry else ""
            raise LedgerError(
                f"{place}{checked.problem} {checked.entries} entries before it are good. Restore a backup.",
                code=checked.code,
            )
        if checked.entries == 0:
            raise LedgerError("The ledger is empty: there is nothing to verify in it.", code="empty_ledger")
        data = {"good": True, "entries": checked.entries, "head": checked.head, "notes": checked.notes}
        award, problem = _award_of_code(at, code) if code is not None else (None, "")
        if code is not None:  # who gives a code has the page, and may see its award
            data |= {"code_matches": not problem, "award": award and award_data(award)}
        show_data(call, data)
        if problem:
            if not call.json:
                console().print(f"[red]no match:[/red] {escape(problem)}")
            raise typer.Exit(1)


def _noted(anchor: str | None, places: list[str]) -> list[Anchor]:
    """Entries noted elsewhere, in what was given. A place with none is refused: nothing would be compared."""
    noted: list[Anchor] = []
    if anchor is not None:
        match = _ANCHOR.fullmatch(anchor.strip().lower())
        if match is None:
            raise NotationError(
                "An anchor is an entry's number and hash: 1234:0123abcd..., 64 digits.", code="bad_anchor"
            )
        noted.append((int(match[1]), match[2]))
    for place in places:
        anchors = open_anchors(place).noted()
        if not anchors:
            raise NotationError(f'Nothing is noted in "{place}": is it the right place?', code="no_anchors")
        noted += anchors
    return noted


def _award_of_code(at: FloorSession, code: str) -> tuple[Award | None, str]:
    """The award of a win page, or why there is none; what does not read as a code is refused."""
    try:
        return verify_code(at.book, code), ""
    except UnknownNameError as error:
        return None, str(error)


def backup(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file, or a folder in which it gets a name.")],
    keep: Annotated[
        int | None, typer.Option(metavar="N", help="In a folder: how many to keep, once the new one has restored.")
    ] = None,
    key_file: KeyFile = None,
) -> None:
    """Write the whole log to a new file, or to a folder and try it there; the floor stays in use."""
    into_folder = Path(file).is_dir()
    if keep is not None and not into_folder:
        raise RangeError("--keep is for a folder of backups: name one that is there.", code="no_folder")
    with call.open() as at:
        person = at.sign_for(Right.BACK_UP, "back up")
        try:
            if into_folder:
                plan = BackupPlan(folder=file, keep=BackupPlan.keep if keep is None else keep, key_file=key_file)
                backup = back_up_into(at.book, plan, now())
                file, entries = str(backup.path), backup.entries
            else:
                entries = store.backup(at.book, Path(file), _key(key_file))
        except OSError as error:
            raise NotationError(f'"{file}" cannot be written: {error.strerror}.', code="unwritable_file") from None
        at.people.log.backed_up(person.id, entries)
        show(at, {"file": file, "entries": entries, "tried": into_folder})


def restore(
    call: Call,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A backup.")],
    key_file: KeyFile = None,
) -> None:
    """Fill an empty store from a backup: all of it or nothing."""
    if not Path(file).is_file():  # before a store is made for it
        raise LedgerError(f'There is no backup "{file}". Nothing was restored.', code="bad_backup")
    key = _key(key_file)
    with open_session(call, make=True, demo=False) as at:
        entries = store.restore(at.book, Path(file), key)
        show_data(call, {"entries": entries, "head": at.book.head()[1]})


def _key(file: str | None) -> BackupKey | None:
    return None if file is None else BackupKey(file)


def software(call: Call) -> None:
    """Print a fingerprint of the installed program. Exit status 1 when its files are not those of its wheel."""
    software = installed_software()
    if call.json:
        print_json(msgspec.to_builtins(software) | {"is_as_installed": software.is_as_installed})
    else:
        console().print(f"croupier {software.version}, {software.files} files", highlight=False)
        console().print(f"fingerprint {software.fingerprint}", highlight=False, soft_wrap=True)
        console().print(software.sentence, highlight=False)
    raise typer.Exit(1 if software.is_compared and not software.is_as_installed else 0)
