"""Awards that two people enter by hand, and wagers that go back with a pay "to 1": worked out, on both stores."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec import structs

from croupier.errors import CroupierError
from croupier.jackpot import BackOutAward, HitJackpot, JackpotHit, PayAward, RejectAward
from croupier.jackpot.chain import digest
from croupier.store import Book, open_store, rows, verify
from tests.desks import refused
from tests.ledger import Desk, community, fixed, locked, opened, usd, voided

DIGEST_OF_A_FIXED_PAY = "f9d361394dec4192293815461f7b0fc31b100a5a44a09baebbb3e1196c69cccf"
"""As programs before chips and awards by hand made it."""


@pytest.fixture
def desk(book: Book) -> Desk:
    made = Desk(book)
    made.do(opened(seed="1000", contribution_ppm=200_000), id="open")
    return made


def by_hand(command: HitJackpot, note: str = "The right one.", second: str = "accounting") -> HitJackpot:
    return structs.replace(command, note=note, second=second)


def paid(desk: Desk, award: str) -> None:
    desk.do(PayAward(award=award, approved_by=("supervisor",)))


def backed_out(desk: Desk, award: str) -> None:
    desk.do(BackOutAward(award=award, note="Wrong hand.", second="accounting"), actor="executive")


def balance(book: Book, account: str, level: str = "main") -> int:
    return book.balances("push").get(("push", level, account), 0)


def test_a_wager_that_stayed_on_its_spot_goes_back_beside_the_award(desk: Desk, book: Book) -> None:
    # $5 at 10 to 1: START books -5 in, +1 to the meter, +4 receipts. The tray pays 50; the chip is no part of that.
    desk.do(locked(1, 1, 2, wager="5"), id="start")
    desk.do(structs.replace(fixed(1, "50", 1, 2), chip_micros=usd("5")), id="hit")
    assert (balance(book, "tray"), balance(book, "pending")) == (usd("-100"), usd("100"))
    assert (balance(book, "wagers", ""), balance(book, "chips", "")) == (usd("-10"), 0)
    paid(desk, "hit")
    assert (balance(book, "paid"), balance(book, "pending")) == (usd("100"), 0)
    assert (balance(book, "wagers", ""), balance(book, "chips", "")) == (0, usd("-10"))
    # The house: 8 of receipts, less 100 of the tray and 10 of chips; the meter keeps its 2 of the wagers.
    assert (balance(book, "receipts", ""), book.meter_micros("push")) == (usd("8"), usd("1002"))
    backed_out(desk, "hit")
    assert (balance(book, "tray"), balance(book, "paid")) == (0, 0)
    assert (balance(book, "wagers", ""), balance(book, "chips", "")) == (usd("-10"), 0)
    assert verify(book).is_good and sum(book.balances().values()) == 0


def test_a_rejected_award_gives_no_chip_back(desk: Desk, book: Book) -> None:
    desk.do(locked(1, 1, wager="5"))
    desk.do(structs.replace(fixed(1, "50", 1), chip_micros=usd("5")), id="hit")
    desk.do(RejectAward(award="hit", note="No win."))
    assert (balance(book, "chips", ""), balance(book, "wagers", "")) == (0, usd("-5"))


def test_only_the_wager_that_was_locked_goes_back_and_none_beside_a_share(desk: Desk) -> None:
    desk.do(locked(1, 1, wager="5"))
    for command in (
        structs.replace(fixed(1, "50", 1), chip_micros=usd("25")),
        structs.replace(community(1), chip_micros=usd("5")),
    ):
        with refused("bad_award"):
            desk.do(command)


def test_after_a_back_out_the_right_award_is_entered_once(desk: Desk, book: Book) -> None:
    desk.do(locked(1, 1, 2))  # meter 1,000.40
    desk.do(community(1, 100_000), id="wrong")  # 50.02 each
    with pytest.raises(CroupierError, match="Reject that award first"):
        desk.do(community(1))
    paid(desk, "wrong")
    with pytest.raises(CroupierError, match="only a manual adjustment by two people backs it out"):
        desk.do(community(1))
    with refused("already_hit"):  # not while the wrong one stands, whoever signs
        desk.do(by_hand(community(1)))
    backed_out(desk, "wrong")
    assert book.meter_micros("push") == usd("1000.40")
    with pytest.raises(CroupierError, match=r"was backed out\. The right one is entered by hand: by two people"):
        desk.do(community(1))
    right = desk.do(by_hand(community(1)), id="right", actor="executive")
    assert isinstance(right, JackpotHit)
    assert (right.amount_micros, right.second, right.note) == (usd("1000.40"), "accounting", "The right one.")
    assert right.reason == "award_by_hand"
    assert (balance(book, "pending"), balance(book, "paid"), book.meter_micros("push")) == (
        usd("1000.40"),
        0,
        usd("1000"),
    )
    with refused("already_hit"):
        desk.do(by_hand(community(1, 100_000)), actor="executive")
    paid(desk, "right")
    assert balance(book, "paid") == usd("1000.40")
    assert verify(book).is_good


def test_two_people_and_a_note_sign_an_award_by_hand(desk: Desk) -> None:
    desk.do(locked(1, 1))
    with refused("second_person_missing"):
        desk.do(by_hand(community(1), second="executive"), actor="executive")
    with refused("second_person_missing"):
        desk.do(by_hand(community(1), second=""), actor="executive")
    with refused("note_missing"):
        desk.do(by_hand(community(1), note=" "), actor="executive")


def test_an_award_of_a_past_round_is_of_its_wagers_and_of_the_meter_as_it_stands(desk: Desk, book: Book) -> None:
    desk.do(locked(1, 1, 2))
    desk.do(community(1, 100_000), id="wrong")
    paid(desk, "wrong")
    desk.do(locked(2, 3))
    desk.do(locked(3, 3))
    backed_out(desk, "wrong")  # 1,000 + 4 x 0.20
    with refused("round_not_locked"):
        desk.do(community(1))  # not from the table
    with refused("no_locked_wager"):
        desk.do(by_hand(fixed(1, "50", 3)), actor="executive")
    late = desk.do(by_hand(community(1, 250_000)), id="late", actor="executive")
    assert isinstance(late, JackpotHit)
    assert (late.round, late.seats, late.amount_micros) == (1, (1, 2), usd("250.20"))
    played = book.round("one")
    assert played is not None and (played.round, played.winners) == (3, ())
    with refused("already_hit"):
        desk.do(by_hand(community(1)), actor="executive")
    desk.do(RejectAward(award="late", note="Not this hand either."))
    desk.do(by_hand(fixed(1, "50", 2)), id="last", actor="executive")
    paid(desk, "last")
    assert (balance(book, "paid"), book.meter_micros("push")) == (usd("50"), usd("1000.80"))
    desk.do(community(3, 100_000), id="of-the-latest")  # which goes on as if nothing had been
    assert verify(book).is_good


def test_a_seat_wins_once_in_a_past_round_also_for_another_process(desk: Desk, book: Book, store_url: str) -> None:
    desk.do(locked(1, 1, 2))
    desk.do(fixed(1, "50", 1), id="first")
    desk.do(locked(2, 1, 2))
    other = open_store(store_url)
    both = [Desk(book), Desk(other)]

    def enter(number: int) -> str:
        request = both[number % 2].request(by_hand(fixed(1, "50", 2)), id=f"late-{number}", actor="executive")
        try:
            both[number % 2].book.post(request)
        except CroupierError as error:
            return error.code
        return "booked"

    with ThreadPoolExecutor(4) as people:
        told = list(people.map(enter, range(4)))
    assert sorted(told) == ["already_hit", "already_hit", "already_hit", "booked"]
    with refused("already_hit"):
        Desk(other).do(by_hand(fixed(1, "50", 1)), actor="executive")
    assert book.award("first").status == "pending" and balance(book, "pending") == usd("100")
    other.close()
    assert verify(book).is_good


def test_two_late_awards_in_one_batch_do_not_both_win(desk: Desk, book: Book) -> None:
    desk.do(locked(1, 1))
    desk.do(locked(2, 1))
    twice = [desk.request(by_hand(fixed(1, "50", 1)), id=f"late-{number}", actor="executive") for number in (1, 2)]
    with refused("already_hit"):
        book.post_all(twice)
    assert balance(book, "pending") == 0


def test_nothing_is_won_in_a_void_round_or_one_beyond_reach(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.do(locked(1, 1))
    desk.do(voided(1))
    desk.do(locked(2, 1))
    with refused("no_locked_wager"):
        desk.do(by_hand(fixed(1, "50", 1)), actor="executive")
    desk.do(locked(3, 1))
    monkeypatch.setattr(rows, "LATE_ENTRIES", 1)
    with refused("round_not_locked"):
        desk.do(by_hand(fixed(2, "50", 1)), actor="executive")


def test_a_hit_at_the_table_is_the_request_and_the_entry_that_it_was(desk: Desk, book: Book) -> None:
    """Old logs and old ids stay valid: what is new is not written where it does not apply."""
    desk.do(locked(1, 1), id="start")
    request = desk.request(fixed(1, "50", 1), id="hit")
    sealed = book.post(request)
    for name in ("chip_micros", '"note"', "second"):
        assert name not in sealed.text
    assert digest(request) == sealed.entry.request_sha256 == DIGEST_OF_A_FIXED_PAY
    assert "chip_micros" not in rows.body(book.award("hit")), "what is stored of an award is what it was, too"
