"""What would be accepted at the place of a file that a message of msgspec names."""

from __future__ import annotations

import re
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import NODEFAULT, Struct, structs

_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")


def with_accepted(message: str, kind: Any, data: Any) -> str:
    """A message of the form `problem - at place` about `data`, with what is accepted there, and what is missing."""
    problem, _, place = message.partition(" - at ")
    if "unknown field" in problem:
        missing = [name for name in _required(_kind_at(kind, place)) if name not in _value_at(data, place)]
        problem += "".join(f", and {name} is missing" for name in missing)
    accepted = accepted_at(kind, message)
    return f"{problem}. Accepted: {', '.join(accepted)} - at {place}" if accepted else message


def accepted_at(kind: Any, message: str) -> list[str]:
    """The values or fields that the types list at the message's place; none where they do not."""
    problem, _, place = message.partition(" - at ")
    here = _kind_at(kind, place)
    if "enum value" in problem:
        return [str(value) or "(empty)" for part in _parts(here) for value in get_args(part)]
    if "unknown field" in problem or "missing required" in problem:
        return [info.encode_name for struct in _structs(here) for info in structs.fields(struct)]
    return []


def _required(kind: Any) -> list[str]:
    return [
        info.encode_name
        for struct in _structs(kind)
        for info in structs.fields(struct)
        if info.default is NODEFAULT and info.default_factory is NODEFAULT
    ]


def _structs(kind: Any) -> list[type[Struct]]:
    """The struct among the members of a union: there is at most one."""
    return [part for part in _parts(kind) if isinstance(part, type) and issubclass(part, Struct)][:1]


def _kind_at(kind: Any, place: str) -> Any:
    """The type at a path such as `$.tables[0].wagers[1].most`."""
    for name, index in _STEP.findall(place):
        for part in _parts(kind):
            if index and get_origin(part) is tuple:
                kind = get_args(part)[0]
            elif isinstance(part, type) and issubclass(part, Struct):
                fields = {info.encode_name: info.type for info in structs.fields(part)}
                kind = fields.get(name, Any)
    return kind


def _value_at(data: Any, place: str) -> Any:
    """What a file has at such a path; nothing where msgspec does not say which key of a dict it means."""
    for name, index in _STEP.findall(place):
        try:
            data = data[int(index) if index.isdecimal() else name]
        except (KeyError, IndexError, TypeError):
            return {}
    return data


def _parts(kind: Any) -> list[Any]:
    """The members of a union, without annotations; a type alone is its own only member."""
    if get_origin(kind) is Annotated:
        return _parts(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return [part for member in get_args(kind) for part in _parts(member)]
    return [kind] if kind is not type(None) and (get_origin(kind) is not Literal or get_args(kind)) else []
