"""The catalog of titles that letters name, and how far each works here."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import Annotated

from msgspec import Meta, Struct

from croupier.errors import UnknownNameError
from croupier.rules.folders import our_folders
from croupier.rules.loader import DATA, read_spec

NOT_BUILT = "Public descriptions are precise enough; it is not built yet."


class Title(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One title of the list."""

    number: Annotated[int, Meta(ge=1, description="Its number in the letters' list.")]
    name: Annotated[str, Meta(description="Its name there.")]
    game: Annotated[str, Meta(description="The game that it is here, by id; none where it is not described.")] = ""
    missing: Annotated[str, Meta(description="What is not here, and why, in a sentence or two.")] = ""

    @property
    def id(self) -> str:
        """The name as an id."""
        return _as_id(self.name)

    @property
    def is_working(self) -> bool:
        """Whether its game is offered."""
        return self.game in our_folders()

    @property
    def state(self) -> str:
        return "working" if self.is_working else "named only"

    @property
    def lacks(self) -> str:
        """What is missing, in words; empty where nothing is."""
        return NOT_BUILT if self.game and not self.is_working else self.missing


class Catalog(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What letters name together."""

    letters: tuple[str, ...]
    date: date
    submission: str
    titles: tuple[Title, ...]


def _as_id(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower().replace("'", "")).strip("_")


@cache
def catalog() -> Catalog:
    """The titles of letters 002 and 004."""
    return read_spec(DATA / "titles.toml", Catalog)


def only_named(wanted: str) -> UnknownNameError | None:
    """The refusal of a title that the letters name and that cannot be dealt here; None for any other word."""
    for title in catalog().titles:
        if not title.is_working and _as_id(wanted) in (title.id, title.game) and wanted:
            return UnknownNameError(
                f"{title.name} is title {title.number} of letters {' and '.join(catalog().letters)} and only named "
                f"there, so it cannot be dealt. {title.lacks} `croupier games --all` lists the titles that work.",
                code="only_named",
            )
    return None
