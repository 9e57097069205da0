"""A document as blocks: written as Markdown for the documentation, and shown by the web as HTML.

Texts and cells are in a small part of Markdown: `code`, **bold**, *emphasis*, [links](address) and <br>.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Listing:
    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class TableBlock:
    heads: list[str]
    rows: list[list[str]]


Block = Heading | Paragraph | Listing | TableBlock


def markdown(blocks: Iterable[Block]) -> str:
    return "\n\n".join(map(_block, blocks))


def _block(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Listing(items, numbered):
            return "\n".join(f"{number}. {item}" if numbered else f"- {item}" for number, item in enumerate(items, 1))
        case TableBlock(heads, rows):
            return markdown_table(heads, rows)


def markdown_table(heads: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
