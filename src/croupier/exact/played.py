"""Main games that are played, whichever recipe proves them: the one way in for everything above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import ModuleType

from croupier.errors import NotComputedError
from croupier.exact import tree_sheet
from croupier.exact.decide import Decision
from croupier.exact.showdown import sheet as showdown_sheet
from croupier.exact.strategy import sheet as blackjack_sheet
from croupier.exact.strategy.account import StrategyAccount
from croupier.exact.strategy.result import Effect, PlayedSheet
from croupier.exact.strategy.solve import Progress
from croupier.rules.choice import Choice
from croupier.rules.spec import Game, Switch

RECIPES: dict[str, ModuleType] = {"blackjack": blackjack_sheet, "tree": tree_sheet, "showdown": showdown_sheet}
"""What a round declares as `exact`, and the module that proves it so: all have the same functions."""


def check_is_played(game: Game) -> None:
    """Only a round that asks its players something has a strategy."""
    if not game.is_decided:
        raise NotComputedError(f"{game.name} gives its players no decisions, so it has no strategy.")


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


def edge_by_rule(choice: Choice, rule: str) -> float:
    """The edge where every question is answered by a rule of thumb that the round declares."""
    return next(rule_result.edge for rule_result in compute_strategy(choice).followed if rule_result.id == rule)


def values_at(choice: Choice, question: int, sight: int, cap: int = 0) -> Mapping[int, Fraction]:
    """What each legal answer is worth, in first wagers, where a sight says all that a seat knows. `cap` is the most a
    single wager may be, likewise; 0 for no limit."""
    values: Mapping[int, Fraction] = _recipe(choice).values_at(choice, question, sight, cap)
    return values


def values_at_hand(choice: Choice, question: int, sight: int) -> Mapping[int, Fraction] | None:
    """The values of `values_at` where nothing needs to be computed for them."""
    recipe = _recipe(choice)
    values: Mapping[int, Fraction] | None = (
        recipe.values_at_hand(choice, question, sight) if hasattr(recipe, "values_at_hand") else None
    )
    return values


def estimates_at(choice: Choice, sight: int) -> Mapping[int, tuple[float, float]] | None:
    """Estimates of the same with their standard errors, which need nothing compiled; None where there are none."""
    recipe = _recipe(choice)
    estimates: Mapping[int, tuple[float, float]] | None = (
        recipe.estimates_at(choice, sight) if hasattr(recipe, "estimates_at") else None
    )
    return estimates


def decisions_of(choice: Choice) -> Sequence[Decision]:
    """Everything that a seat may be asked: question and sight, how likely they are under best play, and what each
    answer is worth. Of sights too many to list it has those of a fixed sample of deals."""
    recipe = _recipe(choice)
    if not hasattr(recipe, "decisions_of"):
        raise NotComputedError(f"The questions of {choice.game.name} are too many to be listed.", code="too_many_deals")
    decisions: Sequence[Decision] = recipe.decisions_of(choice)
    return decisions


def is_kept(choice: Choice) -> bool:
    """Whether the answer is there at once."""
    return bool(_recipe(choice).is_kept(choice))


def rules_compared(choice: Choice) -> object:
    """All that the worth of the main wager depends on besides the shoe."""
    return _recipe(choice).rules_compared(choice)


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
