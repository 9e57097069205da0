"""How amounts and rates of a floor stand in a file: `"$10,000"`, `"0.25"`, `"17.5%"`. Text and value go back and forth.

>>> amount_text(Micros(10_000_250_000)), rate_text(Fraction(7, 40))
('10000.25', '17.5%')
"""

from __future__ import annotations

from fractions import Fraction

from croupier.errors import CroupierError
from croupier.money import MICROS_PER_DOLLAR, parse_dollars
from croupier.rules.loader import decode_words

RATE_STEPS = 1_000_000
"""A rate is a whole number of millionths, as the ledger keeps it."""


class Micros(int):
    """An amount of money in millionths of a dollar. A type of its own because in files it is text in dollars."""


def usd(text: str) -> Micros:
    """`usd("10,000")` is that many micros."""
    return Micros(parse_dollars(text))


def amount_text(micros: int) -> str:
    """Dollars to the last millionth, without needless zeros."""
    whole, part = divmod(micros, MICROS_PER_DOLLAR)
    return f"{whole}.{part:06d}".rstrip("0").rstrip(".") if part else str(whole)


def rate_text(rate: Fraction) -> str:
    """A rate of whole millionths as a percentage."""
    hundredth_millionths = int(rate * RATE_STEPS * 100)
    return f"{amount_text(hundredth_millionths)}%"


def decode_floor_words(kind: type, value: object) -> object:
    """Amounts, besides the pays and rates of game files."""
    if kind is not Micros:
        return decode_words(kind, value)
    if not isinstance(value, str):
        raise ValueError(f'Expected an amount as text, such as "5" or "$10,000", got {type(value).__name__}')
    try:
        return usd(value)
    except CroupierError as error:
        raise ValueError(str(error)) from None
