"""Three Card Baccarat: three cards each from one deck. Nobody draws more, and nobody decides anything."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.declaration import Place, Round
from croupier.kernels.effects import DEALER, EVERY_SEAT, PLAYER_HAND, Memory, Stakes, Table, World, draw, settle
from croupier.kernels.hands import EMPTY, JACK, KING, NINE, add_card, count_of
from croupier.kernels.scenes import Opening

CARDS = 3
BOTH_HANDS = replace(
    Opening(own_cards=CARDS, dealer_cards=CARDS),
    id="ThreeCardHands()",
    text="every two hands of three cards",
    is_shared=True,
)
BOTH_HANDS_SHOWN = BOTH_HANDS.moment
TIE, PLAYER_WINS = range(2)
THREE_FACES = 10
"""Stands above all points, and so for the outcome of three faces as well."""


class ThreeCardBaccaratRules(NamedTuple):
    """Nobody decides anything."""

    seats: int = 1


def three_card_baccarat_round(
    world: World, table: Table, memory: Memory, stakes: Stakes, rules: ThreeCardBaccaratRules
) -> World:
    """One deal for all seats."""
    player = dealer = EMPTY
    for _ in range(CARDS):
        card, world = draw(world, table, PLAYER_HAND)
        player = add_card(player, card)
        card, world = draw(world, table, DEALER)
        dealer = add_card(dealer, card)
    return settle(world, table, EVERY_SEAT, 0, BOTH_HANDS_SHOWN, player, dealer)


def faces_in(hand: int) -> int:
    """Jacks, queens and kings; a ten is none."""
    faces = 0
    for rank in range(JACK, KING + 1):
        faces += count_of(hand, rank)
    return faces


def points_in(hand: int) -> int:
    """Aces count 1, tens and faces 0; the last digit of the sum."""
    points = 0
    for rank in range(NINE + 1):
        points += (rank + 1) * count_of(hand, rank)
    return points % 10


def points_or_faces(hand: int) -> int:
    """The points, or THREE_FACES."""
    return THREE_FACES if faces_in(hand) == CARDS else points_in(hand)


def worth(hand: int) -> int:
    """Three faces are the best; then points, then faces, decide."""
    return 4 * points_or_faces(hand) + faces_in(hand)


def three_card_result(player: int, dealer: int, options: int) -> int:
    if worth(player) == worth(dealer):
        return TIE
    return PLAYER_WINS if worth(player) > worth(dealer) else LOSE


def three_card_dealer(player: int, dealer: int, options: int) -> int:
    """What the dealer's hand is, whatever the player's."""
    return points_or_faces(dealer)


def hand_of(cards: Sequence[int]) -> int:
    hand = EMPTY
    for card in cards:
        hand = add_card(hand, card)
    return hand


def counted(cards: Sequence[int]) -> dict[str, Any]:
    return {"total": points_in(hand_of(cards)), "faces": faces_in(hand_of(cards))}


def describe(cards: Sequence[int]) -> str:
    """`7`, `7, one face`, `three faces`."""
    faces = faces_in(hand_of(cards))
    if faces == CARDS:
        return "three faces"
    return f"{points_in(hand_of(cards))}{('', ', one face', ', two faces')[faces]}"


ROUND = Round(
    play=three_card_baccarat_round,
    family="baccarat",
    rules=ThreeCardBaccaratRules(),
    places=(
        Place(id="player", label="Player hand", number=PLAYER_HAND),
        Place(id="dealer", label="Dealer hand", number=DEALER),
    ),
    scenes=(BOTH_HANDS,),
    bets={
        "three_card_result": Bet(classify=three_card_result, outcomes=("tie", "win"), scene=BOTH_HANDS, faces=True),
        "three_card_dealer": Bet(
            classify=three_card_dealer,
            outcomes=(*(f"total_{points}" for points in range(10)), "three_faces"),
            scene=BOTH_HANDS,
            faces=True,
        ),
    },
    needs_first_wager=False,
    worth_of_side=lambda cards: worth(hand_of(cards)),
    describe=describe,
    counted=counted,
    most_cards=2 * CARDS,
)
