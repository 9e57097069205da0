"""Counting cards at a table that deals from a shoe: what a player has seen, what the count is, and which wagers have
turned good by the exact odds of the cards left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from croupier.cards import DECK_SIZE
from croupier.errors import NotComputedError
from croupier.exact.apart import Left
from croupier.exact.left_cards import edge_left, full_left
from croupier.exact.odds import compute_odds
from croupier.hall.practice import request_of
from croupier.rules.choice import OddsRequest
from croupier.rules.counts import PublishedCount, general_counts
from croupier.table.events import CardDealt, CardsTurned
from croupier.table.log import RoundLog
from croupier.table.replay import RoundState
from croupier.table.setup import TableRules

SYSTEMS = general_counts()


@dataclass(frozen=True, kw_only=True)
class ShoeCount:
    """A shoe as a player at the table knows it."""

    system: PublishedCount
    running: int
    seen: int
    left: int
    """Cards in the shoe; those that lie face down on the table are not among them, and have not been seen."""
    unseen: int

    @property
    def decks_left(self) -> float:
        return self.unseen / DECK_SIZE

    @property
    def true(self) -> float | None:
        """The count for each deck that has not been seen."""
        return self.running / self.decks_left if self.system.is_balanced and self.unseen else None


@dataclass(frozen=True, kw_only=True)
class WagerNow:
    """A wager from the cards left, and from a fresh shoe."""

    wager: str
    now: Fraction
    fresh: Fraction

    @property
    def is_good(self) -> bool:
        """Whether the player has the edge."""
        return self.now < 0


def cards_seen(state: RoundState, seat: int) -> list[int]:
    """Every card of a round that a seat (from 1; 0 for who only watches) has seen."""
    seen = state.seen_events(seat)
    dealt = [event.card for event in seen if isinstance(event, CardDealt) and event.card is not None]
    return dealt + [card for event in seen if isinstance(event, CardsTurned) for card in event.cards]


def shoe_count(system: PublishedCount, rules: TableRules, seen: Sequence[int], left: int) -> ShoeCount:
    total = rules.decks * rules.game.declared.deck_size
    return ShoeCount(system=system, running=system.count(seen), seen=len(seen), left=left, unseen=total - len(seen))


def rounds_of_shoe(rounds: Sequence[RoundLog], gone: int) -> list[RoundLog]:
    """The last rounds, whose cards make up what was gone of the shoe when the round on the table began; none if they
    do not. `rounds` come the latest first."""
    here: list[RoundLog] = []
    for log in rounds:
        if gone <= 0:
            break
        gone -= len(log.cards)
        here.append(log)
    return here if gone == 0 else []


def countable_wagers(rules: TableRules) -> list[str]:
    """The wagers whose odds follow from the cards left alone."""
    wagers = []
    for wager in rules.game.proved_wagers:
        choice = rules.placed[wager.id]
        is_decided = choice.bet is not None and not (choice.bet.scene.is_set or choice.bet.scene.is_row)
        if (is_decided or rules.game.is_apart(wager)) and wager.pay_tables and choice.pay_table.jackpot is None:
            wagers.append(wager.id)
    return wagers


def wagers_now(requests: tuple[OddsRequest, ...], left: Left) -> list[WagerNow]:
    """In another process: the exact edge of some wagers from the cards left, the best for the player first."""
    found = []
    for request in requests:
        choice = request.choice()
        try:
            now = edge_left(choice, left)
        except NotComputedError:
            continue
        found.append(WagerNow(wager=choice.wager.id, now=now, fresh=compute_odds(choice).edge))
    return sorted(found, key=lambda one: one.now)


def requests_for(rules: TableRules) -> tuple[OddsRequest, ...]:
    return tuple(request_of(rules, wager) for wager in countable_wagers(rules))


def left_of(rules: TableRules, seen: Sequence[int]) -> Left:
    return full_left(rules.decks, seen)
