"""The lab in a real browser: figures that follow typing, solving, a file saved and opened again, phone and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import FIRST_LOAD, MOST_BYTES, PHONE, Site, assert_accessible

LUCKY = "/lab?game=blackjack&wager=lucky_lucky&pay_table=1&decks=6"
METER = "/lab/meter?wager=double_down_madness/push_22_progressive"
FITS = "document.documentElement.scrollWidth <= innerWidth"


def test_the_edge_follows_what_is_typed_and_the_field_keeps_the_focus(site: Site) -> None:
    page = site.visit(LUCKY)
    expect(page.locator("#figure-edge")).to_contain_text("5.30539%")
    assert page.evaluate(FIRST_LOAD) < MOST_BYTES
    pays = page.get_by_label("Suited 7-7-7 pays")
    pays.fill("")
    pays.press_sequentially("250 to 1", delay=20)
    page.wait_for_url("**&pays.0=250+to+1")  # "250" alone is 250 to 1 already
    expect(page.locator("#figure-edge")).to_contain_text("5.22560%")
    expect(page.locator("#figure-edge")).to_contain_text("-0.07979%")
    expect(pays).to_be_focused()
    expect(pays).to_have_value("250 to 1")
    page.reload()
    expect(page.locator("#figure-edge")).to_contain_text("5.22560%")
    assert_accessible(page)


def test_a_half_typed_pay_is_marked_while_the_figures_stay(site: Site) -> None:
    page = site.visit(LUCKY)
    pays = page.get_by_label("Suited 7-7-7 pays")
    pays.fill("250 t")
    expect(pays).to_have_attribute("aria-invalid", "true")
    expect(pays).to_have_accessible_description('"250 t" is not a pay. Write "3 to 2", "50 for 1" or "push".')
    expect(page.locator("#figure-edge")).to_contain_text("5.30539%")
    pays.fill("250 to 1")
    expect(page.locator("#figure-edge")).to_contain_text("5.22560%")
    expect(page.get_by_text("Nothing was computed")).to_have_count(0)


def test_rows_go_off_and_on_and_a_pay_is_solved_for(site: Site) -> None:
    page = site.visit(LUCKY)
    page.get_by_label("Wanted edge").fill("5%")
    page.locator("#solve_row").select_option("Suited 21")
    expect(page.locator("#solve")).to_contain_text("Suited 21: 10.576257 to 1 gives 5.0000%")
    expect(page.locator("#solve")).to_contain_text("21 to 2")
    page.locator("#off-7").check()
    expect(page.locator("#row-7")).to_contain_class("removed")
    page.get_by_label("Add a row for").select_option("total_19")
    expect(page.get_by_label("Total 19 pays")).to_have_value("1 to 1")
    expect(page.locator("#figure-edge")).to_contain_text("12.57243%")
    page.locator("[id='off-+total_19']").click()
    expect(page.get_by_label("Total 19 pays")).to_have_count(0)
    page.locator("#off-7").uncheck()
    expect(page.locator("#figure-edge")).to_contain_text("5.30539%")


def test_pays_are_stepped_undone_reset_and_a_players_edge_is_said_in_red(site: Site) -> None:
    page = site.visit(LUCKY, viewport={"width": 1440, "height": 900})
    edge = page.locator("#figure-edge dd").first
    expect(edge).to_contain_text("%")
    before = edge.inner_text()
    top = page.get_by_label("Suited 7-7-7 pays", exact=True)
    page.get_by_role("button", name="1 more for Suited 7-7-7").click()
    expect(top).to_have_value("201 to 1")
    expect(edge).not_to_have_text(before)
    top.press("Shift+ArrowDown")
    expect(top).to_have_value("191 to 1")
    page.get_by_role("button", name="Undo the last pay").click()
    expect(top).to_have_value("201 to 1")
    page.get_by_role("button", name="Reset Suited 7-7-7 to 200 to 1").click()
    expect(top).to_have_value("200 to 1")
    expect(edge).to_have_text(before)
    top.fill("5000")  # a bare number is odds to one
    expect(page.locator(".favors")).to_contain_text("The player has the edge")
    expect(page.locator("#figure-edge")).to_have_css("color", "rgb(163, 34, 28)")
    assert_accessible(page)


def test_a_solved_pay_is_used_and_the_row_to_solve_for_is_not_kept_for_another_game(site: Site) -> None:
    page = site.visit(LUCKY)
    page.locator("#solve_row").select_option(label="Suited 7-7-7")
    page.locator("#solve_edge").fill("4%")
    use = page.get_by_role("button", name="Use ").first
    wanted = use.get_attribute("value")
    use.click()
    assert wanted is not None
    expect(page.get_by_label("Suited 7-7-7 pays", exact=True)).to_have_value(wanted.partition("=")[2])
    page.locator("#game").select_option("double_down_madness")
    expect(page).to_have_title(re.compile("Double Down|Push 22|Main"))
    expect(page.locator(".problem")).to_have_count(0)
    expect(page.locator("#solve_edge")).to_have_value("")


def test_picking_a_table_a_switch_and_a_game_makes_the_form_anew(site: Site) -> None:
    page = site.visit("/lab?game=blackjack&wager=lucky_break")
    page.locator("#pay_table").select_option("3")
    expect(page).to_have_url(re.compile("pay_table=3"))
    page.get_by_text("House rules").click()
    soft17 = page.get_by_label("Whether the dealer hits or stands on soft 17.")
    soft17.focus()
    soft17.select_option("stand")
    expect(page.locator("#set-soft17")).to_be_focused()
    expect(page.locator("#set-soft17")).to_be_visible()
    expect(page).to_have_url(re.compile("set.soft17=stand"))
    page.locator("#game").select_option("mini_baccarat")
    expect(page.get_by_role("heading", name="Dragon Bonus® on player")).to_be_visible()
    expect(page.locator("#figure-edge")).to_contain_text("2.65")


def test_a_draft_is_saved_as_a_file_and_opened_again(site: Site, tmp_path: Path) -> None:
    page = site.visit(f"{LUCKY}&pays.0=250+to+1")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a game file").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    page.locator("#upload").set_input_files(path)
    page.get_by_role("button", name="Open the file").click()
    expect(page.locator("#game")).to_contain_text("Own file")
    expect(page.locator("#figure-edge")).to_contain_text("5.22560%")
    page.get_by_label("Suited 7-7-7 pays").fill("300 to 1")
    expect(page.locator("#figure-edge")).to_contain_text("5.14581%")
    path.write_text("id = ")
    page.locator("#upload").set_input_files(path)
    page.get_by_label("Suited 7-7-7 pays").fill("777 to 1")
    expect(page.locator("#figure-edge")).not_to_contain_text("5.14581%")
    page.get_by_role("button", name="Open the file").click()
    refusal = page.get_by_role("alert").filter(has_text="is not well-formed TOML")
    expect(refusal).to_be_focused()
    expect(refusal).to_be_in_viewport()
    expect(page.get_by_label("Suited 7-7-7 pays")).to_have_value("777 to 1")
    expect(page.locator("#game")).to_contain_text("Own file")


def test_the_last_row_that_is_taken_off_is_said_at_the_rows_and_no_figure_stays(site: Site) -> None:
    page = site.visit("/lab?game=mini_baccarat&wager=tie")
    expect(page.locator("#figure-edge")).to_contain_text("14.35963%")
    page.locator("#off-0").check()
    expect(page.get_by_role("alert").filter(has_text="A pay table needs at least one row")).to_be_visible()
    expect(page.locator("#figure-edge")).to_have_count(0)
    page.locator("#off-0").uncheck()
    expect(page.locator("#figure-edge")).to_contain_text("14.35963%")


def test_a_panel_that_is_opened_while_an_answer_is_made_stays_open(site: Site) -> None:
    page = site.visit(LUCKY)
    expect(page.locator("#figure-edge")).to_contain_text("5.30539%")
    page.evaluate(
        """() => document.addEventListener("htmx:before:request", () => {
          document.getElementById("switches").open = true;
        }, {once: true})"""
    )
    page.locator("#decks").select_option("2")
    expect(page).to_have_url(re.compile("decks=2"))
    expect(page.locator("#set-soft17")).to_be_visible()
    page = site.visit("/lab/meter")
    page.locator("#meter-switches summary").click()
    page.get_by_label("Contribution").fill("25%")
    expect(page.get_by_role("columnheader", name="Draft").first).to_be_visible()
    expect(page.locator("#meter-switches .switch-fields")).to_be_visible()


def test_what_is_chosen_while_an_answer_is_put_into_its_place_has_its_own_answer_after_it(site: Site) -> None:
    page = site.visit("/lab?game=blackjack&wager=lucky_lucky")
    page.evaluate(
        """() => document.addEventListener("htmx:before:swap", () => {
          const decks = document.getElementById("decks");
          decks.value = "8";
          decks.dispatchEvent(new Event("change", { bubbles: true }));
        }, { once: true })"""
    )
    page.get_by_label("Decks").select_option("2")
    page.wait_for_url("**decks=8**")
    expect(page.get_by_label("Decks")).to_have_value("8")


def test_a_meter_is_moved_by_a_slider_beside_figures_that_stay_in_sight(site: Site) -> None:
    page = site.visit(METER, viewport={"width": 1440, "height": 900})
    edge = page.locator(".headline dd").first
    expect(edge).to_contain_text("%")
    before = edge.inner_text()
    page.locator("#slide-contribution").evaluate(
        "slider => { slider.value = 30; slider.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    expect(page.get_by_label("Contribution")).to_have_value("30%")
    expect(edge).not_to_have_text(before)
    expect(page).to_have_url(re.compile("contribution=30"))
    form, figures = page.locator("#meter-form").bounding_box(), page.locator(".headline").bounding_box()
    assert form is not None and figures is not None
    assert form["x"] + form["width"] <= figures["x"], "side by side"
    page.mouse.wheel(0, 900)
    expect(page.locator("h1")).not_to_be_in_viewport()
    expect(page.locator(".headline")).to_be_in_viewport()
    expect(page.locator("#slide-contribution")).to_be_in_viewport()


def test_a_meter_on_a_phone_is_read_without_scrolling_sideways(site: Site) -> None:
    page = site.visit("/lab/meter?contribution=25%25", viewport=PHONE)
    how = page.locator("#exact td.how").first
    expect(how).to_be_visible()
    box = how.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= PHONE["width"] and box["width"] > PHONE["width"] / 2
    assert page.evaluate(FITS)


@pytest.mark.parametrize(
    "path", [f"{LUCKY}&pays.0=250+t&solve_edge=x", "/lab?game=mini_baccarat&wager=dragon_bonus_progressive"]
)
def test_the_lab_fits_a_phone_in_the_dark(site: Site, path: str) -> None:
    page = site.visit(path, viewport=PHONE, color_scheme="dark")
    expect(page.get_by_text("Computing")).to_have_count(0)
    assert page.evaluate(FITS)
    assert_accessible(page)


def test_the_lab_works_without_scripts(site: Site) -> None:
    page = site.visit(LUCKY, java_script_enabled=False)
    page.get_by_label("Suited 7-7-7 pays").fill("250 to 1")
    page.get_by_role("button", name="Show").click()
    while page.get_by_text("Computing").count():
        page.get_by_role("button", name="Show").click()
    assert "5.22560%" in page.locator("#figure-edge").inner_text()


def test_a_wager_that_is_played_is_solved_by_a_button(site: Site) -> None:
    page = site.visit("/lab?game=blackjack&wager=main&decks=6")
    page.get_by_role("textbox", name="Blackjack pays").fill("6 to 5")
    page.get_by_role("button", name="Compute").click()
    expect(page.locator("#figure-edge")).to_contain_text("+1.35969%", timeout=60_000)
