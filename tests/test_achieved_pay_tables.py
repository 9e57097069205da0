"""Achieved against theory where the pay table of a jackpot was changed: each is held against its own odds."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.exact.odds import compute_odds
from croupier.floor.setup import jackpot_choice
from croupier.jackpot import HitJackpot, LockedWager, LockWagers, OpenJackpot, Parameters
from croupier.reports.books.achieved import achieved
from croupier.reports.books.data import report_csv
from croupier.reports.paper.books import paper_of
from croupier.store import Book, open_store
from tests.ledger import Desk, usd
from tests.test_jackpot_reports import FLOOR, LEVEL, at


def start(number: int, pay_table: str, *seats: int) -> LockWagers:
    bets = tuple(
        LockedWager(seat=seat, sensor=1, jackpot="push_22", amount_micros=usd("5"), pay_table=pay_table)
        for seat in seats
    )
    return LockWagers(table="ddm_1", round=number, bets=bets)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    """Two rounds by pay table 1, then three by pay table 4, with a fixed pay in each."""
    made = open_store(str(tmp_path / "ledger.db"))
    desk = Desk(made)
    desk.do(OpenJackpot(jackpot="push_22", parameters=Parameters(levels=(LEVEL,))), id="open")
    for number, pay_table in enumerate(("1", "1", "4", "4", "4"), 1):
        desk.do(start(number, pay_table, 1, 2))
        if number in (2, 5):
            hit = HitJackpot(
                jackpot="push_22",
                table="ddm_1",
                round=number,
                seats=(1,),
                row="suited_22",
                pay_table=pay_table,
                each_micros=usd("250"),
            )
            desk.do(hit, id=f"hit-{number}")
    yield made
    made.close()


def test_each_pay_table_has_its_own_trials_hits_and_odds(book: Book) -> None:
    found = achieved(book, FLOOR)
    for pay_table, trials in (("1", 2), ("4", 3)):
        setup = replace(FLOOR.jackpot("push_22"), pay_table=pay_table)
        sheet = compute_odds(jackpot_choice(setup, FLOOR.table("ddm_1")))
        chances = {row.id: float(row.probability) for row in sheet.rows}
        suited = found.line("push_22", "suited_22", pay_table)
        assert (suited.trials, suited.hits) == (trials, 1)
        assert suited.exact == pytest.approx(chances["suited_22"], rel=1e-12)
        edge = found.line("push_22", "", pay_table)
        assert edge.wagered_micros == trials * usd("10")
        assert edge.result_micros == trials * usd("8") - usd("250")  # 80% are receipts; the tray paid 250
    rows = [line.row for line in found.lines if (line.jackpot, line.pay_table) == ("push_22", "4")]
    other = [line.row for line in found.lines if (line.jackpot, line.pay_table) == ("push_22", "1")]
    assert rows and other and len(rows) == len(set(rows))
    assert '"push_22" was played by the pay tables 1 and 4: each has its own figures.' in found.notes


def test_the_split_is_on_pages_paper_and_in_csv(book: Book) -> None:
    found = achieved(book, FLOOR)
    titles = [table.title for table in paper_of(found, FLOOR).tables]
    push, dragon = (FLOOR.jackpot(name).name for name in ("push_22", "dragon"))
    assert titles == [f"{push}, pay table 1", f"{push}, pay table 4", dragon]
    listed = {(row["jackpot"], row["pay_table"]) for row in csv.DictReader(io.StringIO(report_csv(found)))}
    assert {("push_22", "1"), ("push_22", "4")} <= listed


def test_a_period_after_the_change_has_the_new_pay_table_and_the_one_in_force(book: Book) -> None:
    found = achieved(book, FLOOR, at(5))  # the opening, two rounds and a hit came before
    assert found.line("push_22", "suited_22", "1").trials == 0
    assert found.line("push_22", "suited_22", "4").trials == 3


def test_a_pay_table_that_the_game_does_not_have_is_said(tmp_path: Path) -> None:
    book = open_store(str(tmp_path / "other.db"))
    desk = Desk(book)
    desk.do(OpenJackpot(jackpot="push_22", parameters=Parameters(levels=(LEVEL,))), id="open")
    desk.do(start(1, "push_22_progressive/99", 1))
    found = achieved(book, FLOOR)
    assert found.line("push_22").trials == 1
    assert any('name a pay table "push_22_progressive/99"' in note for note in found.notes)
    book.close()
