"""What is wrong with a field of a form, in plain words: which field, why, and what is accepted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.errors import RangeError


class FieldError(RangeError):
    """A field that cannot be accepted. `field` is its name in the form, so that a page can say it at the field."""

    def __init__(self, message: str, *, field: str, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.field = field


_REASONS = {
    "missing": "it is missing",
    "int_parsing": "write a whole number, digits only",
    "int_type": "write a whole number, digits only",
    "bool_parsing": "write 1 for yes or 0 for no",
    "string_too_short": "write at least {min_length} characters",
    "string_too_long": "write at most {max_length} characters",
    "too_short": "write at least {min_length} characters",
    "too_long": "write at most {max_length} characters",
    "greater_than_equal": "{ge} is the least that is accepted",
    "less_than_equal": "{le} is the most that is accepted",
    "string_pattern_mismatch": "it has characters that are not accepted here",
    "literal_error": "accepted: {expected}",
    "enum": "accepted: {expected}",
    "value_error": "{error}",
}
"""By the kind of problem that the reader of requests reports; its own words are for programmers."""


def in_plain_words(problem: Mapping[str, Any]) -> str:
    """One problem of a request, without what was sent, which may be a PIN.

    >>> in_plain_words({"type": "int_parsing", "loc": ("query", "page")})
    'Page: write a whole number, digits only'
    """
    place = str(problem["loc"][-1]) if problem["loc"] else "form"
    reason = _REASONS.get(problem["type"], "it cannot be read").format_map(problem.get("ctx", {}))
    return f"{place.replace('_', ' ').capitalize()}: {reason}"
