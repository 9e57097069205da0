"""Simulations in a real browser: asked for, watched, stopped, kept; on a phone, in the dark."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import FIRST_LOAD, MOST_BYTES, PHONE, Site, assert_accessible
from tests.test_lab_runs import PATIENCE_S

LONG_MS = PATIENCE_S * 1000
MORE_ROUNDS = "than => +document.querySelector('#count strong').textContent.replaceAll(',', '') > than"
FITS = "document.documentElement.scrollWidth <= innerWidth"


def ask(page: Page, **fields: str) -> None:
    for wager in (
        "Player",
        "Banker",
        "Dragon Bonus® on player",
        "Dragon Bonus® on banker",
        "Dragon Bonus® Progressive",
    ):
        page.get_by_role("checkbox", name=wager, exact=True).uncheck()
    for label, text in fields.items():
        page.get_by_label(label.replace("_", " ")).fill(text)
    page.get_by_role("button", name="Start").click()


def rounds_of(page: Page) -> int:
    return int(page.locator("#count strong").inner_text().replace(",", ""))


def test_start_watch_stop_keep(site: Site) -> None:
    page = site.visit("/simulations")
    assert_accessible(page)
    page.get_by_label("Game").select_option("mini_baccarat")
    page.get_by_role("button", name="Set up a simulation").click()
    assert_accessible(page)
    ask(page, Seats="9")
    problem = page.locator(".field-problem")
    expect(problem).to_have_text("9 seats: a table has 1 to 7.")
    expect(page.get_by_label("Seats")).to_be_focused()
    assert site.web.room.runs.queue() == []
    page.get_by_label("Seats").fill("1")
    page.get_by_label("How many").fill("1e10")
    page.get_by_label("Seed").fill("2026")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/simulations/[0-9a-f]{12}$"))
    expect(page.locator("#count")).to_be_visible(timeout=LONG_MS)
    expect(page.locator("#plot-convergence canvas")).to_be_visible()
    before = rounds_of(page)
    page.wait_for_function(
        "before => +document.querySelector('#count strong').textContent.replaceAll(',', '') > before", arg=before
    )
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#phase")).to_contain_text("Stopped", timeout=LONG_MS)
    assert "14.3596%" in page.locator("table.data").first.inner_text()
    assert page.evaluate(FIRST_LOAD) < MOST_BYTES
    assert_accessible(page)
    page.get_by_label("Name").fill("A look at ties")
    page.get_by_role("button", name="Keep").click()
    page.get_by_role("heading", name="A look at ties").wait_for()
    page.goto("/simulations")
    expect(page.get_by_role("group", name="Kept results")).to_contain_text("2026")


def test_a_list_and_a_page_that_wait_hear_of_their_turn(site: Site) -> None:
    first, second = site.visit("/simulations/new/mini_baccarat"), site.visit("/simulations/new/mini_baccarat")
    ask(first, How_many="1e10")
    first.wait_for_url(re.compile(r"/simulations/[0-9a-f]{12}$"))
    ask(second, How_many="1e5")
    second.wait_for_url(re.compile(r"/simulations/[0-9a-f]{12}$"))
    expect(second.locator("#phase")).to_have_text("Waits for its turn: place 1 in the queue.")
    watching = site.visit("/simulations", viewport=PHONE, color_scheme="dark")
    expect(watching.locator(".queue li")).to_have_count(2)
    assert watching.evaluate(FITS)
    assert_accessible(watching)
    first.get_by_role("button", name="Stop").click()
    expect(second.locator("#phase")).to_have_text("Done.", timeout=LONG_MS)
    expect(watching.locator(".queue li")).to_have_count(0, timeout=LONG_MS)
    phone = site.visit(second.url.removeprefix(site.url), viewport=PHONE, color_scheme="dark")
    assert phone.evaluate(FITS)
    assert_accessible(phone)
    phone.goto("/simulations/new/double_down_madness")
    assert phone.evaluate(FITS)
    assert_accessible(phone)
