"""What words mean, said once: for the glossary of the documentation, and for the tips of pages."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

_LINK = re.compile(r"\[(.+?)\]\(.+?\)")


@cache
def sections() -> dict[str, dict[str, str]]:
    """Words and their meanings, in Markdown, by what they are about."""
    text = (resources.files("croupier.reports") / "glossary.toml").read_text(encoding="utf-8")
    words: dict[str, dict[str, str]] = tomllib.loads(text)
    return words


@cache
def _meanings() -> dict[str, str]:
    return {
        word.casefold(): _LINK.sub(r"\1", meaning).replace("`", "")
        for words in sections().values()
        for written, meaning in words.items()
        for word in written.split(", ")
    }


def meaning(word: str) -> str:
    """What a word means, in plain text; empty where it is not in the glossary."""
    return _meanings().get(word.casefold(), "")


def glossary_page() -> str:
    """The glossary as a page of the documentation."""
    parts = ["# Glossary\n\nWords of these pages, each in a sentence or two.\n"]
    for title, words in sections().items():
        rows = "".join(f"| {word} | {text} |\n" for word, text in words.items())
        parts.append(f"\n## {title}\n\n| word | meaning |\n|---|---|\n{rows}")
    return "".join(parts)
