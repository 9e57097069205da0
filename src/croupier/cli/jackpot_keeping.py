"""`croupier jackpot verify`, `backup` and `restore`: that the books are whole, and stay so."""

from __future__ import annotations

import re
from pathlib import Path

from rich.markup import escape

from croupier import store
from croupier.cli import jackpot_screen as screen
from croupier.cli.jackpot_call import Call
from croupier.cli.jackpot_session import Session, now, open_session
from croupier.cli.screen import console, print_json
from croupier.errors import LedgerError, NotationError, RangeError, UnknownNameError
from croupier.floor.roles import Right
from croupier.jackpot import Award
from croupier.reports.jackpot_awards import verify_code
from croupier.store.anchors import Anchor, open_anchors
from croupier.store.backup_key import BackupKey
from croupier.store.backup_process import BackupPlan, back_up_into

_ANCHOR = re.compile(r"(\d{1,18}):([0-9a-f]{64})", re.ASCII)


def show_verification(call: Call, anchor: str | None, places: list[str], code: str | None) -> int:
    """The whole ledger checked; nobody's card is asked for, as a damaged store may not know it.

    Returns 1 if no award has the code of a win page. Who gives a code has the page, and may see its award.
    """
    noted = _noted(anchor, places)
    with open_session(call, demo=False) as at:
        found = store.verify(at.book, anchors=noted)
        if not found.is_good:
            place = f"Entry {found.bad_entry} is the first bad one. " if found.bad_entry else ""
            raise LedgerError(
                f"{place}{found.problem} {found.entries} entries before it are good. Restore a backup.", code=found.code
            )
        if found.entries == 0:
            raise LedgerError("The ledger is empty: there is nothing to verify in it.", code="empty_ledger")
        award, problem = _award_of_code(at, code) if code is not None else (None, "")
        if call.json:
            of_page = {} if code is None else {"code_matches": not problem, "award": award and screen.award_data(award)}
            seen = {"good": True, "entries": found.entries, "head": found.head, "notes": found.notes}
            print_json(seen | of_page)
        else:
            out = console()
            out.print(f"good: {found.entries} entries, every balance recomputed; the last is {found.head}")
            for note in found.notes:
                out.print(f"[yellow]note:[/yellow] {escape(note)}")
            if award is not None:
                out.print("the code is of this award, as it stands now:")
                screen.print_awards(out, [award])
            elif problem:
                out.print(f"[red]no match:[/red] {escape(problem)}")
        return 1 if problem else 0


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
        found = open_anchors(place).noted()
        if not found:
            raise NotationError(f'Nothing is noted in "{place}": is it the right place?', code="no_anchors")
        noted += found
    return noted


def _award_of_code(at: Session, code: str) -> tuple[Award | None, str]:
    """The award of a win page, or why there is none; what does not read as a code is refused."""
    try:
        return verify_code(at.book, code), ""
    except UnknownNameError as error:
        return None, str(error)


def write_backup(call: Call, file: str, *, keep: int | None, key_file: str | None) -> None:
    into_folder = Path(file).is_dir()
    if keep is not None and not into_folder:
        raise RangeError("--keep is for a folder of backups: name one that is there.", code="no_folder")
    with call.open() as at:
        person = at.sign_for(Right.BACK_UP, "back up")
        try:
            if into_folder:
                plan = BackupPlan(folder=file, keep=BackupPlan.keep if keep is None else keep, key_file=key_file)
                made = back_up_into(at.book, plan, now())
                file, entries = str(made.path), made.entries
            else:
                entries = store.backup(at.book, Path(file), _key(key_file))
        except OSError as error:
            raise NotationError(f'"{file}" cannot be written: {error.strerror}.', code="unwritable_file") from None
        at.people.log.backed_up(person.id, entries)
        if call.json:
            screen.answer(at, {"file": file, "entries": entries, "tried": into_folder})
            return
        console().print(f"{entries} entries written to {file}{', and restored for trial' if into_folder else ''}")


def read_backup(call: Call, file: str, *, key_file: str | None) -> None:
    if not Path(file).is_file():  # before a store is made for it
        raise LedgerError(f'There is no backup "{file}". Nothing was restored.', code="bad_backup")
    key = _key(key_file)
    with open_session(call, make=True, demo=False) as at:
        entries = store.restore(at.book, Path(file), key)
        if call.json:
            print_json({"entries": entries, "head": at.book.head()[1]})
        else:
            console().print(f"{entries} entries restored; the last is {at.book.head()[1]}")


def _key(file: str | None) -> BackupKey | None:
    return None if file is None else BackupKey(file)
