"""Many streams: what changed is found once for all of them, each hears what it may, and there are only so many."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from starlette.testclient import TestClient

from croupier.web import board as board_module
from croupier.web import hub as hub_module
from croupier.web.api import stream as api_stream
from croupier.web.api.rights import PREFIX
from croupier.web.board import BoardStanding, MeterBoard
from croupier.web.fragments import Fragments
from croupier.web.hub import METERS, StreamReader
from croupier.web.limits import Limits
from croupier.web.pages import events as page_events
from croupier.web.pages import sign as sign_page
from croupier.web.pages.base import SIGN_COOKIE
from croupier.web.streams import EventStream
from tests.desks import CARDS
from tests.helpers import run_async
from tests.streams import next_said, opened
from tests.web_client import SEED, WIDE, Client, Web, demo_web, listening, lock

pytestmark = pytest.mark.slow

RARE = replace(WIDE, heartbeat_s=60.0)
"""No heartbeat comes while a test counts."""
METERS_PATH = f"{PREFIX}/stream/meters"
STAFF = ("meters", "claims", "floor", "ledger", "table:ddm_1")
"""What on a real floor is not for guests."""


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


@contextmanager
def web_with(tmp_path: Path, limits: Limits) -> Iterator[tuple[Web, int]]:
    with demo_web(str(tmp_path / "floor.db"), limits) as web, listening(web) as port:
        yield web, port


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """The arguments of every call of a function from now on."""
    calls: list[Any] = []
    function: Callable[..., Any] = getattr(module, name)

    def count(*args: Any, **options: Any) -> Any:
        calls.append(args)
        return function(*args, **options)

    monkeypatch.setattr(module, name, count)
    return calls


def test_what_changed_is_read_and_worded_once_for_all_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with web_with(tmp_path, RARE) as (web, port), ExitStack() as open_streams:
        sign, dealer = web.device("sign", jackpots=["push_22"]), web.role("dealer")
        pages = [open_streams.enter_context(opened(port, "/events?of=meters&of=claims")) for _ in range(20)]
        signs = [open_streams.enter_context(opened(port, METERS_PATH, sign)) for _ in range(20)]
        for page in pages:
            assert [next_said(page)[0] for _ in range(2)] == ["hello", "meters"]
        for one in signs:
            assert next_said(one)[0] == "meters"
        reads = counted(monkeypatch, board_module, "read_meters")
        page_words = counted(monkeypatch, page_events, "meters_text")
        sign_words = counted(monkeypatch, api_stream, "moved_meters")
        lock(dealer, "ddm_1", 1)
        for page in pages:
            name, _, data = next_said(page)
            amounts = {one["jackpot"]: one["meter_micros"] for one in data["meters"]}
            assert (name, amounts["push_22"]) == ("meters", SEED + 950_000)
        for one in signs:
            assert next_said(one)[2]["meter_micros"] == SEED + 950_000
        assert (len(reads), len(page_words), len(sign_words)) == (1, 1, 1)


def test_many_changes_within_a_moment_are_told_as_one(tmp_path: Path) -> None:
    with web_with(tmp_path, RARE) as (web, port), opened(port, "/events?of=play:ddm_3&of=runs") as page:
        assert next_said(page)[0] == "hello"
        web.room.hub.tell("runs")  # at once; what follows within the pause is gathered
        assert next_said(page)[2] == {"subject": "runs"}
        with web.room.hub._guard:  # all within one pause, however slow this machine is
            for _ in range(500):
                web.room.hub.tell("play:ddm_3")
            web.room.hub.tell("runs")
        said = [next_said(page)[2]["subject"] for _ in range(2)]
        assert said == ["play:ddm_3", "runs"], "not five hundred times"


def test_a_token_is_looked_at_once_a_heartbeat_however_many_streams_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with web_with(tmp_path, WIDE) as (web, port), ExitStack() as open_streams:
        sign = web.device("sign", jackpots=["push_22"])
        streams = [open_streams.enter_context(opened(port, METERS_PATH, sign)) for _ in range(20)]
        for one in streams:
            next_said(one)
        looks = counted(monkeypatch, web.room.devices, "device")
        heads = counted(monkeypatch, web.room.book, "head")
        for one in streams:
            for _ in range(3):
                assert one.readline() == b": heartbeat\n" and one.readline() == b"\n"
        beats = 3 * len(streams)
        assert 0 < len(looks) < beats / 2, "by the token, not by the stream"
        assert len(heads) < beats / 2


def hears(web: Web, subject: str, client: TestClient) -> int:
    """The status of a stream's answer; HEAD is answered as GET, and has an end."""
    return client.head("/events", params={"of": subject}).status_code


def test_in_demo_mode_everybody_hears_of_everything(web: Web) -> None:
    guest = TestClient(web.app)
    assert {hears(web, subject, guest) for subject in (*STAFF, "play:ddm_3", "runs")} == {200}
    assert guest.head("/sign/push_22/events").status_code == 200


def test_on_a_real_floor_streams_need_what_their_pages_need(web: Web) -> None:
    guest = TestClient(web.app, follow_redirects=False)
    dealer, executive, technician = (web.role(name).http for name in ("dealer", "executive", "technician"))
    web.room.demo = False
    assert {subject: hears(web, subject, guest) for subject in STAFF} == dict.fromkeys(STAFF, 401)
    assert hears(web, "play:ddm_3", guest) == hears(web, "runs", guest) == hears(web, "run:x", guest) == 200
    assert guest.head("/events?of=runs&of=meters").status_code == 401, "one that may not be heard refuses all"
    assert guest.head("/sign/push_22/events").status_code == 401
    assert "sign_token_needed" in guest.get("/sign/push_22/events").text
    assert {subject: hears(web, subject, dealer) for subject in STAFF} == dict.fromkeys(STAFF, 200) | {"ledger": 403}
    for reader in (executive, technician):
        assert {hears(web, subject, reader) for subject in STAFF} == {200}


def test_a_sign_of_a_real_floor_hears_of_its_own_meter_only(web: Web) -> None:
    sign, dealer = web.device("sign", jackpots=["push_22"]), web.role("dealer")
    with listening(web) as port:
        web.room.demo = False
        cookie = f"{SIGN_COOKIE}={sign.token}"
        with opened(port, "/sign/dragon/events", Cookie=cookie) as refused:
            assert refused.status == 401
        with opened(port, "/sign/push_22/events", Cookie=cookie) as answer:
            assert next_said(answer)[0] == "hello"
            assert [one["jackpot"] for one in next_said(answer)[2]["meters"]] == ["push_22"]
            lock(dealer, "baccarat_1", 1)  # another jackpot
            lock(dealer, "ddm_1", 1)
            name, _, data = next_said(answer)
            assert (name, [one["meter_micros"] for one in data["meters"]]) == ("meters", [SEED + 950_000])


def runs_out(answer: Any) -> bool:
    """Whether a page's stream ends within ten heartbeats."""
    return any(answer.readline() == b"" for _ in range(30))


def test_streams_of_a_real_floor_end_with_their_session_or_token(web: Web) -> None:
    sign, dealer, technician = web.device("sign", jackpots=["push_22"]), web.role("dealer"), web.role("technician")
    name = technician.get("/devices")["devices"][0]["id"]
    with listening(web) as port:
        web.room.demo = False
        with (
            opened(port, "/events?of=meters", dealer) as page,
            opened(port, "/sign/push_22/events", Cookie=f"{SIGN_COOKIE}={sign.token}") as wall,
        ):
            next_said(page)
            next_said(wall)
            assert dealer.call("DELETE", "/session").status_code == 204
            assert runs_out(page)
            technician.done("POST", f"/devices/{name}/withdraw")
            assert runs_out(wall)


@pytest.mark.parametrize("of", ["nothing", "meters:push_22", "table", "play:", "run", "", "a" * 300, "play:a\nb"])
def test_a_subject_that_there_is_not_is_refused(web: Web, of: str) -> None:
    answer = TestClient(web.app).get("/events", params={"of": of})
    assert (answer.status_code, "bad_request" in answer.text) == (400, True)


def test_streams_are_bounded_by_address_and_those_with_a_token_by_themselves(tmp_path: Path) -> None:
    few = replace(RARE, streams_by_address=2, streams_by_reader=3)
    with web_with(tmp_path, few) as (web, port), ExitStack() as open_streams:
        sign, other = web.device("sign", jackpots=["push_22"]), web.device("sign", jackpots=["dragon"])
        first, _ = (open_streams.enter_context(opened(port, "/events?of=meters")) for _ in range(2))
        with opened(port, "/events?of=runs") as refused:
            assert (refused.status, refused.headers["content-type"]) == (429, "text/html; charset=utf-8")
            text = refused.read().decode()
            assert "too_many_streams" in text and "2 streams of this address are open already" in text
        for reader in (sign, other):
            for _ in range(3):
                assert open_streams.enter_context(opened(port, METERS_PATH, reader)).status == 200
        with opened(port, METERS_PATH, sign) as refused:
            assert refused.status == 429 and b'"too_many_streams"' in refused.read()
        next_said(first)
        open_streams.close()
        for _ in range(100):  # until the server has seen that they are gone
            with opened(port, "/events?of=runs") as again:
                if again.status == 200:
                    break
            Event().wait(0.05)
        assert again.status == 200


def test_visitors_take_at_most_half_of_all_streams(tmp_path: Path) -> None:
    few = replace(RARE, streams=4)
    with web_with(tmp_path, few) as (web, port), ExitStack() as open_streams:
        dealer = web.role("dealer")
        paths: list[tuple[str, Client | None, int]] = [
            *[("/events?of=runs", None, 200)] * 2,
            ("/events?of=runs", None, 429),
            *[(METERS_PATH, dealer, 200)] * 2,
            (METERS_PATH, dealer, 429),
        ]
        for path, client, status in paths:
            assert open_streams.enter_context(opened(port, path, client)).status == status


def test_head_takes_no_place(tmp_path: Path) -> None:
    with demo_web(str(tmp_path / "floor.db"), replace(RARE, streams_by_address=1)) as web:
        guest = TestClient(web.app)
        assert {guest.head("/events?of=runs").status_code for _ in range(5)} == {200}


def test_a_reader_that_takes_nothing_is_cut_off(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Meanwhile what it has not heard stays as small as what it asked for."""
    monkeypatch.setattr(hub_module, "SLOW_S", 0.1)
    room, sent = web.room, []

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message["type"])
        if len(sent) > 1:
            await asyncio.Event().wait()  # its buffers are full

    async def serve() -> None:
        room.hub.start()
        stream = EventStream(
            room.hub, room.streams, StreamReader(name="slow"), frozenset({"runs"}), b"hello", lambda _: b"changed"
        )
        await asyncio.wait_for(stream({"type": "http"}, receive, send), 10)

    run_async(serve())
    assert sent == ["http.response.start", "http.response.body"]
    assert room.streams._open.total() == 0
    assert not room.hub._listeners


def test_a_stream_ends_after_its_time_and_its_reader_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with web_with(tmp_path, WIDE) as (_, port):
        monkeypatch.setattr(hub_module, "LONGEST_S", 0.5)
        for _ in range(2):
            with opened(port, "/events?of=runs") as page:
                assert next_said(page)[0] == "hello"
                page.read()  # to a proper end, which a broken link would not have


def test_a_reader_that_comes_back_gets_what_moved_or_everything(web: Web) -> None:
    board, dealer = MeterBoard(web.room.book), web.role("dealer")
    start = board.catch_up()
    lock(dealer, "ddm_1", 1)
    moved = board.catch_up()
    lock(dealer, "baccarat_1", 1)
    now = board.catch_up()
    push, dragon = sorted(start.meters, reverse=True)
    assert now.moved_after(start.entry, None) == [dragon, push]
    assert now.moved_after(moved.entry, None) == [dragon]
    assert now.moved_after(moved.entry, frozenset({"push_22"})) == []
    assert now.moved_after(now.entry, None) == []
    for unknown in (start.entry - 1, now.entry + 1):
        assert now.moved_after(unknown, None) is None, "before this server watched, or of another ledger"
    assert board.catch_up() is now, "nothing new is not read again"
    assert board.read().version == now.version


def test_words_are_made_once_for_each_moment_and_audience() -> None:
    calls = []

    def make(standing: BoardStanding) -> str:
        calls.append(standing.version)
        return f"version {standing.version}"

    first = BoardStanding(version=1, entry=1, meters={}, stopped={})
    assert [first.text("all", make) for _ in range(3)] == [b"version 1"] * 3
    assert first.text("some", make) == b"version 1"
    assert replace(first, version=2, _texts={}).text("all", make) == b"version 2"
    assert calls == [1, 1, 2]


def test_signs_that_ask_at_once_share_one_answer(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    web.room.fragments = Fragments(lambda: now[0])
    made = counted(monkeypatch, sign_page, "state_of")
    signs = TestClient(web.app)
    texts = {signs.get("/sign/push_22/state").text for _ in range(10)}
    assert (len(texts), len(made)) == (1, 1)
    lock(web.role("dealer"), "ddm_1", 1)
    assert 'data-cents="5000095"' in signs.get("/sign/push_22/state").text, "a new entry, a new answer"
    signs.get("/sign/dragon/state")
    assert len(made) == 3
    now[0] += 1
    signs.get("/sign/dragon/state")
    assert len(made) == 4, "and another after a moment: what a sign shows also ends by time alone"


def test_those_who_wait_for_one_fragment_get_the_first_ones() -> None:
    fragments, made, go = Fragments(), [], Event()

    def make() -> str:
        go.wait(10)
        made.append(1)
        return "part"

    got: list[str] = []
    threads = [Thread(target=lambda: got.append(fragments.get("part", 1, make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    go.set()
    for thread in threads:
        thread.join()
    assert (got, len(made)) == (["part"] * 8, 1)


def test_the_lobby_of_a_real_floor_shows_guests_no_amount_and_asks_for_none(web: Web) -> None:
    guest, dealer = TestClient(web.app), web.role("dealer").http
    assert "$50,000" in guest.get("/").text and "of=meters" in guest.get("/").text
    web.room.demo = False
    text = guest.get("/").text
    assert "$50,000" not in text and "of=meters" not in text
    subjects = re.search(r'hx-sse:connect="/events\?([^"]*)"', text)
    assert subjects is not None and guest.head(f"/events?{subjects.group(1)}").status_code == 200
    assert "$50,000" in dealer.get("/").text


def test_a_locked_wager_changes_no_claim_and_a_hit_does(web: Web) -> None:
    """So that signs and terminals do not ask for their state with every round of every table."""
    dealer, after = web.role("dealer"), web.room.book.head()[0]

    def subjects() -> set[str]:
        return {subject for one in web.room.book.entries(after=after) for subject in hub_module.subjects_of(one)}

    lock(dealer, "ddm_1", 1)
    assert subjects() == {"table:ddm_1", METERS, "ledger"}
    body = {"revision": dealer.get("/tables/ddm_1")["revision"], "seat": 1, "sensor": 1, "row": "suited_22"}
    dealer.done("POST", "/tables/ddm_1/pick", body)
    dealer.done("POST", "/tables/ddm_1/hit", {"revision": body["revision"] + 1, "evidence": CARDS["suited_22"]})
    assert "claims" in subjects()
