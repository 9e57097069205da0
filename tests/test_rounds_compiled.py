"""Full rounds: compiled code and plain Python do the same, whatever the cards, the answers and the switches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from croupier.kernels.baccarat import baccarat_round
from croupier.kernels.blackjack import HANDS_SIZE, MOST_SEATS, BlackjackRules
from croupier.kernels.link import compile_cpu, link, plain
from croupier.kernels.rounds import ROUNDS
from tests import round_agreement

ROUNDS_EACH = 1_000_000
PARTS = 10
STAKE = 20


def _baccarat(world: int, table: Any, hands: Any, stakes: Any, rules: BlackjackRules) -> Any:
    """Baccarat has no hands to keep and nobody to ask."""
    return baccarat_round(world, table)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", ROUNDS)
def test_compiled_and_plain_rounds_agree_on_a_million_random_rounds(name: str, part: int) -> None:
    round_ = ROUNDS[name] if name != "mini_baccarat" else _baccarat
    replace = {**round_agreement.EFFECTS, "play": round_}
    count, seed = ROUNDS_EACH // PARTS, 1000 + part
    compiled = compile_cpu(round_agreement.run, f"agreement-{name}", replace)
    fast = compiled(
        count, seed, np.zeros(1, np.int64), np.zeros(HANDS_SIZE, np.int64), np.full(MOST_SEATS, STAKE, np.int64)
    )
    slow = link(round_agreement.run, plain, replace)(count, seed, [0], [0] * HANDS_SIZE, [STAKE] * MOST_SEATS)
    assert fast == slow
