"""What a check of a floor says: which rule, where, what is wrong, what would be right, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from croupier.floor.law import LawRow, step_text

Severity = Literal["refusal", "warning", "note"]
_ORDER: tuple[Severity, ...] = ("refusal", "warning", "note")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that a rule says about a floor."""

    code: str
    """Stable; may be scripted against."""
    severity: Severity
    """A refusal forbids the set-up, a warning leaves it to the house, a note says what was not or cannot be checked."""
    rule: str
    """The rule in a few words."""
    citation: str
    """Its section, and how much of the text was seen."""
    address: str = ""
    """Where the rule can be read."""
    step: int
    """Step of the order of enforcement at which the rule stands; 0 for advice and good practice."""
    where: str
    """Table, jackpot or link, and the field: `tables.ddm_1.wagers.main.most`."""
    sentence: str
    """What is wrong and what would be right."""
    effect: Mapping[str, int] = field(default_factory=dict)
    """Computed numbers with their unit last: `edge_ppm`, `limit_micros`, `top_one_in`."""

    @property
    def decided_by(self) -> str:
        """Which step of WAC 230-15-065 decides."""
        return step_text(self.step)

    def as_data(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "code": self.code,
            "severity": self.severity,
            "rule": self.rule,
            "citation": self.citation,
            "address": self.address,
            "decided_by": self.decided_by,
            "where": self.where,
            "sentence": self.sentence,
            "effect": dict(self.effect),
        }


def found(
    row: LawRow,
    code: str,
    where: str,
    sentence: str,
    *,
    severity: Severity = "refusal",
    effect: Mapping[str, int] | None = None,
) -> Finding:
    """A finding by a row of the law."""
    return Finding(
        code=code,
        severity=severity,
        rule=row.name,
        citation=row.citation,
        address=row.address,
        step=row.step,
        where=where,
        sentence=sentence,
        effect=effect or {},
    )


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Refusals first, then warnings, then notes; each kind in the order of the floor."""
    return sorted(findings, key=lambda finding: _ORDER.index(finding.severity))


def refusals(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.severity == "refusal")
