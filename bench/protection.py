"""How fast wagers are looked at: exact effects of removal, and exact worth of shoes, in seconds of one core.

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
    start = time.process_time()
    protection = protection_of(choice)
    return protection, time.process_time() - start


def shoes_a_second(protection: Protection) -> tuple[float, float]:
    """Exact worths in a second of one core, and terms; each worth is followed by a round that is dealt."""
    study(protection, settings={}, shoes=16, seed=1)
    start = time.process_time()
    studied = study(protection, settings={}, shoes=SHOES, seed=1)
    seconds = time.process_time() - start
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
