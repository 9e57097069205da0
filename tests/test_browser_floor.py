"""One community jackpot over three screens: the dealer's terminal, the wall's sign, the manager's desk."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser import Site
from tests.test_browser_dealer import count_chips, drag, light
from tests.test_browser_manager import present
from tests.test_browser_sign import wait_for_cents
from tests.web_client import SWIPES


def test_from_sensor_to_paid_slip_across_terminal_sign_and_manager(site: Site) -> None:
    sign = site.visit("/sign/push_22")
    terminal = site.staff("dealer", "/dealer/ddm_1")
    manager = site.staff("executive", "/manager")
    light(terminal, 1, 4)
    count_chips(terminal, 2)
    drag(terminal, "#start")
    # $50,000 and two wagers of $5, 19% of each.
    wait_for_cents(sign, 5_000_190)
    terminal.get_by_role("button", name="COMMUNITY JACKPOT", exact=True).click()
    terminal.locator("#hand-1-suited_4567_other").click()
    expect(terminal.locator("#preview-1")).to_contain_text("$2,500.09")
    terminal.get_by_label("Dealer's cards").fill("4h 5h 6h 7h")
    terminal.get_by_role("button", name="HIT JACKPOT").click()
    # A tenth of 50,001.90 is 5,000.19: two shares of 2,500.09; the odd cent stays.
    expect(sign.locator("#state")).to_contain_text("Prize pending")
    expect(sign.locator("#state .amount")).to_have_text("$5,000.18")
    wait_for_cents(sign, 4_500_172)
    manager.get_by_role("link", name=re.compile("Review: Claim pending")).click()
    expect(manager.get_by_text("4h 5h 6h 7h")).to_be_visible()
    present(manager, "Approved by", SWIPES["executive"])
    manager.get_by_role("button", name="PAY JACKPOT").click()
    expect(manager.get_by_text("The award is paid and on record.")).to_be_visible()
    expect(sign.locator("#state")).to_contain_text("Jackpot won")
    expect(sign.locator("#state")).to_contain_text("seats 1, 4")
    expect(terminal.locator("#paid-1")).to_contain_text("Approved by demo-executive")
    terminal.locator("#slip-1").click()
    expect(terminal.locator(".slip-amount")).to_have_text("$5,000.18")
