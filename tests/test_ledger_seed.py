"""The house's seed: recoveries together never exceed what it advanced and winners did not get."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.jackpot import BackOutAward, ChangeParameters, CloseJackpot, PayAward, RejectAward
from croupier.jackpot.commands import Reason
from tests.ledger import community, fixed, locked, opened, usd, voided
from tests.test_ledger_rules import Floor, adjusted

RECOVER: Reason = "recover_seed"


@pytest.fixture
def floor() -> Floor:
    """A seed of $100, every wager goes whole to the meter, one seed was won."""
    made = Floor()
    made.do(opened(seed="100", contribution_ppm=1_000_000))
    made.do(locked(1, 1, wager="5"))
    made.hit(community(1), "first")
    made.do(locked(2, 1, wager="900"))  # meter 1,000; 200 of seed advanced, 100 of it won
    return made


def test_recoveries_in_parts_are_counted_together(floor: Floor) -> None:
    for amount in ("60", "30", "10"):
        floor.do(adjusted(RECOVER, amount))
    assert "At most $0 of seed money" in floor.refused(adjusted(RECOVER, "0.01"), "not_enough_seed")
    assert (floor.meter, floor.balance("seed")) == (usd("900"), -usd("100"))  # what the winner has stays advanced


def test_a_seed_that_was_won_is_not_taken_out_of_reserve_or_overflow_either(floor: Floor) -> None:
    floor.do(adjusted("carried_in", "500", "reserve"))
    floor.do(adjusted(RECOVER, "100", "reserve"))
    floor.refused(adjusted(RECOVER, "1", "reserve"), "not_enough_seed")


def test_the_next_seed_is_recovered_after_the_next_award(floor: Floor) -> None:
    floor.do(adjusted(RECOVER, "100"))
    floor.hit(community(2), "second")  # takes no seed of the house: it has recovered that
    floor.do(locked(3, 1, wager="900"))
    assert floor.balance("seed") == -usd("200")
    floor.do(adjusted(RECOVER, "100"))
    floor.refused(adjusted(RECOVER, "1"), "not_enough_seed")


@pytest.mark.parametrize("is_paid", [False, True])
def test_a_returned_award_brings_its_seed_back(floor: Floor, is_paid: bool) -> None:
    if is_paid:
        floor.do(PayAward(award="first", approved_by=("executive",)))
        floor.do(BackOutAward(award="first", note="A misread card.", second="accounting"), actor="executive")
    else:
        floor.do(RejectAward(award="first", note="A misread card."))
    # The meter stands as if it had not been hit: 100 + 5 + 900, one seed advanced and none won.
    assert (floor.meter, floor.balance("seed")) == (usd("1005"), -usd("100"))
    floor.do(adjusted(RECOVER, "100"))
    floor.refused(adjusted(RECOVER, "0.01"), "not_enough_seed")


def test_a_returned_award_that_another_followed_leaves_its_seed_to_recover(floor: Floor) -> None:
    floor.hit(community(2), "second")
    floor.do(RejectAward(award="first", note="A misread card."))
    floor.do(locked(3, 1, wager="500"))
    # 300 advanced, 100 won with the second; the first's 100 is back in the meter beside the posted 100.
    for _ in range(2):
        floor.do(adjusted(RECOVER, "100"))
    floor.refused(adjusted(RECOVER, "0.01"), "not_enough_seed")
    assert floor.balance("seed") == -usd("100")


def test_what_a_void_round_cost_the_house_may_be_recovered(floor: Floor) -> None:
    floor.do(voided(2))
    assert floor.balance("seed") == -usd("1100")
    for _ in range(9):
        floor.do(adjusted(RECOVER, "100"))
    assert (floor.meter, floor.balance("seed")) == (usd("100"), -usd("200"))
    floor.refused(adjusted(RECOVER, "1"), "below_seed")


def test_what_the_meter_lacked_for_a_fixed_pay_is_won(floor: Floor) -> None:
    changed = replace(floor.memory.state.jackpots["push"].parameters, fixed_pays="meter")
    floor.do(ChangeParameters(jackpot="push", parameters=changed, based_on=1, second="executive"), actor="manager")
    floor.hit(fixed(2, "1300", 1), "large")  # the meter had 1,000: 300 more are advanced and gone
    assert (floor.meter, floor.balance("seed")) == (0, -usd("500"))
    floor.do(locked(3, 1, wager="900"))
    floor.do(adjusted(RECOVER, "100"))
    floor.refused(adjusted(RECOVER, "0.01"), "not_enough_seed")
    floor.do(RejectAward(award="large", note="No."))
    assert floor.balance("seed") == -usd("100")


def test_the_end_of_a_jackpot_gives_back_no_seed_that_was_recovered(floor: Floor) -> None:
    floor.do(PayAward(award="first", approved_by=("executive",)))
    floor.do(opened("heir", seed="1"))
    floor.do(adjusted(RECOVER, "70"))
    event = floor.do(CloseJackpot(jackpot="push", into="heir", note="End.", second="accounting"), actor="executive")
    assert (event.seed_micros, event.moved_micros) == (usd("30"), usd("900"))  # type: ignore[union-attr]
