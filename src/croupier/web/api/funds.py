"""The jackpot account, and the end of a jackpot."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import msgspec
from fastapi import APIRouter

from croupier.floor.account import AccountStanding
from croupier.floor.service import Ask
from croupier.web.api import answers
from croupier.web.api.bodies import AccountBody, CloseBody, present
from croupier.web.api.rights import PREFIX
from croupier.web.guard import GuardedRoute, IdempotencyKey, TheCaller, TheRoom

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["funds"])


def _account_data(standing: AccountStanding) -> dict[str, Any]:
    findings = [finding.as_data() for finding in standing.findings]
    return asdict(standing) | {"findings": findings, "may_play": standing.may_play}


@router.get("/account", response_model=answers.Account)
def account(room: TheRoom) -> dict[str, Any]:
    """What the bank held when it was last recorded, what must be there now, and when the next deposit is due."""
    return _account_data(room.desk.account())


@router.post("/account", response_model=answers.Account)
def record_account(body: AccountBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Records what the bank holds. While it is too little, or a deposit is late, no table starts a round."""
    standing = room.desk.record_account(
        Ask(key, caller.signer, body.revision),
        balance_micros=body.balance_micros,
        credit_line_micros=body.credit_line_micros,
        note=body.note,
        day=body.day,
    )
    return _account_data(standing)


@router.post("/jackpots/{jackpot}/close", response_model=answers.Closed)
def close(jackpot: str, body: CloseBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> dict[str, Any]:
    """Ends a jackpot that no table plays for, by two people; the players' money in it goes to a named progressive."""
    room.book.jackpot(jackpot)
    second = present(room, caller, body.second, what=f"close {jackpot}", id=f"{key}/2")
    closed = room.desk.close_jackpot(Ask(id=key, by=caller.signer), jackpot, body.note, second, to=body.to)
    data: dict[str, Any] = msgspec.to_builtins(closed)
    return {name: data[name] for name in answers.Closed.model_fields}
