"""The days of a house turn by the clock on its wall."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

NOW = "from croupier.house_time import house_clock; print(house_clock().isoformat())"


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "UTC"])
def test_the_clock_is_in_the_zone_of_the_machine(zone: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", NOW], env=os.environ | {"TZ": zone}, capture_output=True, text=True, check=True
    )
    now = datetime.fromisoformat(said.stdout.strip())
    offset = now.utcoffset()
    assert offset is not None
    assert abs((now - datetime.now(UTC)).total_seconds()) < 60
    assert offset.total_seconds() / 3600 in ((-8, -7) if zone == "America/Los_Angeles" else (0,))


def test_a_ledger_written_in_the_evening_of_the_west_verifies(tmp_path: Path) -> None:
    """Entries with another offset than UTC are read, ordered and chained alike."""
    env = os.environ | {"TZ": "America/Los_Angeles"}
    store = str(tmp_path / "floor.db")
    for words in (
        ("init", "--demo"),
        ("light", "ddm_1", "2", "--card", "demo-card-dealer"),
        ("start", "ddm_1", "--chips", "1", "--card", "demo-card-dealer"),
        ("verify",),
    ):
        croupier = [str(Path(sys.executable).parent / "croupier"), "jackpot", *words, "--store", store]
        pin = {"CROUPIER_PIN": "382916"}
        done = subprocess.run(croupier, env=env | pin, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert "good" in done.stdout
