"""The page of meter what-ifs: exact figures in the answer itself, simulated years beside, refusals at their fields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import unescape

import pytest
from starlette.testclient import TestClient

from croupier.lab.meter import MeterAsk, exact_meter
from croupier.lab.meter_years import simulate_meter
from croupier.reports.simulation.meter_report import AGREEMENT
from croupier.web.pages.lab.meter import command_of, progressives
from tests.conftest import Croupier
from tests.test_pages_lobby import settled, text_of
from tests.web_client import Web, demo_web

pytestmark = pytest.mark.slow

PAGE = "/lab/meter"
DRAFT = "contribution=25%25&reserve=4%25&seed_amount=20000&start=150000&seats=2.5&tables=3&hours=20"
ASK = MeterAsk(
    game="double_down_madness",
    wager="push_22_progressive",
    pay_table="1",
    decks="6",
    contribution="25%",
    reserve="4%",
    seed_amount="20000",
    start="150000",
    seats="2.5",
    tables=3,
    hours="20",
)
HTMX = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("meter") / "meter.db")) as made:
        yield made


def shown(web: Web, path: str) -> str:
    return text_of(unescape(settled(web, path)))


def test_a_draft_stands_beside_the_approved_settings_with_every_change(web: Web) -> None:
    text = shown(web, f"{PAGE}?{DRAFT}")
    approved = exact_meter(ASK.approved())
    for one in exact_meter(ASK).quantities:
        other = approved.get(one.id)
        assert other is not None
        line = [one.label, other.text, one.text, one.change_from(other)]
        assert " ".join(part for part in line if part) in text
    assert "Approved: pay table 1, seed $10,000, contribution 20.00%, reserve 0.00%" in text
    assert "Draft: pay table 1, seed $20,000, contribution 25.00%, reserve 4.00%" in text


def test_simulated_years_name_their_seed_and_have_standard_errors(web: Web) -> None:
    html = settled(web, f"{PAGE}?{DRAFT}&random_seed=9")
    text = text_of(unescape(html))
    years = simulate_meter(ASK, 9, ASK.approved())
    for one in years.quantities:
        assert f"{one.label} {years.approved_text(one.id)} {one.text}" in text
    assert f"{years.years:,} years of 52 weeks" in text and "simulated with seed 9" in text
    assert {one.name for one in years.agreement} <= set(AGREEMENT)
    assert html.count("data-plot") == len(years.plots)
    assert "advises against a contribution above the pre-set one" in text and "The exact edge falls from" in text


def test_settings_as_approved_are_compared_with_nothing(web: Web) -> None:
    for query in ("", "?contribution=20%25&reserve=0&stake=1&set.fixed_pays=tray&pay_table=1"):
        text = shown(web, f"{PAGE}{query}")
        assert "As approved: pay table 1, seed $10,000" in text
        assert "Change" not in text


def test_another_pay_table_can_be_the_one_to_compare_with(web: Web) -> None:
    text = shown(web, f"{PAGE}?wager=mini_baccarat/dragon_bonus_progressive&pay_table=3&against=2")
    assert "Approved: pay table 2, seed $10,000" in text and "Draft: pay table 3, seed $5,000" in text


def test_htmx_gets_the_exact_part_and_an_address_to_keep(web: Web) -> None:
    settled(web, f"{PAGE}?contribution=30%25")  # the pay table is walked
    answer = TestClient(web.app).get(f"{PAGE}?contribution=31%25&reserve=&tables=", headers=HTMX)
    assert answer.text.lstrip().startswith('<div id="meter"')
    assert answer.headers["HX-Replace-Url"] == f"{PAGE}?contribution=31%25"
    assert f'hx-get="{PAGE}/years?contribution=31%25"' in answer.text
    assert "House edge over the life" in answer.text
    assert settled(web, f"{PAGE}/years?contribution=31%25").count("data-plot") == 3


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ("contribution=lots", "contribution", '"lots" is not a rate'),
        ("reserve=120%25", "reserve", "more than the whole wager"),
        ("contribution=20", "contribution", "0% to 100%. For per cents write 20%."),
        ("rounds_per_hour=1000000000", "rounds_per_hour", "write 0 to 999999, as 3 or 2.5"),
        ("contribution=90%25&reserve=20%25", "contribution", "together they are 1 at most"),
        ("seed_amount=-5", "seed_amount", "negative"),
        ("start=x", "start", "is not an amount in dollars"),
        ("seats=9", "seats", "9 wagers a round: 1 to 7"),
        ("seats=few", "seats", "is not a number of wagers a round"),
        ("hours=25", "hours", "25 hours a day"),
        ("rounds_per_hour=0", "rounds_per_hour", "0 rounds an hour"),
        ("tables=0", "tables", "0 tables: 1 to 1000"),
        ("tables=two", "tables", "is not a whole number"),
        ("pay_table=9", "pay_table", "Accepted: 1, 2, 3, 4."),
        ("against=9", "against", "Accepted: 1, 2, 3, 4."),
        ("decks=5", "decks", "Accepted: 6, 8, inf."),
        ("stake=2", "stake", "$1 or $5 or $25"),
        ("random_seed=-1", "random_seed", "is not a whole number"),
        ("set.fixed_pays=purse", "set.fixed_pays", "Accepted: "),
        ("side=player", "side", "it has no sides"),
    ],
)
def test_a_bad_value_is_answered_at_its_field_and_kept(
    web: Web, headers: dict[str, str], query: str, field: str, says: str
) -> None:
    answer = TestClient(web.app).get(f"{PAGE}?{query}", headers=headers)
    html = unescape(answer.text)
    assert answer.status_code == 422, html
    start = html.index(f'id="problem-{field}"')
    assert says in html[start : html.index("</small>", start)]
    written = query.partition("&")[0].partition("=")[2].replace("%25", "%")
    assert f'value="{written}"' in html
    assert 'id="exact"' not in html and "data-plot" not in html


@pytest.mark.parametrize(
    ("query", "status", "says"),
    [
        ("wager=blackjack/main", 404, "with a meter"),
        ("contributions=5", 422, 'Did you mean "contribution"?'),
        ("set.color=red", 422, 'There is no field "set.color"'),
        (f"contribution={'9' * 100}", 422, "at most 60 characters"),
    ],
)
def test_what_is_not_there_is_answered_with_what_is(web: Web, query: str, status: int, says: str) -> None:
    answer = TestClient(web.app).get(f"{PAGE}?{query}")
    assert answer.status_code == status and says in unescape(answer.text)


def test_every_progressive_has_its_what_if(web: Web) -> None:
    offered = progressives()
    letters = {"double_down_madness/push_22_progressive", "mini_baccarat/dragon_bonus_progressive"}
    assert letters < set(offered)
    for name in letters:
        for table in offered[name][1].pay_tables:
            assert "House edge over the life" in shown(web, f"{PAGE}?wager={name}&pay_table={table.id}")


def test_the_command_on_the_page_asks_the_same(croupier: Croupier) -> None:
    ask = replace(ASK, settings=(("fixed_pays", "meter"), ("soft17", "stand")), contribution="90%")
    words = command_of(ask).split()
    assert words[0] == "croupier"
    said = croupier(*words[1:], "--years", "256", "--json")
    assert said.status == 0, said.err
    assert '"fixed_pays": "meter"' in said.out and '"start": "150000.00"' in said.out
