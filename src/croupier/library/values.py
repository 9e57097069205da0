"""What a program passes as values, in the words that the rest reads: one reading for both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from inspect import signature
from math import isinf
from typing import Any, TypeVar, cast

from croupier.errors import NotationError, unknown

Method = TypeVar("Method", bound=Callable[..., Any])

Number = int | float | Fraction | Decimal
Amount = Number | str
"""Dollars: `5`, `0.25`, `"$10,000"`."""
Decks = int | float | str | None
"""1 to 8; `"inf"` for infinite decks."""
Rules = Mapping[str, object]
"""Switches with their values: `{"soft17": "stand", "surrender": False}`."""


_YES_NO = {"True": "yes", "False": "no"}


def takes_switches(method: Method) -> Method:
    """A method of a game whose other keywords are switches: a name that is neither is refused with both to choose
    from."""
    keywords = keywords_of(method)

    @wraps(method)
    def checked(game: Any, *values: Any, **given: Any) -> Any:
        require_known(given, game.switches, keywords)
        return method(game, *values, **given)

    return cast(Method, checked)


def keywords_of(method: Callable[..., Any]) -> list[str]:
    """What may be given by name, apart from switches."""
    kinds = {name: parameter.kind for name, parameter in signature(method).parameters.items() if name != "self"}
    return [name for name, kind in kinds.items() if kind not in (kind.VAR_POSITIONAL, kind.VAR_KEYWORD)]


def require_known(given: Mapping[str, object], switches: Iterable[str], keywords: Iterable[str]) -> None:
    """Refuses a name that is neither a switch nor a keyword, and a `progress` that nobody can call."""
    names = [*switches, *keywords]
    for name in given:
        if name not in names:
            raise unknown("switch", name, names)
    progress = given.get("progress")
    if progress is not None and not callable(progress):
        raise NotationError(f"progress={progress!r} is not a function.", code="bad_setting")


def decks_text(decks: Decks) -> str | None:
    """As typed on a command line.

    >>> decks_text(2), decks_text(float("inf")), decks_text(None)
    ('2', 'inf', None)
    """
    if decks is None:
        return None
    if isinstance(decks, float):
        return "inf" if isinf(decks) else number_text(decks)
    return str(decks)


def switch_texts(rules: Rules | None, switches: Rules) -> dict[str, str]:
    """All switches that were set, by keywords or in a mapping.

    >>> switch_texts({"decks": 2}, {"surrender": False, "max_hands": 4})
    {'decks': '2', 'surrender': 'False', 'max_hands': '4'}
    """
    if rules is not None and not isinstance(rules, Mapping):
        raise NotationError(f"rules={rules!r} names no switch: write {{SWITCH: VALUE}}.", code="bad_setting")
    texts = {name: _switch_text(value) for name, value in (rules or {}).items()}
    for name, value in switches.items():
        before, now = texts.setdefault(name, _switch_text(value)), _switch_text(value)
        if _YES_NO.get(before, before) != _YES_NO.get(now, now):
            raise NotationError(f'"{name}" is set twice, to different values.', code="bad_setting")
    return texts


def _switch_text(value: object) -> str:
    """Yes and no stay as a program writes them, so that a refusal names what was written."""
    if isinstance(value, bool) or not isinstance(value, Number):
        return str(value)
    return number_text(value)


def words_of(value: str | Sequence[str], name: str) -> tuple[str, ...]:
    """Words in one text, separated by blanks or commas, or one by one.

    >>> words_of("Ts 6h,Ah", "cards"), words_of(["tie"], "wagers")
    (('Ts', '6h', 'Ah'), ('tie',))
    """
    if isinstance(value, str):
        return tuple(value.replace(",", " ").split())
    if not isinstance(value, Sequence) or not all(isinstance(word, str) for word in value):
        raise NotationError(f"{name}={value!r} is neither a text nor a list of texts.")
    return tuple(value)


def require_whole(**values: object) -> None:
    """Refuses what is no whole number; None leaves a thing to the game."""
    for name, value in values.items():
        if value is not None and (isinstance(value, bool) or not hasattr(value, "__index__")):
            raise NotationError(f"{name}={value!r}: write a whole number.", code=f"bad_{name}")


def number_text(value: Amount) -> str:
    """A number as typed, without the exponent or the trailing zero that Python may print.

    >>> number_text(1e8), number_text(0.25), number_text("3e6")
    ('100000000', '0.25', '3e6')
    """
    if isinstance(value, str):
        return value
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    try:
        exact = Fraction(str(value))
    except ValueError:
        raise NotationError(f"{value!r} is not a number.", code="bad_number") from None
    if exact.denominator == 1:
        return str(exact.numerator)
    text = str(Decimal(exact.numerator) / Decimal(exact.denominator))
    if Fraction(text) != exact:
        raise NotationError(f"{value} has no end as a decimal: write it with a few digits.", code="bad_number")
    return format(Decimal(text), "f")


def optional_text(value: Amount | None) -> str | None:
    return None if value is None else number_text(value)
