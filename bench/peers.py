"""Croupier against packages of the Python Package Index that play blackjack, each measured beside it on one core.

    python -m bench.peers

Peers live in a virtual environment of their own, `.venv-peers`, made here and never mixed with ours.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import venv
from dataclasses import dataclass
from pathlib import Path

from bench.limit import spec_of
from bench.strategy import one_core
from croupier.simulate.play import ROUNDS
from croupier.simulate.run import run_chunks

FOLDER = Path(__file__).parent.parent / ".venv-peers"
PLAYER = Path(__file__).with_name("peers_play.py")
SECONDS = 3.0
CHUNKS = 256


@dataclass(frozen=True, kw_only=True)
class Peer:
    """A package that plays blackjack."""

    name: str
    """As in `peers_play.py`."""
    title: str
    needs: tuple[str, ...]
    """What pip installs; the first one is the peer, whose version is shown."""
    way: str
    """How its rounds are played here: the fastest way it offers."""
    leaves_out: str
    """Of what Croupier's rounds have."""


_ENVIRONMENT = "real shoe (cards with replacement), doubling, splitting, insurance, soft 17 hit, side wagers"
PEERS = (
    Peer(
        name="envpool",
        title="EnvPool Blackjack-v1",
        needs=("envpool", "gymnasium"),
        way="4,096 tables at once, C++, one thread",
        leaves_out=_ENVIRONMENT,
    ),
    Peer(
        name="gymnasium_functional",
        title="Gymnasium tabular/Blackjack-v0",
        needs=("gymnasium", "jax", "flax"),
        way="4,096 tables at once, compiled by JAX",
        leaves_out=_ENVIRONMENT,
    ),
    Peer(
        name="gymnasium",
        title="Gymnasium Blackjack-v1",
        needs=("gymnasium",),
        way="one table, without wrappers",
        leaves_out=_ENVIRONMENT,
    ),
    Peer(
        name="open_spiel",
        title="OpenSpiel blackjack",
        needs=("open_spiel",),
        way="one state after another, C++ called from Python",
        leaves_out="more than one deck, doubling, splitting, insurance, 3 to 2, side wagers",
    ),
    Peer(
        name="rlcard",
        title="RLCard blackjack",
        needs=("rlcard",),
        way="its game without the environment around it, 6 decks",
        leaves_out="doubling, splitting, insurance, 3 to 2, peek, side wagers",
    ),
    Peer(
        name="blackjack21",
        title="blackjack21",
        needs=("blackjack21",),
        way="one table, 6 decks dealt to three quarters",
        leaves_out="insurance, side wagers; doubling and splitting are not used here; no fresh shuffle for each round",
    ),
    Peer(
        name="jackblack",
        title="jackblack",
        needs=("jackblack",),
        way="its simulation, 6 decks",
        leaves_out="side wagers; doubling, splitting and insurance are not used here; no fresh shuffle for each round",
    ),
)
SOUGHT = ("blackjack-simulator", "blackjack-sim", "fastblackjack", "blackjack-rs", "blackjack-engine", "baccarat")
"""Names under which a simulator might be, tried as well: a report says which of them the index here does not have."""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A peer beside Croupier."""

    peer: Peer
    version: str
    speed: float
    """Rounds a second; 0 if it could not be measured."""
    croupier: float
    """Rounds a second in the turns right before and after."""
    problem: str


def _python() -> str:
    return str(FOLDER / ("Scripts" if os.name == "nt" else "bin") / "python")


def say(arguments: list[str]) -> tuple[str, str]:
    """What a command of the peers' Python printed, and the last line of its complaint if it failed."""
    done = subprocess.run([_python(), *arguments], capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("WARNING")]
    return done.stdout, (said[-1] if said else "failed") if done.returncode else ""


def install(peer: Peer) -> str:
    """Installs what a peer needs; returns why it could not, or nothing."""
    if not FOLDER.exists():
        venv.create(FOLDER, with_pip=True)
    _, problem = say(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peer.needs])
    return problem


def not_there() -> list[str]:
    """Of the names sought, those that nothing can be installed under."""
    return [name for name in SOUGHT if say(["-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", name])[1]]


def installed_version(peer: Peer) -> str:
    said, _ = say(["-c", f"from importlib.metadata import version; print(version({peer.needs[0]!r}))"])
    return said.strip()


def croupier_speed() -> float:
    """Rounds a second of blackjack with all wagers by the chart of totals, on one core, for about a second."""
    spec = spec_of("blackjack")
    rounds, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS / 3:
        rounds += int(run_chunks(spec, 1, 0, CHUNKS)[ROUNDS])
    return rounds / (time.perf_counter() - start)


def measure_peer(peer: Peer) -> Measured:
    problem = install(peer)
    speed, croupier = 0.0, 0.0
    if not problem:
        with one_core():  # a child process stays on it
            before = croupier_speed()
            said, problem = say([str(PLAYER), peer.name, str(SECONDS)])
            croupier = (before + croupier_speed()) / 2
        if not problem:
            result = json.loads(said.splitlines()[-1])
            speed = result["rounds"] / result["seconds"]
    return Measured(peer=peer, version=installed_version(peer), speed=speed, croupier=croupier, problem=problem)


def measure() -> list[Measured]:
    croupier_speed()  # compiles
    return [measure_peer(peer) for peer in PEERS]


def table(rows: list[Measured]) -> list[str]:
    lines = [
        "| peer | how it is played | rounds/s | Croupier beside it | Croupier is faster | what its game leaves out |",
        "|---|---|---|---|---|---|",
    ]
    for row in sorted(rows, key=lambda row: -row.speed):
        speeds = f"not measured: {row.problem} | | "
        if not row.problem:
            speeds = f"{row.speed:,.0f} | {row.croupier:,.0f} | {row.croupier / row.speed:,.0f} times"
        title = f"{row.peer.title} {row.version}".strip()
        lines.append(f"| {title} | {row.peer.way} | {speeds} | {row.peer.leaves_out} |")
    return lines


if __name__ == "__main__":
    sys.stdout.write("\n".join(table(measure())) + "\n")
