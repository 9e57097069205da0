"""Examples of docstrings as code blocks of the reference: Markdown would read `>>>` as a quotation in three levels."""

from __future__ import annotations

from typing import Any

import griffe


class FencedExamples(griffe.Extension):
    """Puts a fence around each doctest, for mkdocstrings."""

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        """Rewrites the docstring of whatever was read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with its doctests, each up to the next blank line, between fences.

    >>> fenced("A sum.").splitlines()
    ['A sum.']
    """
    lines: list[str] = []
    is_open = False
    for line in text.splitlines():
        if not is_open and line.startswith(">>> "):
            lines.append("```pycon")
            is_open = True
        if is_open and not line.strip():
            lines.append("```")
            is_open = False
        lines.append(line)
    return "\n".join([*lines, "```"] if is_open else lines)
