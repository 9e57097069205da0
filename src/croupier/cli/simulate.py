"""`croupier simulate`."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress as Bar
from rich.progress import TextColumn

from croupier.cli.screen import console, print_json, progress_console, simple_table
from croupier.errors import NotationError
from croupier.reports.formatting import percent, shoe_text
from croupier.reports.simulation.compare import Simulation, Wish, prepare
from croupier.reports.simulation.data import simulation_data
from croupier.reports.simulation.length import Effort, goal_of, read_effort, require_seed
from croupier.rules import find_game
from croupier.simulate.driver import (
    Goal,
    Machine,
    Progress,
    load_checkpoint,
    run_until,
    save_checkpoint,
)
from croupier.simulate.estimate import final_wagers, net_results
from croupier.simulate.machines import find_machine

CHECKPOINT_SECONDS = 5.0


def show_simulation(
    game_id: str,
    wish: Wish,
    effort: Effort,
    *,
    seed: int,
    backend: str,
    threads: int | None,
    cluster: str | None,
    checkpoint: str | None,
    as_json: bool,
) -> None:
    game = find_game(game_id)
    target = read_effort(effort)
    require_seed(seed)
    machine = find_machine(backend, threads=threads, cluster=cluster)
    with progress_console().status(f"preparing {game.id}"):
        simulation = prepare(game, wish)
    goal = goal_of(target, simulation.spec)
    path = Path(checkpoint) if checkpoint is not None else None
    progress = load_checkpoint(simulation.spec, seed, path) if path else Progress(simulation.spec, seed)
    start = time.perf_counter()
    with progress_console().status("compiling"):
        machine.warm_up(simulation.spec)
    compiled = time.perf_counter() - start
    interrupted = _run(simulation, progress, machine, goal, path)
    if progress.rounds == 0:
        raise NotationError("Stopped before a single round was played.", code="nothing_played")
    data = simulation_data(simulation, progress, machine, compiled)
    if as_json:
        print_json(data | {"interrupted": interrupted})
    else:
        _print(console(), simulation, progress, machine, compiled, interrupted)


def _run(simulation: Simulation, progress: Progress, machine: Machine, goal: Goal, path: Path | None) -> bool:
    """Plays with a live line; returns whether somebody stopped it."""
    saved = time.perf_counter()
    columns = (*Bar.get_default_columns(), TextColumn("{task.fields[figures]}"))
    with Bar(*columns, console=progress_console(), transient=True) as bar:
        task = bar.add_task("playing", total=goal.chunks or goal.seconds, figures="")

        def seen(now: Progress) -> None:
            nonlocal saved
            first = simulation.results(now.counts)[0]
            speed = now.rounds / max(now.seconds, 1e-9)
            figures = f"{now.rounds:,} rounds, {speed / 1e6:.1f} M/s, edge {100 * first.best_edge:.4f}% "
            figures += f"+- {100 * first.standard_error:.4f}"
            bar.update(task, completed=now.chunks if goal.chunks else now.seconds, figures=figures)
            if path and time.perf_counter() - saved > CHECKPOINT_SECONDS:
                save_checkpoint(now, path)
                saved = time.perf_counter()

        try:
            run_until(progress, machine, goal, error_of=simulation.error_of, seen=seen)
            interrupted = False
        except KeyboardInterrupt:
            interrupted = True
    if path:
        save_checkpoint(progress, path)
    return interrupted


def _print(
    out: Console, simulation: Simulation, progress: Progress, machine: Machine, compiled: float, interrupted: bool
) -> None:
    spec = simulation.spec
    out.print(f"[bold]{escape(simulation.game.name)}[/bold]")
    shuffle = {
        "fresh": "shuffled every round",
        "cut-card": f"cut card at {spec.cut} cards",
        "continuous": f"continuous shuffler with {spec.cut} cards in the chute",
    }[spec.shuffle]
    seats = "1 seat" if spec.rules.seats == 1 else f"{spec.rules.seats} seats"
    strategy = f", {escape(simulation.strategy)} strategy" if simulation.account else ""
    out.print(f"{shoe_text(spec.decks)}, {seats}, {shuffle}{strategy}")
    speed = progress.rounds / max(progress.seconds, 1e-9)
    stopped = "stopped after " if interrupted else ""
    out.print(
        f"[dim]{stopped}{progress.rounds:,} rounds in {progress.seconds:.2f} s, {speed / 1e6:.2f} million a second on "
        f"{machine.name}; compiled in {compiled:.1f} s; seed {progress.seed}, {progress.chunks} chunks of run "
        f"{spec.hash}[/dim]\n"
    )
    columns = ("edge", "+- 95%", "deviation", "hits", "exact", "z")
    table = simple_table("wager", *columns, numbers=columns)
    for one in simulation.results(progress.counts):
        estimate = one.estimate
        table.add_row(
            one.name,
            percent(Fraction(estimate.edge), 4),
            f"{196 * estimate.standard_error:.4f}",
            f"{estimate.standard_deviation:.4f}",
            f"{100 * estimate.hit_frequency:.3f}%",
            percent(Fraction(one.exact), 4) if one.exact is not None else "-",
            f"{one.z:+.2f}" if one.z is not None else "-",
        )
    out.print(table)
    for one in simulation.results(progress.counts):
        if one.reduced is not None:
            gain = (one.estimate.standard_error / one.reduced.standard_error) ** 2
            out.print(
                f"{one.name} by control variate: {percent(Fraction(one.reduced.edge), 4)} +- "
                f"{196 * one.reduced.standard_error:.4f} (95%), as good as {gain:.1f} times the rounds"
            )
        if one.misses_rare_rows:
            out.print(
                f"[yellow]note:[/yellow] {one.name}: its rarest awards have hardly come, so that its deviation, which "
                f"is {one.exact_deviation:.4f}, and +- come out too small; z is by the exact one"
            )
    if simulation.main is not None:
        _print_hands(out, simulation, progress)
    if spec.shuffle != "fresh":
        out.print("[dim]exact is for a fresh shoe, so it is not compared[/dim]")
    for note in simulation.notes:
        out.print(f"[yellow]note:[/yellow] {escape(note)}")


RARE = 0.0005
"""Results of fewer rounds are left to --json."""


def _print_hands(out: Console, simulation: Simulation, progress: Progress) -> None:
    """What a seat's round came to, and what was on the table at its end, in first wagers of one hand."""
    for title, found in (
        ("net result", net_results(simulation.spec, progress.counts)),
        ("final wager", final_wagers(progress.counts)),
    ):
        whole = sum(found.values())
        often = [(value, number / whole) for value, number in found.items() if number >= RARE * whole]
        text = ", ".join(f"{float(value):g}: {100 * share:.2f}%" for value, share in often)
        out.print(f"{title}  {text}")
