"""What programs up to 2026-11-17 wrote means what it meant, whatever the defaults of today are."""

from __future__ import annotations

import gzip
import hashlib
import sqlite3
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from msgspec import structs
from sqlalchemy import text

from croupier.floor.change import Change, plan_change
from croupier.floor.explicit import explicit_floor, stored_floor
from croupier.floor.files import demo_floor, floor_data
from croupier.floor.service import FloorService
from croupier.floor.setup import jackpot_choice
from croupier.hall.saved import load_table, read_saved
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules.former import FROZEN
from croupier.rules.registry import find_game
from croupier.store import Book, open_store, verify
from croupier.store.engine import make_engine
from croupier.store.play import PlayStore
from croupier.table.log import log_text, parse_log
from croupier.table.table import Automations
from tests.desks import EXECUTIVE, NOW, OTHER_EXECUTIVE, ask, refused
from tests.floors import CONFIRMED, as_real, with_jackpot

STORE = Path(__file__).parent / "former" / "store_2026_11_17.sql.gz"
GUEST, OTHER = "eeb55ced33d51b2d", "1258fd5f7c564568"
OWN_BACCARAT = f"own-mini_baccarat-{GUEST}"
BANKER_BY_NINE = "card Kh\ncard Ah\ncard Qd\ncard 2c\ncard Jd\ncard 6s\n"
INTO_ROUNDS = "INSERT INTO play_rounds (table_id, round, at_micros, log, seats) VALUES (:table, :round, 0, :log, '[]')"
HEAD = "game mini_baccarat\nrules 2023-06-14\nday 2026-11-16\ndecks 8\n"


@pytest.fixture
def former_url(tmp_path: Path) -> str:
    """A store as the program of 2026-11-17 left it."""
    path = tmp_path / "former.db"
    connection = sqlite3.connect(path)
    connection.executescript(gzip.decompress(STORE.read_bytes()).decode())
    connection.close()
    return f"sqlite:///{path}"


@pytest.fixture
def former(former_url: str) -> Iterator[Book]:
    book = open_store(former_url)
    yield book
    book.close()


def progressive_of(log: str) -> int:
    """What the progressive returned, in dollars."""
    settled = parse_log(log).state().settled
    return sum(one.returned for one in settled if one.wager == "dragon_bonus_progressive") // MICROS_PER_DOLLAR


def test_the_frozen_defaults_are_never_changed() -> None:
    assert hashlib.sha256(FROZEN.read_bytes()).hexdigest()[:16] == "25eaa0dd85226389"


def test_a_log_of_version_1_pays_by_the_defaults_of_its_time() -> None:
    on_player = "seat player=10 dragon_bonus_progressive=1\n" + BANKER_BY_NINE
    assert progressive_of(f"croupier round 1\n{HEAD}{on_player}") == 10
    assert progressive_of(f"croupier round 1\n{HEAD}pay-table dragon_bonus_progressive=2\n{on_player}") == 0
    assert progressive_of(f"croupier round 1\n{HEAD}set counts=own_side\n{on_player}") == 0
    assert progressive_of(f"croupier round 2\n{HEAD}{on_player}") == 0


def test_a_log_of_version_1_counts_a_natural_as_its_time_did() -> None:
    natural = "seat banker=10 dragon_bonus_progressive=1\ncard Qh\ncard 9c\ncard Kd\ncard Kd\n"
    assert progressive_of(f"croupier round 1\n{HEAD}{natural}") == 10
    assert progressive_of(f"croupier round 2\n{HEAD}{natural}") == 0


def test_a_log_written_today_names_every_switch_and_pay_table() -> None:
    log = parse_log(f"croupier round 1\n{HEAD}seat player=10\n")
    again = log_text(log)
    assert again.startswith("croupier round 2\n")
    game = find_game("mini_baccarat")
    assert all(f"\nset {switch.id}=" in again for switch in game.switches)
    assert all(f"\npay-table {wager.id}=" in again for wager in game.wagers)
    assert "\nset counts=either_side\n" in again and parse_log(again).rules.every_switch == log.rules.every_switch


def test_finished_rounds_of_an_old_store_replay_as_they_were_paid(former_url: str) -> None:
    open_store(former_url).close()
    store = PlayStore(former_url)
    for table, paid in (("baccarat_2", 10), (OWN_BACCARAT, 10)):
        finished = store.rounds(table)[-1]
        assert "set counts=either_side\n" in finished.log and "pay-table dragon_bonus_progressive=" in finished.log
        assert progressive_of(finished.log) == paid
    store.close()


def test_a_claim_that_waits_in_an_old_store_still_waits(former_url: str) -> None:
    open_store(former_url).close()
    store = PlayStore(former_url)
    found = store.table("baccarat_2")
    assert found is not None
    table = load_table(read_saved(found[1]), Automations(settle=False))
    assert table.rules.settings["counts"] == "either_side" and table.state is not None
    won = [one for one in table.state.settled if one.wager == "dragon_bonus_progressive"]
    assert [one.row for one in won] == ["suited_six_cards"] and won[0].returned > 5000 * MICROS_PER_DOLLAR
    store.close()


def test_tables_of_an_old_store_name_what_they_left_to_defaults(former_url: str) -> None:
    open_store(former_url).close()
    store = PlayStore(former_url)
    rules = {}
    for table in (f"own-blackjack-{GUEST}", f"own-blackjack_switch-{OTHER}", OWN_BACCARAT):
        found = store.table(table)
        assert found is not None
        rules[table] = read_saved(found[1]).rules
    assert rules[f"own-blackjack-{GUEST}"].settings["multiplier"] == "adds"
    assert rules[f"own-blackjack_switch-{OTHER}"].pay_tables["first_four"] == "2"
    assert rules[OWN_BACCARAT].settings["naturals_count"] == "yes"
    store.close()


def test_the_migration_writes_out_what_reads_page_by_page_and_leaves_the_rest(store_url: str) -> None:
    """On both databases, whatever migrations come after it."""
    open_store(store_url).close()
    migration = import_module("croupier.store.migrations.versions.0008_explicit_rules")
    games = tomllib.loads(FROZEN.read_text(encoding="utf-8"))["games"]
    log = f"croupier round 1\n{HEAD}set jackpot_suit=hearts\nseat player=10\n"
    engine = make_engine(store_url)
    with engine.begin() as connection:
        for number in range(1, 2004):
            row = {"table": "t", "round": number, "log": log}
            connection.execute(text(INTO_ROUNDS), row)
        connection.execute(text(INTO_ROUNDS), {"table": "u", "round": 1, "log": "no log"})
        damaged_table = "INSERT INTO play_tables (id, revision, changed_micros, body) VALUES ('t', 1, 0, 'no table')"
        connection.execute(text(damaged_table))
        migration._write_tables(connection, games)
        migration._write_rounds(connection, games)
    engine.dispose()
    store = PlayStore(store_url)
    for number in (1, 1000, 1001, 2003):
        found = store.round("t", number)
        assert found is not None and parse_log(found.log).rules.settings["jackpot_suit"] == "hearts"
        assert "set counts=either_side\n" in found.log
    damaged, stored = store.round("u", 1), store.table("t")
    assert damaged is not None and damaged.log == "no log" and stored is not None and stored[1] == "no table"
    store.close()


def test_a_stored_floor_has_the_readings_of_its_time_and_no_entry_is_rewritten(former: Book, former_url: str) -> None:
    connection = sqlite3.connect(former_url.removeprefix("sqlite:///"))
    before = gzip.decompress(STORE.read_bytes()).decode()
    kept = [line for line in connection.iterdump() if line.startswith('INSERT INTO "entries"')]
    connection.close()
    assert kept and all(line in before for line in kept) and verify(former).is_good
    floor = FloorService(former, clock=lambda: NOW).floor()
    dragon = floor.jackpot("dragon")
    assert dragon.settings == {"counts": "either_side", "naturals_count": "no"} and not dragon.confirmed
    assert jackpot_choice(dragon, floor.table("baccarat_1")).side == "winner"
    assert floor.table("baccarat_1").settings["commission"] == "5%"
    assert floor.table("ddm_1").settings["jackpot_suit"] == "spades"


def test_a_real_floor_of_before_goes_on_but_its_next_version_confirms_the_reading(former: Book) -> None:
    old = FloorService(former, clock=lambda: NOW).floor()
    tables = tuple(one for one in old.tables if one.id == "baccarat_1")
    new = structs.replace(
        old,
        version=structs.replace(old.version, number=old.version.number + 1, reason="Confirmed."),
        tables=tables,
        jackpots=(old.jackpot("dragon"),),
        links=(),
    )
    refused_by = plan_change(old, new, {}, NOW.date())
    assert not isinstance(refused_by, Change) and [one.code for one in refused_by] == ["reading_not_confirmed"]
    change = plan_change(old, with_jackpot(new, "dragon", confirmed=CONFIRMED), {}, NOW.date())
    assert isinstance(change, Change)
    assert [one.where for one in change.fields if one.where.startswith("jackpots.dragon.")] == [
        "jackpots.dragon.confirmed"
    ]


def test_the_confirmed_reading_is_on_record_with_who_and_when(tmp_path: Path) -> None:
    desk = FloorService(open_store(str(tmp_path / "real.db")), clock=lambda: NOW)
    real = as_real(demo_floor())
    with refused("reading_not_confirmed"):
        desk.set_up(ask(EXECUTIVE), with_jackpot(real, "dragon", confirmed=""))
    desk.set_up(ask(EXECUTIVE, id="open"), real)
    version = structs.replace(real.version, number=2, reason="The regulator's second answer.")
    other = with_jackpot(structs.replace(real, version=version), "dragon", settings={"counts": "either_side"})
    with refused("second_person_missing"):
        desk.change(ask(EXECUTIVE), other)
    change = desk.change(ask(EXECUTIVE, id="other"), other, approved_by=OTHER_EXECUTIVE)
    (field,) = change.fields
    assert (field.where, field.old, field.new) == ("jackpots.dragon.settings.counts", "own_side", "either_side")
    for id in ("open", "other"):
        made = desk.book.entry(id)
        assert made is not None and (made.entry.actor, made.entry.at) == (EXECUTIVE.id, NOW)
    assert desk.floor().jackpot("dragon").confirmed == CONFIRMED
    assert desk.change(ask(EXECUTIVE, id="other"), other, approved_by=OTHER_EXECUTIVE).fields == change.fields
    desk.book.close()


def test_a_floor_is_stored_with_every_switch() -> None:
    floor = explicit_floor(demo_floor())
    for table in floor.tables:
        game = find_game(table.game)
        apart = {"fixed_pays"} | {name for wager in game.wagers for name in game.reading_switches(wager.id)}
        assert set(table.settings) == {switch.id for switch in game.switches} - apart
    assert floor.jackpot("dragon").settings == {"counts": "own_side", "naturals_count": "no"}
    assert explicit_floor(floor) == floor == stored_floor(floor_data(floor), "floor")


def test_no_reading_is_filled_in_for_a_real_floor() -> None:
    real = as_real(demo_floor())
    unsaid = with_jackpot(real, "dragon", settings={})
    assert explicit_floor(unsaid).jackpot("dragon").settings == {"naturals_count": "no"}
    assert explicit_floor(real).jackpot("dragon").settings == {"counts": "own_side", "naturals_count": "no"}
