"""An odds sheet as a report: the same parts in the same order on paper, on a page and in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.reports.formatting import capitalized, shoe_text
from croupier.reports.published import published_table
from croupier.reports.report import Block, Column, Facts, Heading, Note, Paragraph, Report, Row, Table, columns, rows
from croupier.reports.sheet.model import Booklet, Sheet
from croupier.reports.sheet.tables import RULES
from croupier.rules.choice import Choice

MOST_READABLE = 10**16
"""Combinations beyond this many do not fit beside the other columns: they get a table of their own."""


def sheet_report(sheet: Sheet, *, with_plots: bool = False) -> Report:
    return Report(title=sheet.title, subtitle=_subtitle(sheet.choice), blocks=tuple(_blocks(sheet, with_plots)))


def booklet_front(booklet: Booklet) -> Report:
    """The first page: what the game is, and the sheets that follow."""
    contents = Table(
        title="Wagers",
        columns=(*columns("wager", "pay table"), Column("house edge", "count")),
        rows=rows(*((s.choice.wager.name, s.choice.pay_table.id, s.figure("edge").text) for s in booklet.sheets)),
    )
    game = booklet.game
    rules = rows(*((number, rule) for number, rule in enumerate(game.rules, 1)))
    steps = Table(title="Rules", columns=columns("step", "rule"), rows=rules)
    return Report(
        title=game.name, subtitle="Odds sheets of all wagers", blocks=(Paragraph(game.summary), contents, steps)
    )


def _subtitle(choice: Choice) -> str:
    table = choice.pay_table
    label = f" ({table.label})" if table.label else ""
    side = {"": "", "winner": ", either side's win"}.get(choice.side, f", {choice.side}")
    return f"Odds sheet, pay table {table.id}{label}, {shoe_text(choice.decks)}{side}"


def _blocks(sheet: Sheet, with_plots: bool) -> Iterator[Block]:
    if sheet.head:
        yield Facts(sheet.head)
    yield rows_table(sheet)
    yield Facts(sheet.figures, "Figures")
    if sheet.edge_parts:
        yield Facts(sheet.edge_parts, "Where the edge comes from")
    if sheet.published:
        yield published_table(sheet.published)
    if sheet.progressive:
        yield Facts(sheet.progressive, "Progressive")
    yield Heading(2, "Method")
    choice = sheet.choice
    yield Paragraph(f"{capitalized(sheet.method)}. Rules of {choice.game.version}, {choice.source.named}.")
    if sheet.simulated:
        yield _simulated_table(sheet)
    for note in sheet.notes:
        yield Note(note, "warn")
    yield from (table for table in sheet.tables if table.id == RULES)  # what plots would leave empty on paper
    if _is_wide(sheet):
        lines = (Row((row.label, row.combinations)) for row in sheet.rows)
        yield Table(
            id="combinations",
            title="Combinations",
            columns=(Column("event"), Column("combinations", "count")),
            rows=(*lines, Row(("Total", sheet.denominator), "sum")),
            notes=("Ordered deals of as many cards as the longest hand takes.",),
        )
    if with_plots:
        yield from sheet.plots
    yield from (table for table in sheet.tables if table.id != RULES)


def _is_wide(sheet: Sheet) -> bool:
    return sheet.denominator is not None and sheet.denominator >= MOST_READABLE


def rows_table(sheet: Sheet) -> Table:
    """What becomes of the wager, and the totals as the last line."""
    counts: tuple[Column, ...] = (Column("combinations", "count"),)
    total: Fraction | int | None = sheet.denominator
    if total is None:
        counts, total = (Column("hands a round", "number", 8),), sum(Fraction(row.hands or 0) for row in sheet.rows)
    elif _is_wide(sheet):
        counts = ()
    lines = []
    for row in sheet.rows:
        count = (row.hands if row.combinations is None else row.combinations,)
        lines.append(Row((row.label, row.pays, *count[: len(counts)], row.probability, row.probability, row.returned)))
    whole = ("Total", "", *(total,)[: len(counts)], Fraction(1), None, sheet.returned)
    chances = (Column("probability", "number", 10), Column("odds", "odds"), Column("return", "signed", 8))
    return Table(
        id="rows",
        title="Rows",
        columns=(*columns("event", "pays"), *counts, *chances),
        rows=(*lines, Row(whole, "sum")),
        notes=(_how_to_read(sheet),),
    )


def _how_to_read(sheet: Sheet) -> str:
    if sheet.denominator is None:
        return "Probabilities are of hands; returns are parts of the profit for each unit of the first wagers."
    share = f" Shares of the meter are valued at {sheet.figure('valued_at').text}." if sheet.progressive else ""
    return (
        "A probability is combinations over their total. A return is probability times profit for each unit wagered: a "
        f'pay "for 1" takes the wager, "to 1" gives it back.{share}'
    )


def _simulated_table(sheet: Sheet) -> Table:
    return Table(
        id="simulated",
        title="Simulations kept with the game",
        columns=(
            Column("shuffle"),
            *columns("cut", "seats", "rounds", kind="count"),
            Column("seed", "number"),
            *columns("edge", "standard error", kind="percent", digits=4),
        ),
        rows=rows(
            *(
                (
                    run.shuffle.replace("_", " "),
                    run.cut,
                    run.seats,
                    run.rounds,
                    str(run.seed),
                    run.edge,
                    run.standard_error,
                )
                for run in sheet.simulated
            )
        ),
        notes=("Of shoes that are not shuffled before every round.",),
    )
