"""Parts of pages that are the same for everybody: made for the first who asks, and handed to the others."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

FRESH_S = 0.25
"""Time alone changes what some parts say; many who ask at once get one."""
MOST_KEPT = 500


class Fragments:
    """Safe to use from many threads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._guard = Lock()
        self._locks: OrderedDict[str, Lock] = OrderedDict()
        self._kept: dict[str, tuple[Hashable, float, str]] = {}

    def get(self, name: str, stamp: Hashable, make: Callable[[], str]) -> str:
        """The part of that name as of a stamp, which differs where what the part is made of does."""
        with self._guard:
            lock = self._locks.setdefault(name, Lock())
            if len(self._locks) > MOST_KEPT:
                self._kept.pop(self._locks.popitem(last=False)[0], None)
        with lock:
            kept = self._kept.get(name)
            if kept is not None and kept[0] == stamp and self._now() - kept[1] < FRESH_S:
                return kept[2]
            made_at = self._now()
            text = make()
            self._kept[name] = (stamp, made_at, text)
            return text
