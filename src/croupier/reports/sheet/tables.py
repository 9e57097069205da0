"""The tables of an odds sheet: bands, charts, the dealer's outcomes, what other rules do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.exact.apart import under_up_cards
from croupier.exact.check import Contradiction
from croupier.exact.cover import SAMPLED_DEALS, edges_among
from croupier.exact.dealer_table import BLACKJACK, END_NAMES, dealer_table
from croupier.exact.envy import edge_beside, envy_of_one
from croupier.exact.hold import HoldBand
from croupier.exact.odds import OddsSheet
from croupier.exact.strategy.result import Effect, PlayedSheet
from croupier.reports.formatting import ACTIONS, part_words
from croupier.reports.json_data import beside_rows
from croupier.reports.report import Column, Table, columns, legend_of, rows
from croupier.rules.choice import Choice

DEALER_TABLE = "dealer"
RULES = "rules"
CHART = "chart_"
"""Tables whose ids begin so are charts and ratings."""


def hold_table(bands: list[HoldBand], progressive: bool) -> Table:
    """The band of the hold; every band is of the same method or says otherwise in its row."""
    how = {
        "exact": "From the exact distribution of the sum of that many rounds.",
        "normal": "Normal approximation from edge and standard deviation.",
    }
    notes = [how[method] for method in dict.fromkeys(band.method for band in bands)]
    if progressive:
        notes.append("The house's own result: it puts up the seed; what players pay into the meter is theirs.")
    return Table(
        id="hold",
        title="Hold: 95% of periods lie between",
        columns=(
            Column("rounds, one unit wagered in each", "count"),
            *columns("low", "high", kind="percent", digits=3),
        ),
        rows=rows(*((band.rounds, band.low, band.high) for band in bands)),
        notes=(" ".join(notes),),
    )


def envy_tables(odds: OddsSheet) -> Iterator[Table]:
    """What other players' hands pay, and the edge by how many others there are."""
    choice = odds.choice
    if not choice.pay_table.has_envy:
        return
    stake = f"${choice.pay_table.stake:,}"
    yield Table(
        id="envy",
        title="Envy",
        columns=(
            Column("hand of another player"),
            Column("pays", "count"),
            Column("probability", "number", 10),
            Column("return", "signed", 8),
        ),
        rows=rows(
            *(
                (row.label, row.row.envy, row.probability, row.probability * row.row.envy / choice.pay_table.stake)
                for row in odds.rows
                if row.row and row.row.envy
            )
        ),
        notes=(
            f"Dollars for each such hand, whatever is wagered from {stake} on, and whether or not that player made the "
            f"wager. Returns are of one other player, for each unit of a wager of {stake}.",
        ),
    )
    yield Table(
        id="edge_beside",
        title="House edge by the number of other players",
        columns=(
            Column("other players", "count"),
            Column("envy", "signed", 8),
            Column("house edge", "percent", 5),
        ),
        rows=rows(
            *(
                (others, others * envy_of_one(odds), edge_beside(odds, others))
                for others in range(choice.game.most_seats)
            )
        ),
        notes=(
            f"Exact means, of a wager of {stake}: every hand at the table is as likely as the own one. Figures beside "
            "these, the deviation among them, leave envy out.",
        ),
    )


def cover_table(odds: OddsSheet) -> Iterator[Table]:
    """What a wager on the best hand of the table pays and costs by how many hands are dealt."""
    if not odds.choice.pay_table.cover_all:
        return
    edges = edges_among(odds.choice)
    yield Table(
        id="edge_by_hands",
        title="House edge by the number of hands dealt",
        columns=(
            Column("hands dealt", "count"),
            *(Column(row.label) for row in odds.choice.rows),
            Column("house edge", "percent", 4),
            Column("standard error", "percent", 4),
        ),
        rows=rows(
            *(
                (
                    one.hands,
                    *(row.pays_among(one.hands).text for row in odds.choice.rows),
                    one.edge,
                    one.standard_error,
                )
                for one in edges
            )
        ),
        notes=(
            "The dealer's hand is one of them. Two hands are exact; more are simulated: "
            f"{SAMPLED_DEALS:,} deals, the same each time.",
        ),
    )


def up_card_table(sheet: PlayedSheet) -> Table:
    return Table(
        id="by_up_card",
        title="House edge by the dealer's up card",
        columns=(Column("up card"), *columns(*sheet.by_up_card, kind="percent", digits=2)),
        rows=rows(("edge", *sheet.by_up_card.values())),
        notes=(
            "Of the first wager, before a hidden blackjack is known; by the chance of each up card these average to "
            "the house edge.",
        ),
    )


def under_up_cards_table(choice: Choice) -> Table:
    """A wager that is made once the up card is seen: what it is worth under each."""
    return Table(
        id="under_up_cards",
        title="By the dealer's up card",
        columns=(
            *columns("up card", "pays"),
            *columns("offered", "won", "house edge", kind="percent", digits=4),
        ),
        rows=rows(
            *(
                (one.up_card, one.row.pays.text if one.row is not None else "-", one.offered, one.wins, one.edge)
                for one in under_up_cards(choice)
            )
        ),
        notes=("Offered in so many of all rounds; won and edge are those of the times that it is made.",),
    )


def dealer_outcomes(choice: Choice) -> Table:
    """How the dealer's hand ends. Where 22 does not push it is one bust among others."""
    rules = choice.game.rules_under(choice.switches)
    ends = dealer_table(choice.decks, rules.soft17)
    lines = {**ends.by_up_card, "any": ends.overall}
    names = END_NAMES
    if not rules.pushes_22:
        names = (*END_NAMES[:-3], "bust", BLACKJACK)
        lines = {up: (*line[:-3], line[-3] + line[-2], line[-1]) for up, line in lines.items()}
    hits = "hit" if rules.soft17 else "stood on"
    return Table(
        id=DEALER_TABLE,
        title="Dealer's outcomes",
        columns=(Column("up card"), *columns(*names, kind="percent", digits=3)),
        rows=rows(*((up, *line) for up, line in lines.items())),
        notes=(
            f"Hands drawn to the end with only the up card known; soft 17 is {hits}. Every line adds up to one, "
            "exactly.",
        ),
    )


def chart_tables(sheet: PlayedSheet) -> Iterator[Table]:
    """Charts in letters, with what these mean below the first, and what hands are worth where there are two."""
    charts = tuple(
        Table(
            id=f"{CHART}{part}",
            title=part_words(part),
            columns=(Column("hand"), *columns(*next(iter(grid.values())), kind="letter")),
            rows=rows(*((hand, *cells.values()) for hand, cells in grid.items())),
        )
        for part, grid in sheet.charts.items()
    )
    legend = "; ".join(f"{letter} {words}" for letter, words in legend_of(charts, ACTIONS).items())
    for number, chart in enumerate(charts):
        yield replace(chart, notes=(f"{legend}.",)) if number == 0 and legend else chart
    for part, ratings in sheet.ratings.items():
        yield Table(
            id=f"{CHART}{part}",
            title=part_words(part),
            columns=(Column("hand"), *columns(*next(iter(ratings.values())), kind="signed", digits=3)),
            rows=rows(*((hand, *cells.values()) for hand, cells in ratings.items())),
        )


def beside_table(sheet: PlayedSheet) -> Iterator[Table]:
    """Bonuses on a main wager and wagers that answers added: with the rows above they make up the edge."""
    beside = beside_rows(sheet)
    if beside:
        yield Table(
            id="beside",
            title="Beside the first wager",
            columns=(*columns("row", "pays"), Column("a round", "number", 6), Column("return", "number", 6)),
            rows=rows(*((label, pays, ending.hands, ending.profit) for _, label, pays, ending in beside)),
            notes=("For each unit of the first wager. All returns, here and above, add up to minus the edge.",),
        )


def final_wagers_table(sheet: PlayedSheet) -> Iterator[Table]:
    """Double Down Madness: how large the wager becomes."""
    if sheet.final_wagers:
        yield Table(
            id="final_wagers",
            title="Final wager, in units of the first",
            columns=(Column("final wager"), Column("chance", "scientific", 3)),
            rows=rows(*((f"{stake:g}", chance) for stake, chance in sheet.final_wagers.items())),
        )


def effects_table(effects: list[Effect]) -> Iterator[Table]:
    """What other rules would do; nothing where no switch touches the wager."""
    if effects:
        yield Table(
            id="effects",
            title="Effect of each rule switch",
            columns=(Column("switch = value"), Column("edge", "percent", 4), Column("change", "change", 4)),
            rows=rows(*((f"{effect.switch.id} = {effect.value}", effect.edge, effect.change) for effect in effects)),
            notes=(
                "One switch changed at a time; a change above zero is for the house. Switches that do not touch this "
                "wager are left out.",
            ),
        )


def contradiction_table(contradiction: Contradiction | None) -> Iterator[Table]:
    """Both readings of a letter whose figures do not go with its text; nothing where they agree."""
    if contradiction is not None:
        readings = (("by the text", contradiction.text), ("by the figures", contradiction.figures))
        yield Table(
            id="contradiction",
            title="The letter contradicts itself: house edge by either reading",
            columns=(
                *columns("reading", "rules"),
                *columns("wagers on player", "wagers on banker", kind="percent", digits=2),
            ),
            rows=rows(*((name, reading.rules, *reading.edges.values()) for name, reading in readings)),
            notes=(
                f"Printed is {contradiction.printed}. The text is the default here; a real floor says which reading "
                "the regulator has confirmed.",
            ),
        )


def rules_table(choice: Choice) -> Table:
    """Every switch with the value in force, so that the sheet can be made again."""
    return Table(
        id=RULES,
        title="Rules in force",
        columns=columns("switch", "value", "decides"),
        rows=rows(*((switch.id, choice.switches[switch.id], switch.text) for switch in choice.game.switches)),
    )
