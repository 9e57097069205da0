"""The hands of baccarat."""

from croupier.kernels.effects import (
    DEALER,
    EVERY_SEAT,
    FIRST_FOUR_ROWS,
    PLAYER_HAND,
    RESULT,
    RESULT_ROWS,
    Table,
    World,
    draw,
    settle,
)
from croupier.kernels.hands import EMPTY, add_point, size_of, total_of, value_of
from croupier.kernels.rows import EMPTY_ROW, add_to_row, points_of_row

NATURAL_TOTAL = 8
PLAYER_SIDE, BANKER_SIDE, WINNING_SIDE = range(3)


def is_natural(hand: int) -> bool:
    """8 or 9 on the first two cards."""
    return total_of(hand) >= NATURAL_TOTAL and size_of(hand) == 2


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


def is_on_banker(side: int, players_points: int, bankers_points: int) -> bool:
    """Whether a wager on that side is on the banker hand. "The winner" is the player hand in a tie."""
    return side == BANKER_SIDE or (side == WINNING_SIDE and bankers_points > players_points)


def own_hand_first(player: int, banker: int, side: int) -> tuple[int, int]:
    """The hands as a wager sees them: the one it is on first."""
    swap = is_on_banker(side, total_of(player), total_of(banker))
    return (banker, player) if swap else (player, banker)


def own_row_first(player: int, banker: int, side: int) -> tuple[int, int]:
    """The same of hands that are rows."""
    swap = is_on_banker(side, points_of_row(player), points_of_row(banker))
    return (banker, player) if swap else (player, banker)


def as_wagered(moment: int, own: int, other: int, side: int) -> tuple[int, int]:
    """What a moment shows as a wager sees it: where there are two sides, its own first."""
    if moment == RESULT:
        return own_hand_first(own, other, side)
    if moment in (RESULT_ROWS, FIRST_FOUR_ROWS):
        return own_row_first(own, other, side)
    return own, other


def draw_hands(world: World, table: Table) -> tuple[int, int, tuple[int, int, int, int], World]:
    """Player, banker, player, banker; naturals stop the round; player's third card, banker's third card.

    Both hands, and as rows the first two cards of each, then all.
    """
    card, world = draw(world, table, PLAYER_HAND)
    player, players_row = add_point(EMPTY, card), add_to_row(EMPTY_ROW, card)
    card, world = draw(world, table, DEALER)
    banker, bankers_row = add_point(EMPTY, card), add_to_row(EMPTY_ROW, card)
    card, world = draw(world, table, PLAYER_HAND)
    player, players_row = add_point(player, card), add_to_row(players_row, card)
    card, world = draw(world, table, DEALER)
    banker, bankers_row = add_point(banker, card), add_to_row(bankers_row, card)
    players_two, bankers_two = players_row, bankers_row
    if total_of(player) < NATURAL_TOTAL and total_of(banker) < NATURAL_TOTAL:
        if player_draws(total_of(player)):
            third, world = draw(world, table, PLAYER_HAND)
            player, players_row = add_point(player, third), add_to_row(players_row, third)
            bankers_turn = banker_draws(total_of(banker), value_of(third) % 10)
        else:  # the player stood: the banker draws by the player's rule
            bankers_turn = player_draws(total_of(banker))
        if bankers_turn:
            card, world = draw(world, table, DEALER)
            banker, bankers_row = add_point(banker, card), add_to_row(bankers_row, card)
    return player, banker, (players_two, bankers_two, players_row, bankers_row), world


def baccarat_hands(world: World, table: Table) -> World:
    """The two finished hands."""
    player, banker, _rows, world = draw_hands(world, table)
    return settle(world, table, EVERY_SEAT, 0, RESULT, player, banker)


def baccarat_rows(world: World, table: Table) -> World:
    """The two finished hands as rows."""
    _player, _banker, rows, world = draw_hands(world, table)
    return settle(world, table, EVERY_SEAT, 0, RESULT_ROWS, rows[2], rows[3])


def baccarat_round(world: World, table: Table) -> World:
    """A round with all that it shows."""
    player, banker, rows, world = draw_hands(world, table)
    world = settle(world, table, EVERY_SEAT, 0, FIRST_FOUR_ROWS, rows[0], rows[1])
    world = settle(world, table, EVERY_SEAT, 0, RESULT, player, banker)
    return settle(world, table, EVERY_SEAT, 0, RESULT_ROWS, rows[2], rows[3])
