"""What a check of a floor says: which rule, where, what is wrong, what would be right, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.floor.law import LawRow, step_text

Severity = Literal["refusal", "warning", "note"]
_ORDER: tuple[Severity, ...] = ("refusal", "warning", "note")


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that a rule says about a floor."""

    code: Annotated[str, Meta(description="Stable; may be scripted against.")]
    severity: Annotated[
        Severity,
        Meta(
            description="A refusal forbids the setup, a warning leaves it to the house, a note says what was "
            "not or cannot be checked."
        ),
    ]
    rule: Annotated[str, Meta(description="The rule in a few words.")]
    citation: Annotated[str, Meta(description="Its section, and how much of the text was seen.")]
    address: Annotated[str, Meta(description="Where the rule can be read.")] = ""
    decided_by: Annotated[str, Meta(description="Which step of the order of enforcement decides.")]
    where: Annotated[str, Meta(description="Table, jackpot or link, and the field: `tables.ddm_1.wagers.main.most`.")]
    sentence: Annotated[str, Meta(description="What is wrong and what would be right.")]
    effect: Annotated[
        Mapping[str, int],
        Meta(description="Computed numbers with their unit last: `edge_ppm`, `limit_micros`, `top_one_in`."),
    ] = {}


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
        decided_by=step_text(row.step),
        where=where,
        sentence=sentence,
        effect={name: int(value) for name, value in (effect or {}).items()},
    )


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Refusals first, then warnings, then notes; each kind in the order of the floor."""
    return sorted(findings, key=lambda finding: _ORDER.index(finding.severity))


def refusals(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.severity == "refusal")
