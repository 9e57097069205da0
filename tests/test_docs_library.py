"""The examples of docs/library.md and of the interface's docstrings run, and print what they show."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from importlib import import_module
from pathlib import Path

import pytest

import croupier
from croupier.manual.docstring_examples import fenced
from tests.helpers import ROOT

PAGES = ("library.md", "cluster.md")
MODULES = sorted(
    {f"croupier.{place}" for place in croupier._PLACES.values()}
    | {"croupier", "croupier.library.values", "croupier.rules.own_tables"}
)
STABLE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")


def blocks_of(page: str) -> list[tuple[str, str]]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_every_example_of_the_page_runs_and_prints_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed, ran = "", 0
    for language, text in blocks_of(page):
        if language == "text":
            assert text == printed
        elif language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, page, "exec"), names)
            printed = out.getvalue()
            ran += 1
    assert ran >= 2


SLOW_MODULES = ("croupier.library.counting",)
"""Half a minute of exact shoes, which `test_pages_protection` looks at too."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak if name in SLOW_MODULES else ()) for name in MODULES]
)
def test_examples_in_docstrings_hold(name: str) -> None:
    result = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_every_public_name_has_an_example() -> None:
    without = [name for name in croupier.__all__ if ">>>" not in (getattr(croupier, name).__doc__ or "")]
    assert without == ["CroupierError"]


def test_every_public_name_is_loaded_from_where_it_is_said_to_be() -> None:
    assert sorted(croupier._PLACES) == sorted(croupier.__all__) == croupier.__all__
    assert all(getattr(croupier, name).__module__ == f"croupier.{place}" for name, place in croupier._PLACES.items())


def test_examples_are_fenced_for_the_reference() -> None:
    text = "A sum.\n\n>>> 1 + 1\n2\n\nMore.\n\n>>> 2 + 2\n4"
    fences = "A sum.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nMore.\n\n```pycon\n>>> 2 + 2\n4\n```"
    assert fenced(text) == fences
