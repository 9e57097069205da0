"""The worked example of docs/jackpot.md is what the ledger does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from croupier.jackpot import (
    AdjustMeter,
    AnyCommand,
    BackOutAward,
    ChangeParameters,
    CloseJackpot,
    Level,
    OpenJackpot,
    Parameters,
    PayAward,
    RejectAward,
)
from croupier.jackpot import events as happened
from tests.helpers import ROOT
from tests.ledger import Desk, Memory, community, fixed, locked, usd, voided


def parameters(cap: str) -> Parameters:
    level = Level(seed_micros=usd("1000"), contribution_ppm=200_000, reserve_ppm=20_000, cap_micros=usd(cap))
    return Parameters(levels=(level,))


STORY: tuple[tuple[str, str, AnyCommand], ...] = (
    ("The house opens `push` at a seed of $1,000", "", OpenJackpot(jackpot="push", parameters=parameters("1001"))),
    ("START GAME: three wagers of $1 (20% to the meter, 2% to the reserve)", "", locked(1, 1, 2, 3)),
    ("START GAME again; the maximum is $1,001", "", locked(2, 1, 2, 3)),
    ("HIT: 10% for the three participants, $33.36 each", "ten", community(2, 100_000)),
    ("PAY: approved", "", PayAward(award="ten", approved_by=("supervisor",))),
    ("START GAME: two wagers", "", locked(3, 1, 2)),
    ("HIT: 100% for both, $450.66 each; seed and reserve at once", "all", community(3)),
    ("START GAME: linked tables play on", "", locked(1, 5, table="two")),
    ("The claim is rejected: as if it had never been", "", RejectAward(award="all", note="not suited")),
    ("HIT: a fixed pay of $50 from the tray", "fixed", fixed(1, "50", 5, table="two")),
    ("PAY: approved", "", PayAward(award="fixed", approved_by=("supervisor",))),
    ("The payment is backed out by hand", "", BackOutAward(award="fixed", note="wrong seat", second="executive")),
    ("START GAME at table two", "", locked(2, 5, table="two")),
    ("A misdeal: the wager goes back, the house puts up the meter's part", "", voided(2, table="two")),
    (
        "The sign lost $2 by a fault: its display is corrected",
        "",
        AdjustMeter(jackpot="push", reason="correct_display", micros=usd("2"), note="power cut", second="executive"),
    ),
    (
        "A higher maximum is posted",
        "",
        ChangeParameters(jackpot="push", parameters=parameters("5000"), based_on=1, second="executive"),
    ),
    ("A jackpot `heir` is opened", "", OpenJackpot(jackpot="heir", parameters=parameters("5000"))),
    ("`push` ends", "", CloseJackpot(jackpot="push", into="heir", note="new game", second="executive")),
)


def dollars(micros: int) -> str:
    whole = f"{abs(micros) // 1_000_000:,}.{abs(micros) % 1_000_000:06d}"
    return ("-" if micros < 0 else "+") + whole[: max(whole.index(".") + 3, len(whole.rstrip("0")))]


def example() -> str:
    desk = Desk(Memory())
    lines = ["| what happens | event | postings | meter |", "|---|---|---|---|"]
    balances: dict[str, int] = {}
    for text, id, command in STORY:
        event = desk.do(command, id=id, actor="manager")
        posted = []
        for posting in event.postings:
            name = posting.account if posting.jackpot == "push" else f"{posting.jackpot} {posting.account}"
            balances[name] = balances.get(name, 0) + posting.micros
            posted.append(f"{name} {dollars(posting.micros)}")
        meter = dollars(balances.get("meter", 0))[1:]
        lines.append(f"| {text} | `{type(event).__name__}` | {', '.join(posted) or 'none'} | {meter} |")
    return "\n".join(lines)


def test_the_worked_example_is_what_the_ledger_does() -> None:
    assert example() in (ROOT / "docs" / "jackpot.md").read_text(), example()


def test_every_event_that_moves_money_is_in_the_example() -> None:
    text = example()
    kinds = [kind for kind in happened.AnyEvent.__args__ if kind is not happened.FactRecorded]
    assert [kind.__name__ for kind in kinds if f"`{kind.__name__}`" not in text] == []


def test_the_lines_of_python_run_as_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "jackpot.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    said = re.findall(r"^(\w.*)  # (\S+)$", lines, re.MULTILINE)
    assert [answer for _, answer in said] == ["10000200000", "True"]
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(lines, names)
    for expression, answer in said:
        assert repr(eval(expression, names)) == answer
    names["book"].close()
