"""Base blackjack that also shows each seat's third card to side wagers."""

from croupier.kernels.blackjack import THIRD_AT, THIRD_WANTED, BlackjackRules, opening_row, settling_seat
from croupier.kernels.blackjack_family import declare
from croupier.kernels.effects import THIRD_CARD_ROWS, Memory, Stakes, Table, World, settle
from croupier.kernels.rounds.blackjack import ROUND as BASE
from croupier.kernels.rounds.blackjack import blackjack_round
from croupier.kernels.rows import EMPTY_ROW, add_to_row
from croupier.kernels.scenes import ThirdCard


def blackjack_third_card_round(
    world: World, table: Table, hands: Memory, stakes: Stakes, rules: BlackjackRules
) -> World:
    """Wagers on the third card are settled at the end: a seat may never have drawn one."""
    for seat in range(rules.seats):
        hands[THIRD_AT + seat] = THIRD_WANTED
    world = blackjack_round(world, table, hands, stakes, rules)
    for turn in range(rules.seats):
        seat = settling_seat(rules, turn)
        third = EMPTY_ROW
        if hands[THIRD_AT + seat] != THIRD_WANTED:
            third = add_to_row(third, hands[THIRD_AT + seat])
        world = settle(world, table, seat, 0, THIRD_CARD_ROWS, opening_row(hands, seat, 2), third)
    return world


ROUND = declare(blackjack_third_card_round, (*BASE.scenes, ThirdCard()), rules=BlackjackRules())
