"""A table: seats, wagers, a shoe, one round after another.

Every command can be verified (`verify`, which raises a sentence), tried (`can`) and done (`do`, which returns the
events it caused). A command carries the revision it was based on: a stale one is refused. Whoever takes commands from
elsewhere knows a repeat by its id (`hall`, `floor`). What a table does by itself is set by its automations, so one
engine serves a web player who only decides and a dealer who presses every button.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import Struct

from croupier.errors import CroupierError, IllegalActionError, StaleRevisionError
from croupier.kernels.effects import MOST_SEATS
from croupier.table.events import (
    Event,
    RoundFinished,
    RoundStarted,
    ShoeShuffled,
    SpotLeft,
    SpotTaken,
    WagersMade,
    as_seen,
)
from croupier.table.log import RoundLog
from croupier.table.numbers import NeedsCard, numbers_of
from croupier.table.replay import Deciding, NeedsAnswer, RoundState, check_cards, replay
from croupier.table.setup import Stakes, TableRules, check_seats, is_seats_meter
from croupier.table.shoe import LiveShoe

KEPT_ROUNDS = 1000
"""Finished rounds a table keeps in memory."""


class Command(Struct, frozen=True, kw_only=True, tag_field="command"):
    """Something somebody wants to do at a table."""


class Sit(Command, frozen=True, kw_only=True, tag=True):
    """A player takes a spot; one player may take several."""

    spot: int
    player: str


class Leave(Command, frozen=True, kw_only=True, tag=True):
    """A player gives a spot up."""

    spot: int


class MakeWagers(Command, frozen=True, kw_only=True, tag=True):
    """All wagers of a spot for the next round, replacing those made before; none takes them back."""

    spot: int
    wagers: dict[str, int]


class StartRound(Command, frozen=True, kw_only=True, tag=True):
    """No more wagers; the deal begins."""


class DealCard(Command, frozen=True, kw_only=True, tag=True):
    """The dealer deals the next card: of the shoe, or the card named where real cards are dealt by hand."""

    card: int | None = None


class Answer(Command, frozen=True, kw_only=True, tag=True):
    """The seat that is asked answers."""

    spot: int
    answer: str


class FinishRound(Command, frozen=True, kw_only=True, tag=True):
    """Everything is paid and taken; the table opens for wagers."""


@dataclass(frozen=True, kw_only=True)
class Automations:
    """What the table does alone."""

    deal: bool = True
    """Cards of the opening and players' cards come without a button."""
    dealer: bool = True
    """The dealer's own cards come without a button."""
    settle: bool = True
    """A complete round is finished at once."""
    rebet: bool = False
    """Wagers stay on the layout for the next round."""
    player: Deciding | None = None
    """Answers for every seat, for self-play; None leaves decisions to people."""


@dataclass
class TableSpot:
    """A place at the table."""

    player: str = ""
    wagers: Stakes = field(default_factory=dict)


@dataclass
class Table:
    """One table in play. `revision` counts the commands done."""

    rules: TableRules
    shoe: LiveShoe
    automations: Automations = field(default_factory=Automations)
    spots: list[TableSpot] = field(default_factory=lambda: [TableSpot() for _ in range(MOST_SEATS)])
    revision: int = 0
    log: RoundLog | None = None
    """The round on the table, complete or not; None while wagers are made."""
    playing: list[int] = field(default_factory=list)
    """Spots of the round's seats: seat 1 of the round is spot `playing[0]`."""
    rounds: int = 0
    """Rounds finished at this table."""
    history: deque[RoundLog] = field(default_factory=lambda: deque(maxlen=KEPT_ROUNDS))
    """The latest of them."""
    _state: RoundState | None = None

    def __post_init__(self) -> None:
        if self.shoe.decks != self.rules.decks:
            raise IllegalActionError(
                f"The shoe holds {self.shoe.decks} decks, the rules are for {self.rules.decks}.", code="bad_decks"
            )

    @property
    def state(self) -> RoundState | None:
        """The round as it stands."""
        return self._state

    def verify(self, command: Command) -> None:
        """Raises the reason why this cannot be done now."""
        self.require_now(command)
        if isinstance(command, Answer):
            self._try(command.answer)

    def require_now(self, command: Command) -> None:
        """Raises the reason why it is not the time for this. An answer that the round does not take is refused when the
        round is run on with it, as `do` does."""
        if isinstance(command, Sit | Leave | MakeWagers):
            self._verify_spot(command)
        elif isinstance(command, StartRound):
            self._verify_start()
        elif isinstance(command, DealCard):
            state = self._verify_round()
            if not isinstance(state.need, NeedsCard):
                raise IllegalActionError("No card is due now.", code="no_card_due")
            if command.card is not None:
                assert self.log is not None
                check_cards([*self.log.cards, command.card], self.rules.decks)
        elif isinstance(command, Answer):
            self.asked(command.spot)
        elif isinstance(command, FinishRound):
            state = self._verify_round()
            if not state.is_complete:
                raise IllegalActionError("The round is not complete yet.", code="round_on")

    def can(self, command: Command) -> bool:
        try:
            self.verify(command)
        except CroupierError:
            return False
        return True

    def do(self, command: Command, *, revision: int) -> tuple[Event, ...]:
        """Does it, and returns what happened."""
        if revision != self.revision:
            raise StaleRevisionError(
                f"The table is at revision {self.revision}, the command was made for {revision}: look again."
            )
        self.require_now(command)
        snapshot = self._snapshot()
        try:
            happened = self._carry_out(command)
        except BaseException:
            self._restore(snapshot)  # done whole or not at all
            raise
        self.revision += 1
        return tuple(happened)

    def show_meters(self, meters: Mapping[str, int]) -> None:
        """What progressive meters show now, micros by wager. A round on the table is settled by them. What they showed
        when seats were paid is that of one round, and goes with it."""
        kept = {name: amount for name, amount in self.rules.meters.items() if not is_seats_meter(name)}
        self.rules = replace(self.rules, meters={**kept, **meters})
        if self.log is not None:
            self.log.rules = self.rules
            self._state = self.log.go_on(self._deal_alone, self.automations.player)

    def put_back(self, log: RoundLog) -> None:
        """The round of a table that was saved and is loaded again."""
        self.log = log
        self._state = log.state()

    def _carry_out(self, command: Command) -> list[Event]:
        seen = len(self._state.events) if self.log is not None and self._state else 0
        happened = self._apply(command)
        if self.log is not None:
            self._state = self.log.go_on(self._deal_alone, self.automations.player)
            happened += [as_seen(event) for event in self._state.events[seen:]]
            if self._state.is_complete and self.automations.settle:
                happened += self._finish()
        return happened

    def _snapshot(self) -> tuple[Any, ...]:
        log = (self.log, len(self.log.steps)) if self.log is not None else (None, 0)
        spots = [(spot.player, spot.wagers) for spot in self.spots]
        return self.shoe.snapshot(), spots, log, self.playing, self._state

    def _restore(self, snapshot: tuple[Any, ...]) -> None:
        shoe, spots, (self.log, steps), self.playing, self._state = snapshot
        self.spots = [TableSpot(player, wagers) for player, wagers in spots]
        self.shoe.restore(shoe)
        if self.log is not None:
            del self.log.steps[steps:]

    def _apply(self, command: Command) -> list[Event]:
        """Changes the table; returns what happened beside the round's own events."""
        if isinstance(command, Sit):
            self.spots[command.spot - 1] = TableSpot(player=command.player)
            return [SpotTaken(spot=command.spot, player=command.player)]
        if isinstance(command, Leave):
            self.spots[command.spot - 1] = TableSpot()
            return [SpotLeft(spot=command.spot)]
        if isinstance(command, MakeWagers):
            self.spots[command.spot - 1].wagers = dict(command.wagers)
            return [WagersMade(spot=command.spot, wagers=tuple(command.wagers.items()))]
        if isinstance(command, StartRound):
            return self._start()
        if isinstance(command, FinishRound):
            return self._finish()
        assert isinstance(command, DealCard | Answer)
        assert self.log is not None
        if isinstance(command, Answer):
            self.log.steps.append(command.answer)
        else:
            self.log.steps.append(command.card if command.card is not None else self.shoe.draw())
        return []

    def _start(self) -> list[Event]:
        happened: list[Event] = []
        if self.shoe.wants_shuffle:
            self.shoe.shuffle()
            commitment, seed = self.shoe.revealed[-1] if self.shoe.sealed else ("", "")
            happened.append(
                ShoeShuffled(commitment=self.shoe.commitment, revealed_commitment=commitment, revealed_seed=seed)
            )
        self.shoe.start_round()
        self.playing = [number for number, spot in enumerate(self.spots, 1) if spot.wagers]
        self.log = RoundLog(self.rules, [self.spots[number - 1].wagers for number in self.playing])
        return [*happened, RoundStarted(spots=tuple(self.playing))]

    def _finish(self) -> list[Event]:
        assert self.log is not None
        self.history.append(self.log)
        self.rounds += 1
        self.log = None
        if not self.automations.rebet:
            for spot in self.spots:
                spot.wagers = {}
        return [RoundFinished(round=self.rounds)]

    def _deal_alone(self, need: NeedsCard, state: RoundState) -> int | None:
        """The next card, if this table deals it without a button."""
        automations = self.automations
        if automations.deal and automations.dealer:
            return self.shoe.draw()
        dealers_own = need.to == numbers_of(self.rules.game.round).dealers and len(state.dealer) >= 2
        alone = automations.dealer if dealers_own else automations.deal
        return self.shoe.draw() if alone else None

    def _verify_start(self) -> None:
        self._verify_betting()
        stakes = [spot.wagers for spot in self.spots if spot.wagers]
        if not stakes:
            raise IllegalActionError("Nobody has wagered: a round needs at least one wager.", code="no_wager")
        declared = self.rules.game.declared
        hands, most = len(stakes) * declared.hands, declared.hands_per_deck
        if most and hands > most * self.rules.decks:
            raise IllegalActionError(
                f"{hands} hands are too many for this shoe: at most {most} for each deck.",
                code="too_many_hands",
            )

    def _verify_betting(self) -> None:
        if self.log is not None:
            raise IllegalActionError("A round is on; wagers are made before the first card.", code="round_on")

    def _verify_round(self) -> RoundState:
        if self.log is None or self._state is None:
            raise IllegalActionError("No round is on.", code="no_round")
        return self._state

    def _verify_spot(self, command: Sit | Leave | MakeWagers) -> None:
        if not 1 <= command.spot <= len(self.spots):
            raise IllegalActionError(f"There is no spot {command.spot}: 1 to {len(self.spots)}.", code="no_spot")
        spot = self.spots[command.spot - 1]
        self._verify_betting()
        if isinstance(command, Sit) and spot.player:
            raise IllegalActionError(f"Spot {command.spot} is taken.", code="spot_taken")
        if not isinstance(command, Sit) and not spot.player:
            raise IllegalActionError(f"Nobody sits at spot {command.spot}.", code="spot_empty")
        if isinstance(command, Sit) and not command.player.strip():
            raise IllegalActionError("A player needs a name.", code="no_name")
        if isinstance(command, MakeWagers) and command.wagers:
            if not all(isinstance(amount, int) for amount in command.wagers.values()):
                raise IllegalActionError("Wagers are whole numbers of micros of a dollar.", code="bad_amount")
            others = {
                number: spot.wagers
                for number, spot in enumerate(self.spots, 1)
                if spot.wagers and number != command.spot
            }
            check_seats([*others.values(), command.wagers], self.rules, [*others, command.spot])

    def asked(self, spot: int) -> NeedsAnswer:
        """What a spot is asked now, or the refusal."""
        state = self._verify_round()
        if not isinstance(state.need, NeedsAnswer):
            raise IllegalActionError("Nobody is asked anything now.", code="nothing_asked")
        asked = self.playing[state.need.seat - 1]
        if spot != asked:
            raise IllegalActionError(f"Spot {asked} is asked, not spot {spot}.", code="not_your_turn")
        return state.need

    def _try(self, answer: str) -> None:
        """Raises what the round would raise at the answer."""
        assert self.log is not None
        log = self.log
        replay(self.rules, log.stakes, log.cards, [*log.answers, answer], trusted=True)
