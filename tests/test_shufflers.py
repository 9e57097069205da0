"""A continuous shuffler at every table that the software deals."""

from __future__ import annotations

import io
import random
from collections import Counter
from pathlib import Path

import pytest
from msgspec import structs

from croupier.errors import CroupierError
from croupier.floor.files import demo_hall, floor_from_toml, floor_to_toml
from croupier.hall.actions import ChooseRules, SitDown
from croupier.hall.hall import own_table
from croupier.rules import find_game, game_ids
from croupier.table.log import parse_log
from croupier.table.shoe import shuffle_for
from tests.conftest import Croupier
from tests.desks import EXECUTIVE, OTHER_EXECUTIVE, ask
from tests.floors import with_table
from tests.halls import GAMES, House

MAINS = {"mini_baccarat": {"player": 10}}


def assert_whole(house: House, table: str) -> None:
    """Every card is in the shuffler once for each deck, on the table or off it."""
    shoe = house.hall.table(table).table.shoe
    assert shoe.kind == "continuous"
    assert set(Counter(shoe.order).values()) == {shoe.decks}


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_of_every_round_go_back_into_the_shuffler(game: str, tmp_path: Path) -> None:
    house = House(str(tmp_path / "floor.db"))
    player = house.player()
    table = own_table(player, game)
    house.do(table, player, SitDown(spot=1))
    decks = find_game(game).default_decks
    house.do(table, player, ChooseRules(spot=1, decks=decks, settings={}, pay_tables={}, shuffle="continuous"))
    choose = random.Random(3)
    for number in range(6):
        house.lay(table, player, 1, **MAINS.get(game, {"main": 10}))
        before = house.hall.table(table).table.shoe
        chute = before.order[before.used : before.used + before.buffer]
        house.play_out(table, player, choose)
        shoe = house.hall.table(table).table.shoe
        assert_whole(house, table)
        assert shoe.round_start == 0 and shoe.order[: shoe.used][: len(chute)] == chute[: shoe.used]
        if number == 2:
            house.restart()
            assert_whole(house, table)
    for result in house.hall.store.results_of(player.id):
        finished = house.hall.store.round(table, result.round)
        assert finished is not None
        assert sum(event.returned for event in parse_log(finished.log).state().settled) == result.returned_micros
    house.close()


def test_a_table_of_the_floor_is_dealt_from_a_shuffler_once_its_set_up_says_so(tmp_path: Path) -> None:
    house = House(str(tmp_path / "floor.db"))
    player = house.player()
    house.sit_and_lay("barrel_1", player, main=10)
    house.play_out("barrel_1", player, random.Random(1))
    assert house.hall.table("barrel_1").table.shoe.kind == "cut_card"
    now = house.desk.floor()
    version = structs.replace(now.version, number=now.version.number + 1)
    changed = with_table(structs.replace(now, version=version), "barrel_1", shuffle="continuous")
    house.desk.change(ask(EXECUTIVE), changed, approved_by=OTHER_EXECUTIVE)
    assert_whole(house, "barrel_1")
    house.lay("barrel_1", player, 1, main=10)
    house.play_out("barrel_1", player, random.Random(2))
    house.restart()
    assert_whole(house, "barrel_1")
    house.close()


def test_a_floor_with_a_shuffler_survives_its_file() -> None:
    floor = with_table(demo_hall(), "ddm_3", shuffle="continuous")
    assert 'shuffle = "continuous"' in floor_to_toml(floor)
    assert floor_from_toml(floor_to_toml(floor)) == floor
    assert "shuffle" not in floor_to_toml(demo_hall())


def test_a_shuffler_that_the_letter_does_not_have_is_refused() -> None:
    with pytest.raises(CroupierError) as caught:
        shuffle_for(("cut_card",), "continuous")
    assert caught.value.code == "unknown_shuffle"
    with pytest.raises(CroupierError) as caught:
        floor_from_toml(floor_to_toml(with_table(demo_hall(), "ddm_3", shuffle="fresh")))
    assert caught.value.code == "unknown_shuffle" and "tables[6].shuffle" in str(caught.value)


@pytest.mark.parametrize("name", [name for name in game_ids() if "continuous" in find_game(name).shuffles])
def test_a_person_can_play_from_a_shuffler(name: str, croupier: Croupier, monkeypatch: pytest.MonkeyPatch) -> None:
    wagers = f"{find_game(name).first_wager.id}=10"
    answers = "\n".join(["s", "1", "k", "n", "f", "u", "s", "s"] * 10)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{wagers}\n{answers}\nq\n"))
    said = croupier("play", name, "--shuffle", "continuous")
    assert (said.status, said.err) == (0, "")
    assert "continuous shuffler, play money" in said.out
    assert "this round" in said.out and "The shoe is shuffled" not in said.out


@pytest.mark.parametrize(
    ("words", "code"),
    [(["--shuffle", "riffle"], "unknown_shuffle"), (["--shuffle", "continuous", "--sealed"], "cannot_seal")],
)
def test_what_cannot_be_shuffled_so_is_refused(words: list[str], code: str, croupier: Croupier) -> None:
    said = croupier("play", "blackjack", *words)
    assert said.status == 2 and code in said.err
