"""A draft as a game file of one's own, and back: plain TOML that every command reads, and nothing that is run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct, structs

from croupier.errors import NotationError, SpecError
from croupier.floor.files import toml_key, toml_value
from croupier.lab.draft import DRAFT, FILE, Draft, Trial, game_of, open_draft, try_draft
from croupier.lab.own_bets import files_needed, with_plain_bets
from croupier.pay import Pay
from croupier.rules.choice import SEAT_SIDES, Choice
from croupier.rules.extension import departures
from croupier.rules.own_tables import with_table_first
from croupier.rules.spec import Game, Source

MOST_BYTES = 128 * 1024
"""Several times the largest of our own game files."""
_BLOCKS = ("departs", "inherits", "labels", "pay_tables", "product", "readings", "source", "switches", "wagers")
"""Fields that get a head of their own."""
_LISTS = ("rules", "conditions", "history")
"""Fields with a line for each item."""
_OPENS_AT = re.compile(r"^# croupier odds FILE (\S+)(?: --decks (\S+))?(?: --side (\S+))?$", re.MULTILINE)


def draft_to_toml(trial: Trial) -> str:
    """The text of the file. The second line is the command that shows the draft's odds, by which it is also opened."""
    choice = trial.choice
    lines = [
        f"# Made from {_origin(trial)}; not an approved game.",
        f"# {command_of(choice)}",
        *(f"# Needs the file {name} in the same folder." for name in files_needed(trial.game)),
        "",
        *_game_lines(with_plain_bets(saved_game(trial))),
    ]
    return "\n".join(lines) + "\n"


def command_of(choice: Choice, file: str = "FILE") -> str:
    """The command that gives the draft's edge from its file. Infinite decks and a side have no place in a game."""
    decks = " --decks inf" if choice.decks is None else ""
    side = f" --side {choice.side}" if choice.wager.hand == "seat" and choice.side in SEAT_SIDES else ""
    return f"croupier odds {shlex.quote(file)} {choice.wager.id}{decks}{side}"


def file_name(trial: Trial) -> str:
    return f"{_own_id(trial.game.id)}-{trial.choice.wager.id}.toml"


def draft_from_toml(text: str) -> Draft:
    """The draft that a file opens as: at the wager, decks and side of its second line, else at its first wager."""
    require_size(len(text.encode("utf-8", "surrogatepass")))
    if not text.strip():
        raise NotationError("The file is empty. Choose a game file, as the lab saves them.", code="file_missing")
    game = game_of(Draft(file=text, wager=""))
    if not game.wagers:
        raise SpecError(f"{FILE}: a game needs a wager - at $.wagers", code="bad_spec")
    named = _OPENS_AT.search(text)
    wager, decks, side = named.groups(default="") if named else ("", "", "")
    if wager not in [known.id for known in game.wagers]:
        wager, decks, side = game.wagers[0].id, "", ""
    draft = Draft(file=text, wager=wager, decks=decks, side=side)
    try_draft(open_draft(draft))
    return draft


def require_size(size: int) -> None:
    """Refuses a file of that many bytes where a game file never has them."""
    if size > MOST_BYTES:
        raise SpecError(f"The file is too large. A game file has at most {MOST_BYTES:,} bytes.", code="file_too_large")


def saved_game(trial: Trial) -> Game:
    """The game of the file: the draft's table, decks and switches are its defaults. Figures and runs of the letter are
    left out, as they speak of other rules, and so is its word on switches that differ; no letter approves a draft."""
    choice, game = trial.choice, trial.game
    table = choice.pay_table
    if choice.wager.pay_tables:
        # A table that is read with switches of its own keeps them; the others stay the game's.
        settings = {name: choice.switches[name] for name in table.settings}
        table = structs.replace(table, settings=settings, decks=_with_decks(table.decks, choice) if table.decks else ())
        game = with_table_first(game, choice.wager.id, table)
    defaults = {name: value for name, value in choice.switches.items() if name not in table.settings}
    switches = tuple(switch.at(defaults.get(switch.id, switch.default)) for switch in game.switches)
    changed = {switch.id for switch, old in zip(switches, game.switches, strict=True) if switch.default != old.default}
    own_id = _own_id(game.id)
    origin = _origin(trial)
    note = f"made from {origin}"
    left = game.source_of(choice.wager)
    return structs.replace(
        game,
        id=own_id,
        name=game.name if game.id == own_id else f"{game.name}, draft",
        version=game.version if game.id == own_id else f"{game.version}-{DRAFT}",
        decks=_with_decks(game.decks, choice),
        default_decks=choice.decks or game.default_decks,
        source=Source(date=left.date, draft_of=origin, departs=departures(game.switches, left, defaults)),
        wagers=tuple(structs.replace(wager, source=None) for wager in game.wagers),
        switches=switches,
        letter_fixes=tuple(name for name in game.letter_fixes if name not in changed),
        published=(),
        recorded=(),
        history=game.history if game.history[:1] == (note,) else (note, *game.history),
    )


def _with_decks(decks: tuple[int, ...], choice: Choice) -> tuple[int, ...]:
    return decks if choice.decks is None else tuple(sorted({*decks, choice.decks}))


def _own_id(game: str) -> str:
    return game if game.endswith(f"-{DRAFT}") else f"{game[: 60 - len(DRAFT) - 1]}-{DRAFT}"


def _origin(trial: Trial) -> str:
    """What it was made from; a draft of a draft still says what came first."""
    start = trial.opened.start
    game = start.game
    if game.source.draft_of:
        return _one_line(game.source.draft_of)
    table = f", pay table {start.pay_table.id}" if start.wager.pay_tables else ""
    return f"{game.id} {_one_line(game.version)}, {start.wager.id}{table}"


def _one_line(text: str) -> str:
    return "".join(character for character in text if character.isprintable())


# TOML


def _game_lines(game: Game) -> Iterator[str]:
    """Inherited switches go back to where a file has them; their words are the family's."""
    own = tuple(switch for switch in game.switches if switch.id not in game.inherits)
    inherits = {switch.id: switch.default for switch in game.switches if switch.id in game.inherits}
    yield from _block(structs.replace(game, switches=own, inherits=inherits), "")


def _block(value: Struct, path: str) -> Iterator[str]:
    """The fields of a value: plain ones first, as TOML wants them, then a block for each value inside."""
    inner = []
    for info in structs.fields(value):
        item = getattr(value, info.name)
        if item is None or _is_default(info, item):
            continue
        name = f"{path}.{info.name}".lstrip(".")
        if info.name == "rows":
            yield "rows = ["
            yield from (f"  {toml_value(_plain(row))}," for row in item)
            yield "]"
        elif info.name in _BLOCKS:
            inner.append((name, item))
        elif info.name in _LISTS:
            yield f"{info.name} = ["
            yield from (f"  {_scalar(element)}," for element in item)
            yield "]"
        else:
            yield f"{info.name} = {_scalar(item)}"
    for name, item in inner:
        if isinstance(item, tuple):
            for element in item:
                yield from ("", f"[[{name}]]", *_block(element, name))
        elif isinstance(item, dict):
            yield from ("", f"[{name}]", *(f"{toml_key(key)} = {_scalar(element)}" for key, element in item.items()))
        else:
            yield from ("", f"[{name}]", *_block(item, name))


def _scalar(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else toml_value(_plain(value))


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        return {
            info.name: _plain(getattr(value, info.name))
            for info in structs.fields(value)
            if getattr(value, info.name) is not None and not _is_default(info, getattr(value, info.name))
        }
    if isinstance(value, Pay):
        return value.text
    if isinstance(value, Fraction):
        return _rate_text(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _rate_text(rate: Fraction) -> str:
    """To the last digit: rates of files have at most 12 decimals, in percent too."""
    text = f"{Decimal(100 * rate.numerator) / rate.denominator:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}%"


def _is_default(info: structs.FieldInfo, item: Any) -> bool:
    default = info.default if info.default is not msgspec.NODEFAULT else None
    if info.default_factory is not msgspec.NODEFAULT:
        default = info.default_factory()
    return not info.required and item == default
