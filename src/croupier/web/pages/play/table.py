"""The player's table: one's own table of each game, and the floor's tables that the software deals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from starlette.responses import HTMLResponse

from croupier.errors import CroupierError
from croupier.hall.hall import own_table, require_own
from croupier.hall.play import Playing
from croupier.hall.shown import HallTableView
from croupier.hall.turns import offered
from croupier.hall.view import view_of
from croupier.money import MICROS_PER_DOLLAR, dollars_for_people
from croupier.rules import find_game
from croupier.store.play import Player
from croupier.table.setup import TableRules
from croupier.web.errors import in_words, status_of
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
    render,
    seen_as,
    with_cookie,
)
from croupier.web.pages.choosing import Query, fields_of
from croupier.web.pages.play.buttons import CHIPS, Form, action_of
from croupier.web.pages.play.felt import WIDE_LINE, arc_lines, felt_lines
from croupier.web.pages.play.roads import roads_of
from croupier.web.services import Services

router = APIRouter(route_class=PageRoute)

Deed = Callable[[Player], HallTableView]
"""What a player does at a table, and what they see then."""
TAKEN_KEYS = "zcxrqg"
"""Keys of the buttons beside the chips."""


async def sent_form(request: Request) -> Form:
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


SentForm = Annotated[Form, Depends(sent_form)]
LONGEST_REVISION = 15
"""Digits."""


@router.get("/play/{game}")
def own(request: Request, visit: TheVisit, room: TheRoom, game: str, have: int = -1) -> Response:
    """The visitor's own table of a game. Nothing of it is stored before they do something."""
    known = find_game(game)
    visit = meet(request, visit)
    return _shown(request, room, visit, own_table(seen_as(visit), known.id), have)


@router.get("/play/{game}/{table}")
def shared(request: Request, visit: TheVisit, room: TheRoom, game: str, table: str, have: int = -1) -> Response:
    """A table of the floor that the software deals."""
    known = find_game(game)
    setup = room.desk.floor().table(table)
    if setup.game != known.id:
        return back_to(f"/play/{setup.game}/{setup.id}")
    room.hall.table(table)  # refuses one that is closed, or dealt by hand
    return _shown(request, room, meet(request, visit), table, have)


@router.post("/play/{game}")
def act_at_own(request: Request, visit: TheVisit, room: TheRoom, game: str, form: SentForm, id: CommandId) -> Response:
    """A press at one's own table."""
    known = find_game(game)
    return _act(request, room, visit, own_table(seen_as(visit), known.id), form, id)


@router.post("/play/{game}/{table}")
def act_at_shared(
    request: Request, visit: TheVisit, room: TheRoom, game: str, table: str, form: SentForm, id: CommandId
) -> Response:
    """A press at a table of the floor."""
    find_game(game)
    room.desk.floor().table(table)
    return _act(request, room, visit, table, form, id)


def _act(request: Request, room: Services, visit: Visit, table: str, form: Form, id: str) -> Response:
    """Does it, and shows the table as it is then: also when it was refused, with the reason above. The first press of
    somebody new makes a player of them, once it reads."""
    if visit.person is None:
        room.presses.take(visit.address)
    refused: CroupierError | None = None
    player = seen_as(visit)
    try:
        deed = _deed(room, table, form, id)
        if visit.player is None:
            room.hall.table(table)  # refuses one that is closed, or dealt by hand, before a purse is made
        player = player_for(room, visit)
        view = deed(player)
    except CroupierError as error:
        if not is_partial(request) and error.code == "bad_name":
            name, problem, status = form.get("name", ""), in_words(error), status_of(error)
            return _whole_page(request, room, player, table, status, name_written=name, name_problem=problem)
        if not is_partial(request):
            raise
        refused = error
        view = room.hall.look(table, _seen_by(room, player))
    if not is_partial(request):
        return back_to(request.url.path)
    text = render(request, "play/table.html", **_context(view))
    if refused is None:
        return HTMLResponse(text)
    notice = render(request, "notice.html", code=refused.code, message=in_words(refused), is_code_shown=False)
    text += f'<hx-partial hx-target="#notice" hx-swap="innerHTML">{notice}</hx-partial>'
    return HTMLResponse(text, status_of(refused))


def _deed(room: Services, table: str, form: Form, id: str) -> Deed:
    """What a form asks for; done, it gives what the player sees after it."""
    verb = form.get("do", "")

    def take_money(player: Player) -> HallTableView:
        room.hall.more_money(player, id)
        return room.hall.look(table, _seen_by(room, player))

    def take_name(player: Player) -> HallTableView:
        room.hall.rename(player, form.get("name", ""))
        return room.hall.look(table, _seen_by(room, player))

    if verb in ("money", "name"):
        return take_money if verb == "money" else take_name
    action = action_of(form, lambda: room.hall.table(table).table.rules)
    sent = form.get("made_at", "")
    made_at = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) <= LONGEST_REVISION else None

    def act(player: Player) -> HallTableView:
        return room.hall.act_and_look(table, player, action, _seen_by(room, player), id=id, made_at=made_at)

    return act


def _seen_by(room: Services, player: Player) -> Callable[[Playing], HallTableView]:
    def see(playing: Playing) -> HallTableView:
        return view_of(playing, room.hall.store.player(player.id) or player, room.hall.now_micros())

    return see


def _shown(request: Request, room: Services, visit: Visit, table: str, have: int) -> Response:
    player = seen_as(visit)
    if is_partial(request):
        if have == room.hall.table(table).revision:
            return Response(status_code=204)
        return HTMLResponse(
            render(request, "play/table.html", **_context(room.hall.look(table, _seen_by(room, player))))
        )
    whole = _whole_page(request, room, player, table, name_written=player.name)
    return with_cookie(whole, visit, demo=room.demo)


def _whole_page(
    request: Request,
    room: Services,
    player: Player,
    table: str,
    status: int = 200,
    *,
    name_written: str,
    name_problem: str = "",
) -> Response:
    context = _context(room.hall.look(table, _seen_by(room, player)))
    rules: TableRules = context["rules"]
    playing = room.hall.table(table)
    ids = [id for id in offered(playing) if ":" not in id]
    ids += [wager.id for wager in rules.game.proved_wagers if wager.id not in rules.made_first and wager.pay_tables]
    wagers = [{"wager": rules.game.wager(id), "choice": rules.placed[id]} for id in ids]
    setup = playing.setup
    title = (setup.name or setup.id) if setup is not None else "Your own table"
    if context["view"].has_roads:
        context["roads"] = roads_of(room, table)
    context |= {"wagers": wagers, "title": title, "shuffle": playing.table.shoe.kind}
    context |= {"strategy_address": strategy_address(rules), "sheet_address": sheet_address(rules)}
    return page(request, "play/play.html", status, **context, name_written=name_written, name_problem=name_problem)


def _context(view: HallTableView) -> dict[str, Any]:
    """What the part of the page shows that changes with the table."""
    rules = view.rules
    lines = felt_lines(rules)
    return {
        "view": view,
        "rules": rules,
        "names": {wager.id: wager.name for wager in rules.game.wagers},
        "chips": chips_for(view),
        "keys": wager_keys(rules),
        "first_spot": view.mine[0].number if view.mine else 0,
        "felt_lines": lines,
        "arc_lines": arc_lines(lines),
        "first_is_short": bool(lines) and len(lines[0]) <= WIDE_LINE,
        "say": said(view),
    }


def strategy_address(rules: TableRules) -> str:
    """The strategy under this table's rules."""
    return f"/strategy/{rules.game.id}{Query(written=fields_of(rules.placed[rules.game.first_wager.id])).with_fields()}"


def sheet_address(rules: TableRules) -> str:
    """The odds of all its wagers under this table's rules and pay tables."""
    shared = {
        name: text for name, text in fields_of(rules.placed[rules.game.first_wager.id]).items() if name != "pay_table"
    }
    tables = {
        f"pay_table.{wager.id}": rules.placed[wager.id].pay_table.id
        for wager in rules.game.wagers
        if wager.pay_tables and rules.placed[wager.id].pay_table != wager.pay_tables[0]
    }
    return f"/sheet/{rules.game.id}{Query(written=tables | shared).with_fields()}"


def wager_keys(rules: TableRules) -> dict[str, str]:
    """Keys of the main wagers, on the first of a player's spots: of each the first letter that is free."""
    keys: dict[str, str] = {}
    for wager in rules.game.wagers:
        free = [letter for letter in wager.id if letter.isalpha() and letter not in (*TAKEN_KEYS, *keys.values())]
        if wager.is_main and free:
            keys[wager.id] = free[0]
    return keys


def chips_for(view: HallTableView) -> list[int]:
    """The chips that some wager of the layout takes."""
    wagers = [wager for spot in view.mine for wager in spot.wagers if not wager.sensor]
    most = max((10**18 if wager.most is None else wager.most for wager in wagers), default=0)
    return [chip for chip in CHIPS if chip * MICROS_PER_DOLLAR <= most]


def said(view: HallTableView) -> str:
    """Where the round stands, for those who listen."""
    if view.am_waited:
        return "The others are ready and wait for your wagers."
    if view.question is None:
        return ""
    if not view.question.mine:
        return f"{view.question.name} {view.question.deciding}."
    spot = next(spot for spot in view.spots if spot.number == view.question.spot)
    hands = "; ".join(
        f"{'hand ' + str(hand.number) + ': ' if len(spot.hands) > 1 else ''}{hand.names}, {hand.total}"
        for hand in spot.hands
        if hand.names
    )
    have = f"You have {hands}." if hands else f"You have {dollars_for_people(view.at_risk)} on the table."
    rows = "".join(f" {row.label}: {row.names}." for row in (*spot.beside, *view.rows) if row.names)
    return f"{have}{rows} You may {', '.join(view.question.legal)}."


def player_at(table: str, visit: Visit) -> Player:
    """The player as whom somebody looks, where the table stands on the floor or is their own."""
    player = seen_as(visit)
    require_own(table, player)
    return player
