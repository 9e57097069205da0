"""The documentation as pages of this server, below `/docs`: as the wheel brings it, or as a checkout has built it."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

HANDBOOK = "/docs"
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_PACKAGE = Path(__file__).parent
_PLACES = (_PACKAGE / "site", _PACKAGE.parents[2] / "site")
"""In an installed package, and beside the sources of a checkout."""


@cache
def handbook_folder() -> Path | None:
    """Where the built pages lie; None for a copy that came without them."""
    return next((place for place in _PLACES if (place / "index.html").is_file()), None)


@cache
def handbook_policy() -> str:
    """What pages of the documentation may do: run the scripts that they came with, the few inline ones by their hashes,
    and use the styles that charts carry."""
    folder = handbook_folder()
    pages = sorted(folder.rglob("*.html")) if folder is not None else []
    scripts = {script for page in pages for script in _INLINE.findall(page.read_bytes())}
    hashes = " ".join(sorted(f"'sha256-{b64encode(sha256(script).digest()).decode()}'" for script in scripts))
    return (
        f"default-src 'none'; script-src 'self' {hashes}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )


_HELP = {
    "/play/": "play.html",
    "/practice/": "play.html",
    "/train": "play.html",
    "/rules/": "games/{}.html",
    "/strategy/": "strategy.html",
    "/sheet/": "sheet.html",
    "/plots/": "plots.html",
    "/protect/": "protection.html",
    "/check": "check.html",
    "/titles": "titles.html",
    "/lab/meter": "lab-meter.html",
    "/lab": "lab.html",
    "/simulations": "simulate.html",
    "/sign/": "floor.html",
    "/dealer": "floor.html",
    "/manager": "operating.html",
    "/sign-in": "floor.html",
}
"""Which page of the documentation says more of which pages; the first that fits."""


def help_for(path: str) -> str:
    """The address of the documentation that helps on a page; empty for a copy that came without it."""
    folder = handbook_folder()
    if folder is None:
        return ""
    for start, page in _HELP.items():
        name = page.format(path.removeprefix(start).partition("/")[0])
        if path.startswith(start) and (folder / name).is_file():
            return f"{HANDBOOK}/{name}"
    return f"{HANDBOOK}/index.html"


def is_handbook(path: str) -> bool:
    return path == HANDBOOK or path.startswith(f"{HANDBOOK}/")
