"""The picture of one achieved figure: the band of chance, the exact value in it, and what was achieved."""

from __future__ import annotations

from croupier.reports.books.achieved import AchievedLine
from croupier.reports.formatting import share_text
from croupier.reports.render.markup import Markup

WIDTH, HEIGHT = 240, 28
MARGIN = 12
_PICTURE = Markup(
    '<svg class="band" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{text}">'
    '<line class="axis" x1="4" x2="{end}" y1="14" y2="14"/>'
    '<rect class="range" x="{low}" y="8" width="{range}" height="12" rx="2"/>'
    '<line class="exact" x1="{exact}" x2="{exact}" y1="4" y2="24"/>'
    '<circle class="{where}" cx="{achieved}" cy="14" r="5"/></svg>'
)


def band_picture(line: AchievedLine) -> Markup:
    """The picture of a line; blank where nothing was played or nothing was entered."""
    if line.low is None or line.high is None or line.exact is None or line.achieved is None:
        return Markup("")
    values = (line.low, line.high, line.exact, line.achieved)
    least, most = min(values), max(values)
    span = most - least or 1.0
    low, high, exact, achieved = (round(MARGIN + (WIDTH - 2 * MARGIN) * (one - least) / span, 1) for one in values)
    where = "inside" if line.is_inside else "outside"
    words = [share_text(value) for value in (line.achieved, line.exact, line.low, line.high)]
    return _PICTURE.format(
        width=WIDTH,
        height=HEIGHT,
        end=WIDTH - 4,
        low=low,
        range=max(high - low, 2),
        exact=exact,
        achieved=achieved,
        where=where,
        text="Achieved {}, exact {}, band {} to {}: {} the band.".format(*words, where),
    )
