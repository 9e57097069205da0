"""The game manager without scripts: who sees and does what, every form, and what it writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text
from starlette.testclient import TestClient

from croupier.floor.desk import FLOOR
from croupier.floor.roles import Role
from croupier.web.app import make_app
from croupier.web.pages.rights import PAGES
from tests.pages import fill, form_of, forms_of, submit
from tests.web_client import CHEAP, SEED, SWIPES, WIDE, Web, demo_web, lock, revision, second_executive, step

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
    "POST /manager/tables/{table}/key": "SE",
    "GET /manager/claims": "SEAU",
    "GET /manager/claims/{award:path}": "SEAU",
    "GET /manager/win-code": "SEAU",
    "POST /manager/claims/{award:path}/pay": "SE",
    "POST /manager/claims/{award:path}/reject": "SE",
    "POST /manager/claims/{award:path}/back-out": "EA",
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
    "GET /manager/audit": "EU",
    "GET /manager/audit/entries": "EU",
    "GET /manager/ledger": "TEU",
    "GET /manager/ledger/verify": "TEU",
}


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


def as_role(web: Web, role: str) -> TestClient:
    """Somebody's browser, signed in."""
    return web.role(role).http


def asked_in(html: str, path: str) -> dict[str, list[str]]:
    """What the form that asks a page again holds."""
    (form,) = [one for one in forms_of(html) if one.method == "get" and one.action.partition("#")[0] == path]
    return form.fields


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


def swipe(name: str, card: dict[str, str]) -> dict[str, str]:
    return {f"{name}_card": card["card"], f"{name}_pin": card["pin"]}


def hit(web: Web, table: str = "ddm_1", row: str = "suited_4567_other", *seats: int) -> str:
    dealer = web.role("dealer")
    lock(dealer, table, *(seats or (1, 2)))
    step(dealer, table, "pick", seat=0, sensor=1, row=row)
    award: str = step(dealer, table, "hit", evidence="4h 5h 6h 7h")["awards"][0]
    return award


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
            assert answer.status_code == 403, "a form that this server did not make for the visitor"
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
    assert "The award is paid" in page and "approved by demo-supervisor" in page and "3 &times; $250 = $750" in page
    assert web.room.book.award(award).status == "paid"
    (code,) = re.findall(r"\d+-[0-9A-Z]{5}-[0-9A-Z]{5}", page)
    assert http.get("/manager/win-code", params={"code": code}).url.path == f"/manager/claims/{award}"


def test_a_large_award_takes_two_cards(web: Web) -> None:
    award = hit(web, "ddm_1", "suited_4567_named", 2)
    http = as_role(web, "executive")
    action, path = f"/manager/claims/{award}/pay", f"/manager/claims/{award}"
    first = swipe("approver", SWIPES["executive"])
    assert "two cards: executive" in http.get(path).text
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
    assert award in history and history.count('<th scope="row"><a href="/manager/claims/') == 1
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
    assert "Out of service" in floor and "ddm_1: The reader is broken." in floor
    assert submit(http, path, f"{path}/reopen").status_code == 303
    assert "Nothing needs attention" in http.get("/manager").text
    assert http.get("/manager/tables/nothing").status_code == 404


def test_the_key_of_an_aquarius_table_is_turned_before_j_pot(web: Web) -> None:
    award = hit(web, "baccarat_1", "suited_six_cards")
    http, path = as_role(web, "executive"), "/manager/tables/baccarat_1"
    claim = f"/manager/claims/{award}"
    assert "turns the key to JPH" in http.get(claim).text
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
    assert "50000.00" in page and "49998.00" in page and web.room.book.head() == before
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
    assert "Take its sensor off" in http.get(path).text
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


# Set-up


def change(http: TestClient, review: Any, **fields: str) -> Any:
    sent = fill(form_of(review.text, "/manager/setup/change"), fields)
    return http.post("/manager/setup/change", data=sent, follow_redirects=False)


def test_a_name_is_changed_by_one_person_and_a_seed_by_two(web: Web) -> None:
    technician, executive = as_role(web, "technician"), as_role(web, "executive")
    review = submit(technician, "/manager/setup/table?table=ddm_1", "/manager/setup/table", name="Madness East")
    assert "tables.ddm_1.name" in review.text and "Second card" not in review.text
    assert change(technician, review).status_code == 422, "without a reason"
    assert change(technician, review, reason="A new sign.").status_code == 303
    assert web.room.desk.floor().table("ddm_1").name == "Madness East"
    money = submit(technician, "/manager/setup/jackpot?jackpot=push_22", "/manager/setup/jackpot", seed="40000")
    assert "an executive approves it" in money.text and "/manager/setup/change" not in money.text
    money = submit(executive, "/manager/setup/jackpot?jackpot=push_22", "/manager/setup/jackpot", seed="40000")
    assert "jackpots.push_22.seed" in money.text and "edge 15.2970 %" in money.text, "its effect is computed"
    alone = change(executive, money, reason="Less seed.", **swipe("second", SWIPES["executive"]))
    assert alone.status_code == 403
    no_right = change(executive, money, reason="Less seed.", **swipe("second", SWIPES["accounting"]))
    assert no_right.status_code == 403
    second = second_executive(web)
    for _ in range(2):  # a double click
        sent = fill(form_of(money.text, "/manager/setup/change"), {"reason": "Less."} | swipe("second", second))
        assert executive.post("/manager/setup/change", data=sent, follow_redirects=False).status_code == 303
    floor = web.room.desk.floor()
    assert (floor.version.number, floor.version.made_by, floor.version.approved_by) == (3, "demo-executive", "max")
    assert floor.jackpot("push_22").seed_micros == 40_000_000_000


def test_two_who_change_at_once_are_told_and_nothing_is_lost(web: Web) -> None:
    http = as_role(web, "supervisor")
    first = submit(http, "/manager/setup/table?table=ddm_1", "/manager/setup/table", name="First")
    second = submit(http, "/manager/setup/table?table=ddm_2", "/manager/setup/table", name="Second")
    assert change(http, first, reason="One.").status_code == 303
    late = change(http, second, reason="Two.")
    assert late.status_code == 409 and "stale_version" in late.text
    assert web.room.desk.floor().table("ddm_1").name == "First"


def test_what_the_law_forbids_is_shown_with_its_rule_and_cannot_be_signed(web: Web) -> None:
    http = as_role(web, "executive")
    review = submit(http, "/manager/setup/table?table=ddm_1", "/manager/setup/table", most__main="900")
    assert review.status_code == 200 and "Not allowed" in review.text and "WAC 230-15" in review.text
    assert "/manager/setup/change" not in review.text
    same = submit(http, "/manager/setup/table?table=ddm_1", "/manager/setup/table")
    assert "nothing changes" in same.text
    for fields, place in (
        ({"most__main": "lots"}, "Greatest wager on"),
        ({"seats": "12"}, "Accepted: 1 to 7"),
        ({"least__main": "400", "most__main": "10"}, "Most $ of the wager main, table ddm_1"),
        ({"offer__main": None}, "A table offers a main wager"),
    ):
        answer = submit(http, "/manager/setup/table?table=ddm_1", "/manager/setup/table", **fields)
        assert answer.status_code == 422 and place in answer.text, fields
    assert web.room.desk.floor().version.number == 1
    assert http.get("/manager/setup/table", params={"game": "roulette"}).status_code == 404
    assert http.get("/manager/setup/table", params={"table": "nothing"}).status_code == 404


def test_a_new_table_joins_the_link_of_its_jackpot(web: Web) -> None:
    http = as_role(web, "executive")
    path = "/manager/setup/table?game=double_down_madness"
    posted = ["wager_limits", "prizes", "jackpot_amount", "maximum", "employee_play", "disputes"]
    fields = {"least__main": "5", "most__main": "300", "sensor__1": "push_22", "posted": posted}
    review = submit(http, path, "/manager/setup/table", table="ddm_9", seats="6", **fields)
    assert "ready to sign" in review.text and "links.madness.tables" in review.text, review.text
    done = change(http, review, reason="Growth.", **swipe("second", second_executive(web)))
    assert done.status_code == 303
    floor = web.room.desk.floor()
    assert floor.table("ddm_9").sensors[0].jackpot == "push_22" and "ddm_9" in floor.links[0].tables
    gone = submit(http, "/manager/setup/table?table=ddm_9", "/manager/setup/table")
    assert gone.status_code == 200
    removal = form_of(http.get("/manager/setup/table?table=ddm_9").text, "/manager/setup/table", remove="1")
    taken_off = http.post("/manager/setup/table", data=removal.fields)
    assert "ready to sign" in taken_off.text and "ddm_9" not in "".join(web.room.desk.floor().links[0].tables[:2])


def test_jackpots_links_and_the_house_have_forms(web: Web) -> None:
    http = as_role(web, "executive")
    new = submit(
        http,
        "/manager/setup/jackpot?wager=mini_baccarat/dragon_bonus_progressive",
        "/manager/setup/jackpot",
        jackpot="dragon_2",
        wager_amount="1",
        seed="5000",
    )
    assert new.status_code == 200 and "jackpots.dragon_2.seed" in new.text
    link = submit(http, "/manager/setup/link?link=madness", "/manager/setup/link", tables=["ddm_1"])
    assert link.status_code == 422 and "Tables: 1 ticked. Tick 2 at least." in link.text
    house = submit(http, "/manager/setup/house", "/manager/setup/house", supervisor_up_to="4,000")
    assert "approvals.supervisor_up_to" in house.text and "4000" in house.text
    bad = submit(http, "/manager/setup/house", "/manager/setup/house", supervisor_up_to="")
    assert bad.status_code == 422 and "card is enough up to $: it is empty" in bad.text


PARTIAL = {"hx-request": "true"}


@pytest.mark.parametrize(
    ("path", "action", "fields", "field", "sentence"),
    [
        ("/manager/setup/link", "/manager/setup/link", {}, "link", "Id: an empty field is not accepted. Write 1 to 60"),
        ("/manager/people", "/manager/people", {}, "person", "Name: it is empty. Write 1 to 64 characters."),
        ("/manager/people", "/manager/people", {"person": "a b", "pin": "840163"}, "person", "dots, dashes"),
        ("/manager/people", "/manager/people", {"person": "nina"}, "pin", "First PIN: it is empty. A PIN has 4 to 12"),
        ("/manager/people", "/manager/people", {"person": "nina", "pin": "12"}, "pin", "First PIN: A PIN has 4 to 12"),
        (
            "/manager/setup/jackpot?jackpot=push_22",
            "/manager/setup/jackpot",
            {"wager_amount": "-5"},
            "wager_amount",
            "is negative; an amount here is zero or more",
        ),
        (
            "/manager/setup/jackpot?jackpot=push_22",
            "/manager/setup/jackpot",
            {"wager_amount": "0"},
            "wager_amount",
            "Wager amount $, jackpot push_22: A wager is a whole number of cents, above zero.",
        ),
        (
            "/manager/setup/jackpot?jackpot=push_22",
            "/manager/setup/jackpot",
            {"contribution": "x"},
            "contribution",
            "as 0.2 or 20%",
        ),
    ],
)
def test_a_refused_field_is_named_as_on_the_page_with_what_is_accepted(
    web: Web, path: str, action: str, fields: dict[str, str], field: str, sentence: str
) -> None:
    http = as_role(web, "executive")
    sent = fill(form_of(http.get(path).text, action), fields)
    answer = http.post(action, data=sent, headers=PARTIAL)
    assert answer.status_code == 422 and f'data-field="{field}"' in answer.text and sentence in answer.text, answer.text
    assert "$." not in answer.text and "regex" not in answer.text and "String should" not in answer.text


def test_the_floors_file_goes_out_and_comes_back(web: Web) -> None:
    http = as_role(web, "executive")
    for form, old, new in (
        ("toml", 'name = "Demo card room"', 'name = "East room"'),
        ("json", "Demo card", "West card"),
    ):
        file = http.get(f"/manager/setup/file/{form}")
        assert file.headers["content-disposition"].startswith("attachment")
        sent = {"file": (f"floor.{form}", file.text.replace(old, new))}
        review = submit(http, "/manager/setup", "/manager/setup/upload", files=sent)
        assert review.status_code == 200 and "ready to sign" in review.text, review.text
    assert change(http, review, reason="A new name.").status_code == 303
    assert web.room.desk.floor().name == "West card room"
    stale = submit(http, "/manager/setup", "/manager/setup/upload", files=sent)
    assert "stale_version" in stale.text, "the file is of the version before"
    for content, code in ((b"id = ", "malformed"), (b"\xff\xfe", "unreadable_file"), (b'id = "x"', "bad_floor")):
        answer = submit(http, "/manager/setup", "/manager/setup/upload", files={"file": ("floor.toml", content)})
        assert answer.status_code == 422 and code in answer.text, content
    assert submit(http, "/manager/setup", "/manager/setup/upload").status_code == 422
    assert http.get("/manager/setup/file/xml").status_code == 422


def test_a_change_waits_for_the_round_to_end(web: Web) -> None:
    http = as_role(web, "supervisor")
    lock(web.role("dealer"), "ddm_1", 1)
    review = submit(http, "/manager/setup/table?table=ddm_1", "/manager/setup/table", seats="5")
    assert "A round is in progress at ddm_1" in review.text
    assert change(http, review, reason="Fewer.").status_code == 409


def test_an_empty_ledger_is_opened_with_a_file(web: Web, tmp_path: Path) -> None:
    file = as_role(web, "executive").get("/manager/setup/file/toml").text
    app = make_app(str(tmp_path / "empty.db"), limits=WIDE, pin_cost=CHEAP)
    try:
        room = app.state.room
        card = room.people.add_person("first-person", "setup", "mia", Role.EXECUTIVE, "840163")
        with TestClient(app, base_url="https://testserver") as http:
            page = http.get("/sign-in")
            http.post("/sign-in", data=fill(form_of(page.text, "/sign-in"), {"card": card, "pin": "840163"}))
            assert "No floor is set up yet" in http.get("/manager").text
            real = file.replace("demo = true", "demo = false")
            opened = submit(http, "/manager/setup", "/manager/setup/open", files={"file": ("floor.toml", real)})
            assert (opened.status_code, opened.headers["location"]) == (303, "/manager/setup?done=opened")
            assert (
                room.book.fact(FLOOR) is not None
                and ", play money" not in http.get("/manager/setup").text.partition("<footer")[0]
            )
    finally:
        room.close()


# Reports


def test_reports_show_the_periods_figures_and_lead_to_their_data(web: Web) -> None:
    award = hit(web)
    http = as_role(web, "accounting")
    for name, shown in (
        ("accrual", "10.00"),
        ("reconciliation", "Every account closes"),
        ("achieved", "<svg"),
        ("hits", award),
        ("deposit", "Deposit due"),
    ):
        page = http.get(f"/manager/reports/{name}")
        assert page.status_code == 200 and shown in page.text, name
        links = re.findall(r'href="(/api/v1/[^"]+)" download', page.text)
        assert len(links) == 2
        for link in links:
            assert http.get(link.replace("&amp;", "&")).status_code == 200, link
    empty = http.get("/manager/reports/accrual", params={"end": "2020-01-01T00:00"})
    assert "Nothing happened" in empty.text
    for name in ("reports/accrual", "reports/reconciliation", "reports/achieved"):
        wrong = http.get(f"/manager/{name}", params={"start": "abc", "end": "2026-01-02T00:00"})
        assert wrong.status_code == 422 and 'From: "abc" is no time. Write it as' in unescape(wrong.text)
        kept = asked_in(wrong.text, f"/manager/{name}")
        assert kept["start"] == ["abc"] and kept["end"] == ["2026-01-02T00:00"]
    due = http.get("/manager/reports/deposit", params={"day": "abc", "account": "x", "credit_line": "7"})
    assert due.status_code == 422 and "Day: " in due.text and "Account holds: " in due.text
    assert asked_in(due.text, "/manager/reports/deposit")["credit_line"] == ["7"]
    back = http.get("/manager/reports/accrual", params={"start": "2026-01-02T00:00", "end": "2026-01-01T00:00"})
    assert back.status_code == 422 and "bad_date" in back.text
    assert http.get("/manager/win-code", params={"code": "123"}).status_code == 422


# People and devices


def test_a_card_is_shown_once_and_then_opens_its_role(web: Web) -> None:
    http, path = as_role(web, "executive"), "/manager/people"
    weak = submit(http, path, path, person="nina", role="supervisor", pin="1234")
    assert weak.status_code == 422 and "trivial_pin" in weak.text
    sent = fill(form_of(http.get(path).text, path), {"person": "nina", "role": "supervisor", "pin": "840163"})
    answer = http.post(path, data=sent)
    (card,) = re.findall(r'class="secret">(card-[^<]+)<', answer.text)
    again = http.post(path, data=sent)
    assert again.status_code != 200 and card not in again.text
    assert web.sign_in({"card": card, "pin": "840163"}).get("/session")["role"] == "supervisor"
    for act, fields, done in (
        ("role", {"role": "auditor"}, "role"),
        ("sign-out", {}, "signed_out"),
        ("withdraw", {}, "withdrawn"),
    ):
        answer = submit(http, path, f"{path}/nina/{act}", **fields)
        assert (answer.status_code, answer.headers["location"]) == (303, f"{path}?done={done}"), act
    web.anonymous().refused(401, "not_recognised", "POST", "/session", {"card": card, "pin": "840163"})
    renewed = submit(http, path, f"{path}/nina/renew", pin="571938")
    (new,) = re.findall(r'class="secret">(card-[^<]+)<', renewed.text)
    assert web.sign_in({"card": new, "pin": "571938"}).get("/session")["person"] == "nina"
    for _ in range(5):
        web.anonymous().call("POST", "/session", {"card": new, "pin": "111222"})
    assert "locked until" in http.get(path).text
    assert submit(http, path, f"{path}/nina/unlock").status_code == 303
    assert "locked until" not in http.get(path).text


def test_everybody_changes_their_own_pin_and_no_other(web: Web) -> None:
    http, path = as_role(web, "dealer"), "/manager/pin"
    other = submit(http, path, path, new_pin="840163", **swipe("own", SWIPES["supervisor"]))
    assert other.status_code == 403
    done = submit(http, path, path, new_pin="840163", **swipe("own", SWIPES["dealer"]))
    assert (done.status_code, done.headers["location"]) == (303, "/sign-in?next=/manager")
    assert http.get(path, follow_redirects=False).status_code == 303, "the session is over"
    assert web.sign_in(SWIPES["dealer"] | {"pin": "840163"})


def test_a_device_gets_a_token_once_and_loses_it(web: Web) -> None:
    http, path = as_role(web, "technician"), "/manager/devices"
    empty = submit(http, path, path, device="sign-1", kind="sign")
    assert empty.status_code == 422 and "bad_device" in empty.text
    made = submit(http, path, path, device="sign-1", kind="sign", jackpots=["push_22"])
    (token,) = re.findall(r'class="secret">([^<]+)<', made.text)
    sign = web.anonymous()
    sign.token = token
    assert sign.get("/meters")["meters"]
    renewed = submit(http, path, f"{path}/sign-1/renew")
    assert renewed.status_code == 200 and token not in renewed.text
    sign.refused(401, "bad_token", "GET", "/meters")
    assert submit(http, path, f"{path}/sign-1/withdraw").status_code == 303
    assert "withdrawn" in http.get(path).text


# Audit


def test_the_audit_shows_refused_attempts_and_its_filters_hold(web: Web) -> None:
    as_role(web, "dealer").get("/manager/meters")
    auditor = as_role(web, "auditor")
    page = auditor.get("/manager/audit", params={"what": "denied"}).text
    assert "GET /manager/meters: no right see_reports" in page and "<td>person added" not in page
    mine = auditor.get("/manager/audit", params={"actor": "demo-dealer"}).text
    assert "demo-dealer" in mine and "demo-technician" not in mine.partition("By person")[2]
    entries = auditor.get("/manager/audit/entries", params={"after": 0}).text
    assert "FactRecorded" in entries
    for secret in ("pin_hash", "card_sha256", "argon2id"):
        assert secret not in entries
    assert "argon2id" not in auditor.get("/manager/audit").text
    for form in ("csv", "json"):
        assert f'download="audit.{form}"' in page
    wrong = auditor.get("/manager/audit", params={"start": "abc", "what": "denied"})
    held = asked_in(wrong.text, "/manager/audit")
    assert wrong.status_code == 422 and held["start"] == ["abc"] and held["what"] == ["denied"]


def test_verify_names_the_first_bad_entry(web: Web) -> None:
    http = as_role(web, "technician")
    assert "Good:" in http.get("/manager/ledger/verify").text
    head = web.room.book.head()
    noted = {"entry": str(head[0]), "hash": head[1]}
    assert "Good:" in http.get("/manager/ledger/verify", params=noted).text
    assert "anchor_mismatch" in http.get("/manager/ledger/verify", params=noted | {"hash": "0" * 64}).text
    for half, field in (
        ({"entry": "5"}, "hash"),
        ({"hash": "x"}, "hash"),
        ({"entry": "no", "hash": "0" * 64}, "entry"),
    ):
        refused = http.get("/manager/ledger/verify", params=half)
        assert refused.status_code == 422 and f'id="problem-{field}"' in refused.text
        held = asked_in(refused.text, "/manager/ledger/verify")
        assert all(held[name] == [value] for name, value in half.items())
    engine = create_engine(f"sqlite:///{web.store_url}")
    with engine.begin() as connection:
        for (trigger,) in connection.execute(text("select name from sqlite_master where type = 'trigger'")).all():
            connection.execute(text(f"drop trigger {trigger}"))
        connection.execute(text("update entries set text = replace(text, 'demo', 'omed') where seq = 5"))
    engine.dispose()
    bad = http.get("/manager/ledger/verify").text
    assert "Entry 5 is the first bad one" in bad


def test_a_backup_is_offered_to_whom_it_is_given(web: Web) -> None:
    assert "/api/v1/backup" in as_role(web, "technician").get("/manager/ledger").text
    assert "/api/v1/backup" not in as_role(web, "auditor").get("/manager/ledger").text


def test_commands_are_not_done_for_an_old_revision(web: Web) -> None:
    award = hit(web)
    http, action = as_role(web, "executive"), f"/manager/claims/{award}/pay"
    sent = fill(form_of(http.get("/manager/claims").text, action), swipe("approver", SWIPES["executive"]))
    web.role("technician").done(
        "POST", "/tables/ddm_1/stop", {"revision": revision(web.role("dealer"), "ddm_1"), "why": "Smoke."}
    )
    assert http.post(action, data=sent).status_code == 409
    assert web.room.book.award(award).status == "pending"
