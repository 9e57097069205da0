"""A simulation put together: rules, strategy and side wagers to play, exact values to compare with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from croupier.errors import NotationError, NotComputedError, RangeError, unknown
from croupier.exact.check import is_played
from croupier.exact.envy import envy_of_one, nets_beside
from croupier.exact.odds import OddsSheet, compute_odds
from croupier.exact.played import compute_strategy
from croupier.exact.strategy.account import StrategyAccount
from croupier.exact.strategy.result import AskedWager, PlayedSheet
from croupier.exact.strategy.sheet import StrategySheet, insurance_pays
from croupier.exact.strategy.solve import Progress
from croupier.kernels.blackjack_family import INSURANCE
from croupier.reports.strategy.file import plan_from_file
from croupier.rules.choice import Choice, choose
from croupier.rules.spec import Game
from croupier.simulate import play
from croupier.simulate.estimate import (
    Estimate,
    Reduced,
    estimate_asked,
    estimate_bet,
    estimate_main,
    with_control_variate,
)
from croupier.simulate.run import CountedBet, ShuffleKind, Spec, with_control
from croupier.simulate.shuffle import DECK_CARDS

Array = NDArray[Any]

SHUFFLES: tuple[ShuffleKind, ...] = ("fresh", "cut-card", "continuous")
CHUTE = 16
"""Cards in the chute of a continuous shuffler, unless --cut says otherwise."""
KNOWN_STRATEGIES = ("optimal", "total-dependent")
RARE = 0.9
"""With less than this share of the exact deviation, a sample lacks awards that make up much of it."""
MAIN_PAYS = {"win": Fraction(1), "push": Fraction(0)}


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What a user asks for, as typed."""

    decks: str | None = None
    settings: Mapping[str, str]
    pay_tables: Mapping[str, str]
    seats: int = 1
    shuffle: str = "fresh"
    cut: int | None = None
    strategy: str = "optimal"
    wagers: tuple[str, ...] = ()
    """Wagers to play; all if left empty."""


@dataclass(frozen=True, kw_only=True)
class SimulatedWager:
    """A wager's estimate beside its exact value."""

    name: str
    estimate: Estimate
    exact: float | None
    z: float | None
    """Standard errors between estimate and exact value, where both speak of the same shoe."""
    exact_deviation: float | None = None
    """Of a side wager."""
    reduced: Reduced | None = None
    """With a control variate, where there is one."""

    @property
    def misses_rare_rows(self) -> bool:
        """Whether so little of what the wager may pay has come that its standard error is too small."""
        return self.exact_deviation is not None and self.estimate.standard_deviation < RARE * self.exact_deviation

    @property
    def best_edge(self) -> float:
        return self.reduced.edge if self.reduced else self.estimate.edge

    @property
    def standard_error(self) -> float:
        """The smaller one."""
        return self.reduced.standard_error if self.reduced else self.estimate.standard_error


@dataclass(frozen=True, kw_only=True)
class PreparedSimulation:
    """Everything that is played, and what it is compared with."""

    game: Game
    spec: Spec
    choices: dict[str, Choice]
    """The side wagers that are counted."""
    main: Choice | None
    """The main wager of a game that is played, if its result is asked for."""
    account: StrategyAccount | None
    """What the way in which hands are played comes to; side wagers alone need that too."""
    strategy: str
    beside: Choice | None = None
    """A wager beside the main one, onto which what it wins may be moved: both are simulated as one."""
    asked: AskedWager | None = None
    """What is known of a wager that the strategy makes or leaves."""

    @property
    def first_wagers(self) -> int:
        return self.account.wagers if self.account else 1

    @property
    def known_edge(self) -> float | None:
        """Of the main wager from a fresh shoe; nobody has computed that of a user's own strategy."""
        if self.account is None or self.strategy not in KNOWN_STRATEGIES:
            return None
        return -self.account.value

    @cached_property
    def sheets(self) -> dict[str, OddsSheet]:
        return {name: compute_odds(choice) for name, choice in self.choices.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """Where what is played leaves its letter, each once."""
        choices = (*([self.main] if self.main else []), *self.choices.values())
        notes = [note for choice in choices for note in choice.notes]
        if self.beside is not None:
            notes.append(
                f"what {self.beside.wager.name} wins may lie on the main wager: its line is what both come to, "
                "less the exact edge of the main wager from a fresh shoe"
            )
        return tuple(dict.fromkeys(notes))

    def results(self, counts: Array) -> list[SimulatedWager]:
        """Every wager of the counts."""
        wagers = []
        if self.beside is not None and self.known_edge is not None:
            wagers = [self._joint(self.beside, self.known_edge, counts), *self._asked(counts)]
        elif self.main is not None and self.account is not None:
            known = self.known_edge
            main = self._compared(self.main.wager.id, estimate_main(self.spec, counts, self.first_wagers), known)
            if known is not None:
                reduced = with_control_variate(self.spec, counts, self.first_wagers, known)
                main = replace(main, reduced=reduced)
            wagers.append(main)
            wagers += self._asked(counts)
        slots = {_decided_by(bet): slot for slot, bet in enumerate(self.spec.bets)}
        for name, sheet in self.sheets.items():
            others = int(self.spec.rules.seats) - 1
            nets = nets_beside(sheet, others)
            bet = sheet.choice.bet
            is_known = self.strategy == "optimal" or bet is None or not bet.scene.follows_play
            mean = sum((row.returned for row in sheet.rows), Fraction(0)) + others * envy_of_one(sheet)
            exact = -float(mean) if is_known else None
            slot = slots[_decided_by(counted_bet(name, self.choices[name]))]
            estimate = estimate_bet(self.spec, counts, slot, nets)
            # The deviation of what is paid in all for a hand is another than that of the own wager.
            deviation = sheet.standard_deviation if nets == nets_beside(sheet, 0) else None
            wagers.append(self._compared(name, estimate, exact, deviation))
        return wagers

    def _joint(self, beside: Choice, known: float, counts: Array) -> SimulatedWager:
        """A wager beside the main one, in its amount, by what both come to together."""
        both, settled = estimate_main(self.spec, counts, self.first_wagers), self.game.settled_by_round(beside.wager)
        assert settled is not None
        nets = {row.row: row.pays.net for row in beside.rows}
        own = estimate_asked(self.spec, counts, settled, nets)
        assert own is not None
        joint = replace(both, edge=both.edge - known, rows=own.rows, hit_frequency=own.hit_frequency)
        exact = float(compute_odds(beside).edge) if self.strategy == "optimal" else None
        return self._compared(beside.wager.id, joint, exact)

    def _asked(self, counts: Array) -> list[SimulatedWager]:
        """Wagers made during the round that have an account of their own."""
        wagers = []
        for settled in self.spec.declared.wagers:
            wager = self.game.wager_of_round(settled.id)
            if settled.is_apart and wager is not None:
                nets = {row.row: row.pays.net for table in wager.pay_tables[:1] for row in table.rows}
                estimate = estimate_asked(self.spec, counts, settled, nets)
                known = self.asked.edge_taken if self.asked is not None and self.asked.wager == wager.id else None
                if estimate is not None:
                    wagers.append(self._compared(wager.id, estimate, known))
        return wagers

    def _compared(
        self, name: str, estimate: Estimate, exact: float | None, deviation: float | None = None
    ) -> SimulatedWager:
        """By the exact deviation where it is known: a sample in which a rare award has not come has a smaller one."""
        z, error = None, estimate.standard_error
        if deviation is not None and estimate.standard_deviation > 0:
            error *= deviation / estimate.standard_deviation
        if exact is not None and self.spec.shuffle == "fresh" and error > 0:
            z = (estimate.edge - exact) / error
        return SimulatedWager(name=name, estimate=estimate, exact=exact, exact_deviation=deviation, z=z)

    def error_of(self, counts: Array) -> float:
        """The standard error that `--until-se` looks at: of the main wager, or of the first there is."""
        return self.results(counts)[0].standard_error


@dataclass(frozen=True, kw_only=True)
class CheckedWish:
    """A wish that can be played."""

    choices: dict[str, Choice]
    """Every wager that is played, the main one too."""
    decks: int
    shuffle: ShuffleKind
    cut: int

    @property
    def counted(self) -> dict[str, Choice]:
        """The side wagers."""
        return {name: choice for name, choice in self.choices.items() if choice.wager.classifiers}

    @property
    def beside(self) -> Choice | None:
        """The wager that is made beside the main one and settled by the round."""
        return next((choice for choice in self.choices.values() if choice.game.is_beside(choice.wager)), None)

    @property
    def bets(self) -> tuple[CountedBet, ...]:
        return counted_bets(self.counted)


def check_wish(game: Game, wish: Wish) -> CheckedWish:
    """What can be said of a request before anything is solved; raises with a sentence on what does not exist."""
    if not 1 <= wish.seats <= game.most_seats:
        raise RangeError(f"{wish.seats} seats: a table has 1 to {game.most_seats}.", code="bad_seats")
    if not game.is_decided and wish.strategy not in KNOWN_STRATEGIES:
        raise unknown("strategy", wish.strategy, KNOWN_STRATEGIES)
    shuffle = next((kind for kind in SHUFFLES if kind == wish.shuffle), None)
    if shuffle is None:
        raise unknown("shuffle", wish.shuffle, SHUFFLES)
    choices = _choices(game, wish)
    decks = next(iter(choices.values())).decks
    if decks is None:
        raise NotationError("Simulation deals from real decks: 1 to 8, not inf.", code="bad_decks")
    checked = CheckedWish(choices=choices, decks=decks, shuffle=shuffle, cut=_cut(wish, shuffle, decks))
    if len(checked.bets) > play.MOST_COUNTED_BETS:
        raise RangeError(
            f"{len(checked.bets)} side wagers at once: {play.MOST_COUNTED_BETS} can be counted. Choose fewer.",
            code="too_many_wagers",
        )
    Spec(round=game.round, decks=decks, rules=_seated(game, {}, wish), shuffle=shuffle, cut=checked.cut)
    return checked


def prepare(game: Game, wish: Wish, progress: Progress | None = None) -> PreparedSimulation:
    """Resolves a request; raises with a sentence on anything that does not exist."""
    checked = check_wish(game, wish)
    counted = checked.counted
    main = next((choice for choice in checked.choices.values() if is_played(choice)), None)
    played, rules, account, tables, asked = main, _seated(game, {}, wish), None, None, None
    if game.is_decided:
        first = game.first_wager.id
        played = main or choose(
            game, first, pay_table=wish.pay_tables.get(first), decks=wish.decks, settings=wish.settings
        )
        sheet = compute_strategy(played, progress=progress)
        asked = sheet.asked_wager
        account, tables = chosen_strategy(sheet, wish)
        dealer = any(choice.bet.scene.completes_dealer for choice in counted.values() if choice.bet)
        rules = _seated(game, played.switches, wish, dealer_bets=(1 << wish.seats) - 1 if dealer else 0)
    usual = {switch.id: switch.default for switch in game.switches}
    spec = Spec(
        round=game.round,
        decks=checked.decks,
        rules=rules,
        pays=_pays(played, wish.pay_tables) if played else (),
        tables=tables,
        is_usual=checked.shuffle == "fresh"
        and checked.decks == game.default_decks
        and wish.seats == 1
        and (played is None or played.switches == usual),
        bets=checked.bets,
        beside=checked.beside is not None,
        shuffle=checked.shuffle,
        cut=checked.cut,
    )
    if main is not None and checked.shuffle == "cut-card" and wish.strategy in KNOWN_STRATEGIES:
        spec = with_control(spec)
    return PreparedSimulation(
        game=game,
        spec=spec,
        choices=counted,
        main=main,
        account=account,
        strategy=wish.strategy,
        asked=asked,
        beside=checked.beside,
    )


def _seated(game: Game, switches: Mapping[str, str], wish: Wish, *, dealer_bets: int = 0) -> Any:
    """The rules for so many seats, without what people see and no wager feels."""
    return game.declared.decisive(game.rules_under(switches, seats=wish.seats, dealer_bets=dealer_bets))


def _choices(game: Game, wish: Wish) -> dict[str, Choice]:
    names = [wager.id for wager in game.wagers if not game.is_asked(wager)]
    for name in (*wish.wagers, *wish.pay_tables):
        game.wager(name)
    chosen = [name for name in names if not wish.wagers or name in wish.wagers]
    choices = {
        name: choose(game, name, pay_table=wish.pay_tables.get(name), decks=wish.decks, settings=wish.settings)
        for name in chosen or names[:1]
    }
    covers = [name for name, choice in choices.items() if choice.pay_table.cover_all]
    if set(covers) & set(wish.wagers):
        raise NotComputedError(
            f'"{covers[0]}" goes by the best hand on the table, which simulated rounds do not compare: '
            "its odds sheet has sampled figures by the number of hands."
        )
    return {name: choice for name, choice in choices.items() if name not in covers}


def chosen_strategy(sheet: PlayedSheet, wish: Wish) -> tuple[StrategyAccount, Any]:
    """`optimal`, `total-dependent`, or a file: what it comes to, and the tables that answer a round's questions."""
    if wish.strategy not in KNOWN_STRATEGIES and not isinstance(sheet, StrategySheet):
        raise NotationError(
            f"{sheet.choice.game.name} is simulated with its best strategy: {', '.join(KNOWN_STRATEGIES)}.",
            code="bad_strategy",
        )
    if not isinstance(sheet, StrategySheet):
        return sheet.account, sheet.tables()
    solution = sheet.solution
    plans = {"optimal": solution.best, "total-dependent": solution.by_total}
    plan = plans.get(wish.strategy) or plan_from_file(Path(wish.strategy), solution)
    insurance = sheet.choice.game.wager_of_round(INSURANCE.id)
    pays = insurance_pays(sheet.choice, wish.pay_tables.get(insurance.id) if insurance is not None else None)
    return plan.account, sheet.tables(pays, plan, wish.pay_tables)


def _pays(played: Choice, tables: Mapping[str, str]) -> tuple[tuple[str, Fraction], ...]:
    """Profit of the outcomes of all the round's wagers."""
    game, declared = played.game, played.game.declared
    pays = MAIN_PAYS | {row.row: row.pays.net for row in played.rows}
    for settled in declared.wagers[1:]:
        wager = game.wager_of_round(settled.paid_by)
        if wager is not None and not settled.is_apart:
            rows = played.rows if wager == played.wager else choose(game, wager.id, pay_table=tables.get(wager.id)).rows
            pays |= {f"{settled.id}.{row.row}": row.pays.net for row in rows if row.row in settled.outcomes}
    return tuple(pays.items())


def counted_bets(choices: Mapping[str, Choice]) -> tuple[CountedBet, ...]:
    """What is counted for these side wagers: once where several are paid by outcomes of one and the same bet."""
    bets: dict[Any, CountedBet] = {}
    for name, choice in choices.items():
        bet = counted_bet(name, choice)
        bets.setdefault(_decided_by(bet), bet)
    return tuple(bets.values())


def countable(choices: Mapping[str, Choice]) -> list[str]:
    """The first of these side wagers, as many as can be counted at once."""
    slots = [_decided_by(bet) for bet in counted_bets(choices)[: play.MOST_COUNTED_BETS]]
    return [name for name, choice in choices.items() if _decided_by(counted_bet(name, choice)) in slots]


def _decided_by(bet: CountedBet) -> tuple[str, int, str]:
    return bet.bet_name, bet.options, bet.side


def counted_bet(name: str, choice: Choice) -> CountedBet:
    assert choice.bet is not None
    return CountedBet(
        name=name,
        bet=choice.bet,
        bet_name=choice.bet_name,
        options=choice.bet.pack(choice.switches),
        side=choice.side,
    )


def _cut(wish: Wish, shuffle: str, decks: int) -> int:
    if shuffle == "fresh":
        if wish.cut is not None:
            raise NotationError(
                "A fresh shoe has no cut card: leave it out, or shuffle by cut-card or continuous.", code="bad_cut"
            )
        return 0
    if wish.cut is not None:
        return wish.cut
    return CHUTE if shuffle == "continuous" else decks * DECK_CARDS * 3 // 4
