"""Amounts in reports: to the last millionth, because the lines of a report must add up.

>>> exact_dollars(10_000_250_000), exact_dollars(-1_234_567), micros_of("-1.234567")
('10000.25', '-1.234567', -1234567)
>>> exact_for_people(10_000_250_000), exact_for_people(-1_234_567)
('$10,000.25', '-$1.234567')
"""

from __future__ import annotations

from croupier.money import MICROS_PER_DOLLAR, parse_dollars


def exact_dollars(micros: int) -> str:
    """Decimal text in dollars with two to six decimals."""
    whole, part = divmod(abs(micros), MICROS_PER_DOLLAR)
    decimals = f"{part:06d}".rstrip("0").ljust(2, "0")
    return f"{'-' if micros < 0 else ''}{whole}.{decimals}"


def exact_for_people(micros: int) -> str:
    """The same as people write it, for a column of a page or of paper."""
    whole, _, part = exact_dollars(abs(micros)).partition(".")
    return f"{'-' if micros < 0 else ''}${int(whole):,}.{part}"


def micros_of(text: str) -> int:
    """The amount that `exact_dollars` wrote."""
    return -parse_dollars(text[1:]) if text.startswith("-") else parse_dollars(text)
