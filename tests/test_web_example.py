"""The worked example of docs/api.md, run as it stands against a server on a port of its own."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.web_client import demo_web, listening

PAGE = Path(__file__).parent.parent / "docs" / "api.md"


def block(language: str) -> str:
    """The page's one block in a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    return str(found)


def test_the_example_prints_what_the_page_says(tmp_path: Path) -> None:
    with demo_web(str(tmp_path / "floor.db")) as web, listening(web) as port:
        script = block("sh").replace("127.0.0.1:8000", f"127.0.0.1:{port}")
        assert f":{port}/" in script
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            check=False,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == block("text")
