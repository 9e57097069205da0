"""What the manager's pages share: navigation by role, forms read field by field, answers after a command, the clock.

A form is turned into the same body that the API takes and goes to the same function; so both refuse the same things in
the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Depends, Request, Response
from msgspec import ValidationError
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import HTMLResponse

from croupier.errors import CroupierError, RangeError
from croupier.floor.amounts import amount_text
from croupier.floor.closing import LONGEST_REASON
from croupier.floor.names import SYSTEMS, Names
from croupier.floor.roles import RIGHTS, Right, Role
from croupier.floor.service import FLOOR
from croupier.house_time import clock_text
from croupier.money import parse_dollars
from croupier.reports.formatting import exact_for_people
from croupier.web.api import bodies
from croupier.web.api.bodies import Swipe
from croupier.web.api.typed import problem_of, read_word
from croupier.web.guard import Caller
from croupier.web.pages.base import Visit, back_to, is_partial, page, visit_of
from croupier.web.pages.problems import FieldError
from croupier.web.pages.rights import PAGES
from croupier.web.services import room_of

Body = TypeVar("Body", bound=bodies.Body)

CLAIMS = "/manager/claims"
MOST_COUNTED = 100
"""Pending claims; nobody has more."""
NAVIGATION = (
    ("/manager", "Floor"),
    (CLAIMS, "Claims"),
    ("/manager/meters", "Meters"),
    ("/manager/account", "Account"),
    ("/manager/reports", "Reports"),
    ("/manager/setup", "Setup"),
    ("/manager/people", "People"),
    ("/manager/devices", "Devices"),
    ("/manager/audit", "Audit"),
    ("/manager/ledger", "Ledger"),
    ("/manager/pin", "Your PIN"),
)

DONE = {
    "paid": "The award is paid and on record.",
    "rejected": "The claim is rejected; its money went back by a new entry.",
    "backed_out": "The payment is backed out by a new entry.",
    "by_hand": "The award is entered and waits for its payment.",
    "adjusted": "The adjustment is booked.",
    "closed": "The jackpot is closed.",
    "account": "The balance is recorded.",
    "changed": "The new version of the setup is in force.",
    "opened": "The floor is open.",
    "stopped": "The table is out of service.",
    "reopened": "The table is back in service.",
    "voided": "The round is void; its wagers go back to the players.",
    "cleared": "The table is cleared: wagers of its round go back, and it is ready for the next.",
    "key": "The key is turned.",
    "role": "The role is changed. That person signs in again.",
    "withdrawn": "Withdrawn: it opens nothing any more.",
    "unlocked": "The card is unlocked.",
    "signed_out": "Signed out everywhere.",
    "pin": "Your PIN is changed. Sign in again with the new one.",
}
"""What a page says after a command, by the word in its address."""


def show(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page of the manager."""
    visit = visit_of(request)
    places = [(path, name) for path, name in NAVIGATION if may_open(visit, path)]
    counts = {CLAIMS: len(room_of(request).book.awards(status="pending", limit=MOST_COUNTED))}
    return page(
        request,
        f"manager/{template}",
        status,
        places=places,
        counts=counts,
        roles_with=roles_with,
        done=DONE.get(request.query_params.get("done", ""), ""),
        clock=clock,
        exact=exact_for_people,
        plain_amount=amount_text,
        zone=datetime.now().astimezone().tzname(),
        names=names_of(request),
        systems=SYSTEMS,
        **context,
    )


def names_of(request: Request) -> Names:
    """What people call the tables and jackpots, also before there are any."""
    room = room_of(request)
    return Names(room.desk.floor() if room.book.fact(FLOOR) is not None else None)


def may_open(visit: Visit, path: str) -> bool:
    """Whether a page answers this visitor, by the same rows that let people in."""
    rights = PAGES[f"GET {path}"].rights
    return not rights or any(map(visit.may, rights))


def roles_with(right: Right) -> str:
    """Who may do what the visitor may not."""
    return " or ".join(role for role in Role if role in RIGHTS[right])


def go(request: Request, path: str) -> Response:
    """After a command: to the page that shows what it did."""
    if is_partial(request):
        return Response(headers={"HX-Redirect": path})
    return back_to(path)


def caller_of(visit: Visit) -> Caller:
    """The visitor as the API knows one."""
    return Caller(person=visit.person, address=visit.address)


def clock(at: datetime | None) -> str:
    """A time by the clock of the house, which is that of its server."""
    return clock_text(at) if at is not None else ""


def age(since: datetime, now: datetime) -> str:
    """How long ago something was, in words.

    >>> age(datetime(2026, 1, 1, 20, 0), datetime(2026, 1, 1, 21, 5))
    '1 h 05 min'
    """
    minutes = max(0, int((now - since).total_seconds()) // 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours < 48 else f"{hours // 24} days"


@dataclass(frozen=True)
class SentForm:
    """A form that was sent. What does not read is refused with the field, the reason and what is accepted."""

    data: ImmutableMultiDict[str, Any]

    def text(self, name: str) -> str:
        value = self.data.get(name, "")
        return value.strip() if isinstance(value, str) else ""

    def many(self, name: str) -> list[str]:
        """All ticked boxes of one name."""
        return [value for value in self.data.getlist(name) if isinstance(value, str)]

    def is_ticked(self, name: str) -> bool:
        return name in self.data

    def number(self, name: str, label: str, *, least: int = 0, most: int = 10**15) -> int:
        text, accepted = self.text(name), "Write digits only"
        if most < 10**15:
            accepted = f"Accepted: {least} to {most}"
        if not re.fullmatch(r"[0-9]{1,15}", text) or not least <= int(text) <= most:
            raise FieldError(
                f"{label}: {_shown(text)} is not {'accepted' if text.isdecimal() else 'a whole number'}. {accepted}.",
                field=name,
                code="bad_number",
            )
        return int(text)

    def amount(self, name: str, label: str, *, may_be_negative: bool = False) -> int:
        """An amount in dollars, as micros."""
        text = self.text(name)
        if not text:
            raise FieldError(
                f"{label}: it is empty. Write dollars, as in 5, 0.25 or $10,000.", field=name, code="bad_amount"
            )
        sign = -1 if may_be_negative and text.startswith("-") else 1
        with self.at(name, label):
            return sign * parse_dollars(text[1:] if sign < 0 else text)

    def amount_text(self, name: str, label: str, *, may_be_empty: bool = False) -> str:
        """The same as it was written, for a floor's data, once it is seen to be an amount."""
        if self.text(name) or not may_be_empty:
            self.amount(name, label)
        return self.text(name)

    def id(self, name: str, label: str) -> str:
        """A name as the ledger has them."""
        text = self.text(name)
        if not re.fullmatch(r"[a-z0-9_.-]{1,60}", text):
            raise FieldError(
                f"{label}: {_shown(text)} is not accepted. Write 1 to 60 characters: lower-case letters, digits, "
                "dots, dashes and underscores.",
                field=name,
                code="bad_id",
            )
        return text

    def words(self, name: str, label: str, *, most: int, may_be_empty: bool = False) -> str:
        """Text that people read, on one or more lines."""
        text = self.text(name)
        if not may_be_empty and not text:
            raise FieldError(f"{label}: it is empty. Write 1 to {most} characters.", field=name, code="note_missing")
        if len(text) > most:
            raise FieldError(
                f"{label}: it has {len(text):,} characters. Accepted: {most} at most.", field=name, code="too_long"
            )
        return text

    def note(self, name: str, label: str) -> str:
        """Why something is done: kept with it."""
        return self.words(name, label, most=LONGEST_REASON)

    def one_of(self, name: str, label: str, accepted: Iterable[str]) -> str:
        text, known = self.text(name), list(accepted)
        if text not in known:
            raise FieldError(
                f"{label}: {_shown(text)} is not accepted. Accepted: {', '.join(known)}.", field=name, code="bad_choice"
            )
        return text

    def new_pin(self, name: str, label: str) -> str:
        text = self.text(name)
        if not text:
            raise FieldError(f"{label}: it is empty. A PIN has 4 to 12 digits.", field=name, code="bad_pin")
        return text

    @contextmanager
    def at(self, name: str, label: str, *codes: str) -> Iterator[None]:
        """Refusals, all or those with the codes, are about this field."""
        try:
            yield
        except CroupierError as error:
            if codes and error.code not in codes:
                raise
            raise FieldError(f"{label}: {error}", field=name, code=error.code) from None

    def day(self, name: str, label: str) -> date | None:
        text = self.text(name)
        try:
            return date.fromisoformat(text) if text else None
        except ValueError:
            raise FieldError(
                f"{label}: {_shown(text)} is not a date. Write it as 2026-11-16.", field=name, code="bad_date"
            ) from None

    def moment(self, name: str, label: str) -> datetime | None:
        """A time as a browser's picker writes it, by the clock of the house; None for none."""
        text = self.text(name)
        try:
            return datetime.fromisoformat(text).astimezone() if text else None
        except (ValueError, OverflowError):
            raise FieldError(
                f"{label}: {_shown(text)} is not a time. Write it as 2026-11-16T18:00.", field=name, code="bad_date"
            ) from None

    def swipe(self, name: str, label: str) -> Swipe:
        """A card and its PIN."""
        swiped = self.swipe_if_any(name, label)
        if swiped is None:
            raise FieldError(f"{label}: present a card and enter its PIN.", field=f"{name}_card", code="card_missing")
        return swiped

    def swipe_if_any(self, name: str, label: str) -> Swipe | None:
        card, pin = self.text(f"{name}_card"), self.text(f"{name}_pin")
        if not card and not pin:
            return None
        if not card or not pin:
            raise FieldError(
                f"{label}: both fields are needed, the card and its PIN.",
                field=f"{name}_pin" if card else f"{name}_card",
                code="card_missing",
            )
        return body_of(Swipe, card=card, pin=pin)


def _shown(text: str) -> str:
    return f'"{text[:40]}"' if text else "an empty field"


def body_of(kind: type[Body], /, **fields: Any) -> Body:
    """The body of an API's command, or the refusal that names the field. What was sent is not repeated."""
    try:
        return msgspec.convert(fields, kind, dec_hook=read_word)
    except ValidationError as error:
        place, problem = problem_of(error)
        name = word(place[-1] if place else "form").capitalize()
        raise RangeError(f"{name}: {problem}.", code="bad_request") from None


def word(text: str) -> str:
    """A stable name as people read it: `backed_out` is "backed out"."""
    return text.replace("_", " ")


async def _sent(request: Request) -> SentForm:
    return SentForm(await request.form())


TheForm = Annotated[SentForm, Depends(_sent)]
