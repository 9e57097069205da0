"""The picture of one achieved figure: the band of chance, the exact value in it, and what was achieved."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.reports.jackpot_achieved import AchievedLine

WIDTH, HEIGHT = 240, 28
MARGIN = 12
FIGURES = 4


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

    is_inside = line.low <= line.achieved <= line.high
    text = (
        f"Achieved {figure(line.achieved)}, exact {figure(line.exact)}, "
        f"band {figure(line.low)} to {figure(line.high)}: {'inside' if is_inside else 'outside'} the band."
    )
    return Band(
        low=place(line.low),
        high=place(line.high),
        exact=place(line.exact),
        achieved=place(line.achieved),
        is_inside=is_inside,
        text=text,
    )


def figure(share: float | None) -> str:
    """A rate or an edge for reading, with four digits that count.

    >>> figure(0.0812), figure(0.0000016732), figure(-0.5)
    ('8.12 %', '0.0001673 %', '-50 %')
    """
    if share is None:
        return ""
    percent = 100 * share
    decimals = max(0, FIGURES - 1 - int(f"{percent:e}".partition("e")[2]))
    text = f"{percent:,.{decimals}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"
