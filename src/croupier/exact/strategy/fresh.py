"""What answers are worth from a fresh shoe, read from a solved game: nothing is compiled or computed for it.

The cards of other seats and of earlier rounds are not looked at. Hands that a split has made, and hands of three cards
and more where the solution does not keep their values, have no such value.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from croupier.exact.strategy.account import chance_of_dealer_blackjack
from croupier.exact.strategy.advice import Sight
from croupier.exact.strategy.barrel import BarrelGame, BarrelUpCard
from croupier.exact.strategy.base import BaseGame
from croupier.exact.strategy.before_play import added_wagers
from croupier.exact.strategy.charts import exchange_values
from croupier.exact.strategy.dealer import FEW_ROWS
from croupier.exact.strategy.graph import NATURAL_START, hand_graph
from croupier.exact.strategy.madness import MadnessGame
from croupier.exact.strategy.position import IMPOSSIBLE
from croupier.exact.strategy.solve import Solution
from croupier.exact.strategy.switch import SwitchGame, SwitchUpCard
from croupier.kernels.blackjack import BEFORE_PLAY
from croupier.kernels.effects import ACTION, BOTH, FIRST, FLEX_CARD, KEEP, SECOND, SWITCH, SWITCH_CARDS
from croupier.kernels.rounds import find_round
from croupier.kernels.strategy import CLASSES, pair_index

FAR_LIMIT = 16.0
"""A limit for single wagers so many times the first one changes no value that can be seen: four doubles are rare."""
Values = Mapping[int, float]


def fresh_values(solution: Solution, question: int, sight: Sight) -> Values | None:
    """Expected profit of each answer for one unit, or None where the solution does not say."""
    if question == SWITCH_CARDS:
        return switch_values(solution, sight.hand, sight.other, sight.up)
    if question == FLEX_CARD:
        return flex_values(solution, sight.hand, sight.other, sight.beside, sight.up)
    if question == BEFORE_PLAY:
        return _before_play_values(solution, sight) if len(sight.hand) == 2 else None
    if question == ACTION:
        return _action_values(solution, sight)
    return None


def _before_play_values(solution: Solution, sight: Sight) -> Values | None:
    """Throwing the hand away or keeping it; or, where an answer puts money onto the hand, what that is worth if it is
    played best."""
    declared, game = find_round(sight.round), solution.game
    if not isinstance(game, BaseGame) or declared is None:
        return None
    if game.exchangeable:
        return exchange_values(solution, sight.up).get(pair_index(*sight.hand))
    worth = {0: game.blackjack_pays}
    if pair_index(*sight.hand) != NATURAL_START:
        worth = dict(_action_values(solution, sight) or {})
    best = max(worth.values(), default=0.0)
    return {answer: best if wager is not None else 0.0 for answer, wager in enumerate(added_wagers(declared))}


def _action_values(solution: Solution, sight: Sight) -> Values | None:
    game = solution.game
    if isinstance(game, MadnessGame):
        made = sight.rules.max_doubles - sight.doubles_left if sight.doubles_left is not None else 0
        if made or game.cap or 0 < sight.cap < FAR_LIMIT:
            return None
        values = solution.values[sight.up, hand_graph().of(*sight.hand)]
        gone: tuple[int, ...] = sight.hand
    else:
        base = isinstance(game, BaseGame)
        if len(sight.hand) != 2 or sight.hands_of_pair > 1 or (not base and len(sight.other) < 2):
            return None
        beside = sight.beside if base else sight.other[:2]
        context = pair_index(*beside) if beside else 0
        if isinstance(game, BaseGame) and beside:
            context = 1 + game.exchangeable.index(context)
        values = solution.values[sight.up, context, pair_index(*sight.hand)]
        gone = sight.hand + beside
    safe = _chance_of_none(solution, sight.up, gone) if sight.rules.peek == 1 and sight.looked else 1.0
    return {action: float(value / safe) for action, value in enumerate(values) if value > IMPOSSIBLE / 2}


def _chance_of_none(solution: Solution, up: int, gone: tuple[int, ...]) -> float:
    """The chance that the dealer has no blackjack once these cards have gone."""
    shoe = solution.game.shoe
    left = shoe.cards.astype(float)
    if not shoe.endless:
        left[up] -= 1
    cards = tuple(np.array([card]) for card in gone)
    return float(1 - chance_of_dealer_blackjack(left, shoe.endless, up, cards)[0])


def switch_values(solution: Solution, hand: tuple[int, ...], other: tuple[int, ...], up: int) -> Values | None:
    """Keeping and switching, both hands together, for one unit on each."""
    if not isinstance(solution.game, SwitchGame) or len(hand) != 2 or len(other) != 2:
        return None
    deals = solution.game.up_card(up, FEW_ROWS)
    assert isinstance(deals, SwitchUpCard)
    (a, b), (c, d) = hand, other
    deal = ((a * CLASSES + b) * CLASSES + c) * CLASSES + d
    keep, switch = (option[deal] for option in deals.options(solution.values[up].max(2)))
    rules = solution.game.rules
    known = _chance_of_none(solution, up, (a, b, c, d)) if rules.switch_first == 0 else 1.0
    return {KEEP: float(keep / known), SWITCH: float(switch / known)}


def flex_values(
    solution: Solution, hand: tuple[int, ...], other: tuple[int, ...], beside: tuple[int, ...], up: int
) -> Values | None:
    """Each way to place the flex card, both hands together, for one unit on each."""
    if not isinstance(solution.game, BarrelGame) or len(hand) != 1 or len(other) != 1 or len(beside) != 1:
        return None
    (flex,) = beside
    deals = solution.game.up_card(up, FEW_ROWS)
    assert isinstance(deals, BarrelUpCard)
    deal = (hand[0] * CLASSES + other[0]) * CLASSES + flex
    rules = solution.game.rules
    known = _chance_of_none(solution, up, (hand[0], other[0], flex)) if rules.dealer_checks_first == 1 else 1.0
    scale = deals.chance_of_three[deal] * known
    if scale <= 0:
        return None
    first, second, both = (float(option[deal] / scale) for option in deals.options(solution.values[up].max(2)))
    return {FIRST: first, SECOND: second} | ({BOTH: both} if deals.both_blackjack[deal] else {})
