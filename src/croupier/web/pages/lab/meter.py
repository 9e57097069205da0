"""Progressive what-ifs: settings of a meter in a form, exact figures at once, simulated years when they are there."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from fastapi import APIRouter, Request, Response

from croupier.errors import CroupierError, NotationError, RangeError, unknown
from croupier.lab.meter import MeterAsk, MeterExact, exact_meter
from croupier.lab.meter_years import MeterYears, simulate_meter
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people, parse_dollars
from croupier.pay import PayTable, parse_rate
from croupier.reports.simulation.meter_report import agreement_table
from croupier.rules.choice import Choice
from croupier.rules.spec import Game, Wager
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, is_partial
from croupier.web.pages.choosing import (
    CHOICE_FIELDS,
    SWITCH,
    Query,
    decks_offered,
    decks_text,
    read_choice,
    read_query,
    read_switches,
    sides_of,
)
from croupier.web.pages.reading.rules import PATIENCE_S, approved_games, made_page
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

ROOM_FIELDS = {"tables": "1", "seats": "3", "rounds_per_hour": "60", "hours": "16"}
"""Participation, with what `croupier meter` takes for it."""
METER_FIELDS = ("stake", "seed_amount", "contribution", "reserve", "start")
WAGER, AGAINST, RANDOM_SEED = "wager", "against", "random_seed"
FIELDS = (WAGER, AGAINST, RANDOM_SEED, *CHOICE_FIELDS, *METER_FIELDS, *ROOM_FIELDS)
MOST_RANDOM_SEED = 2**63 - 1
YEARS_PATIENCE_S = 0.5
FIXED_PAYS = f"{SWITCH}fixed_pays"
_FIELD_OF = {
    "bad_hours": "hours",
    "bad_rate": "contribution",
    "bad_rounds": "rounds_per_hour",
    "bad_seats": "seats",
    "bad_split": "seats",
    "bad_stake": "stake",
    "bad_tables": "tables",
    "mixed_funding": "pay_table",
    "no_top_award": "pay_table",
    "too_large": "tables",
}
"""Where a refusal is said, by its code."""


GROUPS = {
    "Edge": ("edge", "edge_alone", "edge_now", "break_even"),
    "Awards": ("average_top", "median_top"),
    "Time": ("rounds_between", "days_between", "days_median", "back_to_back_", "tops", "quiet_year"),
    "The house's year": ("wagered", "to_players", "tray", "seeds", "result"),
}
"""Figures as they belong together, by their ids without numbers."""
HEADLINE = {
    "edge": "House edge",
    "break_even": "Break-even meter",
    "average_top": "Average 100% award",
    "days_between": "Days between them",
    "result": "House's result a year",
}
"""What stays in sight while settings are moved."""
LEAST_SEED_SLID = 1_000


@dataclass(frozen=True, kw_only=True)
class MeterQuestion:
    """A draft, what it is compared with, and what is wrong with it."""

    query: Query
    game: Game
    wager: Wager
    choice: Choice
    """What the form shows; the letter's own rules where those asked for cannot be."""
    draft: MeterAsk
    approved: MeterAsk
    random_seed: int

    @property
    def against(self) -> MeterAsk | None:
        return self.approved if self.approved != self.draft else None


def progressives() -> dict[str, tuple[Game, Wager]]:
    """Every wager with a meter, by `game/wager`."""
    return {
        f"{game.id}/{wager.id}": (game, wager)
        for game in approved_games()
        for wager in game.wagers
        if any(table.jackpot for table in wager.pay_tables)
    }


def _asked(request: Request) -> MeterQuestion:
    offered = progressives()
    wanted = request.query_params.get(WAGER) or next(iter(offered))
    if wanted not in offered:
        raise unknown("wager", wanted, offered, " with a meter")
    game, wager = offered[wanted]
    query = read_query(request.query_params, FIELDS, game)
    for name in ("stake", "seed_amount", "start"):
        query.check(name, parse_dollars)
    for name in ("contribution", "reserve"):
        query.check(name, parse_rate)
    query.check(AGAINST, partial(_pay_table_with_meter, wager))
    query.check("pay_table", partial(_pay_table_with_meter, wager))
    query.check(RANDOM_SEED, partial(_whole_number, most=MOST_RANDOM_SEED))
    query.check("tables", partial(_whole_number, most=10**6))
    choice = read_choice(query, game, wager)
    if choice is None:
        choice = read_choice(Query(written={}), game, wager)
        assert choice is not None
    draft = _draft(query, choice)
    return MeterQuestion(
        query=query,
        game=game,
        wager=wager,
        choice=choice,
        draft=draft,
        approved=draft.approved(query.get(AGAINST) if AGAINST not in query.problems else None),
        random_seed=int(query.get(RANDOM_SEED, "1")) if RANDOM_SEED not in query.problems else 1,
    )


def _draft(query: Query, choice: Choice) -> MeterAsk:
    """The draft as asked for, the same however it was written: what is as approved anyway is left out, and so are
    fields with problems, as nothing is computed of them."""
    sound = {name: text for name, text in query.written.items() if name not in query.problems}
    for name in [name for name in METER_FIELDS if name in sound and _is_standard(choice.pay_table, name, sound[name])]:
        del sound[name]
    usual = {switch.id: switch.default for switch in choice.game.switches} | choice.pay_table.settings
    switches = read_switches(query, choice.game)
    room = {name: sound.get(name, standard) for name, standard in ROOM_FIELDS.items()}
    return MeterAsk(
        game=choice.game.id,
        wager=choice.wager.id,
        pay_table=choice.pay_table.id,
        decks=decks_text(choice),
        side=choice.side if sides_of(choice) else None,
        settings=tuple((name, value) for name, value in switches.items() if value != usual[name]),
        tables=int(room["tables"]),
        seats=room["seats"],
        rounds_per_hour=room["rounds_per_hour"],
        hours=room["hours"],
        **{name: sound.get(name) for name in METER_FIELDS},
    )


def _is_standard(table: PayTable, name: str, text: str) -> bool:
    """Whether a setting that reads well is the pay table's own; the seed's depends on the wager and is not asked."""
    assert table.jackpot is not None
    rates = {"contribution": table.jackpot.contribution, "reserve": table.jackpot.reserve}
    if name in rates:
        return parse_rate(text) == rates[name]
    return name == "stake" and parse_dollars(text) == table.stake * MICROS_PER_DOLLAR


def _pay_table_with_meter(wager: Wager, wanted: str) -> PayTable:
    table = wager.pay_table(wanted)
    if table.jackpot is None:
        raise RangeError(f"Pay table {wanted} has no meter.", code="not_progressive")
    return table


def _whole_number(text: str, most: int) -> None:
    if not (text.isascii() and text.isdecimal()) or int(text[:20]) > most:
        raise NotationError(f'"{text}" is not a whole number from 0 to {most:,}.', code="bad_number")


@router.get("/lab/meter")
async def meter(request: Request, room: TheRoom) -> Response:
    question = _asked(request)
    draft = approved = years = None
    if not question.query.problems:
        draft, approved = await _exact(room, question)
    if draft is not None and not is_partial(request):
        years = await _years(room, question, YEARS_PATIENCE_S)
    answer = await made_page(
        request,
        "lab/meter_part.html" if is_partial(request) else "lab/meter.html",
        status=422 if question.query.problems else 200,
        draft=draft,
        approved=approved,
        years=years,
        waits=bool(not question.query.problems and draft is None),
        standing=room.work.standing("lab", exact_meter, question.draft),
        **_words(question),
    )
    # The address of what is shown, without fields that are empty: it can be kept and sent to others.
    answer.headers["HX-Replace-Url"] = f"/lab/meter{question.query.with_fields()}"
    return answer


@router.get("/lab/meter/years")
async def years_of(request: Request, room: TheRoom) -> Response:
    """The simulated part of the page, for one that shows the exact part already."""
    question = _asked(request)
    if question.query.problems:
        raise RangeError(" ".join(question.query.problems.values()), code="bad_field")
    years = await _years(room, question, PATIENCE_S)
    return await made_page(request, "lab/meter_years_part.html", years=years, **_words(question))


async def _exact(room: Services, question: MeterQuestion) -> tuple[MeterExact | None, MeterExact | None]:
    """Both sides, or nothing where they are not there yet or a problem was found."""
    try:
        draft = await room.work.draft(PATIENCE_S, exact_meter, question.draft)
        approved = await room.work.draft(PATIENCE_S, exact_meter, question.approved)
    except CroupierError as error:
        if error.code not in _FIELD_OF:
            raise
        question.query.problems[_FIELD_OF[error.code]] = str(error)
        return None, None
    return (draft, approved) if draft is not None and approved is not None else (None, None)


async def _years(room: Services, question: MeterQuestion, patience_s: float) -> MeterYears | None:
    given = (question.draft, question.random_seed, question.against)
    years = await room.work.sheet(patience_s, simulate_meter, *given)
    if years is not None:  # drafts are many: they must not push out sheets that took long
        room.work.forget(simulate_meter, *given)
    return years


def _sliders(question: MeterQuestion, table: PayTable, standard_seed: int) -> dict[str, float]:
    """Where the sliders stand, in the units of their fields."""
    assert table.jackpot is not None
    draft = question.draft
    seed = parse_dollars(draft.seed_amount) if draft.seed_amount else standard_seed
    most = max(4 * standard_seed // MICROS_PER_DOLLAR, LEAST_SEED_SLID)
    rates = {
        name: float(100 * (parse_rate(text) if (text := getattr(draft, name)) else getattr(table.jackpot, name)))
        for name in ("contribution", "reserve")
    }
    return rates | {
        "seed_amount": seed / MICROS_PER_DOLLAR,
        "seed_most": most,
        "seed_step": max(1, most // 200),
        "tables": draft.tables,
        "seats": float(draft.seats) if re.fullmatch(r"[0-9.]{1,5}", draft.seats) else 1,
    }


def _words(question: MeterQuestion) -> dict[str, Any]:
    table = question.choice.pay_table
    assert table.jackpot is not None
    stakes = [table.stake, *table.scales_to]
    stake = parse_dollars(question.draft.stake) if question.draft.stake else table.stake * MICROS_PER_DOLLAR
    return {
        "query": question.query,
        "game": question.game,
        "wager": question.wager,
        "choice": question.choice,
        "random_seed": question.random_seed,
        "is_draft": question.against is not None,
        "progressives": progressives(),
        "tables": [table for table in question.wager.pay_tables if table.jackpot],
        "stakes": stakes,
        "stake": dollars_for_people(stake),
        "standard_seed": dollars_for_people(table.jackpot.seed * stake // table.stake),
        "sliders": _sliders(question, table, table.jackpot.seed * stake // table.stake),
        "groups": GROUPS,
        "headline": HEADLINE,
        "room_fields": ROOM_FIELDS,
        "decks": decks_offered(question.game),
        "sides": sides_of(question.choice),
        "fixed_pays": FIXED_PAYS,
        "address": f"/lab/meter{question.query.with_fields()}",
        "years_address": f"/lab/meter/years{question.query.with_fields()}",
        # Of its own for every draft: an answer that comes late must not stop the loader of the next one.
        "years_loader": f"years-{sha256(repr(question.draft).encode()).hexdigest()[:12]}",
        "command": command_of(question.draft),
        "agreement_table": agreement_table,
        "dry_words": {"never": "never", "always": "always, in time", "simulated": "see below"},
    }


def command_of(ask: MeterAsk) -> str:
    """The same question to the command line."""
    options: dict[str, str | None] = {
        "pay-table": ask.pay_table,
        "decks": ask.decks,
        "side": ask.side,
        "stake": ask.stake,
        "seed-amount": ask.seed_amount,
        "contribution": ask.contribution,
        "reserve": ask.reserve,
        "start": ask.start,
        "tables": str(ask.tables),
        "seats": ask.seats,
        "rounds-per-hour": ask.rounds_per_hour,
        "hours": ask.hours,
    }
    words = ["croupier", "meter", ask.game, ask.wager]
    words += [part for name, text in options.items() if text is not None for part in (f"--{name}", text)]
    words += [part for name, value in ask.settings for part in ("--set", f"{name}={value}")]
    return shlex.join(words)
