"""The tables of an odds sheet as people read them, for paper, page and terminal alike."""

from __future__ import annotations

from fractions import Fraction

from croupier.reports.formatting import (
    FIGURES,
    Z_TEXT,
    decks_text,
    difference_text,
    one_in,
    percent,
    rounded,
    verdict_text,
    z_text,
)
from croupier.reports.sheet.model import Sheet, computed_text

MOST_READABLE = 10**16
"""Combinations beyond this many do not fit beside the other columns: they get a table of their own."""

Lines = list[list[str]]


def has_wide_combinations(sheet: Sheet) -> bool:
    return sheet.denominator is not None and sheet.denominator >= MOST_READABLE


def row_heads(sheet: Sheet) -> list[str]:
    count = ["hands a round"] if sheet.denominator is None else ["combinations"]
    return ["event", "pays", *([] if has_wide_combinations(sheet) else count), "probability", "odds", "return"]


def row_lines(sheet: Sheet) -> Lines:
    """The rows, and the totals as the last line."""
    lines = []
    for row in sheet.rows:
        count = f"{row.combinations:,}" if row.combinations is not None else f"{row.hands:.8f}"
        lines.append(
            [
                row.label,
                row.pays,
                *([] if has_wide_combinations(sheet) else [count]),
                rounded(row.probability, 10),
                one_in(row.probability),
                signed(row.returned),
            ]
        )
    whole = f"{sheet.denominator:,}" if sheet.denominator is not None else rounded(_hands(sheet), 8)
    total = ["Total", "", *([] if has_wide_combinations(sheet) else [whole]), rounded(Fraction(1), 10), ""]
    return [*lines, [*total, signed(sheet.returned)]]


def _hands(sheet: Sheet) -> Fraction:
    return sum((Fraction(row.hands or 0) for row in sheet.rows), Fraction(0))


def combination_lines(sheet: Sheet) -> Lines:
    """Rows with their combinations where these are too long for the rows' own table; else nothing."""
    if not has_wide_combinations(sheet):
        return []
    return [*([row.label, f"{row.combinations:,}"] for row in sheet.rows), ["Total", f"{sheet.denominator:,}"]]


def signed(value: Fraction) -> str:
    text = rounded(value, 8)
    return text if text.startswith("-") else f"+{text}"


PUBLISHED_HEADS = ["figure", "where", "decks", "printed", "computed", "difference", "verdict"]
PUBLISHED_WORDS = (0, 1, 2, 6)
"""Columns of words; the others are numbers."""


def published_lines(sheet: Sheet) -> Lines:
    return [
        [
            FIGURES[checked.fact.figure],
            checked.fact.where,
            decks_text(checked),
            checked.fact.printed,
            computed_text(checked),
            difference_text(checked),
            verdict_text(checked),
        ]
        for checked in sheet.published
    ]


def row_notes(sheet: Sheet) -> list[str]:
    """How the columns of the rows are to be read."""
    if sheet.denominator is None:
        return ["Probabilities are of hands; returns are parts of the profit for each unit of the first wagers."]
    share = ""
    if sheet.progressive:
        share = f" Shares of the meter are valued at {sheet.figure('valued_at').text}."
    return [
        "A probability is combinations over their total. A return is probability times profit for each unit wagered: a "
        f'pay "for 1" takes the wager, "to 1" gives it back.{share}'
    ]


def findings(sheet: Sheet) -> list[str]:
    """Why published figures differ, each once, and what z is."""
    found: dict[str, list[str]] = {}
    for checked in sheet.published:
        if checked.finding:
            found.setdefault(checked.finding, []).append(FIGURES[checked.fact.figure])
    lines = [f"{', '.join(dict.fromkeys(figures))}: {finding}" for finding, figures in found.items()]
    how = [z_text(checked) for checked in sheet.published if checked.z is not None]
    return [*lines, Z_TEXT, *how] if how else lines


SIMULATED_HEADS = ["shuffle", "cut", "seats", "rounds", "seed", "edge", "standard error"]


def simulated_lines(sheet: Sheet) -> Lines:
    return [
        [
            run.shuffle.replace("_", " "),
            str(run.cut),
            str(run.seats),
            f"{run.rounds:,}",
            str(run.seed),
            percent(Fraction(run.edge), 4),
            percent(Fraction(run.standard_error), 4),
        ]
        for run in sheet.simulated
    ]
