"""The site that `make docs` builds: whole, without dead links, readable by everybody, from no other host."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import croupier
from tests.browser import assert_accessible
from tests.helpers import ROOT

pytestmark = pytest.mark.slow

DOCS = ROOT / "docs"
CONFIGURATION = ROOT / "zensical.toml"


class Reader(HTMLParser):
    """The elements of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def all(self, *names: str) -> list[dict[str, str]]:
        return [attributes for tag, attributes in self.tags if tag in names]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a test prints no requests."""


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """The site of a folder with a configuration and documents."""
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documentation")
    shutil.copytree(DOCS, folder / "docs")
    shutil.copy(CONFIGURATION, folder)
    (folder / "src").symlink_to(ROOT / "src")
    done = build(folder)
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[str, Reader]:
    html = [path for path in built.rglob("*.html") if path.name != "404.html"]
    return {path.relative_to(built).as_posix(): Reader(path.read_text("utf-8")) for path in html}


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_page_is_in_the_navigation_once() -> None:
    sections = tomllib.loads(CONFIGURATION.read_text("utf-8"))["project"]["nav"]
    listed = [page for section in sections for pages in section.values() for page in pages]
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def test_every_address_and_every_anchor_leads_somewhere(built: Path, pages: dict[str, Reader]) -> None:
    ids = {name: {one["id"] for _, one in page.tags if "id" in one} for name, page in pages.items()}
    dead = []
    for name, page in pages.items():
        for one in page.all("a", "link", "script", "img"):
            target = one.get("href") or one.get("src") or ""
            if target.startswith(("http:", "https:")):
                continue
            path, _, anchor = target.partition("#")
            place = ((built / name).parent / path if path else built / name).resolve()
            anchors = ids.get(place.relative_to(built.resolve()).as_posix(), set())
            if not place.exists() or (anchor and anchor not in anchors):
                dead.append((name, target))
    assert dead == []


def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "zensical.toml").write_text('[project]\nsite_name = "One"\nuse_directory_urls = false\n')
    (tmp_path / "docs" / "index.md").write_text("# One\n")
    assert build(tmp_path).returncode == 0
    for link in ("two.md", "index.md#nowhere"):
        (tmp_path / "docs" / "index.md").write_text(f"# One\n\n[two]({link})\n")
        assert build(tmp_path).returncode != 0


def test_examples_of_the_reference_are_code(pages: dict[str, Reader]) -> None:
    assert pages["reference.html"].all("blockquote") == []


def test_the_reference_has_every_public_name_and_its_members(built: Path) -> None:
    anchors = set(re.findall(r'id="(croupier[\w.]*)"', (built / "reference.html").read_text("utf-8")))
    expected = set()
    for name in croupier.__all__:
        kind = getattr(croupier, name)
        expected.add(f"croupier.{name}")
        if isinstance(kind, type) and not issubclass(kind, Exception):
            members = {*dir(kind), *getattr(kind, "__dataclass_fields__", {})}
            expected |= {f"croupier.{name}.{member}" for member in members if not member.startswith("_")}
    assert expected - anchors == set()
    assert {"croupier.agents.GameEnv.step", "croupier.agents.seats.SeatsEnv.observe"} <= anchors


def test_pages_have_a_language_one_title_and_texts_for_pictures(pages: dict[str, Reader]) -> None:
    for name, page in pages.items():
        assert page.all("html")[0]["lang"] == "en"
        assert (name, len(page.all("h1"))) == (name, 1)
        assert all("alt" in one for one in page.all("img"))


def test_shapes_and_fields_have_anchors_of_their_own(pages: dict[str, Reader]) -> None:
    """A link to a shape must not lead to another heading of that name."""
    for name in ("api-reference", "settings", "game-file", "commands"):
        headings = pages[f"{name}.html"].all("h2", "h3", "h4")
        assert [one["id"] for one in headings if re.search(r"_\d$", one["id"])] == []


@pytest.mark.parametrize(("width", "scheme", "name"), [(1440, "light", "index"), (390, "dark", "sheet")])
def test_search_and_pages_work_in_a_browser(address: str, browser: Browser, width: int, scheme: Any, name: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{address}/{name}.html")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert_accessible(page)
    page.keyboard.press("/")
    page.keyboard.type("croupier jackpot reject", delay=50)
    for _ in range(40):  # the results lie in a closed shadow tree, which no locator sees: Enter opens the first
        page.wait_for_timeout(500)
        page.keyboard.press("Enter")
        if "commands.html" in page.url:
            break
    assert "#croupier-jackpot-reject" in page.url
    assert [url for url in requests if not url.startswith((address, "data:", "blob:"))] == []
    page.close()
