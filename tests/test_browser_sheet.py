"""Odds sheets and meter what-ifs in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier.lab.meter import MeterAsk, exact_meter
from tests.browser import FIRST_LOAD, MOST_BYTES, PHONE, Site, assert_accessible

FITS = "document.documentElement.scrollWidth <= innerWidth"
PUSH_22 = "/sheet/double_down_madness/push_22_progressive"


def settle(page: Page) -> None:
    expect(page.locator("main [hx-trigger^=load]")).to_have_count(0)


@pytest.mark.parametrize(
    ("scheme", "paths"),
    [
        ("light", (PUSH_22, "/sheet/blackjack/main", "/lab/meter?contribution=25%25")),
        ("dark", ("/sheet/mini_baccarat", f"{PUSH_22}?decks=99", "/lab/meter?seats=99", "/lab/meter")),
    ],
)
def test_sheets_and_what_ifs_are_accessible_and_fit_a_phone(site: Site, scheme: str, paths: tuple[str, ...]) -> None:
    page = site.visit("/about", viewport=PHONE, color_scheme=scheme)
    for path in paths:
        page.goto(path)
        assert page.evaluate(FIRST_LOAD) < MOST_BYTES, path  # before it asks again for what is computed
        settle(page)
        assert page.evaluate(FITS), path
        assert_accessible(page)


def test_a_sheet_is_chosen_and_downloaded(site: Site, tmp_path: Path) -> None:
    page = site.visit(PUSH_22)
    page.get_by_label("Pay table").select_option("2")
    page.get_by_label("Contribution").fill("25%")
    page.get_by_role("button", name="Show").click()
    settle(page)
    expect(page.locator("#sheet")).to_contain_text("Odds sheet, pay table 2")
    for form, start in (("PDF", b"%PDF-"), ("CSV", b"wager,section,"), ("JSON", b"{")):
        with page.expect_download() as taken:
            page.get_by_role("link", name=form, exact=True).click()
        file = tmp_path / taken.value.suggested_filename
        taken.value.save_as(file)
        assert file.name == f"double_down_madness-push_22_progressive-2.{form.lower()}"
        assert file.read_bytes().startswith(start)


def test_sheets_read_without_scripts(site: Site) -> None:
    page = site.visit("/sheet/mini_baccarat/tie", java_script_enabled=False)
    page.get_by_label("Decks").select_option("6")
    page.get_by_role("button", name="Show").click()
    while page.get_by_text("refresh now").count():
        page.get_by_role("link", name="refresh now").click()
    assert "decks=6" in page.url
    assert "14.43816%" in page.locator("#sheet").inner_text()


def test_a_sheet_prints_without_its_form(site: Site) -> None:
    page = site.visit(PUSH_22)
    settle(page)
    page.emulate_media(media="print")
    expect(page.locator("form.choose")).to_be_hidden()
    expect(page.get_by_role("link", name="PDF", exact=True)).to_be_hidden()
    expect(page.get_by_role("heading", name="Where the edge comes from")).to_be_visible()


def test_figures_follow_what_is_typed_and_the_address_can_be_shared(site: Site) -> None:
    page = site.visit("/lab/meter")
    settle(page)
    field = page.get_by_label("Contribution", exact=True)
    field.click()
    page.keyboard.type("25%")
    ask = MeterAsk(game="double_down_madness", wager="push_22_progressive", pay_table="1", contribution="25%")
    edge = exact_meter(ask).get("edge")
    assert edge is not None
    expect(page.locator("#exact")).to_contain_text(edge.text)
    expect(field).to_be_focused()
    expect(field).to_have_value("25%")
    settle(page)
    expect(page.locator("#years")).to_contain_text("advises against a contribution above the pre-set one")
    expect(page.locator("#years figure canvas")).to_have_count(3)
    expect(page).to_have_url(re.compile(r"contribution=25%25"))
    other = site.visit(page.url.removeprefix(site.url))
    expect(other.locator("#exact")).to_contain_text(edge.text)
    expect(other.get_by_label("Contribution", exact=True)).to_have_value("25%")


def test_a_value_that_does_not_read_is_said_at_its_field_while_typing_goes_on(site: Site) -> None:
    page = site.visit("/lab/meter")
    settle(page)
    field = page.get_by_label("Wagers a round")
    field.click()
    page.keyboard.type("9")
    expect(page.locator("#problem-seats")).to_contain_text("1 to 7")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    page.keyboard.press("Backspace")
    page.keyboard.type("2")
    expect(page.locator("#problem-seats")).to_have_count(0)
    expect(page.locator("#exact")).to_contain_text("2 wagers a round")


def test_a_what_if_works_without_scripts(site: Site) -> None:
    page = site.visit("/lab/meter", java_script_enabled=False)
    page.get_by_label("Seed", exact=True).fill("$25,000")
    page.get_by_role("button", name="Show").click()
    while page.get_by_text("refresh now").count():
        page.get_by_role("link", name="refresh now").click()
    assert "seed $25,000" in page.locator("#exact").inner_text()
    assert "± " in page.locator("#years").inner_text()
    assert page.get_by_text("Values as a table").count() == 3


def test_a_table_is_copied_from_a_sheet_as_cells_between_tabs(site: Site) -> None:
    page = site.visit("/sheet/mini_baccarat/tie")
    settle(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy table").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    shown = page.locator("#sheet .scroll table").first.locator("tr")
    assert len(lines) == shown.count()
    assert lines[1].split("\t") == shown.nth(1).locator("th, td").all_inner_texts()
