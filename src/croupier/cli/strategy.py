"""`croupier strategy`."""

from __future__ import annotations

from collections.abc import Mapping

from rich.progress import Progress

from croupier.cli.screen import console, print_json, progress_console
from croupier.errors import NotationError
from croupier.exact.played import check_is_played
from croupier.library.game import game
from croupier.reports.render.terminal import print_report
from croupier.reports.strategy.report import strategy_report
from croupier.rules.spec import Game

MOST_SHOWN = 12
"""Exceptions in a terminal."""


def show_strategy(
    game_id: str,
    *,
    pay_tables: list[str],
    decks: str | None,
    settings: Mapping[str, str],
    total_dependent: bool,
    with_effects: bool,
    wager: str | None,
    limit: str | None,
    as_json: bool,
) -> None:
    played = game(game_id)
    check_is_played(played.spec)
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(f"solving {played.id}", total=1.0)
        strategy = played.strategy(
            pay_table=main_pay_table(played.spec, pay_tables),
            decks=decks,
            total_dependent=total_dependent,
            effects=with_effects,
            wager=wager,
            limit=limit,
            rules=settings,
            progress=lambda share: progress.update(task, completed=share),
        )
    if as_json:
        print_json(strategy.to_dict())
    else:
        print_report(console(), strategy_report(strategy.sheet, strategy.effects or (), MOST_SHOWN))


def main_pay_table(game: Game, given: list[str]) -> str | None:
    """`main=2`, or just `2`."""
    first, chosen = game.first_wager.id, None
    for text in given:
        name, equals, table = text.partition("=")
        if not equals:
            name, table = first, text
        if name.strip() != first:
            raise NotationError(
                f'"{text}": a strategy is for the main wager; write --pay-table {first}=ID.', code="bad_pay_table"
            )
        chosen = table.strip()
    return chosen
