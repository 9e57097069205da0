"""Everything that is fixed before the first card: game, rules, pay tables, limits, and who wagers what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from croupier.errors import IllegalActionError, NotationError, unknown
from croupier.kernels.bets import Bet
from croupier.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, dollars_for_people, parse_dollars
from croupier.pay import Row
from croupier.rules.choice import Choice, choose, notes_at_table, switch_value
from croupier.rules.loader import find_jurisdiction
from croupier.rules.spec import Game, Wager

Stakes = Mapping[str, int]
"""Wager id to micros."""

TAKE = "take:"


def wagered_on(name: str) -> str:
    """The wager behind a stake: `take:lucky_break` is a take bet, made for the dealer, on `lucky_break`."""
    return name.removeprefix(TAKE)


@dataclass(frozen=True, kw_only=True)
class WagerLimits:
    """Least and most of a wager, in micros; the house's own limits."""

    least: int = MICROS_PER_CENT
    most: int | None = None


@dataclass(frozen=True, kw_only=True)
class SideBet:
    """A wager decided by a classifier, ready to be settled."""

    choice: Choice
    bet: Bet
    options: int
    rows: dict[str, Row]
    """The row that pays each outcome."""


def rows_by_outcome(choice: Choice) -> dict[str, Row]:
    """First match wins."""
    rows: dict[str, Row] = {}
    for row in choice.rows:
        for outcome in row.paid_outcomes:
            rows.setdefault(outcome, row)
    return rows


@dataclass(frozen=True, kw_only=True)
class TableRules:
    """The rules of one table, resolved: nothing here changes while a round is on."""

    game: Game
    decks: int
    settings: dict[str, str] = field(default_factory=dict)
    """Switches as set; one that is left out is at its default."""
    pay_tables: dict[str, str] = field(default_factory=dict)
    """Pay tables as set; a wager that is left out has its default one."""
    limits: dict[str, WagerLimits] = field(default_factory=dict)
    day: date
    """The day whose law applies."""
    meters: dict[str, int] = field(default_factory=dict)
    """What a progressive's meter shows, micros, where it is not its seed; under the names of `seats_meter` what it
    showed when a seat was paid."""

    @cached_property
    def switches(self) -> dict[str, str]:
        return {switch.id: switch.default for switch in self.game.switches} | self.settings

    @cached_property
    def every_switch(self) -> dict[str, str]:
        """Every switch in force, for records that outlive today's defaults. What a pay table sets for its wager alone
        stays with the pay table, which the record names."""
        own = {name for choice in self.placed.values() for name in choice.pay_table.settings}
        return {name: value for name, value in self.switches.items() if name in self.settings or name not in own}

    @cached_property
    def every_pay_table(self) -> dict[str, str]:
        """The pay table of every wager that has one, likewise."""
        own = (wager for wager in self.game.wagers if wager.pay_tables and self.game.paying(wager) == wager)
        return {wager.id: self.placed[wager.id].pay_table.id for wager in own}

    @cached_property
    def placed(self) -> dict[str, Choice]:
        """Every wager of the game with its pay table, as it stands on this table's layout."""
        return {
            wager.id: choose(
                self.game,
                wager.id,
                pay_table=self.pay_tables.get(self.game.paying(wager).id),
                decks=str(self.decks),
                settings=self.settings,
            )
            for wager in self.game.wagers
        }

    @cached_property
    def side_bets(self) -> dict[str, SideBet]:
        """The wagers that a classifier decides, with what is needed to settle them."""
        return {
            name: SideBet(
                choice=choice, bet=choice.bet, options=choice.bet.pack(choice.switches), rows=rows_by_outcome(choice)
            )
            for name, choice in self.placed.items()
            if choice.bet is not None and choice.wager.classifiers
        }

    @cached_property
    def side_bets_at(self) -> dict[int, list[tuple[str, SideBet]]]:
        """The same by the moment of the round that decides them."""
        moments: dict[int, list[tuple[str, SideBet]]] = {}
        for name, side in self.side_bets.items():
            moments.setdefault(side.bet.scene.moment, []).append((name, side))
        return moments

    @cached_property
    def cap(self) -> int | None:
        """The law's limit for a single wager, in micros."""
        law = find_jurisdiction(self.game.jurisdiction)
        limit = law.single_wager_limit(self.day) if law else None
        return limit.dollars * MICROS_PER_DOLLAR if limit else None

    def most_by_law(self, name: str) -> int | None:
        """The most that a seat may put on a wager before the first card, in micros; None for any amount."""
        if self.cap is None or name != self.first_wager:
            return self.cap
        most = self.cap // max(wager.least_times for wager in self.game.declared.wagers)
        return most // MICROS_PER_CENT * MICROS_PER_CENT

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Where this table leaves its letter."""
        return tuple(notes_at_table(list(self.placed.values())))

    def notes_on(self, seats: Sequence[Stakes]) -> tuple[str, ...]:
        """The same, of the wagers that were made."""
        wagered = {wagered_on(name) for stakes in seats for name in stakes}
        about = notes_at_table(list(self.placed.values()))
        return tuple(note for note, of in about.items() if any(choice.wager.id in wagered for choice in of))

    def times_staked(self, name: str) -> int:
        """How many times the amount of a wager goes onto the table before the first card: on each hand, and once more
        for every wager that equals it."""
        settled = self.game.settled_by_round(self.game.wager(wagered_on(name)))
        return self.hands_staked(name) * (self.game.declared.equal_wagers(settled.id) if settled is not None else 1)

    def hands_staked(self, name: str) -> int:
        """On how many hands the amount of a wager lies before the first card: on one, or on each."""
        declared, side = self.game.declared, self.side_bets.get(wagered_on(name))
        if side is not None:
            return declared.hands if declared.scenes_on_each_hand(self._kernel_switches, side.bet.scene) else 1
        return declared.hands if name == self.first_wager else 1

    @cached_property
    def first_wager(self) -> str:
        """The wager that the round itself is played for; empty where side bets are all there is."""
        wager = self.game.wager_of_round(self.game.declared.first_wager)
        return wager.id if wager is not None else ""

    @cached_property
    def staked_wagers(self) -> tuple[str, ...]:
        """The wagers of which the round itself knows what lies on them before the first card, in its order."""
        wagers = (self.game.wager_of_round(id) for id in self.game.declared.staked_wagers)
        return tuple(wager.id if wager is not None else "" for wager in wagers)

    @cached_property
    def made_first(self) -> tuple[str, ...]:
        """The wagers that are made before the first card."""
        settled = {wager.id: self.game.settled_by_round(wager) for wager in self.game.wagers}
        return tuple(id for id, wager in settled.items() if wager is None or wager.is_placed)

    @cached_property
    def round_wagers(self) -> tuple[str, ...]:
        """The ids under which this game has the wagers that the round settles, in the round's order."""
        declared = self.game.declared
        named = {wager.id: self.game.wager_of_round(wager.id) for wager in declared.wagers}
        return tuple(own.id if (own := named[wager.id]) else wager.id for wager in declared.wagers)

    def paid_by(self, name: str) -> str:
        """The wager of the game under whose name a wager is settled: its own, or that of the one it is paid on."""
        if wagered_on(name) in self.placed:
            return wagered_on(name)
        declared = self.game.declared
        return next(
            self.round_wagers[number]
            for number, wager in enumerate(declared.wagers)
            if wager.id == declared.wagers[self.round_wagers.index(name)].pays_on
        )

    def account_of(self, name: str) -> str:
        """The wager in whose account a result stands: what a round adds to its first wager is part of that."""
        settled = self.game.settled_by_round(self.game.wager(self.paid_by(name)))
        has_own = settled is None or settled.is_apart or bool(settled.decided_by)
        return name if has_own else self.first_wager

    def meter_of(self, wager_id: str, staked: int | None = None) -> int:
        """What the meter shows; where nobody has said, its seed, which goes with the wager that the sensors take."""
        return self.meters[wager_id] if wager_id in self.meters else self.seed_of(wager_id, staked)

    def seed_of(self, wager_id: str, staked: int | None = None) -> int:
        """The seed of a progressive's pay table, for the wager that the sensors take."""
        table = self.placed[wager_id].pay_table
        assert table.jackpot is not None
        scale = 1 if staked is None else staked // (table.stake * MICROS_PER_DOLLAR)
        return table.jackpot.seed * MICROS_PER_DOLLAR * scale

    def kernel_rules(self, seats: Sequence[Stakes]) -> Any:
        """The switches as the round reads them, and who sits at the table."""
        live = 0
        for seat, stakes in enumerate(seats):
            if len(stakes) > 1 and any(wagered_on(name) in self._dealer_bets for name in stakes):
                live |= 1 << seat
        key = (len(seats), live)
        if key not in self._kernel_rules:
            more = {"seats": len(seats), "dealer_bets": live, "cap": self.cap or 0, "unit": MICROS_PER_CENT}
            self._kernel_rules[key] = self.game.rules_under(self.switches, **more)
        return self._kernel_rules[key]

    @cached_property
    def _kernel_rules(self) -> dict[tuple[int, int], Any]:
        """Made once for each number of seats and set of seats with a bet on the dealer's hand."""
        return {}

    @cached_property
    def _kernel_switches(self) -> Any:
        return self.game.rules_under(self.switches)

    @cached_property
    def _dealer_bets(self) -> set[str]:
        """Wagers for which the dealer completes the hand."""
        return {name for name, side in self.side_bets.items() if side.bet.scene.completes_dealer}

    @cached_property
    def round_rows(self) -> tuple[dict[str, Row], ...]:
        """Rows of the wagers that the round itself settles, by the round's number and by outcome."""
        declared = self.game.declared
        ids = dict(zip((wager.id for wager in declared.wagers), self.round_wagers, strict=True))
        paid_by = (ids[wager.paid_by] for wager in declared.wagers)
        return tuple({row.row: row for row in self.placed[id].rows} if id in self.placed else {} for id in paid_by)

    def check_stakes(self, stakes: Stakes, seat: int) -> None:
        """Raises unless these wagers may be made by one seat."""
        for name, amount in stakes.items():
            self._check_amount(name, amount, seat)
        if self.switches.get("jackpot_wager") == "mandatory":
            for wager in self.game.wagers:
                if wager.kind == "progressive" and wager.id not in stakes:
                    raise IllegalActionError(
                        f'Seat {seat} must make the wager "{wager.id}" at this table.', code="no_jackpot_wager"
                    )
        if self.game.declared.needs_first_wager and self.first_wager not in stakes:
            raise IllegalActionError(f"Seat {seat} makes no main wager, which this game needs.", code="no_main_wager")
        if not stakes:
            raise IllegalActionError(f"Seat {seat} wagers nothing.", code="no_wager")
        for name in stakes:
            needed = self.needed_beside(self.game.wager(wagered_on(name)))
            if needed and not any(other in stakes for other in needed):
                raise IllegalActionError(
                    f"Seat {seat} needs a main wager beside {self.game.wager(wagered_on(name)).name} here.",
                    code="no_main_wager",
                )

    def needed_beside(self, wager: Wager) -> tuple[str, ...]:
        """The wagers of which a seat must make one to make this one; none, if it may be made alone."""
        if any(self.switches[switch] != value for switch, value in wager.needs_when.items()):
            return ()
        if wager.kind == "progressive" and not wager.needs:
            return tuple(main.id for main in self.game.wagers if main.is_main)
        return wager.needs

    def _check_amount(self, name: str, amount: int, seat: int) -> None:
        wager = self.game.wager(wagered_on(name))
        where = f'The wager "{name}" of seat {seat}'
        if name != wager.id and not wager.take_bets:
            raise IllegalActionError(f"{where} is not possible: there are no take bets on it.", code="no_take_bet")
        limits = self.limits.get(wager.id, WagerLimits())
        settled = self.game.settled_by_round(wager)
        if settled is not None and not settled.is_placed:
            when = f"with {settled.equals}, in the same amount" if settled.equals else "when the dealer asks for it"
            raise IllegalActionError(f"{where} is made only {when}.", code="not_before_the_deal")
        if amount % MICROS_PER_CENT or amount < limits.least:
            raise IllegalActionError(
                f"{where} is too small: whole cents, {dollars_for_people(limits.least)} or more.", code="under_minimum"
            )
        if limits.most is not None and amount > limits.most:
            raise IllegalActionError(
                f"{where} is over the table's maximum of {dollars_for_people(limits.most)}.", code="over_maximum"
            )
        most = self.most_by_law(wager.id)
        if self.cap is not None and most is not None and amount > most:
            because = "" if most == self.cap else f"; here {dollars_for_people(most)}, as more has to be added to go on"
            raise IllegalActionError(
                f"{where} is over the limit of {dollars_for_people(self.cap)} for a single wager on "
                f"{self.day}{because}.",
                code="over_legal_limit",
            )
        table = self.placed[wager.id].pay_table
        allowed = [unit * MICROS_PER_DOLLAR for unit in (table.stake, *table.scales_to)]
        if wager.kind == "progressive" and amount not in allowed:
            listing = ", ".join(dollars_for_people(unit) for unit in allowed)
            raise IllegalActionError(f"{where} is on a sensor, which takes {listing}.", code="bad_sensor_wager")


def seats_meter(wager_id: str, seat: int) -> str:
    """The name under which a table keeps what a meter showed when a seat (from 1) was paid its share."""
    return f"{wager_id}@{seat}"


def is_seats_meter(name: str) -> bool:
    """Whether a name is one of these."""
    return "@" in name


def make_rules(
    game: Game,
    *,
    decks: int | None = None,
    settings: Mapping[str, str] | None = None,
    pay_tables: Mapping[str, str] | None = None,
    day: date,
    limits: Mapping[str, WagerLimits] | None = None,
    meters: Mapping[str, int] | None = None,
) -> TableRules:
    """Table rules from what a user asks for; raises with a sentence on anything that does not exist."""
    switches = {name: switch_value(game.switch(name), value) for name, value in (settings or {}).items()}
    for wager_id, table_id in (pay_tables or {}).items():
        paying = game.paying(game.wager(wager_id))
        if paying.id != wager_id:
            raise IllegalActionError(
                f'"{wager_id}" is paid by the pay table of "{paying.id}": choose that one\'s.', code="unknown_pay_table"
            )
        paying.pay_table(table_id)
    return TableRules(
        game=game,
        decks=decks if decks is not None else game.default_decks,
        settings=switches,
        pay_tables=dict(pay_tables or {}),
        limits=dict(limits or {}),
        day=day,
        meters=dict(meters or {}),
    )


def parse_stakes(text: str, game: Game) -> dict[str, int]:
    """`"main=10 push_22=5"` as micros of each wager; `take:lucky_break=1` is a take bet."""
    stakes: dict[str, int] = {}
    for word in text.replace(",", " ").split():
        name, equals, amount = word.partition("=")
        if not equals:
            raise NotationError(
                f'"{word}" is not a wager: write WAGER=AMOUNT, as in {game.first_wager.id}=10.', code="bad_wager"
            )
        game.wager(wagered_on(name))
        if name in stakes:
            raise NotationError(f'"{name}" is wagered twice in "{text}".', code="bad_wager")
        stakes[name] = parse_dollars(amount)
    return stakes


def check_seats(seats: list[Stakes], rules: TableRules, numbers: Sequence[int] | None = None) -> None:
    """Raises unless these seats may wager so in one round. `numbers` are theirs at the table, where some stay empty."""
    if not 1 <= len(seats) <= rules.game.most_seats:
        raise IllegalActionError(f"{len(seats)} seats: a table has 1 to {rules.game.most_seats}.", code="bad_seats")
    for number, stakes in zip(numbers or range(1, len(seats) + 1), seats, strict=True):
        for name in stakes:
            if wagered_on(name) not in rules.placed:
                raise unknown("wager", name, rules.placed)
        rules.check_stakes(stakes, number)
    for wager in rules.game.wagers:
        amounts = {stakes[wager.id] for stakes in seats if wager.id in stakes}
        if wager.kind == "progressive" and len(amounts) > 1:
            listing = " and ".join(dollars_for_people(amount) for amount in sorted(amounts))
            raise IllegalActionError(
                f'The sensors of "{wager.id}" take one amount at a table, not {listing}: a won meter is shared evenly.',
                code="mixed_sensors",
            )
