"""`croupier games`."""

from __future__ import annotations

import sys

from rich.markup import escape

from croupier.cli.screen import console, print_json, simple_table
from croupier.errors import CroupierError
from croupier.reports.json_data import game_data
from croupier.rules import find_game, game_ids
from croupier.rules.folders import installed_ids
from croupier.rules.loader import game_schema
from croupier.rules.registry import read_installed
from croupier.rules.spec import Game


def show_games(wanted: str | None, *, as_json: bool, schema: bool) -> None:
    if schema:
        print_json(game_schema())
        return
    games = [find_game(name) for name in game_ids()] + _installed() if wanted is None else [find_game(wanted)]
    if as_json:
        print_json([game_data(game) for game in games])
        return
    for game in games:
        _show_game(game)
    console().print("[dim]croupier odds GAME WAGER   shows the exact odds of a wager.[/dim]")


def _installed() -> list[Game]:
    """Games of installed packages, as their files say: no code of theirs is run for a list. A bad one is only noted."""
    games = []
    for name in installed_ids():
        try:
            games.append(read_installed(name))
        except CroupierError as error:
            sys.stderr.write(f"croupier: note: the installed game {name} is left out: {error}\n")
    return games


def _show_game(game: Game) -> None:
    out = console()
    decks = ", ".join(str(number) for number in game.decks)
    out.print(f"[bold]{game.id}[/bold]  {escape(game.name)}")
    out.print(f"  {escape(game.summary)}")
    source = game.source
    letter = source.draft_text or f"{source.named} of {source.date}"
    out.print(f"  [dim]{escape(letter)}; decks {decks}; {len(game.published)} published figures[/dim]")
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
