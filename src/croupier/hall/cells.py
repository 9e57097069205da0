"""Of what kind a question is that lies on a table, and which cell of a chart: what a player learns as one."""

from __future__ import annotations

from croupier.kernels.declaration import Asking
from croupier.table.replay import NeedsAnswer, RoundState


def asking_of(state: RoundState, need: NeedsAnswer) -> Asking:
    """The question on the table as its seat sees it."""
    seat = need.seat - 1
    beside = (card for _, row in state.beside(seat, seat) for card in row if card is not None)
    return Asking(
        question=need.question,
        legal=need.legal,
        sight=need.sight,
        hands=tuple(tuple(hand) for hand in state.seats[seat]),
        hand=need.hand - 1,
        beside=tuple(beside),
        dealer=tuple(state.shown_row(state.rules.game.declared.dealer)),
    )


def cell_of(state: RoundState) -> tuple[str, str]:
    """Kind and cell of the question on the table."""
    assert isinstance(state.need, NeedsAnswer)
    return state.rules.game.declared.drill_cell(asking_of(state, state.need))
