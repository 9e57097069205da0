"""What every decision needs: money into a meter under its maximum, and the checks of names and second persons."""

from __future__ import annotations

from croupier.errors import IllegalActionError, RangeError
from croupier.jackpot.accounts import Key, Moves
from croupier.jackpot.commands import Level
from croupier.jackpot.state import Jackpot
from croupier.money import MICROS_PER_DOLLAR, MOST_DOLLARS

WHOLE_PPM = 1_000_000
MOST_MICROS = MOST_DOLLARS * MICROS_PER_DOLLAR
LONGEST_NAME = 200
LONGEST_NOTE = 2000


def pour(moves: Moves, jackpot: Jackpot, level: Level, micros: int, source: Key) -> None:
    """Into the meter up to the posted maximum, the rest into the overflow."""
    meter: Key = (jackpot.id, level.id, "meter")
    shown = micros
    if level.cap_micros is not None:
        shown = min(micros, max(0, level.cap_micros - moves.balance(meter)))
    moves.move(shown, source, meter)
    moves.move(micros - shown, source, (jackpot.id, level.id, "overflow"))


def require_name(what: str, name: str) -> None:
    """Names and ids are short printable text without spaces at the ends, so that they look the same everywhere."""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise RangeError(
            f"The {what} {name[:40]!r} is not usable: write 1 to {LONGEST_NAME} printable characters.", code="bad_name"
        )


def require_note(note: str) -> None:
    if not note.strip() or len(note) > LONGEST_NOTE:
        raise RangeError(
            f"Say why in 1 to {LONGEST_NOTE} characters; every change by hand is documented.", code="note_missing"
        )


def require_second(actor: str, second: str) -> None:
    """A change of money by hand needs two people."""
    if not second or second == actor:
        raise IllegalActionError(
            f'This needs a second person; "{actor}" cannot sign twice.', code="second_person_missing"
        )
    require_name("second person", second)
