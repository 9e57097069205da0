"""Where a hall's play money is kept."""

from __future__ import annotations

import os

from croupier.floor.service import FLOOR, FloorService
from croupier.store.play_database import open_play_database

VARIABLE = "CROUPIER_PLAY_DATABASE"


def play_address(desk: FloorService, ledger: str, named: str = "", *, demo: bool = False) -> str:
    """The database of play money and simulations: of a demonstration the ledger's own, of a real floor another, which
    is made if need be. `named` or the environment may name one for either."""
    named = named or os.environ.get(VARIABLE, "")
    is_demo = demo or (desk.book.fact(FLOOR) is not None and desk.floor().demo)
    return ledger if is_demo and not named else open_play_database(ledger, named)
