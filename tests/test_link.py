"""Linked programs: what they share, and what they do not."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any
from weakref import ref

from croupier.kernels.link import Kernel, link

STEP = 1


def twice(number: int) -> int:
    return number + number


def step(number: int) -> int:
    return number + STEP


def bet(number: int) -> int:
    return twice(step(number))


def program(number: int) -> tuple[int, int, int]:
    return twice(number), step(number), bet(number)


def listed(copies: dict[str, list[Kernel]]) -> Callable[[Kernel], Kernel]:
    """A target that notes every copy it is given."""

    def jit(function: Kernel) -> Kernel:
        copies.setdefault(function.__name__, []).append(function)
        return function

    return jit


def test_programs_that_differ_in_one_part_share_what_does_not_use_it() -> None:
    copies: dict[str, list[Kernel]] = {}
    jit = listed(copies)
    step_of_two: Any = 2
    one, two = link(program, jit), link(program, jit, {"STEP": step_of_two})
    assert one(5) == (10, 6, 12)
    assert two(5) == (10, 7, 14)
    assert {name: len(made) for name, made in copies.items()} == {"twice": 1, "step": 2, "bet": 2}
    assert link(program, jit)(5) == (10, 6, 12)
    assert len(copies["bet"]) == 2


def test_a_constant_of_another_type_is_another_program() -> None:
    jit = listed({})
    steps: tuple[Any, Any] = (1, True)
    one, two = (link(program, jit, {"STEP": step}) for step in steps)
    assert one(5) == two(5)
    assert one.__globals__["step"] is not two.__globals__["step"]


def test_a_part_that_no_program_uses_any_more_is_forgotten() -> None:
    def apart(function: Kernel) -> Kernel:
        return function

    linked = link(program, apart)
    part = ref(linked.__globals__["bet"])
    assert part() is not None
    del linked
    gc.collect()
    assert part() is None
