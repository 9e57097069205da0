"""A game file that does not repeat a game: `extends` names one, and the file adds wagers and what belongs to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from croupier.errors import unknown
from croupier.pay.tables import Decks, Id
from croupier.rules.spec import Game, Published, Reading, Source, Switch, Wager


class Extension(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game with wagers added to it, or the same under other names. Its published figures are its own alone."""

    extends: Annotated[
        str,
        Meta(description="Id of the game that is extended, or the path of its folder or file, seen from this file."),
    ]
    id: Annotated[Id, Meta(description="Name of the game that comes out of it.")]
    name: Annotated[str, Meta(description="Display name.")]
    version: Annotated[str, Meta(description="Version of these rules.")]
    summary: Annotated[str, Meta(description="The game in a sentence or two.")]
    source: Annotated[Source, Meta(description="The letter, or the rack card that the wagers come from.")]
    round: Annotated[
        str,
        Meta(description="The round, where the added wagers look at more than that of the extended game shows."),
    ] = ""
    decks: Annotated[tuple[Decks, ...], Meta(description="Deck counts; those of the extended game when left out.")] = ()
    default_decks: Annotated[Decks | None, Meta(description="Deck count used unless another is asked for.")] = None
    settings: Annotated[
        dict[str, str], Meta(description="Switches of the extended game that have another value here.")
    ] = {}
    names: Annotated[
        dict[str, str],
        Meta(description="Names in the extended game that are others here, wherever people read them."),
    ] = {}
    rules: Annotated[tuple[str, ...], Meta(description="Steps of the procedure that come in, in words.")] = ()
    conditions: Annotated[
        tuple[str, ...], Meta(description="What an operator needs beyond what the extended game asks.")
    ] = ()
    switches: Annotated[tuple[Switch, ...], Meta(description="Switches that the added wagers obey.")] = ()
    wagers: Annotated[tuple[Wager, ...], Meta(description="The added wagers; none where only names are others.")] = ()
    readings: Annotated[tuple[Reading, ...], Meta(description="Doubts and decisions.")] = ()
    published: Annotated[tuple[Published, ...], Meta(description="Printed figures of the added wagers.")] = ()
    history: Annotated[tuple[str, ...], Meta(description="Changes of these rules, newest first.")] = ()


def clashes(base: Game, added: Extension) -> Iterator[tuple[str, str]]:
    """What the file may not add: each problem with its place."""
    if added.id == base.id:
        yield "$.id", f'"{added.id}" is the id of the game that is extended: give this one another'
    if not added.wagers and not added.names:
        yield "$.wagers", "nothing is added: there must be a wager, or other names"
    for word in added.names:
        if word == word.lower():
            yield f"$.names.{word}", "only names are exchanged, which have a capital letter"
        elif _renamed(base, {word: ""}) == base:
            yield f"$.names.{word}", f'{base.id} never says "{word}"'
    letters = {(source.letter, source.agency) for source in map(base.source_of, base.wagers) if source.is_letter}
    if (added.source.letter, added.source.agency) in letters:
        yield (
            "$.source.letter",
            f"{added.source.named} of {added.source.agency} is that of {base.id} and has none of the added wagers: "
            "name the letter or rack card that they come from, or say with draft_of what they were made from",
        )
    for name, kind in (("wagers", "wager"), ("switches", "switch")):
        taken = {known.id for known in getattr(base, name)}
        for i, new in enumerate(getattr(added, name)):
            if new.id in taken:
                yield f"$.{name}[{i}].id", f'{base.id} has a {kind} "{new.id}" already: give this one another id'
    for i, wager in enumerate(added.wagers):
        if wager.kind not in ("asked", "side", "progressive"):
            accepted = "write side, progressive, or asked for one that its round asks for"
            yield f"$.wagers[{i}].kind", f'"{wager.kind}" wagers come from the extended game: {accepted}'
    for switch, value in added.settings.items():
        if not base.has_switch(switch):
            yield f"$.settings.{switch}", str(unknown("switch", switch, [known.id for known in base.switches]))
        elif value not in base.switch(switch).values:
            yield f"$.settings.{switch}", str(unknown("value", value, base.switch(switch).values))


def extended(base: Game, added: Extension) -> Game:
    """The game with the added wagers behind its own, which keep the letter that they come from."""
    base = _renamed(base, added.names)
    switches = (rule.at(added.settings.get(rule.id, rule.default)) for rule in base.switches)
    kept = (msgspec.structs.replace(wager, source=_departing(base, wager, added.settings)) for wager in base.wagers)
    return msgspec.structs.replace(
        base,
        id=added.id,
        name=added.name,
        version=added.version,
        summary=added.summary,
        source=added.source,
        round=added.round or base.round,
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


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The same with other words in all that people read; ids have no capitals."""
    if isinstance(value, str):
        for old, new in names.items():
            value = value.replace(old, new)
    elif isinstance(value, tuple):
        value = tuple(_renamed(item, names) for item in value)
    elif isinstance(value, Struct):
        changed = {info.name: _renamed(getattr(value, info.name), names) for info in msgspec.structs.fields(value)}
        value = msgspec.structs.replace(value, **changed)
    return value


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
