"""What a player may want to know and what takes a while to compute: called in another process, with plain data.

Values of answers and what the chosen ones cost, and the edge of a wager.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from croupier.errors import SpecError
from croupier.exact.check import is_played
from croupier.exact.odds import compute_odds
from croupier.exact.played import main_account
from croupier.exact.shipped import shipped_for
from croupier.exact.showdown.hand_values import SAMPLE
from croupier.hall.cells import cell_of
from croupier.reports.rounds.advice import advise, quick_advice
from croupier.rules.choice import OddsRequest
from croupier.rules.folders import our_folders
from croupier.table.log import RoundLog, parse_log
from croupier.table.replay import NeedsAnswer
from croupier.table.setup import TableRules

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
    kind: str
    cell: str
    stake: int
    """First wager of the seat, micros."""
    step: int
    """Steps of the round's log before it."""


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


def get_ready() -> None:
    """Reads what came with the package, and whether it still holds, before the first question."""
    for game in our_folders():
        shipped_for(game)


@dataclass(frozen=True, kw_only=True)
class QuickValues:
    """Values that are there before the exact ones."""

    values: list[Valued]
    note: str
    """What they stand on, in words; empty where they are exact."""


def quick_advice_on(log: str, seen_before: tuple[int, ...]) -> QuickValues | None:
    """What can be said at once to the question at the end of a log: nothing is compiled for it."""
    quick = quick_advice(parse_log(log).state(), seen_before)
    if quick is None:
        return None
    notes = {
        "exact": "",
        "fresh": "From a fresh shoe; the exact value for the cards seen follows.",
        "estimate": f"Estimated from {SAMPLE:,} hands of the dealer, ±${quick.error:.2f}; the exact value follows.",
    }
    return QuickValues(
        values=[
            Valued(answer=line.answer, value=line.value, dollars=line.dollars, best=line.best) for line in quick.lines
        ],
        note=notes[quick.basis],
    )


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
        kind, cell = cell_of(state)
        decisions.append(
            ReviewedAnswer(
                seat=need.seat,
                hand=need.hand,
                question=need.question,
                answer=step,
                best=advised[0].answer,
                cost=cost,
                kind=kind,
                cell=cell,
                stake=whole.stakes[need.seat - 1][whole.rules.first_wager],
                step=at,
            )
        )
    return decisions
