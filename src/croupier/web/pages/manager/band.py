"""The picture of one achieved figure: the band of chance, the exact value in it, and what was achieved."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.reports.books.achieved import AchievedLine
from croupier.reports.formatting import share_text

WIDTH, HEIGHT = 240, 28
MARGIN = 12


@dataclass(frozen=True, kw_only=True)
class Band:
    """Where things lie in the picture, in its own units, and what it says in words."""

    low: float
    high: float
    exact: float
    achieved: float
    is_inside: bool
    text: str
    width: int = WIDTH
    height: int = HEIGHT


def band_of(line: AchievedLine) -> Band | None:
    """The picture of a line; None where nothing was played or nothing was entered."""
    if line.low is None or line.high is None or line.exact is None or line.achieved is None:
        return None
    values = (line.low, line.high, line.exact, line.achieved)
    least, most = min(values), max(values)
    span = most - least or 1.0

    def place(value: float) -> float:
        return round(MARGIN + (WIDTH - 2 * MARGIN) * (value - least) / span, 1)

    text = (
        f"Achieved {share_text(line.achieved)}, exact {share_text(line.exact)}, "
        f"band {share_text(line.low)} to {share_text(line.high)}: {'inside' if line.is_inside else 'outside'} the band."
    )
    return Band(
        low=place(line.low),
        high=place(line.high),
        exact=place(line.exact),
        achieved=place(line.achieved),
        is_inside=bool(line.is_inside),
        text=text,
    )
