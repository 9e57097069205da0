"""The documentation page of a game's strategy, filled from the solver. One fixed form for all games."""

from __future__ import annotations

from croupier.exact.played import compute_strategy, main_account, switch_effects
from croupier.reports.documentation.game import MADE
from croupier.reports.render.markdown import markdown, report_markdown
from croupier.reports.report import Block, Column, Heading, Table, columns, rows
from croupier.reports.sheet.tables import effects_table
from croupier.reports.strategy.report import strategy_report
from croupier.rules.choice import choose
from croupier.rules.spec import Game


def strategy_page(game: Game) -> str:
    """Markdown of one game's strategy."""
    return strategy_head(game) + strategy_costs(game)


def strategy_head(game: Game) -> str:
    """Figures, charts and exceptions under the default rules."""
    sheet = compute_strategy(choose(game, game.first_wager.id))
    how = f"`croupier strategy {game.id}` prints this for any rules: `--decks`, `--pay-table`, `--set SWITCH=VALUE`."
    return f"{MADE}\n\n{report_markdown(strategy_report(sheet))}\n\n{how}\n"


def strategy_costs(game: Game) -> str:
    """What decks and switches do to the edge."""
    base = choose(game, game.first_wager.id)
    edge = -main_account(base).value
    decks = [str(number) for number in game.decks] + (["inf"] if game.has_endless_shoe else [])
    of_decks = (-main_account(choose(game, base.wager.id, decks=number)).value for number in decks)
    tables = [table.id for table in game.first_wager.pay_tables]
    of_tables = (-main_account(choose(game, base.wager.id, pay_table=table)).value for table in tables)
    heads = (number.replace("inf", "infinite") for number in decks)
    blocks: tuple[Block, ...] = (
        Heading(2, "What rules cost"),
        Table(
            columns=(Column("decks"), *columns(*heads, kind="percent", digits=4)),
            rows=rows(("edge of optimal play", *of_decks)),
        ),
        Table(
            columns=(Column("pay table"), Column("edge at the default decks", "percent", 4)),
            rows=rows(*((f"table {table}", edge) for table, edge in zip(tables, of_tables, strict=True))),
        ),
        *effects_table(list(switch_effects(base, edge))),
    )
    return f"\n{markdown(blocks)}\n"
