"""What all pages share: templates, who is there, forms that only our own pages can send, and refusals as pages.

A form carries `csrf` and, where it changes something, `command`, an id that was made with the page: sent twice, it is
done once. With scripts, htmx sends forms and swaps the answer in; without, the answer is a page or leads back to one.
"""

from __future__ import annotations

import hmac
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlsplit

from fastapi import Depends, Form, Request, Response
from fastapi.exceptions import RequestValidationError
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from croupier import __version__
from croupier.errors import CroupierError, IllegalActionError, LedgerError
from croupier.floor.credentials import digest_of
from croupier.floor.names import cited
from croupier.floor.people import Person
from croupier.floor.roles import Right, who_may
from croupier.hall.hall import newcomer
from croupier.hall.shown import CardView
from croupier.house_time import date_text
from croupier.money import dollars_and_cents, dollars_for_people
from croupier.reports.formatting import capitalized
from croupier.reports.plots.model import plot_data, plot_rows
from croupier.reports.render.html import html, term
from croupier.store.play import Player
from croupier.web.addresses import address_of
from croupier.web.errors import WebError, in_words, status_of
from croupier.web.guard import COOKIE, SAFE_METHODS, WEB, Caller, csrf_token, is_from_here, record_denial
from croupier.web.handbook import help_for
from croupier.web.pages.play.felt import stack_of
from croupier.web.pages.problems import FieldError, in_plain_words
from croupier.web.pages.rights import PAGES
from croupier.web.route import QuickRoute
from croupier.web.services import Services, room_of
from croupier.web.work.processes import VISITOR

PLAYER_COOKIE = "croupier_player"
SIGN_COOKIE = "croupier_sign"
STATIC = Path(__file__).parent.parent / "static"
A_YEAR_S = 365 * 24 * 3600
TOKEN_BYTES = 32
PLAYER_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
"""So many bytes as text."""

log = logging.getLogger("croupier.web")


@dataclass(frozen=True)
class Visit:
    """Who looks at a page: a member of staff, a player, or both."""

    person: Person | None
    player: Player | None
    address: str
    csrf: str
    token: str = ""
    """Which player this browser is, or will be once it does something; empty where it has no cookie yet."""

    @property
    def asks_as(self) -> str:
        """Whose turn it is where visitors take turns. A cookie says nothing here: anybody can have a thousand."""
        return f"staff:{self.person.id}" if self.person is not None else f"address:{self.address}"

    def may(self, right: Right) -> bool:
        return self.person is not None and who_may(self.person.role, right)


class PageRoute(QuickRoute):
    """A route of a page, which lets through only whom `PAGES` allows and answers refusals as pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle: Callable[[Request], Awaitable[Response]] = super().get_route_handler()
        endpoint = f"{''.join(self.methods or ())} {self.path}"

        async def guarded(request: Request) -> Response:
            try:
                form = {} if request.method in SAFE_METHODS else dict(await request.form())
                visit = await run_in_threadpool(_admit, request, endpoint, str(form.get("csrf", "")))
                request.state.visit = visit
                VISITOR.set(visit.asks_as)
                return await handle(request)
            except CroupierError as error:
                return await run_in_threadpool(_refused, request, error)
            except RequestValidationError as error:
                problems = "; ".join(map(in_plain_words, error.errors()))
                return error_page(request, 422, "bad_request", f"{problems}.")
            finally:
                await request.close()  # files that came with a form

        return guarded

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return super().matches({**scope, "method": "GET"} if scope.get("method") == "HEAD" else scope)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """HEAD is answered as GET; the server leaves the body out."""
        if scope["method"] == "HEAD" and "GET" in (self.methods or ()):
            await self.app(scope, receive, send)
        else:
            await super().handle(scope, receive, send)


def _admit(request: Request, endpoint: str, csrf: str) -> Visit:
    room = room_of(request)
    address = address_of(request)
    access = PAGES[endpoint]
    visit = _visit(request, room, address, is_open=access.is_open)
    request.state.visit = visit
    if not all(str(value).isprintable() for value in request.path_params.values()):
        raise WebError("The address has characters that cannot be printed.")
    if visit.person is None and not access.is_open:
        is_ended = COOKIE in request.cookies
        raise WebError(
            "Your session has ended: sign in again." if is_ended else "Sign in with your card first.",
            code="not_signed_in",
        )
    if request.method not in SAFE_METHODS:
        _require_own_form(request, visit, csrf)
    if access.is_open or visit.person is None:
        return visit
    if access.rights and not any(who_may(visit.person.role, right) for right in access.rights):
        room.people.require(visit.person, access.rights[0], f"{request.method} {request.url.path}", where=WEB)
    return visit


def _visit(request: Request, room: Services, address: str, *, is_open: bool) -> Visit:
    session = request.cookies.get(COOKIE, "")
    sign = request.cookies.get(SIGN_COOKIE, "")
    person = _signed_in(request, room, address, session, is_open=is_open) if session else None
    # Who is known has a share of their own; all others at an address share one.
    if person is not None:
        room.by_token.take(digest_of(session))
    elif sign and room.devices.find(sign) is not None:
        room.by_token.take(digest_of(sign))
    else:
        room.by_address.take(address)
    token = request.cookies.get(PLAYER_COOKIE, "")
    if not PLAYER_TOKEN.fullmatch(token):
        token = ""
    player = _player_of(room, token) if token else None
    return Visit(person, player, address, csrf_token(f"{session}/{token}"), token)


def _player_of(room: Services, token: str) -> Player | None:
    """Whose purse it is. Pages that are not about play are shown without it where play is out of reach."""
    try:
        return room.hall.player_of(token)
    except LedgerError as error:
        log.error("%s: %s", error.code, error)
        return None


def _signed_in(request: Request, room: Services, address: str, session: str, *, is_open: bool) -> Person | None:
    """Whose session this is; nobody's if it has ended, which the page says where it matters."""
    # A page that is left open fetches what has changed: that must not keep its reader signed in.
    is_use = request.method not in SAFE_METHODS or not is_partial(request)
    count_failure = partial(room.failures.take, address)
    try:
        return room.sessions.session(session, device=WEB, is_use=is_use, before_denial=count_failure)
    except IllegalActionError:
        return None
    except WebError:  # too many that were not known: pages for everybody, the sign-in among them, still answer
        if not is_open:
            raise
        return None


def _require_own_form(request: Request, visit: Visit, csrf: str) -> None:
    """Only a page that this server made for the same visitor knows the token."""
    sent = request.headers.get("x-csrf-token", csrf)
    if not is_from_here(request) or not hmac.compare_digest(sent.encode("utf-8", "surrogatepass"), visit.csrf.encode()):
        if not request.cookies:
            raise WebError("This form needs a cookie: allow cookies for this address.", code="no_cookie")
        raise WebError("This form is too old, or was not made by this server. Open the page again.", code="csrf_failed")


def _refused(request: Request, error: CroupierError) -> Response:
    status, message = status_of(error), in_words(error)
    visit: Visit | None = getattr(request.state, "visit", None)
    if status == 403 and visit is not None:
        record_denial(request, Caller(person=visit.person, address=visit.address), error.code)
    if status == 401 and request.method in SAFE_METHODS and not is_partial(request):
        target = quote(request.url.path, safe="/")
        return RedirectResponse(f"/sign-in?next={target}", 303)
    return error_page(request, status, error.code, message, field=error.field if isinstance(error, FieldError) else "")


def error_page(request: Request, status: int, code: str, message: str, *, field: str = "") -> Response:
    """A refusal: a line above the page for htmx, which names the form's field if it is about one, else a page."""
    if is_partial(request):
        headers = {"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}
        sign_in = f"/sign-in?next={_page_of(request)}" if status == 401 else ""
        notice = render(request, "notice.html", code=code, message=message, field=field, sign_in=sign_in)
        return HTMLResponse(notice, status, headers=headers)
    return HTMLResponse(render(request, "error.html", status=status, code=code, message=message), status)


def _page_of(request: Request) -> str:
    """The page that a part of it was asked for from, for coming back to."""
    return quote(urlsplit(request.headers.get("hx-current-url", "")).path or "/", safe="/")


def is_partial(request: Request) -> bool:
    """Whether htmx asks, and wants a part of the page."""
    return request.headers.get("hx-request") == "true"


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    return HTMLResponse(render(request, template, **context), status)


def back_to(path: str) -> RedirectResponse:
    """After a form was sent without scripts."""
    return RedirectResponse(path, 303)


def render(request: Request, template: str, **context: Any) -> str:
    room = room_of(request)
    visit: Visit = getattr(request.state, "visit", None) or Visit(None, None, "", "")
    shared = {
        "path": request.url.path,
        "person": visit.person,
        "player": visit.player,
        "csrf": visit.csrf,
        "may": visit.may,
        "Right": Right,
        "is_demo": room.demo,
        "help_page": help_for(request.url.path),
    }
    return templates().get_template(template).render(**shared, **context)


@cache
def templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("croupier.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        static=static,
        card_face=card_face,
        new_id=new_id,
        version=__version__,
        plot_data=plot_data,
        plot_rows=plot_rows,
        html=html,
        term=term,
        date_text=date_text,
    )
    environment.filters.update(
        dollars=dollars_for_people,
        cents=dollars_and_cents,
        cited=cited,
        capitalize_first=capitalized,
        stack_of=stack_of,
    )
    return environment


_faces: dict[str, Markup] = {}


def card_face(card: CardView) -> Markup:
    """A card face up. There are few cards, and a table shows many: each is drawn once."""
    if card.text not in _faces:
        drawn = templates().get_template("cards.html").module
        _faces[card.text] = Markup(drawn.face(card))  # type: ignore[attr-defined]
    return _faces[card.text]


@cache
def static(name: str) -> str:
    """The address of a file, which changes with its content, so that browsers may keep it for ever."""
    return f"/static/{name}?v={sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


def new_id() -> str:
    """An id for one command, made with the form that sends it."""
    return secrets.token_urlsafe(12)


def visit_of(request: Request) -> Visit:
    visit: Visit = request.state.visit
    return visit


async def _handed_over(request: Request) -> Visit:
    """As a coroutine it takes no thread."""
    return visit_of(request)


TheVisit = Annotated[Visit, Depends(_handed_over)]
# Not named "id": scripts would find that field in place of the form's own id, by which htmx keeps a form in a swap.
CommandId = Annotated[str, Form(alias="command", min_length=8, max_length=60, pattern="^[A-Za-z0-9_-]+$")]


def meet(request: Request, visit: Visit) -> Visit:
    """The visitor of a page with forms for players. Who has no cookie gets one with the page, and nothing is stored:
    `player_for` makes a player of them when they do something."""
    if visit.token:
        return visit
    token = secrets.token_urlsafe(TOKEN_BYTES)
    session = request.cookies.get(COOKIE, "")
    request.state.visit = met = replace(visit, token=token, csrf=csrf_token(f"{session}/{token}"))
    return met


def with_cookie(response: Response, visit: Visit, *, demo: bool) -> Response:
    """The answer with the cookie that says which player this browser is, where it is not known already."""
    if visit.player is None and visit.token:
        response.set_cookie(
            PLAYER_COOKIE, visit.token, max_age=A_YEAR_S, httponly=True, secure=not demo, samesite="lax", path="/"
        )
    return response


def player_for(room: Services, visit: Visit) -> Player:
    """The player who does something: the one who is known, or a new guest."""
    if visit.player is not None:
        return visit.player
    if not visit.token:
        raise WebError("A table needs a cookie to know your purse. Allow cookies for this address.", code="no_cookie")
    room.guests.take(visit.address)
    return room.hall.new_player(visit.token)


def seen_as(visit: Visit) -> Player:
    """The player as whom somebody looks, known or not."""
    return visit.player or newcomer(visit.token)
