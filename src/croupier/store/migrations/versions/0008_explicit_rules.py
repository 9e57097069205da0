"""Tables in play and finished rounds say every switch and pay table that was in force, as defaults change after this.

The defaults are those of 2026-11-17, frozen as data. Floors are in the ledger, of which nothing is rewritten: their
reader fills in the same.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

DEFAULTS = Path(__file__).parents[3] / "rules" / "data" / "defaults_2026_11_17.toml"
HEAD = "croupier round 1"
TOGETHER = 1000

play_tables = sa.table("play_tables", sa.column("id", sa.Text), sa.column("body", sa.Text))
play_rounds = sa.table(
    "play_rounds", sa.column("table_id", sa.Text), sa.column("round", sa.BigInteger), sa.column("log", sa.Text)
)


def upgrade() -> None:
    games: dict[str, Any] = tomllib.loads(DEFAULTS.read_text(encoding="utf-8"))["games"]
    connection = op.get_bind()
    _write_tables(connection, games)
    _write_rounds(connection, games)


def _write_tables(connection: sa.Connection, games: dict[str, Any]) -> None:
    rows = connection.execute(sa.select(play_tables.c.id, play_tables.c.body)).all()
    here = play_tables.c.id == sa.bindparam("key_id")
    change = sa.update(play_tables).where(here).values(body=sa.bindparam("new_body"))
    for row in rows:
        body = _explicit_body(row.body, games)
        if body != row.body:
            connection.execute(change, {"key_id": row.id, "new_body": body})


def _write_rounds(connection: sa.Connection, games: dict[str, Any]) -> None:
    """A page at a time, in the order of the key: there may be millions."""
    key = (play_rounds.c.table_id, play_rounds.c.round)
    here = (key[0] == sa.bindparam("key_table")) & (key[1] == sa.bindparam("key_round"))
    change = sa.update(play_rounds).where(here).values(log=sa.bindparam("new_log"))
    page = sa.select(*key, play_rounds.c.log).order_by(*key).limit(TOGETHER)
    rows = connection.execute(page).all()
    while rows:
        new = [
            {"key_table": row.table_id, "key_round": row.round, "new_log": log}
            for row in rows
            if (log := _explicit_log(row.log, games)) != row.log
        ]
        if new:
            connection.execute(change, new)
        last = rows[-1]
        behind = (key[0] > last.table_id) | ((key[0] == last.table_id) & (key[1] > last.round))
        rows = connection.execute(page.where(behind)).all()


def _explicit_body(text: str, games: dict[str, Any]) -> str:
    """What does not read is left for its reader to name."""
    try:
        body = json.loads(text)
        rules = body["rules"]
        game = games[rules["game"]]
        tables = _pay_tables(game, rules["decks"], rules.get("pay_tables", {}))
        rules["settings"] = _settings(game, rules.get("settings", {}), tables)
        rules["pay_tables"] = tables
    except (ValueError, KeyError, TypeError):
        return text
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _explicit_log(text: str, games: dict[str, Any]) -> str:
    lines = text.splitlines()
    words = [line.partition(" ")[::2] for line in lines]
    first = dict(reversed(words))
    if lines[:1] != [HEAD] or first.get("game") not in games or not first.get("decks", "").isdecimal():
        return text
    game = games[first["game"]]
    given = {kind: dict(rest.split("=", 1) for word, rest in words if word == kind) for kind in ("set", "pay-table")}
    tables = _pay_tables(game, int(first["decks"]), given["pay-table"])
    settings = _settings(game, given["set"], tables)
    rest = [line for line, (word, _) in zip(lines, words, strict=True) if word not in given]
    at = next(index for index, line in enumerate(rest) if line.startswith("decks ")) + 1
    added = [f"set {name}={value}" for name, value in settings.items()]
    added += [f"pay-table {name}={value}" for name, value in tables.items()]
    return "\n".join([*rest[:at], *added, *rest[at:]]) + "\n"


def _pay_tables(game: dict[str, Any], decks: int, given: dict[str, str]) -> dict[str, str]:
    tables = {}
    for wager, listed in game["pay_tables"].items():
        fitting = [one["id"] for one in listed if decks in one["decks"]]
        tables[wager] = (fitting or [listed[0]["id"]])[0]
    return tables | given


def _settings(game: dict[str, Any], given: dict[str, str], tables: dict[str, str]) -> dict[str, str]:
    settings = dict(game["switches"])
    for wager, table in tables.items():
        for one in game["pay_tables"].get(wager, ()):
            if one["id"] == table:
                settings |= one.get("settings", {})
    return settings | given
