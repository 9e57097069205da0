"""Routes whose bodies and answers are msgspec's types: each is declared once, and read, written and described by it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable
from email.message import Message
from functools import wraps
from typing import Annotated, Any, TypeGuard, TypeVar, get_type_hints

import msgspec.inspect
from fastapi import Depends, Request, Response
from fastapi.exceptions import RequestValidationError
from msgspec import UNSET, Struct, structs

from croupier.web.route import QuickRoute

S = TypeVar("S", bound=Struct)
LONGEST_SECRET = 200
_PLACE = re.compile(r"(?P<problem>.*?)(?: - at `\$(?P<path>.*)`)?", re.DOTALL)
_NAMED = re.compile(r"field `(.*)`")


class Secret(str):
    """The token of a card, or a PIN. It does not show what it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Secret()"


def read_word(kind: type, value: object) -> object:
    """For msgspec: reads a type of ours."""
    if kind is not Secret:
        raise NotImplementedError
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_SECRET:
        raise ValueError(f"Expected `str` of 1 to {LONGEST_SECRET} characters")
    return Secret(value)


def _describe_word(kind: type) -> dict[str, Any]:
    if kind is not Secret:
        raise NotImplementedError
    return {"type": "string", "format": "password", "minLength": 1, "maxLength": LONGEST_SECRET, "writeOnly": True}


def problem_of(error: Exception) -> tuple[tuple[str, ...], str]:
    """Where in a body something is wrong, and what. What was sent is not repeated: it may be a PIN."""
    parts = _PLACE.fullmatch(str(error))
    assert parts is not None
    named = _NAMED.search(parts["problem"])
    place = [*(parts["path"] or "").split("."), *([named[1]] if named else [])]
    problem = re.sub(r"(Invalid enum value) .*", r"\1", parts["problem"], flags=re.DOTALL)
    return tuple(filter(None, place)), problem.replace("`", "")


def answer_as(kind: type[S], value: object) -> S:
    """A value with what the answer adds to it: the fields of the answer, by name."""
    return msgspec.convert(value, kind, from_attributes=True)


def json_answer(answer: object, status: int | None = None) -> Response:
    return Response(msgspec.json.encode(answer), status or 200, media_type="application/json")


class TypedRoute(QuickRoute):
    """A route whose body is the parameter of a struct type, and whose answer the struct type that it returns, or that
    is named as its response's where it returns a response."""

    def __init__(self, path: str, endpoint: Callable[..., Any], *, response_model: Any = None, **more: Any) -> None:
        hints = get_type_hints(endpoint, include_extras=True)
        returned = hints.pop("return", None)
        self.body = next(filter(_is_struct, hints.values()), None)
        self.answer = next(filter(_is_struct, (response_model, returned)), None)
        if self.body is not None or self.answer is not None:
            endpoint = _plain(endpoint, hints, more.get("status_code"))
        super().__init__(path, endpoint, response_model=None, **more)


def _is_struct(kind: Any) -> TypeGuard[type[Struct]]:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _plain(endpoint: Callable[..., Any], hints: dict[str, Any], status: int | None) -> Callable[..., Any]:
    """The function as FastAPI takes it: its body comes from a dependency, and it returns a response."""
    assert not inspect.iscoroutinefunction(endpoint)

    @wraps(endpoint)
    def answered(**given: Any) -> Any:
        answer = endpoint(**given)
        return answer if answer is None or isinstance(answer, Response) else json_answer(answer, status)

    signature = inspect.signature(endpoint)
    answered.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[
            one.replace(annotation=Annotated[kind, Depends(_reader(kind))] if _is_struct(kind) else kind)
            for one, kind in ((one, hints[one.name]) for one in signature.parameters.values())
        ],
        return_annotation=inspect.Signature.empty,
    )
    return answered


def _reader(kind: type[S]) -> Callable[[Request], Awaitable[S]]:
    decoder = msgspec.json.Decoder(kind, dec_hook=read_word)

    async def read(request: Request) -> S:
        try:
            if not _is_json(request.headers.get("content-type", "")):
                raise ValueError("Expected JSON, with the Content-Type application/json")
            return decoder.decode(await request.body())
        except (ValueError, RecursionError) as error:  # msgspec's are of these, too
            place, problem = problem_of(error)
            raise RequestValidationError([{"loc": ("body", *place), "msg": problem}]) from None

    return read


def _is_json(content_type: str) -> bool:
    message = Message()
    message["content-type"] = content_type
    kind = message.get_content_subtype()
    return message.get_content_maintype() == "application" and (kind == "json" or kind.endswith("+json"))


def describe(schema: dict[str, Any], routes: Iterable[TypedRoute], *more: type[Struct]) -> None:
    """Adds bodies and answers to an OpenAPI description, and the shapes of `more`."""
    bodies: list[tuple[type[Struct], dict[str, Any]]] = []
    answers: list[tuple[type[Struct], dict[str, Any]]] = [(kind, {}) for kind in more]
    for route in routes:
        for method in route.methods or ():
            operation = schema["paths"][route.path_format][method.lower()]
            if route.body is not None:
                content: dict[str, Any] = {}
                operation["requestBody"] = {"required": True, "content": {"application/json": content}}
                bodies.append((route.body, content))
            if route.answer is not None:
                response = operation["responses"][str(route.status_code or 200)]
                answers.append((route.answer, response["content"].setdefault("application/json", {})))
    said = _shapes(answers)
    for kind in structs_in(kind for kind, _ in answers):
        _require_all(said[kind.__name__], kind)
    schema["components"].setdefault("schemas", {}).update(_shapes(bodies) | said)


def _shapes(uses: list[tuple[type[Struct], dict[str, Any]]]) -> dict[str, Any]:
    shapes, components = msgspec.json.schema_components(
        [kind for kind, _ in uses], schema_hook=_describe_word, ref_template="#/components/schemas/{name}"
    )
    for (_, content), shape in zip(uses, shapes, strict=True):
        content["schema"] = shape
    return components


def _require_all(shape: dict[str, Any], kind: type[Struct]) -> None:
    """An answer has all of its fields, the defaults of its type among them."""
    config = kind.__struct_config__
    if config.tag_field:
        shape["properties"][config.tag_field]["description"] = "Which kind it is."
    if config.array_like or config.omit_defaults:
        return
    unset = {field.encode_name for field in structs.fields(kind) if field.default is UNSET}
    shape["required"] = [name for name in shape["properties"] if name not in unset]
    for name, field in shape["properties"].items():
        field.pop("default", None)
        if name.endswith("_micros") and "illionth" not in (words := field.get("description", "")):
            field["description"] = f"{words} Millionths of a dollar.".lstrip()


def structs_in(kinds: Iterable[type[Struct]]) -> dict[type[Struct], None]:
    """The structs and those that they are made of, each once, in the order in which they are met."""
    met: dict[type[Struct], None] = {}
    waiting: list[Any] = list(msgspec.inspect.multi_type_info(kinds))
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, msgspec.inspect.StructType):
            if node.cls in met:
                continue
            met[node.cls] = None
        if isinstance(node, Struct):
            waiting += [getattr(node, name) for name in node.__struct_fields__]
        elif isinstance(node, tuple | list):
            waiting += node
    return met
