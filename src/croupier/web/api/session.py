"""Signing in with card and PIN, and out again."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from croupier.errors import IllegalActionError
from croupier.floor.people import Person
from croupier.floor.roles import RIGHTS
from croupier.web.api import answers
from croupier.web.api.bodies import ChangePinBody, Swipe
from croupier.web.api.rights import PREFIX
from croupier.web.guard import COOKIE, GuardedRoute, IdempotencyKey, TheCaller, TheRoom, csrf_token

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["session"])


@router.post("/session", status_code=201, response_model=answers.SignedIn)
def sign_in(request: Request, body: Swipe, response: Response, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Signs in: the answer sets a cookie and says the csrf token that commands must send as `X-CSRF-Token`.

    With a device's token, the session is good at that device only. The session that came along as a cookie ends.
    """
    room.swipes.take(caller.counted_as)
    token = room.sessions.sign_in(body.card.get_secret_value(), body.pin.get_secret_value(), caller.where)
    if before := request.cookies.get(COOKIE):
        room.sessions.sign_out(before)
    response.set_cookie(COOKIE, token, httponly=True, secure=not room.demo, samesite="strict", path="/")
    return _who(room.sessions.session(token, device=caller.where), token)


@router.get("/session", response_model=answers.SignedIn)
def who_am_i(request: Request, caller: TheCaller) -> dict[str, Any]:
    """Who is signed in, with role and rights."""
    assert caller.person is not None
    return _who(caller.person, request.cookies[COOKIE])


@router.delete("/session", status_code=204)
def sign_out(request: Request, response: Response, room: TheRoom) -> None:
    """Ends the session."""
    room.sessions.sign_out(request.cookies[COOKIE])
    response.delete_cookie(COOKIE, path="/")


@router.post("/pin", response_model=answers.PinChanged)
def change_pin(body: ChangePinBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Gives one's own card another PIN. All sessions of that person end."""
    room.swipes.take(caller.counted_as)
    card = body.card.get_secret_value()
    assert caller.person is not None
    if room.people.person_of(card, where=caller.where) != caller.person:
        raise IllegalActionError("Only the PIN of one's own card is changed here.", code="not_allowed")
    room.people.change_pin(key, card, body.pin.get_secret_value(), body.new_pin.get_secret_value(), where=caller.where)
    return {"changed": caller.person.id}


def _who(person: Person, token: str) -> dict[str, Any]:
    rights = sorted(right for right, roles in RIGHTS.items() if person.role in roles)
    return {"person": person.id, "role": person.role, "rights": rights, "csrf_token": csrf_token(token)}
