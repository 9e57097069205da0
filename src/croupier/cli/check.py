"""`croupier check`."""

from __future__ import annotations

from functools import partial

from rich.progress import Progress, TaskID

from croupier.cli.screen import console, print_json, progress_console
from croupier.exact.check import CheckedFigure
from croupier.library.game import game
from croupier.reports.json_data import checked_data
from croupier.reports.published import check_report
from croupier.reports.render.terminal import print_report
from croupier.rules import game_ids


def show_check(game_id: str | None, *, as_json: bool) -> int:
    """Prints all verdicts; the exit status is 1 when a difference has no finding."""
    chosen = [game(name) for name in ([game_id] if game_id is not None else game_ids())]
    results: list[CheckedFigure] = []
    with Progress(console=progress_console(), transient=True) as progress:
        task = progress.add_task("checking published figures", total=len(chosen))
        for each in chosen:
            done = progress.tasks[task].completed
            results += each.check(progress=partial(_tell, progress, task, done)).figures
    if as_json:
        print_json([checked_data(item) for item in results])
    else:
        print_report(console(), check_report([each.spec for each in chosen], results))
    return 1 if any(item.fails for item in results) else 0


def _tell(progress: Progress, task: TaskID, done: float, share: float) -> None:
    progress.update(task, completed=done + share)
