"""The dealer terminal in a real browser: jackpots from light to paid slip, two terminals, a restart in mid-round."""

from __future__ import annotations

import socket
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from tests.browser import PHONE, Site, assert_accessible
from tests.web_client import SWIPES, Web, demo_web, lock


def light(page: Page, *seats: int) -> None:
    """Presses lights as fast as a hand can, and looks once at the end."""
    for seat in seats:
        page.locator(f"#light-{seat}-1").click()
    for seat in seats:
        expect(page.locator(f"#light-{seat}-1")).to_have_attribute("aria-pressed", "true")


def count_chips(page: Page, chips: int) -> None:
    page.locator(f"#chips-{chips}").click()


def drag(page: Page, slide: str, share: float = 1.0) -> None:
    """Drags a slide with the pointer, all the way or a part of it."""
    box = page.locator(slide).bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 36, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 36 + (box["width"] - 40) * share, middle, steps=8)
    page.mouse.up()


def swipe(page: Page, role: str, *, pin: str = "") -> None:
    page.get_by_label("Card", exact=True).fill(SWIPES[role]["card"])
    page.get_by_label("PIN", exact=True).fill(pin or SWIPES[role]["pin"])
    page.locator("#card-send").click()


def test_community_jackpot_on_gm_atlas_from_light_to_paid_slip(site: Site) -> None:
    page = site.staff("dealer", "/dealer/ddm_1")
    light(page, 1, 3, 5)
    drag(page, "#start")
    expect(page.locator("#round")).to_have_text("0")  # no chips counted yet: the browser asks for the number
    count_chips(page, 3)
    drag(page, "#start", 0.6)
    expect(page.locator("#start")).to_have_value("0")  # let go too soon, a slide springs back
    drag(page, "#start")
    expect(page.locator("#round")).to_have_text("1")
    page.get_by_role("button", name="COMMUNITY JACKPOT", exact=True).click()
    page.locator("#hand-1-suited_4567_other").click()
    expect(page.locator("#preview-1")).to_contain_text("$1,666.76")
    assert_accessible(page)
    page.get_by_label("Dealer's cards").fill("4h 5h 6h 7h")
    page.get_by_role("button", name="HIT JACKPOT").click()
    page.get_by_role("button", name="PAY JACKPOT").click()
    expect(page.get_by_role("dialog")).to_contain_text("the card of an executive")
    assert_accessible(page)
    swipe(page, "executive", pin="111111")
    expect(page.locator("#card-problem")).to_be_visible()
    swipe(page, "executive")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#paid-1")).to_contain_text("Approved by demo-executive")
    page.locator("#slip-1").click()
    expect(page.locator(".slip-amount")).to_have_text("$5,000.28")
    assert_accessible(page)
    page.go_back()
    page.locator("#end").focus()
    page.keyboard.press("End")
    expect(page.locator("#start")).to_be_visible()


def tap(page: Page, *cards: str) -> None:
    """Taps cards on the keys: a rank, then a suit."""
    for card in cards:
        page.locator(f"[data-rank='{card[0]}']").click()
        page.locator(f"[data-suit='{card[1]}']").click()


def test_tapped_cards_name_the_hand_and_another_is_refused(site: Site) -> None:
    page = site.staff("dealer", "/dealer/ddm_1")
    expect(page.locator("#start-form").locator("..")).to_contain_text("After START GAME take the $5 chips in")
    light(page, 2, 6)
    count_chips(page, 2)
    drag(page, "#start")
    expect(page.locator("#chips-now")).to_contain_text("Take the $5 chips in: seats 2, 6.")
    page.get_by_role("button", name="COMMUNITY JACKPOT", exact=True).click()
    page.locator("#hand-1-suited_4567_named").click()
    expect(page.locator("#preview-1")).to_contain_text("locks the amount and lowers the meter at once")
    page.get_by_role("button", name="HIT JACKPOT").click()  # without cards: the browser asks for them
    expect(page.locator("#claim-1")).to_have_count(0)
    tap(page, "4h", "5h", "6h", "8h")
    page.get_by_role("button", name="Take the last card back").click()
    tap(page, "7h")
    expect(page.get_by_label("Dealer's cards")).to_have_value("4h 5h 6h 7h")
    expect(page.locator("#cards-say")).to_contain_text("any other suit, 10%: not the hand that is picked")
    assert_accessible(page)
    page.get_by_role("button", name="HIT JACKPOT").click()
    expect(page.locator("#notice")).to_contain_text('give "Suited 4-5-6-7 in any other suit", not')
    for _ in range(4):
        page.get_by_role("button", name="Take the last card back").click()
    tap(page, "7s", "6s", "5s", "4s")
    expect(page.locator("#cards-say")).to_contain_text("These cards make Suited 4-5-6-7 of spades, 100%.")
    # A refresh while cards are being entered leaves them alone.
    with page.expect_response(lambda answer: "/dealer/ddm_1/now" in answer.url):
        page.evaluate("document.getElementById('terminal').dispatchEvent(new CustomEvent('ask-again'))")
    expect(page.get_by_label("Dealer's cards")).to_have_value("7s 6s 5s 4s")
    page.get_by_role("button", name="HIT JACKPOT").click()
    expect(page.locator("#claim-1")).to_contain_text("Cards: 7s 6s 5s 4s")
    expect(page.locator("#claim-1")).to_contain_text("locked and lowered since the hit")


def test_a_claim_disarms_the_end_and_a_wrong_second_card_leaves_the_rest_filled(site: Site) -> None:
    page = site.staff("dealer", "/dealer/ddm_1", viewport={"width": 1440, "height": 900})
    slide = page.locator(".slide").first.bounding_box()
    assert slide is not None and slide["width"] == 320
    light(page, 1, 3)
    count_chips(page, 2)
    drag(page, "#start")
    expect(page.locator("#round")).to_have_text("1")
    expect(page.locator("#seat-1")).to_be_visible()
    expect(page.locator("#seat-2")).to_have_count(0)  # no wager: no hand of it can win
    expect(page.locator("#hand-1-suited_22")).to_contain_text("$250")
    page.get_by_role("button", name="COMMUNITY JACKPOT", exact=True).click()
    page.locator("#hand-1-suited_4567_named").click()
    page.get_by_label("Dealer's cards").fill("4s 5s 6s 7s")
    page.get_by_role("button", name="HIT JACKPOT").click()
    expect(page.locator("#claim-1")).to_contain_text("Call two executives: payment needs the cards of two executives.")
    expect(page.locator("#end")).to_be_disabled()
    expect(page.locator("#void")).to_be_disabled()
    expect(page.locator("#end-form")).to_have_count(0)
    assert_accessible(page)
    page.get_by_role("button", name="PAY JACKPOT").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Use the demo card of demo-executive", exact=True).click()
    page.get_by_label("Second card").fill(SWIPES["supervisor"]["card"])
    page.get_by_label("Second PIN").focus()
    for digit in SWIPES["supervisor"]["pin"]:
        dialog.get_by_role("button", name=digit, exact=True).click()
    expect(page.get_by_label("Second PIN")).to_have_value(SWIPES["supervisor"]["pin"])
    send = page.locator("#card-send").bounding_box()
    assert send is not None and send["y"] + send["height"] <= 900, "the button that sends is in sight"
    assert_accessible(page)
    page.locator("#card-send").click()
    problem = page.locator("#card-problem")
    expect(problem).to_contain_text("supervisor")
    assert "/1" not in problem.inner_text(), "nobody at a table knows an award by its id"
    expect(page.get_by_label("Card", exact=True)).to_have_value(SWIPES["executive"]["card"])
    expect(page.get_by_label("PIN", exact=True)).to_have_value(SWIPES["executive"]["pin"])
    dialog.get_by_role("button", name="Use the demo card of demo-director as the second").click()
    page.locator("#card-send").click()
    expect(page.locator("#paid-1")).to_contain_text("demo-director")
    expect(page.locator("#end-form")).to_be_visible()


def test_a_late_refresh_does_not_take_the_choice_away(site: Site) -> None:
    """The stream's refresh is asked for before COMMUNITY JACKPOT is pressed and answered after it."""
    page = site.staff("dealer", "/dealer/ddm_2")
    light(page, 1)
    count_chips(page, 1)
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if held or route.request.url.endswith("seat=0"):
            route.continue_()
        else:
            held.append((route, route.fetch()))

    page.route(lambda url: "/dealer/ddm_2/now" in url, hold)
    drag(page, "#start")
    expect(page.locator("#round")).to_have_text("1")
    while not held:
        page.wait_for_timeout(20)
    community = page.locator("#community")
    community.click()
    expect(community).to_have_attribute("aria-pressed", "true")
    # Let go, the refresh is left out, and what it would have shown is asked for again with the choice.
    with page.expect_response(lambda answer: answer.url.endswith("/dealer/ddm_2/now?seat=0")):
        route, answer = held[0]
        route.fulfill(response=answer)
    expect(community).to_have_attribute("aria-pressed", "true")
    page.locator("#hand-1-suited_4567_other").click()
    expect(page.locator("#preview-1")).to_be_visible()
    expect(community).to_have_attribute("aria-pressed", "true")


def test_a_preview_follows_the_meter_while_other_tables_play(site: Site) -> None:
    page = site.staff("dealer", "/dealer/ddm_1")
    light(page, 1)
    count_chips(page, 1)
    drag(page, "#start")
    page.get_by_role("button", name="COMMUNITY JACKPOT", exact=True).click()
    page.locator("#hand-1-suited_4567_other").click()
    expect(page.locator("#preview-1")).to_contain_text("$50,000.95")
    lock(site.web.role("dealer"), "ddm_2", 1)
    expect(page.locator("#preview-1")).to_contain_text("$50,001.90")


def test_the_key_of_aquarius_from_light_to_paid_slip(site: Site) -> None:
    page = site.staff("dealer", "/dealer/baccarat_1")
    light(page, 2, 6)
    count_chips(page, 2)
    page.get_by_role("button", name="START GAME").click()
    page.locator("#hand-1-suited_six_cards").click()
    expect(page.locator("#preview-1")).to_contain_text("$2,500.25")
    for key, name in (("jph", "JPH"), ("run", "Run")):
        page.get_by_role("button", name=name, exact=True).click()
        swipe(page, "supervisor")
        expect(page.locator("#key-at")).to_have_text(name)
        if key == "jph":
            page.get_by_role("button", name="J-POT").click()
            tap(page, "Kd", "Qd", "Td")
            page.get_by_label("Banker's cards").focus()
            tap(page, "2d", "Jd", "7d")
            side = page.locator("input[name=side][value=banker]")
            if side.count():  # asked for where the wager follows the seat's side
                side.check(force=True)
            expect(page.locator("#proof-say")).to_contain_text("all six cards of one suit, 100%.")
            assert_accessible(page)
            swipe(page, "executive")
            expect(page.locator("#paid-1")).to_contain_text("$2,500.25")
            assert_accessible(page)
    page.get_by_role("button", name="GAME OVER").click()
    expect(page.locator("#start")).to_be_visible()
    (award,) = site.web.room.book.awards()
    assert award.status == "paid"


def test_a_refresh_while_the_card_dialog_closes_does_not_open_it_again(site: Site) -> None:
    page = site.staff("dealer", "/dealer/baccarat_1")
    light(page, 2)
    count_chips(page, 1)
    page.get_by_role("button", name="START GAME").click()
    page.get_by_role("button", name="JPH", exact=True).click()
    dialog = page.locator("#card-dialog")
    expect(dialog).to_be_visible()
    page.evaluate("for (const name of ['card-done', 'htmx:after:swap']) document.dispatchEvent(new CustomEvent(name))")
    expect(dialog).to_be_hidden()


def test_two_terminals_at_one_table_and_a_linked_meter(site: Site) -> None:
    first, second = (site.staff("dealer", "/dealer/ddm_1") for _ in range(2))
    linked = site.staff("dealer", "/dealer/ddm_2")
    light(first, 2)
    expect(second.locator("#light-2-1")).to_have_attribute("aria-pressed", "true")
    light(second, 4)
    expect(first.locator("#light-4-1")).to_have_attribute("aria-pressed", "true")
    count_chips(first, 2)
    first.locator("#start").focus()
    first.keyboard.press("Enter")
    expect(second.locator("#round")).to_have_text("1")
    expect(linked.locator("[data-meter='push_22/main']")).to_have_text("$50,001.90")
    second.locator("#seat-2").click()
    hand = second.locator("#hand-1-other_22")
    hand.click()
    expect(hand).to_have_attribute("aria-pressed", "true")
    second.mouse.down(click_count=2)  # a double click is one press, also when the answer comes between its clicks
    second.mouse.up(click_count=2)
    second.wait_for_timeout(300)
    expect(hand).to_have_attribute("aria-pressed", "true")
    expect(first.locator("#preview-1")).to_contain_text("$25")


def test_phone(site: Site) -> None:
    page = site.staff("dealer", "/dealer/ddm_1", viewport=PHONE)
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide, "nothing sticks out at the side"
    small = page.evaluate(
        """[...document.querySelectorAll("#terminal button, #terminal a.button, .number-key, .slide, .bar button")]
           .filter((one) => one.offsetParent && (one.offsetHeight < 48 || one.offsetWidth < 48))
           .map((one) => one.outerHTML)"""
    )
    assert small == []
    light(page, 1)
    assert_accessible(page)


def enter_cards_on_the_table(page: Page) -> None:
    """What lies there in a lesson of baccarat, typed with the signs of the suits."""
    for hand in ("Player", "Banker"):
        dealt = page.locator(".dealt-hand", has=page.get_by_role("heading", name=hand)).locator("[aria-hidden]")
        page.get_by_label(f"{hand}'s cards").fill(" ".join(dealt.all_inner_texts()))
    side = page.locator("input[name=side][value=banker]")
    if side.count():  # asked for where the wager follows the seat's side
        side.check(force=True)


def test_lesson_with_a_mistake(site: Site) -> None:
    page = site.staff("dealer", "/dealer/training/key")
    assert_accessible(page)
    prompt = page.locator("#coach .prompt")
    seats = [
        int(word.strip(",.")) for word in prompt.inner_text().split("seats ")[1].split(". ")[0].split() if word != "and"
    ]
    for seat in seats:  # one after the other: the lesson is about its order, not about fast hands
        light(page, seat)
    count_chips(page, 3)
    page.get_by_role("button", name="START GAME").click()
    page.get_by_role("button", name="GAME OVER").click()
    expect(page.locator("#coach .said")).to_contain_text("Not quite")
    page.locator("#hand-1-suited_six_cards").click()
    for button, role in (("#key-jph", "supervisor"), ("#pay", "executive"), ("#key-run", "supervisor")):
        page.locator(button).click()
        if button == "#pay":
            enter_cards_on_the_table(page)
        page.get_by_role("dialog").locator(f"input[value={role}]").click()
        page.locator("#card-send").click()
        expect(page.locator("#coach .said")).to_have_text("Right.")
    page.get_by_role("button", name="GAME OVER").click()
    expect(prompt).to_contain_text("9 of 10 presses were right")
    assert_accessible(page)


def test_restart_in_mid_round(browser: Browser, tmp_path: Path) -> None:
    """The server goes away with wagers locked and a hand picked: the terminal says so and comes back to the same."""
    store = str(tmp_path / "restart.db")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with demo_web(store) as web, Serving(web, port):
        site = Site(web, port, browser)
        page = site.staff("dealer", "/dealer/ddm_1")
        light(page, 1, 2)
        count_chips(page, 2)
        drag(page, "#start")
        page.get_by_role("button", name="COMMUNITY JACKPOT", exact=True).click()
        page.locator("#hand-1-suited_4567_other").click()
        expect(page.locator("#preview-1")).to_be_visible()
    expect(page.locator("#link")).to_contain_text("down")
    expect(page.locator(".link-lost")).to_be_visible()
    with demo_web(store) as web, Serving(web, port):
        expect(page.locator("#link")).to_be_hidden()
        expect(page.locator("#hand-1-suited_4567_other")).to_have_attribute("aria-pressed", "true")
        page.get_by_label("Dealer's cards").fill("4h 5h 6h 7h")
        page.get_by_role("button", name="HIT JACKPOT").click()
        expect(page.locator("#claim-1")).to_contain_text("$2,500.09")
        site.close()


class Serving:
    """The application on a given port, so that a page finds it again."""

    def __init__(self, web: Web, port: int) -> None:
        self._web = web
        config = uvicorn.Config(web.app, port=port, lifespan="off", log_level="error", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = Thread(target=self._server.run)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: Any) -> None:
        self._web.room.hub.stop()
        self._server.should_exit = True
        self._thread.join()
