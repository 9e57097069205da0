"""The strategy page in a real browser: its rules, its cells, the cards one picks, its pocket card."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.browser import FIRST_LOAD, MOST_BYTES, PHONE, Site, assert_accessible

FITS = "document.documentElement.scrollWidth <= innerWidth"


def test_a_chart_says_what_every_play_is_worth_and_follows_its_rules(site: Site) -> None:
    page = site.visit("/strategy/blackjack_switch")
    assert page.evaluate(FIRST_LOAD) < MOST_BYTES
    assert_accessible(page)
    tip = page.locator("#cell")
    hard = page.locator("table[data-part=hard]")
    sixteen = hard.locator("tr", has=page.get_by_role("rowheader", name="16", exact=True)).locator("td").nth(8)
    sixteen.hover()
    expect(tip).to_contain_text("16 against 10")
    expect(tip.locator("dt")).to_have_text(["hit", "stand", "double"])
    first = hard.locator("td[data-values]").first
    first.focus()
    expect(tip).to_contain_text("5 against 2")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(tip).to_contain_text("6 against 3")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    # A switch that the main wager does not feel: solved already, and so answered at once.
    page.get_by_label("Settled from").select_option("left")
    expect(page.locator(".subtitle")).to_contain_text("settled from: left")
    page.wait_for_url("**/strategy/blackjack_switch?set.settled_from=left")
    page.reload()
    expect(page.get_by_label("Settled from")).to_have_value("left")
    for name, card in (
        ("Hand 1, first card", "A"),
        ("Hand 1, second card", "6"),
        ("Hand 2, first card", "5"),
        ("Hand 2, second card", "10"),
        ("Dealer's up card", "6"),
    ):
        page.locator("#picked").get_by_label(name).select_option(card)
    expect(page.locator(".best-pick")).to_contain_text("Switch")
    # Under other rules the cards are weighed again.
    for side in ("right", "left"):
        with page.expect_request(re.compile("/cards[?]")) as asked:
            page.get_by_label("Settled from").select_option(side)
        assert ("settled_from=left" in asked.value.url) == (side == "left")
    expect(page.locator(".best-pick")).to_contain_text("Switch")


def test_a_rule_that_is_chosen_while_a_sheet_is_put_into_its_place_has_its_own_sheet_after_it(site: Site) -> None:
    page = site.visit("/strategy/blackjack")

    def answer(route: Route) -> None:
        decks = re.findall(r"[?&]decks=(\d)", route.request.url)[0]
        route.fulfill(body=f'<div id="sheet">{decks} decks</div>', content_type="text/html")

    page.route(re.compile(r"/strategy/blackjack[?]"), answer)
    page.evaluate(
        """() => document.addEventListener("htmx:before:swap", () => {
          const decks = document.querySelector("#rules [name=decks]");
          decks.value = "8";
          decks.dispatchEvent(new Event("change", { bubbles: true }));
        }, { once: true })"""
    )
    page.get_by_label("Decks").select_option("2")
    expect(page.locator("#sheet")).to_have_text("8 decks")


def test_charts_fit_a_phone_in_the_dark_and_without_scripts(site: Site) -> None:
    page = site.visit("/strategy/ultimate_texas_holdem", viewport=PHONE, color_scheme="dark")
    assert page.evaluate(FITS)
    assert_accessible(page)
    page.locator("td[data-values]").first.click()
    expect(page.locator("#cell dt")).to_have_count(3)
    plain = site.visit("/strategy/blackjack?set.surrender=none", java_script_enabled=False)
    assert plain.get_by_role("button", name="Show").is_visible()
    assert plain.locator("table[data-part=hard]").is_visible()
