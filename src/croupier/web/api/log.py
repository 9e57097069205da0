"""The log and what is made from it: entries, the check of the whole ledger, hits, reports."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query

from croupier.errors import NotationError
from croupier.jackpot import Sealed
from croupier.reports.jackpot_accrual import accrual
from croupier.reports.jackpot_awards import hits, win_page
from croupier.reports.jackpot_reconciliation import reconciliation
from croupier.store import verify
from croupier.web.api.claims import JackpotName, MostLines
from croupier.web.api.rights import PREFIX
from croupier.web.guard import GuardedRoute, TheCaller, TheRoom

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["log and reports"])

SECRET_FIELDS = frozenset({"card_sha256", "pin_hash", "token_sha256"})
SECRET_SUBJECTS = ("card:", "device_token:", "session:")

Start = Annotated[datetime | None, Query(description="From this time on, with its zone.")]
End = Annotated[datetime | None, Query(description="Before this time, with its zone.")]


def plain(value: object) -> Any:
    """A report as JSON data; fractions as text."""
    return msgspec.to_builtins(value, enc_hook=str)


def entry_data(sealed: Sealed) -> dict[str, Any]:
    """An entry without what could help to try PINs or tokens."""
    data: dict[str, Any] = msgspec.to_builtins(sealed.entry)
    event = data["event"]
    if event["event"] == "FactRecorded":
        event["body"] = {name: value for name, value in event["body"].items() if name not in SECRET_FIELDS}
        kind = next((prefix for prefix in SECRET_SUBJECTS if event["subject"].startswith(prefix)), None)
        if kind is not None:
            event["subject"] = f"{kind}{event['subject'].removeprefix(kind)[:8]}"
    return data | {"hash": sealed.hash}


@router.get("/entries")
def entries(
    room: TheRoom,
    after: Annotated[int, Query(ge=0, le=2**53, description="Entries after this number.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> dict[str, Any]:
    """The log in its order: money, set-up, people, refused attempts. Ask on after the last number."""
    number, hash = room.book.head()
    found = room.book.entries(after=after, limit=limit)
    return {"entries": [entry_data(sealed) for sealed in found], "head": {"entry": number, "hash": hash}}


@router.get("/verify")
def verify_ledger(
    caller: TheCaller,
    room: TheRoom,
    entry: Annotated[int | None, Query(ge=1, le=2**53, description="Number of an entry noted elsewhere.")] = None,
    hash: Annotated[str | None, Query(pattern="^[0-9a-f]{64}$", description="Its hash.")] = None,
) -> dict[str, Any]:
    """Recomputes every balance and the chain of hashes from the log; names the first bad entry."""
    room.swipes.take(f"verify/{caller.name}")  # reads the whole log, so it is asked for rarely
    if (entry is None) != (hash is None):
        raise NotationError("An anchor is an entry's number and its hash: give both.", code="bad_anchor")
    anchor = (entry, hash) if entry is not None and hash is not None else None
    found = verify(room.book, anchor=anchor)
    return {"is_good": found.is_good, **plain(found)}


@router.get("/hits")
def last_hits(room: TheRoom, jackpot: JackpotName = None, limit: MostLines = 25) -> dict[str, Any]:
    """The last hits, the latest first, with who proposed, approved and returned them."""
    report: dict[str, Any] = plain(hits(room.book, limit=limit, jackpot=jackpot))
    return report


@router.get("/reports/accrual")
def accrual_report(room: TheRoom, start: Start = None, end: End = None) -> dict[str, Any]:
    """Wagers, contributions and awards of a shift, by jackpot and table."""
    report: dict[str, Any] = plain(accrual(room.book, start, end))
    return report


@router.get("/reports/reconciliation")
def reconciliation_report(room: TheRoom, start: Start = None, end: End = None) -> dict[str, Any]:
    """Opening, movements and closing of every account."""
    found = reconciliation(room.book, start, end)
    return {"is_good": found.is_good, **plain(found)}


@router.get("/reports/win-page/{award:path}")
def win_page_report(award: str, room: TheRoom) -> dict[str, Any]:
    """The page of an award for the winners' and the house's files."""
    report: dict[str, Any] = plain(win_page(room.book, award, room.desk.floor()))
    return report
