"""What a player's page is made of: nothing in it that this player may not see, and all that a question costs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import date

import pytest
from msgspec import json, structs

from croupier.cards import card_text, parse_cards
from croupier.hall.play import Playing
from croupier.hall.shown import HallTableView
from croupier.hall.view import view_of
from croupier.kernels.declaration import Round
from croupier.kernels.rounds import find_round
from croupier.money import MICROS_PER_DOLLAR
from croupier.rules import find_game, game_ids
from croupier.rules.spec import Game
from croupier.store.play import Player
from croupier.table.replay import NeedsAnswer, RoundState
from croupier.table.setup import make_rules
from croupier.table.shoe import LiveShoe
from croupier.table.table import Answer, Automations, Command, MakeWagers, Sit, StartRound, Table
from croupier.testing import check_game

DAY = date(2026, 11, 16)
DOLLAR = MICROS_PER_DOLLAR
ANN, BOB, STRANGER = (Player(name, name, 1000 * DOLLAR) for name in ("ann", "bob", "eve"))
SPOTS = {"ann": 2, "bob": 5}


def do(table: Table, command: Command) -> None:
    table.do(command, revision=table.revision)


def dealt(game: Game, *, decks: int = 1, cards: str = "", **settings: str) -> Table:
    """A round of two players, dealt as far as somebody is asked."""
    rules = make_rules(game, day=DAY, decks=decks, settings=settings)
    table = Table(rules, LiveShoe(decks), Automations(settle=False))
    for player, spot in SPOTS.items():
        do(table, Sit(spot=spot, player=player))
        do(table, MakeWagers(spot=spot, wagers={game.first_wager.id: 10 * DOLLAR}))
    wanted = parse_cards(cards)
    table.shoe.order = wanted + [card for card in table.shoe.order if card not in wanted]
    do(table, StartRound())
    return table


def seen_by(table: Table, player: Player) -> HallTableView:
    playing = Playing(
        id="test",
        table=table,
        clock=lambda: 0,
        purse_of=lambda _: 0,
        save=lambda _: None,
        require_room=lambda: None,
    )
    for name, spot in SPOTS.items():
        place = playing.places[spot - 1]
        place.player = place.name = name
        place.last = dict(table.spots[spot - 1].wagers)
    return view_of(playing, player, 0)


def as_text(view: HallTableView) -> str:
    return json.encode(asdict(replace(view, rules=None))).decode()  # type: ignore[arg-type]


def state_of(table: Table) -> RoundState:
    assert table.state is not None
    return table.state


def hidden_from(state: RoundState, seat: int | None) -> list[int]:
    """The cards on the table whose faces a seat (from 0) does not see, by what lies where alone."""
    return [
        one.card
        for place, row in state.cards.items()
        for one in row
        if one.face == "down" or (one.face == "owner" and place // 8 != seat)
    ]


@pytest.fixture
def poker_faced(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """Blackjack in which everybody keeps their cards to themselves."""
    usual = find_round("blackjack")
    assert usual is not None
    places = tuple(replace(place, face="owner") if place.id == "seat" else place for place in usual.places)
    secret = replace(usual, places=places)

    def find(name: str) -> Round | None:
        return secret if name == "secret" else find_round(name)

    monkeypatch.setattr("croupier.rules.spec.find_round", find)
    monkeypatch.setattr("croupier.table.replay.find_round", find)
    monkeypatch.setattr("croupier.table.numbers.find_round", find)
    yield structs.replace(find_game("blackjack"), round="secret")


@pytest.mark.parametrize("name", [name for name in game_ids() if find_game(name).declared.plays_dealer_out])
def test_a_card_face_down_is_in_no_view_before_it_is_turned(name: str) -> None:
    """One deck, so that a card's text stands for one card; hundreds of looks, by everybody."""
    chance, looks = random.Random(7), 0
    for _ in range(60):
        table = dealt(find_game(name))
        while isinstance(need := state_of(table).need, NeedsAnswer):
            [hole] = hidden_from(state_of(table), None)
            for player in (ANN, BOB, STRANGER):
                view = seen_by(table, player)
                assert f'"{card_text(hole)}"' not in as_text(view)
                assert sum(card is None for row in view.rows for card in row.cards) == 1
                looks += 1
            do(table, Answer(spot=table.playing[need.seat - 1], answer=chance.choice(need.legal)))
        assert not hidden_from(state_of(table), None)
        assert all(card is not None for row in seen_by(table, STRANGER).rows for card in row.cards)
    assert looks > 300


def test_cards_of_ones_own_are_seen_by_their_owner_alone(poker_faced: Game) -> None:
    assert_seen_by_owners_alone(poker_faced)


def test_cards_of_a_poker_game_are_seen_by_their_owner_alone() -> None:
    assert_seen_by_owners_alone(find_game("three_card_poker"))


def assert_seen_by_owners_alone(game: Game) -> None:
    chance, looks = random.Random(3), 0
    for _ in range(60):
        table = dealt(game)
        while True:
            state = state_of(table)
            for player in (ANN, BOB, STRANGER):
                seat = table.playing.index(SPOTS[player.id]) if player.id in SPOTS else None
                view = seen_by(table, player)
                text = as_text(view)
                assert not any(f'"{card_text(card)}"' in text for card in hidden_from(state, seat))
                for number, spot in enumerate(table.playing):
                    for hand, cards in zip(view.spots[spot - 1].hands, state.seats[number], strict=True):
                        assert [card is not None for card in hand.cards] == [number == seat] * len(cards)
                        assert bool(hand.total) == (number == seat) and (number == seat or not hand.is_over)
                looks += 1
            if not isinstance(state.need, NeedsAnswer):
                break
            do(table, Answer(spot=table.playing[state.need.seat - 1], answer=chance.choice(state.need.legal)))
    assert looks > 300


def test_the_conformance_suite_holds_where_cards_are_ones_own(poker_faced: Game) -> None:
    assert check_game(poker_faced, rounds=60) == 60


def test_only_the_one_who_is_asked_sees_the_answers_and_what_each_costs() -> None:
    table = dealt(find_game("blackjack"), decks=6, cards="8s 2c 6d 8h 3c Td")  # 8s 8h against a six
    mine, theirs = seen_by(table, ANN).question, seen_by(table, BOB).question
    assert mine is not None and theirs is not None
    assert (theirs.choices, theirs.legal, theirs.for_less) == ([], [], None)
    assert theirs.name == "ann" and theirs.deciding == "decides how to play the hand"
    assert [choice.word for choice in mine.choices] == ["hit", "stand", "double", "split"]
    assert mine.legal == ["hit", "stand", "double", "split"]
    assert {choice.word: choice.cost // DOLLAR for choice in mine.choices if choice.cost} == {"double": 10, "split": 10}
    assert mine.for_less is not None and mine.for_less.word == "double"


def test_a_question_about_a_hand_marks_it_and_one_about_the_seat_none() -> None:
    table = dealt(find_game("double_barrel"), decks=6, first_card="face_up", cards="5c 6c 7c 8c 9d 2c 3c Ts")
    asked = seen_by(table, ANN)
    assert asked.question is not None and (asked.question.id, asked.question.hand) == ("flex", 0)
    [spot] = asked.mine
    assert [hand.active for hand in spot.hands] == [False, False]
    assert [(row.label, row.names) for row in spot.beside] == [("Flex card", "two of clubs")]
    for spot_number in (2, 5):
        do(table, Answer(spot=spot_number, answer="first"))
    [spot] = seen_by(table, ANN).mine
    assert [hand.active for hand in spot.hands] == [True, False] and not spot.beside


def test_the_cards_of_a_round_stay_until_the_next_deal() -> None:
    table = dealt(find_game("mini_baccarat"), decks=8)
    state = state_of(table)
    rows = {row.label: row for row in seen_by(table, STRANGER).rows}
    assert list(rows) == ["Player hand", "Banker hand"]
    assert [card.text for card in rows["Banker hand"].cards if card] == [card_text(card) for card in state.dealer]
    assert all(not spot.hands for spot in seen_by(table, ANN).spots)
    assert all(spot.results for spot in seen_by(table, ANN).mine)
