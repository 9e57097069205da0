"""Reads game files and says exactly where a mistake is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from croupier.errors import CroupierError, SpecError, unknown
from croupier.kernels.bets import Bet, bet_names, find_bet
from croupier.kernels.declaration import Round
from croupier.kernels.rounds import find_round, round_names
from croupier.pay import Pay, PayTable, parse_pay, parse_rate
from croupier.pay.words import PAY_PATTERN
from croupier.rules.accepted import with_accepted
from croupier.rules.extension import Extension, clashes, counts_before, extended, place_in_file
from croupier.rules.folders import file_at, find_folder, installed_ids, named_folders, our_folders
from croupier.rules.outside import is_outside, outside_name
from croupier.rules.parse import read_toml
from croupier.rules.round_wagers import round_wager_problems
from croupier.rules.spec import OF_PLAY, Game, Jurisdiction, Published, Source, Switch, Wager

READ_BY_TABLES = ("counts", "fixed_pays", "jackpot_wager")
"""Switches that neither a round nor a bet reads: how wagers may be made, and what funds their pays."""
DATA = Path(__file__).parent / "data"
T = TypeVar("T")


def load_game(path: Path, *, run_code: bool = True) -> Game:
    """The game in a file, checked. Raises `SpecError` naming the file and the place in it.

    Without `run_code` the Python files of its folder are not run, and the bets in them not checked.
    """
    return _made_game(read_toml(path), _Origin(str(path), path.parent, run_code, (path.resolve(),)))


def game_from_data(data: dict[str, Any], name: str) -> Game:
    """The game in the tables of a file, checked; `name` says in errors where it comes from. No code is run."""
    return _made_game(data, _Origin(name))


@dataclass(frozen=True)
class _Origin:
    """Where a game file comes from."""

    name: str
    folder: Path | None = None
    """Its folder, with classifiers of its own; None for a text."""
    run_code: bool = False
    extending: tuple[Path, ...] = ()
    """The files on the way here, each of which extends the next."""


def _made_game(data: dict[str, Any], origin: _Origin) -> Game:
    before: dict[str, int] = {}
    if "extends" in data:
        added = convert_spec(data, Extension, origin.name)
        base = _base(added, origin)
        _refuse(origin.name, clashes(base, added))
        game, before = extended(base, added), counts_before(base)
    else:
        game = _inherit(convert_spec(data, Game, origin.name), origin.name)
    game = _with_bets(_share_pay_tables(game, origin.name, before), origin, before.get("wagers", 0))
    problems = _problems(game, all_bets=origin.run_code or origin.folder is None)
    _refuse(origin.name, ((place_in_file(place, before), problem) for place, problem in problems))
    return game


def load_beside(base: Game, path: Path, id: str) -> Game:
    """A game with the side bets of a title beside its own: what the title's file adds to the game that it extends."""
    data = read_toml(path)
    added = convert_spec(data, Extension, str(path)) if "extends" in data else None
    if added is None or not added.wagers:
        raise SpecError(
            f"{data.get('id', path)} is a game of its own, so it cannot lie beside {base.id}. "
            "Name titles that are side bets behind the game: blackjack.royal_match_21.trilux.",
            code="not_side_bets",
        )
    decks = tuple(number for number in base.decks if number in (added.decks or base.decks))
    if not decks:
        raise SpecError(f"{base.id} and {added.id} have no deck count in common: take another game.", code="bad_decks")
    origin = _Origin(str(path), path.parent, True, (path.resolve(),))
    _refuse_apart(base, added, origin)
    _refuse(str(path), clashes(base, added))
    game = msgspec.structs.replace(
        extended(base, added),
        id=id,
        name=f"{base.name}, {added.name}",
        version=max(base.version, added.version),
        summary=f"{base.summary} {added.name}.",
        source=base.source,
        decks=decks,
        default_decks=base.default_decks if base.default_decks in decks else decks[-1],
        wagers=(
            *(msgspec.structs.replace(wager, source=base.source_of(wager)) for wager in base.wagers),
            *(msgspec.structs.replace(wager, source=wager.source or added.source) for wager in added.wagers),
        ),
        published=(*base.published, *added.published),
        recorded=base.recorded,
        history=(*added.history, *base.history),
    )
    before = counts_before(base)
    game = _with_bets(_share_pay_tables(game, origin.name, before), origin, before["wagers"])
    for wager in game.wagers:
        bets = [bet for name in wager.classifiers if (bet := find_bet(name)) is not None]
        if any(bet.scene not in game.declared.scenes for bet in bets):
            raise SpecError(
                f"{added.name} cannot lie beside {base.name}, which never shows the cards that {wager.name} is about.",
                code="not_side_bets",
            )
    _refuse(origin.name, ((place_in_file(place, before), problem) for place, problem in _problems(game)))
    return game


def _refuse_apart(base: Game, added: Extension, origin: _Origin) -> None:
    """Refuses a title whose round or wagers would take the place of the game's."""
    if added.round and base.round not in (added.round, _base(added, origin).round):
        raise SpecError(
            f"{added.name} and {base.name} are each dealt in a way of their own, so they cannot lie beside each other.",
            code="not_side_bets",
        )
    for wager in added.wagers:
        if any(wager.id == other.id for other in base.wagers):
            raise SpecError(
                f'{added.name} and {base.name} both have a wager "{wager.id}": name one of them.', code="not_side_bets"
            )


def require_sound(game: Game, name: str) -> None:
    """Refuses a game that could not be loaded from a file, naming the place that it has there."""
    _refuse(name, _problems(game))


def require_sound_wager(game: Game, wager: Wager, name: str) -> None:
    """The same of one wager alone, which is a hundred times as fast: sweeps change nothing else."""
    _refuse(name, _wager_problems("$", game, wager, True))


def _refuse(name: str, problems: Iterable[tuple[str, str]]) -> None:
    for place, problem in problems:
        raise SpecError(f"{name}: {problem} - at {place}", code="bad_spec")


def _base(added: Extension, origin: _Origin) -> Game:
    """The game that a file extends."""
    folder = find_folder(added.extends)
    if folder is None and added.extends and origin.folder is not None and (origin.folder / added.extends).exists():
        folder = origin.folder / added.extends
    if folder is None:
        known = [*our_folders(), *named_folders(), *installed_ids()]
        raise SpecError(f"{origin.name}: {unknown('game', added.extends, known)} - at $.extends", code="bad_spec")
    file = file_at(folder)
    if file.resolve() in origin.extending:
        raise SpecError(f"{origin.name}: the game extends itself, by way of {file} - at $.extends", code="bad_spec")
    way = (*origin.extending, file.resolve())
    return _made_game(read_toml(file), _Origin(str(file), file.parent, origin.run_code, way))


def _with_bets(game: Game, origin: _Origin, first: int) -> Game:
    """The game whose wagers, from the `first` on, have classifiers by the names that engines know them by."""
    folder = origin.folder
    if folder is None:
        return game

    def known_as(name: str) -> str:
        return outside_name(name, folder, run_code=origin.run_code) if name else ""

    wagers = (
        msgspec.structs.replace(
            wager,
            classifier=known_as(wager.classifier),
            pay_tables=tuple(
                msgspec.structs.replace(table, classifier=known_as(table.classifier)) for table in wager.pay_tables
            ),
        )
        for wager in game.wagers[first:]
    )
    return msgspec.structs.replace(game, wagers=(*game.wagers[:first], *wagers))


@cache
def find_jurisdiction(name: str) -> Jurisdiction | None:
    path = DATA / f"{name}.toml"
    return read_spec(path, Jurisdiction) if path.exists() else None


@cache
def family_switches(family: str) -> dict[str, Switch]:
    """The switches that games of a family may inherit."""
    families = read_spec(DATA / "families.toml", dict[str, list[Switch]])
    return {switch.id: switch for switch in families.get(family, [])}


def read_spec(path: Path, kind: type[T]) -> T:
    """A TOML file as a checked value of that type."""
    return convert_spec(read_toml(path), kind, str(path))


def convert_spec(data: dict[str, Any], kind: type[T], name: str) -> T:
    """The tables of a file as a checked value of that type."""
    try:
        return msgspec.convert(data, kind, dec_hook=decode_words)
    except msgspec.ValidationError as error:
        message = with_accepted(with_place(str(error)), kind, data)
        raise SpecError(f"{name}: {message}", code="bad_spec") from None


def _inherit(game: Game, name: str) -> Game:
    """The game with its family's switches put before its own."""
    offered = family_switches(game.family)
    inherited = []
    for switch, value in game.inherits.items():
        if switch not in offered:
            raise SpecError(f"{name}: {unknown(f'{game.family} switch', switch, offered)} - at $.inherits.{switch}")
        basis = "letter" if switch in game.letter_fixes else offered[switch].basis
        inherited.append(msgspec.structs.replace(offered[switch], default=value, basis=basis))
    return msgspec.structs.replace(game, switches=(*inherited, *game.switches))


def _share_pay_tables(game: Game, name: str, before: dict[str, int]) -> Game:
    """The game with the pay tables that one wager takes over from another."""
    wagers: dict[str, Wager] = {}
    for i, wager in enumerate(game.wagers):
        if wager.pay_tables_of:
            if wager.pay_tables_of not in wagers:
                place = place_in_file(f"$.wagers[{i}].pay_tables_of", before)
                raise SpecError(f"{name}: {unknown('earlier wager', wager.pay_tables_of, wagers)} - at {place}")
            wager = msgspec.structs.replace(wager, pay_tables=wagers[wager.pay_tables_of].pay_tables)
        wagers.setdefault(wager.id, wager)
    return msgspec.structs.replace(game, wagers=tuple(wagers.get(w.id, w) for w in game.wagers))


def game_schema() -> dict[str, Any]:
    """JSON schema of a game file: a whole game, or one that extends another."""
    kinds, parts = msgspec.json.schema_components(
        (Game, Extension), schema_hook=_schema_of, ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Croupier game file",
        "anyOf": list(kinds),
        "$defs": parts,
    }


def decode_words(kind: type, value: Any) -> Any:
    """Pays and rates are text in the file."""
    if kind in (Pay, Fraction):
        if not isinstance(value, str):
            example = f"{value} to 1" if kind is Pay and type(value) is int else "3 to 2" if kind is Pay else "20%"
            raise ValueError(f'Write this as text in quotation marks, as in "{example}"')
        try:
            return parse_pay(value) if kind is Pay else parse_rate(value)
        except CroupierError as error:
            raise ValueError(str(error)) from None
    raise TypeError(kind)


def _schema_of(kind: type) -> dict[str, Any]:
    if kind is Pay:
        return {"type": "string", "pattern": f"^({PAY_PATTERN})$", "description": "3 to 2, 50 for 1, push, 10%"}
    if kind is Fraction:
        return {"type": "string", "description": "a rate: 0.2 or 20%"}
    raise TypeError(kind)


def with_place(message: str) -> str:
    """msgspec ends a message with the place (`- at `$.wagers[0]``), or with nothing when it is the whole file."""
    return message.replace("`", "") if " - at " in message else message.replace("`", "") + " - at $"


def _problems(game: Game, *, all_bets: bool = True) -> Iterator[tuple[str, str]]:
    """What the types alone cannot see. Without `all_bets` those of other people's code are taken as named."""
    if game.default_decks not in game.decks:
        yield "$.default_decks", f"{game.default_decks} is not among the decks {list(game.decks)}"
    declared = find_round(game.round)
    if declared is None:
        yield "$.round", f'there is no round "{game.round}"; rounds: {", ".join(round_names())}'
        return
    if declared.family != game.family:
        yield "$.round", f'the round "{game.round}" does not play games of the family "{game.family}"'
    if find_jurisdiction(game.jurisdiction) is None:
        yield "$.jurisdiction", f'there is no jurisdiction "{game.jurisdiction}"'
    yield from _source_problems(game.source)
    for name in game.letter_fixes:
        if name not in game.inherits:
            yield "$.letter_fixes", f'"{name}" is not inherited'
    yield from _duplicates("$.wagers", [wager.id for wager in game.wagers])
    yield from _duplicates("$.switches", [switch.id for switch in game.switches])
    for i, switch in enumerate(game.switches):
        if switch.default not in switch.values:
            own = i - len(game.inherits)
            place = f"$.switches[{own}].default" if own >= 0 else f"$.inherits.{switch.id}"
            yield place, f'"{switch.default}" is not among the values {list(switch.values)}'
        for name, value in (("before", switch.before), *(("words", value) for value in switch.words)):
            if value and value not in switch.values:
                yield (
                    f"$.switches[{i - len(game.inherits)}].{name}",
                    f'"{value}" is not among the values of {switch.id}',
                )
        understood = declared.numbers_of(switch.id)
        extra = [value for value in switch.values if understood is not None and value not in understood]
        if understood is not None and extra:
            yield (
                f"$.switches[{i - len(game.inherits)}].values",
                f'no round knows {extra} of the switch "{switch.id}"; values: {", ".join(understood)}',
            )
        yield from _set_problems(f"$.switches[{i - len(game.inherits)}].sets", declared, switch)
    yield from _fixed_problems("$.fixed", declared, game.fixed)
    yield from _unread_switches(game)
    for i, wager in enumerate(game.wagers):
        yield from _wager_problems(f"$.wagers[{i}]", game, wager, all_bets)
    for i, reading in enumerate(game.readings):
        if reading.switch and not game.has_switch(reading.switch):
            yield f"$.readings[{i}].switch", f'there is no switch "{reading.switch}"'
    for i, fact in enumerate(game.published):
        place = f"$.published[{i}]"
        known = {wager.id: {table.id for table in wager.pay_tables} for wager in game.wagers}
        for name, value in (fact.printed_for | fact.under).items():
            if not game.has_switch(name) or value not in game.switch(name).values:
                yield f"{place}.under.{name}", f'"{name} = {value}" is not a switch and value of this game'
        if fact.wager not in known:
            yield f"{place}.wager", f'there is no wager "{fact.wager}"; wagers: {", ".join(known)}'
        elif fact.pay_table not in known[fact.wager]:
            yield f"{place}.pay_table", f'"{fact.wager}" has no pay table "{fact.pay_table}"'
        elif fact.figure in OF_PLAY and not (game.is_decided and game.is_first(game.wager(fact.wager))):
            yield f"{place}.figure", f'"{fact.figure}" is for a main game whose players decide something'
        elif fact.figure in ("top_odds", "top_average"):
            rows = game.wager(fact.wager).pay_table(fact.pay_table).rows
            if not any(row.pays.is_share and row.pays.share == 1 for row in rows):
                yield (
                    f"{place}.figure",
                    f'"{fact.figure}" needs a row that pays 100%, which the pay table does not have',
                )
        elif fact.up_card and not _is_on_dealer(game, fact):
            yield f"{place}.up_card", "only a wager on the dealer's hand that the round asks for has figures by up card"
        elif fact.rule:
            yield from _rule_problems(f"{place}.rule", game, fact)
    yield from round_wager_problems(game)


def _is_on_dealer(game: Game, fact: Published) -> bool:
    """Whether it is a figure that a wager on the dealer's hand has under each up card."""
    settled = game.settled_by_round(game.wager(fact.wager))
    return settled is not None and settled.by_dealer is not None and fact.figure in ("edge", "hit_frequency")


def _rule_problems(place: str, game: Game, fact: Published) -> Iterator[tuple[str, str]]:
    """What is printed for a rule of thumb is the edge of the main game by a rule that the round declares."""
    known = [rule.id for rule in game.declared.rules_of_thumb]
    if fact.rule not in known:
        yield place, f'the round has no rule of thumb "{fact.rule}"; rules of thumb: {", ".join(known) or "none"}'
    elif fact.figure != "edge" or not game.is_first(game.wager(fact.wager)):
        yield place, "a rule of thumb has an edge of the main game, and no other figure"


def _set_problems(place: str, declared: Round, switch: Switch) -> Iterator[tuple[str, str]]:
    for value, sets in switch.sets.items():
        if value not in switch.values:
            yield f"{place}.{value}", f'"{value}" is not among the values of {switch.id}'
        yield from _fixed_problems(f"{place}.{value}", declared, sets)


def _fixed_problems(place: str, declared: Round, fixed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What is fixed must be rules of the round, at values that it knows."""
    for name, value in fixed.items():
        known = declared.numbers_of(name)
        if known is None or value not in known:
            yield f"{place}.{name}", f'"{name} = {value}" is not a rule and value that the round reads'


def _unread_switches(game: Game) -> Iterator[tuple[str, str]]:
    """A switch that nothing reads would promise a rule that is not there."""
    read = set(READ_BY_TABLES)
    for wager in game.wagers:
        read |= set(wager.needs_when)
        for table in wager.pay_tables:
            bet = find_bet(table.classifier or wager.classifier)
            if bet is None and (table.classifier or wager.classifier):
                return  # a bet that was not read: it may be the reader
            read |= set(bet.options) | {bet.scene.switch} if bet is not None else set()
            read |= {table.product.switch} if table.product else set()
            for row in table.rows:
                read |= {*row.when, *re.findall(r"\{(.*?)\}", row.label_at_table)}
    for i, switch in enumerate(game.switches):
        if switch.id not in read and not switch.sets and game.declared.numbers_of(switch.id) is None:
            place = f"$.switches[{i - len(game.inherits)}]" if i >= len(game.inherits) else f"$.inherits.{switch.id}"
            yield (
                place,
                f'nothing reads the switch "{switch.id}": neither the round, nor a bet, nor a row of a pay table',
            )


def _source_problems(source: Source) -> Iterator[tuple[str, str]]:
    """A letter or a draft, never both: nothing may look approved that is not."""
    if source.draft_of and (source.letter or source.title or source.agency or source.submission):
        yield "$.source.draft_of", "a draft is not what a letter approves: leave out letter, title, agency, submission"
    elif not source.draft_of and not (source.letter and source.title and source.agency):
        yield "$.source", "name letter, title and agency; of a draft that nobody has approved, draft_of instead"
    if (source.kind == "public") != bool(source.not_at_hand):
        yield "$.source.not_at_hand", "a public description, and only one, says what is not at hand"


def _wager_problems(place: str, game: Game, wager: Wager, all_bets: bool) -> Iterator[tuple[str, str]]:
    yield from _duplicates(f"{place}.pay_tables", [table.id for table in wager.pay_tables])
    if wager.classifiers and not wager.pay_tables:
        yield f"{place}.pay_tables", "a wager with a classifier needs a pay table"
    for i, table in enumerate(wager.pay_tables):
        here = f"{place}.pay_tables[{i}]"
        name = table.classifier or wager.classifier
        bet = find_bet(name) if name else None
        if name and bet is None and (all_bets or not is_outside(name)):
            yield (
                f"{here if table.classifier else place}.classifier",
                f'there is no bet "{name}", and no file {name}.py beside the game file; bets: {", ".join(bet_names())}',
            )
        if bool(table.rows) == bool(table.product):
            yield here, "a pay table has either rows or a product"
        if (table.jackpot is not None) != (wager.kind == "progressive"):
            yield here, 'pay tables of "progressive" wagers, and only those, have a jackpot'
        yield from _row_problems(here, game, table)
        if table.has_envy:
            yield from _envy_problems(here, wager, bet)
        yield from _cover_problems(here, wager, table, bet)
        if bet is not None:
            if bet.scene.switch and not game.has_switch(bet.scene.switch):
                yield (
                    "$.inherits",
                    f'the bet at {here} looks at the dealer\'s hand and needs the switch "{bet.scene.switch}"',
                )
            if bet.scene.has_sides != bool(wager.hand):
                yield (
                    f"{place}.hand",
                    'a baccarat wager, and only one, says which hand it is on: hand = "player", "banker" or "seat"',
                )
            if wager.hand == "seat" and not bet.scene.is_finished:
                yield f"{place}.hand", f'no side has won when {bet.scene} is shown: hand = "player" or "banker"'
            yield from _bet_problems(here, game, table, bet)
        for switch, value in table.settings.items():
            if not game.has_switch(switch) or value not in game.switch(switch).values:
                yield f"{here}.settings.{switch}", f'"{switch} = {value}" is not a switch and value of this game'


def _envy_problems(place: str, wager: Wager, bet: Bet | None) -> Iterator[tuple[str, str]]:
    """Envy is for a hand that another player has and the bettor has not."""
    if wager.kind == "progressive":
        yield f"{place}.rows", "envy is paid by the house: a progressive has none"
    elif bet is None or bet.scene.is_shared:
        seen = f"{bet.scene} is the same for all" if bet is not None else "the round settles this wager"
        yield f"{place}.rows", f"envy is for a wager on cards that each seat has of its own; {seen}"


def _cover_problems(place: str, wager: Wager, table: PayTable, bet: Bet | None) -> Iterator[tuple[str, str]]:
    """Cover All compares hands of as many cards, by the order of the rows."""
    if not table.cover_all:
        for number, row in enumerate(table.rows):
            if row.by_hands:
                yield f"{place}.rows[{number}].by_hands", "pays by the number of hands are for a table with cover_all"
    elif wager.kind != "side" or table.has_envy:
        yield f"{place}.cover_all", "cover_all is for a side wager without envy and without a meter"
    elif bet is None or not bet.scene.is_set:
        yield f"{place}.cover_all", "cover_all is for a wager on a set of cards: Dealt(...)"


def _bet_problems(place: str, game: Game, table: PayTable, bet: Bet) -> Iterator[tuple[str, str]]:
    shown = game.declared.scenes
    if bet.scene not in shown:
        accepted = ", ".join(str(scene) for scene in shown)
        yield place, f'the round "{game.round}" never shows {bet.scene}, which the bet looks at; it shows: {accepted}'
    for switch in [*bet.options, *([table.product.switch] if table.product else [])]:
        if not game.has_switch(switch):
            yield "$.switches", f'the bet at {place} needs a switch "{switch}"'
            return
        extra = set(game.switch(switch).values) - set(bet.options.get(switch, game.switch(switch).values))
        if extra:
            yield "$.switches", f'the switch "{switch}" offers {sorted(extra)}, which the bet at {place} does not know'
    rows = table.rows or (table.product.rows("adds") if table.product else ())
    for i, row in enumerate(rows):
        for outcome in row.paid_outcomes:
            if outcome not in bet.outcomes:
                accepted = ", ".join(bet.outcomes)
                yield f"{place}.rows[{i}]", f'"{outcome}" is not an outcome of this bet; outcomes: {accepted}'


def _row_problems(place: str, game: Game, table: PayTable) -> Iterator[tuple[str, str]]:
    """Conditions of rows name switches and values that exist; no outcome is paid by two rows at once."""
    paid: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
    for i, row in enumerate(table.rows):
        for switch, value in row.when.items():
            if not game.has_switch(switch):
                yield f"{place}.rows[{i}].when", f'there is no switch "{switch}"'
            elif value not in game.switch(switch).values:
                accepted = ", ".join(game.switch(switch).values)
                yield f"{place}.rows[{i}].when.{switch}", f'"{value}" is not a value of this switch; values: {accepted}'
        for switch in re.findall(r"\{(.*?)\}", row.label_at_table):
            if not game.has_switch(switch):
                yield f"{place}.rows[{i}].label_at_table", f'there is no switch "{switch}"'
        if row.pays.is_share and table.jackpot is None:
            yield f"{place}.rows[{i}].pays", f'"{row.pays.text}" is a share of a meter, but the table has no jackpot'
        if row.pays.is_share and row.funded != "meter":
            yield f"{place}.rows[{i}].funded", "a share of the meter is funded by the meter"
        for outcome in row.paid_outcomes:
            condition = (outcome, tuple(sorted(row.when.items())))
            if condition in paid or (outcome, ()) in paid:
                yield f"{place}.rows[{i}]", f'"{outcome}" is paid by a row above already'
            paid.add(condition)
    if table.product:
        for key in (*table.product.base, *table.product.times):
            if key not in table.product.labels:
                yield f"{place}.product.labels", f'"{key}" has no label'
        if game.has_switch(table.product.switch) and set(game.switch(table.product.switch).values) != {
            "adds",
            "replaces",
        }:
            yield f"{place}.product.switch", f'"{table.product.switch}" must have the values adds and replaces'
        if table.product.once not in table.product.times:
            yield f"{place}.product.once", f'"{table.product.once}" is not among `times`'


def _duplicates(place: str, ids: list[str]) -> Iterator[tuple[str, str]]:
    for index, name in enumerate(ids):
        if name in ids[:index]:
            yield f"{place}[{index}].id", f'"{name}" is there twice'
