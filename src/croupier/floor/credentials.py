"""Cards' tokens and PINs: how they are made, what of them is stored, which are too easy.

A token has 256 random bits, so its SHA-256 is enough to know it again. A PIN has few digits: it is mixed with the
card's token before Argon2id, so that whoever reads the database cannot try PINs without the card.
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from croupier.errors import IllegalActionError, LedgerError, RangeError
from croupier.floor.roles import Role

if TYPE_CHECKING:
    from argon2 import PasswordHasher

TOKEN_BYTES = 32
MOST_HASHED_TOGETHER = 4
"""Each takes the memory of `PinCost`; a crowd of swipes waits instead of taking all there is."""

_PIN = re.compile(r"[0-9]{4,12}")
_DIGITS_UP = "01234567890123456789"
_COMMON = frozenset({"2580", "0852", "1122", "1221", "2112", "5683", "1004", "147258", "159753", "112233"})
"""Lines on a keypad and other favorites that no pattern below catches."""


@dataclass(frozen=True, kw_only=True)
class PinCost:
    """What one try of a PIN costs. The default is what OWASP recommends for Argon2id."""

    memory_kib: int = 19 * 1024
    passes: int = 2
    lanes: int = 1


@dataclass(frozen=True, kw_only=True)
class DemoPerson:
    """Somebody of a demonstration floor, with secrets that everybody knows."""

    id: str
    role: Role
    card: str
    pin: str


# Not secrets: everybody can read them here. They open a demonstration floor and are refused everywhere else.
DEMO_PEOPLE: tuple[DemoPerson, ...] = (
    DemoPerson(id="demo-executive", role=Role.EXECUTIVE, card="demo-card-executive", pin="719358"),
    DemoPerson(id="demo-supervisor", role=Role.SUPERVISOR, card="demo-card-supervisor", pin="604827"),
    DemoPerson(id="demo-dealer", role=Role.DEALER, card="demo-card-dealer", pin="382916"),
    DemoPerson(id="demo-accounting", role=Role.ACCOUNTING, card="demo-card-accounting", pin="915730"),
    DemoPerson(id="demo-technician", role=Role.TECHNICIAN, card="demo-card-technician", pin="470283"),
    DemoPerson(id="demo-auditor", role=Role.AUDITOR, card="demo-card-auditor", pin="258164"),
    # For what takes two executives, as the largest awards do.
    DemoPerson(id="demo-director", role=Role.EXECUTIVE, card="demo-card-director", pin="836405"),
)


def _bytes(text: str) -> bytes:
    """Also of text that is no Unicode: an encoding error would print the secret."""
    return text.encode("utf-8", "surrogatepass")


def new_token(kind: str) -> str:
    """A token that cannot be guessed; `kind` stands in front, so that a card cannot be taken for a session."""
    return f"{kind}-{secrets.token_urlsafe(TOKEN_BYTES)}"


def digest_of(token: str) -> str:
    """What is stored of a token."""
    return sha256(_bytes(token)).hexdigest()


DEMO_CARDS = frozenset(digest_of(person.card) for person in DEMO_PEOPLE)
DEMO_PINS = frozenset(person.pin for person in DEMO_PEOPLE)


def require_good_pin(pin: str, *, demo: bool) -> None:
    """Refuses a PIN that is none, or that somebody would try first. The sentence does not repeat it."""
    if not _PIN.fullmatch(pin):
        raise RangeError("A PIN has 4 to 12 digits and nothing else. Choose another.", code="bad_pin")
    if pin in DEMO_PINS and not demo:
        raise IllegalActionError(
            "This PIN is printed in the program for demonstrations. Choose another.", code="default_secret"
        )
    if is_trivial(pin):
        raise RangeError(
            "This PIN is too easy to guess: use no sequences, repeats or years.",
            code="trivial_pin",
        )


def is_trivial(pin: str) -> bool:
    """Whether digits repeat, run up or down, are a year, or are a known favorite."""
    repeats = any(pin == pin[:length] * (len(pin) // length) for length in range(1, len(pin) // 2 + 1))
    runs = pin in _DIGITS_UP or pin in _DIGITS_UP[::-1]
    is_year = len(pin) == 4 and 1900 <= int(pin) < 2100
    return repeats or runs or is_year or pin in _COMMON


class PinHasher:
    """Argon2id over a PIN and its card's token."""

    def __init__(self, cost: PinCost) -> None:
        self._cost = cost
        self._argon2: PasswordHasher | None = None
        self._room = BoundedSemaphore(MOST_HASHED_TOGETHER)

    def hash(self, card_token: str, pin: str) -> str:
        """What is stored of a PIN: parameters, salt and hash in Argon2's own notation."""
        with self._room:
            return self._hasher().hash(_mixed(card_token, pin))

    def is_right(self, stored: str, card_token: str, pin: str) -> bool:
        """Whether it is the PIN that was stored; compared in constant time."""
        from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError

        try:
            with self._room:
                return self._hasher().verify(stored, _mixed(card_token, pin))
        except VerifyMismatchError:
            return False
        except (InvalidHashError, VerificationError):
            raise LedgerError(
                "A stored PIN cannot be read. Run verify, then renew the card.", code="bad_entry"
            ) from None

    def _hasher(self) -> PasswordHasher:
        if self._argon2 is None:
            from argon2 import PasswordHasher  # loads a compiled library: only when somebody swipes

            cost = self._cost
            self._argon2 = PasswordHasher(time_cost=cost.passes, memory_cost=cost.memory_kib, parallelism=cost.lanes)
        return self._argon2


def _mixed(card_token: str, pin: str) -> bytes:
    return hmac.digest(_bytes(card_token), _bytes(pin), "sha256")
