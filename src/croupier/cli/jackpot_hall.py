"""`croupier jackpot clear`: a table that cannot go on, also one that the software deals."""

from __future__ import annotations

from croupier.cli.jackpot_call import Call
from croupier.cli.jackpot_screen import show_step
from croupier.cli.jackpot_session import now
from croupier.floor.people import Person
from croupier.floor.roles import SOFTWARE, Role
from croupier.hall.hall import Hall
from croupier.hall.place import play_address
from croupier.store.play import PlayStore


def clear_table(call: Call, table: str, *, note: str, second: tuple[str, str | None]) -> None:
    """Clears it on the ledger and, where the software deals, gives the play money of its round back."""
    with call.open() as at:
        ask = at.ask("clear a table")
        countersigned = at.sign_second(*second)
        assert countersigned is not None
        if at.floor().table(table).dealing != "software":
            show_step(at, at.desk.clear(ask, table, note, countersigned))
            return
        play = play_address(at.desk, call.address)
        hall = Hall(PlayStore(play), at.desk, Person(id=SOFTWARE, role=Role.DEALER), now)
        try:
            show_step(at, hall.clear(ask, table, note, countersigned))
        finally:
            hall.close()
