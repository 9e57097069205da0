"""Who calls, and whether they may: settled before a request's body is looked at."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import AfterValidator
from starlette.concurrency import run_in_threadpool

from croupier.errors import CroupierError, IllegalActionError, RangeError
from croupier.floor.clearing import require_own_id
from croupier.floor.credentials import digest_of
from croupier.floor.devices import USES, Device
from croupier.floor.people import Person
from croupier.floor.roles import Role, who_may
from croupier.floor.service import Signer
from croupier.jackpot.pools import LONGEST_NAME, require_name
from croupier.web.addresses import address_of
from croupier.web.api.rights import ENDPOINTS, PREFIX, Access
from croupier.web.api.typed import TypedRoute
from croupier.web.errors import WebError, status_of
from croupier.web.services import Services, room_of

COOKIE = "croupier_session"
WEB = "web"
"""In the place of a device, for sessions of browsers."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def _id_of(header: str) -> str:
    """The id that a header says, by the ledger's own rule, which holds at the command line too."""
    try:
        id = header.encode("latin-1").decode()  # a header is bytes; beyond ASCII they are UTF-8, as everywhere here
    except UnicodeError:
        raise RangeError("The Idempotency-Key is not UTF-8.", code="bad_name") from None
    require_name("Idempotency-Key", id)
    require_own_id("Idempotency-Key", id)
    return id


IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=LONGEST_NAME,
        description="An id that the client makes once for each command. Asked again with it, the answer is the first "
        "one; with other content it is refused with `id_reused`.",
    ),
    AfterValidator(_id_of),
]


@dataclass(frozen=True)
class Caller:
    """Who asks: a person, a device, or a person at a device."""

    person: Person | None = None
    device: Device | None = None
    address: str = ""

    @property
    def name(self) -> str:
        if self.person is not None:
            return self.person.id
        return f"device:{self.device.id}" if self.device is not None else "anonymous"

    @property
    def is_known(self) -> bool:
        return self.person is not None or self.device is not None

    @property
    def counted_as(self) -> str:
        """Whose share of the limits this is: a known caller has one alone, all others of an address share one."""
        return f"known {self.name}" if self.is_known else self.address

    @property
    def where(self) -> str:
        return self.device.id if self.device is not None else WEB

    @property
    def signer(self) -> Signer:
        """For the floor service. A terminal's sensors act for the dealer, under their own name."""
        return self.person or Person(id=self.name, role=Role.DEALER)


def csrf_token(session: str) -> str:
    """What a page must send along to show that it, and not another page, made the request."""
    return sha256(f"csrf/{session}".encode()).hexdigest()


class GuardedRoute(TypedRoute):
    """A route that lets through only whom `ENDPOINTS` allows."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle: Callable[[Request], Awaitable[Response]] = super().get_route_handler()
        accepted = _query_names(self.dependant)

        async def guarded(request: Request) -> Response:
            caller = await run_in_threadpool(admit, request, endpoint_of(self))
            request.state.caller = caller
            _require_known(request.query_params, accepted)
            if request.method not in SAFE_METHODS:
                _refuse_twin_keys(await request.body())
            try:
                return await handle(request)
            except CroupierError as error:
                if status_of(error) == 403:
                    await run_in_threadpool(record_denial, request, caller, error.code)
                raise

        return guarded


def _query_names(dependant: Dependant) -> frozenset[str]:
    """What may stand after the question mark, by the parameters that an endpoint and what it depends on declare."""
    own = {field.alias for field in dependant.query_params}
    return frozenset(own.union(*map(_query_names, dependant.dependencies)))


def _require_known(sent: Iterable[str], accepted: frozenset[str]) -> None:
    """Refuses a misspelled parameter: passed over, it would answer with more than was asked for."""
    for name in sent:
        if name not in accepted:
            known = ", ".join(sorted(accepted)) or "none here"
            raise RangeError(f"There is no parameter {name[:40]!r}. Accepted: {known}.", code="bad_request")


def _refuse_twin_keys(body: bytes) -> None:
    """Refuses JSON that says a thing twice: which of the two counts would be up to whoever reads it."""

    def once(pairs: list[tuple[str, Any]]) -> None:
        seen = set()
        for name, _ in pairs:
            if name in seen:
                raise RangeError(f"The body has the field {name[:40]!r} twice. Say it once.", code="duplicate_key")
            seen.add(name)

    with suppress(ValueError, RecursionError):  # what does not read at all is refused where it is read
        json.loads(body, object_pairs_hook=once)


def endpoint_of(route: APIRoute) -> str:
    """A route's name in `ENDPOINTS`."""
    method = "".join(route.methods or ())
    return f"{method} {route.path.removeprefix(PREFIX)}"


def admit(request: Request, endpoint: str) -> Caller:
    """The caller, or the refusal."""
    room = room_of(request)
    address = address_of(request)
    access = ENDPOINTS[endpoint]
    try:
        caller = recognize(request, room, address, with_session=not access.is_open)
    except CroupierError:
        room.by_address.take(address)
        raise
    if caller.is_known:
        room.by_token.take(digest_of(" ".join(_secrets(request, with_session=not access.is_open))))
    else:
        room.by_address.take(address)
    if not all(str(value).isprintable() for value in request.path_params.values()):
        raise WebError("The address has characters that cannot be printed.")
    try:
        if not access.is_open:
            _require_access(request, room, caller, access)
        if request.method not in SAFE_METHODS and caller.person is not None:
            _require_same_site(request)
    except WebError as error:  # a missing right is on the record already
        if status_of(error) == 403:
            record_denial(request, caller, error.code)
        raise
    if request.method not in SAFE_METHODS and access.is_command:
        _require_key(request)
    return caller


def recognize(request: Request, room: Services, address: str, *, with_session: bool = True) -> Caller:
    """Whose token and session these are.

    Failures of others at the same address hold up nobody who is known: only before a token or session that is not good
    here goes on record is it asked whether there were too many.
    """
    token, session = _secrets(request, with_session=with_session)
    count_failure = partial(room.failures.take, address)
    try:
        device = room.devices.device(token, before_denial=count_failure) if token else None
        where = device.id if device else WEB
        person = room.sessions.session(session, device=where, before_denial=count_failure) if session else None
    except IllegalActionError as error:
        code = "bad_token" if error.code == "unknown_device" else error.code
        raise IllegalActionError(str(error), code=code) from None
    return Caller(person=person, device=device, address=address)


def _secrets(request: Request, *, with_session: bool) -> tuple[str, str]:
    """A device's token and a person's session, as they were sent; each may be empty."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme and (scheme.lower() != "bearer" or not token):
        raise WebError("Send Authorization: Bearer TOKEN, or sign in.", code="bad_token")
    return token, request.cookies.get(COOKIE, "") if with_session else ""


def record_denial(request: Request, caller: Caller, why: str) -> None:
    room_of(request).people.log.deny(who=caller.name, what=_attempt(request), where=caller.where, why=why)


def _attempt(request: Request) -> str:
    """What was asked for, with the names in it, as the record of refused attempts says it."""
    return f"{request.method} {request.url.path}"


def _require_access(request: Request, room: Services, caller: Caller, access: Access) -> None:
    if caller.person is not None:
        if access.rights and not any(who_may(caller.person.role, right) for right in access.rights):
            room.people.require(caller.person, access.rights[0], _attempt(request), where=caller.where)
    elif caller.device is None:
        raise WebError("Sign in, or send a device's token.", code="not_signed_in")
    elif access.use is None or access.use not in USES[caller.device.kind]:
        raise WebError(
            f'The {caller.device.kind} "{caller.device.id}" cannot do this without a person.', code="person_needed"
        )
    table = request.path_params.get("table")
    if table is not None:
        require_device_for(caller, table)


def require_device_for(caller: Caller, table: str) -> None:
    """A device speaks for its own tables only, whoever stands at it."""
    if caller.device is not None and table not in caller.device.tables:
        raise WebError(f'The device "{caller.device.id}" is not registered for this table.', code="not_allowed")


def is_from_here(request: Request) -> bool:
    """Whether no other site's page has sent a request, as far as the browser says."""
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


def _require_same_site(request: Request) -> None:
    sent = request.headers.get("x-csrf-token", "")
    right = csrf_token(request.cookies[COOKIE])
    if not is_from_here(request) or not hmac.compare_digest(sent.encode("utf-8", "surrogatepass"), right.encode()):
        raise WebError("Send the session's csrf token as X-CSRF-Token, from the same site.", code="csrf_failed")


def _require_key(request: Request) -> None:
    header = request.headers.get("idempotency-key", "")
    if not header:
        raise WebError(
            f"Send an Idempotency-Key: 1 to {LONGEST_NAME} printable characters that were never used before.",
            code="id_missing",
        )
    _id_of(header)


# What is only handed over needs no thread of its own, as functions that are not async would get.
async def caller_of(request: Request) -> Caller:
    caller: Caller = request.state.caller
    return caller


async def the_room(request: Request) -> Services:
    return room_of(request)


TheRoom = Annotated[Services, Depends(the_room)]
TheCaller = Annotated[Caller, Depends(caller_of)]
