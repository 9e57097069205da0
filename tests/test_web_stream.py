"""The stream of meters: all values first, then each change, for as long as its reader may read."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import text

from croupier.web.api.rights import PREFIX
from tests.streams import next_said, opened
from tests.web_client import SEED, Client, Web, demo_web, listening, lock, step


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


@pytest.fixture
def web_on_each(store_url: str) -> Iterator[Web]:
    """The server on each kind of database in turn: each has its own way to tell of new entries."""
    with demo_web(store_url) as made:
        yield made


def stream(port: int, client: Client, last: int | None = None) -> AbstractContextManager[http.client.HTTPResponse]:
    headers = {"Last_Event_ID": str(last)} if last is not None else {}
    return opened(port, f"{PREFIX}/stream/meters", client, **headers)


def next_event(answer: http.client.HTTPResponse) -> tuple[str, int, Any]:
    """The next event that is no heartbeat: name, id, data."""
    name, id, data = next_said(answer)
    return name, int(id), data


def test_a_sign_gets_the_meter_first_then_each_change_and_resumes(web_on_each: Web) -> None:
    web = web_on_each
    sign = web.device("sign", jackpots=["push_22"])
    dealer = web.role("dealer")
    with listening(web) as port:
        with stream(port, sign) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            name, first, data = next_event(answer)
            assert name == "meters"
            assert [one["dollars"] for one in data["meters"]] == ["50000.00"]
            assert answer.readline() == b": heartbeat\n"
            lock(dealer, "ddm_1", 1)
            name, seen, data = next_event(answer)
            assert (name, data["meter_micros"], data["dollars"]) == ("meter", SEED + 950_000, "50000.95")
            assert seen > first
        lock(dealer, "ddm_2", 1, 2)
        lock(dealer, "baccarat_1", 1)  # another jackpot, which this sign does not show
        with stream(port, sign, seen) as answer:
            name, missed, data = next_event(answer)
            assert (name, data["meter_micros"]) == ("meter", SEED + 2_850_000)
            assert missed > seen
            step(dealer, "ddm_1", "end")
            lock(dealer, "ddm_1", 1)
            assert next_event(answer)[2]["meter_micros"] == SEED + 3_800_000


def test_a_withdrawn_sign_loses_its_stream(web: Web) -> None:
    sign = web.device("sign", jackpots=["push_22"])
    name = web.role("technician").get("/devices")["devices"][0]["id"]
    with listening(web) as port, stream(port, sign) as answer:
        next_event(answer)
        web.role("technician").done("POST", f"/devices/{name}/withdraw")
        assert ends(answer)


def ends(answer: http.client.HTTPResponse) -> bool:
    """Whether a stream ends within ten heartbeats."""
    left = [answer.readline() for _ in range(20)]
    assert set(left) <= {b": heartbeat\n", b"\n", b""}
    return left[-1] == b""


def test_a_stream_of_a_session_ends_with_it(web: Web) -> None:
    with listening(web) as port:
        dealer = web.role("dealer")
        with stream(port, dealer) as answer:
            next_event(answer)
            assert not ends(answer)
            web.role("executive").done("POST", "/people/demo-dealer/sign-out")
            assert ends(answer)
        dealer = web.role("dealer")
        with stream(port, dealer) as answer:
            next_event(answer)
            assert dealer.call("DELETE", "/session").status_code == 204
            assert ends(answer)


def test_an_open_stream_does_not_prolong_its_session(web: Web) -> None:
    dealer = web.role("dealer")
    with listening(web) as port, stream(port, dealer) as answer:
        next_event(answer)
        web.clock.now += timedelta(minutes=14)
        assert not ends(answer)
        web.clock.now += timedelta(minutes=2)
        assert ends(answer)
    dealer.refused(401, "session_ended", "GET", "/meters")


def test_a_stream_ends_for_the_withdrawn_also_where_much_is_played(web: Web) -> None:
    """Entries that come faster than heartbeats do not put off the look at the token."""
    sign = web.device("sign", jackpots=["push_22"])
    name = web.role("technician").get("/devices")["devices"][0]["id"]
    dealer = web.role("dealer")
    with listening(web) as port, stream(port, sign) as answer:
        next_event(answer)
        web.role("technician").done("POST", f"/devices/{name}/withdraw")
        played = Event()

        def play() -> None:
            number = 0
            while not played.is_set():
                number += 1
                dealer.done("POST", "/tables/ddm_1/sense", {"seat": 1, "sensor": 1, "lit": number % 2 == 1})

        busy = Thread(target=play)
        busy.start()
        try:
            assert ends(answer)
        finally:
            played.set()
            busy.join()


def test_a_stopped_jackpot_is_named_as_soon_as_it_is_seen_and_not_shown_any_more(web: Web) -> None:
    dealer, sign = web.role("dealer"), web.device("sign", jackpots=["push_22", "dragon"])
    with listening(web) as port, stream(port, sign) as answer:
        name, last, data = next_event(answer)
        assert (name, data["stopped"], len(data["meters"])) == ("meters", [], 2)
        with web.room.book.exclusive() as connection:
            connection.execute(text("UPDATE balances SET micros = micros + 1 WHERE jackpot = 'dragon'"))
        name, _, data = next_event(answer)  # with the next heartbeat
        assert (name, [one["jackpot"] for one in data["meters"]]) == ("meters", ["push_22"])
        assert [one["jackpot"] for one in data["stopped"]] == ["dragon"]
        lock(dealer, "ddm_1", 1)
        assert next_event(answer)[2]["jackpot"] == "push_22"
        with stream(port, sign, last) as again:
            assert next_event(again)[2]["stopped"] == data["stopped"], "also to a reader that comes back"
