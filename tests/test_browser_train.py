"""Training in a real browser: a drill by keys, judgment after each answer, results and replay."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import PHONE, Site, assert_accessible
from tests.test_browser_play import lay, play_on, stack


def test_a_stranger_completes_ten_drills_by_keys(site: Site) -> None:
    page = site.visit("/train/casino_war", viewport=PHONE)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    number = page.locator("#drill-answers input[name=number]")
    for done in range(10):
        at = number.get_attribute("value") or ""
        page.keyboard.press(page.locator("#d-war").get_attribute("data-key") or "")
        expect(number).not_to_have_value(at)  # war is always right, so the next hand is there at once
        expect(page.locator(".verdict.right")).to_be_visible()
        expect(page.locator(".score dd").nth(1)).to_have_text(str(done + 1))
    assert_accessible(page)
    page.locator("#d-surrender").click()
    expect(page.locator(".verdict.wrong")).to_contain_text("costs")
    expect(page.locator("#d-next")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#d-war")).to_be_visible()


def test_each_answer_is_judged_after_it_and_the_results_say_so(site: Site) -> None:
    page = site.visit("/play/blackjack")
    page.get_by_role("button", name="Settings of the table").click()
    page.locator("[data-setting=advice][value=after]").check()
    page.keyboard.press("Escape")
    lay(page, "#w-1-main", 25, "$25")
    stack(site, page, "Td 6s 6h Tc 2s 9d 2d 3c 4c 2h")
    page.locator("#b-deal").click()
    expect(page.locator("#advice")).to_contain_text("judged as soon as you give it")
    expect(page.locator("#advice table")).to_have_count(0)
    page.locator("#a-hit").click()
    expect(page.locator("#advice .judged.wrong")).to_contain_text("Stand was better. Hit cost $")
    play_on(page)
    expect(page.locator("#session")).to_contain_text("50% of 2")
    page.get_by_role("link", name="All results").click()
    expect(page.get_by_role("row", name="Hard hands 2 50%")).to_be_visible()
    expect(page.locator(".rounds tbody tr")).to_have_count(1)
    assert_accessible(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.documentElement.scrollWidth === 390")
    page.get_by_role("link", name="Replay of the mistake in round 1").click()
    expect(page.get_by_role("row", name="Hit given")).to_be_visible()
    assert_accessible(page)
    page.keyboard.press("End")
    expect(page.locator(".story .mark.wrong")).to_contain_text("best was stand")


def test_the_numbers_of_a_long_story_are_inside_its_box(site: Site) -> None:
    page = site.visit("/play/blackjack")
    lay(page, "#w-1-main", 5, "$5")
    stack(site, page, "2d 6s 2h Tc 2s 2c 3d 3h 3s 3c Ad Ah 9d")
    page.locator("#b-deal").click()
    for _ in range(5):
        revision = page.locator("#table").get_attribute("data-revision")
        page.locator("#a-hit").click()
        expect(page.locator("#table")).not_to_have_attribute("data-revision", revision or "")
    play_on(page)
    page.get_by_role("link", name="replay of round 1").click()
    page.get_by_role("link", name="End").click()
    expect(page.locator(".story li").nth(12)).to_be_visible()
    # Outside its list item a number of two digits stands left of the box that scrolls, and is cut off.
    assert page.locator(".story li").nth(12).evaluate("one => getComputedStyle(one).listStylePosition") == "inside"
    assert page.locator(".story").evaluate("one => one.scrollWidth <= one.clientWidth")
