"""Every notebook runs from its top, and its page in the documentation has its cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.errors import SpecError
from croupier.manual.notebooks import NOTEBOOKS, NotebookCell, read_notebook, run_cells
from tests.helpers import ROOT

FILES = sorted((ROOT / NOTEBOOKS).glob("*.ipynb"))
SHOWN_AS_HTML = 10
"""Cells of all notebooks that end in tables or charts, at least."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_a_notebook_runs_and_gives_what_its_page_shows(path: Path) -> None:
    cells = read_notebook(path)
    outputs = run_cells(cells, path.parent)
    page = (ROOT / "docs" / "notebooks" / f"{path.stem}.md").read_text(encoding="utf-8")
    missing = [cell.source for cell in cells if cell.source.rstrip() not in page]
    assert missing == []
    assert any(output.html for output in outputs)
    assert page.count("\n<div><") == sum(bool(output.html) for output in outputs)


def test_every_page_is_of_a_notebook() -> None:
    assert {page.stem for page in (ROOT / "docs" / "notebooks").glob("*.md")} == {path.stem for path in FILES}
    assert len(FILES) >= 6


def test_a_cell_gives_what_it_prints_and_its_last_value(tmp_path: Path) -> None:
    cells = [NotebookCell(kind="code", source="a = 2\nprint('a')"), NotebookCell(kind="code", source="a + 1")]
    assert [(one.printed, one.text) for one in run_cells(cells, tmp_path)] == [("a\n", ""), ("", "3")]


def test_a_file_that_is_no_notebook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.ipynb"
    path.write_text("[]")
    with pytest.raises(SpecError, match="not a notebook"):
        read_notebook(path)
