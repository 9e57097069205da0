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
    """"seat", "dealer", "hole", "flex" or "player": where it went."""
    seat: int = 0
    hand: int = 0
    card: int | None
    face_down: bool = False


def without_hidden_card(event: Event) -> Event:
    """The event as everybody may see it: a card face down is blank, for another event shows it when it is turned."""
    if isinstance(event, CardDealt) and event.face_down:
        return structs.replace(event, card=None)
    return event


class FirstCardTurned(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """The dealer's first card, dealt face down, was turned face up: the up card."""

    card: int


class HoleCardTurned(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """The dealer's hole card was turned face up."""

    card: int


class PairSplit(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """The second card of a hand was moved to a new hand right after it, with an equal wager."""

    seat: int
    hand: int


class CardsSwitched(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """The second cards of a seat's two hands were exchanged."""

    seat: int


class FlexCardPlaced(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A seat's flex card was put on a hand, or on both (hand 0)."""

    seat: int
    hand: int


class Asked(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A seat was asked."""

    seat: int
    hand: int
    question: str
    legal: tuple[str, ...]


class Answered(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A seat answered; `added` is the money an insurance or a double put on the table."""

    seat: int
    hand: int
    question: str
    answer: str
    added: int = 0


class WagerSettled(Event, frozen=True, kw_only=True, tag=True, gc=False):
    """A wager ended on a row. `returned` is all that came back, the wager included."""

    seat: int
    hand: int
    wager: str
    row: str
    staked: int
    returned: int


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
