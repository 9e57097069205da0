"""Text that is HTML already. A small install has no template engine; those that know `__html__` take it as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"})
"""As the template engine of the pages writes them."""


class Markup(str):
    """HTML; plain text that is put into it is escaped.

    >>> Markup("<b>{}</b>").format("1 < 2") + " & more"
    '<b>1 &lt; 2</b> &amp; more'
    """

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)

    def __add__(self, other: str) -> Markup:
        return Markup(str.__add__(self, escape(other)))

    def format(self, *parts: object, **named: object) -> Markup:
        escaped = {name: escape(part) for name, part in named.items()}
        return Markup(str.format(self, *map(escape, parts), **escaped))

    def join(self, parts: Iterable[str]) -> Markup:
        return Markup(str.join(self, map(escape, parts)))


def escape(value: Any) -> Markup:
    """A value as HTML: as it is where it says that it is HTML."""
    return Markup(value.__html__() if hasattr(value, "__html__") else str(value).translate(_ENTITIES))
