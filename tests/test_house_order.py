"""In which order a house deals and settles, what lies face down, and what old records mean by saying nothing of it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from croupier.cards import parse_card
from croupier.hall.actions import Deal, Decide, SitDown
from croupier.hall.hall import own_table
from croupier.hall.saved import rules_from_saved, rules_to_saved
from croupier.kernels.blackjack import BlackjackRules
from croupier.reports.rounds.text import round_lines
from croupier.reports.simulation.compare import Wish, prepare
from croupier.rules import find_game, game_ids
from croupier.simulate.run import one_seat, run
from croupier.table.events import CardDealt, CardsTurned
from croupier.table.log import log_text, parse_log
from croupier.table.setup import make_rules, parse_stakes
from croupier.table.shoe import LiveShoe
from croupier.table.table import Automations, DealCard, MakeWagers, Sit, StartRound, Table
from tests.halls import House

pytestmark = pytest.mark.slow

DAY = date(2026, 11, 16)
OLD_LOG = """croupier round 1
game double_down_madness
rules 2025-02-11
day 2026-11-16
decks 6
seat main=10.00 push_22=5.00
seat main=10.00 push_22=5.00
card 7d
card 9h
card 8h
card Tc
answer hit
card 9s
answer stand
answer hit
card 9d
answer stand
"""
"""As the program wrote it before there were these options."""


def test_a_log_without_these_options_is_replayed_as_it_was_dealt() -> None:
    state = parse_log(OLD_LOG).state()
    assert [(event.seat, event.wager) for event in state.settled] == [
        (1, "main"),
        (2, "main"),
        (1, "push_22"),
        (2, "push_22"),
    ]
    assert not any(isinstance(event, CardsTurned) and event.to == "dealer" for event in state.events)
    first = next(event for event in state.events if isinstance(event, CardDealt))
    assert (first.card, first.face_down) == (parse_card("7d"), False)


def test_a_new_log_says_what_an_old_one_left_out() -> None:
    text = OLD_LOG.replace("seat", "set settled_from=right\nset first_card=face_down\nseat", 1)
    log = parse_log(text)
    written = log_text(log)
    assert written.startswith("croupier round 2\n") and log_text(parse_log(written)) == written
    assert {"set settled_from=right", "set first_card=face_down"} <= set(written.splitlines())
    assert [event.seat for event in log.state().settled] == [2, 1, 2, 1]
    assert "A card face down to the dealer." in list(round_lines(log.state()))
    assert "The dealer turns [red]7♦[/red]." in list(round_lines(log.state()))


@pytest.mark.parametrize("name", game_ids())
def test_what_a_table_does_today_is_in_its_logs_and_in_what_is_saved(name: str) -> None:
    rules = make_rules(find_game(name), day=DAY)
    saved = rules_to_saved(rules)
    assert rules_from_saved(saved).switches == rules.switches
    for switch in rules.game.switches:
        if switch.before:
            assert saved.settings[switch.id] == switch.default
            del saved.settings[switch.id]
            assert rules_from_saved(saved).switches[switch.id] == switch.before


@pytest.mark.parametrize("name", ["double_down_madness", "double_barrel"])
def test_the_first_card_is_in_no_view_before_it_is_turned(name: str) -> None:
    rules = make_rules(find_game(name), day=DAY, decks=1)
    table = Table(rules, LiveShoe(1), Automations(deal=False, dealer=False, settle=False))

    def do(command: Sit | MakeWagers | StartRound | DealCard) -> None:
        table.do(command, revision=table.revision)

    do(Sit(spot=1, player="ann"))
    do(MakeWagers(spot=1, wagers=parse_stakes("main=10", rules.game)))
    do(StartRound())
    cards = {"double_down_madness": "7d 6h Tc", "double_barrel": "9h 5c 7d 4s Tc"}[name].split()
    for text in cards[:-1]:
        do(DealCard(card=parse_card(text)))
        state = table.state
        assert state is not None
        assert state.shown_row(rules.game.declared.dealer) == []
        for seat in (0, 1):
            assert all(
                event.card is None
                for event in state.seen_events(seat)
                if isinstance(event, CardDealt) and event.to == "dealer"
            )
    do(DealCard(card=parse_card(cards[-1])))
    assert table.state is not None and table.state.shown_row(table.state.rules.game.declared.dealer) == [
        parse_card("7d")
    ]


def test_the_rules_of_one_seat_keep_every_other_field() -> None:
    odd = BlackjackRules(*range(7, 7 + len(BlackjackRules._fields)))
    assert one_seat(BlackjackRules)(odd) == odd._replace(seats=1)


@pytest.mark.parametrize("game", ["blackjack", "double_down_madness"])
def test_simulated_counts_do_not_depend_on_the_order_of_settlement(game: str) -> None:
    wish = Wish(settings={}, pay_tables={}, seats=3)
    spec = prepare(find_game(game), wish).spec
    left = prepare(find_game(game), Wish(settings={"settled_from": "left"}, pay_tables={}, seats=3)).spec
    assert spec.hash == left.hash
    right = replace(spec, rules=spec.rules._replace(from_right=1, first_face_down=1))
    assert np.array_equal(run(spec, 7, 20), run(right, 7, 20))


def forget_the_switch(house: House, table: str) -> None:
    """Leaves a table as a program did that did not know the switch."""
    found = house.hall.store.table(table)
    assert found is not None
    revision, body = found
    saved = json.loads(body)
    del saved["rules"]["settings"]["settled_from"]
    house.hall.store.save(table, revision=revision, body=json.dumps(saved), at_micros=house.hall.now_micros())


def test_a_table_saved_between_rounds_before_there_was_a_switch_follows_its_default(tmp_path: Path) -> None:
    house = House(str(tmp_path / "floor.db"))
    player = house.player()
    table = own_table(player, "blackjack")
    house.do(table, player, SitDown(spot=1))
    forget_the_switch(house, table)
    assert house.hall.table(table).table.rules.switches["settled_from"] == "right"
    house.close()


def test_a_round_on_the_table_is_finished_as_it_was_dealt(tmp_path: Path) -> None:
    house = House(str(tmp_path / "floor.db"))
    player = house.player()
    table = own_table(player, "blackjack")
    house.sit_and_lay(table, player, main=10)
    house.stack(table, "Td 6s 6h Td 5h 5c")
    house.do(table, player, Deal(spot=1))
    forget_the_switch(house, table)
    playing = house.hall.table(table)
    assert playing.table.rules.switches["settled_from"] == "left"
    house.do(table, player, Decide(spot=1, answer="stand", revision=playing.table.revision))
    finished = house.hall.store.round(table, 1)
    assert finished is not None and "set settled_from=left" in finished.log
    house.close()
