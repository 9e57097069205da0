"""The game manager's pages speak to people: names in place of ids, one way to write money, reasons in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from tests.manager_pages import as_role, hit
from tests.pages import fill, form_of
from tests.web_client import Web, demo_web


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


def text_only(html: str) -> str:
    """What is read on a page: no tags, no small print, no lists of choices."""
    body = re.sub(r"(?s)<(small|select|script|style)\b.*?</\1>", " ", html.partition("<main")[2])
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_pages_call_things_by_their_names(web: Web) -> None:
    """Ids may stand small beside a name or in addresses; what people read is the name."""
    http, award = as_role(web, "executive"), hit(web)
    words = {path: text_only(http.get(path).text) for path in ("/manager", "/manager/claims", "/manager/setup")}
    assert "of Push 22™ Progressive at Double Down Madness 1, for" in words["/manager"]
    assert "of push_22" not in words["/manager"] and award not in words["/manager"]
    assert "at Double Down Madness 1" in words["/manager/claims"] and "at ddm_1" not in words["/manager/claims"]
    assert "GM Atlas" in words["/manager/setup"] and "Nexus Command" in words["/manager/setup"]
    assert not re.search("gm_atlas|nexus_command|1: push_22", words["/manager/setup"])
    step = fill(form_of(http.get("/manager/tables/ddm_1").text, "/manager/tables/ddm_1/void"), {"why": "Misdeal."})
    open_claim = http.post("/manager/tables/ddm_1/void", data=step)
    assert "Pay or reject the claim of $5,000.18 at Double Down Madness 1 first." in unescape(open_claim.text)
    late = http.post("/manager/tables/ddm_1/void", data=step | {"revision": "1", "command": "another-id"})
    assert late.status_code == 409 and "stale_revision" in late.text
    assert "Somebody else has changed Double Down Madness 1 meanwhile: look again" in late.text
    meter = http.get("/manager/meters/push_22").text
    assert "<strong>Correct display.</strong>" in meter and "<code>correct_display</code>" not in meter
    assert "WAC 230-15-695</a>" in meter and "[S]" not in meter
    for name in ("reports/hits", "reports/accrual", "reports/reconciliation", "reports/achieved", "reports/deposit"):
        report = text_only(http.get(f"/manager/{name}").text)
        assert "Push 22™ Progressive" in report, name
        assert not re.search(r"\bpush_22\b|\bddm_1\b|suited_4567", report), name
        if name != "reports/achieved":  # which has other figures too
            amounts = re.findall(r"(?<![$\d,.-])\d[\d,]*\.\d\d(?![\d.%])", report.partition("As of entry")[0])
            assert not amounts, name


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/manager/claims?status=nope", 422, "Accepted: pending, paid, rejected, backed_out"),
        ("/manager/audit?what=nope", 422, "Accepted: "),
        ("/manager/setup/jackpot?wager=", 422, "Wager: none is chosen. Choose the wager that this jackpot is for"),
        ("/manager/setup/table?game=", 422, "Game: none is chosen. Choose the game that this table has"),
        ("/manager/setup/jackpot", 200, "Continue"),
    ],
)
def test_what_is_not_accepted_is_said_with_what_is(web: Web, path: str, status: int, words: str) -> None:
    answer = as_role(web, "executive").get(path)
    assert answer.status_code == status and words in unescape(answer.text)


def test_an_audit_of_a_time_without_such_an_entry_is_empty_and_no_mistake(web: Web) -> None:
    http = as_role(web, "executive")
    known = re.findall(r'<option value="(\w+)"', http.get("/manager/audit").text.partition('name="what"')[2])[0]
    answer = http.get("/manager/audit", params={"what": known, "start": "2020-01-01T00:00", "end": "2020-01-02T00:00"})
    assert answer.status_code == 200 and "No matching lines." in answer.text
    assert f'<option value="{known}" selected>' in answer.text


def test_the_clock_is_explained_where_there_are_times(web: Web) -> None:
    http = as_role(web, "executive")
    assert "All times are UTC" in http.get("/manager/claims").text
    for path in ("/manager/reports", "/manager/pin", "/manager/meters", "/manager/setup/house"):
        assert "All times are UTC" not in http.get(path).text, path


def test_a_share_of_the_meter_puts_nothing_in_and_its_page_says_nothing_of_it(web: Web) -> None:
    http, award = as_role(web, "executive"), hit(web)
    assert "Seed plus reserve" not in http.get(f"/manager/claims/{award}").text
