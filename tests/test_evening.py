"""A scripted evening at the real server, with power cuts, whose books were worked out by hand.

Two linked tables of Double Down Madness with Push 22 Progressive, pay table 1 of the letter: 100% and 10% of the
meter, shared by the participants, for a suited 4-5-6-7; 50 for 1 for a suited 22, from the tray. A wager is $5: $0.95
to the meter (19%), $0.05 to the reserve (1%), $4 to the house; the seed is $50,000. No figure comes from the program.

| what happens | meter | reserve |
|---|---|---|
| the house opens at the seed | 50,000.00 | 0.00 |
| table 1, 4 wagers: + 3.80 | 50,003.80 | 0.20 |
| a suited 22: 4 x 250 from the tray, a supervisor pays | 50,003.80 | 0.20 |
| table 2, 3 wagers: + 2.85 | 50,006.65 | 0.35 |
| 10% is 5,000.665, by three 1,666.8883...: 3 x 1,666.88 | 45,006.01 | 0.35 |
| table 1, 2 wagers: + 1.90; the power goes; an executive pays the 10% | 45,007.91 | 0.45 |
| 100% by two is 22,503.955: 2 x 22,503.95, 0.01 stays; + 50,000 + 0.45 | 50,000.46 | 0.00 |
| the power goes; table 2, 1 wager: + 0.95; two executives pay the 100% | 50,001.41 | 0.05 |
| a claim of 10%, 5,000.141: 5,000.14 for the one seat | 45,001.27 | 0.05 |
| it is rejected | 50,001.41 | 0.05 |
| the first 10% is backed out: + 5,000.64 | 55,002.05 | 0.05 |
| the display was too high: - 0.05 | 55,002.00 | 0.05 |
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest

from tests.desks import CARDS
from tests.kill_server import Caller, House, ServerProcess, open_house

pytestmark = pytest.mark.kill

# Ten wagers: 50.00 = 9.50 + 0.50 + 40.00. Won from the meter: 5,000.64 + 45,007.90 + 5,000.14 = 55,008.68, with the
# 1,000 of the tray 56,008.68. Paid: 1,000 + 5,000.64 + 45,007.90 = 51,008.54. Back: 5,000.14 rejected, 5,000.64 backed
# out, 10,000.78 together. Meter: 100,000 + 9.50 + 0.45 - 55,008.68 + 10,000.78 - 0.05 = 55,002.00.
RECONCILIATION = {
    "wagers": {"contributions": "-50.00", "closing": "-50.00"},
    "receipts": {"contributions": "40.00", "closing": "40.00"},
    "meter": {
        "contributions": "9.50",
        "awards": "-55008.68",
        "returned": "10000.78",
        "seed": "100000.00",
        "reserve": "0.45",
        "adjustments": "-0.05",
        "closing": "55002.00",
    },
    "reserve": {"contributions": "0.50", "reserve": "-0.45", "closing": "0.05"},
    "seed": {"seed": "-100000.00", "closing": "-100000.00"},
    "tray": {"awards": "-1000.00", "closing": "-1000.00"},
    "pending": {"awards": "56008.68", "returned": "-5000.14", "paid": "-51008.54", "closing": "0.00"},
    "paid": {"paid": "51008.54", "returned": "-5000.64", "closing": "46007.90"},
    "adjustments": {"adjustments": "0.05", "closing": "0.05"},
}
MOVEMENTS = ("contributions", "awards", "returned", "paid", "seed", "reserve", "overflow", "receipts", "adjustments")

WIN_PAGES: dict[str, dict[str, Any]] = {
    "hit-suited-22/1": {
        "status": "paid",
        "table": "ddm_1",
        "seats": [1, 2, 5, 6],
        "row": "suited_22",
        "funding": "tray",
        "amount": "1000.00",
        "each": "250.00",
        "rest": "0.00",
        "meter_before": "50003.80",
        "meter_after": "50003.80",
        "approved_by": ["sue"],
    },
    "hit-community/1": {
        "status": "backed_out",
        "table": "ddm_2",
        "seats": [3, 4, 6],
        "row": "suited_4567_other",
        "amount": "5000.64",
        "each": "1666.88",
        "rest": "0.025",
        "meter_before": "50006.65",
        "meter_after": "45006.01",
        "approved_by": ["boss"],
        "returned_by": ["boss", "ann"],
        "note": "Paid to the wrong table.",
    },
    "hit-whole-meter/1": {
        "status": "paid",
        "table": "ddm_1",
        "seats": [2, 3],
        "row": "suited_4567_named",
        "amount": "45007.90",
        "each": "22503.95",
        "rest": "0.01",
        "meter_before": "45007.91",
        "meter_after": "50000.46",
        "seed": "50000.00",
        "reserve": "0.45",
        "approved_by": ["boss", "max"],
    },
    "hit-not-right/1": {
        "status": "rejected",
        "table": "ddm_2",
        "seats": [1],
        "row": "suited_4567_other",
        "amount": "5000.14",
        "each": "5000.14",
        "rest": "0.001",
        "meter_before": "50001.41",
        "meter_after": "45001.27",
        "approved_by": [],
        "returned_by": ["sue"],
        "note": "The cards were two suits.",
    },
}


@dataclass
class Evening:
    """The floor, its server, and everybody who is signed in there."""

    house: House
    server: ServerProcess
    callers: dict[str, Caller]

    def __post_init__(self) -> None:
        self._numbers = count(1)

    def command(self, by: str, path: str, body: dict[str, Any], key: str = "") -> Any:
        return self.callers[by].done("POST", path, body, key or f"evening-{next(self._numbers)}")

    def refused(self, by: str, path: str, body: dict[str, Any]) -> str:
        answer = self.callers[by].ask("POST", path, body, f"evening-{next(self._numbers)}")
        assert answer.status >= 400, answer
        return answer.code

    def table(self, table: str) -> Any:
        return self.callers["sue"].done("GET", f"/tables/{table}")

    def step(self, table: str, step: str, key: str = "", **body: Any) -> Any:
        revision = {"revision": self.table(table)["revision"]}
        return self.command(f"dealer-{table}", f"/tables/{table}/{step}", revision | body, key)

    def lock(self, table: str, *seats: int) -> None:
        """Chips on the sensors, which the terminal reports by itself, and START GAME."""
        for seat in seats:
            self.command(f"terminal-{table}", f"/tables/{table}/sense", {"seat": seat, "sensor": 1, "lit": True})
        self.step(table, "start", chips=len(seats))

    def hit(self, table: str, key: str, row: str, *seats: int) -> None:
        for seat in seats:
            self.step(table, "pick", seat=seat, sensor=1, row=row)
        assert self.step(table, "hit", key, evidence=CARDS[row])["awards"] == [f"{key}/1"]

    def settling(self, award: str) -> dict[str, Any]:
        return {"revision": self.callers["sue"].done("GET", f"/claims/{award}")["table_revision"]}

    def meter(self) -> tuple[int, int]:
        """Meter and reserve, in cents: no part of a cent is left over this evening."""
        (found,) = self.callers["ann"].done("GET", "/meters")["meters"]
        (meter, odd), (reserve, odd_reserve) = (divmod(found[f"{one}_micros"], 10_000) for one in ("meter", "reserve"))
        assert odd == odd_reserve == 0
        return meter, reserve

    def power_cut(self) -> None:
        """SIGKILL. The new process finds both rounds, the claims and the meters as they were."""

        def all_of_it() -> Any:
            return self.callers["sue"].done("GET", "/tables"), self.callers["sue"].done("GET", "/claims"), self.meter()

        before = all_of_it()
        self.server.kill_and_start()
        self.server.wait_ready()
        assert all_of_it() == before


@pytest.fixture
def evening(store_url: str) -> Iterator[Evening]:
    house = open_house(store_url, tables=2)
    server = ServerProcess(store_url)
    server.start()
    server.wait_ready()
    callers = {name: Caller(server.port).sign_in(house.swipe(name)) for name in ("boss", "sue", "ann", "aud")}
    for table in house.tables:
        callers[f"terminal-{table}"] = Caller(server.port, token=house.tokens[table])
        dealer = Caller(server.port, token=house.tokens[table]).sign_in(house.swipe(f"dealer-{table}"))
        callers[f"dealer-{table}"] = dealer
    yield Evening(house, server, callers)
    for caller in callers.values():
        caller.close()
    server.stop()


def test_an_evening_with_power_cuts_ends_as_worked_out_by_hand(evening: Evening) -> None:
    at = evening
    assert at.meter() == (50_000_00, 0)
    at.lock("ddm_1", 1, 2, 5, 6)
    assert at.meter() == (50_003_80, 20)
    at.hit("ddm_1", "hit-suited-22", "suited_22", 1, 2, 5, 6)
    assert at.refused("dealer-ddm_1", "/claims/hit-suited-22/1/pay", at.settling("hit-suited-22/1")) == "low_card"
    at.command("sue", "/claims/hit-suited-22/1/pay", at.settling("hit-suited-22/1"))
    at.step("ddm_1", "end")
    assert at.meter() == (50_003_80, 20)

    at.lock("ddm_2", 3, 4, 6)
    assert at.meter() == (50_006_65, 35)
    at.hit("ddm_2", "hit-community", "suited_4567_other", 0)
    assert at.meter() == (45_006_01, 35)
    at.lock("ddm_1", 2, 3)
    at.power_cut()
    assert at.meter() == (45_007_91, 45)
    body = at.settling("hit-community/1")
    assert at.refused("sue", "/claims/hit-community/1/pay", body) == "low_card"
    at.command("boss", "/claims/hit-community/1/pay", body)
    at.step("ddm_2", "end")

    at.hit("ddm_1", "hit-whole-meter", "suited_4567_named", 0)
    assert at.meter() == (50_000_46, 0)
    at.power_cut()
    at.lock("ddm_2", 1)
    assert at.meter() == (50_001_41, 5)
    body = at.settling("hit-whole-meter/1")
    assert at.refused("boss", "/claims/hit-whole-meter/1/pay", body) == "second_card_needed"
    body["second"] = at.house.swipe("max")
    at.command("boss", "/claims/hit-whole-meter/1/pay", body)
    at.step("ddm_1", "end")

    at.hit("ddm_2", "hit-not-right", "suited_4567_other", 0)
    assert at.meter() == (45_001_27, 5)
    body = at.settling("hit-not-right/1") | {"note": "The cards were two suits."}
    at.command("sue", "/claims/hit-not-right/1/reject", body)
    assert at.meter() == (50_001_41, 5)
    at.step("ddm_2", "end")
    body = {"note": "Paid to the wrong table.", "second": at.house.swipe("ann")}
    at.command("boss", "/claims/hit-community/1/back-out", body)
    assert at.meter() == (55_002_05, 5)
    body = {"reason": "correct_display", "micros": -50_000, "note": "Shown too high.", "second": at.house.swipe("ann")}
    at.command("boss", "/meters/push_22/adjust", body)
    at.power_cut()
    assert at.meter() == (55_002_00, 5)
    require_books(at)


def require_books(at: Evening) -> None:
    """Win pages, hits, reconciliation and accrual say what was worked out above."""
    accounting = at.callers["ann"]
    for award, expected in WIN_PAGES.items():
        page = accounting.done("GET", f"/reports/win-page/{award}")
        assert {name: page[name] for name in expected} == expected, award
    lines = accounting.done("GET", "/hits")["lines"]
    assert [line["award"] for line in lines] == list(reversed(WIN_PAGES))
    books = accounting.done("GET", "/reports/reconciliation")
    assert books["is_good"]
    assert {line["account"] for line in books["lines"]} == set(RECONCILIATION)
    for line in books["lines"]:
        worked_out = {**dict.fromkeys((*MOVEMENTS, "opening"), "0.00"), **RECONCILIATION[line["account"]]}
        assert {name: line[name] for name in worked_out} == worked_out, line["account"]
    total = next(one for one in accounting.done("GET", "/reports/accrual")["lines"] if not one["jackpot"])
    assert total["wagered"] == "50.00"
    assert at.callers["aud"].done("GET", "/verify")["is_good"]
