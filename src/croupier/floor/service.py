"""The floor as a service: the steps of the tables, claims, adjustments and changes of setup, all on the ledger.

A table's state is a fact in the ledger, recorded in one transaction with the money that moved: so a restart finds every
round as it was. Each command has a client-made id; asked again it gives the first answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeVar

import msgspec
from msgspec import structs

from croupier.errors import CroupierError, IllegalActionError, LedgerError, StaleRevisionError
from croupier.floor import commands
from croupier.floor import terminal as steps
from croupier.floor.account import ACCOUNT, AccountStanding, FloorAccount
from croupier.floor.approval import approval_for, require_approved
from croupier.floor.asking import Ask, FloorRefusedError, Signer, require
from croupier.floor.by_hand import plan_by_hand, signed
from croupier.floor.change import Change, plan_change, sheets_signed_by, signed_by, take_effect_blockers
from croupier.floor.checks.findings import Finding, refusals
from croupier.floor.checks.floor import check_floor
from croupier.floor.checks.play import require_real_money
from croupier.floor.checks.tables import NOT_CONFIRMED
from croupier.floor.clearing import StuckCheck, clear, require_own_id
from croupier.floor.closing import closing_refusals, floor_without
from croupier.floor.explicit import explicit_floor, stored_floor
from croupier.floor.files import floor_data, require_readable
from croupier.floor.ledger_commands import change_commands, opening_commands
from croupier.floor.meters import Meter, Meters, read_meters
from croupier.floor.proving import prove_picks
from croupier.floor.reasons import check_reduction
from croupier.floor.roles import (
    DEMO_APPROVER,
    SOFTWARE,
    Right,
    Role,
)
from croupier.floor.setup import Floor, TableSetup
from croupier.floor.stored import as_stored, entry_of
from croupier.floor.terminal import Entered, Key, Pick, Spot, Terminal
from croupier.house_time import house_clock
from croupier.jackpot import (
    AdjustMeter,
    AnyCommand,
    Award,
    BackOutAward,
    CloseJackpot,
    FactRecorded,
    HitJackpot,
    JackpotClosed,
    JackpotHit,
    PayAward,
    Reason,
    RecordFact,
    RejectAward,
    Request,
    TableRound,
)
from croupier.jackpot.commands import Pool
from croupier.jackpot.pools import require_note
from croupier.store import Book
from croupier.store.rows import damaged

__all__ = ["FLOOR", "TABLE", "Ask", "FloorRefusedError", "FloorService", "Signer", "TableView", "require"]

FLOOR = "floor"
TABLE = "table:"
MOST_AT_ONCE = 100
"""Commands of a table in one moment, with room to spare: all its sensors may see a chip."""
UNREASONABLE = "unreasonable_contribution"

T = TypeVar("T")
Outcome = tuple[Terminal, Sequence[AnyCommand]]
"""A table's next state, and the money that moves with it."""
Step = Callable[[Terminal, TableSetup, Floor], Outcome]


@dataclass(frozen=True)
class TableView:
    """A table's state with its revision, and awards: those that the command made, or of a look the open claims."""

    terminal: Terminal
    revision: int
    awards: tuple[str, ...] = ()


def _signed_later(finding: Finding) -> Finding:
    """A refusal at the opening, with the way to what one person alone cannot sign."""
    if finding.code != NOT_CONFIRMED:
        return finding
    way = " One person opens a floor: open it without this title, then add it by a change, which two sign."
    return structs.replace(finding, sentence=finding.sentence + way)


class FloorService:
    """One floor on one ledger."""

    def __init__(self, book: Book, clock: Callable[[], datetime] = house_clock) -> None:
        self.book = book
        self.clock = clock
        self._read: tuple[int, Floor] | None = None
        self._account = FloorAccount(book)

    # Setup.

    def set_up(self, ask: Ask, floor: Floor, *, day: date | None = None) -> tuple[Finding, ...]:
        """Opens a floor that the law allows; returns its warnings and notes. One person opens it, so a title that needs
        a confirmed rule sheet is added by a change, which two sign."""
        require(ask.by, Right.APPROVE_CHANGE)
        floor = sheets_signed_by(floor, (ask.by.id,))
        require_readable(floor)
        findings = check_floor(floor, day or self.clock().date())
        if bad := refusals(findings):
            raise FloorRefusedError(tuple(map(_signed_later, bad)))
        body = {"asked": commands.SetUp(floor_data(floor)).recorded(), "floor": floor_data(explicit_floor(floor))}
        self._post(ask, opening_commands(floor), RecordFact(subject=FLOOR, kind="set_up", body=body, based_on=0))
        return tuple(findings)

    def floor(self) -> Floor:
        """The setup in force."""
        return self._floor_in_force()[1]

    def _floor_in_force(self) -> tuple[int, Floor]:
        """With the version that decisions on it are bound to."""
        read = self._read
        if read is None or read[0] != self.book.fact_version(FLOOR):
            fact = self.book.fact(FLOOR)
            if fact is None:
                raise IllegalActionError(
                    "No floor is set up on this ledger yet: croupier jackpot init.", code="no_floor"
                )
            with as_stored("the setup of the floor"):
                read = self._read = (fact.version, stored_floor(fact.body["floor"], FLOOR))
        return read

    def change(self, ask: Ask, new: Floor, *, approved_by: Signer | None = None) -> Change:
        """Puts another setup into force, between rounds; money parameters need a second person.

        Its version says who signed: `made_by` and `approved_by` are those whose cards were shown, whatever was written.
        """
        second = approved_by.id if approved_by is not None else ""
        if second == ask.by.id:
            raise IllegalActionError("Who proposed a change does not approve it too.", code="same_person")
        signed = explicit_floor(signed_by(new, made_by=ask.by.id, approved_by=second, before=self.floor()))
        require_readable(signed)
        command = commands.ChangeFloor(floor_data(new), second)

        def again(done: FactRecorded) -> Change:
            fact, _ = entry_of(self.book, ask.id, FactRecorded)
            with as_stored("the record of a change"):
                before, after = (stored_floor(done.body[name], FLOOR) for name in ("before", "floor"))
            change = plan_change(before, after, {}, fact.entry.at.astimezone(self.clock().tzinfo).date())
            if not isinstance(change, Change):
                raise damaged("the record of a change is of one that was not allowed on its day")
            return change

        return self._once(ask, command, again, lambda: self._new_change(ask, command, signed, approved_by))

    def _new_change(self, ask: Ask, command: commands.ChangeFloor, new: Floor, approved_by: Signer | None) -> Change:
        """A table that moves in the same moment does not refuse it, unless a round has begun there."""
        for _ in range(MOST_AT_ONCE):
            version = self.book.fact_version(FLOOR)
            try:
                return self._try_change(ask, command, new, approved_by)
            except StaleRevisionError:
                if version != self.book.fact_version(FLOOR):
                    raise
        raise StaleRevisionError("The tables of this change move all the time: try again in a moment.")

    def _try_change(self, ask: Ask, command: commands.ChangeFloor, new: Floor, approved_by: Signer | None) -> Change:
        version, old = self._floor_in_force()
        balances = self.book.balances()
        standing = {jackpot.id: balances.get((jackpot.id, jackpot.level, "meter"), 0) for jackpot in old.jackpots}
        planned = plan_change(old, new, standing, self.clock().date())
        if not isinstance(planned, Change):
            raise FloorRefusedError(planned)
        views = {view.terminal.table: view for view in self.tables()}
        busy = [table for table, view in views.items() if view.terminal.phase == "locked"]
        blockers = take_effect_blockers(
            planned,
            rounds_in_progress=busy,
            made_by_role=ask.by.role,
            approved_by_role=approved_by.role if approved_by is not None else None,
        )
        if blockers:
            raise FloorRefusedError(blockers)
        body = {"asked": command.recorded(), "floor": floor_data(new), "before": floor_data(old)}
        money = change_commands(old, new, self.book.jackpots(), new.version.approved_by)
        between_rounds = {TABLE + table: views[table].revision for table in planned.tables if table in views}
        fact = RecordFact(subject=FLOOR, kind="change", body=body, based_on=version, given=between_rounds)
        self._post(ask, money, fact)
        return planned

    def close_jackpot(self, ask: Ask, jackpot: str, note: str, second: Signer, *, to: str = "") -> JackpotClosed:
        """Ends a jackpot that no table plays for, by two people. The house takes back its seed; all else that meter,
        reserve and overflow hold is the players' and goes to the progressive `to`."""
        self._require_two(ask.by, second, "close a jackpot")
        command = commands.CloseJackpotFor(jackpot, note=note, second=second.id, to=to)

        def close() -> None:
            fact, old, at = self.book.fact(FLOOR), self.floor(), self.clock()
            if bad := closing_refusals(old, old.jackpot(jackpot).id, to, at.date()):
                raise FloorRefusedError(bad)
            level = old.jackpot(to or jackpot).level
            money = CloseJackpot(jackpot=jackpot, into=to, into_level=level, note=note, second=second.id)
            new = floor_without(old, jackpot, by=ask.by.id, second=second.id, at=at, why=note)
            require_readable(new)
            body = {"asked": command.recorded(), "floor": floor_data(new), "before": floor_data(old)}
            assert fact is not None
            closed = RecordFact(subject=FLOOR, kind="close_jackpot", body=body, based_on=fact.version)
            self._post(ask, [money], closed)

        self._once(ask, command, lambda done: None, close)
        return entry_of(self.book, _part(ask.id, 0), JackpotClosed)[1]

    # The jackpot account.

    def record_account(
        self, ask: Ask, *, balance_micros: int, note: str, day: date | None = None, credit_line_micros: int = 0
    ) -> AccountStanding:
        """Accounting says what the jackpot account holds on a day, today or one since the last such record."""
        require(ask.by, Right.RECORD_DEPOSIT)
        require_note(note)
        given = {"balance_micros": balance_micros, "credit_line_micros": credit_line_micros}
        command = commands.RecordAccount(day.isoformat() if day else "", **given, note=note)

        def record() -> None:
            self.floor()
            version, record = self._account.next_record(self.clock(), day=day, **given)
            if ask.revision is not None and ask.revision != version:
                raise StaleRevisionError(
                    f"The account is at record {version}, the command was made for {ask.revision}: look again."
                )
            body = {"asked": command.recorded(), "account": msgspec.to_builtins(record), "note": note}
            self._post(ask, (), RecordFact(subject=ACCOUNT, kind="account", body=body, based_on=version))

        self._once(ask, command, lambda done: None, record)
        return self.account()

    def account(self) -> AccountStanding:
        """How the jackpot account stands against what the jackpots hold now (WAC 230-15-455)."""
        return self._account.standing(self.floor(), self.clock().date())

    # Tables.

    def table(self, table: str) -> TableView:
        self.floor().table(table)
        return self._view(table)

    def tables(self) -> tuple[TableView, ...]:
        return tuple(self._view(table.id) for table in self.floor().tables)

    def _view(self, table: str) -> TableView:
        fact = self.book.fact(TABLE + table)
        if fact is None:
            return TableView(Terminal(table=table), 0)
        with as_stored(f'the state of table "{table}"'):
            now = msgspec.convert(fact.body["terminal"], Terminal)
        return TableView(now, fact.version, now.claims)

    def sense(self, ask: Ask, table: str, seat: int, sensor: int, *, lit: bool) -> TableView:
        """A chip came to lie on a sensor, or was taken away.

        A sensor that names no revision tells what it sees, whatever else happens at the table in the same moment.
        """

        def change(now: Terminal, setup: TableSetup, floor: Floor) -> Outcome:
            return steps.sense(now, setup, seat, sensor, lit=lit), ()

        return self._step(ask, table, commands.Sense(table, seat, sensor, lit), change)

    def start(
        self, ask: Ask, table: str, *, chips: int, lit: Sequence[Spot] | None = None, playing: int | None = None
    ) -> TableView:
        """START GAME. Where a layout on a screen is the sensors, `lit` says which of them see a chip. `playing` is how
        many seats play, which the dealer says where the jackpot wager is mandatory."""

        def change(now: Terminal, setup: TableSetup, floor: Floor) -> Outcome:
            if findings := self._account.findings(floor, self.clock().date()):  # the tables stop when it is short
                raise FloorRefusedError(findings)
            for spot in lit or ():
                now = steps.sense(now, setup, spot.seat, spot.sensor, lit=True)
            then, locked = steps.start(now, setup, floor, chips=chips, playing=playing)
            return then, [locked] if locked else []

        command = commands.Start(table, chips, tuple((spot.seat, spot.sensor) for spot in lit or ()), playing)
        try:
            return self._step(ask, table, command, change)
        except IllegalActionError as error:
            if error.code == UNREASONABLE:
                self._alarm(ask, table, str(error))
            raise

    def _alarm(self, ask: Ask, table: str, why: str) -> None:
        """A contribution that cannot be right: the table is stopped, on record, until a supervisor has looked."""
        alert = RecordFact(subject=f"alert:{table}", kind=UNREASONABLE, body={"table": table, "why": why})
        now = self._view(table).revision
        at = Ask(id=f"{ask.id}:alarm:{now}", by=ask.by, revision=now)
        with suppress(StaleRevisionError):  # the table has moved on; its next START GAME is asked again
            self._step(at, table, commands.Alarm(table, why), lambda now, setup, floor: (steps.stop(now, why), [alert]))

    def pick(self, ask: Ask, table: str, seat: int, sensor: int, row: str) -> TableView:
        """A hand button, on or off; seat 0 is Community Jackpot."""

        def change(now: Terminal, setup: TableSetup, floor: Floor) -> Outcome:
            return steps.pick(now, setup, floor, seat, sensor, row, self.entered(now)), ()

        return self._step(ask, table, commands.PickHand(table, seat, sensor, row), change)

    def entered(self, now: Terminal) -> Entered:
        """What the round of a terminal has won so far."""
        return self._entered(self.book.round(now.table), now.round)

    def _entered(self, played: TableRound | None, round: int) -> Entered:
        return steps.entered_in(played, round, self.book.award, lambda award: entry_of(self.book, award, JackpotHit)[1])

    def hit(self, ask: Ask, table: str, *, picks: Sequence[Pick] = (), evidence: str = "", side: str = "") -> TableView:
        """HIT JACKPOT: the picked hands become awards, locked and pending; the meters are reseeded at once.

        `picks` are picked with it, for those who know the winning hands without pressing buttons. `evidence` is the
        cards, which must give the picked rows; `side` is the winner's in baccarat, where the wager follows it.
        """

        def change(now: Terminal, setup: TableSetup, floor: Floor) -> Outcome:
            entered = self.entered(now)
            for pick in picks:
                now = steps.pick(now, setup, floor, pick.seat, pick.sensor, pick.row, entered)
            cards = prove_picks(now, setup, floor, evidence, side, entered)
            hits = steps.hits(now, setup, floor, cards)
            return steps.claimed(now, tuple(_part(ask.id, index) for index in range(len(hits)))), hits

        return self._step(ask, table, commands.Hit(table, _plain(picks), evidence, side), change)

    def award_by_hand(
        self,
        ask: Ask,
        table: str,
        round: int,
        *,
        picks: Sequence[Pick],
        evidence: str,
        side: str = "",
        note: str,
        second: Signer,
    ) -> TableView:
        """The right award of a round, by two people: after another was backed out, or after the round is over.

        It is a claim like any other. In the round that is in progress END GAME waits for it.
        """
        self._require_two(ask.by, second, "enter an award by hand")

        def change(now: Terminal, setup: TableSetup, floor: Floor) -> Outcome:
            played = self.book.past_round(table, round)
            entered = self._entered(played, round)
            plan = plan_by_hand(played, setup, floor, picks, entered=entered, evidence=evidence, side=side)
            if now.phase == "locked" and now.round == round:
                now = steps.claimed(now, tuple(_part(ask.id, index) for index in range(len(plan))))
            return now, signed(plan, note=note, second=second.id)

        command = commands.AwardByHand(table, round, _plain(picks), evidence, side, note=note, second=second.id)
        return self._step(ask, table, command, change)

    def turn_key(self, ask: Ask, table: str, position: Key) -> TableView:
        """Aquarius: the supervisor's key, to JPH or back to Run."""
        command = commands.TurnKey(table, position)
        return self._step(ask, table, command, lambda now, setup, floor: (steps.turn_key(now, setup, position), ()))

    def end(self, ask: Ask, table: str) -> TableView:
        """END GAME."""
        return self._step(ask, table, commands.End(table), self._ended)

    def _ended(self, now: Terminal, setup: TableSetup, floor: Floor) -> Outcome:
        if not now.claims and now.phase == "locked":
            steps.require_all_entered(now, setup, floor, self.entered(now))
        return steps.end(now, setup, claimed_micros=self._claimed(now)), ()

    def _claimed(self, now: Terminal) -> int:
        return sum(self.book.award(claim).amount_micros for claim in now.claims)

    def void(self, ask: Ask, table: str, why: str) -> TableView:
        """A misdeal: a supervisor gives the wagers of the locked round back. Meters keep what they got of them, which
        the house puts up as seed money: a misdeal is no lawful reason to lower one (WAC 230-15-695)."""

        def change(now: Terminal, setup: TableSetup, floor: Floor) -> Outcome:
            then, given_back = steps.void(now, setup, floor, why, claimed_micros=self._claimed(now))
            return then, [given_back] if given_back else []

        return self._step(ask, table, commands.Void(table, why), change)

    def clear(self, ask: Ask, table: str, why: str, second: Signer, *, check: StuckCheck | None = None) -> TableView:
        """Makes a table that cannot go on ready for the next round, by two people who may void. Locked wagers go back
        as by `void`; whoever deals there sees by `clearings` that its round is over, and gives play money back."""
        for signer in (ask.by, second):
            require(signer, Right.VOID_ROUND)
        if ask.by.id == second.id:
            raise IllegalActionError("To clear a table takes two different people.", code="same_person")

        def change(now: Terminal, setup: TableSetup, floor: Floor) -> Outcome:
            return clear(self.book, now, setup, floor, why=why, second=second.id, check=check)

        return self._step(ask, table, commands.Clear(table, why, second.id), change)

    def stop(self, ask: Ask, table: str, why: str) -> TableView:
        return self._step(ask, table, commands.Stop(table, why), lambda now, setup, floor: (steps.stop(now, why), ()))

    def reopen(self, ask: Ask, table: str) -> TableView:
        return self._step(ask, table, commands.Reopen(table), lambda now, setup, floor: (steps.reopen(now), ()))

    # Awards.

    def approval_for(self, award: Award) -> Role:
        """Whose card an award needs at least."""
        return approval_for(award, self.floor())

    def pay(self, ask: Ask, award_id: str, *, second: Signer | None = None) -> TableView:
        """PAY JACKPOT: approved by the card of whoever asks, and of a second person where the amount needs two."""
        award = self.book.award(award_id)
        signers = {signer.id: signer.role for signer in (ask.by, second) if signer is not None}
        if second is not None and len(signers) == 1:
            raise IllegalActionError("Who approves an award does not countersign it too.", code="same_person")
        require_approved(award, self.floor(), signers)
        paid = PayAward(award=award_id, approved_by=tuple(sorted(signers)))
        return self._settle(ask, award, commands.PayClaim(award_id, paid.approved_by), paid)

    def pay_as_demo(self, ask: Ask, award_id: str) -> TableView:
        """A floor with play money may approve by itself; the log says so."""
        if not self.floor().demo:
            raise IllegalActionError("Only a demonstration floor approves awards automatically.", code="not_demo")
        paid = PayAward(award=award_id, approved_by=(DEMO_APPROVER,))
        return self._settle(ask, self.book.award(award_id), commands.PayAsDemo(award_id), paid)

    def reject(self, ask: Ask, award_id: str, note: str) -> TableView:
        """A claim was not right: its money goes back by a new entry."""
        require(ask.by, Right.REJECT_CLAIM)
        rejected = RejectAward(award=award_id, note=note)
        return self._settle(ask, self.book.award(award_id), commands.Reject(award_id, note), rejected)

    def back_out(self, ask: Ask, award_id: str, note: str, second: Signer) -> None:
        """Undoes an award after payment, which only a manual adjustment by two people does."""
        self._require_two(ask.by, second, "back out an award")
        command = BackOutAward(award=award_id, note=note, second=second.id)
        self.book.post(Request(id=ask.id, actor=ask.by.id, at=self.clock(), command=command))

    def adjust(
        self,
        ask: Ask,
        jackpot: str,
        *,
        reason: Reason,
        micros: int,
        note: str,
        second: Signer,
        pool: Pool = "meter",
    ) -> None:
        """A manual adjustment for a lawful reason, by two people."""
        self._require_two(ask.by, second, "adjust a meter")
        setup = self.floor().jackpot(jackpot)
        if (finding := check_reduction(reason, micros, self.clock().date(), jackpot)) is not None:
            raise FloorRefusedError((finding,))
        command = AdjustMeter(
            jackpot=jackpot, level=setup.level, reason=reason, micros=micros, pool=pool, note=note, second=second.id
        )
        self.book.post(Request(id=ask.id, actor=ask.by.id, at=self.clock(), command=command))

    def meters(self) -> tuple[Meter, ...]:
        """Every level of every open jackpot whose figures add up; `figures` also says which others are stopped."""
        return self.figures().shown

    def figures(self) -> Meters:
        """The meters at one moment, and the jackpots that are stopped, each with the reason."""
        return read_meters(self.book)

    # How it is done.

    def _require_two(self, by: Signer, second: Signer, what: str) -> None:
        require(by, Right.ADJUST_METER)
        require(second, Right.COUNTERSIGN_ADJUSTMENT)
        if by.id == second.id:
            raise IllegalActionError(f"To {what} takes two different people.", code="same_person")

    def _settle(
        self, ask: Ask, award: Award, command: commands.FloorCommand, money: PayAward | RejectAward
    ) -> TableView:
        def change(now: Terminal, setup: TableSetup, floor: Floor) -> Outcome:
            if isinstance(money, PayAward) and award.id in now.claims:  # one by hand is no longer the table's
                steps.require_may_pay(now, setup)
            return steps.settled(now, award.id), [money]

        return self._step(ask, award.table, command, change)

    def _step(self, ask: Ask, table: str, command: commands.FloorCommand, change: Step) -> TableView:
        """One command at a table, by somebody who may, done once however often it is asked.

        Who names no revision means the table as it is: where it moves in the same moment, perhaps on another server,
        the command is decided again on what that left; not under another setup, by which other wagers may be due.
        """
        if command.right is not None:
            require(ask.by, command.right)

        def again(done: FactRecorded) -> TableView:
            with as_stored("the record of a step"):
                now = msgspec.convert(done.body["terminal"], Terminal)
            return TableView(now, done.version, self._made(ask.id))

        for left in reversed(range(MOST_AT_ONCE if ask.revision is None else 1)):
            version = self.book.fact_version(FLOOR)
            try:
                return self._once(ask, command, again, lambda: self._new_step(ask, table, command, change))
            except StaleRevisionError:
                if not left or version != self.book.fact_version(FLOOR):
                    raise
        raise AssertionError("unreachable")

    def _made(self, id: str) -> tuple[str, ...]:
        """The awards that a command made."""
        awards: list[str] = []
        while (sealed := self.book.entry(_part(id, len(awards)))) and isinstance(sealed.entry.event, JackpotHit):
            awards.append(sealed.entry.id)
        return tuple(awards)

    def _once(
        self, ask: Ask, command: commands.FloorCommand, again: Callable[[FactRecorded], T], do: Callable[[], T]
    ) -> T:
        """Does what is asked, or answers by what was recorded when it was asked before."""
        if (done := self._recorded(ask, command)) is not None:
            return again(done)
        try:
            return do()
        except CroupierError:
            # A copy of it may have been booked while this one was decided on what that left: then its answer counts.
            if (done := self._recorded(ask, command)) is None:
                raise
            return again(done)

    def _new_step(self, ask: Ask, table: str, command: commands.FloorCommand, change: Step) -> TableView:
        """Decided on the table's state as it is, booked with the money it moves, or refused."""
        version, floor = self._floor_in_force()
        setup = floor.table(table)
        view = self._view(table)
        if ask.revision is not None and ask.revision != view.revision:
            raise _stale(setup)
        steps.require_dealer_of(setup, ask.by.id, command.kind)
        now, money = change(view.terminal, setup, floor)
        require_real_money(floor, setup, ask.by.id, money)
        body = {"asked": command.recorded(), "terminal": msgspec.to_builtins(now)}
        # Wagers and pays are by this setup: it must still be in force when they are booked.
        fact = RecordFact(
            subject=TABLE + table, kind=command.kind, body=body, based_on=view.revision, given={FLOOR: version}
        )
        try:
            self._post(ask, money, fact)
        except LedgerError:
            raise
        except CroupierError as error:
            # What was decided on a state that is gone is stale, whatever the ledger found wrong with it first.
            if self.book.fact_version(TABLE + table) != view.revision:
                raise _stale(setup) from error
            if self.book.fact_version(FLOOR) != version:
                raise StaleRevisionError(
                    f"The setup of the floor was changed while {setup.name or setup.id} took this step: look again."
                ) from error
            raise
        hits = [_part(ask.id, index) for index, moved in enumerate(money) if isinstance(moved, HitJackpot)]
        return TableView(now, view.revision + 1, tuple(hits))

    def _recorded(self, ask: Ask, command: commands.FloorCommand) -> FactRecorded | None:
        """What was recorded under this id, which must have been for the same."""
        sealed = self.book.entry(ask.id)
        if sealed is None:
            return None
        event = sealed.entry.event
        same = isinstance(event, FactRecorded) and event.body.get("asked") == command.recorded()
        if not isinstance(event, FactRecorded) or not same or sealed.entry.actor != ask.by.id:
            raise IllegalActionError(
                f'The id "{ask.id}" was used for something else; make a new one for each command.', code="id_reused"
            )
        return event

    def _post(self, ask: Ask, money: Sequence[AnyCommand], fact: RecordFact) -> None:
        if ask.by.id != SOFTWARE:
            require_own_id("id", ask.id)
        at = self.clock()
        requests = [
            Request(id=_part(ask.id, index), actor=ask.by.id, at=at, command=command)
            for index, command in enumerate(money)
        ]
        requests.append(Request(id=ask.id, actor=ask.by.id, at=at, command=fact))
        self.book.post_all(requests)


def _stale(setup: TableSetup) -> StaleRevisionError:
    return StaleRevisionError(f"Somebody else has changed {setup.name or setup.id} meanwhile: look again, then decide.")


def _plain(picks: Sequence[Pick]) -> commands.Hands:
    return tuple((pick.seat, pick.sensor, pick.row) for pick in picks)


def _part(id: str, index: int) -> str:
    """The id of a part of a command; of a hit, the award's."""
    return f"{id}/{index + 1}"
