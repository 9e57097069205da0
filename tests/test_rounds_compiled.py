"""Full rounds: compiled code and plain Python do the same, whatever the cards, the answers and the switches."""

from __future__ import annotations

import numpy as np
import pytest

from croupier.kernels.link import compile_cpu, link, plain
from croupier.kernels.rounds import find_round, round_names
from tests import round_agreement

pytestmark = pytest.mark.slow

ROUNDS_EACH = 2_000
"""Each with rules of its own: enough for every value of every rule beside every other."""
IN_A_SOAK = 1_000_000
STAKE = 20


COMPILED_EACH_TIME = {
    *("blackjack", "double_down_madness", "blackjack_switch", "double_barrel", "mini_baccarat", "casino_war"),
    *("three_card_poker", "mississippi_stud", "ultimate_texas_holdem", "dj_wild"),
}
"""Rounds of each kind; titles that change a step of these are compiled in a soak."""
CASES = [
    pytest.param(name, count, marks=() if count == ROUNDS_EACH and name in COMPILED_EACH_TIME else pytest.mark.soak)
    for name in round_names()
    for count in (ROUNDS_EACH, IN_A_SOAK)
]


@pytest.mark.parametrize(("name", "count"), CASES)
def test_compiled_and_plain_rounds_agree_on_random_rounds(name: str, count: int) -> None:
    declared = find_round(name)
    assert declared is not None
    replace = round_agreement.effects_of(name)
    seed, cells = 1000, declared.memory
    compiled = compile_cpu(round_agreement.run, f"agreement-{name}", replace)
    stakes = declared.stakes(STAKE, STAKE)
    fast = compiled(count, seed, np.zeros(1, np.int64), np.zeros(cells, np.int64), np.array(stakes, np.int64))
    slow = link(round_agreement.run, plain, replace)(count, seed, [0], [0] * cells, stakes)
    assert fast == slow
