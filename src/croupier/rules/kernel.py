"""The switches of a game as the rounds of the blackjack family read them."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.kernels.blackjack import BlackjackRules
from croupier.rules.spec import Game, Switch

_YES_NO = {"yes": 1, "no": 0}
_MOST_DOUBLES = 20
"""No hand of 21 or less has more cards to double with."""

_READ: dict[str, tuple[str, dict[str, int]]] = {
    # switch: the field of the rules that it sets, and the number for each of its values
    "soft17": ("soft17", {"hit": 1, "stand": 0}),
    "peek": ("peek", _YES_NO),
    "double_on": ("double_from", {"any": 0, "9-11": 9, "10-11": 10}),
    "double_after_split": ("double_after_split", _YES_NO),
    "max_hands": ("max_hands", {str(hands): hands for hands in range(1, 5)}),
    "resplit_aces": ("resplit_aces", _YES_NO),
    "split_by": ("split_by_rank", {"value": 0, "rank": 1}),
    "split_aces": ("play_split_aces", {"one_card": 0, "play_on": 1}),
    "split_ace_ten": ("split_blackjack", {"21": 0, "blackjack": 1}),
    "insurance": ("insurance", _YES_NO),
    "surrender": ("surrender", {"none": 0, "late": 1}),
    "ten_then_ace": ("ten_then_ace", {"21": 0, "blackjack": 1}),
    "on_21": ("asks_on_21", {"stands": 0, "asked": 1}),
    "dealer_checks": ("dealer_checks_first", {"after_flex": 0, "first": 1}),
    "against_dealer_blackjack": ("blackjack_beats_blackjack", {"wins": 1, "pushes": 0}),
    "ace_ten_by_next_card": ("next_card_blackjack", {"21": 0, "blackjack": 1}),
    "kings_bounty_on": ("bounty_on_each_hand", {"first_hand": 0, "each_hand": 1}),
    "max_doubles": ("max_doubles", {"any": 0, **{str(times): times for times in range(1, _MOST_DOUBLES + 1)}}),
    "after_split": ("hand_after_split", {"first": 0, "lowest": 1, "each": 2}),
    "deal_order": ("dealer_last", {"dealer_first": 0, "dealer_last": 1}),
    "first_card": ("first_face_down", {"face_up": 0, "face_down": 1}),
    "settled_from": ("from_right", {"left": 0, "right": 1}),
}
_VERSION = "version"
_VERSIONS = {
    "1": {"soft17": 1, "switch_first": 1, "switched_blackjack": 1, "natural_may_be_broken": 1},
    "2": {"soft17": 1},
    "3": {"soft17": 1, "blackjack_beats_blackjack": 1},
    "4": {"soft17": 0},
}
_BREAKABLE = "natural_may_be_broken"
_BREAKABLES = ("by_version", "yes", "no")


def known_values(switch: str) -> tuple[str, ...] | None:
    """The values that the rounds understand of a switch; None if they do not read it."""
    if switch == _VERSION:
        return tuple(_VERSIONS)
    if switch == _BREAKABLE:
        return _BREAKABLES
    return tuple(_READ[switch][1]) if switch in _READ else None


def unforeseen(switch: Switch) -> list[str]:
    """Values that a game file gives a switch and that no round understands."""
    known = known_values(switch.id)
    return [value for value in switch.values if value not in known] if known is not None else []


def blackjack_rules(game: Game, switches: Mapping[str, str]) -> BlackjackRules:
    """The rules of one seat without a limit; `switches` has every switch of the game with the value in force.

    Whoever loads a game file refuses values that are not known here.
    """
    fields = {"pushes_22": int(game.round != "blackjack"), **_VERSIONS.get(switches.get(_VERSION, ""), {})}
    for name, value in switches.items():
        if name in _READ:
            field, numbers = _READ[name]
            fields[field] = numbers[value]
        elif name == _BREAKABLE and value in _YES_NO:
            fields[_BREAKABLE] = _YES_NO[value]
    return BlackjackRules(**fields)
