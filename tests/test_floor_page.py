"""The evening in docs/floor.md, run as it stands: every command prints what the page shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Croupier

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parent.parent / "docs" / "floor.md"
CARD = "card-5kUJ..."
"""In the place of a token that is new each time."""
NEW_EACH_TIME = (
    (r"\b[0-9a-f]{64}\b", "HASH"),
    (r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "ID"),
    (r"\b(\d{4}-\d\d-\d\d|[A-Z][a-z]{2} \d{1,2}, \d{4}) \d\d:\d\d:\d\d(Z| UTC)", "TIME"),
    (r" {2,}", "  "),  # a column is as wide as the day's name
    (r"\b(on|by) (\d{4}-\d\d-\d\d|[A-Z][a-z]{2} \d{1,2}, \d{4})\b", r"\1 DAY"),
    (r"card-5kUJ\.\.\.|\bcard-[\w-]{20,}", "CARD"),
)


def commands() -> Iterator[tuple[str, str]]:
    """Each command of the page with what it prints; empty where the page leaves that out."""
    for block in re.findall(r"^```\n(\$ .*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        for one in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = one.partition("\n")
            yield command, printed


def steady(printed: str) -> list[str]:
    for pattern, name in NEW_EACH_TIME:
        printed = re.sub(pattern, name, printed)
    return [line.rstrip() for line in printed.splitlines()]


def test_every_command_of_the_page_prints_what_the_page_shows(
    croupier: Croupier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CROUPIER_STORE", "CROUPIER_PIN", "CROUPIER_SECOND_PIN", "CROUPIER_NEW_PIN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CROUPIER_CARD", "demo-card-dealer")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    card, run = "", 0
    for command, shown in commands():
        if written := re.fullmatch(r"echo (\d+) > ([\w.]+)", command):
            Path(written[2]).write_text(f"{written[1]}\n", encoding="utf-8")
            continue
        program, *arguments = shlex.split(command.replace(CARD, card or CARD))
        assert program == "croupier"
        said = croupier(*arguments)
        printed = said.out + said.err
        if given := re.search(r"\bcard-[\w-]{20,}", printed):
            card = given[0]
        if shown:
            assert steady(printed) == steady(shown), command
        else:
            assert said.status == 0, (command, said)
        run += 1
    assert run > 35
