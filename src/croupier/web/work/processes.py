"""Long computations beside the server: in processes of their own, so that no table waits for them.

Each kind of work has a process and a line before it, in which visitors take turns (`line.py`). One thing is
computed at a time, within bounds of time and memory (`process.py`); what goes beyond them ends with its process,
and nobody else's work with it. Only answers are kept: a failure is told once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any, Literal, ParamSpec, TypeVar

from croupier.errors import RangeError
from croupier.web.errors import WebError
from croupier.web.work.line import UNASKED_S, Job, JobQueue, Waiter
from croupier.web.work.process import Begun, Call, Computed, Failed, Full, GoneError, Progressed, Refused, WorkProcess

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
Pool = Literal["asked", "drills", "sheets", "lab", "files", "slow"]
"""What a player waits for at a table, hands that are practiced, what pages are filled with, figures that follow
somebody's typing, what is made of other people's files, and what takes minutes: half a minute of the one holds up no
other."""

MIB = 1024 * 1024
HEAR_S = 0.5
STOPPED = "The computation was stopped. Ask again."
BACKGROUND = "the server"
"""In whose line a job waits that has given way."""
LET_FINISH_S = 2.0
"""What has run no longer than this is let finish: most things take less."""
START_S = 300.0
"""Until a process has loaded what it needs; a compiler may be at work."""


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """How much of one kind of work there may be."""

    most_each: int
    """Waiting for one visitor, who may be a room behind one address."""
    most: int = 200
    kept: int
    """Answers; the last ones."""
    seconds: float
    memory_bytes: int = 4096 * MIB


BOUNDS: dict[Pool, Bounds] = {
    "asked": Bounds(most_each=20, kept=50, seconds=120),
    "drills": Bounds(most_each=20, kept=1000, seconds=300),
    "sheets": Bounds(most_each=100, kept=2000, seconds=300),
    "lab": Bounds(most_each=20, kept=200, seconds=120),
    "files": Bounds(most_each=10, kept=8, seconds=60, memory_bytes=1024 * MIB),
    "slow": Bounds(most_each=10, kept=200, seconds=1800),
}


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How far a computation is that somebody waits for."""

    before: int
    """Others that come first."""
    share: float
    """How much of it is done, a share of one: as it tells, or by the time that such a thing usually takes."""
    seconds_left: float | None
    """About how long it still takes; None where nobody can say yet."""


USUAL_S = 30.0
"""What takes long and does not tell how far it is compiles: about so long, the first time."""
NEARLY = 0.95
"""Where something takes longer than usual, its bar stays here."""

VISITOR: ContextVar[str] = ContextVar("visitor", default="")
"""Who asks, for the length of a request: a person who is signed in, or else an address."""

log = logging.getLogger("croupier.web")


class Work:
    """A process for each kind of work, started when it is first needed."""

    def __init__(self, bounds: dict[Pool, Bounds] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._desks = {name: _Desk(name, bound, now) for name, bound in (bounds or BOUNDS).items()}

    async def do(self, compute: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs) -> Answer:
        """The answer of a function of ours, called with plain data in the other process."""
        assert not named, "another process is passed positional arguments"
        answer: Answer = await self._desks["asked"].answer((compute, *given), None)
        return answer

    async def soon(
        self, patience_s: float, compute: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs
    ) -> Answer | None:
        """As `do`, for a page that has something else to show meanwhile: None while it is not there after that time."""
        assert not named, "another process is passed positional arguments"
        answer: Answer | None = await self._desks["asked"].answer((compute, *given), patience_s)
        return answer

    def begin(self, pool: Pool, compute: Callable[..., Any], *given: Any) -> None:
        """Puts something in line that nobody waits for yet, so that its process is there when somebody does."""
        self._desks[pool].begin((compute, *given))

    def standing(self, pool: Pool, compute: Callable[..., Any], *given: Any) -> Standing | None:
        """How far something is that was asked for; None where nobody has, or where it is there."""
        return self._desks[pool].standing((compute, *given))

    async def drill(
        self, patience_s: float | None, compute: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs
    ) -> Answer | None:
        """As `sheet`, for who practices: milliseconds, but for the first hand of a game on a new machine."""
        assert not named, "another process is passed positional arguments"
        answer: Answer | None = await self._desks["drills"].answer((compute, *given), patience_s)
        return answer

    async def sheet(
        self, patience_s: float, compute: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs
    ) -> Answer | None:
        """As `do`, for what is computed once and kept; None while it is not there after that time: ask again later."""
        assert not named, "another process is passed positional arguments"
        answer: Answer | None = await self._desks["sheets"].answer((compute, *given), patience_s)
        return answer

    async def aside(
        self, patience_s: float, compute: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs
    ) -> Answer | None:
        """As `sheet`, for what fills in on a page that is of use without it: it comes after what people wait for, and
        where the line is full the page asks again, and is not refused."""
        assert not named, "another process is passed positional arguments"
        try:
            answer: Answer | None = await self._desks["sheets"].answer((compute, *given), patience_s, is_awaited=False)
        except WebError as error:
            if error.code != "too_busy":
                raise
            return None
        return answer

    async def draft(
        self, patience_s: float, compute: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs
    ) -> Answer | None:
        """As `sheet`, for what takes milliseconds once its process is warm: never for what plays or solves."""
        assert not named, "another process is passed positional arguments"
        answer: Answer | None = await self._desks["lab"].answer((compute, *given), patience_s)
        return answer

    async def file(
        self, patience_s: float, compute: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs
    ) -> Answer | None:
        """As `draft`, for what is made of a file that somebody sent: with little time and memory, and no sheet or
        draft of others behind it."""
        assert not named, "another process is passed positional arguments"
        answer: Answer | None = await self._desks["files"].answer((compute, *given), patience_s)
        return answer

    async def slow(
        self, patience_s: float, compute: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs
    ) -> Answer | None:
        """As `sheet`, for what takes minutes: no other page waits for it."""
        assert not named, "another process is passed positional arguments"
        answer: Answer | None = await self._desks["slow"].answer((compute, *given), patience_s)
        return answer

    def forget(self, compute: Callable[..., Any], *given: Any) -> None:
        """Does not keep an answer that is large and quickly made again, as a file is."""
        for desk in self._desks.values():
            desk.forget((compute, *given))

    def waiting(self) -> dict[str, int]:
        """How many computations of each kind have not begun."""
        return {name: desk.waiting for name, desk in self._desks.items()}

    def pid(self, pool: Pool) -> int:
        """The process of that kind of work; 0 while there is none."""
        return self._desks[pool].pid

    def close(self) -> None:
        """Stops at once: what is computed half would be computed anew anyway."""
        for desk in self._desks.values():
            desk.close()


@dataclass(eq=False)
class _Desk:
    """One kind of work: its line, its process, and a thread that hands the one to the other."""

    name: Pool
    bounds: Bounds
    now: Callable[[], float]
    changed: Condition = field(default_factory=Condition)
    """Holds everything below."""
    line: JobQueue = field(init=False)
    running: Job | None = None
    answers: dict[Call, Any] = field(default_factory=dict)
    untold: dict[Call, tuple[Exception, float]] = field(default_factory=dict)
    """Failures that nobody was there to hear of, for whoever asks next, and when they happened."""
    thread: Thread | None = None
    process: WorkProcess | None = None
    is_closed: bool = False

    def __post_init__(self) -> None:
        self.line = JobQueue(most_each=self.bounds.most_each, most=self.bounds.most)

    @property
    def pid(self) -> int:
        process = self.process
        return process.pid if process is not None else 0

    @property
    def waiting(self) -> int:
        with self.changed:
            return len(self.line)

    # For requests, on the event loop.

    async def answer(self, call: Call, patience_s: float | None, *, is_awaited: bool = True) -> Any:
        """The answer, kept or computed; None if it is not there after that time."""
        waiter = Waiter(asyncio.get_running_loop())
        with self.changed:
            if call in self.answers:
                return self.answers[call]
            job = self._job(call, is_awaited)
            job.waiters.add(waiter)
        try:
            await asyncio.wait_for(waiter.there.wait(), patience_s)
        except TimeoutError:
            pass
        finally:
            with self.changed:
                job.waiters.discard(waiter)
                job.asked_at = self.now()
        if job.error is not None:
            raise job.error
        return job.value

    def _job(self, call: Call, is_awaited: bool) -> Job:
        error, at = self.untold.pop(call, (None, 0.0))
        if error is not None and self.now() - at <= UNASKED_S:
            raise error
        running = self.running
        job = running if running is not None and running.call == call else self.line.find(call)
        if job is None:
            job = Job(call, is_awaited, self.now())
        job.asked_at = self.now()
        job.is_awaited = job.is_awaited or is_awaited
        if job is not running:
            self.line.join(VISITOR.get(), job)
            self._start()
            self.changed.notify_all()
        return job

    def begin(self, call: Call) -> None:
        with self.changed:
            self._job(call, is_awaited=False)

    def forget(self, call: Call) -> None:
        with self.changed:
            self.answers.pop(call, None)

    def standing(self, call: Call) -> Standing | None:
        with self.changed:
            running = self.running
            if running is not None and running.call == call and running.begun_at is not None:
                return _standing(running, self.now() - running.begun_at)
            job = self.line.find(call)
            if job is None:
                return None
            return Standing(before=self.line.before(job) + (running is not None), share=0.0, seconds_left=None)

    # The thread.

    def _start(self) -> None:
        if self.thread is None and not self.is_closed:
            self.thread = Thread(target=self._serve, name=f"work-{self.name}", daemon=True)
            self.thread.start()

    def _serve(self) -> None:
        while True:
            with self.changed:
                while not self.is_closed and (job := self.line.next(self.now())) is None:
                    self.changed.wait()
                if self.is_closed:
                    return
                assert job is not None
                self.running, job.begun_at, job.share = job, self.now(), 0.0
            try:
                job.value = self._computed(job)
            except _GivesWayError:
                self._put_back(job)
                continue
            except Exception as error:
                job.error = error
            self._settle(job)

    def _put_back(self, job: Job) -> None:
        """Lets what fills in on a page wait for what a person waits for."""
        with self.changed:
            self.running, job.begun_at = None, None
            try:
                self.line.join(BACKGROUND, job)
                return
            except WebError as error:
                job.error = error
        self._settle(job)

    def _settle(self, job: Job) -> None:
        with self.changed:
            self.running = None
            if job.error is None:
                self._keep(job.call, job.value)
            elif not job.waiters and not isinstance(job.error, _LeftError):
                self._keep_untold(job.call, job.error)
            for waiter in job.waiters:
                waiter.wake()

    def _keep(self, call: Call, value: Any) -> None:
        self.answers[call] = value
        while len(self.answers) > self.bounds.kept:
            del self.answers[next(iter(self.answers))]

    def _keep_untold(self, call: Call, error: Exception) -> None:
        self.untold[call] = (error, self.now())
        while len(self.untold) > self.bounds.most:
            del self.untold[next(iter(self.untold))]

    def _computed(self, job: Job) -> Any:
        """The value; raises what a visitor may be told, whatever has happened."""
        try:
            process = self._ready_process()
            process.ask(job.call)
            said = self._heard(job, process)
        except GoneError:
            self._end_process()
            raise _stopped() from None
        except (_LeftError, _GivesWayError):
            self._end_process()
            raise
        except _TooLongError:
            self._end_process()
            raise RangeError(
                f"This takes longer than the {self.bounds.seconds:g} seconds that the server has for it. Ask for less, "
                "as with a shorter file, or let the command line compute it.",
                code="took_too_long",
            ) from None
        except Exception as error:  # what could not be sent over, or no process could be started
            self._end_process()
            log.error("A computation could not be begun: %s", type(error).__name__)
            raise _failed() from None
        match said:
            case Computed(value):
                return value
            case Refused(refusal):
                raise refusal
            case Full():
                self._end_process()
                raise RangeError(
                    "This takes more memory than the server has for one computation. Ask for less, as with a shorter "
                    "file, or let the command line compute it.",
                    code="too_large",
                )
            case Failed(what):
                log.error("A computation failed: %s", what)
        raise _failed()

    def _heard(self, job: Job, process: WorkProcess) -> Computed | Refused | Failed | Full:
        """The answer of the process, which is ended when it takes too long, or when others wait and nobody asks for it
        any more."""
        end = self.now() + START_S
        while True:
            said = process.hear(HEAR_S)
            if isinstance(said, Begun):
                end = self.now() + self.bounds.seconds
            elif isinstance(said, Progressed):
                job.share = said.share
            elif said is not None:
                return said
            if self.is_closed:
                raise GoneError
            if self.now() > end:
                raise _TooLongError
            with self.changed:
                is_left = len(self.line) > 0 and not job.is_asked_for(self.now())
                gives_way = not job.is_awaited and self.line.has_awaited()
            if is_left:
                raise _LeftError(STOPPED, code="work_stopped")
            if gives_way and self.now() - (job.begun_at or 0.0) > LET_FINISH_S:
                raise _GivesWayError

    def _ready_process(self) -> WorkProcess:
        if self.process is None:
            process = WorkProcess(self.bounds.memory_bytes)
            with self.changed:
                self.process = process
        return self.process

    def _end_process(self) -> None:
        with self.changed:
            process, self.process = self.process, None
        if process is not None:
            process.end()

    def close(self) -> None:
        with self.changed:
            self.is_closed = True
            for job in self.line.clear():
                job.error = _stopped()
                for waiter in job.waiters:
                    waiter.wake()
            self.changed.notify_all()
            if self.process is not None:
                self.process.stop()
        if self.thread is not None:
            self.thread.join()
        self._end_process()


class _LeftError(WebError):
    """Nobody has asked for a while, and others wait: there is nobody to tell."""


class _GivesWayError(Exception):
    """A person waits for something else."""


class _TooLongError(Exception):
    """A computation has had its time."""


def _standing(job: Job, seconds: float) -> Standing:
    """By what the job tells, once it has told something; else by the clock."""
    if job.share > 0:
        return Standing(before=0, share=job.share, seconds_left=seconds * (1 - job.share) / job.share)
    return Standing(before=0, share=min(NEARLY, seconds / USUAL_S), seconds_left=max(USUAL_S - seconds, 1.0))


def _stopped() -> WebError:
    return WebError(STOPPED, code="work_stopped")


def _failed() -> WebError:
    return WebError("The computation failed, which is not your fault: the server's log says where.", code="work_failed")
