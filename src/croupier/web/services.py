"""What the server works with: the ledger, the floor service, people, devices and sessions of one floor."""

from __future__ import annotations

from dataclasses import dataclass, field

from fastapi import Request

from croupier.errors import IllegalActionError
from croupier.floor.checks.findings import Finding
from croupier.floor.checks.play import play_money
from croupier.floor.credentials import DEMO_PEOPLE
from croupier.floor.devices import Devices
from croupier.floor.files import demo_hall
from croupier.floor.people import People
from croupier.floor.service import FLOOR, Ask, FloorService
from croupier.floor.sessions import Sessions
from croupier.hall.hall import Hall
from croupier.store import Book
from croupier.store.simulations import SimulationStore
from croupier.web.chores import Chores
from croupier.web.fragments import Fragments
from croupier.web.halls import Halls
from croupier.web.hub import Hub
from croupier.web.limits import Buckets, Limits
from croupier.web.metrics import Metrics
from croupier.web.ready import Readiness
from croupier.web.runs import Runs
from croupier.web.streams import OpenStreams
from croupier.web.types import build_types
from croupier.web.work.processes import Work


@dataclass
class Services:
    """One floor on one ledger, as the server holds it."""

    book: Book
    desk: FloorService
    people: People
    devices: Devices
    sessions: Sessions
    hall: Hall
    simulations: SimulationStore
    readiness: Readiness
    limits: Limits
    demo: bool
    metrics: Metrics
    hub: Hub = field(init=False)
    streams: OpenStreams = field(init=False)
    fragments: Fragments = field(init=False)
    halls: Halls = field(init=False)
    work: Work = field(init=False)
    runs: Runs = field(init=False)
    chores: Chores = field(init=False)

    def __post_init__(self) -> None:
        build_types()
        self.hub = Hub(self.book, self.limits.heartbeat_s)
        self.streams = OpenStreams(self.limits)
        self.fragments = Fragments()
        self.halls = Halls(self.hall, self.hub.tell)
        self.work = Work()
        self.runs = Runs(self.simulations, tell=self.hub.tell, now_micros=self.hall.now_micros)
        self.by_address = Buckets(self.limits.by_address)
        self.by_token = Buckets(self.limits.by_token)
        self.swipes = Buckets(self.limits.swipes)
        self.failures = Buckets(self.limits.failures)
        self.chores = Chores(self.book.add_up, self.people.log.record_left_out)
        self.guests = Buckets(self.limits.guests)
        self.presses = Buckets(self.limits.presses)

    def require_may_start(self) -> None:
        """Well-known secrets and real money do not meet: neither server starts then."""
        if not self.demo:
            self.people.require_no_default_secrets()
        elif self.book.fact(FLOOR) is not None and not self.desk.floor().demo:
            raise IllegalActionError(
                "This ledger is of a real floor: it is not opened with the cards of demo mode.", code="not_demo"
            )

    def closed_tables(self) -> list[Finding]:
        """Tables of the stored floor that would put play money into its books: they are closed."""
        if self.book.fact(FLOOR) is None:
            return []
        return list(play_money(self.desk.floor(), self.desk.clock().date()))

    def set_up_demo(self) -> None:
        """The floor and the people of a demonstration; harmless to repeat."""
        self.people.add_demo_people()
        if self.book.fact(FLOOR) is None:
            executive = self.people.person(DEMO_PEOPLE[0].id)
            self.desk.set_up(Ask(id="demo-floor", by=executive), demo_hall())

    def close(self) -> None:
        self.chores.stop()
        self.metrics.stop()
        self.work.close()
        self.runs.close()
        self.halls.stop()
        self.hub.stop()
        self.hall.close()
        self.readiness.stop()
        self.book.close()


def room_of(request: Request) -> Services:
    room: Services = request.app.state.room
    return room
