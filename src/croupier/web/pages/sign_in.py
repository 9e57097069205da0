"""Staff sign in with card and PIN, and out again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from croupier.errors import CroupierError
from croupier.floor.credentials import DEMO_PEOPLE
from croupier.floor.roles import Role, who_may
from croupier.web.errors import in_words, status_of
from croupier.web.guard import COOKIE, WEB, TheRoom
from croupier.web.pages.base import PageRoute, TheVisit, back_to, page
from croupier.web.pages.rights import PAGES

router = APIRouter(route_class=PageRoute)

Secret = Annotated[str, Form(max_length=200)]
Next = Annotated[str, Form(max_length=300)]


@router.get("/sign-in")
def form(request: Request, room: TheRoom, next: str = "") -> Response:
    return page(request, "sign_in.html", next=_ours(next), problem="", people=DEMO_PEOPLE if room.demo else ())


@router.post("/sign-in")
def sign_in(
    request: Request, visit: TheVisit, room: TheRoom, card: Secret = "", pin: Secret = "", next: Next = ""
) -> Response:
    room.swipes.take(visit.address)
    people = DEMO_PEOPLE if room.demo else ()
    if not card or not pin:
        problem = "Present a card and enter its PIN: both fields are needed."
        return page(request, "sign_in.html", 422, next=_ours(next), problem=problem, people=people)
    try:
        token = room.sessions.sign_in(card.strip(), pin.strip(), WEB)
        person = room.sessions.session(token, device=WEB)
    except CroupierError as error:
        return page(request, "sign_in.html", status_of(error), next=_ours(next), problem=in_words(error), people=people)
    if before := request.cookies.get(COOKIE):
        room.sessions.sign_out(before)
    response = back_to(_ours(next) or _place_of(person.role))
    response.set_cookie(COOKIE, token, httponly=True, secure=not room.demo, samesite="strict", path="/")
    return response


@router.post("/sign-out")
def sign_out(request: Request, visit: TheVisit, room: TheRoom) -> Response:
    if visit.person is not None:
        room.sessions.sign_out(request.cookies[COOKIE])
    response = back_to("/sign-in")
    response.delete_cookie(COOKIE, path="/")
    return response


def _place_of(role: Role) -> str:
    """Where somebody's work is who did not say where to go."""
    may_see_manager = any(who_may(role, right) for right in PAGES["GET /manager"].rights)
    return "/manager" if may_see_manager else "/dealer"


def _ours(path: str) -> str:
    """Where to go on, or nothing; never to another server."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if is_ours else ""
