"""Who is known is not held up by others at the same address, and a new sign-in takes the place of the old one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Message

from croupier.web.api.rights import PREFIX
from croupier.web.guard import COOKIE
from croupier.web.limits import Gate, Rate, path_only
from croupier.web.pages.base import SIGN_COOKIE
from tests.helpers import run_async
from tests.pages import submit
from tests.web_client import SWIPES, WIDE, Client, Web, demo_web

SCARCE = replace(
    WIDE,
    by_address=Rate(burst=60, per_second=0.001),
    failures=Rate(burst=20, per_second=0.001),
    swipes=Rate(burst=3, per_second=0.001),
)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db"), SCARCE) as made:
        yield made


def page_client(web: Web, **cookies: str) -> TestClient:
    return TestClient(web.app, cookies=cookies)


def guess(web: Web, times: int) -> list[int]:
    """The answers to a token, and to a session on a page, that nobody knows."""
    stranger, browser = Client(TestClient(web.app), token="device-guess"), page_client(web, **{COOKIE: "session-guess"})
    return [
        status
        for _ in range(times)
        for status in (
            stranger.call("GET", "/meters").status_code,
            browser.get("/manager", follow_redirects=False).status_code,
        )
    ]


def test_a_signed_in_dealer_is_answered_while_bad_tokens_come_from_the_same_address(web: Web) -> None:
    dealer, terminal = web.role("dealer"), web.device("terminal", tables=["ddm_1"])
    pages = page_client(web, **{COOKIE: str(dealer.http.cookies[COOKIE])})
    assert set(guess(web, 10)) == {401, 303}
    assert set(guess(web, 5)) == {429}, "what is not known is refused by now"
    head = web.room.book.head()
    for _ in range(60):
        assert guess(web, 1) == [429, 429]
        assert dealer.call("GET", "/meters").status_code == 200
        assert terminal.call("GET", "/tables/ddm_1").status_code == 200
        assert pages.get("/dealer").status_code == 200
    assert web.room.book.head() == head, "and no longer recorded"


def test_a_flood_of_anonymous_requests_leaves_known_callers_their_own_share(web: Web) -> None:
    dealer, anonymous = web.role("dealer"), web.anonymous()
    pages = page_client(web, **{COOKIE: str(dealer.http.cookies[COOKIE])})
    answers = [anonymous.call("GET", "/health").status_code for _ in range(80)]
    assert answers[-1] == 429
    assert page_client(web).get("/").status_code == 429
    assert dealer.call("GET", "/meters").status_code == 200
    assert pages.get("/dealer").status_code == 200


def test_a_sign_is_shown_while_others_at_its_address_are_refused(web: Web) -> None:
    token = web.device("sign", jackpots=["push_22"]).token
    anonymous = page_client(web)
    assert [anonymous.get("/sign/push_22").status_code for _ in range(80)][-1] == 429
    assert page_client(web, **{SIGN_COOKIE: token}).get("/sign/push_22").status_code == 200


def test_swipes_of_strangers_do_not_use_up_those_of_a_signed_in_dealer(web: Web) -> None:
    dealer = web.role("dealer")
    stranger = web.anonymous()
    for _ in range(2):
        stranger.refused(401, "not_recognized", "POST", "/session", {"card": "card-guess", "pin": "840163"})
    stranger.refused(429, "too_many_requests", "POST", "/session", SWIPES["auditor"])
    own_pin = SWIPES["dealer"] | {"new_pin": "741852"}
    dealer.done("POST", "/pin", own_pin)


def test_the_pages_for_everybody_answer_a_browser_whose_session_is_not_known(web: Web) -> None:
    guess(web, 15)
    browser = page_client(web, **{COOKIE: "session-of-another-store"})
    assert browser.get("/manager", follow_redirects=False).status_code == 429
    assert browser.get("/sign-in").status_code == 200


def test_an_ended_session_is_not_counted_as_a_guess(web: Web) -> None:
    dealer = web.role("dealer")
    kept = str(dealer.http.cookies[COOKIE])
    dealer.call("DELETE", "/session")
    browser = page_client(web, **{COOKIE: kept})
    assert {browser.get("/manager", follow_redirects=False).status_code for _ in range(30)} == {303}


@pytest.mark.parametrize("is_page", [True, False], ids=["page", "api"])
def test_a_new_sign_in_ends_the_old_session_of_that_browser(web: Web, is_page: bool) -> None:
    browser = web.role("dealer")
    old = str(browser.http.cookies[COOKIE])
    elsewhere = web.role("dealer")
    if is_page:
        assert submit(browser.http, "/sign-in", "/sign-in", **SWIPES["supervisor"]).status_code == 303
    else:
        browser.done("POST", "/session", SWIPES["supervisor"])
    assert not web.room.sessions.is_open(old)
    assert browser.get("/session")["role"] == "supervisor"
    assert elsewhere.get("/session")["role"] == "dealer"


def test_a_refused_sign_in_leaves_the_old_session_open(web: Web) -> None:
    browser = web.role("dealer")
    wrong = SWIPES["supervisor"] | {"pin": "905172"}
    browser.refused(401, "not_recognized", "POST", "/session", wrong)
    assert browser.get("/session")["role"] == "dealer"


def send(client: Client, body: str) -> tuple[int, str]:
    headers = {"Content-Type": "application/json", "X-CSRF-Token": client.csrf, "Idempotency-Key": "twin-keys-1"}
    answer = client.http.post(f"{PREFIX}/tables/ddm_1/sense", content=body, headers=headers)
    return answer.status_code, answer.json()["error"]["code"] if answer.status_code >= 400 else ""


def test_a_body_that_says_a_thing_twice_is_refused(web: Web) -> None:
    dealer = web.role("dealer")
    twice = '{"revision": 0, "seat": 1, "sensor": 1, "lit": true, "seat": 2}'
    assert send(dealer, twice) == (422, "duplicate_key")
    assert send(dealer, '{"revision": 0, "seat": {"a": 1, "a": 1}, "sensor": 1, "lit": true}') == (422, "duplicate_key")
    assert send(dealer, twice.replace(', "seat": 2', "")) == (200, "")
    assert send(dealer, "[" * 50_000)[0] in (400, 422)


def test_a_body_with_two_lengths_is_refused_and_its_connection_closed(web: Web) -> None:
    both = {"Content-Length": "2", "Transfer-Encoding": "chunked", "Content-Type": "application/json"}
    answer = TestClient(web.app).post(f"{PREFIX}/session", content="{}", headers=both)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize("path", ["/rules/", "/odds/blackjack", "/manager"])
def test_no_redirect_repeats_the_host_that_was_sent(web: Web, path: str) -> None:
    answer = TestClient(web.app).get(path, headers={"Host": "evil.example"}, follow_redirects=False)
    assert answer.status_code in (301, 303, 307), answer.text
    assert "evil" not in answer.headers["location"] and answer.headers["location"].startswith("/")


@pytest.mark.parametrize(
    ("location", "path"),
    [
        ("http://evil.example/rules?a=1#b", "/rules?a=1#b"),
        ("//evil.example/rules", "/rules"),
        ("http://evil.example//evil.example/x", "/evil.example/x"),
        ("/\\evil.example", "/evil.example"),
        ("/manager/claims?status=paid", "/manager/claims?status=paid"),
        ("http://evil.example", "/"),
        ("http://[evil/rules", "/rules"),
    ],
)
def test_a_redirect_stays_on_this_server(location: str, path: str) -> None:
    assert path_only(location) == path


async def arrives(gate: Gate, body: bytes, go_on: asyncio.Event) -> int:
    """The status of a request whose last byte comes only when it may."""
    statuses: list[int] = []
    pieces = [body[:-1], body[-1:]]

    async def receive() -> Message:
        if len(pieces) == 1:
            await go_on.wait()
        return {"type": "http.request", "body": pieces.pop(0), "more_body": len(pieces) > 0}

    async def send(message: Message) -> None:
        statuses.append(int(message.get("status", 0)))

    scope = {"type": "http", "method": "POST", "path": "/api/v1/session"}
    await gate(scope | {"headers": [(b"content-length", str(len(body)).encode())]}, receive, send)
    return statuses[0]


def test_while_too_many_long_bodies_come_in_short_ones_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.web.limits.MOST_HELD_BYTES", 50_000)
    gate = Gate(PlainTextResponse("done"), body_bytes=100_000, is_https_only=False)
    long, short = b"x" * 30_000, b"x" * 1_000

    async def all_at_once() -> list[int]:
        go_on = asyncio.Event()
        first = asyncio.create_task(arrives(gate, long, go_on))
        second = asyncio.create_task(arrives(gate, long, go_on))
        third = asyncio.create_task(arrives(gate, short, go_on))
        refused = await second
        go_on.set()
        return [await first, refused, await third, await arrives(gate, long, go_on)]

    assert run_async(all_at_once()) == [200, 429, 200, 200]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://[evil", "testserver", ""])
def test_commands_of_another_origin_are_refused(web: Web, origin: str) -> None:
    dealer = web.role("dealer")
    chip = {"revision": 0, "seat": 1, "sensor": 1, "lit": True}
    dealer.refused(403, "csrf_failed", "POST", "/tables/ddm_1/sense", chip, Origin=origin)
    assert dealer.http.post("/sign-out", headers={"Origin": origin}).status_code == 403
