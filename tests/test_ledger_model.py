"""Whole evenings made up by Hypothesis, against a reference meter of a few lines."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from croupier.errors import CroupierError
from croupier.jackpot import (
    AdjustMeter,
    AnyCommand,
    AwardBackedOut,
    AwardRejected,
    BackOutAward,
    ChangeParameters,
    JackpotHit,
    Level,
    Parameters,
    PayAward,
    RejectAward,
    RoundVoided,
    Sealed,
    State,
    evolve,
)
from croupier.jackpot.chain import unseal
from croupier.jackpot.commands import Funding
from croupier.store import open_store, verify
from tests.ledger import Desk, Memory, Poster, community, fixed, locked, opened, voided

CENT = 10_000
PPM = 1_000_000
TABLES = ("one", "two", "three")


class Meter:
    """The reference: one number in millionths of a micro for the players, one for the house's seed."""

    def __init__(self, seed: int, rate: int) -> None:
        self.seed, self.rate, self.exact = seed, rate, seed * PPM

    @property
    def shown(self) -> int:
        return self.exact // PPM

    def wager(self, micros: int) -> None:
        self.exact += micros * self.rate

    def win(self, share_ppm: int, winners: int) -> int:
        each = self.shown * share_ppm // PPM // winners // CENT * CENT
        self.exact += (self.seed * (share_ppm == PPM) - each * winners) * PPM
        return each

    def add(self, micros: int) -> None:
        self.exact += micros * PPM


class Evening(RuleBasedStateMachine):
    """Linked tables on one meter. Everything is also sent twice, and every refusal must leave no trace."""

    book: Poster

    def make_book(self) -> Poster:
        return Memory()

    @initialize(
        seed=st.integers(0, 500_000) | st.integers(0, 1000),
        rate=st.integers(0, PPM),
        reserve=st.integers(0, PPM),
        fixed_pays=st.sampled_from(["tray", "meter"]),
    )
    def open(self, seed: int, rate: int, reserve: int, fixed_pays: Funding) -> None:
        self.fixed_pays = fixed_pays
        self.book = self.make_book()
        self.desk = Desk(self.book)
        self.rates = (rate, min(reserve, PPM - rate))
        self.meter = Meter(seed * CENT, rate)
        self.reserve = Meter(0, self.rates[1])
        self.rounds = dict.fromkeys(TABLES, 0)
        self.bets: dict[str, set[int]] = {table: set() for table in TABLES}
        self.won: dict[str, set[int]] = {table: set() for table in TABLES}
        self.awards: dict[str, tuple[JackpotHit, str]] = {}
        self.locked_rates = dict.fromkeys(TABLES, self.rates)
        self.reset_by = ""
        self.resets: dict[str, tuple[str, str]] = {}  # of each award: the reset in force after it, and before it
        self.wagered = 0
        self.log: list[Sealed] = []
        level = Level(seed_micros=seed * CENT, contribution_ppm=self.rates[0], reserve_ppm=self.rates[1])
        self.do(opened(parameters=Parameters(fixed_pays=fixed_pays, levels=(level,))))

    def do(self, command: AnyCommand, *, id: str = "", actor: str = "dealer") -> Sealed:
        request = self.desk.request(command, id=id, actor=actor)
        sealed = self.book.post(request)
        assert self.book.post(request) == sealed, "a repeat gets the first answer"
        self.log.append(sealed)
        return sealed

    def balance(self, account: str) -> int:
        level = "" if account in ("wagers", "receipts") else "main"
        return self.balances().get(("push", level, account), 0)

    def balances(self) -> dict[tuple[str, str, str], int]:
        assert isinstance(self.book, Memory)
        return self.book.state.balances

    @rule(
        table=st.sampled_from(TABLES), seats=st.sets(st.integers(1, 7)), cents=st.sampled_from([1, 37, 100, 500, 2500])
    )
    def start_game(self, table: str, seats: set[int], cents: int) -> None:
        self.rounds[table] += 1
        wager = f"{cents // 100}.{cents % 100:02d}"
        self.do(locked(self.rounds[table], *sorted(seats), table=table, wager=wager))
        self.bets[table], self.won[table] = seats, set()
        self.locked_rates[table] = self.rates
        total = len(seats) * cents * CENT
        self.wagered += total
        self.meter.wager(total)
        self.reserve.wager(total)

    @rule(table=st.sampled_from(TABLES))
    def misdeal(self, table: str) -> None:
        command = voided(self.rounds[table], table=table)
        if not self.bets[table] or self.won[table]:
            self.refused(command)
            return
        seed = self.balance("seed")
        event = self.do(command).entry.event
        assert isinstance(event, RoundVoided)
        given_back = sum(bet.amount_micros for bet in event.bets)
        assert self.balance("seed") == seed - event.seed_micros
        assert abs(event.seed_micros * PPM - given_back * sum(self.locked_rates[table])) < 3 * PPM
        self.wagered -= given_back
        self.bets[table] = set()

    @rule(table=st.sampled_from(TABLES), share=st.sampled_from([PPM, PPM, 100_000, 333_333]))
    def hit(self, table: str, share: int) -> None:
        seats = self.bets[table]
        id = f"award-{len(self.awards)}"
        worth = self.meter.shown * share // PPM // max(1, len(seats)) >= CENT
        if not seats or self.won[table] or not worth:
            self.refused(community(self.rounds[table], share, table=table))
            return
        event = self.do(community(self.rounds[table], share, table=table), id=id).entry.event
        assert isinstance(event, JackpotHit)
        assert event.each_micros == self.meter.win(share, len(seats))
        if share == PPM:
            assert event.reserve_micros == self.reserve.shown
            self.meter.add(self.reserve.shown)
            self.reserve.add(-self.reserve.shown)
        self.resets[id] = (id if share == PPM else self.reset_by, self.reset_by)
        self.reset_by = self.resets[id][0]
        self.awards[id] = (event, "pending")
        self.won[table] = set(seats)

    @rule(table=st.sampled_from(TABLES), seat=st.integers(1, 7), cents=st.sampled_from([500, 1500, 5000]))
    def hit_fixed(self, table: str, seat: int, cents: int) -> None:
        id = f"award-{len(self.awards)}"
        command = fixed(self.rounds[table], f"{cents // 100}", seat, table=table)
        if seat not in self.bets[table] or seat in self.won[table]:
            self.refused(command)
            return
        event = self.do(command, id=id).entry.event
        assert isinstance(event, JackpotHit)
        assert event.amount_micros == cents * CENT
        if self.fixed_pays == "meter":
            assert event.seed_micros == max(0, cents * CENT - self.meter.shown)
            self.meter.add(event.seed_micros - cents * CENT)
        self.resets[id] = (self.reset_by, self.reset_by)
        self.awards[id] = (event, "pending")
        self.won[table].add(seat)

    @precondition(lambda self: self.awards)
    @rule(data=st.data())
    def pay(self, data: st.DataObject) -> None:
        id = data.draw(st.sampled_from(sorted(self.awards)))
        event, status = self.awards[id]
        command = PayAward(award=id, approved_by=("executive",))
        if status != "pending":
            self.refused(command)
            return
        self.do(command)
        self.awards[id] = (event, "paid")

    @precondition(lambda self: self.awards)
    @rule(data=st.data())
    def give_back(self, data: st.DataObject) -> None:
        id = data.draw(st.sampled_from(sorted(self.awards)))
        event, status = self.awards[id]
        if status == "pending":
            command: AnyCommand = RejectAward(award=id, note="void")
            if event.round == self.rounds[event.table]:
                self.won[event.table] -= set(event.seats)
        elif status == "paid":
            command = BackOutAward(award=id, note="void", second="executive")
        else:
            self.refused(RejectAward(award=id, note="void"))
            return
        returned = self.do(command).entry.event
        self.awards[id] = (event, "returned")
        if event.funding == "meter":
            assert isinstance(returned, AwardRejected | AwardBackedOut)
            self.meter.add(event.amount_micros)
            undone = self.resets[id][0] == self.reset_by
            reserve = min(event.reserve_micros, self.meter.shown) if undone else 0
            seed = min(event.seed_micros, self.meter.shown - reserve) if undone else 0
            assert (returned.seed_micros, returned.reserve_micros) == (seed, reserve)
            self.meter.add(-seed - reserve)
            self.reserve.add(reserve)
            if undone:
                self.reset_by = self.resets[id][1]

    @rule(cents=st.integers(-3_000_000, 3_000_000))
    def correct_display(self, cents: int) -> None:
        command = AdjustMeter(
            jackpot="push", reason="correct_display", micros=cents * CENT, note="x", second="executive"
        )
        if cents == 0 or -cents * CENT > self.meter.shown:
            self.refused(command)
            return
        self.do(command)
        self.meter.add(cents * CENT)

    @rule(rate=st.integers(0, PPM), based_on=st.integers(0, 1))
    def change_rate(self, rate: int, based_on: int) -> None:
        version = sum(type(sealed.entry.event).__name__ == "ParametersChanged" for sealed in self.log) + 1
        level = Level(seed_micros=self.meter.seed, contribution_ppm=rate, reserve_ppm=min(self.rates[1], PPM - rate))
        command = ChangeParameters(
            jackpot="push",
            parameters=Parameters(fixed_pays=self.fixed_pays, levels=(level,)),
            based_on=version - based_on,
            second="executive",
        )
        if based_on:
            self.refused(command)
            return
        self.do(command)
        self.meter.rate, self.reserve.rate = rate, level.reserve_ppm
        self.rates = (rate, level.reserve_ppm)

    def refused(self, command: AnyCommand) -> None:
        before = dict(self.balances())
        with contextlib.suppress(CroupierError):
            self.book.post(self.desk.request(command))
            raise AssertionError(f"{command} should have been refused")
        assert self.balances() == before

    @invariant()
    def meter_is_the_references(self) -> None:
        if hasattr(self, "book"):
            assert self.balance("meter") == self.meter.shown
            assert self.balance("reserve") == self.reserve.shown

    @invariant()
    def money_is_neither_made_nor_lost(self) -> None:
        if hasattr(self, "book"):
            assert sum(self.balances().values()) == 0
            assert self.balance("wagers") == -self.wagered

    @invariant()
    def what_is_paid_was_hit(self) -> None:
        if hasattr(self, "book"):
            for account, status in (("pending", "pending"), ("paid", "paid")):
                expected = sum(event.amount_micros for event, now in self.awards.values() if now == status)
                assert self.balance(account) == expected

    def teardown(self) -> None:
        """The log alone gives the same state again."""
        if not hasattr(self, "book"):
            return
        state, previous = State(), "0" * 64
        for number, sealed in enumerate(self.log, 1):
            read = unseal(sealed.text, sealed.hash, number, previous)
            assert read == sealed
            state.update(evolve(state, read.entry.event))
            previous = sealed.hash
        assert state.balances == self.balances()


class StoredEvening(Evening):
    """The same in a database, which forgets its memory now and then."""

    def make_book(self) -> Poster:
        self.folder = tempfile.TemporaryDirectory()
        self.url = str(Path(self.folder.name) / "ledger.db")
        self.stored = open_store(self.url)
        return self.stored

    def balances(self) -> dict[tuple[str, str, str], int]:
        return self.stored.balances()

    @rule()
    def restart(self) -> None:
        self.stored.close()
        self.stored = open_store(self.url)
        self.book = self.desk.book = self.stored

    def teardown(self) -> None:
        if not hasattr(self, "book"):
            return
        super().teardown()
        assert verify(self.stored).is_good
        self.stored.close()
        self.folder.cleanup()


QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much]
TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=150, stateful_step_count=40, deadline=None, suppress_health_check=QUIET)
TestStoredEvening = StoredEvening.TestCase
TestStoredEvening.settings = settings(
    max_examples=12, stateful_step_count=30, deadline=None, suppress_health_check=QUIET
)
