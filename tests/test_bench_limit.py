"""The hand-written C++ that speed is measured against plays the same rounds: its counts are equal, cell by cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bench.limit import GAMES, Limit, NoCompilerError, automaton, spec_of

from croupier.simulate import play
from croupier.simulate.run import run_chunks

pytestmark = pytest.mark.slow

SEED = 20_260_101
STRATEGIES = {
    "blackjack": ("total-dependent", "optimal"),
    "double_down_madness": ("total-dependent", "optimal"),
    "mini_baccarat": ("optimal",),
}


@pytest.fixture(scope="module")
def limit(tmp_path_factory: pytest.TempPathFactory) -> Limit:
    try:
        return Limit(tmp_path_factory.mktemp("limit"))
    except NoCompilerError as error:
        pytest.fail(str(error))


@pytest.mark.parametrize(("game", "strategy"), [(game, one) for game in GAMES for one in STRATEGIES[game]])
def test_cpp_counts_are_equal(limit: Limit, game: str, strategy: str) -> None:
    spec = spec_of(game, strategy)
    player = limit.player(spec)
    for first, last in ((0, 40), (1_000_003, 1_000_005)):
        theirs, ours = player.run_chunks(SEED, first, last), run_chunks(spec, SEED, first, last)
        assert ours[play.ROUNDS] == (last - first) * spec.chunk_size
        assert np.flatnonzero(ours != theirs).tolist() == []


@pytest.mark.soak
@pytest.mark.parametrize("decks", [1, 8])
def test_cpp_counts_are_equal_for_other_shoes(limit: Limit, decks: int) -> None:
    spec = spec_of("blackjack", "total-dependent", decks)
    assert np.array_equal(limit.player(spec).run_chunks(SEED, 5, 25), run_chunks(spec, SEED, 5, 25))


def test_cpp_refuses_rules_that_it_does_not_play(limit: Limit) -> None:
    spec = spec_of("blackjack")
    other = type(spec)(**{**vars(spec), "rules": spec.rules._replace(soft17=1 - spec.rules.soft17)})
    with pytest.raises(ValueError, match="default rules"):
        limit.player(other)


def test_a_missing_compiler_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(NoCompilerError, match="install g\\+\\+"):
        Limit(tmp_path)


def test_the_automaton_of_a_strategy_answers_as_its_tables() -> None:
    spec = spec_of("blackjack", "optimal")
    assert spec.tables is not None
    step, code = automaton(spec.tables, doubles_late=False)
    indices = {int(cards): int(at) for cards, at in spec.tables.hands if at >= 0}

    def node_of(*values: int) -> int:
        node = 0
        for value in values:
            node = int(step[node // 16, value])
        return node // 16

    def index_of(*values: int) -> int:
        return indices[sum(1 << 4 * (value - 1) for value in values)]

    for values in ((10, 6), (6, 10), (2, 10, 4), (4, 4, 4, 4), (1, 1, 1, 5), (3, 3, 3, 3, 3)):
        hits = spec.tables.codes[:, 0, index_of(*values)] & 3 == 1
        assert (code[node_of(*values), 1:11] & 1 == hits).all(), values
