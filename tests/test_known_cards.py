"""What cards are worth to a seat that should not know them, each by a second way or as analysts publish it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import pytest

from croupier.errors import CroupierError
from croupier.exact.decide import Deck, OneSeatGame
from croupier.exact.protection.community import backs_known, card_known
from croupier.exact.protection.known import known
from croupier.exact.protection.shared import Weighing
from croupier.exact.protection.sight import Case, Knowledge, Known, over_cases
from croupier.exact.tree_sheet import game_of
from croupier.kernels.poker_five import rank_five
from croupier.kernels.rounds.mississippi_stud import OUTCOMES, outcome_of
from croupier.kernels.sets import set_of
from croupier.rules.choice import Choice, choose
from croupier.rules.registry import find_game

SHORT = tuple(rank * 4 + suit for rank in (0, 7, 10) for suit in range(4))
"""Aces, eights and jacks."""


def choice_of(game: str) -> Choice:
    spec = find_game(game)
    return choose(spec, spec.first_wager.id)


@pytest.fixture(scope="module")
def short_stud() -> OneSeatGame:
    """Mississippi Stud from twelve cards."""
    return replace(game_of(choice_of("mississippi_stud")), deck=Deck(SHORT, (1,) * len(SHORT)))


def pay_of(game: OneSeatGame, cards: Iterable[int]) -> Fraction:
    outcome = outcome_of(rank_five(set_of(list(cards))))
    return game.pays["ante", OUTCOMES[outcome]] if outcome >= 0 else Fraction(-1)


def by_hand(game: OneSeatGame, boards: dict[tuple[int, ...], list[tuple[int, ...]]]) -> Fraction:
    """Best play where each of these lists has all boards that may come, as far as the seat can tell. In antes."""
    total = Fraction(0)
    for own, possible in boards.items():
        total += worth(game, own, possible, 0, 1)
    return total / sum(len(possible) for possible in boards.values())


def worth(game: OneSeatGame, own: tuple[int, ...], boards: list[tuple[int, ...]], street: int, staked: int) -> Fraction:
    """Summed over the boards that begin as seen so far."""
    if street == 3:
        return sum((staked * pay_of(game, own + board) for board in boards), Fraction(0))
    best = Fraction(-staked * len(boards))
    for times in (1, 3):
        later = Fraction(0)
        for card in {board[street] for board in boards}:
            going_on = [board for board in boards if board[street] == card]
            later += worth(game, own, going_on, street + 1, staked + times)
        best = max(best, later)
    return best


def own_and_boards(
    sort: Iterator[tuple[tuple[int, ...], tuple[int, ...]]],
) -> dict[tuple[int, ...], list[tuple[int, ...]]]:
    found: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for own, board in sort:
        found.setdefault(own, []).append(board)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 3])
def test_a_community_card_is_worth_what_going_through_all_boards_gives(short_stud: OneSeatGame, number: int) -> None:
    """The known card is the ace of clubs."""
    (case,) = [case for case in card_known(short_stud, number) if case.name == "A"]

    def deals() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        for own in combinations(SHORT[1:], 2):
            for others in permutations([card for card in SHORT[1:] if card not in own], 2):
                yield own, (*others[: number - 1], SHORT[0], *others[number - 1 :])

    assert case.edge == -by_hand(short_stud, own_and_boards(deals()))
    assert case.share == Fraction(1, 3)


@pytest.mark.slow
def test_backs_are_worth_what_going_through_all_boards_gives(short_stud: OneSeatGame) -> None:
    jacks = {card for card in SHORT if card >> 2 == 10}
    cases = {case.name: case for case in backs_known(short_stud, ["J"])}
    assert sum(case.share for case in cases.values()) == 1
    for pattern in ("x--", "-x-", "xx-"):

        def deals(pattern: str = pattern) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
            for own in combinations(SHORT, 2):
                left = [card for card in SHORT if card not in own]
                for board in permutations(left, 3):
                    if all((card in jacks) == (mark == "x") for card, mark in zip(board, pattern, strict=True)):
                        yield own, board

        assert cases[pattern].edge == -by_hand(short_stud, own_and_boards(deals()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "text", "published"),
    [
        ("mississippi_stud", "community=1", "54.8660%"),
        ("three_card_poker", "backs=QKA/1", "1.8378%"),
    ],
)
def test_what_is_known_is_worth_what_analysts_publish(game: str, text: str, published: str) -> None:
    """Jacobson: +54.8660%, +1.837%."""
    found = known(choice_of(game), Knowledge.read(text), 1)
    assert isinstance(found, Known)
    assert found.is_exact
    assert f"{-float(found.edge):.4%}" == published


@pytest.mark.soak
def test_a_dealers_card_beside_a_board_is_worth_what_analysts_publish() -> None:
    """Jacobson: +13.5922% at Ultimate Texas Hold'em. Some minutes."""
    found = known(choice_of("ultimate_texas_holdem"), Knowledge(dealer=1), 1)
    assert f"{-float(found.edge):.4%}" == "13.5922%"


@pytest.mark.slow
def test_deals_that_are_drawn_come_to_what_all_of_them_do() -> None:
    """Three Card Poker with one card of the dealer known, and with nothing known but by backs that tell nothing."""
    game = game_of(choice_of("three_card_poker"))
    for knows, exact in ((Knowledge(dealer=1), 0.0348286), (Knowledge(backs=("A", "K"), backs_seen=3), None)):
        weighing = Weighing(game, knows)
        drawn = weighing.sample(3, lambda share: None, 40)
        known_edge = -exact if exact is not None else float(weighing.every(lambda share: None).edge)
        assert abs(float(drawn.edge) - known_edge) < 4 * drawn.error
        assert drawn == weighing.sample(3, lambda share: None, 40)


@pytest.mark.slow
def test_seats_that_share_their_hands_get_no_edge_at_three_card_poker() -> None:
    """Nor do seven of them, as Jacobson says."""
    shared = Weighing(game_of(choice_of("three_card_poker")), Knowledge(others=6)).sample(1, lambda share: None, 60)
    assert 0 < float(shared.edge) < 0.0337
    assert shared.deals == 30_000


@pytest.mark.parametrize("text", ["dealer=1", "community=3", "dealer=1,community=5", "backs=AQK/1", "seats=6"])
def test_what_a_seat_knows_is_written_as_it_is_read(text: str) -> None:
    assert Knowledge.read(text).text == text
    assert Knowledge.read(text).words


@pytest.mark.parametrize("text", ["", "dealer=", "river", "backs=X", "seats=12"])
def test_nothing_else_is_read(text: str) -> None:
    with pytest.raises(CroupierError, match="nothing that a seat may know"):
        Knowledge.read(text)


def test_cases_count_by_how_often_they_come() -> None:
    shares = ((Fraction(1, 4), Fraction(1)), (Fraction(3, 4), Fraction(-1)))
    cases = tuple(Case(name="", share=share, edge=edge, answers={}) for share, edge in shares)
    assert over_cases(Knowledge(community=1), cases).edge == Fraction(-1, 2)
