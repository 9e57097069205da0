"""The strategy sheet: a choice of rules solved, with everything that is shown of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from croupier.errors import NotComputedError, RangeError
from croupier.exact.strategy.account import Account
from croupier.exact.strategy.barrel import BarrelGame
from croupier.exact.strategy.base import BaseGame
from croupier.exact.strategy.charts import (
    CARD_NAMES,
    UP_CARDS,
    Departure,
    Grid,
    Ratings,
    charts_of,
    edges_by_start,
    exceptions_of,
    ratings_of,
)
from croupier.exact.strategy.madness import MadnessGame
from croupier.exact.strategy.position import TEN
from croupier.exact.strategy.solve import AnyGame, Plan, Progress, Solution, best_account, make_game, solve
from croupier.exact.strategy.switch import SwitchGame
from croupier.exact.strategy.view import full_shoe
from croupier.kernels.blackjack import BlackjackRules, without_looks
from croupier.rules.choice import Choice
from croupier.rules.spec import Game, Switch


@dataclass(frozen=True)
class Insurance:
    """Insurance at 2 to 1."""

    edge: float
    """When always taken with an ace up."""
    take: str
    """When it is worth taking, in words."""


@dataclass(frozen=True, kw_only=True)
class StrategySheet:
    """A main game solved, under one choice of rules."""

    choice: Choice
    solution: Solution
    total_dependent: bool
    """Whether the figures are those of the chart instead of optimal play."""

    @property
    def plan(self) -> Plan:
        return self.solution.by_total if self.total_dependent else self.solution.best

    @property
    def account(self) -> Account:
        return self.plan.account

    @property
    def edge(self) -> float:
        """Expected loss for each unit of the first wagers."""
        return -self.account.value

    @property
    def edge_total_dependent(self) -> float:
        return -self.solution.by_total.account.value

    @property
    def element_of_risk(self) -> float:
        """Expected loss for each unit at risk in the end."""
        return self.edge / self.account.mean_final_wager

    @property
    def method(self) -> str:
        game, text = self.solution.game, method_text(self.choice, self.total_dependent)
        if isinstance(game, MadnessGame) and game.cap:
            text += f"; every double is made in full, {game.cap:g} first wagers at most"
        return text

    @property
    def by_up_card(self) -> dict[str, float]:
        """Edge by up card."""
        return {CARD_NAMES[up]: -self.account.by_up_card[up] for up in UP_CARDS if up in self.account.by_up_card}

    @cached_property
    def charts(self) -> dict[str, Grid]:
        return charts_of(self.solution)

    @cached_property
    def ratings(self) -> dict[str, Ratings]:
        return ratings_of(self.solution)

    @cached_property
    def exceptions(self) -> list[Departure]:
        return [] if self.total_dependent else exceptions_of(self.solution)

    @cached_property
    def by_starting_hand(self) -> dict[str, float]:
        """Edge once a hand is held, under optimal play only; of Double Down Madness once the first card is."""
        return {} if self.total_dependent else edges_by_start(self.solution)

    @property
    def usual_edge(self) -> float | None:
        """The edge under the pay table's usual rules, if this choice has others."""
        choice = self.choice
        usual = {switch.id: switch.default for switch in choice.game.switches} | choice.pay_table.settings
        other = replace(choice, switches=usual)
        if usual == choice.switches or self.total_dependent:
            return None
        return -best_account(game_of(other, self.cap)).value

    @property
    def cap(self) -> float:
        """The most a single wager may be in units of the first; 0 for no limit."""
        game = self.solution.game
        return game.cap if isinstance(game, MadnessGame) else 0.0

    @property
    def insurance(self) -> Insurance | None:
        game = self.solution.game
        if game.rules.insurance == 0:
            return None
        tens, others = float(game.shoe.cards[TEN]), game.shoe.total - (0 if game.shoe.endless else 1)
        return Insurance(1 - 3 * tens / others, when_to_insure(game))

    @property
    def final_wager_variance(self) -> float:
        """Double Down Madness: the variance of the final wager, in units of the first."""
        return _variance(self.final_wagers)

    @cached_property
    def final_wagers(self) -> dict[float, float]:
        """Double Down Madness: the chance of each final wager, in units of the first."""
        game = self.solution.game
        if not isinstance(game, MadnessGame):
            return {}
        shown = game.shoe.cards / game.shoe.total
        levels = self.solution.levels[int(self.total_dependent)]
        chances = (levels.sum(2) * shown[:, None]).sum(0)
        chances[0] += 1 - chances.sum()  # a dealer's blackjack takes the first wager alone
        return {float(stake): float(chance) for stake, chance in zip(game.stakes, chances, strict=True) if chance > 0}


def _variance(chances: dict[float, float]) -> float:
    mean = sum(value * chance for value, chance in chances.items())
    return sum((value - mean) ** 2 * chance for value, chance in chances.items())


def when_to_insure(game: AnyGame) -> str:
    """Insurance pays 2 to 1: it is worth taking when more than a third of the unseen cards are ten-values."""
    own = {BaseGame: 2, MadnessGame: 1, SwitchGame: 4, BarrelGame: 4 - game.rules.dealer_checks_first}[type(game)]
    fitting = [tens for tens in range(own + 1) if 3 * (game.shoe.cards[TEN] - tens) > game.shoe.total - 1 - own]
    if game.shoe.endless or not fitting:
        return "never"
    cards = "card" if own == 1 else f"{own} cards"
    return (
        f"with {max(fitting)} ten-values or fewer among your {cards}"
        if max(fitting)
        else f"with no ten-value among your {cards}"
    )


def method_text(choice: Choice, total_dependent: bool) -> str:
    shoe = (
        "an endless shoe" if choice.decks is None else f"a fresh shoe of {choice.decks} deck{'s'[: choice.decks - 1]}"
    )
    rank = "best chart by totals" if total_dependent else "optimal play by the cards of the hand"
    parts = [f"exact dynamic program over all hands from {shoe}; {rank}"]
    if choice.game.round != "double_down_madness":
        convention = "" if total_dependent else " (CDZ-)"
        parts.append(f"after a split every hand is played as before one, evaluated exactly{convention}")
    if choice.game.declared.hands > 1:
        parts.append("each hand knows the two cards the other started with")
        parts.append("edge and deviation for each unit of the two first wagers together")
    if choice.game.round != "double_down_madness":
        parts.append("the deviation takes hands that share a dealer as independent once the dealer's total is known")
    return "; ".join(parts)


def pays_of(choice: Choice) -> dict[str, float]:
    """Profit of each row of the main wager's pay table."""
    pays = {row.row: float(row.pays.net) for row in choice.rows}
    if pays.get("win", 1.0) != 1.0 or pays.get("push", 0.0) != 0.0:
        raise NotComputedError(
            f'Pay table "{choice.pay_table.id}" pays a win or a push otherwise than even money and nothing: '
            "such games are not solved."
        )
    return pays


def check_is_played(game: Game) -> None:
    """Only the blackjack family asks its players anything."""
    if game.family != "blackjack":
        raise NotComputedError(f"{game.name} asks its players nothing, so it has no strategy.")


def decisive_rules(game: Game, switches: Mapping[str, str]) -> BlackjackRules:
    """The rules that a main wager's worth depends on: not the order of cards and seats, nor what a side wager looks at.

    So games that differ in these alone are solved once.
    """
    return without_looks(game.rules_under(switches))._replace(dealer_last=0, hand_after_split=0)


def game_of(choice: Choice, cap: float = 0.0) -> AnyGame:
    """The game to solve; `cap` is the most a single wager may be in units of the first, 0 for no limit."""
    check_is_played(choice.game)
    if cap and choice.game.round != "double_down_madness":
        raise RangeError("A limit for single wagers changes the strategy of Double Down Madness only.", code="no_limit")
    rules = decisive_rules(choice.game, choice.switches)
    return make_game(choice.game.round, full_shoe(choice.decks), rules, pays_of(choice), cap)


def compute_strategy(
    choice: Choice, *, cap: float = 0.0, total_dependent: bool = False, progress: Progress | None = None
) -> StrategySheet:
    """Solves the main wager of a choice."""
    return StrategySheet(choice=choice, solution=solve(game_of(choice, cap), progress), total_dependent=total_dependent)


def main_account(choice: Choice) -> Account:
    """What optimal play of the main wager comes to, without charts."""
    return best_account(game_of(choice))


@dataclass(frozen=True)
class Effect:
    """What another value of a switch does to the edge."""

    switch: Switch
    value: str
    edge: float
    change: float


def other_rules(choice: Choice) -> list[tuple[Switch, str, Choice]]:
    """Every other value of every switch that changes the main wager."""
    found = []
    here = (decisive_rules(choice.game, choice.switches), pays_of(choice))
    for switch in choice.game.switches:
        for value in switch.values:
            other = replace(choice, switches=choice.switches | {switch.id: value})
            rules = decisive_rules(other.game, other.switches)._replace(
                insurance=here[0].insurance, bounty_on_each_hand=here[0].bounty_on_each_hand
            )
            if value != choice.switches[switch.id] and (rules, pays_of(other)) != here:
                found.append((switch, value, other))
    return found


def switch_effects(choice: Choice, edge: float, cap: float = 0.0) -> Iterator[Effect]:
    """The edge under every other value of every switch, one change at a time, all under optimal play."""
    for switch, value, other in other_rules(choice):
        changed = -best_account(game_of(other, cap)).value
        yield Effect(switch, value, changed, changed - edge)
