"""Odds sheets as pages: what paper has, for every wager, and the same files as from the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from croupier.exact.odds import compute_odds
from croupier.reports.formatting import percent
from croupier.reports.report import Report
from croupier.reports.sheet.fill import make_sheet
from croupier.reports.sheet.report import sheet_report
from croupier.rules import find_game, game_ids
from croupier.rules.choice import choose
from croupier.web.pages.choosing import CHOICE_FIELDS
from croupier.web.pages.reading.sheet_work import METER_FIELDS
from tests.conftest import Croupier
from tests.test_pages_lobby import settled, text_of
from tests.web_client import Web, demo_web

PUSH_22 = "/sheet/double_down_madness/push_22_progressive"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("sheet") / "sheet.db")) as made:
        yield made


def shown(web: Web, path: str) -> str:
    return text_of(unescape(settled(web, path)))


def get(web: Web, path: str, status: int = 200) -> str:
    answer = TestClient(web.app).get(path)
    assert answer.status_code == status, answer.text
    return unescape(answer.text)


def every_text(report: Report) -> Iterator[str]:
    """All texts of a sheet, as paper sets them."""
    yield report.subtitle
    for fact in report.facts:
        yield from (fact.label, fact.text, fact.detail)
    for table in report.tables:
        yield from (table.title, *table.notes, *(text for line in table.texts for text in line))
    yield from report.notes


@pytest.mark.parametrize(
    ("game", "wager"),
    [
        ("double_down_madness", "push_22_progressive"),
        ("blackjack", "main"),
        ("blackjack", "lucky_lucky"),
        ("mini_baccarat", "tie"),
    ],
)
def test_the_page_says_all_that_paper_says(web: Web, game: str, wager: str) -> None:
    text = shown(web, f"/sheet/{game}/{wager}").casefold()
    report = sheet_report(make_sheet(choose(find_game(game), wager)))
    missing = [one for one in every_text(report) if " ".join(one.split()).casefold() not in text]
    assert missing == []


def test_the_sheet_of_push_22_explains_its_printed_edge(web: Web) -> None:
    text = shown(web, f"{PUSH_22}?pay_table=1")
    assert "House edge per initial bet 14.96236%" in text
    assert "Fixed pays from the tray 63.36443% 50 x 0.0033202 + 15 x 0.0116587 + 5 x 0.0585506" in text
    assert "Seed put up by the house 1.67321%" in text
    assert "14.94% 14.9624% -0.0224% within simulation error" in text
    assert "Break-even meter $168,425.78" in text


def test_rules_and_meter_are_chosen_by_the_address(web: Web) -> None:
    html = settled(web, f"{PUSH_22}?pay_table=2&decks=8&seed=20000&contribution=25%25&meter=150000&set.soft17=stand")
    text = text_of(unescape(html))
    assert "Seed $20,000" in text and "Edge at $150,000" in text and "8 decks" in text
    assert 'value="20000"' in html and 'value="25%"' in html
    assert '<option value="stand" selected>' in html
    assert "soft17 = stand: not in the letter, which has hit" in text.replace("Soft17", "soft17")


def test_a_form_sends_no_rule_that_nobody_chose(web: Web) -> None:
    """What a pay table is read with must not stay when another is picked."""
    html = settled(web, "/sheet/mini_baccarat/dragon_bonus_progressive?pay_table=1")
    for name in ("decks", "set.counts", "set.naturals_count"):
        select = re.search(f'<select name="{re.escape(name)}"[^>]*>(.*?)</select>', html, re.DOTALL)
        assert select is not None and "selected" not in select.group(1)
        assert select.group(1).lstrip().startswith('<option value="">')
    assert "own side (default)" in text_of(html)


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ("pay_table=9", "pay_table", "Accepted: 1, 2, 3, 4."),
        ("decks=99", "decks", "Accepted: 6, 8, inf."),
        ("side=player", "side", "it has no sides"),
        ("set.soft17=maybe", "set.soft17", "Accepted: hit, stand."),
        ("seed=ten", "seed", '"ten"'),
        ("contribution=2", "contribution", "2"),
        ("contribution=80%25&reserve=30%25", "contribution", "together exceed the wager"),
        ("effects=perhaps", "effects", '"perhaps" is neither yes nor no.'),
    ],
)
def test_a_bad_value_is_answered_at_its_field_and_kept(web: Web, query: str, field: str, says: str) -> None:
    html = get(web, f"{PUSH_22}?{query}", 422)
    start = html.index(f'id="problem-{field}"')
    assert says in html[start : html.index("</small>", start)]
    name, _, written = query.partition("&")[0].partition("=")
    assert f'value="{written.replace("%25", "%")}"' in html and f'name="{name}"' in html
    assert 'id="sheet"' not in html
    assert TestClient(web.app).get(f"{PUSH_22}/pdf?{query}").status_code == 422


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/sheet/roulette", 404, "Accepted: bet_the_bust, bet_the_set_21,"),
        ("/sheet/blackjack/lucky", 404, "Accepted: main, insurance,"),
        ("/sheet/blackjack/main?deck=6", 422, 'Did you mean "decks"?'),
        ("/sheet/blackjack/main?set.soft71=hit", 422, 'Did you mean "set.soft17"?'),
        ("/sheet/blackjack/lucky_lucky?seed=5", 422, "it has no seed"),
        ("/sheet/blackjack/main/doc", 422, "Form: accepted:"),
        ("/sheet/blackjack?pay_table.lucky_lucky=9", 422, 'There is no pay table "9"'),
        ("/sheet/mini_baccarat?side=left", 422, "Accepted: player, banker."),
    ],
)
def test_what_is_not_there_is_answered_with_what_is(web: Web, path: str, status: int, says: str) -> None:
    assert says in get(web, path, status)


def test_a_progressives_sheet_leads_to_the_what_if_of_the_same_meter(web: Web) -> None:
    html = unescape(settled(web, f"{PUSH_22}?pay_table=2&decks=8&seed=20000&meter=150000&set.soft17=stand"))
    found = re.search(r'href="(/lab/meter[^"]*)"', html)
    assert found is not None
    text = shown(web, found.group(1))
    assert "Draft: pay table 2, seed $20,000" in text and "meter at $150,000" in text
    assert "--decks 8" in text and "--set soft17=stand" in text


def test_no_switch_has_the_name_of_another_field() -> None:
    for name in game_ids():
        ids = {f"set.{switch.id}" for switch in find_game(name).switches}
        assert not ids & {*CHOICE_FIELDS, *METER_FIELDS, "effects"}


@pytest.mark.parametrize("form", ["pdf", "csv", "json"])
def test_a_download_has_the_bytes_of_the_command_line(web: Web, form: str, croupier: Croupier, tmp_path: Path) -> None:
    settled(web, f"{PUSH_22}?pay_table=2&reserve=5%25")
    answer = TestClient(web.app).get(f"{PUSH_22}/{form}?pay_table=2&reserve=5%25")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == (
        f'attachment; filename="double_down_madness-push_22_progressive-2.{form}"'
    )
    asked = ["sheet", "double_down_madness", "push_22_progressive", "--pay-table", "2", "--reserve", "5%"]
    if form == "json":
        expected = croupier(*asked, "--json").out.encode()
    else:
        assert croupier(*asked, f"--{form}", str(tmp_path / f"sheet.{form}")).status == 0
        expected = (tmp_path / f"sheet.{form}").read_bytes()
    assert answer.content == expected


def test_a_booklet_has_every_sheet_and_is_one_file(web: Web) -> None:
    html = unescape(settled(web, "/sheet/mini_baccarat?side=banker&pay_table.dragon_bonus_progressive=2"))
    text = text_of(html)
    for wager in find_game("mini_baccarat").wagers:
        assert f'id="sheet-{wager.id}"' in html
    linked = "/sheet/mini_baccarat/dragon_bonus_progressive?pay_table=2&side=banker"
    assert f'href="{linked}"' in html
    choice = choose(find_game("mini_baccarat"), "dragon_bonus_progressive", pay_table="2", side="banker")
    edge = percent(compute_odds(choice).edge, 5)
    assert edge in text and edge in shown(web, linked)
    answer = TestClient(web.app).get("/sheet/mini_baccarat/booklet/json?pay_table.dragon_bonus_progressive=2")
    sheets = json.loads(answer.content)["sheets"]
    assert [sheet["head"]["wager"] for sheet in sheets] == [wager.id for wager in find_game("mini_baccarat").wagers]


def test_effects_that_take_minutes_are_left_out_until_asked_for(web: Web) -> None:
    text = settled(web, "/sheet/double_barrel/main")
    assert "Effect of each rule switch" not in text
    assert 'href="/sheet/double_barrel/main?effects=yes"' in text
    assert "Effect of each rule switch" in shown(web, "/sheet/double_down_madness/push_22")
    assert "Effect of each rule switch" not in shown(web, "/sheet/double_down_madness/push_22?effects=no")


@pytest.mark.parametrize("path", ["/blackjack", "/blackjack/main?decks=2&pay_table=1"])
def test_old_addresses_of_odds_lead_to_the_sheets(web: Web, path: str) -> None:
    answer = TestClient(web.app).get(f"/odds{path}", follow_redirects=False)
    assert answer.status_code == 301
    assert answer.headers["location"] == f"/sheet{path}"


def test_htmx_gets_the_part_that_it_waits_for(web: Web) -> None:
    answer = TestClient(web.app).get("/sheet/blackjack/insurance", headers={"HX-Request": "true"})
    assert answer.text.lstrip().startswith('<div id="sheet"')


def test_a_name_of_a_file_or_a_script_is_only_a_wrong_name(web: Web) -> None:
    for name in ("pyproject.toml", "<script>alert(1)"):
        answer = TestClient(web.app).get(f"/sheet/blackjack/{quote(name, safe='')}")
        assert answer.status_code == 404
        assert "<script>alert" not in answer.text


def test_decimals_are_chosen_in_the_address_and_refused_where_there_are_none(web: Web) -> None:
    address = "/sheet/blackjack/lucky_lucky?pay_table=1&decks=6"
    exact = compute_odds(choose(find_game("blackjack"), "lucky_lucky", pay_table="1", decks="6")).rows[0].probability
    usual, fine = shown(web, address), shown(web, f"{address}&decimals=12")
    assert f"{float(exact):.12f}" in fine and f"{float(exact):.12f}" not in usual
    assert (
        "decimals=12"
        not in get(web, f"{address}&decimals=12").partition('class="row downloads"')[2].partition("</p>")[0]
    )
    assert "cannot be shown" in get(web, f"{address}&decimals=99", 422)


def test_a_booklet_has_a_contents_list_of_its_sheets(web: Web) -> None:
    page = settled(web, "/sheet/casino_war")
    for wager in find_game("casino_war").proved_wagers:
        assert f'href="#sheet-{wager.id}"' in page and f'id="sheet-{wager.id}"' in page
