"""How fast wagers are looked at: exact effects of removal, and exact worth of shoes on one core.

`python -m bench.protection` prints a table.
"""

from __future__ import annotations

import time

from croupier.reports.protection.study import Protection, protection_of, study
from croupier.rules.choice import choose
from croupier.rules.registry import find_game

WAGERS = (
    ("mini_baccarat", "tie"),
    ("mini_baccarat", "banker"),
    ("mini_baccarat", "dragon_bonus_player"),
    ("ez_baccarat", "dragon_7"),
    ("blackjack", "lucky_lucky"),
    ("double_barrel", "bonus"),
    ("blackjack_switch", "kings_bounty"),
    ("double_down_madness", "push_22"),
    ("blackjack", "lucky_break"),
)
SHOES = 480


def removal_seconds(game: str, wager: str) -> tuple[Protection, float]:
    """A wager looked at a second time, and how long that took: all that is kept is at hand."""
    choice = choose(find_game(game), wager)
    protection_of(choice)
    start = time.perf_counter()
    protection = protection_of(choice)
    return protection, time.perf_counter() - start


def shoes_a_second(protection: Protection) -> tuple[float, float]:
    """Shoes valued and rounds dealt in a second; each round is preceded by one exact worth."""
    study(protection, settings={}, shoes=16, seed=1)
    start = time.perf_counter()
    studied = study(protection, settings={}, shoes=SHOES, seed=1)
    seconds = time.perf_counter() - start
    dealt = studied.shoes * 6 / 5  # a fifth as many for the triggers
    return dealt * studied.perfect.result.rounds / seconds, len(protection.terms.sizes) if protection.terms else 0


def main() -> None:
    print("| wager | effects of removal, s | terms | exact worths a second |")
    print("|---|---|---|---|")
    for game, wager in WAGERS:
        protection, seconds = removal_seconds(game, wager)
        worths, terms = shoes_a_second(protection)
        print(f"| {game} {wager} | {seconds:.3f} | {terms:.0f} | {worths:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
