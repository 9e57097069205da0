"""A choice of rules from the query of an address: what a form asks for, and what is wrong with it, field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlencode

from croupier.errors import CroupierError, RangeError, unknown
from croupier.rules.choice import COUNTS_SWITCH, SEAT_SIDES, Choice, choose, switch_value
from croupier.rules.spec import Game, Wager

ENDLESS = "inf"
SWITCH = "set."
"""Before the name of a switch, so that none is taken for another field."""
CHOICE_FIELDS = ("pay_table", "decks", "side")
_LONGEST = 60


@dataclass(frozen=True, kw_only=True)
class Query:
    """The fields of a form as they were written, without the empty ones, and what was found wrong with them so far."""

    written: dict[str, str]
    problems: dict[str, str] = field(default_factory=dict)
    """By the field's name, a sentence."""

    def get(self, name: str, default: str = "") -> str:
        return self.written.get(name, default)

    def has_prefix(self, prefix: str) -> bool:
        """Whether any field is written whose name begins so."""
        return any(name.startswith(prefix) for name in self.written)

    def check(self, name: str, reads: Callable[[str], object]) -> str | None:
        """What is written, if it reads; None where nothing is, or where that does not read, which is noted."""
        text = self.written.get(name)
        if text is None:
            return None
        try:
            reads(text)
        except CroupierError as error:
            self.problems[name] = str(error)
            return None
        return text

    def with_fields(self, **changed: str) -> str:
        """The query of the same address with these fields changed; an empty value leaves one out."""
        fields = {name: text for name, text in (self.written | changed).items() if text}
        return f"?{urlencode(fields)}" if fields else ""


def read_query(given: Mapping[str, str], accepted: Iterable[str], game: Game) -> Query:
    """Checks the names of the fields: one with a typing error would go unheard and show other odds than asked for."""
    names = [*accepted, *(f"{SWITCH}{switch.id}" for switch in game.switches)]
    for name, text in given.items():
        if name not in names:
            raise unknown("field", name, names)
        if len(text) > _LONGEST or not text.isprintable():
            raise RangeError(f"{name}: write at most {_LONGEST} characters that can be printed.", code="bad_field")
    return Query(written={name: text.strip() for name, text in given.items() if text.strip()})


def decks_offered(game: Game) -> list[str]:
    """The decks of the game, and infinite decks where odds can be had for one. Each may take half a minute."""
    return [*(str(number) for number in game.decks), *([ENDLESS] if game.has_endless_shoe else [])]


def check_decks(game: Game, text: str) -> None:
    if text not in decks_offered(game):
        accepted = ", ".join(decks_offered(game))
        raise RangeError(f'"{text}" decks are not offered on this page. Accepted: {accepted}.', code="bad_decks")


def read_switches(query: Query, game: Game) -> dict[str, str]:
    """The switches that are set, each in its accepted spelling."""
    switches = {}
    for switch in game.switches:
        text = query.check(f"{SWITCH}{switch.id}", partial(switch_value, switch))
        if text is not None:
            switches[switch.id] = switch_value(switch, text)
    return switches


def read_choice(query: Query, game: Game, wager: Wager) -> Choice | None:
    """The rules asked for, or None with the problems noted."""
    settings = read_switches(query, game)
    pay_table = query.check("pay_table", wager.pay_table)
    decks = query.check("decks", partial(check_decks, game))
    if query.problems:
        return None
    try:
        return choose(
            game, wager.id, pay_table=pay_table, decks=decks, side=query.get("side") or None, settings=settings
        )
    except CroupierError as error:
        query.problems["side"] = str(error)
        return None


def sides_of(choice: Choice) -> tuple[str, ...]:
    """The sides that can be chosen; none where either side's win pays."""
    return SEAT_SIDES if choice.wager.hand == "seat" and choice.switches.get(COUNTS_SWITCH) != "either_side" else ()


def fields_of(choice: Choice) -> dict[str, str]:
    """The fields of an address that lead to these rules: those that differ from the game's own."""
    game, wager = choice.game, choice.wager
    table = choice.pay_table.id if wager.pay_tables and choice.pay_table != wager.pay_tables[0] else ""
    usual = choose(game, wager.id, pay_table=table or None)
    fields = {"pay_table": table} if table else {}
    if choice.decks != usual.decks and decks_text(choice) in decks_offered(game):
        fields["decks"] = decks_text(choice)
    changed = {name: value for name, value in choice.switches.items() if value != usual.switches[name]}
    return fields | {f"{SWITCH}{name}": value for name, value in changed.items()}


def decks_text(choice: Choice) -> str:
    return ENDLESS if choice.decks is None else str(choice.decks)
