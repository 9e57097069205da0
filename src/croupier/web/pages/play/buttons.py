"""What a press at a player's table asks for: the words of its buttons as actions of the hall."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast, get_args

from croupier.errors import NotationError, unknown
from croupier.hall.actions import (
    ALL_MY_SPOTS,
    Action,
    ChooseRules,
    ClearChips,
    Deal,
    Decide,
    DoubleChips,
    GetUp,
    LayChips,
    Rebet,
    SitDown,
    TakeBack,
)
from croupier.money import MICROS_PER_DOLLAR, dollars, parse_dollars
from croupier.rules.choice import parse_decks
from croupier.table.setup import TableRules
from croupier.table.shoe import Shuffle

CHIPS = (1, 5, 25, 100, 500)
"""Dollars."""
LONGEST_NUMBER = 15

Form = Mapping[str, str]


def action_of(form: Form, rules: Callable[[], TableRules]) -> Action:
    """The action that a form's `do` names; `lay 1 main` puts the chip in hand on a wager of spot 1.

    The table's `rules` are asked for only where they matter.
    """
    verb, *words = form.get("do", "").split(" ")
    everywhere: dict[str, Action] = {
        "undo": TakeBack(spot=ALL_MY_SPOTS),
        "clear": ClearChips(spot=ALL_MY_SPOTS),
        "double": DoubleChips(spot=ALL_MY_SPOTS),
        "rebet": Rebet(spot=ALL_MY_SPOTS),
        "deal": Deal(spot=ALL_MY_SPOTS),
        "again": Deal(spot=ALL_MY_SPOTS, rebet=True),
    }
    if verb in everywhere and not words:
        return everywhere[verb]
    if verb in ("sit", "up") and len(words) == 1:
        spot = _number(words[0], "spot")
        return SitDown(spot=spot) if verb == "sit" else GetUp(spot=spot)
    if verb == "lay" and len(words) == 2:
        return LayChips(spot=_number(words[0], "spot"), wager=words[1], micros=_chip(form) * MICROS_PER_DOLLAR)
    if verb in ("on", "off") and len(words) == 3:
        # A sensor's button names the amount that stands on it: the chip in hand has no say.
        micros = _number(words[2], "amount")
        return LayChips(spot=_number(words[0], "spot"), wager=words[1], micros=micros if verb == "on" else -micros)
    if verb == "answer" and len(words) == 2:
        amount = form.get("amount", "").strip()
        answer = f"{words[1]}:{dollars(parse_dollars(amount))}" if amount else words[1]
        return Decide(
            spot=_number(words[0], "spot"), answer=answer, revision=_number(form.get("revision", ""), "revision")
        )
    if verb == "rules":
        return _rules(form, rules())
    raise NotationError(
        f'A table does not know "{form.get("do", "")[:60]}": use the buttons of its page.', code="bad_command"
    )


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > LONGEST_NUMBER:
        raise NotationError(f'"{text[:40]}" is not a number for {what}.', code="bad_command")
    return int(text)


def _chip(form: Form) -> int:
    """The chip in hand, in dollars."""
    chip = _number(form.get("chip", "5"), "chip")
    if chip not in CHIPS:
        raise NotationError(f"There is no chip of ${chip}: take one of {', '.join(map(str, CHIPS))}.", code="bad_chip")
    return chip


def _rules(form: Form, now: TableRules) -> ChooseRules:
    """Rules of one's own table; only what differs from the game's usual is kept as a setting."""
    game = now.game
    settings = {switch.id: form.get(f"set.{switch.id}", switch.default) for switch in game.switches}
    tables = {
        wager.id: form[f"pay.{wager.id}"]
        for wager in game.wagers
        if f"pay.{wager.id}" in form and form[f"pay.{wager.id}"] != wager.pay_tables[0].id
    }
    return ChooseRules(
        spot=1,
        decks=parse_decks(form.get("decks", str(now.decks))) or now.decks,
        settings={name: value for name, value in settings.items() if value != game.switch(name).default},
        pay_tables=tables,
        shuffle=_shuffle(form.get("shuffle", "")),
    )


def _shuffle(text: str) -> Shuffle | None:
    """A way of shuffling as the form names it; nothing for as before."""
    if text and text not in get_args(Shuffle):
        raise unknown("shuffle", text, get_args(Shuffle))
    return cast(Shuffle, text) if text else None
