"""Lucky Break: pays by the dealer's bust total, 22 to 26, and more when all of the dealer's cards share a suit."""

from croupier.kernels.bets import LOSE, Bet
from croupier.kernels.hands import one_suit, size_of, suits_in, total_of
from croupier.kernels.scenes import DealerHand

MOST = 26
"""The highest total a dealer can bust with; a player's own total above it loses the bet as well."""


def lucky_break(dealer: int, player: int, options: int) -> int:
    """Outcome `(26 - total) * 4 + suits`, suits being 0 for five or more of a suit, then four, three, unsuited."""
    total = total_of(dealer)
    if total <= 21 or total_of(player) > MOST:
        return LOSE
    suited = 5 - min(size_of(dealer), 5) if one_suit(suits_in(dealer)) else 3
    return (MOST - total) * 4 + suited


BET = Bet(
    classify=lucky_break,
    outcomes=tuple(
        f"bust_{total}_{suits}"
        for total in (26, 25, 24, 23, 22)
        for suits in ("suited_5", "suited_4", "suited_3", "unsuited")
    ),
    scene=DealerHand(),
    suits="own",
)
