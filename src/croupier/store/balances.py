"""Whether every balance is the sum of its postings: of all of them, or of those since they were added up last.

`balance_marks` holds what the postings up to `report_position` come to. It moves on with the sums for reports, so that
a start takes as long on a log of ten million entries as on one of ten thousand.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select

from croupier.store import schema

Account = tuple[str, str, str]
"""Jackpot, level and account."""


def wrong_balances(connection: Connection, *, all_postings: bool = False) -> dict[str, str]:
    """The jackpots with a balance that is not the sum of its postings, each with what is wrong."""
    right = _summed(connection, 0) if all_postings else _since_marks(connection)
    wrong = {}
    for row in connection.execute(select(schema.balances)):
        if right.pop((row.jackpot, row.level, row.account), 0) != row.micros:
            wrong[row.jackpot] = f"its {row.account} is not the sum of its postings."
    for (jackpot, _, account), micros in right.items():
        if micros:
            wrong[jackpot] = f"its {account} is missing."
    return wrong


def move_marks(connection: Connection, before: int, last: int) -> None:
    """Adds the postings after one entry and up to another, which `report_position` has come to."""
    sums = _marks(connection)
    for account, micros in _summed(connection, before, last).items():
        sums[account] = sums.get(account, 0) + micros
    connection.execute(delete(schema.balance_marks))
    rows = [
        {"jackpot": jackpot, "level": level, "account": account, "micros": micros}
        for (jackpot, level, account), micros in sums.items()
    ]
    if rows:
        connection.execute(insert(schema.balance_marks), rows)


def are_right_marks(connection: Connection) -> bool:
    """Whether the marks are what the postings make of them."""
    return _marks(connection) == _summed(connection, 0, _position(connection))


def _since_marks(connection: Connection) -> dict[Account, int]:
    sums = _marks(connection)
    for account, micros in _summed(connection, _position(connection)).items():
        sums[account] = sums.get(account, 0) + micros
    return sums


def _marks(connection: Connection) -> dict[Account, int]:
    marks = connection.execute(select(schema.balance_marks))
    return {(row.jackpot, row.level, row.account): row.micros for row in marks}


def _position(connection: Connection) -> int:
    return int(connection.execute(select(schema.report_position.c.seq)).scalar() or 0)


def _summed(connection: Connection, after: int, last: int | None = None) -> dict[Account, int]:
    posted = schema.postings.c
    key = (posted.jackpot, posted.level, posted.account)
    query = select(*key, func.sum(posted.micros)).where(posted.seq > after).group_by(*key)
    if last is not None:
        query = query.where(posted.seq <= last)
    return {(jackpot, level, account): int(micros) for jackpot, level, account, micros in connection.execute(query)}
