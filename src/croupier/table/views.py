"""What each audience may see of a table, computed here and nowhere else.

Nobody sees the hole card before it is turned, nor a card still in the shoe: not the dealer, not the manager.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import to_builtins

from croupier.cards import card_text
from croupier.errors import unknown
from croupier.money import dollars
from croupier.table.events import Event, WagerSettled, without_hidden_card
from croupier.table.log import log_text
from croupier.table.replay import NeedsAnswer, NeedsCard, RoundState
from croupier.table.table import Table

Audience = Literal["player", "dealer", "sign", "manager", "auditor"]
AUDIENCES = ("player", "dealer", "sign", "manager", "auditor")


def visible_events(state: RoundState) -> list[Event]:
    """The round's history as anybody may see it."""
    return [without_hidden_card(event) for event in state.events]


def table_view(table: Table, audience: Audience, spot: int | None = None) -> dict[str, Any]:
    """The table as an audience sees it; `spot` is a player's own."""
    if audience not in AUDIENCES:
        raise unknown("audience", audience, AUDIENCES)
    state = table.state if table.log is not None else None
    view: dict[str, Any] = {
        "game": table.rules.game.id,
        "revision": table.revision,
        "round_on": state is not None,
        "commitment": table.shoe.commitment,
        "revealed_seeds": [list(pair) for pair in table.shoe.revealed],
    }
    if audience == "sign":
        view["meters"] = {
            name: dollars(table.rules.meter_of(name))
            for name, choice in table.rules.placed.items()
            if choice.pay_table.jackpot is not None
        }
        return view
    view["spots"] = [_spot_view(table, state, number, audience, spot) for number in range(1, len(table.spots) + 1)]
    if state is not None:
        view |= _cards_view(state)
        view["need"] = _need_view(table, state, audience, spot)
    if table.history:
        last = table.state if table.log is None and table.state else table.history[-1].state()
        view["last_round"] = _cards_view(last) | {"settled": [_settled_view(event) for event in last.settled]}
    if audience != "player":
        view["cards_dealt_from_shoe"] = table.shoe.used
        view["automations"] = {
            "deal": table.automations.deal,
            "dealer": table.automations.dealer,
            "settle": table.automations.settle,
            "rebet": table.automations.rebet,
        }
    if audience in ("manager", "auditor") and state is not None:
        view["events"] = [to_builtins(event) for event in visible_events(state)]
    if audience == "auditor":
        view["logs"] = [log_text(log) for log in table.history]
    return view


def _cards_view(state: RoundState) -> dict[str, Any]:
    view: dict[str, Any] = {
        "dealer": [card_text(card) for card in state.shown_dealer],
        "dealer_has_hole_card": len(state.dealer) > len(state.shown_dealer),
    }
    if state.player:
        view["player"] = [card_text(card) for card in state.player]
    return view


def _settled_view(event: WagerSettled) -> dict[str, Any]:
    return {
        "seat": event.seat,
        "hand": event.hand,
        "wager": event.wager,
        "row": event.row,
        "staked": dollars(event.staked),
        "returned": dollars(event.returned),
    }


def _spot_view(
    table: Table, state: RoundState | None, number: int, audience: Audience, own: int | None
) -> dict[str, Any]:
    spot = table.spots[number - 1]
    view: dict[str, Any] = {"spot": number, "taken": bool(spot.player)}
    if audience != "player" or number == own:
        view["player"] = spot.player
    if state is not None and number in table.playing:
        seat = table.playing.index(number)
        view["wagers"] = {name: dollars(amount) for name, amount in state.stakes[seat].items()}
        view["hands"] = [[card_text(card) for card in cards] for cards in state.seats[seat]]
        flex = state.flex[seat]
        view["flex"] = card_text(flex) if flex is not None else None
        view["settled"] = [_settled_view(event) for event in state.settled if event.seat == seat + 1]
    else:
        view["wagers"] = {name: dollars(amount) for name, amount in spot.wagers.items()}
    return view


def _need_view(table: Table, state: RoundState, audience: Audience, own: int | None) -> dict[str, Any] | None:
    need = state.need
    if isinstance(need, NeedsAnswer):
        spot = table.playing[need.seat - 1]
        view: dict[str, Any] = {"answer_of_spot": spot, "hand": need.hand, "question": need.question}
        if audience != "player" or spot == own:
            view["legal"] = list(need.legal)
            if {"double", "insure"} & set(need.legal):
                view["most"] = dollars(need.most)
        return view
    if isinstance(need, NeedsCard):
        spot_of_card = table.playing[need.seat - 1] if need.seat else None
        return {"card_for": need.to, "spot": spot_of_card, "hand": need.hand or None}
    return None
