"""What all pages share, in a real browser: signing in and out, refusals as pages, on a phone and in the dark."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from croupier.web.guard import COOKIE
from tests.browser import PHONE, Site, assert_accessible
from tests.web_client import SWIPES, lock


def test_staff_sign_in_and_out(site: Site) -> None:
    page = site.visit("/sign-in?next=/manager")
    assert_accessible(page)
    page.get_by_label("Card").fill(SWIPES["dealer"]["card"])
    page.get_by_label("PIN").fill("000000")
    page.get_by_label("PIN").press("Enter")
    assert page.get_by_role("alert").first.inner_text()
    assert SWIPES["dealer"]["card"] not in page.content().split("Demo cards")[0]
    page = site.staff("dealer", "/sign-in")
    assert page.get_by_text("demo-dealer").is_visible()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    assert page.get_by_role("link", name="Staff sign-in").is_visible()


def test_an_unknown_address_is_a_helpful_page(site: Site) -> None:
    page = site.visit("/nothing/here", viewport=PHONE, color_scheme="dark")
    assert page.get_by_role("heading", name="Page not found").is_visible()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_stream_opens_also_where_its_script_comes_late(site: Site) -> None:
    """htmx must not begin before the script of its streams is there: pages would never hear of anything."""
    page = site.visit("/sign-in")

    def late(route: Route) -> None:
        page.wait_for_timeout(400)
        route.continue_()

    page.route("**/hx-sse.min.js*", late)
    with page.expect_request("**/events"):
        page.goto("/sign/push_22")
    lock(site.web.role("dealer"), "ddm_1", 1)
    expect(page.locator(".counter")).to_have_attribute("data-shown", "5000095")


def test_a_page_whose_session_has_ended_says_that_it_is_told_nothing_more(site: Site) -> None:
    """On a real floor; a page that only looks live would be believed. It goes on when somebody has signed in beside."""
    page = site.staff("supervisor", "/manager/claims")
    page.clock.install()
    with page.expect_response("**/events?of=claims"):
        page.reload()
    executive = site.web.role("executive")
    site.web.room.demo = False
    executive.done("POST", "/people/demo-supervisor/sign-out")
    expect(page.locator("#notice")).to_contain_text("no longer told what changes")
    assert_accessible(page)
    assert page.get_by_role("link", name="Sign in again").get_attribute("href") == "/sign-in?next=%2Fmanager%2Fclaims"
    session = site.web.role("supervisor").http.cookies[COOKIE]
    page.context.add_cookies([{"name": COOKIE, "value": session, "url": site.url}])
    with page.expect_response("**/events?of=claims"):
        page.clock.run_for(90_000)
    expect(page.locator("#notice")).to_be_empty()
