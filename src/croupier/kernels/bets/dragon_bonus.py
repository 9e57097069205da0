"""Dragon Bonus: the own hand wins by a natural, or without one by four points or more."""

from croupier.kernels.baccarat import is_natural
from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import total_of
from croupier.kernels.scenes import BaccaratResult


def dragon_bonus(own: int, other: int, options: int) -> int:
    margin = total_of(own) - total_of(other)
    if is_natural(own):
        if margin > 0:
            return 6
        return 7 if margin == 0 and is_natural(other) else LOSE
    return 9 - margin if margin >= 4 else LOSE


BET = Bet(
    classify=dragon_bonus,
    outcomes=(
        "win_by_9",
        "win_by_8",
        "win_by_7",
        "win_by_6",
        "win_by_5",
        "win_by_4",
        "natural_win",
        "natural_tie",
    ),
    scene=BaccaratResult(),
)
