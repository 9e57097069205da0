"""TOML and JSON that other people wrote: looked through for its size before a parser sees it, then parsed.

Parsers are made for files that somebody means well with. Python's own takes memory by the square of a key's parts, goes
as deep as brackets do, and fails on long numbers. So a text is read here once, from left to right, as far as it takes
to know what is a string, a comment, a bracket, a dot or a word; what is beyond the bounds is refused with its line.

Where this reading and the parser's could differ, the text is malformed and the parser stops there.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, NoReturn

from croupier.errors import SpecError

MOST_BYTES = 512 * 1024
"""Of a file; twenty times the longest of ours."""
LONGEST_LINE = 10_000
MOST_PARTS = 8
"""Of a key: `a.b.c` has three."""
DEEPEST = 16
"""Brackets and braces within each other."""
LONGEST_WORD = 100
"""What stands without quotation marks: a number, a date, a key."""

_TOML = re.compile(
    r"""
    (?P<text>
        \#[^\n]*+
      | "{3}(?: [^"\\]++ | \\. | "(?!"") )*+ "{3,5}
      | '{3}(?: [^']++ | '(?!'') )*+ '{3,5}
      | "(?!"") (?: [^"\\\n]++ | \\[^\n] )*+ "
      | '(?!'') [^'\n]*+ '
    )
    | (?P<open> [\[{] )
    | (?P<close> [\]}] )
    | (?P<dot> \. )
    | (?P<end> [=,\n] )
    | (?P<word> [^\s"'\#\[\]{}.=,]++ )
    | (?P<space> [^\S\n]++ )
    """,
    re.VERBOSE | re.DOTALL,
)
_JSON = re.compile(
    r"""
    (?P<text> "(?: [^"\\]++ | \\. )*+ " )
    | (?P<open> [\[{] )
    | (?P<close> [\]}] )
    | (?P<word> [^\s"\[\]{},:]++ )
    | (?P<space> [\s,:]++ )
    """,
    re.VERBOSE | re.DOTALL,
)


def read_text(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """The text of a file that is not ours."""
    try:
        with path.open("rb") as file:
            content = file.read(most_bytes + 1)
        text = content.decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise SpecError(f"{path} cannot be read: {reason}.", code="unreadable_file") from None
    if len(content) > most_bytes:
        raise _too_large(str(path), most_bytes)
    return text


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file, unchecked."""
    return parse_toml(read_text(path), str(path))


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """The tables of TOML text; `name` says in errors where it comes from."""
    text = text.replace("\r\n", "\n")
    require_toml_bounds(text, name)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SpecError(f"{name} is not well-formed TOML: {error}.", code="malformed_toml") from None


def parse_json(text: str, name: str) -> Any:
    """What JSON text says; lines may be as long as they like, as programs write them."""
    _require_bytes(text, name)
    _look_through_json(text, name)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SpecError(f"{name} is not well-formed JSON: {error}.", code="malformed_json") from None


def require_toml_bounds(text: str, name: str) -> None:
    """Refuses TOML that is beyond the bounds, in a time that is as long as the text."""
    _require_bytes(text, name)
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            _refuse(name, number, f"the line has {len(line):,} characters", f"at most {LONGEST_LINE:,}")
    _look_through_toml(text, name)


def _require_bytes(text: str, name: str) -> None:
    if len(text) > MOST_BYTES or len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise _too_large(name, MOST_BYTES)


def _too_large(name: str, most_bytes: int) -> SpecError:
    return SpecError(f"{name} is too large. Accepted: at most {most_bytes:,} bytes.", code="file_too_large")


def _look_through_toml(text: str, name: str) -> None:
    depth = dots = at = 0
    while token := _TOML.match(text, at):
        kind = token.lastgroup
        if kind == "dot":
            dots += 1
            if dots >= MOST_PARTS:
                _refuse_at(text, at, name, f"a key has more than {MOST_PARTS} parts", f"at most {MOST_PARTS}, as a.b.c")
        elif kind == "word":
            _require_word(token, name)
        elif kind == "open":
            depth, dots = depth + 1, 0
            _require_depth(depth, text, at, name)
        elif kind == "close":
            depth, dots = max(depth - 1, 0), 0
        elif kind == "end":
            dots = 0
        at = token.end()


def _look_through_json(text: str, name: str) -> None:
    depth = at = 0
    while token := _JSON.match(text, at):
        if token.lastgroup == "word":
            _require_word(token, name)
        elif token.lastgroup == "open":
            depth += 1
            _require_depth(depth, text, at, name)
        elif token.lastgroup == "close":
            depth -= 1
        at = token.end()


def _require_word(token: re.Match[str], name: str) -> None:
    length = token.end() - token.start()
    if length > LONGEST_WORD:
        reason = f"a number or a word without quotation marks has {length:,} characters"
        _refuse_at(token.string, token.start(), name, reason, f"at most {LONGEST_WORD}")


def _require_depth(depth: int, text: str, at: int, name: str) -> None:
    if depth > DEEPEST:
        _refuse_at(text, at, name, f"brackets are nested more than {DEEPEST} deep", f"at most {DEEPEST}")


def _refuse_at(text: str, at: int, name: str, reason: str, accepted: str) -> NoReturn:
    _refuse(name, text.count("\n", 0, at) + 1, reason, accepted)


def _refuse(name: str, line: int, reason: str, accepted: str) -> NoReturn:
    raise SpecError(f"{name}, line {line}: {reason}. Accepted: {accepted}.", code="too_complex")
