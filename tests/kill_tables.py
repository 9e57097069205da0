"""Tables that are played over HTTP while the server dies, what their clients were told, and a model of the money.

Every table has one client, so it knows exactly what must be found after a death: the table as it was last acknowledged,
or one step further, if the step was booked and its answer lost.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from croupier.jackpot import Sealed
from croupier.store import open_store, verify
from tests.desks import CARDS
from tests.kill_server import PATIENCE_S, Answer, Caller, House, Tally

JACKPOT = "push_22"
SEED = 50_000_000_000
TO_METER, TO_RESERVE = 950_000, 50_000
"""19% and 1% of a wager of $5."""
CENT = 10_000
FIXED = {"suited_22": 250_000_000, "same_colour_22": 75_000_000, "other_22": 25_000_000}
SHARES = {"suited_4567_named": 100, "suited_4567_other": 10}
"""What pay table 1 of the letter pays for $5: 50, 15 and 5 for 1; per cent of the meter."""

Kind = Literal["sense", "start", "pick", "hit", "pay", "reject", "back_out", "adjust", "end"]
State = dict[str, Any]


@dataclass(frozen=True)
class Deed:
    """A command that was acknowledged: who sent what under which key, and the answer."""

    key: str
    kind: Kind
    caller: Caller
    path: str
    body: dict[str, Any]
    answer: Answer
    seats: int = 0
    row: str = ""
    award: str = ""
    micros: int = 0

    @property
    def entries(self) -> set[str]:
        """The ids that it must have left in the log."""
        moves_money = self.kind in ("hit", "pay", "reject") or (self.kind == "start" and self.seats)
        return {self.key, f"{self.key}/1"} if moves_money else {self.key}


@dataclass
class Table:
    """One table with its dealer, its terminal and whoever settles its claims."""

    name: str
    dealer: Caller
    terminal: Caller
    boss: Caller
    second: dict[str, str]
    countersign: dict[str, str]
    chance: Random
    tally: Tally
    deeds: list[Deed] = field(default_factory=list)
    refused_keys: list[str] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        self.now: State = {
            "table": self.name,
            "phase": "open",
            "round": 0,
            "lit": [],
            "picks": [],
            "claims": [],
            "key": "run",
            "stopped": "",
            "revision": 0,
        }

    # The commands, each with what the table must be after it.

    def light(self, seat: int) -> None:
        lit = sorted([*self.now["lit"], {"seat": seat, "sensor": 1}], key=lambda spot: int(spot["seat"]))
        self._step(self.terminal, "sense", {"seat": seat, "sensor": 1, "lit": True}, {"lit": lit})

    def start(self) -> None:
        chips = len(self.now["lit"])
        then = {"phase": "locked", "round": self.now["round"] + 1}
        self._step(self.dealer, "start", {"chips": chips}, then, seats=chips)

    def miscount(self) -> None:
        """START GAME with a wrong count is refused, and leaves nothing behind."""
        key = self._next_key()
        body = {"revision": self.now["revision"], "chips": len(self.now["lit"]) + 1}
        answer = self.dealer.ask("POST", f"/tables/{self.name}/start", body, key)
        assert (answer.status, answer.code) == (409, "chip_count_differs"), answer
        self.tally.count("refused")
        self.refused_keys.append(key)

    def pick(self, seat: int, row: str) -> None:
        picks = sorted(
            [*self.now["picks"], {"seat": seat, "sensor": 1, "row": row}], key=lambda pick: int(pick["seat"])
        )
        self._step(self.dealer, "pick", {"seat": seat, "sensor": 1, "row": row}, {"picks": picks})

    def hit(self) -> Deed:
        picks = self.now["picks"]
        winners = len(picks) if picks[0]["seat"] else len(self.now["lit"])
        award = f"{self._upcoming_key()}/1"
        then = {"picks": [], "claims": [*self.now["claims"], award]}
        body = {"evidence": CARDS[picks[0]["row"]]}
        return self._step(self.dealer, "hit", body, then, seats=winners, row=picks[0]["row"], award=award)

    def pay(self, hit: Deed) -> Deed:
        then = {"claims": [one for one in self.now["claims"] if one != hit.award]}
        body = {"second": self.second} if SHARES.get(hit.row) == 100 else {}
        return self._step(self.boss, "pay", body, then, row=hit.row, award=hit.award)

    def reject(self, hit: Deed) -> None:
        then = {"claims": [one for one in self.now["claims"] if one != hit.award]}
        self._step(self.boss, "reject", {"note": "The cards were two suits."}, then, row=hit.row, award=hit.award)

    def back_out(self, paid: Deed) -> None:
        body = {"note": "Paid to the wrong seat.", "second": self.countersign}
        self._do(self.boss, "back_out", f"/claims/{paid.award}/back-out", body, None, row=paid.row, award=paid.award)

    def adjust(self, micros: int) -> None:
        body = {"reason": "correct_display", "micros": micros, "note": "Shown wrong.", "second": self.countersign}
        self._do(self.boss, "adjust", f"/meters/{JACKPOT}/adjust", body, None, micros=micros)

    def end(self) -> None:
        self._step(self.dealer, "end", {}, {"phase": "open", "lit": []})

    def play(self) -> None:
        """One round, of whatever chance brings."""
        chance = self.chance
        seats = sorted(chance.sample(range(1, 7), chance.randint(0, 4)))
        for seat in seats:
            self.light(seat)
        if chance.random() < 0.1:
            self.miscount()
        self.start()
        if seats and chance.random() < 0.5:
            self._win(seats)
        self.end()
        if chance.random() < 0.06:
            self.adjust(chance.choice([-CENT, CENT, 1]))

    def _win(self, seats: list[int]) -> None:
        chance = self.chance
        row = chance.choice([*FIXED, "suited_4567_other", "suited_4567_other", "suited_4567_named"])
        for seat in [0] if row in SHARES else seats:  # the dealer's hand wins for everybody
            self.pick(seat, row)
        hit = self.hit()
        # A rejected 100% award is put back by rules of its own, which the tests of the ledger have.
        if chance.random() < 0.3 and SHARES.get(row) != 100:
            self.reject(hit)
            return
        paid = self.pay(hit)
        if chance.random() < 0.15 and SHARES.get(row) != 100:
            self.back_out(paid)

    def leave(self) -> None:
        for caller in (self.dealer, self.terminal, self.boss):
            caller.close()

    # How a command is sent.

    def _upcoming_key(self) -> str:
        return f"kill-{self.name}-{self.steps + 1}"

    def _next_key(self) -> str:
        key = self._upcoming_key()
        self.steps += 1
        return key

    def _step(self, caller: Caller, kind: Kind, body: dict[str, Any], then: State, **more: Any) -> Deed:
        expected = deepcopy(self.now) | then | {"revision": self.now["revision"] + 1}
        # A sensor knows no revision.
        sent = body if kind == "sense" else {"revision": self.now["revision"], **body}
        place = f"/claims/{more['award']}" if kind in ("pay", "reject") else f"/tables/{self.name}"
        return self._do(caller, kind, f"{place}/{kind}", sent, expected, **more)

    def _do(
        self, caller: Caller, kind: Kind, path: str, body: dict[str, Any], expected: State | None, **more: Any
    ) -> Deed:
        key = self._next_key()
        until = time.monotonic() + PATIENCE_S
        is_booked = False
        while (answer := caller.send_once_known("POST", path, body, key)) is None:
            assert time.monotonic() < until, f"no answer in {PATIENCE_S} s: {path}"
            time.sleep(0.05)
            is_booked = self._look_again(expected, is_booked)
        assert answer.status < 300, f"{key} {path} {body}: {answer}"
        if expected is not None:
            told = answer.body.get("table", answer.body) if kind in ("pay", "reject") else answer.body
            assert _without_awards(told) == expected, f"{key}: {told}, expected {expected}"
            assert told["awards"] == ([more["award"]] if kind == "hit" else [])
            self.now = expected
        self.tally.count("acknowledged")
        deed = Deed(key, kind, caller, path, body, answer, **more)
        self.deeds.append(deed)
        return deed

    def _look_again(self, expected: State | None, is_booked: bool) -> bool:
        """After an answer that did not come, the table is as it was or one step further, and never back again."""
        found = self.terminal.send_once_known("GET", f"/tables/{self.name}")
        if found is None or expected is None:
            return is_booked
        state = _without_awards(found.body)
        allowed = [expected] if is_booked else [self.now, expected]
        assert state in allowed, f"found {state}, expected one of {allowed}"
        return bool(state == expected)


def _without_awards(state: State) -> State:
    return {name: value for name, value in state.items() if name != "awards"}


def seat_tables(house: House, port: int, seed: int, tally: Tally, *, keep_alive: bool = True) -> list[Table]:
    """The tables of a house, with everybody signed in."""

    def caller(token: str = "") -> Caller:
        return Caller(port, token=token, tally=tally, keep_alive=keep_alive)

    return [
        Table(
            name=name,
            dealer=caller(house.tokens[name]).sign_in(house.swipe(f"dealer-{name}")),
            terminal=caller(house.tokens[name]),
            boss=caller().sign_in(house.swipe("boss")),
            second=house.swipe("max"),
            countersign=house.swipe("ann"),
            chance=Random(f"{seed}/{name}"),
            tally=tally,
        )
        for name in house.tables
    ]


@dataclass
class Money:
    """What the meter, the reserve and the awards must be: the order is the log's, the rest what the clients did."""

    meter: int = SEED
    reserve: int = 0
    pending: int = 0
    paid: int = 0
    awards: dict[str, int] = field(default_factory=dict)

    def apply(self, deed: Deed) -> None:
        if deed.kind == "start":
            self.meter += TO_METER * deed.seats
            self.reserve += TO_RESERVE * deed.seats
        elif deed.kind == "hit":
            share = SHARES.get(deed.row, 0)
            each = FIXED.get(deed.row) or self.meter * share // 100 // deed.seats // CENT * CENT
            self.awards[deed.award] = each * deed.seats
            self.pending += each * deed.seats
            self.meter -= each * deed.seats if share else 0
            if share == 100:
                self.meter, self.reserve = self.meter + SEED + self.reserve, 0
        elif deed.kind in ("pay", "reject", "back_out"):
            amount = self.awards[deed.award]
            self.pending -= amount if deed.kind != "back_out" else 0
            self.paid += {"pay": amount, "reject": 0, "back_out": -amount}[deed.kind]
            self.meter += amount if deed.kind != "pay" and deed.row in SHARES else 0
        self.meter += deed.micros


@dataclass
class Found:
    """What is wrong in the end: nothing, one hopes."""

    losses: list[str] = field(default_factory=list)
    doubles: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not (self.losses or self.doubles or self.problems)


def examine(url: str, tables: Sequence[Table]) -> Found:
    """The ledger against what the clients were told."""
    found = Found()
    book = open_store(url)
    checked = verify(book)
    if not checked.is_good:
        found.problems.append(f"verify: {checked.problem}")
    log: list[Sealed] = []
    while page := book.entries(after=len(log)):
        log += page
    ids = [sealed.entry.id for sealed in log if sealed.entry.id.startswith("kill-")]
    found.doubles += [id for id, times in Counter(ids).items() if times > 1]
    deeds = {deed.key: deed for table in tables for deed in table.deeds}
    expected = {id for deed in deeds.values() for id in deed.entries}
    found.losses += sorted(expected - set(ids))
    found.problems += [f"in the log and never acknowledged: {id}" for id in sorted(set(ids) - expected)]
    money = Money()
    for id in ids:
        if id in deeds:
            money.apply(deeds[id])
    balances = book.balances(JACKPOT)
    for account in ("meter", "reserve", "pending", "paid"):
        balance, modeled = balances.get((JACKPOT, "main", account), 0), getattr(money, account)
        if balance != modeled:
            found.problems.append(f"{account} is {balance}, the clients' deeds make {modeled}")
    for award, amount in money.awards.items():
        if book.award(award).amount_micros != amount:
            found.problems.append(f"award {award} is {book.award(award).amount_micros}, not {amount}")
    if sum(balances.values()):
        found.problems.append("the balances do not add up to zero")
    book.close()
    return found


def ask_again(tables: Sequence[Table], most: int, chance: Random) -> tuple[int, list[str]]:
    """Commands that were acknowledged, asked again with their keys: how many, and which were answered in another way.

    The tables are left then.
    """
    deeds = [deed for table in tables for deed in table.deeds]
    asked, wrong = 0, []
    for deed in chance.sample(deeds, min(most, len(deeds))):
        again = deed.caller.ask("POST", deed.path, deed.body, deed.key)
        asked += 1
        if _lasting(deed, again) != _lasting(deed, deed.answer):
            wrong.append(f"{deed.key} {deed.path}: first {deed.answer}, then {again}")
    for table in tables:
        table.leave()
    return asked, wrong


def _lasting(deed: Deed, answer: Answer) -> Any:
    """What an answer says of the command. Besides, some show a claim or meters as they stand at this moment."""
    if answer.status >= 300 or deed.kind in ("adjust", "back_out"):
        return answer.status
    return answer.body["table"] if deed.kind in ("pay", "reject") else answer.body
