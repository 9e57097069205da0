"""The switches of a game as the rounds of the blackjack family read them."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.kernels.blackjack import BlackjackRules
from croupier.rules.spec import Game

_VERSIONS = {
    # version: soft 17 hit, switch before the peek and switched A-10 a blackjack, blackjack beats blackjack
    "1": (1, 1, 0),
    "2": (1, 0, 0),
    "3": (1, 0, 1),
    "4": (0, 0, 0),
}


def blackjack_rules(game: Game, switches: Mapping[str, str]) -> BlackjackRules:
    """The rules of one seat without a limit; `switches` has every switch of the game with the value in force."""
    switch = switches.get
    hits, first, beats = _VERSIONS[switch("version", "2")]
    soft17 = int(switch("soft17") == "hit") if "soft17" in switches else hits
    breakable = {"yes": 1, "no": 0}.get(switch("natural_may_be_broken", "by_version"), first)
    doubles = switch("max_doubles", "any")
    return BlackjackRules(
        soft17=soft17,
        peek=int(switch("peek", "yes") == "yes"),
        double_from={"any": 0, "9-11": 9, "10-11": 10}[switch("double_on", "any")],
        double_after_split=int(switch("double_after_split", "yes") == "yes"),
        max_hands=int(switch("max_hands", "4")),
        resplit_aces=int(switch("resplit_aces", "no") == "yes"),
        split_by_rank=int(switch("split_by", "value") == "rank"),
        play_split_aces=int(switch("split_aces", "one_card") == "play_on"),
        split_blackjack=int(switch("split_ace_ten", "21") == "blackjack"),
        insurance=int(switch("insurance", "yes") == "yes"),
        surrender=int(switch("surrender", "none") == "late"),
        pushes_22=int(game.round != "blackjack"),
        ten_then_ace=int(switch("ten_then_ace", "blackjack") == "blackjack"),
        dealer_checks_first=int(switch("dealer_checks", "after_flex") == "first"),
        blackjack_beats_blackjack=int(switch("against_dealer_blackjack", "") == "wins" or beats == 1),
        next_card_blackjack=int(switch("ace_ten_by_next_card", "blackjack") == "blackjack"),
        switch_first=first,
        switched_blackjack=first,
        bounty_on_each_hand=int(switch("kings_bounty_on", "first_hand") == "each_hand"),
        natural_may_be_broken=breakable,
        max_doubles=0 if doubles == "any" else int(doubles),
    )
