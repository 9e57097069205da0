"""A table that the software deals, with its jackpots on the floor's ledger.

The layout on the screen is the sensors: wagers are locked on the ledger before the first card. When a round ends on a
row that the jackpot pays, the hit is proposed with the cards that make it as evidence. The ledger says what it comes
to, as linked tables may have moved the meter since the deal. Awards are approved at once, marked so in the log. All of
it is play money: only a demonstration floor has such tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from croupier.errors import IllegalActionError
from croupier.floor.checks.play import PLAY_MONEY, closed_sentence
from croupier.floor.clearing import SOFTWARE_IDS
from croupier.floor.proof import Side, evidence_of, is_one_result, is_proved
from croupier.floor.service import Ask, FloorService, Signer
from croupier.floor.setup import JackpotSetup, TableSetup, has_own_pay_table
from croupier.floor.stored import entry_of
from croupier.floor.terminal import EVERYONE, Pick, Spot, jackpot_of, row_of
from croupier.jackpot import JackpotHit
from croupier.rules import find_game
from croupier.table.events import Event, WagerSettled
from croupier.table.replay import RoundState
from croupier.table.setup import TableRules, WagerLimits, make_rules, seats_meter
from croupier.table.shoe import LiveShoe, shuffle_for
from croupier.table.table import Automations, Command, FinishRound, StartRound, Table


class DealtTable:
    """One table of the floor, dealt here. `by` runs its rounds, as a dealer does."""

    def __init__(
        self,
        desk: FloorService,
        table: str,
        by: Signer,
        *,
        automations: Automations | None = None,
        shoe: LiveShoe | None = None,
        table_in_play: Table | None = None,
    ) -> None:
        self.desk = desk
        self.by = by
        self.floor = desk.floor()
        self.setup = self.floor.table(table)
        game = find_game(self.setup.game)
        self.table = table_in_play or Table(
            rules_of(self.setup, {jackpot.wager: jackpot for jackpot in self.floor.jackpots_at(self.setup)}, desk),
            shoe
            or LiveShoe(
                self.setup.decks, shuffle_for(game.shuffles, self.setup.shuffle), deck_size=game.declared.deck_size
            ),
        )
        self.table.automations = replace(automations or Automations(), settle=False)

    def do(self, command: Command, *, id: str, revision: int) -> tuple[Event, ...]:
        """As `Table.do`. What it books has ids made of this one: a command that was cut off is done again as it was."""
        if isinstance(command, StartRound) and revision == self.table.revision:
            self._lock(id)
        happened = self.table.do(command, revision=revision)
        state = self.table.state
        if self.table.log is not None and state is not None and state.is_complete:
            happened = self._settle(id, happened)
        return happened

    def ledger_id(self, id: str) -> str:
        """The id under which a command of now is booked. It has the revision of the table's state on the ledger, which
        the booking changes: an id that comes again is never taken for the command that had it before."""
        return f"{SOFTWARE_IDS}{self.setup.id}:{self.desk.table(self.setup.id).revision}:{id}"

    def has_begun(self, id: str) -> bool:
        """Whether a command has moved the ledger, though it was not finished."""
        return any(self.desk.book.entry(self._ask(id, part).id) is not None for part in ("lock", "hit", "end"))

    def _ask(self, id: str, part: str) -> Ask:
        return Ask(id=f"{id}:{part}", by=self.by)

    def _lock(self, id: str) -> None:
        """The jackpot wagers of the round, before its first card. A lock without cards stays on record, and is safe."""
        if not self.floor.demo:
            raise IllegalActionError(closed_sentence(self.setup), code=PLAY_MONEY)
        self.table.require_now(StartRound())
        lit = [
            Spot(number, sensor.number)
            for number, spot in enumerate(self.table.spots, 1)
            for sensor in self.setup.sensors
            if self.floor.jackpot(sensor.jackpot).wager in spot.wagers
        ]
        self.desk.start(self._ask(id, "lock"), self.setup.id, chips=len(lit), lit=lit)
        self.table.show_meters(self._meters())

    def _meters(self) -> dict[str, int]:
        return _shown(self.desk, {jackpot.wager: jackpot for jackpot in self.floor.jackpots_at(self.setup)})

    def _settle(self, id: str, happened: tuple[Event, ...]) -> tuple[Event, ...]:
        """The round is over: hits are proposed and approved, and the table opens again.

        Returns what happened, with jackpots at the amounts that the ledger says.
        """
        seen = self.table.state
        assert seen is not None
        awards: list[str] = []
        for number, (picks, evidence, side) in enumerate(self._claims(seen)):
            step = self._ask(id, f"hit:{number}" if number else "hit")
            awards += self.desk.hit(step, self.setup.id, picks=picks, evidence=evidence, side=side).awards
        if awards:
            self.table.show_meters(self._hit_meters(awards))
            now = self.table.state
            assert now is not None
            happened = _as_settled(happened, now.settled)
            for number, award in enumerate(awards, 1):
                self.desk.pay_as_demo(self._ask(id, f"pay:{number}"), award)
        self.desk.end(self._ask(id, "end"), self.setup.id)
        return happened + self.table.do(FinishRound(), revision=self.table.revision)

    def _claims(self, seen: RoundState) -> Iterator[tuple[list[Pick], str, Side]]:
        """What is claimed together, with its cards: all, where everybody looks at the same ones, else seat by seat."""
        by_cards: dict[tuple[str, Side, int], list[Pick]] = {}
        for pick in self._picks(seen.settled):
            jackpot = jackpot_of(self.setup, self.floor, pick.sensor)
            won = [wager.seat - 1 for wager in seen.settled if (wager.wager, wager.row) == (jackpot.wager, pick.row)]
            seats = won if pick.seat == EVERYONE else [self.table.playing.index(pick.seat)]
            given = [evidence_of(seen, jackpot.wager, seat) for seat in seats]
            # A prize that all share is settled on every seat, but made by the cards of one.
            proved = (cards for cards in given if is_proved(jackpot, self.setup, pick.row, *cards))
            # Each seat wins by its own cards, also where another has the same ones from another deck.
            whose = 0 if is_one_result(jackpot, self.setup) else pick.seat
            by_cards.setdefault((*next(proved, given[0]), whose), []).append(pick)
        for (evidence, side, _), picks in by_cards.items():
            yield picks, evidence, side

    def _picks(self, settled: list[WagerSettled]) -> list[Pick]:
        """The winning hands that the ledger is told of."""
        picks = set()
        for sensor in self.setup.sensors:
            jackpot = self.floor.jackpot(sensor.jackpot)
            for wager in settled:
                if wager.wager == jackpot.wager and wager.row != "lose" and is_told(jackpot, wager.row):
                    shared = row_of(jackpot, wager.row).paid == "shared"
                    seat = EVERYONE if shared else self.table.playing[wager.seat - 1]
                    picks.add(Pick(seat, sensor.number, wager.row))
        return sorted(picks)

    def _hit_meters(self, awards: Sequence[str]) -> dict[str, int]:
        """What the meters stood at when they were hit, by wager, and for seats that were hit one by one by theirs: the
        round is settled by that."""
        shown: dict[str, int] = {}
        for award in awards:
            _, event = entry_of(self.desk.book, award, JackpotHit)
            if event.share_ppm:
                wager = self.floor.jackpot(event.jackpot).wager
                seats = () if event.community else event.seats
                names = [seats_meter(wager, self.table.playing.index(seat) + 1) for seat in seats] or [wager]
                shown |= dict.fromkeys(names, event.meter_before_micros)
        return shown


def _as_settled(happened: tuple[Event, ...], settled: list[WagerSettled]) -> tuple[Event, ...]:
    """The same events with wagers as they were settled in the end."""
    last = {(wager.seat, wager.hand, wager.wager, wager.envy_of): wager for wager in settled}
    return tuple(
        last.get((event.seat, event.hand, event.wager, event.envy_of), event)
        if isinstance(event, WagerSettled)
        else event
        for event in happened
    )


def is_told(jackpot: JackpotSetup, row: str) -> bool:
    """Whether a win goes to the ledger: what comes off the meter always, fixed pays from the tray if so set up."""
    return row_of(jackpot, row).pays.is_share or jackpot.fixed_pays == "meter" or jackpot.track_fixed_pays


def rules_of(setup: TableSetup, jackpots: Mapping[str, JackpotSetup], desk: FloorService) -> TableRules:
    """The floor's setup of a table as rules to deal by."""
    game = find_game(setup.game)
    settings = dict(setup.settings)
    for jackpot in jackpots.values():
        settings = {**jackpot.settings, **settings}
        if game.has_switch("fixed_pays"):
            settings["fixed_pays"] = jackpot.fixed_pays
    tables = {wager.wager: wager.pay_table for wager in setup.wagers if has_own_pay_table(game, wager.wager)}
    limits = {
        wager.wager: WagerLimits(least=int(wager.least_micros), most=int(wager.most_micros))
        for wager in setup.wagers
        if wager.most_micros is not None
    }
    return make_rules(
        game,
        decks=setup.decks,
        settings=settings,
        pay_tables=tables | {name: jackpot.pay_table for name, jackpot in jackpots.items()},
        day=desk.clock().date(),
        limits=limits,
        meters=_shown(desk, jackpots),
    )


def _shown(desk: FloorService, jackpots: Mapping[str, JackpotSetup]) -> dict[str, int]:
    """What the meters of these jackpots show, by the wagers on them."""
    figures = desk.figures()
    figures.require(*(jackpot.id for jackpot in jackpots.values()))
    shown = {meter.jackpot: meter.meter_micros for meter in figures.shown}
    return {name: shown[jackpot.id] for name, jackpot in jackpots.items()}
