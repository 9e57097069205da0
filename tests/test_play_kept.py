"""What play leaves on the disk is bounded, and every purse is still the sum of its entries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import func, select

from croupier.hall import hall
from croupier.hall.actions import Deal, GetUp, LayChips, SitDown
from croupier.hall.guests import IDLE_DAYS, UNUSED_DAYS
from croupier.hall.hall import own_table
from croupier.money import MICROS_PER_DOLLAR
from croupier.store import play
from croupier.store.play import Player, play_results, play_rounds, purse_entries
from croupier.store.purses import require_right_purses
from croupier.store.simulations import RunBounds, SavedProgress, SimulationStore
from tests.desks import refused
from tests.halls import House

DAY_S = 24 * 3600
SHARED = "baccarat_2"


@pytest.fixture
def house(store_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    for name, value in (("TRIM_EVERY", 2), ("KEPT_ENTRIES", 6), ("SPARE_ENTRIES", 2)):
        monkeypatch.setattr(play, name, value)
    monkeypatch.setattr(hall, "OWN_ROUNDS", 4)
    monkeypatch.setattr(hall, "SHARED_ROUNDS", 6)
    made = House(store_url)
    yield made
    made.close()


def play_rounds_at(house: House, table: str, player: Player, count: int, spot: int = 1) -> None:
    for _ in range(count):
        house.clock.move(1)
        house.do(table, player, LayChips(spot=spot, wager="player", micros=10 * MICROS_PER_DOLLAR))
        house.do(table, player, Deal(spot=spot))


def rounds_kept(house: House, table: str) -> list[int]:
    return [one.round for one in reversed(house.hall.store.rounds(table, limit=1000))]


def results_kept(house: House, player: Player, table: str) -> list[int]:
    found = house.hall.store.results_of(player.id, limit=1000)
    return sorted(one.round for one in found if one.table == table)


def require_purses(house: House) -> None:
    with house.hall.store._read() as connection:
        require_right_purses(connection)


def test_of_an_own_table_the_latest_rounds_are_kept_with_their_results(house: House) -> None:
    player, other = house.player(), house.player()
    table, others = (own_table(one, "mini_baccarat") for one in (player, other))
    play_rounds_at(house, others, other, 3)
    play_rounds_at(house, table, player, 20)
    assert rounds_kept(house, table) == results_kept(house, player, table) == [17, 18, 19, 20]
    play_rounds_at(house, table, player, 1)
    assert len(rounds_kept(house, table)) == 5, "and a few more, until it is looked again"
    assert rounds_kept(house, others) == results_kept(house, other, others) == [1, 2, 3]


def test_of_a_table_of_the_floor_too_whoever_played_there(house: House) -> None:
    first, second = house.player(), house.player()
    house.do(SHARED, first, SitDown(spot=1))
    play_rounds_at(house, SHARED, first, 5)
    house.do(SHARED, first, GetUp(spot=1))
    house.do(SHARED, second, SitDown(spot=2))
    play_rounds_at(house, SHARED, second, 5, spot=2)
    assert rounds_kept(house, SHARED) == [5, 6, 7, 8, 9, 10]
    assert results_kept(house, first, SHARED) == [5]
    assert results_kept(house, second, SHARED) == [6, 7, 8, 9, 10]


def test_a_purse_is_the_sum_of_its_entries_when_old_ones_are_added_up(house: House) -> None:
    player = house.player()
    table = own_table(player, "mini_baccarat")
    for _ in range(30):
        play_rounds_at(house, table, player, 1)
        require_purses(house)
    house.hall.more_money(player, "more-1")
    entries = house.hall.store.purse_of(player.id, limit=1000)
    assert 7 <= len(entries) <= 9
    assert [entry.why for entry in entries].count(play.EARLIER) == 1 and entries[-1].why == play.EARLIER
    assert sum(entry.micros for entry in entries) == house.micros(player)


def test_what_an_earlier_program_left_goes_little_by_little(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    player = house.player()
    table = own_table(player, "mini_baccarat")
    with monkeypatch.context() as unbounded:
        unbounded.setattr(play, "TRIM_EVERY", 10**9)
        unbounded.setattr(play, "KEPT_ENTRIES", 10**9)
        play_rounds_at(house, table, player, 21)
    monkeypatch.setattr(play, "MOST_TRIMMED", 8)
    left = []
    for _ in range(3):
        play_rounds_at(house, table, player, 2)
        left.append(len(rounds_kept(house, table)))
    assert left == [15, 9, 5]
    for number in range(3):  # rounds that are ties make no entries
        house.hall.more_money(player, f"more-{number}")
    require_purses(house)
    with house.hall.store._read() as connection:
        for kept in (play_rounds, play_results, purse_entries):
            assert connection.execute(select(func.count()).select_from(kept)).scalar_one() <= 9


def test_who_played_rounds_that_are_not_kept_any_more_has_played(house: House) -> None:
    first, second = house.player(), house.player()
    house.do(SHARED, first, SitDown(spot=1))
    house.stack(SHARED, "9h Tc Kd 2c")  # no tie, which would move no money
    play_rounds_at(house, SHARED, first, 1)
    house.do(SHARED, first, GetUp(spot=1))
    house.do(SHARED, second, SitDown(spot=2))
    play_rounds_at(house, SHARED, second, 9, spot=2)
    assert results_kept(house, first, SHARED) == []
    house.clock.move(UNUSED_DAYS * DAY_S + 3600)
    house.hall.tick()
    assert house.hall.store.player(first.id) is not None
    house.clock.move(IDLE_DAYS * DAY_S)
    house.hall.tick()
    assert house.hall.store.player(first.id) is None


def test_no_round_begins_on_a_disk_that_is_nearly_full(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    player = house.player()
    table = own_table(player, "mini_baccarat")
    play_rounds_at(house, table, player, 1)
    before = house.micros(player)
    free = house.hall.store.free_bytes()
    monkeypatch.setattr(play, "LEAST_ROOM", 2**62)
    if free is None:  # how full a database server's disk is it says itself
        play_rounds_at(house, table, player, 1)
        return
    with refused("disk_low"):
        play_rounds_at(house, table, player, 1)
    assert house.micros(player) == before and rounds_kept(house, table) == [1]
    monkeypatch.undo()
    house.do(table, player, Deal(spot=1))
    assert house.hall.table(table).table.rounds == 2


def test_kept_simulations_go_with_the_guest_who_asked_for_them(house: House) -> None:
    player, other = house.player(), house.player()
    house.hall.rename(other, "Ann")
    store = SimulationStore(house.url)
    for one in (player, other):
        store.add(f"run-{one.id}", owner=f"player:{one.id}", run="{}", at_micros=1, bounds=RunBounds())
        saved = SavedProgress(rounds=1, summary="", standing="", program="1", changed_micros=1)
        store.finish(f"run-{one.id}", saved, state="done")
        store.keep(f"run-{one.id}", owner=f"player:{one.id}", name="Kept", bounds=RunBounds())
    house.clock.move(IDLE_DAYS * DAY_S)
    house.hall.tick()
    assert house.hall.store.player(player.id) is None
    assert [row.id for row in store.finished(kept=True, limit=10)] == [f"run-{other.id}"]
    store.close()
