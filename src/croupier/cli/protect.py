"""`croupier protect`."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.progress import Progress

from croupier.cli.screen import console, files_to_write, print_json, progress_console, write_whole
from croupier.library.game import game
from croupier.library.protection import vulnerability
from croupier.reports.render.terminal import print_report


def show_protection(game_id: str, wager: str, options: dict[str, Any], *, pdf: str | None, as_json: bool) -> None:
    """`options` are the keywords of `Game.protect`."""
    files = files_to_write({"pdf": pdf}, "page")
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task(f"{game_id} {wager}", total=1.0)
        protection = vulnerability(game(game_id), wager, options, lambda share: progress.update(task, completed=share))
    for path in files:
        from croupier.reports.sheet.files import protection_pdf

        write_whole(path, protection_pdf(protection.report, protection.choice))
    if as_json:
        print_json(protection.to_dict())
    elif files:
        console().print(f"wrote {escape(str(files[0]))}", soft_wrap=True)
    else:
        print_report(console(), protection.report)
