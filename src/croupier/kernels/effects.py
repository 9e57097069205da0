"""What a round may do to the outside world.

A round imports these names and calls them; each interpreter replaces them when it links the round (see `link.py`).
`world` is a small value passed along from effect to effect (a position in the shoe, the state of a generator), `table`
is whatever the interpreter reads and writes in place.

There are three effects: a card is drawn, somebody is asked, a wager is settled. Settling has two forms: main wagers and
insurance end on an outcome that the round itself knows (`pay`); side wagers are not named in a round at all: it says
which *moment* has come and shows the hands that decide it (`settle`), and the interpreter settles what was wagered.
So a new side bet changes no round. `tell` lets people see what happens to cards that are already out.
"""

from typing import Any

# Moments at which side wagers are decided, with the hands shown: (own, other).
DEALER_DONE = 1  # own: the dealer's final hand; other: the player's hand
RESULT = 2  # baccarat, for every seat; own: the player hand; other: the banker hand
OPENING_THREE = 3  # own: three cards of the opening deal
OPENING_FOUR = 4  # own: the seat's four cards
OPENING_TWO_AND_DEALER = 5  # own: the first hand's two cards; other: the dealer's two cards
OPENING_TWO = 6  # own: the player's first two cards

EVERY_SEAT = -1
"""The seat of a moment that is the same for all."""

# Where a drawn card goes: a hand of a seat is `seat * HANDS_PER_SEAT + hand`.
HANDS_PER_SEAT = 8
DEALER = 1000
"""The dealer's up card and drawn cards; in baccarat the banker hand."""
HOLE = 1001
"""The dealer's hole card, face down."""
PLAYER_HAND = 1002
"""Baccarat: the player hand."""
FLEX = 1100
"""A seat's flex card is at FLEX + seat until it is placed."""

# Questions, and their answers. An answer is `choice + (amount << 4)`; amount 0 means the full amount allowed.
INSURANCE, ACTION, FLEX_CARD, SWITCH_CARDS = range(4)
DECLINE, INSURE = range(2)
STAND, HIT, DOUBLE, SPLIT, SURRENDER = range(5)
FIRST, SECOND, BOTH = range(3)
KEEP, SWITCH = range(2)
AMOUNT_AT = 4
CHOICE_MASK = 15

# Wagers that a round settles itself, and how they can end.
MAIN, INSURANCE_WAGER = range(2)
LOSE = -1
"""The outcome of a wager that simply loses."""
BLACKJACK, SUITED_BLACKJACK, UNSUITED_BLACKJACK, DOUBLE_BARREL_BLACKJACK, WIN, PUSH, SURRENDERED = range(7)
MAIN_OUTCOMES = (
    "blackjack",
    "suited_blackjack",
    "unsuited_blackjack",
    "double_barrel_blackjack",
    "win",
    "push",
    "surrender",
)
DEALER_BLACKJACK = 0
INSURANCE_OUTCOMES = ("dealer_blackjack",)

# What people are told.
HOLE_TURNED, PAIR_SPLIT, CARDS_SWITCHED, FLEX_PLACED, FLEX_SHARED, FIRST_FACE_DOWN, FIRST_TURNED = range(7)
"""FIRST_FACE_DOWN comes before the dealer's first card: it lies face down until FIRST_TURNED."""


def draw(world: Any, table: Any, place: int) -> tuple[int, Any]:
    """A card comes from the shoe and goes to `place`."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's draw")


def ask(world: Any, table: Any, seat: int, hand: int, question: int, legal: int) -> tuple[int, Any]:
    """Somebody decides. `legal` is the set of choices allowed, one bit each; there are always at least two."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's ask")


def pay(world: Any, table: Any, seat: int, hand: int, wager: int, outcome: int, staked: int) -> Any:
    """A main or insurance wager, with all the money staked on it, ends on an outcome."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's pay")


def settle(world: Any, table: Any, seat: int, hand: int, moment: int, own: int, other: int) -> Any:
    """The side wagers decided at this moment end on a row of their pay tables."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's settle")


def tell(world: Any, table: Any, what: int, seat: int, hand: int) -> Any:
    """Something people see: the hole card is turned, a pair is split, cards change places."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's tell")
