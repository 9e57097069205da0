"""Floors as TOML and JSON, both ways without loss. An error names the field, the reason and what is accepted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier.errors import SpecError
from croupier.floor.amounts import amount_text, decode_floor_words, rate_text
from croupier.floor.setup import Floor, check_shape
from croupier.rules.accepted import accepted_at
from croupier.rules.loader import with_place
from croupier.rules.parse import parse_json, parse_toml, read_text, read_toml

DEMO = Path(__file__).parent / "demo.toml"
DEMO_HALL = Path(__file__).parent / "demo_hall.toml"
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_NEEDS_ESCAPE = re.compile(r"[\x7f-\x9f\ud800-\udfff]")


def load_floor(path: Path) -> Floor:
    """The floor in a TOML or JSON file, its shape checked."""
    if path.suffix == ".json":
        return floor_from_json(read_text(path), str(path))
    return floor_from_data(read_toml(path), str(path))


def demo_floor() -> Floor:
    """Two linked Double Down Madness tables, a mini-baccarat table and plain tables, with play money."""
    return load_floor(DEMO)


def demo_hall() -> Floor:
    """The same with more tables and a name of its own: the software deals one of each game."""
    data, more = read_toml(DEMO), read_toml(DEMO_HALL)
    return floor_from_data(data | more | {"tables": data["tables"] + more["tables"]}, str(DEMO_HALL))


def floor_from_toml(text: str, name: str = "floor") -> Floor:
    return floor_from_data(parse_toml(text, name), name)


def floor_from_json(text: str, name: str = "floor") -> Floor:
    return floor_from_data(parse_json(text, name), name)


def floor_from_data(data: object, name: str = "floor") -> Floor:
    """A floor from plain dictionaries, as an API receives them."""
    try:
        floor = msgspec.convert(data, Floor, dec_hook=decode_floor_words)
    except msgspec.ValidationError as error:
        message = with_place(str(error))
        accepted = ", ".join(accepted_at(Floor, message))
        ending = f". Accepted: {accepted}." if accepted else ""
        raise SpecError(f"{name}: {message}{ending}", code="bad_floor") from None
    try:
        check_shape(floor)
    except SpecError as error:
        raise SpecError(f"{name}: {error}", code=error.code) from None
    return floor


def floor_data(floor: Floor) -> dict[str, Any]:
    """Plain dictionaries, ready for JSON. Amounts and rates are text; defaults are written out."""
    data: dict[str, Any] = _plain(floor)
    return data


def require_readable(floor: Floor) -> None:
    """Refuses a floor made in code that could not be read again from a file, or from the ledger."""
    if floor_from_data(floor_data(floor)) != floor:
        raise SpecError("floor: some of its values have no place in a file as they are.", code="bad_floor")


def floor_to_json(floor: Floor) -> str:
    return json.dumps(floor_data(floor), indent=2, ensure_ascii=False) + "\n"


def floor_to_toml(floor: Floor) -> str:
    """TOML with one block for each table, jackpot and link."""
    lines: list[str] = []
    blocks: list[str] = []
    for name, value in floor_data(floor).items():
        if isinstance(value, dict):
            blocks += ["", f"[{name}]", *_pairs(value)]
        elif isinstance(value, list):
            for item in value:
                blocks += ["", f"[[{name}]]", *_pairs(item)]
        else:
            lines.append(f"{name} = {toml_value(value)}")
    return "\n".join([*lines, *blocks]) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        fields = {}
        for info in msgspec.structs.fields(value):
            item = getattr(value, info.name)
            if item is not None:
                # By the field's name and not the value's class: sums of amounts are plain integers.
                fields[info.encode_name] = amount_text(item) if info.name.endswith("_micros") else _plain(item)
        return fields
    if isinstance(value, Fraction):
        return rate_text(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return dict(value) if isinstance(value, dict) else value


def _pairs(table: dict[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{name} = ["
            yield from (f"  {toml_value(item)}," for item in value)
            yield "]"
        else:
            yield f"{name} = {toml_value(value)}"


def toml_value(value: Any) -> str:
    """Text, numbers, lists and tables as TOML has them on one line."""
    if isinstance(value, dict):
        if not value:
            return "{}"
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, str):
        # JSON's escapes are TOML's too, but for characters that JSON may leave bare.
        return _NEEDS_ESCAPE.sub(lambda bare: f"\\u{ord(bare.group()):04x}", json.dumps(value, ensure_ascii=False))
    return json.dumps(value)


def toml_key(key: str) -> str:
    """A dot in a bare key would open a table."""
    return key if _BARE_KEY.fullmatch(key) else toml_value(key)
