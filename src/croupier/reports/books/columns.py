"""Which values of a report are shown, in which order and under which names.

Most reports show their fields as they stand. One that holds what others have written down already, such as the event
of a hit, says in `COLUMNS` which of its values it shows, and does not repeat them as fields of its own.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

_MICROS = "micros"


def is_money(name: str) -> bool:
    """Whether a report's field is an amount."""
    return name == _MICROS or name.endswith(f"_{_MICROS}")


def key_of(name: str) -> str:
    """What a report's field is called in its data."""
    return "amount" if name == _MICROS else name.removesuffix(f"_{_MICROS}")


def columns(paths: str) -> dict[str, str]:
    """Where each column's value is, by the column's name: that of the last field on the way, unless `name=` is before
    the way."""
    columns = {}
    for column in paths.split():
        name, _, path = column.rpartition("=")
        columns[name or key_of(path.rpartition(".")[2])] = path
    return columns


def columns_of(kind: type) -> dict[str, str]:
    """The columns of a report or of its lines."""
    declared: dict[str, str] | None = getattr(kind, "COLUMNS", None)
    return {key_of(field.name): field.name for field in fields(kind)} if declared is None else declared


def holder_of(kind: type, path: str) -> tuple[Any, str]:
    """The type that declares a column's value, and the name of the field there."""
    *held, name = path.split(".")
    for part in held:
        kind = get_type_hints(kind)[part]
    return kind, name
