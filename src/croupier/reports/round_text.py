"""A round told step by step, in console markup or, with another way to show a card, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from croupier.cards import RANKS, SUIT_SYMBOLS
from croupier.kernels.hands import is_soft, total_of
from croupier.money import dollars_for_people
from croupier.reports.round_data import hand_value
from croupier.table.events import (
    Answered,
    Asked,
    CardDealt,
    CardsSwitched,
    Event,
    FirstCardTurned,
    FlexCardPlaced,
    HoleCardTurned,
    PairSplit,
    RoundEnded,
    WagerPlaced,
    WagerSettled,
)
from croupier.table.replay import NeedsCard, RoundState
from croupier.table.setup import TAKE, wagered_on

RED_SUITS = "♦♥"
Face = Callable[[int], str]


def plain_face(card: int) -> str:
    """`A♠`."""
    return f"{RANKS[card >> 2].replace('T', '10')}{SUIT_SYMBOLS[card & 3]}"


def card_face(card: int) -> str:
    """The same, red suits in red."""
    text = plain_face(card)
    return f"[red]{text}[/red]" if text[-1] in RED_SUITS else text


def cards_face(cards: list[int]) -> str:
    return " ".join(card_face(card) for card in cards)


def hand_face(cards: list[int], *, baccarat: bool = False) -> str:
    """Cards and what they count: `A♠ 6♦ (soft 17)`."""
    hand = hand_value(cards, baccarat=baccarat)
    soft = "soft " if is_soft(hand) else ""
    return f"{cards_face(cards)} ({soft}{total_of(hand)})" if cards else "-"


def round_lines(state: RoundState) -> Iterator[str]:
    """The history of a round and where it stands."""
    for event in state.events:
        text = event_text(event, state)
        if text:
            yield text
    if state.need is not None:
        yield f"[yellow]{need_text(state)}[/yellow]"


def need_text(state: RoundState) -> str:
    need = state.need
    assert need is not None
    if isinstance(need, NeedsCard):
        return f"The next card is needed, for {_place(state, need.to, need.seat, need.hand)}."
    return f"Seat {need.seat}, hand {need.hand}: {need.question}? ({', '.join(need.legal)})"


def event_text(event: Event, state: RoundState, face: Face = card_face) -> str:
    """One event as a sentence; empty for those that say nothing new."""
    if isinstance(event, WagerPlaced):
        return f"Seat {event.seat} wagers {dollars_for_people(event.amount)} on {wager_name(state, event.wager)}."
    if isinstance(event, CardDealt):
        shown = "A card face down" if event.face_down or event.card is None else face(event.card)
        return f"{shown} to {_place(state, event.to, event.seat, event.hand)}."
    if isinstance(event, FirstCardTurned):
        return f"The dealer turns the first card: {face(event.card)}."
    if isinstance(event, HoleCardTurned):
        return f"The dealer turns {face(event.card)}."
    if isinstance(event, PairSplit):
        return f"Seat {event.seat} splits hand {event.hand}."
    if isinstance(event, CardsSwitched):
        return f"Seat {event.seat} switches the second cards."
    if isinstance(event, FlexCardPlaced):
        where = f"hand {event.hand}" if event.hand else "both hands"
        return f"Seat {event.seat} puts the flex card on {where}."
    if isinstance(event, Answered):
        added = f" ({dollars_for_people(event.added)} more)" if event.added else ""
        about = "" if event.question == "action" else f", {event.question}"
        return f"Seat {event.seat}, hand {event.hand}{about}: {event.answer}{added}."
    if isinstance(event, WagerSettled):
        return _settled_text(event, state)
    if isinstance(event, RoundEnded):
        return f"The house {'wins' if event.house_net >= 0 else 'loses'} {dollars_for_people(abs(event.house_net))}."
    assert isinstance(event, Asked)
    return ""


def _settled_text(event: WagerSettled, state: RoundState) -> str:
    wager = f"{wager_name(state, event.wager)} of {dollars_for_people(event.staked)}"
    result = "lost" if event.row == "lose" else f"{row_label(state, event)}, {dollars_for_people(event.returned)} back"
    return f"Seat {event.seat}, hand {event.hand}, {wager}: {result}."


def wager_name(state: RoundState, wager: str) -> str:
    """As the letter calls it; a take bet is the same wager, made for the dealer."""
    name = state.rules.game.wager(wagered_on(wager)).name
    return f"{name} for the dealer" if wager.startswith(TAKE) else name


def row_label(state: RoundState, event: WagerSettled) -> str:
    """The row in the letter's words, as this table has them."""
    choice = state.rules.placed[wagered_on(event.wager)]
    return next((choice.label(row) for row in choice.rows if row.row == event.row), "lost")


def _place(state: RoundState, to: str, seat: int, hand: int) -> str:
    if to == "seat":
        return f"seat {seat}, hand {hand}"
    dealer = "the banker hand" if state.rules.game.family == "baccarat" else "the dealer"
    names = {"dealer": dealer, "hole": dealer, "player": "the player hand", "flex": f"seat {seat} as flex card"}
    return names[to]
