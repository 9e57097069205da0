"""The three things a round may do to the outside world.

A round imports these names and calls them; each interpreter replaces them when it links the round (see `link.py`).
`world` is a small value passed along from effect to effect (a position in the shoe, the state of a generator), `table`
is whatever the interpreter reads and writes in place.

Bets are not named in a round. A round says which *moment* has come and shows the hands that decide it; the interpreter
settles every wager that is decided at that moment. So a new side bet changes no round.
"""

from typing import Any

# Moments at which wagers are decided, with the hands shown: (own, other).
OPENING = 0  # own: the cards of the opening deal a bet looks at; other: the dealer's two cards where they matter
DEALER_DONE = 1  # own: the dealer's final hand; other: the player's hand
RESULT = 2  # baccarat; own: the player hand; other: the banker hand


def draw(world: Any, table: Any) -> tuple[int, Any]:
    """A card comes from the shoe."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's draw")


def ask(world: Any, table: Any, seat: int, question: int, legal: int) -> tuple[int, Any]:
    """Somebody decides. `legal` is the set of answers allowed, one bit an answer."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's ask")


def settle(world: Any, table: Any, moment: int, own: int, other: int) -> Any:
    """The wagers decided at this moment end on a row of their pay tables."""
    raise NotImplementedError("a round runs only after it has been linked with an interpreter's settle")
