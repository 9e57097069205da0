"""Simulations: the queue, the form that asks for one, and the page on which its estimate converges."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from io import StringIO
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request, Response
from starlette.datastructures import FormData

from croupier.errors import unknown
from croupier.house_time import clock_text
from croupier.lab.run_figures import convergence_of
from croupier.lab.runs import MOST_ROUNDS, MOST_SECONDS, check_run
from croupier.reports.formatting import percent
from croupier.reports.plots.model import Plot
from croupier.reports.report import Table
from croupier.reports.simulation.compare import KNOWN_STRATEGIES, SHUFFLES
from croupier.reports.simulation.report import wagers_table
from croupier.rules import find_game
from croupier.store.play import owner_name
from croupier.store.simulations import STOPPED, StoredRun
from croupier.web.errors import WebError
from croupier.web.guard import TheRoom
from croupier.web.pages.base import (
    CommandId,
    PageRoute,
    TheVisit,
    Visit,
    back_to,
    is_partial,
    meet,
    page,
    player_for,
    with_cookie,
)
from croupier.web.pages.lab.simulation_form import UNTIL, filled, run_of, usual, wagers_of
from croupier.web.pages.manager.shared import go
from croupier.web.pages.reading.rules import approved_game, approved_games
from croupier.web.runs import LEASE_S, MICROS, SeenRun, read_run

router = APIRouter(route_class=PageRoute)

LONGEST_RUN_NAME = 80
SHOWN = 50
"""Lines of each list of results."""
STATES = {
    "waiting": "waits",
    "running": "is played",
    "done": "done",
    "stopped": "stopped",
    "failed": "failed",
}


async def sent_form(request: Request) -> FormData:
    return await request.form()


TheForm = Annotated[FormData, Depends(sent_form)]
Name = Annotated[str, Form(max_length=LONGEST_RUN_NAME)]


LENGTHS = (
    ("1e6", "a quick look: a million rounds"),
    ("1e7", "a good estimate: ten million rounds"),
    ("1e8", "a fine one: a hundred million rounds"),
)


@dataclass(frozen=True, kw_only=True)
class RunLine:
    """A run in a list."""

    row: StoredRun
    game: str
    rules: str
    seed: int
    figures: dict[str, Any] | None
    is_mine: bool
    at: str


@router.get("/simulations")
def simulations(request: Request, visit: TheVisit, room: TheRoom) -> Response:
    """What is played and what waits, and results."""
    owner = owner_of(visit)
    return page(
        request,
        "lab/simulations_part.html" if is_partial(request) else "lab/simulations.html",
        queue=[_line(row, owner) for row in room.runs.queue()],
        kept=[_line(row, owner) for row in room.runs.finished(kept=True)[:SHOWN]],
        recent=[_line(row, owner) for row in room.runs.finished(kept=False)[:SHOWN]],
        games=approved_games(),
        lengths=LENGTHS,
        bounds=room.runs.bounds,
        **WORDS,
    )


@router.get("/simulations/new")
def choose_game(game: str = "", amount: str = "") -> Response:
    """From the start page: to the form of a game, with a length."""
    approved = approved_game(game or approved_games()[0].id)
    if amount and amount not in dict(LENGTHS):
        raise unknown("length", amount, dict(LENGTHS))
    return back_to(f"/simulations/new/{approved.id}{f'?amount={amount}' if amount else ''}")


@router.get("/simulations/new/{game}")
def form(request: Request, visit: TheVisit, room: TheRoom, game: str, like: str = "", amount: str = "") -> Response:
    """The form; with `like`, as a run before was asked for."""
    approved = approved_game(game)
    run = room.runs.seen(like).run if like else usual(approved)
    if visit.person is None:
        visit = meet(request, visit)
    entered = filled(approved, run if run.game == approved.id else usual(approved), seed=str(run.seed) if like else "")
    shown = page(
        request,
        "lab/simulation_new.html",
        game=approved,
        games=approved_games(),
        wagers=wagers_of(approved),
        filled=replace(entered, amount=amount) if amount in dict(LENGTHS) else entered,
        until=UNTIL,
        shuffles=SHUFFLES,
        strategies=KNOWN_STRATEGIES if approved.is_decided else (),
        most_rounds=MOST_ROUNDS,
        most_seconds=MOST_SECONDS,
    )
    return with_cookie(shown, visit, demo=room.demo)


@router.post("/simulations/new/{game}")
def ask(request: Request, visit: TheVisit, room: TheRoom, game: str, sent: TheForm, command: CommandId) -> Response:
    """Puts a run into the queue, once for each form."""
    approved = approved_game(game)
    run = run_of(approved, sent)
    owner = owner_of(visit) or owner_of(replace(visit, player=player_for(room, visit)))
    id = sha256(f"{owner}/{command}".encode()).hexdigest()[:12]
    room.runs.ask(id, owner, run, visitor=visit.asks_as)
    return go(request, f"/simulations/{id}")


@router.get("/simulations/{run}")
def simulation(request: Request, visit: TheVisit, room: TheRoom, run: str, wager: str = "") -> Response:
    """A run as it stands."""
    seen = room.runs.seen(run)
    data = seen.data
    shown = wager if data is not None and wager in data["wagers"] else next(iter(data["wagers"])) if data else ""
    return page(
        request,
        "lab/simulation_part.html" if is_partial(request) else "lab/simulation.html",
        seen=seen,
        row=seen.row,
        run=seen.run,
        data=data,
        game=find_game(seen.run.game),
        wagers=_wagers(seen) if data else None,
        shown=shown,
        plot=_plot(seen, shown),
        asked=check_run(seen.run),
        command=seen.run.command(seen.standing.same_rounds if seen.standing and seen.standing.same_rounds else None),
        is_mine=may_change(visit, seen.row),
        at=_clock(seen.row.changed_micros),
        most_seconds=MOST_SECONDS,
        longest_name=LONGEST_RUN_NAME,
        lease_s=LEASE_S,
        **WORDS,
    )


@router.get("/simulations/{run}/json")
def as_json(room: TheRoom, run: str) -> Response:
    """The results in the form of `croupier simulate --json`."""
    seen = room.runs.seen(run)
    if seen.data is None:
        raise WebError("Not a round of this simulation has been played yet.", code="nothing_played")
    data = seen.data | {"interrupted": seen.row.state == STOPPED}
    headers = {"Content-Disposition": f'attachment; filename="{seen.run.game}-{seen.run.seed}.json"'}
    return Response(json.dumps(data, indent=2) + "\n", media_type="application/json", headers=headers)


@router.get("/simulations/{run}/csv")
def as_csv(room: TheRoom, run: str) -> Response:
    """The results of each wager on a line, with the numbers of the JSON."""
    seen = room.runs.seen(run)
    if seen.data is None:
        raise WebError("Not a round of this simulation has been played yet.", code="nothing_played")
    wagers = seen.data["wagers"]
    names = [name for name, value in next(iter(wagers.values())).items() if not isinstance(value, dict | list)]
    text = StringIO()
    sheet = csv.writer(text, lineterminator="\n")
    sheet.writerow(["game", "seed", "rounds", "wager", *names])
    for wager, figures in wagers.items():
        values = ["" if figures[name] is None else figures[name] for name in names]
        sheet.writerow([seen.run.game, seen.run.seed, seen.data["rounds"], wager, *values])
    headers = {"Content-Disposition": f'attachment; filename="{seen.run.game}-{seen.run.seed}.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/simulations/{run}/stop")
def stop(request: Request, visit: TheVisit, room: TheRoom, run: str, command: CommandId) -> Response:
    """Ends a run with what it has."""
    _require_own(visit, room.runs.seen(run).row)
    room.runs.stop(run)
    return _back(request, visit, room, run)


@router.post("/simulations/{run}/keep")
def keep(request: Request, visit: TheVisit, room: TheRoom, run: str, name: Name, command: CommandId) -> Response:
    """Gives a result a name, by which it is kept for good."""
    seen = room.runs.seen(run)
    _require_own(visit, seen.row)
    if not seen.is_over or seen.data is None:
        raise WebError("Only a result can be kept: wait until it is there.", code="nothing_played")
    if not name.strip() or not name.isprintable():
        raise WebError("Give the result a name that can be printed.", code="bad_name")
    room.runs.keep(run, seen.row.owner, name.strip())
    return _back(request, visit, room, run)


@router.post("/simulations/{run}/remove")
def remove(request: Request, visit: TheVisit, room: TheRoom, run: str, command: CommandId) -> Response:
    """Takes a result off the lists."""
    seen = room.runs.seen(run)
    _require_own(visit, seen.row)
    if not seen.is_over:
        raise WebError("Stop the simulation first.", code="not_over")
    room.runs.remove(run)
    return go(request, "/simulations")


def owner_of(visit: Visit) -> str:
    """Under which name a visitor's runs stand; empty for somebody whom the server does not know."""
    if visit.person is not None:
        return f"staff:{visit.person.id}"
    return owner_name(visit.player) if visit.player is not None else ""


def may_change(visit: Visit, row: StoredRun) -> bool:
    """Whoever asked for it, and the staff."""
    return visit.person is not None or row.owner == owner_of(visit)


def _require_own(visit: Visit, row: StoredRun) -> None:
    if not may_change(visit, row):
        raise WebError(
            "Somebody else has asked for this simulation: they or the staff may do that.", code="not_allowed"
        )


def _back(request: Request, visit: Visit, room: TheRoom, run: str) -> Response:
    """To the page of the run, or its part as it is now."""
    if is_partial(request):
        return simulation(request, visit, room, run, request.query_params.get("wager", ""))
    return back_to(f"/simulations/{run}")


def _line(row: StoredRun, owner: str) -> RunLine:
    run = read_run(row)
    rules = [f"{run.decks} deck{'' if run.decks == 1 else 's'}"]
    rules += [f"{run.seats} seats"] if run.seats != 1 else []
    rules += [run.shuffle] if run.shuffle != "fresh" else []
    rules += [f"{name} {value}".replace("_", " ") for name, value in run.settings.items()]
    return RunLine(
        row=row,
        game=find_game(run.game).short_name,
        rules=", ".join(rules),
        seed=run.seed,
        figures=json.loads(row.summary) if row.summary else None,
        is_mine=row.owner == owner,
        at=_clock(row.changed_micros),
    )


def _names(seen: SeenRun) -> dict[str, str]:
    """Of wagers, by id."""
    return {wager.id: wager.name for wager in find_game(seen.run.game).wagers}


def _wagers(seen: SeenRun) -> Table:
    """Each leads to its plot, where there are several."""
    wagers = seen.data["wagers"] if seen.data is not None else {}
    address = f"/simulations/{seen.row.id}?wager=" if len(wagers) > 1 else ""
    return wagers_table(wagers, _names(seen), address)


def _plot(seen: SeenRun, wager: str) -> Plot | None:
    if seen.standing is None or seen.data is None:
        return None
    return convergence_of(seen.run, seen.standing, wager, _names(seen).get(wager, wager))


def _clock(micros: int) -> str:
    return clock_text(datetime.fromtimestamp(micros / MICROS))


def _percent(value: float, decimals: int = 4) -> str:
    return percent(Fraction(value), decimals)


WORDS: dict[str, Any] = {"states": STATES, "percent": _percent}
