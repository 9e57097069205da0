"""Made-up requests for every operation of the API's description: answers as described, a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import count
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from croupier.floor import demo_floor, floor_data
from croupier.jackpot import FactRecorded
from croupier.web.api.rights import ENDPOINTS, PREFIX
from tests.web_client import Client, Web, demo_web

pytestmark = pytest.mark.slow

EXAMPLES = 3
IN_A_SOAK = 12
SKIPPED = {"GET /stream/meters", "DELETE /session"}
"""A stream does not end; a session that does would end the other tries."""
REAL = {
    "table": "ddm_1",
    "award": "nothing",
    "jackpot": "push_22",
    "person": "demo-dealer",
    "device": "demo-terminal",
    "code": "1-00000-00000",
}
_numbers = count()


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_web(str(tmp_path_factory.mktemp("fuzz") / "floor.db")) as made:
        yield made


def booked(web: Web, after: int) -> list[str]:
    """Hashes of the entries after this one, but the records of refused attempts and of people who come and go."""
    found = []
    for sealed in web.room.book.entries(after=after, limit=100_000):
        event = sealed.entry.event
        if not isinstance(event, FactRecorded) or event.kind not in ("denied", "signed_in", "signed_out"):
            found.append(sealed.hash)
    return found


def callers(web: Web) -> dict[str, Client]:
    """For each operation somebody who may call it, so that the request itself is what is tried."""
    people = {role: web.role(role) for role in ("executive", "supervisor", "technician", "accounting", "auditor")}
    found = {}
    for endpoint in ENDPOINTS:
        name = "executive"
        if "/tables/" in endpoint:
            name = "supervisor"
        elif "/devices" in endpoint:
            name = "technician"
        elif endpoint == "POST /account":
            name = "accounting"
        elif endpoint.startswith("GET") and endpoint != "GET /backup":
            name = "auditor"
        found[endpoint.replace("{award:path}", "{award}")] = people[name]
    return found


class Tries:
    """Counts what was tried, and checks each try."""

    def __init__(self, web: Web, examples: int) -> None:
        self.web = web
        self.examples = examples
        self.made = 0
        self.statuses: set[int] = set()

    def operation(self, operation: Any, mode: GenerationMode, client: Client) -> None:
        @settings(
            max_examples=self.examples,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode), well_known=st.booleans())
        def one(case: Any, well_known: bool) -> None:
            if well_known:
                case.path_parameters = {name: REAL[name] for name in case.path_parameters or {}}
            request = made_request(client, case, well_known)
            if request is None:
                return
            last, _ = self.web.room.book.head()
            answer = client.http.send(request)
            status: int = answer.status_code
            case.validate_response(answer, checks=[response_schema_conformance, content_type_conformance])
            self.made += 1
            self.statuses.add(status)
            assert status < 500
            if status >= 400:
                assert booked(self.web, last) == []

        with suppress(Unsatisfiable):  # nothing is wrong to say where nothing can be said
            one()


@pytest.mark.parametrize("examples", [EXAMPLES, pytest.param(IN_A_SOAK, marks=pytest.mark.soak)])
def test_made_up_requests_get_no_server_error_and_a_refusal_changes_nothing(web: Web, examples: int) -> None:
    schema = schemathesis.openapi.from_dict(web.anonymous().get("/openapi.json"))
    who = callers(web)
    tries = Tries(web, examples)
    operations: Any = schema.get_all_operations()
    for found in operations:
        operation = found.ok()
        endpoint = f"{operation.method.upper()} {operation.path.removeprefix(PREFIX)}"
        if endpoint not in SKIPPED:
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                tries.operation(operation, mode, who[endpoint])
    assert tries.made > 50 * examples
    assert {200, 404, 409, 422} <= tries.statuses
    assert web.role("auditor").get("/verify")["is_good"]


def made_request(client: Client, case: Any, well_known: bool) -> Any:
    """A made-up case as a request, with an id of ours where it is to get past the door; None: no library sends it."""
    sent = case.as_transport_kwargs(base_url="http://testserver")
    headers = {str(name): str(value) for name, value in (sent.get("headers") or {}).items()}
    headers = {name: value for name, value in headers.items() if value.isascii() and value.isprintable()}
    headers = {name: value for name, value in headers.items() if name.lower() not in ("cookie", "authorization")}
    headers["X-CSRF-Token"] = client.csrf
    if well_known:
        headers = {name: value for name, value in headers.items() if name.lower() != "idempotency-key"}
        headers["Idempotency-Key"] = f"fuzz-key-{next(_numbers)}"
    body = {"json": sent["json"]} if "json" in sent else {"content": sent["data"]} if sent.get("data") else {}
    try:
        return client.http.build_request(
            sent["method"], sent["url"], params=sent.get("params") or None, headers=headers, **body
        )
    except (UnicodeEncodeError, TypeError, ValueError):
        return None


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in JSON data."""
    if place:
        yield place
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in inside:
        yield from places(item, (*place, name))


@pytest.mark.parametrize("odd", [None, -1, 10**30, "", "9" * 400, [], {}], ids=lambda odd: str(odd)[:5])
def test_a_floor_with_something_odd_anywhere_gets_an_answer(web: Web, odd: Any) -> None:
    executive = web.role("executive")
    floor = floor_data(demo_floor())
    last, _ = web.room.book.head()
    for place in places(floor):
        changed = deepcopy(floor)
        inner = changed
        for name in place[:-1]:
            inner = inner[name]
        inner[place[-1]] = odd
        assert executive.call("POST", "/floor/check", {"floor": changed}).status_code in (200, 422), place
    assert booked(web, last) == []
