"""The strategy sheet: a choice of rules solved, with everything that is shown of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from croupier.errors import NotComputedError, RangeError
from croupier.exact.strategy.account import HOUSE_WAGER, StrategyAccount
from croupier.exact.strategy.before_play import BeforePlay, before_play
from croupier.exact.strategy.cells import cell_values
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
from croupier.exact.strategy.insurance import when_to_insure
from croupier.exact.strategy.legal import exchangeable
from croupier.exact.strategy.madness import MadnessGame
from croupier.exact.strategy.position import TEN
from croupier.exact.strategy.result import AskedWager, ChartValues, Insurance, PlayedSheet
from croupier.exact.strategy.solve import (
    AnyGame,
    PlayPlan,
    Progress,
    Solution,
    best_account,
    has_solution,
    is_solved,
    make_game,
    solve,
    solve_anew,
)
from croupier.exact.strategy.view import full_shoe
from croupier.kernels.blackjack import BlackjackRules
from croupier.kernels.blackjack_family import INSURANCE
from croupier.kernels.effects import DEALER_BLACKJACK, INSURANCE_OUTCOMES
from croupier.kernels.strategy import StrategyTables
from croupier.pay import Row
from croupier.rules.choice import Choice, choose
from croupier.rules.spec import Game

SPLITS, DOUBLES = "max_hands", "max_doubles"
"""Switches that a game has whose hands may be split; whose hands may be doubled again and again."""


@dataclass(frozen=True, kw_only=True)
class StrategySheet(PlayedSheet):
    """A main game of the blackjack family solved."""

    solution: Solution

    @property
    def plan(self) -> PlayPlan:
        return self.solution.by_total if self.total_dependent else self.solution.best

    @property
    def account(self) -> StrategyAccount:
        return self.plan.account

    def tables(
        self,
        insurance: Fraction | None = None,
        plan: PlayPlan | None = None,
        pay_tables: Mapping[str, str] | None = None,
    ) -> StrategyTables:
        """`plan` where hands are played by another; `pay_tables` of other wagers, where they are not the first."""
        tables = self.solution.tables(plan or self.plan, insurance)
        asked = before_play(self.choice, self.solution, pay_tables)
        return tables if asked is None else tables._replace(before_play=asked.answers)

    def is_own(self, ending: str) -> bool:
        return not ending.startswith(f"{HOUSE_WAGER}.")

    @property
    def best_edge(self) -> float:
        return -self.solution.best.account.value

    @property
    def edge_by_ratings(self) -> float | None:
        return -self.solution.by_rating.account.value if self.ratings else None

    @property
    def edge_total_dependent(self) -> float:
        return -self.solution.by_total.account.value

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
    def before_play(self) -> BeforePlay | None:
        """A question of the round's own before the hands are played."""
        return before_play(self.choice, self.solution)

    @cached_property
    def charts(self) -> dict[str, Grid]:
        asked = self.before_play
        own = {} if asked is None else {asked.question.id: asked.chart()}
        return charts_of(self.solution) | own

    @cached_property
    def ratings(self) -> dict[str, Ratings]:
        return ratings_of(self.solution)

    @cached_property
    def chart_values(self) -> ChartValues:
        asked = self.before_play
        own = {} if asked is None else {asked.question.id: asked.chart_values()}
        return cell_values(self.solution, self.choice.game.round) | own

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
        usual_choice = replace(choice, switches=usual)
        if usual == choice.switches or self.total_dependent:
            return None
        return -best_account(game_of(usual_choice, self.cap)).value

    @property
    def cap(self) -> float:
        """The most a single wager may be in units of the first; 0 for no limit."""
        game = self.solution.game
        return game.cap if isinstance(game, MadnessGame) else 0.0

    @property
    def insurance(self) -> Insurance | None:
        game, pays = self.solution.game, insurance_pays(self.choice)
        if game.rules.insurance == 0 or pays is None:
            return None
        tens, others = float(game.shoe.cards[TEN]), game.shoe.total - (0 if game.shoe.endless else 1)
        when = when_to_insure(self.choice.game.round, game.rules, game.shoe, pays)
        return Insurance(1 - float(pays + 1) * tens / others, when)

    @property
    def asked_wager(self) -> AskedWager | None:
        return self.before_play.asked_wager() if self.before_play is not None else None

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


def method_text(choice: Choice, total_dependent: bool) -> str:
    shoe = "infinite decks" if choice.decks is None else f"a fresh shoe of {choice.decks} deck{'s'[: choice.decks - 1]}"
    rank = "best chart by totals" if total_dependent else "optimal play by the cards of the hand"
    parts = [f"exact dynamic program over all hands from {shoe}; {rank}"]
    splits = choice.game.has_switch(SPLITS)
    if splits:
        convention = "" if total_dependent else " (CDZ-)"
        parts.append(f"after a split every hand is played as before one, evaluated exactly{convention}")
    if exchangeable(choice.game.round, decisive_rules(choice.game, choice.switches)):
        parts.append("a new hand knows the two cards that were thrown away for it")
    if choice.game.declared.hands > 1:
        parts.append("each hand knows the two cards the other started with")
        parts.append("edge and deviation for each unit of the two first wagers together")
    if splits:
        parts.append("the deviation takes hands that share a dealer as independent once the dealer's total is known")
    return "; ".join(parts)


def net_pays(rows: Iterable[Row]) -> dict[str, float]:
    """Profit of each row."""
    return {row.row: float(row.pays.net) for row in rows}


def insurance_pays(choice: Choice, pay_table: str | None = None) -> Fraction | None:
    """The profit of a unit of insurance that wins, under the rules of this choice; None where no insurance is sold."""
    wager = choice.game.wager_of_round(INSURANCE.id)
    if wager is None:
        return None
    table = choose(choice.game, wager.id, pay_table=pay_table).pay_table
    rows = table.rows_in_force(choice.switches, choice.decks)
    wins = INSURANCE_OUTCOMES[DEALER_BLACKJACK]
    return next((row.pays.net for row in rows if row.row == wins), None)


def pays_of(choice: Choice) -> dict[str, float]:
    """Profit of each row of the main wager's pay table."""
    pays = net_pays(choice.rows)
    if pays.get("win", 1.0) != 1.0 or pays.get("push", 0.0) != 0.0:
        raise NotComputedError(
            f'Pay table "{choice.pay_table.id}" pays a win other than even money, or pays on a push: '
            "such games are not solved."
        )
    return pays


def decisive_rules(game: Game, switches: Mapping[str, str]) -> BlackjackRules:
    """The rules that a main wager's worth depends on: not the order of cards and seats, nor what a side wager looks at.

    So games that differ in these alone are solved once.
    """
    decisive: BlackjackRules = game.declared.decisive(game.rules_under(switches), side_wagers=False)
    return decisive


def game_of(choice: Choice, cap: float = 0.0) -> AnyGame:
    """The game to solve; `cap` is the most a single wager may be in units of the first, 0 for no limit."""
    if cap and not choice.game.has_switch(DOUBLES):
        raise RangeError("A limit for single wagers changes no answer of this game.", code="no_limit")
    rules = decisive_rules(choice.game, choice.switches)
    return make_game(choice.game.round, full_shoe(choice.decks), rules, pays_of(choice), cap)


def solved_sheet(
    choice: Choice, *, cap: float, total_dependent: bool, progress: Progress | None, keep: bool
) -> StrategySheet:
    """Solves the main wager of a choice, or takes the solution from disk."""
    game = game_of(choice, cap)
    solution = solve(game, progress) if keep else solve_anew(game, progress)
    return StrategySheet(choice=choice, solution=solution, total_dependent=total_dependent)


def account_of(choice: Choice, cap: float = 0.0) -> StrategyAccount:
    """What optimal play of the main wager comes to, without charts."""
    return best_account(game_of(choice, cap))


def is_kept(choice: Choice) -> bool:
    """Whether a solution lies on disk."""
    return is_solved(game_of(choice))


def is_at_hand(choice: Choice) -> bool:
    """Whether the whole solution, with its values, needs not be computed."""
    return has_solution(game_of(choice))


def rules_compared(choice: Choice) -> tuple[object, ...]:
    """All that the worth of the main wager depends on besides the shoe."""
    rules = decisive_rules(choice.game, choice.switches)._replace(insurance=0, bounty_on_each_hand=0)
    return rules, tuple(sorted(pays_of(choice).items()))
