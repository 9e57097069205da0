"""The main games that are solved by the tree or by showdowns, each exactly and from nothing but compiled code.

python -m bench.titles              # writes bench/results/titles.md
python -m bench.titles GAME ...     # prints those alone
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from croupier.exact.played import RECIPES
from croupier.exact.tree_sheet import CountedSheet
from croupier.rules import find_game, game_ids
from croupier.rules.choice import choose

RESULTS = Path(__file__).parent / "results" / "titles.md"
PUBLISHED = {
    "ultimate_texas_holdem": "five days",
    "caribbean_stud": "5.9 s, C++",
    "four_card_poker": "9.9 s, C++",
    "crazy_4_poker": "0.8 s, C++",
    "dj_wild": "1.0 s, C++",
    "i_luv_suits": "2.9 s, C++",
}
"""By others, on their machines: the analyst who printed the strategy, and independent programs for one game each."""
RECIPES_TIMED = ("tree", "showdown")


@dataclass(frozen=True, kw_only=True)
class Timed:
    """One solution."""

    game: str
    recipe: str
    deals: int
    edge: float
    wall: float
    cpu: float
    """Of all threads, system time included."""


def make_anew(name: str, sources: Sequence[Any], make: Callable[[], Any]) -> Any:
    """In the place of `kept`: nothing from disk, nothing left there."""
    return make()


def time_title(id: str) -> Timed:
    """The second of two runs; the first compiles."""
    game = find_game(id)
    choice, recipe = choose(game, game.first_wager.id), game.declared.exact

    def solve() -> CountedSheet:
        sheet = RECIPES[recipe].solved_sheet(choice, cap=0.0, total_dependent=False, progress=None, keep=False)
        assert isinstance(sheet, CountedSheet)
        return sheet

    with patch("croupier.exact.showdown.strengths.kept", make_anew):
        solve()
        begin, before = time.perf_counter(), time.process_time()
        sheet = solve()
        wall, cpu = time.perf_counter() - begin, time.process_time() - before
    return Timed(game=id, recipe=recipe, deals=sheet.played.deals, edge=sheet.edge, wall=wall, cpu=cpu)


def timed_games() -> list[str]:
    return [id for id in sorted(game_ids()) if find_game(id).declared.exact in RECIPES_TIMED]


def lines(games: Sequence[str]) -> list[str]:
    table = [
        "| game, default rules | recipe | deals | edge | wall, s | CPU, s | published |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in map(time_title, games):
        times = f"{one.wall:.2f} | {one.cpu:.2f}"
        published = PUBLISHED.get(one.game, "")
        table.append(f"| {one.game} | {one.recipe} | {one.deals:,} | {100 * one.edge:.5f}% | {times} | {published} |")
    return table


def write_results() -> None:
    load = os.getloadavg()[0]
    text = [
        "# Exact solutions of main games",
        "",
        f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.machine()}. Made by",
        "`python -m bench.titles`: warm, which is to say compiled, and nothing taken from disk. "
        "Deals are orders of cards",
        "for the tree; for showdowns, cards that come at once have no order. Published times are of other people's",
        "programs on their machines.",
        f"The machine's load was {load:.1f} when this began: "
        "beside other work, wall time is longer and CPU time a little.",
        "",
        *lines(timed_games()),
    ]
    RESULTS.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    if sys.argv[1:]:
        print("\n".join(lines(sys.argv[1:])))
    else:
        write_results()
