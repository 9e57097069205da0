"""What the first people who tried it stumbled over, where no other test of a page would see it come back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from croupier.hall.actions import SitDown
from tests.browser import Site
from tests.test_browser_play import lay, play_on


def test_the_chart_the_sheet_and_the_drills_of_a_table_go_by_its_rules(site: Site) -> None:
    page = site.visit("/play/blackjack")
    page.get_by_role("heading", name="Rules of this table").click()
    page.get_by_label("Decks").select_option("2")
    page.get_by_label(re.compile("^Soft 17")).select_option("stand")
    page.get_by_role("button", name="Apply rules").click()
    for name in ("Strategy chart", "Odds sheet", "Drills by the rules of this table"):
        address = page.get_by_role("link", name=name).get_attribute("href") or ""
        assert "decks=2" in address and "soft17=stand" in address, name
    page.get_by_role("link", name="Strategy chart").click()
    expect(page.get_by_label("Decks")).to_have_value("2")
    expect(page.get_by_label(re.compile("^Soft 17"))).to_have_value("stand")


def test_whoever_has_gone_away_takes_no_seat(site: Site) -> None:
    hall = site.web.room.hall
    hall.act("blackjack_1", hall.new_player("g" * 43), SitDown(spot=3), id="somebody-who-leaves")
    lobby, felt = site.visit("/"), site.visit("/play/blackjack/blackjack_1")
    expect(lobby.locator("#table-blackjack_1")).to_contain_text("1 of 7 seats taken")
    expect(felt.locator("#spot-3:not(.open)")).to_be_visible()
    hall.clock = lambda: datetime.now(UTC) + timedelta(minutes=20)
    lobby.reload()
    expect(lobby.locator("#table-blackjack_1")).to_contain_text("0 of 7 seats taken")
    felt.reload()
    expect(felt.get_by_role("button", name="Sit at seat 3")).to_be_visible()


def test_a_round_at_a_table_of_the_software_is_activity_for_the_floor(site: Site) -> None:
    page = site.visit("/play/blackjack/blackjack_1")
    page.get_by_role("button", name="Sit at seat 2").click()
    lay(page, "#w-2-main", 25, "$25")
    page.locator("#b-deal:enabled").click()
    expect(page.locator("#table")).to_have_attribute("data-round", "1")
    play_on(page)
    floor = site.staff("executive", "/manager")
    row = floor.get_by_role("row").filter(has=floor.get_by_role("link", name="Blackjack", exact=True))
    expect(row).not_to_contain_text("no recent activity")
    expect(row).to_contain_text("1")


def test_hands_of_one_round_are_one_round_of_several_wagers(site: Site) -> None:
    page = site.visit("/play/casino_war")
    page.get_by_role("button", name="Another hand").click()
    expect(page.locator("#spot-2")).to_be_visible()
    lay(page, "#w-1-main", 25, "$25")
    lay(page, "#w-2-main", 25, "$50")
    page.locator("#b-deal").click()
    expect(page.locator("#table")).to_have_attribute("data-round", "1")
    play_on(page)
    page.get_by_role("link", name="All results").click()
    row = page.get_by_role("row", name=re.compile("^Main wager 1 2 "))
    expect(row).to_be_visible()


@pytest.mark.parametrize(
    ("path", "wrong"), [("/check", r"\d differs\b(?! \[)"), ("/about", r"(WAC 230-15-\d+)(?=\n[^\n]*\n?\1\n)")]
)
def test_sentences_agree_and_are_said_once(site: Site, path: str, wrong: str) -> None:
    page = site.visit(path)
    assert not re.search(wrong, page.locator("main").inner_text())


def test_a_lesson_asks_for_the_card_that_the_floor_asks_for(site: Site) -> None:
    page = site.staff("dealer", "/dealer/training")
    lesson = page.locator(".tile").filter(has=page.get_by_role("link", name="A suited 22"))
    expect(lesson).to_contain_text("needs no card on this floor")
