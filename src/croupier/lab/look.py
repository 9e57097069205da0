"""A draft as far as it can be read: what a page shows of it before any figure, and its file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from croupier.lab.draft import Draft, DraftError, Opened, Trial, game_of, open_draft, tidied, try_draft
from croupier.lab.game_file import draft_to_toml, file_name

WHOLE_DRAFT = "whole"
"""Field of problems that no field of the form has alone."""


@dataclass(frozen=True, kw_only=True)
class Looked:
    """What a draft starts from, and the trial, or what is wrong with it."""

    opened: Opened
    trial: Trial | None = None
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def draft(self) -> Draft:
        return self.opened.draft


@dataclass(frozen=True, kw_only=True)
class DraftFile:
    """A draft as a file."""

    name: str
    text: str


def look_at(draft: Draft) -> Looked:
    """Reads a draft; one that names no wager begins with a side bet, whose figures come at once."""
    if not draft.wager:
        draft = replace(draft, wager=_first_wager(draft))
    opened = open_draft(draft)
    draft = replace(tidied(opened), pay_table=opened.start.pay_table.id)
    opened = replace(opened, draft=draft)
    try:
        return Looked(opened=opened, trial=try_draft(opened))
    except DraftError as error:
        return Looked(opened=opened, problems=error.problems or {WHOLE_DRAFT: str(error)})


def save_draft(draft: Draft) -> DraftFile | Looked:
    """The file of a draft; of one with a mistake, what there is to see of it."""
    looked = look_at(draft)
    if looked.trial is None:
        return looked
    return DraftFile(name=file_name(looked.trial), text=draft_to_toml(looked.trial))


def _first_wager(draft: Draft) -> str:
    wagers = game_of(draft).wagers
    return next((wager.id for wager in wagers if wager.kind == "side"), wagers[0].id)
