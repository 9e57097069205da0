"""The page of every refusal: its stable code, its HTTP status and its sentence, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import croupier
from croupier.errors import CroupierError, UnknownNameError
from croupier.manual.sentences import as_markdown
from croupier.reports.render.markdown import markdown_table
from croupier.web.errors import HTTP_CODES, status_of

MADE = "<!-- Made by `make docs` from the errors of the source. Do not edit. -->"
SOURCE = Path(croupier.__file__).parent
OPEN = "..."
"""Stands in a sentence for what depends on the request."""


class RefusalSite(NamedTuple):
    """One place of the source that refuses something."""

    code: str
    status: int
    sentence: str


def every_refusal() -> list[RefusalSite]:
    """Every code that stands in the source, once, with the first sentence that is not made of parts."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
    for path, tree in trees.items():
        if _defines_errors(tree):  # so that they are known, whatever else this process has imported
            import_module(".".join(path.relative_to(SOURCE.parent).with_suffix("").parts))
    kinds = _kinds(CroupierError)
    refusals: dict[str, RefusalSite] = {}
    for tree in trees.values():
        for refusal in _refusals_in(tree, kinds):
            if refusal.code not in refusals or not refusals[refusal.code].sentence:
                refusals[refusal.code] = refusal
    return sorted(refusals.values())


def refusals_page() -> str:
    """Markdown."""
    of_http = ", ".join(f"`{code}` ({status})" for status, code in HTTP_CODES.items())
    parts = [
        MADE,
        "# Every refusal",
        "Whatever is refused gets a stable code and one sentence that says what was wrong and what would be right. At "
        "the terminal it is `croupier: CODE: SENTENCE` on stderr with exit status 2; over HTTP it is "
        '`{"error": {"code": "CODE", "message": "SENTENCE"}}` with the status below; a page shows the sentence at the '
        "field it is about. Scripts may go by the code: sentences may be written better. Where a code has several "
        f"sentences one of them is here, and `{OPEN}` stands for what depends on the request.",
        f"HTTP itself adds {of_http}, `bad_request` (422) for a body that cannot be read, and `internal` (500) for a "
        "fault of ours. [The floor over HTTP](api.md#errors) says what each status means. Findings of the law have "
        "codes of their own, which are the rules of [the law](law.md).",
        markdown_table(
            ["code", "HTTP", "sentence"],
            [[f"`{refusal.code}`", str(refusal.status), as_markdown(refusal.sentence)] for refusal in every_refusal()],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _defines_errors(tree: ast.Module) -> bool:
    bases = [base for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases]
    return any(ast.unparse(base).endswith("Error") for base in bases)


def _kinds(kind: type[CroupierError]) -> dict[str, type[CroupierError]]:
    """Error classes by name."""
    below = {name: one for inner in kind.__subclasses__() for name, one in _kinds(inner).items()}
    return {kind.__name__: kind} | below


def _refusals_in(tree: ast.Module, kinds: dict[str, type[CroupierError]]) -> Iterator[RefusalSite]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func).rpartition(".")[2]
        if name == "unknown" and node.args and isinstance(node.args[0], ast.Constant):
            thing = str(node.args[0].value)
            code = f"unknown_{thing.replace(' ', '_')}"
            yield _refused(UnknownNameError, code, f'There is no {thing} "{OPEN}". Accepted: {OPEN}.')
        elif name in kinds:
            said = next((word.value for word in node.keywords if word.arg == "code"), None)
            if isinstance(said, ast.Constant) or said is None:
                code = str(said.value) if isinstance(said, ast.Constant) else kinds[name].code
                yield _refused(kinds[name], code, _sentence(node.args[0]) if node.args else "")


def _refused(kind: type[CroupierError], code: str, sentence: str) -> RefusalSite:
    error = kind.__new__(kind)
    error.code = code
    return RefusalSite(code, status_of(error), sentence)


def _sentence(node: ast.expr) -> str:
    """The text of a string with its variable parts left open; nothing where it is put together elsewhere."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if not isinstance(node, ast.JoinedStr):
        return ""
    parts = [str(part.value) if isinstance(part, ast.Constant) else OPEN for part in node.values]
    text = "".join(parts)
    return text if text.strip(OPEN + " ") else ""
