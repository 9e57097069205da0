"""One page of Markdown as HTML: headings with anchors, links between pages, code in colours, tables that scroll."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

MANY_COLUMNS = 6
MANY_LETTERS = 250
PLAIN_TEXT = ("", "text")
"""Blocks of code without a language: terminals and plain text."""


@dataclass(frozen=True)
class Heading:
    """A heading and its anchor."""

    level: int
    id: str
    text: str


@dataclass
class Page:
    """A page of the documentation, read but not yet in its frame."""

    name: str
    """Its path below the documentation's folder, without `.md`."""
    body: str = ""
    headings: list[Heading] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    """Where it links to, as written."""
    sections: list[tuple[str, str, str]] = field(default_factory=list)
    """Anchor, heading and plain text of each part, for the search."""

    @property
    def title(self) -> str:
        return self.headings[0].text if self.headings else self.name

    @property
    def ids(self) -> set[str]:
        return {heading.id for heading in self.headings}


def read_page(name: str, text: str) -> Page:
    """Reads the Markdown of one page."""
    page = Page(name)
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    tokens = [one for one in tokens if not (one.type == "html_block" and one.content.startswith("<!--"))]
    _name_headings(page, tokens)
    _point_links(page, tokens)
    _collect_text(page, tokens)
    page.body = _as_html(tokens)
    return page


def slug(text: str, taken: set[str]) -> str:
    """The anchor of a heading, as the places where people read Markdown make it."""
    plain = re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")
    made, number = plain, 0
    while made in taken:
        number += 1
        made = f"{plain}-{number}"
    return made


def _plain(token: Token) -> str:
    """The text of an inline token without its marks."""
    parts = []
    for child in token.children or []:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak", "html_inline"):
            parts.append(" ")
    return "".join(parts)


def _name_headings(page: Page, tokens: Sequence[Token]) -> None:
    for opened, inline in pairwise(tokens):
        if opened.type == "heading_open":
            text = _plain(inline)
            heading = Heading(int(opened.tag[1:]), slug(text, page.ids), text)
            page.headings.append(heading)
            opened.attrSet("id", heading.id)


def _point_links(page: Page, tokens: Sequence[Token]) -> None:
    """Links to pages become links to their HTML; all are noted, to be looked up when every page is read."""
    for token in tokens:
        for child in token.children or []:
            if child.type == "link_open":
                target = str(child.attrs["href"])
                page.links.append(target)
                child.attrSet("href", html_address(target))
            elif child.type == "image":
                page.links.append(str(child.attrs["src"]))
                child.attrSet("loading", "lazy")


def is_elsewhere(target: str) -> bool:
    """Whether a link leaves the documentation."""
    return re.match(r"[a-z][a-z0-9+.-]*:", target, re.IGNORECASE) is not None


def html_address(target: str) -> str:
    if is_elsewhere(target):
        return target
    path, mark, anchor = target.partition("#")
    return re.sub(r"\.md$", ".html", path) + mark + anchor


def _collect_text(page: Page, tokens: Sequence[Token]) -> None:
    """What the search looks through: the words below each heading."""
    place, words = Heading(1, "", ""), list[str]()
    numbered = iter(page.headings)
    for token, before in zip(tokens, [None, *tokens], strict=False):
        if token.type == "heading_open":
            if place.id or words:
                page.sections.append((place.id, place.text, " ".join(words)))
            place, words = next(numbered), []
        elif token.type == "inline" and not (before and before.type == "heading_open"):
            words.append(" ".join(_plain(token).split()))
        elif token.type in ("fence", "code_block"):
            words.append(" ".join(token.content.split()))
    page.sections.append((place.id, place.text, " ".join(words)))


def _as_html(tokens: list[Token]) -> str:
    renderer = MarkdownIt("commonmark", {"html": True}).enable("table").renderer
    parts: list[str] = []
    start = tables = 0
    for index, token in enumerate(tokens):
        if token.type not in ("fence", "code_block", "table_open", "table_close"):
            continue
        parts.append(renderer.render(tokens[start:index], MarkdownIt().options, {}))
        start = index + 1
        if token.type == "table_open":
            # Wide tables scroll by themselves, also by keyboard, and the page does not.
            kind = ' class="wide"' if _is_wide(tokens, index) else ""
            tables += 1
            parts.append(f'<div class="scroll" tabindex="0" role="group" aria-label="Table {tables}"><table{kind}>')
        elif token.type == "table_close":
            parts.append("</table></div>")
        else:
            parts.append(_code(token))
    parts.append(renderer.render(tokens[start:], MarkdownIt().options, {}))
    return "".join(parts)


def _is_wide(tokens: list[Token], start: int) -> bool:
    """Whether a table has many columns with sentences in them, which need more room than a page has."""
    columns = letters = longest = 0
    for token in tokens[start:]:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            columns = letters = 0
        elif token.type == "inline":
            columns += 1
            letters += len(_plain(token))
            longest = max(longest, letters)
    return columns >= MANY_COLUMNS and longest >= MANY_LETTERS


def _code(token: Token) -> str:
    language = token.info.strip()
    if language in PLAIN_TEXT:
        inner = escape(token.content)
    else:
        inner = highlight(token.content, get_lexer_by_name(language), HtmlFormatter(nowrap=True))
    return f'<pre tabindex="0" class="code"><code>{inner}</code></pre>'
