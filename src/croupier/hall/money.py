"""What a round takes out of a player's purse and puts back, as it stands."""

from __future__ import annotations

from croupier.money import parse_dollars
from croupier.table.events import Answered, PairSplit, WagerPlaced
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import Stakes, TableRules, wagered_on


def at_risk(stakes: Stakes, rules: TableRules) -> int:
    """What wagers cost before the first card."""
    return sum(amount * rules.times_staked(name) for name, amount in stakes.items())


def position(state: RoundState, seat: int) -> tuple[int, int]:
    """What a seat of the round (from 1) has staked so far, and what came back; of a take bet, the dealer's, nothing."""
    staked = 0
    for event in state.events:
        if isinstance(event, WagerPlaced) and event.seat == seat:
            staked += at_risk({event.wager: event.amount}, state.rules)
        elif isinstance(event, Answered) and event.seat == seat:
            staked += event.added
        elif isinstance(event, PairSplit) and event.seat == seat:
            staked += state.stakes[seat - 1]["main"]
    own = [event for event in state.settled if event.seat == seat and wagered_on(event.wager) == event.wager]
    returned = sum(event.returned for event in own)
    return staked, returned


def added_by(answer: str, need: NeedsAnswer, state: RoundState) -> int:
    """What an answer would add to the stakes, were it legal."""
    word, _, amount = answer.strip().lower().partition(":")
    if word in ("double", "insure"):
        return parse_dollars(amount) if amount else need.most
    return state.stakes[need.seat - 1]["main"] if word == "split" else 0
