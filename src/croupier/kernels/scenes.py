"""Scenes: the parts of rounds that decide a bet.

A bet names its scene, and the exact engine walks the scene's own short round, called as `play(world, table, first,
second)`. The same scene comes up in full rounds, at its moment. What others ask of a scene is a field of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from croupier.kernels.baccarat import BANKER_SIDE, PLAYER_SIDE, WINNING_SIDE, baccarat_hands
from croupier.kernels.dealer import HITS_SOFT_17, STANDS_ON_SOFT_17, dealer_round
from croupier.kernels.effects import (
    DEALER,
    DEALER_DONE,
    RESULT,
    Table,
    World,
    deal,
    draw,
    opening_moment,
    set_moment,
    settle,
)
from croupier.kernels.hands import EMPTY, add_card
from croupier.kernels.link import Kernel

SIDES = {"": PLAYER_SIDE, "player": PLAYER_SIDE, "banker": BANKER_SIDE, "winner": WINNING_SIDE}


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What decides a bet."""

    id: str
    text: str
    """All of its ends, in words: "every opening deal"."""
    moment: int
    """The moment of a full round at which a bet on this scene is settled."""
    play: Kernel
    own_cards: int = 0
    dealer_cards: int = 0
    """Cards of the bettor's side and of the dealer that it shows, where their number is fixed."""
    switch: str = ""
    """The switch that the scene itself depends on, with a number for each value."""
    numbers: Mapping[str, int] = field(default_factory=dict, hash=False)
    has_sides: bool = False
    """Whether a bet on it is on one of two sides."""
    completes_dealer: bool = False
    """Whether the dealer plays a hand out for such a bet alone."""
    is_shared: bool = False
    """Whether it is one and the same for all seats of a round."""
    is_set: bool = False
    """Whether hands are sets of cards (`sets.py`), dealt at once from one deck."""

    @property
    def is_opening(self) -> bool:
        """All its ends have the same number of cards, so hands can be counted without order."""
        return self.own_cards > 0

    def parameters(self, switches: Mapping[str, str]) -> tuple[int, int]:
        """What its round is called with."""
        if self.switch:
            return self.numbers[switches.get(self.switch, next(iter(self.numbers)))], 0
        return self.own_cards, self.dealer_cards

    def __str__(self) -> str:
        return self.id


def opening_round(world: World, table: Table, own_cards: int, dealer_cards: int) -> World:
    """Deals the cards such a bet looks at. In the real order other cards lie between them, which changes no odds."""
    own = EMPTY
    for _ in range(own_cards):
        card, world = draw(world, table, 0)
        own = add_card(own, card)
    dealer = EMPTY
    for _ in range(dealer_cards):
        card, world = draw(world, table, DEALER)
        dealer = add_card(dealer, card)
    return settle(world, table, 0, 0, opening_moment(own_cards, dealer_cards), own, dealer)


def dealt_round(world: World, table: Table, own_cards: int, _unused: int) -> World:
    """Deals a set."""
    own, world = deal(world, table, 0, own_cards)
    return settle(world, table, 0, 0, set_moment(own_cards), own, EMPTY)


def _dealer(world: World, table: Table, soft17: int, _unused: int) -> World:
    return dealer_round(world, table, soft17)


def _baccarat(world: World, table: Table, _unused: int, _unused_too: int) -> World:
    return baccarat_hands(world, table)


def Opening(*, own_cards: int, dealer_cards: int = 0) -> Scene:  # noqa: N802 - bets of game folders say it so
    """Decided by the opening deal: how many cards of the player's side and of the dealer the bet looks at."""
    return Scene(
        id=f"Opening(own_cards={own_cards}, dealer_cards={dealer_cards})",
        text="every opening deal",
        moment=opening_moment(own_cards, dealer_cards),
        play=opening_round,
        own_cards=own_cards,
        dealer_cards=dealer_cards,
    )


_DEALER_HAND = Scene(
    id="DealerHand()",
    text="every dealer's hand",
    moment=DEALER_DONE,
    play=_dealer,
    switch="soft17",
    numbers={"hit": HITS_SOFT_17, "stand": STANDS_ON_SOFT_17},
    completes_dealer=True,
    is_shared=True,
)
_BACCARAT_RESULT = Scene(
    id="BaccaratResult()", text="every baccarat round", moment=RESULT, play=_baccarat, has_sides=True, is_shared=True
)


def Dealt(*, own_cards: int) -> Scene:  # noqa: N802
    """Decided by a set of cards that lie on the table, whoever they belong to: which card has which suit is known."""
    return Scene(
        id=f"Dealt(own_cards={own_cards})",
        text=f"every set of {own_cards} cards",
        moment=set_moment(own_cards),
        play=dealt_round,
        own_cards=own_cards,
        is_set=True,
    )


def DealerHand() -> Scene:  # noqa: N802
    """Decided by the dealer's final hand."""
    return _DEALER_HAND


def BaccaratResult() -> Scene:  # noqa: N802
    """Decided by both hands of a finished baccarat round."""
    return _BACCARAT_RESULT
