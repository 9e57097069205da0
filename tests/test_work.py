"""Long computations for pages: visitors take turns, nobody's failure is kept, and no process takes the server along."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from croupier.errors import CroupierError
from croupier.web.errors import WebError, status_of
from croupier.web.work.line import FRESH_S, UNASKED_S, Job, JobQueue, Waiter
from croupier.web.work.processes import BOUNDS, MIB, VISITOR, Bounds, Work
from tests import work_calls
from tests.helpers import run_async
from tests.manager_pages import as_role
from tests.web_client import demo_web

pytestmark = pytest.mark.slow

SMALL = Bounds(most_each=3, most=5, kept=2, seconds=60, memory_bytes=256 * MIB)
PATIENCE_S = 60.0


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def working(bounds: Bounds = SMALL, clock: Clock | None = None) -> Iterator[Work]:
    work = Work(dict.fromkeys(BOUNDS, bounds), **({"now": clock} if clock is not None else {}))
    try:
        yield work
    finally:
        work.close()


async def as_visitor(visitor: str, asked: Callable[[], Awaitable[Any]]) -> Any:
    """In a task of its own, as a request is."""

    async def ask() -> Any:
        VISITOR.set(visitor)
        return await asked()

    return await asyncio.create_task(ask())


def refused(error: pytest.ExceptionInfo[CroupierError]) -> tuple[int, str]:
    return status_of(error.value), error.value.code


# The line


def jobs(*names: str, is_awaited: bool = True) -> list[Job]:
    return [Job((name,), is_awaited, 0.0) for name in names]


def a_request() -> Waiter:
    """One that waits, of a server that is gone."""
    loop = asyncio.new_event_loop()
    loop.close()
    return Waiter(loop)


def taken(line: JobQueue, now: float = 0.0) -> list[str]:
    found = []
    while (job := line.next(now)) is not None:
        found.append(job.call[0])
    return found


def test_visitors_take_turns_however_much_each_has_asked_for() -> None:
    line = JobQueue(most_each=10, most=20)
    for job in jobs("a1", "a2", "a3", "a4"):
        line.join("a", job)
    for visitor, job in zip("bcb", jobs("b1", "c1", "b2"), strict=True):
        line.join(visitor, job)
    assert taken(line) == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


def test_whoever_comes_later_waits_for_one_turn_of_each_and_not_for_their_lines() -> None:
    line = JobQueue(most_each=10, most=20)
    for job in jobs("a1", "a2", "a3"):
        line.join("a", job)
    first = line.next(0.0)
    line.join("b", jobs("b1")[0])
    assert first is not None and first.call == ("a1",)
    assert taken(line) == ["a2", "b1", "a3"]


def test_what_people_wait_for_comes_before_what_fills_pages() -> None:
    line = JobQueue(most_each=10, most=20)
    for job in jobs("lobby 1", "lobby 2", is_awaited=False):
        line.join("a", job)
    line.join("a", jobs("sheet of a")[0])
    line.join("b", jobs("sheet of b")[0])
    assert taken(line) == ["sheet of a", "sheet of b", "lobby 1", "lobby 2"]


def test_a_visitors_latest_questions_go_before_those_left_behind() -> None:
    line = JobQueue(most_each=10, most=20)
    old, new, newer = jobs("old", "new", "newer")
    for job in (old, new, newer):
        line.join("a", job)
    new.asked_at = newer.asked_at = FRESH_S + 1
    assert taken(line, FRESH_S + 1) == ["new", "newer", "old"]


def test_what_nobody_asks_for_is_dropped() -> None:
    line = JobQueue(most_each=10, most=20)
    left, asked, awaited = jobs("left", "asked", "awaited")
    for job in (left, asked, awaited):
        line.join("a", job)
    asked.asked_at = UNASKED_S
    awaited.waiters.add(a_request())
    assert taken(line, UNASKED_S + 1) == ["asked", "awaited"]
    assert len(line) == 0


def test_a_job_that_several_ask_for_is_in_all_their_lines_and_taken_once() -> None:
    line = JobQueue(most_each=10, most=20)
    shared, other = jobs("shared", "other")
    for job in jobs("a1", "a2", "a3"):
        line.join("a", job)
    line.join("a", shared)
    line.join("b", shared)
    line.join("b", other)
    assert len(line) == 5
    assert taken(line) == ["a1", "shared", "a2", "other", "a3"]


def test_a_full_line_drops_the_visitors_oldest_that_no_request_waits_for() -> None:
    line = JobQueue(most_each=2, most=20)
    first, second, third = jobs("first", "second", "third")
    first.waiters.add(a_request())
    for job in (first, second, third):
        line.join("a", job)
    assert taken(line) == ["first", "third"]


def test_a_full_line_in_which_requests_wait_is_refused_to_that_visitor_alone() -> None:
    line = JobQueue(most_each=2, most=20)
    held = jobs("first", "second", "third")
    for job in held:
        job.waiters.add(a_request())
    line.join("a", held[0])
    line.join("a", held[1])
    with pytest.raises(WebError, match="2 of your computations are already waiting") as caught:
        line.join("a", held[2])
    assert refused(caught) == (429, "too_busy")
    line.join("b", held[2])


def test_where_all_lines_are_full_the_longest_gives_way() -> None:
    line = JobQueue(most_each=4, most=5)
    for job in jobs("a1", "a2", "a3", "a4"):
        line.join("a", job)
    line.join("b", jobs("b1")[0])
    line.join("c", jobs("c1")[0])
    assert taken(line) == ["a2", "b1", "c1", "a3", "a4"]
    for name in "abcde":
        line.join(name, jobs(name)[0])
    with pytest.raises(WebError, match="as much as it can") as caught:
        line.join("f", jobs("f")[0])
    assert refused(caught) == (429, "too_busy")


# With processes


def test_an_answer_is_computed_once_and_kept(tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def ask(work: Work) -> list[Any]:
        asked = [work.sheet(PATIENCE_S, work_calls.note, notes, "a") for _ in range(3)]
        return [*await asyncio.gather(*asked), await work.sheet(PATIENCE_S, work_calls.note, notes, "a")]

    with working() as work:
        assert run_async(ask(work)) == ["a"] * 4
        assert notes.read_text() == "a\n"
        work.forget(work_calls.note, notes, "a")
        run_async(ask(work))
    assert notes.read_text() == "a\na\n"


def test_an_unexpected_error_is_told_and_not_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    notes = tmp_path / "notes"

    async def ask(work: Work) -> Any:
        return await work.sheet(PATIENCE_S, work_calls.fail_at_first, notes)

    with working() as work, caplog.at_level(logging.ERROR):
        with pytest.raises(WebError) as caught:
            run_async(ask(work))
        assert refused(caught) == (503, "work_failed")
        assert run_async(ask(work)) == "there"
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 1
    assert said[0].startswith("A computation failed: fail_at_first: KeyError at work_calls.py:")
    assert "own words" not in caplog.text


@pytest.mark.parametrize(("call", "code"), [(work_calls.fail_at_first, "work_failed"), (work_calls.refuse, "too_many")])
def test_a_failure_that_nobody_was_there_to_hear_is_told_once_and_leaves_nothing_unread(
    call: Callable[[Path], str], code: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes"
    unread: list[Any] = []

    async def ask(work: Work) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: unread.append(context))
        assert await work.sheet(0.0, call, notes) is None
        await settled(work)
        with pytest.raises(CroupierError) as caught:
            await work.sheet(PATIENCE_S, call, notes)
        assert caught.value.code == code
        assert notes.read_text().count("\n") == 1
        if call is work_calls.fail_at_first:
            assert await work.sheet(PATIENCE_S, call, notes) == "there"

    with working() as work:
        run_async(ask(work))
    gc.collect()
    assert unread == []
    assert "never retrieved" not in capfd.readouterr().err


async def settled(work: Work) -> None:
    """Once everything before it in the line is over."""
    await work.sheet(PATIENCE_S, work_calls.own_pid)
    work.forget(work_calls.own_pid)


def test_what_takes_too_much_memory_ends_alone() -> None:
    async def ask(work: Work) -> None:
        before = await work.do(work_calls.own_pid)
        with pytest.raises(CroupierError, match="more memory than the server has") as caught:
            await work.do(work_calls.take_memory, 2000)
        assert refused(caught) == (422, "too_large")
        assert await work.do(work_calls.take_memory, 1) == MIB
        assert work.pid("asked") != before

    with working() as work:
        run_async(ask(work))


def test_what_takes_too_long_is_ended_and_the_next_goes_on(tmp_path: Path) -> None:
    notes, never = tmp_path / "notes", tmp_path / "never"

    async def ask(work: Work) -> None:
        long = as_visitor("a", lambda: work.slow(PATIENCE_S, work_calls.hold, notes, "long", never))
        other = as_visitor("b", lambda: work.slow(PATIENCE_S, work_calls.note, notes, "other"))
        results = await asyncio.gather(long, other, return_exceptions=True)
        assert isinstance(results[0], CroupierError)
        assert (status_of(results[0]), results[0].code) == (422, "took_too_long")
        assert results[1] == "other"

    with working(Bounds(most_each=3, kept=2, seconds=0.2)) as work:
        run_async(ask(work))


def test_a_process_that_is_killed_is_told_and_replaced() -> None:
    async def ask(work: Work) -> None:
        with pytest.raises(WebError) as caught:
            await work.do(work_calls.die)
        assert refused(caught) == (503, "work_stopped")
        assert await work.do(work_calls.own_pid) > 0

    with working() as work:
        run_async(ask(work))


def test_an_answer_that_cannot_be_sent_over_is_a_failure_like_others() -> None:
    async def ask(work: Work) -> None:
        with pytest.raises(WebError) as caught:
            await work.do(work_calls.unsendable)
        assert refused(caught) == (503, "work_failed")
        assert await work.do(work_calls.own_pid) > 0

    with working() as work:
        run_async(ask(work))


def test_one_visitor_with_a_long_line_does_not_hold_up_another(tmp_path: Path) -> None:
    notes, go = tmp_path / "notes", tmp_path / "go"

    async def ask(work: Work) -> None:
        await as_visitor("a", lambda: work.slow(0.0, work_calls.hold, notes, "first", go))
        while not notes.exists():
            await asyncio.sleep(0.01)
        for number in range(8):  # far beyond the bound: the oldest give way
            await as_visitor("a", partial(work.slow, 0.0, work_calls.note, notes, f"flood {number}"))
        honest = asyncio.create_task(as_visitor("b", lambda: work.slow(PATIENCE_S, work_calls.note, notes, "honest")))
        await asyncio.sleep(0.1)
        go.touch()
        assert await honest == "honest"
        await as_visitor("a", lambda: work.slow(PATIENCE_S, work_calls.note, notes, "flood 7"))

    with working() as work:
        run_async(ask(work))
    assert notes.read_text().split("\n")[:-1] == ["first", "flood 5", "honest", "flood 6", "flood 7"]


def test_what_fills_in_on_a_page_is_left_out_and_not_refused_where_the_line_is_full(tmp_path: Path) -> None:
    notes, go = tmp_path / "notes", tmp_path / "go"

    async def ask(work: Work) -> None:
        running = asyncio.create_task(work.sheet(60, work_calls.hold, notes, "first", go))
        while not notes.exists():
            await asyncio.sleep(0.01)
        waiting = asyncio.create_task(work.sheet(60, work_calls.note, notes, "second"))
        await asyncio.sleep(0.1)
        assert await work.aside(0.1, work_calls.note, notes, "aside") is None
        with pytest.raises(WebError) as caught:
            await work.sheet(0.1, work_calls.note, notes, "third")
        assert refused(caught) == (429, "too_busy")
        go.touch()
        await asyncio.gather(running, waiting)

    with working(replace(SMALL, most_each=1)) as work:
        run_async(ask(work))
    assert notes.read_text().split() == ["first", "second"]


def test_advice_has_a_bound_for_each_visitor_too(tmp_path: Path) -> None:
    notes, go = tmp_path / "notes", tmp_path / "go"

    async def ask(work: Work) -> None:
        running = asyncio.create_task(as_visitor("a", lambda: work.do(work_calls.hold, notes, "first", go)))
        while not notes.exists():
            await asyncio.sleep(0.01)
        waiting = [
            asyncio.create_task(as_visitor("a", partial(work.do, work_calls.note, notes, f"{number}")))
            for number in range(SMALL.most_each)
        ]
        await asyncio.sleep(0.1)
        with pytest.raises(WebError) as caught:
            await as_visitor("a", lambda: work.do(work_calls.note, notes, "one more"))
        assert refused(caught) == (429, "too_busy")
        other = asyncio.create_task(as_visitor("b", lambda: work.do(work_calls.note, notes, "of another")))
        await asyncio.sleep(0.1)
        go.touch()
        assert await other == "of another"
        await asyncio.gather(running, *waiting)

    with working() as work:
        run_async(ask(work))


def test_what_nobody_asks_for_any_more_is_never_begun(tmp_path: Path) -> None:
    notes, go, clock = tmp_path / "notes", tmp_path / "go", Clock()

    async def ask(work: Work) -> None:
        await work.slow(0.0, work_calls.hold, notes, "first", go)
        while not notes.exists():
            await asyncio.sleep(0.01)
        await work.slow(0.0, work_calls.note, notes, "left behind")
        await work.slow(0.0, work_calls.note, notes, "polled")
        clock.now = UNASKED_S - 1
        await work.slow(0.0, work_calls.hold, notes, "first", go)
        await work.slow(0.0, work_calls.note, notes, "polled")
        clock.now = UNASKED_S + 1
        go.touch()
        assert await work.slow(PATIENCE_S, work_calls.note, notes, "last") == "last"
        assert await work.slow(PATIENCE_S, work_calls.note, notes, "polled") == "polled"

    with working(clock=clock) as work:
        run_async(ask(work))
    assert sorted(notes.read_text().split()) == ["first", "last", "polled"]


def test_what_is_computed_for_nobody_is_stopped_when_others_wait(tmp_path: Path) -> None:
    notes, never, clock = tmp_path / "notes", tmp_path / "never", Clock()

    async def ask(work: Work) -> None:
        await work.slow(0.0, work_calls.hold, notes, "for nobody", never)
        while not notes.exists():
            await asyncio.sleep(0.01)
        clock.now = UNASKED_S + 1
        assert await work.slow(PATIENCE_S, work_calls.note, notes, "for somebody") == "for somebody"

    with working(Bounds(most_each=3, kept=2, seconds=10**9), clock) as work:
        run_async(ask(work))


def test_closing_ends_the_processes_and_tells_whoever_waits(tmp_path: Path) -> None:
    notes, never = tmp_path / "notes", tmp_path / "never"
    work = Work()

    async def ask() -> None:
        waiting = [
            asyncio.create_task(work.slow(PATIENCE_S, work_calls.hold, notes, name, never)) for name in ("a", "b")
        ]
        while not notes.exists():
            await asyncio.sleep(0.01)
        pid = work.pid("slow")
        await asyncio.to_thread(work.close)
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        for task in waiting:
            with pytest.raises(WebError) as caught:
                await task
            assert caught.value.code == "work_stopped"

    run_async(ask())


def test_pages_ask_as_the_member_of_staff_or_the_address_and_never_as_a_cookie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors = []

    async def not_yet(*_: object) -> None:
        visitors.append(VISITOR.get())

    with demo_web(str(tmp_path / "floor.db")) as web:
        monkeypatch.setattr(web.room.work, "sheet", not_yet)
        somebody, other = (TestClient(web.app, client=(address, 1)) for address in ("10.0.0.1", "10.0.0.2"))
        somebody.get("/play/blackjack")  # makes a player, and a cookie
        for http in (somebody, other, as_role(web, "auditor")):
            assert "omputing" in http.get("/strategy/blackjack?decks=1").text
    assert visitors[:2] == ["address:10.0.0.1", "address:10.0.0.2"]
    assert visitors[2].startswith("staff:")
