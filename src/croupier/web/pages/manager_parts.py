"""What the manager's pages share: navigation by role, forms read field by field, answers after a command, the clock.

A form is turned into the same body that the API takes and goes to the same function; so both refuse the same things in
the same words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request, Response
from pydantic import BaseModel, ValidationError
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import HTMLResponse

from croupier.errors import CroupierError, NotationError, RangeError
from croupier.floor.words import amount_text
from croupier.money import parse_dollars
from croupier.reports.jackpot_money import exact_dollars
from croupier.web.api.bodies import Swipe
from croupier.web.guard import Caller
from croupier.web.pages.frame import Visit, back_to, is_partial, page, visit_of
from croupier.web.pages.rights import PAGES

Body = TypeVar("Body", bound=BaseModel)

NAVIGATION = (
    ("/manager", "Floor"),
    ("/manager/claims", "Claims"),
    ("/manager/meters", "Meters"),
    ("/manager/account", "Account"),
    ("/manager/reports", "Reports"),
    ("/manager/setup", "Set-up"),
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
    "adjusted": "The adjustment is booked.",
    "closed": "The jackpot is closed.",
    "account": "The balance is recorded.",
    "changed": "The new version of the set-up is in force.",
    "opened": "The floor is open.",
    "stopped": "The table is out of service.",
    "reopened": "The table is back in service.",
    "voided": "The round is void; its wagers go back to the players.",
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
    return page(
        request,
        f"manager/{template}",
        status,
        places=places,
        done=DONE.get(request.query_params.get("done", ""), ""),
        clock=clock,
        exact=exact_dollars,
        plain_amount=amount_text,
        zone=datetime.now().astimezone().tzname(),
        **context,
    )


def may_open(visit: Visit, path: str) -> bool:
    """Whether a page answers this visitor, by the same rows that let people in."""
    rights = PAGES[f"GET {path}"].rights
    return not rights or any(map(visit.may, rights))


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
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S") if at is not None else ""


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
class Sent:
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

    def number(self, name: str, label: str) -> int:
        text = self.text(name)
        if not re.fullmatch(r"[0-9]{1,15}", text):
            raise NotationError(f'{label}: "{text[:40]}" is not a whole number. Write digits only.', code="bad_number")
        return int(text)

    def amount(self, name: str, label: str, *, may_be_negative: bool = False) -> int:
        """An amount in dollars, as micros."""
        text = self.text(name)
        sign = -1 if may_be_negative and text.startswith("-") else 1
        try:
            return sign * parse_dollars(text[1:] if sign < 0 else text)
        except CroupierError as error:
            raise type(error)(f"{label}: {error}", code=error.code) from None

    def day(self, name: str, label: str) -> date | None:
        text = self.text(name)
        return day_of(text, label) if text else None

    def swipe(self, name: str, label: str) -> Swipe:
        """A card and its PIN."""
        found = self.swipe_if_any(name, label)
        if found is None:
            raise RangeError(f"{label}: present a card and enter its PIN.", code="card_missing")
        return found

    def swipe_if_any(self, name: str, label: str) -> Swipe | None:
        card, pin = self.text(f"{name}_card"), self.text(f"{name}_pin")
        if not card and not pin:
            return None
        if not card or not pin:
            raise RangeError(f"{label}: both fields are needed, the card and its PIN.", code="card_missing")
        return body_of(Swipe, card=card, pin=pin)


def body_of(kind: type[Body], /, **fields: Any) -> Body:
    """The body of an API's command, or the refusal that names the field. What was sent is not repeated."""
    try:
        return kind(**fields)
    except ValidationError as error:
        problems = "; ".join(f"{one['loc'][0] if one['loc'] else 'form'}: {one['msg']}" for one in error.errors())
        raise RangeError(f"The form does not read: {problems}.", code="bad_request") from None


def day_of(text: str, label: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NotationError(f'{label}: "{text[:40]}" is no date. Write it as 2026-11-16.', code="bad_date") from None


def moment_of(text: str, label: str) -> datetime | None:
    """A time as a browser's picker writes it, by the clock of the house; None for none."""
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise NotationError(
            f'{label}: "{text[:40]}" is no time. Write it as 2026-11-16T18:00.', code="bad_date"
        ) from None
    return at if at.tzinfo is not None else at.astimezone()


def word(text: str) -> str:
    """A stable name as people read it: `backed_out` is "backed out"."""
    return text.replace("_", " ")


async def _sent(request: Request) -> Sent:
    return Sent(await request.form())


TheForm = Annotated[Sent, Depends(_sent)]
