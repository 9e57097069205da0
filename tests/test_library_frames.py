"""Columns over the Arrow interface: polars, pyarrow and pandas read them as they are, and nothing is left behind."""

from __future__ import annotations

import gc
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import croupier
from croupier.library import arrow

CELLS: dict[str, tuple[Any, ...]] = {
    "whole": (1, None, -(2**63)),
    "part": (0.5, float("-inf"), None),
    "mixed": (1, 2.5, None),
    "text": ("Ünïcode ♠", None, ""),
    "none": (None, None, None),
    "large": (2**63, 1, 2),
}
FRAME = croupier.Frame(CELLS)
READ: dict[str, tuple[Any, ...]] = CELLS | {"mixed": (1.0, 2.5, None), "large": (2.0**63, 1.0, 2.0)}


def test_polars_reads_every_kind_of_column() -> None:
    data = polars.DataFrame(FRAME)
    assert {name: tuple(data[name]) for name in data.columns} == READ
    assert [str(kind) for kind in data.dtypes] == ["Int64", "Float64", "Float64", "String", "Float64", "Float64"]


def test_pyarrow_reads_every_kind_of_column() -> None:
    table = pyarrow.table(FRAME)
    table.validate(full=True)
    assert {name: tuple(column) for name, column in table.to_pydict().items()} == READ


def test_pandas_reads_a_sweep() -> None:
    game = croupier.game("blackjack")
    sweep = croupier.frame(game.odds("lucky_lucky", decks=decks) for decks in (1, 2, 6, "inf"))
    data = pandas.DataFrame.from_arrow(sweep)
    assert list(data["edge"]) == list(sweep["edge"])
    assert data["decks"].isna().sum() == 1


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 1000])
def test_any_number_of_rows_is_whole(rows: int) -> None:
    frame = croupier.Frame.of_rows({"a": None if n % 3 else n, "b": f"{n}"} for n in range(rows))
    read = pyarrow.table(frame).to_pydict() if rows else {}
    assert {name: tuple(column) for name, column in read.items()} == frame.columns


def test_results_are_frames_themselves() -> None:
    odds = croupier.game("blackjack").odds("lucky_lucky")
    assert polars.DataFrame(odds)["return"].sum() == pytest.approx(-float(odds.edge))
    assert polars.DataFrame(croupier.games()).columns == ["game", "wager", "kind", "pay_tables"]
    chart = pyarrow.table(croupier.game("blackjack").strategy())
    assert chart.column_names == ["part", "hand", "against", "play"]


def test_nothing_is_held_once_it_is_read_or_dropped() -> None:
    gc.collect()
    before = len(arrow._held), len(arrow._streams)
    for _ in range(50):
        polars.DataFrame(FRAME)
        pyarrow.table(FRAME).slice(1).to_pydict()
        FRAME.__arrow_c_stream__()
        pyarrow.RecordBatchReader.from_stream(FRAME).close()
    gc.collect()
    assert (len(arrow._held), len(arrow._streams)) == before


def test_columns_that_were_read_outlive_their_frame() -> None:
    read = pyarrow.table(croupier.Frame({"a": tuple(range(10_000)), "b": tuple(map(str, range(10_000)))}))
    column = read.column("b").chunk(0)
    del read
    gc.collect()
    assert column[9_999].as_py() == "9999"
