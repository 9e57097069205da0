"""State to rows and back: what is written, and what a decision reads."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Table, func, select

from croupier.errors import LedgerError
from croupier.jackpot import (
    Award,
    Jackpot,
    JackpotHit,
    LockedWager,
    RecordedFact,
    RoundVoided,
    Sealed,
    State,
    TableRound,
    WagersLocked,
)
from croupier.jackpot.chain import unseal
from croupier.jackpot.evolve import require_invariants
from croupier.jackpot.state import Winner
from croupier.store import schema

CHANNEL = "croupier_ledger"
"""PostgreSQL's name for notices that there are new entries."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LATE_ENTRIES = 200_000
"""How far back in the log a past round is looked for: about a day of a busy floor, and a fraction of a second."""

Row = dict[str, Any]
T = TypeVar("T")


def damaged(what: str, code: str = "bad_store") -> LedgerError:
    """What is stored is not what this program wrote."""
    return LedgerError(
        f"The ledger was damaged or edited: {what}. Nothing was written. Run verify, then restore a backup.", code=code
    )


def stored(text: str, kind: type[T], what: str) -> T:
    """A value of its stored text; `what` names it where somebody has edited that."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, TypeError) as error:
        raise damaged(f"{what} cannot be read") from error


def end_of(head: Any) -> tuple[int, str]:
    """Number and hash of the last entry, by the one row of `head`."""
    if head is None:
        raise damaged("the note of where the log ends is missing")
    return head.seq, head.hash


def micros_since_epoch(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)


def time_of(micros: int) -> datetime:
    """The time that `micros_since_epoch` wrote."""
    return EPOCH + timedelta(microseconds=micros)


def body(value: Jackpot | TableRound | Award | dict[str, Any]) -> str:
    """The stored text of a value; equal values have equal text."""
    return msgspec.json.encode(value, order="sorted").decode()


def entry_row(sealed: Sealed) -> Row:
    entry = sealed.entry
    return {
        "seq": entry.seq,
        "id": entry.id,
        "kind": type(entry.event).__name__,
        "reason": entry.reason,
        "at_micros": micros_since_epoch(entry.at),
        "actor": entry.actor,
        "table_id": entry.table,
        "round": entry.round,
        "text": sealed.text,
        "hash": sealed.hash,
    }


def state_rows(state: State, hit_seq: dict[str, int]) -> list[tuple[Table, list[Row]]]:
    """The rows of every value. An award that is only being settled keeps the number of its hit."""
    return [
        (
            schema.balances,
            [
                {"jackpot": jackpot, "level": level, "account": account, "micros": micros}
                for (jackpot, level, account), micros in state.balances.items()
            ],
        ),
        (
            schema.jackpots,
            [{"id": each.id, "closed": each.closed, "body": body(each)} for each in state.jackpots.values()],
        ),
        (
            schema.rounds,
            [{"table_id": each.table, "round": each.round, "body": body(each)} for each in state.rounds.values()],
        ),
        (
            schema.awards,
            [
                {
                    "id": each.id,
                    "hit_seq": hit_seq.get(each.id, 0),
                    "jackpot": each.jackpot,
                    "table_id": each.table,
                    "status": each.status,
                    "amount_micros": each.amount_micros,
                    "body": body(each),
                }
                for each in state.awards.values()
            ],
        ),
        (
            schema.facts,
            [
                {"subject": each.subject, "version": each.version, "kind": each.kind, "body": body(each.body)}
                for each in state.facts.values()
            ],
        ),
    ]


def has_all(
    state: State,
    jackpots: Iterable[str],
    tables: Iterable[str],
    awards: Iterable[str],
    subjects: Iterable[str],
    past: Iterable[tuple[str, int]],
) -> bool:
    """Whether `load` would have nothing to add. A name that is nowhere in the ledger is never had."""
    had = [state.awards[name] for name in awards if name in state.awards]
    return (
        all(name in state.awards for name in awards)
        and all(name in state.jackpots for name in (*jackpots, *(award.jackpot for award in had)))
        and all(name in state.rounds for name in (*tables, *(award.table for award in had)))
        and all(name in state.facts for name in subjects)
        and all(state.round_of(*name) is not None for name in past)
    )


def load(
    connection: Connection,
    state: State,
    jackpots: Iterable[str],
    tables: Iterable[str],
    awards: Iterable[str],
    subjects: Iterable[str],
    past: Iterable[tuple[str, int]],
) -> None:
    """Adds to the state what it lacks of these names, and checks it as it comes."""
    missing = [name for name in awards if name not in state.awards]
    for row in _fetch(connection, schema.awards, "id", missing):
        state.awards[row.id] = stored(row.body, Award, f'award "{row.id}"')
    needed = {*jackpots, *(state.awards[name].jackpot for name in awards if name in state.awards)}
    # A return looks at the latest round of the award's table too.
    rooms = {*tables, *(state.awards[name].table for name in awards if name in state.awards)}
    for row in _fetch(connection, schema.rounds, "table_id", [name for name in rooms if name not in state.rounds]):
        state.rounds[row.table_id] = stored(row.body, TableRound, f'the round of table "{row.table_id}"')
    for table, number in past:
        if state.round_of(table, number) is None and (round := past_round(connection, table, number)) is not None:
            state.past[table, number] = round
    # Whether a seat has won is a matter of what became of its award.
    rounds = [*(state.rounds[name] for name in rooms if name in state.rounds), *state.past.values()]
    won = {winner.award for played in rounds for winner in played.winners}
    for row in _fetch(connection, schema.awards, "id", [name for name in won if name not in state.awards]):
        state.awards[row.id] = stored(row.body, Award, f'award "{row.id}"')
    for row in _fetch(connection, schema.facts, "subject", [name for name in subjects if name not in state.facts]):
        state.facts[row.subject] = fact_of(row)
    _load_jackpots(connection, state, [name for name in needed if name not in state.jackpots])


def past_round(connection: Connection, table: str, number: int) -> TableRound | None:
    """A round of a table as the latest part of the log tells it: its wagers, and every award it ever had."""
    log = schema.entries
    last = connection.execute(select(func.max(log.c.seq))).scalar() or 0
    within = (log.c.seq > last - LATE_ENTRIES, log.c.table_id == table, log.c.round == number)
    bets: tuple[LockedWager, ...] = ()
    winners: list[Winner] = []
    is_known = False
    for row in connection.execute(select(log.c.text, log.c.hash, log.c.seq).where(*within).order_by(log.c.seq)):
        event = unseal(row.text, row.hash, row.seq).entry.event
        if isinstance(event, WagersLocked):
            bets, is_known = event.bets, True
        elif isinstance(event, RoundVoided):
            bets = ()
        elif isinstance(event, JackpotHit):
            winners += [Winner(jackpot=event.jackpot, seat=seat, award=event.award) for seat in event.seats]
    return TableRound(table=table, round=number, bets=bets, winners=tuple(winners)) if is_known else None


def fact_of(row: Any) -> RecordedFact:
    body = stored(row.body, dict[str, Any], f'the fact "{row.subject}"')
    return RecordedFact(subject=row.subject, version=row.version, kind=row.kind, body=body)


def micros_of(row: Any) -> int:
    """A balance. SQLite keeps whatever it is given, also what is no number."""
    if type(row.micros) is not int:
        raise damaged(f'the {row.account} of jackpot "{row.jackpot}" is not a number')
    return int(row.micros)


def jackpot_of(row: Any) -> Jackpot:
    return stored(row.body, Jackpot, f'jackpot "{row.id}"')


def _load_jackpots(connection: Connection, state: State, names: list[str]) -> None:
    jackpots = {row.id: jackpot_of(row) for row in _fetch(connection, schema.jackpots, "id", names)}
    if not jackpots:
        return
    read = State(jackpots=jackpots)
    sums = dict.fromkeys(jackpots, 0)
    for row in _fetch(connection, schema.balances, "jackpot", list(jackpots)):
        read.balances[row.jackpot, row.level, row.account] = micros_of(row)
        sums[row.jackpot] += row.micros
    for name, micros in sums.items():
        if micros:
            raise LedgerError(
                f'The stored balances of jackpot "{name}" add up to {micros} micros and must add up to zero. It stops '
                "here: run verify, and restore a backup.",
                code="balance_mismatch",
            )
    require_invariants(State(), read)
    state.update(read)


def _fetch(connection: Connection, table: Table, column: str, names: list[str]) -> list[Any]:
    if not names:
        return []
    return list(connection.execute(select(table).where(table.c[column].in_(names))))
