"""Every endpoint for every role, for devices, for nobody and for a withdrawn card, in one matrix."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.web.api.rights import ENDPOINTS, PREFIX
from croupier.web.guard import GuardedRoute, endpoint_of
from croupier.web.pages.base import PageRoute
from croupier.web.pages.rights import PAGES
from tests.web_client import SWIPES, Client, Web, demo_web

WHO = {
    "D": "dealer",
    "S": "supervisor",
    "E": "executive",
    "A": "accounting",
    "T": "technician",
    "U": "auditor",
    "g": "sign",
    "t": "terminal",
    "y": "system",
}
EVERYONE = "DSEATU"

# Written by hand, not made from the rights: who gets past the door.
ALLOWED = {
    "GET /session": EVERYONE,
    "DELETE /session": EVERYONE,
    "POST /pin": EVERYONE,
    "GET /floor": EVERYONE,
    "POST /floor/check": "SETA",
    "POST /floor": "E",
    "PUT /floor": "SETA",
    "GET /tables": EVERYONE + "ty",
    "GET /tables/{table}": EVERYONE + "ty",
    "POST /tables/{table}/sense": "DSt",
    "POST /tables/{table}/start": "DS",
    "POST /tables/{table}/pick": "DS",
    "POST /tables/{table}/hit": "DS",
    "POST /tables/{table}/award-by-hand": "EA",
    "POST /tables/{table}/key": "SE",
    "POST /tables/{table}/end": "DS",
    "POST /tables/{table}/void": "SE",
    "POST /tables/{table}/clear": "SE",
    "POST /tables/{table}/stop": "SEAT",
    "POST /tables/{table}/reopen": "SE",
    "GET /claims": "SEAU",
    "GET /claims/{award:path}": "SEAU",
    "POST /claims/{award:path}/pay": "DSEt",
    "POST /claims/{award:path}/reject": "SEt",
    "POST /claims/{award:path}/back-out": "EA",
    "GET /hits": "SEAU",
    "GET /meters": EVERYONE + "gty",
    "GET /stream/meters": EVERYONE + "gty",
    "POST /meters/{jackpot}/adjust": "EA",
    "POST /jackpots/{jackpot}/close": "EA",
    "GET /account": "SEAU",
    "POST /account": "A",
    "GET /backup": "TE",
    "GET /entries": "EU",
    "GET /verify": "TEU",
    "GET /reports/accrual": "SEAU",
    "GET /reports/reconciliation": "SEAU",
    "GET /reports/achieved": "SEAU",
    "GET /reports/deposit": "SEAU",
    "GET /reports/audit": "EU",
    "GET /reports/access": "EU",
    "GET /software": "TEU",
    "GET /metrics": "SEAUTy",
    "GET /reports/win-code/{code}": "SEAU",
    "GET /reports/win-page/{award:path}": "SEAU",
    "GET /people": "EU",
    "POST /people": "E",
    "POST /people/{person}/role": "E",
    "POST /people/{person}/withdraw": "E",
    "POST /people/{person}/renew": "E",
    "POST /people/{person}/unlock": "E",
    "POST /people/{person}/sign-out": "E",
    "GET /devices": "TEU",
    "POST /devices": "T",
    "POST /devices/{device}/withdraw": "T",
    "POST /devices/{device}/renew": "T",
}
OPEN = {"GET /health", "GET /ready", "GET /openapi.json", "POST /session"}


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    with demo_web(str(tmp_path / "floor.db")) as made:
        yield made


def status(client: Client, endpoint: str) -> int:
    """The answer to a call that says nothing of use: whoever gets past the door is refused behind it."""
    method, _, path = endpoint.partition(" ")
    path = path.replace("{table}", "ddm_1").replace("{award:path}", "nothing").replace("{jackpot}", "push_22")
    path = path.replace("{person}", "nobody").replace("{device}", "nothing").replace("{code}", "1-00000-00000")
    if endpoint == "GET /stream/meters":
        path = "/meters" if client.call("GET", "/meters").status_code == 200 else path  # a stream does not end
    answer = client.call(method, path, {} if method != "GET" else None)
    found: int = answer.status_code
    assert found < 300 or set(answer.json()) == {"error"}
    return found


def callers(web: Web) -> dict[str, Client]:
    found = {letter: web.role(role) for letter, role in WHO.items() if role in SWIPES}
    found["g"] = web.device("sign", jackpots=["push_22"])
    found["t"] = web.device("terminal", tables=["ddm_1"], jackpots=["push_22"])
    found["y"] = web.device("system", tables=["ddm_1"], jackpots=["push_22"])
    return found


def test_every_endpoint_lets_in_whom_it_should_and_nobody_else(web: Web) -> None:
    found = {letter: dict[str, int]() for letter in WHO}
    for letter, client in callers(web).items():
        for endpoint in sorted(ALLOWED, key=lambda name: name == "DELETE /session"):
            found[letter][endpoint] = status(client, endpoint)
    for endpoint, allowed in ALLOWED.items():
        let_in = {letter for letter in WHO if found[letter][endpoint] not in (401, 403)}
        assert let_in == set(allowed), endpoint
        assert all(found[letter][endpoint] == 403 for letter in WHO if letter not in allowed), endpoint


def test_nobody_and_the_withdrawn_get_in_nowhere(web: Web) -> None:
    executive = web.role("executive")
    new = executive.done("POST", "/people", {"id": "max", "role": "executive", "pin": "840163"})
    withdrawn = web.sign_in({"card": new["card"], "pin": "840163"})
    executive.done("POST", "/people/max/withdraw")
    sign = web.device("sign", jackpots=["push_22"])
    name = web.role("technician").get("/devices")["devices"][0]["id"]
    web.role("technician").done("POST", f"/devices/{name}/withdraw")
    for client in (web.anonymous(), withdrawn, sign):
        assert {endpoint: status(client, endpoint) for endpoint in ALLOWED} == dict.fromkeys(ALLOWED, 401)
    for endpoint in OPEN:
        assert status(web.anonymous(), endpoint) in (200, 422)


def test_every_route_has_its_row_and_every_row_its_route(web: Web) -> None:
    others = [route for route in web.app.routes if not isinstance(route, (GuardedRoute, PageRoute))]
    # The documentation is there once it is built.
    assert {getattr(route, "path", "") for route in others} - {"/docs"} == {"/static"}
    pages = [route for route in web.app.routes if isinstance(route, PageRoute)]
    assert sorted(f"{''.join(route.methods or ())} {route.path}" for route in pages) == sorted(PAGES)
    routes = [route for route in web.app.routes if isinstance(route, GuardedRoute)]
    assert all(route.path.startswith(PREFIX) for route in routes)
    assert sorted(endpoint_of(route) for route in routes) == sorted(ENDPOINTS)
    assert set(ENDPOINTS) == set(ALLOWED) | OPEN


def test_every_operation_is_described(web: Web) -> None:
    schema = web.anonymous().get("/openapi.json")
    operations = [operation for methods in schema["paths"].values() for operation in methods.values()]
    assert len(operations) == len(ENDPOINTS)
    assert all(operation["description"] and operation["summary"] for operation in operations)
