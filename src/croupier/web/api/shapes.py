"""Shapes of answers that are made from what the answers are made from: the books' lines, the ledger's events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from pydantic import BaseModel, ConfigDict, Field, create_model

from croupier.jackpot.events import AnyEvent, Prize
from croupier.reports.books.columns import columns_of, holder_of, is_money
from croupier.reports.books.data import NAMES
from croupier.reports.books.period import Report

Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
Dollars = Annotated[str, Field(description="Dollars, to the last millionth.", json_schema_extra={"format": "decimal"})]

_MORE_ALLOWED = ConfigDict(extra="allow")
_PLAIN: Mapping[type, Any] = {datetime: Time, date: Day, Fraction: float}


@cache
def model_of_report(kind: type[Report]) -> type[BaseModel]:
    """A report's shape, as `report_data` writes it."""
    return _model_of(kind, f"{kind.__name__}Report", report=(Literal[NAMES[kind]], ...))


def _model_of_event(kind: type[msgspec.Struct]) -> Any:
    config = kind.__struct_config__
    assert config.tag_field == "event"
    return _model_of(kind, kind.__name__, event=(Literal[config.tag], ...))


@cache
def _part(kind: type) -> type[BaseModel]:
    return _model_of(kind, kind.__name__)


def _model_of(kind: type, name: str, **more: Any) -> type[BaseModel]:
    if is_dataclass(kind):
        found = {key: (_type_of_column(*holder_of(kind, path)), ...) for key, path in columns_of(kind).items()}
    else:
        hints, left_out = get_type_hints(kind, include_extras=True), _left_out(kind)
        found = {
            field.name: (_type_of(hints[field.name]), left_out.get(field.name, ...))
            for field in msgspec.structs.fields(kind)
        }
    return create_model(name, __config__=_MORE_ALLOWED, __doc__=kind.__doc__, **(more | found))


def _type_of_column(holder: Any, name: str) -> Any:
    hint = get_type_hints(holder, include_extras=True)[name]
    return _with_money(hint) if is_money(name) else _type_of(hint)


def _left_out(kind: type) -> dict[str, Any]:
    """What fields mean that an event need not have, so that old entries are as they were."""
    config = getattr(kind, "__struct_config__", None)
    if config is None or not config.omit_defaults:
        return {}
    return {one.name: one.default for one in msgspec.structs.fields(kind) if one.default is not msgspec.NODEFAULT}


def _with_money(hint: Any) -> Any:
    return Dollars | None if type(None) in get_args(hint) else Dollars


def _type_of(hint: Any) -> Any:
    """The type of a value once it is plain data."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct) and hint.__struct_config__.array_like:
        return tuple[*(_type_of(field.type) for field in msgspec.structs.fields(hint))]  # type: ignore[misc]
    if isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, msgspec.Struct)):
        return _part(hint)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is tuple:
        return list[_type_of(parts[0])]  # type: ignore[misc]
    if origin is dict:
        return dict[str, _type_of(parts[1])]  # type: ignore[misc]
    if origin is UnionType:
        return reduce(or_, map(_type_of, parts))
    return hint


EVENT: Any = Annotated[reduce(or_, map(_model_of_event, get_args(AnyEvent))), Field(discriminator="event")]
"""Whichever event an entry of the log has."""
PRIZE: Any = _part(Prize)
"""What every claim says of its award."""
