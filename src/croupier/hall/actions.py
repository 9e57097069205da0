"""What a player may do at a table of the hall. Every action comes with an id that the client made."""

from __future__ import annotations

from msgspec import Struct

from croupier.table.shoe import Shuffle

ALL_MY_SPOTS = 0
"""In place of a spot: every spot of the player, for chips that are cleared, doubled, laid again, and for the deal."""


class Action(Struct, frozen=True, kw_only=True, tag=True):
    """Something a player wants; `spot` is the place at the table, from 1."""

    spot: int


class SitDown(Action, frozen=True, kw_only=True):
    """Takes a free spot."""


class GetUp(Action, frozen=True, kw_only=True):
    """Gives the spot up; chips laid out go back."""


class LayChips(Action, frozen=True, kw_only=True):
    """Puts more on a wager's spot of the layout, or takes off (a negative amount)."""

    wager: str
    micros: int


class TakeBack(Action, frozen=True, kw_only=True):
    """Undoes the player's latest change of the layout, on whichever spot it was."""


class ClearChips(Action, frozen=True, kw_only=True):
    """Takes all chips off the layout."""


class DoubleChips(Action, frozen=True, kw_only=True):
    """Doubles every wager on the layout, sensors apart."""


class Rebet(Action, frozen=True, kw_only=True):
    """Lays out the wagers of the round before."""


class Deal(Action, frozen=True, kw_only=True):
    """Wagers what is laid out. The round begins when everybody who sits here and is present has pressed it."""

    rebet: bool = False
    """Lays out the wagers of the round before first."""


class Decide(Action, frozen=True, kw_only=True):
    """Answers the question on the table."""

    answer: str
    revision: int
    """The revision of the round that the answer was made for."""


class ChooseRules(Action, frozen=True, kw_only=True):
    """Sets the rules of one's own table, between rounds; its shoe is shuffled anew."""

    decks: int
    settings: dict[str, str]
    pay_tables: dict[str, str]
    shuffle: Shuffle | None = None
    """How its cards are shuffled; None for as before."""
