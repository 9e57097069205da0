"""What a seat may come to know that the rules do not show it, and what it is worth then."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, kw_only=True)
class Case:
    """One of the things that a seat may know."""

    name: str
    share: Fraction
    """How often it comes."""
    edge: Fraction
    """Of the house then, in first wagers."""
    answers: dict[str, Fraction]
    """How often the seat gives each answer to the first question."""


def edge_over(cases: tuple[Case, ...]) -> Fraction:
    """Of the house, whatever the seat comes to know."""
    return sum((case.share * case.edge for case in cases), Fraction(0))
