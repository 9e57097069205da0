"""How a player's table moves in a real browser: what keeps its place, what comes in order, what is refused."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import FIRST_LOAD, MOST_BYTES, PHONE, Site
from tests.test_browser_play import lay, stack

WIDE = {"width": 1440, "height": 900}
PHONE_ON_ITS_SIDE = {"width": 844, "height": 390}
PLACES = (".controls", "#w-1-main", "#w-1-lucky_lucky", ".felt")


def boxes(page: Page, *wanted: str) -> list[dict[str, int]]:
    """Where these are on the page, to the pixel."""
    return [
        page.locator(one).first.evaluate(
            """one => {
              const { x, y, width, height } = one.getBoundingClientRect();
              return Object.fromEntries(Object.entries({ x, y, width, height })
                .map(([side, at]) => [side, Math.round(at)]));
            }"""
        )
        for one in wanted
    ]


def hidden_behind(page: Page, wanted: str) -> list[str]:
    """Those of the elements that something else covers, or that lie outside the window."""
    covered: list[str] = page.eval_on_selector_all(
        wanted,
        """all => all.filter(one => {
          const box = one.getBoundingClientRect();
          const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
          return !top || !(one.contains(top) || top.contains(one)) || box.bottom > innerHeight;
        }).map(one => one.id || one.className)""",
    )
    return covered


def test_nothing_moves_from_bet_to_settlement_and_results_are_said_as_people_say_them(site: Site) -> None:
    page = site.visit("/play/blackjack", viewport=WIDE)
    assert page.evaluate(FIRST_LOAD) < MOST_BYTES
    expect(page.locator(".felt-print")).to_have_text(
        "Blackjack pays 3 to 2 · Insurance pays 2 to 1 · Dealer hits soft 17"
    )
    lay(page, "#w-1-main", 25, "$25")
    lay(page, "#w-1-lucky_lucky", 5, "$30")
    expect(page.locator("#purse")).to_have_text("$970")
    while_betting = boxes(page, *PLACES, "#b-deal")
    stack(site, page, "Kd 6s Jh Tc Qc 2d")
    page.locator("#b-deal").click()
    expect(page.locator("#answers")).to_be_visible()
    assert boxes(page, *PLACES) == while_betting[:-1]
    # The side wager was lost at the start: its chips have left the felt, and those of the main wager lie there.
    expect(page.locator("#w-1-lucky_lucky .stack:visible")).to_have_count(0)
    expect(page.locator("#w-1-lucky_lucky")).to_contain_text("−$5")
    expect(page.locator("#w-1-main .chip-stack")).to_have_text("$25")
    expect(page.locator("#a-surrender")).to_have_count(0)  # nobody may surrender at this table
    page.locator("#a-stand").click()
    expect(page.locator("#result .net")).to_contain_text("You win $20")
    assert boxes(page, *PLACES, "#b-deal") == while_betting
    expect(page.locator(".hand .total b")).to_have_text("Dealer busts")
    expect(page.locator("#w-1-main .payout .chip-stack")).to_have_text("$50")
    expect(page.locator("#w-1-main .came")).to_have_text("+$25")


def test_of_three_own_hands_none_is_behind_the_tray(site: Site) -> None:
    page = site.visit("/play/blackjack", viewport=WIDE)
    for hand in (2, 3):
        page.get_by_role("button", name="Another hand").click()
        expect(page.locator(f"#spot-{hand}")).to_be_visible()
    assert hidden_behind(page, ".spot.mine > .wagers .circle") == []
    # Chips beyond the purse are refused while betting, by a sentence without a code that lies over no navigation.
    for hand in (1, 2, 3):
        page.locator(".chip-100").click()
        for chips in range(1, 5 if hand < 3 else 3):
            page.locator(f"#w-{hand}-main").click()
            expect(page.locator("#at-risk")).to_have_text(f"${(hand - 1) * 400 + chips * 100:,}")
    page.locator("#w-3-main").click()
    expect(page.locator("#notice")).to_contain_text("the purse holds $1,000")
    expect(page.locator("#at-risk")).to_have_text("$1,000")
    assert "purse_short" not in page.locator("#notice").inner_text()
    notice, nav = page.locator("#notice .notice").bounding_box(), page.locator("header.site").bounding_box()
    assert notice is not None and nav is not None
    assert notice["y"] >= nav["y"] + nav["height"]


def test_what_the_felt_says_follows_the_rules(site: Site) -> None:
    for game, print_line in (
        (
            "blackjack_switch",
            "Blackjack pays 1 to 1 · Insurance pays 2 to 1 · Dealer hits soft 17 · Dealer's 22 pushes",
        ),
        ("mini_baccarat", "Banker pays 19 to 20 (5% commission) · Tie pays 8 to 1"),
        ("caribbean_stud", "Dealer qualifies with ace-king"),
    ):
        page = site.visit(f"/play/{game}")
        expect(page.locator(".felt-print")).to_have_text(print_line)


def test_keys_are_for_the_dialog_that_is_open_and_enter_never_insures(site: Site) -> None:
    page = site.visit("/play/blackjack")
    page.locator("#spot-1").get_by_role("link", name="Main wager").click()
    page.keyboard.press("m")
    page.keyboard.press("g")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    expect(page.locator("#at-risk")).to_have_text("$5")
    stack(site, page, "8d As 8h 9c")
    expect(page.locator("#b-deal")).to_be_enabled()
    page.locator("#b-deal").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#question")).to_be_focused()
    revision = page.locator("#table").get_attribute("data-revision") or ""
    page.keyboard.press("Enter")
    page.wait_for_timeout(150)
    expect(page.locator("#table")).to_have_attribute("data-revision", revision)
    expect(page.locator("#a-insure")).to_be_visible()
    expect(page.locator("#row-dealer .total")).to_have_text("1 or 11")


WATCH = """() => {
  const [table, seen] = [() => document.getElementById("table"), []];
  window.seen = seen;
  const look = () => {
    const slots = [...table().querySelectorAll(".slot")];
    const isSeen = (one) => Number(getComputedStyle(one).opacity) > 0.05;
    const results = [...table().querySelectorAll(".outcome, .hand .total b, .came")];
    const state = {
      cards: slots.filter(isSeen).map(one => Number(one.dataset.cardNumber)),
      down: slots.filter(one => one.matches(".is-back") || one.querySelector(".back")).length,
      result: results.some(one => getComputedStyle(one).visibility === "visible" && !one.closest("#w-1-lucky_lucky")),
      purse: document.getElementById("purse").textContent,
      chips: [...table().querySelectorAll(".circle .stack")].filter(one => getComputedStyle(one).visibility === "visible")
        .map(one => one.closest(".circle").id),
    };
    if (JSON.stringify(seen.at(-1)) !== JSON.stringify(state)) seen.push(state);
    window.watching = requestAnimationFrame(look);
  };
  look();
}"""


def test_cards_come_in_order_and_the_result_last(site: Site) -> None:
    page = site.visit("/play/blackjack")
    page.emulate_media(reduced_motion="no-preference")
    lay(page, "#w-1-main", 25, "$25")
    lay(page, "#w-1-lucky_lucky", 5, "$30")
    stack(site, page, "Kd 6s Jh Tc 3s 2d")
    page.evaluate(WATCH)
    page.locator("#b-deal").click()
    expect(page.locator("#table:not(.dealing) .hand .slot")).to_have_count(2)
    expect(page.locator("#w-1-lucky_lucky .taken")).not_to_be_visible()
    deal = page.evaluate("window.seen.splice(0)")
    assert [len(state["cards"]) for state in deal] == sorted(len(state["cards"]) for state in deal)
    assert {tuple(sorted(state["cards"])) for state in deal} >= {(), (1, 2), (1, 2, 3), (1, 2, 3, 4)}
    page.locator("#a-stand").click()
    expect(page.locator("#table:not(.dealing) .outcome")).to_be_visible()
    drawn = page.evaluate("window.seen")
    # The hole card is turned before another is drawn; who has won, and the money, come after the last card.
    assert not any(state["down"] and 5 in state["cards"] for state in drawn)
    assert any(not state["down"] and 5 not in state["cards"] for state in drawn)
    assert [state["result"] for state in drawn if 5 not in state["cards"] or state["down"]].count(True) == 0
    assert [state["purse"] for state in drawn if not state["result"]] == ["$970"] * sum(not s["result"] for s in drawn)
    assert drawn[-1]["result"] and drawn[-1]["purse"] == "$1,020"
    # The side wager was lost before these cards and does not come back; the other lies there until it is paid.
    assert {tuple(set(state["chips"])) for state in drawn} == {("w-1-main",)}


def test_a_press_ends_the_deal_and_instant_deals_at_once(site: Site) -> None:
    page = site.visit("/play/mini_baccarat")
    page.emulate_media(reduced_motion="no-preference")
    lay(page, "#w-1-player", 25, "$25")
    page.locator("#b-deal").click()
    expect(page.locator("#table.dealing")).to_have_count(1)
    page.keyboard.press("Shift")
    expect(page.locator("#table.dealing")).to_have_count(0)
    expect(page.locator(".outcome")).to_contain_text("You ")
    page.get_by_role("button", name="Settings of the table").click()
    page.locator("[data-setting=speed][value=instant]").check()
    page.keyboard.press("Escape")
    page.evaluate(WATCH)
    page.locator("#b-again").click()
    expect(page.locator("#table")).to_have_attribute("data-round", "2")
    assert page.locator("#table.dealing").count() == 0


def test_on_a_tablet_nothing_moves_and_advice_is_in_sight(site: Site) -> None:
    page = site.visit("/play/blackjack", viewport={"width": 820, "height": 1180})
    page.get_by_role("button", name="Settings of the table").click()
    page.locator("[data-setting=advice][value=on]").check()
    page.keyboard.press("Escape")
    lay(page, "#w-1-main", 25, "$25")
    while_betting = boxes(page, *PLACES, ".controls")
    stack(site, page, "Kd 6s Jh Tc Qc 2d")
    page.locator("#b-deal").click()
    expect(page.locator(".answers .is-best .worth")).to_be_visible()
    assert boxes(page, *PLACES, ".controls") == while_betting
    assert hidden_behind(page, "#advice tbody tr, .answers button:enabled") == []
    page.locator("#a-stand").click()
    expect(page.locator("#result .net")).to_be_visible()
    assert boxes(page, *PLACES, ".controls") == while_betting


@pytest.mark.parametrize("viewport", [PHONE, PHONE_ON_ITS_SIDE], ids=["upright", "on its side"])
def test_on_a_phone_the_table_has_the_window_for_itself(site: Site, viewport: dict[str, int]) -> None:
    page = site.visit("/play/blackjack", viewport=viewport)
    expect(page.locator("header.site")).to_be_hidden()
    lay(page, "#w-1-main", 25, "$25")
    assert hidden_behind(page, ".spot.mine > .wagers .circle, .controls button:enabled, .chip") == []
    stack(site, page, "8d 6s 8h Tc 2d 3d Ts Ks Kd")
    page.locator("#b-deal").click()
    expect(page.locator("#answers")).to_be_visible()
    assert hidden_behind(page, ".slot, .hand .total, .answers button:enabled, .less summary") == []
    page.get_by_role("button", name="Settings of the table").click()
    page.locator("[data-setting=advice][value=on]").check()
    page.keyboard.press("Escape")
    expect(page.locator("#advice .best").first).to_be_visible()
    worth = page.locator("#advice .best td").first.inner_text()
    expect(page.locator(".answers .is-best .worth")).to_have_text(worth)
    assert hidden_behind(page, "#advice, .answers button:enabled") == []
    page.locator("#a-stand").click()
    expect(page.locator(".outcome")).to_be_visible()
    assert hidden_behind(page, ".outcome, .hand .total, #b-again") == []


def test_a_shared_table_is_an_arc_of_seats_with_a_link_to_invite(site: Site) -> None:
    page = site.visit("/play/blackjack/blackjack_1", viewport=WIDE)
    tops = [(page.locator(f"#spot-{seat}").bounding_box() or {"y": 0})["y"] for seat in range(1, 8)]
    assert tops[:4] == sorted(tops[:4]) and tops[3:] == sorted(tops[3:], reverse=True)
    page.get_by_role("button", name="Sit at seat 4").click()
    expect(page.locator("#spot-4.mine")).to_be_visible()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("link", name="Invite a friend").click()
    expect(page.locator("#copied")).to_contain_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == f"{site.url}/play/blackjack/blackjack_1"


@pytest.mark.parametrize("viewport", [PHONE, PHONE_ON_ITS_SIDE], ids=["upright", "on its side"])
def test_two_hands_and_their_wagers_are_in_sight_on_a_phone_beside_advice(site: Site, viewport: dict[str, int]) -> None:
    page = site.visit("/play/blackjack", viewport=viewport)
    page.get_by_role("button", name="Settings of the table").click()
    page.locator("[data-setting=advice][value=after]").check()
    page.keyboard.press("Escape")
    lay(page, "#w-1-main", 25, "$25")
    stack(site, page, "8d 6s 8h Tc 3s 2d 9h Ts Ks Kd")
    page.locator("#b-deal").click()
    wanted = ".hand .slot:last-child, .hand .total, .spot.mine > .wagers .circle"
    expect(page.locator("#answers")).to_be_visible()
    for answer in ("split", "double"):
        revision = page.locator("#table").get_attribute("data-revision") or ""
        page.locator(f"#a-{answer}:enabled").click()
        expect(page.locator("#table")).not_to_have_attribute("data-revision", revision)
        expect(page.locator(".hand")).to_have_count(2)
        assert hidden_behind(page, f"{wanted}, .answers button:enabled") == []
    tops = [(page.locator(".hand").nth(at).bounding_box() or {"y": at})["y"] for at in range(2)]
    assert tops[0] == tops[1]
    page.locator("#a-stand").click()
    expect(page.locator(".outcome")).to_be_visible()
    assert hidden_behind(page, f"{wanted}, .outcome") == []


@pytest.mark.parametrize("viewport", [PHONE, PHONE_ON_ITS_SIDE], ids=["upright", "on its side"])
def test_advice_lies_over_no_card_and_no_wager_where_both_sides_and_a_board_are_dealt(
    site: Site, viewport: dict[str, int]
) -> None:
    page = site.visit("/play/ultimate_texas_holdem", viewport=viewport)
    page.get_by_role("button", name="Settings of the table").click()
    page.locator("[data-setting=advice][value=on]").check()
    page.keyboard.press("Escape")
    page.locator(".chip-25").click()
    page.locator("#w-1-ante").click()
    page.locator("#b-deal:enabled").click()
    for _ in range(2):
        expect(page.locator("#advice .best").first).to_be_visible()
        assert hidden_behind(page, ".slot, .circle, .hand .total, .answers button:enabled, .question") == []
        page.locator("#a-check").click()
        expect(page.locator("#row-board .slot, .hand-area .slot").first).to_be_visible()
