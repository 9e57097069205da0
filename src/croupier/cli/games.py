"""`croupier games`."""

from __future__ import annotations

import sys

from rich.markup import escape

from croupier.cli.screen import console, print_json
from croupier.library.catalog import games
from croupier.library.game import game
from croupier.reports.documentation.titles import titles_data, titles_report
from croupier.reports.render.terminal import print_report, simple_table
from croupier.rules.loader import game_schema
from croupier.rules.spec import Game


def show_games(wanted: str | None, *, as_json: bool, schema: bool) -> None:
    if schema:
        print_json(game_schema())
        return
    if wanted is None:
        catalog = games()
        listed = list(catalog)
        for note in catalog.notes:
            sys.stderr.write(f"croupier: note: {note}\n")
    else:
        listed = [game(wanted)]
    if as_json:
        print_json([game.to_dict() for game in listed])
        return
    for one in listed:
        _show_game(one.spec)
    console().print("[dim]croupier odds GAME WAGER   shows the exact odds of a wager.[/dim]")


def show_titles(*, as_json: bool) -> None:
    if as_json:
        print_json(titles_data())
    else:
        print_report(console(), titles_report())


def _show_game(game: Game) -> None:
    out = console()
    decks = ", ".join(str(number) for number in game.decks)
    out.print(f"[bold]{game.id}[/bold]  {escape(game.name)}")
    out.print(f"  {escape(game.summary)}")
    out.print(f"  [dim]{escape(game.source.dated)}; decks {decks}; {len(game.published)} published figures[/dim]")
    table = simple_table("  wager", "pay tables", "wins when")
    for wager in game.wagers:
        table.add_row(f"  {wager.id}", ", ".join(item.id for item in wager.pay_tables), escape(wager.text))
    out.print(table)
    switches = simple_table("  switch", "values, default first", "decides")
    for switch in game.switches:
        others = [value for value in switch.values if value != switch.default]
        switches.add_row(f"  {switch.id}", " | ".join([switch.default, *others]), escape(switch.text))
    out.print(switches)
    out.print()
