"""Answers are what the API's description says, to the last field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import ValidationError

from croupier.web.api.rights import PREFIX
from tests.web_client import Web, contract, demo_web

FREE = {"/openapi.json"}
"""Its shape is OpenAPI's own."""


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


def resolved(schema: dict[str, Any], shape: dict[str, Any]) -> dict[str, Any]:
    name = shape.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = schema["components"]["schemas"][name] if name else shape
    return found


def test_every_operation_says_what_it_answers(web: Web) -> None:
    schema = web.anonymous().get("/openapi.json")
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            good = {code: one for code, one in operation["responses"].items() if code.startswith("2")}
            assert len(good) == 1, (method, path)
            ((code, response),) = good.items()
            if code == "204":
                assert "content" not in response
                continue
            for media, content in response["content"].items():
                shape = resolved(schema, content["schema"])
                is_said = shape.get("properties") if media == "application/json" else shape["type"] == "string"
                assert is_said or path.removeprefix(PREFIX) in FREE, (method, path)
            for code in ("4XX", "5XX"):
                refusal = operation["responses"][code]["content"]["application/json"]["schema"]
                assert set(resolved(schema, refusal)["properties"]) == {"error"}


def test_an_answer_with_a_field_that_is_not_described_or_without_one_that_is_gets_caught(web: Web) -> None:
    """Every call of every test of the API is checked so."""
    path = f"{PREFIX}/tables/ddm_1"
    right = web.role("dealer").get("/tables/ddm_1")
    contract().check("GET", path, 200, "application/json", right)
    for wrong in (
        right | {"more": 1},
        {name: value for name, value in right.items() if name != "revision"},
        right | {"phase": "unknown"},
        right | {"lit": [{"seat": 1, "sensor": 1, "more": 1}]},
    ):
        with pytest.raises(ValidationError):
            contract().check("GET", path, 200, "application/json", wrong)
    with pytest.raises(AssertionError):
        contract().check("GET", path, 202, "application/json", right)
    with pytest.raises(AssertionError):
        contract().check("GET", path, 200, "text/html", "")


def test_events_of_the_log_are_told_apart_by_their_names(web: Web) -> None:
    shapes = web.anonymous().get("/openapi.json")["components"]["schemas"]
    kinds = shapes["Entry"]["properties"]["event"]["discriminator"]["mapping"]
    assert {"WagersLocked", "JackpotHit", "AwardPaid", "FactRecorded"} <= set(kinds)
    for name in kinds:
        event = shapes[name]["properties"]["event"]
        assert event["enum"] == [name]


def test_a_generated_client_finds_each_shape_under_a_plain_name(web: Web) -> None:
    schema = web.anonymous().get("/openapi.json")
    assert all(name.isalnum() for name in schema["components"]["schemas"])
    names = [operation["operationId"] for methods in schema["paths"].values() for operation in methods.values()]
    assert len(set(names)) == len(names)
