"""One record of a cause in a second; what was left out is counted, and the last of it logged after all."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Callable

import pytest

from croupier.web.log_limit import MOST_CAUSES, JsonFormatter, LogLimit, cause_of


class Written(logging.Handler):
    """A handler with the limit, on a logger of its own, under a clock that the test moves."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.left_out: list[int] = []
        self.now = 100.0
        self._due: list[tuple[float, Callable[[], None]]] = []
        self.addFilter(LogLimit(now=lambda: self.now, later=lambda s, do: self._due.append((self.now + s, do))))
        self.log = logging.getLogger(f"test.{id(self)}")
        self.log.propagate = False
        self.log.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
        self.left_out.append(record.left_out)  # type: ignore[attr-defined]

    def say(self, text: str, *args: object) -> None:
        self.log.warning(text, *args)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        due, self._due = [do for at, do in self._due if at <= self.now], [one for one in self._due if one[0] > self.now]
        for do in due:
            do()


@pytest.fixture
def written() -> Written:
    return Written()


def test_a_flood_is_one_line_and_then_one_line_a_second_with_a_count(written: Written) -> None:
    for number in range(1000):
        written.say("Connection %d was refused.", number)
    assert written.lines == ["Connection 0 was refused."]
    written.wait(1.0)
    assert written.lines[1:] == ["Connection 999 was refused. (998 more like it were left out)"]
    assert written.left_out == [0, 998]
    written.wait(1.0)
    written.say("Connection %d was refused.", 1000)
    assert written.lines[2:] == ["Connection 1000 was refused."]


def test_causes_do_not_hide_each_other(written: Written) -> None:
    for _ in range(3):
        written.say("The disk is full.")
        written.say("A token was not known.")
    assert written.lines == ["The disk is full.", "A token was not known."]


def test_numbers_in_a_text_that_was_put_together_before_are_not_causes_of_their_own(written: Written) -> None:
    for number in range(5):
        written.say(f"socket.accept() out of system resource\nsocket: <fd={number}>")
        written.say(f"Task {number} at 0x{number:x} failed")
    assert len(written.lines) == 2


def test_every_line_is_said_or_counted(written: Written) -> None:
    for step in range(50):
        for _ in range(step % 7):
            written.say("Too many open files")
        written.wait(0.13)
    written.wait(1.0)
    assert len(written.lines) + sum(written.left_out) == sum(step % 7 for step in range(50))


def test_different_errors_under_the_same_words_are_different_causes() -> None:
    def record_of(wrong: Callable[[], object]) -> logging.LogRecord:
        try:
            wrong()
        except Exception:
            return logging.LogRecord(
                "uvicorn.error", 40, "a.py", 1, "Exception in ASGI application", None, sys.exc_info()
            )
        raise AssertionError

    division, look_up = record_of(lambda: 1 / 0), record_of(lambda: int("a"))
    assert cause_of(division) != cause_of(look_up)
    assert cause_of(division) == cause_of(division)


def test_what_is_remembered_has_a_bound(written: Written) -> None:
    limit = LogLimit(now=lambda: 0.0, later=lambda *_: None)
    for number in range(MOST_CAUSES * 2):
        limit.filter(logging.LogRecord("a", 30, "a.py", number, "x", None, None))
    assert len(limit._heard) == MOST_CAUSES


def test_a_log_as_json_has_one_object_a_line_with_the_trace() -> None:
    handler = logging.StreamHandler(out := io.StringIO())
    handler.setFormatter(JsonFormatter())
    logger = logging.Logger("croupier.test")
    logger.addHandler(handler)
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logger.exception("it failed: %s", "here")
    (line,) = out.getvalue().splitlines()
    said = json.loads(line)
    assert (said["level"], said["logger"], said["message"]) == ("error", "croupier.test", "it failed: here")
    assert "ValueError: two" in said["trace"] and said["at"].endswith("+00:00")
