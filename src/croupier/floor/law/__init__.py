"""The law as dated data: rows with their source and how much of it was seen. Code names rules, numbers are here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.errors import SpecError, UnknownNameError
from croupier.pay.tables import Id
from croupier.rules.loader import find_jurisdiction, read_spec
from croupier.rules.spec import Mark

HERE = Path(__file__).parent
FILES = ("washington.toml", "washington_jackpots.toml", "letters.toml", "elsewhere.toml")
SINGLE_WAGER = "single_wager"
"""The one rule whose rows are kept in `rules/data`, because play needs them too."""
Kind = Literal["limit", "requirement", "reason", "notice", "advice", "practice", "history", "unknown"]
"""What a row is: an amount or count; something that must or must not be; a lawful reason to reduce a meter; a notice
that must hang at a table; a letter's advice; what other states ask, taken over as good practice; something that
happened and binds nobody; something whose text was not found."""


class LawRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule for one time."""

    rule: Id
    """The name by which code asks for it; rows of one rule follow each other in time, or have different items."""
    name: str
    """The rule in a few words, for people."""
    kind: Kind
    jurisdiction: Id
    """Whose rule it is."""
    step: Annotated[int, Meta(ge=0, le=4)]
    """Step of the order of enforcement (`ORDER`) at which it stands; 0 where it binds nobody in Washington."""
    section: str
    """What to cite."""
    since: date
    """First day for which it is known here."""
    until: date | None = None
    """First day on which it no longer holds."""
    dated: str = ""
    """How the days are known, where they are not the source's own."""
    text: str
    """What it says, in our words."""
    item: Id | Literal[""] = ""
    """Which of several: the reason, the notice."""
    when: Literal["", "always", "house", "capped", "aggregate", "jackpot"] = ""
    """Notices: at which tables they are needed."""
    dollars: Annotated[int, Meta(ge=0)] | None = None
    count: Annotated[int, Meta(ge=0)] | None = None
    rate: Fraction | None = None
    wager: Id | Literal[""] = ""
    """The wager it speaks of."""
    games: tuple[Id, ...] = ()
    """Games it names."""
    protocols: tuple[str, ...] = ()
    """Jackpot systems it names."""
    tables_by_size: tuple[tuple[int, int], ...] = ()
    """Pairs of a number of tables in the room and how many of them the rule allows, from that size on."""
    source: str = ""
    """What was read, where that is not the section itself."""
    address: str = ""
    """Where it can be read."""
    mark: Mark
    """How much of it was seen."""
    kept_by: tuple[str, ...] = ()
    """Our functions that keep it, as `module:function` below croupier."""
    left_out: str = ""
    """Why no code keeps it, where none does."""

    @property
    def citation(self) -> str:
        return f"{self.section} [{self.mark}]"

    def holds_on(self, day: date) -> bool:
        return self.since <= day and (self.until is None or day < self.until)


class _LawFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rows: tuple[LawRow, ...]


@dataclass(frozen=True)
class Step:
    """A step of the order in which rules win over each other."""

    number: int
    text: str


ORDER_RULE = "order_of_enforcement"
LAST_SEEN = date(2023, 9, 22)
"""The stamp on the chapter's table of contents as it was seen; later changes are not included."""
LAST_SEEN_ADDRESS = "https://app.leg.wa.gov/wac/default.aspx?cite=230-15&full=true"


@cache
def law_rows() -> tuple[LawRow, ...]:
    """Every row, the single-wager limits of `rules/data` included."""
    rows = [row for name in FILES for row in read_spec(HERE / name, _LawFile).rows]
    everything = (*_single_wager_rows(), *rows)
    for row in everything:
        if not row.kept_by and not row.left_out:
            raise SpecError(f'The law row "{row.rule}" says neither what keeps it nor why nothing does.')
    return everything


def _single_wager_rows() -> tuple[LawRow, ...]:
    law = find_jurisdiction("washington")
    assert law is not None
    return tuple(
        LawRow(
            rule=SINGLE_WAGER,
            name="Single-wager limit of house-banked games",
            kind="limit",
            jurisdiction=law.id,
            step=1,
            section="WAC 230-15-140",
            since=limit.since,
            until=limit.until,
            text="A single wager, and each added wager of a double or split, is this much at most.",
            dollars=limit.dollars,
            source=limit.source,
            address=limit.address,
            mark=limit.mark,
            kept_by=("floor.checks.tables:single_wager", "table.setup:TableRules"),
        )
        for limit in law.single_wager
    )


@cache
def _by_rule() -> dict[str, tuple[LawRow, ...]]:
    by_rule: dict[str, tuple[LawRow, ...]] = {}
    for row in law_rows():
        by_rule[row.rule] = (*by_rule.get(row.rule, ()), row)
    return by_rule


def has_rule(rule: str) -> bool:
    """Whether the law has anything to say under that name."""
    return rule in _by_rule()


def rows_of(rule: str) -> tuple[LawRow, ...]:
    """All rows of a rule, of whatever day."""
    if rule not in _by_rule():
        raise UnknownNameError(f'There is no rule "{rule}" in floor/law.', code="unknown_rule")
    return _by_rule()[rule]


def law_on(rule: str, day: date, *, item: str = "", wager: str = "") -> LawRow | None:
    """The row of a rule that holds on that day; None where the law had none, or none that is known here."""
    for row in rows_of(rule):
        if row.holds_on(day) and row.item == item and (not wager or row.wager == wager):
            return row
    return None


def all_on(rule: str, day: date) -> tuple[LawRow, ...]:
    """Every row of a rule that holds on that day: reasons, notices, rules for several wagers."""
    return tuple(row for row in rows_of(rule) if row.holds_on(day))


def not_known_on(day: date) -> tuple[LawRow, ...]:
    """Washington's requirements whose text is known only from a later day; each rule once."""
    firsts: dict[str, LawRow] = {}
    for row in law_rows():
        earliest = firsts.get(row.rule)
        if row.step == 1 and row.kind in ("limit", "requirement") and row.kept_by:
            firsts[row.rule] = row if earliest is None or row.since < earliest.since else earliest
    return tuple(row for row in firsts.values() if day < row.since)


@cache
def order_of_enforcement() -> tuple[Step, ...]:
    """Which rule wins, first to last, by WAC 230-15-065."""
    return tuple(Step(row.count or 0, row.text) for row in rows_of(ORDER_RULE))


def step_text(number: int) -> str:
    """The words of a step; the step 0 is outside the order."""
    texts = {step.number: step.text for step in order_of_enforcement()}
    return texts.get(number, "advice or good practice: it binds nobody by the order of WAC 230-15-065")
