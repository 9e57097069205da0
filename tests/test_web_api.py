"""The HTTP API: an evening worked out by hand, retries, refusals, streams, headers, limits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from croupier.errors import CroupierError, LedgerError
from croupier.floor import demo_floor, floor_data
from croupier.web.api.rights import PREFIX
from croupier.web.app import make_app
from croupier.web.limits import DATA_POLICY, HEADERS, PAGE_POLICY, Rate
from tests.web_client import (
    CHEAP,
    SEED,
    SWIPES,
    WIDE,
    Client,
    Web,
    demo_web,
    lock,
    meter,
    revision,
    second_executive,
    step,
)


@pytest.fixture
def web(store_url: str) -> Iterator[Web]:
    """The server on each kind of database in turn."""
    with demo_web(store_url) as made:
        yield made


def claim(web: Web, award: str) -> Any:
    return web.role("auditor").get(f"/claims/{award}")


def test_an_evening_over_http_worked_out_by_hand(web: Web) -> None:
    dealer, supervisor, executive = web.role("dealer"), web.role("supervisor"), web.role("executive")
    # Three seats at $5, 19% to the meter: 50,000 + 3 x 0.95. A suited 22 pays 50 for 1: 3 x 250 from the tray.
    lock(dealer, "ddm_1", 1, 2, 5)
    assert meter(dealer) == SEED + 2_850_000
    for seat in (1, 2, 5):
        step(dealer, "ddm_1", "pick", seat=seat, sensor=1, row="suited_22")
    hit = dealer.done("POST", "/tables/ddm_1/hit", {"revision": revision(dealer, "ddm_1")}, key="hit-number-1")
    assert hit["awards"] == ["hit-number-1/1"]
    assert claim(web, "hit-number-1/1")["amount_micros"] == 750_000_000
    body: dict[str, Any] = {"revision": revision(dealer, "ddm_1")}
    dealer.refused(403, "low_card", "POST", "/claims/hit-number-1/1/pay", body)
    dealer.refused(409, "claim_open", "POST", "/tables/ddm_1/end", body)
    supervisor.done("POST", "/claims/hit-number-1/1/pay", body)
    step(dealer, "ddm_1", "end")

    # Two seats at the linked table: 50,004.75. 10% for two: 2,500.23 each, the odd parts stay.
    lock(dealer, "ddm_2", 3, 4)
    step(dealer, "ddm_2", "pick", seat=0, sensor=1, row="suited_4567_other")
    body = {"revision": revision(dealer, "ddm_2"), "evidence": "4h 5h 6h 7h"}
    dealer.done("POST", "/tables/ddm_2/hit", body, key="hit-number-2")
    assert claim(web, "hit-number-2/1")["each_micros"] == 2_500_230_000
    assert meter(dealer) == 50_004_750_000 - 5_000_460_000
    body = {"revision": revision(dealer, "ddm_2")}
    supervisor.refused(403, "low_card", "POST", "/claims/hit-number-2/1/pay", body)
    # The executive's card at the dealer's screen.
    dealer.done("POST", "/claims/hit-number-2/1/pay", body | {"approver": SWIPES["executive"]})
    assert claim(web, "hit-number-2/1")["approved_by"] == ["demo-executive"]
    step(dealer, "ddm_2", "end")

    # One seat: 45,004.29 + 0.95, all of it won. Seed 50,000 + reserve 6 x 0.05.
    lock(dealer, "ddm_1", 2)
    step(dealer, "ddm_1", "pick", seat=2, sensor=1, row="suited_4567_named")
    dealer.done(
        "POST",
        "/tables/ddm_1/hit",
        {"revision": revision(dealer, "ddm_1"), "evidence": "4s 5s 6s 7s"},
        key="hit-number-3",
    )
    assert claim(web, "hit-number-3/1")["amount_micros"] == 45_005_240_000
    assert meter(dealer) == SEED + 300_000
    lock(dealer, "ddm_2", 1, 2)
    assert meter(dealer) == SEED + 2_200_000
    body = {"revision": revision(dealer, "ddm_1")}
    executive.refused(403, "second_card_needed", "POST", "/claims/hit-number-3/1/pay", body)
    executive.done("POST", "/claims/hit-number-3/1/pay", body | {"second": second_executive(web)})
    step(dealer, "ddm_1", "end")

    # A claim that is rejected, and a payment that is backed out by two people.
    step(dealer, "ddm_2", "pick", seat=0, sensor=1, row="suited_4567_other")
    dealer.done(
        "POST",
        "/tables/ddm_2/hit",
        {"revision": revision(dealer, "ddm_2"), "evidence": "4h 5h 6h 7h"},
        key="hit-number-4",
    )
    assert [one["id"] for one in supervisor.get("/claims")["claims"]] == ["hit-number-4/1"]
    body = {"revision": revision(dealer, "ddm_2"), "note": "The cards were two suits."}
    supervisor.done("POST", "/claims/hit-number-4/1/reject", body)
    assert meter(dealer) == SEED + 2_200_000
    step(dealer, "ddm_2", "end")
    undo = {"note": "Paid to the wrong table.", "second": SWIPES["accounting"]}
    executive.done("POST", "/claims/hit-number-1/1/back-out", undo)
    assert claim(web, "hit-number-1/1")["status"] == "backed_out"
    assert meter(dealer) == SEED + 2_200_000

    assert web.role("auditor").get("/verify")["is_good"]
    accounting = web.role("accounting")
    assert accounting.get("/reports/reconciliation")["is_good"]
    assert accounting.get("/reports/accrual")["lines"]
    assert len(accounting.get("/hits")["lines"]) == 4
    assert accounting.get("/reports/win-page/hit-number-2/1")["amount"] == "5000.46"
    due = accounting.get("/reports/deposit?last_deposit=2020-01-01T00:00:00Z&account=60000")
    assert due["report"] == "deposit"
    assert accounting.get("/reports/achieved")["lines"]
    said = web.role("auditor").get("/reports/audit")["lines"]
    assert said
    table = accounting.call("GET", "/reports/accrual?form=csv").text.splitlines()
    assert len(set(table[0].split(","))) == len(table[0].split(",")), "every column has its own name"
    assert accounting.call("GET", "/reports/deposit?last_deposit=2020-01-01T00:00:00Z&account=x").status_code == 422
    assert accounting.call("GET", "/verify?entry=1").status_code == 403
    assert web.role("auditor").call("GET", "/verify?entry=1").status_code == 422


def test_an_adjustment_by_two_people_moves_the_meter_once(web: Web) -> None:
    body = {"reason": "correct_display", "micros": -10_000, "note": "Shown too high.", "second": SWIPES["accounting"]}
    executive = web.role("executive")
    for _ in range(2):
        executive.done("POST", "/meters/push_22/adjust", body, key="adjust-once")
    assert meter(executive) == SEED - 10_000
    own = body | {"second": SWIPES["executive"]}
    executive.refused(403, "same_person", "POST", "/meters/push_22/adjust", own)
    executive.refused(403, "not_allowed", "POST", "/meters/push_22/adjust", body | {"second": SWIPES["dealer"]})
    executive.refused(404, "unknown_jackpot", "POST", "/meters/nothing/adjust", body)


def test_a_command_asked_twice_is_done_once_and_an_id_is_for_one_command(web: Web) -> None:
    dealer = web.role("dealer")
    step(dealer, "ddm_1", "sense", seat=1, sensor=1, lit=True)
    body = {"revision": 1, "chips": 1}
    once = dealer.done("POST", "/tables/ddm_1/start", body, key="start-once")
    assert dealer.done("POST", "/tables/ddm_1/start", body, key="start-once") == once
    assert meter(dealer) == SEED + 950_000
    other = {"revision": 1, "chips": 2}
    dealer.refused(409, "id_reused", "POST", "/tables/ddm_1/start", other, key="start-once")
    supervisor = web.role("supervisor")
    supervisor.refused(409, "id_reused", "POST", "/tables/ddm_1/start", body, key="start-once")


def test_an_id_is_whatever_the_ledger_takes_for_one(web: Web) -> None:
    dealer = web.role("dealer")
    body = {"seat": 1, "sensor": 1, "lit": True}
    for name in ("7", "n" * 200, "shift 2, chip 1", "Kr\u00e4hen/1"):
        header = name.encode()
        answer = dealer.http.post(
            f"{PREFIX}/tables/ddm_1/sense",
            json=body,
            headers=[(b"Idempotency-Key", header), (b"X-CSRF-Token", dealer.csrf.encode())],
        )
        assert answer.status_code == 200, answer.text
        sealed = web.room.book.entry(name)
        assert sealed is not None and sealed.entry.actor == "demo-dealer"


def test_money_parameters_change_by_two_people_and_a_retry_is_the_same_change(web: Web) -> None:
    executive = web.role("executive")
    new = executive.get("/floor")["floor"]
    new["version"] |= {"number": 2, "made_by": "demo-executive", "approved_by": "max", "reason": "A larger seed."}
    new["jackpots"][0]["seed"] = "60000"
    assert executive.done("POST", "/floor/check", {"floor": new})["is_allowed"]
    executive.refused(403, "second_person_missing", "PUT", "/floor", {"floor": new})
    body = {"floor": new, "approver": second_executive(web)}
    for _ in range(2):
        assert executive.done("PUT", "/floor", body, key="larger-seed")["revision"] == 2
    executive.refused(409, "stale_version", "PUT", "/floor", body)
    assert meter(executive) == SEED


def test_bad_input_is_refused_with_a_code_and_writes_no_money(web: Web) -> None:
    dealer, executive = web.role("dealer"), web.role("executive")
    lock(dealer, "ddm_1", 1)
    now = revision(dealer, "ddm_1")
    before = (web.room.book.balances(), web.room.desk.tables())
    pick = {"revision": now, "seat": 1, "sensor": 1, "row": "suited_22"}
    at = "/tables/ddm_1"
    dealer.refused(422, "unknown_seat", "POST", f"{at}/pick", pick | {"seat": 7, "row": "other_22"})
    dealer.refused(409, "no_locked_wager", "POST", f"{at}/pick", pick | {"seat": 2})
    dealer.refused(409, "nothing_picked", "POST", f"{at}/hit", {"revision": now})
    dealer.refused(409, "stale_revision", "POST", f"{at}/end", {"revision": now - 1})
    dealer.refused(404, "unknown_table", "POST", "/tables/ddm_9/end", {"revision": 0})
    dealer.refused(404, "unknown_award", "POST", "/claims/nothing/pay", {"revision": now})
    dealer.refused(422, "bad_request", "POST", f"{at}/end", {"revision": now, "more": 1})
    dealer.refused(422, "bad_request", "POST", f"{at}/end", {"revision": str(now)})
    dealer.refused(422, "bad_request", "POST", f"{at}/end", {})
    dealer.refused(400, "id_missing", "POST", f"{at}/end", {"revision": now}, Idempotency_Key="")
    dealer.refused(422, "bad_name", "POST", f"{at}/end", {"revision": now}, Idempotency_Key="n" * 201)
    executive.refused(404, "unknown_jackpot", "GET", "/hits?jackpot=nothing")
    executive.refused(404, "unknown_jackpot", "GET", "/claims?jackpot=nothing")
    dealer.refused(404, "no_such_page", "GET", "/nothing")
    dealer.refused(405, "method_not_allowed", "PUT", "/meters")
    floor = floor_data(demo_floor())
    floor["jackpots"][0] |= {"contribution": "99%", "reserve": "2%"}
    executive.refused(422, "bad_floor", "POST", "/floor/check", {"floor": floor})
    floor["jackpots"][0] |= {"contribution": "-1%"}
    assert executive.call("POST", "/floor/check", {"floor": floor}).status_code == 422
    floor = floor_data(demo_floor())
    floor["links"][0]["tables"] = ["ddm_1", "baccarat_1"]
    assert executive.call("POST", "/floor/check", {"floor": floor}).status_code == 422
    executive.refused(422, "bad_request", "POST", "/floor/check", {"floor": {"name": "\ud800"}})
    assert (web.room.book.balances(), web.room.desk.tables()) == before


def test_a_parameter_that_is_not_known_is_refused_with_those_that_are(web: Web) -> None:
    auditor = web.role("auditor")
    said = auditor.refused(422, "bad_request", "GET", "/reports/reconciliation?from=2020-01-01T00:00:00Z").text
    assert all(name in said for name in ("from", "start", "end", "form"))
    auditor.get("/reports/reconciliation?start=2020-01-01T00:00:00Z")
    assert "none here" in auditor.refused(422, "bad_request", "GET", "/meters?jackpot=push_22").text
    web.anonymous().refused(401, "not_signed_in", "GET", "/reports/reconciliation?from=2020-01-01")


def test_two_hands_for_one_seat_are_refused(web: Web) -> None:
    dealer = web.role("dealer")
    lock(dealer, "ddm_1", 1)
    step(dealer, "ddm_1", "pick", seat=1, sensor=1, row="suited_22")
    body = {"revision": revision(dealer, "ddm_1"), "seat": 1, "sensor": 1, "row": "other_22"}
    dealer.refused(409, "one_hand_per_seat", "POST", "/tables/ddm_1/pick", body)


def test_a_round_and_its_claim_survive_a_restart_of_the_server(store_url: str) -> None:
    with demo_web(store_url) as web:
        dealer = web.role("dealer")
        lock(dealer, "ddm_1", 2)
        step(dealer, "ddm_1", "pick", seat=2, sensor=1, row="other_22")
        award = step(dealer, "ddm_1", "hit")["awards"][0]
        before = dealer.get("/tables/ddm_1")
    with demo_web(store_url) as web:
        supervisor = web.role("supervisor")
        assert supervisor.get("/tables/ddm_1") == before
        (found,) = supervisor.get("/claims")["claims"]
        assert (found["id"], found["table_revision"]) == (award, before["revision"])
        supervisor.done("POST", f"/claims/{award}/pay", {"revision": found["table_revision"]})
        step(supervisor, "ddm_1", "end")
        assert meter(supervisor) == SEED + 950_000


def test_a_terminal_senses_alone_and_pays_with_cards_at_its_own_tables_only(web: Web) -> None:
    terminal = web.device("terminal", tables=["ddm_1"], jackpots=["push_22"])
    dealer = web.role("dealer")
    terminal.done("POST", "/tables/ddm_1/sense", {"seat": 1, "sensor": 1, "lit": True})
    chip = {"seat": 1, "sensor": 1, "lit": True}
    terminal.refused(403, "not_allowed", "POST", "/tables/ddm_2/sense", chip)
    terminal.refused(403, "person_needed", "POST", "/tables/ddm_1/start", {"revision": 1, "chips": 1})
    step(dealer, "ddm_1", "start", chips=1)
    step(dealer, "ddm_1", "pick", seat=1, sensor=1, row="other_22")
    award = step(dealer, "ddm_1", "hit")["awards"][0]
    body = {"revision": revision(dealer, "ddm_1")}
    terminal.refused(403, "person_needed", "POST", f"/claims/{award}/pay", body)
    elsewhere = web.device("terminal", tables=["ddm_2"])
    with_card = body | {"approver": SWIPES["supervisor"]}
    elsewhere.refused(403, "not_allowed", "POST", f"/claims/{award}/pay", with_card)
    assert terminal.done("POST", f"/claims/{award}/pay", with_card)["claim"]["approved_by"] == ["demo-supervisor"]
    assert [one["table"] for one in terminal.get("/tables")["tables"]] == ["ddm_1"]


def test_a_session_of_a_terminal_is_good_there_only(web: Web) -> None:
    terminal = web.device("terminal", tables=["ddm_1"])
    terminal.csrf = terminal.done("POST", "/session", SWIPES["dealer"])["csrf_token"]
    step(terminal, "ddm_1", "sense", seat=1, sensor=1, lit=True)
    step(terminal, "ddm_1", "start", chips=1)
    terminal.token = ""
    terminal.refused(401, "wrong_device", "GET", "/tables")


def test_what_is_not_on_display_is_for_reports_only(web: Web) -> None:
    sign = web.device("sign", jackpots=["dragon"])
    assert [one["jackpot"] for one in sign.get("/meters")["meters"]] == ["dragon"]
    assert "reserve_micros" not in sign.get("/meters")["meters"][0]
    assert "reserve_micros" not in web.role("dealer").get("/meters")["meters"][0]
    assert "reserve_micros" in web.role("accounting").get("/meters")["meters"][0]


def test_a_session_needs_its_csrf_token_and_its_own_site(web: Web) -> None:
    dealer = web.role("dealer")
    body = {"seat": 1, "sensor": 1, "lit": True}
    dealer.refused(403, "csrf_failed", "POST", "/tables/ddm_1/sense", body, X_CSRF_Token="0" * 64)
    dealer.refused(403, "csrf_failed", "POST", "/tables/ddm_1/sense", body, Origin="https://elsewhere.example")
    assert dealer.call("POST", "/tables/ddm_1/sense", body, Origin="http://testserver").status_code == 200
    assert dealer.call("DELETE", "/session").status_code == 204
    dealer.refused(401, "not_signed_in", "GET", "/session")


def test_the_cookie_is_for_the_server_only(web: Web, tmp_path: Path) -> None:
    answer = web.anonymous().call("POST", "/session", SWIPES["dealer"])
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie


def test_every_answer_has_the_security_headers(web: Web) -> None:
    answers = [
        web.anonymous().call("GET", "/health"),
        web.anonymous().call("GET", "/nothing"),
        web.anonymous().call("POST", "/session", {}),
    ]
    right = HEADERS | {"Content-Security-Policy": DATA_POLICY, "Cache-Control": "no-store"}
    for answer in answers:
        assert {name: answer.headers.get(name) for name in right} == right
    assert "server" not in answers[0].headers


def test_pages_may_use_what_the_server_sends_and_files_of_theirs_are_kept(web: Web) -> None:
    def headers(path: str) -> tuple[str, str]:
        found = TestClient(web.app).get(path).headers
        assert {name: found.get(name) for name in HEADERS} == HEADERS
        return found["content-security-policy"], found["cache-control"]

    assert headers("/") == (PAGE_POLICY, "no-store")
    assert headers("/apiary") == (PAGE_POLICY, "no-store")
    assert headers("/api") == (DATA_POLICY, "no-store")
    assert headers("/static/base.css") == (PAGE_POLICY, "public, max-age=31536000, immutable")
    assert headers("/static/gone.css") == (PAGE_POLICY, "no-store")
    assert "unsafe" not in PAGE_POLICY


def test_a_long_body_is_refused(web: Web) -> None:
    body = {"card": "x" * 300_000, "pin": "1"}
    answer = web.anonymous().refused(413, "body_too_large", "POST", "/session", body)
    assert "xxx" not in answer.text


def test_wrong_pins_lock_a_card_and_no_secret_comes_back(web: Web) -> None:
    wrong = {"card": SWIPES["dealer"]["card"], "pin": "905172"}
    for _ in range(5):
        answer = web.anonymous().refused(401, "not_recognized", "POST", "/session", wrong)
        assert wrong["pin"] not in answer.text and wrong["card"] not in answer.text
    web.anonymous().refused(429, "locked_out", "POST", "/session", SWIPES["dealer"])
    web.role("executive").done("POST", "/people/demo-dealer/unlock")
    web.role("dealer")
    malformed = {"card": SWIPES["dealer"]["card"], "pin": 905172}
    assert "905172" not in web.anonymous().refused(422, "bad_request", "POST", "/session", malformed).text
    misplaced = {"id": "new", "role": "905172", "pin": SWIPES["dealer"]["pin"]}
    assert "905172" not in web.role("executive").refused(422, "bad_request", "POST", "/people", misplaced).text
    text = json.dumps(web.role("auditor").get("/entries?limit=1000"))
    for secret in ("pin_hash", "argon2", 'sha256": "', *SWIPES["dealer"].values(), wrong["pin"]):
        assert secret not in text.replace("request_sha256", "request")


def test_refused_attempts_are_on_the_record(web: Web) -> None:
    dealer, terminal = web.role("dealer"), web.device("terminal", tables=["ddm_1"])
    dealer.refused(403, "not_allowed", "POST", "/people/demo-auditor/withdraw")
    dealer.refused(403, "csrf_failed", "POST", "/tables/ddm_1/end", {}, X_CSRF_Token="0" * 64)
    terminal.refused(403, "not_allowed", "GET", "/tables/ddm_2")
    terminal.refused(403, "person_needed", "POST", "/tables/ddm_1/end", {})
    before = web.role("auditor").get("/entries?limit=1000")["entries"]
    assert [one for one in before if one["reason"] == "denied"] == [], "the ledger of money has none of them"
    lines = web.role("auditor").get("/reports/audit")["lines"]
    denied = [one["detail"] for one in lines if one["what"] == "denied"]
    assert {one["address"] for one in denied} == {"testclient"}
    name = denied[2]["where"]
    assert [(one["who"], one["what"].removeprefix(f"POST {PREFIX}"), one["why"]) for one in denied] == [
        ("demo-dealer", "/people/demo-auditor/withdraw", "no right manage_people"),
        ("demo-dealer", "/tables/ddm_1/end", "csrf_failed"),
        (f"device:{name}", f"GET {PREFIX}/tables/ddm_2", "not_allowed"),
        (f"device:{name}", "/tables/ddm_1/end", "person_needed"),
    ]


def test_an_idle_session_and_a_withdrawn_card_end(web: Web) -> None:
    dealer, supervisor = web.role("dealer"), web.role("supervisor")
    web.role("executive").done("POST", "/people/demo-dealer/withdraw")
    dealer.refused(401, "session_ended", "GET", "/meters")
    web.anonymous().refused(401, "not_recognized", "POST", "/session", SWIPES["dealer"])
    web.clock.now += timedelta(minutes=16)
    supervisor.refused(401, "session_ended", "GET", "/meters")


def test_one_changes_the_pin_of_ones_own_card(web: Web) -> None:
    body = SWIPES["dealer"] | {"new_pin": "741852"}
    web.role("supervisor").refused(403, "not_allowed", "POST", "/pin", body)
    web.role("dealer").done("POST", "/pin", body)
    web.sign_in({"card": SWIPES["dealer"]["card"], "pin": "741852"})


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    limits = replace(WIDE, by_token=Rate(burst=5, per_second=0.001), swipes=Rate(burst=3, per_second=0.001))
    with demo_web(str(tmp_path / "floor.db"), limits) as web:
        dealer = web.role("dealer")
        for _ in range(5):
            dealer.get("/meters")
        answer = dealer.refused(429, "too_many_requests", "GET", "/meters")
        assert int(answer.headers["retry-after"]) > 0
        web.role("supervisor")
        web.role("supervisor")
        web.anonymous().refused(429, "too_many_requests", "POST", "/session", SWIPES["auditor"])


def test_guessed_tokens_are_refused_and_then_not_even_looked_at(tmp_path: Path) -> None:
    with demo_web(str(tmp_path / "floor.db"), replace(WIDE, failures=Rate(burst=3, per_second=0.001))) as web:
        guess = Client(TestClient(web.app), token="device-guess")
        for _ in range(3):
            guess.refused(401, "bad_token", "GET", "/meters")
        head = web.room.book.head()
        guess.refused(429, "too_many_requests", "GET", "/meters")
        assert web.room.book.head() == head


def test_a_lost_ledger_is_not_success(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    dealer = web.role("dealer")

    def lost(*_: object) -> None:
        raise LedgerError("The ledger could not be written (disk of host-7).", code="storage_failed")

    monkeypatch.setattr(web.room.book, "post_all", lost)
    chip = {"seat": 1, "sensor": 1, "lit": True}
    answer = dealer.refused(503, "storage_failed", "POST", "/tables/ddm_1/sense", chip)
    assert "not success" in answer.text and "host-7" not in answer.text


def test_a_stopped_jackpot_is_named_with_what_to_do(web: Web) -> None:
    """A balance that was edited behind the ledger's back, as the next server to start finds it."""
    edit = "UPDATE balances SET micros = micros + :micros WHERE jackpot = 'push_22' AND account = :account"
    with web.room.book.exclusive() as connection:
        for account, micros in (("meter", 1), ("seed", -1)):
            connection.execute(text(edit), {"account": account, "micros": micros})
    with demo_web(web.store_url) as again:
        dealer = again.role("dealer")
        step(dealer, "ddm_1", "sense", seat=1, sensor=1, lit=True)
        answer = dealer.refused(503, "jackpot_stopped", "POST", "/tables/ddm_1/start", {"revision": 1, "chips": 1})
        message = answer.json()["error"]["message"]
        assert '"push_22" is stopped' in message and "out of service" in message and "verify" in message
        assert "retry-after" not in answer.headers
        lock(dealer, "baccarat_1", 1)


def test_a_failure_of_ours_shows_no_traceback(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(web.room.readiness, "answer", broken)
    answer = TestClient(web.app, raise_server_exceptions=False).get(f"{PREFIX}/ready")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert "secret" not in answer.text and answer.headers["x-content-type-options"] == "nosniff"


def test_default_secrets_do_not_meet_real_money(tmp_path: Path) -> None:
    with demo_web(str(tmp_path / "floor.db")):
        pass
    with pytest.RaisesExc(CroupierError, check=lambda error: error.code == "default_secret"):
        make_app(str(tmp_path / "floor.db"), pin_cost=CHEAP)
    real = make_app(str(tmp_path / "real.db"), pin_cost=CHEAP, limits=WIDE)
    client = Client(TestClient(real))
    client.refused(403, "default_secret", "POST", "/session", SWIPES["executive"])
    assert "strict-transport-security" in client.call("GET", "/health").headers
    real.state.room.close()


def test_the_right_award_after_a_back_out_over_http(web: Web) -> None:
    dealer, executive = web.role("dealer"), web.role("executive")
    lock(dealer, "ddm_1", 1, 2)
    step(dealer, "ddm_1", "pick", seat=0, sensor=1, row="suited_4567_named")
    at = "/tables/ddm_1/hit"
    dealer.refused(409, "cards_needed", "POST", at, {"revision": revision(dealer, "ddm_1")})
    body = {"revision": revision(dealer, "ddm_1"), "evidence": "4h 5h 6h 7h"}
    dealer.refused(409, "cards_give_another", "POST", at, body)
    dealer.refused(422, "bad_request", "POST", at, body | {"side": "dealer"})
    step(dealer, "ddm_1", "pick", seat=0, sensor=1, row="suited_4567_named")  # off again
    step(dealer, "ddm_1", "pick", seat=0, sensor=1, row="suited_4567_other")
    (award,) = step(dealer, "ddm_1", "hit", evidence="4h5h6h7h")["awards"]
    assert executive.get(f"/claims/{award}")["evidence"] == "4h 5h 6h 7h"
    executive.done("POST", f"/claims/{award}/pay", {"revision": revision(dealer, "ddm_1")})
    second = {"second": SWIPES["accounting"], "note": "They were spades."}
    executive.done("POST", f"/claims/{award}/back-out", second)
    right = {
        **second,
        "round": 1,
        "picks": [{"seat": 0, "sensor": 1, "row": "suited_4567_named"}],
        "evidence": "4s 5s 6s 7s",
        "revision": revision(dealer, "ddm_1"),
    }
    path = "/tables/ddm_1/award-by-hand"
    dealer.refused(403, "not_allowed", "POST", path, right)
    executive.refused(403, "same_person", "POST", path, right | {"second": SWIPES["executive"]})
    executive.refused(409, "round_not_locked", "POST", path, right | {"round": 9})
    executive.refused(404, "unknown_table", "POST", "/tables/none/award-by-hand", right)
    table = executive.done("POST", path, right, key="the-right-one")
    assert table["awards"] == table["claims"] == ["the-right-one/1"]
    claim = executive.get("/claims/the-right-one/1")
    assert (claim["amount_micros"], claim["second"], claim["note"]) == (
        50_001_900_000,
        "demo-accounting",
        "They were spades.",
    )
    executive.refused(409, "already_hit", "POST", path, right | {"revision": table["revision"]})
    win = executive.get("/reports/win-page/the-right-one/1")
    assert (win["by_hand_second"], win["evidence"], win["chip"]) == ("demo-accounting", "4s 5s 6s 7s", "0.00")
