"""What all pages share: where a card leads, guests and their cookie, sessions that have ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from croupier.floor.credentials import DEMO_PEOPLE
from croupier.floor.roles import Role
from tests.web_client import SWIPES, Web, demo_web


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


def test_an_address_of_a_first_visit_can_be_passed_on(web: Web) -> None:
    for path in ("/play/blackjack", "/play/blackjack/blackjack_1", "/simulations/new/blackjack"):
        for asked in (path, f"{path}?new=1"):
            answer = TestClient(web.app).get(asked)
            assert answer.status_code == 200 and str(answer.url) == f"http://testserver{path}"


def test_a_browser_without_cookies_is_told_so(web: Web) -> None:
    http = TestClient(web.app, follow_redirects=False)
    path = "/play/blackjack"
    for _ in range(2):
        answer = http.get(path)
        http.cookies.clear()
        path = answer.headers["location"]
    refused = http.get(path)
    assert refused.status_code == 400 and "no_cookie" in refused.text


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
