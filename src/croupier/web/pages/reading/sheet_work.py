"""Odds sheets made apart from the server: a request as plain values, and what pages show of the answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from croupier.library.game import game as named
from croupier.reports.sheet.files import Form, sheet_file
from croupier.reports.sheet.model import Booklet, Sheet
from croupier.reports.sheet.report import sheet_report
from croupier.rules import find_game
from croupier.rules.choice import Choice, choose
from croupier.web.pages.choosing import decks_text

METER_FIELDS = ("seed", "contribution", "reserve", "meter")
SHEETS_KEPT = 64
"""In the other process, so that a file of a sheet that was just shown is not computed again."""


@dataclass(frozen=True, kw_only=True)
class SheetAsk:
    """Everything that a sheet depends on, as texts."""

    game: str
    wager: str
    pay_table: str
    decks: str
    side: str
    """Empty where none was asked for."""
    switches: tuple[tuple[str, str], ...]
    meter: tuple[tuple[str, str], ...] = ()
    """Settings of the meter that differ from the pay table's, by the names of `METER_FIELDS`."""
    effects: bool = False

    def choice(self) -> Choice:
        return choose(
            find_game(self.game),
            self.wager,
            pay_table=self.pay_table or None,
            decks=self.decks,
            side=self.side or None,
            settings=dict(self.switches),
        )


def ask_of(choice: Choice, side: str, *, effects: bool, meter: tuple[tuple[str, str], ...] = ()) -> SheetAsk:
    """A choice as texts, the same ones for all ways to ask for it. A side is named only by who asks for one."""
    return SheetAsk(
        game=choice.game.id,
        wager=choice.wager.id,
        pay_table=choice.pay_table.id if choice.wager.pay_tables else "",
        decks=decks_text(choice),
        side=side if choice.wager.hand == "seat" else "",
        switches=tuple(choice.switches.items()),
        meter=meter,
        effects=effects,
    )


@lru_cache(SHEETS_KEPT)
def _made(ask: SheetAsk) -> Sheet:
    meter = dict(ask.meter)
    made = named(ask.game).sheet(
        ask.wager,
        pay_table=ask.pay_table or None,
        decks=ask.decks,
        side=ask.side or None,
        seed=meter.get("seed"),
        contribution=meter.get("contribution"),
        reserve=meter.get("reserve"),
        meter=meter.get("meter"),
        effects=ask.effects,
        rules=dict(ask.switches),
    )
    return made.sheets[0]


def sheet_shown(ask: SheetAsk) -> dict[str, Any]:
    """The sheet as a page shows it, and its edge."""
    sheet = _made(ask)
    return {"report": sheet_report(sheet), "edge": sheet.figure("edge").text}


def sheet_as_file(ask: SheetAsk, form: Form) -> bytes:
    return sheet_file(_made(ask), form)


def booklet_as_file(asks: tuple[SheetAsk, ...], form: Form) -> bytes:
    """The sheets are those that the page has shown, one by one."""
    return sheet_file(Booklet(game=find_game(asks[0].game), sheets=tuple(map(_made, asks))), form)
