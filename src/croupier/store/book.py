"""The ledger as a service: requests in, durable entries out.

Threads that post at the same time share a transaction: one of them takes all that wait, decides them in the order they
came, writes them together and commits once; each gets its answer only after that commit. The next one takes what has
come meanwhile. Between servers, the lock on the row `head` gives the order.

A server that writes alone decides on what it has in memory and reads nothing: the batch is written if `head` is still
where memory has it. Whatever stands against that is settled by a transaction that first locks `head` and looks.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, bindparam, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from croupier.errors import CroupierError, LedgerError
from croupier.jackpot import Request, Sealed, State, decide, evolve
from croupier.jackpot.chain import digest, require_same, seal, unseal
from croupier.jackpot.decide import needs
from croupier.store import rows, schema
from croupier.store.engine import reading
from croupier.store.reading import Reader, storage_failed
from croupier.store.refusals import Refusals
from croupier.store.self_check import require_end, require_sound
from croupier.store.session_uses import SessionUses
from croupier.store.sums import SLICE, add_up
from croupier.store.writing import Batch, WritingConnection

MOST_TOGETHER = 512
"""Jobs in one transaction, so that the first of them does not wait for a crowd."""
MOST_WAITING = 20_000
MOST_LINKED = 64
KEPT = 20_000
"""Values of a kind that stay in memory; they are read again when needed."""

_KNOWN = select(schema.entries).where(schema.entries.c.id.in_(bindparam("ids", expanding=True)))
_HEAD = select(schema.head.c.seq, schema.head.c.hash).with_for_update()


@dataclass
class _Job:
    """Requests of one caller, booked together or not at all, and what became of them."""

    requests: tuple[Request, ...]
    digests: tuple[str, ...]
    answers: tuple[Sealed, ...] | None = None
    error: Exception | None = None
    is_done: bool = False
    """The transaction is over. Answers are made before the commit and count only after it."""


class Book(Reader):
    """One ledger in one database. Safe to use from many threads; several processes may have the same one open."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(reading(engine))
        self._engine = engine
        self.refusals = Refusals(engine)
        self.session_uses = SessionUses(engine)
        self._line = WritingConnection(engine)
        self._changed = threading.Condition()
        self._waiting: list[_Job] = []
        self._is_led = False
        self._state = State()
        self._head = (0, "")
        """Where the log ends by what is in memory."""
        self._is_alone = False
        """Whether nobody else wrote between our last two transactions: then memory is likely to be right again."""
        self._stopped: dict[str, str] = {}
        self._is_sound = False
        """Whether this process has checked the ledger."""
        self._damage = ""
        """What is wrong with the files of the store, by which nothing is booked any more; empty when nothing is."""

    def add_up(self, *, at_least: int = SLICE) -> None:
        """Brings the sums that reports are made of up to date with the log; harmless to leave out."""
        add_up(self, self._engine, at_least=at_least)

    def post(self, request: Request) -> Sealed:
        """Books one request. When this returns, the entry is on the disk; a repeat returns the first entry.

        A refusal writes nothing. `storage_failed` says that the outcome is not known: ask again with the same id.
        """
        return self.post_all((request,))[0]

    def post_all(self, requests: Sequence[Request]) -> tuple[Sealed, ...]:
        """Books several requests in their order, all of them or none."""
        if not 1 <= len(requests) <= MOST_LINKED:
            raise LedgerError(f"Link 1 to {MOST_LINKED} requests, not {len(requests)}.", code="bad_link")
        job = _Job(tuple(requests), tuple(digest(request) for request in requests))
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                raise LedgerError("The ledger has more to book than it can: try again shortly.", code="ledger_busy")
            self._waiting.append(job)
        while self._must_lead(job):
            self._lead()
        if job.error is not None:
            raise job.error
        if job.answers is None or len(job.answers) != len(requests):
            raise LedgerError(
                "The ledger did not answer every request: ask again with the same ids.", code="storage_failed"
            )
        return job.answers

    def _must_lead(self, job: _Job) -> bool:
        """Waits until the job is done, or nobody leads: then the caller does."""
        with self._changed:
            while self._is_led and not job.is_done:
                self._changed.wait()
            if not job.is_done:
                self._is_led = True
            return not job.is_done

    def _lead(self) -> None:
        """Books the first of what waits, then lets another thread lead, or this one again."""
        with self._changed:
            jobs = self._waiting[:MOST_TOGETHER]
            del self._waiting[:MOST_TOGETHER]
        try:
            self._book(jobs)
        except BaseException as error:
            for job in jobs:
                job.answers, job.error = None, LedgerError(f"Booking was cut short: {error!r}.", code="storage_failed")
            raise
        finally:
            with self._changed:
                for job in jobs:
                    job.is_done = True
                self._is_led = False
                self._changed.notify_all()

    def _book(self, jobs: list[_Job]) -> None:
        left = self._book_by_memory(jobs) if self._is_alone else jobs
        if left:
            self._book_locked(left)
        self._keep_little()

    def _book_by_memory(self, jobs: list[_Job]) -> list[_Job]:
        """Books what needs no look at the ledger, and returns the other jobs.

        A refusal is not final here: memory may be old, or the id may be in the log, with an answer.
        """
        requests = [request for job in jobs for request in job.requests]
        if not rows.has_all(self._state, *needs(requests)):
            return jobs
        stopped = dict(self._stopped)
        batch = self._decide_all(jobs, {})
        self._stopped = stopped
        is_written = False
        try:
            is_written = not batch.sealed or self._line.write(batch)
        finally:
            if not is_written:
                self._forget()
        return [job for job in jobs if job.error is not None] if is_written else jobs

    def _book_locked(self, jobs: list[_Job]) -> None:
        for last_try in (False, True):
            try:
                with self._transaction() as connection:
                    requests = [request for job in jobs for request in job.requests]
                    known = self._known(connection, [request.id for request in requests])
                    rows.load(connection, self._state, *needs(requests))
                    self._decide_all(jobs, known).write(connection)
            except CroupierError as error:
                if len(jobs) > 1:  # what was read for one of them is bad: the others go on without it
                    for job in jobs:
                        self._book_locked([job])
                    return
                failed: Exception = error
            except DBAPIError as error:
                if error.connection_invalidated and not last_try:
                    continue  # the server went away; ids make a second try safe
                failed = _not_written(error)
            except SQLAlchemyError as error:
                failed = _not_written(error)
            else:
                return
            break
        for job in jobs:
            job.answers, job.error = None, failed

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """A transaction that writes alone. What is in memory is forgotten unless it commits."""
        committed = False
        try:
            with self._engine.begin() as connection:
                end = rows.end_of(connection.execute(_HEAD).one_or_none())
                self._is_alone = end == self._head
                if not self._is_alone:
                    if self._is_sound:
                        require_end(connection, *end)
                    else:
                        self._stopped.update(require_sound(connection, *end))
                    self._is_sound = True
                    self._state = State()
                    self._head = end
                yield connection
            committed = True
        finally:
            if not committed:
                self._forget()

    def _forget(self) -> None:
        self._state, self._head, self._is_alone = State(), (0, ""), False

    def _decide_all(self, jobs: list[_Job], known: dict[str, Sealed]) -> Batch:
        """Decides each job by what is in memory, or answers it from the entries known under its ids."""
        batch = Batch()
        for job in jobs:
            job.answers = job.error = None
            try:
                job.answers = self._decide(job, known, batch)
            except CroupierError as error:
                job.error = error
        return batch

    def _known(self, connection: Connection, ids: list[str]) -> dict[str, Sealed]:
        """Entries that were made under these ids."""
        entries = connection.execute(_KNOWN, {"ids": ids})
        return {row.id: unseal(row.text, row.hash, row.seq) for row in entries}

    def _decide(self, job: _Job, known: dict[str, Sealed], batch: Batch) -> tuple[Sealed, ...]:
        answers: list[Sealed] = []
        done: list[tuple[Sealed, State, State]] = []
        seq, previous = self._head
        try:
            for request, request_sha256 in zip(job.requests, job.digests, strict=True):
                before = known.get(request.id)
                if before is not None:
                    require_same(before.entry, request_sha256)
                    answers.append(before)
                    continue
                sealed, changes = self._next(request, request_sha256, seq, previous)
                before_it = self._state.part(changes) if len(job.requests) > 1 else State()
                done.append((sealed, changes, before_it))
                self._state.update(changes)
                known[request.id] = sealed
                answers.append(sealed)
                seq, previous = sealed.entry.seq, sealed.hash
        except CroupierError:
            for sealed, changes, old in reversed(done):
                self._state.undo(changes, old)
                del known[sealed.entry.id]
            raise
        for sealed, changes, _ in done:
            batch.add(sealed, changes)
        self._head = (seq, previous)
        return tuple(answers)

    def _next(self, request: Request, request_sha256: str, seq: int, previous: str) -> tuple[Sealed, State]:
        self._require_running(request)
        event = decide(self._state, request)
        try:
            changes = evolve(self._state, event)
        except LedgerError as error:
            # A fault of the program or of the stored figures: no more money moves here until somebody has looked.
            for posting in event.postings:
                self._stopped[posting.jackpot] = str(error)
            raise
        return seal(self._state, request, request_sha256, event, seq + 1, previous), changes

    def check(self) -> None:
        """What else the first write would do: the end of the log, its latest entries, every balance. Raises what is
        wrong with the log; jackpots with wrong balances are stopped."""
        with self.snapshot() as connection:
            end = rows.end_of(connection.execute(select(schema.head.c.seq, schema.head.c.hash)).one_or_none())
            self._stopped.update(require_sound(connection, *end))
        self._is_sound = True

    def stop_booking(self, why: str) -> None:
        """The files of the store are damaged: an id that was booked may not be found, so nothing is booked any more."""
        self._damage = why

    def stopped(self) -> dict[str, str]:
        """The jackpots that this process has stopped because their figures do not add up, each with the reason."""
        return dict(self._stopped)

    def _require_running(self, request: Request) -> None:
        if self._damage:
            raise rows.damaged(self._damage.rstrip("."), "damaged_file")
        if not self._stopped:
            return
        jackpots, _, award_ids, _, _ = needs((request,))
        jackpots.update(self._state.awards[name].jackpot for name in award_ids if name in self._state.awards)
        for name in sorted(jackpots & self._stopped.keys()):
            raise jackpot_stopped(name, self._stopped[name])

    def _keep_little(self) -> None:
        state = self._state
        if max(len(state.rounds), len(state.awards), len(state.facts)) > KEPT:
            state.rounds.clear()
            state.awards.clear()
            state.facts.clear()
            state.past.clear()

    @contextmanager
    def exclusive(self) -> Iterator[Connection]:
        """A transaction of which no other writer sees a part; for restoring. Memory is read anew after it."""
        with self._changed:
            while self._is_led:
                self._changed.wait()
            try:
                with self._transaction() as connection:
                    yield connection
            finally:
                self._forget()

    def close(self) -> None:
        """Lets go of the database."""
        self._line.close()
        self._engine.dispose()


def jackpot_stopped(name: str, why: str) -> LedgerError:
    """No money moves in a jackpot whose figures cannot be right, until somebody has looked."""
    return LedgerError(
        f'Jackpot "{name}" is stopped: {why} Take its tables out of service and run verify.', code="jackpot_stopped"
    )


def _not_written(error: SQLAlchemyError) -> LedgerError:
    return storage_failed(error, "written", "Whether it was booked is not known: ask again with the same id.")
