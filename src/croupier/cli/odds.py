"""`croupier odds`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.progress import Progress

from croupier.cli.screen import console, print_json, progress_console
from croupier.exact.strategy.result import PlayedSheet
from croupier.library.game import game
from croupier.reports.render.terminal import print_report
from croupier.reports.sheet.fill import brief_odds, brief_play
from croupier.reports.sheet.report import sheet_report
from croupier.rules.choice import OddsRequest


def show_odds(request: OddsRequest, *, meter: Mapping[str, Any], as_json: bool) -> None:
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(f"{request.game} {request.wager}", total=1.0)
        odds = game(request.game).odds(
            request.wager or "",
            pay_table=request.pay_table,
            decks=request.decks,
            side=request.side,
            rules=dict(request.settings),
            progress=lambda share: progress.update(task, completed=share),
            **meter,
        )
    if as_json:
        print_json(odds.to_dict())
    elif isinstance(odds.sheet, PlayedSheet):
        print_report(console(), sheet_report(brief_play(odds.sheet)))
    else:
        print_report(console(), sheet_report(brief_odds(odds.sheet, odds.contradiction)))
