"""Pictures of the main screens for the README: `make screens` plays a little and looks.

python -m tests.screens [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import PHONE, Site, open_browser, open_site
from tests.halls import stack_shoe
from tests.test_browser_dealer import count_chips, drag, light
from tests.test_browser_play import lay, play_on, table_of

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
COMPUTING_MS = 120_000
"""The first solution of a game takes its time on a slow machine."""


def picture(page: Page, name: str, *, whole: bool = False) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(300)
    page.screenshot(path=FOLDER / f"{name}.jpg", full_page=whole, type="jpeg", quality=80)


def baccarat(site: Site) -> None:
    """Twenty rounds for the roads, the wagers of the last one still to be dealt."""
    page = site.visit("/play/mini_baccarat")
    lay(page, "#w-1-player", 25, "$25")
    lay(page, "#w-1-dragon_bonus_player", 5, "$30")
    page.locator("#b-deal").click()
    page.locator("#result .net").wait_for()
    for number in range(2, 21):
        page.locator("#b-again").click()
        page.locator(f"#table[data-round='{number}']").wait_for()
    picture(page, "baccarat")


def blackjack(site: Site) -> None:
    page = site.visit("/play/blackjack")
    lay(page, "#w-1-main", 25, "$25")
    lay(page, "#w-1-lucky_lucky", 5, "$30")
    stack_shoe(site.web.room.hall, table_of(page), "8d 6s 8h Tc 3s 2d 9h Ts Ks Kd")
    page.locator("#b-deal").click()
    page.locator("#a-split").click()
    page.locator(".hand.active").wait_for()
    page.get_by_role("button", name="Settings of the table").click()
    page.locator("[data-setting=advice][value=on]").check()
    page.keyboard.press("Escape")
    page.locator("#advice .best, #advice [class*=best]").first.wait_for(timeout=COMPUTING_MS)
    picture(page, "blackjack")


def switch_on_a_phone(site: Site) -> None:
    page = site.visit("/play/blackjack_switch", viewport=PHONE, color_scheme="dark", device_scale_factor=2)
    lay(page, "#w-1-main", 25, "$50")
    stack_shoe(site.web.room.hall, table_of(page), "Td 5h 6s Ah Kc 9d Ts Ks Kd 2c 3d")
    page.locator("#b-deal").click()
    page.locator("#answers").wait_for()
    picture(page, "switch_phone")
    play_on(page)


def jackpot(site: Site) -> None:
    """A community award at the terminal, pending on the sign and in the manager's queue."""
    page = site.staff("dealer", "/dealer/ddm_1")
    light(page, 1, 3, 4, 6)
    count_chips(page, 4)
    drag(page, "#start")
    page.locator("#round", has_text="1").wait_for()
    page.get_by_role("button", name="COMMUNITY JACKPOT", exact=True).click()
    page.locator("#hand-1-suited_4567_other").click()
    page.locator("#preview-1").wait_for()
    picture(page, "terminal", whole=True)
    page.get_by_label("Dealer's cards").fill("4h 5h 6h 7h")
    page.get_by_role("button", name="HIT JACKPOT").click()
    page.get_by_role("button", name="PAY JACKPOT").wait_for()
    picture(site.visit("/sign/push_22"), "sign")
    picture(site.staff("executive", "/manager/claims"), "claims")


def lab(site: Site) -> None:
    """A pay written over, what it does to the edge, and a meter's year with its bands."""
    page = site.visit("/lab?game=blackjack&wager=lucky_lucky&pay_table=1&decks=6")
    page.get_by_label("Suited 7-7-7 pays").fill("250 to 1")
    expect(page.locator("#figure-edge")).to_contain_text("5.22560%", timeout=COMPUTING_MS)
    picture(page, "lab")
    meter = site.visit("/lab/meter?wager=double_down_madness/push_22_progressive")
    plot = meter.locator("figure canvas").first
    plot.wait_for(timeout=COMPUTING_MS)
    plot.scroll_into_view_if_needed()
    picture(meter, "meter")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with (
        open_browser() as browser,
        tempfile.TemporaryDirectory() as folder,
        open_site(browser, f"{folder}/screens.db") as site,
    ):
        blackjack(site)
        baccarat(site)
        switch_on_a_phone(site)
        jackpot(site)
        lab(site)
        lobby = site.visit("/")
        lobby.locator("text=computing").last.wait_for(state="detached", timeout=COMPUTING_MS)
        picture(lobby, "lobby")
        strategy = site.visit("/strategy/blackjack")
        strategy.locator("table").first.wait_for(timeout=COMPUTING_MS)
        picture(strategy, "strategy")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        FOLDER = Path(sys.argv[1])
    main()
