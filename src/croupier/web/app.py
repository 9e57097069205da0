"""The application: one floor on one ledger behind `/api/v1`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import PlainTextResponse

from croupier import __version__
from croupier.floor.credentials import PinCost
from croupier.floor.devices import Devices
from croupier.floor.people import People, Person
from croupier.floor.roles import SOFTWARE, Role
from croupier.floor.service import FloorService
from croupier.floor.sessions import Sessions
from croupier.hall.hall import Hall
from croupier.hall.place import play_address
from croupier.house_time import house_clock
from croupier.store import open_store
from croupier.store.play import PlayStore
from croupier.store.simulations import SimulationStore
from croupier.web.addresses import NO_PROXIES, Forwarded, Proxies
from croupier.web.api import answers, claims, floor, funds, log, meters, people, reports, session, stream, tables
from croupier.web.api.rights import ENDPOINTS, PREFIX
from croupier.web.api.typed import describe
from croupier.web.errors import install
from croupier.web.guard import COOKIE, GuardedRoute, TheCaller
from croupier.web.incoming import NoteRequest
from croupier.web.limits import Gate, Limits, headers_of
from croupier.web.metrics import Metrics, Timed
from croupier.web.pages.base import error_page
from croupier.web.pages.routes import add_pages
from croupier.web.ready import NOTHING_MORE, Keeping, Ready, make_readiness
from croupier.web.services import Services

DESCRIPTION = (
    "Tables, claims, meters and people of one floor. Devices send `Authorization: Bearer TOKEN`; people sign in with "
    "card and PIN at `POST /session`. Every command has an `Idempotency-Key`; money is in millionths of a dollar. "
    'Errors are `{"error": {"code", "message"}}`.'
)
PATH_WORDS = {
    "table": "The table's id on the floor.",
    "award": "The award's id, as `GET /claims` lists it; it has a slash.",
    "jackpot": "The jackpot's id on the floor.",
    "person": "The person's id.",
    "device": "The device's id.",
    "code": "The code printed on a win page.",
}
"""What a part of a path is, for the description of every operation that has it."""


def make_app(
    store_url: str,
    *,
    demo: bool = False,
    clock: Callable[[], datetime] = house_clock,
    limits: Limits | None = None,
    pin_cost: PinCost | None = None,
    proxies: Proxies = NO_PROXIES,
    play_database: str = "",
    keeping: Keeping = NOTHING_MORE,
    counts: Path | None = None,
) -> FastAPI:
    """The server's application. In demo mode the demonstration floor and its people are set up; otherwise it refuses
    to start where their well-known cards are valid. It refuses a store that cannot be written or is damaged.

    Only `proxies` are believed when they say whom they speak for. Play money and simulations of a real floor are in a
    database of their own, `play_database` or one beside the ledger's; a demonstration's are in the same one, if no
    other is named. `counts` is a folder where several workers of one address keep their counts.
    """
    book = open_store(store_url)
    everyone = People(book, clock, cost=pin_cost, demo=demo)
    desk = FloorService(book, clock)
    try:
        play_url = play_address(desk, store_url, play_database, demo=demo)
    except BaseException:
        book.close()
        raise
    play = PlayStore(play_url)
    room = Services(
        book=book,
        desk=desk,
        people=everyone,
        devices=Devices(everyone),
        sessions=Sessions(everyone),
        hall=Hall(play, desk, Person(id=SOFTWARE, role=Role.DEALER), clock),
        simulations=SimulationStore(play_url),
        readiness=make_readiness(store_url, book, everyone, clock, keeping, play),
        limits=limits or Limits(),
        demo=demo,
        metrics=Metrics(counts),
    )
    try:
        room.readiness.start()
        room.require_may_start()
        if demo:
            room.set_up_demo()
    except BaseException:
        room.close()
        raise
    app = _application(room)
    app.add_middleware(Forwarded, proxies=proxies)
    return app


def _application(room: Services) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        room.close()

    app = FastAPI(title="Croupier", version=__version__, openapi_url=None, docs_url=None, redoc_url=None)
    app.router.lifespan_context = lifespan
    app.state.room = room
    app.add_middleware(NoteRequest)
    app.add_middleware(Timed, metrics=room.metrics)
    app.add_middleware(Gate, body_bytes=room.limits.body_bytes, is_https_only=not room.demo)
    install(app, headers_of, error_page)
    own = APIRouter(prefix=PREFIX, route_class=GuardedRoute, tags=["server"])

    @own.get("/health")
    def health() -> answers.Health:
        """Whether the server answers. It asks nothing of the ledger: see `/ready` for that."""
        return answers.Health(version=__version__, demo=room.demo)

    @own.get("/metrics", response_class=PlainTextResponse)
    def metrics(caller: TheCaller) -> PlainTextResponse:
        """Figures for Prometheus: answers and their times, meters (a device's own), claims waiting, refusals, queues,
        the clock."""
        jackpots = frozenset(caller.device.jackpots) if caller.device is not None else None
        return PlainTextResponse(
            room.metrics.text(room, jackpots), media_type="text/plain; version=0.0.4; charset=utf-8"
        )

    @own.get("/ready")
    def ready() -> Ready:
        """Whether the server can book: it writes to the store, once a second at most. 503 says why it cannot."""
        return room.readiness.answer()

    @own.get("/openapi.json")
    def openapi() -> dict[str, Any]:
        """This description."""
        return schema_of(app)

    topics = (session, floor, tables, claims, meters, funds, stream, log, reports, people)
    for router in (own, *(topic.router for topic in topics)):
        app.router.routes.extend(router.routes)  # as they are, so that `app.routes` shows every one of them
    add_pages(app)
    return app


def schema_of(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description, with who may call what."""
    routes = [route for route in app.routes if isinstance(route, GuardedRoute)]
    schema = get_openapi(title=app.title, version=app.version, description=DESCRIPTION, routes=routes)
    schema.setdefault("components", {})["securitySchemes"] = {
        "device": {"type": "http", "scheme": "bearer", "description": "A device's token."},
        "session": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "Set by `POST /session`."},
    }
    describe(schema, routes, answers.Refusal)
    for unused in ("HTTPValidationError", "ValidationError"):
        schema["components"]["schemas"].pop(unused, None)
    shape = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            access = ENDPOINTS[f"{method.upper()} {route_path(path)}"]
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path":
                    parameter["description"] = PATH_WORDS.get(parameter["name"], "")
            operation["responses"].pop("422", None)
            operation["responses"]["4XX"] = {"description": "A refusal, which changes nothing.", "content": shape}
            operation["responses"]["5XX"] = {"description": "Whether it was done is not known.", "content": shape}
            if access.is_open:
                operation["security"] = []
                continue
            operation["security"] = [{"session": []}, *([{"device": []}] if access.use else [])]
            names = ", ".join(f"`{right}`" for right in access.rights) or "a sign-in"
            operation["description"] = f"{operation.get('description', '')}\n\nNeeds {names}."
    return schema


def route_path(path: str) -> str:
    """The path of a route, whose parameters may say that they take slashes; OpenAPI leaves that out."""
    short = path.removeprefix(PREFIX)
    return short if "{award}" not in short else short.replace("{award}", "{award:path}")
