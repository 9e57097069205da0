"""`make bench`: measures everything and writes the tables to bench/results/latest.md as well."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

from bench import (
    actions,
    agents,
    agreement,
    exact,
    floor,
    growth,
    hostile,
    lab,
    ledger,
    library,
    own_side_bet,
    play,
    reports,
    sheet,
    startup,
    strategy,
    streams,
    web,
)

RESULTS = Path(__file__).parent / "results" / "latest.md"


def main() -> None:
    lines = [
        "# Measured",
        "",
        f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.machine()}. Made by `make bench`.",
    ]
    lines += ["", "## Whole commands, seconds", "", "| command | empty cache | warm, median |", "|---|---|---|"]
    lines += [f"| `croupier {name}` | {cold:.2f} | {warm:.2f} |" for name, cold, warm in startup.measure()]
    lines += [
        "",
        "## Exact engine in a warm process, 8 decks, milliseconds",
        "",
        "| wager | outcomes | sheet |",
        "|---|---|---|",
    ]
    lines += [f"| {name} | {first:.2f} | {second:.2f} |" for name, first, second in exact.measure()]
    lines += ["", "## The library", "", *library.lines()]
    lines += ["", "## Odds sheets on paper, warm", "", *sheet.lines()]
    lines += ["", "## The docs' example of a side bet from outside, end to end", "", *own_side_bet.lines()]
    lines += ["", "## Solver, warm, one core, optimal play and best chart from scratch", ""]
    lines += ["| game, default rules | seconds | edge | edge by totals |", "|---|---|---|---|"]
    lines += [
        f"| {one.game} | {one.seconds:.2f} | {100 * one.edge:.5f}% | {100 * one.by_total:.5f}% |"
        for one in strategy.measure()
    ]
    strategy.plot_by_decks(strategy.by_decks(), RESULTS.parent / "strategy_by_decks.svg")
    lines += ["", "![seconds by decks](strategy_by_decks.svg)", ""]
    lines += ["| advice in play | milliseconds, median |", "|---|---|"]
    lines += [f"| {name} | {milliseconds:.1f} |" for name, milliseconds in strategy.advice()]
    lines += ["", "## One round replayed in plain Python, one seat, microseconds", "", "| game | median |", "|---|---|"]
    lines += [f"| {name} | {micros:.0f} |" for name, micros in play.replays()]
    lines += [
        "",
        "## Self-play through the table's commands, one seat, one core",
        "",
        "| game | rounds/s |",
        "|---|---|",
    ]
    lines += [f"| {name} | {speed:,.0f} |" for name, speed in play.self_play()]
    lines += [
        "",
        "## Jackpot wagers booked durably, and their ratio to raw rows each committed alone",
        "",
        *ledger.lines(),
        "",
        *floor.lines(),
        "",
        "## Reading and starting as the ledger grows",
        "",
        *growth.lines(),
        "",
        "## Reports on a long log",
        "",
        *reports.lines(),
        "",
        "## The floor in a browser",
        "",
        *web.lines(),
        "",
        "## Presses at a thousand tables",
        "",
        *actions.lines("sqlite"),
        "",
        *actions.lines("postgresql", "--workers", str(os.cpu_count() or 1)),
        "",
        "## A dealer beside hostile clients",
        "",
        *hostile.lines(),
        "",
        "## Dealers beside open streams",
        "",
        *streams.lines(),
        "",
        "## The lab's recompute, warm",
        "",
        *lab.lines(),
    ]
    lines += ["", "## Agents playing blackjack by the toss of a coin, one core", "", *agents.lines()]
    lines += [
        "",
        "## Exact against simulation of full rounds, all wagers at once, all cores",
        "",
        "| wager | rounds | rounds/s | simulated edge | exact edge | z |",
        "|---|---|---|---|---|---|",
    ]
    for item in agreement.measure():
        edges = f"{100 * item.edge:.4f}% | {100 * item.exact:.4f}%"
        speed = f"{item.rounds_per_second / 1e6:.1f} M"
        lines.append(f"| {item.wager} | {item.rounds:.1e} | {speed} | {edges} | {item.z:+.2f} |")
    text = "\n".join(lines) + "\n"
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
