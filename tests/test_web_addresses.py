"""Whose word on addresses is believed: that of the named proxies alone, and of them the right-most address."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import FastAPI, Request
from starlette.testclient import TestClient

from croupier.errors import CroupierError
from croupier.web.addresses import NO_PROXIES, Forwarded, Proxies, counted_as, read_proxies
from croupier.web.api.rights import PREFIX
from croupier.web.app import make_app
from croupier.web.limits import Rate
from tests.web_client import CHEAP, WIDE, share_work

PROXIES = read_proxies(["10.0.0.9", "10.8.0.0/16", "fd00::/8"])


def seen_by(proxies: Proxies, client: str, **headers: str) -> tuple[str, str]:
    """The address and scheme that the application sees of a request."""
    app = FastAPI()

    @app.get("/")
    def look(request: Request) -> list[str]:
        assert request.client is not None
        return [request.client.host, request.url.scheme]

    app.add_middleware(Forwarded, proxies=proxies)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    host, scheme = TestClient(app, client=(client, 4711)).get("/", headers=sent).json()
    return host, scheme


@pytest.mark.parametrize("client", ["127.0.0.1", "::1", "10.0.0.8", "192.0.2.7"])
def test_nobody_is_believed_unless_named(client: str) -> None:
    sent = {"X_Forwarded_For": "203.0.113.5", "X_Forwarded_Proto": "https"}
    assert seen_by(NO_PROXIES, client, **sent) == (client, "http")
    assert seen_by(PROXIES, client, **sent) == (client, "http")


@pytest.mark.parametrize(
    ("forwarded", "host"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("198.51.100.1, 203.0.113.5", "203.0.113.5"),
        ("198.51.100.1, 203.0.113.5, 10.8.3.4", "203.0.113.5"),
        ("203.0.113.5:4711", "203.0.113.5"),
        ("[2001:db8::7]:4711", "2001:db8::7"),
        ("2001:DB8:0::7", "2001:db8::7"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("198.51.100.1, somebody", "10.0.0.9"),
        ("198.51.100.1,", "10.0.0.9"),
        ("10.8.3.4", "10.0.0.9"),
        ("", "10.0.0.9"),
    ],
)
def test_of_what_a_proxy_says_the_right_most_address_that_is_no_proxy_counts(forwarded: str, host: str) -> None:
    assert seen_by(PROXIES, "10.0.0.9", X_Forwarded_For=forwarded) == (host, "http")


def test_a_proxy_says_the_scheme_and_nothing_but_a_scheme() -> None:
    assert seen_by(PROXIES, "10.0.0.9", X_Forwarded_Proto="https") == ("10.0.0.9", "https")
    assert seen_by(PROXIES, "10.0.0.9", X_Forwarded_Proto="ftp") == ("10.0.0.9", "http")
    assert seen_by(PROXIES, "::ffff:10.0.0.9", X_Forwarded_Proto="https")[1] == "https"


@pytest.mark.parametrize(
    "text", ["proxy.example", "10.0.0.300", "10.0.0.9/40", "*", "10.0.0.9:80", "0.0.0.0/0", "::/0"]
)
def test_a_proxy_that_is_no_address_is_refused_with_a_sentence(text: str) -> None:
    with pytest.RaisesExc(CroupierError, check=lambda error: error.code == "bad_proxy" and text in str(error)):
        read_proxies([text])


def test_an_address_inside_a_network_is_answered_with_the_network() -> None:
    with pytest.RaisesExc(CroupierError, match=r'as "10\.1\.0\.0/16", or the address alone'):
        read_proxies(["10.1.2.3/16"])


def test_ipv6_addresses_of_one_subscriber_count_as_one() -> None:
    assert counted_as("2001:db8:1:2::7") == counted_as("2001:db8:1:2:ffff::1") != counted_as("2001:db8:1:3::7")
    assert counted_as("::ffff:192.0.2.7") == counted_as("192.0.2.7") == "192.0.2.7"
    assert counted_as("testclient") == "testclient"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    limits = replace(WIDE, by_address=Rate(burst=2, per_second=0.001))
    made = make_app(str(tmp_path / "floor.db"), demo=True, limits=limits, pin_cost=CHEAP, proxies=PROXIES)
    share_work(made)
    yield made
    made.state.room.close()


def test_made_up_addresses_do_not_get_round_the_limits(app: FastAPI) -> None:
    def status(client: str, forwarded: str) -> int:
        http = TestClient(app, client=(client, 4711))
        return http.get(f"{PREFIX}/health", headers={"X-Forwarded-For": forwarded}).status_code

    assert [status("127.0.0.1", f"203.0.113.{number}") for number in range(3)] == [200, 200, 429]
    assert [status("10.0.0.9", f"203.0.113.{number}") for number in range(3)] == [200, 200, 200]
    assert [status("10.0.0.9", f"203.0.113.{number}, 198.51.100.1") for number in range(3)] == [200, 200, 429]
