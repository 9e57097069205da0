"""Tables and charts for notebooks: HTML and SVG that read well on light and on dark pages, without a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

FILL = "#3b82c4"
"""Bars and intervals; with enough contrast on white and on black."""
LOSS = "#d0623a"
EXACT = "#c08a1e"
PLAYS = {
    "S": "#b0472a",
    "H": "#5f6b76",
    "D": "#2c7a47",
    "Ds": "#2c7a47",
    "P": "#2f6aa3",
    "R": "#7f4a9e",
    "Rs": "#7f4a9e",
    "B": "#2c7a47",
    "N": "#5f6b76",
    "M": "#2c7a47",
    "C": "#5f6b76",
    "Z": "#8a6414",
    "K": "#5f6b76",
}
"""Colors of the letters of a strategy chart; all with white letters on them."""
WIDTH, BAR, GAP, LABEL = 640, 16, 6, 210
_NUMBER = frozenset("0123456789+-$%.,/ e")


def is_number(text: str) -> bool:
    """Whether a cell is set flush right."""
    return bool(text) and set(text) <= _NUMBER


def title_html(text: str, below: str = "") -> str:
    small = f"<div style='opacity:.7;font-size:90%'>{escape(below)}</div>" if below else ""
    return f"<div style='margin:.3em 0'><b>{escape(text)}</b>{small}</div>"


def notes_html(notes: Sequence[str]) -> str:
    return "".join(f"<div style='opacity:.8;font-size:90%'>Note: {escape(note)}</div>" for note in notes)


def table_html(heads: Sequence[str], rows: Sequence[Sequence[str]], *, note: str = "") -> str:
    """A table; columns of numbers are set flush right."""
    right = [all(is_number(row[at]) or not row[at] for row in rows) for at in range(len(heads))]
    side = [
        f" style='text-align:{'right' if flush else 'left'};min-width:0;padding:1px 10px 1px 3px'" for flush in right
    ]
    head = "".join(f"<th{side[at]}>{escape(name)}</th>" for at, name in enumerate(heads))
    body = "".join(
        "<tr>" + "".join(f"<td{side[at]}>{escape(cell)}</td>" for at, cell in enumerate(row)) + "</tr>" for row in rows
    )
    below = f"<div style='opacity:.7'>{escape(note)}</div>" if note else ""
    return f"<table style='background:none'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def chart_html(name: str, grid: dict[str, dict[str, str]]) -> str:
    """A strategy chart, a colored cell for each decision."""
    columns = list(next(iter(grid.values()), {}))
    head = "".join(
        f"<th style='text-align:center;min-width:0;padding:1px 6px'>{escape(column)}</th>" for column in columns
    )
    lines = []
    for hand, cells in grid.items():
        plays = "".join(
            "<td style='text-align:center;min-width:0;padding:1px 6px;color:#fff;"
            f"background:{PLAYS.get(cell, PLAYS['H'])}'>{escape(cell)}</td>"
            for cell in cells.values()
        )
        lines.append(f"<tr><th style='text-align:right;min-width:0;padding:1px 6px'>{escape(hand)}</th>{plays}</tr>")
    return (
        f"{title_html(name)}<table style='background:none'><thead><tr><th></th>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _svg(height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' role='img' aria-label='{escape(title, quote=True)}' "
        f"viewBox='0 0 {WIDTH} {height}' width='{WIDTH}' height='{height}' "
        f"style='max-width:100%;font:12px sans-serif;fill:currentColor'>{''.join(parts)}</svg>"
    )


def bars_svg(title: str, bars: Sequence[tuple[str, float, str]]) -> str:
    """Bars from a common zero: label, value, and the value in words."""
    low, high = min(0.0, *(value for _, value, _ in bars)), max(0.0, *(value for _, value, _ in bars))
    room = WIDTH - LABEL - 90
    scale = room / (high - low or 1)
    zero = LABEL - low * scale
    parts = []
    for at, (label, value, text) in enumerate(bars):
        top = at * (BAR + GAP) + GAP
        left, length = min(zero, zero + value * scale), max(abs(value) * scale, 0.5)
        color = FILL if value >= 0 else LOSS
        parts.append(
            f"<text x='{LABEL - 8}' y='{top + 12}' text-anchor='end'>{escape(_short(label))}</text>"
            f"<rect x='{left:.1f}' y='{top}' width='{length:.1f}' height='{BAR}' fill='{color}'/>"
            f"<text x='{left + length + 5:.1f}' y='{top + 12}'>{escape(text)}</text>"
        )
    height = len(bars) * (BAR + GAP) + GAP
    parts.append(
        f"<line x1='{zero:.1f}' x2='{zero:.1f}' y1='0' y2='{height}' stroke='currentColor' stroke-opacity='.5'/>"
    )
    return _svg(height, title, parts)


def intervals_svg(title: str, lines: Sequence[tuple[str, float, float, float | None]]) -> str:
    """Estimates in standard errors around the exact value: label, estimate, its standard error, exact."""
    room, middle = WIDTH - LABEL - 30, LABEL + (WIDTH - LABEL - 30) / 2
    scale, parts = room / 8, []
    for at, (label, value, error, exact) in enumerate(lines):
        y = at * (BAR + GAP) + BAR
        off = (value - exact) / error if exact is not None and error else 0.0
        center = middle + max(-3.9, min(3.9, off)) * scale
        left, right = max(LABEL, center - 1.96 * scale), min(LABEL + room, center + 1.96 * scale)
        parts.append(
            f"<text x='{LABEL - 8}' y='{y + 4}' text-anchor='end'>{escape(_short(label))}</text>"
            f"<line x1='{left:.1f}' x2='{right:.1f}' y1='{y}' y2='{y}' stroke='{FILL}' stroke-width='3'/>"
            f"<circle cx='{center:.1f}' cy='{y}' r='5' fill='{FILL}'/>"
        )
    height = len(lines) * (BAR + GAP) + 2 * BAR
    parts.append(
        f"<line x1='{middle}' x2='{middle}' y1='4' y2='{height - 20}' stroke='{EXACT}' stroke-width='2' "
        f"stroke-dasharray='5 3'/><text x='{middle}' y='{height - 5}' text-anchor='middle'>exact; bars are 95%</text>"
    )
    return _svg(height, title, parts)


def bands_svg(title: str, bands: Mapping[str, Sequence[float]], text: str) -> str:
    """Quantiles over time: the middle as a line, pairs around it as bands."""
    names = list(bands)
    low, high = min(map(min, bands.values())), max(map(max, bands.values()))
    height, left, points = 220, 80, len(bands[names[0]])

    def place(at: int, value: float) -> str:
        x = left + at * (WIDTH - left - 10) / max(1, points - 1)
        return f"{x:.1f},{190 - (value - low) * 175 / (high - low or 1):.1f}"

    parts = []
    for pair in range(len(names) // 2):
        lower, upper = bands[names[pair]], bands[names[-1 - pair]]
        edge = [place(at, value) for at, value in enumerate(lower)]
        edge += [place(at, value) for at, value in reversed(list(enumerate(upper)))]
        parts.append(f"<polygon points='{' '.join(edge)}' fill='{FILL}' fill-opacity='.25'/>")
    middle = " ".join(place(at, value) for at, value in enumerate(bands[names[len(names) // 2]]))
    parts.append(f"<polyline points='{middle}' fill='none' stroke='{FILL}' stroke-width='2'/>")
    for value in (low, (low + high) / 2, high):
        y = 190 - (value - low) * 175 / (high - low or 1)
        parts.append(f"<text x='{left - 6}' y='{y + 4:.1f}' text-anchor='end'>${value:,.0f}</text>")
    parts.append(f"<text x='{WIDTH / 2}' y='214' text-anchor='middle'>{escape(text)}</text>")
    return _svg(height, title, parts)


def _short(label: str) -> str:
    return label if len(label) <= 32 else f"{label[:31]}…"
