"""A round told step by step, in console markup or, with another way to show a card, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from croupier.cards import JOKER_CARD, JOKER_SYMBOL, RANKS, SUIT_SYMBOLS
from croupier.kernels.declaration import Round
from croupier.kernels.effects import EVERY_HAND
from croupier.money import dollars_for_people
from croupier.reports.rounds.why import why
from croupier.table.events import (
    DEALERS_HAND,
    Answered,
    Asked,
    CardDealt,
    CardMoved,
    CardsSwapped,
    CardsTurned,
    Event,
    HandOpened,
    RoundEnded,
    WagerAdded,
    WagerPlaced,
    WagerSettled,
    WagerTakenBack,
)
from croupier.table.numbers import NeedsCard
from croupier.table.replay import RoundState
from croupier.table.setup import TAKE

RED_SUITS = "♦♥"
HIDDEN = "[dim]▒▒[/dim]"
"""A card that may not be seen."""
Face = Callable[[int], str]


def plain_face(card: int) -> str:
    """`A♠`; the joker `★`."""
    if card == JOKER_CARD:
        return JOKER_SYMBOL
    return f"{RANKS[card >> 2].replace('T', '10')}{SUIT_SYMBOLS[card & 3]}"


def card_face(card: int) -> str:
    """The same, red suits in red."""
    text = plain_face(card)
    return f"[red]{text}[/red]" if text[-1] in RED_SUITS else text


def hand_face(cards: Sequence[int | None], declared: Round, total: str | None = None) -> str:
    """Cards and what those in sight come to, or `total`: `A♠ 6♦ (soft 17)`, `K♣ ▒▒ (10)`."""
    seen = [card for card in cards if card is not None]
    faces = " ".join(card_face(card) if card is not None else HIDDEN for card in cards)
    if total is None:
        total = declared.describe(seen) if seen else ""
    return f"{faces} ({total})" if total else faces or "-"


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
    question = state.rules.game.declared.question(need.question)
    hand = "" if question.is_of_seat else _hand(state, need.seat, need.hand)
    return f"Seat {need.seat}{hand}: {question.text} ({', '.join(need.legal)})"


def event_text(event: Event, state: RoundState, face: Face = card_face) -> str:
    """One event as a sentence; empty for those that say nothing new."""
    if isinstance(event, WagerPlaced):
        return f"Seat {event.seat} wagers {dollars_for_people(event.amount)} on {wager_name(state, event.wager)}."
    if isinstance(event, CardDealt | CardsTurned | CardMoved | CardsSwapped | HandOpened):
        return _card_text(event, state, face)
    if isinstance(event, Answered):
        question = state.rules.game.declared.question(event.question)
        about = f", {question.id}" if question.is_of_seat else _hand(state, event.seat, event.hand)
        return f"Seat {event.seat}{about}: {event.answer}."
    if isinstance(event, WagerAdded):
        wager = wager_name(state, event.wager)
        more = f"{dollars_for_people(event.amount)} more on {wager}"
        return f"Seat {event.seat}{_hand(state, event.seat, event.hand)}: {more}."
    if isinstance(event, WagerTakenBack):
        back = f"{dollars_for_people(event.amount)} back from {wager_name(state, event.wager)}"
        return f"Seat {event.seat}{_hand(state, event.seat, event.hand)}: {back}."
    if isinstance(event, WagerSettled):
        return _settled_text(event, state, face)
    if isinstance(event, RoundEnded):
        return f"The house {'wins' if event.house_net >= 0 else 'loses'} {dollars_for_people(abs(event.house_net))}."
    assert isinstance(event, Asked)
    return ""


def _card_text(
    event: CardDealt | CardsTurned | CardMoved | CardsSwapped | HandOpened, state: RoundState, face: Face
) -> str:
    """What happens to cards."""
    if isinstance(event, CardDealt):
        shown = "A card face down" if event.face_down or event.card is None else face(event.card)
        return f"{shown} to {_place(state, event.to, event.seat, event.hand)}."
    if isinstance(event, CardsTurned):
        who = f"seat {event.seat}" if event.seat else _place(state, event.to, 0, 0)
        return f"{who[0].upper()}{who[1:]} turns {' '.join(map(face, event.cards))}."
    if isinstance(event, HandOpened):
        return f"Seat {event.seat} has a new hand {event.hand}."
    if isinstance(event, CardsSwapped):
        return f"Seat {event.seat} exchanges the last cards of hands {event.hand} and {event.other}."
    shown = "A card face down" if event.face_down or event.card is None else face(event.card)
    verb = "counts on" if event.stays else "goes to"
    where = f"seat {event.seat}, hand {event.hand}" if event.hand else _place(state, event.to, event.seat, 0)
    return f"{shown} {verb} {where}{' as well' if event.stays else ''}."


def _settled_text(event: WagerSettled, state: RoundState, face: Face) -> str:
    of = f" of {dollars_for_people(event.staked)}" if event.staked else ""
    wager = f"{wager_name(state, event.wager)}{of}"
    how = "paid" if event.envy_of else "back"
    result = "lost" if event.row == "lose" else f"{row_label(state, event)}, {dollars_for_people(event.returned)} {how}"
    reason = why(state, event, face)
    because = f" ({reason})" if reason else ""
    return f"Seat {event.seat}{_hand(state, event.seat, event.hand)}, {wager}: {result}{because}."


def _hand(state: RoundState, seat: int, hand: int) -> str:
    """`, hand 2`; nothing where seats never have more than one."""
    many = state.rules.game.declared.hands > 1 or state.hands[seat - 1] > 1
    return f", hand {hand}" if many else ""


def wager_name(state: RoundState, wager: str) -> str:
    """As the letter calls it; a take bet is the same wager, made for the dealer."""
    names, declared = state.rules.round_wagers, state.rules.game.declared.wagers
    if wager in names and (label := declared[names.index(wager)].label):
        return label
    name = state.rules.game.wager(state.rules.paid_by(wager)).name
    return f"{name} for the dealer" if wager.startswith(TAKE) else name


def row_label(state: RoundState, event: WagerSettled) -> str:
    """The row in the letter's words, as this table has them."""
    choice = state.rules.placed[state.rules.paid_by(event.wager)]
    label = next((choice.label(row) for row in choice.rows if row.row == event.row), "lost")
    if event.decided_by not in (0, event.seat):
        return f"{label} of {'the dealer' if event.decided_by == DEALERS_HAND else f'seat {event.decided_by}'}"
    return f"envy, {label} of seat {event.envy_of}" if event.envy_of else label


def _place(state: RoundState, to: str, seat: int, hand: int) -> str:
    place = state.rules.game.declared.row_called(to)
    if place.number == EVERY_HAND:
        return f"seat {seat}{_hand(state, seat, hand)}"
    return f"seat {seat} as {place.label.lower()}" if seat else f"the {place.label.lower()}"
