"""Figures that letters print, beside the exact ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import quote

from croupier.exact.check import CheckedFigure
from croupier.reports.formatting import (
    FIGURES,
    VERDICTS,
    Z_TEXT,
    decks_text,
    difference_text,
    figure_text,
    verdict_count,
    verdict_text,
    z_text,
)
from croupier.reports.report import Block, Cell, Column, Note, Paragraph, Report, Row, Table, columns
from croupier.rules.spec import Game

_FIGURES = (
    *columns("decks", "figure"),
    *(replace(column, kind="count") for column in columns("printed", "computed", "difference")),
    Column("verdict"),
)


def published_table(results: Sequence[CheckedFigure], title: str = "Published figures") -> Table:
    """Of one wager, by the letter's tables."""
    return _table(results, title, columns("where"), [(item.fact.where,) for item in results])


def game_table(results: Sequence[CheckedFigure], title: str = "", *, address: str = "") -> Table:
    """Of a whole game. `address` is that of its odds sheets."""
    names = []
    for item in results:
        fact, wager = item.fact, item.game.wager(item.fact.wager)
        sheet = f"{address}/{wager.id}?pay_table={quote(fact.pay_table)}" if address else ""
        names.append((Cell(wager.name, address=sheet), fact.pay_table))
    return _table(results, title, columns("wager", "table"), names)


def figures_table(results: Sequence[CheckedFigure], title: str = "") -> Table:
    """Of a whole game, with all that it takes to compute a figure again: ids, and the rules it is printed for."""
    names = []
    for item in results:
        fact = item.fact
        settings = [f"{name}={value}" for name, value in (fact.printed_for | fact.under).items()]
        rules = ", ".join([*settings, *([f"played by {fact.rule}"] if fact.rule else [])])
        names.append((f"`{fact.wager}`", fact.pay_table, rules))
    return _table(results, title, (Column("wager", "marked"), *columns("table", "rules")), names)


def _table(
    results: Sequence[CheckedFigure], title: str, heads: tuple[Column, ...], names: Iterable[tuple[Cell | str, ...]]
) -> Table:
    findings = list(dict.fromkeys(item.finding for item in results if item.finding))
    notes = [f"[{number}] {finding}" for number, finding in enumerate(findings, 1)]
    errors = [z_text(item) for item in results if item.z is not None]
    return Table(
        id="published",
        title=title,
        columns=(*heads, *_FIGURES),
        rows=tuple(Row((*name, *_cells(item, findings))) for name, item in zip(names, results, strict=True)),
        notes=(*notes, *([Z_TEXT, *errors] if errors else [])),
        empty="No figures are published for this game.",
    )


def _cells(item: CheckedFigure, findings: list[str]) -> tuple[Cell | str, ...]:
    computed = "-" if item.computed is None else figure_text(item.fact.figure, item.computed)
    note = findings.index(item.finding) + 1 if item.finding else 0
    verdict = Cell(verdict_text(item), style=item.verdict, note=note)
    figure = FIGURES[item.fact.figure]
    return decks_text(item), figure, item.fact.printed, computed, difference_text(item) or "-", verdict


def verdict_counts(verdicts: Iterable[str]) -> str:
    """How many figures got each verdict: `82 equal, 3 differ`."""
    counts = Counter(verdicts)
    return ", ".join(verdict_count(verdict, counts[verdict]) for verdict in VERDICTS if counts[verdict]) or "none"


def check_report(games: Sequence[Game], results: Sequence[CheckedFigure]) -> Report:
    """Every figure of these games with its verdict."""
    blocks: list[Block] = []
    for game in games:
        of_game = [item for item in results if item.game.id == game.id]
        blocks.append(game_table(of_game, game.name))
        if game.source.draft_text:
            blocks.append(Note(f"{game.name} is {game.source.draft_text}.", "warn"))
    counts = verdict_counts(item.verdict for item in results)
    figures = "figure" if len(results) == 1 else "figures"
    blocks.append(Paragraph(f"{len(results)} published {figures}: {counts}."))
    return Report(title="Published figures, recomputed", blocks=tuple(blocks))
