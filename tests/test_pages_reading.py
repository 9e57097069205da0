"""Pages to read: rules, strategies, published figures. None of them needs a script."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from croupier.floor.files import demo_floor, demo_hall
from croupier.house_time import date_text
from croupier.reports.render.html import inline
from croupier.rules import find_game, game_ids
from tests.test_pages_lobby import settled, text_of
from tests.web_client import Web, demo_web


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("reading") / "reading.db")) as made:
        yield made


def get(web: Web, path: str, status: int = 200) -> str:
    answer = TestClient(web.app).get(path)
    assert answer.status_code == status, answer.text
    return answer.text


def plain(text: str) -> str:
    """A text of a game's file as it stands on a page, without marks."""
    return " ".join(re.sub(r"[`*]", "", text).split())


@pytest.mark.parametrize("name", game_ids())
def test_the_rules_page_has_all_that_the_games_file_says(web: Web, name: str) -> None:
    game = find_game(name)
    html = get(web, f"/rules/{name}").replace("&#39;", "'").replace("&#34;", '"').replace("&amp;", "&")
    text = text_of(html).replace("&gt;", ">").replace("&lt;", "<")
    for step in (*game.rules, *game.conditions, *game.history):
        assert plain(step) in text
    for reading in game.readings:
        assert plain(reading.doubt) in text and plain(reading.why) in text
    for switch in game.switches:
        assert f"<code>{switch.id}</code>" in html and f"<strong>{switch.default}</strong>" in html
    for wager in game.wagers:
        assert f"<code>{wager.id}</code>" in html
    if game.source.kind:
        assert game.source.draft_text in text
    else:
        assert f"letter {game.source.letter}" in text and date_text(game.source.date) in text
    assert "a single wager, and a single double, is $400 at most" in text


def test_the_list_of_rules_leads_to_every_game(web: Web) -> None:
    html = get(web, "/rules")
    assert [name for name in game_ids() if f'href="/rules/{name}"' not in html] == []


def test_marks_become_html_and_nothing_else_does() -> None:
    assert inline("**a** `b` *c*<br>d") == "<strong>a</strong> <code>b</code> <em>c</em><br>d"
    assert inline("<script>alert(1)</script> & `<i>`") == (
        "&lt;script&gt;alert(1)&lt;/script&gt; &amp; <code>&lt;i&gt;</code>"
    )


def test_published_figures_stand_beside_the_exact_ones(web: Web) -> None:
    html = settled(web, "/check")
    text = text_of(html)
    count = sum(len(find_game(name).published) for name in game_ids())
    assert f"{count} figures:" in text
    assert "hx-get" not in html
    assert "Lucky Lucky® 1 6 house edge 5.31% 5.3054% +0.0046% equal" in text
    assert "No figures are published for Blackjack Switch" in text
    for name in game_ids():
        for fact in find_game(name).published:
            assert fact.printed in html


def test_a_strategy_is_a_chart_of_letters_with_words(web: Web) -> None:
    html = settled(web, "/strategy/blackjack")
    text = text_of(html)
    assert "House edge, optimal play 0.61539%" in text
    assert "S stand" in text and "P split" in text
    row = re.search(r'<th scope="row">16</th>(.*?)</tr>', html)
    assert row is not None
    assert re.findall(r">(\w+)</abbr>", row.group(1)) == ["S"] * 5 + ["H"] * 5
    assert '<abbr title="stand">S</abbr>' in html


def test_a_game_that_asks_nothing_says_so_instead_of_a_chart(web: Web) -> None:
    assert "asks its players nothing" in get(web, "/strategy/mini_baccarat")


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/rules/blackjak", 404, "Did you mean &#34;blackjack&#34;?"),
        ("/strategy/roulette", 404, "Accepted: bet_the_bust, bet_the_set_21,"),
        ("/strategy/blackjack?decks=a", 422, "Accepted: "),
    ],
)
def test_what_is_not_there_is_answered_with_what_is(web: Web, path: str, status: int, says: str) -> None:
    assert says in get(web, path, status)


def test_a_name_in_an_address_is_never_a_file(web: Web) -> None:
    for name in ("pyproject.toml", "..%2Fpyproject.toml", "src%2Fcroupier%2Fgames%2Fblackjack%2Fgame.toml"):
        assert TestClient(web.app).get(f"/rules/{name}").status_code == 404


def test_about_says_whose_names_these_are_and_how_the_server_is(web: Web) -> None:
    text = text_of(get(web, "/about"))
    assert "independent software" in text and "belong to their owners" in text and "play money" in text
    assert re.search(r"Ledger OK, \d+ entries", text)


def test_about_lists_each_paragraph_of_the_law_once(web: Web) -> None:
    body = get(web, "/about")
    sections = re.findall(r"<li><a href=[^>]*>((?:WAC|RCW) [^<]*)</a>", body)
    assert len(sections) > 10
    assert sorted(set(sections)) == sorted(sections)


def test_both_demonstrations_have_a_name_of_their_own() -> None:
    assert demo_floor().name != demo_hall().name


def test_the_rules_of_baccarat_show_where_the_letter_contradicts_itself_with_both_edges(web: Web) -> None:
    page = plain(get(web, "/rules/mini_baccarat"))
    assert "the edge is 68.14% for wagers on player and 73.30% for wagers on banker" in page
    assert "give 33.45%, and 22.90% is printed" in page
    assert "only if the side that the seat wagered on wins" in page and "locks the award and lowers the meter" in page


def test_differences_come_first_and_can_be_all_that_is_shown(web: Web) -> None:
    every = settled(web, "/check")
    verdicts = [re.findall(r'class="verdict (\w+)"', part) for part in every.split("<section")[1:]]
    ordered = [found for found in verdicts if found]
    for found in ordered:
        assert found == sorted(found, key=("differs", "not_computed", "within_simulation_error", "equal").index)
    assert [("differs" in found) for found in ordered] == sorted(
        (("differs" in found) for found in ordered), reverse=True
    )
    differing = settled(web, "/check?verdict=differs")
    assert set(re.findall(r'class="verdict (\w+)"', differing)) == {"differs"}
    one = settled(web, "/check?game=mini_baccarat")
    assert 'id="mini_baccarat"' in one and 'id="blackjack"' not in one
    wrong = TestClient(web.app).get("/check?verdict=wrong")
    assert wrong.status_code == 422 and "Accepted: equal" in wrong.text
