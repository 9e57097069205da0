"""Money is an integer number of millionths of a dollar ("micros"), never a float.

Shares of a cent are carried exactly; people see amounts floored to the cent.

>>> parse_dollars("$10,000.50"), dollars(10_000_509_999)
(10000500000, '10000.50')
"""

from __future__ import annotations

import re
from fractions import Fraction

from croupier.errors import NotationError, RangeError

MICROS_PER_DOLLAR = 1_000_000
MICROS_PER_CENT = 10_000
# A bound on every amount: more than any table or jackpot holds, far inside 64 bits.
MOST_DOLLARS = 1_000_000_000

_AMOUNT = re.compile(r"(-?\$?|\$-)\s*(\d{1,30}|\d{1,3}(?:,\d{3}){1,9})(?:\.(\d{1,6}))?")


def parse_dollars(text: str) -> int:
    """Micros of an amount in dollars: `10`, `$10,000`, `0.25`. Refuses negative and absurd amounts."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise NotationError(
            f'"{text}" is not an amount in dollars. Write digits with at most six decimals, as in 5, 0.25 or $10,000.',
            code="bad_amount",
        )
    sign, whole, part = match.groups()
    if "-" in sign:
        raise RangeError(f'"{text}" is negative; an amount here is zero or more.', code="negative_amount")
    dollars_part = int(whole.replace(",", ""))
    if dollars_part > MOST_DOLLARS:
        raise RangeError(
            f'"{text}" is more than this program handles; the most is ${MOST_DOLLARS:,}.', code="absurd_amount"
        )
    return dollars_part * MICROS_PER_DOLLAR + int((part or "0").ljust(6, "0"))


def dollars(micros: int) -> str:
    """Decimal text of an amount, floored to the cent: `"10000.50"`. Used in JSON."""
    cents = micros // MICROS_PER_CENT
    sign, cents = ("-", -cents) if cents < 0 else ("", cents)
    return f"{sign}{cents // 100}.{cents % 100:02d}"


def dollars_for_people(micros: int) -> str:
    """The same for reading: `"$10,000.50"`, and `"$10,000"` when there are no cents."""
    text = dollars(micros)
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, cents = text.split(".")
    return f"{sign}${int(whole):,}" + ("" if cents == "00" else f".{cents}")


def dollars_and_cents(micros: int) -> str:
    """As a meter shows it, always with its cents: `"$10,000.00"`."""
    text = dollars(micros)
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    whole, cents = text.split(".")
    return f"{sign}${int(whole):,}.{cents}"


def floor_to_micros(amount: Fraction) -> int:
    """An exact amount in dollars as whole micros, floored."""
    return (amount.numerator * MICROS_PER_DOLLAR) // amount.denominator
