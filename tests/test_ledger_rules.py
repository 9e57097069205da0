"""The ledger's arithmetic, each rule by an example worked out by hand."""

from __future__ import annotations

import pytest

from croupier.errors import CroupierError
from croupier.jackpot import (
    AdjustMeter,
    AnyCommand,
    AwardBackedOut,
    AwardRejected,
    BackOutAward,
    ChangeParameters,
    CloseJackpot,
    HitJackpot,
    JackpotClosed,
    JackpotHit,
    Level,
    LockedWager,
    LockWagers,
    Parameters,
    PayAward,
    Reason,
    RecordFact,
    RejectAward,
)
from croupier.jackpot.decide import MOST_FACT_BYTES
from tests.ledger import WHOLE_METER, Desk, Memory, community, fixed, locked, opened, usd


class Floor(Desk):
    """A desk over a ledger in memory, with its balances in dollars and parts of them."""

    def __init__(self) -> None:
        self.memory = Memory()
        super().__init__(self.memory)

    def balance(self, account: str, jackpot: str = "push", level: str = "main") -> int:
        return self.memory.state.balances.get((jackpot, level, account), 0)

    @property
    def meter(self) -> int:
        return self.balance("meter")

    def refused(self, command: AnyCommand, code: str, *, actor: str = "dealer", id: str = "") -> str:
        """Does not do it, changes nothing, and says why."""
        before = (dict(self.memory.state.balances), len(self.memory.log))
        with pytest.raises(CroupierError) as refusal:
            self.do(command, actor=actor, id=id)
        assert refusal.value.code == code, str(refusal.value)
        assert (dict(self.memory.state.balances), len(self.memory.log)) == before
        return str(refusal.value)

    def hit(self, command: HitJackpot, id: str) -> JackpotHit:
        event = self.do(command, id=id)
        assert isinstance(event, JackpotHit)
        return event


@pytest.fixture
def floor() -> Floor:
    return Floor()


def test_opening_advances_the_seed(floor: Floor) -> None:
    floor.do(opened(seed="10000"))
    assert floor.meter == usd("10000")
    assert floor.balance("seed") == -usd("10000")


def test_start_game_books_meter_reserve_and_house_together(floor: Floor) -> None:
    floor.do(opened(contribution_ppm=200_000, reserve_ppm=25_000))
    floor.do(locked(1, 1, 2, 5, wager="5"))  # $15
    assert floor.meter == usd("10003")
    assert floor.balance("reserve") == usd("0.375")
    assert floor.balance("receipts", level="") == usd("11.625")
    assert floor.balance("wagers", level="") == -usd("15")
    assert len(floor.memory.log) == 2, "one entry for all wagers of the round"


def test_parts_of_a_micro_are_carried_until_they_are_whole(floor: Floor) -> None:
    floor.do(opened(contribution_ppm=1))  # a millionth of a cent is a hundredth of a micro
    for played in range(1, 101):
        floor.do(locked(played, 1, wager="0.01"))
        assert floor.meter == usd("10000") + played // 100
    assert floor.balance("receipts", level="") == usd("1") - 1


def test_rates_of_the_whole_wager_leave_the_house_nothing_and_never_less(floor: Floor) -> None:
    levels = tuple(
        Level(id=name, seed_micros=0, contribution_ppm=ppm) for name, ppm in (("a", 333_333), ("b", 666_667))
    )
    floor.do(opened(parameters=Parameters(levels=levels)))
    for played in range(1, 400):
        floor.do(locked(played, 1, wager="0.01"))
        assert 0 <= floor.balance("receipts", level="") <= 1
    assert floor.balance("meter", level="a") == usd("3.99") * 333_333 // 1_000_000


def test_what_passes_the_maximum_goes_to_the_overflow(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=500_000, cap="101"))
    floor.do(locked(1, 1, 2, 3))
    assert floor.meter == usd("101")
    assert floor.balance("overflow") == usd("0.5")


def test_wagers_on_two_jackpots_are_one_entry(floor: Floor) -> None:
    floor.do(opened("push"))
    floor.do(opened("dragon", seed="5000", contribution_ppm=260_000))
    bets = tuple(
        LockedWager(seat=3, sensor=n, jackpot=name, amount_micros=usd("1")) for n, name in ((1, "push"), (2, "dragon"))
    )
    floor.do(LockWagers(table="one", round=1, bets=bets))
    assert floor.meter == usd("10000.20")
    assert floor.balance("meter", "dragon") == usd("5000.26")


def test_a_whole_meter_award_locks_the_amount_and_reseeds_at_once(floor: Floor) -> None:
    floor.do(opened(contribution_ppm=200_000, reserve_ppm=25_000))
    floor.do(locked(1, 1, 2, 3, 4))  # meter 10,000.80, reserve 0.10
    event = floor.hit(community(1), "win")
    assert event.seats == (1, 2, 3, 4)
    assert event.each_micros == usd("2500.20")
    assert floor.balance("pending") == usd("10000.80")
    assert floor.meter == usd("10000.10"), "seed plus reserve"
    assert floor.balance("reserve") == 0
    assert floor.balance("seed") == -usd("20000")
    assert (event.meter_before_micros, event.meter_after_micros) == (usd("10000.80"), usd("10000.10"))


def test_an_uneven_split_gives_whole_cents_and_leaves_the_rest_in_the_meter(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=0))
    floor.do(locked(1, 2, 5, 7))
    event = floor.hit(community(1), "win")
    assert event.each_micros == usd("33.33")
    assert event.rest_micros == usd("0.01")
    assert floor.meter == usd("100.01")


def test_a_share_is_taken_of_the_meter_and_no_seed_comes(floor: Floor) -> None:
    floor.do(opened(contribution_ppm=0))
    floor.do(locked(1, 1, 2, 3))
    event = floor.hit(community(1, 100_000), "ten-percent")
    assert event.each_micros == usd("333.33")
    assert event.rest_micros == usd("0.01")
    assert floor.meter == usd("9000.01")
    assert floor.balance("seed") == -usd("10000")


def test_fixed_pays_come_from_the_tray(floor: Floor) -> None:
    floor.do(opened(contribution_ppm=0))
    floor.do(locked(1, 1, 2))
    floor.do(fixed(1, "50", 1, 2), id="suited")
    assert floor.meter == usd("10000")
    assert floor.balance("tray") == -usd("100")
    floor.do(PayAward(award="suited", approved_by=("supervisor",)))
    assert floor.balance("paid") == usd("100")
    assert floor.balance("pending") == 0


def from_meter(seed: str) -> Parameters:
    return Parameters(fixed_pays="meter", levels=(Level(seed_micros=usd(seed)),))


def test_a_meter_that_cannot_pay_is_topped_up_by_the_house_for_all_to_see(floor: Floor) -> None:
    floor.do(opened(parameters=from_meter("60")))
    floor.do(locked(1, 1, 2))
    event = floor.hit(fixed(1, "50", 1, 2), "suited")
    assert event.seed_micros == usd("40")
    assert floor.meter == 0
    assert floor.balance("seed") == -usd("100")
    floor.do(RejectAward(award="suited", note="no 22"))
    assert floor.meter == usd("60")
    assert floor.balance("seed") == -usd("60")


def test_a_house_jackpot_pays_each_winner_whole_and_does_not_move(floor: Floor) -> None:
    floor.do(opened(parameters=Parameters(kind="house", levels=(Level(seed_micros=usd("500")),))))
    floor.do(locked(1, 1, 2, 3))
    assert floor.balance("receipts", level="") == usd("3")
    event = floor.hit(HitJackpot(jackpot="push", table="one", round=1, seats=(1, 3), share_ppm=WHOLE_METER), "win")
    assert event.amount_micros == usd("1000")
    assert floor.meter == usd("500")
    assert floor.balance("tray") == -usd("1000")


def test_hits_one_after_the_other_take_what_each_found(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=1_000_000))
    floor.do(locked(1, 1, table="one", wager="7"))
    floor.do(locked(1, 1, table="two", wager="3"))
    assert floor.hit(community(1, table="two"), "first").amount_micros == usd("110")
    assert floor.hit(community(1, table="one"), "second").amount_micros == usd("100")


def test_a_rejected_award_leaves_the_meter_as_if_it_had_never_been(floor: Floor) -> None:
    floor.do(opened(contribution_ppm=200_000, reserve_ppm=100_000))
    floor.do(locked(1, 1, 2))  # meter 10,000.40, reserve 0.20
    floor.hit(community(1), "wrong")
    floor.do(locked(2, 1, 2))  # meter +0.40, reserve +0.20
    event = floor.do(RejectAward(award="wrong", note="the fourth card is a heart"))
    assert isinstance(event, AwardRejected)
    assert (event.seed_micros, event.reserve_micros) == (usd("10000"), usd("0.20"))
    assert floor.meter == usd("10000.80")
    assert floor.balance("reserve") == usd("0.40")
    assert floor.balance("seed") == -usd("10000")
    assert floor.balance("pending") == 0


def test_a_rejected_award_goes_to_the_meter_whole_once_the_next_winner_has_the_seed(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=0))
    floor.do(locked(1, 1, table="one"))
    floor.do(locked(1, 1, table="two"))
    floor.hit(community(1, table="one"), "first")
    floor.hit(community(1, table="two"), "second")
    floor.do(RejectAward(award="first", note="void"))
    assert floor.meter == usd("200")
    assert floor.balance("seed") == -usd("300"), "the seed that the second winner has stays advanced"
    floor.do(PayAward(award="second", approved_by=("executive",)))


def test_rejecting_the_latest_first_undoes_both_resets(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=0))
    floor.do(locked(1, 1, table="one"))
    floor.do(locked(1, 1, table="two"))
    floor.hit(community(1, table="one"), "first")
    floor.hit(community(1, table="two"), "second")
    floor.do(RejectAward(award="second", note="void"))
    floor.do(RejectAward(award="first", note="void"))
    assert floor.meter == usd("100")
    assert floor.balance("seed") == -usd("100")


def test_a_returned_award_takes_back_no_more_of_the_seed_than_the_meter_holds(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=0))
    floor.do(adjusted("correct_display", "-90"))
    floor.do(locked(1, 1))
    assert floor.hit(community(1), "win").amount_micros == usd("10")
    floor.do(adjusted("correct_display", "-95"))
    floor.do(RejectAward(award="win", note="void"))
    assert floor.meter == 0
    assert floor.balance("seed") == -usd("185"), "200 advanced, 15 found"


def test_a_returned_award_never_lifts_the_meter_over_its_maximum(floor: Floor) -> None:
    floor.do(opened(seed="90", contribution_ppm=1_000_000, cap="100"))
    floor.do(locked(1, 1, wager="10"))
    floor.hit(community(1, 500_000), "half")
    floor.do(locked(2, 1, wager="30"))
    floor.do(RejectAward(award="half", note="void"))
    assert floor.meter == usd("100")
    assert floor.balance("overflow") == usd("30")


def test_after_a_rejection_the_seat_may_win_its_right_award(floor: Floor) -> None:
    floor.do(opened())
    floor.do(locked(1, 1, 2))
    floor.do(fixed(1, "50", 2), id="wrong")
    floor.refused(fixed(1, "15", 2), "already_hit")
    floor.do(RejectAward(award="wrong", note="same color only"))
    floor.do(fixed(1, "15", 2), id="right")


def test_after_payment_only_a_manual_adjustment_by_two_backs_out(floor: Floor) -> None:
    floor.do(opened(contribution_ppm=0))
    floor.do(locked(1, 1))
    floor.hit(community(1), "win")
    floor.do(PayAward(award="win", approved_by=("executive",)))
    assert "manual adjustment" in floor.refused(RejectAward(award="win", note="late"), "award_not_pending")
    floor.refused(BackOutAward(award="win", note="late", second="manager"), "second_person_missing", actor="manager")
    event = floor.do(BackOutAward(award="win", note="wrong table", second="executive"), actor="manager")
    assert isinstance(event, AwardBackedOut)
    assert floor.meter == usd("10000")
    assert floor.balance("paid") == 0
    floor.refused(BackOutAward(award="win", note="again", second="executive"), "award_not_paid", actor="manager")


@pytest.mark.parametrize("approved_by", [(), ("one", "one"), ("",)])
def test_an_award_is_not_paid_without_approval(floor: Floor, approved_by: tuple[str, ...]) -> None:
    floor.do(opened())
    floor.do(locked(1, 1))
    floor.hit(community(1), "win")
    code = "bad_name" if approved_by == ("",) else "approval_missing"
    floor.refused(PayAward(award="win", approved_by=approved_by), code)


def adjusted(reason: Reason, amount: str, pool: str = "meter", second: str = "executive") -> AdjustMeter:
    return AdjustMeter(jackpot="push", reason=reason, micros=usd(amount), pool=pool, note="why", second=second)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reason", "amount", "pool", "moved"),
    [
        ("correct_display", "5", "meter", {"meter": "5", "adjustments": "-5"}),
        ("correct_display", "-5", "meter", {"meter": "-5", "adjustments": "5"}),
        ("record_receipts", "1", "reserve", {"reserve": "-1"}),
        ("record_receipts", "1", "overflow", {"overflow": "-1"}),
        ("recover_seed", "5", "meter", {"meter": "-5", "seed": "5"}),
        ("recover_seed", "1", "reserve", {"reserve": "-1", "seed": "1"}),
        ("house_addition", "9", "meter", {"meter": "9", "adjustments": "-9"}),
        ("carried_in", "7", "reserve", {"reserve": "7", "adjustments": "-7"}),
    ],
)
def test_each_lawful_adjustment_moves_what_it_says(
    floor: Floor, reason: Reason, amount: str, pool: str, moved: dict[str, str]
) -> None:
    floor.do(opened(seed="100", contribution_ppm=500_000, reserve_ppm=200_000, cap="120"))
    floor.do(locked(1, 1, wager="50"))  # meter 120, overflow 5, reserve 10
    floor.do(AdjustMeter(jackpot="push", reason="correct_display", micros=-usd("15"), note="x", second="y"))
    before = dict(floor.memory.state.balances)
    floor.do(adjusted(reason, amount, pool), actor="accounting")
    names = ("meter", "reserve", "overflow", "seed", "adjustments")
    assert {name: floor.balance(name) - before.get(("push", "main", name), 0) for name in names} == {
        name: usd(moved.get(name, "0")) for name in names
    }
    assert floor.memory.log[-1].entry.reason == reason


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (adjusted("correct_display", "0"), "bad_adjustment"),
        (adjusted("recover_seed", "-1"), "bad_adjustment"),
        (adjusted("recover_seed", "101"), "not_enough_seed"),
        (adjusted("recover_seed", "1"), "below_seed"),
        (adjusted("correct_display", "-101"), "not_enough"),
        (adjusted("record_receipts", "1", "meter"), "reason_pool"),
        (adjusted("record_receipts", "1", "overflow"), "not_enough"),
        (adjusted("house_addition", "100"), "over_cap"),
        (adjusted("house_addition", "1", second=""), "second_person_missing"),
        (adjusted("house_addition", "1", second="dealer"), "second_person_missing"),
    ],
)
def test_an_adjustment_that_is_not_lawful_is_refused(floor: Floor, command: AdjustMeter, code: str) -> None:
    floor.do(opened(seed="100", cap="120"))
    floor.refused(command, code)


def test_seeds_that_were_won_are_not_recovered_and_the_posted_one_stays(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=1_000_000))
    for number in (1, 2):
        floor.do(locked(number, 1, wager="5"))
        floor.hit(community(number), f"win-{number}")
    floor.do(locked(3, 1, wager="50"))  # meter 150, seeds of 300 advanced, 200 of them won
    assert (floor.meter, floor.balance("seed")) == (usd("150"), -usd("300"))
    assert "$100 of seed money" in floor.refused(adjusted("recover_seed", "101"), "not_enough_seed")
    assert "posted seed of $100" in floor.refused(adjusted("recover_seed", "51"), "below_seed")
    floor.do(adjusted("recover_seed", "50"))
    assert floor.meter == usd("100")


def test_overflow_is_released_into_the_meter_as_far_as_there_is_room(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=1_000_000, cap="105"))
    floor.do(locked(1, 1, wager="8"))
    floor.refused(adjusted("release_overflow", "1", "overflow"), "over_cap")
    floor.hit(community(1), "win")
    floor.do(adjusted("release_overflow", "3", "overflow"))
    assert (floor.meter, floor.balance("overflow")) == (usd("103"), 0)


def test_a_reset_takes_the_reserve_only_up_to_the_maximum(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=0, reserve_ppm=1_000_000, cap="105"))
    floor.do(locked(1, 1, wager="8"))
    event = floor.hit(community(1), "win")
    assert event.reserve_micros == usd("5")
    assert (floor.meter, floor.balance("reserve")) == (usd("105"), usd("3"))


def test_a_closed_jackpot_leaves_its_players_money_to_another(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=500_000, reserve_ppm=100_000))
    floor.do(opened("heir", seed="50", contribution_ppm=0))
    floor.do(locked(1, 1, wager="10"))
    floor.refused(CloseJackpot(jackpot="push", note="end", second="executive"), "funds_remain")
    event = floor.do(CloseJackpot(jackpot="push", into="heir", note="end", second="executive"))
    assert isinstance(event, JackpotClosed)
    assert (event.seed_micros, event.moved_micros) == (usd("100"), usd("6"))
    assert floor.balance("meter", "heir") == usd("56")
    assert floor.meter == 0
    floor.refused(locked(2, 1), "jackpot_closed")
    floor.refused(opened(), "jackpot_exists")


def test_a_seed_that_was_won_is_not_taken_from_players_at_the_end(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=500_000))
    floor.do(opened("heir", seed="50", contribution_ppm=0))
    floor.do(locked(1, 1, wager="10"))
    floor.hit(community(1), "win")
    floor.do(PayAward(award="win", approved_by=("supervisor",)))
    floor.do(locked(2, 1, wager="10"))
    event = floor.do(CloseJackpot(jackpot="push", into="heir", note="end", second="executive"))
    assert isinstance(event, JackpotClosed)
    assert (event.seed_micros, event.moved_micros) == (usd("100"), usd("5"))
    assert floor.balance("seed") == -usd("100")


def test_a_jackpot_with_a_pending_award_stays_open(floor: Floor) -> None:
    floor.do(opened())
    floor.do(locked(1, 1))
    floor.hit(community(1), "win")
    floor.refused(CloseJackpot(jackpot="push", note="end", second="executive"), "award_pending")


def changed(level: Level, based_on: int = 1, second: str = "executive") -> ChangeParameters:
    return ChangeParameters(jackpot="push", parameters=Parameters(levels=(level,)), based_on=based_on, second=second)


def test_new_parameters_count_from_the_next_round_on_and_the_seed_from_the_next_reset(floor: Floor) -> None:
    floor.do(opened(seed="100", contribution_ppm=0))
    floor.do(changed(Level(seed_micros=usd("200"), contribution_ppm=500_000)))
    assert floor.meter == usd("100")
    floor.do(locked(1, 1))
    assert floor.meter == usd("100.50")
    floor.hit(community(1), "win")
    assert floor.meter == usd("200")
    assert floor.memory.state.jackpots["push"].version == 2


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (changed(Level(seed_micros=0, contribution_ppm=-1)), "bad_rate"),
        (changed(Level(seed_micros=0, contribution_ppm=1_000_001)), "bad_rate"),
        (changed(Level(seed_micros=0, contribution_ppm=600_000, reserve_ppm=400_001)), "rates_over_whole"),
        (changed(Level(seed_micros=-10_000)), "bad_amount"),
        (changed(Level(seed_micros=1)), "bad_amount"),
        (changed(Level(seed_micros=usd("10"), cap_micros=usd("9"))), "cap_below_meter"),
        (changed(Level(seed_micros=usd("10"), cap_micros=usd("99"))), "cap_below_meter"),
        (changed(Level(seed_micros=0), based_on=2), "stale_revision"),
        (changed(Level(seed_micros=0), second="dealer"), "second_person_missing"),
        (changed(Level(id="other", seed_micros=0)), "level_dropped"),
    ],
)
def test_parameters_that_cannot_be_are_refused(floor: Floor, command: ChangeParameters, code: str) -> None:
    floor.do(opened(seed="100"))
    floor.refused(command, code)


def test_a_house_jackpot_neither_grows_nor_becomes_a_progressive(floor: Floor) -> None:
    house = Parameters(kind="house", levels=(Level(seed_micros=usd("500")),))
    grows = Parameters(kind="house", levels=(Level(seed_micros=usd("500"), contribution_ppm=1),))
    floor.refused(opened(parameters=grows), "house_grows")
    floor.do(opened(parameters=house))
    progressive = Parameters(levels=(Level(seed_micros=usd("500")),))
    change = ChangeParameters(jackpot="push", parameters=progressive, based_on=1, second="executive")
    floor.refused(change, "kind_fixed")
    floor.refused(adjusted("house_addition", "1"), "house_not_adjusted")
    dearer = Parameters(kind="house", levels=(Level(seed_micros=usd("600")),))
    floor.do(ChangeParameters(jackpot="push", parameters=dearer, based_on=1, second="executive"))
    assert floor.meter == usd("600"), "the posted prize is the house's own and changes at once"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (locked(1, 1), "round_order"),
        (locked(0, 1), "round_order"),
        (locked(2, 1, 1), "two_bets_one_seat"),
        (locked(2, 0), "bad_seat"),
        (locked(2, 1, jackpot="nowhere"), "unknown_jackpot"),
        (locked(2, *range(1, 70)), "too_many_bets"),
        (
            LockWagers(table="one", round=2, bets=(LockedWager(seat=1, sensor=1, jackpot="push", amount_micros=-1),)),
            "bad_wager",
        ),
        (
            LockWagers(table="one", round=2, bets=(LockedWager(seat=1, sensor=1, jackpot="push", amount_micros=1),)),
            "bad_wager",
        ),
        (LockWagers(table="", round=2, bets=()), "bad_name"),
        (community(2), "round_not_locked"),
        (community(1, table="nowhere"), "round_not_locked"),
        (community(1, 0), "bad_award"),
        (community(1, 1_000_001), "bad_award"),
        (community(1, jackpot="empty"), "bad_winners"),
        (fixed(1, "50"), "bad_winners"),
        (fixed(1, "50", 1, 1), "bad_winners"),
        (fixed(1, "50", 3), "no_locked_wager"),
        (fixed(1, "0.001", 1), "bad_award"),
        (HitJackpot(jackpot="push", level="minor", table="one", round=1, seats=(1,), share_ppm=1), "unknown_level"),
        (HitJackpot(jackpot="push", table="one", round=1, seats=(1,), share_ppm=1, each_micros=10_000), "bad_award"),
        (HitJackpot(jackpot="push", table="one", round=1, seats=(1,), community=True, share_ppm=1), "bad_winners"),
        (community(1, 1), "nothing_to_pay"),
        (PayAward(award="nothing", approved_by=("supervisor",)), "unknown_award"),
        (RejectAward(award="nothing", note="why"), "unknown_award"),
        (RecordFact(subject="table/1", kind="set_up", body={}, based_on=1), "stale_revision"),
        (RecordFact(subject="table/1", kind="set_up", body={"x": "y" * MOST_FACT_BYTES}), "fact_too_long"),
    ],
)
def test_bad_input_is_refused_with_a_code_and_changes_nothing(floor: Floor, command: AnyCommand, code: str) -> None:
    floor.do(opened(seed="100"))
    floor.do(opened("empty", seed="100"))
    floor.do(locked(1, 1, 2))
    floor.refused(command, code)


def test_an_unreasonable_contribution_is_taken_for_a_fault(floor: Floor) -> None:
    level = Level(seed_micros=usd("100"), contribution_ppm=200_000, unreasonable_micros=usd("7"))
    floor.do(opened(parameters=Parameters(levels=(level,))))
    floor.refused(locked(1, *range(1, 8), wager="25"), "unreasonable_contribution")
    floor.do(locked(1, *range(1, 8), wager="5"))


def test_a_repeat_gets_the_first_answer_and_other_content_an_error(floor: Floor) -> None:
    floor.do(opened(), id="open")
    first = floor.do(locked(1, 1), id="start")
    assert floor.do(locked(1, 1), id="start") == first
    assert len(floor.memory.log) == 2
    floor.refused(locked(2, 1), "id_reused", id="start")
    floor.refused(locked(1, 1), "id_reused", id="start", actor="somebody else")


def test_facts_of_a_subject_count_their_versions(floor: Floor) -> None:
    floor.do(RecordFact(subject="table/1", kind="set_up", body={"decks": 6}, based_on=0))
    floor.do(RecordFact(subject="table/1", kind="set_up", body={"decks": 8}, based_on=1))
    floor.refused(RecordFact(subject="table/1", kind="set_up", body={}, based_on=1), "stale_revision")
    fact = floor.memory.state.facts["table/1"]
    assert (fact.version, fact.body) == (2, {"decks": 8})
