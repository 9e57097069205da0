"""Results kept on disk: used again, made anew when damaged, done without when there is no place for them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from croupier.exact.keep import Arrays, kept
from croupier.kernels.link import VERSIONS_KEPT, cache_folder, cache_is_writable, forget_older

pytestmark = pytest.mark.slow

ODDS = [
    sys.executable,
    "-c",
    "from croupier.cli import main; main()",
    "odds",
    "double_down_madness",
    "push_22",
    "--json",
]


def odds(folder: Path) -> dict[str, object]:
    """An odds sheet from a process of its own, which remembers nothing, with results kept in `folder`."""
    said = subprocess.run(
        ODDS, env=os.environ | {"CROUPIER_CACHE": str(folder)}, capture_output=True, text=True, check=False
    )
    assert (said.returncode, said.stderr) == (0, "")
    return json.loads(said.stdout)  # type: ignore[no-any-return]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


class Maker:
    """Counts how often the result is really made."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Arrays:
        self.times += 1
        return np.arange(5), np.ones((2, 2))


def test_results_go_to_the_folder_that_is_named(folder: Path) -> None:
    assert cache_folder() == folder
    assert cache_is_writable()
    assert folder.is_dir()


def test_a_result_is_made_once_and_then_read(folder: Path) -> None:
    make = Maker()
    first, second = kept("toy", [cache_folder], make), kept("toy", [cache_folder], make)
    assert make.times == 1
    assert [array.tolist() for array in first] == [array.tolist() for array in second]
    assert len(list(folder.glob("toy-*.npz"))) == 1
    assert list(folder.glob("*.tmp")) == []


@pytest.mark.parametrize("damage", [b"", b"not an archive", b"PK\x03\x04 cut short"])
def test_a_damaged_result_is_made_anew(folder: Path, damage: bytes) -> None:
    make = Maker()
    kept("toy", [cache_folder], make)
    (path,) = folder.glob("toy-*.npz")
    whole = path.read_bytes()
    path.write_bytes(damage or whole[: len(whole) // 2])
    arrays = kept("toy", [cache_folder], make)
    assert make.times == 2
    assert arrays[0].tolist() == [0, 1, 2, 3, 4]
    assert kept("toy", [cache_folder], make)[0].tolist() == [0, 1, 2, 3, 4]
    assert make.times == 2


def test_the_versions_used_last_are_kept_and_older_ones_forgotten(folder: Path) -> None:
    folder.mkdir()
    current = folder / ("toy-" + "f" * 20 + ".npz")
    versions = [folder / ("toy-" + digit * 20 + ".npz") for digit in "0123456"]
    other = folder / ("toys-" + "a" * 20 + ".npz")
    for age, path in enumerate([*versions, current, other]):
        path.touch()
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    forget_older("toy", "f" * 20)
    assert sorted(folder.iterdir()) == sorted([*versions[: VERSIONS_KEPT - 1], current, other])


def test_programs_of_different_versions_do_not_delete_each_others_results(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers = {b"one": Maker(), b"other": Maker()}
    for _ in range(3):
        for versions, make in makers.items():
            monkeypatch.setattr("croupier.kernels.link._library_versions", lambda versions=versions: versions)
            kept("toy", [cache_folder], make)
    assert [make.times for make in makers.values()] == [1, 1]
    assert len(list(folder.glob("toy-*.npz"))) == 2


def test_without_a_place_to_write_everything_still_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A folder below a regular file can be made by nobody, not even by root.
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("CROUPIER_CACHE", str(blocked / "kept"))
    make = Maker()
    kept("toy", [cache_folder], make)
    kept("toy", [cache_folder], make)
    assert not cache_is_writable()
    assert make.times == 2


def test_odds_are_the_same_fresh_kept_damaged_and_without_a_folder(tmp_path: Path) -> None:
    folder, blocked = tmp_path / "kept", tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    fresh = odds(folder)
    walks = {path.name: path.stat().st_ino for path in folder.glob("ends-dealer-*.npz")}
    assert walks
    assert odds(folder) == fresh
    assert {path.name: path.stat().st_ino for path in folder.glob("ends-dealer-*.npz")} == walks
    for path in folder.iterdir():
        if path.suffix == ".npz":
            path.write_bytes(b"damaged")
    assert odds(folder) == fresh
    assert odds(blocked / "kept") == fresh
