"""What a player may want to know and what takes a while to compute: called in another process, with plain data.

Values of answers and what the chosen ones cost, the edge of a wager, results against expectation.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt

from croupier.errors import NotComputedError, SpecError
from croupier.exact.check import is_played
from croupier.exact.odds import compute_odds
from croupier.exact.played import main_account
from croupier.money import MICROS_PER_DOLLAR
from croupier.reports.rounds.advice import advise
from croupier.rules.choice import OddsRequest
from croupier.table.log import RoundLog, parse_log
from croupier.table.replay import NeedsAnswer
from croupier.table.setup import TableRules, wagered_on

Setting = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Edge:
    """What a wager costs in expectation, for each unit first wagered."""

    edge: Fraction
    deviation: float
    rows: tuple[tuple[str, str, Fraction], ...] = ()
    """Row, pay, probability; for wagers that do not depend on how they are played."""


@dataclass(frozen=True, kw_only=True)
class Valued:
    """One legal answer and what it is worth in dollars."""

    answer: str
    value: float
    dollars: float
    best: bool


@dataclass(frozen=True, kw_only=True)
class ReviewedAnswer:
    """An answer that was given, and what it cost against the best one."""

    seat: int
    hand: int
    question: str
    answer: str
    best: str
    cost: float
    """Dollars, 0 for the best answer."""


@dataclass(frozen=True, kw_only=True)
class WagerTally:
    """What one wager was to a player, over many rounds."""

    wager: str
    rounds: int
    wagered: int
    """First wagers, micros."""
    net: int
    expected: float | None
    """Micros; None where the wager's odds are not known."""
    deviation: float | None


def request_of(rules: TableRules, wager: str) -> OddsRequest:
    """A wager on a layout: all that its odds depend on."""
    return OddsRequest(
        game=rules.game.id,
        wager=wager,
        pay_table=rules.pay_tables.get(wager),
        decks=str(rules.decks),
        settings=tuple(sorted(rules.settings.items())),
    )


@lru_cache(maxsize=2_000)
def edge_of(request: OddsRequest) -> Edge:
    """The exact odds of a wager; main wagers under optimal play."""
    choice = request.choice()
    if is_played(choice):
        account = main_account(choice)
        return Edge(edge=-Fraction(account.value), deviation=account.standard_deviation)
    sheet = compute_odds(choice)
    rows = tuple((row.label, row.pays, row.probability) for row in sheet.rows)
    return Edge(edge=sheet.edge, deviation=sheet.standard_deviation, rows=rows)


def advice_on(log: str, seen_before: tuple[int, ...]) -> list[Valued]:
    """Every legal answer to the question at the end of a log, best first."""
    state = parse_log(log).state()
    return [
        Valued(answer=advice.answer, value=advice.value, dollars=advice.dollars, best=advice.best)
        for advice in advise(state, seen_before)
    ]


@lru_cache(maxsize=2_000)
def review(log: str, seats: tuple[int, ...], seen_before: tuple[int, ...]) -> list[ReviewedAnswer]:
    """What the answers of some seats cost, in the order in which they were given."""
    whole = parse_log(log)
    decisions = []
    for at, step in enumerate(whole.steps):
        if isinstance(step, int):
            continue
        state = RoundLog(whole.rules, whole.stakes, whole.steps[:at]).state()
        need = state.need
        if not isinstance(need, NeedsAnswer):
            raise SpecError(f"Step {at + 1} of the round's log is an answer where nobody is asked.", code="bad_log")
        if need.seat not in seats:
            continue
        advised = advise(state, seen_before)
        chosen = next(advice for advice in advised if advice.answer == step.partition(":")[0])
        cost = max(0.0, advised[0].dollars - chosen.dollars)
        decisions.append(
            ReviewedAnswer(
                seat=need.seat, hand=need.hand, question=need.question, answer=step, best=advised[0].answer, cost=cost
            )
        )
    return decisions


def tally_rounds(rounds: tuple[tuple[str, str], ...], player: str) -> list[WagerTally]:
    """Results of a player against expectation, by wager; each round as its log and who sat where.

    Wagers of one round are counted as if they were independent.
    """
    counts: dict[str, list[float]] = {}
    unknown = set()
    for text, seats in rounds:
        log = parse_log(text)
        state = log.state()
        mine = [number for number, seat in enumerate(json.loads(seats), 1) if seat["player"] == player]
        for event in state.settled:
            if event.seat in mine and event.wager == wagered_on(event.wager):
                count = counts.setdefault(log.rules.account_of(event.wager), [0, 0, 0, 0.0, 0.0])
                count[2] += event.returned - event.staked
        for seat in mine:
            for wager, first in state.first_wagers(seat).items():
                if wager != wagered_on(wager):
                    continue
                count = counts.setdefault(wager, [0, 0, 0, 0.0, 0.0])
                count[0] += 1
                count[1] += first
                try:
                    edge = edge_of(request_of(log.rules, wager))
                except NotComputedError:
                    unknown.add(wager)
                    continue
                count[3] -= float(edge.edge) * first
                count[4] += (edge.deviation * first / MICROS_PER_DOLLAR) ** 2
    return [
        WagerTally(
            wager=wager,
            rounds=int(count[0]),
            wagered=int(count[1]),
            net=int(count[2]),
            expected=None if wager in unknown else count[3],
            deviation=None if wager in unknown else sqrt(count[4]) * MICROS_PER_DOLLAR,
        )
        for wager, count in counts.items()
    ]
