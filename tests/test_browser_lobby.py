"""The lobby and the pages to read in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from croupier.hall.actions import SitDown
from tests.browser import FIRST_LOAD, MOST_BYTES, PHONE, WAIT_MS, Site, assert_accessible
from tests.web_client import lock

READING = (
    "/rules",
    "/rules/double_down_madness",
    "/strategy/mini_baccarat",
    "/about",
)
LONG = ("/check", "/strategy/blackjack")
IN_THE_DARK = ("/rules/blackjack", "/strategy/double_down_madness")
FITS = "document.documentElement.scrollWidth <= innerWidth"


def test_a_first_visitor_sits_at_a_table_with_the_first_click(site: Site) -> None:
    page = site.visit("/")
    assert_accessible(page)
    assert page.evaluate(FIRST_LOAD) < MOST_BYTES
    page.get_by_role("link", name="Play Blackjack Switch").click()
    page.wait_for_url("**/play/blackjack_switch**")


def test_every_wager_of_a_game_is_one_click_away(site: Site) -> None:
    page = site.visit("/")
    game = page.locator("#game-mini_baccarat")
    game.get_by_text("1.235% edge").wait_for()
    game.locator("summary").click()
    page.locator("#edges-mini_baccarat tr", has_text="Banker").first.get_by_text("1.058%").wait_for()


def test_the_lobby_fits_into_a_screen_and_a_half(site: Site) -> None:
    page = site.visit("/", viewport={"width": 1440, "height": 900})
    assert page.evaluate("document.documentElement.scrollHeight") <= 1350


def test_meters_and_seats_follow_what_happens_on_the_floor(site: Site) -> None:
    page = site.visit("/")
    counter = page.locator('[data-meter="push_22/main"]')
    lock(site.web.role("dealer"), "ddm_1", 1, 2)
    expect(counter).to_have_attribute("data-shown", "5000190", timeout=WAIT_MS)
    assert page.locator('[data-spoken="push_22/main"]').inner_text() == "$50,001.90"
    assert counter.get_attribute("aria-hidden") == "true"
    player = site.web.room.hall.new_player("a" * 43)
    site.web.room.hall.act("blackjack_1", player, SitDown(spot=1), id="browser-sits-1")
    page.get_by_text("1 of 7 seats taken").wait_for()


def test_the_lobby_on_a_phone_in_the_dark(site: Site) -> None:
    page = site.visit("/", viewport=PHONE, color_scheme="dark")
    assert page.evaluate(FITS)
    assert_accessible(page)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(FITS)
    page.get_by_role("link", name="Shared tables").click()
    expect(page.locator("#shared")).to_be_in_viewport()


@pytest.mark.parametrize(("scheme", "paths"), [("light", READING), ("light", LONG), ("dark", IN_THE_DARK)])
def test_pages_to_read_are_accessible_and_fit_a_phone(site: Site, scheme: str, paths: tuple[str, ...]) -> None:
    page = site.visit("/about", viewport=PHONE, color_scheme=scheme)
    for path in paths:
        page.goto(path)
        assert page.evaluate(FIRST_LOAD) < MOST_BYTES  # before it asks again for what is computed
        expect(page.locator("main [hx-get][hx-trigger*=load]")).to_have_count(0, timeout=4 * WAIT_MS)
        assert page.evaluate(FITS), path
        assert_accessible(page)


def test_rules_read_without_scripts(site: Site) -> None:
    page = site.visit("/rules/blackjack", java_script_enabled=False)
    assert page.get_by_role("heading", name="How to play in a minute").is_visible()
    page.locator("#legal > summary").click()
    assert page.get_by_role("heading", name="Interpretations").is_visible()
