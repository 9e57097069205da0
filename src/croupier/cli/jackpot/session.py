"""A floor opened for one verb of `croupier jackpot`: who acts, by card and PIN, and how refusals are said."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from getpass import getpass
from pathlib import Path

from croupier.cli.jackpot.options import Call
from croupier.errors import CroupierError, IllegalActionError, LedgerError, NotationError
from croupier.floor.credentials import DEMO_PEOPLE
from croupier.floor.people import People, Person
from croupier.floor.roles import Right
from croupier.floor.service import FLOOR, Ask, FloorRefusedError, FloorService, require
from croupier.floor.setup import Floor
from croupier.house_time import house_clock
from croupier.store import Book, open_store

WHERE = "terminal"
"""Where refused attempts of the command line are said to have been made."""
DENIED_CODES = frozenset({"not_allowed", "no_right", "low_card", "second_card_needed", "same_person"})
"""Refusals that go on record: somebody tried what they may not."""
IN_OTHER_WORDS = {
    "second_person_missing": (
        "A change of money parameters takes a second person, who approves it: name their card with --second, and them "
        "as approved_by in the file."
    ),
}
"""By code: what is said instead, where the floor's own sentence names what is no option here."""
SQLITE = "sqlite:///"
SIDE_FILES = ("", "-wal", "-shm")
"""A SQLite store and the files beside it."""


def now() -> datetime:
    return house_clock()


@dataclass
class FloorSession:
    """One floor, open."""

    call: Call
    book: Book
    desk: FloorService
    people: People
    actor: Person | None = None
    """Who has shown a card."""
    second: Person | None = None
    """Who has countersigned."""
    doing: str = ""
    only_looks: bool = False
    """Whether the card was shown to see something, and nothing is done with it."""

    @property
    def demo(self) -> bool:
        return self.people.demo

    def floor(self) -> Floor:
        return self.desk.floor()

    def sign(self, what: str) -> Person:
        """Who acts, by `--card` and its PIN."""
        self.doing = what
        token, pin = self.card_and_pin()
        self.actor = self.people.present(token, pin, where=WHERE, what=what)
        return self.actor

    def card_and_pin(self) -> tuple[str, str]:
        token = self.call.card or os.environ.get("CROUPIER_CARD")
        if not token:
            raise IllegalActionError(
                f"To {self.doing} takes a card: --card TOKEN or $CROUPIER_CARD.", code="card_missing"
            )
        return token, self._pin_of(token, self.call.pin_file, "CROUPIER_PIN", "PIN")

    def sign_for(self, right: Right, what: str) -> Person:
        """The same, of somebody who has that right, to see something."""
        person = self.sign(what)
        self.only_looks = True
        require(person, right)
        return person

    def sign_second(self) -> Person | None:
        """The second person, where a second card was given."""
        token = self.call.second
        if token is not None:
            pin = self._pin_of(token, self.call.second_pin_file, "CROUPIER_SECOND_PIN", "Second person's PIN")
            self.second = self.people.present(token, pin, where=WHERE, what=f"countersign: {self.doing}")
        return self.second

    def ask(self, what: str) -> Ask:
        """The command's id, actor and revision."""
        return Ask(id=self.call.request_id, by=self.sign(what), revision=self.call.revision)

    def _pin_of(self, token: str, file: str | None, variable: str, prompt: str) -> str:
        given = given_pin(file, variable)
        if given is None and self.demo:
            given = next((each.pin for each in DEMO_PEOPLE if each.card == token), None)
        return given if given is not None else asked_pin(prompt, variable)


def given_pin(file: str | None, variable: str) -> str | None:
    """A PIN from a file or the environment; None where there is none."""
    if file is None:
        return os.environ.get(variable) or None
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise NotationError(f"The PIN file {file} cannot be read: {reason}.", code="unreadable_file") from None


def asked_pin(prompt: str, variable: str) -> str:
    """A PIN typed at the terminal, unseen."""
    if not sys.stdin.isatty():
        raise IllegalActionError(f"{prompt} is missing: give a file with it, or ${variable}.", code="pin_missing")
    try:
        return getpass(f"{prompt}: ")
    except (EOFError, KeyboardInterrupt):
        raise IllegalActionError("No PIN was given.", code="pin_missing") from None


def new_pin(file: str | None) -> str:
    """A PIN that somebody chooses: from a file, `$CROUPIER_NEW_PIN`, or typed twice."""
    given = given_pin(file, "CROUPIER_NEW_PIN")
    if given is not None:
        return given
    pin = asked_pin("New PIN", "CROUPIER_NEW_PIN")
    if asked_pin("New PIN again", "CROUPIER_NEW_PIN") != pin:
        raise NotationError("The two PINs differ. Try again.", code="pins_differ")
    return pin


def file_of(address: str) -> Path | None:
    """The file of a store; None of one on a database server."""
    name = address.removeprefix(SQLITE)
    return None if "://" in name else Path(name)


def is_there(address: str) -> bool:
    file = file_of(address)
    return file is None or (file.is_file() and file.stat().st_size > 0)


def require_there(address: str) -> None:
    """Only `init` and `restore` make a file."""
    if not is_there(address):
        raise LedgerError(
            f'There is no store "{file_of(address)}". Make one with croupier jackpot init, or name it: --store or '
            "$CROUPIER_STORE.",
            code="no_store",
        )


@contextmanager
def open_session(call: Call, *, make: bool = False, demo: bool | None = None) -> Iterator[FloorSession]:
    """Opens the store for one verb and closes it after; refusals leave as one sentence each.

    `make` may make the store, which is gone again if nothing came into it; `demo` says what the floor in the ledger
    would.
    """
    if not make:
        require_there(call.address)
    is_new = not is_there(call.address)
    book = open_store(call.address)
    session: FloorSession | None = None
    try:
        desk = FloorService(book, clock=now)
        if demo is None:
            _require_entries(book, call.address)
            demo = book.fact(FLOOR) is not None and desk.floor().demo
        session = FloorSession(call, book, desk, People(book, now, demo=demo))
        yield session
    except CroupierError as error:
        raise _as_said_here(error, call, session) from error
    except UnicodeEncodeError:
        raise NotationError("One of the arguments is not UTF-8 text. Type it again.", code="bad_text") from None
    finally:
        is_empty = is_new and book.head()[0] == 0
        book.close()
        if is_empty:
            _remove(call.address)


def _require_entries(book: Book, address: str) -> None:
    if book.head()[0] == 0:
        raise LedgerError(
            f'The store "{address}" is empty. Open a floor in it with croupier jackpot init, or fill it from a backup '
            "with croupier jackpot restore.",
            code="empty_ledger",
        )


def _as_said_here(error: CroupierError, call: Call, session: FloorSession | None) -> CroupierError:
    """A refusal in the words of the command line; somebody who tried what they may not goes on record."""
    if error.code in DENIED_CODES and session is not None and session.actor is not None:
        session.people.log.deny(who=session.actor.id, what=session.doing, where=WHERE, why=error.code)
    if error.code == "storage_failed":
        return LedgerError(f"{error} It was --id {call.request_id}.", code=error.code)
    if isinstance(error, FloorRefusedError):
        return in_one_sentence(error)
    return error


def in_one_sentence(error: FloorRefusedError) -> IllegalActionError:
    """What may not be, with the rules that say so."""
    said = " ".join(
        f"{IN_OTHER_WORDS.get(finding.code, finding.sentence)} [{finding.rule}: {finding.citation}]"
        for finding in error.findings
    )
    return IllegalActionError(said, code=error.code)


def _remove(address: str) -> None:
    """Takes away a store that was made and stayed empty."""
    file = file_of(address)
    if file is not None:
        for end in SIDE_FILES:
            file.with_name(file.name + end).unlink(missing_ok=True)
