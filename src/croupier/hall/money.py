"""What a round takes out of a player's purse and puts back, as it stands. What an answer adds, the round itself says
(`NeedsAnswer.cost_of`)."""

from __future__ import annotations

from croupier.table.replay import RoundState
from croupier.table.setup import Stakes, TableRules, wagered_on


def at_risk(stakes: Stakes, rules: TableRules) -> int:
    """What wagers cost before the first card."""
    return sum(amount * rules.times_staked(name) for name, amount in stakes.items())


def position(state: RoundState, seat: int) -> tuple[int, int]:
    """What a seat of the round (from 1) has staked so far, and what came back; of a take bet, the dealer's, nothing."""
    own = [event for event in state.settled if event.seat == seat and wagered_on(event.wager) == event.wager]
    return state.staked[seat - 1], sum(event.returned for event in own)
