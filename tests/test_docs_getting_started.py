"""The commands of docs/getting-started.md run, in their order, and print what the page shows."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from croupier.cli import main
from croupier.web.pages.rights import PAGES
from tests.helpers import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "getting-started.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
SET_UP = ('export PATH="$PWD/.venv/bin:$PATH"', "sudo apt-get install python3 python3-venv make")
"""Lines for a fresh machine, which a test does not change."""


def run(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """One line of the page as the shell would run it, in this process: a start each would take a minute."""
    words = shlex.split(line)
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as stopped:
        main()
    said = capsys.readouterr()
    assert (line, stopped.value.code or 0, said.err) == (line, 0, "")
    return said.out


def test_every_command_of_the_page_runs_and_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    printed = ""
    ran = 0
    for language, text in BLOCKS:
        lines = [line.rstrip() for line in text.splitlines() if line]
        if language == "text":
            shown = [line.split() for line in printed.splitlines()]
            missing = [line for line in lines if line.split() not in shown]
            assert missing == [], printed
            continue
        assert language == "sh"
        for line in lines:
            if line.startswith("croupier "):
                printed = run(line, monkeypatch, capsys)
                ran += 1
            elif line.startswith("export CROUPIER_"):
                name, _, value = line.removeprefix("export ").partition("=")
                monkeypatch.setenv(name, value)
            elif line.startswith("make "):
                assert re.search(rf"^{line.removeprefix('make ')}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
            else:
                assert line in SET_UP
    assert ran > 15
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")


def test_every_page_it_leads_to_is_served() -> None:
    addresses = re.findall(r"`(/[\w/]*)`", PAGE)
    served = [re.sub(r"\{.*?\}", "[^/]+", row.removeprefix("GET ")) for row in PAGES if row.startswith("GET ")]
    assert len(addresses) > 8
    assert [one for one in addresses if not any(re.fullmatch(route, one) for route in served)] == []


def test_a_line_that_is_not_printed_would_be_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert "House edge per initial bet  5.85394%" not in run(
        "croupier odds double_down_madness push_22 --soft17 stand", monkeypatch, capsys
    )
