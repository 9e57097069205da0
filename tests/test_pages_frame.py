"""What all pages share: where a card leads, guests and their cookie, sessions that have ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select

from croupier.floor.credentials import DEMO_PEOPLE
from croupier.floor.roles import Role
from croupier.store.play import play_tables, players, purse_entries
from croupier.web.limits import Rate
from tests.web_client import SWIPES, WIDE, Web, demo_web

NEW_SIMULATION = "/simulations/new/blackjack"


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as opened:
        yield opened


def csrf_in(text: str) -> str:
    found = re.search(r'name="csrf" value="(\w+)"', text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("role", "next", "place"),
    [
        ("dealer", "", "/dealer"),
        ("supervisor", "", "/manager"),
        ("technician", "", "/manager"),
        ("dealer", "/dealer/ddm_1", "/dealer/ddm_1"),
        ("auditor", "//elsewhere.example/", "/manager"),
    ],
)
def test_a_card_leads_to_its_holders_work(web: Web, role: str, next: str, place: str) -> None:
    http = TestClient(web.app, follow_redirects=False)
    csrf = csrf_in(http.get("/sign-in").text)
    answer = http.post("/sign-in", data=SWIPES[role] | {"csrf": csrf, "next": next})
    assert (answer.status_code, answer.headers["location"]) == (303, place)
    assert http.get(place).status_code == 200


def test_looking_makes_no_player_and_no_table(web: Web) -> None:
    store = web.room.hall.store
    for path in ("/play/blackjack", "/play/blackjack/blackjack_1", "/play/double_down_madness/ddm_3", NEW_SIMULATION):
        for method in ("GET", "HEAD"):
            answer = TestClient(web.app).request(method, path)
            assert answer.status_code == 200
    with store._read() as connection:
        for table in (players, purse_entries, play_tables):
            assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 0
    # Nor does somebody known leave anything behind by looking at another game.
    http = TestClient(web.app)
    press = {"csrf": csrf_in(http.get("/play/blackjack").text), "command": "a-command-id", "do": "sit 1"}
    http.post("/play/blackjack", data=press)
    http.get("/play/mini_baccarat")
    with store._read() as connection:
        assert len(connection.execute(select(play_tables.c.id)).all()) == 1


@pytest.mark.parametrize("path", ["/play/blackjack", "/play/blackjack/blackjack_1"])
def test_the_first_press_makes_a_player_who_finds_what_it_did(web: Web, path: str) -> None:
    http = TestClient(web.app)
    do = {"do": "lay 1 main", "chip": "25"} if path == "/play/blackjack" else {"do": "sit 3"}
    press = {"csrf": csrf_in(http.get(path).text), "command": "a-command-id", **do}
    answer = http.post(path, data=press)
    assert answer.status_code == 200 and str(answer.url) == f"http://testserver{path}"
    assert ("$25" if "chip" in do else "seat 3") in answer.text
    assert web.room.hall.player_of(http.cookies["croupier_player"]) is not None


def test_presses_of_somebody_new_that_come_at_once_are_of_one_player(web: Web) -> None:
    http = TestClient(web.app)
    csrf = csrf_in(http.get("/play/blackjack").text)
    with ThreadPoolExecutor(4) as pool:
        press = {"csrf": csrf, "do": "lay 1 main", "chip": "5"}
        sent = [pool.submit(http.post, "/play/blackjack", data=press | {"command": f"press-{n:04}"}) for n in range(8)]
        assert [one.result().status_code for one in sent] == [200] * 8
    assert "$40" in http.get("/play/blackjack").text
    with web.room.hall.store._read() as connection:
        assert len(connection.execute(select(players.c.id)).all()) == 1


def test_a_browser_without_cookies_is_told_so(web: Web) -> None:
    http = TestClient(web.app, follow_redirects=False)
    for path in ("/play/blackjack", NEW_SIMULATION):
        press = {"csrf": csrf_in(http.get(path).text), "command": "a-command-id", "do": "sit 1"}
        http.cookies.clear()
        refused = http.post(path, data=press)
        assert refused.status_code == 400 and "no_cookie" in refused.text


def test_a_cookie_that_is_not_ours_is_replaced(web: Web) -> None:
    http = TestClient(web.app, cookies={"croupier_player": "short"})
    assert "croupier_player=" in http.get("/play/blackjack").headers["set-cookie"]


def test_new_players_of_one_address_are_bounded(tmp_path: Path) -> None:
    limits = replace(WIDE, guests=Rate(burst=2, per_second=0.0001))
    with demo_web(str(tmp_path / "few.db"), limits) as few:
        for number in range(3):
            http = TestClient(few.app, follow_redirects=False)
            press = {"csrf": csrf_in(http.get("/play/blackjack").text), "command": f"command-{number}", "do": "sit 1"}
            assert http.post("/play/blackjack", data=press).status_code == (303 if number < 2 else 429)
        assert TestClient(few.app).get("/play/blackjack").status_code == 200, "looking is free"


def test_presses_of_one_address_are_bounded_but_those_of_staff(tmp_path: Path) -> None:
    limits = replace(WIDE, presses=Rate(burst=2, per_second=0.0001))
    with demo_web(str(tmp_path / "few.db"), limits) as few:
        guest, dealer = TestClient(few.app, follow_redirects=False), few.role("dealer").http
        dealer.follow_redirects = False
        for number in range(4):
            for http, status in ((guest, 303 if number < 2 else 429), (dealer, 303)):
                csrf = csrf_in(http.get("/play/blackjack").text)
                press = {"csrf": csrf, "command": f"command-{number}", "do": "lay 1 main", "chip": "5"}
                assert http.post("/play/blackjack", data=press).status_code == status
        assert "$10" in guest.get("/play/blackjack").text, "looking is free, and nothing of the refused was done"


def test_a_press_after_the_session_has_ended_leads_to_the_sign_in(web: Web) -> None:
    dealer = web.role("dealer").http
    csrf = csrf_in(dealer.get("/dealer/ddm_1").text)
    web.role("executive").done("POST", "/people/demo-dealer/sign-out")
    press = {"csrf": csrf, "command": "a-command-id", "seat": "1", "sensor": "1", "lit": "true"}
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/dealer/ddm_1?seat=2"}
    answer = dealer.post("/dealer/ddm_1/sense", data=press, headers=headers)
    assert answer.status_code == 401 and "Your session has ended" in answer.text
    assert 'href="/sign-in?next=/dealer/ddm_1"' in answer.text
    dealer.cookies.clear()
    answer = dealer.post("/dealer/ddm_1/sense", data=press, headers=headers)
    assert answer.status_code == 401 and "Sign in with your card first" in answer.text


def test_the_demonstration_has_two_executives_for_its_largest_award(web: Web) -> None:
    assert [one.role for one in DEMO_PEOPLE].count(Role.EXECUTIVE) == 2
    text = web.anonymous().http.get("/sign-in").text
    assert 'aria-label="Sign in as executive"' in text and 'aria-label="Sign in as another executive"' in text


def test_who_may_not_see_the_manager_is_not_led_there(web: Web) -> None:
    for role, is_led in (("dealer", False), ("technician", True), ("auditor", True)):
        assert ('<a href="/manager"' in web.role(role).http.get("/").text) is is_led
    assert '<a href="/manager"' in web.anonymous().http.get("/").text
