"""Sentences of the program as Markdown."""

from __future__ import annotations

import re


def as_markdown(text: str) -> str:
    """A help text or docstring: a page of this documentation that it names becomes a link, `<` stays what it is.

    >>> as_markdown("See docs/floor.md for <id>, as `<id>`.")
    'See [floor.md](floor.md) for &lt;id>, as `<id>`.'
    """
    parts = " ".join(text.split()).split("`")
    for place in range(0, len(parts), 2):  # what stands between two backticks is code and shown as it is
        plain = parts[place].replace("&", "&amp;").replace("<", "&lt;")
        parts[place] = re.sub(r"docs/([\w-]+\.md)", r"[\1](\1)", plain)
    return "`".join(parts)
