"""The lab: a pay table edited on a page, with its exact figures beside it. The draft lives in the form and in the
address, never on the server. A file that somebody opens travels in the form alone, and is parsed in a process of its
own that has little time and memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from croupier.errors import CroupierError, NotationError, SpecError
from croupier.lab.draft import FILE, Draft
from croupier.lab.figures import (
    Plain,
    draft_figures,
    played_draft_effects,
    played_draft_figures,
    played_draft_solution,
)
from croupier.lab.game_file import MOST_BYTES, command_of, draft_from_toml, require_size
from croupier.lab.look import WHOLE_DRAFT, DraftFile, Looked, look_at, save_draft
from croupier.lab.own_bets import files_needed
from croupier.reports.report import Table
from croupier.rules.parse import require_toml_bounds
from croupier.web.errors import WebError, status_of
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, back_to, is_partial
from croupier.web.pages.choosing import decks_offered, decks_text, sides_of
from croupier.web.pages.lab.form import (
    COMPUTE,
    EFFECTS,
    LAB,
    DraftQuestion,
    address_of,
    of_what,
    read_address,
    read_form,
)
from croupier.web.pages.reading.rules import PATIENCE_S, approved_games, made_page
from croupier.web.services import Services
from croupier.web.work.processes import Standing

router = APIRouter(route_class=PageRoute)

TYPED = ("input#pays-", "input#label-", "input#solve_edge")
"""Fields whose text is sent while it is written."""


PASSING = (429, 503)
"""Refusals that are nobody's mistake: the same may be had in a minute."""
FILE_PATIENCE_S = 90.0
"""A file is waited for until it is read or refused."""
Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True)
class DraftPage:
    """What is asked for, and the draft as far as it could be read."""

    asked: DraftQuestion
    looked: Looked


@dataclass
class DraftFigures:
    """What was computed; None for what is not there yet, or was not asked for."""

    data: Plain | None = None
    effects: Table | None = None
    solution: Plain | None = None
    is_computing: bool = False
    standing: Standing | None = None
    """How far the figures are, where they are not there yet."""


@router.get(LAB)
async def lab(request: Request, room: TheRoom) -> Response:
    return await _shown(request, room, read_address(request.query_params))


@router.post(LAB)
async def change(request: Request, room: TheRoom) -> Response:
    """With scripts the form with new figures; without, the page of the draft's own address."""
    question = read_form(await request.form())
    if is_partial(request) or question.draft.file:
        return await _shown(request, room, question)
    return back_to(address_of((await _seen(room, question)).asked))


@router.post(f"{LAB}/file")
async def save(request: Request, room: TheRoom) -> Response:
    """The draft as a game file of one's own. A draft with a mistake is shown with it instead; nothing is saved."""
    question = read_form(await request.form())
    saved = await _made_of(room, question.draft, save_draft)
    if not isinstance(saved, DraftFile):
        return await _shown(request, room, question)
    headers = {"Content-Disposition": f'attachment; filename="{saved.name}"'}
    return Response(saved.text, media_type="application/toml; charset=utf-8", headers=headers)


@router.post(f"{LAB}/load")
async def load(request: Request, room: TheRoom) -> Response:
    """Opens a game file of one's own. It is read as data: nothing in it is run, and the server keeps nothing of it."""
    form = await request.form()
    try:
        text = await _uploaded(form.get("upload"))
        await run_in_threadpool(require_toml_bounds, text, FILE)  # at once, whatever the other process is at
        draft = _there(await room.work.file(FILE_PATIENCE_S, draft_from_toml, text))
    except CroupierError as error:
        if status_of(error) in PASSING:
            raise
        return await _shown(request, room, read_form(form), upload_problem=str(error))
    return await _shown(request, room, DraftQuestion(draft=draft))


async def _uploaded(sent: Any) -> str:
    if not isinstance(sent, UploadFile) or not sent.filename:
        raise NotationError("Choose a file first: a game file in TOML, as the lab saves it.", code="file_missing")
    content = await sent.read(MOST_BYTES + 1)
    require_size(len(content))
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise SpecError("The file is not UTF-8 text. A game file is TOML.", code="unreadable_file") from None


async def _made_of(room: Services, draft: Draft, compute: Callable[[Draft], Made]) -> Made:
    """What a function makes of a draft: elsewhere if it has a file, as only approved games are read in this process."""
    if not draft.file:
        return await run_in_threadpool(compute, draft)
    return _there(await room.work.file(FILE_PATIENCE_S, compute, draft))


def _there(draft: Made | None) -> Made:
    if draft is None:
        raise WebError("Files of others are read before yours. Ask again in a minute.", code="too_busy")
    return draft


async def _seen(room: Services, question: DraftQuestion) -> DraftPage:
    looked = await _made_of(room, question.draft, look_at)
    return DraftPage(asked=replace(question, draft=looked.draft), looked=looked)


async def _computed(room: Services, seen: DraftPage) -> DraftFigures:
    """Figures at once; those of a wager that is played when a button asks for them, in the process for long work."""
    question, opened = seen.asked, seen.looked.opened
    if not opened.is_played:
        draft, row, edge = question.draft, question.solve_row, question.solve_edge
        do_now = room.work.file if draft.file else room.work.draft
        data = await do_now(PATIENCE_S, draft_figures, draft, row, edge)
        computed = data or {}
        answer = DraftFigures(data, computed.get("effects"), computed.get("solution"), is_computing=data is None)
        answer.standing = room.work.standing("files" if draft.file else "lab", draft_figures, draft, row, edge)
        return answer
    if question.wants not in (COMPUTE, EFFECTS):
        return DraftFigures()
    # What takes minutes is computed where nothing else waits for it; of a file nobody knows how long it takes.
    is_slow = opened.game.declared.hands > 1 or question.draft.file
    do = room.work.slow if is_slow else room.work.sheet
    answer = DraftFigures(data=await do(PATIENCE_S, played_draft_figures, question.draft))
    answer.is_computing = answer.data is None
    answer.standing = room.work.standing("slow" if is_slow else "sheets", played_draft_figures, question.draft)
    if question.solve_edge and not answer.is_computing:
        answer.solution = await do(
            PATIENCE_S, played_draft_solution, question.draft, question.solve_row, question.solve_edge
        )
        answer.is_computing = answer.solution is None
    if question.wants == EFFECTS and not answer.is_computing:
        answer.effects = await do(PATIENCE_S, played_draft_effects, question.draft)
        answer.is_computing = answer.effects is None
    return answer


async def _shown(request: Request, room: Services, question: DraftQuestion, *, upload_problem: str = "") -> Response:
    seen = await _seen(room, question)
    problems, answer = dict(seen.looked.problems), DraftFigures()
    if seen.looked.trial is not None:
        try:
            answer = await _computed(room, seen)
        except CroupierError as error:
            if status_of(error) in PASSING:
                raise
            problems[WHOLE_DRAFT] = str(error)
    if answer.solution and "problem" in answer.solution:
        problems[answer.solution["field"]] = answer.solution["problem"]
    address = address_of(seen.asked)
    response = await made_page(
        request,
        "lab/form.html" if is_partial(request) else "lab/pay_table.html",
        status=422 if problems or upload_problem else 200,
        upload_problem=upload_problem,
        address=address,
        problems=problems,
        answer=answer,
        **_form(request, seen),
    )
    if is_partial(request):
        response.headers.update(_swap(request, seen, address))
    return response


def _swap(request: Request, seen: DraftPage, address: str) -> dict[str, str]:
    """While a pay is half typed the figures before it stay, and only the table says what is missing."""
    is_typed = request.headers.get("hx-source", "").startswith(TYPED)
    if is_typed and seen.looked.problems and WHOLE_DRAFT not in seen.looked.problems:
        return {"HX-Retarget": "#edit", "HX-Reselect": "#edit", "HX-Reswap": "outerMorph"}
    return {} if seen.asked.draft.file else {"HX-Replace-Url": address}


def _form(request: Request, seen: DraftPage) -> dict[str, Any]:
    """What the form shows, whatever was computed."""
    opened, start, trial = seen.looked.opened, seen.looked.opened.start, seen.looked.trial
    source = request.headers.get("hx-source", "")
    return {
        "asked": seen.asked,
        "opened": opened,
        "trial": trial,
        "game": opened.game,
        "wager": start.wager,
        "games": approved_games(),
        "choice": start,
        "of": of_what(opened),
        "as_it_was": "as in the file" if seen.asked.draft.file else opened.game.source.as_it_is,
        "decks": list(dict.fromkeys([*decks_offered(opened.game), decks_text(start)])),
        "decks_chosen": decks_text(start),
        "sides": sides_of(start),
        # A switch that was just changed stays in sight.
        "switches_open": bool(seen.asked.draft.settings) or source.startswith("select#set-"),
        "command": command_of(trial.choice) if trial is not None else "",
        "needs": files_needed(opened.game),
        "half_a_minute": start.game.declared.hands > 1,
    }
