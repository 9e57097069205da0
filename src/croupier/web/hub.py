"""What changed, told to all streams: found once, at most ten times a second, by one reader of the log.

One thread watches the ledger. Another gathers what it and others say has changed, reads the meters once for everybody,
and wakes the streams that want to hear of it. It also gives heartbeats, ends streams whose readers may read no longer
or do not read, and looks at each token and session once, however many streams it has.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Condition, Thread

from croupier.errors import CroupierError, LedgerError
from croupier.floor.service import FLOOR, TABLE
from croupier.jackpot import AwardBackedOut, FactRecorded, Sealed, WagersLocked
from croupier.store import Book
from croupier.web.board import BoardStanding, MeterBoard

IDLE_SECONDS = 0.5
PAUSE_S = 0.1
"""What changes within this time is told at once."""
MOST_TOLD_PER_SECOND = 4000
"""With many streams they hear less often, so that telling them never takes the server from those who play."""
SLICE = 50
"""Streams woken in one turn of the event loop; requests that have come meanwhile are next."""
LONGEST_S = 3600.0
"""A stream ends by this time, some a quarter sooner, so that not all come back at once."""
SLOW_S = 30.0
"""Who does not take what was sent for this long is cut off."""
METERS = "meters"
ALIVE = "\0alive"
"""In the place of a subject, for streams that had nothing to say for a while; no subject can be named so."""
SERVICE = ("stop", "reopen", "alarm")
"""Steps by which a table goes out of service or comes back: the floor is no longer what it was."""

log = logging.getLogger("croupier.web")


@dataclass(frozen=True, kw_only=True)
class StreamReader:
    """Whose stream it is."""

    name: str
    """A token, a session, or the address of those who have neither: streams are counted by it."""
    is_known: bool = False
    """Whether a token or a session says who it is."""
    may_still: Callable[[], bool] | None = None
    """Whether token and session are good now; None where anybody may read."""


class Listener:
    """One stream: what has changed since it last spoke. Its subjects bound it, however slow its reader is."""

    def __init__(self, wanted: frozenset[str], reader: StreamReader) -> None:
        self.wanted = wanted
        self.reader = reader
        self.loop = asyncio.get_running_loop()
        self.said_at = time.monotonic()
        self.ends_at = self.said_at + LONGEST_S * random.uniform(0.75, 1.0)
        self.sending_since: float | None = None
        self.writer: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._changed: set[str] = set()
        self._is_over = False

    async def changes(self) -> set[str] | None:
        """What has changed, as soon as something has; None when the stream is over."""
        await self._woken.wait()
        self._woken.clear()
        if self._is_over:
            return None
        changed, self._changed = self._changed, set()
        return changed

    def wake(self, changed: Iterable[str]) -> None:
        """In its own loop."""
        self._changed.update(changed)
        self._woken.set()

    def end(self) -> None:
        """In its own loop."""
        self._is_over = True
        self._woken.set()

    def cut(self) -> None:
        """In its own loop: for a reader that takes nothing, so that a farewell would not reach it either."""
        if self.writer is not None:
            self.writer.cancel()


class Hub:
    """Starts watching with the first stream."""

    def __init__(self, book: Book, heartbeat_s: float) -> None:
        self.board = MeterBoard(book)
        self.told = 0
        """Counts what was said to have changed."""
        self._book = book
        self._heartbeat_s = heartbeat_s
        self._listeners: set[Listener] = set()
        self._by_subject: dict[str, set[Listener]] = {}
        self._looked_at: OrderedDict[str, None] = OrderedDict()
        """The readers to look at, the one longest not looked at first."""
        self._changed: set[str] = set()
        self._told_version = 0
        """Of the meters, what the streams have heard of."""
        self._stopped_jackpots: frozenset[str] = frozenset()
        self._guard = Condition()
        self._is_stopped = False
        self._threads: list[Thread] = []

    def start(self) -> None:
        """Watches from now on: what is read of the ledger after this misses nothing."""
        if self._threads:
            return
        after = self._book.head()[0]
        with self._guard:
            if self._threads or self._is_stopped:
                return
            self._stopped_jackpots = frozenset(self._book.stopped())
            watch = Thread(target=self._watch, args=(after,), name="ledger", daemon=True)
            self._threads = [watch, Thread(target=self._run, name="streams", daemon=True)]
            for thread in self._threads:
                thread.start()

    def catch_up(self) -> BoardStanding:
        """The meters as they stand now; what comes after is told."""
        self.start()
        return self.board.catch_up()

    @contextmanager
    def listen(self, wanted: frozenset[str], reader: StreamReader) -> Iterator[Listener]:
        listener = Listener(wanted, reader)
        with self._guard:
            if self._is_stopped:
                listener.end()
            self._listeners.add(listener)
            for subject in wanted:
                self._by_subject.setdefault(subject, set()).add(listener)
            if reader.may_still is not None:
                self._looked_at.setdefault(reader.name)
        try:
            yield listener
        finally:
            with self._guard:
                self._listeners.discard(listener)
                for subject in wanted:
                    self._forget(subject, listener)

    def _forget(self, subject: str, listener: Listener) -> None:
        listeners = self._by_subject.get(subject, set())
        listeners.discard(listener)
        if not listeners:
            self._by_subject.pop(subject, None)

    def tell(self, *subjects: str) -> None:
        """That these have changed. From any thread; the streams hear of it in a moment."""
        with self._guard:
            self.told += 1
            if self._by_subject.keys() & subjects:
                self._changed.update(subjects)
                self._guard.notify_all()

    def stop(self) -> None:
        """Ends the streams and the threads."""
        with self._guard:
            self._is_stopped = True
            self._guard.notify_all()
        self._end(None)
        for thread in self._threads:
            thread.join()

    def _watch(self, after: int) -> None:
        while not self._is_stopped:
            try:
                for batch in self._book.watch(after=after, idle_s=IDLE_SECONDS):
                    if self._is_stopped:
                        return
                    if batch:
                        after = batch[-1].entry.seq
                        self.tell(*{subject for sealed in batch for subject in subjects_of(sealed)})
            except LedgerError as error:
                log.warning("The ledger cannot be watched: %s", error)
                self._end(None)
                self._wait(1.0)

    def _run(self) -> None:
        every_s = min(1.0, self._heartbeat_s / 4)
        look_at = time.monotonic()
        read_at = look_at + self._heartbeat_s
        while not self._is_stopped:
            changed = self._gathered(look_at)
            try:
                now = time.monotonic()
                if now >= read_at:  # a jackpot that no longer adds up is not in the log
                    changed.add(METERS)
                    read_at = now + self._heartbeat_s
                told = self._tell_all(changed)
                if now >= look_at:
                    look_at = now + every_s
                    self._look_after_all(now)
                    self._look_at_readers(every_s / self._heartbeat_s)
            except LedgerError as error:
                log.warning("The meters cannot be read: %s", error)
                self._end(None)
                told = 0
            if changed:
                self._wait(max(PAUSE_S, told / MOST_TOLD_PER_SECOND))

    def _gathered(self, until: float) -> set[str]:
        """What has changed since this was asked last; waits for it no longer than until that time."""
        with self._guard:
            self._guard.wait_for(lambda: self._changed or self._is_stopped, until - time.monotonic())
            changed, self._changed = self._changed, set()
        return changed

    def _wait(self, seconds: float) -> None:
        with self._guard:
            self._guard.wait_for(lambda: self._is_stopped, seconds)

    def _tell_all(self, changed: set[str]) -> int:
        """Wakes the streams that want to hear of it; how many."""
        if METERS in changed and METERS in self._by_subject:
            version = self.board.read().version
            if version == self._told_version:  # also where a stream that was opened has read it first
                changed.remove(METERS)
            self._told_version = version
        if (stopped := frozenset(self._book.stopped())) != self._stopped_jackpots:
            self._stopped_jackpots = stopped
            changed.add("floor")
        woken: dict[Listener, set[str]] = {}
        with self._guard:
            for subject in changed:
                for listener in self._by_subject.get(subject, ()):
                    woken.setdefault(listener, set()).add(subject)
        self._wake(woken)
        return len(woken)

    def _look_after_all(self, now: float) -> None:
        """Heartbeats; the end of streams that are old, and of those whose readers do not read."""
        silent: dict[Listener, set[str]] = {}
        with self._guard:
            listeners = tuple(self._listeners)
        for listener in listeners:
            if listener.sending_since is not None and now - listener.sending_since > SLOW_S:
                self._call(listener.loop, listener.cut)
            elif now > listener.ends_at:
                self._call(listener.loop, listener.end)
            elif now - listener.said_at >= self._heartbeat_s:
                silent[listener] = {ALIVE}
        self._wake(silent)

    def _look_at_readers(self, share: float) -> None:
        """Ends the streams of those who may read no longer. In one heartbeat everybody's turn comes once."""
        with self._guard:
            streams: dict[str, list[Listener]] = {}
            for listener in self._listeners:
                streams.setdefault(listener.reader.name, []).append(listener)
            for name in self._looked_at.keys() - streams.keys():
                del self._looked_at[name]
            names = list(self._looked_at)[: 1 + int(len(self._looked_at) * share)]
            for name in names:
                self._looked_at.move_to_end(name)
        for name in names:
            if not _may_read(streams[name][0].reader):
                self._end(streams[name])

    def _wake(self, woken: dict[Listener, set[str]]) -> None:
        """A few at a time, so that nobody who plays waits for all of them."""
        by_loop: dict[asyncio.AbstractEventLoop, deque[tuple[Listener, set[str]]]] = {}
        for listener, subjects in woken.items():
            by_loop.setdefault(listener.loop, deque()).append((listener, subjects))
        for loop, pairs in by_loop.items():
            self._call(loop, partial(_wake_some, loop, pairs))

    def _end(self, listeners: Iterable[Listener] | None) -> None:
        """Ends these streams, or all; who reads one connects again."""
        with self._guard:
            ended = tuple(self._listeners if listeners is None else listeners)
        for listener in ended:
            self._call(listener.loop, listener.end)

    def _call(self, loop: asyncio.AbstractEventLoop, what: Callable[[], None]) -> None:
        try:
            loop.call_soon_threadsafe(what)
        except RuntimeError:  # the loop has ended, and its streams with it
            with self._guard:
                for listener in [each for each in self._listeners if each.loop is loop]:
                    self._listeners.discard(listener)
                    for subject in listener.wanted:
                        self._forget(subject, listener)


def _wake_some(loop: asyncio.AbstractEventLoop, pairs: deque[tuple[Listener, set[str]]]) -> None:
    for _ in range(min(SLICE, len(pairs))):
        listener, subjects = pairs.popleft()
        listener.wake(subjects)
    if pairs:
        loop.call_soon(_wake_some, loop, pairs)


def _may_read(reader: StreamReader) -> bool:
    try:
        return reader.may_still is None or reader.may_still()
    except CroupierError:
        return False


def subjects_of(sealed: Sealed) -> Iterator[str]:
    """What an entry of the ledger changes, in the words of pages."""
    event = sealed.entry.event
    if isinstance(event, FactRecorded):
        if event.subject.startswith(TABLE):
            yield event.subject
            if event.kind in SERVICE:
                yield "floor"
        if event.subject == FLOOR:
            yield "floor"
    elif event.postings:
        if not isinstance(event, WagersLocked):  # of these a busy floor has many, and no claim is changed by one
            yield "claims"
        if isinstance(event, AwardBackedOut):  # the one step of a claim that is no step of its table
            yield "back_outs"
        if any(posting.key[2] == "meter" for posting in event.postings):
            yield METERS
    yield "ledger"
