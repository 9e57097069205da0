"""A round, complete or not, as plain data for JSON."""

from __future__ import annotations

from typing import Any

from croupier.cards import card_text, cards_text
from croupier.money import dollars
from croupier.table.events import DEALERS_HAND, Answered, Asked, RoundEnded
from croupier.table.numbers import NeedsCard
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import wagered_on

Plain = dict[str, Any]


def round_data(state: RoundState) -> Plain:
    """One object for a scripted round. The keys are part of the stable interface."""
    declared = state.rules.game.declared
    data: Plain = {"game": state.rules.game.id, "status": _status(state), "needs": _need(state)}
    for place in declared.table_places:
        shown = state.shown_row(place.number)
        data[place.id] = [card_text(card) for card in shown]
        data |= {f"{place.id}_{name}": value for name, value in declared.counted(shown).items()}
    data["seats"] = [_seat(state, seat) for seat in range(1, len(state.stakes) + 1)]
    data["asked"] = _asked(state)
    ended = [event for event in state.events if isinstance(event, RoundEnded)]
    data["house_net"] = dollars(ended[0].house_net) if ended else None
    data["cards_used"] = state.cards_used
    data["answers_used"] = state.answers_used
    data["notes"] = list(state.rules.notes_on(state.stakes))
    return data


def _status(state: RoundState) -> str:
    if state.need is None:
        return "complete"
    return "needs_card" if isinstance(state.need, NeedsCard) else "needs_answer"


def _need(state: RoundState) -> Plain | None:
    need = state.need
    if isinstance(need, NeedsAnswer):
        return {
            "seat": need.seat,
            "hand": need.hand,
            "question": need.question,
            "legal": list(need.legal),
            "most": dollars(need.most) if need.takes_amount else None,
        }
    if isinstance(need, NeedsCard):
        return {"card_for": need.to, "seat": need.seat or None, "hand": need.hand or None}
    return None


def _seat(state: RoundState, seat: int) -> Plain:
    settled = [(event, now) for event, now in zip(state.settled, state.hand_now, strict=True) if event.seat == seat]
    declared = state.rules.game.declared
    hands = [
        {
            "cards": [card_text(card) for card in cards],
            **declared.counted(cards),
            "text": declared.describe(cards) if cards else "",
            "result": _result(state, seat, number, cards),
        }
        for number, cards in enumerate(state.seats[seat - 1] if declared.has_hands else [], 1)
    ]
    placed = {name: dollars(amount) for name, amount in state.stakes[seat - 1].items()}
    data: Plain = {"seat": seat, "placed": placed, "hands": hands}
    for place, _ in state.beside(seat - 1):
        data[place.id] = cards_text(state.row(place.number + seat - 1))
    data["wagers"] = [
        {
            "wager": event.wager,
            "hand": now,
            "staked": dollars(event.staked),
            "row": event.row,
            "returned": dollars(event.returned),
            **({"envy_of": event.envy_of} if event.envy_of else {}),
            **(
                {"decided_by": "dealer" if event.decided_by == DEALERS_HAND else event.decided_by}
                if event.decided_by
                else {}
            ),
        }
        for event, now in settled
    ]
    own = [event for event, _ in settled if wagered_on(event.wager) == event.wager]
    takes = [event for event, _ in settled if wagered_on(event.wager) != event.wager]
    data["net"] = dollars(sum(event.returned - event.staked for event in own))
    if takes:
        data["take_bets_net"] = dollars(sum(event.returned - event.staked for event in takes))
    return data


def _result(state: RoundState, seat: int, hand: int, cards: list[int]) -> str | None:
    for event, now in zip(state.settled, state.hand_now, strict=True):
        if (event.seat, now, event.wager) == (seat, hand, state.rules.first_wager):
            return "bust" if event.row == "lose" and state.rules.game.declared.is_bust(cards) else event.row
    return None


def _asked(state: RoundState) -> list[Plain]:
    questions: list[Plain] = []
    for event in state.events:
        if isinstance(event, Asked):
            questions.append(
                {"seat": event.seat, "hand": event.hand, "question": event.question, "legal": list(event.legal)}
            )
        elif isinstance(event, Answered):
            questions[-1]["answer"] = event.answer
    return [question for question in questions if "answer" in question]  # an open one is in `needs`
