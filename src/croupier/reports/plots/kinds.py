"""A plot by the name of its kind: what each kind needs, and what it cannot be drawn of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from croupier.errors import NotationError, RangeError, unknown
from croupier.exact.check import is_played
from croupier.exact.odds import MeterWish, OddsSheet, compute_odds
from croupier.exact.played import compute_strategy
from croupier.exact.strategy.result import PlayedSheet
from croupier.exact.strategy.solve import Progress
from croupier.reports.plots.model import Plot
from croupier.reports.plots.wager import (
    BANKROLL_ROUNDS,
    MOST_BANKROLL_ROUNDS,
    bankroll_plot,
    check_has_meter,
    check_has_up_cards,
    decks_plot,
    meter_edge_plot,
    outcomes_plot,
    rules_of,
    title_of,
    up_cards_plot,
)
from croupier.reports.sheet.fill import played_rows
from croupier.reports.simulation.length import parse_count, parse_years, require_seed
from croupier.rules.choice import Choice
from croupier.rules.spec import Game

MOST_ROUNDS = 10**9
YEARS = 25_600


@dataclass(frozen=True, kw_only=True)
class PlotWish:
    """What a plot may be asked for beside the choice of rules, as typed."""

    meter: MeterWish = field(default_factory=MeterWish)
    rounds: str | None = None
    years: str | None = None
    seed: int | None = None
    """Of a simulation."""


@dataclass(frozen=True)
class PlotKind:
    """One plot that can be asked for."""

    text: str
    """What it shows, in a few words."""
    make: Callable[[Choice, PlotWish, Progress], Plot]
    options: tuple[str, ...] = ()
    """Which fields of `PlotWish` it looks at."""


def make_plot(kind: str, choice: Choice, wish: PlotWish, progress: Progress = lambda _share: None) -> Plot:
    """The plot, or an error that says why there is none."""
    if kind not in KINDS:
        raise unknown("plot", kind, KINDS)
    given = {
        "meter": wish.meter.says_anything,
        "rounds": wish.rounds is not None,
        "years": wish.years is not None,
        "seed": wish.seed is not None,
    }
    names = {"meter": "--seed-amount, --contribution, --reserve and --meter"}
    for option, is_given in given.items():
        if is_given and option not in KINDS[kind].options:
            fitting = ", ".join(name for name, kind in KINDS.items() if option in kind.options)
            text = names.get(option, f"--{option}")
            raise NotationError(
                f"The plot {kind} does not look at {text}: that goes with {fitting}.", code="bad_option"
            )
    return KINDS[kind].make(choice, wish, progress)


def usual_wager(kind: str, game: Game) -> str:
    """The wager of a plot where none is named: the only progressive, or the first main wager."""
    if kind in ("meter", "meter-edge"):
        from croupier.reports.simulation.meter import only_progressive

        return only_progressive(game)
    return game.first_wager.id


def _figures(choice: Choice, wish: PlotWish, progress: Progress) -> OddsSheet | PlayedSheet:
    if is_played(choice) and not wish.meter.says_anything:
        return compute_strategy(choice, progress=progress)
    return compute_odds(choice, wish.meter)


def _outcomes(choice: Choice, wish: PlotWish, progress: Progress) -> Plot:
    figures = _figures(choice, wish, progress)
    rows = figures.rows if isinstance(figures, OddsSheet) else played_rows(figures)
    return outcomes_plot(choice, rows, figures.method)


def _up_cards(choice: Choice, _wish: PlotWish, progress: Progress) -> Plot:
    check_has_up_cards(choice)
    return up_cards_plot(compute_strategy(choice, progress=progress))


def _decks(choice: Choice, wish: PlotWish, _progress: Progress) -> Plot:
    return decks_plot(choice, wish.meter)


def _meter_edge(choice: Choice, wish: PlotWish, _progress: Progress) -> Plot:
    check_has_meter(choice)
    return meter_edge_plot(compute_odds(choice, wish.meter))


def _bankroll(choice: Choice, wish: PlotWish, progress: Progress) -> Plot:
    rounds = BANKROLL_ROUNDS
    if wish.rounds is not None:
        rounds = parse_count(wish.rounds, "rounds", most=MOST_BANKROLL_ROUNDS)
    return bankroll_plot(_figures(choice, wish, progress), rounds)


def _convergence(choice: Choice, wish: PlotWish, progress: Progress) -> Plot:
    from croupier.reports.plots.simulated import CONVERGENCE_ROUNDS, convergence_plot, simulate_convergence
    from croupier.reports.plots.simulated import convergence_note as note_of
    from croupier.reports.simulation.compare import Wish, prepare

    seed = _seed(wish)
    rounds = CONVERGENCE_ROUNDS if wish.rounds is None else parse_count(wish.rounds, "rounds", most=MOST_ROUNDS)
    if choice.game.is_apart(choice.wager):
        raise RangeError(
            f"{choice.wager.name} is taken or left by the strategy, so it is not simulated alone.", code="no_plot"
        )
    if choice.wager.hand == "seat" and choice.side == "banker":
        raise RangeError("A simulation plays wagers of a seat's own side on the player side.", code="no_side")
    simulation = prepare(
        choice.game,
        Wish(
            decks=_decks_text(choice),
            settings=choice.switches,
            pay_tables={choice.wager.id: choice.pay_table.id} if choice.wager.pay_tables else {},
            wagers=(choice.wager.id,),
        ),
        progress,
    )
    points = simulate_convergence(simulation, rounds, seed)
    note = f"{note_of(points, seed, _multiple(rounds, simulation.spec.chunk_size))} {rules_of(choice)}."
    return convergence_plot(title_of(choice, "a simulation on its way"), points, note)


def _meter(choice: Choice, wish: PlotWish, _progress: Progress) -> Plot:
    from croupier.reports.plots.simulated import meter_paths_plot
    from croupier.reports.sheet.progressive import meter_plan
    from croupier.reports.simulation.meter import MeterResult
    from croupier.simulate.meters.run import CHUNK_YEARS, run

    seed = _seed(wish)
    check_has_meter(choice)
    plan = meter_plan(compute_odds(choice, replace(wish.meter, now=None)))
    most = plan.spec.most_years
    years = min(YEARS, most) if wish.years is None else parse_years(wish.years, most)
    result = MeterResult(plan=plan, counts=run(plan.spec, seed, -(-years // CHUNK_YEARS)))
    drawn = meter_paths_plot(result, seed, _multiple(years, CHUNK_YEARS))
    return replace(drawn, title=title_of(choice, "the meter over a year"))


def _multiple(asked: int, block: int) -> str:
    """Simulations end with whole blocks: said where that is more than was asked for."""
    return "" if asked % block == 0 else f" (the next multiple of {block:,} from {asked:,})"


def _seed(wish: PlotWish) -> int:
    seed = 1 if wish.seed is None else wish.seed
    require_seed(seed)
    return seed


def _decks_text(choice: Choice) -> str:
    return "inf" if choice.decks is None else str(choice.decks)


KINDS: dict[str, PlotKind] = {
    "outcomes": PlotKind("what the wager pays, and how often", _outcomes, ("meter",)),
    "up-cards": PlotKind("what a round is worth by the dealer's up card", _up_cards),
    "decks": PlotKind("house edge by number of decks", _decks, ("meter",)),
    "meter-edge": PlotKind("house edge by what the meter shows", _meter_edge, ("meter",)),
    "bankroll": PlotKind("in which bands a result stays over so many rounds", _bankroll, ("meter", "rounds")),
    "convergence": PlotKind("a simulation on its way to the exact edge", _convergence, ("rounds", "seed")),
    "meter": PlotKind("the simulated year of a meter", _meter, ("meter", "years", "seed")),
}
