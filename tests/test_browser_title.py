"""A title that is one TOML file, in a folder of somebody else's: loaded, wagered on, played and paid in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import Site, assert_accessible, open_site
from tests.halls import stack_shoe
from tests.helpers import ROOT

PAYS = {
    'id = "three_card_poker"': 'id = "river_three"',
    'name = "Three Card Poker®"': 'name = "River Three"',
    'label = "Ante bonus: straight", pays = "1 to 1"': 'label = "Ante bonus: straight", pays = "7 to 2"',
    '"1-4-5"': '"7:2-4-5"',
}


@pytest.fixture
def river_three(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server that offers Three Card Poker under another name, with another pay for a straight."""
    text = (ROOT / "src/croupier/games/three_card_poker/game.toml").read_text(encoding="utf-8")
    for old, new in PAYS.items():
        assert old in text
        text = text.replace(old, new)
    text = re.sub(r"\n\[\[published\]\]\n(?:[^\n]+\n)+", "\n", text)
    folder = tmp_path / "river_three"
    folder.mkdir()
    (folder / "game.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("CROUPIER_GAMES", str(folder))
    with open_site(browser, str(tmp_path / "title.db")) as opened:
        yield opened


def test_a_renamed_title_with_other_pays_is_played_in_a_browser(river_three: Site) -> None:
    page = river_three.visit("/play/river_three")
    expect(page.get_by_role("heading", level=1)).to_contain_text("River Three")
    page.locator(".chip-25").click()
    page.locator("#w-1-ante").click()
    expect(page.locator("#at-risk")).to_have_text("$25")
    table = (page.locator("#table").get_attribute("data-advice") or "").rsplit("/", 1)[-1]
    stack_shoe(river_three.web.room.hall, table, "7h 8d 9c  Qs 6d 3h")
    page.get_by_role("button", name="Deal").last.click()
    expect(page.locator("#answers")).to_be_visible()
    assert_accessible(page)
    page.locator("#a-play").click()
    expect(page.locator("#result .net")).to_contain_text("You win $137.50")
    expect(page.locator("#result")).to_contain_text("7 to 2")
    assert_accessible(page)
    page.goto("/rules/river_three")
    expect(page.locator("main")).to_contain_text("7:2-4-5")
