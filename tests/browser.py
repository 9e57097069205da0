"""A real browser on a real server: Chromium by Playwright, the demonstration floor on a port of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from croupier.web.app import make_app
from tests.web_client import CHEAP, SWIPES, WIDE, Web, listening, share_work

WAIT_MS = 90_000
"""On a machine with an empty cache a page waits for what it shows to be compiled, beside other tests."""
expect.set_options(timeout=WAIT_MS)
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
FIRST_LOAD = """performance.getEntries().filter(({ name }) => !name.endsWith(".woff2"))
  .reduce((sum, entry) => sum + (entry.encodedBodySize || 0), 0)"""
"""What a page's first load takes, typefaces apart, which are kept for ever."""
MOST_BYTES = 250_000
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def chromium_path() -> str:
    """The system's Chromium; `make test` installs it."""
    found = os.environ.get("CROUPIER_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        raise RuntimeError("No chromium on the PATH: run `make browser`, or set CROUPIER_CHROMIUM.")
    return found


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        yield browser
        browser.close()


@dataclass
class Site:
    """The server and the browsers that look at it."""

    web: Web
    port: int
    browser: Browser
    contexts: list[BrowserContext] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def visit(self, path: str = "/", *, viewport: dict[str, int] | None = None, **options: Any) -> Page:
        """A page of somebody new, with cookies of their own. What its console says as an error fails the test."""
        size: Any = viewport or DESKTOP
        context = self.browser.new_context(base_url=self.url, viewport=size, reduced_motion="reduce", **options)
        context.set_default_timeout(WAIT_MS)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.goto(path)
        return page

    def staff(self, role: str, path: str, **options: Any) -> Page:
        """A page of a member of staff, signed in."""
        page = self.visit(f"/sign-in?next={path}", **options)
        page.get_by_label("Card").fill(SWIPES[role]["card"])
        page.get_by_label("PIN").fill(SWIPES[role]["pin"])
        page.get_by_role("button", name="Sign in", exact=True).first.click()
        page.wait_for_url(f"**{path}")
        return page

    def __post_init__(self) -> None:
        self.problems: list[str] = []

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        assert self.problems == [], "scripts of pages failed"


@contextmanager
def open_site(browser: Browser, store_url: str) -> Iterator[Site]:
    app = make_app(store_url, demo=True, clock=lambda: datetime.now(UTC), limits=WIDE, pin_cost=CHEAP)
    share_work(app)
    web = Web(app, store_url)
    try:
        with listening(web) as port:
            site = Site(web, port, browser)
            yield site
            site.close()
    finally:
        app.state.room.close()


def assert_accessible(page: Page) -> None:
    """No violation that axe finds by the rules of WCAG 2.2 AA."""
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]})
    problems = [
        f"{one['id']} ({one['impact']}): {one['help']} - {[node['html'][:160] for node in one['nodes']][:3]}"
        for one in found.response["violations"]
    ]
    assert problems == [], f"{page.url}: " + "\n".join(problems)
