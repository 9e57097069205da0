"""Play money and real books: what the software deals is played with play money, so it moves no real jackpot.

A floor that is no demonstration has no software-dealt table with sensors. One that was set up before this rule still
opens; such a table is closed, and nothing is booked there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from croupier.errors import IllegalActionError
from croupier.floor.checks.findings import Finding
from croupier.floor.law import step_text
from croupier.floor.roles import SOFTWARE
from croupier.floor.setup import Floor, TableSetup
from croupier.jackpot.commands import AnyCommand, HitJackpot, LockWagers, PayAward

PLAY_MONEY = "play_money"


def is_closed(floor: Floor, table: TableSetup) -> bool:
    """Whether a table would put play money into the books of a real floor."""
    return not floor.demo and table.dealing == "software" and bool(table.sensors)


def play_money(floor: Floor, day: date) -> Iterator[Finding]:
    """No sensors at a table that the software deals, unless all of the floor is play money."""
    for table in floor.tables:
        if is_closed(floor, table):
            yield Finding(
                code=PLAY_MONEY,
                severity="refusal",
                rule="Play money and real books",
                citation="this program's own rule, for any floor that is no demonstration",
                decided_by=step_text(0),
                where=f"tables.{table.id}.dealing",
                sentence=closed_sentence(table),
            )


def one_sensor_for_a_wager(floor: Floor, day: date) -> Iterator[Finding]:
    """Chips on a screen lie on wagers: two sensors for the same one could not be told apart there."""
    for table in floor.tables:
        wagers = [jackpot.wager for jackpot in floor.jackpots_at(table)]
        for wager in dict.fromkeys(one for one in wagers if wagers.count(one) > 1):
            if table.dealing == "software":
                yield Finding(
                    code="sensors_share_wager",
                    severity="refusal",
                    rule="One sensor for a wager where the software deals",
                    citation="this program's own rule, for any floor",
                    decided_by=step_text(0),
                    where=f"tables.{table.id}.sensors",
                    sentence=f'The software deals at table "{table.id}", and two of its sensors are for the wager '
                    f'"{wager}": a player\'s chip could be on either. Give them different wagers, or set its '
                    'dealing to "hand".',
                )


def closed_sentence(table: TableSetup) -> str:
    """Why a table is closed, and what would open it."""
    return (
        f'The software deals at table "{table.id}", so its players have play money, and its sensors would put that '
        'into the jackpots of a real floor. The table is closed: set its dealing to "hand", or take its sensors off.'
    )


def require_real_money(floor: Floor, table: TableSetup, by: str, money: Sequence[AnyCommand]) -> None:
    """Refuses wagers, hits and payments of play money on a real floor, whoever asks and however they came there."""
    is_play = is_closed(floor, table) or (not floor.demo and by == SOFTWARE)
    if is_play and any(isinstance(command, LockWagers | HitJackpot | PayAward) for command in money):
        raise IllegalActionError(closed_sentence(table), code=PLAY_MONEY)
