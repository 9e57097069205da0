"""What a seat may come to know that the rules do not show it, and what it is worth then."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from croupier.errors import RangeError
from croupier.exact.protection.removal import RANK_NAMES

ACCEPTED = "dealer=1, community=1, backs=QKA, backs=QKA/1 and seats=5, joined by commas"
_PART = re.compile(r"(dealer|community|seats)(?:=([0-9]))?|backs=([A2-9TJQK]+)(?:/([1-9]))?")


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """What a seat knows besides what the rules show it."""

    dealer: int = 0
    """Cards of the dealer."""
    community: int = 0
    """The community card that it has seen before it is dealt, counted from 1."""
    backs: tuple[str, ...] = ()
    """Ranks whose backs look unlike the others'."""
    backs_seen: int = 0
    """Of how many of the dealer's hidden cards the backs are seen; 0 for all of them."""
    others: int = 0
    """Other seats whose hands it has seen."""

    @classmethod
    def read(cls, text: str) -> Knowledge:
        """From `dealer=1,community=2`, as the command line has it."""
        known: dict[str, int] = {}
        backs: tuple[str, ...] = ()
        seen = 0
        for part in text.replace(" ", "").split(","):
            match = _PART.fullmatch(part)
            if match is None:
                raise RangeError(f'"{part}" is nothing that a seat may know. Accepted: {ACCEPTED}.', code="bad_known")
            what, number, ranks, of = match.groups()
            if what:
                known[what] = int(number or 1)
            else:
                backs, seen = tuple(rank for rank in RANK_NAMES if rank in ranks), int(of or 0)
        others = known.pop("seats", 0)
        return cls(**known, backs=backs, backs_seen=seen, others=others)

    @property
    def text(self) -> str:
        """As `read` reads it."""
        of = f"/{self.backs_seen}" if self.backs_seen else ""
        parts = (
            f"dealer={self.dealer}" * bool(self.dealer),
            f"community={self.community}" * bool(self.community),
            f"backs={''.join(self.backs)}{of}" * bool(self.backs),
            f"seats={self.others}" * bool(self.others),
        )
        return ",".join(filter(None, parts))

    @property
    def words(self) -> str:
        """As people say it, after "knowing"."""
        dealer = "one hidden card of the dealer" if self.dealer == 1 else f"{self.dealer} hidden cards of the dealer"
        of = f" of {self.backs_seen} of the dealer's cards" if self.backs_seen else ""
        others = "another seat's hand" if self.others == 1 else f"the hands of {self.others} other seats"
        parts = (
            dealer * bool(self.dealer),
            f"community card {self.community} beforehand" * bool(self.community),
            f"backs{of}, which tell {'-'.join(self.backs)} from the rest" * bool(self.backs),
            others * bool(self.others),
        )
        return ", ".join(filter(None, parts))


@dataclass(frozen=True, kw_only=True)
class Case:
    """One of the things that a seat may see."""

    name: str
    share: Fraction
    """How often it comes."""
    edge: Fraction
    """Of the house then, in first wagers."""
    answers: dict[str, Fraction]
    """How often the seat gives each answer to the first question."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """What knowledge comes to."""

    knows: Knowledge
    edge: Fraction | float
    """Of the house, in first wagers: a fraction where it is exact."""
    error: float = 0.0
    """Standard error; 0 where it is exact."""
    played: float | None = None
    """How often the seat does not give up at once."""
    cases: tuple[Case, ...] = ()
    deals: int = 0
    """Deals drawn for a mean; 0 where it is exact."""

    @property
    def is_exact(self) -> bool:
        return self.deals == 0


def over_cases(knows: Knowledge, cases: tuple[Case, ...]) -> Known:
    """Over all that a seat may see."""
    return Known(knows=knows, edge=sum((case.share * case.edge for case in cases), Fraction(0)), cases=cases)
