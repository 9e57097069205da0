"""Paper for the floor: what a PDF says is what its report says, and the same report gives the same bytes.

The evening is that of `test_jackpot_reports`, worked out by hand there.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from msgspec import structs
from pypdf import PdfReader

from croupier import __version__
from croupier.reports.books.access import access_review
from croupier.reports.books.accrual import Accrual, accrual
from croupier.reports.books.achieved import achieved
from croupier.reports.books.audit import audit
from croupier.reports.books.awards import hits, verify_code, win_page
from croupier.reports.books.data import NAMES
from croupier.reports.books.deposit import deposit
from croupier.reports.books.period import LedgerReport
from croupier.reports.books.reconciliation import reconciliation
from croupier.reports.paper.amount_words import amount_in_words
from croupier.reports.paper.books import paper_of
from croupier.reports.paper.model import paper_pdf
from croupier.store import Book, open_store
from tests.ledger import usd
from tests.test_jackpot_reports import DAY, FLOOR, at, play


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    book = open_store(str(tmp_path_factory.mktemp("paper") / "ledger.db"))
    play(book)
    yield book
    book.close()


@pytest.fixture(scope="module")
def reports(evening: Book) -> dict[str, LedgerReport]:
    made: list[LedgerReport] = [
        win_page(evening, "whole", FLOOR),
        hits(evening),
        accrual(evening, at(0), at(3600)),
        reconciliation(evening),
        deposit(evening, FLOOR, last_deposit=at(0) - timedelta(days=9), day=DAY, account_micros=usd("1000")),
        achieved(evening, FLOOR),
        audit(evening),
        access_review(evening),
    ]
    return {NAMES[type(report)]: report for report in made}


def words(content: bytes) -> str:
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]
    return " ".join(" ".join(pages).split())


def read(report: LedgerReport) -> str:
    return words(paper_pdf(paper_of(report, FLOOR)))


def test_there_is_paper_for_every_report(reports: dict[str, LedgerReport]) -> None:
    assert reports.keys() == set(NAMES.values())


def test_one_hit_is_called_a_hit(reports: dict[str, LedgerReport]) -> None:
    report = reports["accrual"]
    assert isinstance(report, Accrual)
    for hits_then, said in ((1, "1 hit of"), (2, "2 hits of")):
        lines = (replace(report.line(), hits=hits_then),)
        paid = next(fact for fact in paper_of(replace(report, lines=lines), FLOOR).facts if fact.label == "Paid")
        assert paid.detail.startswith(said)


@pytest.mark.parametrize("name", NAMES.values())
def test_a_page_names_the_house_the_program_and_the_end_of_the_ledger_and_has_lines_to_sign_on(
    name: str, reports: dict[str, LedgerReport]
) -> None:
    report = reports[name]
    paper = paper_of(report, FLOOR)
    said = read(report)
    for text in (
        paper.title,
        FLOOR.name,
        paper.subtitle,
        f"croupier {__version__}, ledger to entry {report.last_entry}",
        report.last_hash,
        "page 1 of ",
        *paper.signatures,
        "Demonstration: play money, not payable.",
    ):
        assert text in said
    assert len(paper.signatures) >= 2


@pytest.mark.parametrize("name", NAMES.values())
def test_every_fact_and_every_cell_is_on_the_paper(name: str, reports: dict[str, LedgerReport]) -> None:
    paper, said = paper_of(reports[name], FLOOR), read(reports[name])
    for fact in paper.facts:
        assert " ".join(f"{fact.label} {fact.text} {fact.detail}".split()) in said
    for table in paper.tables:
        assert all(len(row.cells) == len(table.columns) for row in table.rows)
        for texts in table.texts:
            assert " ".join(" ".join(texts).split()) in said
    for note in paper.notes:
        assert note in said


@pytest.mark.parametrize("name", NAMES.values())
def test_the_same_report_gives_the_same_bytes(name: str, reports: dict[str, LedgerReport]) -> None:
    paper = paper_of(reports[name], FLOOR)
    assert paper_pdf(paper) == paper_pdf(paper)


def test_several_threads_may_print_at_once(reports: dict[str, LedgerReport]) -> None:
    papers = [paper_of(report, FLOOR) for report in reports.values()] * 3
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(paper_pdf, papers))
    assert made == [paper_pdf(paper) for paper in papers]


def test_the_win_page_has_all_that_is_signed_for(evening: Book, reports: dict[str, LedgerReport]) -> None:
    said = read(reports["win_page"])
    for text in (
        "$45,006.18",
        "Forty-five thousand six dollars and 18/100",
        "PAID",
        "Table Double Down Madness 1, round 2",
        "seats 1 and 2 Community Jackpot",
        "2 × $22,503.09 = $45,006.18 $0.01 did not divide and stayed in the meter",
        "1 $22,503.09 2 $22,503.09 all $45,006.18",
        "suited_4567_named, pay table 1",
        "Cards 4s 5s 6s 7s",
        "$45,006.19 before, $50,000.36 after",
        "$50,000.00 + $0.35 = $50,000.35 put into the meter",
        "proposed by dealer-1",
        "approved by executive-1 and executive-2, entered by supervisor-1",
        "Winner, seat 1",
        "Winner, seat 2",
        "Dealer",
        "Executive, second",
    ):
        assert text in said
    page = win_page(evening, "whole", FLOOR)
    assert page.code in said and verify_code(evening, page.code).id == "whole"


def test_a_returned_award_says_by_whom_and_why(evening: Book) -> None:
    rejected = read(win_page(evening, "wrong", FLOOR))
    assert "REJECTED" in rejected and "by supervisor-1: =HYPERLINK of six hearts" in rejected
    backed_out = read(win_page(evening, "fixed", FLOOR))
    assert "BACKED OUT" in backed_out and "by accounting-1 and executive-1: misread" in backed_out
    assert "Paid from the tray" in backed_out and "Seed plus reserve" not in backed_out


def test_totals_are_those_of_the_lines(reports: dict[str, LedgerReport]) -> None:
    hits_table = paper_of(reports["hits"], FLOOR).table("hits")
    assert hits_table.rows[-1].mark == "sum" and "5 hit, 3 of them stand" in hits_table.texts[-1]
    assert "$50,256.64" in hits_table.texts[-1]  # 5,000.46 + 45,006.18 + 250: one rejected, one backed out
    account = paper_of(reports["reconciliation"], FLOOR).table("reconciliation").texts[-1]
    assert account[:3] == ["Push 22™ Progressive", "", "adds up to"] and set(account[3:-1]) == {"$0.00"}
    held = paper_of(reports["deposit"], FLOOR).table("deposit")
    assert held.rows[-1].mark == "sum"
    amounts = ["$50,013.21", "$0.10", "$0.00", "$250.00", "$50,263.31", "$0.00", "$50,263.31"]
    assert held.texts[-1] == ["all", "", *amounts]


def test_books_that_do_not_add_up_say_so_on_paper(evening: Book) -> None:
    good = reconciliation(evening)
    lines = (replace(good.lines[0], closes=False), *good.lines[1:])
    paper = paper_of(
        replace(good, lines=lines, is_good=False, not_closing=("push_22//receipts",), not_zero=("push_22",)), FLOOR
    )
    said = words(paper_pdf(paper))
    assert "It does not add up. Not closing: push_22//receipts. Not zero: push_22." in said
    marked = [row.cells for row in paper.tables[0].rows if row.mark == "bad"]
    assert [(cells[2], cells[-1]) for cells in marked] == [("receipts", "no"), ("adds up to", "no")]


def test_long_reports_go_on_with_their_heads_and_long_ids_stay_in_their_columns(evening: Book) -> None:
    found = hits(evening, limit=None)
    long_id = "x" * 60
    lines = tuple(replace(line, hit=structs.replace(line.hit, award=long_id)) for line in found.lines) * 40
    reader = PdfReader(io.BytesIO(paper_pdf(paper_of(replace(found, lines=lines), FLOOR))))
    texts = [page.extract_text() for page in reader.pages]
    assert len(texts) > 3
    for number, text in enumerate(texts, 1):
        assert f"page {number} of {len(texts)}" in " ".join(text.split())
        assert found.last_hash in text
    assert all("Meter before" in " ".join(text.split()) for text in texts[:-1])


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        ("0", "Zero dollars and 00/100"),
        ("1", "One dollar and 00/100"),
        ("0.09", "Zero dollars and 09/100"),
        ("20", "Twenty dollars and 00/100"),
        ("99.99", "Ninety-nine dollars and 99/100"),
        ("100", "One hundred dollars and 00/100"),
        ("1000", "One thousand dollars and 00/100"),
        ("111911.50", "One hundred eleven thousand nine hundred eleven dollars and 50/100"),
        ("1000000000", "One billion dollars and 00/100"),
    ],
)
def test_amounts_in_words(amount: str, said: str) -> None:
    assert amount_in_words(usd(amount)) == said
