"""Reports on the ledger, against an evening worked out by hand.

Jackpot `push_22` of the demo floor: tables ddm_1 and ddm_2 linked, wagers of $5, 19% to the meter, 1% to the reserve,
the rest (80%) receipts. Entry n is made n seconds after noon. In dollars:

 n  what                                          meter      reserve  pending    paid       seed       tray
 1  opened at 50,000                              50,000.00     0.00      0.00       0.00    -50,000
 2  the floor is set up (a fact)
 3  ddm_1 round 1, seats 1 2 3: 15 wagered        50,002.85     0.15
 4  ddm_2 round 1, seats 4 5: 10 wagered          50,004.75     0.25
 5  "ten": community 10% at ddm_2: 5,000.475,    45,004.29             5,000.46
    2,500.23 for each of 2, 0.015 stays
 6  "ten" is paid                                                           0.00   5,000.46
 7  ddm_1 round 2, seats 1 2: 10 wagered          45,006.19     0.35
 8  "whole": a suited 22, 4-5-6-7 of the named    50,000.36     0.00   45,006.18             -100,000
    suit, 100% at ddm_1: 22,503.09 for each
    of 2, 0.01 stays; seed 50,000 + reserve 0.35
 9  ddm_2 round 2, seats 4 5 6: 15 wagered        50,003.21     0.15
10  "whole" is paid                                                         0.00  50,006.64
11  "wrong": 10% for seat 4 at ddm_2: 5,000.321  45,002.89             5,000.32
12  "wrong" is rejected                           50,003.21                 0.00
13  "fixed": 250 for seat 5, from the tray                                250.00                        -250
14  "fixed" is paid                                                         0.00  50,256.64
15  "fixed" is backed out                                                         50,006.64                0
16  "again": 250 for seat 6, from the tray                                250.00                        -250
17  display corrected by +10 (adjustments -10)    50,013.21
18  0.05 of the reserve recorded as receipts                    0.10
19  contribution 20% from here on
20  an attempt is denied (a fact)

Receipts 12 + 8 + 8 + 12 + 0.05 = 40.05; wagers -50. All accounts together:
50,013.21 + 0.10 + 250 + 50,006.64 - 100,000 - 250 - 10 + 40.05 - 50 = 0.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.floor import demo_floor, odds_based_reserve
from croupier.jackpot import (
    AdjustMeter,
    BackOutAward,
    ChangeParameters,
    CloseJackpot,
    HitJackpot,
    Level,
    LockedWager,
    LockWagers,
    OpenJackpot,
    Parameters,
    PayAward,
    RecordFact,
    RejectAward,
)
from croupier.reports.books.accrual import Accrual, AccrualLine, accrual
from croupier.reports.books.achieved import achieved, hits_band
from croupier.reports.books.audit import audit
from croupier.reports.books.awards import code_of, hits, verify_code, win_page
from croupier.reports.books.data import report_csv, report_data
from croupier.reports.books.deposit import deposit
from croupier.reports.books.period import LedgerReport
from croupier.reports.books.reconciliation import Reconciliation, ReconciliationLine, reconciliation
from croupier.reports.formatting import exact_dollars, micros_of
from croupier.store import Book, open_store, verify
from croupier.store.sums import balances_before
from tests.ledger import NOON, Desk, usd
from tests.test_ledger_model import StoredEvening

FLOOR = demo_floor()
LEVEL = Level(seed_micros=usd("50000"), contribution_ppm=190_000, reserve_ppm=10_000, cap_micros=usd("1000000"))
CHANGED = replace(LEVEL, contribution_ppm=200_000)
DAY = date(2026, 11, 16)


def at(second: int) -> datetime:
    return NOON + timedelta(seconds=second)


def start(table: str, number: int, *seats: int) -> LockWagers:
    bets = tuple(LockedWager(seat=seat, sensor=1, jackpot="push_22", amount_micros=usd("5")) for seat in seats)
    return LockWagers(table=table, round=number, bets=bets)


def hit(table: str, number: int, row: str, **fields: Any) -> HitJackpot:
    return HitJackpot(
        jackpot="push_22", table=table, round=number, row=row, pay_table="1", evidence="4s 5s 6s 7s", **fields
    )


def play(book: Book) -> None:
    desk = Desk(book)
    desk.do(OpenJackpot(jackpot="push_22", parameters=Parameters(levels=(LEVEL,))), id="open", actor="manager")
    desk.do(RecordFact(subject="floor", kind="set_up", body={"tables": 2}), actor="manager")
    desk.do(start("ddm_1", 1, 1, 2, 3))
    desk.do(start("ddm_2", 1, 4, 5))
    desk.do(hit("ddm_2", 1, "suited_4567_other", community=True, share_ppm=100_000), id="ten", actor="dealer-2")
    desk.do(PayAward(award="ten", approved_by=("executive-1",)), actor="supervisor-1")
    desk.do(start("ddm_1", 2, 1, 2))
    desk.do(hit("ddm_1", 2, "suited_4567_named", community=True, share_ppm=1_000_000), id="whole", actor="dealer-1")
    desk.do(start("ddm_2", 2, 4, 5, 6))
    desk.do(PayAward(award="whole", approved_by=("executive-1", "executive-2")), actor="supervisor-1")
    desk.do(hit("ddm_2", 2, "suited_4567_other", seats=(4,), share_ppm=100_000), id="wrong", actor="dealer-2")
    desk.do(RejectAward(award="wrong", note="=HYPERLINK of six hearts"), actor="supervisor-1")
    desk.do(hit("ddm_2", 2, "suited_22", seats=(5,), each_micros=usd("250")), id="fixed", actor="dealer-2")
    desk.do(PayAward(award="fixed", approved_by=("supervisor-1",)), actor="supervisor-1")
    desk.do(BackOutAward(award="fixed", note="misread", second="executive-1"), actor="accounting-1")
    desk.do(hit("ddm_2", 2, "suited_22", seats=(6,), each_micros=usd("250")), id="again", actor="dealer-2")
    by_hand: dict[str, Any] = {"jackpot": "push_22", "second": "executive-1"}
    desk.do(
        AdjustMeter(reason="correct_display", micros=usd("10"), note="sign failed", **by_hand), actor="accounting-1"
    )
    desk.do(
        AdjustMeter(reason="record_receipts", micros=usd("0.05"), pool="reserve", note="month", **by_hand),
        actor="accounting-1",
    )
    desk.do(ChangeParameters(parameters=Parameters(levels=(CHANGED,)), based_on=1, **by_hand), actor="accounting-1")
    refused = {"right": "approve_award", "card": {"pin": "4711", "number": 7}}
    desk.do(RecordFact(subject="table:ddm_2", kind="denied", body=refused), actor="dealer-2")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    book = open_store(str(tmp_path_factory.mktemp("reports") / "ledger.db"))
    play(book)
    yield book
    book.close()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Book]:
    book = open_store(str(tmp_path / "ledger.db"))
    yield book
    book.close()


def refused(code: str, do: Callable[[], object]) -> str:
    with pytest.raises(CroupierError) as refusal:
        do()
    assert refusal.value.code == code, str(refusal.value)
    return str(refusal.value)


def parsed(report: LedgerReport) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(report_csv(report))))


def amounts(line: ReconciliationLine | AccrualLine) -> dict[str, str]:
    """Its amounts other than zero, in dollars."""
    found = {field.name: getattr(line, field.name) for field in fields(line) if field.name.endswith("_micros")}
    return {name.removesuffix("_micros"): exact_dollars(micros) for name, micros in found.items() if micros}


def test_the_evening_is_as_worked_out(evening: Book) -> None:
    assert evening.head()[0] == 20
    assert verify(evening).is_good
    shown = {(account, level): exact_dollars(micros) for (_, level, account), micros in evening.balances().items()}
    assert shown == {
        ("meter", "main"): "50013.21",
        ("reserve", "main"): "0.10",
        ("pending", "main"): "250.00",
        ("paid", "main"): "50006.64",
        ("seed", "main"): "-100000.00",
        ("tray", "main"): "-250.00",
        ("adjustments", "main"): "-10.00",
        ("receipts", ""): "40.05",
        ("wagers", ""): "-50.00",
    }


def test_a_win_page_has_all_that_is_signed(evening: Book) -> None:
    data = report_data(win_page(evening, "whole", FLOOR))
    head, code = evening.head(), data.pop("code")
    paid = evening.entries(after=9, limit=1)[0]
    assert code == code_of(paid)
    assert data == {
        "report": "win_page",
        "last_entry": 20,
        "last_hash": head[1],
        "award": "whole",
        "status": "paid",
        "jackpot": "push_22",
        "level": "main",
        "table": "ddm_1",
        "round": 2,
        "seats": [1, 2],
        "community": True,
        "row": "suited_4567_named",
        "pay_table": "1",
        "share": 1.0,
        "funding": "meter",
        "amount": "45006.18",
        "each": "22503.09",
        "chip": "0.00",
        "rest": "0.01",
        "meter_before": "45006.19",
        "meter_after": "50000.36",
        "seed": "50000.00",
        "reserve": "0.35",
        "evidence": "4s 5s 6s 7s",
        "hit_at": at(8).isoformat(),
        "proposed_by": "dealer-1",
        "by_hand_note": "",
        "by_hand_second": "",
        "paid_at": at(10).isoformat(),
        "paid_by": "supervisor-1",
        "approved_by": ["executive-1", "executive-2"],
        "returned_at": None,
        "returned_by": [],
        "note": "",
        "entry": 10,
        "entry_hash": paid.hash,
        "signatures": ["Winner, seat 1", "Winner, seat 2", "Dealer", "Executive", "Executive, second"],
    }
    json.dumps(data)
    (row,) = parsed(win_page(evening, "whole"))
    assert (row["amount"], row["seats"], row["share"], row["paid_at"]) == (
        "45006.18", "1; 2", "1.0", at(10).isoformat()
    )  # fmt: skip


def test_win_pages_of_returned_awards_say_who_returned_them_and_why(evening: Book) -> None:
    pages = [win_page(evening, award, FLOOR) for award in ("wrong", "fixed", "again")]
    wrong, fixed, again = (page.line for page in pages)
    assert (wrong.status, wrong.returned_by, wrong.returned_at) == ("rejected", ("supervisor-1",), at(12))
    assert (wrong.paid_at, wrong.approved_by, exact_dollars(wrong.hit.rest_micros)) == (None, (), "0.001")
    assert (fixed.status, fixed.returned_by, fixed.note) == ("backed_out", ("accounting-1", "executive-1"), "misread")
    assert (fixed.paid_at, fixed.returned_at, fixed.hit.funding) == (at(14), at(15), "tray")
    assert (again.status, again.latest.entry.seq) == ("pending", 16)
    assert pages[0].signatures == ("Winner, seat 4", "Dealer", "Executive")
    assert pages[2].signatures == ("Winner, seat 6", "Dealer")
    (row,) = parsed(pages[0])
    assert row["note"] == "'=HYPERLINK of six hearts", "text that a spreadsheet would run is made harmless"


def test_a_code_finds_its_award_and_nothing_else(evening: Book, empty: Book) -> None:
    for award in ("ten", "whole", "wrong", "fixed", "again"):
        code = win_page(evening, award).code
        assert verify_code(evening, code) == evening.award(award)
        assert verify_code(evening, f" {code.lower()} ") == evening.award(award)
    earlier = code_of(evening.entries(after=12, limit=1)[0])
    assert verify_code(evening, earlier).status == "backed_out", "an older page leads to the award as it is now"
    code = win_page(evening, "ten").code
    altered = code[:-1] + ("0" if code[-1] != "0" else "1")
    refused("unknown_code", lambda: verify_code(evening, altered))
    refused("unknown_code", lambda: verify_code(evening, "7" + code[1:]))
    refused("unknown_code", lambda: verify_code(evening, code_of(evening.entries(after=2, limit=1)[0])))
    refused("unknown_code", lambda: verify_code(empty, code))
    for text in ("", "whole", "12-ABCDE", "1-UUUUU-UUUUU", "9" * 30 + "-00000-00000", "٣-00000-00000"):
        refused("bad_code", lambda text=text: verify_code(evening, text))  # type: ignore[misc]


def test_an_unknown_award_has_no_page(evening: Book, empty: Book) -> None:
    refused("unknown_award", lambda: win_page(evening, "open"))
    refused("unknown_award", lambda: win_page(empty, "ten"))


def test_hits_come_latest_first_with_their_status(evening: Book) -> None:
    found = hits(evening)
    shown = [(one.status, one.hit) for one in found.lines]
    assert [(hit.award, status, exact_dollars(hit.amount_micros), hit.table) for status, hit in shown] == [
        ("again", "pending", "250.00", "ddm_2"),
        ("fixed", "backed_out", "250.00", "ddm_2"),
        ("wrong", "rejected", "5000.32", "ddm_2"),
        ("whole", "paid", "45006.18", "ddm_1"),
        ("ten", "paid", "5000.46", "ddm_2"),
    ]
    assert [line.settled_at for line in found.lines] == [None, at(15), at(12), at(10), at(6)]
    assert hits(evening, limit=None) == found == hits(evening, limit=None, jackpot="push_22")
    assert [line.hit.award for line in hits(evening, limit=2).lines] == ["again", "fixed"]
    assert hits(evening, jackpot="dragon").lines == ()
    refused("bad_limit", lambda: hits(evening, limit=0))
    rows = parsed(found)
    assert [micros_of(row["amount"]) for row in rows] == [line.hit.amount_micros for line in found.lines]
    assert [int(row["entry"]) for row in rows] == [16, 13, 11, 8, 5]


def test_accrual_of_a_shift_by_jackpot_and_table(evening: Book) -> None:
    early, late = accrual(evening, None, at(9)), accrual(evening, at(9), None)
    line = early.line("push_22")
    assert amounts(line) == {
        "wagered": "35.00", "meter": "6.65", "reserve": "0.35", "receipts": "28.00",
        "hit": "50006.64", "paid": "5000.46", "seed_advanced": "100000.00",
    }  # fmt: skip
    assert (line.rounds, line.wagers, line.hits, line.awards_paid, line.adjustments) == (3, 7, 2, 1, 0)
    line = late.line("push_22")
    assert amounts(line) == {
        "wagered": "15.00", "meter": "2.85", "reserve": "0.15", "receipts": "12.00",
        "hit": "5500.32", "paid": "45256.18", "rejected": "5000.32", "backed_out": "250.00",
        "adjusted": "10.00", "recorded_receipts": "0.05",
    }  # fmt: skip
    assert (line.rounds, line.wagers, line.hits, line.awards_paid) == (1, 3, 3, 2)
    assert (line.awards_rejected, line.awards_backed_out, line.adjustments) == (1, 1, 2)


def day_accrual(book: Book, day: date, zone: tzinfo, begins: time = time.min) -> Accrual:
    """Of a gaming day, which begins at that hour of the floor's clock."""
    start = datetime.combine(day, begins, zone)
    return accrual(book, start, start + timedelta(days=1))


def test_coin_in_of_a_day_by_table(evening: Book) -> None:
    day = day_accrual(evening, DAY, UTC)
    one, two = day.line("push_22", "ddm_1"), day.line(table="ddm_2")
    assert amounts(one) == {
        "wagered": "25.00", "meter": "4.75", "reserve": "0.25", "receipts": "20.00",
        "hit": "45006.18", "paid": "45006.18", "seed_advanced": "50000.00",
    }  # fmt: skip
    assert amounts(two) == {
        "wagered": "25.00", "meter": "4.75", "reserve": "0.25", "receipts": "20.00",
        "hit": "10500.78", "paid": "5250.46", "rejected": "5000.32", "backed_out": "250.00",
    }  # fmt: skip
    assert (one.rounds, one.wagers, two.rounds, two.wagers, day.line().rounds) == (2, 5, 2, 5, 4)
    assert [(row["jackpot"], row["table"], row["wagered"]) for row in parsed(day)] == [
        ("", "", "50.00"), ("", "ddm_1", "25.00"), ("", "ddm_2", "25.00"),
        ("push_22", "", "50.00"), ("push_22", "ddm_1", "25.00"), ("push_22", "ddm_2", "25.00"),
    ]  # fmt: skip
    west = timezone(timedelta(hours=-8))
    assert day_accrual(evening, DAY, west, begins=time(6)).line().wagers == 0, "noon UTC is four in the morning there"
    assert day_accrual(evening, DAY - timedelta(days=1), west, begins=time(6)).line().wagers == 10


def test_reconciliation_of_the_whole_evening(evening: Book) -> None:
    found = reconciliation(evening)
    assert found.is_good and not found.not_closing and not found.not_zero
    assert {(line.account): amounts(line) for line in found.lines} == {
        "meter": {
            "contributions": "9.50",
            "awards": "-55006.96",  # 5,000.46 + 45,006.18 + 5,000.32
            "returned": "5000.32",
            "seed": "100000.00",
            "reserve": "0.35",
            "adjustments": "10.00",
            "closing": "50013.21",
            "balance": "50013.21",
        },
        "reserve": {
            "contributions": "0.50", "reserve": "-0.35", "receipts": "-0.05", "closing": "0.10", "balance": "0.10"
        },
        "pending": {
            "awards": "55506.96",  # the above and twice 250
            "returned": "-5000.32",
            "paid": "-50256.64",
            "closing": "250.00",
            "balance": "250.00",
        },
        "paid": {"paid": "50256.64", "returned": "-250.00", "closing": "50006.64", "balance": "50006.64"},
        "seed": {"seed": "-100000.00", "closing": "-100000.00", "balance": "-100000.00"},
        "tray": {"awards": "-500.00", "returned": "250.00", "closing": "-250.00", "balance": "-250.00"},
        "adjustments": {"adjustments": "-10.00", "closing": "-10.00", "balance": "-10.00"},
        "receipts": {"contributions": "40.00", "receipts": "0.05", "closing": "40.05", "balance": "40.05"},
        "wagers": {"contributions": "-50.00", "closing": "-50.00", "balance": "-50.00"},
    }  # fmt: skip


def test_reconciliation_of_a_shift_opens_where_the_one_before_closed(evening: Book) -> None:
    early, late = reconciliation(evening, None, at(9)), reconciliation(evening, at(9), at(3600))
    assert early.is_good and late.is_good
    assert amounts(late.line("push_22", "meter")) == {
        "opening": "50000.36", "contributions": "2.85", "awards": "-5000.32", "returned": "5000.32",
        "adjustments": "10.00", "closing": "50013.21", "balance": "50013.21",
    }  # fmt: skip
    assert exact_dollars(late.line("push_22", "pending").opening_micros) == "45006.18"
    for line in late.lines:
        before = [one for one in early.lines if (one.level, one.account) == (line.level, line.account)]
        assert line.opening_micros == (before[0].closing_micros if before else 0)
    for row in parsed(late):
        parts = [value for name, value in row.items() if name not in ("jackpot", "level", "account", "closes")]
        assert sum(map(micros_of, parts[:-2])) == micros_of(parts[-2]) == micros_of(parts[-1])
        assert row["closes"] == "true"
    refused("unknown_account", lambda: late.line("push_22", "meters"))


def test_a_balance_that_the_log_does_not_explain_is_named(empty: Book) -> None:
    play(empty)
    with empty.exclusive() as connection:
        connection.exec_driver_sql("UPDATE balances SET micros = micros + 1 WHERE account = 'meter'")
    found = reconciliation(empty)
    assert not found.is_good
    assert found.not_closing == ("push_22/main/meter",)


def test_what_a_closed_jackpot_held_is_in_the_heirs_reconciliation(empty: Book) -> None:
    play(empty)
    desk = Desk(empty)
    desk.do(PayAward(award="again", approved_by=("supervisor-1",)), id="pay-again")
    desk.do(OpenJackpot(jackpot="heir", parameters=Parameters(levels=(LEVEL,))), id="open-heir")
    desk.do(CloseJackpot(jackpot="push_22", into="heir", note="table removed", second="executive-1"), id="close")
    found = reconciliation(empty)
    assert found.is_good
    # The house advanced 50,000 twice. The first was won; it takes the second out of the meter of 50,013.21. The rest
    # and the reserve of 0.10 are the players'.
    assert exact_dollars(found.line("push_22", "meter").closed_micros) == "-50013.21"
    assert exact_dollars(found.line("heir", "meter").closed_micros) == "13.31"
    assert exact_dollars(accrual(empty).line("push_22").seed_returned_micros) == "50000.00"
    assert audit(empty).lines[-1].what == "closed"


def test_the_deposit_is_what_is_held_more_than_at_the_last_one(evening: Book) -> None:
    odds = odds_based_reserve(FLOOR, DAY)
    due = deposit(evening, FLOOR, last_deposit=at(0), day=date(2026, 11, 23), account_micros=odds)
    # Held: 50,013.21 + 0.10 + 250 pending.
    assert exact_dollars(due.accrued_micros) == exact_dollars(due.due_micros) == "50263.31"
    assert (due.due_on, due.is_overdue, due.may_play, due.required_micros) == (date(2026, 11, 23), False, True, odds)
    late = deposit(evening, FLOOR, last_deposit=at(0), day=date(2026, 11, 24), account_micros=odds + usd("263.31"))
    assert (late.is_overdue, late.may_play, exact_dollars(late.short_micros)) == (True, False, "50000.00")
    assert len(late.findings) == 2 and all("230-15-455" in finding for finding in late.findings)
    # At the ninth second 50,000.36 + 45,006.18 were held; since then 44,743.23 more was paid than came in.
    paid = deposit(evening, FLOOR, last_deposit=at(9), day=DAY, account_micros=odds + usd("50263.31"))
    assert (exact_dollars(paid.accrued_micros), paid.due_micros, paid.may_play) == ("-44743.23", 0, True)
    (line,) = paid.standings
    assert (exact_dollars(line.held_micros), exact_dollars(line.held_at_deposit_micros)) == ("50263.31", "95006.54")
    (row,) = parsed(paid)
    assert row["accrued"] == "-44743.23"
    assert json.loads(row["standings"])[0]["held"] == "50263.31"
    refused("bad_date", lambda: deposit(evening, FLOOR, last_deposit=at(0), day=date(2026, 11, 1), account_micros=0))


TOP = Fraction(108, 64546495)
SUITED_22 = Fraction(21278375697408649, 6408750876233585880)
SAME_COLOR_22 = Fraction(9194160869863167455967, 788607476572003131843800)
OTHER_22 = Fraction(303772638086256701289, 5188207082710546920025)


def test_achieved_hits_and_edge_stand_beside_the_exact_ones(evening: Book) -> None:
    found = achieved(evening, FLOOR)
    # Four rounds; the dealer's hand decides for all seats. "fixed" was backed out and "wrong" rejected.
    for row, hit, chance in (
        ("suited_4567_named", 1, TOP),
        ("suited_4567_other", 1, 3 * TOP),
        ("suited_22", 1, SUITED_22),
        ("same_colour_22", 0, SAME_COLOR_22),
        ("other_22", 0, OTHER_22),
    ):
        line = found.line("push_22", row)
        assert (line.trials, line.hits, line.achieved) == (4, hit, hit / 4)
        assert line.exact == pytest.approx(float(chance), rel=1e-12)
        assert line.z == pytest.approx((hit - 4 * chance) / sqrt(4 * chance * (1 - chance)), rel=1e-9)
        assert (line.low, line.high) == (0, 0.25 if row == "other_22" else 0.25 if row == "same_colour_22" else 0)
    edge = found.line("push_22")
    # Kept 40 of 50 wagered; paid 250 from the tray, and a seed of 50,000.
    assert (edge.wagered_micros, edge.result_micros) == (usd("50"), usd("-50210"))
    assert edge.achieved == -1004.2
    fixed = 50 * SUITED_22 + 15 * SAME_COLOR_22 + 5 * OTHER_22
    expected = 40 - 50 * fixed - 4 * 50000 * TOP
    assert edge.exact == pytest.approx(float(expected / 50), rel=1e-12)
    variance = Fraction(0)
    for stake in (15, 10, 10, 15):
        costs = [(TOP, 50000), (SUITED_22, 50 * stake), (SAME_COLOR_22, 15 * stake), (OTHER_22, 5 * stake)]
        mean = sum((chance * cost for chance, cost in costs), Fraction(0))
        variance += sum((chance * cost**2 for chance, cost in costs), Fraction(0)) - mean**2
    assert edge.z == pytest.approx(float(-50210 - expected) / sqrt(variance), rel=1e-9)
    assert edge.high == pytest.approx((float(expected) + 1.959964 * sqrt(variance)) / 50, rel=1e-9)
    rows = {(row["jackpot"], row["row"]): row for row in parsed(found)}
    assert float(rows["push_22", ""]["achieved"]) == -1004.2
    assert found.line("dragon").trials == 0 and found.line("dragon").achieved is None


def test_the_exact_edge_of_one_wager_a_round_is_the_odds_sheets(empty: Book) -> None:
    desk = Desk(empty)
    desk.do(OpenJackpot(jackpot="push_22", parameters=Parameters(levels=(LEVEL,))))
    desk.do(start("ddm_1", 1, 3))
    sheet_edge = 1 - Fraction(20, 100) - 50 * SUITED_22 - 15 * SAME_COLOR_22 - 5 * OTHER_22 - 10000 * TOP
    assert achieved(empty, FLOOR).line("push_22").exact == pytest.approx(float(sheet_edge), rel=1e-12)


def test_pays_that_are_not_entered_are_not_counted_as_missing(evening: Book) -> None:
    jackpots = tuple(replace(one, track_fixed_pays=False) for one in FLOOR.jackpots)
    found = achieved(evening, replace(FLOOR, jackpots=jackpots))
    assert found.line("push_22", "other_22").hits is None
    assert found.line("push_22", "suited_4567_named").hits == 1
    assert any("not entered" in note for note in found.notes)


def test_a_band_of_hits_leaves_a_fortieth_on_each_side() -> None:
    from math import comb

    for trials, chance in ((10, 0.3), (100, 0.05), (400, 0.01)):
        low, high = map(int, hits_band(trials, chance))
        mass = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
        assert sum(mass[:low]) <= 0.025 < sum(mass[: low + 1])
        assert sum(mass[high + 1 :]) <= 0.025 + 1e-12
        assert sum(mass[high:]) > 0.025
    assert hits_band(1_000_000, 0.25)[0] == pytest.approx(250_000 - 1.959964 * sqrt(187_500))


def test_the_audit_says_who_did_what_with_both_signatures(evening: Book) -> None:
    found = audit(evening)
    assert [(line.entry, line.actor, line.second, line.what, line.subject) for line in found.lines] == [
        (1, "manager", "", "opened", "push_22"),
        (2, "manager", "", "set_up", "floor"),
        (15, "accounting-1", "executive-1", "back_out", "fixed"),
        (17, "accounting-1", "executive-1", "correct_display", "push_22/main"),
        (18, "accounting-1", "executive-1", "record_receipts", "push_22/main"),
        (19, "accounting-1", "executive-1", "parameters", "push_22"),
        (20, "dealer-2", "", "denied", "table:ddm_2"),
    ]
    changed, denied = found.lines[5:]
    assert (changed.version, changed.detail) == (2, {"main.contribution": [0.19, 0.2]})
    assert denied.detail == {"right": "approve_award", "card": {"pin": "(withheld)", "number": 7}}
    assert [(line.actor, line.entries, line.denied) for line in found.actors] == [
        ("accounting-1", 4, 0), ("dealer-2", 1, 1), ("manager", 2, 0)
    ]  # fmt: skip
    assert [exact_dollars(line.micros) for line in found.lines if line.micros is not None] == [
        "250.00",
        "10.00",
        "0.05",
    ]
    assert [line.entry for line in audit(evening, at(16), at(20)).lines] == [17, 18, 19]
    assert audit(evening, at(19)).lines[0] == changed, "old values come from before the period"
    assert [line.entry for line in audit(evening, actor="executive-1").lines] == [15, 17, 18, 19]
    assert [line.entry for line in audit(evening, leave_out=("table:", "floor")).lines] == [1, 15, 17, 18, 19, 20]
    rows = parsed(found)
    assert (rows[3]["amount"], rows[3]["second"]) == ("10.00", "executive-1")
    assert json.loads(rows[5]["detail"]) == {"main.contribution": [0.19, 0.2]}


def test_the_audit_shows_no_secret_and_no_whole_digest(empty: Book) -> None:
    body = {"person": "dealer-1", "pin_hash": "$argon2id$", "card_sha256": "ab" * 32, "devices": [{"token": "t"}]}
    Desk(empty).do(RecordFact(subject=f"card:{'ab' * 32}", kind="card_given", body=body))
    (line,) = audit(empty).lines
    assert line.subject == "card:abababab..."
    assert line.detail == {
        "person": "dealer-1",
        "pin_hash": "(withheld)",
        "card_sha256": "(withheld)",
        "devices": [{"token": "(withheld)"}],
    }


def test_reports_on_an_empty_ledger_are_empty(empty: Book) -> None:
    empty_reports: list[LedgerReport] = [
        hits(empty), hits(empty, limit=None), accrual(empty), reconciliation(empty), audit(empty)
    ]  # fmt: skip
    for report in empty_reports:
        data = report_data(report)
        assert (data["lines"], data["last_entry"]) == ([], 0)
        assert parsed(report) == []
    assert reconciliation(empty).is_good
    assert all(line.achieved is None and line.z is None for line in achieved(empty, FLOOR).lines)
    due = deposit(empty, FLOOR, last_deposit=at(0), day=DAY, account_micros=usd("1000000"))
    assert (due.due_micros, due.may_play) == (0, True)


def test_times_without_a_zone_or_in_the_wrong_order_are_refused(empty: Book) -> None:
    refused("bad_date", lambda: accrual(empty, datetime(2026, 11, 16)))
    refused("bad_date", lambda: reconciliation(empty, at(2), at(1)))


def test_reports_are_the_same_on_both_databases(book: Book, evening: Book) -> None:
    play(book)
    for make in (hits, accrual, reconciliation, audit):
        assert make(book) == make(evening)
    assert reconciliation(book, at(4), at(12)) == reconciliation(evening, at(4), at(12))
    assert achieved(book, FLOOR, at(4)) == achieved(evening, FLOOR, at(4))


def test_a_reader_that_stands_still_sees_nothing_of_what_is_posted_meanwhile(book: Book) -> None:
    play(book)
    with book.standing_still() as reader:
        before = (reader.head(), reader.balances(), len(reader.awards()))
        Desk(book).do(start("ddm_1", 3, 1), id="meanwhile")
        assert (reader.head(), reader.balances(), len(reader.awards())) == before
        assert len(list(reader.entries_between(None, None))) == 20
        assert balances_before(reader, None) == before[1]
    assert book.head()[0] == 21


class ReconciledEvening(StoredEvening):
    """Whatever happens, every account closes, over all and over each part, and each cause adds up to zero."""

    def teardown(self) -> None:
        if hasattr(self, "book"):
            middle = at(len(self.log) // 2)
            whole = reconciliation(self.stored)
            parts = (reconciliation(self.stored, None, middle), reconciliation(self.stored, middle, None))
            for found in (whole, *parts):
                assert found.is_good
                self.require_zero_by_cause(found)
            assert {line.account: line.closing_micros for line in whole.lines} == {
                account: micros for (_, _, account), micros in self.balances().items()
            }
            lines = [accrual(self.stored, *period).line("push") for period in ((None, middle), (middle, None))]
            assert sum(line.wagered_micros - line.voided_micros for line in lines) == self.wagered
            assert sum(line.hits for line in lines) == len(self.awards)
        super().teardown()

    def require_zero_by_cause(self, found: Reconciliation) -> None:
        for field in fields(ReconciliationLine):
            if field.name.endswith("_micros"):
                assert sum(getattr(line, field.name) for line in found.lines) == 0, field.name


TestReconciledEvening = ReconciledEvening.TestCase
TestReconciledEvening.settings = settings(
    max_examples=15,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
