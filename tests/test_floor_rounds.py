"""Rounds out of the ordinary, end to end on the desk: a misdeal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.floor import demo_floor
from croupier.floor.desk import Desk
from croupier.floor.terminal import Pick
from croupier.reports.jackpot_accrual import accrual
from croupier.reports.jackpot_achieved import achieved
from croupier.reports.jackpot_audit import audit
from croupier.reports.jackpot_reconciliation import reconciliation
from croupier.store import open_store, verify
from tests.desks import ACCOUNTING, DEALER, EXECUTIVE, NOW, SEED, SUPERVISOR, ask, lock, meter, refused


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    made.set_up(ask(EXECUTIVE), demo_floor())
    yield made
    assert verify(made.book).is_good
    made.book.close()


# A misdeal.


def test_a_supervisor_voids_a_misdeal_and_the_table_goes_on(desk: Desk) -> None:
    lock(desk, "ddm_1", 1, 2)
    with refused("not_allowed"):
        desk.void(ask(DEALER), "ddm_1", "A card was exposed.")
    with refused("note_missing"):
        desk.void(ask(SUPERVISOR), "ddm_1", " ")
    view = desk.void(ask(SUPERVISOR, id="void"), "ddm_1", "A card was exposed.")
    assert (view.terminal.phase, view.terminal.lit, view.terminal.round) == ("open", (), 1)
    assert desk.void(ask(SUPERVISOR, id="void"), "ddm_1", "A card was exposed.") == view
    # Two wagers of $5 are back; the meter keeps 2 x 0.95, the reserve 2 x 0.05, and the house put up those 2.00.
    balances = desk.book.balances("push_22")
    assert meter(desk) == SEED + 1_900_000
    assert balances["push_22", "main", "seed"] == -SEED - 2_000_000
    assert balances["push_22", "", "wagers"] == balances["push_22", "", "receipts"] == 0
    with refused("not_locked"):
        desk.void(ask(SUPERVISOR), "ddm_1", "Again.")
    assert lock(desk, "ddm_1", 1).terminal.round == 2


def test_a_round_with_winning_hands_is_not_void(desk: Desk) -> None:
    lock(desk, "ddm_1", 1, 2)
    desk.pick(ask(), "ddm_1", 1, 1, "suited_22")
    with refused("picks_not_hit"):
        desk.void(ask(SUPERVISOR), "ddm_1", "x")
    desk.hit(ask(id="hit"), "ddm_1")
    with refused("claim_open"):
        desk.void(ask(SUPERVISOR), "ddm_1", "x")
    desk.reject(ask(SUPERVISOR), "hit/1", "A misdeal.")
    desk.void(ask(SUPERVISOR), "ddm_1", "x")
    lock(desk, "ddm_1", 1)
    desk.hit(ask(id="again"), "ddm_1", picks=(Pick(1, 1, "suited_22"),))
    desk.pay(ask(SUPERVISOR), "again/1")
    with refused("round_has_awards"):
        desk.void(ask(SUPERVISOR), "ddm_1", "x")
    desk.end(ask(), "ddm_1")


def test_a_round_without_jackpot_wagers_is_void_too(desk: Desk) -> None:
    desk.start(ask(), "blackjack_1", chips=0)
    assert desk.void(ask(SUPERVISOR), "blackjack_1", "x").terminal.phase == "open"


def test_the_books_show_a_void_round_apart(desk: Desk) -> None:
    lock(desk, "ddm_1", 1, 2)
    desk.void(ask(SUPERVISOR), "ddm_1", "A card was exposed.")
    lock(desk, "ddm_1", 1)
    line = accrual(desk.book).line("push_22", "ddm_1")
    assert (line.rounds, line.rounds_voided) == (2, 1)
    assert (line.wagered_micros, line.voided_micros) == (15_000_000, 10_000_000)
    assert (line.receipts_micros, line.voided_receipts_micros) == (12_000_000, 8_000_000)
    assert accrual(desk.book).line().rounds_voided == 1
    found = reconciliation(desk.book)
    assert found.is_good
    assert found.line("push_22", "wagers", "").voided_micros == 10_000_000
    assert found.line("push_22", "receipts", "").closing_micros == 4_000_000
    assert found.line("push_22", "seed").voided_micros == -2_000_000
    assert found.line("push_22", "meter").voided_micros == 0
    (void,) = [one for one in audit(desk.book).lines if one.what == "void" and one.micros is not None]
    assert (void.actor, void.subject, void.note, void.micros) == ("sue", "ddm_1/1", "A card was exposed.", 10_000_000)
    assert achieved(desk.book, desk.floor()).line("push_22", "suited_22").trials == 1


def test_what_the_house_put_up_for_a_misdeal_is_recovered_as_seed(desk: Desk) -> None:
    lock(desk, "ddm_1", 1)
    desk.void(ask(SUPERVISOR), "ddm_1", "x")
    desk.adjust(ask(EXECUTIVE), "push_22", reason="recover_seed", micros=950_000, note="Misdeal.", second=ACCOUNTING)
    assert meter(desk) == SEED
