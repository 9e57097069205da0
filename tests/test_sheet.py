"""Odds sheets: every form carries the same figures, and wrong questions get an answer before anything is written."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from croupier import __version__
from croupier.exact.odds import MeterWish
from croupier.reports.sheet.data import odds_sheet_data, sheets_csv
from croupier.reports.sheet.files import sheet_pdf
from croupier.reports.sheet.fill import make_sheet
from croupier.reports.sheet.model import Sheet, spec_hash
from croupier.rules import find_game
from croupier.rules.choice import choose
from tests.conftest import Croupier
from tests.helpers import ROOT

pytestmark = pytest.mark.slow

PUSH = ("double_down_madness", "push_22_progressive")
ONE_OF_EACH_KIND = [
    PUSH,
    ("blackjack", "main"),
    ("double_down_madness", "main"),
    ("blackjack", "insurance"),
    ("blackjack", "lucky_break"),
    ("mini_baccarat", "banker"),
    ("mini_baccarat", "dragon_bonus_progressive"),
]


def sheet_of(game: str, wager: str, wish: MeterWish | None = None, **settings: str) -> Sheet:
    return make_sheet(choose(find_game(game), wager, settings=settings), wish)


def pdf_text(content: bytes) -> str:
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]
    return " ".join(" ".join(pages).split())


def in_one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(("game", "wager"), ONE_OF_EACH_KIND)
def test_rows_sum_to_one_exactly_and_returns_to_the_edge(game: str, wager: str) -> None:
    sheet = sheet_of(game, wager)
    assert sum(row.probability for row in sheet.rows) == 1
    assert -float(sheet.returned) == pytest.approx(sheet.figure("edge").value, abs=1e-12)
    if sheet.denominator is not None:
        for row in sheet.rows:
            assert row.probability == Fraction(row.combinations or 0, sheet.denominator)


def test_rows_that_do_not_sum_to_one_are_no_sheet() -> None:
    sheet = sheet_of("blackjack", "insurance")
    with pytest.raises(AssertionError, match="sum to one"):
        replace(sheet, rows=sheet.rows[:-1])


@pytest.mark.parametrize(("game", "wager"), ONE_OF_EACH_KIND)
def test_json_csv_and_pdf_carry_the_same_figures(game: str, wager: str) -> None:
    sheet = sheet_of(game, wager)
    data = odds_sheet_data(sheet)
    lines = list(csv.DictReader(io.StringIO(sheets_csv([sheet]))))
    paper = pdf_text(sheet_pdf(sheet))
    for section in ("head", "figures", "edge_parts", "progressive"):
        figures = getattr(sheet, section)
        listed = {line["name"]: line for line in lines if line["section"] == section}
        assert data[section].keys() == listed.keys() == {figure.id for figure in figures}
        for figure in figures:
            assert str(data[section][figure.id]) == listed[figure.id]["value"]
            iso = figure.value.isoformat() if isinstance(figure.value, date) else None
            assert listed[figure.id]["text"] == (iso or figure.text)
            assert in_one_line(f"{figure.label} {figure.text}") in paper
    rows = [line for line in lines if line["section"] == "rows"]
    for row, listed_row in zip(data["rows"], rows, strict=True):
        for key in ("pays", "combinations", "probability", "return"):
            assert str(row.get(key, "")) == listed_row[key]
        assert in_one_line(f"{row['label']} {row['pays']}") in paper
        assert "combinations" not in row or f"{row['combinations']:,}" in paper
    for table in sheet.tables:
        cells = {(line["name"], line["column"]): line["value"] for line in lines if line["section"] == table.id}
        for name, values in data["tables"].get(table.id, {"rows": {}})["rows"].items():
            assert [cells[name, column] for column in table.labels[1:]] == [str(value) for value in values]
        for texts in table.texts:
            assert in_one_line(" ".join(texts)) in paper


def test_the_sheet_of_push_22_progressive_explains_its_printed_edge() -> None:
    sheet = sheet_of(*PUSH)
    paper = pdf_text(sheet_pdf(sheet))
    for words in (
        "Fixed pays from the tray 63.36443% 50 x 0.0033202 + 15 x 0.0116587 + 5 x 0.0585506",
        "Contribution to the meter 20.00000%",
        "Seed put up by the house 1.67321% $10,000 for a wager of $1, once in 597,653 wagers",
        "House edge 14.96236% 100% less all of these",
        "14.94% 14.9624% -0.0224% within simulation error (z -0.5 at 1e8 rounds)",
        "7.35% 7.3536% -0.0036% equal",
        "The letter prints neither seed nor contribution",
        "206,042,314,390,882,917,468,104,263,680,000",
    ):
        assert words in paper
    *parts, edge = (Fraction(str(figure.value)) for figure in sheet.edge_parts)
    assert float(1 - sum(parts)) == pytest.approx(float(edge), abs=1e-12)


@pytest.mark.parametrize(
    ("game", "wager", "pay_table", "decks", "figure", "printed"),
    [
        ("double_down_madness", "push_22", "1", None, "edge", "5.85"),
        ("blackjack", "lucky_lucky", "2", "8", "edge", "9.88"),
        ("mini_baccarat", "dragon_bonus_player", "1", None, "edge", "2.65"),
        ("double_down_madness", "push_22_progressive", "4", None, "hit_frequency", "7.35"),
    ],
)
def test_published_figures_come_out_to_the_printed_digit(
    game: str, wager: str, pay_table: str, decks: str | None, figure: str, printed: str
) -> None:
    sheet = make_sheet(choose(find_game(game), wager, pay_table=pay_table, decks=decks), effects=False)
    assert f"{100 * float(str(sheet.figure(figure).value)):.2f}" == printed
    assert (f"{printed}%", "equal") in [(one.fact.printed, one.verdict) for one in sheet.published]


def test_the_head_names_letter_hash_and_program() -> None:
    sheet = sheet_of(*PUSH)
    values = {figure.id: figure.value for figure in sheet.head}
    assert values["letter"] == "000"
    assert str(values["letter_date"]) == values["rules_version"] == "2025-02-11"
    assert values["program_version"] == __version__
    assert values["spec_sha256"] == spec_hash(sheet.choice.game)


def test_the_hash_changes_with_a_pay_and_not_with_the_files_layout(tmp_path: Path) -> None:
    source = (ROOT / "src" / "croupier" / "games" / "blackjack" / "game.toml").read_text(encoding="utf-8")
    hashes = []
    for number, text in enumerate((source, "# a comment\n" + source, source.replace("200 to 1", "201 to 1", 1))):
        path = tmp_path / f"{number}.toml"
        path.write_text(text, encoding="utf-8")
        hashes.append(spec_hash(find_game(str(path))))
    assert hashes[0] == hashes[1] == spec_hash(find_game("blackjack"))
    assert hashes[2] != hashes[0]


def test_a_pdf_is_the_same_to_the_byte_each_time() -> None:
    assert sheet_pdf(sheet_of("blackjack", "insurance")) == sheet_pdf(sheet_of("blackjack", "insurance"))


def test_a_meter_that_pays_everything_says_whether_it_runs_dry() -> None:
    never, always, seldom = (
        sheet_of(*PUSH, wish, fixed_pays=source).figure("runs_dry")
        for source, wish in (
            ("tray", None),
            ("meter", None),
            ("meter", MeterWish(contribution=Fraction(7, 10), seed=1_000_000_000)),
        )
    )
    assert (never.text, always.text) == ("never", "always")
    assert "simulated with 3 wagers in each round, 1,024 years, seed 1" in seldom.detail
    assert isinstance(seldom.value, float)
    assert 0 < seldom.value < 1


def test_played_wagers_have_charts_and_the_dealers_outcomes() -> None:
    tables = {table.id: table for table in sheet_of("blackjack", "main").tables}
    assert {"chart_hard", "chart_soft", "chart_pair", "dealer", "by_up_card", "effects", "hold"} <= tables.keys()
    sixteen = next(texts for texts in tables["chart_hard"].texts if texts[0] == "16")
    assert sixteen[tables["chart_hard"].labels.index("7")] == "H"
    assert tables["dealer"].labels[-2:] == ["bust", "blackjack"]
    madness = {table.id: table for table in sheet_of("double_down_madness", "main").tables}
    assert madness["dealer"].labels[-3:] == ["22", "23-26", "blackjack"]


def test_a_booklet_has_every_wager_with_the_main_one_first(croupier: Croupier, tmp_path: Path) -> None:
    arguments = ("sheet", "double_down_madness", "--pay-table", "push_22=2", "--no-effects")
    data = json.loads(croupier(*arguments, "--json").out)
    heads = {sheet["head"]["wager"]: sheet["head"]["pay_table"] for sheet in data["sheets"]}
    assert heads == {"main": "1", "insurance": "1", "push_22": "2", "push_22_progressive": "1"}
    assert next(iter(heads)) == "main"
    path = tmp_path / "booklet.pdf"
    assert croupier(*arguments, "--pdf", str(path)).status == 0
    paper = pdf_text(path.read_bytes())
    for sheet in data["sheets"]:
        assert f"{100 * sheet['figures']['edge']:.5f}%" in paper


def test_the_terminal_shows_what_the_paper_shows(croupier: Croupier) -> None:
    said = croupier("sheet", *PUSH)
    assert (said.status, said.err) == (0, "")
    for words in (
        "14.96236%",
        "Where the edge comes from",
        "$168,425.78",
        "206,042,314,390,882,917,468,104,263,680,000",
    ):
        assert words in said.out


def test_a_file_is_written_over_whole(croupier: Croupier, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("older")
    said = croupier("sheet", "blackjack", "insurance", "--csv", str(path))
    assert (said.status, said.out) == (0, f"wrote {path}\n")
    assert path.read_text(encoding="utf-8").startswith("wager,section,")
    assert [file.name for file in tmp_path.iterdir()] == ["sheet.csv"]


def test_a_label_like_a_formula_is_text_in_a_spreadsheet() -> None:
    sheet = sheet_of("blackjack", "insurance")
    rows = (replace(sheet.rows[0], label="=1+1"), *sheet.rows[1:])
    assert ",'=1+1\n" in sheets_csv([replace(sheet, rows=rows)])


REFUSED: dict[str, tuple[list[str], str]] = {
    "game": (["nosuch", "main"], "unknown_game"),
    "wager": (["blackjack", "nosuch"], "unknown_wager"),
    "pay table": (["blackjack", "lucky_lucky", "--pay-table", "9"], "unknown_pay_table"),
    "pay table of another wager": (["blackjack", "lucky_lucky", "--pay-table", "main=1"], "unknown_pay_table"),
    "pay table twice": (["blackjack", "lucky_lucky", "--pay-table", "1", "--pay-table", "2"], "bad_pay_table"),
    "pay table of a booklet": (["blackjack", "--pay-table", "1"], "bad_pay_table"),
    "wager of a booklet's pay table": (["blackjack", "--pay-table", "nosuch=1"], "unknown_wager"),
    "switch": (["mini_baccarat", "banker", "--set", "surrender=late"], "unknown_switch"),
    "switch of a booklet": (["mini_baccarat", "--set", "surrender=late"], "unknown_switch"),
    "decks": (["blackjack", "main", "--decks", "0"], "bad_decks"),
    "meter": (["blackjack", "lucky_lucky", "--seed", "100"], "not_progressive"),
    "meter of a booklet": (["double_down_madness", "--seed", "100"], "which_wager"),
    "two files": (["blackjack", "insurance", "--csv", "FOLDER/a.csv", "--pdf", "FOLDER/a.pdf"], "one_form"),
    "file and JSON": (["blackjack", "insurance", "--pdf", "FOLDER/a.pdf", "--json"], "one_form"),
    "ending": (["blackjack", "insurance", "--pdf", "FOLDER/a.txt"], "bad_path"),
    "no folder": (["blackjack", "insurance", "--pdf", "FOLDER/none/a.pdf"], "bad_path"),
    "a folder": (["blackjack", "insurance", "--pdf", "FOLDER/folder.pdf"], "bad_path"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_and_nothing_is_written(case: str, croupier: Croupier, tmp_path: Path) -> None:
    arguments, code = REFUSED[case]
    (tmp_path / "folder.pdf").mkdir()
    said = croupier("sheet", *(word.replace("FOLDER", str(tmp_path)) for word in arguments))
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(f"croupier: {code}: ")
    assert [file.name for file in tmp_path.iterdir()] == ["folder.pdf"]


def test_a_disk_that_refuses_leaves_the_older_file(
    croupier: Croupier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("older")

    def full(*_arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    said = croupier("sheet", "blackjack", "insurance", "--csv", str(path))
    assert (said.status, said.out) == (2, "")
    assert "bad_path" in said.err
    assert "No space left" in said.err
    assert path.read_text() == "older"
    assert [file.name for file in tmp_path.iterdir()] == ["sheet.csv"]


def test_a_sheet_shows_both_readings_of_a_letter_that_contradicts_itself() -> None:
    data = odds_sheet_data(sheet_of("mini_baccarat", "dragon_bonus_progressive"))
    rows = data["tables"]["contradiction"]["rows"]
    assert rows["by the text"][0] == "counts = own_side, naturals_count = no"
    assert [round(100 * edge, 2) for edge in rows["by the text"][1:]] == [68.14, 73.3]
    assert [round(100 * edge, 2) for edge in rows["by the figures"][1:]] == [33.45, 33.45]
    assert "contradiction" not in odds_sheet_data(sheet_of("mini_baccarat", "dragon_bonus_player"))["tables"]
    other = sheet_of("mini_baccarat", "dragon_bonus_progressive", counts="either_side")
    assert any("by the letter's figures; by its text it is own_side" in note for note in other.notes)
