"""The hands of baccarat."""

from croupier.kernels.effects import DEALER, EVERY_SEAT, PLAYER_HAND, RESULT, Table, World, draw, settle
from croupier.kernels.hands import EMPTY, add_point, size_of, total_of, value_of

NATURAL = 8
PLAYER_SIDE, BANKER_SIDE, WINNING_SIDE = range(3)


def is_natural(hand: int) -> bool:
    """8 or 9 on the first two cards."""
    return total_of(hand) >= NATURAL and size_of(hand) == 2


def player_draws(total: int) -> bool:
    return total <= 5


def banker_draws(total: int, player_third: int) -> bool:
    """The banker's third-card table; `player_third` is the point value of the player's third card."""
    if total <= 2:
        return True
    if total == 3:
        return player_third != 8
    if total == 4:
        return 2 <= player_third <= 7
    if total == 5:
        return 4 <= player_third <= 7
    if total == 6:
        return 6 <= player_third <= 7
    return False


def own_hand_first(player: int, banker: int, side: int) -> tuple[int, int]:
    """The hands as a wager sees them: the one it is on first. A wager on "the winner" sees the player's in a tie."""
    swap = side == BANKER_SIDE or (side == WINNING_SIDE and total_of(banker) > total_of(player))
    return (banker, player) if swap else (player, banker)


def baccarat_hands(world: World, table: Table) -> World:
    """Player, banker, player, banker; naturals stop the round; player's third card, banker's third card."""
    card, world = draw(world, table, PLAYER_HAND)
    player = add_point(EMPTY, card)
    card, world = draw(world, table, DEALER)
    banker = add_point(EMPTY, card)
    card, world = draw(world, table, PLAYER_HAND)
    player = add_point(player, card)
    card, world = draw(world, table, DEALER)
    banker = add_point(banker, card)
    if total_of(player) < NATURAL and total_of(banker) < NATURAL:
        if player_draws(total_of(player)):
            third, world = draw(world, table, PLAYER_HAND)
            player = add_point(player, third)
            bankers_turn = banker_draws(total_of(banker), value_of(third) % 10)
        else:  # the player stood: the banker draws by the player's rule
            bankers_turn = player_draws(total_of(banker))
        if bankers_turn:
            card, world = draw(world, table, DEALER)
            banker = add_point(banker, card)
    return settle(world, table, EVERY_SEAT, 0, RESULT, player, banker)
