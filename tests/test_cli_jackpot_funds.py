"""Money around the rounds, from the command line: the jackpot account, the end of a jackpot, a round that is void."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from croupier.floor.files import demo_floor, floor_data
from tests.cli_floor import REAL, SECOND_PIN, Terminal, changed, with_second_executive

RULE = "All accrued funds are deposited at least once a week. (WAC 230-15-455 [S])"
CLOSE = ("close", "dragon", "--note", "A new game.", "--second", "demo-card-accounting")


def play_dragon(at: Terminal) -> None:
    """Four wagers of $1: 25% to the meter, 1% to the reserve."""
    at.lock("baccarat_1", 1, 2, 3, 4)
    at.do("end", "baccarat_1")


def take_dragon_off(at: Terminal) -> None:
    """The next version of the floor, on which no table plays for that jackpot."""
    with_second_executive(at)
    floor = demo_floor()
    version = replace(floor.version, number=2, made_by="demo-executive", approved_by="max")
    tables = (
        replace(table, sensors=tuple(one for one in table.sensors if one.jackpot != "dragon")) for table in floor.tables
    )
    links = tuple(link for link in floor.links if "dragon" not in link.jackpots)
    file = at.folder / "next.json"
    file.write_bytes(
        msgspec.json.encode(floor_data(replace(floor, version=version, tables=tuple(tables), links=links)))
    )
    second = ("--second", at.second_executive, "--second-pin-file", str(at.folder / "pin"))
    at.do("change", str(file), *second, by="executive")


# The account.


def test_the_account_is_recorded_and_shown_against_what_is_held(at: Terminal) -> None:
    assert at.do("account", by="auditor")["day"] is None
    assert "not recorded yet" in at.say("account", by="auditor").out
    done = at.do("account", "55,000", "--note", "Bank statement.", "--id", "statement", by="accounting")
    # Two seeds: 50,000 and 5,000.
    assert (done["balance"], done["held"], done["required"], done["short"]) == (
        "55000.00",
        "55000.00",
        "55000.00",
        "0.00",
    )
    assert (done["revision"], done["findings"], done["rule"]) == (1, [], RULE)
    again = at.do("account", "55,000", "--note", "Bank statement.", "--id", "statement", by="accounting")
    assert again == done
    short = at.say("account", "54000", "--note", "Bank statement.", by="accounting").out
    assert "short by" in short
    assert "$1,000" in short
    assert "account_short" in short
    assert RULE in short


@pytest.mark.parametrize(
    ("arguments", "by", "code"),
    [
        (("5", "--note", "x"), "executive", "not_allowed"),
        (("5",), "accounting", "note_missing"),
        (("-5", "--note", "x"), "accounting", "negative_amount"),
        (("much", "--note", "x"), "accounting", "bad_amount"),
        (("5", "--note", "x", "--credit-line", "-1"), "accounting", "negative_amount"),
        (("5", "--note", "x", "--day", "today"), "accounting", "bad_date"),
        (("5", "--note", "x", "--day", "2999-01-01"), "accounting", "bad_date"),
        (("5", "--note", "x", "--revision", "3"), "accounting", "stale_revision"),
        (("--note", "x"), "accounting", "balance_missing"),
        ((), "dealer", "not_allowed"),
    ],
)
def test_a_balance_that_cannot_be_is_not_recorded(arguments: tuple[str, ...], by: str, code: str, at: Terminal) -> None:
    at.refused(code, "account", *arguments, by=by)
    assert at.do("account", by="auditor")["revision"] == 0


def test_the_deposit_takes_the_balance_that_was_recorded(at: Terminal) -> None:
    wish = ("report", "deposit", "--last-deposit", at.do("audit", by="auditor")["lines"][0]["at"])
    assert "croupier jackpot account" in at.refused("deposit_missing", *wish, by="accounting")
    at.do("account", "60000", "--note", "Bank statement.", by="accounting")
    found = at.do(*wish, by="accounting")
    assert (found["account"], found["rule"]) == ("60000.00", RULE)
    assert at.do(*wish, "--account", "70000", by="accounting")["account"] == "70000.00"


def test_a_short_account_stops_the_tables_and_says_why(
    new_terminal: Callable[[], Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = new_terminal()
    for name in ("CROUPIER_NEW_PIN", "CROUPIER_PIN"):
        monkeypatch.setenv(name, SECOND_PIN)
    boss = at.do("init", changed(at, *REAL), "--executive", "eve")["cards"]["eve"]
    cards = {
        role: at.do("people", "add", role, role, "--card", boss)["card"] for role in ("accounting", "dealer", "auditor")
    }
    at.do("account", "1000000", "--note", "Opened.", "--card", cards["accounting"])
    at.do("start", "ddm_1", "--chips", "0", "--card", cards["dealer"])
    at.do("end", "ddm_1", "--card", cards["dealer"])
    at.do("account", "100", "--note", "Robbed.", "--card", cards["accounting"])
    sentence = at.refused("account_short", "start", "ddm_1", "--chips", "0", "--card", cards["dealer"])
    assert "WAC 230-15-455" in sentence
    assert at.do("account", "--card", cards["auditor"])["may_play"] is False


# The end of a jackpot.


def test_a_jackpot_ends_and_its_players_money_goes_to_another(at: Terminal) -> None:
    play_dragon(at)
    at.refused("jackpot_in_play", *CLOSE, "--to", "push_22", by="executive")
    take_dragon_off(at)
    at.refused("funds_remain", *CLOSE, by="executive")
    at.refused("bad_heir", *CLOSE, "--to", "dragon", by="executive")
    at.refused("unknown_jackpot", *CLOSE, "--to", "drag", by="executive")
    at.refused("same_person", *CLOSE, "--to", "push_22", by="accounting")
    at.refused("not_allowed", *CLOSE, "--to", "push_22", by="supervisor")
    done = at.do(*CLOSE, "--to", "push_22", "--id", "close", by="executive")
    assert (done["seed"], done["moved"], done["to"], done["second"], done["version"]) == (
        "5000.00",
        "1.04",
        "push_22",
        "demo-accounting",
        3,
    )
    assert at.do(*CLOSE, "--to", "push_22", "--id", "close", by="executive") == done
    assert [one["jackpot"] for one in at.do("meters")["meters"]] == ["push_22"]
    assert at.meter() == "50001.04"
    at.refused("unknown_jackpot", *CLOSE, "--to", "push_22", by="executive")
    assert at.do("verify")["good"]
    assert at.do("report", "reconciliation", by="auditor")["is_good"]


def test_a_jackpot_that_ends_says_so_on_the_screen(at: Terminal) -> None:
    take_dragon_off(at)
    said = at.say(*CLOSE, "--id", "close", by="executive").out
    assert "dragon is closed: $5,000 of seed to the house\n" in said
    assert "countersigned by demo-accounting, id close" in said


def test_awards_of_a_jackpot_that_has_ended_stay_in_the_books(at: Terminal) -> None:
    at.lock("baccarat_1", 1)
    at.do(
        "hit",
        "baccarat_1",
        "--seat",
        "all",
        "--hand",
        "suited_six_cards",
        "--evidence",
        "Player Kd Qd Td, Banker 2d Jd 7d, wagered on banker",
        "--id",
        "won",
    )
    at.do("key", "baccarat_1", "jph", by="supervisor")
    at.do("pay", "won/1", by="executive")
    at.do("key", "baccarat_1", "run", by="supervisor")
    at.do("end", "baccarat_1")
    take_dragon_off(at)
    at.do(*CLOSE, "--to", "push_22", by="executive")
    assert [one["award"] for one in at.do("hits", by="auditor")["lines"]] == ["won/1"]
    assert at.do("report", "win-page", "won/1", by="auditor")["award"] == "won/1"
    assert at.do("report", "achieved", by="auditor")["report"] == "achieved"
    assert at.do("claims", by="auditor")["claims"] == []
    at.refused(
        *("jackpot_closed", "back-out", "won/1", "--note", "x", "--second", "demo-card-accounting"), by="executive"
    )


# A round that is void.


def test_two_people_clear_a_table(at: Terminal) -> None:
    at.refused("not_stuck", "clear", "ddm_1", "--note", "Stuck.", "--second", "demo-card-executive", by="supervisor")
    for table in ("ddm_1", "blackjack_1"):
        at.refused("same_person", "clear", table, "--note", "x", "--second", "demo-card-supervisor", by="supervisor")
    at.refused("not_stuck", "clear", "blackjack_1", "--note", "x", "--second", "demo-card-executive", by="supervisor")
    at.lock("ddm_1", 2)
    cleared = ("clear", "ddm_1", "--note", "Stuck.", "--second", "demo-card-executive", "--id", "clear-it")
    assert at.do(*cleared, by="supervisor") == at.do(*cleared, by="supervisor")
    at.refused("reserved_id", "end", "ddm_1", "--id", "software:ddm_1:1:x")


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
