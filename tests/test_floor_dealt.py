"""A table dealt by the software on a floor: locked before the deal, hit with evidence, one amount everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import parse_cards
from croupier.errors import LedgerError
from croupier.floor import check_floor, demo_floor
from croupier.floor.dealt import DealtTable
from croupier.floor.files import demo_hall
from croupier.floor.roles import SOFTWARE, Role
from croupier.floor.service import FloorService
from croupier.floor.terminal import EVERYONE, Pick, Spot
from croupier.money import MICROS_PER_DOLLAR
from croupier.store import open_store, verify
from croupier.table.events import Event, WagerSettled
from croupier.table.table import Answer, Automations, DealCard, MakeWagers, Sit, StartRound
from tests.desks import DEALER, EXECUTIVE, NOW, SEED, Person, ask, meter, refused
from tests.floors import as_real

BY_HAND = Automations(deal=False, dealer=False)
SOFTWARE_DEALER = Person(SOFTWARE, Role.DEALER)
_ids = count()


def desk_on(path: Path, *, demo: bool) -> FloorService:
    desk = FloorService(open_store(str(path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), demo_floor() if demo else as_real(demo_floor()))
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FloorService]:
    made = desk_on(tmp_path, demo=True)
    yield made
    made.book.close()


def do(dealt: DealtTable, command: Any) -> list[Any]:
    return list(dealt.do(command, id=f"d-{next(_ids)}", revision=dealt.table.revision))


def sit(dealt: DealtTable, *spots: int, **wagers: int) -> None:
    for spot in spots:
        do(dealt, Sit(spot=spot, player=f"player {spot}"))
        do(dealt, MakeWagers(spot=spot, wagers={name: each * MICROS_PER_DOLLAR for name, each in wagers.items()}))


def deal(dealt: DealtTable, cards: str, *answers: tuple[int, str]) -> list[Any]:
    """Cards by hand, in the order in which they leave the shoe; answers when they are asked for."""
    happened = do(dealt, StartRound())
    waiting = list(answers)
    for card in parse_cards(cards):
        while dealt.table.state is not None and not dealt.table.can(DealCard(card=card)) and waiting:
            spot, answer = waiting.pop(0)
            happened += do(dealt, Answer(spot=spot, answer=answer))
        happened += do(dealt, DealCard(card=card))
    return happened


def settled(happened: list[Any], wager: str) -> list[WagerSettled]:
    return [one for one in happened if isinstance(one, WagerSettled) and one.wager == wager]


# Up card, a card to each seat, hole card; both stand on their tens; the dealer draws 5, 6, 7 to his 4: a suited 22.
WHOLE_METER = "4s Td Tc 5s 6s 7s"
STANDS = ((1, "stand"), (2, "stand"))


def test_a_meter_won_at_a_dealt_table_is_shared_and_paid_once(desk: FloorService) -> None:
    dealt = DealtTable(desk, "ddm_1", DEALER, automations=BY_HAND)
    sit(dealt, 1, 2, main=10, push_22_progressive=5)
    happened = deal(dealt, WHOLE_METER, *STANDS)
    # 50,000 + 2 x 0.95 = 50,001.90, half of it 25,000.95. The reserve's 2 x 0.05 joins the new seed.
    [award] = desk.book.awards()
    assert award.amount_micros == 50_001_900_000
    assert award.status == "paid"
    assert award.approved_by == ("demo",)
    assert meter(desk) == SEED + 100_000
    assert desk.table("ddm_1").terminal.phase == "open"
    assert dealt.table.rounds == 1
    assert [one.returned for one in settled(happened, "push_22_progressive")] == [25_000_950_000, 25_000_950_000]
    assert settled(happened, "main")
    sealed = desk.book.entry(award.id)
    assert sealed is not None
    assert "4s" in sealed.text
    assert verify(desk.book).is_good


def test_wagers_are_locked_before_the_first_card(desk: FloorService) -> None:
    dealt = DealtTable(desk, "ddm_1", DEALER, automations=BY_HAND)
    sit(dealt, 1, 3, main=10, push_22_progressive=5)
    do(dealt, StartRound())
    terminal = desk.table("ddm_1").terminal
    assert [spot.seat for spot in terminal.lit] == [1, 3]
    assert meter(desk) == SEED + 2 * 950_000
    assert dealt.table.log is not None
    assert dealt.table.log.steps == []


def test_linked_tables_move_the_meter_between_deal_and_hit(desk: FloorService) -> None:
    dealt, other = (DealtTable(desk, table, DEALER, automations=BY_HAND) for table in ("ddm_1", "ddm_2"))
    sit(dealt, 1, main=10, push_22_progressive=5)
    sit(other, 1, main=10, push_22_progressive=5)
    do(dealt, StartRound())
    do(other, StartRound())  # the meter moves on after the deal: 50,001.90
    for card in parse_cards("4s Td 5s"):
        do(dealt, DealCard(card=card))
    do(dealt, Answer(spot=1, answer="stand"))
    happened = [event for card in parse_cards("6s 7s") for event in do(dealt, DealCard(card=card))]
    [award] = desk.book.awards()
    assert (award.status, award.amount_micros) == ("paid", 50_001_900_000)
    [won] = settled(happened, "push_22_progressive")
    assert won.returned == 50_001_900_000


def test_on_a_real_floor_nothing_that_the_software_deals_is_booked(tmp_path: Path) -> None:
    desk = desk_on(tmp_path, demo=False)
    for by in (DEALER, SOFTWARE_DEALER):
        dealt = DealtTable(desk, "ddm_1", by, automations=BY_HAND)
        sit(dealt, 1, main=10, push_22_progressive=5)
        with refused("play_money"):
            do(dealt, StartRound())
    # Nor where the software asks without a table of its own.
    with refused("play_money"):
        desk.start(ask(SOFTWARE_DEALER), "ddm_1", chips=1, lit=[Spot(1, 1)])
    assert meter(desk) == SEED and desk.table("ddm_1").revision == 0
    desk.book.close()


def test_a_real_floor_has_no_sensors_where_the_software_deals(tmp_path: Path) -> None:
    floor = as_real(demo_hall())
    closed = [finding for finding in check_floor(floor, NOW.date()) if finding.severity == "refusal"]
    assert [(one.code, one.where) for one in closed] == [
        ("play_money", "tables.ddm_3.dealing"),
        ("play_money", "tables.baccarat_2.dealing"),
    ]
    assert not [one for one in check_floor(demo_hall(), NOW.date()) if one.code == "play_money"]
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    with refused("play_money"):
        desk.set_up(ask(EXECUTIVE), floor)
    assert desk.book.head()[0] == 0
    desk.book.close()


def test_a_start_that_was_cut_off_before_its_cards_is_done_again_and_locks_once(desk: FloorService) -> None:
    dealt = DealtTable(desk, "ddm_1", DEALER, automations=BY_HAND)
    sit(dealt, 1, main=10, push_22_progressive=5)
    as_it_is = dealt.table.do
    dealt.table.do = cut_off  # type: ignore[method-assign]
    with pytest.raises(LedgerError):
        dealt.do(StartRound(), id="start", revision=dealt.table.revision)
    assert dealt.table.log is None and meter(desk) == SEED + 950_000
    dealt.table.do = as_it_is  # type: ignore[method-assign]
    assert dealt.do(StartRound(), id="start", revision=dealt.table.revision)
    assert meter(desk) == SEED + 950_000


def cut_off(*_: object, **__: object) -> tuple[Event, ...]:
    raise LedgerError("The process ends here.", code="storage_failed")


def test_a_round_without_jackpot_wagers_is_played_all_the_same(desk: FloorService) -> None:
    dealt = DealtTable(desk, "ddm_1", DEALER)
    sit(dealt, 4, main=10)
    happened = do(dealt, StartRound())
    while dealt.table.log is not None:
        happened += do(
            dealt, Answer(spot=4, answer="stand" if dealt.table.can(Answer(spot=4, answer="stand")) else "decline")
        )
    assert settled(happened, "main")
    assert meter(desk) == SEED


def test_a_meter_won_where_the_software_deals_needs_nobodys_key(tmp_path: Path) -> None:
    desk = FloorService(open_store(str(tmp_path / "floor.db")), clock=lambda: NOW)
    desk.set_up(ask(EXECUTIVE), demo_hall())
    desk.start(ask(SOFTWARE_DEALER), "baccarat_2", chips=1, lit=[Spot(1, 1)])
    picks, cards = [Pick(EVERYONE, 1, "suited_six_cards")], "Kd Qd Td, 2d Jd 7d"
    view = desk.hit(ask(SOFTWARE_DEALER), "baccarat_2", picks=picks, evidence=cards, side="banker")
    desk.pay_as_demo(ask(SOFTWARE_DEALER), view.awards[0])
    assert desk.book.award(view.awards[0]).status == "paid"
    assert desk.end(ask(SOFTWARE_DEALER), "baccarat_2").terminal.phase == "open"
    desk.book.close()
