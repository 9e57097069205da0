"""How long a first visitor waits on a machine that has computed nothing yet: `python -m bench.first_click`.

A server is started on an empty cache. Of every game: the edge of its main wager in the lobby, its default strategy, and
the first advice of a hand, as a browser would ask for them; what is not there is asked for again until it is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import httpx2 as httpx

from croupier.rules import find_game, game_ids

PORT = 8391
PAGE = Path("bench/results/first_click.md")
LONGEST_S = 90.0
ROUNDS = 40
"""Rounds that are dealt until somebody is asked something."""


@dataclass(frozen=True)
class Wait:
    """Seconds until something was there, and what was said of it."""

    strategy: float | None
    advice: float | None
    basis: str


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"XDG_CACHE_HOME": f"{folder}/cache"}
        environment.pop("CROUPIER_CACHE", None)
        server = subprocess.Popen(
            [
                *(sys.executable, "-c", "from croupier.cli import main; main()", "serve", "--demo"),
                *("--port", str(PORT), "--database", f"{folder}/demo.db"),
            ],
            env=environment,
            stdout=subprocess.DEVNULL,
        )
        try:
            PAGE.write_text(measured(), encoding="utf-8")
        finally:
            server.terminate()
            server.wait()
    return 0


def measured() -> str:
    began = time.monotonic()
    address = f"http://127.0.0.1:{PORT}"
    while True:
        try:
            httpx.get(f"{address}/health", timeout=5)
            break
        except httpx.TransportError:
            time.sleep(0.1)
    started = time.monotonic() - began
    began = time.monotonic()
    lobby = httpx.get(address, timeout=LONGEST_S).text
    first = time.monotonic() - began
    missing = lobby.count('class="computing"')
    edges = sum(len(find_game(game).proved_wagers) for game in game_ids())
    lines = [
        "# The first click on a machine that has computed nothing",
        "",
        f"Page of `python -m bench.first_click`, {os.cpu_count()} cores, load average "
        f"{os.getloadavg()[0]:.1f} when it began. The server answered after {started:.1f} s; the lobby came "
        f"{first:.2f} s later, with {edges - missing} of {edges} edges.",
        "",
        "| game | default strategy, s | first advice, s | its values are |",
        "| --- | ---: | ---: | --- |",
    ]
    for game in game_ids():
        wait = wait_for(address, game)
        lines.append(f"| {game} | {seconds(wait.strategy)} | {seconds(wait.advice)} | {wait.basis} |")
    return "\n".join(lines) + "\n"


def seconds(wait: float | None) -> str:
    return "-" if wait is None else f"{wait:.2f}"


def wait_for(address: str, game: str) -> Wait:
    spec = find_game(game)
    if not spec.is_decided:
        return Wait(None, None, "nothing is asked")
    with httpx.Client(base_url=address, timeout=LONGEST_S, follow_redirects=True) as visitor:
        began = time.monotonic()
        while "<table" not in visitor.get(f"/strategy/{game}").text and time.monotonic() - began < LONGEST_S:
            time.sleep(0.1)
        strategy = time.monotonic() - began
        advice = asked(visitor, game)
        if advice is None:
            return Wait(strategy, None, "nothing was asked")
        began = time.monotonic()
        while "<table" not in (text := visitor.get(advice).text) and time.monotonic() - began < LONGEST_S:
            time.sleep(0.1)
        return Wait(strategy, time.monotonic() - began, basis_of(text))


def basis_of(text: str) -> str:
    if "<table" not in text:
        return f"not there after {LONGEST_S:.0f} s"
    if "fresh shoe" in text:
        return "from a fresh shoe, said so"
    return "estimated, with its error" if "Estimated" in text else "exact"


def asked(visitor: httpx.Client, game: str) -> str | None:
    """Deals until a question is on the table; the address of its advice."""
    spec = find_game(game)
    page = visitor.get(f"/play/{game}").text
    for number in range(ROUNDS):
        for do in (f"lay 1 {spec.first_wager.id}", "deal"):
            fields = {"csrf": field(page, "csrf"), "command": f"{field(page, 'command')}-{number}", "do": do}
            visitor.post(f"/play/{game}", data=fields | ({"chip": "5"} if do != "deal" else {}))
            page = visitor.get(f"/play/{game}").text
        if re.search(r'value="answer \d', page):
            found = re.search(r'data-advice="([^"]+)"', page)
            return found[1] if found else None
    return None


def field(page: str, name: str) -> str:
    found = re.search(f'name="{name}" value="([^"]*)"', page)
    assert found is not None, name
    return found[1]


if __name__ == "__main__":
    sys.exit(main())
