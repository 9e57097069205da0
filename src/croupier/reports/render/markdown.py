"""A report as Markdown, for the documentation."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.reports.plots.model import Plot
from croupier.reports.report import (
    Block,
    Cell,
    Column,
    Facts,
    Heading,
    Listing,
    Note,
    Paragraph,
    Report,
    Table,
    plot_table,
)


def report_markdown(report: Report) -> str:
    return markdown([Heading(1, report.title), *map(Paragraph, filter(None, [report.subtitle])), *report.blocks])


def markdown(blocks: Iterable[Block]) -> str:
    return "\n\n".join(map(_block, blocks))


def markdown_table(heads: list[str], lines: list[list[str]]) -> str:
    texts = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    texts += ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return "\n".join(texts)


def _block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Paragraph(text) | Note(text):
            return text
        case Listing(items, numbered):
            return "\n".join(f"{number}. {item}" if numbered else f"- {item}" for number, item in enumerate(items, 1))
        case Facts(facts, title):
            return _titled(title, markdown_table(["figure", "value"], [[fact.label, fact.text] for fact in facts]))
        case Plot():
            return _block(plot_table(block))
        case Table():
            lines = [list(map(_cell, block.columns, row.cells)) for row in block.rows]
            table = markdown_table(block.labels, lines) if lines else block.empty
            return "\n\n".join([_titled(block.title, table), *block.notes])


def _titled(title: str, text: str) -> str:
    return f"## {title}\n\n{text}" if title else text


def _cell(column: Column, value: object) -> str:
    text = column.text(value)
    return f"{text} [{value.note}]" if isinstance(value, Cell) and value.note else text
