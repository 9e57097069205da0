"""Purses of play money against their entries: `players.micros` is a sum that is kept for looking up."""

from __future__ import annotations

from sqlalchemy import Connection, func, inspect, select

from croupier.errors import LedgerError
from croupier.store.play import players, purse_entries


def require_right_purses(connection: Connection) -> None:
    """Every purse holds what its entries add up to, and no entry is without a purse. By the database that has them."""
    if not inspect(connection).has_table(players.name):
        return
    sums = (
        select(purse_entries.c.player, func.sum(purse_entries.c.micros).label("micros"))
        .group_by(purse_entries.c.player)
        .subquery()
    )
    should = func.coalesce(sums.c.micros, 0)
    wrong = connection.execute(
        select(players.c.id, players.c.micros, should.label("should"))
        .outerjoin(sums, sums.c.player == players.c.id)
        .where(players.c.micros != should)
        .order_by(players.c.id)
        .limit(1)
    ).one_or_none()
    if wrong is not None:
        raise LedgerError(
            f'The purse of player "{wrong.id}" holds {wrong.micros} micros, but its entries add up to '
            f"{int(wrong.should)}: it was edited. The jackpot ledger itself is good.",
            code="bad_purse",
        )
    orphan = connection.execute(
        select(sums.c.player).where(sums.c.player.not_in(select(players.c.id))).order_by(sums.c.player).limit(1)
    ).scalar_one_or_none()
    if orphan is not None:
        raise LedgerError(
            f'There are purse entries of player "{orphan}", who is not there. The jackpot ledger itself is good.',
            code="bad_purse",
        )
