"""The tables of an odds sheet: bands, charts, the dealer's outcomes, what other rules do."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.exact.check import Contradiction
from croupier.exact.dealer_table import BLACKJACK, END_NAMES, dealer_table
from croupier.exact.hold import HoldBand
from croupier.exact.strategy.result import Effect, PlayedSheet
from croupier.reports.formatting import ACTIONS, part_words, percent, rounded
from croupier.reports.json_data import beside_rows
from croupier.reports.sheet.model import Cell, SheetTable
from croupier.rules.choice import Choice

DEALER_TABLE = "dealer"
CHART = "chart_"
"""Tables whose ids begin so are charts and ratings."""


def _percent(value: Fraction | float, decimals: int) -> Cell:
    return Cell(float(value), percent(Fraction(value), decimals))


def _signed(value: float, decimals: int) -> Cell:
    text = percent(Fraction(value), decimals)
    return Cell(value, text if text.startswith("-") else f"+{text}")


def hold_table(bands: list[HoldBand], progressive: bool) -> SheetTable:
    """The band of the hold; every band is of the same method or says otherwise in its row."""
    how = {
        "exact": "From the exact distribution of the sum of so many rounds.",
        "normal": "Normal approximation from edge and standard deviation.",
    }
    notes = [how[method] for method in dict.fromkeys(band.method for band in bands)]
    if progressive:
        notes.append("The house's own result: it puts up the seed; what players pay into the meter is theirs.")
    return SheetTable(
        id="hold",
        title="Hold: 95% of periods lie between",
        corner="rounds, one unit wagered in each",
        columns=("low", "high"),
        rows=tuple((f"{band.rounds:,}", (_percent(band.low, 3), _percent(band.high, 3))) for band in bands),
        note=" ".join(notes),
    )


def up_card_table(sheet: PlayedSheet) -> SheetTable:
    return SheetTable(
        id="by_up_card",
        title="House edge by the dealer's up card",
        corner="up card",
        columns=tuple(sheet.by_up_card),
        rows=(("edge", tuple(_percent(edge, 2) for edge in sheet.by_up_card.values())),),
        note="Of the first wager, before a hidden blackjack is known; by the chance of each up card these average to "
        "the house edge.",
    )


def dealer_outcomes(choice: Choice) -> SheetTable:
    """How the dealer's hand ends. Where 22 does not push it is one bust among others."""
    rules = choice.game.rules_under(choice.switches)
    found = dealer_table(choice.decks, rules.soft17)
    lines = {**found.by_up_card, "any": found.overall}
    names = END_NAMES
    if not rules.pushes_22:
        names = (*END_NAMES[:-3], "bust", BLACKJACK)
        lines = {up: (*line[:-3], line[-3] + line[-2], line[-1]) for up, line in lines.items()}
    hits = "hit" if rules.soft17 else "stood on"
    return SheetTable(
        id=DEALER_TABLE,
        title="Dealer's outcomes",
        corner="up card",
        columns=names,
        rows=tuple((up, tuple(_percent(chance, 3) for chance in line)) for up, line in lines.items()),
        note=f"Hands drawn to the end with only the up card known; soft 17 is {hits}. Every line adds up to one, "
        "exactly.",
    )


def chart_tables(sheet: PlayedSheet) -> Iterator[SheetTable]:
    """Charts in letters, and what hands are worth where there are two."""
    used = {cell for grid in sheet.charts.values() for cells in grid.values() for cell in cells.values()}
    legend = "; ".join(f"{letter} {words}" for letter, words in ACTIONS.items() if letter in used)
    for number, (part, grid) in enumerate(sheet.charts.items()):
        yield SheetTable(
            id=f"{CHART}{part}",
            title=part_words(part),
            corner="hand",
            columns=tuple(next(iter(grid.values()))),
            rows=tuple((hand, tuple(Cell(cell, cell) for cell in cells.values())) for hand, cells in grid.items()),
            kind="letters",
            note=f"{legend}." if number == 0 and legend else "",
        )
    for part, ratings in sheet.ratings.items():
        yield SheetTable(
            id=f"{CHART}{part}",
            title=part_words(part),
            corner="hand",
            columns=tuple(next(iter(ratings.values()))),
            rows=tuple(
                (hand, tuple(Cell(cell, rounded(Fraction(cell), 3)) for cell in cells.values()))
                for hand, cells in ratings.items()
            ),
        )


def beside_table(sheet: PlayedSheet) -> Iterator[SheetTable]:
    """Bonuses on a main wager and wagers that answers added: with the rows above they make up the edge."""
    rows = beside_rows(sheet)
    if rows:
        yield SheetTable(
            id="beside",
            title="Beside the first wager",
            corner="row",
            columns=("pays", "a round", "return"),
            rows=tuple(
                (
                    label,
                    (
                        Cell(pays, pays),
                        Cell(ending.hands, rounded(Fraction(ending.hands), 6)),
                        Cell(ending.profit, rounded(Fraction(ending.profit), 6)),
                    ),
                )
                for _, label, pays, ending in rows
            ),
            note="For each unit of the first wager. All returns, here and above, add up to minus the edge.",
        )


def final_wagers_table(sheet: PlayedSheet) -> Iterator[SheetTable]:
    """Double Down Madness: how large the wager becomes."""
    if sheet.final_wagers:
        yield SheetTable(
            id="final_wagers",
            title="Final wager, in units of the first",
            corner="final wager",
            columns=("chance",),
            rows=tuple(
                (f"{stake:g}", (Cell(chance, f"{chance:.3e}"),)) for stake, chance in sheet.final_wagers.items()
            ),
        )


def effects_table(effects: list[Effect]) -> Iterator[SheetTable]:
    """What other rules would do; nothing where no switch touches the wager."""
    if effects:
        yield SheetTable(
            id="effects",
            title="Effect of each rule switch",
            corner="switch = value",
            columns=("edge", "change"),
            rows=tuple(
                (f"{one.switch.id} = {one.value}", (_percent(one.edge, 4), _signed(one.change, 4))) for one in effects
            ),
            note="One switch changed at a time; a change above zero is for the house. Switches that do not touch this "
            "wager are left out.",
        )


def contradiction_table(found: Contradiction | None) -> Iterator[SheetTable]:
    """Both readings of a letter whose figures do not go with its text; nothing where they agree."""
    if found is not None:
        yield SheetTable(
            id="contradiction",
            title="The letter contradicts itself: house edge by either reading",
            corner="reading",
            columns=("rules", "wagers on player", "wagers on banker"),
            rows=tuple(
                (name, (_words(one.rules), *(_percent(edge, 2) for edge in one.edges.values())))
                for name, one in (("by the text", found.text), ("as the figures go", found.figures))
            ),
            note=f"Printed is {found.printed}. The text is the default here; a real floor says which reading the "
            "regulator has confirmed.",
        )


def rules_table(choice: Choice) -> SheetTable:
    """Every switch with the value in force, so that the sheet can be made again."""
    return SheetTable(
        id="rules",
        title="Rules in force",
        corner="switch",
        columns=("value", "decides"),
        rows=tuple(
            (switch.id, (_words(choice.switches[switch.id]), _words(switch.text))) for switch in choice.game.switches
        ),
    )


def _words(text: str) -> Cell:
    return Cell(text, text)
