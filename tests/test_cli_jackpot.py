"""A floor run from the command line only: an evening worked out by hand, every refusal, the help of every verb.

The demo floor and its amounts are those of `test_floor_desk`: 19% of each $5 wager to the meter, 1% to the reserve.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.cli.jackpot.people import device_verbs, people_verbs
from croupier.cli.jackpot.verbs import floor_verbs
from croupier.floor.files import DEMO
from croupier.floor.people import Person
from croupier.floor.roles import Role
from croupier.floor.service import Ask
from tests.cli_floor import REAL, SECOND_PIN, Terminal, changed, with_second_executive
from tests.conftest import Croupier

CARDS = ("--evidence", "4h 5h 6h 7h")

GROUPS = {(): floor_verbs, ("people",): people_verbs, ("devices",): device_verbs}
VERBS = [(*path, str(one.name)) for path, group in GROUPS.items() for one in group.registered_commands]


def test_start_says_what_becomes_of_the_chips(at: Terminal) -> None:
    sentence = "Take the $5 chips in: seats 1, 4, Push 22\u2122 Progressive."
    (chips,) = at.lock("ddm_1", 1, 4)["chips"]
    assert chips == {"sensor": 1, "seats": [1, 4], "do": "take_in", "sentence": sentence}
    at.do("light", "ddm_2", "3")
    assert "Take the $5 chips in: seat 3, Push 22" in at.say("start", "ddm_2", "--chips", "1").out


def test_an_evening_from_the_command_line(at: Terminal) -> None:
    with_second_executive(at)
    # Three seats: 50,000 + 3 x 0.95. A suited 22 pays each 250 from the tray; 750 needs a supervisor.
    assert at.lock("ddm_1", 1, 2, 5)["meters"][0]["meter"] == "50002.85"
    tray = ("hit", "ddm_1", "--seat", "1,2,5", "--hand", "suited_22", "--id", "hit-1")
    hit = at.do(*tray)
    (award,) = hit["awards"]
    assert (award["award"], award["amount"], award["each"], award["seats"]) == (
        "hit-1/1",
        "750.00",
        "250.00",
        [1, 2, 5],
    )
    assert (award["needs"], award["persons"], award["from"]) == ("supervisor", 1, "tray")
    assert at.do(*tray) == hit
    at.refused("low_card", "pay", "hit-1/1")
    at.refused("claim_open", "end", "ddm_1")
    paid = at.do("pay", "hit-1/1", by="supervisor")
    assert (paid["status"], paid["approved_by"]) == ("paid", ["demo-supervisor"])
    at.do("end", "ddm_1")

    # Two seats at the linked table: 50,004.75. 10% for both: 2,500.23 each; 0.015 of the split stays.
    at.lock("ddm_2", 3, 4)
    hit = at.do("hit", "ddm_2", "--seat", "all", "--hand", "suited_4567_other", *CARDS, "--id", "hit-2")
    assert (hit["awards"][0]["each"], hit["awards"][0]["amount"]) == ("2500.23", "5000.46")
    assert (hit["meters"][0]["meter"], hit["meters"][0]["pending"]) == ("45004.29", "5000.46")
    at.refused("low_card", "pay", "hit-2/1", by="supervisor")
    at.do("pay", "hit-2/1", by="executive")
    at.do("end", "ddm_2")

    # One seat wins all of 45,004.29 + 0.95. The seed and six times 0.05 of reserve are in the meter at once.
    at.lock("ddm_1", 2)
    hit = at.do("hit", "ddm_1", "--seat", "2", "--hand", "suited_4567_named", "--evidence", "4s5s6s7s", "--id", "hit-3")
    assert (hit["awards"][0]["amount"], hit["awards"][0]["persons"]) == ("45005.24", 2)
    assert hit["meters"][0]["meter"] == "50000.30"
    assert at.lock("ddm_2", 1, 2)["meters"][0]["meter"] == "50002.20"
    assert [one["award"] for one in at.do("claims", by="auditor")["claims"]] == ["hit-3/1"]
    at.refused("second_card_needed", "pay", "hit-3/1", by="executive")
    second = ("--second", at.second_executive, "--second-pin-file", str(at.folder / "pin"))
    paid = at.do("pay", "hit-3/1", *second, by="executive")
    assert paid["approved_by"] == ["demo-executive", "max"]
    at.do("end", "ddm_1")

    # A claim that was not right, and one that was paid and is backed out.
    at.do("hit", "ddm_2", "--seat", "all", "--hand", "suited_4567_other", *CARDS, "--id", "hit-4")
    back = at.do("reject", "hit-4/1", "--note", "Two suits.", by="supervisor")
    assert (back["status"], back["meters"][0]["meter"]) == ("rejected", "50002.20")
    at.do("end", "ddm_2")
    with at.office() as (desk, executive, accounting):
        desk.back_out(Ask("back", executive), "hit-1/1", "Wrong table.", accounting)
        desk.adjust(
            Ask("lower", executive),
            "push_22",
            reason="correct_display",
            micros=-200_000,
            note="Shown too high.",
            second=accounting,
        )
    assert at.meter(amount="paid") == "50005.70"
    assert at.meter() == "50002.00"
    _the_books_of_the_evening(at)


def _the_books_of_the_evening(at: Terminal) -> None:
    hits = at.do("hits", by="accounting")["lines"]
    assert [(one["award"], one["amount"], one["status"]) for one in hits] == [
        ("hit-4/1", "5000.22", "rejected"),
        ("hit-3/1", "45005.24", "paid"),
        ("hit-2/1", "5000.46", "paid"),
        ("hit-1/1", "750.00", "backed_out"),
    ]
    assert at.do("report", "win-page", "hit-2/1", by="accounting")["evidence"] == "4h 5h 6h 7h"
    found = at.do("report", "reconciliation", by="accounting")
    (line,) = [one for one in found["lines"] if (one["jackpot"], one["account"]) == ("push_22", "meter")]
    # Eight wagers of 0.95; 5,000.46 and 45,005.24 won; two seeds; 0.30 of reserve; 0.20 taken by hand.
    assert (line["contributions"], line["seed"], line["reserve"]) == ("7.60", "100000.00", "0.30")
    assert (line["adjustments"], line["closing"], line["balance"]) == ("-0.20", "50002.00", "50002.00")
    day = at.do("report", "accrual", by="accounting")
    assert next(one["wagered"] for one in day["lines"] if not one["jackpot"] and not one["table"]) == "40.00"
    rows = list(csv.DictReader(io.StringIO(at.say("hits", "--all", "--csv", by="auditor").out)))
    assert [row["amount"] for row in rows] == ["5000.22", "45005.24", "5000.46", "750.00"]
    denied = [one for one in at.do("audit", by="auditor")["lines"] if one["what"] == "denied"]
    assert [(one["actor"], one["detail"]["why"]) for one in denied] == [
        ("demo-dealer", "low_card"),
        ("demo-supervisor", "low_card"),
        ("demo-executive", "second_card_needed"),
    ]

    good = at.do("verify")
    assert good["good"]
    assert at.do("verify", "--anchor", f"{good['entries']}:{good['head']}") == good
    before = at.do("meters")["meters"]
    written = at.do("backup", str(at.folder / "backup.gz"), by="technician")
    assert written["entries"] == good["entries"]
    last = at.do("audit", by="auditor")["lines"][-1]
    assert (last["actor"], last["what"], last["detail"]) == ("demo-technician", "backup", {"entries": good["entries"]})
    at.refused("file_exists", "backup", str(at.folder / "backup.gz"), by="technician")
    at.refused("not_empty", "restore", str(at.folder / "backup.gz"))
    at.store = at.folder / "other.db"
    assert at.do("restore", str(at.folder / "backup.gz")) == {"entries": good["entries"], "head": good["head"]}
    assert at.do("meters")["meters"] == before
    assert at.do("verify") == good


def test_the_code_of_a_win_page_is_checked_against_the_log(at: Terminal) -> None:
    at.lock("ddm_1", 1)
    at.do("hit", "ddm_1", "--seat", "1", "--hand", "other_22", "--id", "won")
    code = at.do("report", "win-page", "won/1", by="accounting")["code"]
    good = at.do("verify", "--code", code.lower())
    assert (good["good"], good["code_matches"], good["award"]["award"]) == (True, True, "won/1")
    assert "won/1" in at.say("verify", "--code", code).out
    altered = code[:-1] + ("0" if code[-1] != "0" else "1")
    said = at.say("verify", "--code", altered, "--json")
    answer = json.loads(said.out)
    assert (said.status, answer["good"], answer["code_matches"], answer["award"]) == (1, True, False, None)
    assert "no match: " in at.say("verify", "--code", altered).out
    at.refused("bad_code", "verify", "--code", "123")


def test_aquarius_pays_with_the_key_at_jph(at: Terminal) -> None:
    at.lock("baccarat_1", 1, 2, 3)
    cards = ("--evidence", "Kd Qd Td, 2d Jd 7d", "--side", "banker")
    at.do("hit", "baccarat_1", "--seat", "all", "--hand", "suited_six_cards", *cards, "--id", "dragon")
    at.refused("key_not_at_jph", "pay", "dragon/1", by="executive")
    assert at.do("key", "baccarat_1", "jph", by="supervisor")["key"] == "jph"
    assert at.do("pay", "dragon/1", by="executive")["each"] == "1666.91"
    at.refused("key_not_at_run", "end", "baccarat_1")
    at.do("key", "baccarat_1", "run", by="supervisor")
    at.do("end", "baccarat_1")


def test_a_chip_is_taken_away(at: Terminal) -> None:
    at.do("light", "ddm_1", "1")
    assert at.do("light", "ddm_1", "1", "--off")["lit"] == []


# Name of the case: what is said, by whom, and the code. Seat 1 of ddm_1 is locked in round 1; ddm_2 is open.
BAD = {
    "unknown table": (("start", "ddm_9", "--chips", "0"), "dealer", "unknown_table"),
    "unknown seat": (("light", "ddm_2", "9"), "dealer", "unknown_seat"),
    "a seat that is none": (("hit", "ddm_1", "--seat", "0", "--hand", "suited_22"), "dealer", "unknown_seat"),
    "a seat in words": (("hit", "ddm_1", "--seat", "1,one", "--hand", "suited_22"), "dealer", "unknown_seat"),
    "a seat of many digits": (("hit", "ddm_1", "--seat", "9" * 5000, "--hand", "suited_22"), "dealer", "unknown_seat"),
    "an id that is no text": (("end", "ddm_1", "--id", "a\udc80"), "dealer", "bad_text"),
    "an id that is too long": (("end", "ddm_1", "--id", "x" * 500), "dealer", "bad_name"),
    "a seat that is no number": (("light", "ddm_2", "one"), "dealer", "usage"),
    "unknown sensor": (("light", "ddm_2", "1", "--sensor", "2"), "dealer", "unknown_sensor"),
    "chips that differ": (("start", "ddm_2", "--chips", "1"), "dealer", "chip_count_differs"),
    "a round in progress": (("start", "ddm_1", "--chips", "1"), "dealer", "not_open"),
    "no round in progress": (("hit", "ddm_2", "--seat", "1", "--hand", "suited_22"), "dealer", "not_locked"),
    "unknown hand": (("hit", "ddm_1", "--seat", "1", "--hand", "royal_flush"), "dealer", "unknown_hand"),
    "a hit without a locked wager": (
        ("hit", "ddm_1", "--seat", "2", "--hand", "suited_22"),
        "dealer",
        "no_locked_wager",
    ),
    "a hit without a hand": (("hit", "ddm_1"), "dealer", "nothing_picked"),
    "a seat without a hand": (("hit", "ddm_1", "--seat", "1"), "dealer", "seat_and_hand"),
    "stale revision": (("end", "ddm_1", "--revision", "1"), "dealer", "stale_revision"),
    "a role that may not": (("end", "ddm_1"), "auditor", "not_allowed"),
    "claims to a dealer": (("claims",), "dealer", "not_allowed"),
    "audit to a dealer": (("audit",), "dealer", "not_allowed"),
    "people to a dealer": (("people", "list"), "dealer", "not_allowed"),
    "a card by a dealer": (("people", "add", "bob", "dealer", "--new-pin-file", "pin"), "dealer", "not_allowed"),
    "unknown award": (("pay", "nothing"), "supervisor", "unknown_award"),
    "a key where there is none": (("key", "ddm_1", "jph"), "supervisor", "no_key"),
    "a key turned elsewhere": (("key", "ddm_1", "off"), "supervisor", "usage"),
    "unknown card": (("end", "ddm_1", "--card", "card-x"), "dealer", "pin_missing"),
    "misspelled option": (("end", "ddm_1", "--revison", "1"), "dealer", "usage"),
    "unknown verb": (("begin", "ddm_1"), "dealer", "usage"),
    "unknown report": (("report", "weather"), "auditor", "unknown_report"),
    "a win page of nothing": (("report", "win-page"), "auditor", "award_missing"),
    "a time without a zone": (("report", "accrual", "--from", "2026-11-16"), "auditor", "bad_date"),
    "no time": (("report", "accrual", "--from", "noon"), "auditor", "bad_date"),
    "bad anchor": (("verify", "--anchor", "12"), "auditor", "bad_anchor"),
    "wrong anchor": (("verify", "--anchor", f"1:{'0' * 64}"), "auditor", "anchor_mismatch"),
    "unknown role": (("people", "add", "bob", "boss"), "executive", "unknown_role"),
    "backup into nowhere": (("backup", "nowhere/backup.gz"), "technician", "unwritable_file"),
    "no backup": (("restore", "none.gz"), "technician", "bad_backup"),
    "missing floor file": (("change", "none.toml"), "executive", "unreadable_file"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_refused_has_a_code_and_changes_nothing(case: str, in_a_round: Terminal) -> None:
    arguments, by, code = BAD[case]
    (in_a_round.folder / "pin").write_text(SECOND_PIN, encoding="utf-8")
    in_a_round.refused(code, *arguments, by=by)
    table = in_a_round.do("tables")["tables"][0]
    assert (table["revision"], table["lit"], table["picks"], table["claims"]) == (2, [{"seat": 1, "sensor": 1}], [], [])
    assert in_a_round.meter() == "50000.95"


def test_a_seat_has_one_hand_and_a_hit_that_is_refused_leaves_no_hand_picked(in_a_round: Terminal) -> None:
    at = in_a_round
    dealer = Person(id="demo-dealer", role=Role.DEALER)
    with at.office() as (desk, _, _):
        desk.pick(Ask("pick", dealer), "ddm_1", 1, 1, "other_22")
    at.refused("one_hand_per_seat", "hit", "ddm_1", "--seat", "1", "--hand", "suited_22")
    assert at.do("tables")["tables"][0]["picks"] == [{"seat": 1, "sensor": 1, "hand": "other_22"}]
    with at.office() as (desk, _, _):
        desk.pick(Ask("pick-again", dealer), "ddm_1", 1, 1, "other_22")
    at.do("hit", "ddm_1", "--seat", "1", "--hand", "suited_22", "--id", "first")
    at.refused("one_row_per_round", "hit", "ddm_1", "--seat", "1", "--hand", "other_22")
    at.refused("already_hit", "hit", "ddm_1", "--seat", "1", "--hand", "suited_22")
    assert at.do("tables")["tables"][0]["picks"] == []


OTHER_DECKS = ('decks = 6\nseats = 6\nprotocol = "game', 'decks = 8\nseats = 6\nprotocol = "game')

# What is replaced in the demo floor, and the code that refuses it.
BAD_FLOORS = {
    "negative contribution": (('contribution = "19%"', 'contribution = "-19%"'), "bad_floor"),
    "rates over 100%": (('contribution = "19%"', 'contribution = "100%"'), "bad_floor"),
    "unknown pay table": (('pay_table = "3"', 'pay_table = "9"'), "unknown_pay_table"),
    "a jackpot at two tables without a link": (('tables = ["ddm_1", "ddm_2"', 'tables = ["ddm_1"'), "bad_floor"),
    "a link of tables with other decks": (OTHER_DECKS, "linked_decks_differ"),
    "no TOML": (('id = "demo"', "id = "), "malformed_toml"),
}


@pytest.mark.parametrize("case", BAD_FLOORS)
def test_a_floor_that_cannot_be_or_may_not_be_is_not_opened(case: str, new_terminal: Callable[[], Terminal]) -> None:
    at = new_terminal()
    replacement, code = BAD_FLOORS[case]
    said = at.say("init", changed(at, replacement))
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(f"croupier: {code}: ")
    if case.startswith("a link"):
        assert "[Linked blackjack tables have one pay table and one number of decks: letter" in said.err
    assert not at.store.exists()


def test_check_names_the_rule_and_tells_by_its_status(new_terminal: Callable[[], Terminal]) -> None:
    at = new_terminal()
    said = at.run("jackpot", "check", str(DEMO), "--json")
    assert (said.status, json.loads(said.out)["allowed"]) == (0, True)
    file = changed(at, ('most = "400" },\n  { wager = "insurance" }', 'most = "4000" },\n  { wager = "insurance" }'))
    said = at.run("jackpot", "check", file, "--json")
    data = json.loads(said.out)
    assert (said.status, data["allowed"]) == (1, False)
    assert "WAC 230-15-140" in data["findings"][0]["citation"]
    assert "WAC 230-15-140" in at.run("jackpot", "check", file).out
    assert at.run("jackpot", "check", file, "--day", "today").err.startswith("croupier: bad_date: ")


def test_money_parameters_change_by_two_people(at: Terminal) -> None:
    with_second_executive(at)
    version = (
        ("number = 1\neffective", "number = 2\neffective"),
        ('"2025-03-01T06:00:00-08:00"', '"2025-04-01T06:00:00-08:00"'),
        ('made_by = "setup"', 'made_by = "demo-executive"'),
        ('approved_by = "house"', 'approved_by = "max"'),
    )
    file = changed(at, ('seed = "50,000"', 'seed = "60,000"'), *version)
    second = ("--second", at.second_executive, "--second-pin-file", str(at.folder / "pin"))
    assert "[" in at.refused("second_person_missing", "change", file, by="executive")
    at.refused("no_right", "change", file, *second, by="dealer")
    assert at.do("audit", by="auditor")["lines"][-1]["detail"]["why"] == "no_right"
    done = at.do("change", file, *second, "--id", "larger-seed", by="executive")
    assert [one["where"] for one in done["changed"]] == ["jackpots.push_22.seed"]
    assert at.do("change", file, *second, "--id", "larger-seed", by="executive")["version"] == 2
    at.refused("stale_version", "change", file, *second, by="executive")


def test_a_floor_with_real_money_gives_its_first_executive_a_card(
    new_terminal: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = new_terminal()
    file = changed(at, *REAL)
    at.refused("executive_missing", "init", file)
    at.refused("pin_missing", "init", file, "--executive", "eve")
    monkeypatch.setenv("CROUPIER_NEW_PIN", "1234")
    at.refused("trivial_pin", "init", file, "--executive", "eve")
    at.refused("bad_name", "init", file, "--executive", "Eve!")
    assert not at.store.exists()
    monkeypatch.setenv("CROUPIER_NEW_PIN", SECOND_PIN)
    opened = at.do("init", file, "--executive", "eve")
    card = opened["cards"]["eve"]
    assert not opened["demo"]
    assert at.do("init", file, "--executive", "eve")["cards"] == {}
    at.refused(
        "floor_exists",
        "init",
        changed(at, *REAL, ("seats = 6", "seats = 5")),
        "--executive",
        "eve",
    )
    at.refused("pin_missing", "people", "list", "--card", card)
    monkeypatch.setenv("CROUPIER_PIN", "735519")
    at.refused("default_secret", "end", "ddm_1", by="dealer")
    at.refused("not_recognized", "people", "list", "--card", card)
    monkeypatch.setenv("CROUPIER_PIN", SECOND_PIN)
    assert [one["person"] for one in at.do("people", "list", "--card", card)["people"]] == ["eve"]
    said = at.run("jackpot", "claims", "--store", str(at.store))
    assert said.err.startswith("croupier: card_missing: ")


def test_a_pin_is_typed_at_the_terminal_where_nothing_else_gives_it(
    at: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed: list[str] = []

    def type_in(*pins: str) -> None:
        typed[:] = pins

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("croupier.cli.jackpot.session.getpass", lambda prompt: typed.pop(0))
    type_in(SECOND_PIN, "111222")
    at.refused("pins_differ", "people", "add", "max", "executive", by="executive")
    type_in(SECOND_PIN, SECOND_PIN)
    card = at.do("people", "add", "max", "executive", by="executive")["card"]
    type_in("735519")
    at.refused("not_recognized", "people", "list", "--card", card)
    type_in(SECOND_PIN)
    assert at.do("people", "list", "--card", card)["by"] == "max"


def test_a_floor_is_kept_in_either_database(store_url: str, new_terminal: Callable[[], Terminal]) -> None:
    run = new_terminal().run
    for arguments in (
        ("init", "--demo"),
        ("light", "ddm_1", "1", "--card", "demo-card-dealer"),
        ("start", "ddm_1", "--chips", "1", "--card", "demo-card-dealer"),
        ("verify",),
    ):
        assert run("jackpot", *arguments, "--store", store_url).status == 0
    meters = json.loads(run("jackpot", "meters", "--store", store_url, "--json").out)["meters"]
    assert [one["meter"] for one in meters] == ["5000.00", "50000.95"]


def test_a_backup_cut_short_restores_nothing(in_a_round: Terminal) -> None:
    at = in_a_round
    whole, cut = at.folder / "whole.gz", at.folder / "cut.gz"
    at.do("backup", str(whole), by="technician")
    cut.write_bytes(whole.read_bytes()[:-100])
    at.store = at.folder / "other.db"
    at.refused("bad_backup", "restore", str(cut))
    at.do("restore", str(whole))
    assert at.meter() == "50000.95"


def test_somebody_new_signs_with_a_card_and_pin(at: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_NEW_PIN", SECOND_PIN)
    card = at.do("people", "add", "dan", "dealer", by="executive")["card"]
    monkeypatch.setenv("CROUPIER_PIN", "628194")
    at.refused("not_recognized", "light", "ddm_1", "1", "--card", card)
    monkeypatch.setenv("CROUPIER_PIN", SECOND_PIN)
    at.do("light", "ddm_1", "1", "--card", card)
    monkeypatch.delenv("CROUPIER_PIN")
    assert {"person": "dan", "role": "dealer", "locked_until": None} in at.do("people", "list", by="auditor")["people"]


def test_a_store_that_is_not_there_is_not_made(new_terminal: Callable[[], Terminal]) -> None:
    at = new_terminal()
    at.refused("no_store", "tables")
    assert not at.store.exists()
    said = at.run("jackpot", "tables", "--store", "postgresql://nobody@127.0.0.1:1/none")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("croupier: cannot_open: ")
    assert at.run("jackpot", "tables", "--store", "mysql://host/name").err.startswith("croupier: bad_store_url: ")
    at.store.write_text("This is no database, and has more than a hundred letters. " * 20, encoding="utf-8")
    at.refused("cannot_open", "tables")


def test_the_store_is_named_by_the_environment_or_is_in_the_folder(
    at: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert json.loads(at.run("jackpot", "tables", "--json").out)["demo"]
    moved = at.folder / "elsewhere.db"
    at.store.rename(moved)
    assert at.run("jackpot", "tables").status == 2
    monkeypatch.setenv("CROUPIER_STORE", str(moved))
    monkeypatch.setenv("CROUPIER_CARD", "demo-card-dealer")
    assert at.run("jackpot", "light", "ddm_1", "1").status == 0


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        ("UPDATE balances SET micros = micros + 1 WHERE account = 'meter'", "balance_mismatch"),
        ("UPDATE head SET seq = seq + 1", "truncated"),
    ],
)
def test_verify_finds_an_edited_database(edit: str, code: str, in_a_round: Terminal) -> None:
    with sqlite3.connect(in_a_round.store) as connection:
        connection.execute(edit)
    connection.close()
    in_a_round.refused(code, "verify")


def test_a_store_that_does_not_read_is_said_in_a_sentence(in_a_round: Terminal) -> None:
    with sqlite3.connect(in_a_round.store) as connection:
        connection.execute("UPDATE facts SET body = '{' WHERE subject = 'floor'")
    connection.close()
    in_a_round.refused("bad_store", "tables")
    in_a_round.refused("bad_row", "verify")


def test_a_truncated_file_is_said_in_a_sentence(in_a_round: Terminal) -> None:
    whole = in_a_round.store.read_bytes()
    in_a_round.store.write_bytes(whole[: len(whole) // 2])
    said = in_a_round.say("verify")
    assert (said.status, said.out) == (2, "")
    assert "Traceback" not in said.err


def test_play_money_is_marked_and_the_id_is_shown(at: Terminal) -> None:
    said = at.say("light", "ddm_1", "1", "--id", "my-id")
    assert said.out.startswith("demo, play money\n")
    assert "id my-id" in said.out
    assert re.search(r"^revision +1 *$", said.out, re.MULTILINE)
    for shown in ("tables", "meters"):
        assert at.say(shown).out.startswith("demo, play money\n")
    made = at.do("light", "ddm_1", "2")["id"]
    assert at.do("light", "ddm_1", "2", "--id", made)["revision"] == 2


@pytest.mark.parametrize("kind", ["accrual", "reconciliation"])
def test_reports_are_tables_on_the_screen(kind: str, in_a_round: Terminal) -> None:
    said = in_a_round.say("report", kind, by="auditor")
    assert said.status == 0
    assert "Push 22" in said.out
    assert "$0.95" in said.out


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_every_verb_has_help_and_stands_on_the_page(verb: tuple[str, ...], croupier: Croupier) -> None:
    said = croupier("jackpot", *verb, "--help")
    assert (said.status, said.err) == (0, "")
    assert "--json" in said.out
    page = (Path(__file__).parent.parent / "docs" / "floor.md").read_text(encoding="utf-8")
    assert f"jackpot {' '.join(verb)}" in page


def test_the_group_has_help(croupier: Croupier) -> None:
    said = croupier("jackpot")
    assert said == croupier("jackpot", "--help")
    assert (said.status, said.err) == (0, "")
    assert "reject" in said.out
    assert croupier("jackpot", "people").err.startswith("croupier: usage: ")


def test_a_share_of_the_meter_is_claimed_with_its_cards(at: Terminal) -> None:
    at.lock("ddm_1", 1, 2)
    at.refused("cards_needed", "hit", "ddm_1", "--seat", "all", "--hand", "suited_4567_named")
    at.refused("cards_give_another", "hit", "ddm_1", "--seat", "all", "--hand", "suited_4567_named", *CARDS)
    at.do("hit", "ddm_1", "--seat", "all", "--hand", "suited_4567_other", *CARDS, "--id", "right")
    assert at.do("pay", "right/1", by="executive")["status"] == "paid"
    at.do("end", "ddm_1")


def test_a_void_round_gives_its_wagers_back(in_a_round: Terminal) -> None:
    at = in_a_round
    assert at.meter() == "50000.95"
    at.refused("not_allowed", "void", "ddm_1", "--note", "Misdeal.")
    at.refused("not_locked", "void", "ddm_2", "--note", "Misdeal.", by="supervisor")
    at.refused("note_missing", "void", "ddm_1", "--note", " ", by="supervisor")
    at.refused("stale_revision", "void", "ddm_1", "--note", "Misdeal.", "--revision", "1", by="supervisor")
    done = at.do("void", "ddm_1", "--note", "Misdeal.", "--id", "misdeal", by="supervisor")
    assert (done["phase"], done["lit"]) == ("open", [])
    assert at.do("void", "ddm_1", "--note", "Misdeal.", "--id", "misdeal", by="supervisor") == done
    assert (at.meter(), at.meter(amount="reserve")) == ("50000.95", "0.05")
    assert at.do("verify")["good"]
