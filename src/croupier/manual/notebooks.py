"""Notebooks as pages: each is run from its top, and the page has every cell with what it gave."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, Literal

from croupier.errors import SpecError

NOTEBOOKS = Path("examples") / "notebooks"
MADE = "<!-- Made by `make docs` from {path}, whose cells were run for it. Do not edit. -->"


@dataclass(frozen=True, kw_only=True)
class NotebookCell:
    """A cell of a notebook."""

    kind: Literal["markdown", "code"]
    source: str


@dataclass(frozen=True, kw_only=True)
class Output:
    """What a cell of code gave: what it printed, and its last value as a notebook shows that."""

    printed: str = ""
    html: str = ""
    text: str = ""


def read_notebook(path: Path) -> list[NotebookCell]:
    """The cells of a file of Jupyter's."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return [NotebookCell(kind=cell["cell_type"], source="".join(cell["source"])) for cell in cells]
    except (OSError, ValueError, KeyError, TypeError):
        raise SpecError(f"{path} is not a notebook.", code="unreadable_file") from None


def run_cells(cells: list[NotebookCell], folder: Path) -> list[Output]:
    """Runs the cells in this process, in the folder of their notebook; those of words give nothing."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(folder):
        return [_run(cell, names) if cell.kind == "code" else Output() for cell in cells]


def _run(cell: NotebookCell, names: dict[str, Any]) -> Output:
    tree = ast.parse(cell.source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(_compiled(tree), names)
        value: Any = eval(_compiled(ast.Expression(last.value)), names) if isinstance(last, ast.Expr) else None
    html = value._repr_html_() if value is not None and hasattr(value, "_repr_html_") else ""
    return Output(printed=out.getvalue(), html=html, text="" if html or value is None else repr(value))


def _compiled(tree: ast.Module | ast.Expression) -> CodeType:
    mode = "exec" if isinstance(tree, ast.Module) else "eval"
    return compile(ast.fix_missing_locations(tree), "cell", mode)


def notebook_page(path: Path) -> str:
    """Markdown of a notebook that was run."""
    cells = read_notebook(path)
    parts = [MADE.format(path=path.as_posix())]
    for cell, output in zip(cells, run_cells(cells, path.parent), strict=True):
        if cell.kind == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source.rstrip()}\n```")
        said = (output.printed + output.text).rstrip()
        if said:
            parts.append(f"```text\n{said}\n```")
        if output.html:
            parts.append(f"<div>{_one_line(output.html)}</div>")
    parts.append(f"The notebook is `{path.as_posix()}` in the source.")
    return "\n\n".join(parts) + "\n"


def _one_line(html: str) -> str:
    """A blank line would end the block."""
    return " ".join(html.split("\n"))


def notebook_pages() -> dict[str, str]:
    """Every page by its place in the documentation."""
    return {f"notebooks/{path.stem}.md": notebook_page(path) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
