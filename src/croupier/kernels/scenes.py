"""Scenes: the parts of rounds that decide a bet.

A bet names its scene, and the exact engine walks the scene's own short round, called as `play(world, table, first,
second)`. The same scene comes up in full rounds, at its moment. What others ask of a scene is a field of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from croupier.kernels.baccarat import BANKER_SIDE, PLAYER_SIDE, WINNING_SIDE, baccarat_hands, baccarat_rows
from croupier.kernels.dealer import HITS_SOFT_17, STANDS_ON_SOFT_17, dealer_round
from croupier.kernels.effects import (
    DEALER,
    DEALER_DONE,
    FIRST_FOUR_ROWS,
    RESULT,
    RESULT_ROWS,
    THIRD_CARD_ROWS,
    Table,
    World,
    deal,
    draw,
    opening_moment,
    row_moment,
    set_moment,
    settle,
)
from croupier.kernels.hands import EMPTY, add_card, add_point
from croupier.kernels.link import Kernel
from croupier.kernels.rows import EMPTY_ROW, add_to_row, row_of
from croupier.kernels.sets import JOKER_CARD, set_of

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
    has_joker: bool = False
    """Whether these sets are dealt from a deck with a joker."""
    is_row: bool = False
    """Whether hands are rows of cards (`rows.py`): which card has which suit is known."""
    follows_play: bool = False
    """Whether it depends on how hands are played, so that its odds are those of a strategy."""
    is_finished: bool = True
    """Whether the hands it shows are played out, so that a side has won."""

    @property
    def deck_size(self) -> int:
        """Cards of the deck that its sets are dealt from."""
        return JOKER_CARD + 1 if self.has_joker else JOKER_CARD

    @property
    def is_opening(self) -> bool:
        """All its ends have the same number of cards, so hands can be counted without order."""
        return self.own_cards > 0

    def parameters(self, switches: Mapping[str, str]) -> tuple[int, int]:
        """What its round is called with."""
        if self.switch:
            return self.numbers[switches.get(self.switch, next(iter(self.numbers)))], 0
        return self.own_cards, self.dealer_cards

    def hand_of(self, cards: Sequence[int]) -> int:
        """These cards as a bet on this scene sees them; for people, and never compiled."""
        if self.is_row:
            return row_of(cards)
        return set_of(cards) if self.is_set else reduce(add_point if self.has_sides else add_card, cards, EMPTY)

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


def row_round(world: World, table: Table, own_cards: int, dealer_cards: int) -> World:
    """As `opening_round`, with rows."""
    own = EMPTY_ROW
    for _ in range(own_cards):
        card, world = draw(world, table, 0)
        own = add_to_row(own, card)
    dealer = EMPTY_ROW
    for _ in range(dealer_cards):
        card, world = draw(world, table, DEALER)
        dealer = add_to_row(dealer, card)
    return settle(world, table, 0, 0, row_moment(own_cards, dealer_cards), own, dealer)


def third_card_round(world: World, table: Table, _unused: int, _unused_too: int) -> World:
    """Deals two cards and a third to a seat that draws."""
    own = EMPTY_ROW
    for _ in range(2):
        card, world = draw(world, table, 0)
        own = add_to_row(own, card)
    card, world = draw(world, table, 0)
    return settle(world, table, 0, 0, THIRD_CARD_ROWS, own, add_to_row(EMPTY_ROW, card))


def dealt_round(world: World, table: Table, own_cards: int, _unused: int) -> World:
    """Deals a set."""
    own, world = deal(world, table, 0, own_cards)
    return settle(world, table, 0, 0, set_moment(own_cards), own, EMPTY)


def _dealer(world: World, table: Table, soft17: int, _unused: int) -> World:
    return dealer_round(world, table, soft17)


def _baccarat(world: World, table: Table, _unused: int, _unused_too: int) -> World:
    return baccarat_hands(world, table)


def _baccarat_rows(world: World, table: Table, _unused: int, _unused_too: int) -> World:
    return baccarat_rows(world, table)


def Opening(*, own_cards: int, dealer_cards: int = 0, cards: bool = False) -> Scene:  # noqa: N802 - folders say it so
    """Decided by the opening deal: how many cards of the player's side and of the dealer the bet looks at.

    With `cards` it sees each card with its suit, as rows (`rows.py`).
    """
    if cards:
        return Scene(
            id=f"Opening(own_cards={own_cards}, dealer_cards={dealer_cards}, cards=True)",
            text="every opening deal, card by card,",
            moment=row_moment(own_cards, dealer_cards),
            play=row_round,
            own_cards=own_cards,
            dealer_cards=dealer_cards,
            is_row=True,
        )
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

_BACCARAT_ROWS = replace(
    _BACCARAT_RESULT,
    id="BaccaratResult(cards=True)",
    text="every baccarat round, card by card,",
    moment=RESULT_ROWS,
    play=_baccarat_rows,
    is_row=True,
)
_BACCARAT_DEAL = Scene(
    id="BaccaratDeal()",
    text="every first four cards",
    moment=FIRST_FOUR_ROWS,
    play=row_round,
    own_cards=2,
    dealer_cards=2,
    has_sides=True,
    is_shared=True,
    is_row=True,
    is_finished=False,
)


def Dealt(*, own_cards: int, joker: bool = False) -> Scene:  # noqa: N802
    """Decided by a set of cards that lie on the table, whoever they belong to: which card has which suit is known.

    With `joker` the deck has one.
    """
    return Scene(
        id=f"Dealt(own_cards={own_cards}{', joker=True' if joker else ''})",
        text=f"every set of {own_cards} cards{' of 53' if joker else ''}",
        moment=set_moment(own_cards),
        play=dealt_round,
        own_cards=own_cards,
        is_set=True,
        has_joker=joker,
    )


_THIRD_CARD = Scene(
    id="ThirdCard()",
    text="every first two cards with the card drawn next, if one is, hands being played by the best strategy,",
    moment=THIRD_CARD_ROWS,
    play=third_card_round,
    is_row=True,
    follows_play=True,
)


def ThirdCard() -> Scene:  # noqa: N802
    """Decided by a seat's first two cards and, as the other row, the first that it draws, if it draws any.

    After a split that is the first card to the first hand.
    """
    return _THIRD_CARD


def DealerHand() -> Scene:  # noqa: N802
    """Decided by the dealer's final hand."""
    return _DEALER_HAND


def BaccaratResult(*, cards: bool = False) -> Scene:  # noqa: N802
    """Decided by both hands of a finished baccarat round; with `cards` each card is seen, as rows (`rows.py`)."""
    return _BACCARAT_ROWS if cards else _BACCARAT_RESULT


def BaccaratDeal() -> Scene:  # noqa: N802
    """Decided by the first two cards of each baccarat hand, as rows."""
    return _BACCARAT_DEAL
