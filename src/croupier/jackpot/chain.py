"""Entries: events with who, when and under which id, each sealed with a hash over itself and the one before.

The text of an entry is canonical JSON (keys sorted, no spaces), which is what is stored and hashed: SHA-256 over the
UTF-8 bytes. It holds the hash of the entry before, so a changed, missing or exchanged entry breaks the chain after it.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from croupier.errors import IllegalActionError, LedgerError, NotationError
from croupier.jackpot.commands import AnyCommand, Request
from croupier.jackpot.events import AnyEvent, JackpotHit, RoundVoided, WagersLocked
from croupier.jackpot.fields import Actor, RoundNumber, TableId
from croupier.jackpot.state import State

GENESIS = "0" * 64
"""Stands where the first entry's predecessor would."""

_encoder = msgspec.json.Encoder(order="sorted")


class Entry(Struct, frozen=True, kw_only=True):
    """One line of the log."""

    seq: Annotated[int, Meta(description="Counts from 1 without gaps: the total order of everything that happened.")]
    id: Annotated[str, Meta(description="The request's id.")]
    at: Annotated[datetime, Meta(tz=True, description="When it was written.")]
    actor: Actor
    reason: Annotated[str, Meta(description="Why it was done.")]
    table: TableId = ""
    round: RoundNumber = 0
    request_sha256: Annotated[
        str, Meta(description="Of actor and command: tells a repeated request from another under the same id.")
    ]
    event: Annotated[AnyEvent, Meta(description="What happened.")]
    previous: Annotated[str, Meta(description="Hash of the entry before.")]


class Sealed(Struct, frozen=True, kw_only=True):
    """An entry, its canonical text and the hash of that text."""

    entry: Entry
    text: str
    hash: Annotated[str, Meta(description="The hash of the entry.")]


_decoder = msgspec.json.Decoder(Entry)
_request_decoder = msgspec.json.Decoder(tuple[str, AnyCommand])


def digest(request: Request) -> str:
    """Hash of what makes two requests the same: actor and command. Not the time: a retry comes later.

    Types are not checked when a command is made in Python, so they are here: a float must not get near money.
    """
    try:
        encoded = _encoder.encode((request.actor, request.command))
        _request_decoder.decode(encoded)
    except (msgspec.MsgspecError, TypeError) as error:
        raise NotationError(f'The request "{request.id}" cannot be read: {error}.', code="bad_request") from error
    return sha256(encoded).hexdigest()


def seal(state: State, request: Request, request_sha256: str, event: AnyEvent, seq: int, previous: str) -> Sealed:
    """The event as the next entry of the chain."""
    table, played = where(state, event)
    entry = Entry(
        seq=seq,
        id=request.id,
        at=request.at,
        actor=request.actor,
        reason=event.reason,
        table=table,
        round=played,
        request_sha256=request_sha256,
        event=event,
        previous=previous,
    )
    text = _encoder.encode(entry)
    return Sealed(entry=entry, text=text.decode(), hash=sha256(text).hexdigest())


def where(state: State, event: AnyEvent) -> tuple[str, int]:
    """Table and round of an event; of a payment or a return, those of the hit."""
    if isinstance(event, WagersLocked | RoundVoided | JackpotHit):
        return event.table, event.round
    award = state.awards.get(getattr(event, "award", ""))
    return (award.table, award.round) if award else ("", 0)


def unseal(text: str, hash: str, seq: int, previous: str | None = None) -> Sealed:
    """Reads a stored entry back, or says what is wrong with it; with `previous`, also whether it follows that one."""
    if sha256(text.encode()).hexdigest() != hash:
        raise LedgerError(f"Entry {seq} was changed: its text does not have its hash.", code="bad_hash")
    try:
        entry = _decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise LedgerError(f"Entry {seq} cannot be read: {error}.", code="bad_entry") from error
    if entry.seq != seq:
        raise LedgerError(f"Entry {seq} is missing; entry {entry.seq} stands in its place.", code="missing_entry")
    if previous is not None and entry.previous != previous:
        raise LedgerError(f"Entry {seq} does not follow the entry before it: the chain is broken.", code="broken_chain")
    return Sealed(entry=entry, text=text, hash=hash)


def require_same(before: Entry, request_sha256: str) -> None:
    """Refuses an id that was used for something else."""
    if before.request_sha256 != request_sha256:
        raise IllegalActionError(
            f'The id "{before.id}" was used for another request (entry {before.seq}). Make a new id for a new request.',
            code="id_reused",
        )
