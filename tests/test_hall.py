"""Tables that the software deals: chips, turns, purses, clocks, and what a crash leaves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import CroupierError, LedgerError
from croupier.hall.actions import (
    ALL_MY_SPOTS,
    ChooseRules,
    ClearChips,
    Deal,
    Decide,
    DoubleChips,
    GetUp,
    LayChips,
    Rebet,
    SitDown,
    TakeBack,
)
from croupier.hall.hall import FIRST_PURSE, own_table
from croupier.hall.play import Playing
from croupier.hall.turns import BETTING_SECONDS, IDLE_SECONDS, TURN_SECONDS, waited_for
from croupier.hall.view import view_of
from croupier.money import MICROS_PER_DOLLAR
from croupier.store import verify
from croupier.store.play import Player, PlayStore
from croupier.table.log import parse_log
from tests.halls import GAMES, House, question

SIDES: dict[str, dict[str, int]] = {
    "blackjack": {"main": 10, "lucky_lucky": 5, "lucky_break": 5},
    "double_down_madness": {"main": 10, "push_22": 5, "push_22_progressive": 5},
    "double_barrel": {"main": 10},
    "blackjack_switch": {"main": 10, "kings_bounty": 5, "first_four": 5},
    "mini_baccarat": {"player": 10, "tie": 5, "dragon_bonus_player": 5, "dragon_bonus_progressive": 1},
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(str(tmp_path / "floor.db"))
    yield made
    made.close()


def refused(code: str, *call: Any) -> None:
    do, *arguments = call
    with pytest.raises(CroupierError) as error:
        do(*arguments)
    assert error.value.code == code


@pytest.mark.parametrize("game", GAMES)
def test_purses_end_as_the_rounds_say(house: House, game: str) -> None:
    player = house.player()
    table = own_table(player, game)
    house.do(table, player, SitDown(spot=1))
    choose = random.Random(7)
    for number in range(12):
        house.lay(table, player, **SIDES[game])
        house.play_out(table, player, choose)
        if number % 4 == 3:
            house.restart()
    results = house.hall.store.results_of(player.id)
    assert len(results) == 12
    net = sum(result.returned_micros - result.staked_micros for result in results)
    assert house.micros(player) == FIRST_PURSE + net
    entries = house.hall.store.purse_of(player.id, limit=1000)
    assert sum(entry.micros for entry in entries) == house.micros(player)
    # A second way: each stored log, replayed, settles to the same stakes and returns.
    for result in results:
        finished = house.hall.store.round(table, result.round)
        assert finished is not None
        settled = parse_log(finished.log).state().settled
        assert sum(event.staked for event in settled) == result.staked_micros
        assert sum(event.returned for event in settled) == result.returned_micros


def test_chips_are_laid_out_taken_back_doubled_and_repeated(house: House) -> None:
    player = house.player()
    table = own_table(player, "blackjack")
    house.sit_and_lay(table, player, main=10, lucky_lucky=5)

    def draft() -> dict[str, int]:
        laid = house.hall.table(table).places[0].draft
        return {name: micros // MICROS_PER_DOLLAR for name, micros in laid.items()}

    house.do(table, player, DoubleChips(spot=1))
    assert draft() == {"main": 20, "lucky_lucky": 10}
    house.do(table, player, TakeBack(spot=1))
    assert draft() == {"main": 10, "lucky_lucky": 5}
    house.lay(table, player, lucky_lucky=-5)
    assert draft() == {"main": 10}
    house.do(table, player, ClearChips(spot=1))
    assert draft() == {}
    refused("nothing_to_rebet", house.do, table, player, Rebet(spot=1))
    house.lay(table, player, main=25)
    house.play_out(table, player, random.Random(1))
    assert draft() == {}
    house.do(table, player, Rebet(spot=1))
    assert draft() == {"main": 25}


def test_wagers_that_cannot_be_are_refused_and_change_nothing(house: House) -> None:
    player = house.player()
    house.do("blackjack_1", player, SitDown(spot=2))
    with pytest.raises(CroupierError, match="at most"):
        house.lay("blackjack_1", player, 2, main=301)
    with pytest.raises(CroupierError, match="wager"):
        house.lay("blackjack_1", player, 2, push_22=5)
    house.lay("blackjack_1", player, 2, main=4)
    refused("under_minimum", house.do, "blackjack_1", player, Deal(spot=2))
    assert house.hall.table("blackjack_1").places[1].draft == {"main": 4 * MICROS_PER_DOLLAR}
    refused("no_spot", house.do, "blackjack_1", player, SitDown(spot=8))
    stranger = house.player()
    refused("not_your_spot", house.do, "blackjack_1", stranger, Deal(spot=2))
    refused("spot_taken", house.do, "blackjack_1", stranger, SitDown(spot=2))
    refused("house_rules", house.do, "blackjack_1", player, ChooseRules(spot=2, decks=2, settings={}, pay_tables={}))


def test_a_purse_is_never_overdrawn(house: House) -> None:
    player = house.player()
    table = own_table(player, "blackjack")
    house.do(table, player, SitDown(spot=1))
    house.do(table, player, SitDown(spot=2))
    house.do(table, player, SitDown(spot=3))
    for spot in (1, 2):
        house.lay(table, player, spot, main=400)
    # Chips that the purse does not hold are refused while they are laid; those that lie there may always be moved.
    refused("purse_short", house.do, table, player, LayChips(spot=3, wager="main", micros=400 * MICROS_PER_DOLLAR))
    refused("purse_short", house.do, table, player, DoubleChips(spot=ALL_MY_SPOTS))
    house.lay(table, player, 3, main=200)
    house.do(table, player, Deal(spot=1))
    house.do(table, player, GetUp(spot=3))
    house.stack(table, "6s 5d 5c 6d 5h 5s Td")  # up card, seats, hole card, seats
    playing = house.do(table, player, Deal(spot=2))
    assert question(playing) is not None
    assert house.micros(player) == 200 * MICROS_PER_DOLLAR
    decide = Decide(spot=1, answer="double", revision=playing.table.revision)
    refused("purse_short", house.do, table, player, decide)
    assert house.micros(player) == 200 * MICROS_PER_DOLLAR


def test_a_repeated_id_does_nothing_and_other_content_is_refused(house: House) -> None:
    player = house.player()
    table = own_table(player, "blackjack")
    house.do(table, player, SitDown(spot=1))
    chip = LayChips(spot=1, wager="main", micros=10 * MICROS_PER_DOLLAR)
    house.do(table, player, chip, id="same")
    house.restart()
    house.do(table, player, chip, id="same")
    assert house.hall.table(table).places[0].draft == {"main": 10 * MICROS_PER_DOLLAR}
    refused("id_reused", house.do, table, player, ClearChips(spot=1), "same")


def test_an_answer_to_a_question_that_is_past_is_stale(house: House) -> None:
    player = house.player()
    table = own_table(player, "blackjack")
    house.sit_and_lay(table, player, main=10)
    house.stack(table, "6s 2d 5d 3h 2c 2h 2s")
    playing = house.do(table, player, Deal(spot=1))
    old = playing.table.revision
    house.do(table, player, Decide(spot=1, answer="hit", revision=old))
    refused("stale_revision", house.do, table, player, Decide(spot=1, answer="hit", revision=old))


def test_two_players_the_round_waits_for_both_and_the_clock_for_neither(house: House) -> None:
    first, second = house.player(), house.player()
    house.sit_and_lay("blackjack_1", first, 1, main=10)
    house.sit_and_lay("blackjack_1", second, 5, main=10)
    house.stack("blackjack_1", "6s 2d 3d Td 3h 2h 2c 2s")
    playing = house.do("blackjack_1", first, Deal(spot=1))
    assert playing.table.log is None
    house.clock.move(BETTING_SECONDS - 1)
    house.hall.tick()
    assert house.hall.table("blackjack_1").table.log is None
    house.do("blackjack_1", second, Deal(spot=5))
    playing = house.hall.table("blackjack_1")
    assert playing.table.playing == [1, 5]
    asked = question(playing)
    assert asked is not None and asked.seat == 1
    refused(
        "not_your_turn",
        house.do,
        "blackjack_1",
        second,
        Decide(spot=5, answer="hit", revision=playing.table.revision),
    )
    house.clock.move(TURN_SECONDS + 1)
    house.hall.tick()
    asked = question(house.hall.table("blackjack_1"))
    assert asked is not None and asked.seat == 2
    house.clock.move(TURN_SECONDS + 1)
    house.hall.tick()
    assert house.hall.table("blackjack_1").table.rounds == 1


def test_who_lays_chips_and_does_not_press_deal_is_left_out(house: House) -> None:
    first, second = house.player(), house.player()
    house.sit_and_lay("blackjack_1", first, 1, main=10)
    house.sit_and_lay("blackjack_1", second, 5, main=10)
    house.do("blackjack_1", first, Deal(spot=1))
    house.clock.move(BETTING_SECONDS + 1)
    house.hall.tick()
    playing = house.hall.table("blackjack_1")
    assert playing.table.playing == [1]
    assert playing.places[4].draft == {"main": 10 * MICROS_PER_DOLLAR}


def test_who_sits_at_the_table_gets_time_to_bet(house: House) -> None:
    first, second = house.player(), house.player()
    house.do("blackjack_1", second, SitDown(spot=5))
    house.sit_and_lay("blackjack_1", first, 1, main=10)
    playing = house.do("blackjack_1", first, Deal(spot=1))
    assert playing.table.log is None and waited_for(playing) == [5]
    house.clock.move(BETTING_SECONDS - 1)
    house.hall.tick()
    house.lay("blackjack_1", second, 5, main=10)
    playing = house.do("blackjack_1", second, Deal(spot=5))
    assert playing.table.playing == [1, 5]


def bet_alone(house: House, player: Player) -> Playing:
    """One player bets and waits until the table deals, then for the end of the round."""
    house.lay("blackjack_1", player, 1, main=10)
    house.stack("blackjack_1", "6s 2d 5d 3h 2c 2h 2s Td Th")
    playing = house.do("blackjack_1", player, Deal(spot=1))
    if playing.table.log is None:
        house.clock.move(BETTING_SECONDS + 1)
        house.hall.tick()
        playing = house.hall.table("blackjack_1")
    assert playing.table.playing == [1] and playing.table.log is not None
    return house.do("blackjack_1", player, Decide(spot=1, answer="stand", revision=playing.table.revision))


def test_who_sits_out_two_rounds_holds_nobody_up_until_they_come_back(house: House) -> None:
    first, second = house.player(), house.player()
    house.do("blackjack_1", second, SitDown(spot=5))
    house.do("blackjack_1", first, SitDown(spot=1))
    assert [waited_for(bet_alone(house, first)) for _ in range(2)] == [[1, 5], [1]]
    house.restart()
    before = house.clock.now
    bet_alone(house, first)
    assert house.clock.now == before, "the table dealt at once"
    house.lay("blackjack_1", second, 5, main=10)
    assert waited_for(house.hall.table("blackjack_1")) == [1, 5]


def test_who_gets_up_is_not_waited_for(house: House) -> None:
    first, second = house.player(), house.player()
    house.do("blackjack_1", second, SitDown(spot=5))
    house.sit_and_lay("blackjack_1", first, 1, main=10)
    house.do("blackjack_1", first, Deal(spot=1))
    playing = house.do("blackjack_1", second, GetUp(spot=5))
    assert playing.table.playing == [1]


def test_who_has_long_done_nothing_is_not_waited_for(house: House) -> None:
    first, second = house.player(), house.player()
    house.do("blackjack_1", second, SitDown(spot=5))
    house.clock.move(IDLE_SECONDS + 1)
    house.sit_and_lay("blackjack_1", first, 1, main=10)
    playing = house.do("blackjack_1", first, Deal(spot=1))
    assert playing.table.playing == [1]


def test_a_spot_long_unused_is_free_for_others(house: House) -> None:
    first, second = house.player(), house.player()
    house.do("blackjack_1", first, SitDown(spot=3))
    refused("spot_taken", house.do, "blackjack_1", second, SitDown(spot=3))
    house.clock.move(IDLE_SECONDS + 1)
    house.do("blackjack_1", second, SitDown(spot=3))
    assert house.hall.table("blackjack_1").places[2].player == second.id


def test_who_does_nothing_for_a_quarter_of_an_hour_sits_nowhere_any_more(house: House) -> None:
    """Nobody has to sit down there for it: the lobby, the manager and the felt see the same empty seats."""
    first, second = house.player(), house.player()
    house.do("blackjack_1", first, SitDown(spot=1))
    house.clock.move(60)
    house.do("blackjack_1", second, SitDown(spot=2))
    house.clock.move(IDLE_SECONDS - 59)
    house.hall.tick()
    assert [place.player for place in house.hall.table("blackjack_1").places[:2]] == ["", second.id]
    assert view_of(house.hall.table("blackjack_1"), second, house.hall.now_micros()).seconds_left is None
    house.clock.move(61)
    house.hall.tick()
    assert not any(place.player for place in house.hall.table("blackjack_1").places)
    assert house.hall.table("blackjack_1").deadline_micros is None


def test_tables_long_unused_leave_the_memory_and_come_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.hall.hall.KEPT_TABLES", 3)
    players = [house.player() for _ in range(6)]
    tables = [own_table(player, "blackjack") for player in players]
    for number, (table, player) in enumerate(zip(tables, players, strict=True), 1):
        house.do(table, player, SitDown(spot=1))
        house.lay(table, player, main=number)
    assert list(house.hall._held) == tables[3:]

    def see_with_others(playing: Playing) -> Playing:
        for other in tables[1:]:
            house.hall.table(other)
        return playing

    # One that somebody holds stays, however many come after it.
    assert house.hall.look(tables[0], see_with_others) is house.hall.table(tables[0])
    assert [house.hall.table(table).places[0].draft["main"] for table in tables] == [
        number * MICROS_PER_DOLLAR for number in range(1, 7)
    ]
    with pytest.raises(CroupierError):
        house.hall.table("nothing")
    assert len(house.hall._held) == 3 and "nothing" not in house.hall._held


def test_own_rules(house: House) -> None:
    player = house.player()
    table = own_table(player, "blackjack")
    house.do(table, player, SitDown(spot=1))
    house.do(table, player, ChooseRules(spot=1, decks=2, settings={}, pay_tables={"lucky_lucky": "2"}))
    house.restart()
    rules = house.hall.table(table).table.rules
    assert (rules.decks, rules.pay_tables["lucky_lucky"], rules.settings["soft17"]) == (2, "2", "hit")
    with pytest.raises(CroupierError):
        house.do(table, player, ChooseRules(spot=1, decks=2, settings={"nope": "1"}, pay_tables={}))


# Up card, a card to the seat, hole card; it stands on its ten; the dealer draws to a suited 22.
SUITED_22 = "4s Td 5s 6s 7s"


def test_a_meter_won_at_the_floors_table_is_on_the_ledger(house: House) -> None:
    player = house.player()
    house.sit_and_lay("ddm_3", player, main=10, push_22_progressive=5)
    house.stack("ddm_3", SUITED_22)
    playing = house.do("ddm_3", player, Deal(spot=1))
    house.do("ddm_3", player, Decide(spot=1, answer="stand", revision=playing.table.revision))
    [award] = house.book.awards()
    assert award.status == "paid" and award.amount_micros == 50_000_950_000
    # Main pushes on a 22; the jackpot is paid instead of its stake.
    assert house.micros(player) == FIRST_PURSE - 5 * MICROS_PER_DOLLAR + 50_000_950_000
    assert house.desk.table("ddm_3").terminal.phase == "open"
    assert verify(house.book).is_good


class FailingStore(PlayStore):
    """Fails at one write, before or after it is on the disk."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.fail_at = -1
        self.after = False
        self.writes = 0

    def save(self, *arguments: Any, **named: Any) -> int:
        self.writes += 1
        if self.writes == self.fail_at and not self.after:
            raise LedgerError("Power cut.", code="storage_failed")
        revision = super().save(*arguments, **named)
        if self.writes == self.fail_at:
            raise LedgerError("Power cut.", code="storage_failed")
        return revision


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("fail_at", range(1, 8))
def test_a_power_cut_at_any_write_loses_and_repeats_nothing(tmp_path: Path, fail_at: int, after: bool) -> None:
    """A round with a won jackpot; the process dies at each write in turn; the client repeats with the same id."""
    house = House(str(tmp_path / "floor.db"), store_kind=FailingStore)
    player = house.player()
    house.do("ddm_3", player, SitDown(spot=1), id="sit")
    house.stack("ddm_3", SUITED_22)
    store: Any = house.hall.store
    store.writes, store.fail_at, store.after = 0, fail_at, after
    steps = [
        ("chip-1", LayChips(spot=1, wager="main", micros=10 * MICROS_PER_DOLLAR)),
        ("chip-2", LayChips(spot=1, wager="push_22_progressive", micros=5 * MICROS_PER_DOLLAR)),
        ("deal", Deal(spot=1)),
    ]
    was_cut = False
    for id, action in steps:
        was_cut |= attempt(house, player, action, id)
    playing = house.hall.table("ddm_3")
    was_cut |= attempt(house, player, Decide(spot=1, answer="stand", revision=playing.table.revision), "stand")
    assert was_cut == (fail_at <= 6)
    [award] = house.book.awards()
    assert award.status == "paid"
    assert house.micros(player) == FIRST_PURSE - 5 * MICROS_PER_DOLLAR + 50_000_950_000
    assert [result.round for result in house.hall.store.results_of(player.id)] == [1]
    assert verify(house.book).is_good
    house.close()


def attempt(house: House, player: Any, action: Any, id: str) -> bool:
    """Repeats with the same id, after a restart, until it is answered; says whether the power was cut."""
    try:
        house.do("ddm_3", player, action, id=id)
    except LedgerError:
        house.restart()
        house.do("ddm_3", player, action, id=id)
        return True
    return False
