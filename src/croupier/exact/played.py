"""Main games that are played, whichever recipe proves them: the one way in for everything above."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

from croupier.errors import NotComputedError
from croupier.exact import tree_sheet
from croupier.exact.strategy import sheet as blackjack_sheet
from croupier.exact.strategy.account import StrategyAccount
from croupier.exact.strategy.result import Effect, PlayedSheet
from croupier.exact.strategy.solve import Progress
from croupier.rules.choice import Choice
from croupier.rules.spec import Game, Switch

RECIPES: dict[str, ModuleType] = {"blackjack": blackjack_sheet, "tree": tree_sheet}
"""What a round declares as `exact`, and the module that proves it so: all have the same functions."""


def check_is_played(game: Game) -> None:
    """Only a round that asks its players something has a strategy."""
    if not game.is_decided:
        raise NotComputedError(f"{game.name} asks its players nothing, so it has no strategy.")


def _recipe(choice: Choice) -> ModuleType:
    check_is_played(choice.game)
    return RECIPES[choice.game.declared.exact]


def compute_strategy(
    choice: Choice,
    *,
    cap: float = 0.0,
    total_dependent: bool = False,
    progress: Progress | None = None,
    keep: bool = True,
) -> PlayedSheet:
    """Solves the main wager of a choice. `cap` is the most a single wager may be in units of the first, 0 for no
    limit; without `keep` nothing is left on disk."""
    sheet: PlayedSheet = _recipe(choice).solved_sheet(
        choice, cap=cap, total_dependent=total_dependent, progress=progress, keep=keep
    )
    return sheet


def main_account(choice: Choice, cap: float = 0.0) -> StrategyAccount:
    """What optimal play of the main wager comes to, without charts."""
    account: StrategyAccount = _recipe(choice).account_of(choice, cap)
    return account


def is_kept(choice: Choice) -> bool:
    """Whether the answer is there at once."""
    return bool(_recipe(choice).is_kept(choice))


def other_rules(choice: Choice) -> list[tuple[Switch, str, Choice]]:
    """Every other value of every switch that changes the main wager."""
    variants, compared = [], _recipe(choice).rules_compared
    here = compared(choice)
    for switch in choice.game.switches:
        for value in switch.values:
            changed = replace(choice, switches=choice.switches | {switch.id: value})
            if value != choice.switches[switch.id] and compared(changed) != here:
                variants.append((switch, value, changed))
    return variants


def switch_effects(choice: Choice, edge: float, cap: float = 0.0) -> Iterator[Effect]:
    """The edge under every other value of every switch, one change at a time, all under optimal play."""
    for switch, value, rules in other_rules(choice):
        changed = -main_account(rules, cap).value
        yield Effect(switch, value, changed, changed - edge)
