"""The jackpot account, and the end of a jackpot."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from msgspec import Meta, Struct

from croupier.floor.account import AccountStanding
from croupier.floor.service import Ask
from croupier.jackpot.fields import JackpotId, Note, SecondPerson
from croupier.web.api.bodies import AccountBody, CloseBody, present
from croupier.web.api.rights import PREFIX
from croupier.web.api.typed import answer_as
from croupier.web.guard import GuardedRoute, IdempotencyKey, TheCaller, TheRoom

router = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["funds"])


class Account(AccountStanding, frozen=True, kw_only=True):
    """How the jackpot account stands against what the jackpots hold."""

    may_play: Annotated[bool, Meta(description="Whether the tables may play by the law on funding.")]


class Closed(Struct, frozen=True, kw_only=True):
    """A jackpot that has ended."""

    jackpot: JackpotId
    into: Annotated[str, Meta(description="The jackpot that got the players' money; empty where there was none.")]
    into_level: Annotated[str, Meta(description="The level of that jackpot.")]
    seed_micros: Annotated[int, Meta(description="What the house took back, in millionths of a dollar.")]
    moved_micros: Annotated[int, Meta(description="What went to the other jackpot, in millionths of a dollar.")]
    note: Note
    second: SecondPerson


@router.get("/account")
def account(room: TheRoom) -> Account:
    """What the bank held when it was last recorded, what must be there now, and when the next deposit is due."""
    return answer_as(Account, room.desk.account())


@router.post("/account")
def record_account(body: AccountBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Account:
    """Records what the bank holds. While it is too little, or a deposit is late, no table starts a round."""
    standing = room.desk.record_account(
        Ask(key, caller.signer, body.revision),
        balance_micros=body.balance_micros,
        credit_line_micros=body.credit_line_micros,
        note=body.note,
        day=body.day,
    )
    return answer_as(Account, standing)


@router.post("/jackpots/{jackpot}/close")
def close(jackpot: str, body: CloseBody, key: IdempotencyKey, caller: TheCaller, room: TheRoom) -> Closed:
    """Ends a jackpot that no table plays for, by two people; the players' money in it goes to a named progressive."""
    room.book.jackpot(jackpot)
    second = present(room, caller, body.second, what=f"close {jackpot}", id=f"{key}/2")
    closed = room.desk.close_jackpot(Ask(id=key, by=caller.signer), jackpot, body.note, second, to=body.to)
    return answer_as(Closed, closed)
