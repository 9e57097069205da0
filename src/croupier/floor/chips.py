"""What the dealer does with the chips on the sensors once START GAME has locked them: left there, or taken in."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.floor.setup import Floor, JackpotSetup, TableSetup, pay_table_of
from croupier.floor.terminal import Terminal, name_of
from croupier.money import dollars_for_people


@dataclass(frozen=True, kw_only=True)
class Chips:
    """The chips of one sensor."""

    sensor: int
    jackpot: str
    wager: str
    stay: bool
    """They lie on the coin spot until the round is decided; else the dealer takes them in at once."""
    seats: tuple[int, ...]

    @property
    def sentence(self) -> str:
        """For the dealer, in plain text."""
        seats = f"seat{'' if len(self.seats) == 1 else 's'} {', '.join(map(str, self.seats))}"
        if not self.stay:
            return f"Take the {self.wager} chips in: {seats}, {self.jackpot}."
        return (
            f'Leave the {self.wager} chip on the coin spot: {seats}, {self.jackpot}. It goes back with a pay "to 1"; '
            "with a share of the meter, or a hand that loses, it is taken in."
        )


def chip_stays(jackpot: JackpotSetup) -> bool:
    """Whether the wager lies on its spot until it is decided: where a pay is "to 1", the wager goes back with it."""
    return any(row.pays.chip for row in pay_table_of(jackpot).rows if not row.pays.is_share)


def chips_of(setup: TableSetup, floor: Floor, terminal: Terminal) -> tuple[Chips, ...]:
    """The chips of every sensor of a table."""
    return tuple(
        Chips(
            sensor=sensor.number,
            jackpot=name_of(jackpot),
            wager=dollars_for_people(int(jackpot.wager_micros)),
            stay=chip_stays(jackpot),
            seats=tuple(spot.seat for spot in terminal.lit if spot.sensor == sensor.number),
        )
        for sensor in setup.sensors
        for jackpot in [floor.jackpot(sensor.jackpot)]
    )
