"""The worked example of the docs is run as printed: its files are written, its commands run, its figures compared."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Croupier
from tests.helpers import ROOT
from tests.outside import MATCH, TWENTY_ONE

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "own-side-bet.md"
STEP = re.compile(
    r"^Write `(?P<write>[^`]+)`:\n\n```\w+\n(?P<whole>.*?)^```$"
    r"|^Add to `(?P<add>[^`]+)`:\n\n```\w+\n(?P<more>.*?)^```$"
    r"|^Replace `(?P<old>[^`]+)` by `(?P<new>[^`]+)` in `(?P<edit>[^`]+)`:$"
    r"|^```console\n\$ (?P<command>[^\n]+)\n(?P<said>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def steps() -> Iterator[re.Match[str]]:
    return STEP.finditer(PAGE.read_text(encoding="utf-8"))


def test_the_page_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, croupier: Croupier) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    seen = ""
    for step in steps():
        if step["write"]:
            Path(step["write"]).parent.mkdir(exist_ok=True)
            Path(step["write"]).write_text(step["whole"], encoding="utf-8")
        elif step["add"]:
            with Path(step["add"]).open("a", encoding="utf-8") as file:
                file.write(step["more"])
        elif step["edit"]:
            path = Path(step["edit"])
            text = path.read_text(encoding="utf-8")
            assert text.count(step["old"]) == 1
            path.write_text(text.replace(step["old"], step["new"]), encoding="utf-8")
        else:
            seen += _run(step["command"], step["said"], croupier)
    assert Path("21_plus_3.pdf").read_bytes().startswith(b"%PDF")
    for figure in (
        "3.23857%",
        "3.2386%",
        "2.74%",
        "2 published figures: 2 equal.",
        "$50 back",
        "$80 back",
        "4.06182%",
        "say faces=True",
    ):
        assert figure in seen


def _run(command: str, said: str, croupier: Croupier) -> str:
    """Runs a command; what the page shows of its output must be there, line by line and in order, however wide."""
    program, *words = shlex.split(command)
    assert program == "croupier"
    answer = croupier(*words)
    printed = answer.out + answer.err
    lines = iter(" ".join(line.split()) for line in printed.splitlines())
    for line in (" ".join(line.split()) for line in said.splitlines()):
        if line not in ("", "..."):
            assert any(line == other for other in lines), f"{command} does not print {line!r}, but:\n{printed}"
    return said


def test_the_page_and_the_examples_have_the_same_classifiers() -> None:
    written = [step["whole"] for step in steps() if step["write"] and step["write"].endswith(".py")]
    examples = (TWENTY_ONE / "twenty_one_plus_three.py", MATCH / "match_the_dealer.py")
    assert written == [path.read_text(encoding="utf-8") for path in examples]
