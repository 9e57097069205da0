"""The documentation page of a game's strategy, filled from the solver. One fixed form for all games."""

from __future__ import annotations

from croupier.exact.played import compute_strategy, main_account, switch_effects
from croupier.exact.strategy.charts import Grid, Ratings
from croupier.exact.strategy.result import PlayedSheet
from croupier.reports.documentation.document import markdown_table
from croupier.reports.documentation.game import MADE
from croupier.reports.formatting import part_words, shoe_text
from croupier.reports.json_data import beside_rows, main_rows
from croupier.rules.choice import choose
from croupier.rules.spec import Game

MOST_EXCEPTIONS = 40


def strategy_page(game: Game) -> str:
    """Markdown of one game's strategy."""
    return strategy_head(game) + strategy_costs(game)


def strategy_head(game: Game) -> str:
    """Figures, charts and exceptions under the default rules."""
    sheet = compute_strategy(choose(game, game.first_wager.id))
    parts = [
        MADE,
        f"# {game.name}: strategy",
        f"`croupier strategy {game.id}` prints this for any rules: `--decks`, `--pay-table`, `--set SWITCH=VALUE`.",
        f"Pay table {sheet.choice.pay_table.id}, {shoe_text(sheet.choice.decks)}, the rules' defaults. "
        f"Method: {sheet.method}.",
        "## Figures",
        _figures(sheet),
        "Where hands end; the return is for each unit of the first wagers:",
        _endings(sheet),
        *_by_up_card(sheet),
        "## Charts",
    ]
    if sheet.by_up_card:
        parts.append(LETTERS)
    for part, grid in sheet.charts.items():
        parts += [f"### {part_words(part)}", _grid(grid)]
    for part, ratings in sheet.ratings.items():
        parts += [f"### {part_words(part)}", _ratings(ratings)]
    if sheet.exceptions:
        parts += ["## Exceptions", _exceptions(sheet)]
    return "\n\n".join(parts) + "\n"


LETTERS = (
    "S stand, H hit, D double or else hit, Ds double or else stand, P split, R surrender or else hit, Rs surrender "
    "or else stand. A chart looks at totals only; the exceptions below it are hands that are better played "
    "otherwise once their cards are looked at."
)


def _by_up_card(sheet: PlayedSheet) -> list[str]:
    if not sheet.by_up_card:
        return []
    edges = [f"{100 * edge:.3f}%" for edge in sheet.by_up_card.values()]
    return ["House edge by dealer up card:", markdown_table(["up card", *sheet.by_up_card], [["edge", *edges]])]


def strategy_costs(game: Game) -> str:
    """What decks and switches do to the edge."""
    base = choose(game, game.first_wager.id)
    edge = -main_account(base).value
    decks = [str(number) for number in game.decks] + (["inf"] if game.has_endless_shoe else [])
    edges = [f"{-100 * main_account(choose(game, base.wager.id, decks=number)).value:.4f}%" for number in decks]
    rows = [
        [f"`{one.switch.id}`", one.value, f"{100 * one.edge:.4f}%", f"{100 * one.change:+.4f}%"]
        for one in switch_effects(base, edge)
    ]
    tables = [
        [f"table {table.id}", f"{-100 * main_account(choose(game, base.wager.id, pay_table=table.id)).value:.4f}%"]
        for table in game.first_wager.pay_tables
    ]
    parts = [
        "\n## What rules cost",
        "Edge of optimal play by the number of decks:",
        markdown_table(["decks", *(number.replace("inf", "endless") for number in decks)], [["edge", *edges]]),
        "By pay table, at the default decks:",
        markdown_table(["pay table", "edge"], tables),
        f"One switch changed at a time, from {100 * edge:.4f}%; switches that do not touch the main wager are left "
        "out. A change above zero is for the house.",
        markdown_table(["switch", "value", "edge", "change"], rows),
    ]
    return "\n\n".join(parts) + "\n"


def _figures(sheet: PlayedSheet) -> str:
    rows = [
        ["house edge, optimal play", f"{100 * sheet.edge:.5f}%"],
    ]
    if sheet.by_up_card:
        rows.append(["house edge, chart by totals", f"{100 * sheet.edge_total_dependent:.5f}%"])
    rated = sheet.edge_by_ratings
    if rated is not None:
        rows.append(["house edge, first decision by ratings", f"{100 * rated:.5f}%"])
    rows += [
        ["standard deviation", f"{sheet.account.standard_deviation:.4f}"],
        ["mean final wager", f"{sheet.account.mean_final_wager:.5f}"],
        ["element of risk", f"{100 * sheet.element_of_risk:.5f}%"],
    ]
    if sheet.insurance is not None:
        rows.append(["insurance, edge if always taken", f"{100 * sheet.insurance.edge:.3f}%"])
        rows.append(["insurance, take it", sheet.insurance.take])
    for stake, chance in sheet.final_wagers.items():
        rows.append([f"final wager of {stake:g} units", f"{chance:.3e}"])
    return markdown_table(["figure", "value"], rows)


def _endings(sheet: PlayedSheet) -> str:
    rows = [
        [label, pays, f"{ending.hands:.6f}", f"{ending.profit / sheet.account.wagers:+.6f}"]
        for _, label, pays, ending in (*main_rows(sheet), *beside_rows(sheet))
    ]
    return markdown_table(["row", "pays", "hands a round", "return"], rows)


def _grid(grid: Grid) -> str:
    return markdown_table(["", *next(iter(grid.values()))], [[row, *cells.values()] for row, cells in grid.items()])


def _ratings(ratings: Ratings) -> str:
    rows = [[row, *(f"{cell:+.3f}" for cell in cells.values())] for row, cells in ratings.items()]
    return markdown_table(["hand", *next(iter(ratings.values()))], rows)


def _exceptions(sheet: PlayedSheet) -> str:
    found = sheet.exceptions
    rows = [[one.hand, one.up_card, one.chart, one.best, f"{one.gain:.5f}"] for one in found[:MOST_EXCEPTIONS]]
    more = f"\n\nAnd {len(found) - len(rows)} more, which matter less." if len(found) > len(rows) else ""
    head = "Hands of two cards, on average over the other hand.\n\n" if sheet.ratings else ""
    return head + markdown_table(["hand", "against", "chart", "best", "gain"], rows) + more
