"""What every answer to a question is worth, from what a seat can see.

All cards that lie open are out of the shoe, whoever holds them; the hole card is among the unseen. A hand's value is
that of its own wager alone, or of all hands that a split makes of it. A split is worth what it is if the pair is split
again as often as pays best, up to the number of hands allowed; every hand is then played as before a split.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.exact.strategy.barrel import BarrelGame
from croupier.exact.strategy.base import BaseGame
from croupier.exact.strategy.before_play import added_wagers, value_on_dealer
from croupier.exact.strategy.dealer import FEW_ROWS
from croupier.exact.strategy.graph import NATURAL_START, NO_CLASS, completing, hand_graph, hands_from, key_of
from croupier.exact.strategy.legal import exchangeable
from croupier.exact.strategy.madness import MadnessGame, advise_madness
from croupier.exact.strategy.position import IMPOSSIBLE
from croupier.exact.strategy.solve import AnyGame, make_game
from croupier.exact.strategy.switch import SwitchGame
from croupier.exact.strategy.view import ClassShoe, UpCard, compile_program
from croupier.kernels.blackjack import EXCHANGE, BlackjackRules
from croupier.kernels.effects import (
    BOTH,
    DEALER_BLACKJACK,
    DECLINE,
    DOUBLE,
    FIRST,
    HIT,
    INSURANCE_OUTCOMES,
    INSURE,
    KEEP,
    SECOND,
    STAND,
    SWITCH,
)
from croupier.kernels.rounds import find_round
from croupier.kernels.strategy import CLASSES, OWN, pair_index

Array = NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class Sight:
    """What a seat sees when it is asked. Cards are classes: ace 0 to nine 8, ten-values 9."""

    round: str
    rules: BlackjackRules
    pays: dict[str, float]
    """Profit of the rows of the pay tables of the main wager and of insurance."""
    unseen: Array
    """Cards of each class that do not lie open, the hole card among them."""
    up: int
    hand: tuple[int, ...]
    """The cards of the hand that is asked about."""
    other: tuple[int, ...] = ()
    """The cards of the seat's other hand, where there are two."""
    beside: tuple[int, ...] = ()
    """Cards that lie beside the hands: the flex card, or those that were thrown away."""
    same_rank_unseen: float | None = None
    """Unseen cards that could make the pair be split again; by value if left out."""
    played_for: int = OWN
    """The first wager, money of the house alone, or a doubled wager."""
    hands_of_pair: int = 1
    """Hands that the starting hand has become."""
    doubles_left: int | None = None
    """Double Down Madness: how often the hand may still be doubled; None for as often as it likes."""
    suited_share: float = 0.25
    """Double Down Madness, with one card: of the unseen cards that make a blackjack of it, those of its suit."""
    cap: float = 0.0
    """The most a double may add, in units of the money now in play; 0 for no limit."""
    looked: bool = True
    """Whether the dealer is known to have no blackjack, or cannot have one."""


def insurance_values(sight: Sight) -> dict[int, float]:
    """Expected profit of each unit of insurance."""
    returned = sight.pays[INSURANCE_OUTCOMES[DEALER_BLACKJACK]] + 1
    return {INSURE: float(returned * (1 - _no_blackjack(sight)) - 1), DECLINE: 0.0}


def before_play_values(sight: Sight) -> dict[int, float]:
    """Expected profit of each answer to a round's own question before play, for each unit that it adds, or of the first
    wager where it adds none."""
    if exchangeable(sight.round, sight.rules):
        return _exchange_values(sight)
    declared = find_round(sight.round)
    assert declared is not None
    cards = [int(number) for number in sight.unseen]
    values = {}
    for answer, wager in enumerate(added_wagers(declared)):
        values[answer] = 0.0
        if wager is not None and wager.by_dealer is None:
            values[answer] = best_play_value(sight)
        elif wager is not None:
            worth = value_on_dealer(wager, sight.pays, sight.rules, cards, endless=False, up=sight.up)
            values[answer] = float(worth)
    return values


def best_play_value(sight: Sight) -> float:
    """Expected profit of a unit on the hand, played best, the dealer being known to have no blackjack."""
    if hand_graph().of(*sight.hand) == hand_graph().starts[NATURAL_START]:
        return sight.pays["blackjack"]
    return max(action_values(sight).values())


def action_values(sight: Sight) -> dict[int, float]:
    """Expected profit of each action for one unit of the money now on the hand; legality is not looked at."""
    game = _game(sight, sight.hand)
    hand = hand_graph().of(*sight.hand)
    if isinstance(game, MadnessGame):
        return _madness_values(sight, game, hand)
    # A pair is one of equal ranks where these alone may be split: `of_rank` counts the others.
    rules = sight.rules._replace(peek=sight.rules.peek if sight.looked else 0, split_by_rank=0)
    most = max(sight.rules.max_hands - sight.hands_of_pair + 1, 2)
    view = UpCard(game.shoe, sight.up, rules._replace(max_hands=most), game.blackjack_pays, game.surrender_pays)
    if isinstance(game, BaseGame):
        view = replace(view, round_=game.round_, by_cards=game.by_cards)
    is_pair = len(sight.hand) == 2 and sight.hand[0] == sight.hand[1]
    reachable = hands_from(hand_graph().of(sight.hand[0])) if is_pair else hands_from(hand)
    of_rank = view.memo.shoe[sight.hand[0]]
    if is_pair and sight.same_rank_unseen is not None:
        of_rank = sight.same_rank_unseen + 2
    # More than the first wager may lie on a hand that was not doubled: what a wager beside it has won.
    played_for = sight.played_for if sight.played_for < view.graph.states else OWN
    values = view.advise(view.position(), hand, reachable, float(of_rank), played_for)
    for fewer in range(2, sight.rules.max_hands - sight.hands_of_pair + 1) if is_pair else ():
        limited = replace(view, rules=rules._replace(max_hands=fewer))
        values = np.maximum(values, limited.advise(view.position(), hand, reachable, float(of_rank), played_for))
    return {action: float(value) for action, value in enumerate(values) if value > IMPOSSIBLE / 2}


def _game(sight: Sight, *hands: tuple[int, ...]) -> AnyGame:
    """The game from the shoe that these hands and the up card are still part of."""
    cards = sight.unseen.astype(float).copy()
    for card in (sight.up, *(card for hand in hands for card in hand)):
        cards[card] += 1
    return make_game(sight.round, ClassShoe(cards), sight.rules, sight.pays, sight.cap)


def _madness_values(sight: Sight, game: MadnessGame, hand: int) -> dict[int, float]:
    left = 0 if sight.doubles_left is None else sight.doubles_left
    stakes = np.ones(1)
    if sight.doubles_left is None or left > 0:
        stakes = MadnessGame(game.shoe, game.rules._replace(max_doubles=left), 0, 0, sight.cap).stakes
    suited = sight.suited_share
    # Only the next card can make a blackjack, and only of a first card: which suits are left is known exactly.
    pays = suited * game.suited_pays + (1 - suited) * game.unsuited_pays
    view = UpCard(game.shoe, sight.up, game.rules, pays)
    out = np.zeros(3)
    value = np.full((len(stakes), len(view.graph.facts)), IMPOSSIBLE)
    args = (view.position(), view.graph, stakes, game.rules, hand, hands_from(hand), value, out)
    compile_program(advise_madness)(*args)
    return {STAND: float(out[STAND]), HIT: float(out[HIT]), DOUBLE: float(out[DOUBLE])}


def switch_values(sight: Sight) -> dict[int, float]:
    """Expected profit of keeping and of switching, both hands together, for one unit on each."""
    (a, b), (c, d) = sight.hand, sight.other
    game = _game(sight, sight.hand, sight.other)
    assert isinstance(game, SwitchGame)
    deals = game.up_card(sight.up, FEW_ROWS)
    values = _played(deals.view, [((a, b), (c, d)), ((c, d), (a, b)), ((a, d), (c, b)), ((c, b), (a, d))])
    deal = ((a * CLASSES + b) * CLASSES + c) * CLASSES + d
    keep, switch = (option[deal] for option in deals.options(values))
    known = _no_blackjack(sight) if sight.rules.switch_first == 0 else 1.0
    return {KEEP: float(keep / known), SWITCH: float(switch / known)}


def flex_values(sight: Sight) -> dict[int, float]:
    """Expected profit of each way to place the flex card, both hands together, for one unit on each."""
    (a,), (b,), (flex,) = sight.hand, sight.other, sight.beside
    game = _game(sight, sight.hand, sight.other, (flex,))
    assert isinstance(game, BarrelGame)
    deals = game.up_card(sight.up, FEW_ROWS)
    pairs = []
    for following in np.flatnonzero(sight.unseen > 0).tolist():
        pairs += [((a, flex), (b, following)), ((b, following), (a, flex))]
        pairs += [((b, flex), (a, following)), ((a, following), (b, flex))]
    values = _played(deals.view, pairs)
    deal = (a * CLASSES + b) * CLASSES + flex
    known = _no_blackjack(sight) if sight.rules.dealer_checks_first == 1 else 1.0
    scale = deals.chance_of_three[deal] * known
    first, second, both = (float(option[deal] / scale) for option in deals.options(values))
    values_by_answer = {FIRST: first, SECOND: second}
    return values_by_answer | ({BOTH: both} if deals.both_blackjack[deal] else {})


def _exchange_values(sight: Sight) -> dict[int, float]:
    """Keeping a hand, and throwing it away for two new cards."""
    game = _game(sight, sight.hand)
    assert isinstance(game, BaseGame)
    deals = game.up_card(sight.up)
    start = pair_index(*sight.hand)
    at = 1 + deals.thrown.index(start)
    values = np.full((len(deals.positions), len(hand_graph().starts)), IMPOSSIBLE)
    values[at] = deals.view.solve(deals.positions[at]).values.max(1)
    lost = float(deals.dealer_blackjack[0, start])
    values[0, start] = max(action_values(sight).values()) * (1 - lost if sight.rules.peek == 1 else 1)
    keep, exchange = deals.options(values)
    known = 1 - lost if deals.has_looked else 1.0
    already = lost if deals.has_looked else 0.0
    return {KEEP: float(keep[start] + already) / known, EXCHANGE: float(exchange[at - 1] + already) / known}


def _played(view: UpCard, pairs: list[tuple[tuple[int, int], tuple[int, int]]]) -> Array:
    """Joint values of these hands, each beside another: `values[beside, hand]`."""
    values = np.full((len(hand_graph().starts), len(hand_graph().starts)), IMPOSSIBLE)
    for hand, beside in dict.fromkeys(pairs):
        at = view.position(key_of(beside))
        index = hand_graph().of(*hand)
        reachable = hands_from(hand_graph().of(hand[0])) if hand[0] == hand[1] else hands_from(index)
        values[pair_index(*beside), pair_index(*hand)] = view.solve(at, reachable).values[pair_index(*hand)].max()
    return values


def _no_blackjack(sight: Sight) -> float:
    """Chance that the hole card makes no blackjack, before anything is known of it."""
    hole = completing(sight.up)
    return 1.0 if hole == NO_CLASS else float(1 - sight.unseen[hole] / sight.unseen.sum())
