"""One table of the hall in memory: the engine, the places, and the play money that its commands move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from croupier.floor.dealt import DealtTable
from croupier.floor.setup import TableSetup
from croupier.hall.money import position
from croupier.hall.saved import HallSpot, Pending, decode_command, encode_command
from croupier.store.play import ROUND, FinishedRound, PlayerResult, PurseEntry
from croupier.table.log import log_text
from croupier.table.shoe import LiveShoe
from croupier.table.table import Answer, Command, StartRound, Table, TableSpot

RETRY_MICROS = 2_000_000


@dataclass(frozen=True, kw_only=True)
class TableRecords:
    """What goes to the disk with the table."""

    purse: tuple[PurseEntry, ...]
    finished: FinishedRound | None
    results: tuple[PlayerResult, ...]


@dataclass
class Playing:
    """A table in play."""

    id: str
    table: Table
    clock: Callable[[], int]
    purse_of: Callable[[str], int]
    save: Callable[[Playing], None]
    require_room: Callable[[], None]
    """Refuses a new round where there is no room to keep it."""
    setup: TableSetup | None = None
    """As it stands on the floor; None for somebody's own table."""
    dealt: DealtTable | None = None
    """With the jackpots of the floor, where the table has sensors."""
    places: list[HallSpot] = field(default_factory=list)
    revision: int = 0
    """Of the row on the disk; counts every change."""
    done: dict[str, str] = field(default_factory=dict)
    pending: Pending | None = None
    stuck: str = ""
    """Why the noted command cannot be finished now."""
    deadline_micros: int | None = None
    clearings: int = 0
    """How many clearings of the table by staff are done here."""
    _before: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Staked and returned by spot, as the purses have them already."""
    _rounds: int = 0

    def __post_init__(self) -> None:
        if not self.places:
            self.places = [HallSpot() for _ in self.table.spots]
        self._rounds = self.table.rounds
        self._before = self._positions() if self.table.log is not None else {}

    @property
    def seats(self) -> int:
        return self.setup.seats if self.setup is not None else len(self.table.spots)

    @property
    def is_shared(self) -> bool:
        """Whether others can sit here."""
        return self.setup is not None

    def do(self, command: Command) -> None:
        """One command at the engine that moves no ledger."""
        self.table.do(command, revision=self.table.revision)

    def play_on(self, command: StartRound | Answer, id: str) -> None:
        """A step of the round. What moves a ledger is noted on the disk before it is begun."""
        if isinstance(command, StartRound):
            self.require_room()
        if self.dealt is None:
            self.do(command)
            return
        self.table.require_now(command)
        if isinstance(command, StartRound) and self.table.shoe.wants_shuffle:
            self.table.shoe.shuffle()
        self.pending = Pending(id=id, command=encode_command(command), ledger_id=self.dealt.ledger_id(id))
        self.save(self)
        self.finish_pending()

    def finish_pending(self) -> None:
        """Does what was noted; after a crash, again. All its ids on the ledger are made of its own."""
        assert self.pending is not None and self.dealt is not None
        command = decode_command(self.pending.command)
        self.dealt.do(command, id=self._ledger_id(self.pending), revision=self.table.revision)
        self.pending = None

    def has_begun(self, noted: Pending) -> bool:
        """Whether a noted command has moved the ledger already."""
        return self.dealt is not None and self.dealt.has_begun(self._ledger_id(noted))

    def _ledger_id(self, noted: Pending) -> str:
        return noted.ledger_id or f"{self.id}:{noted.id}"

    def clear(self, clearings: int, shoe: LiveShoe) -> tuple[PurseEntry, ...]:
        """Ends the round on the table as if it had not been, with a new shoe; those who sit there stay. Returns what
        the purses get back."""
        given_back = tuple(
            PurseEntry(
                id=f"{self.id}/{self.revision + 1}/{spot}",
                player=self.places[spot - 1].player,
                micros=staked - returned,
                why="table cleared",
                table=self.id,
            )
            for spot, (staked, returned) in self._before.items()
            if staked != returned
        )
        old = self.table
        spots = [TableSpot(player=spot.player) for spot in old.spots]
        self.table = Table(old.rules, shoe, old.automations, spots, revision=old.revision + 1, rounds=old.rounds)
        if self.dealt is not None:
            self.dealt.table = self.table
        for place in self.places:
            place.draft, place.undo, place.ready = {}, [], False
        self.pending, self.stuck, self.deadline_micros = None, "", None
        self.clearings, self._before = clearings, {}
        return given_back

    def take_moves(self, at_micros: int) -> TableRecords:
        """What the purses get and give since the last time, and the round if one has ended."""
        has_ended = self.table.rounds > self._rounds
        now = self._positions() if has_ended or self.table.log is not None else {}
        entries = []
        for spot, (staked, returned) in now.items():
            before_staked, before_returned = self._before.get(spot, (0, 0))
            micros = (returned - before_returned) - (staked - before_staked)
            if micros:
                id = f"{self.id}/{self.revision + 1}/{spot}"
                player = self.places[spot - 1].player
                entries.append(PurseEntry(id=id, player=player, micros=micros, why=ROUND, table=self.id))
        finished, results = self._finished(now, at_micros) if has_ended else (None, ())
        self._rounds = self.table.rounds
        self._before = {} if has_ended else now
        return TableRecords(purse=tuple(entries), finished=finished, results=results)

    def _positions(self) -> dict[int, tuple[int, int]]:
        state = self.table.state
        assert state is not None
        return {spot: position(state, seat) for seat, spot in enumerate(self.table.playing, 1)}

    def _finished(
        self, now: dict[int, tuple[int, int]], at_micros: int
    ) -> tuple[FinishedRound, tuple[PlayerResult, ...]]:
        seats = [
            {
                "spot": spot,
                "player": self.places[spot - 1].player,
                "name": self.places[spot - 1].name,
                "staked": staked,
                "returned": returned,
            }
            for spot, (staked, returned) in now.items()
        ]
        sums: dict[str, tuple[int, int]] = {}
        for spot, (staked, returned) in now.items():
            player = self.places[spot - 1].player
            before = sums.get(player, (0, 0))
            sums[player] = (before[0] + staked, before[1] + returned)
        results = tuple(
            PlayerResult(
                player=player,
                table=self.id,
                round=self.table.rounds,
                at_micros=at_micros,
                staked_micros=staked,
                returned_micros=returned,
            )
            for player, (staked, returned) in sums.items()
        )
        finished = FinishedRound(
            table=self.id,
            round=self.table.rounds,
            at_micros=at_micros,
            log=log_text(self.table.history[-1]),
            seats=msgspec.json.encode(seats).decode(),
            shoe_start=self.table.shoe.round_start if self.table.shoe.kind == "cut_card" else None,
        )
        return finished, results

    def is_due(self, now_micros: int) -> bool:
        """Whether the clock has something to do here."""
        return self.deadline_micros is not None and now_micros >= self.deadline_micros
