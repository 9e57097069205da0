"""Fixtures for all tests."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from croupier.cli import main


@dataclass(frozen=True)
class Said:
    """What a command left behind."""

    status: int
    out: str
    err: str


Croupier = Callable[..., Said]


@pytest.fixture
def croupier(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Croupier:
    """Runs the `croupier` command in this process."""

    def run(*arguments: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["croupier", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        status = left.value.code
        assert status is None or isinstance(status, int)
        return Said(status or 0, out, err)

    return run
