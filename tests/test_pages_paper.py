"""Paper from the pages: the links are there, the files say what the pages say, and only who may see gets them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.manager_pages import as_role, hit
from tests.web_client import Web, demo_web

CODE = re.compile(r"\d+-[0-9A-Z]{5}-[0-9A-Z]{5}")


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


def words(content: bytes) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages).split())


def link_of(html: str) -> str:
    (link,) = re.findall(r'href="([^"]+/pdf[^"]*)"', html)
    return unescape(link)


def test_every_report_leads_to_its_paper(web: Web) -> None:
    hit(web)
    http = as_role(web, "accounting")
    for name, asked, said in (
        ("accrual", {"start": "2026-11-16T00:00", "end": "2026-11-17T00:00"}, "to before Nov 17, 2026 00:00:00"),
        ("reconciliation", {}, "Every account closes"),
        ("achieved", {}, "One figure in twenty".lower()),
        ("hits", {"jackpot": "push_22", "every": "true"}, "1 hit, 1 of them stand"),
        ("hits", {"jackpot": "dragon"}, "Nothing was hit yet."),
        ("deposit", {"account": "77000"}, "Account holds $77,000"),
    ):
        page = http.get(f"/manager/reports/{name}", params=asked)
        answer = http.get(link_of(page.text))
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf"), name
        assert f'filename="{name}.pdf"' in answer.headers["content-disposition"]
        assert said in words(answer.content), name


def test_manager_and_dealer_print_the_same_win_page(web: Web) -> None:
    award = hit(web)
    page = as_role(web, "supervisor").get(f"/manager/claims/{award}").text
    slip = as_role(web, "dealer").get(f"/dealer/ddm_1/slip/{award}").text
    printed = [
        as_role(web, "supervisor").get(link_of(page)).content,
        as_role(web, "dealer").get(link_of(slip)).content,
    ]
    texts = [words(content) for content in printed]
    assert CODE.findall(texts[0]) == CODE.findall(texts[1]) == CODE.findall(page) == sorted(set(CODE.findall(slip)))
    for words_of_it in ("Five thousand dollars and 18/100", "4h 5h 6h 7h", "Winner, seat 2", "PENDING"):
        assert all(words_of_it in text for text in texts)
    assert all("Five thousand dollars and 18/100" in html for html in (page, slip))


def test_what_is_asked_wrongly_is_asked_again_and_is_no_file(web: Web) -> None:
    http = as_role(web, "accounting")
    for name, asked, said in (
        ("accrual", {"start": "abc"}, 'From: "abc" is not a time.'),
        ("achieved", {"start": "2026-01-02T00:00", "end": "2026-01-01T00:00"}, "bad_date"),
        ("deposit", {"account": "x"}, "Account holds: "),
    ):
        answer = http.get(f"/manager/reports/{name}/pdf", params=asked)
        assert answer.status_code == 422 and said in unescape(answer.text), name
    assert http.get("/manager/reports/hits/pdf", params={"jackpot": "none"}).status_code == 404
    assert http.get("/manager/claims/nothing/pdf").status_code == 404


def test_a_slip_is_of_its_own_table_and_for_who_may_see_it(web: Web) -> None:
    award = hit(web)
    dealer = as_role(web, "dealer")
    assert dealer.get(f"/dealer/ddm_2/slip/{award}/pdf").status_code == 404
    assert dealer.get(f"/manager/claims/{award}/pdf").status_code == 403
    assert as_role(web, "technician").get(f"/dealer/ddm_1/slip/{award}/pdf").status_code == 403
    led = web.anonymous().http.get(f"/dealer/ddm_1/slip/{award}/pdf", follow_redirects=False)
    assert led.status_code == 303 and led.headers["location"].startswith("/sign-in")
