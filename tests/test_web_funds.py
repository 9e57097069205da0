"""The API's rarer work: closing a jackpot, the jackpot account, backups, codes of win pages, rounds told at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.floor import Role, demo_floor
from croupier.floor.people import People
from croupier.floor.service import Ask, FloorService
from croupier.store import open_store, restore, verify
from croupier.web.app import make_app
from tests.floors import as_real
from tests.web_client import (
    CHEAP,
    NOW,
    SEED,
    SWIPES,
    WIDE,
    Clock,
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
    with demo_web(store_url) as made:
        yield made


def take_off_the_tables(web: Web) -> None:
    """Baccarat goes on without its jackpot."""
    executive = web.role("executive")
    new = executive.get("/floor")["floor"]
    number = new["version"]["number"] + 1
    new["version"] |= {"number": number, "made_by": "demo-executive", "approved_by": "max", "reason": "Less."}
    for table in new["tables"]:
        if table["game"] == "mini_baccarat":
            table["sensors"] = []
            table["posted"] = [one for one in table["posted"] if one != "jackpot_amount"]
    new["links"] = [link for link in new["links"] if link["jackpots"] != ["dragon"]]
    executive.done("PUT", "/floor", {"floor": new, "approver": second_executive(web)})


def test_a_closed_jackpots_money_moves_to_the_progressive_that_is_named(web: Web) -> None:
    dealer, executive = web.role("dealer"), web.role("executive")
    # Four wagers of $1: 25% to the meter, 1% to the reserve. The seed of $5,000 is the house's.
    lock(dealer, "baccarat_1", 1, 2, 3, 4)
    step(dealer, "baccarat_1", "pick", seat=0, sensor=1, row="suited_six_cards")
    award = step(dealer, "baccarat_1", "hit", evidence="Kd Qd Td, 2d Jd 7d", side="banker")["awards"][0]
    body = {"revision": revision(dealer, "baccarat_1"), "note": "Two suits."}
    web.role("supervisor").done("POST", f"/claims/{award}/reject", body)
    step(dealer, "baccarat_1", "end")
    close = {"note": "A new game.", "to": "push_22", "second": SWIPES["accounting"]}
    executive.refused(409, "jackpot_in_play", "POST", "/jackpots/dragon/close", close)
    take_off_the_tables(web)
    executive.refused(404, "unknown_jackpot", "POST", "/jackpots/nothing/close", close)
    executive.refused(403, "same_person", "POST", "/jackpots/dragon/close", close | {"second": SWIPES["executive"]})
    executive.refused(409, "funds_remain", "POST", "/jackpots/dragon/close", close | {"to": ""})
    for _ in range(2):
        closed = executive.done("POST", "/jackpots/dragon/close", close, key="close-once")
        assert (closed["seed_micros"], closed["moved_micros"]) == (5_000_000_000, 1_040_000)
    assert meter(executive) == SEED + 1_040_000
    assert [one["jackpot"] for one in executive.get("/meters")["meters"]] == ["push_22"]
    # Its old claims are still in the books, though no card is named for them any more.
    (old,) = executive.get("/claims?status=rejected&jackpot=dragon")["claims"]
    assert (old["id"], old["needs"]) == (award, None)
    assert len(executive.get("/hits?jackpot=dragon")["lines"]) == 1
    assert executive.get("/reports/reconciliation")["is_good"]


def test_accounting_records_the_account_and_others_see_how_it_stands(web: Web) -> None:
    accounting = web.role("accounting")
    before = accounting.get("/account")
    assert (before["version"], before["day"], before["held_micros"]) == (0, None, 55_000_000_000)
    body = {"balance_micros": 60_000_000_000, "note": "Bank statement.", "revision": 0}
    for _ in range(2):
        after = accounting.done("POST", "/account", body, key="statement")
    assert (after["version"], after["day"], after["short_micros"]) == (1, "2026-11-16", 0)
    assert after["may_play"] and after["findings"] == []
    assert web.role("auditor").get("/account") == after
    accounting.refused(409, "stale_revision", "POST", "/account", body)
    accounting.refused(422, "bad_request", "POST", "/account", body | {"balance_micros": -1})
    accounting.done("POST", "/account", body | {"balance_micros": 1, "revision": 1})
    short = accounting.get("/account")
    assert [one["code"] for one in short["findings"]] == ["account_short"]
    assert not short["is_asked"] and short["may_play"], "play money is not asked for"


def test_start_game_is_refused_while_the_account_of_a_real_floor_is_short(tmp_path: Path) -> None:
    url = str(tmp_path / "real.db")
    book = open_store(url)
    cards = {}
    people = People(book, lambda: NOW, cost=CHEAP)
    for name, role in (("eve", Role.EXECUTIVE), ("ann", Role.DEALER), ("acc", Role.ACCOUNTING)):
        cards[name] = {"card": people.add_person(f"add-{name}", "eve", name, role, "83015274"), "pin": "83015274"}
    real = as_real(demo_floor())
    FloorService(book, clock=lambda: NOW).set_up(Ask("open", people.person("eve")), real)
    book.close()
    app = make_app(url, clock=Clock(), limits=WIDE, pin_cost=CHEAP)
    web = Web(app, url)
    try:
        dealer, accounting = (web.sign_in(cards[name], secure=True) for name in ("ann", "acc"))
        body = {"balance_micros": SEED + 5_000_000_000, "credit_line_micros": 0, "note": "Opening.", "revision": 0}
        accounting.done("POST", "/account", body)
        lock(dealer, "ddm_1", 1)
        step(dealer, "ddm_1", "end")
        less = body | {"balance_micros": SEED, "note": "A withdrawal.", "revision": 1}
        assert accounting.done("POST", "/account", less)["short_micros"] == 5_000_000_000
        step(dealer, "ddm_1", "sense", seat=1, sensor=1, lit=True)
        head = web.room.book.head()
        start = {"revision": revision(dealer, "ddm_1"), "chips": 1}
        answer = dealer.refused(409, "account_short", "POST", "/tables/ddm_1/start", start)
        assert answer.json()["error"]["findings"][0]["citation"].startswith("WAC 230-15-455")
        assert web.room.book.head() == head, "nothing was written"
        accounting.done("POST", "/account", body | {"balance_micros": 2 * SEED, "note": "Put back.", "revision": 2})
        assert dealer.done("POST", "/tables/ddm_1/start", start)["phase"] == "locked"
    finally:
        app.state.room.close()


def test_a_backup_that_was_downloaded_restores_and_is_on_record(web: Web, tmp_path: Path) -> None:
    lock(web.role("dealer"), "ddm_1", 1, 2)
    technician = web.role("technician")
    head = web.room.book.head()
    answer = technician.call("GET", "/backup")
    assert answer.headers["content-disposition"] == f'attachment; filename="croupier-{head[0]}.gz"'
    assert int(answer.headers["content-length"]) == len(answer.content)
    file = tmp_path / "backup.gz"
    file.write_bytes(answer.content)
    restored = open_store(str(tmp_path / "restored.db"))
    try:
        assert restore(restored, file) == head[0]
        assert restored.head() == head and verify(restored).is_good
    finally:
        restored.close()
    (last,) = web.role("auditor").get(f"/entries?after={head[0]}&limit=1")["entries"]
    assert (last["actor"], last["reason"], last["event"]["body"]) == ("demo-technician", "backup", {"entries": head[0]})


def test_a_win_pages_code_finds_the_award_and_an_altered_one_does_not(web: Web) -> None:
    dealer, auditor = web.role("dealer"), web.role("auditor")
    lock(dealer, "ddm_1", 1)
    step(dealer, "ddm_1", "pick", seat=1, sensor=1, row="other_22")
    award = step(dealer, "ddm_1", "hit")["awards"][0]
    code = auditor.get(f"/reports/win-page/{award}")["code"]
    assert auditor.get(f"/reports/win-code/{code.lower()}")["claim"]["id"] == award
    altered = code[:-1] + ("0" if code[-1] != "0" else "1")
    auditor.refused(404, "unknown_code", "GET", f"/reports/win-code/{altered}")
    auditor.refused(422, "bad_code", "GET", "/reports/win-code/123")


def test_a_system_tells_wagers_and_winning_hands_at_once(web: Web) -> None:
    dealer = web.role("dealer")
    spots = [{"seat": 2, "sensor": 1}, {"seat": 4, "sensor": 1}]
    dealer.refused(409, "chip_count_differs", "POST", "/tables/ddm_1/start", {"revision": 0, "chips": 1, "lit": spots})
    started = dealer.done("POST", "/tables/ddm_1/start", {"revision": 0, "chips": 2, "lit": spots})
    assert (started["phase"], started["lit"]) == ("locked", spots)
    assert meter(dealer) == SEED + 1_900_000
    picks = [spot | {"row": "other_22"} for spot in spots]
    body = {"revision": started["revision"], "picks": picks, "evidence": "Dealer: K♠ 5♠ 7h"}
    hit = dealer.done("POST", "/tables/ddm_1/hit", body, key="told-at-once")
    assert (hit["awards"], hit["picks"]) == (["told-at-once/1"], [])
    assert dealer.get("/tables/ddm_1")["awards"] == ["told-at-once/1"], "a look shows the open claims"
    claim = web.role("supervisor").get("/claims/told-at-once/1")
    assert (claim["seats"], claim["row"], claim["evidence"]) == ([2, 4], "other_22", "Ks 5s 7h")
    wrong = {"revision": hit["revision"], "picks": [{"seat": 2, "sensor": 1}]}
    dealer.refused(422, "bad_request", "POST", "/tables/ddm_1/hit", wrong)


def test_a_misdealt_round_is_voided_by_a_supervisor(web: Web) -> None:
    dealer, supervisor = web.role("dealer"), web.role("supervisor")
    lock(dealer, "ddm_1", 1, 2)
    body = {"revision": revision(dealer, "ddm_1"), "why": "A card was exposed."}
    dealer.refused(403, "not_allowed", "POST", "/tables/ddm_1/void", body)
    supervisor.refused(422, "bad_request", "POST", "/tables/ddm_1/void", body | {"why": ""})
    for _ in range(2):
        voided = supervisor.done("POST", "/tables/ddm_1/void", body, key="void-once")
        assert (voided["phase"], voided["lit"]) == ("open", [])
    # What the meter got of the two wagers is the house's now: no lawful reason to lower it.
    assert meter(dealer) == SEED + 1_900_000
    assert web.role("auditor").get("/reports/reconciliation")["is_good"]
    supervisor.refused(409, "not_locked", "POST", "/tables/ddm_1/void", {**body, "revision": voided["revision"]})
    entries = web.role("auditor").get("/entries?limit=1000")["entries"]
    assert [one["event"]["note"] for one in entries if one["event"]["event"] == "RoundVoided"] == [body["why"]]
