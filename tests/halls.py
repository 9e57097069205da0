"""A hall to play in: the demonstration floor with its tables on one store, and a clock that tests move."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

from croupier.cards import DECK_SIZE, parse_cards
from croupier.floor.files import demo_hall
from croupier.floor.roles import SOFTWARE, Role
from croupier.floor.service import FloorService
from croupier.hall.actions import Action, Deal, Decide, LayChips, SitDown
from croupier.hall.hall import Hall
from croupier.hall.play import Playing
from croupier.money import MICROS_PER_DOLLAR
from croupier.store import open_store
from croupier.store.play import Player, PlayStore
from croupier.table.replay import NeedsAnswer
from tests.desks import EXECUTIVE, NOW, Person, ask

GAMES = ("blackjack", "double_down_madness", "double_barrel", "blackjack_switch", "mini_baccarat")
_ids = count()

DEALER = Person(SOFTWARE, Role.DEALER)


@dataclass
class Clock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass
class House:
    """A hall on a store, which can be closed and opened again as after a restart."""

    url: str
    clock: Clock = field(default_factory=Clock)
    store_kind: Callable[[str], PlayStore] = PlayStore

    def __post_init__(self) -> None:
        self.book = open_store(self.url)
        self.desk = FloorService(self.book, clock=self.clock)
        if self.book.fact("floor") is None:
            self.desk.set_up(ask(EXECUTIVE), demo_hall())
        self.hall = Hall(self.store_kind(self.url), self.desk, DEALER, clock=self.clock)

    def restart(self) -> None:
        self.close()
        self.__post_init__()

    def close(self) -> None:
        self.hall.close()
        self.book.close()

    def player(self) -> Player:
        return self.hall.new_player(f"{next(_ids):043d}")

    def do(self, table: str, player: Player, action: Action, id: str | None = None) -> Playing:
        return self.hall.act(table, player, action, id=id or f"a-{next(_ids):08d}")

    def sit_and_lay(self, table: str, player: Player, spot: int = 1, /, **dollars: int) -> None:
        self.do(table, player, SitDown(spot=spot))
        self.lay(table, player, spot, **dollars)

    def lay(self, table: str, player: Player, spot: int = 1, /, **dollars: int) -> None:
        for wager, amount in dollars.items():
            self.do(table, player, LayChips(spot=spot, wager=wager, micros=amount * MICROS_PER_DOLLAR))

    def play_out(self, table: str, player: Player, choose: random.Random) -> None:
        """Deals and answers anything legal until the round is over."""
        playing = self.do(table, player, Deal(spot=1))
        while (need := question(playing)) is not None:
            answers = [word for word in need.legal if word != "surrender"] or list(need.legal)
            playing = self.do(
                table, player, Decide(spot=1, answer=choose.choice(answers), revision=playing.table.revision)
            )

    def stack(self, table: str, cards: str) -> None:
        stack_shoe(self.hall, table, cards)

    def micros(self, player: Player) -> int:
        found = self.hall.store.player(player.id)
        assert found is not None
        return found.micros


def stack_shoe(hall: Hall, table: str, cards: str) -> None:
    """Puts these cards next in a table's shoe."""
    playing = hall.table(table)
    wanted = parse_cards(cards)
    rest = [card for card in range(DECK_SIZE) for _ in range(playing.table.shoe.decks)]
    for card in wanted:
        rest.remove(card)
    shoe = playing.table.shoe
    shoe.order, shoe.used, shoe.cut_card_is_out = wanted + rest, 0, False
    hall._save(playing)


def question(playing: Playing) -> NeedsAnswer | None:
    state = playing.table.state
    if playing.table.log is None or state is None or not isinstance(state.need, NeedsAnswer):
        return None
    return state.need
