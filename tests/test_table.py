"""A table: commands, ids, revisions, automations."""

from __future__ import annotations

from datetime import date

import pytest

from croupier.errors import CroupierError, IllegalActionError, StaleRevisionError
from croupier.rules import find_game
from croupier.table.events import CardDealt, RoundEnded, RoundFinished, RoundStarted, ShoeShuffled, WagersMade
from croupier.table.numbers import NeedsCard
from croupier.table.replay import NeedsAnswer
from croupier.table.setup import WagerLimits, make_rules, parse_stakes
from croupier.table.shoe import LiveShoe, commitment_of
from croupier.table.table import (
    Answer,
    Automations,
    Command,
    DealCard,
    FinishRound,
    Leave,
    MakeWagers,
    Sit,
    StartRound,
    Table,
)

DAY = date(2026, 11, 16)
DOLLAR = 1_000_000


def make_table(name: str = "blackjack", *, automations: Automations | None = None, decks: int | None = None) -> Table:
    rules = make_rules(find_game(name), day=DAY, decks=decks)
    return Table(rules, LiveShoe(rules.decks), automations or Automations())


def do(table: Table, command: Command) -> None:
    table.do(command, revision=table.revision)


def code_of(table: Table, command: Command) -> str:
    with pytest.raises(CroupierError) as caught:
        table.verify(command)
    assert not table.can(command)
    return caught.value.code


def seated(name: str = "blackjack", wagers: str = "main=10", **options: object) -> Table:
    table = make_table(name, **options)  # type: ignore[arg-type]
    do(table, Sit(spot=3, player="ann"))
    do(table, MakeWagers(spot=3, wagers=parse_stakes(wagers, table.rules.game)))
    return table


def test_a_command_for_an_older_revision_is_refused() -> None:
    table = seated()
    with pytest.raises(StaleRevisionError):
        table.do(StartRound(), revision=table.revision - 1)
    assert table.log is None


def test_a_refused_command_leaves_the_table_as_it_was() -> None:
    table = seated(automations=Automations(settle=False))
    do(table, StartRound())
    before = (table.revision, table.shoe.used, list(table.log.steps) if table.log else None)
    with pytest.raises(CroupierError):
        table.do(Answer(spot=1, answer="hit"), revision=table.revision)
    with pytest.raises(CroupierError):
        table.do(MakeWagers(spot=3, wagers={"main": 5 * DOLLAR}), revision=table.revision)
    assert (table.revision, table.shoe.used, list(table.log.steps) if table.log else None) == before


def test_wagers_outside_the_limits_are_refused_with_their_codes() -> None:
    rules = make_rules(
        find_game("blackjack"), day=DAY, limits={"main": WagerLimits(least=5 * DOLLAR, most=100 * DOLLAR)}
    )
    table = Table(rules, LiveShoe(6))
    do(table, Sit(spot=1, player="bob"))
    assert code_of(table, MakeWagers(spot=1, wagers={"main": 4 * DOLLAR})) == "under_minimum"
    assert code_of(table, MakeWagers(spot=1, wagers={"main": 101 * DOLLAR})) == "over_maximum"
    assert code_of(table, MakeWagers(spot=1, wagers={"lucky_break": DOLLAR})) == "no_main_wager"
    over = {"main": 100 * DOLLAR, "lucky_break": 401 * DOLLAR}
    assert code_of(table, MakeWagers(spot=1, wagers=over)) == "over_legal_limit"


def test_the_legal_limit_is_that_of_the_rounds_own_day() -> None:
    game = find_game("blackjack")
    stakes = {"main": 350 * DOLLAR}
    make_rules(game, day=date(2024, 1, 1)).check_stakes(stakes, 1)
    with pytest.raises(IllegalActionError) as caught:
        make_rules(game, day=date(2020, 1, 1)).check_stakes(stakes, 1)
    assert caught.value.code == "over_legal_limit"


def test_spots_can_be_taken_once_and_left_only_between_rounds() -> None:
    table = seated(automations=Automations(settle=False))
    assert code_of(table, Sit(spot=3, player="eve")) == "spot_taken"
    assert code_of(table, Leave(spot=4)) == "spot_empty"
    assert code_of(table, Sit(spot=8, player="eve")) == "no_spot"
    do(table, StartRound())
    assert code_of(table, Leave(spot=3)) == "round_on"


def test_a_dealer_who_presses_every_button_deals_card_by_card() -> None:
    table = seated(automations=Automations(deal=False, dealer=False, settle=False))
    do(table, StartRound())
    assert isinstance(table.state and table.state.need, NeedsCard)
    for text_card in (35, 20, 33, 37):  # 9s 6c / 9d Td: nobody has a blackjack
        do(table, DealCard(card=text_card))
    assert table.shoe.used == 0
    state = table.state
    assert state is not None and isinstance(state.need, NeedsAnswer)
    assert code_of(table, DealCard()) == "no_card_due"
    assert code_of(table, FinishRound()) == "round_on"
    do(table, Answer(spot=3, answer="stand"))
    do(table, DealCard(card=36))
    assert table.state is not None and table.state.is_complete
    do(table, FinishRound())
    assert table.log is None and len(table.history) == 1


def test_an_impossible_card_cannot_be_dealt() -> None:
    table = seated(automations=Automations(deal=False), decks=1)
    do(table, StartRound())
    do(table, DealCard(card=7))
    assert code_of(table, DealCard(card=7)) == "impossible_card"


def test_events_say_what_a_command_caused() -> None:
    table = make_table("mini_baccarat")
    do(table, Sit(spot=1, player="ann"))
    made = table.do(MakeWagers(spot=1, wagers={"player": DOLLAR}), revision=table.revision)
    assert made == (WagersMade(spot=1, wagers=(("player", DOLLAR),)),)
    events = table.do(StartRound(), revision=table.revision)
    assert isinstance(events[0], RoundStarted)
    assert sum(isinstance(event, CardDealt) for event in events) >= 4
    assert isinstance(events[-2], RoundEnded) and isinstance(events[-1], RoundFinished)


def test_sensors_of_one_jackpot_take_one_amount_at_a_table() -> None:
    table = seated("double_down_madness", "main=10 push_22_progressive=1")
    do(table, Sit(spot=5, player="bob"))
    mixed = MakeWagers(spot=5, wagers=parse_stakes("main=10 push_22_progressive=5", table.rules.game))
    assert code_of(table, mixed) == "mixed_sensors"


def test_a_command_that_fails_on_the_way_changes_nothing() -> None:
    table = seated(automations=Automations(player=lambda need, state: "fly"))
    before = (table.revision, table.shoe.used, table.log, list(table.shoe.order))
    for _ in range(50):  # now and then nobody is asked, and the round ends well
        try:
            table.do(StartRound(), revision=table.revision)
        except IllegalActionError as error:
            assert error.code == "illegal_answer"
            assert (table.revision, table.shoe.used, table.log, list(table.shoe.order)) == before
            return
        do(table, MakeWagers(spot=3, wagers={"main": DOLLAR}))
        before = (table.revision, table.shoe.used, table.log, list(table.shoe.order))
    raise AssertionError("nobody was asked in fifty rounds")


def test_events_that_a_command_returns_do_not_show_the_hole_card() -> None:
    table = seated(automations=Automations(settle=False))
    events = table.do(StartRound(), revision=table.revision)
    holes = [event for event in events if isinstance(event, CardDealt) and event.to == "hole"]
    assert [event.card for event in holes] == [None]


def test_a_sealed_shoe_reveals_its_seed_in_the_event_of_the_next_shuffle() -> None:
    rules = make_rules(find_game("mini_baccarat"), day=DAY)
    table = Table(rules, LiveShoe(8, cut=1, sealed=True))
    do(table, Sit(spot=1, player="ann"))
    first = table.shoe.commitment
    do(table, MakeWagers(spot=1, wagers={"tie": DOLLAR}))
    do(table, StartRound())
    do(table, MakeWagers(spot=1, wagers={"tie": DOLLAR}))
    events = table.do(StartRound(), revision=table.revision)
    shuffled = events[0]
    assert isinstance(shuffled, ShoeShuffled)
    assert shuffled.revealed_commitment == first == commitment_of(bytes.fromhex(shuffled.revealed_seed))


def test_impossible_values_in_commands_are_refused() -> None:
    table = seated(automations=Automations(deal=False))
    do(table, StartRound())
    assert code_of(table, DealCard(card=-1)) == "bad_card"
    assert code_of(table, DealCard(card=99)) == "bad_card"
    other = make_table()
    assert code_of(other, Sit(spot=1, player=" ")) == "no_name"
    do(other, Sit(spot=1, player="ann"))
    assert code_of(other, MakeWagers(spot=1, wagers={"main": "10"})) == "bad_amount"  # type: ignore[dict-item]
    with pytest.raises(IllegalActionError, match="decks"):
        Table(other.rules, LiveShoe(8))


def test_more_hands_than_the_shoe_can_serve_are_refused() -> None:
    table = make_table("double_barrel", decks=1)
    for spot in (1, 2, 3):
        do(table, Sit(spot=spot, player="ann"))
        do(table, MakeWagers(spot=spot, wagers={"main": DOLLAR}))
    assert code_of(table, StartRound()) == "too_many_hands"


def test_a_player_is_told_the_number_of_their_own_seat() -> None:
    table = make_table("double_down_madness")
    for spot, player in ((2, "ann"), (4, "bob")):
        do(table, Sit(spot=spot, player=player))
    do(table, MakeWagers(spot=2, wagers={"main": 10 * DOLLAR}))
    with pytest.raises(IllegalActionError, match="Seat 4 makes no main wager"):
        do(table, MakeWagers(spot=4, wagers={"push_22": 5 * DOLLAR}))
