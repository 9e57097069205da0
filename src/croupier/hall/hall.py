"""The hall: every table that the software deals, by its id.

A command is done on the table in memory, under its lock, and answered only when the table's row is replaced on the
disk, in one transaction with the purses. Where a table has a jackpot, a command that moves its ledger is noted first
(`pending`): should the process die in between, it is done again from the same shoe, under the same ids.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock, RLock
from typing import TypeVar

import msgspec

from croupier.errors import CroupierError, IllegalActionError, LedgerError, StaleRevisionError, UnknownNameError
from croupier.floor.checks.play import PLAY_MONEY, closed_sentence, is_closed
from croupier.floor.clearing import clearings, not_stuck
from croupier.floor.dealt import DealtTable, rules_of
from croupier.floor.service import Ask, FloorService, Signer, TableView
from croupier.floor.setup import Floor, TableSetup
from croupier.hall.actions import Action, Decide
from croupier.hall.guests import EVERY_MICROS, OWN, forget_gone, game_of_own, own_id
from croupier.hall.play import RETRY_MICROS, Playing
from croupier.hall.saved import (
    KEPT_IDS,
    HallSpot,
    SavedTable,
    load_table,
    read_saved,
    rules_from_saved,
    save_table,
)
from croupier.hall.turns import IDLE_SECONDS, carry_out, is_idle, time_out
from croupier.house_time import house_clock
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game
from croupier.store.play import Player, PlayStore, PurseEntry, guest_name
from croupier.table.setup import TableRules, make_rules
from croupier.table.shoe import LiveShoe, Shuffle, shuffle_for
from croupier.table.table import Automations, Table

FIRST_PURSE = 1_000 * MICROS_PER_DOLLAR
PURSE_MORE = 1_000 * MICROS_PER_DOLLAR
PURSE_MOST = 10_000 * MICROS_PER_DOLLAR
"""With more play money than this there is none to be had for nothing."""
LONGEST_PLAYER_NAME = 24
AUTOMATIONS = Automations()
MICROS_PER_SECOND = 1_000_000
KEPT_TABLES = 2_000
"""In memory; the others are read from the disk when somebody comes back to them."""
OWN_ROUNDS = 200
"""Finished rounds that are kept of somebody's own table."""
SHARED_ROUNDS = 1_000
"""The same of a table of the floor."""
TRIES = 5
"""How often a press is done again that another server was faster than."""
USE_MICROS = 3600 * MICROS_PER_SECOND
"""How exact it is known when a player last did something."""
DIGEST_DIGITS = 16
"""Of the hash of what was asked: nobody gains by asking two things under one id."""
PUT_OFF_MICROS = 60 * MICROS_PER_SECOND
"""When the clock looks again at a table that it failed at."""

log = logging.getLogger("croupier.hall")

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
        desk: FloorService,
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
        self._look_for_gone_micros = 0

    # Players.

    def player_of(self, token: str) -> Player | None:
        return self.store.player_of(token)

    def new_player(self, token: str) -> Player:
        """A guest with a first purse, whom the token says; twice in one moment it is the same guest."""
        guest = newcomer(token)
        return self.store.add_player(guest.id, token, guest.name, guest.micros, self.now_micros())

    def rename(self, player: Player, name: str) -> None:
        name = " ".join(name.split())
        if not 1 <= len(name) <= LONGEST_PLAYER_NAME or not name.isprintable():
            raise IllegalActionError(f"A name has 1 to {LONGEST_PLAYER_NAME} printable characters.", code="bad_name")
        self._note_use(player)
        self.store.rename(player.id, name)

    def more_money(self, player: Player, id: str) -> None:
        """Play money for nothing, for a purse that is not full."""
        if player.micros >= PURSE_MOST:
            raise IllegalActionError("The purse is full enough: play with what is in it.", code="purse_full")
        self._note_use(player)
        entry = PurseEntry(id=f"{id}/{player.id}", player=player.id, micros=PURSE_MORE, why="more play money")
        self.store.enter(entry, self.now_micros())

    def _note_use(self, player: Player) -> None:
        """That a player does something; whoever was forgotten in this moment is told so."""
        now = self.now_micros()
        if now - player.active_micros > USE_MICROS and not self.store.note_use(player.id, now):
            raise UnknownNameError(
                "Your purse was not used for so long that it is not kept any more. Open the table again.",
                code="unknown_player",
            )

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

    def act(self, table: str, player: Player, action: Action, *, id: str, made_at: int | None = None) -> Playing:
        """Does what a player wants. The same id again changes nothing; with other content it is an error."""
        return self.act_and_look(table, player, action, lambda playing: playing, id=id, made_at=made_at)

    def act_and_look(
        self,
        table: str,
        player: Player,
        action: Action,
        see: Callable[[Playing], Seen],
        *,
        id: str,
        made_at: int | None = None,
    ) -> Seen:
        """As `act`, and what somebody sees of the table right after it.

        `made_at` is the revision of the table on the page that sends it. Where another server was faster it is done
        again on what that left, as long as it still means the same: all but an answer to a question that is past.
        """
        require_own(table, player)
        self._note_use(player)
        for left in reversed(range(TRIES)):
            try:
                return self._act(table, player, action, see, id=id, made_at=made_at)
            except StaleRevisionError:
                if not left or not self._means_the_same(table, action):
                    raise
        raise AssertionError("unreachable")

    def _means_the_same(self, table: str, action: Action) -> bool:
        return not isinstance(action, Decide) or self.table(table).table.revision == action.revision

    def _act(
        self,
        table: str,
        player: Player,
        action: Action,
        see: Callable[[Playing], Seen],
        *,
        id: str,
        made_at: int | None,
    ) -> Seen:
        with self._table(table) as playing:
            asked = hashlib.sha256(player.id.encode() + b"/" + msgspec.json.encode(action))
            digest = asked.hexdigest()[:DIGEST_DIGITS]
            if id in playing.done:
                if playing.done[id][:DIGEST_DIGITS] != digest:  # earlier programs kept more of it
                    raise IllegalActionError(
                        f'The id "{id}" was used for something else; make a new one for each command.',
                        code="id_reused",
                    )
                return see(playing)
            if made_at is not None and made_at <= playing.revision - KEPT_IDS:
                raise IllegalActionError(
                    "Much has happened here since this page was made, perhaps this very press: look again first.",
                    code="old_page",
                )
            if playing.stuck:
                raise IllegalActionError(f"The table waits: {playing.stuck}", code="table_waits")
            self._run(playing, lambda: carry_out(playing, player, action, id), id=id, digest=digest)
            return see(playing)

    def tick(self) -> None:
        """Does what is due at any table: turns and bets that ran out of time, commands that could not be finished.

        Where it fails at one table the others go on. Now and then guests who are gone are forgotten.
        """
        for table in self.store.due(self.now_micros()):
            try:
                with self._table(table) as playing:
                    if playing.stuck:
                        self._forget(table)  # and with that tried again
                    elif playing.is_due(self.now_micros()):
                        self._run_out(playing)
            except StaleRevisionError:
                pass  # another server has done it
            except CroupierError as error:
                log.warning('The clock of table "%s" failed: %s', table, error)
                self.store.put_off(table, self.now_micros() + PUT_OFF_MICROS)
        if self.now_micros() >= self._look_for_gone_micros:
            self._look_for_gone_micros = self.now_micros() + EVERY_MICROS
            self._look_for_gone_micros = forget_gone(self.desk, self.store, self.now_micros(), self._drop)

    # Tables that cannot go on.

    def clear(self, ask: Ask, table: str, why: str, second: Signer) -> TableView:
        """Staff clear a table that is stuck; play money of its round goes back to the purses, once."""
        floor = self.desk.floor()
        setup = floor.table(table)
        if setup.dealing != "software" or is_closed(floor, setup):
            return self.desk.clear(ask, table, why, second)

        def check() -> None:
            if not self.why_stuck(table):
                raise not_stuck(setup)

        view = self.desk.clear(ask, table, why, second, check=check)
        self.table(table)
        return view

    def why_stuck(self, table: str) -> str:
        """Why a table of the floor cannot go on by itself; empty where it can."""
        with self._table(table) as playing:
            is_on = playing.table.log is not None
            if playing.stuck:
                return playing.stuck
            if playing.dealt is not None and is_on != (self.desk.table(table).terminal.phase == "locked"):
                return "The cards on the table and the round of its jackpot do not go together."
            sitting = [place for place in playing.places if place.player]
            if is_on and all(is_idle(place, self.now_micros()) for place in sitting):
                return f"In its round nobody has done anything for {IDLE_SECONDS // 60} minutes."
            return ""

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
        before = save_table(playing) if playing.dealt is not None else ""
        try:
            playing.done[id] = digest
            while len(playing.done) > KEPT_IDS:  # as on the disk, so that it is the same after a restart
                del playing.done[next(iter(playing.done))]
            work()
            self._save(playing)
        except CroupierError as error:
            # In memory it may be half done: the row on the disk is the truth.
            self._forget(playing.id)
            noted = playing.pending
            if noted is not None and not isinstance(error, LedgerError) and not playing.has_begun(noted):
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
            kept_rounds=OWN_ROUNDS if is_own(playing.id) else SHARED_ROUNDS,
            may_overdraw=playing.dealt is not None,
        )
        self._tell(playing)

    def _tell(self, playing: Playing) -> None:
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
                if playing is None or self._is_changed(playing) or self._is_of_yesterday(playing):
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

    def _drop(self, tables: Sequence[str]) -> None:
        """Tables that are gone from the disk."""
        with self._guard:
            for table in tables:
                if table in self._held and not self._held[table].users:
                    del self._held[table]

    def _is_changed(self, playing: Playing) -> bool:
        """By another server, or cleared by the staff."""
        if playing.revision != self.store.revision(playing.id):
            return True
        return playing.clearings != self._clearings(playing.id)

    def _clearings(self, table: str) -> int:
        return 0 if is_own(table) else clearings(self.desk.book, table)

    def _is_of_yesterday(self, playing: Playing) -> bool:
        """Between rounds a table follows the floor's set-up and the law of the day."""
        if playing.table.log is not None or playing.pending is not None:
            return False
        is_changed = playing.setup is not None and playing.setup != self.desk.floor().table(playing.id)
        return is_changed or playing.table.rules.day != self.clock().date()

    def _load(self, table: str) -> Playing:
        stored = self.store.table(table)
        if stored is None:
            return self._fresh(table)
        return self._found(table, *stored)

    def _fresh(self, table: str) -> Playing:
        """A table that was never used, of which nothing is stored yet; at one's own, one sits from the start."""
        rules = self._rules(table)
        engine = Table(
            rules,
            LiveShoe(rules.decks, self._shuffle(table, rules), deck_size=rules.game.declared.deck_size),
            AUTOMATIONS,
        )
        playing = self._seated(table, engine)
        playing.clearings = self._clearings(table)
        if is_own(table):
            owner = self.store.player(owner_of(table)) or unseen(owner_of(table))
            engine.spots[0].player = owner.id
            playing.places[0] = HallSpot(player=owner.id, name=owner.name, active_micros=self.now_micros())
        return playing

    def _found(self, table: str, revision: int, body: str) -> Playing:
        """A table as its row says; a command that was noted and not finished is done now."""
        saved = read_saved(body)
        engine = load_table(saved, AUTOMATIONS)
        cleared = self._clearings(table)
        if saved.stakes is None and saved.pending is None:
            rules = self._rules(table, saved)
            kind = engine.shoe.kind if is_own(table) else self._shuffle(table, rules)
            if (rules.decks, kind) != (engine.rules.decks, engine.shoe.kind):
                engine.shoe = LiveShoe(rules.decks, kind, deck_size=rules.game.declared.deck_size)
            engine.rules = rules
        playing = self._seated(table, engine)
        playing.revision = revision
        playing.places = saved.places
        playing.done = saved.done
        playing.deadline_micros = saved.deadline_micros
        playing.pending = saved.pending
        playing.clearings = saved.clearings
        try:
            if saved.clearings != cleared:
                self._clear(playing, cleared)
            elif saved.pending is not None:
                playing.finish_pending()
                self._save(playing)
        except CroupierError as error:
            if self.store.revision(table) != revision:  # another server was faster
                return self._load(table)
            if saved.pending is None:
                raise
            playing = self._found_stuck(table, revision, body, str(error))
        return playing

    def _clear(self, playing: Playing, cleared: int) -> None:
        """Staff have cleared the table: its round is over, and what was wagered in it goes back to the purses."""
        rules = playing.table.rules
        given_back = playing.clear(
            cleared, LiveShoe(rules.decks, self._shuffle(playing.id, rules), deck_size=rules.game.declared.deck_size)
        )
        playing.revision = self.store.save(
            playing.id,
            revision=playing.revision,
            body=save_table(playing),
            at_micros=self.now_micros(),
            purse=given_back,
            may_overdraw=True,
        )
        self._tell(playing)

    def _found_stuck(self, table: str, revision: int, body: str, why: str) -> Playing:
        """A noted command cannot be finished now: the table is shown as it was before it, and waits."""
        saved = read_saved(body)
        playing = self._seated(table, load_table(saved, AUTOMATIONS))
        playing.revision, playing.places, playing.done = revision, saved.places, saved.done
        playing.pending, playing.stuck, playing.clearings = saved.pending, why, saved.clearings
        return playing

    def _rules(self, table: str, saved: SavedTable | None = None) -> TableRules:
        """Of the floor's set-up today; of an own table, what its player chose."""
        if not is_own(table):
            floor = self.desk.floor()
            setup = floor.table(table)
            _require_software(floor, setup)
            return rules_of(setup, {jackpot.wager: jackpot for jackpot in floor.jackpots_at(setup)}, self.desk)
        if saved is None:
            return make_rules(find_game(game_of_own(table)), day=self.clock().date())
        return replace(rules_from_saved(saved.rules, for_new_rounds=True), day=self.clock().date())

    def _shuffle(self, table: str, rules: TableRules) -> Shuffle:
        """As the floor's set-up says; of an own table, the usual way until its player chooses."""
        shuffle = None if is_own(table) else self.desk.floor().table(table).shuffle
        return shuffle_for(rules.game.shuffles, shuffle)

    def _seated(self, table: str, engine: Table) -> Playing:
        """The table with its jackpots, if it stands on the floor."""
        playing = Playing(
            id=table,
            table=engine,
            clock=self.now_micros,
            purse_of=self._purse,
            save=self._save,
            require_room=self.store.require_room,
        )
        if not is_own(table):
            playing.setup = self.desk.floor().table(table)
            if playing.setup.sensors:
                playing.dealt = DealtTable(self.desk, table, self.dealer, automations=AUTOMATIONS, table_in_play=engine)
        return playing

    def _purse(self, player: str) -> int:
        purse = self.store.player(player)
        if purse is None:
            raise UnknownNameError(f'There is no player "{player}".', code="unknown_player")
        return purse.micros


def unseen(id: str) -> Player:
    """A guest as they are before they do anything, of whom nothing is stored."""
    return Player(id, guest_name(id), FIRST_PURSE)


def newcomer(token: str) -> Player:
    """The guest that somebody with this token is, or will be once they do something."""
    return unseen(f"p-{hashlib.sha256(f'guest/{token}'.encode()).hexdigest()[:16]}")


def require_own(table: str, player: Player) -> None:
    """Raises at somebody else's own table."""
    if is_own(table) and owner_of(table) != player.id:
        raise IllegalActionError("This is somebody else's own table; open your own of the game.", code="not_your_table")


def owner_of(table: str) -> str:
    """The id of the player whose own table this is."""
    return f"p-{table.rpartition('-')[2]}"


def _require_software(floor: Floor, setup: TableSetup) -> None:
    if is_closed(floor, setup):
        raise IllegalActionError(closed_sentence(setup), code=PLAY_MONEY)
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
    return own_id(player, find_game(game).id)
