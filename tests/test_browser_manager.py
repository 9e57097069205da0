"""The game manager in a real browser: claims from light to paid slip, live alerts, forms that refuse and go on, axe."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from croupier.money import dollars_and_cents
from croupier.reports.books.accrual import accrual
from tests.browser import PHONE, Site, assert_accessible
from tests.web_client import SWIPES, Client, lock, second_executive, step


def hit(site: Site, row: str = "suited_22", seat: int = 1) -> str:
    dealer = site.web.role("dealer")
    lock(dealer, "ddm_1", 1, 2)
    step(dealer, "ddm_1", "pick", seat=seat, sensor=1, row=row)
    award: str = step(dealer, "ddm_1", "hit", evidence="Kh 5h 7h")["awards"][0]
    return award


def present(page: Page, group: str, swipe: dict[str, str]) -> None:
    """Fills the card and PIN of one group of fields that is open."""
    fields = page.get_by_role("group", name=group).locator("visible=true")
    fields.get_by_label("Card").fill(swipe["card"])
    fields.get_by_label("PIN").fill(swipe["pin"])


def test_a_supervisor_sees_the_hit_at_once_and_takes_it_to_a_paid_slip(site: Site) -> None:
    page = site.staff("supervisor", "/manager")
    expect(page.get_by_text("Nothing needs attention.")).to_be_visible()
    expect(page.locator("#meter-push_22")).to_have_text("$50,000.00")
    award = hit(site)
    expect(page.get_by_text("Claim pending")).to_be_visible()
    expect(page.locator("#meter-push_22")).to_have_text("$50,001.90")
    page.get_by_role("link", name=re.compile("Review: Claim pending")).click()
    expect(page.get_by_text("Kh 5h 7h")).to_be_visible()
    present(page, "Approved by", SWIPES["supervisor"] | {"pin": "000001"})
    page.get_by_role("button", name="PAY JACKPOT").click()
    expect(page.get_by_role("alert")).to_contain_text("not_recognized")
    # The same page goes on with the right PIN.
    present(page, "Approved by", SWIPES["supervisor"])
    page.get_by_role("button", name="PAY JACKPOT").click()
    expect(page.get_by_text("The award is paid and on record.")).to_be_visible()
    expect(page.get_by_text("approved by demo-supervisor")).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    assert site.web.room.book.award(award).status == "paid"
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation", name="Game manager")).to_be_hidden()
    expect(page.get_by_text("Winner, seat 1")).to_be_visible()


def test_the_day_and_the_claims_are_counted_as_the_books_have_them(site: Site) -> None:
    page = site.staff("executive", "/manager")
    expect(page.locator("#kpi-wagered")).to_have_text("$0.00")
    hit(site)
    line = accrual(site.web.room.book).line()
    expect(page.locator("#kpi-wagered")).to_have_text(dollars_and_cents(line.wagered_micros))
    contributed = line.meter_micros + line.reserve_micros + line.overflow_micros
    expect(page.locator("#kpi-contributed")).to_have_text(dollars_and_cents(contributed))
    expect(page.locator("#kpi-hits")).to_have_text("1")
    expect(page.locator(".curve")).to_have_count(2)
    expect(page.locator("#plot-handle .plot-area")).to_be_visible()
    page.goto("/manager/meters/push_22?span=day")
    expect(page.get_by_role("link", name="Claims")).to_have_accessible_name(re.compile("1 waiting"))
    expect(page.locator("#plot-meter details tr").last).to_contain_text("$50,002")
    assert_accessible(page)


def test_tables_are_searched_ordered_and_cut_to_what_is_wanted(site: Site) -> None:
    page = site.staff("executive", "/manager/audit")
    rows = page.locator("table[data-tools=audit] tbody tr")

    def numbers() -> list[int]:
        return [int(text) for text in rows.locator("th").all_inner_texts()]

    latest_first = numbers()
    assert latest_first == sorted(latest_first, reverse=True)
    page.get_by_role("button", name="Entry").click()
    assert numbers() == sorted(latest_first)
    expect(page.get_by_role("columnheader", name="Entry")).to_have_attribute("aria-sort", "ascending")
    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("checkbox", name="Second").uncheck()
    expect(page.get_by_role("columnheader", name="Second")).to_be_hidden()
    page.get_by_label("Search").fill("demo-executive card")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("columnheader", name="Second")).to_be_hidden()
    found = rows.all_inner_texts()
    assert 0 < len(found) < len(latest_first)
    assert all("demo-executive" in row and "card" in row for row in found)
    assert_accessible(page)


def test_on_a_phone_rows_are_cards_with_named_cells(site: Site) -> None:
    page = site.staff("executive", "/manager/audit", viewport=PHONE)
    cell = page.locator("table[data-tools=audit] tbody tr td").nth(1)
    assert cell.evaluate("cell => getComputedStyle(cell, '::before').content") == '"Who"'
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_accessible(page)


def test_whoever_may_not_do_a_thing_is_told_who_may(site: Site) -> None:
    page = site.staff("executive", "/manager/account")
    expect(page.get_by_text("Recording a balance takes the role of accounting.")).to_be_visible()
    page.goto("/manager/devices")
    expect(page.get_by_text("withdrawing devices takes the role of technician.")).to_be_visible()


def test_a_refused_view_is_in_the_audit_once(site: Site) -> None:
    site.staff("dealer", "/dealer").goto("/manager/people")
    page = site.staff("executive", "/manager/audit?q=/manager/people")
    expect(page.locator("table[data-tools=audit] tbody tr")).to_have_count(1)


def test_the_shift_report_fits_its_frame_with_a_large_jackpot_in_it(site: Site) -> None:
    dealer = site.web.role("dealer")
    lock(dealer, "ddm_1", 1, 2)
    step(dealer, "ddm_1", "pick", seat=0, sensor=1, row="suited_4567_named")
    step(dealer, "ddm_1", "hit", evidence="4s 5s 6s 7s")
    page = site.staff("executive", "/manager/reports/accrual", viewport={"width": 1440, "height": 900})
    frame = page.locator(".scroll").last
    assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth")


def test_without_scripts_everything_reads_and_a_claim_is_paid(site: Site) -> None:
    award = hit(site)
    page = site.staff("supervisor", "/manager/claims", java_script_enabled=False)
    page.get_by_text("Pay $250").click()
    present(page, "Approved by", SWIPES["supervisor"])
    page.get_by_role("button", name="PAY JACKPOT").click()
    page.wait_for_url(f"**/manager/claims/{award}?done=paid")
    for path, heading in (
        ("/manager", "Demo casino"),
        ("/manager/meters", "Meters"),
        ("/manager/reports/achieved", "Achieved against theory"),
        ("/manager/setup", "Setup"),
    ):
        page.goto(path)
        assert page.get_by_role("heading", level=1).inner_text().startswith(heading)


def test_an_executive_changes_a_seed_with_a_second_card(site: Site) -> None:
    second = second_executive(site.web)
    page = site.staff("executive", "/manager/setup")
    page.get_by_role("link", name="Push 22™ Progressive").click()
    page.get_by_label("Seed $").fill("plenty")
    page.get_by_role("button", name="Check this change").click()
    expect(page.get_by_role("alert")).to_contain_text('Seed $: "plenty" is not an amount in dollars.')
    expect(page.get_by_label("Seed $")).to_have_value("plenty")
    expect(page.get_by_label("Seed $")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Seed $")).to_have_accessible_description(re.compile("Write digits"))
    expect(page.get_by_label("Seed $")).to_be_focused()
    assert_accessible(page)
    page.get_by_label("Seed $").fill("40000")
    page.get_by_role("button", name="Check this change").click()
    expect(page.get_by_role("heading", name="Version 2: ready to sign")).to_be_visible()
    expect(page.get_by_label("Seed $")).not_to_have_attribute("aria-invalid", "true")
    assert_accessible(page)
    page.get_by_role("textbox", name="Reason kept with the version").fill("Less seed.")
    present(page, "Second card", SWIPES["executive"])
    page.get_by_role("button", name="Put version 2 into force").click()
    expect(page.get_by_role("alert")).to_contain_text("same")
    present(page, "Second card", second)
    page.get_by_role("button", name="Put version 2 into force").click()
    expect(page.get_by_text("The new version of the setup is in force.")).to_be_visible()
    assert site.web.room.desk.floor().jackpot("push_22").seed_micros == 40_000_000_000


def test_accounting_adjusts_a_meter_and_records_the_account(site: Site) -> None:
    page = site.staff("accounting", "/manager/meters/push_22")
    page.get_by_label("Correct display").check()
    page.get_by_label("Amount in dollars").fill("1e9")
    page.get_by_label("Note").fill("Shown too high.")
    page.get_by_role("button", name="Show what it would do").click()
    expect(page.get_by_label("Amount in dollars")).to_have_accessible_description(re.compile("is not an amount"))
    expect(page.get_by_label("Note")).to_have_value("Shown too high.")
    assert_accessible(page)
    page.get_by_label("Amount in dollars").fill("-2")
    page.get_by_label("Note").fill("Shown too high.")
    page.get_by_role("button", name="Show what it would do").click()
    expect(page.get_by_role("cell", name="$49,998.00")).to_be_visible()
    present(page, "Second card", SWIPES["executive"])
    page.get_by_role("button", name="Book the adjustment").click()
    expect(page.get_by_text("The adjustment is booked.")).to_be_visible()
    page.get_by_role("link", name="Account").click()
    page.get_by_label("Balance in dollars").fill("60,000")
    page.get_by_label("Note").fill("Bank statement.")
    page.get_by_role("button", name="Record").click()
    expect(page.get_by_text("The balance is recorded.")).to_be_visible()


def test_a_technician_registers_a_sign_and_sees_its_token_once(site: Site) -> None:
    page = site.staff("technician", "/manager/devices")
    page.get_by_label("Name").fill("sign-1")
    page.get_by_label("Kind").select_option("sign")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("alert")).to_contain_text("bad_device")
    page.get_by_role("checkbox", name="push_22").check()
    page.get_by_role("button", name="Register").click()
    token = page.locator(".secret").inner_text()
    expect(page.get_by_role("rowheader", name="sign-1")).to_be_visible()
    sign = Client(site.web.anonymous().http, token=token)
    assert [one["jackpot"] for one in sign.get("/meters")["meters"]] == ["push_22"]
    page.reload()
    assert token not in page.content()


def test_an_auditor_verifies_and_a_dealer_is_told_where_to_go(site: Site) -> None:
    dealer = site.staff("dealer", "/manager")
    expect(dealer.get_by_role("heading", name="Your role can't open this page")).to_be_visible()
    assert_accessible(dealer)
    page = site.staff("auditor", "/manager/audit")
    expect(page.get_by_text("GET /manager: no right see_reports").first).to_be_visible()
    page.get_by_role("link", name="Ledger").click()
    page.get_by_role("button", name="Verify the ledger").click()
    expect(page.get_by_text("every balance and purse recomputed")).to_be_visible()


PATHS = (
    "/manager",
    "/manager/tables/ddm_1",
    "/manager/claims",
    "/manager/claims/{award}",
    "/manager/meters",
    "/manager/meters/push_22?reason=correct_display&amount=1&pool=meter&note=Fault",
    "/manager/account",
    "/manager/reports",
    "/manager/reports/hits",
    "/manager/reports/accrual",
    "/manager/reports/reconciliation",
    "/manager/reports/achieved",
    "/manager/reports/deposit",
    "/manager/setup",
    "/manager/setup/table?table=ddm_1",
    "/manager/setup/jackpot?jackpot=push_22",
    "/manager/setup/link?link=madness",
    "/manager/setup/house",
    "/manager/people",
    "/manager/devices",
    "/manager/audit",
    "/manager/audit/entries",
    "/manager/ledger/verify",
    "/manager/pin",
)


MAIN = ("/manager", "/manager/claims", "/manager/claims/{award}", "/manager/reports/achieved", "/manager/setup")


def looked_at(page: Page, paths: tuple[str, ...], award: str) -> None:
    for path in paths:
        page.goto(path.format(award=award))
        assert_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.parametrize("part", range(3))
def test_every_page_is_accessible_and_fits_a_phone(site: Site, part: int) -> None:
    award = hit(site)
    page = site.staff("executive", "/manager", viewport=PHONE, color_scheme="dark")
    looked_at(page, PATHS[part::3], award)


def test_the_main_pages_are_accessible_on_a_desk(site: Site) -> None:
    award = hit(site)
    looked_at(site.staff("executive", "/manager"), MAIN, award)


def test_the_shift_and_day_report_fits_a_screen_of_1440(site: Site) -> None:
    lock(site.web.role("dealer"), "ddm_1", 1, 2)
    page = site.staff("executive", "/manager/reports/accrual", viewport={"width": 1440, "height": 900})
    expect(page.get_by_role("columnheader", name="Seed")).to_be_in_viewport()
    hidden = page.evaluate(
        "[...document.querySelectorAll('.scroll')].map((part) => part.scrollWidth - part.clientWidth)"
    )
    assert max(hidden) == 0, "no column lies outside its box"
