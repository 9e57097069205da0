"""A dealer beside clients that mean ill: `python -m bench.hostile`, or a part of `make bench`.

A dealer's chips go on and off a sensor over HTTP, so often a second, while from the same address other clients hold
half a request each, guess at tokens, or ask for pages as fast as they are answered. The server runs as `croupier serve`
starts it, with its usual limits, and the others in a process of their own; all of them share the cores.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from statistics import median, quantiles

import httpx2

from bench.web import serving
from croupier.floor.credentials import DEMO_PEOPLE
from croupier.floor.roles import Role
from croupier.web.api.rights import PREFIX
from croupier.web.connections import raise_descriptors

SECONDS = 20.0
ACTIONS_A_SECOND = 20
SLOW = 1100
GUESSERS = 5
GUESSES_A_SECOND = 10
"""Of each guesser."""
HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: a"
HALF_BODY = b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\ncard=1"
COMPANY = {
    "nobody": [],
    "bad tokens": ["tokens"],
    f"{SLOW:,} half heads": ["heads"],
    f"{SLOW:,} half bodies": ["bodies"],
    "a flood of pages": ["flood"],
    "all of them": ["tokens", "heads", "bodies", "flood"],
}


@dataclass
class Measured:
    """Milliseconds of the dealer's actions, and how many failed."""

    actions: list[float] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)


def sign_in(port: int) -> tuple[dict[str, str], str]:
    """The dealer's cookies and csrf token, from before the others come."""
    dealer = next(person for person in DEMO_PEOPLE if person.role is Role.DEALER)
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}{PREFIX}", timeout=10) as client:
        answer = client.post("/session", json={"card": dealer.card, "pin": dealer.pin})
        return dict(client.cookies), answer.json()["csrf_token"]


async def deal(port: int, cookies: dict[str, str], csrf: str) -> Measured:
    """A signed-in dealer, who acts at fixed times whatever the last answer took."""
    found, headers = Measured(), {"X-CSRF-Token": csrf}
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}{PREFIX}", timeout=10, cookies=cookies) as client:

        async def act(number: int) -> None:
            chip = {"seat": 1 + number % 5, "sensor": 1, "lit": number % 2 == 0}
            key = {"Idempotency-Key": f"chip-{time.time_ns()}"}
            start = time.perf_counter()
            try:
                answer = await client.post("/tables/ddm_1/sense", json=chip, headers=headers | key)
                if answer.status_code >= 400:
                    found.failed[str(answer.status_code)] += 1
            except httpx2.HTTPError as error:
                found.failed[type(error).__name__] += 1
            found.actions.append(1e3 * (time.perf_counter() - start))

        start, tasks = time.perf_counter(), []
        for number in range(int(SECONDS * ACTIONS_A_SECOND)):
            await asyncio.sleep(max(0.0, start + number / ACTIONS_A_SECOND - time.perf_counter()))
            tasks.append(asyncio.create_task(act(number)))
        await asyncio.gather(*tasks)
    return found


async def hold(port: int, sent: bytes) -> None:
    """Half a request, and another one when it is cut off."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            await reader.read()
            writer.close()
        await asyncio.sleep(0.1)


async def guess(port: int) -> None:
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}{PREFIX}", timeout=30) as client:
        while True:
            with suppress(httpx2.HTTPError):
                await client.get("/meters", headers={"Authorization": f"Bearer device-{time.time_ns()}"})
            await asyncio.sleep(1 / GUESSES_A_SECOND)


async def flood(port: int) -> None:
    """One page after another, without a cookie."""
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        while True:
            with suppress(httpx2.HTTPError):
                await client.get("/sign-in")


async def attack(port: int, kinds: list[str]) -> None:
    """All that these kinds of clients do, until the process is ended or the time is over."""
    raise_descriptors()
    tasks = []
    for kind in kinds:
        if kind == "tokens":
            tasks += [guess(port) for _ in range(GUESSERS)]
        elif kind == "flood":
            tasks.append(flood(port))
        else:
            tasks += [hold(port, HALF_HEAD if kind == "heads" else HALF_BODY) for _ in range(SLOW)]
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*tasks), 10 * SECONDS)


@contextmanager
def attacked(port: int, kinds: list[str]) -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-m", "bench.hostile", str(port), *kinds]) if kinds else None
    if process is not None:
        time.sleep(5)  # until they are all there
    try:
        yield
    finally:
        if process is not None:
            process.kill()
            process.wait()


def lines() -> list[str]:
    made = [
        f"A dealer's {ACTIONS_A_SECOND} actions a second for {SECONDS:g} s, and beside it, from the same address:",
        "",
        "| beside the dealer | actions | median, ms | 99%, ms | worst, ms | failed |",
        "|---|---|---|---|---|---|",
    ]
    for name, kinds in COMPANY.items():
        with serving() as port:
            session = sign_in(port)
            with attacked(port, kinds):
                found = asyncio.run(deal(port, *session))
        last = quantiles(found.actions, n=100)[98]
        failed = ", ".join(f"{count} x {what}" for what, count in found.failed.items()) or "0"
        times = f"{median(found.actions):.1f} | {last:.1f} | {max(found.actions):.0f}"
        made.append(f"| {name} | {len(found.actions):,} | {times} | {failed} |")
    return made


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(attack(int(sys.argv[1]), sys.argv[2:]))
    else:
        print("\n".join(lines()))
