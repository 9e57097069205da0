"""The player's table in a real browser: every game by mouse, one by keyboard, two browsers at a table, on a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import PHONE, Site, assert_accessible, open_site
from tests.halls import stack_shoe

SIDES = {
    "blackjack": "lucky_lucky",
    "double_down_madness": "push_22_progressive",
    "double_barrel": "bonus",
    "blackjack_switch": "first_four",
    "mini_baccarat": "dragon_bonus_player",
}
LIKED = ("stand", "keep", "first", "decline")


def table_of(page: Page) -> str:
    found = page.locator("#table").get_attribute("data-advice")
    assert found is not None
    return found.rsplit("/", 1)[-1]


def stack(site: Site, page: Page, cards: str) -> None:
    stack_shoe(site.web.room.hall, table_of(page), cards)


def main_wager(page: Page) -> str:
    return "#w-1-player" if "baccarat" in page.url else "#w-1-main"


def lay(page: Page, spot: str, dollars: int, at_risk: str) -> None:
    page.locator(f".chip-{dollars}").click()
    page.locator(spot).click()
    expect(page.locator("#at-risk")).to_have_text(at_risk)


def play_on(page: Page) -> None:
    """Answers until the round is over."""
    for _ in range(20):
        revision = page.locator("#table").get_attribute("data-revision")
        if page.locator("#answers").count() == 0:
            return
        legal = page.locator("#answers button:not(:disabled)")
        words = [(legal.nth(at).get_attribute("id") or "").removeprefix("a-") for at in range(legal.count())]
        page.locator(f"#a-{next((word for word in LIKED if word in words), words[0])}").click()
        expect(page.locator("#table")).not_to_have_attribute("data-revision", revision or "")


@pytest.mark.parametrize("game", SIDES)
def test_a_round_by_mouse_with_a_side_bet(site: Site, game: str) -> None:
    page = site.visit(f"/play/{game}")
    double = "two" if game in ("double_barrel", "blackjack_switch") else ""
    lay(page, main_wager(page), 25, "$50" if double else "$25")
    page.locator(".chip-5").click()
    page.locator(f"#w-1-{SIDES[game]}").click()
    expect(page.locator("#at-risk")).not_to_have_text("$50" if double else "$25")
    page.get_by_role("button", name="Deal").last.click()
    expect(page.locator("#table")).to_have_attribute("data-round", "1")
    if page.locator("#answers").count():
        assert_accessible(page)
    play_on(page)
    expect(page.locator("#result .net")).to_be_visible()
    assert page.locator("#result .results li").count() >= 2
    assert_accessible(page)
    page.get_by_role("link", name="replay of round 1").click()
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    expect(page.get_by_text("Step 0 of")).to_be_visible()


def test_replay_and_results_are_accessible(site: Site) -> None:
    page = site.visit("/play/mini_baccarat")
    lay(page, "#w-1-player", 25, "$25")
    page.locator("#b-deal").click()
    expect(page.locator("#roads .bead").first).to_be_visible()
    page.get_by_role("link", name="Your results and history").click()
    expect(page.get_by_role("heading", name="Results against expectation")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    assert_accessible(page)


def test_a_round_by_keyboard(site: Site) -> None:
    page = site.visit("/play/blackjack")
    stack(site, page, "8d 6s 8h Tc 2d 3d Ts Ks Kd")  # eights to split against a six
    for key in ("3", "m"):
        page.keyboard.press(key)
    expect(page.locator("#at-risk")).to_have_text("$25")
    page.keyboard.press("x")
    expect(page.locator("#at-risk")).to_have_text("$50")
    page.keyboard.press("z")
    expect(page.locator("#at-risk")).to_have_text("$25")
    page.keyboard.press("g")
    expect(page.locator("#say")).to_contain_text("eight of diamonds, eight of hearts, 16")
    page.keyboard.press("p")
    expect(page.locator(".hand.active")).to_have_count(1)
    expect(page.locator(".hand")).to_have_count(2)
    page.keyboard.press("d")
    expect(page.locator(".hand").nth(1)).to_have_class(re.compile("active"))
    page.keyboard.press("s")
    expect(page.locator("#result .net")).to_contain_text("You")
    # Focus stays where play goes on, so that Enter deals again.
    expect(page.locator("#b-again")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#table")).to_have_attribute("data-round", "2")


def test_fast_chips_all_count_and_a_double_click_decides_once(site: Site) -> None:
    page = site.visit("/play/blackjack")
    for _ in range(5):
        page.locator("#w-1-main").click(no_wait_after=True)
    expect(page.locator("#at-risk")).to_have_text("$25")
    stack(site, page, "2d 6s 2h Tc 2s 2c 3d 3h")
    page.locator("#b-deal").click()
    expect(page.locator("#answers")).to_be_visible()
    page.locator("#a-hit").dblclick()
    expect(page.locator(".hand .card")).to_have_count(3)
    page.wait_for_timeout(200)
    assert page.locator(".hand .card").count() == 3


def test_two_browsers_at_one_table(site: Site) -> None:
    first, second = site.visit("/play/blackjack/blackjack_1"), site.visit("/play/blackjack/blackjack_1")
    first.get_by_role("button", name="Sit at seat 2").click()
    expect(second.locator("#spot-2:not(.open)")).to_be_visible()  # told by the stream, not by a reload
    second.get_by_role("button", name="Sit at seat 5").click()
    expect(first.locator("#spot-5:not(.open)")).to_be_visible()
    stack(site, first, "Td 9s 6h Th 8h Tc Kc")
    for page, seat in ((first, 2), (second, 5)):
        lay(page, f"#w-{seat}-main", 25, "$25")
    first.get_by_role("button", name="Ready").click()
    expect(first.get_by_role("button", name="Waiting …")).to_be_disabled()
    expect(second.locator("#clock")).to_be_visible()
    second.get_by_role("button", name="Ready").click()
    expect(first.locator("#answers")).to_be_visible()
    assert second.locator("#answers").count() == 0
    assert_accessible(second)
    first.locator("#a-stand").click()
    expect(second.locator("#answers")).to_be_visible()
    second.reload()
    second.locator("#a-stand").click()
    for page in (first, second):
        expect(page.locator("#result .net")).to_contain_text("You win $25")
    # Leave and return: the seat is still there.
    first.goto("/play/mini_baccarat")
    first.go_back()
    expect(first.locator("#spot-2.mine")).to_be_visible()
    first.get_by_role("button", name="Get up from seat 2").click()
    expect(second.locator("#spot-2.mine")).to_have_count(0)


def test_on_a_phone_in_the_dark(site: Site) -> None:
    page = site.visit("/play/blackjack_switch", viewport=PHONE, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    lay(page, "#w-1-main", 5, "$10")
    page.locator("#b-deal").click()
    expect(page.locator("#table")).to_have_attribute("data-round", "1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    play_on(page)
    expect(page.locator("#result .net")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # the tray in its own place, over nothing
    assert_accessible(page)
    small = page.eval_on_selector_all(
        ".controls button, .circle",
        "all => all.filter(one => one.offsetParent && one.getBoundingClientRect().height < 44).length",
    )
    assert small == 0


@pytest.mark.parametrize("game", SIDES)
def test_on_a_phone_the_tray_covers_no_wager(site: Site, game: str) -> None:
    page = site.visit(f"/play/{game}", viewport=PHONE)
    covered = page.evaluate(
        """() => {
          const tray = document.querySelector(".controls").getBoundingClientRect().top;
          const wagers = [...document.querySelectorAll(".spot > .wagers button")];
          return wagers.filter(one => one.getBoundingClientRect().bottom > tray).map(one => one.id);
        }"""
    )
    assert covered == []
    page.locator("#w-1-player, #w-1-main").first.click()
    expect(page.locator("#b-deal")).to_be_in_viewport()


def test_off_the_line_and_back(site: Site) -> None:
    page = site.visit("/play/blackjack")
    lay(page, "#w-1-main", 5, "$5")
    page.context.set_offline(True)
    page.locator("#w-1-main").click()
    expect(page.locator("#link")).to_be_visible()
    expect(page.locator("#notice")).to_contain_text("No answer came")
    page.context.set_offline(False)
    page.locator("#w-1-main").click()  # the same press again, under the same id
    expect(page.locator("#at-risk")).to_have_text("$10")
    expect(page.locator("#link")).to_be_hidden()


def test_messages_cover_no_hand(site: Site) -> None:
    page = site.visit("/play/blackjack")
    stack(site, page, "Ts Td 5d Th 2c 2h 2s")
    page.locator("#w-1-main").click()
    expect(page.locator("#at-risk")).to_have_text("$5")
    page.locator("#b-deal").click()
    expect(page.locator("#answers")).to_be_visible()
    page.context.set_offline(True)
    page.locator("#a-hit").click()
    expect(page.locator("#link")).to_be_visible()
    expect(page.locator("#notice .notice")).to_be_visible()
    total, controls = (page.locator(one).first.bounding_box() for one in (".hand .total", ".controls"))
    assert total is not None and controls is not None
    assert total["y"] + total["height"] <= controls["y"]


def test_on_a_phone_every_place_of_the_head_is_in_sight(site: Site) -> None:
    page = site.visit("/rules", viewport=PHONE)
    for link in page.locator("header.site nav a").all():
        expect(link).to_be_in_viewport(ratio=1)
    manager = site.staff("executive", "/manager/ledger", viewport=PHONE)
    expect(manager.locator(".places [aria-current]")).to_be_in_viewport(ratio=1)


def test_a_restart_in_the_middle_of_a_round(browser: Browser, tmp_path: Path) -> None:
    store = str(tmp_path / "restart.db")
    with open_site(browser, store) as site:
        page = site.visit("/play/blackjack")
        stack(site, page, "2d 6s 2h Tc 9s 9c 9d")
        lay(page, "#w-1-main", 25, "$25")
        page.locator("#b-deal").click()
        expect(page.locator("#answers")).to_be_visible()
        cookies = page.context.storage_state()
    with open_site(browser, store) as site:
        page = site.visit("/play/blackjack", storage_state=cookies)
        expect(page.locator(".hand .card")).to_have_count(2)
        expect(page.locator("#purse")).to_have_text("$975")
        page.locator("#a-hit").click()
        expect(page.locator(".hand .card")).to_have_count(3)


def test_how_it_looks_is_remembered_and_pay_tables_open(site: Site) -> None:
    page = site.visit("/play/double_barrel")
    gear = page.get_by_role("button", name="Settings of the table")
    gear.click()
    for name, value in (("deck", "four"), ("advice", "on"), ("speed", "slow"), ("sound", "off"), ("theme", "dark")):
        page.locator(f"[data-setting={name}][value={value}]").check()
    assert_accessible(page)
    page.reload()
    for name, value in (("deck", "four"), ("advice", "on"), ("speed", "slow"), ("sound", "off"), ("theme", "dark")):
        expect(page.locator("html")).to_have_attribute(f"data-{name}", value)
        expect(page.locator(f"[data-setting={name}][value={value}]")).to_be_checked()
    expect(page.locator("#mute")).to_have_attribute("aria-pressed", "false")
    page.locator("#spot-1").get_by_role("link", name="3-card bonus").click()
    expect(page.locator("#pay-bonus")).to_contain_text("House edge 5.785%")
    assert_accessible(page)
    page.keyboard.press("Escape")
    lay(page, "#w-1-main", 5, "$10")
    page.locator("#b-deal").click()
    expect(page.locator("#advice table, #advice .decided, #advice .small").first).to_be_visible()
