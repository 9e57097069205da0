"""The shapes of reports as `report_data` writes them, made from the reports' own columns."""

from __future__ import annotations

from dataclasses import is_dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, defstruct

from croupier.reports.books.columns import columns_of, holder_of, is_money
from croupier.reports.books.data import NAMES
from croupier.reports.books.period import LedgerReport

_DECIMAL = Meta(extra_json_schema={"format": "decimal"})
_PLAIN: dict[Any, Any] = {datetime: Annotated[datetime, Meta(tz=True)], Fraction: float}


@cache
def shape_of_report(kind: type[LedgerReport]) -> type[Struct]:
    name: Any = Literal[NAMES[kind]]
    return _shape_of(
        kind, f"{kind.__name__}Report", ("report", Annotated[name, Meta(description="Which report it is.")])
    )


@cache
def _part(kind: type) -> type[Struct]:
    return _shape_of(kind, kind.__name__)


def _shape_of(kind: type, name: str, *more: tuple[str, Any]) -> type[Struct]:
    fields = [(key, _type_of_column(*holder_of(kind, path))) for key, path in columns_of(kind).items()]
    return defstruct(name, [*more, *fields], namespace={"__doc__": kind.__doc__}, module=__name__)


def _type_of_column(holder: Any, name: str) -> Any:
    hint = get_type_hints(holder, include_extras=True)[name]
    inner, *words = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if is_money(name):
        text = Annotated[str, _DECIMAL]
        inner = text | None if type(None) in get_args(inner) else text
        words = [Meta(description=" ".join([*(word.description for word in words), "Dollars, to the last millionth."]))]
    plain = _type_of(inner)
    return Annotated[plain, *words] if words else plain


def _type_of(hint: Any) -> Any:
    """The type of a value once it is plain data."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is UnionType:
        return reduce(or_, map(_type_of, parts))
    if origin is tuple:
        return tuple[_type_of(parts[0]), ...]  # type: ignore[misc]
    if isinstance(hint, type) and is_dataclass(hint):
        return _part(hint)
    return _PLAIN.get(hint, hint) if origin is None else hint
