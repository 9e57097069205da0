"""The reference of the HTTP API, made from its own OpenAPI description."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import msgspec

from croupier.floor.devices import USES
from croupier.jackpot.commands import Parameters
from croupier.jackpot.events import AnyEvent
from croupier.manual.field_words import sentences_of
from croupier.manual.words import as_markdown
from croupier.reports.books.columns import columns_of, holder_of
from croupier.reports.books.data import NAMES
from croupier.reports.documentation.document import markdown_table
from croupier.web.api.rights import ENDPOINTS, PREFIX
from croupier.web.app import make_app, route_path, schema_of

MADE = "<!-- Made by `make docs` from the OpenAPI description. Do not edit. -->"
FORMATS = {"date": "a day", "date-time": "a time with its zone", "decimal": "decimal text", "password": "text"}
PLAIN = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
KEY = "Idempotency-Key"
"""The header that every command has; said in a sentence and not in every table of parameters."""
Schema = dict[str, Any]


def api_description() -> Schema:
    """The OpenAPI description, as an empty floor serves it."""
    with TemporaryDirectory() as folder:
        app = make_app(str(Path(folder) / "floor.db"))
        try:
            return schema_of(app)
        finally:
            app.state.room.close()


def api_page(schema: Schema) -> str:
    """Markdown."""
    parts = [
        MADE,
        "# API reference",
        f"Every operation below `{PREFIX}`. [The floor over HTTP](api.md) says how to sign in, what ids and revisions "
        "are for and how errors read, with an example that runs; [every refusal](refusals.md) has the codes. A server "
        f"describes itself in the same words at `{PREFIX}/openapi.json`.",
    ]
    for tag, operations in _by_tag(schema).items():
        parts.append(f"## Operations: {tag}")
        for method, path, operation in operations:
            parts += _operation(schema, method, path, operation)
    parts += [
        "## Shapes",
        "What answers and parts of requests are made of. Later versions may add fields to answers.",
    ]
    sentences = _sentences_of_the_source()
    for name, shape in sorted(schema["components"]["schemas"].items()):
        if not name.endswith("Body") or f'"{_reference(name)}"' in json.dumps(schema["components"]):
            parts += _shape(name, shape, sentences.get(name, {}))
    return "\n\n".join(parts) + "\n"


def _by_tag(schema: Schema) -> dict[str, list[tuple[str, str, Schema]]]:
    found: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            found.setdefault(operation["tags"][0], []).append((method.upper(), path, operation))
    return found


def _operation(schema: Schema, method: str, path: str, operation: Schema) -> Iterator[str]:
    access = ENDPOINTS[f"{method} {route_path(path)}"]
    yield f"### {method} {path.removeprefix(PREFIX)}"
    # The description ends with who may call it, which is said below with devices.
    yield as_markdown(operation["description"].partition("\n\nNeeds ")[0])
    callers = "anybody"
    if not access.is_open:
        callers = "a person with " + " or ".join(f"`{right}`" for right in access.rights)
        callers = callers if access.rights else "anybody who is signed in"
        devices = " or ".join(kind for kind, uses in USES.items() if access.use in uses)
        callers += f"; a {devices} that is registered for it" if devices else ""
    given = operation.get("parameters", [])
    parameters = [one for one in given if one["name"] != KEY]
    needs_key = " *Needs* an [Idempotency-Key](api.md#commands)." if len(parameters) < len(given) else ""
    yield f"*Who may call:* {callers}.{needs_key}"
    if parameters:
        rows = [
            [
                f"`{one['name']}`",
                one["in"],
                accepted(one["schema"]),
                _default(one["schema"], is_required=one["required"]),
                as_markdown(one.get("description", "")),
            ]
            for one in parameters
        ]
        yield markdown_table(["parameter", "in", "accepts", "if left out", "what it is"], rows)
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]["schema"]
        name = content["$ref"].rpartition("/")[2]
        yield "*Body:*"
        yield _fields(schema["components"]["schemas"][name], is_request=True)
    yield f"*Answer:* {_answers(operation['responses'])}"


def _reference(name: str) -> str:
    return f"#/components/schemas/{name}"


def _answers(responses: Schema) -> str:
    found = []
    for status, response in responses.items():
        if status.isdigit():
            shapes = [
                accepted(content["schema"]) if kind == "application/json" and content.get("schema") else f"`{kind}`"
                for kind, content in response.get("content", {}).items()
            ]
            found.append(f"{status}, " + (" or ".join(shapes) if shapes else "nothing"))
    return "; ".join(found) + "."


def _sentences_of_the_source() -> dict[str, dict[str, str]]:
    """What is said of the fields of reports and events where these are declared, by shape and field."""
    found: dict[str, dict[str, str]] = {}
    for module in dict.fromkeys(kind.__module__ for kind in (*NAMES, *get_args(AnyEvent), Parameters)):
        for kind in vars(sys.modules[module]).values():
            if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, msgspec.Struct)):
                name = f"{kind.__name__}Report" if kind in NAMES else kind.__name__
                found.setdefault(name, _sentences_of_columns(kind) if is_dataclass(kind) else sentences_of(kind))
    return found


def _sentences_of_columns(kind: type) -> dict[str, str]:
    """What is said of a report's values where they are declared, which may be in the event that it shows."""
    found = {}
    for key, path in columns_of(kind).items():
        holder, field = holder_of(kind, path)
        found[key] = sentences_of(holder).get(field, "")
    return found


def _shape(name: str, shape: Schema, sentences: dict[str, str]) -> Iterator[str]:
    yield f"### {name}"
    if shape.get("description"):
        yield as_markdown(shape["description"])
    if "enum" in shape:
        yield "One of " + ", ".join(f"`{value}`" for value in shape["enum"]) + "."
    elif shape.get("properties"):
        yield _fields(shape, sentences)


def _fields(shape: Schema, sentences: dict[str, str] | None = None, *, is_request: bool = False) -> str:
    required = shape.get("required", [])
    heads = ["field", "is", *(["if left out"] if is_request else []), "what it is"]
    rows = []
    for name, one in shape.get("properties", {}).items():
        default = [_default(one, is_required=name in required)] if is_request else []
        sentence = (sentences or {}).get(name) or one.get("description", "")
        rows.append([f"`{name}`", accepted(one), *default, as_markdown(sentence)])
    return markdown_table(heads, rows)


def _default(one: Schema, *, is_required: bool) -> str:
    if is_required:
        return "must be given"
    value = one.get("default")
    return "none" if value in (None, "", []) else f"`{value}`"


def accepted(one: Schema) -> str:
    """What a value may be, in words; a shape is a link to its section."""
    if "$ref" in one:
        name = one["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for key in ("anyOf", "oneOf"):
        if key in one:
            return " or ".join(dict.fromkeys(accepted(inner) for inner in one[key]))
    if "const" in one:
        return f"`{one['const']}`"
    if "enum" in one:
        return ", ".join(f"`{value}`" for value in one["enum"])
    kind = one.get("type", "")
    if kind == "array":
        inner = [accepted(part) for part in one["prefixItems"]] if "prefixItems" in one else None
        return f"[{', '.join(inner)}]" if inner else f"a list, each {accepted(one.get('items', {}))}"
    if kind == "object":
        return "an object"
    if kind == "integer" and "minimum" in one and "maximum" in one:
        return f"a whole number, {one['minimum']:.0f} to {one['maximum']:.0f}"
    return FORMATS.get(one.get("format", ""), PLAIN.get(kind, "any JSON"))
