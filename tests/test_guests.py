"""Guests who are gone are forgotten, a few at a time, and nobody else is."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from sqlalchemy import func, select

from croupier.hall import guests
from croupier.hall.actions import Deal, LayChips, SitDown
from croupier.hall.guests import IDLE_DAYS, NAMED_DAYS, UNUSED_DAYS
from croupier.hall.hall import own_table
from croupier.money import MICROS_PER_DOLLAR
from croupier.store.engine import make_engine
from croupier.store.play import (
    Player,
    play_results,
    play_rounds,
    play_tables,
    play_training,
    players,
    purse_entries,
)
from croupier.web.halls import Halls
from tests.desks import refused
from tests.halls import House
from tests.ledger import go_back

DAY_S = 24 * 3600
CHIP = LayChips(spot=1, wager="player", micros=5 * MICROS_PER_DOLLAR)


@pytest.fixture
def house(store_url: str) -> Iterator[House]:
    made = House(store_url)
    yield made
    made.close()


def play_a_round(house: House, player: Player) -> str:
    table = own_table(player, "mini_baccarat")
    house.do(table, player, CHIP)
    house.do(table, player, Deal(spot=1))
    return table


def pass_days(house: House, days: float) -> None:
    house.clock.move(days * DAY_S + 1)
    house.hall.tick()


def is_known(house: House, player: Player) -> bool:
    return house.hall.store.player(player.id) is not None


def rows(house: House) -> dict[str, int]:
    with house.hall.store._read() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (players, purse_entries, play_tables, play_rounds, play_results, play_training)
        }


def test_a_guest_who_never_played_goes_after_a_day_and_one_who_has_after_a_month(house: House) -> None:
    unused, sat, played = house.player(), house.player(), house.player()
    house.do(own_table(sat, "mini_baccarat"), sat, CHIP)
    table = play_a_round(house, played)
    house.clock.move(UNUSED_DAYS * DAY_S - 10)
    house.hall.tick()
    assert all(is_known(house, player) for player in (unused, sat, played))
    pass_days(house, 1)
    assert [is_known(house, player) for player in (unused, sat, played)] == [False, False, True]
    assert house.hall.store.table(table) is not None
    pass_days(house, IDLE_DAYS)
    assert set(rows(house).values()) == {0}


def test_a_name_keeps_a_player_for_longer_than_a_browser_keeps_its_cookie(house: House) -> None:
    player = house.player()
    house.hall.rename(player, "Ann")
    pass_days(house, IDLE_DAYS + 1)
    assert is_known(house, player)
    pass_days(house, NAMED_DAYS)
    assert not is_known(house, player)


def test_a_seat_keeps_nobody_who_is_long_gone(house: House) -> None:
    """It is freed after a quarter of an hour without a deed, and then the guest is one like any other."""
    seated = house.player()
    for table in ("blackjack_1", "ddm_3"):
        house.do(table, seated, SitDown(spot=2))
    pass_days(house, NAMED_DAYS + 1)
    assert not is_known(house, seated)
    assert house.hall.table("ddm_3").places[1].player == ""


def test_who_does_something_is_kept_and_their_own_table_with_them(house: House) -> None:
    player = house.player()
    table = play_a_round(house, player)
    for _ in range(3):
        house.clock.move((IDLE_DAYS - 1) * DAY_S)
        known = house.hall.store.player(player.id)
        assert known is not None
        house.do(table, known, CHIP)
        house.hall.tick()
    assert is_known(house, player) and len(house.hall.store.rounds(table)) == 1


def test_who_was_forgotten_in_that_moment_is_told_so(house: House) -> None:
    player = house.player()
    table = play_a_round(house, player)
    pass_days(house, IDLE_DAYS)
    with refused("unknown_player"):
        house.do(table, player, CHIP)
    assert house.hall.store.table(table) is None


def test_they_are_forgotten_a_few_at_a_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "AT_ONCE", 3)
    for _ in range(7):
        house.player()
    house.clock.move(2 * DAY_S)
    left = []
    for _ in range(4):
        house.hall.tick()
        left.append(rows(house)["players"])
    assert left == [4, 1, 0, 0]


def test_players_of_an_earlier_program_count_from_their_last_entry(store_url: str) -> None:
    house = House(store_url)
    house.clock.move(-3 * DAY_S)
    old = house.player()
    house.clock.move(3 * DAY_S)
    new = house.player()
    before = [house.hall.store.player(player.id) for player in (old, new)]
    house.close()
    engine = make_engine(store_url)
    with engine.begin() as connection:
        go_back(connection, "0005")
    engine.dispose()
    house = House(store_url)
    assert [house.hall.store.player(player.id) for player in (old, new)] == before
    house.hall.tick()
    assert [is_known(house, player) for player in (old, new)] == [False, True]
    house.close()


def test_what_was_told_of_tables_is_forgotten_with_the_time(house: House) -> None:
    halls = Halls(house.hall, lambda subject: None)
    try:
        for _ in range(3):
            play_a_round(house, house.player())
        assert halls._seen
        house.clock.move(10)
        until = time.monotonic() + 20
        while halls._seen and time.monotonic() < until:
            time.sleep(0.05)
        assert halls._seen == {}
    finally:
        halls.stop()
