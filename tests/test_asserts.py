"""`python -O` takes asserts away: none of them may stand between a mistake and somebody's money."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import croupier

SOURCE = Path(croupier.__file__).parent
WITHOUT = ("store", "jackpot", "money.py", "pay", "exact/outcomes.py")
"""Where there are none at all."""
ONLY_FOR_TYPES = ("floor", "table", "hall")
"""Where an assert may only say which of its types a value has: without it the next line would fail too."""


def asserts(part: str) -> list[tuple[str, ast.expr]]:
    place = SOURCE / part
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    assert files
    return [
        (f"{file.relative_to(SOURCE)}:{node.lineno}", node.test)
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert)
    ]


def is_for_types(test: ast.expr) -> bool:
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(map(is_for_types, values))
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
    return False


@pytest.mark.parametrize("part", WITHOUT)
def test_no_assert_guards_money(part: str) -> None:
    assert asserts(part) == []


@pytest.mark.parametrize("part", ONLY_FOR_TYPES)
def test_asserts_of_the_floor_only_say_types(part: str) -> None:
    assert [where for where, test in asserts(part) if not is_for_types(test)] == []
