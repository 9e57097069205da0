"""The documentation as a site: every page of the folder in one frame, with navigation and search, and no other host."""

from __future__ import annotations

import json
import posixpath
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

import croupier
from croupier.errors import SpecError, unknown
from croupier.manual.markdown_html import Page, is_elsewhere, read_page

NAVIGATION = "navigation.toml"
THEME = Path(__file__).parent / "theme"
ASSETS = (THEME / "site.css", THEME / "site.js", Path(croupier.__file__).parent / "web" / "static" / "icon.svg")
MOST_LETTERS = 4000
"""Of a section, that the search looks through: long tables would make its index as large as the pages."""


@dataclass(frozen=True)
class Section:
    """A heading of the navigation, and the pages below it."""

    title: str
    pages: list[Page]


def read_docs(docs: Path) -> list[Section]:
    """Every page in the order of the navigation. A page or a link that leads nowhere is refused with its place."""
    listed = tomllib.loads((docs / NAVIGATION).read_text(encoding="utf-8"))["sections"]
    there = sorted(path.relative_to(docs).with_suffix("").as_posix() for path in docs.rglob("*.md"))
    names = [name for section in listed for name in section["pages"]]
    for name in names:
        if name not in there:
            raise unknown("page", name, there, f" in {docs.name}/{NAVIGATION}")
    for name in there:
        if names.count(name) != 1:
            raise SpecError(
                f"{docs.name}/{name}.md is {names.count(name)} times in {docs.name}/{NAVIGATION}. Accepted: once.",
                code="page_not_in_navigation",
            )
    sections = [
        Section(one["title"], [read_page(name, (docs / f"{name}.md").read_text("utf-8")) for name in one["pages"]])
        for one in listed
    ]
    pages = {page.name: page for section in sections for page in section.pages}
    for page in pages.values():
        for target in page.links:
            _require_target(docs, pages, page, target)
    return sections


def _require_target(docs: Path, pages: dict[str, Page], page: Page, target: str) -> None:
    if is_elsewhere(target):
        return
    path, _, anchor = target.partition("#")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), path)) if path else f"{page.name}.md"
    wanted = pages.get(place.removesuffix(".md")) if place.endswith(".md") else None
    is_file = place.rpartition(".")[2] != "md" and not place.startswith("..") and (docs / place).is_file()
    if wanted is None and not is_file:
        raise SpecError(
            f'{docs.name}/{page.name}.md links to "{target}", which is not in {docs.name}.', code="broken_link"
        )
    if wanted is not None and anchor and anchor not in wanted.ids:
        raise SpecError(
            f'{docs.name}/{page.name}.md links to "{target}", but {wanted.name}.md has no such heading.',
            code="broken_link",
        )


def build_site(docs: Path, out: Path) -> list[Path]:
    """Writes the whole site into a folder, in the place of what was there, and returns its pages."""
    sections = read_docs(docs)
    shutil.rmtree(out, ignore_errors=True)
    for path in docs.rglob("*"):
        if path.is_file() and path.suffix != ".md" and path.name != NAVIGATION:
            copy = out / path.relative_to(docs)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    out.mkdir(parents=True, exist_ok=True)
    for path in ASSETS:
        shutil.copyfile(path, out / path.name)
    (out / "search-index.js").write_text(_search_index(sections), encoding="utf-8")
    frame = Environment(
        loader=PackageLoader("croupier.manual", "theme"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    ).get_template("page.html")
    pages = [page for section in sections for page in section.pages]
    written = []
    for index, page in enumerate(pages):
        path = out / f"{page.name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        html = frame.render(
            page=page,
            sections=sections,
            root="../" * page.name.count("/"),
            before=pages[index - 1] if index else None,
            after=pages[index + 1] if index + 1 < len(pages) else None,
            contents=[heading for heading in page.headings if heading.level == 2],
            version=croupier.__version__,
        )
        path.write_text(html, encoding="utf-8")
        written.append(path)
    return written


def _search_index(sections: list[Section]) -> str:
    """A script and no JSON file: so the search also works on a site that is opened from the disk."""
    rows = [
        [
            f"{page.name}.html#{anchor}",
            page.title,
            heading,
            text[:MOST_LETTERS],
        ]
        for section in sections
        for page in section.pages
        for anchor, heading, text in page.sections
    ]
    return "searchIndexIsThere(" + json.dumps(rows, ensure_ascii=False, separators=(",", ":")) + ");\n"
