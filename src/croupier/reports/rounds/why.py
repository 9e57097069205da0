"""Why a wager ended as it did, in words: the hands that decided it, from the round's declaration."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.cards import RANKS
from croupier.kernels.declaration import Round
from croupier.kernels.effects import HANDS_PER_SEAT
from croupier.kernels.sets import cards_of
from croupier.table.events import DEALERS_HAND, Answered, WagerSettled
from croupier.table.replay import RoundState

QUALIFIES = {True: "qualifies", False: "does not qualify"}


def community_of(state: RoundState) -> list[int]:
    """The cards in sight that count with every hand."""
    shared = (place for place in state.rules.game.declared.table_places if place.is_community)
    return [card for place in shared for card in state.shown_row(place.number)]


def hand_words(state: RoundState, cards: Sequence[int | None]) -> str:
    """What the cards of a hand that are in sight come to, with those that count for all; empty without any."""
    own = _seen(cards)
    return state.rules.game.declared.describe([*own, *community_of(state)]) if own else ""


def dealer_words(state: RoundState, row: Sequence[int | None]) -> str:
    """What the dealer's cards come to, with those that count for all and whether they qualify once all are turned."""
    declared = state.rules.game.declared
    seen = _seen(row)
    if not seen or len(seen) < len(row):
        return declared.describe(seen) if seen else ""
    cards = [*seen, *community_of(state)]
    return declared.describe(cards) + _qualifying(declared, cards, ", ")


def why(state: RoundState, event: WagerSettled, face: Callable[[int], str]) -> str:
    """`pair of nines against king high, which qualifies`; empty where there is nothing to say. `face` shows a card."""
    seat = (event.envy_of or event.seat) - 1
    side = state.rules.side_bets.get(event.wager)
    if side is not None and side.choice.pay_table.cover_all:
        return _why_covered(state, event, side.bet.scene.moment, face)
    if side is not None:
        return _why_side(state, seat, side.bet.scene.moment, face) if side.bet.scene.is_set else ""
    declared = state.rules.game.declared
    hidden = any(place.is_community or place.face == "down" for place in declared.table_places)
    if declared.showdown is None and not hidden:
        return ""
    if has_folded(state, event.seat):
        return "folded"
    community = community_of(state)
    own = [*_seen(state.row(seat * HANDS_PER_SEAT + event.hand - 1)), *community]
    dealers = (row for place, row in state.table_rows if place.number == declared.dealer and not place.is_community)
    theirs = _seen(next(dealers, ()))
    return _against(declared, own, [*theirs, *community]) if theirs else declared.describe(own)


def _against(declared: Round, own: Sequence[int], theirs: Sequence[int]) -> str:
    """Both hands, told apart: `pair of nines` where that is enough, else `pair of nines, A-7-2`."""
    mine, dealer = declared.describe(own), declared.describe(theirs)
    if mine == dealer:
        mine, dealer = declared.describe_exactly(own), declared.describe_exactly(theirs)
    return f"{mine} against {dealer}{_qualifying(declared, theirs, ', which ')}"


def _qualifying(declared: Round, cards: Sequence[int], before: str) -> str:
    """Whether all the dealer's cards qualify; nothing where any hand does."""
    qualified = declared.dealer_qualifies(cards)
    return "" if qualified is None else before + QUALIFIES[qualified]


def _seen(cards: Sequence[int | None]) -> list[int]:
    return [card for card in cards if card is not None]


def has_folded(state: RoundState, seat: int) -> bool:
    """Whether the seat has given its hand up."""
    question_of = state.rules.game.declared.question
    answers = (event for event in state.events if isinstance(event, Answered) and event.seat == seat)
    return any(question_of(event.question).gives_up(event.answer) for event in answers)


def _below_ace(card: int) -> int:
    """How many ranks a card is below an ace; its number begins with the ace, and a joker stands beside it."""
    return -(card >> 2) % len(RANKS)


def _why_covered(state: RoundState, event: WagerSettled, moment: int, face: Callable[[int], str]) -> str:
    """The own cards of the best hand on the table; why nothing was paid, where no hand was good enough."""
    if not state.sets.get((event.seat - 1, moment)):
        return "lost with the folded hand"
    if not event.decided_by:
        return "no hand on the table is good enough"
    theirs = event.decided_by == DEALERS_HAND
    cards = state.dealer if theirs else state.row((event.decided_by - 1) * HANDS_PER_SEAT)
    return " ".join(map(face, sorted(cards, key=_below_ace)))


def _why_side(state: RoundState, seat: int, moment: int, face: Callable[[int], str]) -> str:
    """The cards that decided a bet on a set, from the highest rank down, so that equal ranks stand side by side."""
    cards = sorted(cards_of(state.sets.get((seat, moment), 0)), key=_below_ace)
    return " ".join(map(face, cards)) if cards else "lost with the folded hand"
