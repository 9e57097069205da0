"""A report as HTML: blocks that a page puts into its own frame. Plots are drawn by the page itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from croupier.reports.formatting import ACTIONS, capitalized
from croupier.reports.glossary import meaning
from croupier.reports.plots.model import Plot
from croupier.reports.render.markup import Markup, escape
from croupier.reports.report import (
    Block,
    Cell,
    Column,
    Facts,
    Heading,
    Listing,
    Note,
    Paragraph,
    Row,
    Table,
    plot_table,
)

_MARKS = [
    (re.compile(r"`(.+?)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*(.+?)\*"), r"<em>\1</em>"),
]
_TONES = {"": "small", "warn": "small notes", "good": "notice good", "bad": "notice bad"}
Pictures = Mapping[str, Sequence[Markup]]
"""Of the rows of a table, by the id of the column in whose place they stand."""
_WHOLE = 2
"""Headings up to this level can be led to."""


def inline(text: str) -> Markup:
    """The marks that `reports.report` allows inside a text; all else is text."""
    safe = str(escape(text)).replace("&lt;br&gt;", "<br>")
    for mark, tags in _MARKS:
        safe = mark.sub(tags, safe)
    return Markup(safe)


def term(label: str) -> str | Markup:
    """A label, with its meaning as a tip where the glossary has it."""
    tip = meaning(label)
    return Markup('<abbr class="term" tabindex="0" title="{}">{}</abbr>').format(tip, label) if tip else label


def html(
    blocks: Iterable[Block],
    level: int = 2,
    links: Mapping[str, str] | None = None,
    pictures: Mapping[str, Pictures] | None = None,
) -> Markup:
    """Blocks one below the other, charts side by side; titles are headings of that level.

    `links` leads from the cells of a column, by its id, to where they are shown; `pictures` of a table stand in place
    of a column's cells.
    """

    def shown(block: Block) -> Markup:
        if not isinstance(block, Table):
            return _block(block, level)
        heading = _heading("" if block.is_chart else block.title, level)
        notes = Markup("").join(_block(Note(note), level) for note in block.notes)
        return heading + _table_html(block, links or {}, (pictures or {}).get(block.id, {})) + notes

    parts = []
    for is_chart, group in groupby(blocks, lambda block: isinstance(block, Table) and block.is_chart):
        texts = Markup("\n").join(map(shown, group))
        parts.append(Markup('<div class="charts">{}</div>').format(texts) if is_chart else texts)
    return Markup("\n").join(parts)


def _block(block: Block, level: int) -> Markup:
    match block:
        case Heading(depth, text):
            name = Markup(' id="{}"').format(text.lower().replace(" ", "-")) if depth <= _WHOLE else ""
            return Markup("<h{0}{1}>{2}</h{0}>").format(depth + level - _WHOLE, name, inline(text))
        case Paragraph(text):
            return Markup("<p>{}</p>").format(inline(text))
        case Listing(items, numbered):
            lines = Markup("\n").join(Markup("<li>{}</li>").format(inline(item)) for item in items)
            return Markup('<ol class="steps">{}</ol>' if numbered else "<ul>{}</ul>").format(lines)
        case Note(text, tone):
            return Markup('<p class="{}">{}</p>').format(_TONES[tone], capitalized(text))
        case Facts():
            return _heading(block.title, level) + facts_html(block)
        case Table():
            return html([block], level)
        case Plot():
            return html([plot_table(block)], level)


def _heading(title: str, level: int) -> Markup:
    return Markup("<h{0}>{1}</h{0}>\n").format(level, title) if title else Markup("")


def facts_html(block: Facts) -> Markup:
    """A list of names and values; a table where it is said how they come about."""
    if not any(fact.detail for fact in block.facts):
        pair = Markup("<div><dt>{}</dt><dd>{}</dd></div>")
        pairs = (pair.format(term(fact.label), fact.text) for fact in block.facts)
        return Markup('<dl class="head">{}</dl>').format(Markup("").join(pairs))
    line = '<tr><th scope="row">{}</th><td class="number">{}</td><td class="how">{}</td></tr>'
    lines = (Markup(line).format(term(fact.label), fact.text, fact.detail) for fact in block.facts)
    heads = Markup('<th scope="col">Figure</th><th scope="col">Value</th><th scope="col">How it comes about</th>')
    return _table(
        "figures-table",
        block.title or "Figures",
        Markup('<thead class="unseen"><tr>{}</tr></thead>').format(heads),
        lines,
    )


def _table_html(table: Table, links: Mapping[str, str], pictures: Pictures) -> Markup:
    heads = (Markup('<th scope="col"{}>{}</th>').format(_class(column), _head(column)) for column in table.columns)
    head = Markup("<thead><tr>{}</tr></thead>").format(Markup("").join(heads))
    lines = [_row(table, number, row, links, pictures) for number, row in enumerate(table.rows)]
    if not lines:
        lines = [Markup('<tr><td colspan="{}">{}</td></tr>').format(len(table.columns), table.empty)]
    label = table.title or "Table: " + ", ".join(table.labels)
    if table.is_chart:
        return _table("chart", label, Markup("<caption>{}</caption>").format(table.title) + head, lines)
    return _table("data", label, head, lines)


def _table(kind: str, label: str, head: Markup, lines: Iterable[Markup]) -> Markup:
    frame = (
        '<div class="scroll" tabindex="0" role="group" aria-label="{}"><table class="{}">{}'
        "<tbody>\n{}\n</tbody></table></div>"
    )
    name = f"data {kind}" if kind == "figures-table" else kind
    return Markup(frame).format(label, name, head, Markup("\n").join(lines))


def _head(column: Column) -> str | Markup:
    if column.kind == "marked":
        return inline(column.label)
    return term(capitalized(column.label) if len(column.label) > 1 else column.label)  # z stays z


def _class(column: Column) -> Markup:
    return Markup(' class="number"') if column.is_number else Markup("")


def _row(table: Table, number: int, row: Row, links: Mapping[str, str], pictures: Pictures) -> Markup:
    cells = []
    for place, (column, value) in enumerate(zip(table.columns, row.cells, strict=True)):
        text = _cell(column, value, row)
        if picture := column.id in pictures and pictures[column.id][number]:
            text = Markup("{} {}").format(picture, text if row.mark == "bad" else "")
        elif column.id in links and not row.mark:
            text = Markup('<a href="{}{}">{}</a>').format(links[column.id], text, text)
        if not place:
            cells.append(Markup('<th scope="row"{}>{}</th>').format(_class(column), text))
        elif column.kind == "letter":
            cells.append(Markup('<td class="act {}">{}</td>').format(column.text(value), text))
        else:
            cells.append(Markup("<td{}>{}</td>").format(_class(column), text))
    mark = Markup(' class="{}"').format(row.mark) if row.mark else Markup("")
    return Markup("<tr{}>{}</tr>").format(mark, Markup("").join(cells))


def _cell(column: Column, value: object, row: Row) -> Markup:
    text = inline(column.text(value)) if column.kind == "marked" else escape(column.text(value))
    if isinstance(value, Cell):
        if value.style:
            text = Markup('<span class="verdict {}">{}</span>').format(value.style, text)
        if value.address:
            text = Markup('<a href="{}">{}</a>').format(value.address, text)
        if value.note:
            text += Markup(" [{}]").format(value.note)
    elif column.kind == "letter" and text in ACTIONS:
        text = Markup('<abbr title="{}">{}</abbr>').format(ACTIONS[str(text)], text)
    elif row.mark == "bad" and text in ("no", "refused", "outside"):
        text = Markup('<strong class="bad-text">{}</strong>').format(text)
    return text
