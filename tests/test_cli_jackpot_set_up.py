"""The command line around the evening: a floor opened twice, devices, damaged stores, odd wishes."""

from __future__ import annotations

import errno
import gzip
import io
import json
import re
import socket
import sqlite3
from collections.abc import Callable

import pytest

from croupier.cli.jackpot.books import REPORTS, TAKES
from croupier.floor.devices import Devices
from croupier.floor.files import demo_floor
from croupier.floor.people import People
from croupier.floor.service import Ask
from croupier.store import open_store
from tests.cli_floor import REAL, SECOND_PIN, Terminal, changed, with_second_executive
from tests.conftest import Croupier

NEXT_VERSION = (
    ("number = 1\neffective", "number = 2\neffective"),
    ('"2025-03-01T06:00:00-08:00"', '"2025-04-01T06:00:00-08:00"'),
    ('made_by = "setup"', 'made_by = "demo-executive"'),
    ('approved_by = "house"', 'approved_by = "max"'),
)


def edit(at: Terminal, statement: str) -> None:
    with sqlite3.connect(at.store) as connection:
        connection.execute(statement)
    connection.close()


# Opening.


def test_a_floor_opened_twice_says_what_is_there_and_stays_as_it_is(at: Terminal) -> None:
    before = at.do("verify")
    said = at.say("init", "--demo")
    assert said.status == 0
    assert "open already, and nothing was changed" in said.out
    assert "croupier jackpot change" in " ".join(said.out.split())
    assert at.do("init", "--demo")["opened_before"]
    assert at.do("verify") == before


def test_a_store_with_another_floor_names_it(at: Terminal) -> None:
    sentence = at.refused("floor_exists", "init", changed(at, ("seats = 6", "seats = 5")))
    assert f'"demo", version 1, with {len(demo_floor().tables)} tables and 2 jackpots' in sentence
    assert "--store" in sentence


def test_a_floor_opened_again_asks_for_no_pin(
    new_terminal: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = new_terminal()
    file = changed(at, *REAL)
    monkeypatch.setenv("CROUPIER_NEW_PIN", SECOND_PIN)
    assert not at.do("init", file, "--executive", "eve")["opened_before"]
    monkeypatch.delenv("CROUPIER_NEW_PIN")
    again = at.do("init", file, "--executive", "eve")
    assert (again["opened_before"], again["cards"]) == (True, {})


def test_a_demonstration_has_its_own_people(new_terminal: Callable[[], Terminal]) -> None:
    at = new_terminal()
    at.refused("executive_not_taken", "init", "--demo", "--executive", "eve")
    assert not at.store.exists()


# Changing.


def test_a_change_names_who_countersigned_and_how_to(at: Terminal) -> None:
    with_second_executive(at)
    file = changed(at, ('seed = "50,000"', 'seed = "60,000"'), *NEXT_VERSION)
    assert "--second" in at.refused("second_person_missing", "change", file, by="executive")
    second = ("--second", at.second_executive, "--second-pin-file", str(at.folder / "pin"), "--id", "seed")
    assert at.do("change", file, *second, by="executive")["second"] == "max"
    assert "by demo-executive, countersigned by max, id seed" in at.say("change", file, *second, by="executive").out


# Devices.


def test_a_device_gets_a_token_for_its_tables_and_jackpots(at: Terminal) -> None:
    for_what = ("--table", "ddm_1", "--table", "ddm_2", "--jackpot", "push_22")
    made = at.do("devices", "register", "pit-1", "terminal", *for_what, "--id", "new", by="technician")
    assert (made["device"], made["tables"], made["jackpots"]) == ("pit-1", ["ddm_1", "ddm_2"], ["push_22"])
    at.refused("shown_once", "devices", "register", "pit-1", "terminal", *for_what, "--id", "new", by="technician")
    listed = at.do("devices", "list", by="technician")["devices"]
    assert listed == [{"device": "pit-1", "kind": "terminal", "tables": ["ddm_1", "ddm_2"], "jackpots": ["push_22"]}]
    assert "pit-1" in at.say("devices", "list", by="technician").out
    book = open_store(str(at.store))
    assert Devices(People(book, lambda: book.entries()[0].entry.at, demo=True)).device(made["token"]).id == "pit-1"
    book.close()
    assert "token, shown this once" in at.say("devices", "register", "s", "sign", *for_what[4:], by="technician").out


@pytest.mark.parametrize(
    ("arguments", "by", "code"),
    [
        (("register", "x", "robot", "--table", "ddm_1"), "technician", "unknown_device_kind"),
        (("register", "x", "terminal"), "technician", "bad_device"),
        (("register", "x", "sign", "--table", "ddm_1"), "technician", "bad_device"),
        (("register", "x", "sign", "--jackpot", "push_9"), "technician", "unknown_jackpot"),
        (("register", "x", "terminal", "--table", "ddm_9"), "technician", "unknown_table"),
        (("register", "x y", "terminal", "--table", "ddm_1"), "technician", "bad_name"),
        (("register", "x", "terminal", "--table", "ddm_1"), "dealer", "not_allowed"),
        (("list",), "dealer", "not_allowed"),
    ],
)
def test_a_device_that_cannot_be_is_refused(arguments: tuple[str, ...], by: str, code: str, at: Terminal) -> None:
    at.refused(code, "devices", *arguments, by=by)
    assert at.do("devices", "list", by="technician")["devices"] == []
    assert re.search("^devices +none$", at.say("devices", "list", by="technician").out, re.MULTILINE)


# Reports.


def test_a_report_is_told_only_what_it_takes(at: Terminal) -> None:
    assert TAKES.keys() == REPORTS.keys()
    sentence = at.refused("not_taken", "report", "accrual", "--account", "5", by="auditor")
    assert "only --from and --until" in sentence
    at.refused("not_taken", "report", "accrual", "some-award", by="auditor")
    at.refused("not_taken", "report", "win-page", "some-award", "--from", "2026-11-16T00:00:00Z", by="auditor")


@pytest.mark.parametrize("verb", [("hits",), ("audit",), ("report", "accrual")])
def test_a_report_is_csv_or_json(verb: tuple[str, ...], at: Terminal) -> None:
    at.refused("csv_or_json", *verb, "--csv", by="auditor")


def test_the_deposit_comes_with_its_rule(at: Terminal) -> None:
    wish = ("report", "deposit", "--last-deposit", at.do("audit", by="auditor")["lines"][0]["at"], "--account", "90000")
    rule = "All accrued funds are deposited at least once a week. (WAC 230-15-455 [S])"
    assert at.do(*wish, by="accounting")["rule"] == rule
    assert rule in at.say(*wish, by="accounting").out


def test_the_deposit_takes_the_balance_that_was_recorded(at: Terminal) -> None:
    wish = ("report", "deposit", "--last-deposit", at.do("audit", by="auditor")["lines"][0]["at"])
    assert "record it in the manager" in at.refused("deposit_missing", *wish, by="accounting")
    with at.office() as (desk, _, accounting):
        desk.record_account(Ask("bank", accounting), balance_micros=60_000_000_000, note="Bank statement.")
    assert at.do(*wish, by="accounting")["account"] == "60000.00"
    assert at.do(*wish, "--account", "70000", by="accounting")["account"] == "70000.00"


# Stores that are not as they should be.


def test_a_failed_restore_leaves_no_store(at: Terminal) -> None:
    at.do("backup", "whole.gz", by="technician")
    text = gzip.decompress((at.folder / "whole.gz").read_bytes())
    (at.folder / "cut.gz").write_bytes(gzip.compress(text[:-10]))
    (at.folder / "edited.gz").write_bytes(gzip.compress(text.replace(b"demo-executive", b"demo-executivf")))
    (at.folder / "text.gz").write_text("no backup", encoding="utf-8")
    at.store = at.folder / "other.db"
    for file in ("cut.gz", "edited.gz", "text.gz"):
        said = at.say("restore", file)
        assert (said.status, said.out) == (2, ""), file
        assert list(at.folder.glob("other.db*")) == []
    at.do("restore", "whole.gz")
    before = at.do("verify")
    assert at.say("restore", "cut.gz").status == 2
    assert at.do("verify") == before


def test_an_empty_store_says_how_to_fill_it(new_terminal: Callable[[], Terminal]) -> None:
    at = new_terminal()
    open_store(str(at.store)).close()
    for verb in (("tables",), ("meters",), ("claims",)):
        assert "croupier jackpot init" in at.refused("empty_ledger", *verb)


@pytest.mark.parametrize(
    ("statement", "verb"),
    [
        ("UPDATE facts SET body = '{}' WHERE subject = 'floor'", "tables"),
        ("UPDATE facts SET body = '[]' WHERE subject = 'table:ddm_1'", "tables"),
        ("UPDATE balances SET micros = 'much' WHERE account = 'meter'", "meters"),
        ("DELETE FROM head", "tables"),
    ],
)
def test_an_edited_store_is_said_to_be_damaged(statement: str, verb: str, in_a_round: Terminal) -> None:
    edit(in_a_round, statement)
    assert "restore a backup" in in_a_round.refused("bad_store", verb)


def test_a_mistake_of_the_program_is_not_blamed_on_a_good_store(at: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(*_: object) -> None:
        raise KeyError("a mistake")

    monkeypatch.setattr("croupier.floor.service.FloorService.tables", mistaken)
    with pytest.raises(KeyError, match="a mistake"):
        at.say("tables")


def test_a_step_that_was_done_is_not_answered_as_refused_because_another_jackpot_is_broken(at: Terminal) -> None:
    edit(at, "UPDATE balances SET micros = micros + 1 WHERE account = 'meter' AND jackpot = 'dragon'")
    done = at.do("light", "ddm_1", "1")
    assert (done["revision"], [one["jackpot"] for one in done["meters"]]) == (1, ["push_22"])
    assert "stopped" not in done, "it is not of this table"
    assert re.search("^stopped\n.*\ndragon .*sum of its postings", at.say("light", "baccarat_1", "2").out, re.MULTILINE)


def test_a_stopped_jackpot_is_named_beside_the_others(at: Terminal) -> None:
    edit(at, "UPDATE balances SET micros = micros + 1 WHERE account = 'meter' AND jackpot = 'dragon'")
    said = at.say("meters", "--json")
    answer = json.loads(said.out)
    assert (said.status, [one["jackpot"] for one in answer["meters"]]) == (1, ["push_22"])
    assert [one["jackpot"] for one in answer["stopped"]] == ["dragon"] and "add up" in answer["stopped"][0]["why"]
    assert re.search("^stopped\n.*\ndragon .*add up", at.say("meters").out, re.MULTILINE)


# Words.


def test_an_empty_id_is_refused_and_not_replaced(at: Terminal) -> None:
    at.refused("bad_name", "light", "ddm_1", "1", "--id", "")
    assert at.do("tables")["tables"][0]["revision"] == 0


def test_a_usage_mistake_points_to_the_help_of_its_verb(croupier: Croupier) -> None:
    assert croupier("jackpot", "start").err.endswith("See croupier jackpot start --help.\n")
    assert croupier("odds").err.endswith("See croupier odds --help.\n")
    assert croupier("nothing").err.endswith("See croupier --help.\n")


def test_an_answer_that_cannot_be_written_is_said_in_a_sentence(at: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("croupier.cli.jackpot.screen.print_json", full)
    monkeypatch.setattr("sys.stdout", io.StringIO())
    at.refused("answer_not_written", "tables")


def test_a_port_in_use_is_said_before_a_store_is_made(new_terminal: Callable[[], Terminal]) -> None:
    at = new_terminal()
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        said = at.run("serve", "--demo", "--port", port, "--store", str(at.store))
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(f"croupier: port_in_use: Port {port} of 127.0.0.1 ")
    said = at.run("serve", "--demo", "--host", "no host", "--store", str(at.store))
    assert said.err.startswith("croupier: cannot_listen: ")
    assert not at.store.exists()


def test_a_proxy_that_is_no_address_is_said_before_a_store_is_made(
    new_terminal: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = new_terminal()
    said = at.run("serve", "--demo", "--proxy", "10.0.0.9", "--proxy", "proxy.example", "--store", str(at.store))
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith('croupier: bad_proxy: The proxy "proxy.example" is not an address or network. ')
    monkeypatch.setenv("CROUPIER_PROXY", "10.0.0.9, 0.0.0.0/0")
    said = at.run("serve", "--demo", "--store", str(at.store))
    assert said.err.startswith('croupier: bad_proxy: The proxy "0.0.0.0/0" is everybody')
    assert not at.store.exists()
