"""Plots in a real browser: drawn, read by mouse and keys, zoomed, switched off line by line, and accessible."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser import FIRST_LOAD, MOST_BYTES, PHONE, Site, assert_accessible

PLOTS = "/plots/double_down_madness/push_22_progressive"
FITS = "document.documentElement.scrollWidth <= innerWidth"
INKED = """canvas => {
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let inked = 0;
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at]) inked += 1;
  return inked;
}"""


def area_of(page: Page, kind: str) -> Locator:
    area = page.locator(f"#plot-{kind} .plot-area")
    expect(area.locator("canvas")).to_be_visible()
    return area


def inked(area: Locator) -> int:
    found: int = area.locator("canvas").evaluate(INKED)
    return found


def test_every_plot_is_drawn_and_accessible(site: Site) -> None:
    page = site.visit(PLOTS)
    for kind in ("outcomes", "meter-edge", "decks", "bankroll"):
        assert inked(area_of(page, kind)) > 3_000
    assert_accessible(page)
    assert page.evaluate(FIRST_LOAD) < MOST_BYTES
    page.locator("#plot-outcomes summary").click()
    expect(page.locator("#plot-outcomes table")).to_contain_text("5.85506%")


OFF_STRAIGHT = """canvas => {
  const { width, height } = canvas;
  const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "var(--plot-1)";
  const wanted = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
  const points = [];
  for (let x = 0; x < width; x += 1) {
    let inked = 0, sum = 0;
    for (let y = 0; y < height; y += 1) {
      const at = 4 * (y * width + x);
      if (pixels[at + 3] < 8 || wanted.some((part, nth) => Math.abs(part - pixels[at + nth]) > 24)) continue;
      inked += pixels[at + 3];
      sum += pixels[at + 3] * y;
    }
    if (inked > 255) points.push([x, sum / inked]);
  }
  const mean = (values) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const x0 = mean(points.map(([x]) => x)), y0 = mean(points.map(([, y]) => y));
  const slope = mean(points.map(([x, y]) => (x - x0) * (y - y0))) / mean(points.map(([x]) => (x - x0) ** 2));
  const off = points.map(([x, y]) => Math.abs(y - y0 - slope * (x - x0))).sort((a, b) => a - b);
  return [points.length, off[Math.floor(0.9 * off.length)]];
}"""
"""How many columns of pixels have the first line in them, and how far nine of ten are at most from a straight line."""


def test_a_straight_line_is_drawn_straight(site: Site) -> None:
    page = site.visit(PLOTS)
    columns, off = area_of(page, "meter-edge").locator("canvas").evaluate(OFF_STRAIGHT)
    assert columns > 300
    assert off < 0.15


def test_keys_read_every_value(site: Site) -> None:
    page = site.visit(PLOTS)
    area = area_of(page, "outcomes")
    area.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(area).to_have_attribute("aria-valuetext", "pays 5 for 1: probability 5.85506%")
    expect(page.locator("#plot-outcomes .plot-read")).to_have_text("pays 5 for 1: probability 5.85506%")
    page.keyboard.press("End")
    expect(area).to_have_attribute("aria-valuetext", "pays 100% of meter: probability 0.0001673%")
    page.keyboard.press("ArrowRight")
    expect(area).to_have_attribute("aria-valuenow", "5")


def test_what_is_read_is_what_the_table_says(site: Site) -> None:
    """Values are written by the server in the table and by a script beside the drawing: one text for one value."""
    page = site.visit(PLOTS)
    for kind, form in (
        ("meter-edge", "meter {}: of the next wager {}; over the life of the jackpot {}"),
        ("decks", "decks in a fresh shoe {}: house edge {}"),
    ):
        area = area_of(page, kind)
        lines = page.locator(f"#plot-{kind} tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
        )
        area.focus()
        for line in lines:
            page.keyboard.press("ArrowRight")
            assert area.get_attribute("aria-valuetext") == form.format(*line)
        assert len(lines) > 8


def test_the_mouse_reads_and_zooms(site: Site) -> None:
    page = site.visit(PLOTS)
    area = area_of(page, "meter-edge")
    area.scroll_into_view_if_needed()
    over = area.locator(".u-over").bounding_box()
    assert over is not None
    middle = over["y"] + over["height"] / 2
    page.mouse.move(over["x"] + over["width"] / 2, middle)
    read = page.locator("#plot-meter-edge .plot-read")
    expect(read).to_contain_text("of the next wager 13.7383%")
    whole = page.get_by_role("button", name="Show the whole range")
    expect(whole).to_have_count(0)
    page.mouse.down()
    page.mouse.move(over["x"] + over["width"] * 0.75, middle, steps=4)
    page.mouse.up()
    expect(whole).to_be_visible()
    page.mouse.move(over["x"] + over["width"] * 0.5, middle)
    expect(read).not_to_contain_text("13.7383%")
    whole.click()
    expect(whole).to_have_count(0)


def test_a_line_is_hidden_and_shown_by_its_button(site: Site) -> None:
    page = site.visit(PLOTS)
    area = area_of(page, "bankroll")
    button = page.locator("#plot-bankroll").get_by_role("button", name="95% of periods")
    expect(button).to_have_attribute("aria-pressed", "true")
    before = inked(area)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    page.wait_for_function(
        f"before => ({INKED})(document.querySelector('#plot-bankroll canvas')) !== before", arg=before
    )
    area.focus()
    page.keyboard.press("End")
    expect(page.locator("#plot-bankroll .plot-read")).not_to_contain_text("95% of periods")
    expect(page.locator("#plot-bankroll .plot-read")).to_contain_text("50% of periods")


def test_a_phone_in_the_dark_and_turned(site: Site) -> None:
    page = site.visit(PLOTS, viewport=PHONE, color_scheme="dark")
    area = area_of(page, "outcomes")
    assert page.evaluate(FITS)
    assert_accessible(page)
    page.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})
    page.wait_for_function("() => document.querySelector('#plot-decks canvas').getBoundingClientRect().width > 340")
    assert page.evaluate(FITS)
    assert inked(area) > 3_000


def test_an_odds_sheet_draws_its_plots_once_they_are_there(site: Site) -> None:
    page = site.visit("/sheet/blackjack/lucky_lucky")
    assert inked(area_of(page, "outcomes")) > 3_000
    assert_accessible(page)


UPDATE = """() => {
  const figure = document.querySelector("#plot-decks");
  const data = JSON.parse(figure.querySelector("script").textContent);
  data.lines[0].y = data.lines[0].y.map((value) => value / 2);
  figure.querySelector("script").textContent = JSON.stringify(data);
  window.chartBefore = figure.querySelector(".uplot");
  document.dispatchEvent(new CustomEvent("htmx:after:swap"));
  return figure.querySelector(".uplot") === window.chartBefore;
}"""


def test_new_values_are_drawn_in_place_and_what_is_read_stays(site: Site) -> None:
    page = site.visit("/plots/mini_baccarat/tie")
    area = area_of(page, "decks")
    area.focus()
    page.keyboard.press("Home")
    expect(area).to_have_attribute("aria-valuetext", "decks in a fresh shoe 1: house edge 15.7461%")
    assert page.evaluate(UPDATE)
    expect(area).to_have_attribute("aria-valuetext", "decks in a fresh shoe 1: house edge 7.87306%")
