"""What a field means, from the sentence below it in the source, and what may stand in it, from its type."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import inspect as kinds

from croupier.floor.words import Micros, amount_text, rate_text
from croupier.manual.words import as_markdown
from croupier.pay.words import Pay
from croupier.reports.documentation.document import markdown_table

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


def sentences_of(struct: type) -> dict[str, str]:
    """The string below each field of a class and of those it is made from, which Python itself forgets."""
    found: dict[str, str] = {}
    for one in reversed(struct.__mro__):
        if one.__module__.startswith("croupier."):
            found |= _own_sentences(one)
    return found


def _own_sentences(struct: type) -> dict[str, str]:
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(struct))).body
    assert isinstance(body, ast.ClassDef)
    found = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            text = " ".join(str(below.value.value).split())
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                found[field.target.id] = text
    return found


def fields_of(struct: type[msgspec.Struct]) -> list[FieldWords]:
    """Every field of a struct, by its name in files."""
    sentences = sentences_of(struct)
    info = kinds.type_info(struct)
    assert isinstance(info, kinds.StructType)
    return [
        FieldWords(
            name=field.encode_name,
            accepts=accepted(field.type),
            default=_default(field),
            sentence=sentences.get(field.name, ""),
        )
        for field in info.fields
    ]


def structs_below(struct: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """A struct and those it is made of, each once, in the order in which they are met."""
    found: list[type[msgspec.Struct]] = []
    waiting = [struct]
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found.append(one)
            info = kinds.type_info(one)
            assert isinstance(info, kinds.StructType)
            waiting += [inner for field in info.fields for inner in _structs_in(field.type)]
    return found


def fields_table(struct: type[msgspec.Struct]) -> str:
    """Markdown."""
    rows = [[f"`{one.name}`", one.accepts, one.default, as_markdown(one.sentence)] for one in fields_of(struct)]
    return markdown_table(["field", "accepts", "if left out", "what it is"], rows)


def accepted(kind: Any) -> str:
    """What may stand there, in words; a struct is a link to its section."""
    match kind:
        case kinds.StructType():
            return f"[{kind.cls.__name__}](#{kind.cls.__name__.lower()})"
        case kinds.LiteralType():
            return ", ".join(f"`{value}`" for value in kind.values if value != "")
        case kinds.UnionType():
            return " or ".join(accepted(one) for one in kind.types if not isinstance(one, kinds.NoneType))
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
            for one in kind.types:
                yield from _structs_in(one)
        case kinds.VarTupleType() | kinds.ListType():
            yield from _structs_in(kind.item_type)
        case kinds.DictType():
            yield from _structs_in(kind.value_type)
        case kinds.Metadata():
            yield from _structs_in(kind.type)


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
