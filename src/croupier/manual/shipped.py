"""Makes what comes with the package: results of the default rules of every game, in `croupier/shipped`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import msgspec
from numpy.lib.format import write_array

from croupier.exact.check import is_played
from croupier.exact.keep import Arrays, recording
from croupier.exact.odds import compute_odds
from croupier.exact.played import compute_strategy, main_account
from croupier.exact.shipped import Shipped, paths_of, shipped_for, stamp_of
from croupier.reports.strategy.shown import shown_strategy
from croupier.rules import find_game
from croupier.rules.choice import choose
from croupier.rules.folders import our_folders
from croupier.rules.spec import Game

MOST_BYTES = 24 * 1024 * 1024
"""What takes more memory than this is left out, so that the package stays small: it is computed when it is needed."""


def shipped_files(games: list[str]) -> Iterator[Path]:
    """Makes the files of these games, or of all whose rules have changed; each in a process that remembers nothing of
    the others."""
    wanted = games or [game for game in our_folders() if not _is_whole(game)]
    for game in wanted:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            yield from pool.submit(_make, game).result()


def _is_whole(game: str) -> bool:
    """Whether what there is of a game came from its rules as they are now."""
    shipped = shipped_for(game)
    return shipped is not None and (bytes(shipped.strategy) not in (b"", b"null") or not find_game(game).is_decided)


def _make(game: str) -> tuple[Path, ...]:
    spec = find_game(game)
    shown = b""
    with recording() as arrays:
        edges = edges_of(spec)
        if spec.is_decided:
            sheet = compute_strategy(choose(spec, spec.first_wager.id))
            shown = msgspec.json.encode(shown_strategy(sheet))
    said, data = paths_of(game)
    said.parent.mkdir(exist_ok=True)
    small = {name: kept for name, kept in arrays.items() if sum(array.nbytes for array in kept) <= MOST_BYTES}
    data.unlink(missing_ok=True)
    if small:
        _write_arrays(data, small)
    shipped = Shipped(
        stamp=stamp_of(game),
        edges=edges,
        strategy=msgspec.Raw(shown or b"null"),
        kept={name: len(kept) for name, kept in small.items()},
    )
    said.write_bytes(msgspec.json.encode(shipped) + b"\n")
    return tuple(path for path in (said, data) if path.exists())


def _write_arrays(path: Path, arrays: Mapping[str, Arrays]) -> None:
    """As `numpy.savez` does, a quarter as large as its own compression makes most of them."""
    with ZipFile(path, "w", ZIP_LZMA) as archive:
        for name, kept in arrays.items():
            for number, array in enumerate(kept):
                content = BytesIO()
                write_array(content, array)
                archive.writestr(ZipInfo(f"{name}/{number}.npy"), content.getvalue(), ZIP_LZMA)


def edges_of(game: Game) -> dict[str, str]:
    """The edge of each wager that has odds of its own, under default rules: exact where it is a fraction."""
    edges = {}
    for wager in game.proved_wagers:
        choice = choose(game, wager.id)
        edges[wager.id] = repr(-main_account(choice).value) if is_played(choice) else str(compute_odds(choice).edge)
    assert all(Fraction(edge) is not None for edge in edges.values())
    return edges
