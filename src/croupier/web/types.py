"""Types built before there are threads.

msgspec builds its table of a type when it first reads one, and a thread that meets a table half built by another brings
the process down. So the server has all of them built before it answers.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import is_dataclass

import msgspec


def build_types() -> None:
    """Builds msgspec's tables of every record of ours that is loaded."""
    for name, module in sorted(sys.modules.items()):
        if name.partition(".")[0] != "croupier":
            continue
        for kind in tuple(vars(module).values()):
            if isinstance(kind, type) and (issubclass(kind, msgspec.Struct) or is_dataclass(kind)):
                with suppress(TypeError, NameError):  # a record that is never read from data
                    msgspec.json.Decoder(kind)
