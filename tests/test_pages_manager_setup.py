"""The game manager without scripts: setup, reports, people, devices and the audit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text
from starlette.testclient import TestClient

from croupier.floor.roles import Role
from croupier.floor.service import FLOOR
from croupier.web.app import make_app
from tests.manager_pages import as_role, asked_in, hit, swipe
from tests.pages import fill, form_of, submit
from tests.web_client import CHEAP, SWIPES, WIDE, Web, demo_web, lock, revision, second_executive


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


# Setup


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
    assert "jackpots.push_22.seed" in money.text and "edge 15.2970%" in money.text, "its effect is computed"
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


def test_the_set_up_opens_before_the_odds_behind_its_findings_are_there(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    http, asked = as_role(web, "executive"), []

    async def not_yet(patience_s: float, compute: Any, *given: Any) -> None:
        asked.append(compute.__name__)

    # The server's own process computes no odds, neither for the page nor for a draft.
    monkeypatch.setattr("croupier.floor.checks.meters.compute_odds", None)
    with monkeypatch.context() as busy:
        busy.setattr(web.room.work, "draft", not_yet)
        page = http.get("/manager/setup")
        assert "Checking the setup against the law" in page.text and 'hx-get="/manager/setup"' in page.text
        late = submit(http, "/manager/setup/table?table=ddm_1", "/manager/setup/table", name="Madness East")
        assert late.status_code == 429 and "too_busy" in late.text
    assert asked == ["findings_of", "planned_change"]
    monkeypatch.setattr("croupier.web.pages.manager.setup.PATIENCE_S", 60.0)
    part = http.get("/manager/setup", headers={"HX-Request": "true"}).text
    assert part.lstrip().startswith('<div id="findings">') and "Checking" not in part and "<h1" not in part


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
        ({"most__main": "lots"}, "Max bet on"),
        ({"seats": "12"}, "Accepted: 1 to 7"),
        ({"least__main": "400", "most__main": "10"}, "Max bet $ of the wager main, table ddm_1"),
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


def test_the_look_of_signs_is_set_with_the_house_and_needs_no_second_person(web: Web) -> None:
    http = web.role("executive").http
    look = submit(http, "/manager/setup/house", "/manager/setup/house", ground="#5b1030", light="#ffe9ad")
    assert "sign.ground" in look.text and "#5b1030" in look.text
    assert "Second card" not in look.text
    bad = submit(http, "/manager/setup/house", "/manager/setup/house", ground="#ffee00")
    assert bad.status_code == 422 and "Choose a darker color" in unescape(bad.text)


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


def test_both_edges_of_a_contradictory_letter_stand_where_its_reading_is_chosen(web: Web) -> None:
    http = as_role(web, "executive")
    form = http.get("/manager/setup/jackpot?jackpot=dragon").text
    for edge in ("68.14%", "73.30%", "33.45%", "48.67%", "49.54%", "24.22%"):
        assert edge in form
    review = submit(
        http,
        "/manager/setup/jackpot?jackpot=dragon",
        "/manager/setup/jackpot",
        **{"setting.counts": "either_side", "confirmed": "Answer of 2026-10-01"},
    )
    assert review.status_code == 200 and "ready to sign" in review.text
    assert "jackpots.dragon.settings.counts" in review.text and "jackpots.dragon.confirmed" in review.text
    assert "settings.naturals_count" not in review.text, "what is not changed is not there"


def test_a_tables_form_has_the_switches_that_are_the_tables_own(web: Web) -> None:
    form = as_role(web, "executive").get("/manager/setup/table?table=baccarat_1").text
    assert 'name="setting.commission"' in form and 'name="setting.counts"' not in form
    assert "CardRec v4.0.014" in form and "Coin Spot v6.0" in form


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
        ("toml", 'name = "Demo casino"', 'name = "East room"'),
        ("json", "Demo casino", "West casino"),
    ):
        file = http.get(f"/manager/setup/file/{form}")
        assert file.headers["content-disposition"].startswith("attachment")
        sent = {"file": (f"floor.{form}", file.text.replace(old, new))}
        review = submit(http, "/manager/setup", "/manager/setup/upload", files=sent)
        assert review.status_code == 200 and "ready to sign" in review.text, review.text
    assert change(http, review, reason="A new name.").status_code == 303
    assert web.room.desk.floor().name == "West casino"
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
    assert "A round is in progress at Double Down Madness 1" in review.text
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
            hall = file.replace("demo = true", "demo = false")
            refused = submit(http, "/manager/setup", "/manager/setup/open", files={"file": ("floor.toml", hall)})
            assert refused.status_code == 422 and "48.67% for wagers on player" in refused.text
            assert "play_money" in refused.text and room.book.fact(FLOOR) is None
            real = hall.replace('dealing = "software"', 'dealing = "hand"')
            real = real.replace('confirmed = ""', 'confirmed = "Answer of 2025-02-20"')
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
        assert wrong.status_code == 422 and 'From: "abc" is not a time. Write it as' in unescape(wrong.text)
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
    web.anonymous().refused(401, "not_recognized", "POST", "/session", {"card": card, "pin": "840163"})
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


def test_a_refused_view_of_a_page_is_on_record_once(web: Web) -> None:
    assert web.role("dealer").http.get("/manager/people").status_code == 403
    audit = web.role("auditor").http.get("/manager/audit", params={"what": "denied"}).text
    assert audit.count('<tr class="denied">') == 1
    assert "no right manage_people" in audit


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
