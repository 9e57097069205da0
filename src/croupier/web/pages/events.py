"""One stream for a page: that a table or the ledger has changed, and what meters show.

A page says what it wants to hear of: `of=play:ID` a table that the software deals, `of=table:ID` the jackpot terminal
of a table, `of=run:ID` a simulation, `of=runs` their queue, `of=claims`, `of=back_outs`, `of=floor`, `of=ledger`,
`of=meters`. It gets `changed` with the subject, and fetches what it shows; for meters it gets the amounts. Who may hear
of what is in `rights.SUBJECTS`; in demo mode everybody may.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from croupier.floor.roles import Right, who_may
from croupier.web.api.meters import shown
from croupier.web.board import Audience, BoardStanding, MeterBoard, sees
from croupier.web.errors import WebError
from croupier.web.guard import COOKIE, TheRoom
from croupier.web.hub import ALIVE, METERS, StreamReader
from croupier.web.pages.base import PageRoute, TheVisit, error_page
from croupier.web.pages.rights import NAMED_SUBJECTS, SUBJECTS
from croupier.web.readers import reader_of
from croupier.web.services import Services
from croupier.web.streams import EVENT_STREAM, EventStream, event_text

router = APIRouter(route_class=PageRoute)

MOST_SUBJECTS = 20
LONGEST_SUBJECT = 200
ALIVE_TEXT = event_text("alive", {}).encode()


@router.get("/events")
async def events(
    request: Request, room: TheRoom, visit: TheVisit, of: Annotated[list[str], Query(max_length=MOST_SUBJECTS)]
) -> Response:
    """Says `hello` at once, then what changes."""
    needed = [right for subject in of for right in _rights(subject)]
    if not room.demo and needed:
        if visit.person is None:
            message = "This stream is for staff of the floor: sign in with your card first."
            return error_page(request, 401, "not_signed_in", message)
        for rights in needed:
            if not any(who_may(visit.person.role, right) for right in rights):
                raise WebError(f"A {visit.person.role} may not hear of this: it needs {rights[0]}.", code="no_right")
    session = request.cookies[COOKIE] if visit.person is not None else ""
    return await stream_to(request, room, reader_of(room, visit.address, session=session), of)


def _rights(subject: str) -> Iterable[tuple[Right, ...]]:
    """What one must have one of to hear of a subject; nothing where everybody may."""
    kind, _, name = subject.partition(":")
    if not subject.isprintable() or len(subject) >= LONGEST_SUBJECT or kind not in SUBJECTS:
        raise WebError(f"A subject of the stream cannot be read. Accepted: {', '.join(SUBJECTS)}.")
    if bool(name) != (kind in NAMED_SUBJECTS):
        raise WebError(f'The subject "{kind}" {"needs" if kind in NAMED_SUBJECTS else "has no"} name after a colon.')
    access = SUBJECTS[kind]
    return () if access.is_open else (access.rights,)


async def stream_to(
    request: Request, room: Services, reader: StreamReader, of: Iterable[str], audience: Audience = None
) -> Response:
    """The stream of a page whose reader may hear of all this; with an audience only its meters."""
    if request.method == "HEAD":  # no more than its headers: it has no end
        return Response(media_type=EVENT_STREAM)
    wanted = frozenset(of)
    has_meters = METERS in wanted
    standing = await run_in_threadpool(room.hub.catch_up if has_meters else room.hub.start)
    voice = _Voice(room.hub.board, standing, audience)
    hello = event_text("hello", {"subjects": sorted(wanted)}).encode()
    return EventStream(room.hub, room.streams, reader, wanted, hello + voice.meters(), voice.say)


class _Voice:
    """What one page has been told of the meters. All that are told the same get the same bytes."""

    def __init__(self, board: MeterBoard, standing: BoardStanding | None, audience: Audience) -> None:
        self._board, self._standing, self._audience = board, standing, audience

    def meters(self) -> bytes:
        """All amounts; nothing on a stream without meters."""
        if self._standing is None:
            return b""
        return self._standing.text(("page", self._audience), lambda standing: meters_text(standing, self._audience))

    def say(self, changed: set[str]) -> bytes:
        text = b"".join(changed_text(subject) for subject in sorted(changed - {METERS, ALIVE}))
        if METERS in changed and self._has_moved():
            text += self.meters()
        return text or (ALIVE_TEXT if ALIVE in changed else b"")

    def _has_moved(self) -> bool:
        """Goes on to the newest standing; whether that shows this page anything new."""
        if self._standing is None:
            return False
        heard, self._standing = self._standing.version, self._board.standing
        return self._standing.whole > heard or bool(self._standing.moved_since(heard, self._audience))


def meters_text(standing: BoardStanding, audience: Audience) -> str:
    """With the number of the ledger's last entry: of two answers the higher is the newer."""
    values = [shown(*level, micros) for level, micros in standing.meters.items() if sees(audience, level[0])]
    return event_text("meters", {"entry": standing.entry, "meters": values})


@lru_cache(maxsize=1000)
def changed_text(subject: str) -> bytes:
    return event_text("changed", {"subject": subject}).encode()
