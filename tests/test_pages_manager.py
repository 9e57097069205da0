"""The game manager without scripts: who sees and does what; claims, tables, meters and money."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from croupier.floor.roles import SOFTWARE, Role
from croupier.floor.service import Ask
from croupier.floor.terminal import Spot
from croupier.web.pages.rights import PAGES
from tests.desks import Person
from tests.manager_pages import as_role, asked_in, hit, swipe
from tests.pages import fill, form_of, forms_of, submit
from tests.web_client import SEED, SWIPES, Web, demo_web, lock, second_executive, step

WHO = {
    "D": "dealer",
    "S": "supervisor",
    "E": "executive",
    "A": "accounting",
    "T": "technician",
    "U": "auditor",
}

# Written by hand, not made from the rights: who gets past the door.
ALLOWED = {
    "GET /manager": "SEATU",
    "GET /manager/tables/{table}": "SEATU",
    "POST /manager/tables/{table}/stop": "SEAT",
    "POST /manager/tables/{table}/reopen": "SE",
    "POST /manager/tables/{table}/void": "SE",
    "POST /manager/tables/{table}/clear": "SE",
    "POST /manager/tables/{table}/key": "SE",
    "GET /manager/claims": "SEAU",
    "GET /manager/claims/{award:path}": "SEAU",
    "GET /manager/claims/{award:path}/pdf": "SEAU",
    "GET /manager/win-code": "SEAU",
    "POST /manager/claims/{award:path}/pay": "SE",
    "POST /manager/claims/{award:path}/reject": "SE",
    "POST /manager/claims/{award:path}/back-out": "EA",
    "POST /manager/tables/{table}/award-by-hand": "EA",
    "GET /manager/meters": "SEAU",
    "GET /manager/meters/{jackpot}": "SEAU",
    "POST /manager/meters/{jackpot}/adjust": "EA",
    "POST /manager/jackpots/{jackpot}/close": "EA",
    "GET /manager/account": "SEAU",
    "POST /manager/account": "A",
    "GET /manager/reports": "SEAU",
    "GET /manager/reports/hits": "SEAU",
    "GET /manager/reports/accrual": "SEAU",
    "GET /manager/reports/reconciliation": "SEAU",
    "GET /manager/reports/achieved": "SEAU",
    "GET /manager/reports/deposit": "SEAU",
    "GET /manager/reports/hits/pdf": "SEAU",
    "GET /manager/reports/accrual/pdf": "SEAU",
    "GET /manager/reports/reconciliation/pdf": "SEAU",
    "GET /manager/reports/achieved/pdf": "SEAU",
    "GET /manager/reports/deposit/pdf": "SEAU",
    "GET /manager/setup": "SEATU",
    "GET /manager/setup/file/{form}": "SEATU",
    "GET /manager/setup/table": "SEAT",
    "GET /manager/setup/jackpot": "SEAT",
    "GET /manager/setup/link": "SEAT",
    "GET /manager/setup/house": "SEAT",
    "POST /manager/setup/table": "SEAT",
    "POST /manager/setup/jackpot": "SEAT",
    "POST /manager/setup/link": "SEAT",
    "POST /manager/setup/house": "SEAT",
    "POST /manager/setup/upload": "SEAT",
    "POST /manager/setup/change": "SEAT",
    "POST /manager/setup/open": "E",
    "GET /manager/people": "EU",
    "POST /manager/people": "E",
    "POST /manager/people/{person}/role": "E",
    "POST /manager/people/{person}/withdraw": "E",
    "POST /manager/people/{person}/renew": "E",
    "POST /manager/people/{person}/unlock": "E",
    "POST /manager/people/{person}/sign-out": "E",
    "GET /manager/pin": "DSEATU",
    "POST /manager/pin": "DSEATU",
    "GET /manager/devices": "TEU",
    "POST /manager/devices": "T",
    "POST /manager/devices/{device}/renew": "T",
    "POST /manager/devices/{device}/withdraw": "T",
    "GET /manager/reports/access": "EU",
    "GET /manager/reports/access/pdf": "EU",
    "GET /manager/ledger/software": "TEU",
    "GET /manager/audit": "EU",
    "GET /manager/audit/entries": "EU",
    "GET /manager/ledger": "TEU",
    "GET /manager/ledger/verify": "TEU",
}


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


def csrf_of(http: TestClient) -> str:
    (token,) = form_of(http.get("/manager/pin").text, "/manager/pin").fields["csrf"]
    return token


def address_of(row: str) -> str:
    path = row.partition(" ")[2]
    for name, value in (
        ("{table}", "ddm_1"),
        ("{award:path}", "nothing/1"),
        ("{jackpot}", "push_22"),
        ("{form}", "toml"),
        ("{person}", "nobody"),
        ("{device}", "nothing"),
    ):
        path = path.replace(name, value)
    return path


def entries_but_refusals(web: Web) -> list[str]:
    entries = web.room.book.entries(limit=1000)
    return [one.entry.id for one in entries if one.entry.reason != "denied"]


# Who sees and does what


def test_every_page_and_form_lets_in_whom_it_should_and_nobody_else(web: Web) -> None:
    assert {row for row in PAGES if "/manager" in row} == set(ALLOWED)
    found: dict[str, set[str]] = {row: set() for row in ALLOWED}
    for letter, role in WHO.items():
        http = as_role(web, role)
        csrf = csrf_of(http)
        for row in ALLOWED:
            method, path = row.partition(" ")[0], address_of(row)
            answer = http.request(method, path, data={"csrf": csrf} if method == "POST" else None)
            assert answer.status_code in (200, 403, 404, 422), (row, role, answer.status_code)
            if answer.status_code != 403:
                found[row].add(letter)
            else:
                assert "Roles that have it" in answer.text and "/sign-in" in answer.text, "the page says what would do"
    assert found == {row: set(letters) for row, letters in ALLOWED.items()}


def test_nobody_is_led_to_sign_in_and_back(web: Web) -> None:
    http = web.anonymous().http
    for row in ALLOWED:
        method, path = row.partition(" ")[0], address_of(row)
        answer = http.request(method, path, follow_redirects=False)
        if method == "GET":
            assert (answer.status_code, answer.headers["location"]) == (303, f"/sign-in?next={path}"), row
        else:
            assert answer.status_code == 401, row
    page = http.get("/sign-in?next=/manager/meters")
    sent = fill(form_of(page.text, "/sign-in", next="/manager/meters"), SWIPES["executive"])
    assert http.post("/sign-in", data=sent).url.path == "/manager/meters"


def test_a_form_without_its_token_is_refused_and_writes_nothing(web: Web) -> None:
    for role in ("executive", "accounting", "technician"):
        http = as_role(web, role)
        before = entries_but_refusals(web)
        for row in (row for row in ALLOWED if row.startswith("POST")):
            for csrf in ("", "0" * 64):
                answer = http.post(address_of(row), data={"csrf": csrf, "command": "some-command-id"})
                assert answer.status_code == 403 and "csrf_failed" in answer.text, row
        assert entries_but_refusals(web) == before


def test_the_navigation_shows_what_the_role_may_open(web: Web) -> None:
    for letter, role in WHO.items():
        http = as_role(web, role)
        shown = re.findall(r'<a href="(/manager[^"]*)"', http.get("/manager/pin").text.partition('class="places"')[2])
        places = {row.partition(" ")[2] for row, who in ALLOWED.items() if row.startswith("GET") and letter in who}
        assert set(shown) == {path for path in places if "{" not in path and path.count("/") <= 2} - {
            "/manager/win-code"
        }
        assert all(http.get(path).status_code == 200 for path in shown)


def test_an_auditor_reads_everything_and_finds_no_form_that_changes_something(web: Web) -> None:
    award = hit(web)
    http = as_role(web, "auditor")
    for row, who in ALLOWED.items():
        if row.startswith("GET") and "U" in who and row not in ("GET /manager/win-code", "GET /manager/pin"):
            page = http.get(address_of(row).replace("nothing/1", award))
            assert page.status_code == 200, row
            if page.headers["content-type"] == "application/pdf":
                continue
            assert {one.action for one in forms_of(page.text) if one.method == "post"} <= {"/sign-out"}, row


def test_a_page_that_is_left_open_does_not_keep_its_reader_signed_in(web: Web) -> None:
    http = as_role(web, "supervisor")
    for minutes, look in ((10, {}), (10, {"HX-Request": "true"})):
        web.clock.now += timedelta(minutes=minutes)
        assert http.get("/manager", headers=look).status_code == 200
    web.clock.now += timedelta(minutes=10)
    assert http.get("/manager", headers=look).status_code == 401, "what the page fetches by itself is no use"
    assert http.get("/manager", follow_redirects=False).headers["location"] == "/sign-in?next=/manager"


# Claims


def test_a_supervisor_pays_a_claim_with_card_and_pin_once(web: Web) -> None:
    dealer = web.role("dealer")
    lock(dealer, "ddm_1", 1, 2, 5)
    for seat in (1, 2, 5):
        step(dealer, "ddm_1", "pick", seat=seat, sensor=1, row="suited_22")
    award = step(dealer, "ddm_1", "hit", evidence="Kh 5h 7h")["awards"][0]
    http = as_role(web, "supervisor")
    queue = http.get("/manager/claims").text
    assert "$750" in queue and "Kh 5h 7h" in queue and "supervisor or higher" in queue
    action = f"/manager/claims/{award}/pay"
    no_card = submit(http, "/manager/claims", action)
    assert no_card.status_code == 422 and "present a card" in no_card.text
    wrong = submit(http, "/manager/claims", action, **swipe("approver", SWIPES["supervisor"] | {"pin": "000001"}))
    assert wrong.status_code == 401 and "000001" not in wrong.text
    low = submit(http, "/manager/claims", action, **swipe("approver", SWIPES["dealer"]))
    assert low.status_code == 403 and "low_card" in low.text
    sent = fill(form_of(http.get("/manager/claims").text, action), swipe("approver", SWIPES["supervisor"]))
    for _ in range(2):
        paid = http.post(action, data=sent, follow_redirects=False)
        assert (paid.status_code, paid.headers["location"]) == (303, f"/manager/claims/{award}?done=paid")
    page = http.get(paid.headers["location"]).text
    assert "The award is paid" in page and "approved by demo-supervisor" in page and "3 × $250.00 = $750.00" in page
    assert web.room.book.award(award).status == "paid"
    (code,) = re.findall(r"\d+-[0-9A-Z]{5}-[0-9A-Z]{5}", page)
    assert http.get("/manager/win-code", params={"code": code}).url.path == f"/manager/claims/{award}"


def test_a_large_award_takes_two_cards(web: Web) -> None:
    award = hit(web, "ddm_1", "suited_4567_named", 2)
    http = as_role(web, "executive")
    action, path = f"/manager/claims/{award}/pay", f"/manager/claims/{award}"
    first = swipe("approver", SWIPES["executive"])
    assert "two executives" in http.get(path).text
    alone = submit(http, path, action, **first)
    assert alone.status_code == 403 and "second_card_needed" in alone.text
    half = submit(http, path, action, **first, second_card="something")
    assert half.status_code == 422 and "both fields" in half.text
    both = submit(http, path, action, **first, **swipe("second", second_executive(web)))
    assert both.status_code == 303 and web.room.book.award(award).approved_by == ("demo-executive", "max")


def test_a_claim_is_rejected_with_a_note_and_a_payment_backed_out_by_two(web: Web) -> None:
    award = hit(web)
    http, path = as_role(web, "executive"), f"/manager/claims/{award}"
    assert submit(http, path, f"{path}/reject", **swipe("approver", SWIPES["executive"])).status_code == 422
    done = submit(http, path, f"{path}/reject", note="Two suits.", **swipe("approver", SWIPES["executive"]))
    assert done.status_code == 303 and "Two suits." in http.get(path).text
    assert web.room.book.meter_micros("push_22") == SEED + 1_900_000
    step(web.role("dealer"), "ddm_1", "end")
    award = hit(web)
    path = f"/manager/claims/{award}"
    assert submit(http, path, f"{path}/pay", **swipe("approver", SWIPES["executive"])).status_code == 303
    same = submit(http, path, f"{path}/back-out", note="Wrong.", **swipe("second", SWIPES["executive"]))
    assert same.status_code == 403 and web.room.book.award(award).status == "paid"
    two = submit(http, path, f"{path}/back-out", note="Wrong table.", **swipe("second", SWIPES["accounting"]))
    assert two.status_code == 303 and "demo-executive and demo-accounting: Wrong table." in http.get(path).text
    history = http.get("/manager/claims", params={"status": "backed_out"}).text
    assert award in history and history.count('<th scope="row" class="nowrap"><a href="/manager/claims/') == 1
    assert http.get("/manager/claims/nothing").status_code == 404


# Tables


def test_a_table_is_stopped_reopened_and_its_round_voided(web: Web) -> None:
    http, path = as_role(web, "supervisor"), "/manager/tables/ddm_1"
    lock(web.role("dealer"), "ddm_1", 1)
    assert submit(http, path, f"{path}/void").status_code == 422
    assert submit(http, path, f"{path}/void", why="A card was exposed.").status_code == 303
    old = fill(form_of(http.get(path).text, f"{path}/stop"), {"why": "Too late."})
    assert submit(http, path, f"{path}/stop", why="The reader is broken.").status_code == 303
    assert http.post(f"{path}/stop", data=old).status_code == 409, "made for a state of the table that is gone"
    floor = http.get("/manager").text
    assert "Out of service" in floor and "Double Down Madness 1: The reader is broken." in floor
    assert submit(http, path, f"{path}/reopen").status_code == 303
    assert "Nothing needs attention" in http.get("/manager").text
    assert http.get("/manager/tables/nothing").status_code == 404


def test_two_people_clear_a_table_that_is_stuck(web: Web) -> None:
    http, path = as_role(web, "supervisor"), "/manager/tables/ddm_1"
    assert "/clear" not in http.get(path).text, "without a round there is nothing to clear"
    lock(web.role("dealer"), "ddm_1", 1, 2)
    alone = submit(http, path, f"{path}/clear", why="Stuck.", **swipe("second", SWIPES["supervisor"]))
    assert alone.status_code == 403 and web.room.desk.table("ddm_1").terminal.phase == "locked"
    done = submit(http, path, f"{path}/clear", why="Stuck.", **swipe("second", SWIPES["executive"]))
    assert done.status_code == 303 and web.room.desk.table("ddm_1").terminal.phase == "open"
    # Where the software deals, the page says that a table is stuck, and why.
    table = "/manager/tables/ddm_3"
    assert "/clear" not in http.get(table).text
    software = Person(SOFTWARE, Role.DEALER)
    web.room.desk.start(Ask("without-cards", software), "ddm_3", chips=1, lit=[Spot(1, 1)])
    assert "Table stuck" in http.get("/manager").text and "do not go together" in http.get(table).text
    done = submit(http, table, f"{table}/clear", why="No cards.", **swipe("second", SWIPES["executive"]))
    assert done.status_code == 303 and "Table stuck" not in http.get("/manager").text


def test_the_key_of_an_aquarius_table_is_turned_before_j_pot(web: Web) -> None:
    award = hit(web, "baccarat_1", "suited_six_cards")
    http, path = as_role(web, "executive"), "/manager/tables/baccarat_1"
    claim = f"/manager/claims/{award}"
    assert "turn the key to JPH" in http.get(claim).text
    assert submit(http, claim, f"{claim}/pay", **swipe("approver", SWIPES["executive"])).status_code == 409
    assert submit(http, path, f"{path}/key").status_code == 303
    assert submit(http, claim, f"{claim}/pay", **swipe("approver", SWIPES["executive"])).status_code == 303


def test_alerts_say_what_waits_and_what_is_wrong(web: Web) -> None:
    award = hit(web)
    executive = as_role(web, "executive")
    assert f'href="/manager/claims/{award}"' in executive.get("/manager").text
    assert f"/manager/claims/{award}" not in as_role(web, "technician").get("/manager").text.partition("Tables")[0]
    for version, balance_micros in enumerate((60_000_000_000, 1)):
        body = {"balance_micros": balance_micros, "note": "Bank.", "revision": version}
        web.role("accounting").done("POST", "/account", body)
    assert "Account short" in executive.get("/manager").text
    for _ in range(5):
        web.anonymous().call("POST", "/session", SWIPES["dealer"] | {"pin": "111222"})
    assert "Card locked" in executive.get("/manager").text
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(web.room.book, "stopped", lambda: {"dragon": "It does not add up."})
        assert "Jackpot stopped" in executive.get("/manager").text
    assert 'id="live"' in executive.get("/manager", headers={"HX-Request": "true"}).text.splitlines()[0]


# Meters and money


def test_an_adjustment_is_shown_before_it_is_booked_by_two(web: Web) -> None:
    http, path = as_role(web, "accounting"), "/manager/meters/push_22"
    action = f"{path}/adjust"
    asked = {"reason": "correct_display", "amount": "-2", "pool": "meter", "note": "Shown too high."}
    before = web.room.book.head()
    page = http.get(path, params=asked).text
    assert "$50,000.00" in page and "$49,998.00" in page and web.room.book.head() == before
    sent = fill(form_of(page, action), swipe("second", SWIPES["executive"]))
    assert http.post(action, data=sent, follow_redirects=False).status_code == 303
    assert web.room.book.meter_micros("push_22") == SEED - 2_000_000
    assert "Shown too high." in http.get(path).text
    for wrong, status, code in (
        ({"amount": "two"}, 422, "bad_amount"),
        ({"amount": "-2", "reason": "house_addition"}, 422, "bad_adjustment"),
        ({"pool": "reserve"}, 409, "reason_pool"),
        ({"reason": "because"}, 422, "bad_choice"),
        ({"note": ""}, 422, "note_missing"),
    ):
        answer = http.get(path, params=asked | wrong)
        assert answer.status_code == status and code in answer.text, wrong
        (field,) = wrong.keys() - {"reason"} or {"reason"}
        assert f'id="problem-{field}"' in answer.text and 'aria-invalid="true"' in answer.text, wrong
        again = asked_in(answer.text, path)
        assert again["note"] == [(asked | wrong)["note"]] and again["amount"] == [(asked | wrong)["amount"]], wrong
    several = http.get(path, params={"amount": "1e9", "note": "x"})
    assert several.status_code == 422 and "Reason: an empty field is not accepted. Accepted: correct" in several.text
    assert 'Amount in dollars: "1e9" is not an amount' in unescape(several.text)
    same = fill(form_of(http.get(path, params=asked).text, action), swipe("second", SWIPES["accounting"]))
    assert http.post(action, data=same).status_code == 403
    assert http.get("/manager/meters/nothing").status_code == 404


def test_meters_show_what_is_behind_them(web: Web) -> None:
    lock(web.role("dealer"), "ddm_1", 1, 2)
    page = as_role(web, "supervisor").get("/manager/meters").text
    for shown in ("$50,001.90", "$0.10", "$10", "$50,000.10", "19%", "1%", "$1,000,000", "unreasonable", "reset now"):
        assert shown in page or shown in page.lower(), shown


def test_accounting_records_the_balance_and_a_stale_form_is_refused(web: Web) -> None:
    http, path = as_role(web, "accounting"), "/manager/account"
    old = fill(form_of(http.get(path).text, path), {"balance": "1", "note": "Late."})
    bad = submit(http, path, path, balance="-5", note="Bank.")
    assert bad.status_code == 422 and "Balance in dollars:" in bad.text
    assert submit(http, path, path, balance="60,000", note="Bank statement.").status_code == 303
    assert "$60,000" in http.get(path).text
    assert http.post(path, data=old).status_code == 409
    assert "2026-11-23" in as_role(web, "auditor").get(path).text


def test_a_jackpot_is_closed_once_no_table_plays_for_it(web: Web) -> None:
    http, path = as_role(web, "executive"), "/manager/meters/dragon"
    assert "take its sensor off" in http.get(path).text
    second = second_executive(web)
    for table in [one.id for one in web.room.desk.floor().tables_of("dragon")]:
        form = f"/manager/setup/table?table={table}"
        review = submit(
            http,
            form,
            "/manager/setup/table",
            sensor__1="",
            posted=["wager_limits", "prizes", "employee_play", "disputes"],
        )
        sent = fill(form_of(review.text, "/manager/setup/change"), {"reason": "Less."} | swipe("second", second))
        assert http.post("/manager/setup/change", data=sent, follow_redirects=False).status_code == 303
    action = "/manager/jackpots/dragon/close"
    done = submit(http, path, action, note="A new game.", to="push_22", **swipe("second", SWIPES["accounting"]))
    assert done.status_code == 303, done.text
    assert "dragon" not in [one.id for one in web.room.desk.floor().jackpots]
    assert http.get("/manager/meters").status_code == http.get("/manager/claims").status_code == 200
