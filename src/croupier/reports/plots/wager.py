"""The plots of a wager, each made from results that the exact engine or the solver has computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile
from typing import Protocol

from croupier.cards import MOST_DECKS
from croupier.errors import RangeError
from croupier.exact.check import is_played
from croupier.exact.hold import Quantiles, hold_quantiles, house_results, normal_quantiles
from croupier.exact.odds import MeterWish, OddsSheet, compute_odds
from croupier.exact.played import main_account
from croupier.exact.strategy.result import PlayedSheet
from croupier.money import MICROS_PER_DOLLAR
from croupier.reports.formatting import percent, shoe_text
from croupier.reports.plots.model import Line, Mark, Plot
from croupier.rules.choice import Choice, gives_decks

RARE = Fraction(1, 500)
"""Outcomes less likely than this could not be seen on an even scale."""
METER_STEPS = 40
BANKROLL_SHARES = (0.025, 0.25, 0.5, 0.75, 0.975)
BANKROLL_POINTS = 24
BANKROLL_ROUNDS = 1_000
MOST_BANKROLL_ROUNDS = 10**7


class Outcome(Protocol):
    """A row of an odds sheet of any kind."""

    @property
    def pays(self) -> str: ...
    @property
    def probability(self) -> Fraction: ...
    @property
    def returned(self) -> Fraction: ...


def title_of(choice: Choice, what: str) -> str:
    return f"{choice.wager.name}: {what}"


def rules_of(choice: Choice) -> str:
    """Under which rules the values hold, for the note."""
    table = f"pay table {choice.pay_table.id}, " if choice.wager.pay_tables else ""
    side = {"": "", "winner": ", either side's win"}.get(choice.side, f", {choice.side}")
    return f"{choice.game.name}, {table}{shoe_text(choice.decks)}{side}{_changed(choice)}"


def _changed(choice: Choice) -> str:
    """The switches that are not as the pay table has them."""
    usual = {switch.id: switch.default for switch in choice.game.switches} | choice.pay_table.settings
    return "".join(f", {name} = {value}" for name, value in choice.switches.items() if value != usual[name])


def outcomes_plot(choice: Choice, rows: Sequence[Outcome], method: str) -> Plot:
    """What the wager comes to, and how often: rows that pay alike are one outcome."""
    possible = sorted((row for row in rows if row.probability), key=lambda row: row.returned / row.probability)
    chances: dict[str, Fraction] = {}
    for row in possible:
        chances[row.pays] = chances.get(row.pays, Fraction(0)) + row.probability
    names = tuple(f"{pays} of meter" if pays.endswith("%") else pays for pays in chances)
    rare = min(chances.values()) < RARE
    several = is_played(choice) and choice.game.declared.plays_dealer_out
    of_hands = "Hands that are split or dealt in pairs count one by one. " if several else ""
    scale = "The scale is logarithmic: every line is ten times the one below. " if rare else ""
    return Plot(
        id="outcomes",
        title=title_of(choice, "what it pays, and how often"),
        x_label="pays",
        y_label="probability",
        y_form="share",
        x_names=names,
        log_y=rare,
        lines=(Line("probability", _places(names), tuple(map(float, chances.values())), kind="bars"),),
        note=f"{of_hands}{scale}{rules_of(choice)}. Method: {method}.",
    )


def _places(names: Sequence[str]) -> tuple[float, ...]:
    return tuple(float(place) for place in range(len(names)))


def up_cards_plot(sheet: PlayedSheet) -> Plot:
    """What a round is worth once the dealer's up card is seen, to the player."""
    names = tuple(sheet.by_up_card)
    values = tuple(-edge for edge in sheet.by_up_card.values())
    all_alike = Line("all up cards", _places(names), (-sheet.edge,) * len(names), kind="exact")
    return Plot(
        id="up-cards",
        title=title_of(sheet.choice, "value by the dealer's up card"),
        x_label="dealer's up card",
        y_label="player's expected result",
        y_form="share",
        x_names=names,
        lines=(Line("value", _places(names), values, kind="bars"), all_alike),
        note="Of the first wager, before a hidden blackjack is known. "
        f"{rules_of(sheet.choice)}. Method: {sheet.method}.",
    )


def has_up_cards(choice: Choice) -> bool:
    """Whether the wager is played with a card of the dealer in sight."""
    return is_played(choice) and choice.game.declared.plays_dealer_out


def check_has_up_cards(choice: Choice) -> None:
    if not has_up_cards(choice):
        raise RangeError(
            f'"{choice.wager.id}" of {choice.game.id} is not played against an up card: '
            "value by up card is of main wagers of the blackjack family.",
            code="no_up_cards",
        )


def decks_to_compare(choice: Choice) -> Sequence[int | None]:
    """The shoes of the plot: all there can be, and where each is half a minute's work only the letter's."""
    if is_played(choice) and choice.game.declared.hands > 1:
        return sorted(choice.pay_table.decks or choice.game.decks)
    if choice.game.is_of_sets:
        return [1]
    return [*range(1, MOST_DECKS + 1), *([None] if choice.game.has_endless_shoe else [])]


def decks_plot(choice: Choice, wish: MeterWish | None = None) -> Plot:
    """The edge of each number of decks, under the rules of the choice otherwise."""
    shoes = decks_to_compare(choice)
    edges = [_edge(replace(choice, decks=decks), wish) for decks in shoes]
    names = tuple("infinite" if decks is None else str(decks) for decks in shoes)
    counts = ", ".join(str(decks) for decks in choice.pay_table.decks or choice.game.decks)
    allowed = f"allows {counts}" if gives_decks(choice.game, choice.pay_table) else "gives no deck count"
    table = f"Pay table {choice.pay_table.id}. " if choice.wager.pay_tables else ""
    said = "The description" if choice.source.kind == "public" else "The letter"
    play = "optimal play of each shoe" if is_played(choice) else "every deal counted"
    return Plot(
        id="decks",
        title=title_of(choice, "house edge by number of decks"),
        x_label="decks in a fresh shoe",
        y_label="house edge",
        y_form="share",
        x_names=names,
        lines=(Line("house edge", _places(names), tuple(map(float, edges))),),
        note=f"{table}{said} {allowed}. {choice.game.name}{_changed(choice)}. Method: exact, {play}.",
    )


def _edge(choice: Choice, wish: MeterWish | None) -> float | Fraction:
    return -main_account(choice).value if is_played(choice) else compute_odds(choice, wish).edge


def check_has_meter(choice: Choice) -> None:
    if choice.pay_table.jackpot is None:
        raise RangeError(
            f'"{choice.wager.id}" of {choice.game.id} is not a progressive, so it has no meter.', code="not_progressive"
        )


def meter_edge_plot(odds: OddsSheet) -> Plot:
    """The edge of the next wager by what the meter shows: a straight line through the break-even meter."""
    jackpot, meter, choice = odds.jackpot, odds.meter, odds.choice
    assert jackpot is not None
    assert meter is not None
    if jackpot.break_even is None:
        raise RangeError(
            f'No row of "{choice.wager.id}", pay table {choice.pay_table.id}, pays a share of the meter: '
            "the edge does not depend on it.",
            code="no_share",
        )
    marks = [("break-even", jackpot.break_even), ("seed", Fraction(meter.seed, MICROS_PER_DOLLAR))]
    if jackpot.average_top is not None:
        marks.append(("average 100% award", jackpot.average_top))
    if meter.now is not None:
        marks.append(("now", Fraction(meter.now, MICROS_PER_DOLLAR)))
    last = max(amount for _, amount in marks) * Fraction(5, 4)
    amounts = [last * step / METER_STEPS for step in range(METER_STEPS + 1)]
    edges = tuple(float(1 - jackpot.fixed_return - jackpot.slope * amount) for amount in amounts)
    x = tuple(map(float, amounts))
    life = Line("over the life of the jackpot", (x[0], x[-1]), (float(jackpot.edge),) * 2, kind="exact")
    return Plot(
        id="meter-edge",
        title=title_of(choice, "house edge by what the meter shows"),
        x_label="meter",
        y_label="house edge",
        x_form="dollars",
        y_form="share",
        lines=(Line("of the next wager", x, edges), life),
        marks=tuple(Mark(name, float(amount)) for name, amount in sorted(marks, key=lambda mark: mark[1])),
        note="A meter shared with nobody else in the round. Below zero the next wager is worth more than it costs; the "
        f"money is other players', not the house's. Contribution {percent(meter.contribution, 2)}, reserve "
        f"{percent(meter.reserve, 2)}. {rules_of(choice)}. Method: {odds.method}.",
    )


def bankroll_plot(odds: OddsSheet | PlayedSheet, rounds: int = BANKROLL_ROUNDS) -> Plot:
    """In which bands the player's result stays over so many rounds of one unit each; of a progressive the house's."""
    choice = odds.choice
    times = _spread_out(rounds)
    of_house = isinstance(odds, OddsSheet) and odds.jackpot is not None
    quantiles = [_quantiles(odds, count) for count in times]
    sign = 1 if of_house else -1
    results = [
        sorted(sign * count * value for value in at_count.values)
        for count, at_count in zip(times, quantiles, strict=True)
    ]
    x = (0.0, *map(float, times))
    low, lower, middle, upper, high = ((0.0, *column) for column in zip(*results, strict=True))
    mean = sign * float(odds.edge)
    who = "house" if of_house else "player"
    return Plot(
        id="bankroll",
        title=title_of(choice, f"the {who}'s result over {rounds:,} rounds"),
        x_label="rounds, one unit wagered in each",
        y_label=f"{who}'s result, in units",
        lines=(
            Line("95% of periods", x, (), low, high, kind="band"),
            Line("50% of periods", x, (), lower, upper, kind="band"),
            Line("median", x, middle),
            Line("mean", (0.0, float(rounds)), (0.0, mean * rounds), kind="exact"),
        ),
        note=f"{_bands_note(quantiles, of_house)} {rules_of(choice)}. Method: {odds.method}.",
    )


def _spread_out(rounds: int) -> list[int]:
    """Rounds at which the bands are computed: closer at the beginning, where they bend."""
    shares = [(point / BANKROLL_POINTS) ** 2 for point in range(1, BANKROLL_POINTS + 1)]
    return sorted({max(1, round(rounds * share)) for share in shares})


def _quantiles(odds: OddsSheet | PlayedSheet, rounds: int) -> Quantiles:
    if isinstance(odds, OddsSheet):
        if odds.choice.game.is_beside(odds.choice.wager):
            return normal_quantiles(float(odds.edge), odds.standard_deviation, rounds, BANKROLL_SHARES)
        return hold_quantiles(house_results(odds), rounds, BANKROLL_SHARES)
    return normal_quantiles(odds.edge, odds.account.standard_deviation, rounds, BANKROLL_SHARES)


def _bands_note(quantiles: list[Quantiles], of_house: bool) -> str:
    methods = [at_count.method for at_count in quantiles]
    exact = sum(1 for _ in takewhile(lambda method: method == "exact", methods))
    if exact == len(quantiles):
        text = "Bands from the exact distribution of the sum."
    elif exact == 0:
        text = "Bands by the normal approximation from edge and standard deviation: rough for few rounds."
    else:
        text = "Bands from the exact distribution of the sum, in its last part by the normal approximation."
    if of_house:
        text += " The house puts up the seed; what players pay into the meter is theirs."
    return text
