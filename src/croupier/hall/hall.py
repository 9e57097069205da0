"""The hall: every table that the software deals, by its id.

A command is done on the table in memory, under its lock, and answered only when the table's row is replaced on the
disk, in one transaction with the purses. Where a table has a jackpot, a command that moves its ledger is noted first
(`pending`): should the process die in between, it is done again from the same shoe, under the same ids.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock, RLock
from typing import TypeVar

import msgspec

from croupier.errors import CroupierError, IllegalActionError, LedgerError, UnknownNameError
from croupier.floor.dealt import DealtTable, rules_of
from croupier.floor.desk import Desk, Signer
from croupier.floor.setup import TableSetup
from croupier.hall.actions import Action
from croupier.hall.play import RETRY_MICROS, Playing
from croupier.hall.saved import SavedTable, load_table, read_saved, rules_from_saved, save_table
from croupier.hall.turns import carry_out, time_out
from croupier.house_time import house_clock
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game
from croupier.store.play import Player, PlayStore, PurseEntry
from croupier.table.setup import TableRules, make_rules
from croupier.table.shoe import LiveShoe
from croupier.table.table import Automations, Table

FIRST_PURSE = 1_000 * MICROS_PER_DOLLAR
PURSE_MORE = 1_000 * MICROS_PER_DOLLAR
PURSE_MOST = 10_000 * MICROS_PER_DOLLAR
"""With more play money than this there is none to be had for nothing."""
LONGEST_NAME = 24
OWN = "own"
AUTOMATIONS = Automations()
MICROS_PER_SECOND = 1_000_000
KEPT_TABLES = 2_000
"""In memory; the others are read from the disk when somebody comes back to them."""

Seen = TypeVar("Seen")
Listener = Callable[[str, int], None]
"""Is told the id and the revision of a table that changed."""


@dataclass
class Held:
    """A table in memory, with its lock and how many use or wait for it."""

    lock: RLock = field(default_factory=RLock)
    users: int = 0
    playing: Playing | None = None


class Hall:
    """Tables of one floor, and everybody's own tables, on one store."""

    def __init__(
        self,
        store: PlayStore,
        desk: Desk,
        dealer: Signer,
        clock: Callable[[], datetime] = house_clock,
    ) -> None:
        self.store = store
        self.desk = desk
        self.dealer = dealer
        self.clock = clock
        self._held: dict[str, Held] = {}
        """The longest unused first."""
        self._guard = Lock()
        self._listeners: set[Listener] = set()

    # Players.

    def player_of(self, token: str) -> Player | None:
        return self.store.player_of(token)

    def new_player(self) -> tuple[Player, str]:
        """A guest with a first purse, and the token that says who they are."""
        token = secrets.token_urlsafe(32)
        id = f"p-{secrets.token_hex(8)}"
        return self.store.add_player(id, token, f"Guest {id[-4:]}", FIRST_PURSE, self.now_micros()), token

    def rename(self, player: Player, name: str) -> None:
        name = " ".join(name.split())
        if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
            raise IllegalActionError(f"A name has 1 to {LONGEST_NAME} printable characters.", code="bad_name")
        self.store.rename(player.id, name)

    def more_money(self, player: Player, id: str) -> None:
        """Play money for nothing, for a purse that is not full."""
        if player.micros >= PURSE_MOST:
            raise IllegalActionError("The purse is full enough: play with what is in it.", code="purse_full")
        entry = PurseEntry(id=f"{id}/{player.id}", player=player.id, micros=PURSE_MORE, why="more play money")
        self.store.enter(entry, self.now_micros())

    # Tables.

    def now_micros(self) -> int:
        return int(self.clock().timestamp() * MICROS_PER_SECOND)

    def table(self, table: str) -> Playing:
        """The table in play; do not change it. What must hold together is read with `look`."""
        with self._table(table) as playing:
            return playing

    def look(self, table: str, see: Callable[[Playing], Seen]) -> Seen:
        """What somebody sees of a table while nobody changes it."""
        with self._table(table) as playing:
            return see(playing)

    def act(self, table: str, player: Player, action: Action, *, id: str) -> Playing:
        """Does what a player wants. The same id again changes nothing; with other content it is an error."""
        return self.act_and_look(table, player, action, lambda playing: playing, id=id)

    def act_and_look(
        self, table: str, player: Player, action: Action, see: Callable[[Playing], Seen], *, id: str
    ) -> Seen:
        """As `act`, and what somebody sees of the table right after it."""
        require_own(table, player)
        with self._table(table) as playing:
            digest = hashlib.sha256(player.id.encode() + b"/" + msgspec.json.encode(action)).hexdigest()
            if id in playing.done:
                if playing.done[id] != digest:
                    raise IllegalActionError(
                        f'The id "{id}" was used for something else; make a new one for each command.',
                        code="id_reused",
                    )
                return see(playing)
            if playing.stuck:
                raise IllegalActionError(f"The table waits: {playing.stuck}", code="table_waits")
            self._run(playing, lambda: carry_out(playing, player, action, id), id=id, digest=digest)
            return see(playing)

    def tick(self) -> None:
        """Does what is due at any table: turns and bets that ran out of time, rounds that waited for a card."""
        for table in self.store.due(self.now_micros()):
            with self._table(table) as playing:
                if playing.stuck:
                    self._forget(table)  # and with that tried again
                elif playing.is_due(self.now_micros()):
                    self._run_out(playing)

    def _run_out(self, playing: Playing) -> None:
        id = f"clock:{playing.revision}"
        self._run(playing, lambda: time_out(playing, id), id=id, digest="")

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tells of every change from now on, until the returned function is called."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def close(self) -> None:
        self.store.close()

    def _run(self, playing: Playing, work: Callable[[], None], *, id: str, digest: str) -> None:
        before = save_table(playing)
        try:
            playing.done[id] = digest
            work()
            self._save(playing)
        except CroupierError as error:
            # In memory it may be half done: the row on the disk is the truth.
            self._forget(playing.id)
            noted = playing.pending
            if noted is not None and not isinstance(error, LedgerError) and not playing.has_begun(noted.id):
                self.store.save(playing.id, revision=playing.revision, body=before, at_micros=self.now_micros())
            raise
        except BaseException:
            self._forget(playing.id)
            raise

    def _save(self, playing: Playing) -> None:
        body, now = save_table(playing), self.now_micros()
        moves = playing.take_moves(now) if playing.pending is None else None
        playing.revision = self.store.save(
            playing.id,
            revision=playing.revision,
            body=body,
            at_micros=now,
            due_micros=playing.deadline_micros if playing.pending is None else now + RETRY_MICROS,
            purse=moves.purse if moves else (),
            finished=moves.finished if moves else None,
            results=moves.results if moves else (),
        )
        for listener in tuple(self._listeners):
            listener(playing.id, playing.revision)

    def _forget(self, table: str) -> None:
        with self._guard:
            self._held[table].playing = None

    @contextmanager
    def _table(self, table: str) -> Iterator[Playing]:
        with self._guard:
            held = self._held[table] = self._held.pop(table) if table in self._held else Held()
            held.users += 1
        try:
            with held.lock:
                playing = held.playing
                if playing is None or playing.revision != self.store.revision(table) or self._is_of_yesterday(playing):
                    playing = held.playing = self._load(table)
                yield playing
        finally:
            with self._guard:
                held.users -= 1
                if held.playing is None and not held.users:
                    del self._held[table]
                self._drop_unused()

    def _drop_unused(self) -> None:
        """Tables are whole on the disk between commands: only one that somebody holds must stay."""
        too_many = len(self._held) - KEPT_TABLES
        for table in [id for id, held in self._held.items() if not held.users][:too_many] if too_many > 0 else ():
            del self._held[table]

    def _is_of_yesterday(self, playing: Playing) -> bool:
        """Between rounds a table follows the floor's set-up and the law of the day."""
        if playing.table.log is not None or playing.pending is not None:
            return False
        is_changed = playing.setup is not None and playing.setup != self.desk.floor().table(playing.id)
        return is_changed or playing.table.rules.day != self.clock().date()

    def _load(self, table: str) -> Playing:
        found = self.store.table(table)
        if found is None:
            return self._seated(table, Table(rules := self._rules(table), fresh_shoe(rules), AUTOMATIONS))
        return self._found(table, *found)

    def _found(self, table: str, revision: int, body: str) -> Playing:
        """A table as its row says; a command that was noted and not finished is done now."""
        saved = read_saved(body)
        engine = load_table(saved, AUTOMATIONS)
        if saved.stakes is None and saved.pending is None:
            rules = self._rules(table, saved)
            if rules.decks != engine.rules.decks:
                engine.shoe = fresh_shoe(rules)
            engine.rules = rules
        playing = self._seated(table, engine)
        playing.revision = revision
        playing.places = saved.places
        playing.done = saved.done
        playing.deadline_micros = saved.deadline_micros
        playing.pending = saved.pending
        if saved.pending is not None:
            try:
                playing.finish_pending()
                self._save(playing)
            except CroupierError as error:
                playing = self._found_stuck(table, revision, body, str(error))
        return playing

    def _found_stuck(self, table: str, revision: int, body: str, why: str) -> Playing:
        """A noted command cannot be finished now: the table is shown as it was before it, and waits."""
        saved = read_saved(body)
        playing = self._seated(table, load_table(saved, AUTOMATIONS))
        playing.revision, playing.places, playing.done = revision, saved.places, saved.done
        playing.pending, playing.stuck = saved.pending, why
        return playing

    def _rules(self, table: str, saved: SavedTable | None = None) -> TableRules:
        """Of the floor's set-up today; of an own table, what its player chose."""
        if not is_own(table):
            floor = self.desk.floor()
            setup = floor.table(table)
            _require_software(setup)
            return rules_of(setup, {jackpot.wager: jackpot for jackpot in floor.jackpots_at(setup)}, self.desk)
        if saved is None:
            return make_rules(find_game(table.split("-")[1]), day=self.clock().date())
        return replace(rules_from_saved(saved.rules), day=self.clock().date())

    def _seated(self, table: str, engine: Table) -> Playing:
        """The table with its jackpots, if it stands on the floor."""
        playing = Playing(id=table, table=engine, clock=self.now_micros, purse_of=self._purse, save=self._save)
        if not is_own(table):
            playing.setup = self.desk.floor().table(table)
            if playing.setup.sensors:
                playing.dealt = DealtTable(self.desk, table, self.dealer, automations=AUTOMATIONS, table_in_play=engine)
        return playing

    def _purse(self, player: str) -> int:
        found = self.store.player(player)
        if found is None:
            raise UnknownNameError(f'There is no player "{player}".', code="unknown_player")
        return found.micros


def fresh_shoe(rules: TableRules) -> LiveShoe:
    kind = "cut_card" if "cut_card" in rules.game.shuffles else rules.game.shuffles[0]
    return LiveShoe(rules.decks, kind)


def require_own(table: str, player: Player) -> None:
    """Raises at somebody else's own table."""
    if is_own(table) and not table.endswith(f"-{player.id.removeprefix('p-')}"):
        raise IllegalActionError("This is somebody else's own table; open your own of the game.", code="not_your_table")


def _require_software(setup: TableSetup) -> None:
    if setup.dealing != "software":
        raise IllegalActionError(
            f'Table "{setup.id}" is dealt by hand, with real cards; in the browser there is only its jackpot terminal. '
            "Play at a table that the software deals, or at your own.",
            code="dealt_by_hand",
        )


def is_own(table: str) -> bool:
    """Whether this is the id of somebody's own table."""
    return table.startswith(f"{OWN}-")


def own_table(player: Player, game: str) -> str:
    """The id of a player's own table of a game."""
    return f"{OWN}-{find_game(game).id}-{player.id.removeprefix('p-')}"
