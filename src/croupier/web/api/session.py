"""Signing in with card and PIN, and out again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct

from croupier.errors import IllegalActionError
from croupier.floor.people import Person
from croupier.floor.roles import RIGHTS, Right, Role
from croupier.web.api.bodies import ChangePinBody, Swipe
from croupier.web.api.rights import PREFIX
from croupier.web.api.typed import json_answer
from croupier.web.guard import COOKIE, GuardedRoute, IdempotencyKey, TheCaller, TheRoom, csrf_token

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["session"])


class SignedIn(Struct, frozen=True, kw_only=True):
    person: Annotated[str, Meta(description="The person's id.")]
    role: Annotated[Role, Meta(description="The person's role.")]
    rights: Annotated[tuple[Right, ...], Meta(description="What the person may do.")]
    csrf_token: Annotated[str, Meta(description="For the header `X-CSRF-Token` of commands.")]


class PinChanged(Struct, frozen=True):
    changed: Annotated[str, Meta(description="Whose.")]


@router.post("/session", status_code=201, response_model=SignedIn)
def sign_in(request: Request, body: Swipe, caller: TheCaller, room: TheRoom) -> Response:
    """Signs in: the answer sets a cookie and says the csrf token that commands must send as `X-CSRF-Token`.

    With a device's token, the session is good at that device only. The session that came along as a cookie ends.
    """
    room.swipes.take(caller.counted_as)
    token = room.sessions.sign_in(body.card, body.pin, caller.where)
    if before := request.cookies.get(COOKIE):
        room.sessions.sign_out(before)
    response = json_answer(_who(room.sessions.session(token, device=caller.where), token), 201)
    response.set_cookie(COOKIE, token, httponly=True, secure=not room.demo, samesite="strict", path="/")
    return response


@router.get("/session")
def who_am_i(request: Request, caller: TheCaller) -> SignedIn:
    """Who is signed in, with role and rights."""
    assert caller.person is not None
    return _who(caller.person, request.cookies[COOKIE])


@router.delete("/session", status_code=204)
def sign_out(request: Request, response: Response, room: TheRoom) -> None:
    """Ends the session."""
    room.sessions.sign_out(request.cookies[COOKIE])
    response.delete_cookie(COOKIE, path="/")


@router.post("/pin")
def change_pin(body: ChangePinBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> PinChanged:
    """Gives one's own card another PIN. All sessions of that person end."""
    room.swipes.take(caller.counted_as)
    assert caller.person is not None
    if room.people.person_of(body.card, where=caller.where) != caller.person:
        raise IllegalActionError("Only the PIN of one's own card is changed here.", code="not_allowed")
    room.people.change_pin(key, body.card, body.pin, body.new_pin, where=caller.where)
    return PinChanged(caller.person.id)


def _who(person: Person, token: str) -> SignedIn:
    rights = tuple(sorted(right for right, roles in RIGHTS.items() if person.role in roles))
    return SignedIn(person=person.id, role=person.role, rights=rights, csrf_token=csrf_token(token))
