"""Words of pay, rates, and pay tables made of them."""

from __future__ import annotations

import doctest
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import CroupierError, NotationError, RangeError
from croupier.exact import check
from croupier.pay import PayTable, Product, Row, parse_pay, parse_rate, words
from croupier.pay.words import Pay

odds = st.builds(Pay, st.sampled_from(["to", "for"]), st.integers(0, 1_000_000), st.integers(1, 100))
shares = st.builds(Pay, st.just("percent"), st.integers(1, 100))


@pytest.mark.parametrize("module", [words, check], ids=["pay.words", "exact.check"])
def test_the_examples_in_the_module_are_true(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0


@given(st.one_of(odds, shares, st.just(Pay("push"))))
def test_a_pay_reads_back_from_its_text(pay: Pay) -> None:
    assert parse_pay(pay.text) == pay
    assert hash(parse_pay(pay.text)) == hash(pay)


@given(st.integers(0, 1_000_000), st.integers(1, 100))
def test_to_returns_the_wager_and_for_takes_it(amount: int, unit: int) -> None:
    to, taken = parse_pay(f"{amount} to {unit}"), parse_pay(f"{amount} for {unit}")
    assert to.net == Fraction(amount, unit)
    assert taken.net == Fraction(amount, unit) - 1


def test_a_push_returns_the_wager_and_is_no_hit() -> None:
    push = parse_pay("push")
    assert push.net == 0
    assert not push.is_hit


@given(st.integers(0, 10_000))
def test_a_rate_is_the_same_as_fraction_and_percentage(hundredths: int) -> None:
    assert parse_rate(f"{hundredths / 100:.2f}%") == Fraction(hundredths, 10_000)
    assert parse_rate(f"{hundredths / 10_000:.4f}") == Fraction(hundredths, 10_000)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", NotationError),
        ("3 on 2", NotationError),
        ("-3 to 2", NotationError),
        ("1.5 to 1", NotationError),
        ("1 to 0", RangeError),
        ("1000001 to 1", RangeError),
        ("0%", RangeError),
        ("101%", RangeError),
    ],
)
def test_a_bad_pay_is_refused(text: str, kind: type[CroupierError]) -> None:
    with pytest.raises(kind) as caught:
        parse_pay(text)
    assert caught.value.code == "bad_pay"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", NotationError),
        ("-0.1", NotationError),
        ("a fifth", NotationError),
        ("1.01", RangeError),
        ("101%", RangeError),
    ],
)
def test_a_bad_rate_is_refused(text: str, kind: type[CroupierError]) -> None:
    with pytest.raises(kind) as caught:
        parse_rate(text)
    assert caught.value.code == "bad_rate"


def test_a_suited_win_pays_base_and_multiple_or_the_multiple_alone() -> None:
    # The letter's example: $3 and $150 on a $1 wager for a suited five-card 26.
    product = Product(
        base={"bust_26": 3},
        times={"suited_5": 50, "unsuited": 1},
        once="unsuited",
        switch="multiplier",
        labels={"bust_26": "26", "suited_5": "5 suited", "unsuited": "unsuited"},
    )
    adds, replaces = product.rows("adds"), product.rows("replaces")
    assert [row.pays.text for row in adds] == ["153 to 1", "3 to 1"]
    assert [row.pays.text for row in replaces] == ["150 to 1", "3 to 1"]


def test_a_row_stands_only_from_its_decks_on_and_under_its_switches() -> None:
    table = PayTable(
        id="1",
        rows=(
            Row(row="a", label="a", pays=parse_pay("1 to 1"), min_decks=3),
            Row(row="b", label="b", pays=parse_pay("1 to 1"), when={"commission": "none"}),
        ),
    )
    in_force = {
        (decks, value): [row.row for row in table.rows_in_force({"commission": value}, decks)]
        for decks in (2, 3, None)
        for value in ("5%", "none")
    }
    assert in_force == {
        (2, "5%"): [],
        (2, "none"): ["b"],
        (3, "5%"): ["a"],
        (3, "none"): ["a", "b"],
        (None, "5%"): ["a"],
        (None, "none"): ["a", "b"],
    }
