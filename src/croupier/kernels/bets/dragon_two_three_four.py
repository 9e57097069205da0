"""Dragon Bonus Progressive, pay tables 1 and 2: a winning hand of exactly 2, 3 and 4 over nothing."""

from croupier.kernels.baccarat import is_natural
from croupier.kernels.bets import LOSE, Bet, option
from croupier.kernels.hands import TWO, one_suit, ranks_in, suits_in, total_of
from croupier.kernels.scenes import BaccaratResult

TWO_THREE_FOUR = 0x111 << 4 * TWO


def dragon_two_three_four(own: int, other: int, options: int) -> int:
    if total_of(own) <= total_of(other):
        return LOSE
    if total_of(other) == 0:
        if ranks_in(own) == TWO_THREE_FOUR:
            suits = suits_in(own)
            if one_suit(suits):
                return 0 if suits == 1 << option(options, 1) else 1
            return 2
        if not is_natural(own) or (option(options, 0) == 1 and total_of(own) == 9):
            if total_of(own) == 9:
                return 3
            return 4 if total_of(own) == 8 else LOSE
    return 5 if is_natural(own) else LOSE


BET = Bet(
    classify=dragon_two_three_four,
    outcomes=("234_named", "234_suited", "234_unsuited", "nine_zero", "eight_zero", "natural_win"),
    scene=BaccaratResult(),
    suits="own",
    options={
        "naturals_count": ("no", "yes"),
        "jackpot_suit": ("clubs", "diamonds", "hearts", "spades"),
    },
)
