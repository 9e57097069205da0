"""Connections: how many there may be, and how long a client may keep the server waiting.

Whoever keeps the server waiting, with half a request or an answer that is not taken, is cut off after a while, and at
once when there is no room for somebody new. An answer that goes on, as a stream of meters, has no limit here.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import ClassVar

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from croupier.web.addresses import Proxies, counted_as
from croupier.web.limits import Limits

RESERVED_DESCRIPTORS = 512
"""For the ledger, files, other processes, and connections that were taken but not yet looked at."""
FEWEST_CONNECTIONS = 64
TAKEN_TOGETHER = 16
"""So many new connections are taken before somebody else's turn comes: a crowd at the door stops nobody inside."""
BACKLOG = 1024
"""So many more may stand in line before the system turns them away."""
SWEEP_S = 0.1
SWEPT_TOGETHER = 40
"""So many are cut off in one go, for the same reason."""
NO_DESCRIPTORS = 65_536
"""Where the system has no limit of its own."""
_REFUSED = (
    "HTTP/1.1 {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 0\r\nRetry-After: 1\r\n"
    "Connection: close\r\n\r\n"
)
TOO_SLOW = _REFUSED.format("408 Request Timeout").encode()
NO_ROOM = _REFUSED.format("503 Service Unavailable").encode()

log = logging.getLogger("croupier.web")


class Phase(Enum):
    """What a connection is at."""

    NEW = "new"
    HEAD = "the head of a request"
    BODY = "the body of a request"
    ANSWER = "an answer of ours"
    TAKING = "taking an answer"
    IDLE = "idle between requests"
    CLOSING = "closing"


def time_limits(limits: Limits) -> dict[Phase, float]:
    """Where the server waits for a client that has begun something, and for how many seconds."""
    return {
        Phase.HEAD: limits.head_s,
        Phase.BODY: limits.body_s,
        Phase.TAKING: limits.taking_s,
        Phase.CLOSING: limits.taking_s,
    }


@dataclass
class _Neighbors:
    """The connections of one address, or all of them."""

    open: set[TimedProtocol] = field(default_factory=set)
    waited_for: dict[TimedProtocol, None] = field(default_factory=dict)
    """Those for which the server waits, the longest first."""
    idle: dict[TimedProtocol, None] = field(default_factory=dict)

    def put(self, connection: TimedProtocol, *, is_waited_for: bool, is_idle: bool) -> None:
        self.remove(connection)
        self.open.add(connection)
        if is_waited_for:
            self.waited_for[connection] = None
        elif is_idle:
            self.idle[connection] = None

    def remove(self, connection: TimedProtocol) -> None:
        self.open.discard(connection)
        self.waited_for.pop(connection, None)
        self.idle.pop(connection, None)

    def give_way(self) -> TimedProtocol | None:
        """Who goes when somebody new comes: whoever was waited for longest, else who is idle longest."""
        return next(iter(self.waited_for), None) or next(iter(self.idle), None)


class Connections:
    """All connections of a server. Used by its event loop alone."""

    def __init__(self, limits: Limits, most: int, proxies: Proxies) -> None:
        self._most = most
        self._most_by_address = min(limits.connections_by_address, most // 2)
        self._proxies = proxies
        self._all = _Neighbors()
        self._by_address: dict[str, _Neighbors] = {}
        self._seconds = time_limits(limits)
        self._since: dict[Phase, dict[TimedProtocol, float]] = {phase: {} for phase in self._seconds}
        """Since when each is waited for, the longest first."""
        self._sweeper: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._all.open)

    def has_room(self, host: str) -> bool:
        """Whether one more may come from there; others may have had to go for it. A proxy speaks for many."""
        neighbors = self._by_address.get(counted_as(host), _Neighbors())
        if len(neighbors.open) >= self._most_by_address and host not in self._proxies and not _make_room(neighbors):
            return False
        return len(self) < self._most or _make_room(self._all)

    def put(self, connection: TimedProtocol, phase: Phase) -> None:
        """Notes what a connection is at, and starts its clock anew if it is waited for."""
        self.remove(connection)
        is_waited_for, is_idle = phase in self._seconds, phase is Phase.IDLE
        neighbors = self._by_address.setdefault(connection.address, _Neighbors())
        for group in (self._all, neighbors):
            group.put(connection, is_waited_for=is_waited_for, is_idle=is_idle)
        if is_waited_for:
            self._since[phase][connection] = connection.loop.time()
            if self._sweeper is None:
                self._sweeper = connection.loop.call_later(SWEEP_S, self._sweep, connection.loop)

    def _sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cuts off some of those that took too long."""
        left, now = SWEPT_TOGETHER, loop.time()
        for phase, since in self._since.items():
            for connection, at in list(islice(since.items(), left)):
                if now < at + self._seconds[phase]:
                    break
                connection.cut_off()
                left -= 1
        is_over = not any(self._since.values())
        self._sweeper = None if is_over else loop.call_later(SWEEP_S, self._sweep, loop)

    def remove(self, connection: TimedProtocol) -> None:
        for since in self._since.values():
            since.pop(connection, None)
        self._all.remove(connection)
        if (neighbors := self._by_address.get(connection.address)) is not None:
            neighbors.remove(connection)
            if not neighbors.open:
                del self._by_address[connection.address]


def _make_room(neighbors: _Neighbors) -> bool:
    victim = neighbors.give_way()
    if victim is None:
        return False
    log.warning("There are too many connections: one from %s, %s, had to go.", victim.address, victim.phase.value)
    victim.drop()
    return True


class TimedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with a bound on connections and on the time that a client takes."""

    shared: ClassVar[Connections]
    address = "unknown"
    phase = Phase.NEW

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client is not None else "unknown"
        self.address = counted_as(host)
        if self.shared.has_room(host):
            self._watch()
        else:
            log.warning("There are too many connections: one from %s was refused.", self.address)
            transport.write(NO_ROOM)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._watch()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._watch()

    def drop(self) -> None:
        """Ends it at once, whatever is still to be sent."""
        self._leave()
        self.transport.abort()

    def _phase_now(self) -> Phase:
        if self.transport.is_closing():
            return Phase.CLOSING
        if self.flow.write_paused:
            return Phase.TAKING
        if self.conn.their_state is h11.SEND_BODY:
            return Phase.BODY
        if self.conn.their_state is h11.IDLE:
            return Phase.IDLE if self.timeout_keep_alive_task is not None else Phase.HEAD
        return Phase.ANSWER

    def _watch(self) -> None:
        """Starts the clock anew when the connection comes to something else; more of the same does not prolong it."""
        phase = self._phase_now()
        if phase is not self.phase:
            self.phase = phase
            self.shared.put(self, phase)

    def _leave(self) -> None:
        self.shared.remove(self)
        self.phase = Phase.CLOSING  # and is not watched any more

    def cut_off(self) -> None:
        """Ends it because it took too long, with an answer if it is owed one."""
        if self.phase is Phase.BODY and self.flow.read_paused:  # here it is the client who waits for us
            self.shared.put(self, self.phase)
            return
        log.warning("A connection from %s took too long: %s.", self.address, self.phase.value)
        if self.phase not in (Phase.HEAD, Phase.BODY):
            self.drop()
            return
        is_answered = self.phase is Phase.BODY and self.cycle.response_started
        has_begun = self.phase is Phase.BODY or bool(self.conn.trailing_data[0])
        if has_begun and not is_answered:
            self.transport.write(TOO_SLOW)
        self.transport.close()
        self._watch()


def protocol_for(connections: Connections) -> type[TimedProtocol]:
    """The protocol of a server, which makes one for each connection."""

    class Protocol(TimedProtocol):
        shared = connections

    return Protocol


class BoundedServer(uvicorn.Server):
    """Lets more clients stand in line than it takes in one go, which asyncio has as one number."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in (listener for server in self.servers for listener in server.sockets):
            with socket.socket(fileno=os.dup(listener.fileno())) as same:
                same.listen(BACKLOG)


def connections_for(limits: Limits) -> int:
    """How many connections there may be; as many descriptors as allowed are asked of the system first."""
    most = min(limits.connections, raise_descriptors() - RESERVED_DESCRIPTORS)
    if most < limits.connections:
        most = max(most, FEWEST_CONNECTIONS)
        log.warning(
            "The system allows so few open files that there can be %d connections at most. Raise the limit to %d or "
            "more (ulimit -n, LimitNOFILE= of systemd).",
            most,
            limits.connections + RESERVED_DESCRIPTORS,
        )
    return most


def raise_descriptors() -> int:
    """Raises the number of files and sockets that may be open to what the system allows; returns it."""
    try:
        import resource
    except ImportError:  # Windows, which counts otherwise
        return NO_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = NO_DESCRIPTORS if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            return soft
    return wanted
