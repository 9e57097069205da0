"""No amount is cut and no name broken, however narrow the window; in a pipe every row is one line."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from croupier.cli.jackpot.books import MINOR
from croupier.cli.jackpot.screen import print_paper
from croupier.floor.service import Ask
from croupier.reports.books.accrual import accrual
from croupier.reports.books.audit import audit
from croupier.reports.books.awards import hits
from croupier.reports.books.period import LedgerReport
from croupier.reports.books.reconciliation import reconciliation
from croupier.reports.paper.books import paper_of
from croupier.reports.paper.model import Paper
from croupier.reports.render import terminal
from croupier.store import Book
from tests.cli_floor import Terminal, with_second_executive

WIDTHS = (60, 80, 120, 200)
HASH = 64
"""Characters that a narrow window has to break."""
REPORTS: dict[tuple[str, ...], Callable[[Book], LedgerReport]] = {
    ("report", "accrual"): accrual,
    ("report", "reconciliation"): reconciliation,
    ("hits",): hits,
    ("audit",): lambda book: audit(book, leave_out=MINOR),
}


def _words(paper: Paper) -> set[str]:
    """The amounts and the single words that a report's text must have whole."""
    texts = [cell for table in paper.tables for line in table.texts for cell in line]
    texts += [text for fact in paper.facts for text in (fact.label, fact.text)]
    return {word.strip(",;") for text in texts for word in text.split() if len(word) < HASH}


@pytest.fixture
def evening(at: Terminal) -> Terminal:
    """A floor with six figures in its meter, a void round, a paid award and a denied attempt."""
    with_second_executive(at)
    second = ("--second", at.second_executive, "--second-pin-file", str(at.folder / "pin"))
    with at.office() as (desk, executive, accounting):
        desk.adjust(
            Ask("carry", executive),
            "push_22",
            reason="carried_in",
            micros=505_506_960_000,
            note="From the old system.",
            second=accounting,
        )
    at.lock("ddm_1", 1, 2, 5)
    at.do("void", "ddm_1", "--note", "A misdeal: two cards were turned.", by="supervisor")
    at.lock("ddm_1", 1)
    at.do("hit", "ddm_1", "--seat", "all", "--hand", "suited_4567_other", "--evidence", "4h 5h 6h 7h", "--id", "hit-1")
    at.refused("low_card", "pay", "hit-1/1")
    at.do("pay", "hit-1/1", *second, by="executive")
    return at


@pytest.mark.parametrize("report", REPORTS, ids="-".join)
def test_a_report_shows_every_amount_whole(evening: Terminal, report: tuple[str, ...]) -> None:
    texts = {"a pipe": evening.say(*report, by="executive").out}
    with evening.office() as (desk, _, _):
        paper = paper_of(REPORTS[report](desk.book), desk.floor())
    words = _words(paper)
    assert any(word.startswith("$") for word in words)
    for width in WIDTHS:
        out = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None, highlight=False)
        print_paper(out, paper)
        assert isinstance(out.file, io.StringIO)
        texts[str(width)] = out.file.getvalue()
        assert max(len(line) for line in texts[str(width)].splitlines() if paper.last_hash not in line) <= width
    for where, text in texts.items():
        there = {word.strip(",;") for word in text.split()}
        assert words <= there, (where, words - there)


def test_a_pipe_gets_a_row_on_one_line_and_a_narrow_window_a_value_on_each() -> None:
    table = terminal.simple_table("name", "amount", "note", numbers=("amount",))
    table.add_row("push_22", "$555,506.96", "long " * 40)
    table.add_row("dragon", "$5,000.00", "")
    pipe = Console(file=io.StringIO(), width=120)
    terminal.print_table(pipe, table)
    assert isinstance(pipe.file, io.StringIO)
    assert (len(pipe.file.getvalue().splitlines()), pipe.width) == (3, 120)
    window = Console(file=io.StringIO(), width=22, force_terminal=True, color_system=None)
    terminal.print_table(window, table)
    assert isinstance(window.file, io.StringIO)
    lines = [line.rstrip() for line in window.file.getvalue().splitlines()]
    assert lines[:2] == ["name    push_22", "amount  $555,506.96"]
    assert lines[-3:] == ["", "name    dragon", "amount  $5,000.00"]
