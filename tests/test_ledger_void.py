"""A misdeal, worked out by hand: the players get their wagers, the meters keep theirs, the house pays for it."""

from __future__ import annotations

import pytest

from croupier.jackpot import (
    AdjustMeter,
    BackOutAward,
    CloseJackpot,
    LockedWager,
    LockWagers,
    Parameters,
    PayAward,
    RejectAward,
    RoundVoided,
    VoidRound,
)
from croupier.jackpot.commands import Level
from tests.ledger import community, fixed, locked, opened, usd, voided
from tests.test_ledger_rules import Floor


@pytest.fixture
def floor() -> Floor:
    return Floor()


def test_a_void_rounds_wagers_go_back_and_the_house_puts_up_what_the_meter_keeps(floor: Floor) -> None:
    floor.do(opened(seed="1000", contribution_ppm=200_000, reserve_ppm=20_000))
    floor.do(locked(1, 1, 2, 3))  # meter 1,000.60, reserve 0.06, receipts 2.34
    event = floor.do(voided(1))
    assert isinstance(event, RoundVoided)
    assert event.seed_micros == usd("0.66") and len(event.bets) == 3
    assert floor.meter == usd("1000.60")
    assert floor.balance("reserve") == usd("0.06")
    assert floor.balance("seed") == -usd("1000.66")
    assert floor.balance("wagers", level="") == floor.balance("receipts", level="") == 0


def test_what_the_house_put_up_for_a_misdeal_is_seed_that_it_may_recover(floor: Floor) -> None:
    floor.do(opened(seed="1000", contribution_ppm=200_000))
    floor.do(locked(1, 1, wager="5"))
    floor.do(voided(1))
    recover = AdjustMeter(jackpot="push", reason="recover_seed", micros=usd("1"), note="x", second="executive")
    floor.do(recover)
    assert (floor.meter, floor.balance("seed")) == (usd("1000"), -usd("1000"))


def test_a_void_round_has_no_wagers_to_win_with_or_to_void_again(floor: Floor) -> None:
    floor.do(opened())
    floor.refused(voided(1), "round_not_locked")
    floor.do(locked(1, 1, 2))
    floor.refused(voided(2), "round_not_locked")
    floor.do(voided(1))
    floor.refused(voided(1), "round_not_locked")
    floor.refused(community(1), "bad_winners")
    floor.refused(fixed(1, "50", 1), "no_locked_wager")
    floor.refused(locked(1, 1), "round_order")
    floor.do(locked(2, 1))


def test_a_round_with_an_award_is_not_voided_unless_it_was_rejected(floor: Floor) -> None:
    floor.do(opened())
    floor.do(locked(1, 1, 2))
    floor.hit(fixed(1, "50", 1), "wrong")
    assert "wrong" in floor.refused(voided(1), "round_has_awards")
    floor.do(RejectAward(award="wrong", note="not suited"))
    floor.do(voided(1))
    floor.do(locked(2, 1, 2))
    floor.hit(fixed(2, "50", 1), "right")
    floor.do(PayAward(award="right", approved_by=("supervisor",)))
    floor.refused(voided(2), "round_has_awards")
    floor.do(BackOutAward(award="right", note="x", second="executive"))
    floor.refused(voided(2), "round_has_awards")  # the round was played: only its award was undone


def test_a_misdeal_is_documented_and_names_every_jackpot_of_the_round(floor: Floor) -> None:
    floor.do(opened("push", seed="100", contribution_ppm=200_000))
    floor.do(opened("other", seed="100", contribution_ppm=500_000))
    bets = tuple(
        LockedWager(seat=1, sensor=n, jackpot=j, amount_micros=usd("2")) for n, j in ((1, "push"), (2, "other"))
    )
    floor.do(LockWagers(table="one", round=1, bets=bets))
    floor.refused(voided(1), "other_jackpots")
    both = VoidRound(table="one", round=1, jackpots=("push", "other"), note=" ")
    floor.refused(both, "note_missing")
    event = floor.do(VoidRound(table="one", round=1, jackpots=("push", "other"), note="Two cards at once."))
    assert isinstance(event, RoundVoided) and event.seed_micros == usd("1.40")
    assert floor.balance("seed") == -usd("100.40") and floor.balance("seed", "other") == -usd("101")
    for jackpot in ("push", "other"):
        assert floor.balance("wagers", jackpot, "") == floor.balance("receipts", jackpot, "") == 0


def test_a_misdeal_leaves_the_overflow_and_a_house_jackpots_prize(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=500_000, cap="101"))
    floor.do(locked(1, 1, wager="6"))  # 1 to the meter, 2 above its maximum
    floor.do(voided(1))
    assert (floor.meter, floor.balance("overflow"), floor.balance("seed")) == (usd("101"), usd("2"), -usd("103"))
    house = Parameters(kind="house", levels=(Level(seed_micros=usd("500")),))
    floor.do(opened("prize", parameters=house))
    floor.do(locked(1, 1, 2, table="two", jackpot="prize"))
    floor.do(voided(1, table="two", jackpot="prize"))
    assert floor.balance("meter", "prize") == -floor.balance("seed", "prize") == usd("500")
    assert floor.balance("receipts", "prize", "") == 0


def test_micros_that_receipts_had_lent_are_put_up_by_the_house(floor: Floor) -> None:
    # All of each 37 cents goes to meter and reserve. Half a micro of each is carried, a micro that receipts hold until
    # the second round takes it.
    floor.do(opened(seed="0", contribution_ppm=333_350, reserve_ppm=666_650))
    floor.do(locked(1, 1, wager="0.37", table="one"))
    assert floor.balance("receipts", level="") == 1
    floor.do(locked(1, 1, wager="0.37", table="two"))
    assert floor.balance("receipts", level="") == 0
    event = floor.do(voided(1, table="one"))
    assert isinstance(event, RoundVoided)
    assert floor.balance("wagers", level="") == -usd("0.37")
    assert floor.balance("receipts", level="") == 0
    assert event.seed_micros == usd("0.37")


def test_a_jackpot_with_a_voided_round_closes_to_the_last_micro(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=200_000, reserve_ppm=20_000))
    floor.do(opened("heir", seed="100"))
    floor.do(locked(1, 1, 2))
    floor.do(voided(1))
    floor.do(locked(2, 1))
    floor.do(CloseJackpot(jackpot="push", into="heir", note="x", second="executive"))
    assert all(floor.balance(pool) == 0 for pool in ("meter", "reserve", "overflow"))
    # The house takes its seed of 100 back; 0.60 of the meter and 0.06 of the reserve go to the heir.
    assert floor.balance("meter", "heir") == usd("100.66")
    assert floor.balance("seed") == -usd("0.44")
