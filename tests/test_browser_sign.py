"""The jackpot sign in a real browser: it rolls up and never beyond the truth, and says when the link is down."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import PHONE, WAIT_MS, Site, assert_accessible
from tests.web_client import lock, second_executive, step

RECORD = """() => {
  window.seen = [];
  const counter = document.querySelector('.counter');
  new MutationObserver(() => window.seen.push(Number(counter.dataset.shown))).observe(counter, {attributes: true});
}"""


def wait_for_cents(page: Page, cents: int) -> None:
    expect(page.locator(".counter")).to_have_attribute("data-shown", str(cents), timeout=WAIT_MS)


def test_it_rolls_upward_and_never_shows_more_than_the_true_value(site: Site) -> None:
    page = site.visit("/sign/push_22")
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(RECORD)
    lock(site.web.role("dealer"), "ddm_1", 1, 2, 3)
    wait_for_cents(page, 5_000_285)
    seen = page.evaluate("window.seen")
    assert len(set(seen)) > 10, "it jumped"
    assert seen == sorted(seen) and max(seen) == 5_000_285
    assert page.locator("[data-spoken]").inner_text() == "$50,002.85"


def test_with_reduced_motion_it_does_not_roll(site: Site) -> None:
    page = site.visit("/sign/push_22")
    page.evaluate(RECORD)
    lock(site.web.role("dealer"), "ddm_1", 1, 2, 3)
    wait_for_cents(page, 5_000_285)
    assert set(page.evaluate("window.seen")) == {5_000_285}


def test_a_win_is_pending_then_won_and_the_new_base_is_shown_at_once(site: Site) -> None:
    page = site.visit("/sign/push_22")
    dealer = site.web.role("dealer")
    lock(dealer, "ddm_1", 2, 4)
    wait_for_cents(page, 5_000_190)
    step(dealer, "ddm_1", "pick", seat=0, sensor=1, row="suited_4567_named")
    revision = dealer.get("/tables/ddm_1")["revision"]
    dealer.done("POST", "/tables/ddm_1/hit", {"revision": revision, "evidence": "4s5s6s7s"}, key="browser-hit-1")
    expect(page.locator("#state")).to_contain_text("Prize pending")
    expect(page.locator("#state .amount")).to_have_text("$50,001.90")
    wait_for_cents(page, 5_000_010)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "a wall does not scroll"
    assert_accessible(page)
    lock(dealer, "ddm_2", 1)
    wait_for_cents(page, 5_000_105)
    expect(page.locator("#state .amount")).to_have_text("$50,001.90")
    body = {"revision": dealer.get("/tables/ddm_1")["revision"], "second": second_executive(site.web)}
    site.web.role("executive").done("POST", "/claims/browser-hit-1/1/pay", body)
    expect(page.locator("#state")).to_contain_text("Jackpot won")
    expect(page.locator("#state")).to_contain_text("seats 2, 4")
    assert_accessible(page)


def test_without_a_link_the_last_value_is_gray_with_its_time_and_it_catches_up(site: Site) -> None:
    page = site.visit("/sign/push_22")
    wait_for_cents(page, 5_000_000)
    page.context.set_offline(True)
    line = page.locator("#as-of")
    expect(line).to_have_text(re.compile(r"^as of \d\d:\d\d:\d\d$"))
    expect(page.locator("body")).to_have_class(re.compile("link-down"))
    lock(site.web.role("dealer"), "ddm_1", 1)
    page.context.set_offline(False)
    wait_for_cents(page, 5_000_095)
    expect(line).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1366, 768), (1280, 720)])
def test_a_pending_win_leaves_room_for_the_tables_on_a_low_wall(site: Site, width: int, height: int) -> None:
    dealer = site.web.role("dealer")
    lock(dealer, "ddm_1", 2, 4)
    step(dealer, "ddm_1", "pick", seat=0, sensor=1, row="suited_4567_named")
    step(dealer, "ddm_1", "hit", evidence="4s5s6s7s")
    page = site.visit("/sign/push_22", viewport={"width": width, "height": height})
    expect(page.locator("#state")).to_contain_text("Prize pending")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    box = page.locator(".where").bounding_box()
    assert box is not None and box["y"] + box["height"] <= height


@pytest.mark.parametrize(("width", "height"), [(1920, 360), (1080, 1920), (1280, 720)])
def test_a_strip_and_a_tall_wall_show_everything_and_need_no_scrolling(site: Site, width: int, height: int) -> None:
    page = site.visit("/sign/push_22", viewport={"width": width, "height": height})
    expect(page.locator("#pays .share").first).to_be_visible()
    for name in (".head h1", ".counter", "#pays tbody tr:last-child", ".where"):
        box = page.locator(name).bounding_box()
        assert box is not None, name
        assert box["x"] >= 0 and box["x"] + box["width"] <= width, name
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, name
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_paid_jackpot_takes_the_whole_sign_and_counts_up_to_the_truth(site: Site) -> None:
    page = site.visit("/sign/push_22")
    page.emulate_media(reduced_motion="no-preference")
    dealer = site.web.role("dealer")
    lock(dealer, "ddm_1", 2)
    step(dealer, "ddm_1", "pick", seat=0, sensor=1, row="suited_4567_named")
    revision = dealer.get("/tables/ddm_1")["revision"]
    dealer.done("POST", "/tables/ddm_1/hit", {"revision": revision, "evidence": "4s5s6s7s"}, key="browser-hit-2")
    expect(page.locator("body")).to_have_class(re.compile("takeover"))
    expect(page.locator("#stage")).to_be_hidden()  # no coins before it is paid
    page.evaluate("""() => {
      window.counted = [];
      new MutationObserver(() => {
        const amount = document.querySelector("[data-stage=won] .amount");
        if (amount) window.counted.push(Number(amount.textContent.replace(/[$,.]/g, "")));
      }).observe(document.getElementById("main"), {subtree: true, childList: true, characterData: true});
    }""")
    body = {"revision": dealer.get("/tables/ddm_1")["revision"], "second": second_executive(site.web)}
    site.web.role("executive").done("POST", "/claims/browser-hit-2/1/pay", body)
    expect(page.locator("#stage")).to_be_visible()
    amount = page.locator("[data-stage=won] .amount")
    expect(amount).to_have_text("$50,000.95")
    counted = [cents for cents in page.evaluate("window.counted") if cents]
    assert len(set(counted)) > 10, "it jumped"
    assert max(counted) == 5_000_095
    news, now = amount.bounding_box(), page.locator(".display .meter").bounding_box()
    assert news is not None and now is not None
    assert news["height"] > 2 * now["height"] and news["y"] < now["y"]
    expect(page.locator("#pays")).to_be_hidden()


def test_its_sounds_are_off_until_somebody_allows_them(site: Site) -> None:
    page = site.visit("/sign/push_22")
    sound = page.get_by_role("button", name="Sound off")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(page.get_by_role("button", name="Sound on")).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.get_by_role("button", name="Sound on")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, {"width": 360, "height": 640}, {"width": 1920, "height": 1080}])
def test_it_fits_a_phone_and_a_wall(site: Site, size: dict[str, int]) -> None:
    page = site.visit("/sign/push_22", viewport=size)
    wait_for_cents(page, 5_000_000)
    box = page.locator(".counter").bounding_box()
    assert box is not None
    assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    assert box["width"] > size["width"] * 0.6
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)


def test_without_scripts_it_shows_the_value_and_loads_itself_anew(site: Site) -> None:
    page = site.visit("/sign/push_22", java_script_enabled=False)
    assert page.locator(".counter").inner_text() == "$50,000"
    assert page.locator('meta[http-equiv="refresh"]').count() == 1


def test_with_its_stream_open_it_asks_only_when_something_changed(site: Site) -> None:
    page = site.visit("/sign/push_22")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/state") else None)
    page.clock.install()
    with page.expect_response("**/sign/push_22/events"):
        page.reload()
    wait_for_cents(page, 5_000_000)
    page.clock.fast_forward(30_000)
    assert asked == []
    supervisor = site.web.role("supervisor")
    for table in site.web.room.desk.floor().tables_of("push_22"):
        step(supervisor, table.id, "stop", why="The shoe broke.")
    expect(page.locator("#state")).to_contain_text("Not in play now")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "a wall does not scroll"
    assert_accessible(page)
    asked.clear()
    with page.expect_request("**/sign/push_22/state"):  # silent for longer than its heartbeats allow: it asks by itself
        page.clock.fast_forward(60_000)
