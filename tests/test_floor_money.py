"""The money of a floor beside its rounds: the end of a jackpot."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec import structs

from croupier.floor import Floor, Version, demo_floor
from croupier.floor.desk import Desk
from croupier.store import open_store, verify
from tests.desks import ACCOUNTING, DEALER, EXECUTIVE, NOW, OTHER_EXECUTIVE, SEED, SUPERVISOR, ask, lock, meter, refused
from tests.floors import with_jackpot, with_sensors, with_table


def opened(folder: Path, floor: Floor) -> Desk:
    desk = Desk(open_store(str(folder / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), floor)
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = opened(tmp_path, demo_floor())
    yield made
    assert verify(made.book).is_good
    made.book.close()


def next_of(floor: Floor) -> Floor:
    number = floor.version.number + 1
    version = Version(number=number, effective_from=NOW, made_by="eve", approved_by="max", reason="Another floor.")
    return structs.replace(floor, version=version)


def take_off_the_tables(desk: Desk) -> None:
    """Baccarat goes on without its jackpot."""
    without = next_of(with_sensors(desk.floor(), "baccarat_1"))
    desk.change(ask(EXECUTIVE), without, approved_by=OTHER_EXECUTIVE)


# The end of a jackpot.


def test_a_closed_jackpots_money_moves_to_the_progressive_that_is_named(desk: Desk) -> None:
    # Four wagers of $1: 25 % to the meter, 1 % to the reserve: 5,001.00 and 0.04. The seed is the house's.
    lock(desk, "baccarat_1", 1, 2, 3, 4)
    desk.end(ask(), "baccarat_1")
    take_off_the_tables(desk)
    with refused("funds_remain"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "A new game.", ACCOUNTING)
    done = desk.close_jackpot(ask(EXECUTIVE, id="close"), "dragon", "A new game.", ACCOUNTING, to="push_22")
    assert (done.into, done.seed_micros, done.moved_micros) == ("push_22", 5_000_000_000, 1_040_000)
    assert desk.close_jackpot(ask(EXECUTIVE, id="close"), "dragon", "A new game.", ACCOUNTING, to="push_22") == done
    assert meter(desk) == SEED + 1_040_000
    assert [one.jackpot for one in desk.meters()] == ["push_22"]
    floor = desk.floor()
    assert [one.id for one in floor.jackpots] == ["push_22"]
    assert (floor.version.number, floor.version.made_by, floor.version.approved_by) == (3, "eve", "acc")
    with refused("unknown_jackpot"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "Again.", ACCOUNTING, to="push_22")


def test_a_jackpot_is_closed_by_two_people_when_nothing_of_it_is_open(desk: Desk) -> None:
    with refused("not_allowed"):
        desk.close_jackpot(ask(SUPERVISOR), "dragon", "x", EXECUTIVE, to="push_22")
    with refused("not_allowed"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", DEALER, to="push_22")
    with refused("same_person"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", EXECUTIVE, to="push_22")
    with refused("jackpot_in_play"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING, to="push_22")
    take_off_the_tables(desk)
    with refused("note_missing"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", " ", ACCOUNTING, to="push_22")
    with refused("bad_heir"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING, to="dragon")
    with refused("unknown_jackpot"):
        desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING, to="drag")
    # Nobody played for it: all of it is the house's seed, and no heir is needed.
    assert desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING).seed_micros == 5_000_000_000


def test_a_pending_award_keeps_a_jackpot_open(desk: Desk) -> None:
    lock(desk, "baccarat_1", 1)
    desk.pick(ask(), "baccarat_1", 0, 1, "suited_six_cards")
    desk.hit(ask(id="dragon"), "baccarat_1")
    with refused("round_in_progress"):
        take_off_the_tables(desk)
    desk.reject(ask(SUPERVISOR), "dragon/1", "Not suited.")
    desk.end(ask(), "baccarat_1")
    take_off_the_tables(desk)
    assert desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING, to="push_22").moved_micros == 260_000


def test_a_closed_jackpots_name_is_not_used_again(desk: Desk) -> None:
    dragon = desk.floor().jackpot("dragon")
    take_off_the_tables(desk)
    desk.close_jackpot(ask(EXECUTIVE), "dragon", "x", ACCOUNTING)
    back = next_of(structs.replace(desk.floor(), jackpots=(*desk.floor().jackpots, dragon)))
    with refused("jackpot_closed"):
        desk.change(ask(EXECUTIVE), back, approved_by=OTHER_EXECUTIVE)


def test_a_house_jackpot_left_out_of_the_set_up_is_closed_with_it(tmp_path: Path) -> None:
    house = house_floor()
    desk = opened(tmp_path, house)
    without = next_of(with_sensors(structs.replace(house, jackpots=house.jackpots[:1]), "baccarat_1"))
    desk.change(ask(EXECUTIVE), without, approved_by=OTHER_EXECUTIVE)
    assert desk.book.jackpot("dragon").closed
    assert sum(desk.book.balances("dragon").values()) == desk.book.balances()["dragon", "main", "seed"] == 0
    desk.book.close()


def house_floor() -> Floor:
    """The demo floor with a house jackpot of $5,000 at baccarat."""
    floor = with_jackpot(demo_floor(), "dragon", kind="house", contribution=Fraction(0), reserve=Fraction(0))
    posted = (*floor.table("baccarat_1").posted, "no_player_money", "may_be_removed")
    return with_table(floor, "baccarat_1", posted=posted)
