"""The page of a wager's plots: what it says without scripts, and what an odds sheet loads of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.test_pages_lobby import settled
from tests.web_client import Web, demo_web

PROGRESSIVE = "/plots/double_down_madness/push_22_progressive"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("plots") / "plots.db")) as made:
        yield made


def plots_in(html: str) -> dict[str, dict[str, object]]:
    found = [json.loads(text) for text in re.findall(r'<script type="application/json">(.*?)</script>', html, re.S)]
    return {plot["id"]: plot for plot in found}


@pytest.mark.parametrize(
    ("path", "kinds"),
    [
        (PROGRESSIVE, ["outcomes", "meter-edge", "decks", "bankroll"]),
        ("/plots/blackjack/main", ["outcomes", "up-cards", "decks", "bankroll"]),
        ("/plots/mini_baccarat/tie", ["outcomes", "decks", "bankroll"]),
    ],
)
def test_a_wager_has_its_fitting_plots_as_data_and_as_tables(web: Web, path: str, kinds: list[str]) -> None:
    html = settled(web, path)
    assert list(plots_in(html)) == kinds
    for kind in kinds:
        assert f'<details id="plot-{kind}-values">' in html
    assert " style=" not in html


def test_values_are_readable_without_scripts(web: Web) -> None:
    html = settled(web, PROGRESSIVE)
    assert '<th scope="row">5 for 1</th><td class="number">5.85506%</td>' in html
    assert "break-even: $168,426" in html


def test_fields_of_the_sheet_decide_the_plots(web: Web) -> None:
    usual = plots_in(settled(web, PROGRESSIVE))["meter-edge"]
    other = plots_in(settled(web, f"{PROGRESSIVE}?seed=20000&meter=50000"))["meter-edge"]
    names = {mark["name"]: mark["x"] for mark in other["marks"]}  # type: ignore[attr-defined]
    assert (names["seed"], names["now"]) == (20_000, 50_000)
    assert usual != other


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/plots/blackjak/main", 404, "unknown_game"),
        ("/plots/blackjack/luck", 404, "unknown_wager"),
        ("/plots/blackjack/main?pay=1", 422, "unknown_field"),
        ("/plots/blackjack/main?decks=99", 422, "bad_field"),
    ],
)
def test_what_cannot_be_drawn_is_refused(web: Web, path: str, status: int, code: str) -> None:
    answer = TestClient(web.app).get(path)
    assert (answer.status_code, code in answer.text) == (status, True)


def test_an_odds_sheet_loads_the_plots_of_its_own_rules(web: Web) -> None:
    html = settled(web, "/sheet/blackjack/lucky_lucky?pay_table=2")
    assert 'hx-get="/plots/blackjack/lucky_lucky?pay_table=2"' in html
