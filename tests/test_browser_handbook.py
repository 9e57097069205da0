"""The documentation, served by the program itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from croupier.web.handbook import handbook_folder, help_for
from tests.browser import Site

needs_handbook = pytest.mark.usefixtures("built_handbook")


@pytest.fixture(scope="module")
def built_handbook() -> None:
    """`make test` builds it before the tests; whoever runs pytest by hand runs `make handbook` first."""
    assert handbook_folder() is not None, "run `make handbook`"


@needs_handbook
def test_help_leads_to_the_page_about_what_one_looks_at() -> None:
    assert help_for("/rules/blackjack") == "/docs/games/blackjack.html"
    assert help_for("/lab/meter") == "/docs/lab-meter.html"
    assert help_for("/play/casino_war") == "/docs/play.html"
    assert help_for("/rules/nothing") == help_for("/") == "/docs/index.html"


@needs_handbook
def test_the_documentation_works_without_another_host_and_can_be_searched(site: Site) -> None:
    page = site.visit("/lab")
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("link", name="Help").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("lab")
    page.keyboard.press("/")
    page.keyboard.type("reserve", delay=40)
    expect(page.locator("a[href*='lab-meter.html']:visible").first).to_be_visible()
    assert said == []
    assert [url for url in asked if not url.startswith((site.url, "data:", "blob:"))] == []
