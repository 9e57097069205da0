"""Push 22 Progressive: the jackpot is a dealer's 22 made of exactly 4, 5, 6 and 7 of one suit, in any order."""

from croupier.kernels.bets import LOSE, Bet, option
from croupier.kernels.hands import FOUR, one_color, one_suit, ranks_in, suits_in, total_of
from croupier.kernels.scenes import DealerHand

FOUR_FIVE_SIX_SEVEN = 0x1111 << 4 * FOUR


def push_22_progressive(dealer: int, player: int, options: int) -> int:
    if total_of(dealer) != 22:
        return LOSE
    suits = suits_in(dealer)
    if one_suit(suits):
        if ranks_in(dealer) == FOUR_FIVE_SIX_SEVEN:
            return 0 if suits == 1 << option(options, 0) else 1
        return 2
    return 3 if one_color(suits) else 4


BET = Bet(
    classify=push_22_progressive,
    outcomes=("suited_4567_named", "suited_4567_other", "suited_22", "same_colour_22", "other_22"),
    scene=DealerHand(),
    suits="own",
    options={"jackpot_suit": ("clubs", "diamonds", "hearts", "spades")},
)
