"""Amounts of money."""

from __future__ import annotations

import doctest
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import money
from croupier.errors import CroupierError, NotationError, RangeError
from croupier.money import (
    MICROS_PER_CENT,
    MICROS_PER_DOLLAR,
    MOST_DOLLARS,
    dollars,
    dollars_for_people,
    floor_to_micros,
    parse_dollars,
)

MOST_CENTS = MOST_DOLLARS * 100


def test_the_examples_in_the_module_are_true() -> None:
    result = doctest.testmod(money)
    assert result.attempted > 0
    assert result.failed == 0


@given(st.integers(0, MOST_CENTS))
def test_whole_cents_read_back_from_both_texts(cents: int) -> None:
    micros = cents * MICROS_PER_CENT
    assert parse_dollars(dollars(micros)) == micros
    assert parse_dollars(dollars_for_people(micros)) == micros


@given(st.integers(-(10**12), 10**15))
def test_text_is_floored_to_the_cent(micros: int) -> None:
    shown = Fraction(dollars(micros)) * MICROS_PER_DOLLAR
    assert 0 <= micros - shown < MICROS_PER_CENT


@given(st.fractions(0, 10**9))
def test_an_exact_amount_is_floored_to_the_micro(amount: Fraction) -> None:
    assert 0 <= amount * MICROS_PER_DOLLAR - floor_to_micros(amount) < 1


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ("", NotationError, "bad_amount"),
        ("ten", NotationError, "bad_amount"),
        ("1,00", NotationError, "bad_amount"),
        ("0.1234567", NotationError, "bad_amount"),
        ("1e3", NotationError, "bad_amount"),
        ("-1", RangeError, "negative_amount"),
        ("$-0.01", RangeError, "negative_amount"),
        ("1000000001", RangeError, "absurd_amount"),
    ],
)
def test_a_bad_amount_is_refused_with_its_code(text: str, kind: type[CroupierError], code: str) -> None:
    with pytest.raises(kind) as caught:
        parse_dollars(text)
    assert caught.value.code == code
