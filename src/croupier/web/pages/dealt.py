"""What goes on at a table that the software deals, for the pages of those who do not play there."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime

from croupier.errors import LedgerError
from croupier.floor.setup import TableSetup
from croupier.store.base import PLAY_FAILED
from croupier.web.services import Services

MICROS_PER_SECOND = 1_000_000

log = logging.getLogger("croupier.web")


@dataclass(frozen=True, kw_only=True)
class Play:
    """Who sits there, how far it is, and why it cannot go on."""

    seated: str
    rounds: int = 0
    active_at: datetime | None = None
    """When a player last did something; None where nobody sits."""
    stuck: str = ""


def play_at(room: Services, setup: TableSetup) -> Play:
    """As the hall has it now; the floor is shown without play, too."""
    try:
        playing = room.hall.table(setup.id)
        active = [place.active_micros for place in playing.places if place.player]
        return Play(
            seated=f"{len(active)} of {playing.seats} seats taken",
            rounds=playing.table.rounds,
            active_at=datetime.fromtimestamp(max(active) / MICROS_PER_SECOND, UTC) if active else None,
            stuck=room.hall.why_stuck(setup.id),
        )
    except LedgerError as error:
        if error.code != PLAY_FAILED:
            raise
        log.error("%s: %s", error.code, error)
        return Play(seated="play money cannot be reached now")
