"""The API's description as a check of answers: right status, right shape, no field that it does not declare."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from jsonschema import Draft202012Validator

Operation = dict[str, Any]


class Contract:
    """One OpenAPI description."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._components = deepcopy(schema["components"])
        for shape in self._components["schemas"].values():
            # To clients, fields may be added. To us, every field that there is must be declared.
            if shape.get("properties"):
                shape.setdefault("additionalProperties", False)
        paths = sorted(schema["paths"].items(), key=lambda item: (item[0].count("{"), -len(item[0])))
        self._operations: list[tuple[str, re.Pattern[str], Operation]] = [
            (method.upper(), re.compile(_pattern(path)), operation)
            for path, methods in paths
            for method, operation in methods.items()
        ]
        self._validators: dict[tuple[str, str, str], Draft202012Validator] = {}

    def operation(self, method: str, path: str) -> Operation | None:
        for its_method, pattern, operation in self._operations:
            if its_method == method and pattern.fullmatch(path):
                return operation
        return None

    def check(self, method: str, path: str, status: int, media: str, data: Any) -> None:
        """Raises what is wrong with an answer. `data` is read JSON, and text for other media."""
        operation = self.operation(method, path)
        if operation is None:
            assert status in (404, 405), f"{method} {path} is not described"
            return
        responses = operation["responses"]
        code = str(status) if str(status) in responses else f"{status // 100}XX"
        assert code in responses, f"{method} {path} may not answer {status}"
        content = responses[code].get("content", {})
        if not content:
            assert not data, f"{method} {path} says nothing"
            return
        assert media in content, f"{method} {path} may not answer {media}"
        self.validator(operation["operationId"], code, media, content[media]["schema"]).validate(data)

    def validator(self, name: str, code: str, media: str, shape: dict[str, Any]) -> Draft202012Validator:
        key = (name, code, media)
        if key not in self._validators:
            self._validators[key] = Draft202012Validator(shape | {"components": self._components})
        return self._validators[key]


def _pattern(path: str) -> str:
    parts = re.split(r"({\w+})", path)
    return "".join((".+" if part == "{award}" else "[^/]+") if part.startswith("{") else part for part in parts)
