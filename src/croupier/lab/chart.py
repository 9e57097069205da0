"""The outcomes of a draft against those as approved: how often each wins more than an amount."""

from __future__ import annotations

from fractions import Fraction

from croupier.exact.odds import OddsSheet
from croupier.reports.plots.model import Line, Plot
from croupier.reports.plots.wager import title_of


def chances_plot(draft: OddsSheet, approved: OddsSheet) -> Plot | None:
    """Chances to win more than any profit, draft and approved; None where nothing is ever won."""
    lines = [
        Line(name, *_chances(sheet), kind="steps")
        for name, sheet in ((approved.choice.game.source.as_it_is, approved), ("draft", draft))
        if any(row.net > 0 and row.probability for row in sheet.rows)
    ]
    if not lines:
        return None
    at_meter = "" if draft.valued_at is None else " Shares of the meter are valued at its average award."
    return Plot(
        id="chances",
        title=title_of(draft.choice, "probability of winning at least x"),
        x_label="profit, in wagers",
        y_label="probability",
        y_form="share",
        log_x=True,
        log_y=True,
        lines=tuple(lines),
        note=f"Both scales are logarithmic.{at_meter} Method: {draft.method}.",
    )


def _chances(sheet: OddsSheet) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """From half the smallest profit on: the chance to win more than each profit; the last step ends at the largest."""
    wins: dict[Fraction, Fraction] = {}
    for row in sheet.rows:
        if row.net > 0 and row.probability:
            wins[row.net] = wins.get(row.net, Fraction(0)) + row.probability
    profits = sorted(wins)
    left = sum(wins.values(), Fraction(0))
    points = [(profits[0] / 2, left)]
    for profit in profits[:-1]:
        left -= wins[profit]
        points.append((profit, left))
    points.append((profits[-1], left))
    return tuple(float(x) for x, _ in points), tuple(float(y) for _, y in points)
