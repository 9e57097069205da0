"""A game file that does not repeat a game: `extends` names one, and the file adds wagers and what belongs to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import Struct

from croupier.errors import unknown
from croupier.pay.tables import Decks, Id
from croupier.rules.spec import Game, Published, Reading, Source, Switch, Wager


class Extension(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game with wagers added to it. Its published figures are those of the added wagers alone."""

    extends: str
    """Id of the game that is extended, or the path of its folder or file, seen from this file."""
    id: Id
    """Name of the game that comes out of it."""
    name: str
    """Display name."""
    version: str
    """Version of these rules."""
    summary: str
    """The game in a sentence or two."""
    source: Source
    """The letter, or the rack card that the wagers come from."""
    decks: tuple[Decks, ...] = ()
    """Deck counts; those of the extended game when left out."""
    default_decks: Decks | None = None
    """Deck count used unless another is asked for."""
    settings: dict[str, str] = {}
    """Switches of the extended game that have another value here."""
    rules: tuple[str, ...] = ()
    """Steps of the procedure that come in, in words."""
    conditions: tuple[str, ...] = ()
    """What an operator needs beyond what the extended game asks."""
    switches: tuple[Switch, ...] = ()
    """Switches that the added wagers obey."""
    wagers: tuple[Wager, ...]
    """The added wagers."""
    readings: tuple[Reading, ...] = ()
    """Doubts and decisions."""
    published: tuple[Published, ...] = ()
    """Printed figures of the added wagers."""
    history: tuple[str, ...] = ()
    """Changes of these rules, newest first."""


def clashes(base: Game, added: Extension) -> Iterator[tuple[str, str]]:
    """What the file may not add: each problem with its place."""
    if added.id == base.id:
        yield "$.id", f'"{added.id}" is the id of the game that is extended: give this one another'
    if not added.wagers:
        yield "$.wagers", "nothing is added: there must be a wager"
    letters = {(one.letter, one.agency) for one in map(base.source_of, base.wagers) if one.is_letter}
    if (added.source.letter, added.source.agency) in letters:
        yield (
            "$.source.letter",
            f"{added.source.named} of {added.source.agency} is that of {base.id} and has none of the added wagers: "
            "name the letter or rack card that they come from, or say with draft_of what they were made from",
        )
    for name, kind in (("wagers", "wager"), ("switches", "switch")):
        taken = {one.id for one in getattr(base, name)}
        for i, one in enumerate(getattr(added, name)):
            if one.id in taken:
                yield f"$.{name}[{i}].id", f'{base.id} has a {kind} "{one.id}" already: give this one another id'
    for i, wager in enumerate(added.wagers):
        if wager.kind not in ("side", "progressive"):
            yield f"$.wagers[{i}].kind", f'"{wager.kind}" wagers come from the extended game: write side or progressive'
    for switch, value in added.settings.items():
        if not base.has_switch(switch):
            yield f"$.settings.{switch}", str(unknown("switch", switch, [one.id for one in base.switches]))
        elif value not in base.switch(switch).values:
            yield f"$.settings.{switch}", str(unknown("value", value, base.switch(switch).values))


def extended(base: Game, added: Extension) -> Game:
    """The game with the added wagers behind its own, which keep the letter that they come from."""
    switches = (one.at(added.settings.get(one.id, one.default)) for one in base.switches)
    kept = (msgspec.structs.replace(one, source=_departing(base, one, added.settings)) for one in base.wagers)
    return msgspec.structs.replace(
        base,
        id=added.id,
        name=added.name,
        version=added.version,
        summary=added.summary,
        source=added.source,
        decks=added.decks or base.decks,
        default_decks=added.default_decks or base.default_decks,
        rules=(*base.rules, *added.rules),
        conditions=(*base.conditions, *added.conditions),
        switches=(*switches, *added.switches),
        wagers=(*kept, *added.wagers),
        readings=(*base.readings, *added.readings),
        published=added.published,
        recorded=(),
        history=added.history,
    )


def _departing(base: Game, wager: Wager, settings: Mapping[str, str]) -> Source:
    """The source of a wager of the extended game, with the switches that no longer stand as its letter states."""
    source = base.source_of(wager)
    return msgspec.structs.replace(source, departs=departures(base.switches, source, settings))


def departures(switches: Iterable[Switch], source: Source, settings: Mapping[str, str]) -> dict[str, str]:
    """Switches that new settings take off the letter's values, or leave there, with the letter's values."""
    stated = {switch.id: switch.default for switch in switches if switch.basis == "letter"} | source.departs
    now = {switch.id: switch.default for switch in switches} | dict(settings)
    return {name: value for name, value in stated.items() if name in now and now[name] != value}


def place_in_file(place: str, before: dict[str, int]) -> str:
    """A place of the whole game as a place of the file, which counts its own wagers, switches and readings alone."""

    def shifted(match: re.Match[str]) -> str:
        return f"$.{match[1]}[{int(match[2]) - before.get(match[1], 0)}]"

    return re.sub(r"^\$\.(\w+)\[(\d+)\]", shifted, place)


def counts_before(base: Game) -> dict[str, int]:
    """How many of each come from the extended game; inherited switches are counted apart wherever places are made."""
    named: Iterable[str] = ("wagers", "readings")
    before = {name: len(getattr(base, name)) for name in named}
    return before | {"switches": len(base.switches) - len(base.inherits)}
