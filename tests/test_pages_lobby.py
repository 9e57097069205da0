"""The lobby: every game with its letter, wagers and exact edges; tables with their seats; jackpots as they stand."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from croupier.hall.actions import Deal, Decide, LayChips, SitDown
from croupier.hall.hall import own_table
from croupier.house_time import date_text
from croupier.money import dollars_and_cents
from croupier.rules import find_game, game_ids
from croupier.web.app import make_app
from tests.web_client import CHEAP, Web, demo_web, lock

LONGEST_S = 240


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("lobby") / "lobby.db")) as made:
        yield made


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def lobby(web: Web) -> str:
    answer = TestClient(web.app).get("/")
    assert answer.status_code == 200
    return answer.text


def settled(web: Web, path: str) -> str:
    """The page once nothing on it is being computed any more; the first time games are solved."""
    until = time.monotonic() + LONGEST_S
    while time.monotonic() < until:
        answer = TestClient(web.app).get(path)
        assert answer.status_code == 200, answer.text
        if "omputing" not in answer.text:
            return answer.text
        time.sleep(0.1)
    raise AssertionError(f"{path} is still being computed")


def test_every_game_has_its_letter_its_wagers_and_its_doors(web: Web) -> None:
    html = lobby(web)
    text = unescape(text_of(html))
    for name in game_ids():
        game = find_game(name)
        assert game.name in text
        of_letter = f"Letter {game.source.letter} of {date_text(game.source.date)}"
        assert (game.source.not_at_hand or of_letter) in text
        for wager in game.proved_wagers:
            assert f'href="/sheet/{name}/{wager.id}"' in html
        for door in ("play", "sheet", "rules"):
            assert f'href="/{door}/{name}"' in html
        assert (f'href="/strategy/{name}"' in html) == game.is_decided


def test_edges_fill_in_exactly(web: Web) -> None:
    text = text_of(settled(web, "/lobby/edges/blackjack"))
    assert "Main wager 0.615%" in text
    assert "Lucky Lucky® 5.305%" in text
    assert "Banker 1.058%" in text_of(settled(web, "/lobby/edges/mini_baccarat"))


def test_a_card_that_waits_for_edges_asks_again_and_one_that_has_them_does_not(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def not_yet(*_: object) -> None:
        return None

    assert "hx-get" not in settled(web, "/lobby/edges/mini_baccarat")
    for kind in ("aside", "sheet"):
        monkeypatch.setattr(web.room.work, kind, not_yet)
    monkeypatch.setattr("croupier.web.pages.play.lobby.shipped_edge", lambda *_: None)
    monkeypatch.setattr("croupier.web.pages.reading.strategy.shipped_strategy", lambda *_: None)
    waiting = TestClient(web.app).get("/lobby/edges/mini_baccarat").text
    assert 'hx-get="/lobby/edges/mini_baccarat"' in waiting and "computing" in waiting
    for path in ("/check", "/sheet/blackjack", "/sheet/blackjack/main", "/strategy/blackjack"):
        page = TestClient(web.app).get(path).text
        assert f'hx-get="{path}"' in page
        assert f'<a href="{path}">refresh now</a>' in page  # without scripts
        assert "<progress" in page


def test_edges_of_default_rules_are_there_before_anything_is_computed(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> None:
        raise AssertionError("something was computed")

    for kind in ("aside", "sheet", "do", "soon"):
        monkeypatch.setattr(web.room.work, kind, never)
    html = lobby(web)
    assert "omputing" not in html and "0.615% edge" in text_of(html)
    for name in game_ids():
        if find_game(name).is_decided:
            assert TestClient(web.app).get(f"/strategy/{name}").status_code == 200


def test_who_has_played_goes_on_with_one_click_and_sees_the_purse(web: Web) -> None:
    visitor = TestClient(web.app)
    assert "Continue" not in visitor.get("/").text
    visitor.get("/play/casino_war")
    token = visitor.cookies["croupier_player"]
    player = web.room.hall.new_player(token)
    table = own_table(player, "casino_war")
    for number, action in enumerate((LayChips(spot=1, wager="main", micros=5_000_000), Deal(spot=1)), 1):
        web.room.hall.act(table, player, action, id=f"continue-{number}")
    if web.room.hall.table(table).table.log is not None:
        revision = web.room.hall.table(table).table.revision
        web.room.hall.act(table, player, Decide(spot=1, answer="surrender", revision=revision), id="continue-3")
    again = web.room.hall.store.player(player.id)
    assert again is not None
    html = visitor.get("/").text
    assert f"Continue: Casino War, {dollars_and_cents(again.micros)}" in html
    assert 'href="/play/casino_war">Continue' in html


def test_tables_say_who_sits_there_and_what_they_wait_for(web: Web) -> None:
    player = web.room.hall.new_player("a" * 43)
    web.room.hall.rename(player, "Ada <b>")
    player = web.room.hall.store.player(player.id) or player
    assert "0 of 7 seats taken" in text_of(TestClient(web.app).get("/lobby/tables").text)
    web.room.hall.act("blackjack_1", player, SitDown(spot=3), id="lobby-sits-1")
    html = TestClient(web.app).get("/lobby/tables").text
    assert "1 of 7 seats taken: Ada &lt;b&gt;" in html
    assert 'href="/play/blackjack/blackjack_1"' in html
    assert "Open for wagers" in html


def test_jackpots_are_as_the_ledger_has_them_and_lead_to_their_signs(web: Web) -> None:
    lock(web.role("dealer"), "ddm_1", 1)
    html = lobby(web)
    assert 'data-cents="5000095"' in html
    assert "$50,000.95" in html
    assert 'href="/sign/push_22"' in html and 'href="/sign/dragon"' in html
    assert 'href="/dealer/ddm_1"' in html


def test_the_page_hears_of_meters_and_of_each_shared_table(web: Web) -> None:
    html = lobby(web)
    assert "of=meters" in html
    for table in web.room.desk.floor().tables:
        assert (f"of=play:{table.id}" in html) == (table.dealing == "software")


def test_a_server_without_a_floor_has_a_lobby_all_the_same(tmp_path: Path) -> None:
    app = make_app(str(tmp_path / "bare.db"), pin_cost=CHEAP)
    try:
        answer = TestClient(app, base_url="https://testserver").get("/")
        assert answer.status_code == 200
        assert "No floor is set up" in answer.text and 'href="/play/blackjack"' in answer.text
    finally:
        app.state.room.close()


def test_an_unknown_game_is_answered_with_those_there_are(web: Web) -> None:
    answer = TestClient(web.app).get("/lobby/edges/blackjak")
    assert answer.status_code == 404
    assert "Did you mean &#34;blackjack&#34;?" in answer.text
