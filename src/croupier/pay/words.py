"""The letters' words of pay, as exact numbers.

*n to 1*: the wager comes back and n times it is paid. *n for 1*: n times is paid and the wager is gone. *push*: the
wager comes back. *p %*: that share of the meter, out of the meter; the wager is gone.

>>> parse_pay("3 to 2").net, parse_pay("5 for 1").net, parse_pay("10%").share
(Fraction(3, 2), Fraction(4, 1), Fraction(1, 10))
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal

from croupier.errors import NotationError, RangeError

Kind = Literal["to", "for", "push", "percent"]

PAY_PATTERN = r"(\d{1,12}) (to|for) (\d{1,12})|push|(\d{1,12})\s*%"
_PAY = re.compile(PAY_PATTERN)
_RATE = re.compile(r"(\d{0,12}\.?\d{1,12})\s*(%?)")
# Bounds that catch slips of the pen, far above any letter's pay.
MOST_ODDS = 1_000_000


class Pay:
    """One pay. Its text and its value go back and forth without loss.

    Not a dataclass, because in game files a pay is its text and msgspec would ask for a table of its fields.
    """

    __slots__ = ("denominator", "kind", "numerator")

    def __init__(self, kind: Kind, numerator: int = 0, denominator: int = 1) -> None:
        self.kind = kind
        self.numerator = numerator
        self.denominator = denominator

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pay) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Pay({self.text!r})"

    @property
    def text(self) -> str:
        if self.kind == "push":
            return "push"
        if self.kind == "percent":
            return f"{self.numerator}%"
        return f"{self.numerator} {self.kind} {self.denominator}"

    @property
    def is_share(self) -> bool:
        """A share of the meter rather than odds on the wager."""
        return self.kind == "percent"

    @property
    def share(self) -> Fraction:
        """The share of the meter, as a fraction of one."""
        if not self.is_share:
            raise RangeError(f"{self} is not a share of a meter.", code="no_share")
        return Fraction(self.numerator, 100)

    @property
    def returned(self) -> Fraction:
        """What comes back for each unit wagered, the wager itself included where it does."""
        odds = Fraction(self.numerator, self.denominator)
        return {"to": odds + 1, "for": odds, "push": Fraction(1)}[self.kind]

    @property
    def paid(self) -> Fraction:
        """What is paid out for each unit wagered, beside the wager itself."""
        return self.returned - self.chip

    @property
    def chip(self) -> int:
        """1 where the wager itself goes back with the pay, else 0: it was taken in."""
        return int(self.kind in ("to", "push"))

    @property
    def net(self) -> Fraction:
        """Profit for each unit wagered."""
        return self.returned - 1

    @property
    def is_hit(self) -> bool:
        """Whether people call it a win: money is paid. A push is none."""
        return self.kind != "push" and self.numerator > 0


def parse_pay(text: str, *, has_meter: bool = True) -> Pay:
    """The opposite of `Pay.text`. Where there is no meter, the refusal offers no share of it."""
    match = _PAY.fullmatch(text.strip())
    if match is None:
        if not has_meter:
            raise NotationError(f'"{text}" is not a pay. Write "3 to 2", "50 for 1" or "push".', code="bad_pay")
        raise NotationError(
            f'"{text}" is not a pay. Write "3 to 2", "50 for 1", "push", or a whole number of per cents, as "10%", for '
            "a share of the meter.",
            code="bad_pay",
        )
    amount, kind, unit, percent = match.groups()
    if percent is not None:
        if not 1 <= int(percent) <= 100:
            raise RangeError(f'"{text}" of the meter cannot be paid: a share is 1% to 100%.', code="bad_pay")
        return Pay("percent", int(percent))
    if kind is None:
        return Pay("push")
    if int(unit) == 0 or int(amount) > MOST_ODDS:
        raise RangeError(
            f'"{text}" cannot be paid: odds run from 0 to {MOST_ODDS:,}, to or for 1 or more.', code="bad_pay"
        )
    return Pay("to" if kind == "to" else "for", int(amount), int(unit))


def parse_rate(text: str) -> Fraction:
    """A rate between none and all of a wager: `0.2`, `20%`, `17.5%`."""
    match = _RATE.fullmatch(text.strip())
    if match is None:
        raise NotationError(
            f'"{text}" is not a rate. Write a fraction of one or a percentage, as 0.2 or 20%.', code="bad_rate"
        )
    rate = Fraction(match.group(1)) / (100 if match.group(2) else 1)
    if rate > 1:
        meant = f" For per cents write {text.strip()}%." if not match.group(2) and rate <= 100 else ""
        raise RangeError(
            f'"{text}" is more than the whole wager: a rate is 0 to 1, or 0% to 100%.{meant}', code="bad_rate"
        )
    return rate
