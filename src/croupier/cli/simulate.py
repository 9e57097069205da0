"""`croupier simulate`."""

from __future__ import annotations

from typing import Any

from rich.progress import Progress as Bar
from rich.progress import TextColumn

from croupier.cli.screen import console, print_json, progress_console
from croupier.library.game import game
from croupier.library.simulation import Simulation
from croupier.reports.formatting import percent
from croupier.reports.render.terminal import print_report
from croupier.reports.simulation.report import simulation_report


def show_simulation(game_id: str, options: dict[str, Any], *, as_json: bool) -> None:
    """`options` are the keywords of `Game.simulate`."""
    played = game(game_id)
    columns = (*Bar.get_default_columns(), TextColumn("{task.fields[figures]}"))
    with Bar(*columns, console=progress_console(), transient=True) as bar:
        task = bar.add_task(f"preparing {played.id}", total=None, figures="")

        def seen(run: Simulation) -> None:
            first = run.results[0]
            figures = f"{run.rounds:,} rounds, {run.rounds_per_second / 1e6:.1f} M/s, "
            figures += f"edge {percent(first.best_edge)} +- {percent(first.standard_error)}"
            bar.update(task, description="playing", completed=run.share_done, total=1.0, figures=figures)

        run = played.simulate(**options, progress=seen)
    if as_json:
        print_json(run.to_dict())
    else:
        report = simulation_report(
            run.prepared, run.progress, run.machine, run.compile_seconds, interrupted=run.interrupted
        )
        print_report(console(), report)
