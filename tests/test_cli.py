"""The command line: what it prints, and how it says no."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from croupier import __version__
from croupier.cli import bench
from croupier.rules import game_ids
from tests.conftest import Croupier

LUCKY = ("odds", "blackjack", "lucky_lucky")
PUSH = ("odds", "double_down_madness", "push_22")
PROGRESSIVE = ("odds", "double_down_madness", "push_22_progressive")
BONUS = ("odds", "mini_baccarat", "dragon_bonus_player")
DRAGON = ("odds", "mini_baccarat", "dragon_bonus_progressive")

PLAIN_KEYS = {
    "game",
    "wager",
    "pay_table",
    "decks",
    "rules",
    "rules_version",
    "method",
    "notes",
    "edge",
    "edge_exact",
    "hit_frequency",
    "standard_deviation",
    "denominator",
    "rows",
    "published",
}
JACKPOT_KEYS = {
    "stake",
    "seed",
    "contribution",
    "reserve",
    "fixed_return",
    "top_probability",
    "average_top",
    "break_even_meter",
    "rounds_between_awards",
    "rows_valued_at_meter",
}


def test_a_jackpots_seed_has_one_name_and_the_other_one_is_explained(croupier: Croupier) -> None:
    wanted = croupier(*PROGRESSIVE, "--seed-amount", "20000", "--json")
    former = croupier(*PROGRESSIVE, "--seed", "20000", "--json")
    assert wanted.status == former.status == 0
    assert wanted.out == former.out
    assert wanted.err == ""
    assert "the jackpot's seed in dollars" in former.err and "--seed-amount" in former.err


def test_json_of_a_plain_wager_has_exactly_these_keys(croupier: Croupier) -> None:
    data = json.loads(croupier(*LUCKY, "--json").out)
    assert set(data) == PLAIN_KEYS
    assert {key for row in data["rows"] for key in row} == {
        "row",
        "label",
        "pays",
        "combinations",
        "probability",
        "return",
    }
    assert sum(row["combinations"] for row in data["rows"]) == data["denominator"] == 5013320
    assert data["edge"] == pytest.approx(-sum(row["return"] for row in data["rows"]))


def test_json_of_a_progressive_has_exactly_these_keys(croupier: Croupier) -> None:
    assert set(json.loads(croupier(*PROGRESSIVE, "--json").out)) == PLAIN_KEYS | JACKPOT_KEYS
    at_meter = json.loads(croupier(*DRAGON, "--pay-table", "2", "--meter", "$100,000", "--json").out)
    assert set(at_meter) == PLAIN_KEYS | JACKPOT_KEYS | {"side", "meter", "edge_at_meter"}
    assert at_meter["meter"] == "100000.00"


def test_the_sheet_for_people_shows_the_edge_and_the_printed_figure(croupier: Croupier) -> None:
    said = croupier(*PUSH)
    assert (said.status, said.err) == (0, "")
    assert "house edge" in said.out
    assert "5.85%" in said.out


# Name of the case: arguments and the code on stderr. FILE stands for a malformed file, MISSING for none.
BAD = {
    "unknown game": (("odds", "blackjak", "main"), "unknown_game"),
    "unknown game to check": (("check", "--game", "poker"), "unknown_game"),
    "unknown wager": (("odds", "blackjack", "lucky_luck"), "unknown_wager"),
    "unknown pay table": ((*LUCKY, "--pay-table", "9"), "unknown_pay_table"),
    "unknown switch": ((*LUCKY, "--set", "color=red"), "unknown_switch"),
    "unknown switch value": ((*PUSH, "--set", "soft17=sit"), "unknown_value"),
    "malformed setting": ((*LUCKY, "--set", "soft17"), "bad_setting"),
    "unknown side": ((*DRAGON, "--side", "dealer"), "unknown_side"),
    "side of a wager without sides": ((*LUCKY, "--side", "player"), "no_side"),
    "no decks": ((*LUCKY, "--decks", "0"), "bad_decks"),
    "nine decks": ((*LUCKY, "--decks", "9"), "bad_decks"),
    "negative decks": ((*LUCKY, "--decks", "-1"), "bad_decks"),
    "decks in words": ((*LUCKY, "--decks", "six"), "bad_decks"),
    "negative money": ((*PROGRESSIVE, "--seed", "-5"), "negative_amount"),
    "absurd money": ((*PROGRESSIVE, "--meter", "99999999999"), "absurd_amount"),
    "money in words": ((*PROGRESSIVE, "--seed", "lots"), "bad_amount"),
    "rate above one": ((*PROGRESSIVE, "--contribution", "1.5"), "bad_rate"),
    "rates above one together": ((*PROGRESSIVE, "--contribution", "60%", "--reserve", "0.5"), "bad_rate"),
    "seed without a meter": ((*LUCKY, "--seed", "100"), "not_progressive"),
    "soft 17 in baccarat": ((*DRAGON, "--soft17", "hit"), "unknown_switch"),
    "malformed file": (("odds", "FILE", "main"), "malformed_toml"),
    "missing file": (("odds", "MISSING", "main"), "unreadable_file"),
    "a meter for a main wager": (("odds", "blackjack", "main", "--seed", "100"), "not_progressive"),
    "strategy of baccarat": (("strategy", "mini_baccarat"), "not_computed"),
    "strategy of no game": (("strategy", "blackjak"), "unknown_game"),
    "strategy with another wager's pay table": (
        ("strategy", "blackjack", "--pay-table", "lucky_lucky=1"),
        "bad_pay_table",
    ),
    "strategy with an unknown pay table": (("strategy", "blackjack", "--pay-table", "main=9"), "unknown_pay_table"),
    "strategy with an unknown switch": (("strategy", "blackjack", "--set", "surender=late"), "unknown_switch"),
    "strategy with nine decks": (("strategy", "blackjack", "--decks", "9"), "bad_decks"),
    "a limit without a wager": (("strategy", "double_down_madness", "--limit", "300"), "bad_limit"),
    "a wager over the limit": (("strategy", "double_down_madness", "--wager", "1000"), "over_legal_limit"),
    "a shuffle that the letter does not have": (
        ("play", "double_barrel", "--shuffle", "fresh", "--seat", "main=10"),
        "unknown_shuffle",
    ),
    "a limit where doubles are single": (("strategy", "blackjack", "--wager", "10"), "no_limit"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["table", "json"])
def test_bad_input_gets_one_line_with_its_code_and_status_2(
    case: str, form: tuple[str, ...], croupier: Croupier, tmp_path: Path
) -> None:
    arguments, code = BAD[case]
    malformed = tmp_path / "bad.toml"
    malformed.write_text("id = ", encoding="utf-8")
    paths = {"FILE": str(malformed), "MISSING": str(tmp_path / "none.toml")}
    said = croupier(*(paths.get(argument, argument) for argument in arguments), *form)
    assert said.status == 2
    assert said.out == ""
    assert said.err.startswith(f"croupier: {code}: ")
    assert said.err.count("\n") == 1
    assert said.err.endswith("\n")
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("odds", "blackjak", "main"), "blackjack"),
        (("odds", "blackjack", "lucky_luck"), "lucky_lucky"),
        ((*PUSH, "--set", "soft_17=hit"), "soft17"),
        ((*PUSH, "--soft17", "stands"), "stand"),
    ],
)
def test_a_near_miss_is_answered_with_the_nearest_match(
    arguments: tuple[str, ...], meant: str, croupier: Croupier
) -> None:
    assert f'Did you mean "{meant}"?' in croupier(*arguments).err


def test_a_verb_that_does_not_exist_is_answered_in_whole_sentences(croupier: Croupier) -> None:
    assert "No such command 'shet'. Did you mean 'sheet'? See " in croupier("shet").err


@pytest.mark.parametrize("arguments", [(*PUSH, "--decks", "2"), (*BONUS, "--decks", "1"), (*PUSH, "--soft17", "stand")])
def test_leaving_the_letter_is_computed_and_noted(arguments: tuple[str, ...], croupier: Croupier) -> None:
    said = croupier(*arguments, "--json")
    data = json.loads(said.out)
    assert said.status == 0
    assert any("not in the letter" in note for note in data["notes"])
    assert data["published"] == []
    assert "not in the letter" in croupier(*arguments).out


def test_a_script_is_noted_on_the_wagers_that_it_makes(croupier: Croupier) -> None:
    def notes(stakes: str) -> list[str]:
        out = croupier("play", "double_barrel", "--decks", "3", "--seat", stakes, "--json").out
        found: list[str] = json.loads(out)["notes"]
        return found

    (main,) = notes("main=10")
    assert main.startswith("3 decks: not in the letter") and "(Main wagers, pay table 1" in main
    both = notes("main=10 bonus=5")
    assert len(both) == 2 and both[1].endswith("(3-card bonus, pay table 1)")


def test_decks_of_the_letter_are_not_noted(croupier: Croupier) -> None:
    assert json.loads(croupier(*PUSH, "--decks", "8", "--json").out)["notes"] == []


@pytest.mark.parametrize(("given", "meant"), [("true", "yes"), ("false", "no"), ("YES", "yes"), ("off", "no")])
def test_yes_no_switches_take_true_and_false(given: str, meant: str, croupier: Croupier) -> None:
    said = croupier(*DRAGON, "--pay-table", "2", "--set", f"naturals_count={given}", "--json")
    assert json.loads(said.out)["rules"]["naturals_count"] == meant


def test_the_catalog_lists_every_game(croupier: Croupier) -> None:
    listed = json.loads(croupier("games", "--json").out)
    shown = croupier("games").out
    assert len(listed) >= 5
    assert all(game["id"] in shown for game in listed)


def test_the_version_is_the_packages(croupier: Croupier) -> None:
    assert croupier("--version").out == f"croupier {__version__}\n"


def test_the_installed_command_shows_its_help() -> None:
    command = Path(sys.executable).parent / "croupier"
    said = subprocess.run([command, "--help"], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    assert "odds" in said.stdout


def test_help_loads_neither_numpy_nor_numba() -> None:
    program = """
import sys
from croupier.cli import main
sys.argv = ["croupier", "--help"]
try:
    main()
finally:
    sys.stderr.write(" ".join(sorted({"numpy", "numba"} & set(sys.modules))))
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "odds" in said.stdout
    assert (said.returncode, said.stderr) == (0, "")


def test_a_bench_that_is_interrupted_keeps_the_lines_it_has_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    speeds = iter([2e6])
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    monkeypatch.setattr(bench, "run_chunks", lambda *_: None)
    monkeypatch.setattr(bench, "_rounds_per_second", lambda *_: next(speeds))
    with pytest.raises(StopIteration):
        bench.show_speeds(as_json=False)
    heading, first = capsys.readouterr().out.splitlines()
    assert heading.startswith(bench.TITLE)
    assert first.split() == [game_ids()[0], "2.00", "2.00", "1.00"]
