"""No amount is cut and no name broken, however narrow the window; in a pipe every row is one line."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.console import Console

from croupier.cli import screen as cli_screen
from croupier.cli.jackpot_reports import NOT_ON_SCREEN, print_report
from tests.cli_floor import Terminal, with_second_executive

WIDTHS = (60, 80, 120, 200)
HASH = 64
"""Characters that a narrow window has to break."""
AMOUNT = re.compile(r"-?\d+\.\d+")
REPORTS = (("report", "accrual"), ("report", "reconciliation"), ("hits",), ("audit",))


def _shown(data: dict[str, Any]) -> tuple[set[str], set[str]]:
    """The amounts and the single words that a report's text must have whole."""
    left_out = NOT_ON_SCREEN.get(data["report"], ())
    lines = [line for value in data.values() if isinstance(value, list) for line in value if isinstance(line, dict)]
    values = [value for line in [data, *lines] for name, value in line.items() if name not in left_out]
    texts = {value for value in values if isinstance(value, str) and value not in ("", "0.00")}
    amounts = {text for text in texts if AMOUNT.fullmatch(text)}
    return amounts, {word for text in texts - amounts if ":" not in text for word in text.split() if len(word) < HASH}


@pytest.fixture
def evening(at: Terminal) -> Terminal:
    """A floor with six figures in its meter, a void round, a paid award and a denied attempt."""
    with_second_executive(at)
    second = ("--second", at.second_executive, "--second-pin-file", str(at.folder / "pin"))
    note = ("--note", "From the old system.")
    at.do("adjust", "push_22", "505,506.96", "--reason", "carried_in", *note, *second, by="executive")
    at.lock("ddm_1", 1, 2, 5)
    at.do("void", "ddm_1", "--note", "A misdeal: two cards were turned.", by="supervisor")
    at.lock("ddm_1", 1)
    at.do("hit", "ddm_1", "--seat", "all", "--hand", "suited_4567_other", "--evidence", "4h 5h 6h 7h", "--id", "hit-1")
    at.refused("low_card", "pay", "hit-1/1")
    at.do("pay", "hit-1/1", *second, by="executive")
    return at


@pytest.mark.parametrize("report", REPORTS, ids="-".join)
def test_a_report_shows_every_amount_whole(evening: Terminal, report: tuple[str, ...]) -> None:
    answer = evening.do(*report, by="executive")
    data = {name: value for name, value in answer.items() if name not in ("demo", "id", "by")}
    amounts, words = _shown(data)
    assert amounts
    texts = {"a pipe": evening.say(*report, by="executive").out}
    for width in WIDTHS:
        out = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None, highlight=False)
        print_report(out, data)
        assert isinstance(out.file, io.StringIO)
        texts[str(width)] = out.file.getvalue()
        assert max(map(len, texts[str(width)].splitlines())) <= width
    for where, text in texts.items():
        there = set(re.split(r"[\s,;]+", text))
        assert amounts <= there, (where, amounts - there)
        assert not {word for word in words if word.strip(",;") not in there}, where


def test_a_pipe_gets_a_row_on_one_line_and_a_narrow_window_a_value_on_each() -> None:
    table = cli_screen.simple_table("name", "amount", "note", numbers=("amount",))
    table.add_row("push_22", "$555,506.96", "long " * 40)
    table.add_row("dragon", "$5,000.00", "")
    pipe = Console(file=io.StringIO(), width=120)
    cli_screen.print_table(pipe, table)
    assert isinstance(pipe.file, io.StringIO)
    assert (len(pipe.file.getvalue().splitlines()), pipe.width) == (3, 120)
    window = Console(file=io.StringIO(), width=22, force_terminal=True, color_system=None)
    cli_screen.print_table(window, table)
    assert isinstance(window.file, io.StringIO)
    lines = [line.rstrip() for line in window.file.getvalue().splitlines()]
    assert lines[:2] == ["name    push_22", "amount  $555,506.96"]
    assert lines[-3:] == ["", "name    dragon", "amount  $5,000.00"]
