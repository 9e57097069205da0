"""What stands printed on a table's felt: what its wagers pay, and the rules that players look for."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from weakref import ReferenceType, ref

from croupier.money import MICROS_PER_DOLLAR
from croupier.rules.spec import Wager
from croupier.table.setup import TableRules

MOST_ROWS = 4
"""A wager with more pays than this has a pay table to look at, not a line on the felt."""
UNPRINTED = ("win", "push")
"""Rows that say no more than that the hand is the better one: even money, unless a line says otherwise."""


MOST_FELTS = 4_000
_felts: dict[int, tuple[ReferenceType[TableRules], list[str]]] = {}
"""What was printed, for as long as a table keeps the same rules: it is asked for at every press."""


def felt_lines(rules: TableRules) -> list[str]:
    """The felt's print: what the round always says, then pays, then the rules that a house chooses."""
    of, lines = _felts.get(id(rules), (None, []))
    if of is None or of() is not rules:
        if len(_felts) >= MOST_FELTS:
            _felts.clear()
        _felts[id(rules)] = ref(rules), (lines := _felt_lines(rules))
    return lines


def _felt_lines(rules: TableRules) -> list[str]:
    declared = rules.game.declared
    pays = [line for wager in rules.game.proved_wagers for line in _pays(rules, wager)]
    return list(dict.fromkeys([*declared.printed, *pays, *declared.printed_under(rules.kernel_rules([{}]))]))


WIDE_LINE = 44
"""A first line of at most so many letters stands large, over the others."""


def arc_lines(lines: list[str]) -> list[str]:
    """The two arcs across the felt: its first line over the others if that is short, else two about as long."""
    is_short = bool(lines) and len(lines[0]) <= WIDE_LINE
    splits = [(" · ".join(lines[:head]), " · ".join(lines[head:])) for head in range(1, len(lines) + 1)]
    first = splits[:1] if is_short else splits
    return [arc for arc in min(first, key=lambda arcs: max(map(len, arcs)), default=()) if arc]


def _pays(rules: TableRules, wager: Wager) -> Iterator[str]:
    """What a main wager pays, and one that is made when a seat is asked."""
    is_asked = wager.id not in rules.made_first
    settled = rules.game.settled_by_round(wager)
    if not (wager.is_main or (is_asked and settled is not None)):
        return
    kernel_rules = rules.kernel_rules([{}])
    only_under = settled.only_under if settled is not None else {}
    rows = [
        row
        for row in rules.placed[wager.id].rows
        if row.pays.kind == "to" and (row.row not in only_under or getattr(kernel_rules, only_under[row.row]))
    ]
    if not rows:
        return
    is_even = all(row.pays.numerator == row.pays.denominator for row in rows)
    if len(rows) > MOST_ROWS or (is_even and len(rows) == 1 and (is_asked or rows[0].row in UNPRINTED)):
        return
    for row in rows:
        if len(rows) == 1:
            commission = 100 - Fraction(100 * row.pays.numerator, row.pays.denominator)
            kept = f" ({commission}% commission)" if 0 < commission < 50 and commission.denominator == 1 else ""
            yield f"{wager.name} pays {row.pays.text}{kept}"
        elif row.row not in UNPRINTED or row.pays.numerator != row.pays.denominator:
            yield f"{rules.placed[wager.id].label(row)} pays {row.pays.text}"


CHIP_VALUES = (5_000, 1_000, 500, 100, 25, 5, 1)
"""Dollars, as a casino's chips have their colors."""
MOST_CHIPS = 8
"""In a stack as it is drawn: of more, those of the least value are not seen."""


def stack_of(micros: int) -> list[str]:
    """The chips of an amount, the largest first, as their classes are called; less than a dollar is a half."""
    dollars, rest = divmod(micros, MICROS_PER_DOLLAR)
    chips: list[str] = []
    for value in CHIP_VALUES:
        chips += [str(value)] * (dollars // value)
        dollars %= value
    return [*chips, *(["half"] if rest else [])][:MOST_CHIPS]
