"""A strategy of one's own: a JSON file with the charts that `croupier strategy --json` prints under `chart`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import CroupierError
from croupier.exact.strategy.base import BaseGame
from croupier.exact.strategy.charts import (
    CARD_NAMES,
    EXCHANGE_LETTERS,
    UP_CARDS,
    charts_of,
    exchange_part,
    exchange_rows,
)
from croupier.exact.strategy.graph import hand_graph
from croupier.exact.strategy.madness import CHART_CELLS, FIRST_CELL, MadnessGame
from croupier.exact.strategy.program import SOFT_CELL
from croupier.exact.strategy.solve import PlayPlan, Solution, is_late
from croupier.exact.strategy.total import Chart
from croupier.exact.strategy.view import graph_arrays
from croupier.kernels.effects import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from croupier.kernels.strategy import CLASSES, DOUBLE_BIT

Array = NDArray[Any]

LETTERS = {
    # letter: hits, doubles, special
    "S": (False, False, 0),
    "H": (True, False, 0),
    "D": (True, True, 0),
    "Ds": (False, True, 0),
    "P": (True, False, SPLIT),
    "R": (True, False, SURRENDER),
    "Rs": (False, False, SURRENDER),
}
MADNESS = {"S": STAND, "H": HIT, "D": DOUBLE}
EXCHANGES = {letter: answer for answer, letter in EXCHANGE_LETTERS.items()}


class StrategyFileError(CroupierError):
    """A strategy file with a cell that is missing or cannot be played."""

    code = "bad_strategy"


def read_charts(path: Path) -> dict[str, Any]:
    """The charts of a file: those under `chart`, or the whole file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise StrategyFileError(
            f"There is no strategy {path} to read: write optimal, total-dependent, or a file.", code="unreadable_file"
        ) from None
    except (ValueError, RecursionError):
        raise StrategyFileError(f"{path} is not JSON; save what `croupier strategy GAME --json` prints.") from None
    charts = data.get("chart", data) if isinstance(data, dict) else None
    if not isinstance(charts, dict):
        raise StrategyFileError(f"{path} holds no charts: an object with hard, soft and pair is needed.")
    return charts


def plan_from_file(path: Path, solution: Solution) -> PlayPlan:
    """The file's charts as a plan; decisions between two hands stay those that go with the best chart."""
    given, wanted = read_charts(path), charts_of(solution)
    actions = MADNESS if isinstance(solution.game, MadnessGame) else LETTERS
    for part, grid in wanted.items():
        letters = EXCHANGES if part == exchange_part(solution.game) else actions
        for row, cells in grid.items():
            for up in cells:
                _cell(path, given, part, row, up, letters)
    codes = np.zeros((CLASSES, _states(solution), len(hand_graph().total)), np.int8)
    for up in UP_CARDS:
        if CARD_NAMES[up] in next(iter(next(iter(wanted.values())).values())):
            codes[up] = (
                _madness_codes(given, up)
                if isinstance(solution.game, MadnessGame)
                else _chart(given, up).codes(codes.shape[1], any_cards=is_late(solution.game))
            )
    usual, decisions = solution.by_total, solution.by_total.decisions.copy()
    for row, starts in exchange_rows(solution.game).items():
        for name, letter in given[exchange_part(solution.game)][row].items():
            decisions[CARD_NAMES.index(name), starts] = EXCHANGES[letter]
    return PlayPlan(account=usual.account, codes=codes, decisions=decisions)


def _cell(path: Path, charts: dict[str, Any], part: str, row: str, up: str, letters: dict[str, Any]) -> str:
    """The letter of a cell, or an error that names the cell."""
    where = f'"{part}" row "{row}" against "{up}"'
    grid = charts.get(part)
    cells = grid.get(row) if isinstance(grid, dict) else None
    letter = cells.get(up) if isinstance(cells, dict) else None
    if letter is None:
        raise StrategyFileError(f"{path} has no cell {where}.", code="missing_cell")
    if letter not in letters or (letter == "P" and part != "pair"):
        accepted = ", ".join(letter for letter in letters if letter != "P" or part == "pair")
        raise StrategyFileError(f"{path}, {where}: {letter!r} cannot be played there; {accepted} can.")
    return str(letter)


def _states(solution: Solution) -> int:
    """What hands are played for, as far as a chart tells it apart."""
    game = solution.game
    return graph_arrays(game.rules, game.round_).states if isinstance(game, BaseGame) else 1


def _chart(charts: dict[str, Any], up: int) -> Chart:
    chart, name = Chart(), CARD_NAMES[up]
    for part, offset in (("hard", 0), ("soft", SOFT_CELL)):
        for row, cells in charts[part].items():
            hits, doubles, special = LETTERS[cells[name]]
            cell = int(row) + offset
            chart.hit[cell], chart.double[cell], chart.surrender[cell] = hits, doubles, special == SURRENDER
    chart.hit[:5] = True
    chart.hit[SOFT_CELL + 12] = True
    for row, cells in charts.get("pair", {}).items():
        special = LETTERS[cells[name]][2]
        chart.pair[CARD_NAMES.index(row.split(",")[0])] = special
    for kind, offset in (("hard", 0), ("soft", SOFT_CELL)):
        for row, cells in charts.get(f"house_{kind}", {}).items():
            chart.house_hit[int(row) + offset], chart.house_double[int(row) + offset], _ = LETTERS[cells[name]]
        for row, cells in charts.get(f"doubled_{kind}", {}).items():
            chart.rescue[int(row) + offset] = LETTERS[cells[name]][2] == SURRENDER
    chart.house_hit[:5] = True
    chart.house_hit[SOFT_CELL + 12] = True
    return chart


def _madness_codes(charts: dict[str, Any], up: int) -> Array:
    cells = np.full(CHART_CELLS, HIT, np.int64)
    name, graph = CARD_NAMES[up], hand_graph()
    for part, offset in (("hard", 0), ("soft", SOFT_CELL)):
        for row, letters in charts[part].items():
            cells[int(row) + offset] = MADNESS[letters[name]]
    for row, letters in charts["first_card"].items():
        cells[FIRST_CELL + CARD_NAMES.index(row)] = MADNESS[letters[name]]
    by_total = cells[graph.total + SOFT_CELL * graph.soft]
    firsts = [graph.of(card) for card in range(CLASSES)]
    by_total[firsts] = cells[FIRST_CELL:]
    if "21" not in charts["hard"]:  # where nobody is asked on 21, no chart says what to do
        by_total[graph.total == 21] = STAND
    return np.where(by_total == DOUBLE, HIT | DOUBLE_BIT, by_total).astype(np.int8)
