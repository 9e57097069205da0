"""What reports add up, entry by entry: a count of keys that can be kept for an hour or a day and added to others.

A key begins with what it counts:

    moved JACKPOT LEVEL ACCOUNT TABLE CAUSE            micros of every movement
    seed_advanced_micros, seed_returned_micros JACKPOT TABLE
    rounds, wagers, rounds_voided JACKPOT TABLE        how many
    hits, hit_micros, awards_paid, ... JACKPOT TABLE
    adjustments JACKPOT TABLE                          how many
    table_rounds, table_rounds_voided TABLE            a round with two jackpots counts once
    played JACKPOT PAY_TABLE VERSION TABLE STAKE ...   rounds with these stakes, under that version of the parameters
    kept JACKPOT PAY_TABLE                             the house's part of the wagers
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from croupier.jackpot.chain import Entry
from croupier.jackpot.events import (
    AwardBackedOut,
    AwardPaid,
    AwardRejected,
    FactRecorded,
    JackpotHit,
    JackpotOpened,
    MeterAdjusted,
    ParametersChanged,
    RoundVoided,
    WagersLocked,
)
from croupier.jackpot.movements import movements

SumKey = tuple[str | int, ...]
Sums = Counter[SumKey]

_AWARDS: dict[type, tuple[str, str]] = {
    JackpotHit: ("hits", "hit_micros"),
    AwardPaid: ("awards_paid", "paid_micros"),
    AwardRejected: ("awards_rejected", "rejected_micros"),
    AwardBackedOut: ("awards_backed_out", "backed_out_micros"),
}


class Versions(dict[str, int]):
    """The version of each jackpot's parameters in force at a place of the log."""

    def take(self, entry: Entry) -> None:
        if isinstance(entry.event, JackpotOpened):
            self[entry.event.jackpot] = 1
        elif isinstance(entry.event, ParametersChanged):
            self[entry.event.jackpot] = entry.event.version


def add_entry(sums: Sums, entry: Entry, versions: Mapping[str, int]) -> None:
    """Adds what an entry did; `versions` are those in force before it."""
    event = entry.event
    if isinstance(event, FactRecorded):
        return
    if isinstance(event, WagersLocked):
        add_round(sums, event, versions)
        return
    if isinstance(event, RoundVoided):
        sums["table_rounds_voided", event.table] += 1
        for jackpot in {bet.jackpot for bet in event.bets}:
            sums["rounds_voided", jackpot, event.table] += 1
    elif isinstance(event, MeterAdjusted):
        sums["adjustments", event.jackpot, entry.table] += 1
    elif isinstance(event, JackpotHit | AwardPaid | AwardRejected | AwardBackedOut):
        count, amount = _AWARDS[type(event)]
        jackpot = event.postings[0].jackpot
        sums[count, jackpot, entry.table] += 1
        sums[amount, jackpot, entry.table] += event.amount_micros
    for (jackpot, level, account), cause, micros in movements(event):
        sums["moved", jackpot, level, account, entry.table, cause] += micros
        if account == "seed":
            name = "seed_advanced_micros" if micros < 0 else "seed_returned_micros"
            sums[name, jackpot, entry.table] += abs(micros)


def add_round(sums: Sums, event: WagersLocked, versions: Mapping[str, int], times: int = 1) -> None:
    """Adds a round's wagers; with `times` -1 takes them out again. Nearly all entries are of this kind."""
    stakes: dict[str, list[int]] = {}
    pay_tables: dict[str, str] = {}
    for bet in event.bets:
        stakes.setdefault(bet.jackpot, []).append(bet.amount_micros)
        pay_tables[bet.jackpot] = bet.pay_table  # linked tables share a pay table, and so do the wagers of a round
    if stakes:
        sums["table_rounds", event.table] += times
    for jackpot, amounts in stakes.items():
        sums["rounds", jackpot, event.table] += times
        sums["wagers", jackpot, event.table] += times * len(amounts)
        version = versions.get(jackpot, 0)
        sums["played", jackpot, pay_tables[jackpot], version, event.table, *sorted(amounts)] += times
    for posting in event.postings:
        jackpot, level, account = posting.key
        sums["moved", jackpot, level, account, event.table, "contributions"] += times * posting.micros
        if account == "receipts":
            sums["kept", jackpot, pay_tables.get(jackpot, "")] += times * posting.micros
