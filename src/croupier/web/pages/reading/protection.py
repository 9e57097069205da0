"""What a card counter can take from a wager, as a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from croupier.errors import RangeError, unknown
from croupier.exact.protection.known import usual_knowledge
from croupier.exact.protection.main_game import is_main_game
from croupier.exact.protection.sight import Knowledge
from croupier.library.game import game as named
from croupier.library.protection import hides_cards, vulnerability
from croupier.reports.protection.study import DEALINGS, cut_of, dealing_of
from croupier.reports.report import Report
from croupier.rules.choice import Choice
from croupier.web.guard import TheRoom
from croupier.web.pages.base import PageRoute, is_partial
from croupier.web.pages.choosing import (
    CHOICE_FIELDS,
    Query,
    decks_offered,
    decks_text,
    read_choice,
    read_query,
    sides_of,
)
from croupier.web.pages.reading.rules import PATIENCE_S, approved_game, made_page

router = APIRouter(route_class=PageRoute)

SHOES = "2000"
"""Of a page: a few seconds. The command line deals as many as one likes."""
MAIN_SHOES = "50000"
"""Of a main game, whose rounds are valued by true count: the shoes only say how often each comes."""
DEALING_NAMES = {
    "strict": "that round is the last",
    "one_more": "one more round",
    "burn": "one more round, after a burn",
}


@dataclass(frozen=True, kw_only=True)
class ProtectionAsk:
    """Everything that the page depends on, as plain values for another process."""

    game: str
    wager: str
    pay_table: str
    decks: str
    side: str
    switches: tuple[tuple[str, str], ...]
    cut: int | None
    dealing: str | None
    known: str | None


def protection_shown(ask: ProtectionAsk, shoes: str) -> Report:
    """The exact part alone is there at once: without shoes."""
    options = {
        "pay_table": ask.pay_table,
        "decks": ask.decks,
        "side": ask.side or None,
        "cut": ask.cut,
        "dealing": ask.dealing,
        "shoes": shoes,
        "known": ask.known,
        "threads": 1,
        "rules": dict(ask.switches),
    }
    return vulnerability(named(ask.game), ask.wager, options, None).report


@router.get("/protect/{game}/{wager}")
async def protection(request: Request, game: str, wager: str, room: TheRoom) -> Response:
    approved = approved_game(game)
    about = approved.wager(wager)
    query = read_query(request.query_params, (*CHOICE_FIELDS, "cut", "dealing", "known"), approved)
    choice = read_choice(query, approved, about)
    ask = _ask(query, choice) if choice is not None else None
    hides, counts_play = hides_cards(approved, wager), is_main_game(approved, wager)
    shoes = MAIN_SHOES if counts_play else SHOES
    report = exact = None
    if ask is not None and not query.problems:
        report = await room.work.slow(PATIENCE_S, protection_shown, ask, shoes)
        exact = (
            report if report or hides or counts_play else await room.work.sheet(PATIENCE_S, protection_shown, ask, "0")
        )
    usual = choice if choice is not None and choice.decks is not None else _usual_choice(approved, about)
    return await made_page(
        request,
        "reading/protection_part.html" if is_partial(request) and not query.problems else "reading/protection.html",
        status=422 if query.problems else 200,
        game=approved,
        wager=about,
        hides=hides,
        known=usual_knowledge(approved).text if hides else "",
        choice=usual,
        query=query,
        report=report,
        exact=exact,
        waits=room.work.standing("slow", protection_shown, ask, shoes) if ask is not None and report is None else None,
        decks=[number for number in decks_offered(approved) if number != "inf"],
        sides=sides_of(usual),
        dealings=[(name, DEALING_NAMES[name]) for name in DEALINGS],
        dealing=dealing_of(usual, None),
        cut=cut_of(usual, None, dealing_of(usual, None)),
        work="every deal" if hides else f"every round of {int(shoes):,} shoes",
        address=f"{request.url.path}{query.with_fields()}",
        sheet_address=f"/sheet/{approved.id}/{wager}",
    )


def _usual_choice(game: Any, wager: Any) -> Choice:
    choice = read_choice(Query(written={}), game, wager)
    assert choice is not None
    return choice


def _ask(query: Query, choice: Choice) -> ProtectionAsk:
    """As texts, with what is wrong noted at its field."""
    if choice.decks is None:
        query.problems["decks"] = "Infinite decks are never used up: choose a number of decks."
    dealing = query.check("dealing", _dealing)
    cut = query.check("cut", partial(_cut, choice, dealing))
    return ProtectionAsk(
        game=choice.game.id,
        wager=choice.wager.id,
        pay_table=choice.pay_table.id,
        decks=decks_text(choice),
        side=query.get("side") if choice.wager.hand == "seat" else "",
        switches=tuple(choice.switches.items()),
        cut=int(cut) if cut is not None else None,
        dealing=dealing,
        known=query.check("known", Knowledge.read) if hides_cards(choice.game, choice.wager.id) else None,
    )


def _dealing(text: str) -> None:
    if text not in DEALINGS:
        raise unknown("dealing", text, DEALINGS)


def _cut(choice: Choice, dealing: str | None, text: str) -> None:
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise RangeError(f'"{text}" is not a number of cards: write {cut_of(choice, None, "burn")}.', code="bad_cut")
    cut_of(choice, int(text), dealing_of(choice, dealing))
