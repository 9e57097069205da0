"""The reference of the HTTP API, made from its own OpenAPI description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from croupier.floor.devices import USES
from croupier.manual.sentences import as_markdown
from croupier.reports.render.markdown import markdown_table
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
    for name, shape in sorted(schema["components"]["schemas"].items()):
        if not name.endswith("Body") or f'"{_reference(name)}"' in json.dumps(schema["components"]):
            parts += _shape(name, shape)
    return "\n\n".join(parts) + "\n"


def _by_tag(schema: Schema) -> dict[str, list[tuple[str, str, Schema]]]:
    schemas: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            schemas.setdefault(operation["tags"][0], []).append((method.upper(), path, operation))
    return schemas


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
    parameters = [parameter for parameter in given if parameter["name"] != KEY]
    needs_key = " *Needs* an [Idempotency-Key](api.md#commands)." if len(parameters) < len(given) else ""
    yield f"*Who may call:* {callers}.{needs_key}"
    if parameters:
        rows = [
            [
                f"`{parameter['name']}`",
                parameter["in"],
                accepted(parameter["schema"]),
                _default(parameter["schema"], is_required=parameter["required"]),
                as_markdown(parameter.get("description", "")),
            ]
            for parameter in parameters
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
    names = []
    for status, response in responses.items():
        if status.isdigit():
            shapes = [
                accepted(content["schema"]) if kind == "application/json" and content.get("schema") else f"`{kind}`"
                for kind, content in response.get("content", {}).items()
            ]
            names.append(f"{status}, " + (" or ".join(shapes) if shapes else "nothing"))
    return "; ".join(names) + "."


def _shape(name: str, shape: Schema) -> Iterator[str]:
    yield f"### {name}"
    if shape.get("description"):
        yield as_markdown(shape["description"])
    if "enum" in shape:
        yield "One of " + ", ".join(f"`{value}`" for value in shape["enum"]) + "."
    elif "prefixItems" in shape:
        yield accepted(shape) + "."
    elif shape.get("properties"):
        yield _fields(shape)


def _fields(shape: Schema, *, is_request: bool = False) -> str:
    required = shape.get("required", [])
    heads = ["field", "is", *(["if left out"] if is_request else []), "what it is"]
    rows = []
    for name, field in shape.get("properties", {}).items():
        default = [_default(field, is_required=name in required)] if is_request else []
        rows.append([f"`{name}`", accepted(field), *default, as_markdown(field.get("description", ""))])
    return markdown_table(heads, rows)


def _default(schema: Schema, *, is_required: bool) -> str:
    if is_required:
        return "must be given"
    value = schema.get("default")
    return "none" if value in (None, "", [], ()) else f"`{value}`"


def accepted(schema: Schema) -> str:
    """What a value may be, in words; a shape is a link to its section."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(accepted(inner) for inner in schema[key]))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "")
    if kind == "array":
        inner = [accepted(part) for part in schema["prefixItems"]] if "prefixItems" in schema else None
        return f"[{', '.join(inner)}]" if inner else f"a list, each {accepted(schema.get('items', {}))}"
    if kind == "object":
        return "an object"
    if kind == "integer" and "minimum" in schema and "maximum" in schema:
        return f"a whole number, {schema['minimum']:.0f} to {schema['maximum']:.0f}"
    return FORMATS.get(schema.get("format", ""), PLAIN.get(kind, "any JSON"))
