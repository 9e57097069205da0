"""A table is never wedged: ids that come again, purses spent elsewhere, players who left, two servers, and the step by
which two people clear a table that cannot go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from croupier.errors import LedgerError
from croupier.floor.service import Ask
from croupier.floor.terminal import Spot
from croupier.hall.actions import Action, Deal, Decide, LayChips, SitDown, TakeBack
from croupier.hall.hall import FIRST_PURSE, own_table
from croupier.hall.saved import KEPT_IDS, Pending, encode_command, read_saved
from croupier.hall.turns import BETTING_SECONDS, IDLE_SECONDS
from croupier.jackpot import RoundVoided, WagersLocked
from croupier.money import MICROS_PER_DOLLAR
from croupier.store import verify
from croupier.store.play import Player, PlayStore
from croupier.table.table import StartRound
from tests.desks import DEALER, EXECUTIVE, NOW, SUPERVISOR, ask, lock, meter, refused
from tests.halls import DEALER as SOFTWARE
from tests.halls import Clock, House, question

pytestmark = pytest.mark.slow

SENSOR = 5 * MICROS_PER_DOLLAR
ASKS = "4s 2d 5s 6s 7s 9c 9d 8h"
"""Up card, a card to the seat, hole card: the seat is asked."""
SUITED_22 = "4s Td 5s 6s 7s"


@pytest.fixture
def house(store_url: str) -> Iterator[House]:
    made = House(store_url)
    yield made
    made.close()


def sit_and_deal(house: House, player: Player, *spots: int, id: str = "") -> None:
    for spot in spots:
        house.sit_and_lay("ddm_3", player, spot, main=10, push_22_progressive=5)
    house.stack("ddm_3", SUITED_22 if len(spots) == 1 else "4s Td Tc 5s 6s 7s")
    house.do("ddm_3", player, Deal(spot=0), id=id or None)


def finish(house: House, player: Player) -> None:
    playing = house.hall.table("ddm_3")
    while (need := question(playing)) is not None:
        spot = playing.table.playing[need.seat - 1]
        word = "stand" if "stand" in need.legal else "decline"
        playing = house.do("ddm_3", player, Decide(spot=spot, answer=word, revision=playing.table.revision))


def entries_of(house: House, kind: type) -> list[Any]:
    log, found = 0, []
    while page := house.book.entries(after=log):
        log += len(page)
        found += [sealed.entry.event for sealed in page if isinstance(sealed.entry.event, kind)]
    return found


def out_of_memory(house: House) -> None:
    """As when so many others came that the table was dropped."""
    house.hall._drop(["ddm_3"])


@pytest.mark.parametrize("leave", [House.restart, out_of_memory, lambda house: None], ids=["restart", "drop", "stays"])
@pytest.mark.parametrize("spots", [(2, 3), (1,)], ids=["other seats", "same seats"])
def test_an_id_that_the_table_forgot_deals_a_round_of_its_own(
    house: House, leave: Callable[[House], None], spots: tuple[int, ...]
) -> None:
    player = house.player()
    sit_and_deal(house, player, 1, id="attack-id-0001")
    finish(house, player)
    locked = len(entries_of(house, WagersLocked))
    for number in range(KEPT_IDS // 2 + 5):
        house.lay("ddm_3", player, main=5)
        house.do("ddm_3", player, TakeBack(spot=1), id=f"press-{number:06d}")
    assert "attack-id-0001" not in read_saved(house.hall.store.table("ddm_3")[1]).done  # type: ignore[index]
    leave(house)
    for spot in spots:
        house.sit_and_lay("ddm_3", player, spot, main=10, push_22_progressive=5)
    house.stack("ddm_3", "4s Td 5s 6s 7s" if len(spots) == 1 else "4s Td Tc 5s 6s 7s")
    playing = house.do("ddm_3", player, Deal(spot=0), id="attack-id-0001")
    assert len(entries_of(house, WagersLocked)) == locked + 1, "cards are dealt for wagers that are booked"
    assert playing.table.playing == list(spots) and not playing.stuck
    finish(house, player)
    assert house.hall.table("ddm_3").table.rounds == 2 and verify(house.book).is_good


def test_a_page_that_is_older_than_what_a_table_remembers_is_refused(house: House) -> None:
    player = house.player()
    table = own_table(player, "blackjack")
    chip = LayChips(spot=1, wager="main", micros=MICROS_PER_DOLLAR)
    made_at = house.hall.table(table).revision
    house.hall.act(table, player, chip, id="the-first", made_at=made_at)
    for number in range(KEPT_IDS - 1):
        house.hall.act(table, player, chip if number % 2 else TakeBack(spot=1), id=f"press-{number:06d}")
    house.hall.act(table, player, chip, id="the-first", made_at=made_at)  # remembered to the last
    house.hall.act(table, player, chip, id="one-more")
    with refused("old_page"):
        house.hall.act(table, player, chip, id="the-first", made_at=made_at)


def test_nobody_but_the_software_has_ids_like_the_softwares(house: House) -> None:
    id = f"software:ddm_3:{house.desk.table('ddm_3').revision}:clock:1:lock"
    with refused("reserved_id"):
        house.desk.sense(ask(DEALER, id=id), "ddm_1", 1, 1, lit=True)
    player = house.player()
    sit_and_deal(house, player, 1)
    booked = [one.entry for one in house.book.entries(after=0) if one.entry.id.startswith("software:ddm_3:0:")]
    assert booked and {entry.actor for entry in booked} == {"software"}


# Purses and players.


@pytest.mark.parametrize("table", ["blackjack_1", "ddm_3"])
def test_chips_that_were_spent_elsewhere_hold_nobody_up(house: House, table: str) -> None:
    first, second = house.player(), house.player()
    house.sit_and_lay(table, first, 1, main=200)
    house.sit_and_lay(table, second, 5, main=10)
    house.do(table, first, Deal(spot=1))
    own = own_table(first, "mini_baccarat")
    for _ in range(3):
        house.lay(own, first, 1, player=300)
        house.stack(own, "2d 9c Td Tc Th 9h")  # the banker's natural 9 wins
        house.do(own, first, Deal(spot=1))
    assert house.micros(first) == 100 * MICROS_PER_DOLLAR
    playing = house.do(table, second, Deal(spot=5))
    assert playing.table.log is None or playing.table.playing == [5]
    house.clock.move(BETTING_SECONDS + 1)
    house.hall.tick()
    playing = house.hall.table(table)
    assert playing.table.playing == [5] and not playing.stuck
    assert playing.places[0].draft == {"main": 200 * MICROS_PER_DOLLAR} and house.micros(first) >= 0


def test_somebody_alone_who_leaves_in_a_round_does_not_keep_the_table(house: House) -> None:
    player = house.player()
    house.sit_and_lay("blackjack_1", player, 1, main=10)
    house.stack("blackjack_1", "5d 6s 5h Td 2c 2h 2s")
    assert question(house.do("blackjack_1", player, Deal(spot=1))) is not None
    house.clock.move(IDLE_SECONDS - 1)
    house.hall.tick()
    assert house.hall.table("blackjack_1").table.log is not None
    house.clock.move(2)
    house.hall.tick()
    assert house.hall.table("blackjack_1").table.rounds == 1


def test_a_table_that_the_clock_fails_at_does_not_stop_the_others(house: House) -> None:
    first, second = house.player(), house.player()
    for table in ("barrel_1", "blackjack_1"):
        house.sit_and_lay(table, first, 1, main=10)
        house.sit_and_lay(table, second, 5, main=10)
        house.do(table, first, Deal(spot=1))
    revision, _ = house.hall.store.table("barrel_1") or (0, "")
    house.hall.store.save("barrel_1", revision=revision, body="{}", at_micros=0, due_micros=0)
    house.clock.move(BETTING_SECONDS + 1)
    with pytest.raises(LedgerError):
        house.hall.table("barrel_1")
    with suppress(LedgerError):  # who sits there is not known, so no guest is forgotten either
        house.hall.tick()
    assert house.hall.table("blackjack_1").table.playing == [1]
    assert "barrel_1" not in house.hall.store.due(house.hall.now_micros()), "it is looked at again in a while"


# Two servers.


class Overtaken(PlayStore):
    """Another server is faster, once."""

    first: Callable[[], None] | None = None

    def save(self, *arguments: Any, **named: Any) -> int:
        if self.first is not None:
            overtake, self.first = self.first, None
            overtake()
        return super().save(*arguments, **named)


@pytest.fixture
def two(store_url: str) -> Iterator[tuple[House, House]]:
    clock = Clock()
    here, there = House(store_url, clock=clock, store_kind=Overtaken), House(store_url, clock=clock)
    yield here, there
    here.close()
    there.close()


def overtake(here: House, there: House, table: str, player: Player, action: Action) -> None:
    store: Any = here.hall.store
    store.first = lambda: there.do(table, player, action) and None


def test_a_press_that_another_server_overtook_is_done_on_what_that_left(two: tuple[House, House]) -> None:
    here, there = two
    first, second = here.player(), here.player()
    overtake(here, there, "blackjack_1", second, SitDown(spot=5))
    here.do("blackjack_1", first, SitDown(spot=1))  # both were the first to use the table
    for wager in ("main", "lucky_lucky"):
        overtake(here, there, "blackjack_1", second, LayChips(spot=5, wager="main", micros=5 * MICROS_PER_DOLLAR))
        here.lay("blackjack_1", first, 1, **{wager: 5})
    places = here.hall.table("blackjack_1").places
    assert places[0].draft == {"main": 5 * MICROS_PER_DOLLAR, "lucky_lucky": 5 * MICROS_PER_DOLLAR}
    assert places[4].draft == {"main": 10 * MICROS_PER_DOLLAR}
    overtake(here, there, "blackjack_1", second, Deal(spot=5))
    assert here.do("blackjack_1", first, Deal(spot=1)).table.playing == [1, 5]


def test_an_answer_is_not_done_to_another_question(two: tuple[House, House]) -> None:
    here, there = two
    player = here.player()
    table = own_table(player, "blackjack")
    here.lay(table, player, main=10)
    here.stack(table, "2d 6s 2h 5d 3h 2c 2s 2d 3d")
    playing = here.do(table, player, Deal(spot=1))
    hit = Decide(spot=1, answer="hit", revision=playing.table.revision)
    overtake(here, there, table, player, hit)
    with refused("stale_revision"):
        here.do(table, player, hit)
    log = here.hall.table(table).table.log
    assert log is not None and log.steps.count("hit") == 1


# Clearing.


def wedge_before_the_deal(house: House, player: Player) -> None:
    """As earlier programs left it: a noted command whose id the ledger has for something else."""
    house.sit_and_lay("ddm_3", player, 1, main=10, push_22_progressive=5)
    house.desk.start(Ask(id="ddm_3:old/start:lock", by=SOFTWARE), "blackjack_1", chips=0)
    house.desk.end(Ask(id="end-it", by=SOFTWARE), "blackjack_1")
    revision, body = house.hall.store.table("ddm_3") or (0, "")
    saved = read_saved(body)
    saved.pending = Pending(id="old/start", command=encode_command(StartRound()))
    saved.wagers[0] = {"main": 10 * MICROS_PER_DOLLAR, "push_22_progressive": SENSOR}
    body = msgspec.json.encode(saved).decode()
    house.hall.store.save("ddm_3", revision=revision, body=body, at_micros=0, due_micros=0)


def wedge_in_the_round(house: House, player: Player) -> None:
    """Cards lie there, and the ledger knows no round."""
    house.sit_and_lay("ddm_3", player, 1, main=10, push_22_progressive=5)
    house.stack("ddm_3", ASKS)
    assert question(house.do("ddm_3", player, Deal(spot=1))) is not None
    house.desk.end(Ask(id="ended-elsewhere", by=SOFTWARE), "ddm_3")


def wedge_with_wagers_booked(house: House, player: Player) -> None:
    """The wagers are locked and the cards were never dealt: the row of the table is an older one."""
    house.sit_and_lay("ddm_3", player, 1, main=10, push_22_progressive=5)
    house.desk.start(Ask(id="by-the-software", by=SOFTWARE), "ddm_3", chips=1, lit=[Spot(1, 1)])


WEDGES = [wedge_before_the_deal, wedge_in_the_round, wedge_with_wagers_booked]


@pytest.mark.parametrize("wedge", WEDGES, ids=lambda wedge: wedge.__name__)
def test_two_people_clear_a_table_that_cannot_go_on(house: House, wedge: Callable[[House, Player], None]) -> None:
    player = house.player()
    wedge(house, player)
    assert house.hall.why_stuck("ddm_3")
    with refused("software_deals"):
        house.desk.void(ask(SUPERVISOR), "ddm_3", "It does not go on.")
    with refused("same_person"):
        house.hall.clear(ask(SUPERVISOR), "ddm_3", "It does not go on.", SUPERVISOR)
    for signers in ((DEALER, SUPERVISOR), (SUPERVISOR, DEALER)):
        with refused("not_allowed"):
            house.hall.clear(ask(signers[0]), "ddm_3", "It does not go on.", signers[1])
    with refused("note_missing"):
        house.hall.clear(ask(SUPERVISOR), "ddm_3", " ", EXECUTIVE)
    voided = len(entries_of(house, RoundVoided))
    cleared = house.hall.clear(ask(SUPERVISOR, id="clear-1"), "ddm_3", "It does not go on.", EXECUTIVE)
    assert cleared.terminal.phase == "open" and house.micros(player) == FIRST_PURSE
    assert len(entries_of(house, RoundVoided)) - voided == (wedge is wedge_with_wagers_booked)
    # Asked again it is the first answer; later it is refused, as the table is well.
    assert house.hall.clear(ask(SUPERVISOR, id="clear-1"), "ddm_3", "It does not go on.", EXECUTIVE) == cleared
    with refused("not_stuck"):
        house.hall.clear(ask(SUPERVISOR), "ddm_3", "Once more.", EXECUTIVE)
    house.restart()
    assert house.hall.why_stuck("ddm_3") == "" and house.hall.table("ddm_3").places[0].player == player.id
    house.lay("ddm_3", player, 1, main=10, push_22_progressive=5)
    house.stack("ddm_3", ASKS)
    house.do("ddm_3", player, Deal(spot=1))
    finish(house, player)
    entries = house.hall.store.purse_of(player.id, limit=1000)
    assert sum(entry.micros for entry in entries) == house.micros(player)
    assert verify(house.book).is_good


class FailsOnce(PlayStore):
    """The power is cut at a write, before it is on the disk or after."""

    fails = ""

    def save(self, *arguments: Any, **named: Any) -> int:
        fails, self.fails = self.fails, ""
        if fails == "before":
            raise LedgerError("Power cut.", code="storage_failed")
        revision = super().save(*arguments, **named)
        if fails == "after":
            raise LedgerError("Power cut.", code="storage_failed")
        return revision


@pytest.mark.parametrize("fails", ["before", "after"])
def test_a_clearing_that_is_cut_off_gives_play_money_back_once(store_url: str, fails: str) -> None:
    house = House(store_url, store_kind=FailsOnce)
    player = house.player()
    wedge_in_the_round(house, player)
    assert house.micros(player) == FIRST_PURSE - 15 * MICROS_PER_DOLLAR
    store: Any = house.hall.store
    store.fails = fails
    with suppress(LedgerError):  # what was stored all the same is seen at once
        house.hall.clear(ask(SUPERVISOR, id="clear-1"), "ddm_3", "Stuck.", EXECUTIVE)
    house.restart()
    house.hall.clear(ask(SUPERVISOR, id="clear-1"), "ddm_3", "Stuck.", EXECUTIVE)
    house.restart()
    house.hall.table("ddm_3")
    assert house.micros(player) == FIRST_PURSE and house.hall.why_stuck("ddm_3") == ""
    house.close()


def test_a_clearing_by_another_process_is_seen_at_the_next_look(two: tuple[House, House]) -> None:
    here, there = two
    player = here.player()
    wedge_in_the_round(here, player)
    there.hall.clear(ask(SUPERVISOR), "ddm_3", "Stuck.", EXECUTIVE)
    assert here.hall.table("ddm_3").table.log is None and here.micros(player) == FIRST_PURSE


def test_a_table_dealt_by_hand_is_cleared_whatever_was_pressed(house: House) -> None:
    with refused("not_stuck"):
        house.hall.clear(ask(SUPERVISOR), "ddm_1", "Nothing is wrong.", EXECUTIVE)
    lock(house.desk, "ddm_1", 1, 2)
    house.desk.pick(ask(DEALER), "ddm_1", 1, 1, "suited_22")
    house.desk.stop(ask(SUPERVISOR), "ddm_1", "The terminal does not answer.")
    before = meter(house.desk)
    cleared = house.hall.clear(ask(SUPERVISOR), "ddm_1", "The terminal was changed.", EXECUTIVE).terminal
    assert (cleared.phase, cleared.lit, cleared.picks) == ("open", (), ())
    assert cleared.stopped, "it is put back into service by its own step"
    [voided] = entries_of(house, RoundVoided)
    assert len(voided.bets) == 2 and meter(house.desk) == before, "meters keep what they got, as by a misdeal"
    [noted] = house.book.facts("cleared:")
    assert noted.body["second"] == EXECUTIVE.id and noted.body["why"] == "The terminal was changed."


def test_a_table_is_not_cleared_while_a_claim_is_open(house: House) -> None:
    lock(house.desk, "ddm_1", 1)
    house.desk.pick(ask(DEALER), "ddm_1", 1, 1, "suited_22")
    [award] = house.desk.hit(ask(DEALER), "ddm_1").awards
    with refused("claim_open"):
        house.hall.clear(ask(SUPERVISOR), "ddm_1", "Stuck.", EXECUTIVE)
    house.desk.reject(ask(SUPERVISOR), award, "Not a suited 22.")
    house.hall.clear(ask(SUPERVISOR), "ddm_1", "Stuck.", EXECUTIVE)
    assert len(entries_of(house, RoundVoided)) == 1


def test_a_round_that_has_paid_is_ended_and_not_voided(house: House) -> None:
    lock(house.desk, "ddm_1", 1)
    house.desk.pick(ask(DEALER), "ddm_1", 1, 1, "suited_22")
    [award] = house.desk.hit(ask(DEALER), "ddm_1").awards
    house.desk.pay(ask(SUPERVISOR), award)
    assert house.hall.clear(ask(SUPERVISOR), "ddm_1", "Stuck.", EXECUTIVE).terminal.phase == "open"
    assert entries_of(house, RoundVoided) == [] and house.book.award(award).status == "paid"
    assert house.clock.now == NOW
