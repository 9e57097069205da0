"""A strategy as a report: figures, charts, exceptions and what other rules cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.exact.strategy.result import Effect, PlayedSheet
from croupier.reports.formatting import change, percent, rounded, shoe_text, when_made
from croupier.reports.json_data import beside_rows, main_rows
from croupier.reports.report import Block, Column, Fact, Facts, Note, Report, Table, columns, rows
from croupier.reports.sheet.tables import chart_tables, effects_table, final_wagers_table, up_card_table
from croupier.rules.choice import Choice

MOST_EXCEPTIONS = 40


def strategy_report(sheet: PlayedSheet, effects: Sequence[Effect] = (), most: int = MOST_EXCEPTIONS) -> Report:
    """`most` is how many exceptions are shown."""
    return Report(
        title=f"{sheet.choice.game.name}: strategy",
        subtitle=_subtitle(sheet.choice),
        blocks=tuple(_blocks(sheet, effects, most)),
    )


def _subtitle(choice: Choice) -> str:
    usual = {switch.id: switch.default for switch in choice.game.switches} | choice.pay_table.settings
    changed = [f"{name} = {value}" for name, value in choice.switches.items() if value != usual[name]]
    return "; ".join([f"Pay table {choice.pay_table.id}, {shoe_text(choice.decks)}", *changed])


def _blocks(sheet: PlayedSheet, effects: Sequence[Effect], most: int) -> Iterator[Block]:
    yield Facts(tuple(_figures(sheet)), "Figures")
    yield from _rules_of_thumb(sheet)
    yield from chart_tables(sheet)
    if sheet.by_up_card:
        yield Note(
            "Across: the dealer's up card. Down: the player's hand. A chart looks at totals only; the exceptions are "
            "hands whose cards call for another play."
        )
    if sheet.exceptions:
        yield _exceptions(sheet, most)
    endings = (*main_rows(sheet), *beside_rows(sheet))
    wagers = sheet.account.wagers
    yield Table(
        title="Where hands end",
        columns=(*columns("row", "pays"), Column("hands a round", "number", 6), Column("return", "signed", 6)),
        rows=rows(*((label, pays, ending.hands, ending.profit / wagers) for _, label, pays, ending in endings)),
        notes=("The return is for each unit of the first wagers.",),
    )
    yield from final_wagers_table(sheet)
    if sheet.by_up_card:
        yield up_card_table(sheet)
    yield from effects_table(list(effects))
    yield Note(f"Method: {sheet.method}; rules of {sheet.choice.game.version}, {sheet.choice.source.named}.")
    yield from (Note(note, "warn") for note in sheet.choice.notes)


def _figures(sheet: PlayedSheet) -> Iterator[Fact]:
    by_chart = "House edge, chart by totals" if sheet.by_up_card else "House edge, chart"
    yield _edge(by_chart if sheet.total_dependent else "House edge, optimal play", sheet.edge)
    if not sheet.total_dependent and sheet.edge_total_dependent != sheet.edge:
        yield _edge(by_chart, sheet.edge_total_dependent)
    if sheet.edge_by_ratings is not None:
        yield _edge("House edge, first decision by ratings", sheet.edge_by_ratings)
    if sheet.usual_edge is not None:
        yield _edge(
            "Under the usual rules", sheet.usual_edge, f"this choice adds {change(sheet.edge - sheet.usual_edge, 5)}"
        )
    yield Fact(label="Standard deviation", text=rounded(sheet.account.standard_deviation, 5))
    yield Fact(label="Mean final wager", text=rounded(sheet.account.mean_final_wager, 5))
    yield _edge("Element of risk", sheet.element_of_risk)
    if sheet.insurance is not None:
        yield Fact(label="Insurance, edge if always taken", text=percent(sheet.insurance.edge, 3))
        yield Fact(label="Insurance, take it", text=sheet.insurance.take)
    if sheet.asked_wager is not None:
        yield Fact(label=f"{sheet.asked_wager.name}, edge if always made", text=percent(sheet.asked_wager.edge, 3))
        yield Fact(label=f"{sheet.asked_wager.name}, make it", text=when_made(sheet.asked_wager))


def _rules_of_thumb(sheet: PlayedSheet) -> Iterator[Table]:
    if sheet.followed:
        yield Table(
            title="Rules of thumb",
            columns=(Column("house edge", "percent", 5), Column("more than best play", "percent", 5), Column("rule")),
            rows=rows(*((rule.edge, rule.cost, rule.text) for rule in sheet.followed)),
        )


def _edge(label: str, edge: float, detail: str = "") -> Fact:
    return Fact(label=label, text=percent(edge, 5), detail=detail)


def _exceptions(sheet: PlayedSheet, most: int) -> Table:
    exceptions = sheet.exceptions
    hands = "1 hand" if len(exceptions) == 1 else f"{len(exceptions)} hands"
    two = ", on average over the other hand" if sheet.ratings else ""
    notes = [f"{hands} where composition changes the play{two}."]
    if len(exceptions) > most:
        notes.append(f"And {len(exceptions) - most} more, which matter less: --json lists them all.")
    return Table(
        title="Exceptions",
        columns=(*columns("hand", "against"), *columns("chart", "best"), Column("gain", "number", 6)),
        rows=rows(
            *(
                (exception.hand, exception.up_card, exception.chart, exception.best, exception.gain)
                for exception in exceptions[:most]
            )
        ),
        notes=tuple(notes),
    )
