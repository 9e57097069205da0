"""What HIT JACKPOT would lock, worked out before it is pressed: by the ledger's own decision, which is not booked."""

from __future__ import annotations

from croupier.floor.setup import Floor, TableSetup
from croupier.floor.terminal import Terminal, hits
from croupier.jackpot import JackpotHit, State, evolve
from croupier.jackpot.awards import hit
from croupier.store.reading import Reader


def preview_hits(state: State, terminal: Terminal, setup: TableSetup, floor: Floor) -> tuple[JackpotHit, ...]:
    """The awards that the picked hands would become, in their order; none while nothing is picked."""
    if not terminal.picks:
        return ()
    trial = state.copy()
    previews = []
    for number, command in enumerate(hits(terminal, setup, floor, ""), 1):
        event = hit(trial, command, f"preview/{number}")
        trial.update(evolve(trial, event))
        previews.append(event)
    return tuple(previews)


def ledger_of(book: Reader, setup: TableSetup) -> State:
    """The part of the ledger that a hit at this table is decided on, at one moment."""
    with book.standing_still() as reader:
        jackpots = {sensor.jackpot: reader.jackpot(sensor.jackpot) for sensor in setup.sensors}
        played = reader.round(setup.id)
        return State(jackpots=jackpots, rounds={setup.id: played} if played else {}, balances=reader.balances())
