"""What happened at a table: frozen, in the past tense, in order. The events of a round are its history."""

from __future__ import annotations

from msgspec import Struct, structs


class Event(Struct, frozen=True, kw_only=True, tag_field="event", gc=False):
    """Something that happened. Seats and hands are counted from 1, amounts are micros of a dollar."""


class WagerPlaced(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A wager was made before the first card; in the two-hand games `main` is on each hand."""

    seat: int
    wager: str
    amount: int


class CardDealt(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A card left the shoe. `card` is None to those who may not see it."""

    to: str
    """Where it went: the id of a place that the round declares, "seat" for a hand of a seat."""
    seat: int = 0
    hand: int = 0
    card: int | None
    face_down: bool = False
    is_private: bool = False
    """Whether only the seat that it belongs to sees it."""


def as_seen(event: Event, seat: int = 0) -> Event:
    """The event as everybody may see it, or as a seat (from 1) does: a hidden card is blank, for another event shows
    it when it is turned."""
    if isinstance(event, _CARDS) and (event.face_down or (event.is_private and event.seat != seat)):
        return structs.replace(event, card=None)
    return event


class CardsTurned(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """Cards that lay face down were turned face up: all that were dealt to one place."""

    to: str
    seat: int = 0
    hand: int = 0
    cards: tuple[int, ...]


class HandOpened(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A seat got one more hand; those from there on moved up by one."""

    seat: int
    hand: int


class CardMoved(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A card that is out went to a hand, or counts there as well. `card` is None to those who may not see it."""

    to: str
    """As of a card that is dealt."""
    seat: int
    hand: int
    card: int | None
    stays: bool = False
    """Whether it counts where it was, too."""
    face_down: bool = False
    is_private: bool = False
    """As of a card that is dealt."""


_CARDS = (CardDealt, CardMoved)


class CardsSwapped(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """The last cards of two hands of a seat were exchanged."""

    seat: int
    hand: int
    other: int


class Asked(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A seat was asked."""

    seat: int
    hand: int
    question: str
    legal: tuple[str, ...]


class Answered(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A seat answered."""

    seat: int
    hand: int
    question: str
    answer: str


class WagerAdded(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """Money went onto the table during the round, on a hand of a seat."""

    seat: int
    hand: int
    wager: str
    amount: int


class WagerTakenBack(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """Money came off the table during the round: a seat took a wager back."""

    seat: int
    hand: int
    wager: str
    amount: int


DEALERS_HAND = -1


class WagerSettled(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A wager ended on a row. `returned` is all that came back, the wager included."""

    seat: int
    hand: int
    wager: str
    row: str
    staked: int
    returned: int
    envy_of: int = 0
    """The seat whose hand this is paid for, as envy: nothing is staked on it. 0 for what the wager itself came to."""
    decided_by: int = 0
    """The seat whose hand was the best on the table, or `DEALERS_HAND`, where that decides; 0 for other wagers."""


class RoundEnded(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """Everything is settled."""

    house_net: int


class SpotTaken(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A player sat down."""

    spot: int
    player: str


class SpotLeft(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A spot was given up."""

    spot: int


class WagersMade(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """The wagers of a spot for the next round, replacing those before."""

    spot: int
    wagers: tuple[tuple[str, int], ...]


class ShoeShuffled(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """All cards were shuffled. Of sealed shoes: the new one's commitment, and the seed of the one that is done."""

    commitment: str = ""
    revealed_commitment: str = ""
    revealed_seed: str = ""


class RoundStarted(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """No more wagers. Seat 1 of the round is the first of these spots, and so on."""

    spots: tuple[int, ...]


class RoundFinished(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """Everything was paid and taken; the table is open for wagers."""

    round: int
