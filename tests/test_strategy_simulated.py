"""Millions of rounds of the real games, played by the solver's strategies, come to what the solver says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest
from msgspec import structs

from croupier.exact.strategy.sheet import game_of, pays_of
from croupier.exact.strategy.solve import solve
from croupier.pay import parse_pay
from croupier.rules import find_game
from croupier.rules.choice import Choice, choose
from croupier.simulate.estimate import estimate_main, main_sums
from croupier.simulate.play import FIRST_WAGER
from croupier.simulate.run import Spec, run

pytestmark = pytest.mark.slow

CHUNKS = 3000
MOST_SIGMAS = 4
CASES: dict[str, tuple[str, dict[str, str]]] = {
    "blackjack": ("blackjack", {}),
    "blackjack, no peek, late surrender": ("blackjack", {"peek": "no", "surrender": "late"}),
    "double_down_madness": ("double_down_madness", {}),
    "blackjack_switch": ("blackjack_switch", {}),
    "blackjack_switch, version 1": ("blackjack_switch", {"version": "1"}),
    "double_barrel": ("double_barrel", {}),
    "free_bet_blackjack": ("free_bet_blackjack", {}),
    "super_fun_21": ("super_fun_21", {}),
    "zappit_blackjack": ("zappit_blackjack", {}),
    "zappit_blackjack, other rules": (
        "zappit_blackjack",
        {"zap": "15-18", "zapping": "before_check", "zapped_ace_ten": "wins_at_once", "surrender": "late"},
    ),
}


# The chart is played under the usual rules only: other rules would say nothing new.
# The other version of Blackjack Switch is solved anew for this alone; `test_strategy_walk` walks its rules.
# Samplers of titles that only change a step of blackjack say little new and take long to compile.
IN_A_SOAK = (
    "blackjack_switch, version 1",
    "free_bet_blackjack",
    "super_fun_21",
    "zappit_blackjack, other rules",
)
PLANS = [
    pytest.param(case, plan, marks=[pytest.mark.soak] if case in IN_A_SOAK else [])
    for plan in ("best", "by_total")
    for case, (_, settings) in CASES.items()
    if plan == "best" or not settings
]


@pytest.mark.parametrize(("case", "plan"), PLANS)
def test_simulation_agrees_with_the_solver(case: str, plan: str) -> None:
    name, settings = CASES[case]
    assert_simulation_agrees(choose(find_game(name), "main", settings=settings), plan)


def test_simulation_agrees_with_the_solver_where_surrender_gives_a_quarter_back() -> None:
    choice = choose(find_game("blackjack"), "main", settings={"surrender": "late", "peek": "no"})
    rows = tuple(
        structs.replace(row, pays=parse_pay("1 for 4")) if row.row == "surrender" else row
        for row in choice.pay_table.rows
    )
    quarter = replace(choice, pay_table=structs.replace(choice.pay_table, rows=rows))
    assert_simulation_agrees(quarter, "best")


def assert_simulation_agrees(choice: Choice, plan: str) -> None:
    solution = solve(game_of(choice))
    chosen = getattr(solution, plan)
    pays = {outcome: Fraction(profit) for outcome, profit in pays_of(choice).items()}
    for wager in choice.game.declared.wagers:  # paid by the same table
        pays |= {
            f"{wager.id}.{name}": pays.get(name, Fraction(name == "win")) for name in wager.outcomes if wager.pays_on
        }
    spec = Spec(
        round=choice.game.round,
        decks=choice.decks or 0,
        rules=choice.game.rules_under(choice.switches),
        pays=tuple(({"win": Fraction(1), "push": Fraction(0)} | pays).items()),
        tables=solution.tables(chosen),
    )
    counts = run(spec, 2026, CHUNKS, threads=2)
    account = chosen.account
    estimate = estimate_main(spec, counts, account.wagers)
    assert abs(estimate.edge + account.value) < MOST_SIGMAS * account.standard_deviation / sqrt(estimate.wagers)
    assert estimate.standard_deviation == pytest.approx(account.standard_deviation, rel=2e-3)
    _, _, staked = main_sums(spec, counts)
    final = staked / FIRST_WAGER / estimate.wagers / account.wagers
    assert final == pytest.approx(account.mean_final_wager, rel=1e-3)
