"""What a round may do to the outside world.

A round imports these names and calls them; each interpreter replaces them when it links the round (see `link.py`).
`world` is a small value passed along from effect to effect (a position in the shoe, the state of a generator), `table`
is whatever the interpreter reads and writes in place.

A card is drawn (`draw`), or several at once as a set (`deal`), somebody is asked (`ask`), money goes onto the table
(`stake`), a wager is settled. Settling has two forms: wagers that a round declares end on an outcome that the round
itself knows (`pay`); side wagers are not named in a round at all: it says which *moment* has come and shows the hands
that decide it (`settle`), and the interpreter settles what was wagered. So a new side bet changes no round. `tell` lets
people see what happens to cards that are already out.
"""

from collections.abc import MutableSequence, Sequence
from typing import NewType

from croupier.kernels.sets import EMPTY_SET, add_to_set

World = NewType("World", object)
"""What is passed from effect to effect. Only the interpreter knows what is in it."""
Table = NewType("Table", object)
"""What the interpreter reads and writes in place; a round hands it on."""
Memory = MutableSequence[int]
"""What a round keeps for itself, as many integers as it declares."""
Stakes = Sequence[int]
"""The money of each seat on each wager that is made before the deal."""

# Moments at which side wagers are decided, with the hands shown: (own, other).
DEALER_DONE = 1  # own: the dealer's final hand; other: the player's hand
RESULT = 2  # baccarat, for every seat; own: the player hand; other: the banker hand
RESULT_ROWS = 3  # the same with both hands as rows of cards
FIRST_FOUR_ROWS = 4  # baccarat, for every seat; own: the player's first two cards as a row; other: the banker's
THIRD_CARD_ROWS = 5  # own: a seat's first two cards as a row; other: the third, empty if it drew none
OPENINGS = 16


def opening_moment(own_cards: int, dealer_cards: int) -> int:
    """The moment of an opening deal that shows so many cards of the player's side (own) and of the dealer (other)."""
    return OPENINGS + 16 * own_cards + dealer_cards


OPENING_TWO = opening_moment(2, 0)
OPENING_THREE = opening_moment(3, 0)
OPENING_FOUR = opening_moment(4, 0)
OPENING_TWO_AND_DEALER = opening_moment(2, 2)

ROW_MOMENTS = 512


def row_moment(own_cards: int, dealer_cards: int) -> int:
    """The same with the cards shown as rows (`rows.py`)."""
    return ROW_MOMENTS + opening_moment(own_cards, dealer_cards)


SETS = 1024


def set_moment(own_cards: int) -> int:
    """The moment at which a set of so many cards is complete."""
    return SETS + own_cards


EVERY_SEAT = -1
"""The seat of a moment that is the same for all."""

MOST_SEATS = 7

# Where a drawn card goes: a hand of a seat is `seat * HANDS_PER_SEAT + hand`.
HANDS_PER_SEAT = 8
EVERY_HAND = -1
"""In a declaration: the hands of the seats."""
DEALER = 1000
"""The dealer's up card and drawn cards; in baccarat the banker hand."""
HOLE = 1001
"""The dealer's hole card, face down."""
PLAYER_HAND = 1002
"""Baccarat: the player hand."""
DEALER_DOWN = 1003
"""The dealer's first card where it lies face down at first."""
BURNED = 1004
BOARD = 1005
"""Cards that all seats share, and mostly the dealer too."""
SEAT_PLACES = 1100
"""From here on, places that each seat has: the number and the seat."""
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

# What people are told of cards that are out: `tell(world, table, what, place, to)`.
TURNED = 0
"""The cards dealt to `place` are turned face up."""
OPENED = 1
"""A new hand is opened at `place`; the seat's hands from there on move up by one."""
MOVED = 2
"""The last card at `place` goes to `to`."""
COPIED = 3
"""The last card at `place` counts at `to` as well."""
SWAPPED = 4
"""The last cards at `place` and `to` are exchanged."""


def may_stake(amount: int, cap: int) -> bool:
    """Whether the law lets a single wager be so much; without a limit `cap` is 0. No effect, but every round with
    wagers that an answer adds needs it: a table fills the field `cap` of its rules."""
    return cap == 0 or amount <= cap


def draw(world: World, table: Table, place: int) -> tuple[int, World]:
    """A card comes from the shoe and goes to `place`."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's draw")


def deal(world: World, table: Table, place: int, count: int) -> tuple[int, World]:
    """So many cards go to `place`, whose order nobody looks at: a set (`sets.py`). Drawn one by one, unless an
    interpreter knows better."""
    hand = EMPTY_SET
    for _ in range(count):
        card, world = draw(world, table, place)
        hand = add_to_set(hand, card)
    return hand, world


def ask(world: World, table: Table, seat: int, hand: int, question: int, legal: int, sight: int) -> tuple[int, World]:
    """Somebody decides. `legal` is the set of choices allowed, one bit each; there are always at least two.

    `sight` is what the decision may depend on beside the round's memory: of a poker hand all there is to know, up to
    exchange of suits; in the blackjack family, whose hands lie in memory, the dealer's up card.
    """
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's ask")


def stake(world: World, table: Table, seat: int, hand: int, wager: int, amount: int) -> World:
    """Money of a seat goes onto the table, on a wager that the round declares. A negative amount goes back to the seat:
    a wager, or part of it, is taken back, and only what stays is paid."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's stake")


def pay(world: World, table: Table, seat: int, hand: int, wager: int, outcome: int, staked: int) -> World:
    """A wager that the round declares, with all the money staked on it, ends on an outcome."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's pay")


def settle(world: World, table: Table, seat: int, hand: int, moment: int, own: int, other: int) -> World:
    """The side wagers decided at this moment end on a row of their pay tables."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's settle")


def tell(world: World, table: Table, what: int, place: int, to: int) -> World:
    """Something people see: cards are turned, or change places."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's tell")
