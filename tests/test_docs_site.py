"""The site that `make docs` builds: whole, without dead links, readable by everybody, from no other host."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from croupier.errors import CroupierError
from croupier.manual.markdown_html import read_page
from croupier.manual.site import ASSETS, build_site, read_docs
from tests.browser import assert_accessible
from tests.helpers import ROOT

DOCS = ROOT / "docs"
FRAME = "html head meta title link script body a header img form label input div button details summary nav main footer"
TEXT = "p ul ol li small h1 h2 h3 h4 table thead tbody tr th td code pre em strong br span blockquote hr"
TAGS = {*FRAME.split(), *TEXT.split()}
VOID = {"meta", "link", "img", "input", "br", "hr"}


class Reader(HTMLParser):
    """What the tests look at in one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.crossed: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and (not self.open or self.open.pop() != tag):
            self.crossed.append(tag)

    def all(self, *names: str) -> list[dict[str, str]]:
        return [attributes for tag, attributes in self.tags if tag in names]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    build_site(DOCS, out)
    return out


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[str, Reader]:
    return {path.relative_to(built).as_posix(): Reader(path.read_text("utf-8")) for path in built.rglob("*.html")}


def test_every_page_of_the_folder_is_on_the_site_and_in_the_navigation_of_each(pages: dict[str, Reader]) -> None:
    written = {path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.rglob("*.md")}
    assert set(pages) == written
    for name, page in pages.items():
        root = "../" * name.count("/")
        linked = {one["href"].partition("#")[0] for one in page.all("a")}
        assert {root + other for other in written} <= linked


def test_every_address_and_every_anchor_leads_somewhere(built: Path, pages: dict[str, Reader]) -> None:
    ids = {name: {one["id"] for _, one in page.tags if "id" in one} for name, page in pages.items()}
    dead = []
    for name, page in pages.items():
        for one in page.all("a", "link", "script", "img"):
            target = one.get("href") or one.get("src") or ""
            if target.startswith(("http:", "https:")):
                continue
            path, _, anchor = target.partition("#")
            place = (built / name).parent / path if path else built / name
            there = place.resolve()
            if not there.is_file() or (anchor and anchor not in ids[there.relative_to(built.resolve()).as_posix()]):
                dead.append((name, target))
    assert dead == []


def test_nothing_is_loaded_from_another_host(built: Path, pages: dict[str, Reader]) -> None:
    loaded = [one.get("href") or one.get("src") for page in pages.values() for one in page.all("link", "script", "img")]
    assert [address for address in loaded if address and re.match(r"[a-z]+:|//", address)] == []
    for path in ASSETS:
        text = (built / path.name).read_text().replace("http://www.w3.org/2000/svg", "")
        assert re.findall(r"(?:https?:)?//[a-z]", text) == []


def test_pages_have_a_language_one_title_and_headings_in_order(pages: dict[str, Reader]) -> None:
    for name, page in pages.items():
        assert (name, page.open, page.crossed) == (name, [], [])
        assert {tag for tag, _ in page.tags} <= TAGS
        assert page.all("html")[0]["lang"] == "en"
        levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
        assert (name, levels.count(1), levels[0]) == (name, 1, 1)
        assert [(name, one, next) for one, next in pairwise(levels) if next > one + 1] == []
        ids = [one["id"] for _, one in page.tags if "id" in one]
        assert len(ids) == len(set(ids))
        assert all("alt" in one for one in page.all("img"))


def test_shapes_and_fields_have_anchors_of_their_own() -> None:
    """A link to a shape must not lead to another heading of that name."""
    for name in ("api-reference", "settings", "game-file", "commands"):
        page = read_page(name, (DOCS / f"{name}.md").read_text("utf-8"))
        assert [one.id for one in page.headings if re.search(r"-\d$", one.id)] == []


def test_the_search_knows_every_section(built: Path) -> None:
    script = (built / "search-index.js").read_text("utf-8")
    rows = json.loads(script.removeprefix("searchIndexIsThere(").removesuffix(");\n"))
    addresses = {row[0] for row in rows}
    sections = [page for section in read_docs(DOCS) for page in section.pages]
    assert {f"{page.name}.html#{heading.id}" for page in sections for heading in page.headings} == addresses


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Documentation of two pages."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "navigation.toml").write_text(listing("index", "other"))
    (docs / "index.md").write_text("# One\n\n[two](other.md#part)\n")
    (docs / "other.md").write_text("# Two\n\n## Part\n\n[back](index.md)\n")
    return docs


def refusal(docs: Path) -> str:
    with pytest.raises(CroupierError) as refused:
        build_site(docs, docs.parent / "site")
    assert not (docs.parent / "site").exists()
    return refused.value.code


def listing(*names: str) -> str:
    return f'[[sections]]\ntitle = "All"\npages = {json.dumps(names)}\n'


MISTAKES = [
    ("index.md", "# One\n\n[two](two.md)\n", "broken_link"),
    ("index.md", "# One\n\n[two](other.md#nowhere)\n", "broken_link"),
    ("index.md", "# One\n\n![picture](screens/none.jpg)\n", "broken_link"),
    ("index.md", "# One\n\n[out](../secret.txt)\n", "broken_link"),
    ("third.md", "# Three\n", "page_not_in_navigation"),
    ("navigation.toml", listing("index", "other", "none"), "unknown_page"),
    ("navigation.toml", listing("index", "other", "index"), "page_not_in_navigation"),
]


@pytest.mark.parametrize(("name", "text", "code"), MISTAKES)
def test_a_mistake_is_named_and_nothing_is_built(small: Path, name: str, text: str, code: str) -> None:
    (small.parent / "secret.txt").write_text("not part of the documentation")
    assert len(build_site(small, small.parent / "good")) == 2
    (small / name).write_text(text)
    assert refusal(small) == code


def test_search_colours_and_menu_work_in_a_browser_and_pages_are_accessible(built: Path, browser: Browser) -> None:
    asked: list[str] = []
    for width, scheme, name in ((1440, "light", "index"), (390, "dark", "sheet"), (1440, "dark", "api")):
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"file://{built}/{name}.html")
        page.keyboard.press("/")
        page.keyboard.type("back out")
        found = page.locator("#search-found a", has_text="croupier jackpot back-out")
        found.first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert_accessible(page)
        page.keyboard.press("Escape")  # which also empties the box, as it does in every search box
        page.locator("#search-found").wait_for(state="hidden")
        assert page.locator("#search-words").input_value() == ""
        menu = page.get_by_role("navigation", name="All pages").get_by_role("link", name="Glossary")
        if width < 900:
            assert menu.is_hidden()
            page.get_by_text("All pages").click()
        menu.click()
        assert page.title() == "Glossary · Croupier"
        page.close()
    assert [address for address in asked if not address.startswith("file:")] == []
