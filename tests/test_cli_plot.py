"""`croupier plot`: pictures, data and the terminal, and how it says no."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

from croupier.reports.plots.kinds import KINDS
from tests.conftest import Croupier

pytestmark = pytest.mark.slow

OUTCOMES = ("plot", "outcomes", "blackjack", "lucky_lucky")
KEYS = {
    "id",
    "title",
    "x_label",
    "y_label",
    "x_form",
    "y_form",
    "log_x",
    "log_y",
    "x_names",
    "marks",
    "note",
    "lines",
}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (OUTCOMES, ["Lucky Lucky", "200 to 1", "0.001596%", "█"]),
        (("plot", "up-cards", "blackjack"), ["dealer's up card", "-37.2404%", "┆"]),
        (("plot", "decks", "mini_baccarat", "tie"), ["infinite", "14.3596%", "The letter allows 4, 6, 8."]),
        (("plot", "meter-edge", "double_down_madness"), ["break-even: $168,426", "seed: $10,000", "●"]),
        (("plot", "bankroll", "blackjack", "lucky_lucky", "--rounds", "500"), ["500 rounds", "median", "░"]),
        (("plot", "convergence", "blackjack", "lucky_lucky", "--rounds", "1e5"), ["seed 1;", "standard errors"]),
        (("plot", "meter", "double_down_madness", "--years", "256"), ["256 years", "$10,000", "weeks"]),
    ],
)
def test_a_plot_in_the_terminal_has_values_and_method(
    croupier: Croupier, arguments: tuple[str, ...], words: list[str]
) -> None:
    said = croupier(*arguments)
    assert said.status == 0, said.err
    assert [word for word in words if word not in said.out] == []


def test_a_terminal_without_blocks_gets_plain_signs() -> None:
    program = f"import sys; from croupier.cli import main; sys.argv = {['croupier', *OUTCOMES]!r}; main()"
    said = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii:replace"},
        check=True,
    )
    assert b"####" in said.stdout and b"?" * 5 not in said.stdout


def test_json_has_exactly_these_keys(croupier: Croupier) -> None:
    data = json.loads(croupier(*OUTCOMES, "--json").out)
    assert set(data) == KEYS
    assert set(data["lines"][0]) == {"name", "kind", "x", "y", "low", "high"}
    assert sum(data["lines"][0]["y"]) == pytest.approx(1)


def test_pictures_are_written_and_are_the_same_each_time(croupier: Croupier, tmp_path: Path) -> None:
    svg, png = tmp_path / "plot.svg", tmp_path / "plot.png"
    assert croupier(*OUTCOMES, "--svg", str(svg)).out.startswith("wrote ")
    assert croupier(*OUTCOMES, "--png", str(png)).status == 0
    first = svg.read_bytes()
    assert first.startswith(b"<?xml") and png.read_bytes().startswith(b"\x89PNG")
    croupier(*OUTCOMES, "--svg", str(svg))
    assert svg.read_bytes() == first


ONE_OF_EACH = {
    "outcomes": OUTCOMES,
    "up-cards": ("plot", "up-cards", "blackjack"),
    "decks": ("plot", "decks", "mini_baccarat", "tie"),
    "meter-edge": ("plot", "meter-edge", "double_down_madness"),
    "bankroll": ("plot", "bankroll", "blackjack", "lucky_lucky", "--rounds", "100"),
    "convergence": ("plot", "convergence", "blackjack", "lucky_lucky", "--rounds", "4096"),
    "meter": ("plot", "meter", "double_down_madness", "--years", "256"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_a_pdf_has_title_and_note_as_letters_and_is_always_the_same(
    croupier: Croupier, tmp_path: Path, kind: str
) -> None:
    first, second = tmp_path / "first.pdf", tmp_path / "second.PDF"
    for file in (first, second):
        said = croupier(*ONE_OF_EACH[kind], "--pdf", str(file))
        assert (said.status, said.out) == (0, f"wrote {file}\n")
    plot = json.loads(croupier(*ONE_OF_EACH[kind], "--json").out)
    paper = PdfReader(first)
    (page,) = paper.pages
    written = " ".join(page.extract_text().split())
    assert plot["title"] in written and plot["note"] in written
    assert paper.metadata == {"/Title": plot["title"]}  # neither the day nor the program that drew it
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("convergence", "blackjack", "lucky_lucky", "--pay-table", "2", "--decks", "8", "--rounds", "8192"),
            ["Lucky Break®, pay table 2, 8 decks.", ": 8,192 rounds, seed 1;", "% (standard error)"],
        ),
        (
            ("convergence", "blackjack", "lucky_lucky", "--rounds", "5000", "--seed", "7"),
            [": 8,192 rounds (the next multiple of 4,096 from 5,000), seed 7;"],
        ),
        (
            ("meter", "double_down_madness", "--decks", "8", "--years", "512", "--seed", "7"),
            [
                "Double Down Madness™ Blackjack, pay table 1, 8 decks.",
                ": 512 years, random seed 7;",
                "(standard error)",
            ],
        ),
        (
            ("meter", "double_down_madness", "--years", "100"),
            [": 256 years (the next multiple of 256 from 100), random seed 1;", "$1 wager, seed $10,000"],
        ),
        (("decks", "blackjack", "--soft17", "stand"), ["Lucky Break®, soft17 = stand."]),
        (("up-cards", "blackjack", "--soft17", "stand"), ["6 decks, soft17 = stand."]),
    ],
)
def test_a_note_says_rules_effort_seed_and_standard_error(
    croupier: Croupier, arguments: tuple[str, ...], words: list[str]
) -> None:
    note = json.loads(croupier("plot", *arguments, "--json").out)["note"]
    assert [word for word in words if word not in note] == [], note
    shown = " ".join(croupier("plot", *arguments).out.split())
    assert note in shown


def test_the_standard_error_of_a_meter_shrinks_with_the_years(croupier: Croupier) -> None:
    def error(years: str) -> float:
        note = json.loads(croupier("plot", "meter", "double_down_madness", "--years", years, "--json").out)["note"]
        found = re.search(r"median at the end \$[\d,]+ \+- \$([\d,.]+) \(standard error\)", note)
        assert found, note
        return float(found[1].replace(",", ""))

    assert error("1024") / error("102400") == pytest.approx(10, rel=0.25)


@pytest.mark.parametrize("kind", ["meter", "meter-edge"])
def test_a_game_without_a_meter_says_so_as_croupier_meter_does(croupier: Croupier, kind: str) -> None:
    said = croupier("plot", kind, "blackjack").err
    assert said == "croupier: not_progressive: blackjack has no wager with a meter.\n"
    assert said == croupier("meter", "blackjack").err


def test_the_seed_decides_a_simulation(croupier: Croupier) -> None:
    wanted = ("plot", "convergence", "blackjack", "lucky_lucky", "--rounds", "50000", "--json")
    assert croupier(*wanted).out == croupier(*wanted, "--seed", "1").out != croupier(*wanted, "--seed", "2").out


def test_rules_asked_for_are_those_of_the_plot(croupier: Croupier) -> None:
    usual = json.loads(croupier("plot", "decks", "blackjack", "main", "--json").out)
    stands = json.loads(croupier("plot", "decks", "blackjack", "main", "--soft17", "stand", "--json").out)
    assert stands["lines"][0]["y"][5] < usual["lines"][0]["y"][5]


REFUSED = {
    "an unknown plot": (("plot", "pie", "blackjack"), "unknown_plot"),
    "an unknown game": (("plot", "decks", "blackjak"), "unknown_game"),
    "an unknown wager": (("plot", "decks", "blackjack", "luck"), "unknown_wager"),
    "up cards of baccarat": (("plot", "up-cards", "mini_baccarat"), "no_up_cards"),
    "a meter of no progressive": (("plot", "meter-edge", "blackjack", "main"), "not_progressive"),
    "a game without a meter": (("plot", "meter", "blackjack"), "not_progressive"),
    "insurance simulated": (("plot", "convergence", "blackjack", "insurance"), "no_plot"),
    "an endless shoe simulated": (("plot", "convergence", "blackjack", "--decks", "inf"), "bad_decks"),
    "a side that is not played": (
        (
            "plot",
            "convergence",
            "mini_baccarat",
            "dragon_bonus_progressive",
            "--set",
            "counts=own_side",
            "--side",
            "banker",
        ),
        "no_side",
    ),
    "rounds of a plot without": ((*OUTCOMES, "--rounds", "10"), "bad_option"),
    "years of a plot without": ((*OUTCOMES, "--years", "10"), "bad_option"),
    "a seed of an exact plot": ((*OUTCOMES, "--seed", "2"), "bad_option"),
    "a meter's settings for up cards": (("plot", "up-cards", "blackjack", "--seed-amount", "10"), "bad_option"),
    "a meter's settings for a plain bet": ((*OUTCOMES, "--seed-amount", "10"), "not_progressive"),
    "no number of rounds": (("plot", "bankroll", "blackjack", "--rounds", "many"), "bad_rounds"),
    "too many rounds": (("plot", "bankroll", "blackjack", "--rounds", "1e9"), "bad_rounds"),
    "no rounds": (("plot", "convergence", "blackjack", "--rounds", "0"), "bad_rounds"),
    "a negative seed": (("plot", "convergence", "blackjack", "--seed", "-1"), "bad_seed"),
    "a picture of another kind": ((*OUTCOMES, "--svg", "plot.png"), "bad_path"),
    "a picture in no folder": ((*OUTCOMES, "--png", "nowhere/plot.png"), "bad_path"),
    "a page of another kind": ((*OUTCOMES, "--pdf", "plot.svg"), "bad_path"),
    "a page in no folder": ((*OUTCOMES, "--pdf", "nowhere/plot.pdf"), "bad_path"),
    "a page and a picture": ((*OUTCOMES, "--pdf", "plot.pdf", "--svg", "plot.svg"), "one_form"),
    "a page and data": ((*OUTCOMES, "--pdf", "plot.pdf", "--json"), "one_form"),
    "two forms": ((*OUTCOMES, "--png", "plot.png", "--json"), "one_form"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_bad_input_is_refused_in_a_sentence_and_nothing_is_written(
    croupier: Croupier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    arguments, code = REFUSED[what]
    monkeypatch.chdir(tmp_path)
    said = croupier(*arguments)
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(f"croupier: {code}: ") and said.err.strip().endswith(".")
    assert list(tmp_path.iterdir()) == []


def test_the_help_and_the_docs_name_every_kind(croupier: Croupier) -> None:
    shown = " ".join(croupier("plot", "--help").out.replace("│", " ").split())
    docs = Path("docs/plots.md").read_text(encoding="utf-8")
    assert [kind for kind in KINDS if kind not in shown or f"`{kind}`" not in docs] == []
