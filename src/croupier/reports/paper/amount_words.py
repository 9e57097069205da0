"""Amounts in words, as on a check: what was altered in the figures is seen in the words."""

from __future__ import annotations

from croupier.money import MICROS_PER_CENT

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_GROUPS = ((1_000_000_000, "billion"), (1_000_000, "million"), (1_000, "thousand"), (100, "hundred"))


def amount_in_words(micros: int) -> str:
    """An amount that is not negative, floored to the cent.

    >>> amount_in_words(45_006_180_000)
    'Forty-five thousand six dollars and 18/100'
    >>> amount_in_words(1_000_000), amount_in_words(250_000)
    ('One dollar and 00/100', 'Zero dollars and 25/100')
    """
    assert micros >= 0, "awards are not negative"
    whole, cents = divmod(micros // MICROS_PER_CENT, 100)
    words = number_in_words(whole)
    return f"{words[0].upper()}{words[1:]} dollar{'' if whole == 1 else 's'} and {cents:02d}/100"


def number_in_words(number: int) -> str:
    """
    >>> number_in_words(0), number_in_words(21), number_in_words(1_002_113)
    ('zero', 'twenty-one', 'one million two thousand one hundred thirteen')
    """
    for size, name in _GROUPS:
        if number >= size:
            many, rest = divmod(number, size)
            return f"{number_in_words(many)} {name}{f' {number_in_words(rest)}' if rest else ''}"
    if number < len(_SMALL):
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens]}{f'-{_SMALL[ones]}' if ones else ''}"
