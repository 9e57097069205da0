"""Why wagers end as they do, in words that come from a round's declaration."""

from __future__ import annotations

from datetime import date

import pytest

from croupier.cards import parse_cards
from croupier.hall.view import hands_of, results_of, rows_of
from croupier.reports.rounds.text import event_text, plain_face
from croupier.rules import find_game
from croupier.table.replay import RoundState, replay
from croupier.table.setup import make_rules, parse_stakes

DAY = date(2026, 11, 16)


def played(name: str, seat: str, cards: str, answers: str) -> RoundState:
    game = find_game(name)
    return replay(make_rules(game, day=DAY), [parse_stakes(seat, game)], parse_cards(cards), answers.split())


@pytest.mark.parametrize(
    ("name", "seat", "cards", "answers", "wager", "reason"),
    [
        (
            "three_card_poker",
            "ante=10",
            "9h 9d 4c  Qs 8d 3h",
            "play",
            "play",
            "pair of nines against queen high, which qualifies",
        ),
        (
            "three_card_poker",
            "ante=10",
            "9h 9d 4c  Js 8d 3h",
            "play",
            "ante",
            "pair of nines against jack high, which does not qualify",
        ),
        ("three_card_poker", "ante=10", "9h 5c 2d  Js 8d 3h", "fold", "ante", "folded"),
        (
            "three_card_poker",
            "ante=10 pair_plus=5",
            "9h 9d 2d  Js 8d 3h",
            "fold",
            "pair_plus",
            "lost with the folded hand",
        ),
        ("let_it_ride", "bet=10", "Th 4c 2d  Ts 8s", "take_back let_it_ride", "bet_2", "pair of tens"),
        ("mississippi_stud", "ante=10", "Jh Jd  2s 8c 4d", "3x 3x 3x", "fifth_street", "pair of jacks"),
        ("mississippi_stud", "ante=10 three_card_bonus=5", "Jh Jd  2s 8c 4d", "fold", "three_card_bonus", "8♣ 4♦ 2♠"),
        (
            "caribbean_stud",
            "ante=10",
            "9h 9d 5c 4c 2s  As Qd Js 8h 3d",
            "raise",
            "raise",
            "pair of nines against A-Q high, which does not qualify",
        ),
        (
            "crazy_4_poker",
            "ante=10",
            "Kh Jd 9c 7s 2h  Ks Qd 6c 4h 3d",
            "play_1x",
            "super_bonus",
            "K-J-9-7 against K-Q-6-4, which qualifies",
        ),
        (
            "four_card_poker",
            "ante=10",
            "9h 9d 5c 4c 2s  As Ad Qs Js 8h 3d",
            "fold",
            "ante",
            "folded",
        ),
        (
            "ultimate_texas_holdem",
            "ante=10",
            "As 9h  Kc 2d  Ah 7c 4d  8s 9s",
            "play_4x",
            "play",
            "two pair, aces and nines against ace high, which does not qualify",
        ),
        (
            "ultimate_texas_holdem",
            "ante=10",
            "As 9h  Ac 2d  Ah 7c 4d  8s Ts",
            "play_4x",
            "ante",
            "pair of aces, T-9-8 against pair of aces, T-8-7, which qualifies",
        ),
        (
            "texas_holdem_bonus",
            "ante=10",
            "As 9h  Kc 2d  Ah 7c 4d  8s 9s",
            "flop check check",
            "flop",
            "two pair, aces and nines against ace high",
        ),
        (
            "i_luv_suits",
            "ante=10",
            "Ah 9h 7h 2c 5c 8d Ks  Th 8h 2h 3c 6c 4d 3s",
            "play_1x",
            "play",
            "three of a suit, ace high against three of a suit, 10 high, which qualifies",
        ),
        (
            "ultimate_texas_holdem",
            "ante=10 trips=5",
            "As 9h  Kc 2d  Ah 7c 4d  8s 9s",
            "play_4x",
            "trips",
            "A♥ A♠ 9♥ 9♠ 8♠ 7♣ 4♦",
        ),
        ("blackjack", "main=10", "Th 9c Ts 8d", "stand", "main", ""),
    ],
)
def test_a_result_says_why(name: str, seat: str, cards: str, answers: str, wager: str, reason: str) -> None:
    results = results_of(played(name, seat, cards, answers), 1)
    assert {result.why for result in results if result.wager == wager} == {reason}


def test_the_dealers_row_says_whether_it_qualifies_once_it_is_turned() -> None:
    state = played("three_card_poker", "ante=10", "9h 9d 4c  Js 8d 3h", "play")
    assert [row.total for row in rows_of(state.rules.game.declared, state)] == ["jack high, does not qualify"]
    flop = played("ultimate_texas_holdem", "ante=10", "As 9h  Kc 2d  Ah 7c 4d  8s 9s", "check")
    assert [row.total for row in rows_of(flop.rules.game.declared, flop)] == ["", ""]
    assert [hand.total for hand in hands_of(flop, 1, [], is_own=True)] == ["pair of aces"]
    asked = played("three_card_poker", "ante=10", "9h 9d 4c  Js 8d 3h", "")
    assert [row.total for row in rows_of(asked.rules.game.declared, asked)] == [""]


def test_a_round_told_step_by_step_says_why_each_wager_ended_so() -> None:
    state = played("ultimate_texas_holdem", "ante=10", "As 9h  Kc 2d  Ah 7c 4d  8s 9s", "play_4x")
    told = [event_text(event, state, plain_face) for event in state.events]
    hands = "two pair, aces and nines against ace high, which does not qualify"
    assert f"Seat 1, Play of $40: Higher hand, $80 back ({hands})." in told
