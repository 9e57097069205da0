"""Long computations beside the server: in a process of their own, so that no table waits for them."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Lock
from typing import ParamSpec, TypeVar

from croupier.web.errors import WebError

Given = ParamSpec("Given")
Found = TypeVar("Found")


class Work:
    """One process that computes, started when it is first needed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._guard = Lock()

    async def do(self, compute: Callable[Given, Found], *given: Given.args, **named: Given.kwargs) -> Found:
        """The answer of a function of ours, called with plain data in the other process."""
        assert not named, "a process pool passes positional arguments"
        try:
            return await asyncio.get_running_loop().run_in_executor(self._ready(), compute, *given)
        except BrokenProcessPool:
            with self._guard:
                self._pool = None
            raise WebError("The computation was stopped. Ask again.", code="work_stopped") from None

    def close(self) -> None:
        with self._guard:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)

    def _ready(self) -> ProcessPoolExecutor:
        with self._guard:
            if self._pool is None:
                # A fresh interpreter: threads and connections of the server are not copied into it.
                self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
            return self._pool
