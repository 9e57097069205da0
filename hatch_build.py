"""Builds the documentation into the wheel, where `croupier serve` shows it at `/docs`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg] # hatchling finds it by this name
    """An editable install needs nothing here: a checkout shows the site that `make` builds beside it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        subprocess.run([sys.executable, "-m", "zensical", "build", "--clean", "--strict"], cwd=self.root, check=True)
        build_data["force_include"][str(Path(self.root) / "site")] = "croupier/web/site"
