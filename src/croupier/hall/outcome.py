"""How a hand ended, as people say it, from the round's declaration."""

from __future__ import annotations

from croupier.kernels.effects import HANDS_PER_SEAT
from croupier.reports.rounds.why import community_of, has_folded
from croupier.table.replay import RoundState

PLAIN_ROWS = ("win", "push", "lose")
"""Rows that say no more than how the hand compares."""


def outcome_words(state: RoundState, seat: int, hand: int, net: int, row: str, label: str) -> str:
    """`Dealer busts`, `Push`, of a hand of a seat (both from 1); empty before it has ended.

    `net` is what the round settled on it, `row` and `label` how its first wager ended.
    """
    declared = state.rules.game.declared
    own = state.row((seat - 1) * HANDS_PER_SEAT + hand - 1)
    if own and declared.is_bust(own):
        return "Bust"
    if not row:
        return ""
    if has_folded(state, seat):
        return "Fold"
    if row not in PLAIN_ROWS:
        return label if net else "Push"
    if net > 0 and declared.plays_dealer_out and declared.is_bust(state.dealer):
        return "Dealer busts"
    dealer = [*state.dealer, *community_of(state)]
    if net >= 0 and state.dealer and declared.dealer_qualifies(dealer) is False:
        return "Dealer does not qualify"
    return "Win" if net > 0 else "Lose" if net < 0 else "Push"
