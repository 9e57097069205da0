"""Which pay of a row reaches a wanted edge: exactly, and the odds near it that a table would print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from croupier.errors import RangeError, unknown
from croupier.exact.odds import FIXED_PAYS
from croupier.lab.draft import Trial, with_pay
from croupier.pay import Pay, Row
from croupier.pay.words import MOST_ODDS, Kind
from croupier.reports.formatting import percent
from croupier.rules.choice import Choice

EdgeOf = Callable[[Choice], Fraction]


@dataclass(frozen=True)
class Payable:
    """Odds that a table would print, with the edge they give."""

    pays: Pay
    edge: Fraction


@dataclass(frozen=True, kw_only=True)
class SolvedPay:
    """The pay that reaches an edge, or why none does."""

    row: Row
    wanted: Fraction
    kind: Kind
    """Whether the odds are to 1 or for 1, as the row has them."""
    odds: Fraction | None
    """The pay that reaches the edge; None if there is none."""
    why: str = ""
    """Where there is none: why, in a sentence."""
    near: tuple[Payable, ...] = ()
    """Whole and half odds around it, the smallest first."""


def solve_pay(trial: Trial, key: str, target: Fraction, edge_of: EdgeOf) -> SolvedPay:
    """The pay of a row in force under which the draft has the wanted edge. The edge falls by the row's chance for
    each unit of odds, so two points give the line; the answer is computed again as a check."""
    row = _row_of(trial, key)
    kind: Kind = "for" if row.pays.kind == "for" else "to"

    def edge_at(odds: Fraction) -> Fraction:
        return edge_of(with_pay(trial, key, Pay(kind, odds.numerator, odds.denominator)))

    nothing, even = edge_at(Fraction(0)), edge_at(Fraction(1))
    chance = nothing - even
    solution = SolvedPay(row=row, wanted=target, kind=kind, odds=None)
    if chance <= 0:
        why = "the meter pays it, not the house" if _paid_by_meter(trial, row) else "it never comes under these rules"
        return _without(solution, f'The pay of "{row.label}" does not move the edge: {why}.')
    odds = (nothing - target) / chance
    if odds < 0:
        return _without(
            solution,
            f'No pay of "{row.label}" is small enough: at 0 {kind} 1 the edge is {percent(nothing)}, and every pay '
            "above that lowers it. Lower another row.",
        )
    if odds > MOST_ODDS:
        return _without(solution, f'"{row.label}" comes too seldom: it would have to pay more than {MOST_ODDS:,} to 1.')
    if not _is_near(edge_at(odds), target):
        return _without(
            solution,
            f'The edge does not change evenly with the pay of "{row.label}": the meter runs dry on the way. Try pays '
            "by hand.",
        )
    return SolvedPay(
        row=row,
        wanted=target,
        kind=kind,
        odds=odds,
        near=tuple(Payable(Pay(kind, step.numerator, step.denominator), edge_at(step)) for step in payable_near(odds)),
    )


def payable_near(odds: Fraction) -> list[Fraction]:
    """Whole and half odds at and around a value, none twice.

    >>> [str(step) for step in payable_near(Fraction(31, 5))]
    ['6', '13/2', '7']
    """
    halves = {Fraction(floor(2 * odds), 2), Fraction(ceil(2 * odds), 2)}
    return sorted(halves | {Fraction(floor(odds)), Fraction(ceil(odds))})


def _row_of(trial: Trial, key: str) -> Row:
    rows = {trial.keys[row.row]: row for row in trial.choice.rows}
    if key not in rows:
        raise unknown("row", key, rows, " on this pay table")
    if rows[key].pays.is_share:
        raise RangeError(
            f'"{rows[key].label}" pays a share of the meter, which is not solved for. Choose a row with a fixed pay.',
            code="share_not_solved",
        )
    return rows[key]


def _paid_by_meter(trial: Trial, row: Row) -> bool:
    choice = trial.choice
    return choice.pay_table.jackpot is not None and (choice.switches.get(FIXED_PAYS) or row.funded) == "meter"


def _is_near(first: Fraction, second: Fraction) -> bool:
    """As near as the solver of play, which works in floats, can tell."""
    return abs(first - second) < Fraction(1, 10**9)


def _without(solution: SolvedPay, why: str) -> SolvedPay:
    return SolvedPay(row=solution.row, wanted=solution.wanted, kind=solution.kind, odds=None, why=why)
