"""What a small install leaves out: the extras of this package, and the sentence for one that is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from croupier.errors import CroupierError

EXTRAS = {
    "floor": "pages, floors and jackpots",
    "paper": "PDFs",
    "plots": "pictures",
    "gpu": "simulation on a GPU",
    "cluster": "simulation on many machines",
    "postgres": "PostgreSQL",
    "rl": "environments for agents",
}
"""What each is needed for, in words."""
DRAWS: dict[str, tuple[str, ...]] = {"paper": ("typst", "matplotlib"), "plots": ("matplotlib",)}
"""The packages of those that are needed at the end of a long computation."""


class MissingExtraError(CroupierError):
    """Something that a small install does not have."""

    code = "missing_extra"


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around the imports of an extra: says which to install where one is missing. Modules of ours are not extras."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "croupier":
            raise
        raise MissingExtraError(
            f"The package {error.name} is missing. It is needed for {EXTRAS[extra]}: pip install 'croupier[{extra}]'."
        ) from None


def require(extra: str) -> None:
    """Says so before anything is computed where an extra is missing that draws the result. Nothing is imported."""
    with needs(extra):
        for package in DRAWS[extra]:
            if find_spec(package) is None:
                raise ModuleNotFoundError(name=package)
