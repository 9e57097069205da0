"""`croupier meter`."""

from __future__ import annotations

from typing import Any

from croupier.cli.screen import console, files_to_write, print_json, progress_console, write_whole
from croupier.library.meter import Meter
from croupier.reports.render.terminal import print_report
from croupier.reports.simulation.meter_report import meter_report


def show_meter(
    game_id: str,
    wager_id: str | None,
    settings: dict[str, Any],
    *,
    years: str | None,
    seed: int,
    threads: int | None,
    pictures: dict[str, str | None],
    as_json: bool,
) -> None:
    """`settings` are the keywords of a `Meter`."""
    files = files_to_write(pictures, "picture")
    with progress_console().status(f"exact odds of {game_id}"):
        meter = Meter(game_id, wager_id, **settings)
    with progress_console().status("simulating years"):
        simulated = meter.simulate(years, seed=seed, threads=threads)
    result = simulated.result
    for path in files:
        from croupier.reports.plots.draw import picture, picture_kind
        from croupier.reports.plots.simulated import meter_plots, meter_title

        drawn = picture(meter_plots(result, seed), picture_kind(path), title=meter_title(result, seed), columns=2)
        write_whole(path, drawn)
    data = simulated.to_dict()
    if as_json:
        print_json(data)
    else:
        how = (
            f"{result.counts.years:,} years of 52 weeks and as many cycles between 100% awards in "
            f"{data['seconds']:.2f} s, {data['years_per_second']:,.0f} a second; random seed {seed}"
        )
        print_report(console(), meter_report(result, how))
