"""Threads of a server that has just started read their first records together, as tables do after a restart."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.floor import demo_floor, floor_data
from croupier.web import services as room
from croupier.web.app import make_app
from tests.web_client import CHEAP

READ_TOGETHER = """
import json, sys
from pathlib import Path
from threading import Barrier, Thread
from croupier.floor.files import floor_from_data
from croupier.web.app import make_app
from croupier.web.types import build_types

data = json.loads(Path(sys.argv[1]).read_text())
build_types()
sys.setswitchinterval(1e-6)
together = Barrier(8)

def read():
    together.wait()
    floor_from_data(data, "floor")

threads = [Thread(target=read) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_eight_threads_read_their_first_floor_at_the_same_moment(tmp_path: Path) -> None:
    """Without `build_types` this process ends by a signal nearly every time."""
    file = tmp_path / "floor.json"
    file.write_text(json.dumps(floor_data(demo_floor())), encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", READ_TOGETHER, str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_server_builds_its_types_before_it_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    built: list[bool] = []
    monkeypatch.setattr(room, "build_types", lambda: built.append(True))
    app = make_app(str(tmp_path / "floor.db"), demo=True, pin_cost=CHEAP)
    app.state.room.close()
    assert built == [True]
