"""What a field means and what may stand in it, by its type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import inspect as kinds

from croupier.floor.amounts import Micros, amount_text, rate_text
from croupier.manual.sentences import as_markdown
from croupier.pay.words import Pay
from croupier.reports.render.markdown import markdown_table

CUSTOM: dict[type, str] = {
    Micros: "dollars as text",
    Fraction: "a rate as text, `20%` or `0.2`",
    Pay: "a pay as text, `50 to 1`",
}
PLAIN: dict[type, str] = {
    kinds.StrType: "text",
    kinds.BoolType: "`true` or `false`",
    kinds.FloatType: "a number",
    kinds.DateType: "a day",
    kinds.DateTimeType: "a time with its zone",
    kinds.NoneType: "nothing",
}


@dataclass(frozen=True)
class FieldWords:
    """One field as a page shows it."""

    name: str
    accepts: str
    default: str
    sentence: str


def fields_of(struct: type[msgspec.Struct]) -> list[FieldWords]:
    """Every field of a struct, by its name in files."""
    info = kinds.type_info(struct)
    assert isinstance(info, kinds.StructType)
    return [
        FieldWords(
            name=field.encode_name,
            accepts=accepted(field.type),
            default=_default(field),
            sentence=_sentence(field.type),
        )
        for field in info.fields
    ]


def structs_below(struct: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """A struct and those it is made of, each once, in the order in which they are met."""
    structs: list[type[msgspec.Struct]] = []
    waiting = [struct]
    while waiting:
        one = waiting.pop(0)
        if one not in structs:
            structs.append(one)
            info = kinds.type_info(one)
            assert isinstance(info, kinds.StructType)
            waiting += [inner for field in info.fields for inner in _structs_in(field.type)]
    return structs


def fields_table(struct: type[msgspec.Struct]) -> str:
    """Markdown."""
    rows = [
        [f"`{field.name}`", field.accepts, field.default, as_markdown(field.sentence)] for field in fields_of(struct)
    ]
    return markdown_table(["field", "accepts", "if left out", "what it is"], rows)


def accepted(kind: Any) -> str:
    """What may stand there, in words; a struct is a link to its section."""
    match kind:
        case kinds.StructType():
            return f"[{kind.cls.__name__}](#{kind.cls.__name__.lower()})"
        case kinds.LiteralType():
            return ", ".join(f"`{value}`" for value in kind.values if value != "")
        case kinds.UnionType():
            return " or ".join(accepted(member) for member in kind.types if not isinstance(member, kinds.NoneType))
        case kinds.VarTupleType() | kinds.ListType():
            return f"a list, each {accepted(kind.item_type)}"
        case kinds.DictType():
            return f"names, each with {accepted(kind.value_type)}"
        case kinds.IntType():
            return _whole_number(kind)
        case kinds.CustomType():
            return CUSTOM[kind.cls]
        case kinds.Metadata():
            return accepted(kind.type)
    return PLAIN[type(kind)]


def _whole_number(kind: kinds.IntType) -> str:
    if kind.ge is not None and kind.le is not None:
        return f"a whole number, {kind.ge} to {kind.le}"
    return "a whole number" + (f", {kind.ge} or more" if kind.ge is not None else "")


def _structs_in(kind: Any) -> Iterator[type[msgspec.Struct]]:
    match kind:
        case kinds.StructType():
            yield kind.cls
        case kinds.UnionType():
            for member in kind.types:
                yield from _structs_in(member)
        case kinds.VarTupleType() | kinds.ListType():
            yield from _structs_in(kind.item_type)
        case kinds.DictType():
            yield from _structs_in(kind.value_type)
        case kinds.Metadata():
            yield from _structs_in(kind.type)


def _sentence(kind: kinds.Type) -> str:
    described = kind.extra_json_schema if isinstance(kind, kinds.Metadata) else None
    return str((described or {}).get("description", ""))


def _default(field: kinds.Field) -> str:
    if field.required:
        return "must be given"
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    match value:
        case None | "" | () | {} | []:
            return "none"
        case bool():
            return f"`{str(value).lower()}`"
        case Micros():
            return f"`{amount_text(value)}`"
        case Fraction():
            return f"`{rate_text(value)}`"
    return f"`{value}`"
