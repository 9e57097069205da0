"""Long computations beside the server: in processes of their own, so that no table waits for them."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Lock
from typing import Any, Literal, ParamSpec, TypeVar

from croupier.errors import CroupierError
from croupier.web.errors import WebError

Given = ParamSpec("Given")
Found = TypeVar("Found")
Pool = Literal["asked", "sheets", "lab", "slow"]
"""What a player waits for at a table, what pages are filled with, figures that follow somebody's typing, and what takes
minutes: half a minute of the one holds up no other."""

MOST_WAITING = 200
MOST_KEPT: dict[Pool, int] = {"sheets": 2000, "lab": 200, "slow": 2000}
"""Results kept, the last of each pool: what somebody types pushes out nothing that took long."""


class Work:
    """A process for each kind of work, started when it is first needed."""

    def __init__(self) -> None:
        self._pools: dict[Pool, ProcessPoolExecutor] = {}
        self._results: dict[Pool, dict[tuple[Any, ...], Future[Any]]] = {name: {} for name in MOST_KEPT}
        self._guard = Lock()

    async def do(self, compute: Callable[Given, Found], *given: Given.args, **named: Given.kwargs) -> Found:
        """The answer of a function of ours, called with plain data in the other process."""
        assert not named, "a process pool passes positional arguments"
        try:
            return await asyncio.get_running_loop().run_in_executor(self._ready("asked"), compute, *given)
        except BrokenProcessPool:
            raise self._stopped("asked") from None

    async def sheet(
        self, patience_s: float, compute: Callable[Given, Found], *given: Given.args, **named: Given.kwargs
    ) -> Found | None:
        """As `do`, for what is computed once and kept; None while it is not there after that time: ask again later."""
        assert not named, "a process pool passes positional arguments"
        return await self._kept("sheets", patience_s, compute, given)

    async def draft(
        self, patience_s: float, compute: Callable[Given, Found], *given: Given.args, **named: Given.kwargs
    ) -> Found | None:
        """As `sheet`, for what takes milliseconds once its process is warm: never for what plays or solves."""
        assert not named, "a process pool passes positional arguments"
        return await self._kept("lab", patience_s, compute, given)

    async def slow(
        self, patience_s: float, compute: Callable[Given, Found], *given: Given.args, **named: Given.kwargs
    ) -> Found | None:
        """As `sheet`, for what takes minutes: no other page waits for it."""
        assert not named, "a process pool passes positional arguments"
        return await self._kept("slow", patience_s, compute, given)

    async def _kept(
        self, pool: Pool, patience_s: float, compute: Callable[..., Found], given: tuple[Any, ...]
    ) -> Found | None:
        key = (compute, *given)
        try:
            future = self._begun(pool, key)
            if not future.done():
                await asyncio.wait({asyncio.wrap_future(future)}, timeout=patience_s)
            found: Found | None = future.result() if future.done() else None
        except BrokenProcessPool:
            self._forget(pool, key)
            raise self._stopped(pool) from None
        except CroupierError:
            self._forget(pool, key)
            raise
        return found

    def _begun(self, name: Pool, key: tuple[Any, ...]) -> Future[Any]:
        pool, results = self._ready(name), self._results[name]
        with self._guard:
            if key not in results:
                if sum(not future.done() for future in results.values()) >= MOST_WAITING:
                    raise WebError("The server computes as much as it can. Ask again in a minute.", code="too_busy")
                while len(results) >= MOST_KEPT[name]:  # the oldest is finished long ago
                    del results[next(iter(results))]
                results[key] = pool.submit(*key)
            return results[key]

    def _forget(self, name: Pool, key: tuple[Any, ...]) -> None:
        """What failed is tried again when it is asked for again."""
        with self._guard:
            self._results[name].pop(key, None)

    def forget(self, compute: Callable[..., Any], *given: Any) -> None:
        """Does not keep an answer that is large and quickly made again, as a file is."""
        for name in self._results:
            self._forget(name, (compute, *given))

    def close(self) -> None:
        """Stops at once: what is computed half would be computed anew anyway."""
        with self._guard:
            for pool in self._pools.values():
                processes = list((pool._processes or {}).values())
                pool.shutdown(wait=False, cancel_futures=True)
                for process in processes:
                    process.kill()
            self._pools.clear()

    def _stopped(self, name: Pool) -> WebError:
        with self._guard:
            self._pools.pop(name, None)
        return WebError("The computation was stopped. Ask again.", code="work_stopped")

    def _ready(self, name: Pool) -> ProcessPoolExecutor:
        with self._guard:
            if name not in self._pools:
                # A fresh interpreter: threads and connections of the server are not copied into it.
                self._pools[name] = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
            return self._pools[name]
