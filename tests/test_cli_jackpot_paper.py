"""`croupier jackpot ... --pdf FILE`: reports on paper from the terminal, written whole or not at all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.cli_floor import Terminal


def words(path: Path) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(path).pages).split())


def won(at: Terminal) -> str:
    at.lock("ddm_1", 1, 2)
    at.do("hit", "ddm_1", "--seat", "all", "--hand", "suited_4567_other", "--evidence", "4h 5h 6h 7h", "--id", "won")
    return "won/1"


def test_the_code_on_a_printed_win_page_verifies(at: Terminal) -> None:
    award = won(at)
    said = at.say("report", "win-page", award, "--pdf", "win.pdf", by="accounting")
    assert (said.status, said.out, said.err) == (0, "wrote win.pdf\n", "")
    text = words(at.folder / "win.pdf")
    assert "Jackpot win page" in text and "Five thousand dollars and 18/100" in text and "4h 5h 6h 7h" in text
    (code,) = re.findall(r"\d+-[0-9A-Z]{5}-[0-9A-Z]{5}", text)
    assert at.do("verify", "--code", code)["award"]["award"] == award


@pytest.mark.parametrize(
    ("verb", "title"),
    [
        (("hits",), "Hits"),
        (("hits", "--all"), "Hits"),
        (("audit",), "Audit"),
        (("report", "accrual"), "Shift and day"),
        (("report", "reconciliation"), "Every account closes"),
        (("report", "achieved"), "Achieved against theory"),
        (("report", "deposit", "--last-deposit", "2026-01-01T00:00:00Z", "--account", "90000"), "Deposit due"),
    ],
)
def test_every_report_is_written_as_paper(verb: tuple[str, ...], title: str, at: Terminal) -> None:
    for name in ("one.pdf", "two.pdf"):
        said = at.say(*verb, "--pdf", name, by="auditor")
        assert said.status == 0, said
    text = words(at.folder / "one.pdf")
    assert title in text and "page 1 of" in text and at.do("verify")["head"] in text
    assert (at.folder / "one.pdf").read_bytes() == (at.folder / "two.pdf").read_bytes()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--pdf", "hits.txt"), "bad_path"),
        (("--pdf", "nowhere/hits.pdf"), "bad_path"),
    ],
)
def test_a_file_that_cannot_be_is_refused_and_nothing_is_written(
    options: tuple[str, ...], code: str, at: Terminal
) -> None:
    said = at.say("hits", *options, by="auditor")
    assert (said.status, said.out) == (2, "") and f"croupier: {code}: " in said.err
    assert sorted(path.name for path in at.folder.iterdir() if path.suffix in (".pdf", ".txt")) == []


def test_a_report_is_made_in_one_form(at: Terminal) -> None:
    at.refused("csv_or_json", "hits", "--pdf", "hits.pdf", by="auditor")  # with --json
    said = at.say("report", "accrual", "--pdf", "day.pdf", "--csv", by="auditor")
    assert said.status == 2 and "one of --csv, --json and --pdf" in said.err
    assert not (at.folder / "hits.pdf").exists() and not (at.folder / "day.pdf").exists()


def test_who_may_not_see_a_report_gets_no_paper_of_it(at: Terminal) -> None:
    said = at.say("report", "accrual", "--pdf", "day.pdf", by="dealer")
    assert said.status == 2 and not (at.folder / "day.pdf").exists()
