"""Logs that cannot flood: one record a second for one cause, and how many like it were left out."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from threading import Lock, Timer

MOST_CAUSES = 500
LONGEST_CAUSE = 120
_NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")

Cause = tuple[str, str, int, str, str]


def _in_a_while(seconds: float, do: Callable[[], None]) -> None:
    timer = Timer(seconds, do)
    timer.daemon = True
    timer.start()


@dataclass
class _Heard:
    at: float
    left_out: int = 0
    last: logging.LogRecord | None = None


class LogLimit(logging.Filter):
    """For a handler: lets one record of a cause through in `every_s` seconds.

    When that time is over, the last record of those left out is logged after all. `record.left_out` has the number of
    the others, for handlers that write fields; the message says it too.
    """

    def __init__(
        self,
        every_s: float = 1.0,
        now: Callable[[], float] = time.monotonic,
        later: Callable[[float, Callable[[], None]], None] = _in_a_while,
    ) -> None:
        super().__init__()
        self._every_s = every_s
        self._now = now
        self._later = later
        self._heard: OrderedDict[Cause, _Heard] = OrderedDict()
        self._guard = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        cause = cause_of(record)
        with self._guard:
            now = self._now()
            heard = self._heard.get(cause)
            if heard is not None and now < heard.at + self._every_s:
                is_first = heard.last is None
                heard.left_out += 1
                heard.last = record
                if is_first:
                    self._later(heard.at + self._every_s - now, partial(self._log_last, cause))
                return False
            left_out = heard.left_out if heard is not None else 0
            self._heard[cause] = _Heard(now)
            self._heard.move_to_end(cause)
            if len(self._heard) > MOST_CAUSES:
                self._heard.popitem(last=False)
        record.left_out = left_out
        if left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out:,} more like it were left out)", None
        return True

    def _log_last(self, cause: Cause) -> None:
        with self._guard:
            heard = self._heard.get(cause)
            if heard is None or heard.last is None:  # another one has said it meanwhile
                return
            record, heard.last = heard.last, None
            heard.left_out -= 1
        logging.getLogger(record.name).handle(record)


def cause_of(record: logging.LogRecord) -> Cause:
    """What two records of the same trouble have in common: where they were logged, which words, and which error."""
    words = _NUMBERS.sub("#", str(record.msg).partition("\n")[0][:LONGEST_CAUSE])
    error = ""
    if record.exc_info and (trace := record.exc_info[2]) is not None:
        while trace.tb_next is not None:
            trace = trace.tb_next
        error = f"{record.exc_info[0]} {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    return record.name, record.pathname, record.lineno, words, error


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message, how many like it were left out, and an error's trace."""

    def format(self, record: logging.LogRecord) -> str:
        data: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if left_out := getattr(record, "left_out", 0):
            data["left_out"] = left_out
        if record.exc_info:
            data["trace"] = self.formatException(record.exc_info)
        return json.dumps(data, ensure_ascii=False)


def log_to_stderr(*, as_json: bool = False) -> None:
    """All that the server and its libraries have to say, from warnings on, through one limit."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonFormatter() if as_json else plain)
    handler.addFilter(LogLimit())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
