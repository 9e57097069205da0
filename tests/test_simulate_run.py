"""Full rounds simulated: the same counts everywhere, checkpoints, strategies from files, bad input."""

from __future__ import annotations

import ast
import inspect
import json
import os
import pickle
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.battery import battery, pairs, passes

from croupier.exact.strategy.charts import charts_of
from croupier.exact.strategy.sheet import game_of
from croupier.exact.strategy.solve import solve
from croupier.reports.simulation.compare import PreparedSimulation, Wish, prepare
from croupier.reports.strategy.file import plan_from_file
from croupier.rules import Game, find_game, game_ids
from croupier.rules.choice import choose
from croupier.rules.spec import Recorded
from croupier.simulate import gpu
from croupier.simulate.driver import (
    Array,
    CheckpointError,
    Goal,
    LocalMachine,
    Progress,
    load_checkpoint,
    run_until,
    save_checkpoint,
)
from croupier.simulate.estimate import final_wagers, net_results
from croupier.simulate.machines import DaskMachine
from croupier.simulate.play import BETS_AT, ROUND_WAGERS_AT, ROUNDS
from croupier.simulate.run import Spec, run, run_chunks
from tests.conftest import Croupier
from tests.helpers import ROOT

pytestmark = pytest.mark.slow

SEED = 77
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "blackjack": ("blackjack", {}),
    "blackjack, three seats, cut card": ("blackjack", {"seats": 3, "shuffle": "cut-card", "cut": 150}),
    "blackjack, continuous": ("blackjack", {"shuffle": "continuous", "cut": 20, "strategy": "total-dependent"}),
    "double_down_madness, two seats": ("double_down_madness", {"seats": 2}),
    "mini_baccarat": ("mini_baccarat", {}),
}


def simulation(case: str) -> PreparedSimulation:
    game, wish = CASES[case]
    return prepare(find_game(game), Wish(settings={}, pay_tables={}, **wish))


@pytest.mark.parametrize("case", CASES)
def test_plain_python_and_any_number_of_threads_give_the_same_counts(case: str) -> None:
    spec = simulation(case).spec
    one = run(spec, SEED, 3, threads=1)
    assert one[ROUNDS] > 0
    assert np.array_equal(one, run(spec, SEED, 3, threads=2))
    assert np.array_equal(one, run(spec, SEED, 3, threads=3))
    first = run_chunks(spec, SEED, 0, 1)
    assert np.array_equal(first, run_chunks(spec, SEED, 0, 1, backend="python"))
    assert not np.array_equal(first, run_chunks(spec, SEED + 1, 0, 1))
    assert not np.array_equal(first, run_chunks(spec, SEED, 1, 2))


def test_the_cuda_kernel_gives_the_same_counts(tmp_path: Path) -> None:
    """In Numba's CUDA simulator; `bench/gpu.py` shows the same on a real GPU."""
    specs = [simulation(case).spec for case in CASES]
    path = tmp_path / "specs"
    path.write_bytes(pickle.dumps(specs))
    said = subprocess.run(
        [sys.executable, "-m", "tests.simulate_on_gpu", str(path), str(SEED)],
        cwd=ROOT,
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    for spec, counts in zip(specs, json.loads(said.stdout), strict=True):
        assert np.array_equal(np.array(counts), run_chunks(spec, SEED, 0, 1))


def test_sizes_of_arrays_on_a_gpu_are_names_or_numbers() -> None:
    """A real compiler refuses anything that is to be computed; the simulator does not mind."""
    calls = [node for node in ast.walk(ast.parse(inspect.getsource(gpu.kernel))) if isinstance(node, ast.Call)]
    sizes = [call.args[0] for call in calls if ast.unparse(call.func) in ("cuda.shared.array", "cuda.local.array")]
    assert len(sizes) >= 5
    assert [ast.unparse(size) for size in sizes if not isinstance(size, ast.Name | ast.Constant)] == []


def test_two_dask_workers_give_the_same_counts() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # distributed's own
        found = simulation("blackjack")
        machine = DaskMachine("local:2")
        try:
            machine.warm_up(found.spec)
            progress = Progress(found.spec, SEED)
            run_until(progress, machine, Goal(chunks=40), error_of=found.error_of)
        finally:
            machine.close()
    assert progress.chunks == 40
    assert np.array_equal(progress.counts, run(found.spec, SEED, 40, threads=2))


class Shrinking(LocalMachine):
    """A cluster that has one worker less each time it is asked, and then one again."""

    widths = iter((4, 2, 1, 3, 1, 2, 4, 1) * 100)

    @property
    def width(self) -> int:
        return next(self.widths)

    def play(self, spec: Spec, seed: int, parts: list[tuple[int, int]]) -> Iterator[tuple[int, Array]]:
        for first, last in parts:
            yield last - first, run_chunks(spec, seed, first, last)


def test_workers_that_come_and_go_change_nothing() -> None:
    found = simulation("blackjack")
    progress = Progress(found.spec, SEED)
    run_until(progress, Shrinking(), Goal(chunks=60), error_of=found.error_of)
    assert progress.chunks == 60
    assert np.array_equal(progress.counts, run(found.spec, SEED, 60))


class Losing(DaskMachine):
    """A cluster that loses a worker as soon as the first part is back, while others are being played."""

    victim = 0

    def play(self, spec: Spec, seed: int, parts: list[tuple[int, int]]) -> Iterator[tuple[int, Array]]:
        for part in super().play(spec, seed, parts):
            if not self.victim:
                self.victim = next(iter(self.client.run(os.getpid).values()))
                os.kill(self.victim, signal.SIGKILL)
            yield part


def test_a_lost_dask_worker_loses_and_doubles_nothing() -> None:
    found = simulation("blackjack")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # distributed's own
        machine = Losing("local:2")
        try:
            machine.warm_up(found.spec)
            progress = Progress(found.spec, SEED)
            run_until(progress, machine, Goal(chunks=8000), error_of=found.error_of)
        finally:
            machine.close()
    assert machine.victim
    assert np.array_equal(progress.counts, run(found.spec, SEED, 8000, threads=2))


def test_side_wagers_alone_are_reported_alone() -> None:
    wish = Wish(settings={}, pay_tables={}, wagers=("lucky_lucky",))
    found = prepare(find_game("blackjack"), wish)
    assert [one.name for one in found.results(run(found.spec, SEED, 2))] == ["lucky_lucky"]


def test_a_checkpoint_of_another_program_is_not_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec, path = simulation("mini_baccarat").spec, tmp_path / "run.json"
    save_checkpoint(Progress(spec, SEED), path)
    assert load_checkpoint(spec, SEED, path).chunks == 0
    monkeypatch.setattr("croupier.simulate.driver.program_stamp", lambda: "another program")
    with pytest.raises(CheckpointError, match="another version of the program"):
        load_checkpoint(spec, SEED, path)


def test_a_run_taken_up_from_its_checkpoint_ends_on_the_same_counts(tmp_path: Path) -> None:
    found, path = simulation("blackjack"), tmp_path / "run.json"
    begun = Progress(found.spec, SEED)
    run_until(begun, LocalMachine("cpu", 2), Goal(chunks=7), error_of=found.error_of)
    save_checkpoint(begun, path)
    taken_up = load_checkpoint(found.spec, SEED, path)
    run_until(taken_up, LocalMachine("cpu", 1), Goal(chunks=19), error_of=found.error_of)
    assert np.array_equal(taken_up.counts, run(found.spec, SEED, 19))


def test_a_standard_error_is_reached() -> None:
    found = simulation("mini_baccarat")
    progress = Progress(found.spec, SEED)
    run_until(progress, LocalMachine("cpu", 2), Goal(standard_error=0.001), error_of=found.error_of)
    assert found.error_of(progress.counts) <= 0.001


@pytest.mark.parametrize("case", CASES)
def test_every_wager_is_counted_once_for_each_seat(case: str) -> None:
    found = simulation(case)
    counts = run(found.spec, SEED, 2)
    made = int(counts[ROUNDS]) * found.spec.rules.seats
    for one in found.results(counts):
        expected = counts[ROUNDS] if found.game.family == "baccarat" else made
        if one.name != "insurance":
            assert one.estimate.wagers == expected
    if found.account is not None:
        assert counts[ROUND_WAGERS_AT : ROUND_WAGERS_AT + 8].sum() >= made


def test_a_fresh_shoe_agrees_with_the_exact_edges_of_all_wagers() -> None:
    for game in ("blackjack", "double_down_madness", "mini_baccarat"):
        found = prepare(find_game(game), Wish(settings={}, pay_tables={}))
        for one in found.results(run(found.spec, SEED, 4000, threads=2)):
            assert one.z is None or abs(one.z) < 4


def test_the_cut_card_costs_the_player() -> None:
    """The edge with a cut card is higher than from fresh shoes, as Hoppe has it: 0.026% for blackjack."""
    wish = Wish(settings={"surrender": "late"}, pay_tables={}, shuffle="cut-card", cut=234, wagers=("main",))
    found = prepare(find_game("blackjack"), wish)
    [main] = found.results(run(found.spec, SEED, 20_000, threads=2))
    assert main.exact is not None
    assert main.z is None
    assert abs(main.estimate.edge - main.exact - 0.00026) < 4 * main.estimate.standard_error
    assert main.reduced is not None
    assert main.reduced.standard_error < main.estimate.standard_error / 5
    assert abs(main.reduced.edge - main.exact - 0.00026) < 4 * main.reduced.standard_error + 0.00002
    assert abs(main.reduced.edge - main.estimate.edge) < 4 * main.estimate.standard_error


@pytest.mark.parametrize(("seats", "cut"), [(1, 260), (3, 200)])
def test_a_control_variate_changes_no_mean_and_states_its_error(seats: int, cut: int) -> None:
    """Over many short runs its edges scatter as it says, about the edge of all rounds together."""
    wish = Wish(settings={}, pay_tables={}, shuffle="cut-card", cut=cut, seats=seats, wagers=("main",))
    found = prepare(find_game("blackjack"), wish)
    assert found.spec.control > 0
    runs = [found.results(run(found.spec, seed, 20, threads=2))[0] for seed in range(60)]
    edges = np.array([one.reduced.edge for one in runs if one.reduced])
    errors = np.array([one.reduced.standard_error for one in runs if one.reduced])
    plain = np.array([one.estimate.edge for one in runs])
    assert len(edges) == 60
    assert 0.7 < edges.std(ddof=1) / errors.mean() < 1.35
    together = plain.std(ddof=1) / np.sqrt(60)
    assert abs(edges.mean() - plain.mean()) < 4 * together


RECORDED = [(game, run) for game in map(find_game, game_ids()) for run in game.recorded]


@pytest.mark.parametrize(
    ("game", "kept"), RECORDED, ids=lambda value: getattr(value, "pay_table", getattr(value, "id", ""))
)
def test_a_recorded_run_is_what_a_shorter_one_finds(game: Game, kept: Recorded) -> None:
    wish = Wish(
        decks=str(kept.decks),
        settings={},
        pay_tables={kept.wager: kept.pay_table},
        seats=kept.seats,
        shuffle=kept.shuffle.replace("_", "-"),
        cut=kept.cut,
        wagers=(kept.wager,),
    )
    found = prepare(game, wish)
    [one] = found.results(run(found.spec, kept.seed, 4000, threads=2))
    assert abs(one.estimate.edge - float(kept.edge)) < 4 * one.estimate.standard_error
    if one.reduced is not None:
        error = (one.reduced.standard_error**2 + float(kept.standard_error) ** 2) ** 0.5
        assert abs(one.reduced.edge - float(kept.edge)) < 4 * error


def chart_file(tmp_path: Path, **changes: Any) -> Path:
    solution = solve(game_of(choose(find_game("blackjack"), "main")))
    charts: dict[str, Any] = {
        part: {row: dict(cells) for row, cells in grid.items()} for part, grid in charts_of(solution).items()
    }
    for where, letter in changes.items():
        part, row, up = where.split("_")
        if letter is None:
            del charts[part][row][up]
        else:
            charts[part][row][up] = letter
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"chart": charts}), encoding="utf-8")
    return path


def test_a_chart_from_a_file_plays_as_the_solvers_own(tmp_path: Path) -> None:
    for game in ("blackjack", "double_down_madness"):
        solution = solve(game_of(choose(find_game(game), "main")))
        path = tmp_path / f"{game}.json"
        path.write_text(json.dumps(charts_of(solution)), encoding="utf-8")
        spec = prepare(find_game(game), Wish(settings={}, pay_tables={}, strategy="total-dependent")).spec
        mine = prepare(find_game(game), Wish(settings={}, pay_tables={}, strategy=str(path))).spec
        assert np.array_equal(run(spec, SEED, 5)[:BETS_AT], run(mine, SEED, 5)[:BETS_AT])


def test_a_changed_cell_changes_the_play(tmp_path: Path) -> None:
    solution = solve(game_of(choose(find_game("blackjack"), "main")))
    plan = plan_from_file(chart_file(tmp_path, hard_16_10="S"), solution)
    assert not np.array_equal(plan.codes, solution.by_total.codes)


BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "no rounds": (("--rounds", "0"), "bad_rounds"),
    "half a round": (("--rounds", "1.5"), "bad_rounds"),
    "rounds in words": (("--rounds", "many"), "bad_rounds"),
    "two goals": (("--rounds", "1e6", "--seconds", "1"), "bad_goal"),
    "no error at all": (("--until-se", "0"), "bad_goal"),
    "eight seats": (("--seats", "8"), "bad_seats"),
    "unknown shuffle": (("--shuffle", "riffle"), "unknown_shuffle"),
    "cut beyond the shoe": (("--shuffle", "cut-card", "--cut", "400"), "bad_cut"),
    "cut of a fresh shoe": (("--cut", "200"), "bad_cut"),
    "endless decks": (("--decks", "inf"), "bad_decks"),
    "unknown wager": (("--wagers", "lucky"), "unknown_wager"),
    "unknown backend": (("--backend", "fpga"), "unknown_backend"),
    "no GPU": (("--backend", "cuda"), "no_gpu"),
    "cluster without dask": (("--cluster", "local:2"), "bad_cluster"),
    "unreachable cluster": (("--backend", "dask", "--cluster", "tcp://127.0.0.1:9"), "no_cluster"),
    "no threads": (("--threads", "0"), "bad_threads"),
    "negative seed": (("--seed", "-1"), "bad_seed"),
    "strategy file that is not there": (("--strategy", "nowhere.json"), "unreadable_file"),
    "missing cell": (("--strategy", "MISSING"), "missing_cell"),
    "illegal action": (("--strategy", "ILLEGAL"), "bad_strategy"),
    "checkpoint of another run": (("--checkpoint", "OTHER"), "bad_checkpoint"),
    "checkpoint that is none": (("--checkpoint", "ILLEGAL"), "bad_checkpoint"),
    "checkpoint in no folder": (("--checkpoint", "nowhere/run.json"), "bad_path"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_a_sentence_and_nothing_is_overwritten(case: str, croupier: Croupier, tmp_path: Path) -> None:
    arguments, code = BAD[case]
    files = {
        "MISSING": chart_file(tmp_path, soft_18_9=None).rename(tmp_path / "missing.json"),
        "ILLEGAL": chart_file(tmp_path, hard_16_10="P").rename(tmp_path / "illegal.json"),
        "OTHER": tmp_path / "other.json",
    }
    save_checkpoint(Progress(simulation("mini_baccarat").spec, 1), files["OTHER"])
    before = {name: path.read_bytes() for name, path in files.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a cluster that does not answer
        said = croupier("simulate", "blackjack", *(str(files.get(word, word)) for word in arguments))
    assert said.status == 2
    assert said.err.startswith(f"croupier: {code}: ")
    assert said.err.count("\n") == 1
    assert {name: path.read_bytes() for name, path in files.items()} == before


def test_the_generator_stands_its_tests() -> None:
    results = list(battery(chunks=100))
    assert passes(results)
    assert len(results) > 15


def test_the_battery_finds_a_generator_that_favors_a_card() -> None:
    cards = np.random.default_rng(1).integers(0, 52, (200_000, 6)).astype(np.uint8)
    assert min(one.p for one in pairs(cards, 2)) < 1e-9  # drawn with replacement: the same card comes too often


def test_json_has_the_keys_others_script_against(croupier: Croupier) -> None:
    data = json.loads(croupier("simulate", "blackjack", "--rounds", "1e5", "--seed", "5", "--json").out)
    assert {"rounds", "seconds", "rounds_per_second", "backend", "seed", "wagers"} <= set(data)
    assert data["rounds"] >= 100_000
    keys = {"edge", "standard_error", "standard_deviation", "hit_frequency", "rows", "exact", "z"}
    assert all(keys <= set(wager) for wager in data["wagers"].values())
    again = json.loads(
        croupier("simulate", "blackjack", "--rounds", "1e5", "--seed", "5", "--threads", "1", "--json").out
    )
    assert data["wagers"] == again["wagers"]


def test_net_results_and_final_wagers_tell_the_same_story_as_the_edge() -> None:
    found = prepare(find_game("double_down_madness"), Wish(settings={}, pay_tables={}, wagers=("main",)))
    counts = run(found.spec, SEED, 200, threads=2)
    results, wagers = net_results(found.spec, counts), final_wagers(counts)
    assert sum(results.values()) == sum(wagers.values()) == counts[ROUNDS]
    [main] = found.results(counts)
    mean = sum(profit * number for profit, number in results.items()) / int(counts[ROUNDS])
    assert float(-mean) == pytest.approx(main.estimate.edge, abs=1e-12)
    assert set(wagers) <= {1, 2, 4, 8, 16, 32}


def test_a_rare_award_that_has_not_come_is_no_disagreement(croupier: Croupier) -> None:
    """The deviation of such a sample is a fifth of the exact one: by it, z would be 5."""
    wish = ("simulate", "mini_baccarat", "--rounds", "1e6", "--seed", "1")
    found = json.loads(croupier(*wish, "--json").out)["wagers"]["dragon_bonus_progressive"]
    assert abs(found["edge"] - found["exact"]) / found["standard_error"] > 4
    assert abs(found["z"]) < 2
    said = croupier(*wish).out
    assert said.count("its rarest awards have hardly come") == 1
