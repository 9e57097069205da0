"""Free Bet Blackjack: the house puts up the money for most doubles and splits, and pays it if it wins."""

from croupier.kernels.blackjack import (
    COUNT_AT,
    ENDED,
    FIRST_CARD,
    HAND,
    HANDS_SIZE,
    HOUSE_AT,
    STAKE,
    STATUS,
    BlackjackRules,
    amount_in,
    most_added,
    place_of,
    slot,
)
from croupier.kernels.blackjack import split_pair as split_for_equal_wagers
from croupier.kernels.blackjack_family import declare
from croupier.kernels.declaration import RoundWager
from croupier.kernels.effects import (
    HANDS_PER_SEAT,
    MAIN,
    MOST_SEATS,
    PUSH,
    WIN,
    Memory,
    Stakes,
    Table,
    World,
    pay,
    stake,
)
from croupier.kernels.hands import is_soft, total_of, value_of
from croupier.kernels.rounds.blackjack import ROUND as BLACKJACK
from croupier.kernels.rounds.blackjack import blackjack_round

FREE_BET = 2
"""The house's wager, after the main wager and insurance."""
FREE_WIN, FREE_PUSH, FREE_LOST = range(3)


def wager_of_hand(hands: Memory, seat: int, hand: int) -> int:
    """The wager that a hand which is not doubled plays for, whoever put it up."""
    staked = hands[slot(seat, hand) + STAKE]
    return staked if staked > 0 else hands[HOUSE_AT + place_of(seat, hand)]


def is_doubled_free(hand: int) -> bool:
    """A hard 9, 10 or 11; only two cards are ever doubled."""
    return not is_soft(hand) and 9 <= total_of(hand) <= 11


def double_wager(
    world: World, table: Table, hands: Memory, rules: BlackjackRules, seat: int, hand: int, answer: int
) -> World:
    """As much again, from the house where the hand is doubled free; else what the answer says, from the seat."""
    at, wager = slot(seat, hand), wager_of_hand(hands, seat, hand)
    if is_doubled_free(hands[at + HAND]):
        hands[HOUSE_AT + place_of(seat, hand)] += wager
        return stake(world, table, seat, hand, MAIN, 0)
    added = amount_in(answer, most_added(wager, rules.cap))
    hands[at + STAKE] += added
    return stake(world, table, seat, hand, MAIN, added)


def split_pair(hands: Memory, seat: int, hand: int) -> None:
    """Splits for the house's money, ten-values for the seat's. The seat's own wager stays where it is."""
    wager = wager_of_hand(hands, seat, hand)
    is_free = value_of(hands[slot(seat, hand) + FIRST_CARD]) < 10
    for later in range(hands[COUNT_AT + seat] - 1, hand, -1):
        hands[HOUSE_AT + place_of(seat, later + 1)] = hands[HOUSE_AT + place_of(seat, later)]
    split_for_equal_wagers(hands, seat, hand)
    hands[HOUSE_AT + place_of(seat, hand + 1)] = wager if is_free else 0
    if is_free:
        hands[slot(seat, hand + 1) + STAKE] = 0


def end_hand(world: World, table: Table, hands: Memory, seat: int, hand: int, outcome: int, staked: int) -> World:
    """The wagers on a hand are settled: the seat's own, and the house's, which is paid if it wins."""
    hands[slot(seat, hand) + STATUS] = ENDED
    if staked > 0:
        world = pay(world, table, seat, hand, MAIN, outcome, staked)
    house = hands[HOUSE_AT + place_of(seat, hand)]
    if house > 0:
        free = FREE_WIN if outcome == WIN else FREE_PUSH if outcome == PUSH else FREE_LOST
        world = pay(world, table, seat, hand, FREE_BET, free, house)
    return world


def free_bet_round(world: World, table: Table, hands: Memory, stakes: Stakes, rules: BlackjackRules) -> World:
    """Base blackjack with the house's money on the table."""
    for seat in range(rules.seats):
        hands[HOUSE_AT + place_of(seat, 0)] = 0
    return blackjack_round(world, table, hands, stakes, rules)


ROUND = declare(
    free_bet_round,
    BLACKJACK.scenes,
    rules=BlackjackRules(pushes_22=1, resplit_aces=1),
    instead=(double_wager, split_pair, end_hand),
    memory=HANDS_SIZE + MOST_SEATS * HANDS_PER_SEAT,
    wagers=(
        RoundWager(
            id="free_bet", outcomes=("win", "push", "free_bet_lost"), pays_on="main", label="Free bet of the house"
        ),
    ),
)
