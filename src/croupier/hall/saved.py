"""A table in play as text and back, so that a restart finds the round as it was, down to the order of the shoe."""

from __future__ import annotations

from datetime import date
from typing import Protocol

import msgspec
from msgspec import Struct, field

from croupier.floor.stored import as_stored
from croupier.rules import find_game
from croupier.rules.former import with_younger
from croupier.table.log import RoundLog
from croupier.table.setup import TableRules, WagerLimits, make_rules
from croupier.table.shoe import LiveShoe, Shuffle
from croupier.table.table import Answer, Automations, Command, StartRound, Table, TableSpot


class HallSpot(Struct, kw_only=True):
    """What the hall knows of a spot beside its wagers: who sits there, and the chips being laid out."""

    player: str = ""
    name: str = ""
    draft: dict[str, int] = field(default_factory=dict)
    """Chips on the layout, not wagered yet."""
    undo: list[dict[str, int]] = field(default_factory=list)
    """Drafts before the latest ones."""
    last: dict[str, int] = field(default_factory=dict)
    """The wagers of the round before, for "rebet"."""
    ready: bool = False
    """The player has pressed "deal"."""
    active_micros: int = 0
    """When the player last did something."""
    missed: int = 0
    """Turns in a row that the clock has taken."""
    passed: int = 0
    """Bettings in a row that the clock has ended without them."""


class SavedRules(Struct, kw_only=True):
    """A table's rules with nothing left to a default: what is missing is younger than the row."""

    game: str
    decks: int
    day: date
    settings: dict[str, str] = field(default_factory=dict)
    pay_tables: dict[str, str] = field(default_factory=dict)
    limits: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    meters: dict[str, int] = field(default_factory=dict)


class SavedShoe(Struct, kw_only=True):
    kind: Shuffle
    cut: int
    sealed: bool
    order: bytes
    used: int
    cut_card_is_out: bool
    round_start: int
    seed: bytes
    spare: bytes
    revealed: list[tuple[str, str]]


class Pending(Struct, kw_only=True):
    """A command that moves a jackpot's ledger, noted before it is begun: after a crash it is done again."""

    id: str
    command: bytes
    ledger_id: str = ""
    """Under which it is booked; commands noted by earlier programs have none, and are booked by table and id."""


class SavedTable(Struct, kw_only=True):
    """All of a table in play."""

    rules: SavedRules
    shoe: SavedShoe
    revision: int
    rounds: int
    wagers: list[dict[str, int]]
    playing: list[int]
    stakes: list[dict[str, int]] | None
    """Of the round on the table, complete or not; None while wagers are made."""
    steps: list[int | str]
    last_round: tuple[list[dict[str, int]], list[int | str]] | None
    """Stakes and steps of the round before, which stays in sight while wagers are made."""
    places: list[HallSpot]
    done: dict[str, str]
    """Ids of commands that were done, with a hash of what was asked."""
    pending: Pending | None = None
    deadline_micros: int | None = None
    clearings: int = 0
    """How many clearings of the table by staff are in this."""


KEPT_IDS = 100
"""Commands whose ids a table remembers: far more than any client still repeats. Each takes a revision at least, so a
page that is further back than this may have sent a command that is forgotten."""


def rules_to_saved(rules: TableRules) -> SavedRules:
    return SavedRules(
        game=rules.game.id,
        decks=rules.decks,
        day=rules.day,
        settings=dict(rules.every_switch),
        pay_tables=dict(rules.every_pay_table),
        limits={name: (limit.least, limit.most) for name, limit in rules.limits.items()},
        meters=dict(rules.meters),
    )


def rules_from_saved(saved: SavedRules, *, for_new_rounds: bool = False) -> TableRules:
    """The rules that a saved round was dealt by; for new rounds, switches that came later stand at their defaults."""
    game = find_game(saved.game)
    return make_rules(
        game,
        decks=saved.decks,
        settings=saved.settings if for_new_rounds else with_younger(game, saved.settings),
        pay_tables=saved.pay_tables,
        day=saved.day,
        limits={name: WagerLimits(least=least, most=most) for name, (least, most) in saved.limits.items()},
        meters=saved.meters,
    )


class InPlay(Protocol):
    """What is saved of a table."""

    table: Table
    places: list[HallSpot]
    done: dict[str, str]
    pending: Pending | None
    deadline_micros: int | None
    clearings: int


def save_table(playing: InPlay) -> str:
    """The table as text."""
    table = playing.table
    shoe = table.shoe
    assert shoe.cut is not None
    last = table.history[-1] if table.history else None
    saved = SavedTable(
        rules=rules_to_saved(table.rules),
        shoe=SavedShoe(
            kind=shoe.kind,
            cut=shoe.cut,
            sealed=shoe.sealed,
            order=bytes(shoe.order),
            used=shoe.used,
            cut_card_is_out=shoe.cut_card_is_out,
            round_start=shoe.round_start,
            seed=shoe.seed,
            spare=shoe.spare,
            revealed=shoe.revealed[-3:],
        ),
        revision=table.revision,
        rounds=table.rounds,
        wagers=[dict(spot.wagers) for spot in table.spots],
        playing=table.playing,
        stakes=[dict(stakes) for stakes in table.log.stakes] if table.log is not None else None,
        steps=table.log.steps if table.log is not None else [],
        last_round=([dict(stakes) for stakes in last.stakes], last.steps) if last is not None else None,
        places=playing.places,
        done=playing.done,
        pending=playing.pending,
        deadline_micros=playing.deadline_micros,
        clearings=playing.clearings,
    )
    return msgspec.json.encode(saved).decode()


def read_saved(text: str) -> SavedTable:
    with as_stored("a table in play"):
        return msgspec.json.decode(text, type=SavedTable)


def load_table(saved: SavedTable, automations: Automations) -> Table:
    """The table as it was."""
    rules = rules_from_saved(saved.rules)
    shoe = LiveShoe(
        saved.rules.decks,
        saved.shoe.kind,
        cut=saved.shoe.cut,
        sealed=saved.shoe.sealed,
        order=list(saved.shoe.order),
        used=saved.shoe.used,
        cut_card_is_out=saved.shoe.cut_card_is_out,
        round_start=saved.shoe.round_start,
        seed=saved.shoe.seed,
        spare=saved.shoe.spare,
        revealed=list(saved.shoe.revealed),
        deck_size=rules.game.declared.deck_size,
    )
    spots = [
        TableSpot(player=place.player, wagers=wagers) for place, wagers in zip(saved.places, saved.wagers, strict=True)
    ]
    table = Table(rules, shoe, automations, spots, revision=saved.revision, playing=saved.playing, rounds=saved.rounds)
    if saved.last_round is not None:
        stakes, steps = saved.last_round
        table.history.append(RoundLog(rules, list(stakes), list(steps)))
    if saved.stakes is not None:
        table.put_back(RoundLog(rules, list(saved.stakes), list(saved.steps)))
    return table


def encode_command(command: Command) -> bytes:
    return msgspec.json.encode(command)


def decode_command(data: bytes) -> StartRound | Answer:
    return msgspec.json.decode(data, type=StartRound | Answer)
