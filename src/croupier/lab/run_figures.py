"""How a run's estimate converges, as a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from croupier.lab.runs import Run, RunStanding
from croupier.reports.plots.model import Plot
from croupier.reports.plots.simulated import convergence_plot

SHOWN_SHARE = 1 / 200
"""Points of fewer rounds than this part of the last one's have bands so wide that the end would not be seen."""

FEW = 25
"""An outcome that came more seldom says little about how often it comes."""


@dataclass(frozen=True)
class _Found:
    best_edge: float
    standard_error: float
    exact: float | None


def convergence_of(run: Run, standing: RunStanding, wager: str, name: str) -> Plot | None:
    """The wager's edge with its band, against the exact line; None before there is a point to show."""
    if standing.data is None or wager not in standing.data["wagers"]:
        return None
    now = standing.data["wagers"][wager]
    points = [(point.rounds, *point.wagers[wager]) for point in standing.points if wager in point.wagers]
    if not points or points[-1][0] < standing.rounds:
        best = now["reduced"] or now
        points.append((standing.rounds, best["edge"], best["standard_error"]))
    shown = [point for point in points if point[0] >= SHOWN_SHARE * standing.rounds]
    return convergence_plot(
        f"{name}: house edge as rounds are played",
        [(rounds, _Found(edge, error, now["exact"])) for rounds, edge, error in shown],
        _note(run, standing, now),
    )


def _note(run: Run, standing: RunStanding, wager: dict[str, Any]) -> str:
    parts = [f"Simulated with seed {run.seed}: {standing.rounds:,} rounds; the band is the 95% interval."]
    if wager["reduced"] is not None:
        parts.append("Estimated with a control variate.")
    if wager["exact"] is None:
        parts.append("Nobody has computed the exact value of this wager.")
    elif run.shuffle != "fresh":
        parts.append("The exact line is for a fresh shoe, so the estimate need not come to it.")
    else:
        parts.append("The exact line is computed, not simulated; of a hundred runs about five end outside the band.")
    if min(wager["rows"].values()) < FEW:
        parts.append("Its rarest outcome has hardly come yet: until then the band is narrower than it should be.")
    return " ".join(parts)
