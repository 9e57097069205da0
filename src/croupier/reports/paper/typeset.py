"""Paper by typst: templates beside this file, fonts of the program only, no network.

The same document gives the same bytes: nothing of the machine and of the moment is in them.
"""

from __future__ import annotations

import json
from datetime import datetime
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from croupier.reports.json_data import Plain

if TYPE_CHECKING:
    import typst

TEMPLATES = Path(__file__).parent
_one_at_a_time = Lock()
"""A compiler is used by one thread at a time, and refuses others."""


def typeset(template: str, document: Plain, *, dated: datetime | None = None) -> bytes:
    """A PDF of a template with its texts; `dated` is what the file says of its own date."""
    with _one_at_a_time:
        made: Any = _compiler(template).compile(
            format="pdf",
            sys_inputs={"document": json.dumps(document, ensure_ascii=False)},
            timestamp=dated,
        )
    assert isinstance(made, bytes)
    return made


@cache
def _compiler(template: str) -> typst.Compiler:
    """Kept, as it reads its fonts only once."""
    import typst

    return typst.Compiler(TEMPLATES / template, root=TEMPLATES, ignore_system_fonts=True)
