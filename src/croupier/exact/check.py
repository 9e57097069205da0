"""Every published figure against the exact one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Literal

from croupier.cards import DECK_SIZE
from croupier.errors import NotComputedError, SpecError
from croupier.exact.apart import under_up_cards
from croupier.exact.odds import OddsSheet, compute_odds
from croupier.exact.played import edge_by_rule, main_account
from croupier.rules.choice import SEAT_SIDES, Choice, choose
from croupier.rules.spec import Game, Published, Recorded

Verdict = Literal["equal", "within_simulation_error", "differs", "not_computed"]

MOST_SIGMAS = 3
"""A simulated figure farther off than this many standard errors differs."""


@dataclass(frozen=True, kw_only=True, repr=False)
class CheckedFigure:
    """A published figure with its verdict."""

    game: Game
    fact: Published
    decks: int | None
    computed: Fraction | None
    verdict: Verdict
    z: float | None = None
    """Standard errors between printed and computed figure, for a simulated one."""
    standard_error: float | None = None
    """The one that z is counted in."""
    deviation: float | None = None
    """Standard deviation of what a simulation averages for this figure; `standard_error` is it over the root of the
    rounds. None for a run that is kept, whose error was measured."""
    finding: str = ""

    def __repr__(self) -> str:
        """Without the whole game, which would fill a screen."""
        shoe = "" if self.decks is None else f", decks {self.decks}"
        where = f"{self.game.id} {self.fact.wager}, pay table {self.fact.pay_table}{shoe}"
        return f"<CheckedFigure: {where}: {self.fact.figure} {self.fact.printed}, {self.verdict}>"

    @property
    def fails(self) -> bool:
        """A difference nobody has explained."""
        return self.verdict == "differs" and not self.finding


def parse_printed(text: str) -> tuple[Fraction, int]:
    """A printed figure and the decimals it is printed to, counted on the plain number.

    >>> parse_printed("5.85%"), parse_printed("$98,101")
    ((Fraction(117, 2000), 4), (Fraction(98101, 1), 0))
    """
    plain = text.replace("$", "").replace(",", "").strip()
    percent = plain.endswith("%")
    number = plain.rstrip("%").strip()
    try:
        value = Fraction(number)
    except ValueError:
        raise SpecError(f'"{text}" is not a printed figure such as 5.85%, 569,182 or $98,101.') from None
    decimals = len(number.partition(".")[2])
    return (value / 100, decimals + 2) if percent else (value, decimals)


def rounds_to(computed: Fraction, printed: Fraction, decimals: int) -> bool:
    """Whether the computed figure, rounded half up to the printed decimals, is the printed one."""
    scale = 10**decimals
    return bool((2 * computed * scale + 1) // 2 == printed * scale)


def check_game(game: Game) -> Iterator[CheckedFigure]:
    """Every published figure of a game, in the letter's order."""
    for fact in game.published:
        yield check_fact(game, fact)


def facts_of_sheet(sheet: OddsSheet) -> Iterator[CheckedFigure]:
    """The published figures that speak of exactly this sheet's pay table, decks, side, rules and meter."""
    choice = sheet.choice
    usual = compute_odds(choose(choice.game, choice.wager.id, pay_table=choice.pay_table.id)).meter
    changed = sheet.meter is not None and usual is not None and replace(sheet.meter, now=None) != usual
    if not changed:
        yield from facts_of_choice(choice)


def facts_of_choice(choice: Choice) -> Iterator[CheckedFigure]:
    """The published figures that speak of exactly this pay table, decks, side and rules."""
    for fact in choice.game.facts(choice.wager.id, choice.pay_table.id):
        its_own = choice_of(choice.game, fact)
        same_side = not fact.side or choice.side in (fact.side, "winner")
        if same_side and (choice.decks, choice.switches) == (its_own.decks, its_own.switches):
            yield check_fact(choice.game, fact)


def choice_of(game: Game, fact: Published, side: str = "") -> Choice:
    """The rules by which a figure reproduces; with a side, the same by the letter's text for wagers on that side."""
    return choose(
        game,
        fact.wager,
        pay_table=fact.pay_table,
        decks=str(fact.decks) if fact.decks else None,
        side=side or fact.side or None,
        settings=fact.printed_for | ({} if side else fact.under),
    )


@dataclass(frozen=True, kw_only=True)
class ReadingEdges:
    """One of two readings of a letter that contradicts itself, with the edge by it for wagers on each side."""

    name: Literal["text", "figures"]
    settings: dict[str, str]
    edges: dict[str, Fraction]

    @property
    def rules(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.settings.items())


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """A pay table whose printed figures do not go with the letter's text: both readings, and the printed edge."""

    text: ReadingEdges
    figures: ReadingEdges
    printed: str
    decks: int | None
    """Of the shoe that both edges are for; None for infinite decks."""

    @property
    def sentence(self) -> str:
        shoe = "infinite decks" if self.decks is None else f"{self.decks} deck{'' if self.decks == 1 else 's'}"
        on_player, on_banker = (f"{float(100 * self.text.edges[side]):.2f}%" for side in SEAT_SIDES)
        by_figures = f"{float(100 * self.figures.edges[SEAT_SIDES[0]]):.2f}%"
        return (
            f"The letter contradicts itself: with {shoe}, by its text ({self.text.rules}) the edge is {on_player} for "
            f"wagers on player and {on_banker} for wagers on banker; the rules that its figures go with "
            f"({self.figures.rules}) give {by_figures}, and {self.printed} is printed."
        )


def contradiction_of(
    choice: Choice, edge_of: Callable[[Choice], Fraction] = lambda choice: compute_odds(choice).edge
) -> Contradiction | None:
    """Both readings of a pay table at a choice's decks and other rules; None where text and figures agree."""
    game, wager, table = choice.game, choice.wager, choice.pay_table
    figures = game.by_figures(wager.id, table.id)
    if not figures:
        return None
    text = {name: table.settings.get(name, game.switch(name).default) for name in figures}

    def reading(name: Literal["text", "figures"], settings: dict[str, str]) -> ReadingEdges:
        edges = {}
        for side in SEAT_SIDES:
            rules = dict(choice.switches) | settings
            decks = "inf" if choice.decks is None else str(choice.decks)
            chosen = choose(game, wager.id, pay_table=table.id, decks=decks, side=side, settings=rules)
            edges[side] = edge_of(chosen)
        return ReadingEdges(name=name, settings=settings, edges=edges)

    printed = next(fact.printed for fact in game.facts(wager.id, table.id) if fact.figure == "edge")
    both = reading("text", text), reading("figures", figures)
    return Contradiction(text=both[0], figures=both[1], printed=printed, decks=choice.decks)


def by_text(game: Game, fact: Published) -> str:
    """Of a figure that contradicts the letter's text: under what it reproduces, and what the text gives."""
    if not fact.under:
        return ""
    rules = " and ".join(f"{name} = {value}" for name, value in fact.under.items())
    figures = [_figure_text(fact, _figure(compute_odds(choice_of(game, fact, side)), fact)) for side in SEAT_SIDES]
    return (
        f"It goes with {rules}, against the letter's text, by which it is {figures[0]} for wagers on "
        f"{SEAT_SIDES[0]} and {figures[1]} for wagers on {SEAT_SIDES[1]}."
    )


def _figure_text(fact: Published, value: Fraction) -> str:
    if fact.figure in ("edge", "hit_frequency"):
        return f"{float(100 * value):.2f}%"
    return f"{'$' if fact.figure == 'top_average' else 'one in '}{round(value):,}"


def check_fact(game: Game, fact: Published) -> CheckedFigure:
    """Recomputes one figure."""
    choice = choice_of(game, fact)
    if fact.shuffle == "cut_card":
        return _check_recorded(game, fact, choice)
    try:
        sheet = None if is_played(choice) else compute_odds(choice)
    except NotComputedError as error:
        why = fact.finding or str(error)
        return CheckedFigure(
            game=game, fact=fact, decks=choice.decks, computed=None, verdict="not_computed", finding=why
        )
    if fact.up_card:
        computed = _figure_under(choice, fact)
    else:
        computed = _figure(sheet, fact) if sheet else _figure_of_play(choice, fact)
    printed, decimals = parse_printed(fact.printed)
    z = standard_error = deviation = None
    verdict: Verdict = "differs"
    if rounds_to(computed, printed, decimals):
        verdict = "equal"
    elif sheet and fact.simulated_rounds:
        deviation = _deviation(sheet, fact)
        standard_error = deviation / sqrt(fact.simulated_rounds)
        z = _distance(computed, printed, decimals) / standard_error
        verdict = "within_simulation_error" if abs(z) <= MOST_SIGMAS else "differs"
    finding = fact.finding if verdict != "equal" else ""
    if finding and fact.shuffle == "continuous":
        finding += _evidence(game, fact)
    finding = " ".join(filter(None, (finding, by_text(game, fact))))
    return CheckedFigure(
        game=game,
        fact=fact,
        decks=choice.decks,
        computed=computed,
        verdict=verdict,
        z=z,
        standard_error=standard_error,
        deviation=deviation,
        finding=finding,
    )


def _recorded(game: Game, fact: Published) -> Recorded | None:
    """The long simulation of just what a figure is printed for."""
    key = (fact.wager, fact.pay_table, fact.decks, fact.shuffle)
    return next((run for run in game.recorded if (run.wager, run.pay_table, run.decks, run.shuffle) == key), None)


def _evidence(game: Game, fact: Published) -> str:
    """What a simulated continuous shuffler gives, in a sentence."""
    run = _recorded(game, fact)
    if run is None:
        return ""
    edge, error = 100 * float(run.edge), 100 * float(run.standard_error)
    return (
        f" Simulated with a continuous shuffler, {run.cut} cards in its chute, {run.rounds:.1e} rounds: "
        f"{edge:.4f}% +- {error:.4f}%."
    )


def _check_recorded(game: Game, fact: Published, choice: Choice) -> CheckedFigure:
    """A figure for a shoe with a cut card, beside the long simulation of it that is kept with the game."""
    run = _recorded(game, fact)
    if run is None:
        why = "Printed for a shoe with a cut card: that takes a long simulation, and none is kept with this game."
        return CheckedFigure(
            game=game, fact=fact, decks=choice.decks, computed=None, verdict="not_computed", finding=why
        )
    computed, error = Fraction(run.edge), float(run.standard_error)
    printed, decimals = parse_printed(fact.printed)
    share = 100 * run.cut / (DECK_SIZE * run.decks)
    how = (
        f"Simulated: one seat, optimal play, cut card after {run.cut} cards ({share:.0f}%), {run.rounds:.1e} rounds, "
        f"standard error {100 * error:.4f}%. The letter does not say where its cut card lies."
    )
    z = None
    verdict: Verdict = "equal"
    if not rounds_to(computed, printed, decimals):
        z = _distance(computed, printed, decimals) / error
        verdict = "within_simulation_error" if abs(z) <= MOST_SIGMAS else "differs"
    return CheckedFigure(
        game=game,
        fact=fact,
        decks=choice.decks,
        computed=computed,
        verdict=verdict,
        z=z,
        standard_error=error if z is not None else None,
        finding=fact.finding if verdict == "differs" else how,
    )


def is_played(choice: Choice) -> bool:
    """Whether the wager's odds depend on how it is played."""
    return choice.game.is_first(choice.wager)


def _distance(computed: Fraction, printed: Fraction, decimals: int) -> float:
    """From the computed figure to the nearest one that would have been printed so; rounding is not error."""
    half_a_digit = Fraction(1, 2 * 10**decimals)
    if computed < printed:
        return float(printed - half_a_digit - computed)
    return float(printed + half_a_digit - computed)


def _figure_of_play(choice: Choice, fact: Published) -> Fraction:
    """Of a main game under optimal play, or by the rule that the figure is printed for."""
    if fact.rule:
        return Fraction(edge_by_rule(choice, fact.rule))
    account = main_account(choice)
    if fact.figure == "mean_final_wager":
        return Fraction(account.mean_final_wager)
    if fact.figure == "standard_deviation":
        return Fraction(account.standard_deviation)
    edge = -Fraction(account.value)
    return edge / Fraction(account.mean_final_wager) if fact.figure == "element_of_risk" else edge


def _figure(sheet: OddsSheet, fact: Published) -> Fraction:
    if fact.figure == "edge":
        return sheet.edge
    if fact.figure == "hit_frequency":
        return sheet.hit_frequency
    jackpot = sheet.jackpot
    if jackpot is None or jackpot.average_top is None:
        raise SpecError(f"{fact.wager} has no 100% award, so no {fact.figure} can be published for it.")
    return 1 / jackpot.top_probability if fact.figure == "top_odds" else jackpot.average_top


def _figure_under(choice: Choice, fact: Published) -> Fraction:
    """Of a wager on the dealer's hand, under one up card."""
    under = next(one for one in under_up_cards(choice) if one.up_card == fact.up_card)
    return under.edge if fact.figure == "edge" else under.wins


def _deviation(sheet: OddsSheet, fact: Published) -> float:
    """Standard deviation of one simulated round's part in the figure.

    An edge is taken to be simulated in its fixed pays only, with the meter's part added by formula; the top odds and
    the average award by counting top awards.
    """
    if fact.figure == "hit_frequency":
        hit = float(sheet.hit_frequency)
        return sqrt(hit * (1 - hit))
    if fact.figure == "edge":
        fixed = [(r.probability, r.row.pays.returned) for r in sheet.rows if r.row and not r.row.pays.is_share]
        mean = sum((p * x for p, x in fixed), Fraction(0))
        square = sum((p * x * x for p, x in fixed), Fraction(0))
        return sqrt(float(square - mean * mean))
    assert sheet.jackpot is not None
    return float(_figure(sheet, fact)) / sqrt(float(sheet.jackpot.top_probability))
